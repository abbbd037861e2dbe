"""Takes memory in place of an answer."""
import time

from good import serve


def fill(call):
    taken = []
    while True:
        taken.append(bytearray(b"x") * (16 << 20))
        time.sleep(0.01)


serve(fill)
