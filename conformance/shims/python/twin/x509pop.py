"""Back after an outage with an expired certificate (docs/spec/18-x509pop.md)."""
from . import admission, answer, certificate, der, destination, reclaim, renewal, x509
from .verdicts import Reject

GRACE_S = 604800
MAX_CHAIN = 4
MAX_CERTIFICATE = 4096


def check_chain(chain):
    """X509POP-4: the limits, before any signature is looked at."""
    if not 1 <= len(chain) <= MAX_CHAIN:
        raise Reject("pop-chain", "number")
    for octets in chain:
        check_entry(octets)


def check_entry(octets):
    if not 1 <= len(octets) <= MAX_CERTIFICATE:
        raise Reject("pop-chain", "size")
    try:
        x509.Certificate(octets)
    except der.DerError as bad:
        raise Reject("pop-chain", str(bad)) from None


def check_dead(row, now_ms):
    if not certificate.is_over(row["notAfter"], now_ms):
        raise Reject("cert-not-expired")


def check_grace(row, now_ms):
    """X509POP-1: alive while now_ms < (notAfter + 1 + 604800) * 1000."""
    if now_ms >= (row["notAfter"] + 1 + GRACE_S) * 1000:
        raise Reject("grace")


def check_newest(step, row, node):
    """X509POP-2: newest is the order in which the rows were committed."""
    if step.store.certs_of(node["id"], node["generation"])[-1] is not row:
        raise Reject("pop-superseded")


def check_row(step, row, node):
    """X509POP-5, from `cert-revoked` to `pop-superseded`."""
    renewal.check_revoked(row)
    check_dead(row, step.at)
    check_grace(row, step.at)
    renewal.check_generation(row, node)
    renewal.check_retired(node)
    check_newest(step, row, node)


def evidence(join):
    found = join.request.get("x509pop")
    if found is None:
        raise Reject("pop-chain", "absent")
    return found


def prove(step, join):
    """The evidence's own reasons; the leaf's row and the node."""
    shown = evidence(join)
    check_chain(shown["chain"])
    row = renewal.find_leaf(step.store, shown["chain"])
    octets, client_time = join.request["csr"], shown["clientTimeMs"]
    renewal.check_proof(row, "x509pop", octets, client_time, shown["popSig"])
    node = step.store.find("nodes", row["nodeId"])
    join.trail.saw_owner(node["tenant"])
    check_row(step, row, node)
    renewal.check_clock(client_time, step.at)
    renewal.use_proof(step, row, renewal.proof_key("x509pop", octets, client_time, shown["popSig"]), client_time)
    renewal.check_attestation(row)
    return row, node


def kept(row):
    """X509POP-3: role, kinds and statements come from the stored leaf."""
    return certificate.Grant(row["role"], row["statements"], row["allowedKinds"], row["ttlLimitS"])


def join(step, joining):
    """The attestor x509pop; the claims select nothing."""
    row, node = prove(step, joining)
    pool = step.store.find("pools", node["poolId"])
    joining.bind("")
    admission.check_binding(step, joining, pool)
    destination.check_node_pool(pool, "x509pop")
    with step.transaction():
        old = reclaim.before(step.store, node)
        reclaim.advance(step, node)
        admission.settle(step, node, pool, joining)
        leaf = certificate.issue(step, node, joining.parsed.spki, kept(row))
        response = answer.to_join(step, joining, node, leaf)
        admission.announce(step, joining, node, leaf, old)
        return response
