"""A small deployment for the self-tests of the worlds: keys, requests and a driver of steps."""
import hashlib
import unittest
from functools import lru_cache

from test_twin import b, call, certificate, claims, jwk, name
from twin import certificate as leaf_of, config, csr, der, octets, p256, protobuf, signature, x509

START = 1767225600000
SITE, OTHER_SITE = "site_01k5w3v9e7f0r8m2q4t6x8z0ab", "site_01k5w3v9e7f0r8m2q4t6x8z0ac"
POOL, OTHER_POOL = "pool_01k5w3v9e7f0r8m2q4t6x8z0ab", "pool_01k5w3v9e7f0r8m2q4t6x8z0ac"
ROOT, TENANT = "ten_01k5w3v9e7f0r8m2q4t6x8z0aa", "ten_01k5w3v9e7f0r8m2q4t6x8z0ab"
NODE = "node_01k5w3v9e7f0r8m2q4t6x8z0ab"
TOKEN = "jt_01kdvdna00e008000000000001"
DOMAIN = "compute.example.com"
MACHINE = claims(productUuid="d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", productSerial="SN-7701")
DAY_MS = 86400000
KEY_ID = bytes(range(20))


def time(ms):
    """`ms` after the start."""
    return octets.time_text(START + ms)


def private(label):
    return p256.private_key(jwk(label))


def spki(label):
    return p256.point_spki(p256.private_point(private(label)))


def make_csr(label, attributes=()):
    return csr.make(private(label), list(attributes))


@lru_cache
def issuer(not_after=b"360101000000Z", key_id=KEY_ID):
    """The node CA's certificate, by a root; the same octets each time."""
    root = private("root")
    extension = der.encode(0x30, leaf_of.SUBJECT_KEY_ID, der.encode(0x04, der.encode(0x04, key_id)))
    tbs = der.encode(
        0x30, bytes.fromhex("a003020102020101"), p256.ECDSA_SHA256, name("root"),
        der.encode(0x30, der.encode(0x17, b"250101000000Z"), der.encode(0x17, not_after)), name("ca"), spki("ca"),
        der.encode(0xA3, der.encode(0x30, extension)))
    r, s = p256.sign(root, tbs)
    pair = der.encode(0x30, der.encode_integer(r), der.encode_integer(s))
    return der.encode(0x30, tbs, p256.ECDSA_SHA256, der.encode(0x03, b"\0", pair))


def spiffe(node=NODE, site=SITE):
    return "spiffe://%s/site/%s/node/%s" % (DOMAIN, site, node)


@lru_cache
def old_leaf(label="node key", role="node", statements=(), not_after=b"260101120000Z", node=NODE):
    return certificate(private("ca"), name("ca"), name("bc-role:" + role), spki(label), [spiffe(node), *statements], not_after)


def secret(ident):
    return hashlib.sha256(ident.encode()).digest()


def token_row(ident=TOKEN, **more):
    row = dict(
        id=ident, tenant=TENANT, poolId=POOL, secretSha256=b(hashlib.sha256(secret(ident)).digest()), role="node", usesLeft=3, maxUses=3,
        expiresAt=time(12 * 3600000), revokedAt=None, expect=None, allowReclaim=False, hosted=None)
    return dict(row, **more)


def node_row(ident=NODE, **more):
    row = dict(
        id=ident, tenant=TENANT, poolId=POOL, siteId=SITE, kind="node", certificateRole="node", generation=3, retired=False, claims=MACHINE,
        tokenId=None)
    return dict(row, **more)


def cert_row(octets_=None, **more):
    return dict(dict(nodeId=NODE, generation=3, der=b(octets_ or old_leaf()), revoked=None), **more)


def pool_row(ident=POOL, **more):
    return dict(dict(id=ident, siteId=SITE, ownerTenant=TENANT, agent="bcd", acceptanceChecks=False, policy={}), **more)


def keys(certificate_=None):
    return {"encryption": [jwk("encryption")], "signing": jwk("signing"),
            "nodeCa": {"key": jwk("ca"), "certificate": b(certificate_ or issuer())}, "trustBundle": [b("bundle")]}


def world(**more):
    base = {
        "trustDomain": DOMAIN, "rootTenant": ROOT, "attestors": ["join-token", "x509pop"], "certTtlS": 86400, "keys": keys(),
        "sites": [{"id": SITE, "ownerTenant": ROOT, "custom": False}, {"id": OTHER_SITE, "ownerTenant": TENANT, "custom": True}],
        "pools": [pool_row(), pool_row(OTHER_POOL)], "tokens": [token_row()], "nodes": [], "certs": []}
    return dict(base, **more)


def seal_of(token, request_csr):
    pin = config.pin_of(spki("encryption"))
    made = call("seal.make", token=token, csr=b(request_csr), jwk=jwk("encryption"), pins=[pin])
    return made["out"]["seal"]


def join_request(label="new key", ident=TOKEN, raw=MACHINE, do="join", secret_of=None, **more):
    request_csr = make_csr(label)
    sealed = seal_of("bcjt_%s.%s" % (ident, b(secret(secret_of or ident))), request_csr)
    return dict(dict(do=do, attestor="", role="node", csr=b(request_csr), claims=raw, seal=sealed), **more)


def proof(purpose, request_csr, client_ms, signer="node key", node=NODE):
    fields = [hashlib.sha256(request_csr).digest(), node.encode(), octets.i64(client_ms)]
    return b(signature.sign(private(signer), signature.message_of(purpose, fields)))


def renew_request(label="next key", leaf=None, at=0, purpose="renew-pop", signer="node key", node=NODE, caller="own"):
    request_csr = make_csr(label)
    return {"do": "renew", "csr": b(request_csr), "chain": [b(leaf or old_leaf())], "clientTimeMs": START + at,
            "popSig": proof(purpose, request_csr, START + at, signer, node), "caller": spiffe(node) if caller == "own" else caller}


def pop_request(label="next key", leaf=None, at=0, purpose="x509pop", raw=MACHINE, **more):
    request_csr = make_csr(label)
    evidence = {"chain": [b(leaf or old_leaf())], "clientTimeMs": START + at, "popSig": proof(purpose, request_csr, START + at)}
    return dict(dict(do="join", attestor="x509pop", role="node", csr=b(request_csr), claims=raw, x509pop=evidence), **more)


class Scene(unittest.TestCase):
    """A test that loads a world and takes steps in it."""

    def load(self, choices=None, **more):
        self.choices = choices or {}
        self.assertEqual({"r": "accept", "out": {}}, call("world.load", choices=self.choices, world=world(**more)))

    def step(self, request, at=0):
        return call("world.step", choices=self.choices, at=time(at), request=request)

    def ok(self, request, at=0):
        answer = self.step(request, at)
        self.assertEqual("accept", answer["r"], answer)
        return answer["out"]

    def no(self, cat, request, at=0):
        answer = self.step(request, at)
        self.assertEqual(("reject", cat), (answer["r"], answer.get("cat")), answer)

    def dump(self, table=None):
        out = call("world.dump")["out"]
        return out[table] if table else out

    def events(self, kind):
        return [event for event in self.dump("events") if event["name"] == kind]

    def body(self, out):
        """The fields of a signed answer, its leaf read, and the leaf's octets."""
        read = protobuf.read_message(octets.b64u_decode(out["response"]["body"]), (1, 4, 5, 6, 7, 8, 9), (2, 3))
        return read, x509.Certificate(read[2][0]), read[2][0]

    def joined(self, request, at=0):
        return self.body(self.ok(request, at))


def reading_of(request):
    """The request as the client hashes it."""
    raw = {key: octets.b64u_decode(value) if isinstance(value, str) else [octets.b64u_decode(one) for one in value]
           for key, value in request["claims"].items()}
    return {"attestor": request["attestor"], "role": request["role"], "tokenId": TOKEN, "claims": raw}

