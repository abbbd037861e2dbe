"""The signed answer and the client's checks (docs/spec/15-response.md)."""
import re

from . import binding, csr, der, p256, protobuf, signature, x509
from .config import pin_of
from .octets import b64u, sha256, typeid
from .verdicts import BadCall, Reject

MAX_BODY = 65536
SIG_BYTES = 64
BODY = {"nodeId": 1, "certificateChain": 2, "commandTrustBundle": 3, "csrSha256": 4, "trustDomain": 5, "siteId": 6, "role": 7,
        "attestor": 8, "requestSha256": 9}
REPEATED = (2, 3)
DEFERRAL = {"requestId": 1, "csrSha256": 2, "attestor": 3, "requestSha256": 4}
DEFERRING = ("tpm", "discovery")
STATEMENT = b"urn:bc:"
AK_STATEMENT = b"urn:bc:tpm-ak:"
AK = re.compile(r"urn:bc:tpm-ak:sha256:[0-9a-f]{64}")
OU = bytes.fromhex("060355040b")
TRUST_DOMAIN = re.compile(r"[a-z0-9._-]{1,255}")

is_node, is_site, is_request = typeid("node"), typeid("site"), typeid("jreq")


def need(good, cat, detail=None):
    if not good:
        raise Reject("response-" + cat, detail)


def encode(body):
    """The octets of a JoinResponseBody; a field of zero octets is left out."""
    values = {name: value.encode("utf-8") if isinstance(value, str) else value for name, value in body.items()}
    values["attestor"] = binding.attestor_name(body["attestor"]).encode("utf-8")
    fields = []
    for name, number in BODY.items():
        many = values[name] if number in REPEATED else [values[name]] if values[name] else []
        fields += [protobuf.field(number, value) for value in many]
    return b"".join(fields)


def signed(private, purpose, body):
    """RESPONSE-1: the octets of a body, signed, with the hint."""
    sig = signature.sign(private, signature.message_of(purpose, [body]))
    return {"body": b64u(body), "sig": b64u(sig), "signingKey": b64u(p256.point_spki(p256.private_point(private)))}


def op_sign(args, call):
    return {"response": signed(p256.private_key(args["key"]), "join-response", encode(args["body"]))}


def check_envelope(signed):
    need(len(signed["sig"]) == SIG_BYTES, "malformed", "sig")
    need(1 <= len(signed["body"]) <= MAX_BODY, "malformed", "size")


def check_pinned(key, pins):
    need(pin_of(key) in pins, "signature", "the key is not pinned")


def check_signature(signed, pins, purpose):
    check_pinned(signed["signingKey"], pins)
    message = signature.message_of(purpose, [signed["body"]])
    need(signature.verify(signed["signingKey"], signed["sig"], message), "signature")


def decode(octets, names, repeated):
    """The body's fields by name; what is not there is missing."""
    singular = [number for number in names.values() if number not in repeated]
    try:
        read = protobuf.read_message(octets, singular, repeated)
    except protobuf.WireError as bad:
        raise Reject("response-malformed", str(bad)) from None
    return {name: read[number] for name, number in names.items() if read.get(number)}


def form_text(body, name, fits=bool):
    try:
        body[name] = body[name].decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        raise Reject("response-malformed", name) from None
    need(fits(body[name]), "malformed", name)


def form_hash(body, name):
    need(len(body.get(name, b"")) == 32, "malformed", name)


def form_request_hash(body):
    need("requestSha256" not in body or len(body["requestSha256"]) == 32, "malformed", "requestSha256")


def is_trust_domain(text):
    return TRUST_DOMAIN.fullmatch(text)


def form_chain(body):
    need(body.get("certificateChain"), "malformed", "no certificate")
    need(body.get("commandTrustBundle"), "malformed", "no trust bundle")
    try:
        body["certificates"] = [x509.Certificate(octets) for octets in body["certificateChain"]]
    except der.DerError as bad:
        raise Reject("response-malformed", "certificate: %s" % bad) from None


def read_body(octets):
    body = decode(octets, BODY, REPEATED)
    form_text(body, "nodeId", is_node)
    form_text(body, "siteId", is_site)
    form_text(body, "trustDomain", is_trust_domain)
    form_text(body, "role")
    form_text(body, "attestor")
    form_hash(body, "csrSha256")
    form_request_hash(body)
    form_chain(body)
    return body


def read_deferral(octets):
    body = decode(octets, DEFERRAL, ())
    form_text(body, "requestId", is_request)
    form_text(body, "attestor")
    form_hash(body, "csrSha256")
    form_request_hash(body)
    return body


def check_csr(body, args):
    need(body["csrSha256"] == sha256(args["csr"]), "csr")


def check_request(body, args):
    """BINDING-3."""
    if "requestSha256" not in body:
        need(not args["requireRequestBinding"], "request", "absent")
        return
    need(body["requestSha256"] == binding.request_hash(args["request"]), "request")


def own_spki(octets):
    try:
        return csr.parse(octets).spki
    except der.DerError as bad:
        raise BadCall("csr: %s" % bad) from None


def check_leaf_key(leaf, args):
    need(leaf.spki == own_spki(args["csr"]), "leaf-key")


def read_names(leaf):
    """The octets of the leaf's URI SANs; every other kind is refused."""
    try:
        names = x509.alternative_names(leaf)
    except der.DerError as bad:
        raise Reject("response-san", str(bad)) from None
    need(all(tag == x509.URI for tag, _ in names), "san", "kind")
    return [octets for _, octets in names]


def spiffe_id(body):
    return ("spiffe://%s/site/%s/node/%s" % (body["trustDomain"], body["siteId"], body["nodeId"])).encode("ascii")


def check_names(names, body):
    need(names[0] == spiffe_id(body), "san", "the first is not the node's")
    need(all(name.startswith(STATEMENT) for name in names[1:]), "san", "no statement")


def check_site(body, args):
    need(body["siteId"] == args["site"], "san", "another site")


def check_node(body, args):
    need(args["nodeId"] in (None, body["nodeId"]), "san", "another node")


def check_role(body, args, choice):
    asked = args["request"]["role"]
    lowered = choice == "accept" and asked == "node" and body["role"] == "node-tenant"
    need(body["role"] == asked or lowered, "role")


def check_subject(leaf, body):
    """CERTIFICATE-3: one attribute, a UTF8String."""
    value = der.encode(0x0C, b"bc-role:" + body["role"].encode("utf-8"))
    need(leaf.subject == der.encode(0x30, der.encode(0x31, der.encode(0x30, OU, value))), "role", "subject")


def check_attestor(body, args):
    need(body["attestor"] == binding.attestor_name(args["request"]["attestor"]), "attestor")


def check_statements(names, body, args):
    stated = [name for name in names if name.startswith(AK_STATEMENT)]
    own = args["ak" if body["attestor"] == "tpm" else "previousAk"]
    if body["attestor"] == "tpm":
        need(own is not None and is_own(stated, own), "attestor", "not the own AK")
    else:
        need(not stated or (own is not None and stated == [own.encode("utf-8")]), "attestor", "AK statement")


def is_own(stated, own):
    return bool(AK.fullmatch(own)) and stated == [own.encode("ascii")]


def is_self_issued(certificate):
    return certificate.issuer == certificate.subject


def check_chain(chain):
    need(not any(is_self_issued(certificate) for certificate in chain), "chain", "a root")
    for certificate, issuer in zip(chain, chain[1:]):
        need(certificate.issuer == issuer.subject, "chain", "names")
        need(x509.signed_by(certificate, issuer), "chain", "signature")


def check_validity(leaf, now_ms):
    """TIME-2."""
    need(leaf.not_before * 1000 <= now_ms < (leaf.not_after + 1) * 1000, "validity", "check this machine's clock")


def op_verify(args, call):
    signed = args["response"]
    check_envelope(signed)
    check_signature(signed, args["pins"], "join-response")
    body = read_body(signed["body"])
    leaf = body["certificates"][0]
    check_csr(body, args)
    check_request(body, args)
    check_leaf_key(leaf, args)
    names = read_names(leaf)
    check_names(names, body)
    check_site(body, args)
    check_node(body, args)
    check_role(body, args, call.choice("client.node-tenant"))
    check_subject(leaf, body)
    check_attestor(body, args)
    check_statements(names, body, args)
    check_chain(body["certificates"])
    check_validity(leaf, call.now_ms())
    answer = {name: body[name] for name in ("nodeId", "siteId", "trustDomain", "role", "attestor")}
    return dict(answer, leafSha256=b64u(sha256(leaf.octets)))


def check_deferring(body, args):
    """RESPONSE-5: the attestor asked, and one that defers."""
    check_attestor(body, args)
    need(body["attestor"] in DEFERRING, "attestor", "it never defers")


def op_deferral(args, call):
    signed = args["deferral"]
    check_envelope(signed)
    check_signature(signed, args["pins"], "join-deferral")
    body = read_deferral(signed["body"])
    check_csr(body, args)
    check_request(body, args)
    check_deferring(body, args)
    return {"requestId": body["requestId"]}
