"""The named faults of SIGNATURE, RESPONSE, WELLKNOWN and CONFIG."""
import base64
import re

from patches import fault
from twin.octets import b64u_decode, sha256
from twin.verdicts import Reject

# ---- SIGNATURE ----

@fault("high-s-accepted", "SIGNATURE-1", "a signature with a high s verifies")
def _(t):
    t.put("signature.is_low", lambda s: True)

@fault("high-s-made", "SIGNATURE-1", "the signer makes a high s")
def _(t):
    t.put("signature.lower_s", lambda s: t.p256.N - s if s <= t.signature.MAX_S else s)

@fault("der-signature-accepted", "SIGNATURE-1", "a signature in DER verifies too")
def _(t):
    def numbers(real, sig):
        return real(sig) if len(sig) == 64 else t.p256.parse_signature(sig)

    def length(sig):
        try:
            return len(sig) == 64 or bool(t.p256.parse_signature(sig))
        except t.der.DerError:
            return False
    t.put("signature.check_length", length)
    t.wrap("signature.numbers", numbers)

@fault("signature-longer", "SIGNATURE-1", "octets after the 64 are ignored")
def _(t):
    t.put("signature.check_length", lambda sig: len(sig) >= 64)
    t.feed("signature.numbers", lambda sig: sig[:64])

@fault("signature-key-trailing", "SIGNATURE-1", "octets after the key are ignored")
def _(t):
    t.feed("signature.read_key", lambda spki: spki[:91])

@fault("signature-key-bare-point", "SIGNATURE-1", "a bare point passes for a key")
def _(t):
    t.feed("signature.read_key", lambda spki: t.p256.SPKI_PREFIX + spki if len(spki) == 65 else spki)

@fault("lengths-little-endian", "SIGNATURE-1", "the lengths before the fields are little-endian")
def _(t):
    t.put("signature.frame", lambda octets: len(octets).to_bytes(4, "little") + octets)

@fault("lengths-left-out", "SIGNATURE-1", "fields are joined without their lengths")
def _(t):
    t.put("signature.frame", lambda octets: octets)

@fault("signature-unknown-purpose", "SIGNATURE-2", "an unknown purpose verifies with one body")
def _(t):
    purposes = t.signature.PURPOSES
    t.signature.PURPOSES = type("Open", (dict,), {"__contains__": lambda self, name: True, "__missing__": lambda self, name: t.signature.BODY})(
        purposes)

@fault("signature-extra-field", "SIGNATURE-1", "a field that the purpose does not have is ignored")
def _(t):
    t.wrap("signature.message", lambda real, purpose, fields: real(purpose, {
        name: fields[name] for name, _ in t.signature.PURPOSES.get(purpose, ()) if name in fields}))

@fault("one-purpose-for-proofs", "SIGNATURE-2", "x509pop is signed under renew-pop")
def _(t):
    t.wrap("signature.message_of", lambda real, purpose, octets: real("renew-pop" if purpose == "x509pop" else purpose, octets))

@fault("one-purpose-for-answers", "SIGNATURE-2", "every answer is signed under join-response")
def _(t):
    def purposes(real, purpose, octets):
        return real("join-response" if purpose in ("join-deferral", "renew-response") else purpose, octets)
    t.wrap("signature.message_of", purposes)

@fault("time-little-endian", "SIGNATURE-2", "the integers that are signed are little-endian")
def _(t):
    t.put("signature.i64", lambda number: number.to_bytes(8, "little", signed=True))

@fault("time-in-seconds", "SIGNATURE-2", "the time that is signed is in seconds")
def _(t):
    t.feed("signature.i64", lambda number: number // 1000 if number > 10**11 else number)

@fault("hash-as-text", "SIGNATURE-2", "the CSR's hash is signed as hexadecimal text")
def _(t):
    t.wrap("signature.message_of", lambda real, purpose, octets: real(
        purpose, [octets[0].hex().encode(), *octets[1:]] if len(octets) > 1 else octets))

@fault("mac-any-length", "SIGNATURE-2", "MAC and IP address of a voucher may have any length")
def _(t):
    any_octets = t.signature.octets_of()
    t.signature.PURPOSES["discovery-vouch"] = tuple((name, any_octets if name in ("mac", "ip") else read) for name, read in t.signature.VOUCH)

# ---- BINDING at the client, RESPONSE ----

@fault("binding-absent-in-answer", "RESPONSE-4", "an answer without a request hash is taken although one is required")
def _(t):
    t.wrap("response.check_request", lambda real, body, args: real(body, dict(args, requireRequestBinding=False)))

@fault("binding-answer-unchecked", "RESPONSE-4", "the request hash in an answer is not compared")
def _(t):
    t.wrap("response.check_request", lambda real, body, args: "requestSha256" in body or real(body, args))

@fault("signing-key-hint-believed", "RESPONSE-4", "the signing key of the answer need not be pinned")
def _(t):
    t.skip("response.check_pinned")

@fault("answer-reencoded", "RESPONSE-1", "the signature is verified over a body encoded again")
def _(t):
    def canonical(octets):
        try:
            fields = t.protobuf.read_fields(octets)
        except t.protobuf.WireError:
            return octets
        fields = sorted((number, value) for number, wire, value in fields if wire == 2 and number <= 9)
        return b"".join(t.protobuf.field(number, value) for number, value in fields)
    t.feed("response.check_signature", lambda signed: dict(signed, body=canonical(signed["body"])))

@fault("answer-second-pin-ignored", "RESPONSE-4", "only the first signing pin counts")
def _(t):
    t.wrap("response.check_pinned", lambda real, key, pins: real(key, pins[:1]))

@fault("answer-pin-prefix", "RESPONSE-4", "pins are compared by their first sixteen characters")
def _(t):
    t.put("response.check_pinned", lambda key, pins: t.response.need(t.config.pin_of(key)[:16] in [pin[:16] for pin in pins], "signature"))

@fault("decoded-before-signature", "RESPONSE-4", "the body is decoded before its signature is verified")
def _(t):
    t.before("response.op_verify", "response-signature", lambda args, call: t.response.read_body(args["response"]["body"]))

@fault("answer-last-wins", "RESPONSE-4", "of a field that stands twice the last wins")
def _(t):
    t.skip("protobuf.check_once")

@fault("answer-long-varints", "RESPONSE-4", "varints need not be in their shortest form")
def _(t):
    t.skip("protobuf.check_shortest")

@fault("answer-wrong-wire-type", "RESPONSE-4", "a known field of another wire type is skipped")
def _(t):
    t.wrap("protobuf.read_fields", lambda real, data: [field for field in real(data) if field[1] == 2 or field[0] > 9])
    t.skip("protobuf.check_wire")

@fault("answer-truncated", "RESPONSE-4", "a last field that is cut off is taken as far as it goes")
def _(t):
    t.skip("protobuf.check_inside")

@fault("answer-ids-unchecked", "RESPONSE-4", "node and site may be any text that is not empty")
def _(t):
    t.put("response.is_node", bool)
    t.put("response.is_site", bool)

@fault("trust-domain-any-case", "RESPONSE-4", "capital letters are taken in a trust domain")
def _(t):
    t.response.TRUST_DOMAIN = re.compile(r"[A-Za-z0-9._-]{1,255}")

@fault("bundle-optional", "RESPONSE-4", "the command trust bundle may be empty")
def _(t):
    t.wrap("response.form_chain", lambda real, body: real(body if body.get("commandTrustBundle") else body.update(commandTrustBundle=[b""]) or body))

@fault("certificate-trailing", "RESPONSE-4", "octets after a certificate of the chain are ignored")
def _(t):
    t.during("response.form_chain", "der.check_no_trailing", lambda node, data: None)

@fault("answer-csr-unchecked", "RESPONSE-4", "the CSR's hash in the answer is not compared")
def _(t):
    t.skip("response.check_csr")

@fault("request-before-csr", "RESPONSE-4", "the request's hash is compared before the CSR's")
def _(t):
    t.before("response.op_verify", "response-csr", lambda args, call: t.response.check_request(t.response.read_body(args["response"]["body"]), args))

@fault("leaf-key-unchecked", "RESPONSE-4", "the leaf may certify another key")
def _(t):
    t.skip("response.check_leaf_key")

@fault("san-any-position", "RESPONSE-4", "the SPIFFE ID may stand anywhere among the SANs")
def _(t):
    t.feed("response.check_names", lambda names: sorted(names, key=lambda name: not name.startswith(b"spiffe:")))

@fault("san-more-allowed", "RESPONSE-4", "SANs after the first are not looked at")
def _(t):
    t.feed("response.check_names", lambda names: names[:1])

@fault("san-other-kinds", "RESPONSE-4", "SANs that are no URIs are ignored")
def _(t):
    t.during("response.read_names", "x509.alternative_names", lambda leaf, real=t.real("x509.alternative_names"): [
        name for name in real(leaf) if name[0] == 0x86])

@fault("san-case-insensitive", "RESPONSE-4", "the SPIFFE ID is compared without regard to case")
def _(t):
    t.feed("response.check_names", lambda names: [names[0].lower(), *names[1:]])

@fault("site-unchecked", "RESPONSE-4", "the site of the answer is not compared with the configured one")
def _(t):
    t.skip("response.check_site")

@fault("node-id-ignored", "RESPONSE-4", "--node-id is not looked at")
def _(t):
    t.skip("response.check_node")

@fault("subject-unchecked", "RESPONSE-4", "the leaf's subject is not looked at")
def _(t):
    t.skip("response.check_subject")

@fault("subject-contains-role", "RESPONSE-4", "further attributes in the leaf's subject are ignored")
def _(t):
    t.wrap("response.check_subject", lambda real, leaf, body: t.response.need(
        b"bc-role:" + body["role"].encode() in leaf.subject, "role", "subject"))

@fault("answer-role-unchecked", "RESPONSE-4", "the role of the answer is not the one asked")
def _(t):
    t.skip("response.check_role")

@fault("node-tenant-for-any-role", "RESPONSE-4", "node-tenant is accepted whatever role was asked")
def _(t):
    t.wrap("response.check_role", lambda real, body, args, choice: real(
        dict(body, role=args["request"]["role"]) if body["role"] == "node-tenant" and choice == "accept" else body, args, choice))

@fault("node-tenant-under-refuse", "RESPONSE-4", "node-tenant is accepted under the choice refuse as well")
def _(t):
    t.wrap("response.check_role", lambda real, body, args, choice: real(body, args, "accept"))

@fault("answer-attestor-unchecked", "RESPONSE-4", "the attestor of the answer is not compared")
def _(t):
    t.skip("response.check_attestor")

@fault("ak-of-another", "RESPONSE-4", "after tpm any single AK statement is taken")
def _(t):
    t.wrap("response.is_own", lambda real, stated, own: len(stated) == 1)

@fault("ak-missing", "RESPONSE-4", "after tpm a leaf without an AK statement is taken")
def _(t):
    t.wrap("response.is_own", lambda real, stated, own: not stated or real(stated, own))

@fault("ak-two-statements", "RESPONSE-4", "after tpm a second AK statement is ignored")
def _(t):
    t.wrap("response.is_own", lambda real, stated, own: real([name for name in stated if name == own.encode()], own))

@fault("ak-from-token", "RESPONSE-4", "after a token join an AK statement in the leaf is not looked at")
def _(t):
    t.wrap("response.check_statements", lambda real, names, body, args: body["attestor"] != "tpm" or real(names, body, args))

@fault("ak-previous-any", "RESPONSE-4", "a re-join may carry an AK statement other than the former one")
def _(t):
    t.wrap("response.check_statements", lambda real, names, body, args: real(
        names if args["previousAk"] is None or body["attestor"] == "tpm" else [], body, args))

@fault("chain-unchecked", "RESPONSE-4", "the signatures of the chain are not verified")
def _(t):
    t.put("response.x509", type("Unsigned", (), {
        "Certificate": t.x509.Certificate, "alternative_names": t.x509.alternative_names, "URI": t.x509.URI,
        "signed_by": staticmethod(lambda certificate, issuer: True)}))
    t.response.x509.alternative_names = staticmethod(t.x509.alternative_names)

@fault("chain-order-ignored", "RESPONSE-4", "a chain in another order is put right")
def _(t):
    def ordered(chain):
        left, sorted_ = list(chain[1:]), list(chain[:1])
        while left:
            nexts = [one for one in left if one.subject == sorted_[-1].issuer] or left
            sorted_.append(nexts[0])
            left.remove(nexts[0])
        return sorted_
    t.feed("response.check_chain", ordered)

@fault("chain-names-unchecked", "RESPONSE-4", "issuer and subject in the chain are not compared")
def _(t):
    def check(chain):
        t.response.need(not any(t.response.is_self_issued(one) for one in chain), "chain")
        t.response.need(all(t.x509.signed_by(*pair) for pair in zip(chain, chain[1:])), "chain")
    t.put("response.check_chain", check)

@fault("chain-with-root", "RESPONSE-4", "a root at the end of the chain is taken")
def _(t):
    t.put("response.is_self_issued", lambda certificate: False)

@fault("chain-one-refused", "RESPONSE-4", "a chain of one certificate is refused")
def _(t):
    t.wrap("response.check_chain", lambda real, chain: t.response.need(len(chain) > 1, "chain") or real(chain))

@fault("validity-unchecked", "RESPONSE-4", "the leaf's dates are not looked at")
def _(t):
    t.skip("response.check_validity")

@fault("not-before-unchecked", "RESPONSE-4", "a leaf that is not yet valid is taken")
def _(t):
    t.wrap("response.check_validity", lambda real, leaf, now: real(leaf, max(now, leaf.not_before * 1000)))

@fault("validity-before-chain", "RESPONSE-4", "the leaf's dates are looked at before the chain")
def _(t):
    t.before("response.op_verify", "response-chain", lambda args, call: t.response.check_validity(
        t.response.read_body(args["response"]["body"])["certificates"][0], call.now_ms()))

@fault("role-before-san", "RESPONSE-4", "the role is compared before the SANs")
def _(t):
    t.before("response.op_verify", "response-san", lambda args, call: t.response.check_role(
        t.response.read_body(args["response"]["body"]), args, call.choice("client.node-tenant")))

@fault("deferral-any-purpose", "RESPONSE-5", "a signature for an admission passes for one of a deferral")
def _(t):
    def check(real, signed, pins, purpose):
        try:
            real(signed, pins, purpose)
        except Reject:
            real(signed, pins, "join-response")
    t.wrap("response.check_signature", check)

@fault("deferral-any-attestor", "RESPONSE-5", "a deferral is taken from an attestor that never defers")
def _(t):
    t.response.DEFERRING = ("tpm", "discovery", "join-token", "x509pop")

@fault("deferral-attestor-first", "RESPONSE-5", "the attestor of a deferral is compared before the hashes")
def _(t):
    for cat in ("response-csr", "response-request"):
        t.before("response.op_deferral", cat, lambda args, call: t.response.check_deferring(
            t.response.read_deferral(args["deferral"]["body"]), args))

@fault("deferral-csr-unchecked", "RESPONSE-5", "the CSR's hash in a deferral is not compared")
def _(t):
    t.during("response.op_deferral", "response.check_csr", lambda body, args: None)

# ---- WELLKNOWN, CONFIG ----

@fault("document-duplicates", "WELLKNOWN-1", "of two members of one name in the document the last wins")
def _(t):
    t.during("wellknown.read_json", "jsonstrict.members", dict)

@fault("document-size-one-more", "WELLKNOWN-1", "a document of 65537 octets is taken")
def _(t):
    t.wellknown.MAX_BYTES += 1

@fault("document-any-depth", "WELLKNOWN-1", "the document may be nested to any depth")
def _(t):
    t.during("wellknown.read_json", "jsonstrict.MAX_DEPTH", 10**6)

@fault("document-unknown-member", "WELLKNOWN-1", "an unknown member of the document is refused")
def _(t):
    known = {"name", "version", "basePath", "protocol", "join", "gateway"}
    t.feed("wellknown.read_join", lambda document: document if set(document) <= known else {})

@fault("private-key-published", "WELLKNOWN-1", "a member d of a JWK is ignored")
def _(t):
    t.skip("wellknown.check_public")

@fault("jwk-unknown-member", "WELLKNOWN-1", "a JWK with further members is refused")
def _(t):
    t.put("wellknown.check_public", lambda jwk: t.wellknown.need(set(jwk) <= {"kty", "crv", "x", "y"}, "JWK"))

@fault("stated-pin-believed", "WELLKNOWN-1", "a stated pin is not compared with the key beside it")
def _(t):
    t.skip("wellknown.check_stated")

@fault("stated-pin-optional", "WELLKNOWN-1", "stated pins may be left out")
def _(t):
    t.wrap("wellknown.read_pin", lambda real, section, name: None if name not in section else real(section, name))
    t.wrap("wellknown.check_stated", lambda real, stated, pin: stated is None or real(stated, pin))

@fault("certificate-lax-base64", "WELLKNOWN-1", "blanks and missing padding in the certificate's base64 are forgiven")
def _(t):
    def lax(text):
        raw = re.sub(r"\s", "", text).rstrip("=").replace("-", "+").replace("_", "/")
        return base64.b64decode(raw + "=" * (-len(raw) % 4)) if re.fullmatch("[A-Za-z0-9+/]*", raw) and len(raw) % 4 != 1 else None
    t.put("wellknown.b64_decode", lax)

@fault("signing-pin-unchecked", "WELLKNOWN-1", "the signing key of the document is not compared with the pins")
def _(t):
    t.wrap("wellknown.check_pin", lambda real, pin, pins, which: which.startswith("join_signing") or real(pin, pins, which))

@fault("document-second-pin-ignored", "WELLKNOWN-1", "only the first pin of each kind counts")
def _(t):
    t.wrap("wellknown.check_pin", lambda real, pin, pins, which: real(pin, pins[:1], which))

@fault("serving-pin-unchecked", "WELLKNOWN-1", "the pin of the serving CA in the document is not compared")
def _(t):
    t.wrap("wellknown.check_pin", lambda real, pin, pins, which: which.startswith("serving") or real(pin, pins, which))

@fault("gateway-unjudged", "WELLKNOWN-1", "a gateway section that is not needed is not judged")
def _(t):
    t.wrap("wellknown.read_gateway", lambda real, document, required: real(document, required) if required else (
        document["gateway"].get("url") if type(document.get("gateway")) is dict else None, None))

@fault("pins-before-document", "WELLKNOWN-1", "the encryption pin is compared before the whole document is judged")
def _(t):
    t.before("wellknown.from_document", "document", lambda octets, pins: t.wellknown.check_pin(t.config.pin_of(
        t.wellknown.jwk_spki(t.wellknown.section(t.wellknown.section(t.wellknown.read_json(octets), "join"), "encryptionJwk"))),
        pins["encryption"], "encryption"))

@fault("key-file-ignored", "CONFIG-1", "a key file that is not pinned is passed over for the document")
def _(t):
    def select(real, octets, pins):
        try:
            return real(octets, pins)
        except Reject:
            if t.wellknown.other is None:
                raise
            return t.wellknown.from_document(t.wellknown.other, pins)
    t.wrap("wellknown.from_file", select)
    t.wrap("wellknown.op_select", lambda real, args, call: setattr(t.wellknown, "other", args["document"]) or real(args, call))

@fault("key-file-unpinned", "CONFIG-1", "a key file is used without a comparison with the pin")
def _(t):
    t.wrap("wellknown.from_file", lambda real, octets, pins: real(octets, dict(pins, encryption=[
        t.config.pin_of(t.wellknown.jwk_spki(t.wellknown.read_json(octets)))])))

@fault("pin-base64url", "CONFIG-1", "a pin in base64url is taken")
def _(t):
    t.feed("config.parse_pin", lambda text: text.replace("-", "+").replace("_", "/"))

@fault("pin-unpadded", "CONFIG-1", "a pin without padding is taken")
def _(t):
    t.feed("config.parse_pin", lambda text: text + "=" if len(text) == 50 else text)

@fault("pin-hexadecimal", "CONFIG-1", "a pin in hexadecimal is taken")
def _(t):
    t.wrap("config.parse_pin", lambda real, text: bytes.fromhex(text[7:]) if re.fullmatch("sha256/[0-9a-f]{64}", text) else real(text))

@fault("pin-unused-bits", "CONFIG-1", "the unused bits of a pin's last character may be anything")
def _(t):
    t.put("config.b64_decode", lambda text: b64u_decode(text[:42].replace("+", "-").replace("/", "_")) and base64.b64decode(
        text) if re.fullmatch("[A-Za-z0-9+/]{43}=", text) else None)

@fault("pin-trimmed", "CONFIG-1", "blanks around a pin are forgiven")
def _(t):
    t.feed("config.parse_pin", lambda text: text.strip())

@fault("pin-match-prefix", "CONFIG-1", "pins are compared by their first eight octets")
def _(t):
    t.put("config.same_pin", lambda digest, spki: digest[:8] == sha256(spki)[:8])

@fault("pin-match-first-only", "CONFIG-1", "only the first pin of a list is compared")
def _(t):
    t.feed("config.op_pin_match", lambda args: dict(args, pins=args["pins"][:1]))

@fault("pin-malformed-passed-over", "CONFIG-1", "a malformed pin beside one that matches is passed over")
def _(t):
    t.feed("config.op_pin_match", lambda args: dict(args, pins=[pin for pin in args["pins"] if t.config.parse_pin(pin)] or args["pins"]))

@fault("config-unknown-key", "CONFIG-1", "unknown keys of config.toml are ignored")
def _(t):
    t.feed("config.check_keys", lambda table: {key: 0 for key in table if key in t.config.REQUIRED})

@fault("config-size-one-more", "CONFIG-1", "a config.toml of 65537 octets is taken")
def _(t):
    t.config.MAX_BYTES += 1

@fault("config-equal-pins", "CONFIG-1", "an array may hold the same pin twice")
def _(t):
    t.feed("config.read_pins", lambda value: value[:1] if type(value) is list and len(value) == 2 and value[0] == value[1] else value)

@fault("config-three-pins", "CONFIG-1", "an array may hold three pins")
def _(t):
    t.wrap("config.read_pins", lambda real, value: [real(pin)[0] for pin in value] if type(value) is list and len(value) == 3 else real(value))

@fault("config-http", "CONFIG-1", "a gateway_url that begins http:// is taken")
def _(t):
    t.feed("config.is_url", lambda text: re.sub("^http:", "https:", text))

@fault("config-userinfo", "CONFIG-1", "userinfo in gateway_url is taken")
def _(t):
    t.feed("config.is_url", lambda text: re.sub("^https://[^/@]*@", "https://", text))

@fault("config-query", "CONFIG-1", "query and fragment in gateway_url are taken")
def _(t):
    t.feed("config.is_url", lambda text: re.split("[?#]", text)[0])

@fault("config-empty-server-name", "CONFIG-1", "an empty server_name counts as none")
def _(t):
    t.feed("config.read_server_name", lambda table: {key: table[key] for key in table if table[key] != ""})

@fault("config-require-as-text", "CONFIG-1", "require_request_binding may be a text or a number")
def _(t):
    t.feed("config.read_require", lambda table: {"require_request_binding": table.get("require_request_binding") in (True, "true", 1)})

@fault("config-site-any-text", "CONFIG-1", "site may be any text")
def _(t):
    t.put("config.is_site", bool)
