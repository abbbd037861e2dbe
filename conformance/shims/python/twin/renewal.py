"""A fresh certificate for a live node, and the memory of proofs (docs/spec/17-renewal.md)."""
from . import answer, certificate, csr, refusal, signature
from .octets import i64, sha256
from .verdicts import Reject

SKEW_MS = 60000
REPLAY_MS = 120000


# ---- the proof ----

def find_leaf(store, chain):
    """RENEWAL-2: the first entry, byte for byte a row; others are not looked at."""
    rows = [row for row in store.certs if chain and row["der"] == chain[0]]
    if not rows:
        raise Reject("cert-unknown")
    return rows[0]


def proof_message(purpose, octets, node_id, client_time):
    return signature.message_of(purpose, [sha256(octets), node_id.encode("utf-8"), i64(client_time)])


def check_proof(row, purpose, octets, client_time, sig):
    """RENEWAL-1: by the leaf's key, over the hash of the CSR, the node id of the row and the client time."""
    if not signature.verify(row["spki"], sig, proof_message(purpose, octets, row["nodeId"], client_time)):
        raise Reject("pop-signature")


def check_identity(row, caller):
    """RENEWAL-2: the SPIFFE ID that the gateway reports; the leaves may differ."""
    if caller != row["spiffe"]:
        raise Reject("identity")


def check_revoked(row):
    if row["revoked"] is not None:
        raise Reject("cert-revoked")


def check_expired(row, now_ms):
    if certificate.is_over(row["notAfter"], now_ms):
        raise Reject("cert-expired")


def check_generation(row, node):
    if row["generation"] != node["generation"]:
        raise Reject("generation")


def check_retired(node):
    if node["retired"]:
        raise Reject("node-retired")


def check_clock(client_time, now_ms):
    """RENEWAL-3: both ends are inside."""
    if abs(now_ms - client_time) > SKEW_MS:
        raise Reject("clock")


def check_attestation(row):
    """A step of a world brings no key attestation."""
    if certificate.names_ak(row):
        raise Reject("key-attestation-missing")


# ---- the memory, one for each node and for both purposes ----

def proof_key(purpose, octets, client_time, sig):
    """RENEWAL-3: the signed fields, never the signature's octets; the node is the memory's."""
    return purpose, sha256(octets), client_time


def has_left(entry, now_ms):
    return now_ms - entry["used"] > REPLAY_MS


def age(memory, now_ms):
    """Entries leave by age alone; the highest client time that has left is the floor."""
    for entry in memory["entries"]:
        if has_left(entry, now_ms):
            raise_floor(memory, entry["clientTime"])
    memory["entries"] = [entry for entry in memory["entries"] if not has_left(entry, now_ms)]


def raise_floor(memory, client_time):
    memory["floor"] = client_time if memory["floor"] is None else max(memory["floor"], client_time)


def check_floor(memory, client_time):
    if memory["floor"] is not None and client_time <= memory["floor"]:
        raise Reject("replay", "floor")


def check_unused(memory, key):
    if any(entry["key"] == key for entry in memory["entries"]):
        raise Reject("replay")


def use_proof(step, row, key, client_time):
    """The step `replay`: it is recorded for good, whatever becomes of the request."""
    memory = step.store.proofs.setdefault(row["nodeId"], {"entries": [], "floor": None})
    age(memory, step.at)
    check_floor(memory, client_time)
    check_unused(memory, key)
    memory["entries"].append({"key": key, "clientTime": client_time, "used": step.at})


def forget(store, node_id):
    """Retire and reclaim clear the entries and the floor."""
    store.proofs.pop(node_id, None)


# ---- Renew ----

def check_owner_sees(step, row, node, args):
    """RENEWAL-5, from `identity` to `node-retired`."""
    check_identity(row, args["caller"])
    check_revoked(row)
    check_expired(row, step.at)
    check_generation(row, node)
    check_retired(node)


def prove(step, trail, args):
    """All checks before the new certificate; the parsed CSR, the old leaf's row and the node."""
    parsed = csr.check(args["csr"])
    row = find_leaf(step.store, args["chain"])
    check_proof(row, "renew-pop", args["csr"], args["clientTimeMs"], args["popSig"])
    node = step.store.find("nodes", row["nodeId"])
    trail.saw_owner(node["tenant"])
    check_owner_sees(step, row, node, args)
    check_clock(args["clientTimeMs"], step.at)
    use_proof(step, row, proof_key("renew-pop", args["csr"], args["clientTimeMs"], args["popSig"]), args["clientTimeMs"])
    certificate.check_live(step, node)
    check_attestation(row)
    return parsed, row, node


def kept(row):
    """RENEWAL-4: role, kinds and statements of the old one, and its attestor's limit."""
    return certificate.Grant(row["role"], row["statements"], row["allowedKinds"], row["ttlLimitS"], row["serial"])


def renew(step, args):
    certificate.check_config(step)
    trail = refusal.RenewTrail(step, args["csr"])
    try:
        parsed, row, node = prove(step, trail, args)
    except Reject as refused:
        refusal.publish(step, trail, refused.cat)
        raise
    with step.transaction():
        leaf = certificate.issue(step, node, parsed.spki, kept(row))
        return {"response": answer.to_renew(step, node, leaf, args["csr"])}
