"""Writes one line without end."""
import sys

from good import serve


def flood(call):
    while True:
        sys.stdout.write("x" * 65536)


serve(flood)
