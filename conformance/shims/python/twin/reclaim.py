"""A known machine joins again, and the end of a node (docs/spec/11-reclaim.md)."""
from . import certificate, renewal
from .octets import sha256
from .verdicts import Failure, Reject


def owners(store, key, retired):
    """RECLAIM-1: the nodes of a trusted key, over the whole deployment."""
    return [node for node in store.nodes if node["trusted"] and node["key"] == key and node["retired"] is retired]


def live_owner(store, key):
    found = owners(store, key, False)
    return found[0] if found else None


def reading(store, key):
    """ADMISSION-4: what is read before the lock, and again under it."""
    node = live_owner(store, key)
    return None if node is None else (node["id"], node["generation"])


def is_same_pool(node, row):
    return node["poolId"] == row["poolId"]


def is_same_site(node, pool):
    return pool is not None and node["siteId"] == pool["siteId"]


def is_same_tenant(node, row):
    return node["tenant"] == row["tenant"]


def is_same_role(node, row):
    """RECLAIM-2: the token's role and the node's kind, never certificate roles."""
    return node["kind"] == row["role"]


def fits(node, row, pool):
    """RECLAIM-2: what a token must be to reclaim this node."""
    same = is_same_pool(node, row) and is_same_site(node, pool) and is_same_tenant(node, row) and is_same_role(node, row)
    return row["allowReclaim"] and same


def is_tpm_bound(store, node):
    """RECLAIM-5: the newest certificate of the current generation, expired or not, names an AK."""
    rows = store.certs_of(node["id"], node["generation"])
    return bool(rows) and certificate.names_ak(rows[-1])


def check_tpm(store, node, choice):
    if choice == "same-tpm" and is_tpm_bound(store, node):
        raise Reject("reclaim", "TPM-bound")


def check_retired(store, key, choice):
    """RECLAIM-4."""
    if choice == "refuse" and owners(store, key, True):
        raise Reject("reclaim", "a retired node's key")


def judge(step, row, pool, key):
    """The node that a token join with this trusted key reclaims; None where it is a new one."""
    node = live_owner(step.store, key)
    if node is None:
        check_retired(step.store, key, step.choice("reclaim.retired"))
        return None
    if not fits(node, row, pool):
        raise Reject("reclaim")
    check_tpm(step.store, node, step.choice("reclaim.tpm-bound"))
    return node


def node_key(row):
    """ADMISSION-5: what its newest certificate says of the node's key."""
    return "tpm" if row is not None and certificate.names_ak(row) else "unattested"


def before(store, node):
    """RECLAIM-3: what event and audit row tell of the node as it was."""
    rows = store.certs_of(node["id"])
    newest = rows[-1] if rows else None
    return {
        "oldGeneration": node["generation"], "oldSpkiSha256": None if newest is None else sha256(newest["spki"]).hex(),
        "oldNodeKey": node_key(newest)}


def next_generation(node):
    return node["generation"] + 1


def unrevoked(store, node):
    return [row for row in store.certs_of(node["id"]) if row["revoked"] is None]


def revoke_all(step, node, reason):
    """One event for each certificate that was not revoked before, expired ones included, in the order issued."""
    for row in unrevoked(step.store, node):
        row["revoked"] = reason
        step.store.events.append({
            "name": "security.certificate-revoked", "tenant": node["tenant"], "serial": row["serial"], "nodeId": node["id"],
            "reason": reason})


def advance(step, node):
    """RECLAIM-3: the next generation; every older certificate, proof and floor goes."""
    node["generation"] = next_generation(node)
    revoke_all(step, node, "reclaimed")
    renewal.forget(step.store, node["id"])


def retire(step, args):
    """RECLAIM-4: the end of a node; again changes nothing."""
    node = step.store.find("nodes", args["nodeId"])
    if node is None:
        raise Failure("NOT_FOUND")
    if node["retired"]:
        return {}
    node["retired"] = True
    revoke_all(step, node, "retired")
    renewal.forget(step.store, node["id"])
    step.store.audit.append({"action": "node.retired", "tenant": node["tenant"], "nodeId": node["id"]})
    return {}
