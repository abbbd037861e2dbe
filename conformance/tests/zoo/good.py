"""A right shim of two small ops, and the base of the others: each breaks one thing of it."""
import base64
import hashlib
import json
import re
import sys


def b64u(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


class Reject(Exception):
    pass


def ttl(given):
    match = re.fullmatch(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?", given["text"], re.ASCII)
    if not match or not given["text"]:
        raise Reject("invalid-argument")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if not 60 <= total <= 86400:
        raise Reject("invalid-argument")
    return {"seconds": total}


def pin(given):
    match = re.fullmatch(r"sha256/([A-Za-z0-9+/]{43}=)", given["pin"], re.ASCII)
    if not match:
        raise Reject("pin-malformed")
    octets = base64.b64decode(match[1])
    if base64.b64encode(octets).decode() != match[1]:
        raise Reject("pin-malformed")
    return {"sha256": b64u(octets)}


def spelled(given):
    return {"uuid": hashlib.sha256(given["raw"].encode()).hexdigest()[:4]}


OPS = {"token.ttl": ttl, "pin.parse": pin, "smbios.uuid": spelled}


def hello(**more):
    said = {
        "jc": 1, "id": 0, "r": "accept", "protocol": 1, "impl": {"name": "zoo", "version": "1", "lang": "python"},
        "roles": ["server", "client"], "ops": list(OPS), "features": {}, "choices": {}, "clock": "injected",
        "categories": "exact", "parallel": 1, "world": False,
    }
    said.update(more)
    return said


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(call, ops=None):
    op = (OPS if ops is None else ops).get(call["op"])
    if op is None or call.get("critical"):
        return {"jc": 1, "id": call["id"], "r": "unsupported"}
    try:
        return {"jc": 1, "id": call["id"], "r": "accept", "out": op(call["in"])}
    except Reject as reject:
        return {"jc": 1, "id": call["id"], "r": "reject", "cat": str(reject)}
    except Exception as error:
        return {"jc": 1, "id": call["id"], "r": "error", "detail": repr(error)}


def serve(on_call, **more):
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("m") == "bye":
            return
        if message.get("m") == "hello":
            say(hello(**more))
        else:
            on_call(message)


if __name__ == "__main__":
    serve(lambda call: say(answer(call)))
