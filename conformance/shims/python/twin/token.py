"""The bearer token and its row (docs/spec/02-token.md)."""
import hmac
import re

from . import expect
from .octets import b64u, b64u_decode, ascii_octets, sha256, typeid
from .verdicts import Reject

ROLES = ("node", "site", "ramdisk")
MIN_TTL, MAX_TTL = 60, 86400
MAX_USES = 10000
MAX_KEY = 128
HOSTED = ("kubernetes",)
KNOWN = {"ttlSeconds", "maxUses", "expect", "allowReclaim", "hosted", "idempotencyKey"}
TTL = re.compile(r"(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?")
KEY = re.compile(r"[ -~]+")

is_id = typeid("jt")


def need(good, cat="invalid-argument", detail=None):
    if not good:
        raise Reject(cat, detail)


def split(text):
    """The id's and the secret's text of `bcjt_<id>.<secret>`, or None."""
    if len(text) != 78 or text[:5] != b"bcjt_" or text[34:35] != b".":
        return None
    return text[5:34].decode("ascii"), text[35:]


def parse(octets):
    """TOKEN-1 and TOKEN-2: the id and the 32 octets of the secret, or None."""
    text = ascii_octets(octets)
    parts = split(text) if text is not None else None
    if parts is None or not is_id(parts[0]):
        return None
    secret = decode_secret(parts[1])
    return (parts[0], secret) if secret is not None and len(secret) == 32 else None


def decode_secret(text):
    return b64u_decode(text)


def secret_hash(secret):
    """TOKEN-3: over the decoded octets."""
    return sha256(secret)


def parsed(octets):
    found = parse(octets)
    need(found is not None, "token-malformed")
    return found


def op_parse(args, call):
    ident, secret = parsed(args["token"])
    return {"id": ident, "secretSha256": b64u(secret_hash(secret))}


def strip_line_end(octets):
    """One trailing LF or CRLF goes, nothing else."""
    if octets.endswith(b"\r\n"):
        return octets[:-2]
    return octets[:-1] if octets.endswith(b"\n") else octets


def op_read(args, call):
    text = strip_line_end(args["input"])
    parsed(text)
    return {"token": text.decode("ascii")}


def ttl_seconds(text):
    """TOKEN-5: the argument of --ttl in seconds, or None."""
    match = TTL.fullmatch(text)
    if not match or not text:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def op_ttl(args, call):
    seconds = ttl_seconds(args["text"])
    need(seconds is not None and MIN_TTL <= seconds <= MAX_TTL)
    return {"seconds": seconds}


def op_id(args, call):
    need(is_id(args["text"]))
    return {"id": args["text"]}


def integer(value, low, high):
    need(type(value) is int and low <= value <= high)
    return value


def check_known(request):
    need(not set(request) - KNOWN, detail="unknown member")


def check_idempotency_key(request):
    key = request.get("idempotencyKey", "none")
    need(isinstance(key, str) and KEY.fullmatch(key) and len(key) <= MAX_KEY)


def read_expect(request):
    """TOKEN-9: absent, or an object that names something."""
    if "expect" not in request:
        return None
    binding = request["expect"]
    need(type(binding) is dict)
    need(binding, detail="empty expect")
    return {name: expect_value(name, value) for name, value in binding.items()}


def expect_value(name, value):
    need(name in expect.NORMALIZERS and isinstance(value, str))
    try:
        normal = expect.NORMALIZERS[name](value.encode("utf-8"))
    except (Reject, UnicodeEncodeError):
        normal = None
    need(normal is not None)
    return normal


def read_hosted(request):
    if "hosted" not in request:
        return None
    need(request["hosted"] in HOSTED)
    return request["hosted"]


def read_reclaim(request):
    need(type(request.get("allowReclaim", False)) is bool)
    return request.get("allowReclaim", False)


def op_create(args, call):
    request = args["request"]
    check_known(request)
    check_idempotency_key(request)
    binding = read_expect(request)
    return {
        "ttlSeconds": integer(request.get("ttlSeconds"), MIN_TTL, MAX_TTL),
        "maxUses": integer(request.get("maxUses", 1), 1, MAX_USES),
        "expect": binding,
        "allowReclaim": read_reclaim(request),
        "hosted": read_hosted(request),
        "pinned": binding is not None,
    }


def check_role(role):
    need(role in ROLES, "role-invalid")


def check_known_row(row, ident):
    need(row is not None and row["id"] == ident, "token-unknown")


def check_secret(row, secret):
    need(hmac.compare_digest(row["secretSha256"], secret_hash(secret)), "token-secret")


def check_revoked(row):
    need(row["revokedAt"] is None, "token-revoked")


def check_expired(row, now_ms):
    need(now_ms < row["expiresAt"], "token-expired")


def check_used(row):
    need(row["usesLeft"] > 0, "token-used")


def check_row_role(row, role):
    need(row["role"] == role, "token-role")


def authenticate(row, ident, secret):
    """TOKEN-11, lines 3 and 4."""
    check_known_row(row, ident)
    check_secret(row, secret)


def admit(row, role, now_ms):
    """TOKEN-11, lines 5 to 8: how many uses are left afterwards."""
    check_revoked(row)
    check_expired(row, now_ms)
    check_used(row)
    check_row_role(row, role)
    return row["usesLeft"] - 1


def op_admit(args, call):
    check_role(args["role"])
    ident, secret = parsed(args["token"])
    authenticate(args["row"], ident, secret)
    return {"usesLeft": admit(args["row"], args["role"], call.now_ms())}
