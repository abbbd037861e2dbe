"""The signed answer to a Join or a Renew, as JoinService makes it (docs/spec/15-response.md, RESPONSE-1 to RESPONSE-3)."""
from . import certificate, response
from .octets import sha256


def body(step, node, leaf, octets, attestor, request_hash):
    """The octets of the body; an empty request hash is left out."""
    return response.encode({
        "nodeId": node["id"], "certificateChain": certificate.chain(step.config, leaf), "commandTrustBundle": step.config.trust_bundle,
        "csrSha256": sha256(octets), "trustDomain": step.config.trust_domain, "siteId": node["siteId"], "role": leaf["role"],
        "attestor": attestor, "requestSha256": request_hash})


def sign(step, purpose, octets):
    return response.signed(step.config.signing, purpose, octets)


def to_join(step, joining, node, leaf):
    octets = body(step, node, leaf, joining.request["csr"], joining.attestor, joining.request_hash)
    return sign(step, "join-response", octets)


def to_renew(step, node, leaf, csr):
    """RENEWAL-6: signed, or with empty fields."""
    octets = body(step, node, leaf, csr, "renew", b"")
    signed = sign(step, "renew-response", octets)
    return signed if step.choice("renewal.signed-answer") == "yes" else dict(signed, sig="", signingKey="")
