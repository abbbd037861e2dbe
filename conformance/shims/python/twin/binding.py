"""What the machine's key says about its request (docs/spec/04-binding.md)."""
from . import csr, der
from .octets import b64u, b64u_decode, frame, i64, sha256
from .verdicts import BadCall, Reject

PREFIX = b"better-compute.v1\0join-request\0"
VALUE_PREFIX = b"bc-join-request-v1:"
OID = bytes.fromhex("06092a864886f70d010902")
UTF8_STRING = 0x0C
CLAIMS = ("productUuid", "productSerial", "boardSerial", "chassisSerial", "hostname")
LISTS = ("permanentMacs", "gpuUuids")


def attestor_name(attestor):
    """The empty name means join-token."""
    return attestor or "join-token"


def fields(request):
    """BINDING-1: the fields in order, claims raw as sent."""
    raw = request["claims"]
    yield attestor_name(request["attestor"]).encode("utf-8")
    yield request["role"].encode("utf-8")
    yield request["tokenId"].encode("utf-8")
    for name in CLAIMS:
        yield raw.get(name, b"")
    for name in LISTS:
        yield i64(len(raw[name]))
        yield from raw[name]


def request_hash(request):
    return sha256(PREFIX + b"".join(frame(field) for field in fields(request)))


def value_octets(digest):
    return VALUE_PREFIX + b64u(digest).encode("ascii")


def attribute(digest):
    """BINDING-2: the attribute that the client puts into its CSR."""
    return der.encode(0x30, OID, der.encode(0x31, der.encode(UTF8_STRING, value_octets(digest))))


def is_binding(node):
    """By the content octets, whatever the tag."""
    return node.content.startswith(VALUE_PREFIX)


def values(parsed):
    """The values of a parsed CSR that are the binding."""
    return [node for oid, nodes in parsed.attributes for node in nodes if oid == OID and is_binding(node)]


def refuse(detail):
    raise Reject("request-binding", detail)


def check_single(found):
    if len(found) > 1:
        refuse("two bindings")


def check_tag(node):
    if node.tag != UTF8_STRING:
        refuse("not a UTF8String")


def stated_hash(node):
    digest = b64u_decode(node.content[len(VALUE_PREFIX):])
    if digest is None or len(digest) != 32:
        refuse("malformed")
    return digest


def check(parsed, digest, required, choice):
    """BINDING-2: whether the attribute was there and compared."""
    if choice == "none":
        return False
    found = values(parsed)
    if not found and required:
        refuse("absent")
    if not found:
        return False
    check_single(found)
    check_tag(found[0])
    if stated_hash(found[0]) != digest:
        refuse("another request")
    return True


def op_hash(args, call):
    return {"requestSha256": b64u(request_hash(args["request"]))}


def op_check(args, call):
    digest = request_hash(args["request"])
    try:
        parsed = csr.parse(args["csr"])
    except der.DerError as bad:
        raise BadCall("csr: %s" % bad) from None
    bound = check(parsed, digest, args["required"], call.choice("request-binding"))
    return {"bound": bound, "requestSha256": b64u(digest)}
