#!/usr/bin/env python3
"""The shim jc/1 of the twin: one JSON object a line in, one a line out (conformance/SHIM.md)."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from twin import ops  # noqa: E402
from twin.jsonstrict import JsonError, decoder  # noqa: E402
from twin.verdicts import BadCall, Reject, Unsupported  # noqa: E402

PROTOCOL = 1
IMPL = {"name": "twin-python", "version": "0.1.0", "lang": "python", "url": "https://example.com/twin-python"}
ID = re.compile(rb'"id"\s*:\s*([0-9]{1,16})')
DECODER = decoder(dict)
ENCODER = json.JSONEncoder(separators=(",", ":"))


def hello(message):
    """The answer to hello: what this shim is and can."""
    protocol = message.get("protocol")
    bounds = [protocol.get(name) for name in ("min", "max")] if type(protocol) is dict else []
    if len(bounds) != 2 or any(type(bound) is not int for bound in bounds):
        raise BadCall("protocol")
    if not bounds[0] <= PROTOCOL <= bounds[1]:
        return {"r": "unsupported"}
    ops.check_critical(message, {"jc", "id", "m", "protocol", "suite", "vectors", "ops", "critical"})
    return {
        "r": "accept", "protocol": PROTOCOL, "impl": IMPL, "roles": ["server", "client"], "ops": list(ops.OPS), "features": {},
        "choices": ops.CHOICES, "clock": "injected", "categories": "exact", "parallel": 1, "world": True,
    }


def result(message):
    """What a message is answered with, whatever happens on the way."""
    try:
        if message.get("m") == "hello":
            return hello(message)
        if message.get("m") != "call":
            return {"r": "unsupported", "detail": "m"}
        return {"r": "accept", "out": ops.answer(message)}
    except Reject as refusal:
        return with_detail({"r": "reject", "cat": refusal.cat}, refusal.detail)
    except Unsupported as what:
        return with_detail({"r": "unsupported"}, str(what))
    except BadCall as bad:
        return with_detail({"r": "error"}, str(bad))
    except RecursionError:
        return with_detail({"r": "error"}, "nesting")
    except Exception as bug:  # a bug of the twin: said loudly, never a verdict
        print("bug: %r" % bug, file=sys.stderr, flush=True)
        return with_detail({"r": "error"}, "bug: %r" % bug)


def with_detail(answer, detail):
    return dict(answer, detail=detail[:200]) if detail else answer


def read(line):
    """The message of a line. What cannot be read is answered with an error where an id can be made out."""
    try:
        message = DECODER.decode(line.decode("utf-8"))
        return message if type(message) is dict else None
    except (ValueError, RecursionError, JsonError):
        found = ID.search(line)
        return {"jc": PROTOCOL, "id": int(found.group(1)), "m": "unreadable"} if found else None


def reply(message):
    if message["m"] == "unreadable":
        return {"r": "error", "detail": "the line is no JSON"}
    return result(message)


def loop(lines, out):
    for line in lines:
        message = read(line)
        if message is None or "jc" not in message:
            print("not a message", file=sys.stderr, flush=True)
            continue
        if message.get("m") == "bye":
            return
        message.setdefault("m", None)
        answer = {"jc": PROTOCOL, "id": message.get("id"), **reply(message)}
        out.write(ENCODER.encode(answer).encode("ascii") + b"\n")
        out.flush()


def main(args):
    if args == ["--list-faults"]:
        import faults
        print(json.dumps(faults.listing()))
        return 0
    if len(args) == 2 and args[0] == "--fault":
        import faults
        if not faults.apply(args[1]):
            print("no fault " + args[1], file=sys.stderr)
            return 2
    elif args:
        print("usage: shim.py [--fault NAME | --list-faults]", file=sys.stderr)
        return 2
    loop(sys.stdin.buffer, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
