"""The published keys, and which one the client uses (docs/spec/24-wellknown.md, 25-config.md CONFIG-1)."""
from . import config, der, jsonstrict, p256, x509
from .octets import b64_decode
from .verdicts import Reject

MAX_BYTES = 65536


def need(good, detail, cat="document"):
    if not good:
        raise Reject(cat, detail)


def read_json(octets):
    need(len(octets) <= MAX_BYTES, "size")
    try:
        value = jsonstrict.loads(octets)
    except jsonstrict.JsonError as bad:
        raise Reject("document", str(bad)) from None
    need(type(value) is dict, "no object")
    return value


def member(section, name):
    """A text that must be there."""
    need(isinstance(section.get(name), str), name)
    return section[name]


def section(document, name):
    need(type(document.get(name)) is dict, name)
    return document[name]


def check_public(jwk):
    need("d" not in jwk, "a private key")


def jwk_spki(jwk):
    check_public(jwk)
    point = p256.jwk_point(jwk)
    need(point is not None, "JWK")
    return p256.point_spki(point)


def certificate_spki(text):
    octets = b64_decode(text)
    need(octets is not None, "base64 of the certificate")
    try:
        spki = x509.Certificate(octets).spki
    except der.DerError as bad:
        raise Reject("document", "certificate: %s" % bad) from None
    need(p256.spki_point(spki) is not None, "key of the certificate")
    return spki


def read_pin(section_, name):
    text = member(section_, name)
    need(config.parse_pin(text) is not None, name)
    return text


def check_stated(stated, pin):
    need(stated == pin, "the stated pin is another key's")


def read_join(document):
    """The pins of the encryption and the signing key."""
    join = section(document, "join")
    encryption = config.pin_of(jwk_spki(section(join, "encryptionJwk")))
    check_stated(read_pin(join, "encryptionKeyPin"), encryption)
    signing = config.pin_of(certificate_spki(member(join, "signingCertificate")))
    check_stated(read_pin(join, "signingKeyPin"), signing)
    return encryption, signing


def check_server_name(gateway):
    need("serverName" not in gateway or member(gateway, "serverName"), "serverName")


def read_gateway(document, required):
    """The URL and the pin of the serving CA; None and None where there is no gateway."""
    if "gateway" not in document:
        need(not required, "no gateway")
        return None, None
    gateway = section(document, "gateway")
    need(config.is_url(member(gateway, "url")), "url")
    check_server_name(gateway)
    return gateway["url"], read_pin(gateway, "servingCaPin")


def check_pin(pin, pins, which):
    need(pin in pins, which, "pin-mismatch")


def from_file(octets, pins):
    """join-encryption.jwk: one JWK alone."""
    pin = config.pin_of(jwk_spki(read_json(octets)))
    check_pin(pin, pins["encryption"], "join_encryption_key_pin")
    return {"encryptionPin": pin, "from": "file", "signingPin": None, "gatewayUrl": None}


def from_document(octets, pins):
    """The whole document is judged before the pins are."""
    document = read_json(octets)
    encryption, signing = read_join(document)
    url, serving = read_gateway(document, "servingCa" in pins)
    check_pin(encryption, pins["encryption"], "join_encryption_key_pin")
    check_pin(signing, pins["signing"], "join_signing_key_pin")
    if "servingCa" in pins:
        check_pin(serving, pins["servingCa"], "serving_ca_spki_pin")
    return {"encryptionPin": encryption, "from": "document", "signingPin": signing, "gatewayUrl": url}


def uses_file(args):
    """CONFIG-1: with config.toml (so without a pin of the serving CA) a file that is there is used, or fails."""
    return args["keyFile"] is not None and "servingCa" not in args["pins"]


def op_select(args, call):
    if uses_file(args):
        return from_file(args["keyFile"], args["pins"])
    need(args["document"] is not None, "neither a key file nor a document")
    return from_document(args["document"], args["pins"])
