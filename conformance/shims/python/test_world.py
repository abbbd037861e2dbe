"""Self-tests of the worlds: the worked examples of pages 10 to 13 and 16 to 18 of docs/spec, and SHIM.md's steps."""
import unittest

from cryptography import x509 as other

from scene import (
    DAY_MS, KEY_ID, MACHINE, NODE, OTHER_POOL, OTHER_SITE, POOL, ROOT, SITE, START, TENANT, TOKEN, Scene, b, call, cert_row, claims, hashlib,
    issuer, join_request, jwk, keys, leaf_of, make_csr, node_row, octets, old_leaf, pool_row, pop_request, reading_of, renew_request,
    seal_of, signature, spiffe, spki, time, token_row, world)
from twin import binding, world as twin_world


AK = "urn:bc:tpm-ak:sha256:" + "6" * 64
SECOND = claims(productUuid="d2a64d56-0617-4363-9c0e-5a1b7e3f2a11", productSerial="SN-7702")


class Admission(Scene):
    def test_race(self):
        """The example of page 10."""
        self.load(tokens=[token_row(usesLeft=2, maxUses=2)])
        one, two = join_request("a", do="join-begin", ticket="A"), join_request("b", do="join-begin", ticket="B")
        self.ok(one)
        self.ok(two)
        self.ok({"do": "join-finish", "ticket": "A"})
        self.no("CONFLICT", {"do": "join-finish", "ticket": "B"})
        self.assertEqual(1, self.dump("tokens")[0]["usesLeft"])
        self.assertEqual("error", self.step({"do": "join-finish", "ticket": "B"})["r"])
        self.no("reclaim", dict({key: two[key] for key in two if key != "ticket"}, do="join"))
        dump = self.dump()
        self.assertEqual(1, dump["tokens"][0]["usesLeft"])
        self.assertEqual(1, len(dump["nodes"]))
        self.assertEqual(["join-token:reclaim"], [event["reason"] for event in self.events("security.join.refused")])

    def test_leaf(self):
        """The example of page 16, and CERTIFICATE-1 to CERTIFICATE-4 by another reader."""
        self.load()
        request = join_request()
        body, leaf, raw = self.joined(request, 700)
        self.assertEqual((START // 1000 - 60, START // 1000 - 60 + 86400), (leaf.not_before, leaf.not_after))
        self.assertEqual("301731153013060355040b0c0c62632d726f6c653a6e6f6465", leaf.subject.hex())
        self.assertEqual((b"node", b"join-token", SITE.encode()), (body[7], body[8], body[6]))
        self.assertEqual(binding.request_hash(reading_of(request)), body[9])
        self.assertEqual([raw, issuer()][0], body[2][0])
        self.assertEqual(2, len(body[2]))
        read = other.load_der_x509_certificate(raw)
        read.verify_directly_issued_by(other.load_der_x509_certificate(body[2][1]))
        self.assertEqual(
            ["2.5.29.15", "2.5.29.37", "2.5.29.19", "2.5.29.14", "2.5.29.35", "2.5.29.17"],
            [extension.oid.dotted_string for extension in read.extensions])
        self.assertEqual(KEY_ID, read.extensions.get_extension_for_class(other.AuthorityKeyIdentifier).value.key_identifier)
        self.assertEqual(16, len(leaf.serial))
        row = self.dump("certs")[0]
        self.assertEqual((leaf.serial.hex(), "2025-12-31T23:59:00.000Z", "2026-01-01T23:59:00.000Z"),
                         (row["serial"], row["notBefore"], row["notAfter"]))
        uris = leaf_of.encode_uris([spiffe()])
        self.assertEqual((106, "306886667370696666653a2f2f"), (len(uris), uris.hex()[:26]))

    def test_times(self):
        self.assertEqual("170d3439313233313233353935395a", leaf_of.encode_time(2524607999).hex())
        self.assertEqual("180f32303530303130313030303030305a", leaf_of.encode_time(2524608000).hex())
        self.load(tokens=[token_row(role="ramdisk", ttlLimitS=86400)], keys=keys(issuer(b"260101010000Z")))
        _, leaf, _ = self.joined(join_request(role="ramdisk"))
        self.assertEqual(START // 1000 + 3600, leaf.not_after)
        self.no("INVALID_CONFIG", join_request(), 3601000)
        self.load(tokens=[token_row(role="ramdisk")])
        _, leaf, _ = self.joined(join_request(role="ramdisk"))
        self.assertEqual(7200, leaf.not_after - leaf.not_before)
        self.assertEqual("INVALID_CONFIG", call("world.load", world=world(certTtlS=86401))["cat"])
        self.assertEqual("INVALID_CONFIG", call("world.load", world=world(certTtlS=60.0))["cat"])

    def test_stored_answer(self):
        self.load(tokens=[token_row(usesLeft=1)])
        request = join_request()
        first = self.ok(request)
        self.assertEqual(first, self.ok(request, 13 * 3600000))
        self.assertEqual(first, self.ok(dict(request, claims=dict(MACHINE, productSerial=b("sn-7701 ")), attestor="join-token")))
        self.no("seal-replayed", dict(request, claims=SECOND))
        self.no("seal-replayed", request, DAY_MS - 59000)
        self.assertEqual((0, 1), (self.dump("tokens")[0]["usesLeft"], len(self.dump("nodes"))))
        self.ok({"do": "token-revoke", "tenant": TENANT, "poolId": POOL, "id": TOKEN})
        self.no("seal-replayed", request)
        self.load(choices={"seal.resend": "refuse"})
        self.ok(request)
        self.no("seal-replayed", request)

    def test_events(self):
        self.load()
        self.joined(join_request())
        dump = self.dump()
        event, audit = dump["events"][0], dump["audit"][0]
        self.assertEqual(("node.joined", TENANT, "join-token", False, True, "unattested", 1, TOKEN), tuple(event[key] for key in (
            "name", "tenant", "attestor", "reclaim", "hardwareKeyTrusted", "nodeKey", "generation", "tokenId")))
        self.assertNotIn("oldGeneration", event)
        self.assertEqual({**event, "action": "node.joined"}, {**audit, "name": "node.joined"})
        self.assertEqual(dump["certs"][0]["serial"], event["serial"])

    def test_order(self):
        """ADMISSION-2: nothing but the event is left of a refusal; the pool's reasons come last and in order."""
        bad = pool_row(agent="x", ownerTenant=ROOT, policy={"joinAttestors": [], "requestBinding": "required"})
        self.load(pools=[bad], tokens=[token_row(expect={"serial": "sn-1"})])
        self.no("attestor", join_request(attestor="tpm", role="x"))
        self.no("role-invalid", join_request(role="x"))
        self.no("seal", {key: value for key, value in join_request().items() if key != "seal"})
        self.no("token-unknown", join_request(ident="jt_01kdvdna00e008000000000002"))
        self.no("token-secret", join_request(secret_of="other"))
        self.no("request-binding", join_request())
        self.load(pools=[bad], tokens=[token_row(expect={"serial": "sn-1"})], choices={"request-binding": "none"})
        self.no("expect", join_request())
        for pool, cat in (({"agent": "x"}, "pool-agent"), ({"ownerTenant": ROOT}, "pool-tenant"),
                          ({"policy": {"joinAttestors": ["x"]}}, "pool-attestor")):
            self.load(pools=[pool_row(**{**({"policy": {"joinAttestors": []}}), **pool})])
            self.no(cat, join_request())
            self.assertEqual((3, [], []), (self.dump("tokens")[0]["usesLeft"], self.dump("nodes"), self.dump("audit")))
        self.load(pools=[])
        self.no("pool-agent", join_request())
        self.load(keys=None)
        self.no("INVALID_CONFIG", join_request(attestor="nonsense"))

    def test_queue(self):
        self.load(pools=[pool_row(acceptanceChecks=True)], tokens=[token_row(), token_row("jt_01kdvdna00e008000000000002", role="site")])
        self.ok(join_request())
        self.ok(join_request("other", "jt_01kdvdna00e008000000000002", SECOND, role="site"))
        self.assertEqual([False, True], [node["queued"] for node in self.dump("nodes")])

    def test_untrusted(self):
        junk = claims(productUuid="d2a64d56-0617-4363-9c0e-5a1b7e3f2a10")
        self.load(tokens=[token_row(), token_row("jt_01kdvdna00e008000000000002", expect={"productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10"})])
        self.no("placeholder-hardware", join_request(raw=junk))
        for label in "ab":
            self.ok(join_request(label, "jt_01kdvdna00e008000000000002", junk))
        self.assertEqual([False, False], [node["hardwareKeyTrusted"] for node in self.dump("nodes")])


class Reclaim(Scene):
    def test_example(self):
        """The example of page 11."""
        certs = [cert_row(old_leaf("older", not_after=b"251201120000Z")), cert_row()]
        other_pool = token_row("jt_01kdvdna00e008000000000002", poolId=OTHER_POOL, allowReclaim=True)
        plain = token_row("jt_01kdvdna00e008000000000003")
        self.load(tokens=[token_row(allowReclaim=True), other_pool, plain], nodes=[node_row()], certs=certs)
        for row in (other_pool, plain):
            self.no("reclaim", join_request(ident=row["id"]))
        body, leaf, _ = self.joined(join_request())
        dump = self.dump()
        self.assertEqual((NODE.encode(), 4, TOKEN), (body[1], dump["nodes"][0]["generation"], dump["nodes"][0]["tokenId"]))
        self.assertEqual([3, 3, 2], [row["usesLeft"] for row in dump["tokens"]][1:] + [dump["tokens"][0]["usesLeft"]])
        self.assertEqual(["reclaimed", "reclaimed", None], [row["revoked"] for row in dump["certs"]])
        self.assertEqual(["security.certificate-revoked"] * 2 + ["node.joined"], [event["name"] for event in dump["events"][-3:]])
        audit = dump["audit"][0]
        self.assertEqual(("node.reclaimed", 3, 4, "unattested", True), tuple(audit[key] for key in (
            "action", "oldGeneration", "newGeneration", "oldNodeKey", "reclaim")))
        self.assertEqual((hashlib.sha256(spki("node key")).hexdigest(), hashlib.sha256(leaf.spki).hexdigest()),
                         (audit["oldSpkiSha256"], audit["newSpkiSha256"]))
        self.no("cert-revoked", renew_request())

    def test_same(self):
        for node in (dict(siteId=OTHER_SITE), dict(tenant=ROOT), dict(kind="site"), dict(poolId=OTHER_POOL)):
            self.load(tokens=[token_row(allowReclaim=True)], nodes=[node_row(**node)])
            self.no("reclaim", join_request())

    def test_retired(self):
        for choice, cat in (("new-node", None), ("refuse", "reclaim")):
            self.load(nodes=[node_row()], certs=[cert_row()], choices={"reclaim.retired": choice})
            self.ok({"do": "retire", "nodeId": NODE})
            self.ok({"do": "retire", "nodeId": NODE})
            self.assertEqual((1, 1), (len(self.dump("events")), len(self.dump("audit"))))
            self.no(cat, join_request()) if cat else self.ok(join_request())

    def test_tpm_bound(self):
        for choice in ("same-tpm", "any"):
            self.load(tokens=[token_row(allowReclaim=True)], nodes=[node_row()], certs=[cert_row(old_leaf(statements=(AK,)))],
                      choices={"reclaim.tpm-bound": choice})
            if choice == "same-tpm":
                self.no("reclaim", join_request())
            else:
                self.ok(join_request())
                self.assertEqual(("tpm", []), (self.dump("audit")[0]["oldNodeKey"], self.dump("certs")[1]["statements"]))


class Hosted(Scene):
    P1 = dict(id="pool_1", siteId="site_s", ownerTenant=ROOT, agent="bcd", acceptanceChecks=False,
              policy={"kubernetes": {"platformOperated": True}})
    P2 = dict(P1, id="pool_2", ownerTenant=TENANT)

    def role(self, tokens, joins, **more):
        self.load(tokens=tokens, **{**dict(sites=[{"id": "site_s", "ownerTenant": ROOT, "custom": False}], pools=[self.P1, self.P2]), **more})
        return [self.joined(join_request("key %d" % at, ident, raw))[0][7].decode() for at, (ident, raw) in enumerate(joins)]

    def test_example(self):
        """The example of page 12."""
        ids = ["jt_01kdvdna00e00800000000000%d" % at for at in range(5)]
        tokens = [token_row(ids[0], tenant=ROOT, poolId="pool_1", hosted="kubernetes"), token_row(ids[1], poolId="pool_2", hosted="kubernetes"),
                  token_row(ids[2], poolId="pool_2"), token_row(ids[3], poolId="pool_2", hosted="kubernetes", allowReclaim=True),
                  token_row(ids[4], poolId="pool_2", allowReclaim=True)]
        third = claims(productUuid="d2a64d56-0617-4363-9c0e-5a1b7e3f2a12", productSerial="SN-7703")
        joins = [(ids[0], MACHINE), (ids[1], SECOND), (ids[2], third), (ids[3], third), (ids[4], third)]
        self.assertEqual(["node", "node-tenant", "node", "node-tenant", "node-tenant"], self.role(tokens, joins))
        self.assertEqual("node-tenant", self.dump("nodes")[2]["certificateRole"])

    def test_owned(self):
        hosted = [token_row(poolId="pool_2", hosted="kubernetes")]
        own = [{"id": "site_s", "ownerTenant": TENANT, "custom": False}]
        self.assertEqual(["node"], self.role(hosted, [(TOKEN, MACHINE)], sites=own, rootTenant=None))
        self.assertFalse(self.dump("nodes")[0]["tenantOwned"])
        self.assertEqual(["node-tenant"], self.role(hosted, [(TOKEN, MACHINE)], sites=own))
        self.assertTrue(self.dump("nodes")[0]["tenantOwned"])
        for value in (1, "true", {}, None):
            pool = dict(self.P2, policy={"kubernetes": {"platformOperated": value}})
            self.assertEqual(["node-tenant"], self.role(hosted, [(TOKEN, MACHINE)], sites=own, rootTenant=None, pools=[pool]))


class Renewal(Scene):
    def load_node(self, choices=None, certs=None, **more):
        self.load(choices, nodes=[node_row(**more)], certs=certs or [cert_row()])

    def test_example(self):
        """The table of page 17: the windows, the memory and the floor."""
        self.load_node()
        request = renew_request()
        self.no("clock", request, -60001)
        self.ok(request, -60000)
        self.no("replay", request, 60000)
        self.no("clock", request, 60001)
        self.ok(renew_request("more", at=61000), 60001)
        self.no("replay", request, 0)
        self.no("replay", renew_request("fresh", at=-1), 0)
        self.ok({"do": "restart"})
        self.no("replay", renew_request("fresh", at=0), 0)
        self.ok(renew_request("fresh", at=1), 0)

    def test_kept(self):
        leaf = old_leaf(role="node-tenant", statements=("urn:bc:x",))
        self.load_node(certs=[cert_row(leaf, allowedKinds=["log.*"], ttlLimitS=600)])
        out = self.ok(renew_request(leaf=leaf))
        body, _, _ = self.body(out)
        old, new = self.dump("certs")
        self.assertEqual(("node-tenant", ["urn:bc:x"], ["log.*"], old["serial"], 3), tuple(new[key] for key in (
            "role", "statements", "allowedKinds", "renewedFrom", "generation")))
        self.assertEqual((b"renew", None, b"node-tenant"), (body[8], body.get(9), body[7]))
        signed = {key: octets.b64u_decode(value) for key, value in out["response"].items()}
        self.assertTrue(signature.verify(signed["signingKey"], signed["sig"], signature.message_of("renew-response", [signed["body"]])))
        self.assertEqual((540000, 600), (self.ms(new["notAfter"]), (self.ms(new["notAfter"]) - self.ms(new["notBefore"])) // 1000))

    def ms(self, text):
        return octets.time_ms(text) - START

    def test_unsigned(self):
        self.load_node({"renewal.signed-answer": "no"})
        response = self.ok(renew_request())["response"]
        self.assertEqual(("", ""), (response["sig"], response["signingKey"]))

    def test_order(self):
        self.load_node()
        self.no("cert-unknown", dict(renew_request(), chain=[]))
        self.no("cert-unknown", dict(renew_request(), chain=[b("x")]))
        self.no("pop-signature", renew_request(purpose="x509pop"))
        self.no("identity", renew_request(caller=None))
        self.no("cert-expired", renew_request(), 12 * 3600000 + 1000)
        self.no("clock", renew_request(), 12 * 3600000 + 999)
        self.assertEqual([ROOT] * 3 + [TENANT] * 3, [event["tenant"] for event in self.events("security.renew.refused")])
        self.load_node(generation=4)
        self.no("generation", renew_request())
        self.load_node(retired=True)
        self.no("node-retired", renew_request())
        self.load_node(certs=[cert_row(old_leaf(statements=(AK,)))])
        request = renew_request(leaf=old_leaf(statements=(AK,)))
        self.no("key-attestation-missing", request)
        self.no("replay", request)

    def test_limit(self):
        self.load_node()
        for at in range(7):
            self.ok(renew_request("key %d" % at, at=at))
        request = renew_request("ninth", at=9)
        self.no("renew-limit", request)
        self.no("replay", request)
        self.assertEqual(8, len(self.dump("certs")))


class X509Pop(Scene):
    DEAD = 12 * 3600000 + 1000

    def load_node(self, certs=None, **more):
        self.load(nodes=[node_row(**more)], certs=certs or [cert_row()])

    def request(self, at, **more):
        return pop_request(at=at, **more)

    def test_grace(self):
        """The edges of page 18."""
        end = self.DEAD + 604800000
        for at, cat in ((self.DEAD - 1, "cert-not-expired"), (self.DEAD, None), (end - 1, None), (end, "grace")):
            self.load_node()
            self.no(cat, self.request(at), at) if cat else self.ok(self.request(at), at)

    def test_admitted(self):
        self.load_node()
        request = self.request(self.DEAD, raw=SECOND)
        body, leaf, _ = self.joined(request, self.DEAD)
        dump = self.dump()
        self.assertEqual((NODE.encode(), b"x509pop", 4), (body[1], body[8], dump["nodes"][0]["generation"]))
        event = dump["events"][-1]
        self.assertEqual((True, 3, 4), (event["reclaim"], event["oldGeneration"], event["newGeneration"]))
        self.assertNotIn("tokenId", event)
        self.assertEqual("node.reclaimed", dump["audit"][0]["action"])
        self.assertIsNone(dump["certs"][1]["renewedFrom"])
        self.no("cert-revoked", request, self.DEAD)

    def test_order(self):
        self.load_node()
        at = self.DEAD
        self.no("pop-chain", {key: value for key, value in self.request(at).items() if key != "x509pop"}, at)
        for chain in ([], [b("x")], [b(old_leaf())] * 5, [b(old_leaf() + b"\0")]):
            request = self.request(at)
            self.no("pop-chain", dict(request, x509pop=dict(request["x509pop"], chain=chain)), at)
        self.no("pop-signature", self.request(at, purpose="renew-pop"), at)
        self.assertEqual({ROOT}, {event["tenant"] for event in self.events("security.join.refused")})
        self.no("clock", self.request(at + 60001), at)
        self.assertEqual((TENANT, "x509pop:clock"), tuple(self.events("security.join.refused")[-1][key] for key in ("tenant", "reason")))
        newer = old_leaf("newer", not_after=b"251231000000Z")
        self.load_node([cert_row(), cert_row(newer)])
        self.no("pop-superseded", self.request(at), at)

    def test_pool(self):
        self.load(nodes=[node_row()], certs=[cert_row()], pools=[pool_row(policy={"joinAttestors": ["join-token"]})])
        request = self.request(self.DEAD)
        self.no("pool-attestor", request, self.DEAD)
        self.no("replay", request, self.DEAD)


class Refusals(Scene):
    def test_limit(self):
        """The example of page 13."""
        self.load(tokens=[token_row(expiresAt=time(0))])
        bad, late = join_request(secret_of="other"), join_request()
        for _ in range(63):
            self.no("token-secret", bad, 59999)
        self.no("token-secret", bad, 60000)
        self.no("token-expired", late, 60000)
        events = self.events("security.join.refused")
        self.assertEqual([0] * 60 + [3, 0], [event["suppressed"] for event in events])
        self.assertEqual([ROOT, TENANT], [event["tenant"] for event in events[-2:]])
        self.assertEqual("join-token:token-expired", events[-1]["reason"])
        self.assertEqual({"name", "tenant", "attestor", "reason", "role", "csrSha256", "hardwareKey", "suppressed"}, set(events[0]))

    def test_restart(self):
        self.load()
        for _ in range(62):
            self.no("attestor", join_request(attestor="x" * 100, role="é" * 40))
        self.ok({"do": "restart"})
        last = self.events("security.join.refused")[-1]
        self.assertEqual({"name": "security.join.refused", "tenant": ROOT, "attestor": "unknown", "reason": "unknown:attestor", "role": "",
                          "suppressed": 2}, last)
        self.assertEqual("é" * 32, self.events("security.join.refused")[0]["role"])
        self.no("attestor", join_request(attestor="y"))
        self.assertEqual(61, len(self.dump("events")))


class Tokens(Scene):
    def create(self, pool=POOL, **request):
        return {"do": "token-create", "tenant": TENANT, "poolId": pool, "request": dict({"ttlSeconds": 60}, **request)}

    def test_create(self):
        self.load()
        out = self.ok(self.create(idempotencyKey="k", expect={"serial": "SN-1"}, hosted="kubernetes"))
        record = out["record"]
        self.assertEqual((POOL, SITE, "node", 1, {"serial": "sn-1"}, False, "kubernetes", time(60000)), tuple(record[key] for key in (
            "poolId", "siteId", "role", "usesLeft", "expect", "allowReclaim", "hosted", "expiresAt")))
        again = self.create(idempotencyKey="k", expect={"serial": "sn-1 "}, hosted="kubernetes", ttlSeconds=90, maxUses=7)
        self.assertEqual({"record": record, "token": None}, self.ok(again))
        self.no("CONFLICT", self.create(idempotencyKey="k"))
        self.no("CONFLICT", self.create(OTHER_POOL, idempotencyKey="k", expect={"serial": "SN-1"}, hosted="kubernetes"))
        self.assertEqual(
            [{"name": "security.join-token.created", "tenant": TENANT, "tokenId": record["id"], "pinned": True, "hosted": "kubernetes"}],
            self.dump("events"))
        csr_octets = make_csr("x")
        self.no("expect", dict(join_request(), csr=b(csr_octets), seal=seal_of(out["token"], csr_octets)))

    def test_refused(self):
        self.load(pools=[pool_row(agent="x")], tokens=[])
        self.no("NOT_FOUND", dict(self.create(), tenant=ROOT, request={}))
        self.no("INVALID_ARGUMENT", self.create(maxUses=0))
        self.no("INVALID_STATE", self.create())

    def test_list(self):
        ids = ["jt_01kdvdna00e008000000000%03d" % at for at in range(205)]
        self.load(tokens=[token_row(ident) for ident in ids] + [token_row("jt_1", poolId=OTHER_POOL), token_row("jt_2", usesLeft=0)])
        ask = {"do": "token-list", "tenant": TENANT, "poolId": POOL, "includeInactive": False}
        out = self.ok(ask)
        self.assertEqual((100, ids[99]), (len(out["records"]), out["next"]))
        out = self.ok(dict(ask, after=ids[4], limit=200))
        self.assertEqual((ids[5], ids[204], None), (out["records"][0]["id"], out["records"][-1]["id"], out["next"]))
        self.assertEqual(["jt_2"], [one["id"] for one in self.ok(dict(ask, after=ids[204], includeInactive=True))["records"]])
        self.assertEqual([], self.ok(dict(ask, after="jt_2"))["records"])
        self.assertEqual([], self.ok(ask, 12 * 3600000)["records"])
        for bad in (dict(limit=0), dict(limit=201), dict(limit=1.5), dict(after="jt_1")):
            self.no("INVALID_ARGUMENT", dict(ask, **bad))
        self.no("NOT_FOUND", dict(ask, tenant=ROOT, limit=0))

    def test_revoke(self):
        self.load()
        ask = {"do": "token-revoke", "tenant": TENANT, "poolId": POOL, "id": TOKEN}
        self.ok(ask)
        self.ok(ask)
        self.no("NOT_FOUND", dict(ask, poolId=OTHER_POOL))
        self.no("NOT_FOUND", dict(ask, tenant=ROOT))
        self.assertEqual([{"name": "security.join-token.revoked", "tenant": TENANT, "tokenId": TOKEN}], self.dump("events"))
        self.no("token-revoked", join_request())


class Kinds(Scene):
    def test_example(self):
        """The example of page 16."""
        listed = ["node.reboot", "log.*"]
        for kind in ("node.reboot", "log.read", "log.read.tail"):
            self.assertTrue(leaf_of.allows(listed, kind))
        for kind in ("log", "log.", "logs.read", "node.reboot.hard", "Node.reboot"):
            self.assertFalse(leaf_of.allows(listed, kind))
        for entry in ("*", ".*", "a*", "*.a", "a.*.b", "a.*.*"):
            self.assertFalse(leaf_of.allows([entry], "a.b.c"))
        self.load(nodes=[node_row()], certs=[cert_row(allowedKinds=listed)])
        self.ok({"do": "enqueue", "nodeId": NODE, "kind": "log.read"})
        self.no("INVALID_STATE", {"do": "enqueue", "nodeId": NODE, "kind": "log"})
        self.no("NOT_FOUND", {"do": "enqueue", "nodeId": "node_x", "kind": "log"})


class Hostile(Scene):
    def test_order(self):
        twin_world.CURRENT["world"] = None
        for op, members in (("world.step", dict(at=time(0), request={"do": "restart"})), ("world.dump", {})):
            self.assertEqual("error", call(op, **members)["r"])
        self.load()
        self.assertEqual("unsupported", self.step({"do": "made-up"})["r"])
        self.assertEqual("error", self.step({})["r"])

    def test_types(self):
        base = world(nodes=[node_row()], certs=[cert_row()])
        for member in base:
            for value in (None, 1, "x", [1], {"x": 1}, True):
                answer = call("world.load", world=dict(base, **{member: value}))
                self.assertNotIn("bug", answer.get("detail", ""), (member, value))
        self.load(nodes=[node_row()], certs=[cert_row()])
        for request in (join_request(), renew_request(), pop_request(), {"do": "token-list", "tenant": "", "poolId": "", "includeInactive": True}):
            for member in request:
                for value in (None, 2**53, "x", [1], {"x": 1}, True):
                    answer = self.step(dict(request, **{member: value}))
                    self.assertNotIn("bug", answer.get("detail", ""), (member, value))
        for ms in ("0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"):
            for request in (join_request(), {"do": "token-create", "tenant": TENANT, "poolId": POOL, "request": {"ttlSeconds": 60}}):
                answer = call("world.step", at=ms, request=request)
                self.assertNotIn("bug", answer.get("detail", ""))

    def test_faulty_world(self):
        for bad in (dict(nodes=[node_row(poolId="pool_x")]), dict(certs=[cert_row()]), dict(tokens=[token_row(), token_row()]),
                    dict(nodes=[node_row()], certs=[cert_row(b"x")]), dict(nodes=[node_row(claims=claims(hostname="a\0b"))]),
                    dict(keys=dict(keys(), signing=dict(jwk("a"), d=jwk("b")["d"])))):
            self.assertEqual("error", call("world.load", world=world(**bad))["r"], bad)


if __name__ == "__main__":
    unittest.main()
