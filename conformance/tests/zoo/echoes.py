"""Gives the input back as output."""
from good import say, serve

serve(lambda call: say({"jc": 1, "id": call["id"], "r": "accept", "out": call["in"]}))
