"""What a node holds: the leaf's profile, its row, its command kinds (docs/spec/16-certificate.md)."""
import os
from datetime import datetime, timedelta, timezone

from . import der, p256, x509
from .octets import now_s, sha256
from .verdicts import BadCall, Failure, Reject

BACKDATE_S = 60
RAMDISK_TTL_S = 7200
MAX_TTL_S = 86400
MAX_LIVE = 8
SERIAL_BYTES = 16
ROLE_PREFIX = b"bc-role:"
AK_STATEMENT = "urn:bc:tpm-ak:"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

V3 = bytes.fromhex("a003020102")
OU = bytes.fromhex("060355040b")
KEY_USAGE, BASIC_CONSTRAINTS = bytes.fromhex("0603551d0f"), bytes.fromhex("0603551d13")
EXTENDED_KEY_USAGE, CLIENT_AUTH = bytes.fromhex("0603551d25"), bytes.fromhex("06082b06010505070302")
SUBJECT_KEY_ID, AUTHORITY_KEY_ID = bytes.fromhex("0603551d0e"), bytes.fromhex("0603551d23")
DIGITAL_SIGNATURE = bytes.fromhex("03020780")
CRITICAL = bytes.fromhex("0101ff")
UTF8_STRING, URI = 0x0C, 0x86


class Issuer:
    """The node CA: its key, its certificate, and what a leaf copies from it."""

    def __init__(self, private, octets):
        self.private, self.octets = private, octets
        read = x509.Certificate(octets)
        der.need(read.spki == p256.point_spki(p256.private_point(private)), "the issuer's certificate is for another key")
        der.need(SUBJECT_KEY_ID in read.extensions, "the issuer has no subjectKeyIdentifier")
        self.name, self.not_after = read.subject, read.not_after
        self.self_issued = read.issuer == read.subject
        self.key_id = der.parse(read.extensions[SUBJECT_KEY_ID]).content


# ---- the profile ----

def new_serial():
    """16 octets, the first 01 to 7f."""
    octets = bytearray(os.urandom(SERIAL_BYTES))
    octets[0] = octets[0] % 0x7F + 1
    return bytes(octets)


def encode_time(seconds):
    """UTCTime through 2049, GeneralizedTime from 2050."""
    moment = EPOCH + timedelta(seconds=seconds)
    digits = moment.strftime("%m%d%H%M%SZ")
    if 1950 <= moment.year < 2050:
        return der.encode(x509.UTC_TIME, ("%02d%s" % (moment.year % 100, digits)).encode("ascii"))
    return der.encode(x509.GENERALIZED_TIME, ("%04d%s" % (moment.year, digits)).encode("ascii"))


def encode_subject(role):
    """CERTIFICATE-3: one RDN with one OU."""
    value = der.encode(UTF8_STRING, ROLE_PREFIX + role.encode("utf-8"))
    return der.encode(0x30, der.encode(0x31, der.encode(0x30, OU, value)))


def encode_uris(uris):
    return der.encode(0x30, *(der.encode(URI, uri.encode("utf-8")) for uri in uris))


def extension(oid, critical, value):
    return der.encode(0x30, oid, CRITICAL if critical else b"", der.encode(0x04, value))


def key_identifier(spki):
    """Any identifier of the key will do: the first 20 octets of its hash (RFC 7093)."""
    return sha256(spki)[:20]


def extensions(issuer, spki, uris):
    """CERTIFICATE-4: each once and no other."""
    return [
        extension(KEY_USAGE, True, DIGITAL_SIGNATURE),
        extension(EXTENDED_KEY_USAGE, False, der.encode(0x30, CLIENT_AUTH)),
        extension(BASIC_CONSTRAINTS, True, der.encode(0x30)),
        extension(SUBJECT_KEY_ID, False, der.encode(0x04, key_identifier(spki))),
        extension(AUTHORITY_KEY_ID, False, der.encode(0x30, der.encode(0x80, issuer.key_id))),
        extension(x509.SAN, False, encode_uris(uris)),
    ]


def build(issuer, serial, span, role, spki, listed):
    """The DER of a leaf, signed by the node CA."""
    tbs = der.encode(
        0x30, V3, der.encode(0x02, serial), p256.ECDSA_SHA256, issuer.name, der.encode(0x30, *(encode_time(end) for end in span)),
        encode_subject(role), spki, der.encode(0xA3, der.encode(0x30, *listed)))
    r, s = p256.sign(issuer.private, tbs)
    pair = der.encode(0x30, der.encode_integer(r), der.encode_integer(s))
    return der.encode(0x30, tbs, p256.ECDSA_SHA256, der.encode(0x03, b"\0", pair))


# ---- what goes in ----

def is_ttl(value):
    """CERTIFICATE-1: an integer of 1..=86400, never clamped."""
    return type(value) is int and 1 <= value <= MAX_TTL_S


def ttl(configured, role, limit):
    """The smallest of what is configured, the role's maximum and the attestor's limit."""
    bounds = [configured, RAMDISK_TTL_S if role == "ramdisk" else configured, configured if limit is None else limit]
    return min(bounds)


def validity(now_ms, seconds, issuer):
    """notBefore and notAfter, in seconds."""
    not_before = now_s(now_ms) - BACKDATE_S
    return not_before, min(not_before + seconds, issuer.not_after)


def check_issuer(issuer, now_ms):
    """An expired issuer is INVALID_CONFIG."""
    if is_over(issuer.not_after, now_ms):
        raise Failure("INVALID_CONFIG", "the issuer has expired")


def check_config(step):
    """ADMISSION-4: before a request is looked into."""
    if step.config.issuer is None:
        raise Failure("INVALID_CONFIG", "no join configuration")
    check_issuer(step.config.issuer, step.at)


def is_over(not_after, now_ms):
    """TIME-2."""
    return now_ms >= (not_after + 1) * 1000


def spiffe_id(trust_domain, node):
    return "spiffe://%s/site/%s/node/%s" % (trust_domain, node["siteId"], node["id"])


def names(spiffe, statements):
    """CERTIFICATE-2: the identity first, then the statements."""
    return [spiffe, *statements]


class Grant:
    """What an admission or a renewal lets a certificate say and do."""

    def __init__(self, role, statements, kinds, limit, renewed_from=None):
        self.role, self.statements, self.kinds, self.limit, self.renewed_from = role, statements, kinds, limit, renewed_from


def issue(step, node, spki, grant):
    """Makes the leaf of a node and writes its row (CERTIFICATE-5)."""
    config = step.config
    spiffe = spiffe_id(config.trust_domain, node)
    span = validity(step.at, ttl(config.cert_ttl, grant.role, grant.limit), config.issuer)
    serial = new_serial()
    listed = extensions(config.issuer, spki, names(spiffe, grant.statements))
    octets = build(config.issuer, serial, span, grant.role, spki, listed)
    row = {
        "serial": serial.hex(), "nodeId": node["id"], "generation": node["generation"], "role": grant.role, "spki": spki, "der": octets,
        "notBefore": span[0], "notAfter": span[1], "spiffe": spiffe, "statements": grant.statements, "allowedKinds": grant.kinds,
        "ttlLimitS": grant.limit, "revoked": None, "renewedFrom": grant.renewed_from}
    step.store.certs.append(row)
    return row


def chain(config, row):
    """The leaf, and the issuer's certificate unless that is a root."""
    return [row["der"]] + ([] if config.issuer.self_issued else [config.issuer.octets])


# ---- rows that were there before ----

def read_role(subject):
    pair = der.expect(der.expect(der.expect(der.parse(subject), 0x30, 1)[0], 0x31, 1)[0], 0x30, 2)
    der.need(pair[0].raw == OU and pair[1].content.startswith(ROLE_PREFIX), "role")
    return pair[1].content[len(ROLE_PREFIX):].decode("utf-8")


def read_row(given):
    """The row of a certificate that a world brings along; what its DER says is read from there."""
    try:
        read = x509.Certificate(given["der"])
        uris = [octets.decode("utf-8") for tag, octets in x509.alternative_names(read) if tag == URI]
        role = read_role(read.subject)
        der.need(uris and uris[0].startswith("spiffe://"), "no SPIFFE ID")
        der.need(p256.spki_point(read.spki) is not None, "public key")
    except (der.DerError, UnicodeDecodeError) as bad:
        raise BadCall("certs: %s" % bad) from None
    return {
        "serial": read.serial.hex(), "nodeId": given["nodeId"], "generation": given["generation"], "role": role, "spki": read.spki,
        "der": given["der"], "notBefore": read.not_before, "notAfter": read.not_after, "spiffe": uris[0],
        "statements": [uri for uri in uris if uri.startswith("urn:bc:")], "allowedKinds": given.get("allowedKinds"),
        "ttlLimitS": given.get("ttlLimitS"), "revoked": given["revoked"], "renewedFrom": None}


def names_ak(row):
    return any(statement.startswith(AK_STATEMENT) for statement in row["statements"])


def is_live(row, now_ms):
    """CERTIFICATE-7: not revoked and not expired."""
    return row["revoked"] is None and not is_over(row["notAfter"], now_ms)


def check_live(step, node):
    """CERTIFICATE-7: a ninth is never made."""
    rows = step.store.certs_of(node["id"], node["generation"])
    if sum(is_live(row, step.at) for row in rows) >= MAX_LIVE:
        raise Reject("renew-limit")


# ---- command kinds ----

def matches(entry, kind):
    """CERTIFICATE-6: one entry of a list."""
    if "*" not in entry:
        return entry == kind
    prefix = entry[:-1]
    if not entry.endswith(".*") or len(prefix) < 2 or "*" in prefix:
        return False
    return kind.startswith(prefix) and len(kind) > len(prefix)


def allows(kinds, kind):
    """An absent list allows every kind, an empty one none."""
    return kinds is None or any(matches(entry, kind) for entry in kinds)


def enqueue(step, args):
    """What the command queue refuses."""
    node = step.store.find("nodes", args["nodeId"])
    if node is None:
        raise Failure("NOT_FOUND")
    rows = step.store.certs_of(node["id"], node["generation"])
    if node["retired"] or not rows or not allows(rows[-1]["allowedKinds"], args["kind"]):
        raise Failure("INVALID_STATE")
    return {}
