"""X.509 certificates in strict DER (RFC 5280; docs/spec/15-response.md, 24-wellknown.md)."""
import re
from datetime import datetime, timezone

from . import der, p256

SAN = bytes.fromhex("0603551d11")
URI = 0x86
UTC_TIME, GENERALIZED_TIME = 0x17, 0x18
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DIGITS = re.compile(rb"[0-9]+Z")


class Certificate:
    """What was read of one certificate; the octets of its parts as received."""

    def __init__(self, octets):
        self.octets = octets
        tbs, algorithm, signature = der.expect(der.parse(octets), 0x30, 3)
        check_algorithm(algorithm)
        self.tbs, self.algorithm = tbs.raw, algorithm.raw
        self.signature = der.bit_string(signature)
        self.read_tbs(list(der.expect(tbs, 0x30)))
        der.need(self.inner_algorithm == self.algorithm, "inner and outer algorithm")

    def read_tbs(self, kids):
        version = read_version(kids)
        der.need(len(kids) >= 6, "truncated")
        serial, algorithm, issuer, validity, subject, key = kids[:6]
        der.need(serial.tag == 0x02, "serial number")
        der.check_integer_minimal(serial.content)
        self.serial = serial.content
        check_algorithm(algorithm)
        der.check_name(issuer)
        der.check_name(subject)
        self.inner_algorithm, self.issuer, self.subject = algorithm.raw, issuer.raw, subject.raw
        self.not_before, self.not_after = (read_time(time) for time in der.expect(validity, 0x30, 2))
        check_spki(key)
        self.spki = key.raw
        self.extensions = read_tail(kids[6:], version)


def check_algorithm(node):
    """AlgorithmIdentifier: SEQUENCE { OID, any OPTIONAL }."""
    kids = der.expect(node, 0x30)
    der.need(1 <= len(kids) <= 2, "algorithm")
    der.check_oid(kids[0])


def read_version(kids):
    """Takes [0] away where it stands; the default is left out in DER."""
    if not kids or kids[0].tag != 0xA0:
        return 0
    number = der.positive(der.expect(kids.pop(0), 0xA0, 1)[0])
    der.need(number <= 2, "version")
    return number


def read_time(node):
    """Whole seconds since 1970."""
    text = node.content
    der.need(node.tag in (UTC_TIME, GENERALIZED_TIME), "time")
    der.need(DIGITS.fullmatch(text) and len(text) == (13 if node.tag == UTC_TIME else 15), "time")
    digits = text[:-1].decode("ascii")
    if node.tag == UTC_TIME:
        digits = ("19" if digits[:2] >= "50" else "20") + digits
    try:
        year, rest = int(digits[:4]), [int(digits[at:at + 2]) for at in range(4, 14, 2)]
        moment = datetime(year, *rest, tzinfo=timezone.utc)
    except ValueError:
        raise der.DerError("time") from None
    span = moment - EPOCH
    return span.days * 86400 + span.seconds


def check_spki(node):
    algorithm, key = der.expect(node, 0x30, 2)
    check_algorithm(algorithm)
    der.need(key.tag == 0x03 and len(key.content) > 1 and key.content[0] == 0, "public key")


def read_tail(nodes, version):
    """Unique identifiers, which nobody reads, and the extensions."""
    nodes = list(nodes)
    for tag in (0x81, 0x82):
        if nodes and nodes[0].tag == tag:
            der.need(version >= 1 and nodes.pop(0).content, "unique identifier")
    if not nodes:
        return {}
    der.need(len(nodes) == 1 and version == 2, "extensions")
    return read_extensions(der.expect(nodes[0], 0xA3, 1)[0])


def read_extensions(node):
    """OID to the octets of the value."""
    extensions = {}
    der.need(der.expect(node, 0x30), "no extension")
    for kid in node.kids:
        parts = list(der.expect(kid, 0x30))
        if len(parts) == 3:
            der.need(parts.pop(1).raw == b"\x01\x01\xff", "critical")
        der.need(len(parts) == 2 and parts[1].tag == 0x04, "extension")
        der.check_oid(parts[0])
        der.need(parts[0].raw not in extensions, "extension twice")
        extensions[parts[0].raw] = parts[1].content
    return extensions


def alternative_names(certificate):
    """(tag, octets) of each subject alternative name, in order; DerError where there are none."""
    der.need(SAN in certificate.extensions, "no subject alternative name")
    names = der.expect(der.parse(certificate.extensions[SAN]), 0x30)
    der.need(names, "no subject alternative name")
    der.need(all(name.content.isascii() for name in names if name.tag == URI), "a URI that is not ASCII")
    return [(name.tag, name.content) for name in names]


def signed_by(certificate, issuer):
    """Whether the issuer's P-256 key made the signature, ecdsa-with-SHA256."""
    point = p256.spki_point(issuer.spki)
    if point is None or not is_ecdsa(certificate):
        return False
    try:
        r, s = p256.parse_signature(certificate.signature)
    except der.DerError:
        return False
    return p256.verify(point, r, s, certificate.tbs)


def is_ecdsa(certificate):
    return certificate.algorithm == certificate.inner_algorithm == p256.ECDSA_SHA256
