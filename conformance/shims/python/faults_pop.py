"""The named faults of the worlds: X509POP."""
from patches import fault
from twin.verdicts import Reject

@fault("pop-cross-purpose", "X509POP-1", "a proof of a renewal passes")
def _(t):
    def check_proof(real, row, purpose, *rest):
        try:
            real(row, purpose, *rest)
        except Reject:
            real(row, "renew-pop" if purpose == "x509pop" else purpose, *rest)
    t.wrap("renewal.check_proof", check_proof)

@fault("pop-not-dead-yet", "X509POP-1", "the grace begins with the second of notAfter")
def _(t):
    t.wrap("x509pop.check_dead", lambda real, row, now: real(row, now + 1000))

@fault("pop-still-valid-passes", "X509POP-1", "a certificate that has not expired joins")
def _(t):
    t.skip("x509pop.check_dead")

@fault("pop-grace-millisecond-more", "X509POP-1", "the grace is one millisecond longer")
def _(t):
    t.wrap("x509pop.check_grace", lambda real, row, now: real(row, now - 1))

@fault("pop-grace-from-not-after", "X509POP-1", "the grace ends one second early, counted from notAfter itself")
def _(t):
    t.x509pop.GRACE_S -= 1

@fault("pop-no-grace-end", "X509POP-1", "the grace never ends")
def _(t):
    t.skip("x509pop.check_grace")

@fault("pop-own-memory", "X509POP-1", "each purpose has a memory and a floor of its own")
def _(t):
    def use_proof(real, step, row, key, client_time):
        real(step, dict(row, nodeId=row["nodeId"] + str(key[0])) if key[0] == "x509pop" else row, key, client_time)
    t.wrap("renewal.use_proof", use_proof)

@fault("pop-no-replay-memory", "X509POP-1", "the proof of a join is not recorded")
def _(t):
    t.during("x509pop.prove", "renewal.use_proof", lambda step, row, key, client_time: None)

@fault("pop-proof-undone-by-refusal", "ADMISSION-2", "a proof is not recorded when the pool or the binding refuses")
def _(t):
    def join(real, step, joining):
        before = t.world.copy.deepcopy(step.store.proofs)
        try:
            return real(step, joining)
        except Reject as refused:
            if refused.cat in ("request-binding", "pool-agent", "pool-attestor", "key-attestation-missing"):
                step.store.proofs = before
            raise
    t.wrap("x509pop.join", join)

@fault("pop-is-no-reclaim", "X509POP-1", "event and audit row do not call it a reclaim")
def _(t):
    t.wrap("admission.announce", lambda real, step, joining, node, leaf, old: real(
        step, joining, node, leaf, None if joining.attestor == "x509pop" else old))

@fault("pop-event-names-token", "X509POP-1", "event and audit row name the token of the node's first join")
def _(t):
    def told(real, joining, node, leaf, old):
        members = real(joining, node, leaf, old)
        return dict(members, tokenId=node["tokenId"]) if joining.attestor == "x509pop" and node["tokenId"] else members
    t.wrap("admission.told", told)

@fault("pop-superseded-passes", "X509POP-2", "an older certificate of the generation joins")
def _(t):
    t.skip("x509pop.check_newest")

@fault("pop-newest-by-date", "X509POP-2", "the newest certificate is the one with the latest notAfter")
def _(t):
    def check_newest(step, row, node):
        if max(one["notAfter"] for one in step.store.certs_of(node["id"], node["generation"])) > row["notAfter"]:
            raise Reject("pop-superseded")
    t.put("x509pop.check_newest", check_newest)

@fault("pop-ak-unattested", "X509POP-3", "a leaf with an AK statement joins without key_attestation")
def _(t):
    t.during("x509pop.prove", "renewal.check_attestation", lambda row: None)

@fault("pop-role-as-asked", "X509POP-3", "the certificate gets the role that was asked")
def _(t):
    def issue(real, step, joining):
        t.put("x509pop.kept", lambda row: t.certificate.Grant(joining.request["role"], row["statements"], row["allowedKinds"], row["ttlLimitS"]))
        return real(step, joining)
    t.wrap("x509pop.join", issue)

@fault("pop-kinds-dropped", "X509POP-3", "the allowed kinds are dropped")
def _(t):
    t.put("x509pop.kept", lambda row: t.certificate.Grant(row["role"], row["statements"], None, row["ttlLimitS"]))

@fault("pop-limit-dropped", "CERTIFICATE-1", "the ttl limit of the attestor that admitted the node does not hold after x509pop")
def _(t):
    t.put("x509pop.kept", lambda row: t.certificate.Grant(row["role"], row["statements"], row["allowedKinds"], None))

@fault("pop-statements-dropped", "X509POP-3", "the statements of the old leaf are dropped")
def _(t):
    t.put("x509pop.kept", lambda row: t.certificate.Grant(row["role"], [], row["allowedKinds"], row["ttlLimitS"]))

@fault("pop-claims-looked-up", "X509POP-3", "claims whose key belongs to another node are refused")
def _(t):
    def prove(real, step, joining):
        row, node = real(step, joining)
        owner = t.reclaim.live_owner(step.store, joining.key)
        if owner is not None and owner is not node:
            raise Reject("reclaim")
        return row, node
    t.wrap("x509pop.prove", prove)

@fault("pop-key-rewritten", "X509POP-3", "the node's hardware key becomes that of the claims")
def _(t):
    def settle(real, step, node, pool, joining):
        real(step, node, pool, joining)
        if joining.attestor == "x509pop":
            node["key"] = joining.key
    t.wrap("admission.settle", settle)

@fault("pop-trust-of-claims", "X509POP-3", "the node is as trusted as the claims of this join")
def _(t):
    def settle(real, step, node, pool, joining):
        real(step, node, pool, joining)
        if joining.attestor == "x509pop":
            node["trusted"] = t.hardware_key.trusted(joining.normal, step.choice("hwkey.independence"))
    t.wrap("admission.settle", settle)

@fault("pop-names-renewed-from", "X509POP-3", "the row names the old certificate as the one it was renewed from")
def _(t):
    t.put("x509pop.kept", t.real("renewal.kept"))

@fault("pop-chain-of-five", "X509POP-4", "a chain of five certificates passes")
def _(t):
    t.x509pop.MAX_CHAIN += 1

@fault("pop-chain-of-three", "X509POP-4", "a chain of four certificates is refused")
def _(t):
    t.x509pop.MAX_CHAIN -= 1

@fault("pop-chain-not-parsed", "X509POP-4", "further entries of the chain may be anything")
def _(t):
    t.wrap("x509pop.check_chain", lambda real, chain: real(chain[:1] * min(len(chain), 9)))

@fault("pop-chain-size-unchecked", "X509POP-4", "an entry of the chain may have more than 4096 octets")
def _(t):
    t.x509pop.MAX_CERTIFICATE = 65536

@fault("pop-chain-unknown-first", "X509POP-5", "a chain over the limits is reported as unknown")
def _(t):
    t.before("x509pop.prove", "pop-chain", lambda step, joining: "x509pop" in joining.request and t.renewal.find_leaf(
        step.store, joining.request["x509pop"]["chain"]))

def order(t, cat, check):
    """Where the row is refused with `cat`, another check comes first."""
    t.before("x509pop.check_row", cat, lambda step, row, node: check(step, row, node))

@fault("pop-dead-before-revoked", "X509POP-5", "that the certificate is alive is judged before revocation")
def _(t):
    order(t, "cert-revoked", lambda step, row, node: t.x509pop.check_dead(row, step.at))

@fault("pop-superseded-before-retired", "X509POP-5", "that it is superseded is judged before retirement")
def _(t):
    order(t, "node-retired", lambda step, row, node: t.x509pop.check_newest(step, row, node))

@fault("pop-generation-before-grace", "X509POP-5", "the generation is judged before the grace")
def _(t):
    order(t, "grace", lambda step, row, node: t.renewal.check_generation(row, node))

@fault("pop-live-cap", "X509POP-5", "renew-limit holds for x509pop too")
def _(t):
    def prove(real, step, joining):
        row, node = real(step, joining)
        if len(step.store.certs_of(node["id"], node["generation"])) >= t.certificate.MAX_LIVE:
            raise Reject("renew-limit")
        return row, node
    t.wrap("x509pop.prove", prove)

@fault("pop-pool-unasked", "X509POP-5", "the pool's agent and policy are not asked")
def _(t):
    t.skip("destination.check_node_pool")

@fault("pop-binding-unchecked", "X509POP-5", "the request binding is not compared")
def _(t):
    t.wrap("admission.check_binding", lambda real, step, joining, pool: joining.attestor == "x509pop" or real(step, joining, pool))

@fault("pop-pool-before-binding", "X509POP-5", "the pool's reasons come before the request binding")
def _(t):
    t.before("admission.check_binding", "request-binding", lambda step, joining, pool: (
        joining.attestor == "x509pop" and t.destination.check_node_pool(pool, "x509pop")))

@fault("pop-binding-with-token", "BINDING-1", "the hash of a request without a token has none for the token's id")
def _(t):
    real = t.admission.Joining.bind
    t.admission.Joining.bind = lambda joining, token_id: real(joining, token_id or "none")
