"""Octets, base64, framing, ids and times: the conventions of docs/spec/00-conventions.md and 01-time.md."""
import base64
import binascii
import hashlib
import os
import re
from datetime import datetime, timedelta, timezone

B64U = re.compile(rb"[A-Za-z0-9_-]*")
B64 = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
TYPEID = "[0-7][0-9a-hjkmnp-tv-z]{25}"
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def sha256(octets):
    return hashlib.sha256(octets).digest()


def frame(octets):
    """F(x): the length as u32, then x."""
    return len(octets).to_bytes(4, "big") + octets


def i64(number):
    return number.to_bytes(8, "big", signed=True)


def ascii_octets(text):
    """The octets of a text or of octets; None where they are not ASCII."""
    if isinstance(text, bytes):
        return text if text.isascii() else None
    return text.encode("ascii") if text.isascii() else None


def b64u(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode("ascii")


def b64u_decode(text):
    """Canonical base64url without padding; None for any other spelling."""
    raw = ascii_octets(text)
    if raw is None or not B64U.fullmatch(raw) or len(raw) % 4 == 1:
        return None
    octets = base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4))
    return octets if base64.urlsafe_b64encode(octets).rstrip(b"=") == raw else None


def b64_decode(text):
    """Canonical standard base64 with padding; None for any other spelling."""
    raw = ascii_octets(text)
    if raw is None or not B64.fullmatch(raw):
        return None
    try:
        octets = base64.b64decode(raw, validate=True)
    except binascii.Error:
        return None
    return octets if base64.b64encode(octets) == raw else None


def typeid(prefix):
    """A test for the ids of one prefix."""
    return re.compile(prefix + "_" + TYPEID).fullmatch


def time_ms(text):
    """Milliseconds since 1970 of an RFC 3339 time with milliseconds; None where it is none."""
    if not TIME.fullmatch(text):
        return None
    try:
        span = datetime.fromisoformat(text[:-1] + "+00:00") - EPOCH
    except ValueError:
        return None
    return (span.days * 86400 + span.seconds) * 1000 + span.microseconds // 1000


def time_text(ms):
    """The RFC 3339 time with milliseconds; OverflowError outside the years 1 to 9999."""
    return (EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id(prefix, ms):
    """A TypeID made as UUIDv7 (RFC 9562 section 5.7)."""
    octets = bytearray((ms % 2**48).to_bytes(6, "big") + os.urandom(10))
    octets[6] = 0x70 | octets[6] & 0x0F
    octets[8] = 0x80 | octets[8] & 0x3F
    number = int.from_bytes(octets, "big")
    return prefix + "_" + "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def now_s(now_ms):
    """TIME-2: whole seconds are floored."""
    return now_ms // 1000
