"""Writes lines without end in place of an answer."""
from good import serve


def flood(call):
    while True:
        print("a line that is no message", flush=True)


serve(flood)
