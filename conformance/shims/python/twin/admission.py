"""How a Join becomes a node: the order of its checks and the one transaction (docs/spec/10-admission.md)."""
from . import answer, binding, certificate, claims, csr, destination, expect, hardware_key, hosted, reclaim, refusal, resend, seal, token
from .octets import new_id, sha256
from .verdicts import BadCall, Failure, Reject


class Joining:
    """One request to join, as far as it has been read."""

    def __init__(self, request, attestor, trail, reading):
        self.request, self.attestor, self.trail, self.reading = request, attestor, trail, reading
        self.parsed = self.normal = self.key = None
        self.token_id, self.request_hash = "", b""

    def bind(self, token_id):
        """BINDING-1: the hash of the request, now that its token is known."""
        self.token_id = token_id
        self.request_hash = binding.request_hash(dict(self.request, tokenId=token_id))


# ---- before any lock ----

def key_of(step, normal):
    return hardware_key.key(normal, step.choice("hwkey.selection"), step.choice("hwkey.independence"))


def read_owner(step, request):
    """ADMISSION-4: which live node the trusted key belongs to, before any lock; it judges nothing."""
    if binding.attestor_name(request["attestor"]) != "join-token":
        return None
    try:
        normal = claims.normalize(request["claims"])
    except Reject:
        return None
    if not hardware_key.trusted(normal, step.choice("hwkey.independence")):
        return None
    return reclaim.reading(step.store, key_of(step, normal))


def join(step, args):
    return decide(step, args, read_owner(step, args))


def begin(step, args):
    """join-begin: the reading alone is kept."""
    if args["ticket"] in step.world.tickets:
        raise BadCall("ticket: open already")
    step.world.tickets[args["ticket"]] = (args, read_owner(step, args))
    return {}


def finish(step, args):
    if args["ticket"] not in step.world.tickets:
        raise BadCall("ticket: unknown or used")
    return decide(step, *step.world.tickets.pop(args["ticket"]))


# ---- the checks ----

def decide(step, request, reading):
    """The answer of a join, or its refusal with the event."""
    certificate.check_config(step)
    trail = refusal.JoinTrail(step, request)
    try:
        return {"response": admit(step, request, reading, trail)}
    except Failure:
        raise
    except Reject as refused:
        refusal.publish(step, trail, refused.cat)
        raise


def resolve(step, request):
    """ADMISSION-7: the name of a configured attestor."""
    name = binding.attestor_name(request["attestor"])
    if name not in step.config.attestors or name not in ATTESTORS:
        raise Reject("attestor")
    return name


def admit(step, request, reading, trail):
    """What all attestors have in common, then the named one's evidence."""
    name = resolve(step, request)
    trail.saw_attestor(name)
    joining = Joining(request, name, trail, reading)
    token.check_role(request["role"])
    joining.parsed = csr.check(request["csr"])
    joining.normal = claims.normalize(request["claims"])
    joining.key = key_of(step, joining.normal)
    trail.saw_claims(joining.key)
    return ATTESTORS[name](step, joining)


def check_binding(step, joining, pool):
    choice = step.choice("request-binding")
    binding.check(joining.parsed, joining.request_hash, destination.requires_binding(pool), choice)


def open_seal(step, joining):
    """The id and the secret of the token in the seal."""
    if "seal" not in joining.request:
        raise Reject("seal", "absent")
    window = step.config.iat_window
    _, ident, secret, _ = seal.open_seal(joining.request["seal"], joining.request["csr"], step.config.encryption, window, step)
    return ident, secret


def token_join(step, joining):
    ident, secret = open_seal(step, joining)
    row = step.store.find("tokens", ident)
    token.authenticate(row, ident, secret)
    joining.trail.saw_owner(row["tenant"])
    joining.bind(ident)
    with step.transaction():
        stored = resend.find(step, joining, row)
        return stored if stored is not None else under_lock(step, joining, row)


def take_use(step, joining, row):
    """TOKEN-11, and one use goes (ADMISSION-3)."""
    row["usesLeft"] = token.admit(row, joining.request["role"], step.at)


def check_expect(joining, row):
    if row["expect"] is not None:
        expect.match(row["expect"], joining.normal)


def is_trusted(step, joining, row):
    """HARDWARE-KEY-3."""
    return hardware_key.admit(joining.normal, row["expect"] is not None, step.choice("hwkey.independence"))


def check_race(step, joining):
    """ADMISSION-4: the second reading must be the first."""
    if reclaim.reading(step.store, joining.key) != joining.reading:
        raise Failure("CONFLICT", "This machine joined concurrently; retry")


def known_node(step, joining, row, pool):
    """The race, then RECLAIM: the node that comes back, or None."""
    check_race(step, joining)
    return reclaim.judge(step, row, pool, joining.key)


def under_lock(step, joining, row):
    """ADMISSION-1, from the request binding on; whatever fails undoes all of it."""
    pool = step.store.find("pools", row["poolId"])
    check_binding(step, joining, pool)
    take_use(step, joining, row)
    check_expect(joining, row)
    trusted = is_trusted(step, joining, row)
    node = known_node(step, joining, row, pool) if trusted else None
    destination.check_token_pool(pool, row)
    return land(step, joining, row, pool, node, trusted)


# ---- the rows ----

def land(step, joining, row, pool, node, trusted):
    """The node, its certificate, the stored answer, then event and audit row."""
    site = step.store.find("sites", pool["siteId"])
    owned = hosted.platform_owns(pool, site, step.config.root_tenant)
    role = hosted.certificate_role(row, node and node["certificateRole"], pool, owned)
    old = None
    if node is None:
        node = insert(step, joining, row, pool, trusted)
    else:
        old = reclaim.before(step.store, node)
        reclaim.advance(step, node)
    node["certificateRole"], node["tokenId"] = role, row["id"]
    settle(step, node, pool, joining)
    grant = certificate.Grant(role, [], row["allowedKinds"], row["ttlLimitS"])
    leaf = certificate.issue(step, node, joining.parsed.spki, grant)
    response = answer.to_join(step, joining, node, leaf)
    resend.keep(step, joining, leaf, response)
    announce(step, joining, node, leaf, old)
    return response


def insert(step, joining, row, pool, trusted):
    """A new node, generation 1."""
    node = {
        "id": new_id("node", step.at), "tenant": pool["ownerTenant"], "poolId": pool["id"], "siteId": pool["siteId"], "kind": row["role"],
        "generation": 1, "retired": False, "key": joining.key, "trusted": trusted}
    step.store.nodes.append(node)
    return node


def queues(node, pool):
    """ADMISSION-6: where nothing has to be accepted first, and for site agents."""
    return not pool["acceptanceChecks"] or node["kind"] == "site"


def settle(step, node, pool, joining):
    """What every admission writes into the node's row."""
    site = step.store.find("sites", pool["siteId"])
    node["claims"] = joining.normal
    node["queued"] = queues(node, pool)
    node["tenantOwned"] = hosted.tenant_owned(pool, site, hosted.platform_owns(pool, site, step.config.root_tenant))


# ---- event and audit row ----

def told(joining, node, leaf, old):
    """ADMISSION-5 and RECLAIM-3: the members of event and audit row."""
    members = {
        "nodeId": node["id"], "attestor": joining.attestor, "reclaim": old is not None, "hardwareKeyTrusted": node["trusted"],
        "serial": leaf["serial"], "nodeKey": "unattested", "generation": node["generation"]}
    if joining.token_id:
        members["tokenId"] = joining.token_id
    if old is not None:
        members.update(old, newGeneration=node["generation"], newSpkiSha256=sha256(leaf["spki"]).hex())
    return members


def audit_action(old):
    return "node.joined" if old is None else "node.reclaimed"


def announce(step, joining, node, leaf, old):
    members = told(joining, node, leaf, old)
    step.store.events.append({"name": "node.joined", "tenant": node["tenant"], **members})
    step.store.audit.append({"action": audit_action(old), "tenant": node["tenant"], **members})


# ---- attestors ----

def without_evidence(word):
    """A step of a world brings no evidence of this attestor; absent, it is this reason (ADMISSION-7)."""
    def refuse(step, joining):
        raise Reject(word, "absent")
    return refuse


def x509pop_join(step, joining):
    from . import x509pop
    return x509pop.join(step, joining)


ATTESTORS = {
    "join-token": token_join, "x509pop": x509pop_join, "tpm": without_evidence("challenge-unknown"), "discovery": without_evidence("voucher")}
