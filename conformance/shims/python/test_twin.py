"""Self-tests of the twin: the worked examples of the pages of docs/spec, and hostile calls."""
import base64
import hashlib
import json
import random
import unittest

import shim
from twin import binding, csr, der, octets, p256, seal, signature
from twin.ops import OPS

NOW = "2026-01-01T00:00:00.000Z"
TOKEN = "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
TOKEN_ID = TOKEN[5:34]
PIN = "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ="
SPKI = bytes.fromhex(
    "3059301306072a8648ce3d020106082a8648ce3d0301070342000460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
CSR = bytes.fromhex(
    "308201093081b10201003000" "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
    "43b9cf987898cde50e2b3aa25bae1d1f865443c82cc430926bd5de8ff9367246a82f386dd019248aa1cd74a6521a730aa19c0508e4d771eb939308633f917041"
    "a04f304d06092a864886f70d01090231400c3e" "62632d6a6f696e2d726571756573742d76313a"
    "6c31576670484b4731446533756b43646b427276394a61326b62384e7858344d6c44386d6d6e65626e7977"
    "300a06082a8648ce3d040302" "0347003044"
    "0220631d34b38dfab3c7138789ec08897bff825afc78aa9f77c9a46c4a5b7e7c7528"
    "022030a001f788ded8f414f04973a0526f9db7b7768d6762db1543a85c734d330efb")
SEAL = (
    "eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZHQ00iLCJ0eXAiOiJiY2p0K2p3ZSIsImlhdCI6MTc2NzIyNTYwMCwiY3NyIjoiOWxWSXZoRkozeDhnRGhZ"
    "Y19FbXJZWEtaX1BkejF4Z3l1M0Zzd2VWNk51YyIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6InUxU1p2TllBLWd6a18xSWhuZ25XYkExNE5rUGFK"
    "QWFwRUtZRnhOSEdaMXciLCJ5IjoibkVsRHQ1SEJQOHI5SnpLZXNSZS1iY0pjSXpmdERrX3VMd2tvc2wyaXYwOCJ9fQ"
    ".eY2VnkgvRepJZz4mCAutuvrljrBqgC8fOhio9Hst27YDnrCv22zdVA.YGFiY2RlZmdoaWpr"
    ".zktjcVj-5Pk5sBJSc-Iyaj8ciyEnBqE-Pkr7iJvyN8sQ3sNfOo6cyN-o5mp8TUlpr0khCDR24vAdV0sulMyZ9hb49wkNJD6AOn75MdMh"
    ".MttKV8CPi-odxYYMA6Axug")


def b(value):
    return octets.b64u(value if isinstance(value, bytes) else value.encode("utf-8"))


def h(text):
    return hashlib.sha256(text.encode("utf-8")).digest()


def jwk(name):
    private = p256.derive(int.from_bytes(h(name), "big"))
    return dict(p256.point_jwk(p256.private_point(private)), d=b(h(name)))


def claims(macs=(), gpus=(), **texts):
    return dict({name: b(text) for name, text in texts.items()}, permanentMacs=[b(mac) for mac in macs], gpuUuids=[b(gpu) for gpu in gpus])


EXAMPLE_CLAIMS = claims(
    macs=["3C:EC:EF:12:34:56"], productUuid="4C4C4544-0051-3410-8051-B5C04F375931", productSerial="5Q4Q7Y1", hostname="b7-u12")
REQUEST = {"attestor": "", "role": "node", "tokenId": TOKEN_ID, "claims": EXAMPLE_CLAIMS}
REQUEST_HASH = "97559fa47286d437b7ba409d901aeff496b691bf0dc57e0c943f269a779b9f2c"
ROW = {"id": TOKEN_ID, "secretSha256": b(hashlib.sha256(bytes(range(32))).digest()), "role": "node",
       "expiresAt": "2026-01-01T12:00:00.000Z", "revokedAt": None, "usesLeft": 1}
ENCRYPTION = jwk("example encryption key")


def call(op, now=NOW, choices=None, **members):
    message = {"jc": 1, "id": 7, "m": "call", "op": op, "now": now, "in": members}
    if choices:
        message["choices"] = choices
    return shim.result(json.loads(json.dumps(message)))


class Twin(unittest.TestCase):
    def ok(self, out, op, **members):
        self.assertEqual({"r": "accept", "out": out}, call(op, **members))

    def no(self, cat, op, **members):
        answer = call(op, **members)
        self.assertEqual(("reject", cat), (answer["r"], answer.get("cat")), answer)


class Tokens(Twin):
    def test_example(self):
        digest = bytes.fromhex("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd")
        self.ok({"id": TOKEN_ID, "secretSha256": b(digest)}, "token.parse", token=b(TOKEN))
        self.no("token-malformed", "token.parse", token=b(TOKEN[:-1] + "9"))
        self.ok({"token": TOKEN}, "token.read", input=b(TOKEN + "\r\n"))
        self.no("token-malformed", "token.read", input=b(TOKEN + "\n\n"))

    def test_ttl(self):
        for text, seconds in (("1h", 3600), ("1h30m", 5400), ("90s", 90), ("0h90s", 90)):
            self.ok({"seconds": seconds}, "token.ttl", text=text)
        for text in ("", "59s", "24h1s", "1m1h", "+1h", "1.5h", "1H", "0000001h", "1h "):
            self.no("invalid-argument", "token.ttl", text=text)

    def test_create(self):
        out = {"ttlSeconds": 60, "maxUses": 1, "expect": {"serial": "sn-7701"}, "allowReclaim": False, "hosted": None, "pinned": True}
        self.ok(out, "token.create", request={"ttlSeconds": 60, "expect": {"serial": "SN-7701"}})
        bad = [{}, {"ttlSeconds": 60.0}, {"ttlSeconds": True}, {"ttlSeconds": 86401}, {"ttlSeconds": "60"}]
        bad += [{"ttlSeconds": 60, name: None} for name in ("maxUses", "expect", "allowReclaim", "hosted", "idempotencyKey", "other")]
        bad += [{"ttlSeconds": 60, "expect": one} for one in (
            {}, {"serial": "5q4q7y1", "mac": "AA-BB-CC-DD-EE-FF"}, {"gpuUuid": "MIG-1"}, {"x": "y"}, {"serial": "None"})]
        for request in bad:
            self.no("invalid-argument", "token.create", request=request)

    def test_admit(self):
        self.ok({"usesLeft": 0}, "token.admit", row=ROW, token=TOKEN, role="node")
        self.no("token-expired", "token.admit", row=ROW, token=TOKEN, role="node", now="2026-01-01T12:00:00.000Z")
        self.no("role-invalid", "token.admit", row=None, token="", role="Node")
        self.no("token-secret", "token.admit", row=dict(ROW, secretSha256=b(bytes(32))), token=TOKEN, role="site")
        self.no("token-role", "token.admit", row=ROW, token=TOKEN, role="site")


class Requests(Twin):
    def test_binding(self):
        digest = bytes.fromhex(REQUEST_HASH)
        self.ok({"requestSha256": b(digest)}, "binding.hash", request=REQUEST)
        self.assertEqual(79, len(binding.attribute(digest)))
        out = {"bound": True, "requestSha256": b(digest)}
        self.ok(out, "binding.check", csr=b(CSR), request=REQUEST, required=True)
        self.no("request-binding", "binding.check", csr=b(CSR), request=dict(REQUEST, role="site"), required=False)

    def test_csr(self):
        self.assertEqual(269, len(CSR))
        out = {"csrSha256": b(bytes.fromhex("f65548be1149df1f200e161cfc49ab617299fcf773d71832bb716cc1e57a36e7")),
               "publicKey": b(csr.parse(CSR).point)}
        self.ok(out, "csr.check", csr=b(CSR))
        self.no("csr", "csr.check", csr=b(CSR + b"\0"))
        for at in range(len(CSR)):
            self.no("csr", "csr.check", csr=b(CSR[:at]))
            self.no("csr", "csr.check", csr=b(CSR[:at] + bytes((CSR[at] ^ 1,)) + CSR[at + 1:]))

    def test_csr_make(self):
        for more in ({}, {"request": REQUEST}):
            made = call("csr.make", key=jwk("example node key"), **more)["out"]["csr"]
            self.assertEqual("accept", call("csr.check", csr=made)["r"])
        parsed, raw = csr.parse(octets.b64u_decode(made)), csr.parse(CSR)
        self.assertEqual(raw.signed, parsed.signed)

    def test_seal(self):
        self.assertEqual(546, len(SEAL))
        z = bytes.fromhex("694ae2d0da26827d902145656005c3032f18c47bce7f5a26689877328fcf3533")
        self.assertEqual("63fe471852bd92ea1cf9ea9731f84475931784ba6ff4b3ed6ae51ad839798115", seal.kdf(z).hex())
        out = {"token": TOKEN, "iat": 1767225600}
        self.ok(out, "seal.open", seal=b(SEAL), csr=b(CSR), keys=[jwk("other"), ENCRYPTION])
        self.no("seal-csr", "seal.open", seal=b(SEAL), csr=b(CSR + b"\0"), keys=[ENCRYPTION])
        self.no("seal", "seal.open", seal=b(SEAL), csr=b(CSR), keys=[jwk("other")])
        window = dict(seal=b(SEAL), csr=b(CSR), keys=[ENCRYPTION], iatWindow={"pastS": 5, "aheadS": 5}, choices={"seal.iat-window": "window"})
        self.ok(out, "seal.open", now="2026-01-01T00:00:05.999Z", **window)
        self.no("seal-iat", "seal.open", now="2026-01-01T00:00:06.000Z", **window)

    def test_seal_make(self):
        pin = "sha256/rTsie9R9NogMtMs7yhwba7LJCU2yfL7DmEuQi9M8KWM="
        made = call("seal.make", token=TOKEN, csr=b(CSR), jwk=ENCRYPTION, pins=[PIN, pin])["out"]["seal"]
        self.ok({"token": TOKEN, "iat": 1767225600}, "seal.open", seal=made, csr=b(CSR), keys=[ENCRYPTION])
        self.no("seal-key", "seal.open", seal=made, csr=b(CSR), keys=[jwk("other")])
        self.no("pin-mismatch", "seal.make", token=TOKEN, csr=b(CSR), jwk=ENCRYPTION, pins=[PIN])

    def test_jwcrypto(self):
        try:
            from jwcrypto import jwe, jwk as keys
        except ImportError:
            self.skipTest("jwcrypto is not installed")
        header = json.dumps({"alg": "ECDH-ES+A256KW", "enc": "A256GCM", "typ": "bcjt+jwe", "iat": 5, "csr": b(hashlib.sha256(CSR).digest())})
        made = jwe.JWE(TOKEN.encode(), header)
        made.add_recipient(keys.JWK(**{name: ENCRYPTION[name] for name in ("kty", "crv", "x", "y")}))
        self.ok({"token": TOKEN, "iat": 5}, "seal.open", seal=b(made.serialize(compact=True)), csr=b(CSR), keys=[ENCRYPTION])
        ours = jwe.JWE()
        ours.deserialize(SEAL, keys.JWK(**ENCRYPTION))
        self.assertEqual(TOKEN.encode(), ours.payload)

    def test_join(self):
        join = dict(
            request={"attestor": "", "role": "node", "csr": b(CSR), "seal": b(SEAL), "claims": EXAMPLE_CLAIMS}, attestors=["join-token"],
            keys=[ENCRYPTION], row=ROW, expect=None, requestBinding="required")
        out = {"tokenId": TOKEN_ID, "usesLeft": 0, "trusted": True, "requestSha256": b(bytes.fromhex(REQUEST_HASH))}
        self.ok(out, "join.check", **join)
        self.no("expect", "join.check", **dict(join, expect={"serial": "sn-7701"}))
        self.no("token-unknown", "join.check", **dict(join, row=None))
        self.no("request-binding", "join.check", **dict(join, request=dict(join["request"], claims=claims())))
        self.no("attestor", "join.check", **dict(join, attestors=["tpm"]))


class Machines(Twin):
    def test_claims(self):
        raw = claims(
            macs=["3C-EC-EF-12-34-56", "3cec.ef12.3456", "02:00:00:00:00:01"],
            gpus=["GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA", "MIG-a65afc88"], productUuid="4C4C4544-0051-3410-8051-B5C04F375931",
            productSerial=" 5Q4Q7Y1\0", boardSerial="/5Q4Q7Y1/CN7220036H04QB/", chassisSerial="To be  filled by OEM")
        out = {"productUuid": "4c4c4544-0051-3410-8051-b5c04f375931", "productSerial": "5q4q7y1", "boardSerial": "/5q4q7y1/cn7220036h04qb/",
               "permanentMacs": ["3c:ec:ef:12:34:56"], "gpuUuids": ["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"]}
        self.ok(out, "claims.normalize", claims=raw)
        for uuid in ("{4C4C4544-0051-3410-8051-B5C04F375931}", "00020003000400050006000700080009"):
            self.ok({"permanentMacs": [], "gpuUuids": []}, "claims.normalize", claims=claims(productUuid=uuid))
        self.no("claims", "claims.normalize", claims=claims(chassisSerial="SN-\0001"))
        self.assertEqual("cn1234.5", call("claims.normalize", claims=claims(chassisSerial="CN1234.5"))["out"]["chassisSerial"])

    def test_smbios(self):
        raw = b(bytes.fromhex("564da6d217066343dc2d9959b533a7b3"))
        self.ok({"uuid": "564da6d2-1706-6343-dc2d-9959b533a7b3"}, "smbios.uuid", raw=raw, version={"major": 2, "minor": 4})
        self.ok({"uuid": "d2a64d56-0617-4363-dc2d-9959b533a7b3"}, "smbios.uuid", raw=raw, version={"major": 2, "minor": 8})

    def derive(self, raw, selection, independence):
        answer = call("hwkey.derive", sets=[raw], choices={"hwkey.selection": selection, "hwkey.independence": independence})
        one = answer["out"]["keys"][0]
        return octets.b64u_decode(one["key"]).hex(), one["trusted"]

    def test_hardware_key(self):
        raw = claims(
            macs=["94:de:80:06:f8:d5"], gpus=["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"], boardSerial="cn7220036h04qb",
            productUuid="d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", productSerial="sn-7701")
        for independence in ("kinds", "facts"):
            self.assertEqual(("fba6cd3ead37785420ef1c8771b346772e4ed3276561521993bd6d7bcfb1c8ca", True), self.derive(raw, "stable", independence))
            self.assertEqual(("3758a7f359d6c168545292238db41471f8e9de146e9b5e713e362bde43d2880f", True), self.derive(raw, "all", independence))

    def test_dell(self):
        raw = claims(productUuid="4c4c4544-0051-3410-8051-b5c04f375931", productSerial="5q4q7y1")
        more = dict(raw, permanentMacs=[b("94:de:80:06:f8:d5")])
        self.assertEqual(("a7e320cc89c2bed9e59beba473438328bdd65a9b93b298b4e6ca164242997234", True), self.derive(raw, "stable", "kinds"))
        self.assertEqual(("ba0d3aece0643d0d9a94a52b65bd0ee2eb3867307449cac7b1c2867e0adc491e", False), self.derive(raw, "stable", "facts"))
        self.assertEqual(("9f601c78d3fc9a1c849ef3ceb8ac927ed3e3470e99a180fa3a54ca803e3672e6", True), self.derive(more, "stable", "facts"))
        self.no("placeholder-hardware", "hwkey.admit", claims=raw, pinned=False, choices={"hwkey.independence": "facts"})

    def test_expect(self):
        pin = {"serial": "sn-7701"}
        self.ok({}, "expect.match", expect=pin, claims=claims(boardSerial="sn-7701 "))
        self.no("expect", "expect.match", expect=pin, claims=claims(chassisSerial="SN-77010"))
        self.no("expect", "expect.match", expect=pin, claims=claims(productSerial="/SN-7701/"))
        self.no("expect", "expect.match", expect=pin, claims=claims())
        uuid = {"productUuid": "643A9DB6-8C89-E111-BBA0-8CCB39332B00"}
        self.no("expect", "expect.match", expect=uuid, claims=claims(productUuid="B69D3A64-898C-11E1-BBA0-8CCB39332B00"))


class Answers(Twin):
    def test_messages(self):
        proof = {"csrSha256": b(h("csr")), "nodeId": "node_01k5w3v7x8e4n9q2r6t0b1c5d7", "clientTimeMs": 1760000000000}
        vouch = {"csrSha256": b(h("csr")), "mac": b(bytes.fromhex("94de8006f8d5")), "ip": b(bytes((192, 0, 2, 17))), "workflowId": "wf-7",
                 "bootLeaseEpoch": 3}
        sizes = {"join-response": 39, "join-deferral": 39, "renew-response": 40, "renew-pop": 111, "x509pop": 109, "discovery-vouch": 108}
        for purpose, size in sizes.items():
            fields = vouch if purpose == "discovery-vouch" else proof if size > 100 else {"body": b(b"\x0a\1x")}
            message = octets.b64u_decode(call("signature.bytes", purpose=purpose, fields=fields)["out"]["bytes"])
            self.assertEqual(size, len(message))
            if purpose == "renew-pop":
                self.assertEqual("47c611d3aae1cec3e0faa83f54b326bd2a9a424d13bbe0d26dafccefbfa2c3dd", hashlib.sha256(message).hexdigest())
        r = bytes.fromhex("826d31e421e0100c8d40a595952d2443f051115e45abf7ed7f3cbd2164de9625")
        s = bytes.fromhex("2c939045941fa61623b3c1e5128d5c80c8ed955817a78484db0cd674e28a8690")
        self.ok({}, "signature.verify", purpose="renew-pop", fields=proof, key=b(SPKI), sig=b(r + s))
        high = (p256.N - int.from_bytes(s, "big")).to_bytes(32, "big")
        self.no("signature", "signature.verify", purpose="renew-pop", fields=proof, key=b(SPKI), sig=b(r + high))
        self.no("signature", "signature.verify", purpose="x509pop", fields=proof, key=b(SPKI), sig=b(r + s))

    def test_deferral(self):
        body = bytes.fromhex(
            "0a1f6a7265715f30316b3577337637783865346e39713272367430623163356437"
            "1220c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef801a0374706d"
            "22201f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f907bfd1047")
        self.assertEqual("a82fcd75c9ed9e675bd5169aed354c051ea84a4e90aa6fa89eb48b77a04fb647",
                         hashlib.sha256(signature.message_of("join-deferral", [body])).hexdigest())
        sig = bytes.fromhex("d531a7a2ba6daeecd9cd44bf399d5ad255db0c490eef9cb8565a4f20aea44d4a"
                            "6619c7493a050e9e4abc1ff5737eb2130d8ca66c753f99afc5530a1433d7a1f9")
        signed = {"body": b(body), "sig": b(sig), "signingKey": b(SPKI)}
        members = dict(deferral=signed, pins=[PIN], csr=b("csr"), request=dict(REQUEST, attestor="tpm"), requireRequestBinding=False)
        self.no("response-request", "deferral.verify", **members)
        self.no("response-csr", "deferral.verify", **dict(members, csr=b("cs")))
        self.no("response-signature", "deferral.verify", **dict(members, pins=[]))
        real, binding.request_hash = binding.request_hash, lambda request: h("request")
        try:
            self.ok({"requestId": "jreq_01k5w3v7x8e4n9q2r6t0b1c5d7"}, "deferral.verify", **members)
            self.no("response-attestor", "deferral.verify", **dict(members, request=REQUEST))
        finally:
            binding.request_hash = real


def name(role):
    return der.encode(0x30, der.encode(0x31, der.encode(0x30, bytes.fromhex("060355040b"), der.encode(0x0C, role.encode("ascii")))))


def certificate(signer, issuer, subject, spki, uris=(), not_after=b"260102000000Z"):
    """A certificate as CERTIFICATE-4 shapes it, as far as the client looks at it."""
    sans = der.encode(0x30, *(der.encode(0x86, uri.encode("ascii")) for uri in uris))
    extension = der.encode(0x30, bytes.fromhex("0603551d11"), der.encode(0x04, sans))
    tail = [der.encode(0xA3, der.encode(0x30, extension))] if uris else []
    tbs = der.encode(
        0x30, bytes.fromhex("a003020102020101"), p256.ECDSA_SHA256, issuer,
        der.encode(0x30, der.encode(0x17, b"260101000000Z"), der.encode(0x17, not_after)), subject, spki, *tail)
    r, s = p256.sign(signer, tbs)
    return der.encode(0x30, tbs, p256.ECDSA_SHA256, der.encode(
        0x03, b"\0", der.encode(0x30, der.encode_integer(r), der.encode_integer(s))))


class Admissions(Twin):
    NODE, SITE = "node_01k5w3v9e7f0r8m2q4t6x8z0ab", "site_01k5w3v9e7f0r8m2q4t6x8z0ab"
    SPIFFE = "spiffe://compute.example.com/site/%s/node/%s" % (SITE, NODE)
    AK = "urn:bc:tpm-ak:sha256:" + "6" * 64

    def answer(self, uris=(), role="node", **more):
        ca, root = (p256.private_key(jwk(one)) for one in ("ca", "root"))
        spki = p256.point_spki(p256.private_point(ca))
        leaf = certificate(ca, name("ca"), name("bc-role:" + role), csr.parse(CSR).spki, [self.SPIFFE, *uris])
        chain = [leaf, certificate(root, name("root"), name("ca"), spki)]
        self.leaf = hashlib.sha256(leaf).digest()
        body = {"nodeId": self.NODE, "certificateChain": [b(one) for one in chain], "commandTrustBundle": [b("x")],
                "csrSha256": b(hashlib.sha256(CSR).digest()), "trustDomain": "compute.example.com", "siteId": self.SITE, "role": role,
                "attestor": "join-token", "requestSha256": b(bytes.fromhex(REQUEST_HASH))}
        return call("join.response.sign", key=jwk("signing"), body=dict(body, **more))["out"]["response"]

    def verify(self, response, **more):
        pin = octets.b64u_decode(response["signingKey"])
        pins = ["sha256/" + base64.b64encode(hashlib.sha256(pin).digest()).decode()]
        members = dict(response=response, pins=pins, csr=b(CSR), request=REQUEST, site=self.SITE, nodeId=None,
                       requireRequestBinding=True, ak=None, previousAk=None)
        answer = call("join.response.verify", **dict(members, **more))
        return answer.get("cat", answer["r"])

    def test_accepted(self):
        response = self.answer()
        self.assertEqual("accept", self.verify(response, nodeId=self.NODE))
        self.assertEqual("accept", self.verify(response, now="2026-01-02T00:00:00.999Z"))
        self.assertEqual("response-validity", self.verify(response, now="2026-01-02T00:00:01.000Z"))
        self.assertEqual("response-validity", self.verify(response, now="2025-12-31T23:59:59.999Z"))
        self.assertEqual("accept", self.verify(self.answer(uris=["urn:bc:x"])))
        self.assertEqual("accept", self.verify(self.answer(uris=[self.AK]), previousAk=self.AK))
        tpm = dict(request=dict(REQUEST, attestor="tpm"), ak=self.AK)
        response = self.answer(uris=[self.AK], attestor="tpm", requestSha256="")
        self.assertEqual("accept", self.verify(response, requireRequestBinding=False, **tpm))
        self.assertEqual("response-request", self.verify(response, **tpm))

    def test_lowered(self):
        response = self.answer(role="node-tenant")
        self.assertEqual("accept", self.verify(response))
        self.assertEqual("response-role", self.verify(response, choices={"client.node-tenant": "refuse"}))

    def test_refused(self):
        response = self.answer()
        self.assertEqual("response-signature", self.verify(response, pins=[PIN]))
        self.assertEqual("response-malformed", self.verify(dict(response, sig=b("x"))))
        self.assertEqual("response-csr", self.verify(response, csr=b(CSR + b"\0")))
        self.assertEqual("response-request", self.verify(response, request=dict(REQUEST, role="site")))
        self.assertEqual("response-san", self.verify(response, site="site_01k5w3v9e7f0r8m2q4t6x8z0ac"))
        self.assertEqual("response-san", self.verify(response, nodeId="node_01k5w3v9e7f0r8m2q4t6x8z0ac"))
        self.assertEqual("response-san", self.verify(self.answer(uris=["spiffe://x"])))
        self.assertEqual("response-attestor", self.verify(self.answer(uris=[self.AK])))
        self.assertEqual("response-attestor", self.verify(self.answer(attestor="tpm")))
        self.assertEqual("response-malformed", self.verify(self.answer(nodeId="node_x")))
        self.assertEqual("response-malformed", self.verify(self.answer(certificateChain=[])))


class Files(Twin):
    TOML = "\n".join((
        'gateway_url = "https://gw.eu.example.com"', 'site = "site_01k5w3v7x8e4n9q2r6t0b1c5d7"', 'serving_ca_spki_pin = "%s"' % PIN,
        'join_signing_key_pin = "%s"' % PIN, 'join_encryption_key_pin = ["%s"]' % PIN))

    def test_pins(self):
        self.ok({"sha256": b(hashlib.sha256(SPKI).digest())}, "pin.parse", pin=PIN)
        for text in (PIN[:-1], PIN.replace("+", "-"), PIN + "\n", PIN.replace("NQ=", "NR="), "SHA256" + PIN[6:]):
            self.no("pin-malformed", "pin.parse", pin=text)
        self.ok({}, "pin.match", pins=[PIN], spki=b(SPKI))
        self.no("pin-mismatch", "pin.match", pins=[PIN], spki=b(SPKI + b"\0"))

    def test_config(self):
        out = {"gatewayUrl": "https://gw.eu.example.com", "site": "site_01k5w3v7x8e4n9q2r6t0b1c5d7", "servingCaPins": [PIN],
               "joinSigningPins": [PIN], "joinEncryptionPins": [PIN], "serverName": None, "requireRequestBinding": False}
        self.ok(out, "config.load", toml=b(self.TOML))
        for more in ('x = 1', 'server_name = ""', 'require_request_binding = 1', 'site = "x"', '[t]', 'y = ' + "[" * 60000):
            self.no("config", "config.load", toml=b(self.TOML + "\n" + more))
        for url in ("http://a", "https://", "https://u@a", "https://a?q", "https://a#f", "https://a:", "https://a:70000", "HTTPS://a"):
            self.no("config", "config.load", toml=b(self.TOML.replace("https://gw.eu.example.com", url)))
        self.assertEqual("accept", call("config.load", toml=b(self.TOML.replace("example.com", "example.com:8443/p/q")))["r"])

    def test_key_file(self):
        key = {"kty": "EC", "crv": "P-256", "x": "YP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Y",
               "y": "eQP-EAi4vJmkGunpVii8ZPLxsgwtfp9Rd6PClNRGIpk"}
        pins = {"encryption": [PIN], "signing": [PIN]}
        out = {"encryptionPin": PIN, "from": "file", "signingPin": None, "gatewayUrl": None}
        self.ok(out, "keys.select", keyFile=b(json.dumps(key)), document=None, pins=pins)
        self.no("document", "keys.select", keyFile=b(json.dumps(dict(key, d="x"))), document=None, pins=pins)
        self.no("pin-mismatch", "keys.select", keyFile=b(json.dumps(key)), document=None, pins=dict(pins, encryption=[]))
        self.no("document", "keys.select", keyFile=None, document=b("[" * 30000), pins=pins)


class Hostile(Twin):
    """No call may crash the shim, and none may be answered with a bug."""

    SAMPLES = {
        "seal.open": dict(seal=b(SEAL), csr=b(CSR), keys=[ENCRYPTION]),
        "csr.check": dict(csr=b(CSR)),
        "binding.check": dict(csr=b(CSR), request=REQUEST, required=False),
        "token.parse": dict(token=b(TOKEN)),
        "claims.normalize": dict(claims=EXAMPLE_CLAIMS),
        "config.load": dict(toml=b(Files.TOML)),
    }

    def test_mutations(self):
        dice = random.Random(1)
        for op, members in self.SAMPLES.items():
            name = next(iter(members))
            if not isinstance(members[name], str):
                continue
            raw = octets.b64u_decode(members[name])
            for _ in range(300):
                bad = bytearray(raw)
                for _ in range(dice.randint(1, 3)):
                    bad[dice.randrange(len(bad))] = dice.randrange(256)
                answer = call(op, **dict(members, **{name: b(bytes(bad))}))
                self.assertNotIn("bug", answer.get("detail", ""), (op, bytes(bad)))

    def test_types(self):
        for op in OPS:
            self.assertEqual("error", call(op)["r"], op)
            for value in (None, 1, "x\ud800", [], {}, True, 1.5):
                members = {name: value for name in OPS[op][0].members}
                answer = call(op, **members)
                self.assertTrue(answer["r"] != "accept" or answer["out"] == {"keys": []}, (op, value, answer))
                self.assertNotIn("bug", answer.get("detail", ""), (op, value))
        self.assertEqual("unsupported", call("made.up")["r"])

    def test_depth(self):
        with self.assertRaises(der.DerError):
            der.parse(b"\x30\x80" * 5000)
        line = b'{"jc":1,"id":9,"m":"call","op":"token.create","in":' + b"[" * 100000
        self.assertEqual(("unreadable", 9), (shim.read(line)["m"], shim.read(line)["id"]))


if __name__ == "__main__":
    unittest.main()
