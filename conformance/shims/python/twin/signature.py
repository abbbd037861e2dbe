"""What is signed, and how (docs/spec/14-signature.md)."""
from . import p256
from .octets import b64u, b64u_decode, frame, i64
from .verdicts import BadCall, Reject

LABEL = b"better-compute.v1\0"
MAX_S = (p256.N - 1) // 2
MAX_INTEGER = 2**63


class FieldError(ValueError):
    """An unknown purpose, or fields that are not the purpose's."""


def octets_of(*lengths):
    def read(value):
        raw = b64u_decode(value) if isinstance(value, str) else None
        if raw is None or (lengths and len(raw) not in lengths):
            raise FieldError("octets")
        return raw
    return read


def text(value):
    if not isinstance(value, str):
        raise FieldError("text")
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise FieldError("text") from None


def ascii_text(value):
    raw = text(value)
    if not raw.isascii():
        raise FieldError("text")
    return raw


def number(value):
    if type(value) is not int or not -MAX_INTEGER <= value < MAX_INTEGER:
        raise FieldError("integer")
    return i64(value)


BODY = (("body", octets_of()),)
PROOF = (("csrSha256", octets_of(32)), ("nodeId", ascii_text), ("clientTimeMs", number))
VOUCH = (("csrSha256", octets_of(32)), ("mac", octets_of(6)), ("ip", octets_of(4, 16)), ("workflowId", text), ("bootLeaseEpoch", number))
PURPOSES = {
    "join-response": BODY, "join-deferral": BODY, "renew-response": BODY, "renew-pop": PROOF, "x509pop": PROOF, "discovery-vouch": VOUCH}


def message_of(purpose, octets):
    """SIGNATURE-1: the octets that are signed for these fields' octets."""
    return LABEL + purpose.encode("ascii") + b"\0" + b"".join(frame(field) for field in octets)


def message(purpose, fields):
    """The message of a purpose, from the fields of a call; FieldError where they do not fit."""
    if purpose not in PURPOSES:
        raise FieldError("purpose")
    layout = PURPOSES[purpose]
    if set(fields) != {name for name, _ in layout}:
        raise FieldError("fields")
    return message_of(purpose, [read(fields[name]) for name, read in layout])


def called_message(args):
    try:
        return message(args["purpose"], args["fields"])
    except FieldError as bad:
        raise BadCall("fields: %s" % bad) from None


def lower_s(s):
    """The low one of s and n - s."""
    return p256.N - s if s > MAX_S else s


def sign(private, octets):
    """r and s, 32 octets each."""
    r, s = p256.sign(private, octets)
    return r.to_bytes(32, "big") + lower_s(s).to_bytes(32, "big")


def check_length(sig):
    return len(sig) == 64


def numbers(sig):
    return int.from_bytes(sig[:32], "big"), int.from_bytes(sig[32:], "big")


def is_low(s):
    return s <= MAX_S


def read_key(spki):
    return p256.spki_point(spki)


def verify(spki, sig, octets):
    """Whether this signature of 64 octets is the key's over these octets, low-S."""
    point = read_key(spki)
    if point is None or not check_length(sig):
        return False
    r, s = numbers(sig)
    return is_low(s) and p256.verify(point, r, s, octets)


def op_bytes(args, call):
    return {"bytes": b64u(called_message(args))}


def op_make(args, call):
    return {"sig": b64u(sign(p256.private_key(args["key"]), called_message(args)))}


def op_verify(args, call):
    try:
        octets = message(args["purpose"], args["fields"])
    except FieldError as bad:
        raise Reject("signature", str(bad)) from None
    if not verify(args["key"], args["sig"], octets):
        raise Reject("signature")
    return {}
