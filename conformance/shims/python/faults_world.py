"""The named faults of the worlds: ADMISSION, SEAL-8, DESTINATION and RECLAIM. The others are in faults_tenant.py and faults_issue.py."""
from patches import always, fault
from twin.verdicts import Failure, Reject

# ---- ADMISSION ----

def leak_use(t, *cats):
    """A refusal of these words undoes everything but the use."""
    def undo(real, world, before, cause):
        uses = {row["id"]: row["usesLeft"] for row in world.store.tokens}
        real(world, before, cause)
        for row in world.store.tokens if getattr(cause, "cat", None) in cats else ():
            row["usesLeft"] = uses[row["id"]]
    t.wrap("world.undo", undo)

@fault("world-use-never-taken", "ADMISSION-3", "an admission takes no use, so a token is oversold")
def _(t):
    def admit(real, step, joining, row):
        left = row["usesLeft"]
        real(step, joining, row)
        row["usesLeft"] = left
    t.wrap("admission.take_use", admit)

@fault("world-use-taken-twice", "ADMISSION-3", "an admission takes two uses")
def _(t):
    def admit(real, step, joining, row):
        real(step, joining, row)
        row["usesLeft"] = max(row["usesLeft"] - 1, 0)
    t.wrap("admission.take_use", admit)

@fault("world-expect-costs-use", "EXPECT-3", "a mismatch with expect consumes the token")
def _(t):
    leak_use(t, "expect")

@fault("world-placeholder-costs-use", "ADMISSION-2", "a join refused for its placeholders consumes the token")
def _(t):
    leak_use(t, "placeholder-hardware")

@fault("world-reclaim-refusal-costs-use", "ADMISSION-2", "a refused reclaim consumes the token")
def _(t):
    leak_use(t, "reclaim")

@fault("world-pool-refusal-costs-use", "ADMISSION-2", "a join that the pool refuses consumes the token")
def _(t):
    leak_use(t, "pool-agent", "pool-tenant", "pool-attestor")

@fault("world-race-costs-use", "ADMISSION-4", "the loser of a race loses its use too")
def _(t):
    leak_use(t, "CONFLICT")

@fault("world-race-unnoticed", "ADMISSION-4", "the reading before the lock is not compared with that under it")
def _(t):
    t.skip("admission.check_race")

@fault("world-race-without-generation", "ADMISSION-4", "only the node is compared, not its generation")
def _(t):
    t.wrap("reclaim.reading", lambda real, store, key: (real(store, key) or (None,))[0])

@fault("world-race-after-reclaim", "ADMISSION-4", "the rules of RECLAIM are asked before the race is noticed")
def _(t):
    def turned(real, step, joining, row, pool):
        t.reclaim.judge(step, row, pool, joining.key)
        return real(step, joining, row, pool)
    t.wrap("admission.known_node", turned)

@fault("world-race-is-refusal", "ADMISSION-4", "a lost race publishes a refusal event")
def _(t):
    def check(real, step, joining):
        try:
            real(step, joining)
        except Failure as lost:
            raise Reject(lost.cat) from None
    t.wrap("admission.check_race", check)

@fault("world-config-judged-late", "ADMISSION-4", "the name of the attestor is judged before INVALID_CONFIG")
def _(t):
    check = t.real("certificate.check_config")
    t.during("admission.decide", "certificate.check_config", lambda step: None)

    def resolve(real, step, request):
        name = real(step, request)
        check(step)
        return name
    t.wrap("admission.resolve", resolve)

@fault("world-binding-after-revocation", "ADMISSION-1", "the token's own reasons come before the request binding")
def _(t):
    t.before("admission.check_binding", "request-binding", lambda step, joining, pool: joining.token_id and t.token.admit(
        step.store.find("tokens", joining.token_id), joining.request["role"], step.at))

@fault("world-binding-policy-ignored", "BINDING-2", "the pool's requestBinding has no effect in a join")
def _(t):
    t.put("destination.requires_binding", lambda pool: False)

@fault("world-audit-always-joined", "ADMISSION-5", "the audit row of a reclaim says node.joined")
def _(t):
    t.put("admission.audit_action", lambda old: "node.joined")

@fault("world-event-name-reclaimed", "ADMISSION-5", "a reclaim publishes node.reclaimed and not node.joined")
def _(t):
    def announce(real, step, joining, node, leaf, old):
        real(step, joining, node, leaf, old)
        step.store.events[-1]["name"] = t.admission.audit_action(old)
    t.wrap("admission.announce", announce)

@fault("world-no-audit", "ADMISSION-5", "a join leaves no audit row")
def _(t):
    t.wrap("admission.announce", lambda real, step, *rest: (real(step, *rest), step.store.audit.pop()))

@fault("world-trust-misreported", "ADMISSION-5", "event and audit row say of every key that it is trusted")
def _(t):
    t.wrap("admission.told", lambda real, *args: dict(real(*args), hardwareKeyTrusted=True))

@fault("world-event-without-token", "TOKEN-12", "event and audit row do not name the token")
def _(t):
    t.wrap("admission.told", lambda real, *args: {name: value for name, value in real(*args).items() if name != "tokenId"})

@fault("world-node-keeps-first-token", "TOKEN-12", "the row of a reclaimed node goes on naming the token of its first join")
def _(t):
    def land(real, step, joining, row, pool, node, trusted):
        first = node and node["tokenId"]
        response = real(step, joining, row, pool, node, trusted)
        if node is not None:
            node["tokenId"] = first
        return response
    t.wrap("admission.land", land)

@fault("world-queued-at-once", "ADMISSION-6", "nodes are queued even where the pool has acceptance checks")
def _(t):
    t.put("admission.queues", always)

@fault("world-site-agent-waits", "ADMISSION-6", "a site agent is not queued where the pool has acceptance checks")
def _(t):
    t.put("admission.queues", lambda node, pool: not pool["acceptanceChecks"])

@fault("world-attestor-unconfigured", "ADMISSION-7", "an attestor is used although it is not configured")
def _(t):
    t.wrap("admission.resolve", lambda real, step, request: request["attestor"] if request["attestor"] == "x509pop" else real(step, request))

@fault("world-foreign-evidence", "ADMISSION-7", "a seal beside the evidence of x509pop is opened too")
def _(t):
    def prove(real, step, joining):
        if "seal" in joining.request:
            t.admission.open_seal(step, joining)
        return real(step, joining)
    t.wrap("x509pop.prove", prove)

@fault("world-untrusted-key-trusted", "HARDWARE-KEY-3", "a pinned token makes an untrusted key trusted")
def _(t):
    t.wrap("admission.is_trusted", lambda real, *args: real(*args) or True)

# ---- SEAL-8 ----

@fault("world-answer-not-stored", "SEAL-8", "nothing is stored, so a resend is a new join")
def _(t):
    t.skip("resend.keep")

@fault("world-answer-after-revocation", "SEAL-8", "the stored answer is given although the token was revoked")
def _(t):
    t.skip("resend.check_token")

@fault("world-answer-dead-leaf", "SEAL-8", "the stored answer is given although its certificate is dead, revoked or of an older generation")
def _(t):
    t.skip("resend.check_leaf")

@fault("world-answer-expired-leaf", "SEAL-8", "the stored answer is given although its certificate has expired")
def _(t):
    t.wrap("resend.check_leaf", lambda real, step, entry: step.store.cert(entry["serial"])["revoked"] is not None and real(step, entry))

@fault("world-answer-other-claims", "SEAL-8", "the stored answer is given for other claims")
def _(t):
    t.wrap("resend.asked", lambda real, joining: real(joining)[:3])

@fault("world-answer-raw-claims", "SEAL-8", "claims are compared as sent, not as normalized")
def _(t):
    t.wrap("resend.asked", lambda real, joining: (*real(joining)[:3], joining.request["claims"]))

@fault("world-answer-other-role", "SEAL-8", "the stored answer is given for another role")
def _(t):
    t.wrap("resend.asked", lambda real, joining: (*real(joining)[:2], joining.normal))

@fault("world-answer-attestor-spelling", "SEAL-8", "the empty attestor and join-token count as different")
def _(t):
    t.wrap("resend.asked", lambda real, joining: (*real(joining), joining.request["attestor"]))

@fault("world-answer-costs-use", "SEAL-8", "a stored answer takes a use, if one is left")
def _(t):
    def find(real, step, joining, row):
        stored = real(step, joining, row)
        if stored is not None and row["usesLeft"]:
            row["usesLeft"] -= 1
        return stored
    t.wrap("resend.find", find)

@fault("world-answer-evented", "SEAL-8", "a stored answer publishes node.joined once more")
def _(t):
    def find(real, step, joining, row):
        stored = real(step, joining, row)
        if stored is not None:
            step.store.events.append(next(event for event in step.store.events if event["name"] == "node.joined"))
        return stored
    t.wrap("resend.find", find)

@fault("world-answer-after-token-checks", "SEAL-8", "revocation, expiry and uses are judged before the stored answer is looked up")
def _(t):
    def find(real, step, joining, row):
        if t.resend.seal_hash(joining.request["seal"]) in step.store.answers:
            t.token.admit(row, joining.request["role"], step.at)
        return real(step, joining, row)
    t.wrap("resend.find", find)

@fault("world-revoked-before-replayed", "SEAL-8", "revocation is judged before the stored answer is looked up")
def _(t):
    def find(real, step, joining, row):
        t.token.check_revoked(row)
        return real(step, joining, row)
    t.wrap("resend.find", find)

@fault("world-binding-before-answer", "ADMISSION-1", "the request binding is judged before the stored answer is looked up")
def _(t):
    def find(real, step, joining, row):
        t.admission.check_binding(step, joining, step.store.find("pools", row["poolId"]))
        return real(step, joining, row)
    t.wrap("resend.find", find)

@fault("world-seal-replay-admitted", "SEAL-8", "under refuse a seal that has admitted a join is judged as a new one")
def _(t):
    t.wrap("resend.find", lambda real, step, *rest: None if step.choice("seal.resend") == "refuse" else real(step, *rest))

@fault("world-seal-answered-under-refuse", "SEAL-8", "under refuse the stored answer is given all the same")
def _(t):
    def find(real, step, *rest):
        kept, step.choice = step.choice, lambda name: "stored-answer" if name == "seal.resend" else kept(name)
        try:
            return real(step, *rest)
        finally:
            step.choice = kept
    t.wrap("resend.find", find)

@fault("world-refused-seal-burnt", "SEAL-8", "a refused join records its seal, so the same seal cannot be sent again")
def _(t):
    burnt = set()

    def under_lock(real, step, joining, row):
        try:
            return real(step, joining, row)
        except Reject:
            burnt.add(t.resend.seal_hash(joining.request["seal"]))
            raise

    def find(real, step, joining, row):
        if t.resend.seal_hash(joining.request["seal"]) in burnt:
            t.resend.refuse("burnt")
        return real(step, joining, row)
    t.wrap("admission.under_lock", under_lock)
    t.wrap("resend.find", find)

@fault("world-answer-forgotten-at-restart", "SEAL-8", "stored answers are kept in memory only")
def _(t):
    t.wrap("world.restart", lambda real, step, args: step.store.answers.clear() or real(step, args))

# ---- DESTINATION ----

@fault("world-pool-agent-unchecked", "DESTINATION-2", "a pool need not run the daemon")
def _(t):
    t.wrap("destination.check_agent", lambda real, pool: real(pool and dict(pool, agent="bcd")))

@fault("world-pool-agent-folded", "DESTINATION-2", "the pool's agent is compared without regard to case")
def _(t):
    t.wrap("destination.check_agent", lambda real, pool: real(pool and dict(pool, agent=pool["agent"].lower())))

@fault("world-pool-tenant-unchecked", "DESTINATION-2", "the pool need not belong to the token's tenant")
def _(t):
    t.skip("destination.check_tenant")

@fault("world-pool-policy-ignored", "DESTINATION-2", "policy.joinAttestors has no effect")
def _(t):
    t.skip("destination.check_attestor")

@fault("world-pool-policy-empty-allows", "DESTINATION-2", "an empty joinAttestors allows all attestors")
def _(t):
    t.wrap("destination.check_attestor", lambda real, pool, attestor: pool["policy"].get("joinAttestors") == [] or real(pool, attestor))

@fault("world-pool-policy-x509pop-exempt", "DESTINATION-2", "policy.joinAttestors holds for token joins alone")
def _(t):
    t.wrap("destination.check_attestor", lambda real, pool, attestor: attestor == "join-token" and real(pool, attestor))

@fault("world-pool-policy-reclaim-exempt", "DESTINATION-2", "a reclaim is not subject to policy.joinAttestors")
def _(t):
    known = []

    def known_node(real, *args):
        known[:] = [real(*args)]
        return known[0]
    t.wrap("admission.known_node", known_node)
    t.wrap("destination.check_attestor", lambda real, pool, attestor: known and known.pop() or real(pool, attestor))

@fault("world-pool-attestor-before-tenant", "DESTINATION-2", "the attestor's policy is judged before the pool's tenant")
def _(t):
    t.before("destination.check_token_pool", "pool-tenant", lambda pool, row: t.destination.check_attestor(pool, "join-token"))

@fault("world-pool-tenant-before-agent", "DESTINATION-2", "the pool's tenant is judged before its agent")
def _(t):
    t.before("destination.check_token_pool", "pool-agent", lambda pool, row: pool and t.destination.check_tenant(pool, row))

@fault("world-pool-before-reclaim", "DESTINATION-2", "the pool is judged before reclaim")
def _(t):
    t.before("admission.known_node", "reclaim", lambda step, joining, row, pool: t.destination.check_token_pool(pool, row))

# ---- RECLAIM ----

@fault("world-key-looked-up-in-pool", "RECLAIM-1", "a key is looked up among the nodes of the token's pool only")
def _(t):
    def judge(real, step, row, pool, key):
        node = t.reclaim.live_owner(step.store, key)
        return None if node is not None and node["poolId"] != row["poolId"] else real(step, row, pool, key)
    t.wrap("reclaim.judge", judge)

@fault("world-untrusted-key-looked-up", "RECLAIM-1", "an untrusted key is looked up, and refused where a node has it")
def _(t):
    def is_trusted(real, step, joining, row):
        trusted = real(step, joining, row)
        if not trusted and any(node["key"] == joining.key and not node["retired"] for node in step.store.nodes):
            raise t.reclaim.Reject("reclaim")
        return trusted
    t.wrap("admission.is_trusted", is_trusted)

@fault("world-reclaim-without-allow", "RECLAIM-2", "any token of the pool reclaims, without allowReclaim")
def _(t):
    t.wrap("reclaim.fits", lambda real, node, row, pool: real(node, dict(row, allowReclaim=True), pool))

@fault("world-reclaim-never", "RECLAIM-2", "a token with allowReclaim reclaims nothing")
def _(t):
    t.put("reclaim.fits", lambda node, row, pool: False)

@fault("world-reclaim-across-pools", "RECLAIM-2", "a token reclaims a node of another pool")
def _(t):
    t.put("reclaim.is_same_pool", always)

@fault("world-reclaim-across-sites", "RECLAIM-2", "a token reclaims a node of another site")
def _(t):
    t.put("reclaim.is_same_site", always)

@fault("world-reclaim-across-tenants", "RECLAIM-2", "a token reclaims a node of another tenant")
def _(t):
    t.put("reclaim.is_same_tenant", always)

@fault("world-reclaim-across-roles", "RECLAIM-2", "a token reclaims a node of another kind")
def _(t):
    t.put("reclaim.is_same_role", always)

@fault("world-reclaim-certificate-role", "RECLAIM-2", "the token's role is compared with the node's certificate role")
def _(t):
    t.put("reclaim.is_same_role", lambda node, row: node["certificateRole"] == row["role"])

@fault("world-reclaim-new-id", "RECLAIM-3", "a reclaimed node gets a new id")
def _(t):
    def advance(real, step, node):
        real(step, node)
        node["id"] = t.admission.new_id("node", step.at)
    t.wrap("reclaim.advance", advance)

@fault("world-generation-not-raised", "RECLAIM-3", "a reclaim leaves the generation as it was")
def _(t):
    t.put("reclaim.next_generation", lambda node: node["generation"])

@fault("world-older-not-revoked", "RECLAIM-3", "a reclaim revokes nothing")
def _(t):
    t.wrap("reclaim.revoke_all", lambda real, step, node, reason: reason == "retired" and real(step, node, reason))

@fault("world-only-newest-revoked", "RECLAIM-3", "a reclaim revokes the newest certificate alone")
def _(t):
    t.wrap("reclaim.unrevoked", lambda real, store, node: real(store, node)[-1:])

@fault("world-expired-not-revoked", "RECLAIM-3", "certificates that have expired are not revoked")
def _(t):
    def revoke_all(real, step, node, reason):
        unrevoked = t.real("reclaim.unrevoked")
        t.put("reclaim.unrevoked", lambda *args: [row for row in unrevoked(*args) if not t.certificate.is_over(row["notAfter"], step.at)])
        try:
            real(step, node, reason)
        finally:
            t.put("reclaim.unrevoked", unrevoked)
    t.wrap("reclaim.revoke_all", revoke_all)

@fault("world-revoked-twice", "RECLAIM-3", "certificates that were revoked before are revoked and announced again")
def _(t):
    t.put("reclaim.unrevoked", lambda store, node: store.certs_of(node["id"]))

@fault("world-revocation-silent", "RECLAIM-3", "revocations publish no event")
def _(t):
    def revoke_all(real, step, node, reason):
        count = len(step.store.events)
        real(step, node, reason)
        del step.store.events[count:]
    t.wrap("reclaim.revoke_all", revoke_all)

@fault("world-acceptance-not-again", "RECLAIM-3", "a reclaimed node stays queued, so acceptance does not run again")
def _(t):
    def settle(real, step, node, pool, joining):
        queued = node.get("queued")
        real(step, node, pool, joining)
        node["queued"] = node["queued"] if queued is None else queued
    t.wrap("admission.settle", settle)

@fault("world-old-hash-of-first", "RECLAIM-3", "the old hash in the event is that of the node's first certificate")
def _(t):
    def before(real, store, node):
        rows = store.certs_of(node["id"])
        return dict(real(store, node), oldSpkiSha256=t.reclaim.sha256(rows[0]["spki"]).hex()) if rows else real(store, node)
    t.wrap("reclaim.before", before)

@fault("world-old-members-missing", "RECLAIM-3", "event and audit row do not tell the old generation and key")
def _(t):
    t.wrap("admission.told", lambda real, *args: {name: value for name, value in real(*args).items() if not name.startswith("old")})

@fault("world-retired-node-blocks", "RECLAIM-4", "a retired node's key is refused under new-node too")
def _(t):
    t.wrap("reclaim.check_retired", lambda real, store, key, choice: real(store, key, "refuse"))

@fault("world-retired-never-refused", "RECLAIM-4", "under refuse a retired node's key joins as new")
def _(t):
    t.skip("reclaim.check_retired")

@fault("world-retired-beside-live", "RECLAIM-4", "under refuse a retired node counts although a live one has the key too")
def _(t):
    def judge(real, step, row, pool, key):
        t.reclaim.check_retired(step.store, key, step.choice("reclaim.retired"))
        return real(step, row, pool, key)
    t.wrap("reclaim.judge", judge)

@fault("world-retired-node-reclaimed", "RECLAIM-4", "a retired node comes back by a token with allowReclaim")
def _(t):
    def judge(real, step, row, pool, key):
        if t.reclaim.live_owner(step.store, key) is None:
            for node in t.reclaim.owners(step.store, key, True):
                node["retired"] = False
        return real(step, row, pool, key)
    t.wrap("reclaim.judge", judge)

@fault("world-retire-keeps-certificates", "RECLAIM-4", "retiring a node revokes nothing")
def _(t):
    t.wrap("reclaim.revoke_all", lambda real, step, node, reason: reason == "reclaimed" and real(step, node, reason))

@fault("world-retire-says-reclaimed", "RECLAIM-4", "the certificates of a retired node are revoked with the reason reclaimed")
def _(t):
    t.wrap("reclaim.revoke_all", lambda real, step, node, reason: real(step, node, "reclaimed"))

@fault("world-tpm-bound-reclaimed", "RECLAIM-5", "a token reclaims a TPM-bound node under same-tpm")
def _(t):
    t.skip("reclaim.check_tpm")

@fault("world-tpm-bound-under-any", "RECLAIM-5", "a token does not reclaim a TPM-bound node under any")
def _(t):
    t.wrap("reclaim.check_tpm", lambda real, store, node, choice: real(store, node, "same-tpm"))

@fault("world-tpm-bound-by-any-certificate", "RECLAIM-5", "a node is TPM-bound when any certificate of any generation names an AK")
def _(t):
    t.put("reclaim.is_tpm_bound", lambda store, node: any(t.certificate.names_ak(row) for row in store.certs_of(node["id"])))

@fault("world-tpm-bound-expired-ignored", "RECLAIM-5", "an expired certificate does not make a node TPM-bound")
def _(t):
    def judge(real, step, row, pool, key):
        bound = t.real("reclaim.is_tpm_bound")
        t.put("reclaim.is_tpm_bound", lambda store, node: bound(store, node) and not t.certificate.is_over(
            store.certs_of(node["id"])[-1]["notAfter"], step.at))
        try:
            return real(step, row, pool, key)
        finally:
            t.put("reclaim.is_tpm_bound", bound)
    t.wrap("reclaim.judge", judge)

@fault("world-old-node-key-lost", "RECLAIM-5", "the audit row of a TPM-bound node's reclaim says oldNodeKey unattested")
def _(t):
    t.put("reclaim.node_key", lambda row: "unattested")
