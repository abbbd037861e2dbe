"""Types of the members of a call's `in` (SHIM.md, Ops). A value that does not fit is a BadCall, never a rejection."""
from .octets import b64u_decode, time_ms
from .verdicts import BadCall

MISSING = object()


def text(value):
    if not isinstance(value, str):
        raise BadCall("not a text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise BadCall("not Unicode") from None
    return value


def whole(value):
    if type(value) is not int or abs(value) > 2**53:
        raise BadCall("not an integer")
    return value


def boolean(value):
    if type(value) is not bool:
        raise BadCall("not a boolean")
    return value


def octets(value):
    raw = b64u_decode(text(value))
    if raw is None:
        raise BadCall("not base64url")
    return raw


def octets_of(length):
    def read(value):
        raw = octets(value)
        if len(raw) != length:
            raise BadCall("not %d octets" % length)
        return raw
    return read


def time(value):
    ms = time_ms(text(value))
    if ms is None:
        raise BadCall("not a time")
    return ms


def mapping(value):
    """Any JSON object, as it is."""
    if type(value) is not dict:
        raise BadCall("not an object")
    return value


def word(*words):
    def read(value):
        if text(value) not in words:
            raise BadCall("none of " + ", ".join(words))
        return value
    return read


def listing(item):
    def read(value):
        if type(value) is not list:
            raise BadCall("not a list")
        return [item(one) for one in value]
    return read


def nullable(item):
    return lambda value: None if value is None else item(value)


class Optional:
    """Marks a member that may be missing."""

    def __init__(self, item):
        self.item = item


class Record:
    """An object with these members; others are ignored (SHIM.md, Framing)."""

    def __init__(self, **members):
        self.members = members

    def __call__(self, value):
        mapping(value)
        read = {}
        for name, item in self.members.items():
            given = value.get(name, MISSING)
            optional = type(item) is Optional
            if given is MISSING and not optional:
                raise BadCall("no member " + name)
            if given is MISSING:
                continue
            try:
                read[name] = (item.item if optional else item)(given)
            except BadCall as bad:
                raise BadCall("%s: %s" % (name, bad)) from None
        return read


CLAIMS = Record(
    productUuid=Optional(octets), productSerial=Optional(octets), boardSerial=Optional(octets), chassisSerial=Optional(octets),
    hostname=Optional(octets), permanentMacs=listing(octets), gpuUuids=listing(octets))
REQUEST = Record(attestor=text, role=text, tokenId=text, claims=CLAIMS)
JWK = Record(kty=text, crv=text, x=text, y=text)
PRIVATE_JWK = Record(kty=text, crv=text, x=text, y=text, d=text)
PINS = listing(text)
ROW = Record(id=text, secretSha256=octets, role=text, expiresAt=time, revokedAt=nullable(time), usesLeft=whole)
SIGNED = Record(body=octets, sig=octets, signingKey=octets)
WINDOW = Record(pastS=whole, aheadS=whole)
EXPECT = Record(productUuid=Optional(text), serial=Optional(text), mac=Optional(text), gpuUuid=Optional(text))
BODY = Record(
    nodeId=text, certificateChain=listing(octets), commandTrustBundle=listing(octets), csrSha256=octets, trustDomain=text, siteId=text,
    role=text, attestor=text, requestSha256=octets)
