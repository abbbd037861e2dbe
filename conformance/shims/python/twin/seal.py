"""How the token travels: a compact JWE (docs/spec/03-seal.md)."""
import json
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from . import jsonstrict, p256, token
from .config import pin_of
from .octets import b64u, b64u_decode, now_s, sha256
from .verdicts import BadCall, Reject

MAX_BYTES = 4096
MAX_IAT = 253402300799
ALG, ENC, TYP = "ECDH-ES+A256KW", "A256GCM", "bcjt+jwe"
REQUIRED = {"alg", "enc", "typ", "iat", "csr", "epk"}
OPTIONAL = {"kid"}
KEY_BYTES, IV_BYTES, TAG_BYTES = 40, 12, 16


def need(good, detail, cat="seal"):
    if not good:
        raise Reject(cat, detail)


class Parts:
    """The five parts, decoded, and the header's octets as received."""

    def __init__(self, texts):
        header, self.key, self.iv, self.ciphertext, self.tag = (decode_part(text) for text in texts)
        self.aad = texts[0]
        self.header = read_header(header)


def check_size(octets):
    need(len(octets) <= MAX_BYTES, "size")


def split(octets):
    parts = octets.split(b".")
    need(len(parts) == 5, "number of parts")
    return parts


def decode_part(text):
    octets = b64u_decode(text)
    need(octets is not None, "base64url")
    return octets


def read_header(octets):
    try:
        header = jsonstrict.loads(octets)
    except jsonstrict.JsonError as bad:
        raise Reject("seal", "header: %s" % bad) from None
    need(type(header) is dict, "header is no object")
    check_members(header)
    check_algorithms(header)
    check_typ(header)
    check_iat(header["iat"])
    check_csr_form(header["csr"])
    check_epk(header["epk"])
    check_kid_type(header)
    return header


def check_members(header):
    """SEAL-5: a closed set."""
    names = set(header)
    need(REQUIRED <= names, "header member missing")
    need(names <= REQUIRED | OPTIONAL, "unknown header member")


def check_algorithms(header):
    """SEAL-6: nothing is ever taken from the message."""
    need(header["alg"] == ALG, "alg")
    need(header["enc"] == ENC, "enc")


def check_typ(header):
    need(header["typ"] == TYP, "typ")


def check_iat(iat):
    need(type(iat) is int and 0 <= iat <= MAX_IAT, "iat")


def decode_csr(text):
    octets = b64u_decode(text) if isinstance(text, str) else None
    return octets if octets is not None and len(octets) == 32 else None


def check_csr_form(text):
    need(decode_csr(text) is not None, "csr")


def check_epk(epk):
    need(type(epk) is dict and set(epk) == {"kty", "crv", "x", "y"}, "epk members")
    need(p256.jwk_point(epk) is not None, "epk")


def check_kid_type(header):
    need(isinstance(header.get("kid", ""), str), "kid")


def check_key_length(parts):
    need(len(parts.key) == KEY_BYTES, "encrypted key")


def check_lengths(parts):
    need(len(parts.iv) == IV_BYTES, "iv")
    need(len(parts.tag) == TAG_BYTES, "tag")
    need(parts.ciphertext, "ciphertext")


def read(octets):
    """Size, structure and header."""
    check_size(octets)
    parts = Parts(split(octets))
    check_key_length(parts)
    check_lengths(parts)
    return parts


def key_pin(private):
    return pin_of(p256.point_spki(p256.private_point(private)))


def pick_keys(header, keys):
    """SEAL-5 and SEAL-7: the key that `kid` names, or all."""
    if "kid" not in header:
        return keys
    named = [key for key in keys if key_pin(key) == header["kid"]]
    need(named, "no such key", "seal-key")
    return named


def kdf(z):
    """One round of the Concat KDF of RFC 7518 section 4.6.2, for the key management's name."""
    name = ALG.encode("ascii")
    return sha256(b"".join((
        (1).to_bytes(4, "big"), z, len(name).to_bytes(4, "big"), name, bytes(4), bytes(4), (256).to_bytes(4, "big"))))


def aad(parts):
    """The first part as received."""
    return parts.aad


def open_with(key, parts):
    """The plaintext, or None where this key does not open the seal."""
    try:
        z = p256.shared_x(key, p256.jwk_point(parts.header["epk"]))
        content_key = aes_key_unwrap(kdf(z), parts.key)
        return AESGCM(content_key).decrypt(parts.iv, parts.ciphertext + parts.tag, aad(parts))
    except (InvalidUnwrap, InvalidTag, ValueError):
        return None


def decrypt(keys, parts):
    for key in keys:
        plaintext = open_with(key, parts)
        if plaintext is not None:
            return plaintext
    raise Reject("seal", "no key opens it")


def read_token(plaintext):
    """SEAL-2: the plaintext is the token and nothing else."""
    parsed = token.parse(plaintext)
    need(parsed is not None, "the plaintext is no token")
    return parsed


def check_window(iat, window, now_ms, choice):
    """SEAL-4."""
    if choice != "window":
        return
    if window is None:
        raise BadCall("iatWindow: missing under the choice window")
    now = now_s(now_ms)
    need(now - window["pastS"] <= iat <= now + window["aheadS"], "iat", "seal-iat")


def check_csr(header, csr):
    """SEAL-3."""
    need(decode_csr(header["csr"]) == sha256(csr), "csr", "seal-csr")


def open_seal(octets, csr, keys, window, call):
    """SEAL-5's order; the token's text, its id and secret, and iat."""
    parts = read(octets)
    plaintext = decrypt(pick_keys(parts.header, keys), parts)
    ident, secret = read_token(plaintext)
    choice = call.choice("seal.iat-window")
    check_window(parts.header["iat"], window, call.now_ms() if choice == "window" else 0, choice)
    check_csr(parts.header, csr)
    return plaintext.decode("ascii"), ident, secret, parts.header["iat"]


def op_open(args, call):
    keys = [p256.private_key(jwk) for jwk in args["keys"]]
    text, _, _, iat = open_seal(args["seal"], args["csr"], keys, args.get("iatWindow"), call)
    return {"token": text, "iat": iat}


def check_pinned(pin, pins):
    """SEAL-9."""
    need(pin in pins, "the key is not pinned", "pin-mismatch")


def make(text, csr, point, pin, iat):
    """The seal of a token to a public key."""
    ephemeral = p256.generate()
    header = {"alg": ALG, "enc": ENC, "typ": TYP, "iat": iat, "csr": b64u(sha256(csr)),
              "epk": p256.point_jwk(p256.private_point(ephemeral)), "kid": pin}
    first = b64u(json.dumps(header, separators=(",", ":")).encode("ascii"))
    content_key, iv = os.urandom(32), os.urandom(IV_BYTES)
    wrapped = aes_key_wrap(kdf(p256.shared_x(ephemeral, point)), content_key)
    sealed = AESGCM(content_key).encrypt(iv, text.encode("ascii"), first.encode("ascii"))
    return ".".join((first, b64u(wrapped), b64u(iv), b64u(sealed[:-TAG_BYTES]), b64u(sealed[-TAG_BYTES:])))


def op_make(args, call):
    point = p256.jwk_point(args["jwk"])
    if point is None or token.parse(args["token"].encode("utf-8")) is None:
        raise BadCall("no P-256 key, or no token")
    pin = pin_of(p256.point_spki(point))
    check_pinned(pin, args["pins"])
    seal = make(args["token"], args["csr"], point, pin, now_s(call.now_ms()))
    return {"seal": b64u(seal.encode("ascii"))}
