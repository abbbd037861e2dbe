"""The machine's identifiers, normalized (docs/spec/06-claims.md)."""
import re

from . import placeholders
from .verdicts import Reject

MAX_BYTES = 256
MAX_MACS = 64
MAX_GPUS = 64
BLANKS = b" \t\n\v\f\r"
TRIMMED = b"\0" + BLANKS
RUN = re.compile(rb"[ \t\n\v\f\r]+")
CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")
UUID = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
MAC = re.compile(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|(?:[0-9a-f]{2}-){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}|[0-9a-f]{12}")
MAC_SEPARATORS = str.maketrans("", "", ":-.")
GROUP_BIT, LOCAL_BIT = 0x01, 0x02
SERIALS = ("productSerial", "boardSerial", "chassisSerial")


def refuse(detail):
    raise Reject("claims", detail)


def trim(raw):
    return raw.strip(TRIMMED)


def fold_blanks(raw):
    return RUN.sub(b" ", raw)


def lower(raw):
    """ASCII letters alone."""
    return raw.lower()


def check_size(raw):
    if len(raw) > MAX_BYTES:
        refuse("too long")


def check_control(text):
    if CONTROL.search(text):
        refuse("control character")


def decode(raw):
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return refuse("not UTF-8")


def text(raw):
    """CLAIMS-1: the text rule; None is absent."""
    check_size(raw)
    value = decode(lower(fold_blanks(trim(raw))))
    check_control(value)
    return value or None


def parse_uuid(value):
    """CLAIMS-2: dashed, or None."""
    return placeholders.dashed(value.replace("-", "")) if UUID.fullmatch(value) else None


def product_uuid(raw):
    value = text(raw)
    uuid = parse_uuid(value) if value else None
    return None if uuid is None or placeholders.is_uuid(uuid) else uuid


def serial(raw):
    value = text(raw)
    return None if value is None or placeholders.is_text(value) else value


def parse_mac(value):
    """CLAIMS-3: six octets, or None."""
    return bytes.fromhex(value.translate(MAC_SEPARATORS)) if MAC.fullmatch(value) else None


def is_hardware(octets):
    """Permanent and globally administered: neither group nor local bit, not six equal octets."""
    return not octets[0] & (GROUP_BIT | LOCAL_BIT) and len(set(octets)) > 1


def mac(raw):
    value = text(raw)
    octets = parse_mac(value) if value else None
    if octets is None or not is_hardware(octets):
        return None
    normal = octets.hex(":")
    return None if placeholders.is_mac(normal) else normal


def is_slice(value):
    """CLAIMS-4: a slice of a GPU is no hardware."""
    return value.startswith("mig-")


def gpu_placeholder(value):
    """CLAIMS-5: one leading `gpu-` is left out for the test."""
    rest = value.removeprefix("gpu-")
    uuid = parse_uuid(rest)
    return not rest or (uuid is not None and placeholders.is_uuid(uuid)) or placeholders.is_text(rest)


def gpu(raw):
    value = text(raw)
    return None if value is None or is_slice(value) or gpu_placeholder(value) else value


def as_set(values):
    """CLAIMS-6: sorted by octets, each once."""
    return sorted({value for value in values if value is not None}, key=str.encode)


def check_counts(claims):
    if len(claims["permanentMacs"]) > MAX_MACS or len(claims["gpuUuids"]) > MAX_GPUS:
        refuse("too many entries")


RULES = {"productUuid": product_uuid, "productSerial": serial, "boardSerial": serial, "chassisSerial": serial, "hostname": text}


def normalize(claims):
    """CLAIMS-1 to CLAIMS-6 over the raw claims of a request."""
    check_counts(claims)
    normal = {name: RULES[name](claims[name]) for name in RULES if name in claims}
    normal = {name: value for name, value in normal.items() if value is not None}
    normal["permanentMacs"] = as_set([mac(raw) for raw in claims["permanentMacs"]])
    normal["gpuUuids"] = as_set([gpu(raw) for raw in claims["gpuUuids"]])
    return normal


def op_normalize(args, call):
    return normalize(args["claims"])


def little_endian(version):
    """CLAIMS-7: from 2.6 on the first three fields are little-endian."""
    return (version["major"], version["minor"]) >= (2, 6)


def op_smbios(args, call):
    uuid = placeholders.dashed(args["raw"].hex())
    return {"uuid": placeholders.twin(uuid) if little_endian(args["version"]) else uuid}
