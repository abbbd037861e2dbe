"""Right, but breaks every answer in two lines."""
import json
import sys

from good import answer, serve


def broken(call):
    text = json.dumps(answer(call))
    sys.stdout.write(text[:20] + "\n" + text[20:] + "\n")
    sys.stdout.flush()


serve(broken)
