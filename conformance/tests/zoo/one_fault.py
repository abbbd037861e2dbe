"""Right but for one fault, named on the command line."""
import json
import os
import sys
import threading
import time

import good
from good import OPS, Reject, answer, say, serve

fault = sys.argv[1] if len(sys.argv) > 1 else ""
said = {}
queue = []
calls = 0


def no_upper_bound(given):
    try:
        return OPS["token.ttl"](given)
    except Reject:
        if given["text"] == "86401s":
            return {"seconds": 86401}
        raise


def no_lower_case(given):
    if given["text"] == "1h30m":
        raise Reject("invalid-argument")
    return OPS["token.ttl"](given)


def other_word(given):
    try:
        return OPS["pin.parse"](given)
    except Reject:
        raise Reject("config")


def step_only(op):
    def call(given):
        try:
            return OPS[op](given)
        except Reject:
            raise Reject({"token.ttl": "token", "pin.parse": "config"}[op])
    return call


def never(given):
    raise Reject("invalid-argument")


def always(given):
    given["text"]
    return {"seconds": 3600}


FAULTS = {
    "never": {"token.ttl": never},
    "always": {"token.ttl": always},
    "accepts": {"token.ttl": no_upper_bound},
    "rejects": {"token.ttl": no_lower_case},
    "word": {"pin.parse": other_word},
    "coarse": {"token.ttl": step_only("token.ttl"), "pin.parse": step_only("pin.parse")},
    "silent": {"token.ttl": step_only("token.ttl"), "pin.parse": step_only("pin.parse")},
    "undeclared": {},
}
if fault == "--list-faults":
    print(json.dumps([
        {"name": "accepts", "rule": "TOKEN-5", "what": "no upper bound"},
        {"name": "word", "rule": "CONFIG-1", "what": "another word"},
        {"name": "rejects", "rule": "CONFIG-1", "what": "a fault whose rule is not the one of the case that sees it"},
        {"name": "undeclared", "rule": "CONFIG-1", "what": "a fault that no case sees"},
    ]))
    sys.exit()
if fault == "--fault":
    fault = sys.argv[2]
ops = {**OPS, **FAULTS.get(fault, {})}
if fault == "coarse":
    said["categories"] = "coarse"
if fault == "silent":
    said["categories"] = "none"
if fault == "undeclared":
    ops.pop("pin.parse")
    said["ops"] = list(ops)
if fault.startswith("parallel"):
    said["parallel"] = 4


def one(call):
    global calls
    calls += 1
    text = call["in"].get("text")
    if fault == "crash" and text == "90s" or fault == "parallel-crash" and text == "90s":
        os.abort()
    if fault == "hang" and text == "90s":
        time.sleep(60)
    if fault == "tired" and calls > 12 and text == "90s":
        say({"jc": 1, "id": call["id"], "r": "accept", "out": {"seconds": 91}})
        return
    if fault == "tired-crash" and calls > 12 and text == "90s":
        os.abort()
    if fault == "all-hang" and calls > 12:
        time.sleep(60)
    if fault.startswith("parallel"):
        queue.append(call)
        return
    if fault == "last-twice" and calls > 12 and text == "59s":
        say(answer(call, ops))
    say(answer(call, ops))


def from_the_back():
    """Answers what has come, the last first."""
    while True:
        time.sleep(0.03)
        while queue:
            say(answer(queue.pop(), ops))


if fault.startswith("parallel"):
    threading.Thread(target=from_the_back, daemon=True).start()
serve(one, **said)
