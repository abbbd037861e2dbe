"""The certificate request (docs/spec/05-csr.md)."""
from . import der, p256
from .octets import b64u, sha256
from .verdicts import Reject

MAX_BYTES = 4096
VERSION = bytes.fromhex("020100")


class Csr:
    """What was read: the octets, those that are signed, the point, the attributes, the signature."""

    def __init__(self, octets, top):
        info, algorithm, signature = der.expect(top, 0x30, 3)
        check_algorithm(algorithm)
        version, subject, key, attributes = der.expect(info, 0x30, 4)
        check_version(version)
        check_subject(subject)
        self.octets, self.signed = octets, info.raw
        self.spki = key.raw
        self.point = read_key(self.spki)
        self.attributes = read_attributes(attributes)
        self.r, self.s = read_signature(signature)


def check_algorithm(node):
    """CSR-3: without parameters, not even NULL."""
    der.need(node.raw == p256.ECDSA_SHA256, "signature algorithm")


def check_version(node):
    der.need(node.raw == VERSION, "version")


def check_subject(node):
    der.check_name(node)


def read_key(spki):
    """CSR-2."""
    point = p256.spki_point(spki)
    der.need(point is not None, "public key")
    return point


def read_attributes(node):
    """[0] SET OF Attribute: pairs of the OID's octets and the values."""
    kids = der.expect(node, 0xA0)
    check_order(kids)
    return [read_attribute(kid) for kid in kids]


def read_attribute(node):
    oid, values = der.expect(node, 0x30, 2)
    der.check_oid(oid)
    der.expect(values, 0x31)
    der.need(values.kids, "attribute without a value")
    check_value_order(values.kids)
    return oid.raw, values.kids


def check_order(nodes):
    der.check_set_order(nodes)


def check_value_order(nodes):
    der.check_set_order(nodes)


def read_signature(node):
    return p256.parse_signature(der.bit_string(node))


def check_size(octets):
    der.need(len(octets) <= MAX_BYTES, "size")


def parse(octets):
    """Everything but the signature's truth; DerError where it is malformed."""
    check_size(octets)
    return Csr(octets, der.parse(octets))


def check_signature(parsed):
    der.need(p256.verify(parsed.point, parsed.r, parsed.s, parsed.signed), "signature")


def check(octets):
    """CSR-1 to CSR-3."""
    try:
        parsed = parse(octets)
        check_signature(parsed)
    except der.DerError as bad:
        raise Reject("csr", str(bad)) from None
    return parsed


def digest(octets):
    """CSR-5: over the octets as received."""
    return sha256(octets)


def op_check(args, call):
    parsed = check(args["csr"])
    return {"csrSha256": b64u(digest(args["csr"])), "publicKey": b64u(parsed.point)}


def make(private, attributes):
    """A request with an empty subject and these attributes."""
    point = p256.private_point(private)
    info = der.encode(0x30, VERSION, der.encode(0x30), p256.point_spki(point), der.encode(0xA0, *attributes))
    r, s = p256.sign(private, info)
    signature = der.encode(0x30, der.encode_integer(r), der.encode_integer(s))
    return der.encode(0x30, info, p256.ECDSA_SHA256, der.encode(0x03, b"\0", signature))


def op_make(args, call):
    from . import binding
    attributes = [binding.attribute(binding.request_hash(args["request"]))] if "request" in args else []
    return {"csr": b64u(make(p256.private_key(args["key"]), attributes))}
