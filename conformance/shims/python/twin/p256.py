"""P-256: points, keys, SPKI and ECDSA (docs/spec/00-conventions.md, 05-csr.md CSR-2 and CSR-3, 14-signature.md)."""
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from . import der
from .octets import b64u, b64u_decode
from .verdicts import BadCall

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
SPKI_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
ECDSA_SHA256 = bytes.fromhex("300a06082a8648ce3d040302")
SHA256_ECDSA = ec.ECDSA(hashes.SHA256())


def on_curve(x, y):
    return x < P and y < P and (y * y - (x * x * x - 3 * x + B)) % P == 0


def check_point(point):
    """Whether these octets are an uncompressed point of the curve."""
    if len(point) != 65 or point[0] != 4:
        return False
    return on_curve(int.from_bytes(point[1:33], "big"), int.from_bytes(point[33:], "big"))


def spki_point(spki):
    """The point of an SPKI of a P-256 key, which has one encoding; None for anything else."""
    point = spki[len(SPKI_PREFIX):]
    return point if spki[:len(SPKI_PREFIX)] == SPKI_PREFIX and check_point(point) else None


def point_spki(point):
    return SPKI_PREFIX + point


@lru_cache(maxsize=256)
def public_key(point):
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def verify(point, r, s, message):
    """ECDSA with SHA-256; r and s are numbers."""
    if not (1 <= r < N and 1 <= s < N):
        return False
    try:
        public_key(point).verify(encode_dss_signature(r, s), message, SHA256_ECDSA)
    except InvalidSignature:
        return False
    return True


def sign(private, message):
    """The numbers r and s."""
    return decode_dss_signature(private.sign(message, SHA256_ECDSA))


def parse_signature(octets):
    """DER SEQUENCE { INTEGER r, INTEGER s } as CSR-3 reads it; DerError else."""
    r, s = (der.positive(kid) for kid in der.expect(der.parse(octets), 0x30, 2))
    der.need(r < N and s < N, "r or s out of range")
    return r, s


def jwk_point(jwk):
    """The point of a JWK with kty, crv, x and y; None where it is no P-256 key in the one spelling."""
    if jwk.get("kty") != "EC" or jwk.get("crv") != "P-256":
        return None
    x, y = (coordinate(jwk.get(name)) for name in "xy")
    if x is None or y is None:
        return None
    point = b"\4" + x + y
    return point if check_point(point) else None


def coordinate(text):
    octets = b64u_decode(text) if isinstance(text, str) else None
    return octets if octets is not None and len(octets) == 32 else None


def point_jwk(point):
    return {"kty": "EC", "crv": "P-256", "x": b64u(point[1:33]), "y": b64u(point[33:])}


@lru_cache(maxsize=256)
def derive(scalar):
    return ec.derive_private_key(scalar, ec.SECP256R1())


def generate():
    return ec.generate_private_key(ec.SECP256R1())


def private_point(private):
    numbers = private.public_key().public_numbers()
    return b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")


def private_key(jwk):
    """The key of a private JWK that the call gave; it is the judge's, so a bad one is a bad call."""
    octets = coordinate(jwk["d"])
    scalar = int.from_bytes(octets or b"", "big")
    if octets is None or not 1 <= scalar < N:
        raise BadCall("no private P-256 key")
    private = derive(scalar)
    if jwk_point(jwk) != private_point(private):
        raise BadCall("the key's halves do not fit")
    return private


def shared_x(private, point):
    """Z of SEC 1 section 3.3.1: the x coordinate, 32 octets."""
    return private.exchange(ec.ECDH(), public_key(point))
