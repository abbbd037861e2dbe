"""Right; writes every answer octet by octet, with noise between the lines."""
import json
import sys

from good import answer, serve


def slowly(call):
    print("a line for people", flush=True)
    for letter in json.dumps(answer(call)) + "\n":
        sys.stdout.write(letter)
        sys.stdout.flush()


serve(slowly)
