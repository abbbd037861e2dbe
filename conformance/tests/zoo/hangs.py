"""Answers the made-up op, and never a call; says that it has many ops."""
from good import OPS, answer, say, serve

MANY = list(OPS) + ["csr.check", "token.id", "token.parse"]
serve(lambda call: call["op"] in MANY or say(answer(call)), ops=MANY)
