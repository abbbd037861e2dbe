"""The framing of the shim contract jc/1: one JSON object a line in, one a line out.

Nothing here changes when ops are added; they are plugged in in shim.py.
"""

import base64
import json
import os
import sys
import traceback
from typing import Any, Callable, NamedTuple

PROTOCOL = 1
HELLO_MEMBERS = {"jc", "id", "m", "protocol", "suite", "vectors", "ops", "critical"}
CALL_MEMBERS = {"jc", "id", "m", "op", "now", "in", "limit_ms", "choices", "critical"}


class Reject(Exception):
    """The implementation looked at the input and refused it, for a reason of the spec."""

    def __init__(self, cat: str, detail: str = ""):
        super().__init__(detail)
        self.cat = cat


class BadCall(Exception):
    """The call lacks a member, or one is of the wrong type: `error`, never `reject`."""


class Unsupported(Exception):
    """This shim cannot do what the call asks for."""


class Call(NamedTuple):
    """What a call says: its clock (RFC 3339), the choices that it fixes, and its `in`."""

    now: str
    choices: dict
    given: dict

    def text(self, name: str) -> str:
        """A member of `in` that is a text."""
        return member(self.given, name, str)

    def octets(self, name: str) -> bytes:
        """A member of `in` that is octets: canonical base64url without padding."""
        text = self.text(name)
        try:
            octets = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            raise BadCall(f"{name}: not base64url") from None
        if b64u(octets) != text:
            raise BadCall(f"{name}: not base64url")
        return octets


class Op(NamedTuple):
    """An op: the members of its `in`, and the function that makes `out` of a call."""

    members: set
    run: Callable[[Call], dict]


def b64u(octets: bytes) -> str:
    """Octets as the contract writes them."""
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode("ascii")


def member(given: dict, name: str, kind: type) -> Any:
    """A member that must be there, and of that type. (True is no integer here.)"""
    value = given.get(name)
    if type(value) is not kind:
        raise BadCall(f"{name}: missing, or not {kind.__name__}")
    return value


def check_critical(message: dict, known: set) -> None:
    """Unknown members are ignored, but for those that the message calls critical."""
    critical = member(message, "critical", list) if "critical" in message else []
    for name in critical:
        if not isinstance(name, str) or name not in known:
            raise Unsupported(f"critical: {name!r}")


def hello(message: dict, declaration: dict, ops: dict) -> dict:
    """Who this is and what it can."""
    versions = member(message, "protocol", dict)
    least, most = member(versions, "min", int), member(versions, "max", int)
    if not least <= PROTOCOL <= most:
        raise Unsupported(f"this shim speaks version {PROTOCOL}")
    check_critical(message, HELLO_MEMBERS)
    return {"r": "accept", "protocol": PROTOCOL, "ops": list(ops), **declaration}


def call(message: dict, ops: dict) -> dict:
    """The answer to a call, where it is accepted."""
    name = member(message, "op", str)
    if name not in ops:
        raise Unsupported(f"op: {name!r}")
    op = ops[name]
    check_critical(message, CALL_MEMBERS | op.members)
    choices = member(message, "choices", dict) if "choices" in message else {}
    given = member(message, "in", dict)
    out = op.run(Call(member(message, "now", str), choices, given))
    return {"r": "accept", "out": out}


def result(message: dict, declaration: dict, ops: dict) -> dict:
    """The answer to a message, whatever happens on the way."""
    try:
        kind = message.get("m")
        if kind == "hello":
            return hello(message, declaration, ops)
        if kind == "call":
            return call(message, ops)
        raise Unsupported(f"m: {kind!r}")
    except Reject as refusal:
        return {"r": "reject", "cat": refusal.cat, "detail": str(refusal)}
    except Unsupported as what:
        return {"r": "unsupported", "detail": str(what)}
    except BadCall as what:
        return {"r": "error", "detail": str(what)}
    except Exception as bug:  # said loudly, but never a verdict and never a crash
        traceback.print_exc()
        return {"r": "error", "detail": f"bug: {bug!r}"}


def read(line: bytes) -> dict | None:
    """The message of a line, or None where it is none."""
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and "jc" in message else None


def log(words: str) -> None:
    """Says something to people: standard output is for answers only."""
    print(f"shim: {words}", file=sys.stderr, flush=True)


def serve(declaration: dict, ops: dict) -> None:
    """Answers until bye or the end of standard input."""
    # Answers keep the real standard output; whatever else is printed goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        message = read(line)
        if message is None:
            log("a line that is no message is passed over")
            continue
        if message.get("m") == "bye":
            return
        number = message.get("id")
        if type(number) is not int or number < 0:
            log("a message without a number in `id` is passed over")
            continue
        head = {"jc": PROTOCOL, "id": number}
        try:
            text = json.dumps({**head, **result(message, declaration, ops)})
        except (TypeError, ValueError) as bug:  # `out` holds what JSON cannot say
            text = json.dumps({**head, "r": "error", "detail": f"bug: {bug}"})
        answers.write(text.encode("ascii") + b"\n")
        answers.flush()
