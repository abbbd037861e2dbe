"""Rejects everything, for the reason that is most often right."""
from good import say, serve

serve(lambda call: say({"jc": 1, "id": call["id"], "r": "reject", "cat": "invalid-argument"}))
