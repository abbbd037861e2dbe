"""The client's configuration and pins (docs/spec/25-config.md)."""
import ipaddress
import re

from .octets import b64_decode, b64u, sha256, typeid
from .verdicts import Reject

MAX_BYTES = 65536
PIN_PREFIX = "sha256/"
URL = re.compile(r"https://(?:\[([^\]]*)\]|([^/:\[]*))(?::([1-9][0-9]{0,4}))?(?:/[!-~]*)?")
LABEL = re.compile(r"[A-Za-z0-9_-]{1,63}")
REQUIRED = {"gateway_url", "site", "serving_ca_spki_pin", "join_signing_key_pin", "join_encryption_key_pin"}
OPTIONAL = {"server_name", "require_request_binding"}

is_site = typeid("site")


def pin_of(spki):
    """The pin of a key."""
    import base64
    return PIN_PREFIX + base64.b64encode(sha256(spki)).decode("ascii")


def parse_pin(text):
    """CONFIG-1: the hash of a pin in its one spelling, or None."""
    if not text.startswith(PIN_PREFIX):
        return None
    digest = b64_decode(text[len(PIN_PREFIX):])
    return digest if digest is not None and len(digest) == 32 else None


def pin(text):
    digest = parse_pin(text)
    if digest is None:
        raise Reject("pin-malformed")
    return digest


def op_pin_parse(args, call):
    return {"sha256": b64u(pin(args["pin"]))}


def same_pin(digest, spki):
    return digest == sha256(spki)


def op_pin_match(args, call):
    digests = [pin(text) for text in args["pins"]]
    if not any(same_pin(digest, args["spki"]) for digest in digests):
        raise Reject("pin-mismatch")
    return {}


def is_host(text):
    """CONFIG-1: a dotted name; an IPv4 address where the last label is digits alone."""
    labels = text.split(".")
    if re.fullmatch("[0-9]+", labels[-1]):
        return is_address(ipaddress.IPv4Address, text)
    return len(text) <= 253 and all(LABEL.fullmatch(label) for label in labels)


def is_address(kind, text):
    try:
        return bool(kind(text))
    except ValueError:
        return False


def is_url(text):
    """CONFIG-1, gateway_url: https, a host, perhaps a port, perhaps a path; no userinfo, query or fragment."""
    match = URL.fullmatch(text)
    if match is None or any(mark in text for mark in "?#\\"):
        return False
    address, host, port = match.groups()
    if port is not None and int(port) > 65535:
        return False
    if address is not None:
        return "%" not in address and is_address(ipaddress.IPv6Address, address)
    return is_host(host)


def need(good, detail):
    if not good:
        raise Reject("config", detail)


def load_toml(octets):
    import tomllib
    need(len(octets) <= MAX_BYTES, "size")
    try:
        return tomllib.loads(octets.decode("utf-8"))
    except (ValueError, RecursionError, OverflowError) as bad:
        raise Reject("config", str(bad)) from None


def check_keys(table):
    need(REQUIRED <= set(table), "key missing")
    need(set(table) <= REQUIRED | OPTIONAL, "unknown key")


def read_pins(value):
    """A pin, or an array of one or two that differ."""
    pins = [value] if isinstance(value, str) else value
    need(type(pins) is list and 1 <= len(pins) <= 2, "pins")
    for text in pins:
        need(isinstance(text, str) and parse_pin(text) is not None, "pin")
    need(len(set(pins)) == len(pins), "equal pins")
    return pins


def read_url(value):
    need(isinstance(value, str) and is_url(value), "gateway_url")
    return value


def read_site(value):
    need(isinstance(value, str) and is_site(value), "site")
    return value


def read_server_name(table):
    value = table.get("server_name")
    need("server_name" not in table or (isinstance(value, str) and value), "server_name")
    return value


def read_require(table):
    value = table.get("require_request_binding", False)
    need(type(value) is bool, "require_request_binding")
    return value


def op_load(args, call):
    table = load_toml(args["toml"])
    check_keys(table)
    return {
        "gatewayUrl": read_url(table["gateway_url"]),
        "site": read_site(table["site"]),
        "servingCaPins": read_pins(table["serving_ca_spki_pin"]),
        "joinSigningPins": read_pins(table["join_signing_key_pin"]),
        "joinEncryptionPins": read_pins(table["join_encryption_key_pin"]),
        "serverName": read_server_name(table),
        "requireRequestBinding": read_require(table),
    }
