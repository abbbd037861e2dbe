"""The stateless checks of a token join, in the order of docs/spec/13-refusal.md (REFUSAL-3)."""
from . import binding, claims, csr, expect, hardware_key, p256, seal, token
from .octets import b64u
from .verdicts import Reject, Unsupported


def check_attestor(request, attestors):
    """ADMISSION-7: the empty name is join-token; names are compared exactly."""
    name = binding.attestor_name(request["attestor"])
    if name not in attestors:
        raise Reject("attestor")
    if name != "join-token":
        raise Unsupported("only token joins are checked here")


def check_binding(parsed, digest, args, call):
    binding.check(parsed, digest, args["requestBinding"] == "required", call.choice("request-binding"))


def check_expect(binding_, normal):
    if binding_ is not None:
        expect.match(binding_, normal)


def op_check(args, call):
    request, row = args["request"], args["row"]
    keys = [p256.private_key(jwk) for jwk in args["keys"]]
    check_attestor(request, args["attestors"])
    token.check_role(request["role"])
    parsed = csr.check(request["csr"])
    normal = claims.normalize(request["claims"])
    _, ident, secret, _ = seal.open_seal(request["seal"], request["csr"], keys, args.get("iatWindow"), call)
    token.authenticate(row, ident, secret)
    digest = binding.request_hash(dict(request, tokenId=ident))
    check_binding(parsed, digest, args, call)
    uses_left = token.admit(row, request["role"], call.now_ms())
    check_expect(args["expect"], normal)
    trusted = hardware_key.admit(normal, args["expect"] is not None, call.choice("hwkey.independence"))
    return {"tokenId": ident, "usesLeft": uses_left, "trusted": trusted, "requestSha256": b64u(digest)}
