"""One seal, one join: the stored answer (docs/spec/03-seal.md, SEAL-8)."""
from . import certificate
from .octets import sha256
from .verdicts import Reject


def seal_hash(seal):
    """H of the compact text."""
    return sha256(seal)


def asked(joining):
    """What an equal request must have in common: CSR, attestor, role, and claims after CLAIMS."""
    return joining.request["csr"], joining.attestor, joining.request["role"], joining.normal


def refuse(detail):
    raise Reject("seal-replayed", detail)


def check_token(row):
    if row["revokedAt"] is not None:
        refuse("the token was revoked")


def check_leaf(step, entry):
    """The certificate in the answer: unrevoked, unexpired, of the node's generation."""
    leaf = step.store.cert(entry["serial"])
    node = step.store.find("nodes", leaf["nodeId"])
    if not certificate.is_live(leaf, step.at) or leaf["generation"] != node["generation"]:
        refuse("the certificate is of no use any more")


def check_equal(entry, joining):
    if entry["asked"] != asked(joining):
        refuse("another request")


def find(step, joining, row):
    """The stored answer of this seal, or None where it has admitted nothing yet."""
    entry = step.store.answers.get(seal_hash(joining.request["seal"]))
    if entry is None:
        return None
    if step.choice("seal.resend") == "refuse":
        refuse("one join for one seal")
    check_token(row)
    check_leaf(step, entry)
    check_equal(entry, joining)
    return entry["response"]


def keep(step, joining, leaf, response):
    """In the admission's transaction."""
    step.store.answers[seal_hash(joining.request["seal"])] = {
        "asked": asked(joining), "serial": leaf["serial"], "response": response}
