"""Answers with random lines that look like messages."""
import random

from good import serve


def noise(call):
    print("{" + "".join(random.choices("abc\":{}", k=40)), flush=True)


serve(noise)
