"""The named faults of the worlds: CERTIFICATE, RENEWAL and X509POP."""
from patches import fault
from twin.verdicts import Reject

# ---- CERTIFICATE ----

@fault("leaf-not-backdated", "CERTIFICATE-1", "notBefore is now")
def _(t):
    t.certificate.BACKDATE_S = 0

@fault("leaf-backdate-added", "CERTIFICATE-1", "the backdate comes on top of the lifetime")
def _(t):
    t.wrap("certificate.validity", lambda real, now, seconds, issuer: real(now, seconds + 60, issuer))

@fault("leaf-past-issuer", "CERTIFICATE-1", "notAfter goes past the issuer's")
def _(t):
    t.put("certificate.validity", lambda now, seconds, issuer: (now // 1000 - 60, now // 1000 - 60 + seconds))

@fault("leaf-seconds-rounded", "CERTIFICATE-1", "now is rounded to seconds, not cut")
def _(t):
    t.put("certificate.now_s", lambda ms: (ms + 500) // 1000)

@fault("leaf-ramdisk-a-day", "CERTIFICATE-1", "a ramdisk certificate lasts 24 hours")
def _(t):
    t.certificate.RAMDISK_TTL_S = 86400

@fault("leaf-ramdisk-raised", "CERTIFICATE-1", "a ramdisk certificate always lasts two hours, though less is configured")
def _(t):
    t.wrap("certificate.ttl", lambda real, configured, role, limit: 7200 if role == "ramdisk" else real(configured, role, limit))

@fault("leaf-limit-ignored", "CERTIFICATE-1", "the attestor's ttl limit has no effect")
def _(t):
    t.wrap("certificate.ttl", lambda real, configured, role, limit: real(configured, role, None))

@fault("leaf-limit-wins", "CERTIFICATE-1", "the attestor's ttl limit raises what is configured")
def _(t):
    t.wrap("certificate.ttl", lambda real, configured, role, limit: limit or real(configured, role, None))

@fault("leaf-limit-dropped", "CERTIFICATE-1", "the attestor's ttl limit does not hold for renewals")
def _(t):
    def kept(real, row):
        grant = real(row)
        grant.limit = None
        return grant
    t.wrap("renewal.kept", kept)

@fault("config-ttl-clamped", "CERTIFICATE-1", "a configured ttl over 24 hours is clamped")
def _(t):
    t.feed("certificate.is_ttl", lambda value: min(value, 86400) if type(value) is int else value)
    t.wrap("certificate.ttl", lambda real, configured, *rest: real(min(configured, 86400), *rest))

@fault("config-ttl-from-float", "CERTIFICATE-1", "a configured ttl with a fraction of zero is taken")
def _(t):
    t.feed("certificate.is_ttl", lambda value: int(value) if type(value) is float and value == value // 1 and value < 1e9 else value)
    t.wrap("certificate.ttl", lambda real, configured, *rest: real(int(configured), *rest))

@fault("config-issuer-expired", "CERTIFICATE-1", "an expired issuer goes on signing")
def _(t):
    t.skip("certificate.check_issuer")

@fault("config-issuer-last-second", "CERTIFICATE-1", "an issuer in its last second counts as expired")
def _(t):
    t.wrap("certificate.check_issuer", lambda real, issuer, now: real(issuer, now + 1000))

@fault("leaf-generalized-always", "CERTIFICATE-1", "times are GeneralizedTime before 2050 too")
def _(t):
    from datetime import timedelta
    t.put("certificate.encode_time", lambda seconds: t.der.encode(
        0x18, (t.certificate.EPOCH + timedelta(seconds=seconds)).strftime("%Y%m%d%H%M%SZ").encode("ascii")))

@fault("leaf-utc-always", "CERTIFICATE-1", "times are UTCTime from 2050 on too")
def _(t):
    from datetime import timedelta
    t.put("certificate.encode_time", lambda seconds: t.der.encode(
        0x17, (t.certificate.EPOCH + timedelta(seconds=seconds)).strftime("%y%m%d%H%M%SZ").encode("ascii")))

@fault("leaf-path-by-role", "CERTIFICATE-2", "the path of the SPIFFE ID names the kind of the node")
def _(t):
    t.wrap("certificate.spiffe_id", lambda real, domain, node: real(domain, node).replace("/node/", "/%s/" % node["kind"]))

@fault("leaf-statements-first", "CERTIFICATE-2", "statements stand before the SPIFFE ID")
def _(t):
    t.put("certificate.names", lambda spiffe, statements: [*statements, spiffe])

@fault("leaf-dns-name", "CERTIFICATE-2", "the leaf has a DNS name as well")
def _(t):
    t.put("certificate.encode_uris", lambda uris: t.der.encode(
        0x30, *(t.der.encode(0x86, uri.encode()) for uri in uris), t.der.encode(0x82, b"node.example.com")))

@fault("leaf-san-critical", "CERTIFICATE-2", "subjectAltName is critical")
def _(t):
    t.wrap("certificate.extension", lambda real, oid, critical, value: real(oid, critical or oid == t.x509.SAN, value))

@fault("leaf-ou-twice", "CERTIFICATE-3", "the subject has the OU twice")
def _(t):
    t.wrap("certificate.encode_subject", lambda real, role: t.der.encode(0x30, *[kid.raw for kid in t.der.parse(real(role)).kids] * 2))

@fault("leaf-ou-printable", "CERTIFICATE-3", "the OU is a PrintableString")
def _(t):
    t.certificate.UTF8_STRING = 0x13

@fault("leaf-common-name", "CERTIFICATE-3", "the subject has a common name as well")
def _(t):
    name = t.der.encode(0x31, t.der.encode(0x30, bytes.fromhex("0603550403"), t.der.encode(0x0C, b"node")))
    t.wrap("certificate.encode_subject", lambda real, role: t.der.encode(0x30, *[kid.raw for kid in t.der.parse(real(role)).kids], name))

@fault("leaf-role-never-tenant", "CERTIFICATE-3", "the OU says node where the role is node-tenant")
def _(t):
    t.feed("certificate.encode_subject", lambda role: role.removesuffix("-tenant"))

@fault("leaf-serial-short", "CERTIFICATE-4", "serials have 8 octets")
def _(t):
    t.certificate.SERIAL_BYTES = 8

@fault("leaf-serial-padded", "CERTIFICATE-4", "serials are random in all 128 bits, so that they need a leading zero octet")
def _(t):
    t.wrap("certificate.new_serial", lambda real: b"\0" + bytes((real()[0] | 0x80,)) + real()[1:])

@fault("leaf-serial-constant", "CERTIFICATE-4", "serials repeat")
def _(t):
    t.put("certificate.new_serial", lambda: b"\1" * 16)

@fault("leaf-server-auth", "CERTIFICATE-4", "the extended key usage names serverAuth as well")
def _(t):
    t.certificate.CLIENT_AUTH += bytes.fromhex("06082b06010505070301")

@fault("leaf-key-encipherment", "CERTIFICATE-4", "the key usage has keyEncipherment as well")
def _(t):
    t.certificate.DIGITAL_SIGNATURE = bytes.fromhex("030205a0")

@fault("leaf-key-usage-not-critical", "CERTIFICATE-4", "keyUsage is not critical")
def _(t):
    t.wrap("certificate.extension", lambda real, oid, critical, value: real(oid, critical and oid != t.certificate.KEY_USAGE, value))

@fault("leaf-ca-false-spelled-out", "CERTIFICATE-4", "basicConstraints spells out its default")
def _(t):
    t.wrap("certificate.extension", lambda real, oid, critical, value: real(
        oid, critical, bytes.fromhex("3003010100") if oid == t.certificate.BASIC_CONSTRAINTS else value))

@fault("leaf-no-basic-constraints", "CERTIFICATE-4", "the leaf has no basicConstraints")
def _(t):
    t.wrap("certificate.extensions", lambda real, *args: [one for one in real(*args) if t.certificate.BASIC_CONSTRAINTS not in one])

@fault("leaf-authority-key-hash", "CERTIFICATE-4", "authorityKeyIdentifier is a hash of the issuer's key, not what its certificate says")
def _(t):
    t.wrap("certificate.extensions", lambda real, issuer, *rest: real(type("Issuer", (), {
        "key_id": t.certificate.key_identifier(t.p256.point_spki(t.p256.private_point(issuer.private)))}), *rest))

@fault("leaf-issuers-issuer", "CERTIFICATE-4", "the issuer name is that of the issuer's issuer")
def _(t):
    t.wrap("certificate.build", lambda real, issuer, *rest: real(type("Issuer", (), {
        "name": t.x509.Certificate(issuer.octets).issuer, "private": issuer.private}), *rest))

def requested(t, parsed):
    """What the extension requests of a CSR ask for: OID to value."""
    asked = {}
    for oid, values in parsed.attributes:
        for extension in values[0].kids if oid == bytes.fromhex("06092a864886f70d01090e") else ():
            asked[extension.kids[0].raw] = extension.kids[-1].content
    return asked

@fault("leaf-csr-names", "CSR-4", "subject alternative names that the CSR asks for are copied")
def _(t):
    names = []

    def check(real, octets):
        parsed = real(octets)
        names[:] = [kid.raw for kid in t.der.parse(requested(t, parsed).get(t.x509.SAN, b"\x30\0")).kids]
        return parsed
    t.wrap("csr.check", check)
    t.wrap("certificate.encode_uris", lambda real, uris: t.der.encode(0x30, *[kid.raw for kid in t.der.parse(real(uris)).kids], *names))

@fault("leaf-csr-key-usage", "CSR-4", "a key usage that the CSR asks for is copied")
def _(t):
    usage = []

    def check(real, octets):
        parsed = real(octets)
        usage[:] = [value for oid, value in requested(t, parsed).items() if oid == t.certificate.KEY_USAGE]
        return parsed
    t.wrap("csr.check", check)
    t.wrap("certificate.extension", lambda real, oid, critical, value: real(
        oid, critical, usage[0] if usage and oid == t.certificate.KEY_USAGE else value))

@fault("leaf-csr-subject", "CSR-4", "the subject of the CSR is added to the leaf's")
def _(t):
    asked = []

    def check(real, octets):
        asked[:] = [kid.raw for kid in t.der.parse(octets).kids[0].kids[1].kids]
        return real(octets)
    t.wrap("csr.check", check)
    t.wrap("certificate.encode_subject", lambda real, role: t.der.encode(0x30, *[kid.raw for kid in t.der.parse(real(role)).kids], *asked))

@fault("row-spki-hash-of-point", "CERTIFICATE-5", "the hash of the row is over the point alone")
def _(t):
    t.put("world.sha256", lambda spki: t.octets.sha256(spki[26:]))

@fault("issued-chain-with-root", "RESPONSE-4", "a self-issued node CA stands in the chain")
def _(t):
    t.put("certificate.chain", lambda config, row: [row["der"], config.issuer.octets])

@fault("chain-leaf-only", "RESPONSE-2", "the chain is the leaf alone, whoever issued the node CA")
def _(t):
    t.put("certificate.chain", lambda config, row: [row["der"]])

@fault("kinds-prefix-itself", "CERTIFICATE-6", "prefix.* allows the prefix itself")
def _(t):
    t.wrap("certificate.matches", lambda real, entry, kind: real(entry, kind) or entry == kind + ".*")

@fault("kinds-prefix-nothing-after", "CERTIFICATE-6", "prefix.* allows the prefix and a dot")
def _(t):
    t.wrap("certificate.matches", lambda real, entry, kind: real(entry, kind) or (kind.endswith(".") and entry == kind + "*"))

@fault("kinds-prefix-without-dot", "CERTIFICATE-6", "prefix.* allows kinds that go on without a dot")
def _(t):
    t.wrap("certificate.matches", lambda real, entry, kind: kind.startswith(entry[:-2]) if entry.endswith(".*") else real(entry, kind))

@fault("kinds-one-level", "CERTIFICATE-6", "prefix.* allows one level only")
def _(t):
    t.wrap("certificate.matches", lambda real, entry, kind: real(entry, kind) and ("*" not in entry or entry.count(".") == kind.count(".")))

@fault("kinds-lone-star", "CERTIFICATE-6", "a lone * allows everything")
def _(t):
    t.wrap("certificate.matches", lambda real, entry, kind: entry == "*" or real(entry, kind))

@fault("kinds-inner-star", "CERTIFICATE-6", "a * inside an entry is a wildcard")
def _(t):
    from fnmatch import fnmatchcase
    t.wrap("certificate.matches", lambda real, entry, kind: real(entry, kind) or (
        "*" in entry[:-1] and fnmatchcase(kind, entry.replace("?", "[?]"))))

@fault("kinds-case-folded", "CERTIFICATE-6", "kinds are compared without regard to case")
def _(t):
    t.wrap("certificate.matches", lambda real, entry, kind: real(entry.lower(), kind.lower()))

@fault("kinds-empty-allows", "CERTIFICATE-6", "an empty list allows every kind")
def _(t):
    t.feed("certificate.allows", lambda kinds: kinds or None)

@fault("kinds-of-token-dropped", "CERTIFICATE-6", "a join does not write the token's kinds into the row")
def _(t):
    t.wrap("admission.land", lambda real, step, joining, row, *rest: real(step, joining, dict(row, allowedKinds=None), *rest))

@fault("kinds-dropped", "RENEWAL-4", "a renewal drops the allowed kinds")
def _(t):
    def kept(real, row):
        grant = real(row)
        grant.kinds = None
        return grant
    t.wrap("renewal.kept", kept)

@fault("live-cap-one-more", "CERTIFICATE-7", "a node may have nine live certificates")
def _(t):
    t.certificate.MAX_LIVE += 1

@fault("live-cap-one-less", "CERTIFICATE-7", "a node may have seven live certificates")
def _(t):
    t.certificate.MAX_LIVE -= 1

@fault("live-cap-counts-dead", "CERTIFICATE-7", "expired certificates count as live")
def _(t):
    t.during("certificate.check_live", "certificate.is_live", lambda row, now: row["revoked"] is None)

@fault("live-cap-counts-all-generations", "CERTIFICATE-7", "certificates of older generations count, revoked ones too")
def _(t):
    def check_live(step, node):
        if len([row for row in step.store.certs_of(node["id"]) if not t.certificate.is_over(row["notAfter"], step.at)]) >= 8:
            raise Reject("renew-limit")
    t.put("certificate.check_live", check_live)

# ---- RENEWAL ----

@fault("renew-purpose-of-x509pop", "RENEWAL-1", "a proof of x509pop renews too")
def _(t):
    def check_proof(real, row, purpose, *rest):
        try:
            real(row, purpose, *rest)
        except Reject:
            real(row, "x509pop" if purpose == "renew-pop" else purpose, *rest)
    t.wrap("renewal.check_proof", check_proof)

@fault("renew-proof-unchecked", "RENEWAL-1", "the proof is not verified")
def _(t):
    t.skip("renewal.check_proof")

@fault("renew-leaf-by-key", "RENEWAL-2", "the leaf is matched by its key, not octet for octet")
def _(t):
    def find_leaf(real, store, chain):
        try:
            key = t.x509.Certificate(chain[0]).spki
        except (IndexError, t.der.DerError):
            return real(store, chain)
        return next((row for row in store.certs if row["spki"] == key), None) or real(store, chain)
    t.wrap("renewal.find_leaf", find_leaf)

@fault("renew-leaf-anywhere", "RENEWAL-2", "the leaf may stand anywhere in the chain")
def _(t):
    t.wrap("renewal.find_leaf", lambda real, store, chain: real(store, [one for one in chain if any(
        row["der"] == one for row in store.certs)]))

@fault("renew-identity-unchecked", "RENEWAL-2", "the caller's identity is not compared")
def _(t):
    t.skip("renewal.check_identity")

@fault("renew-identity-absent-passes", "RENEWAL-2", "a call without a forwarded leaf passes")
def _(t):
    t.wrap("renewal.check_identity", lambda real, row, caller: caller is None or real(row, caller))

@fault("renew-identity-folded", "RENEWAL-2", "the caller's identity is compared without regard to case")
def _(t):
    t.wrap("renewal.check_identity", lambda real, row, caller: real(row, caller and caller.lower()))

@fault("renew-revoked-unchecked", "RENEWAL-2", "a revoked certificate renews")
def _(t):
    t.during("renewal.check_owner_sees", "renewal.check_revoked", lambda row: None)

@fault("renew-expired-unchecked", "RENEWAL-2", "an expired certificate renews")
def _(t):
    t.skip("renewal.check_expired")

@fault("renew-dead-in-last-second", "TIME-2", "a certificate does not renew in the second of its notAfter")
def _(t):
    t.wrap("renewal.check_expired", lambda real, row, now: real(row, now + 1000))

@fault("renew-generation-unchecked", "RENEWAL-2", "a certificate of an older generation renews")
def _(t):
    t.during("renewal.check_owner_sees", "renewal.check_generation", lambda row, node: None)

@fault("renew-retired-unchecked", "RENEWAL-2", "a retired node's certificate renews where it is not revoked")
def _(t):
    t.during("renewal.check_owner_sees", "renewal.check_retired", lambda node: None)

@fault("renew-newest-only", "RENEWAL-2", "only the newest certificate renews")
def _(t):
    def check(real, step, row, node, args):
        real(step, row, node, args)
        if step.store.certs_of(node["id"])[-1] is not row:
            raise Reject("cert-unknown")
    t.wrap("renewal.check_owner_sees", check)

@fault("renew-ak-unattested", "RENEWAL-2", "a leaf with an AK statement renews without key_attestation")
def _(t):
    t.during("renewal.prove", "renewal.check_attestation", lambda row: None)

@fault("renew-skew-exclusive", "RENEWAL-3", "a client time of exactly 60 s off is refused")
def _(t):
    t.renewal.SKEW_MS -= 1

@fault("renew-skew-one-more", "RENEWAL-3", "a client time of 60.001 s off passes")
def _(t):
    t.renewal.SKEW_MS += 1

@fault("renew-skew-future-unlimited", "RENEWAL-3", "a client time ahead of the server's is never too far")
def _(t):
    t.wrap("renewal.check_clock", lambda real, client_time, now: real(min(client_time, now), now))

@fault("replay-window-exclusive", "RENEWAL-3", "an entry leaves at 120 s and not after them")
def _(t):
    t.put("renewal.has_left", lambda entry, now: now - entry["used"] >= 120000)

@fault("replay-window-short", "RENEWAL-3", "an entry leaves after 60 s, and leaves no floor before 120")
def _(t):
    def age(memory, now):
        for entry in memory["entries"]:
            if now - entry["used"] > 120000:
                t.renewal.raise_floor(memory, entry["clientTime"])
        memory["entries"] = [entry for entry in memory["entries"] if now - entry["used"] <= 60000]
    t.put("renewal.age", age)

@fault("replay-unnoticed", "RENEWAL-3", "a proof is taken again")
def _(t):
    t.skip("renewal.check_unused")

@fault("replay-keyed-on-signature", "RENEWAL-3", "a proof with the same fields and another signature passes")
def _(t):
    t.put("renewal.proof_key", lambda purpose, octets, client_time, sig: sig)

@fault("replay-keyed-without-time", "RENEWAL-3", "a CSR is taken once only, whatever the client time")
def _(t):
    t.put("renewal.proof_key", lambda purpose, octets, client_time, sig: (purpose, octets))

@fault("replay-keyed-without-csr", "RENEWAL-3", "a client time is taken once only, whatever the CSR")
def _(t):
    t.put("renewal.proof_key", lambda purpose, octets, client_time, sig: (purpose, client_time))

@fault("replay-keyed-without-purpose", "RENEWAL-3", "a proof of the other purpose over the same fields counts as the same")
def _(t):
    t.put("renewal.proof_key", lambda purpose, octets, client_time, sig: (octets, client_time))

@fault("replay-forgotten-at-restart", "RENEWAL-3", "the memory of proofs is lost when the service restarts")
def _(t):
    t.wrap("world.restart", lambda real, step, args: step.store.proofs.clear() or real(step, args))

@fault("replay-no-floor", "RENEWAL-3", "there is no floor, so a clock set back opens a door")
def _(t):
    t.skip("renewal.check_floor")

@fault("replay-floor-exclusive", "RENEWAL-3", "a client time at the floor passes")
def _(t):
    t.wrap("renewal.check_floor", lambda real, memory, client_time: real(memory, client_time + 1))

@fault("replay-floor-of-last", "RENEWAL-3", "the floor is the client time that left last, not the highest")
def _(t):
    t.put("renewal.raise_floor", lambda memory, client_time: memory.update(floor=client_time))

@fault("replay-undone-by-refusal", "RENEWAL-3", "a proof is not recorded when a later check refuses")
def _(t):
    def prove(real, step, trail, args):
        before = t.world.copy.deepcopy(step.store.proofs)
        try:
            return real(step, trail, args)
        except Reject as refused:
            if refused.cat in ("renew-limit", "key-attestation-missing"):
                step.store.proofs = before
            raise
    t.wrap("renewal.prove", prove)

@fault("replay-recorded-early", "RENEWAL-3", "a proof is recorded although a check before `replay` refuses")
def _(t):
    def check(real, step, row, node, args):
        try:
            real(step, row, node, args)
        except Reject:
            client_time = args["clientTimeMs"]
            t.renewal.use_proof(step, row, t.renewal.proof_key("renew-pop", args["csr"], client_time, args["popSig"]), client_time)
            raise
    t.wrap("renewal.check_owner_sees", check)

@fault("replay-kept-by-reclaim", "RENEWAL-3", "a reclaim keeps the proofs and the floor")
def _(t):
    t.during("reclaim.advance", "renewal.forget", lambda store, node_id: None)

@fault("renew-role-reset", "RENEWAL-4", "a renewal takes the role of the node's kind")
def _(t):
    def renew(real, step, node, spki, grant):
        if grant.renewed_from is not None:
            grant.role = node["kind"]
        return real(step, node, spki, grant)
    t.wrap("certificate.issue", renew)

@fault("renew-statements-dropped", "RENEWAL-4", "a renewal drops the statements")
def _(t):
    def kept(real, row):
        grant = real(row)
        grant.statements = []
        return grant
    t.wrap("renewal.kept", kept)

@fault("renewed-from-missing", "RENEWAL-4", "the row does not name the serial it was renewed from")
def _(t):
    def kept(real, row):
        grant = real(row)
        grant.renewed_from = None
        return grant
    t.wrap("renewal.kept", kept)

def order(t, cat, check):
    """Where a renewal is refused with `cat`, another check comes first."""
    t.before("renewal.check_owner_sees", cat, lambda step, row, node, args: check(step, row, node))

@fault("renew-revoked-before-identity", "RENEWAL-5", "revocation is judged before the caller's identity")
def _(t):
    order(t, "identity", lambda step, row, node: t.renewal.check_revoked(row))

@fault("renew-expired-before-revoked", "RENEWAL-5", "expiry is judged before revocation")
def _(t):
    order(t, "cert-revoked", lambda step, row, node: t.renewal.check_expired(row, step.at))

@fault("renew-generation-before-expired", "RENEWAL-5", "the generation is judged before expiry")
def _(t):
    order(t, "cert-expired", lambda step, row, node: t.renewal.check_generation(row, node))

@fault("renew-retired-before-generation", "RENEWAL-5", "retirement is judged before the generation")
def _(t):
    order(t, "generation", lambda step, row, node: t.renewal.check_retired(node))

@fault("renew-answer-says-join-token", "RENEWAL-6", "the body of a renewal names join-token as the attestor")
def _(t):
    t.wrap("answer.body", lambda real, step, node, leaf, octets, attestor, request_hash: real(
        step, node, leaf, octets, "join-token" if attestor == "renew" else attestor, request_hash))
@fault("renew-answer-as-join", "RENEWAL-6", "the answer is signed under the purpose join-response")
def _(t):
    t.wrap("answer.sign", lambda real, step, purpose, octets: real(step, "join-response", octets))
@fault("renew-answer-unsigned", "RENEWAL-6", "the answer is not signed under yes")
def _(t):
    t.wrap("answer.to_renew", lambda real, *args: dict(real(*args), sig="", signingKey=""))
@fault("renew-answer-signed-under-no", "RENEWAL-6", "the answer is signed under no")
def _(t):
    t.put("answer.to_renew", lambda step, node, leaf, csr: t.answer.sign(
        step, "renew-response", t.answer.body(step, node, leaf, csr, "renew", b"")))
@fault("renew-revokes-old", "RENEWAL-6", "a renewal revokes the certificate it renews")
def _(t):
    def issue(real, step, node, spki, grant):
        if grant.renewed_from is not None:
            step.store.cert(grant.renewed_from)["revoked"] = "reclaimed"
        return real(step, node, spki, grant)
    t.wrap("certificate.issue", issue)
