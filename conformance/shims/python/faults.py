"""The named faults, each of one rule, the way people break it: TIME, TOKEN and SEAL. Healthy code never sees this file.

The other steps are in the files beside this one that it imports at its end.
"""
import base64
import re
import time

from lax import lax_b64u
from patches import apply, fault, listing  # noqa: F401
from twin.octets import b64u_decode, sha256

# ---- TIME, TOKEN ----

@fault("token-by-own-clock", "TIME-1", "a token's end is judged by the machine's own clock")
def _(t):
    t.wrap("token.check_expired", lambda real, row, now: real(row, time.time_ns() // 1_000_000))

@fault("token-alive-at-expiry", "TIME-2", "a token is still alive at its expiresAt")
def _(t):
    t.feed("token.check_expired", lambda row: dict(row, expiresAt=row["expiresAt"] + 1))

@fault("certificate-dead-at-not-after", "RESPONSE-4", "the last second of a certificate does not count")
def _(t):
    t.wrap("response.check_validity", lambda real, leaf, now: real(leaf, now + 1000 if now >= leaf.not_after * 1000 else now))

@fault("certificate-one-second-more", "RESPONSE-4", "a certificate lives one second too long")
def _(t):
    t.wrap("response.check_validity", lambda real, leaf, now: real(leaf, now - 1000 if now >= (leaf.not_after + 1) * 1000 else now))

@fault("seconds-rounded", "SEAL-4", "milliseconds are rounded to seconds, not cut")
def _(t):
    t.put("seal.now_s", lambda ms: (ms + 500) // 1000)

@fault("token-id-any-first-character", "TOKEN-1", "the first character of an id may be any of the alphabet, so it holds 130 bits")
def _(t):
    t.put("token.is_id", re.compile("jt_[0-9a-hjkmnp-tv-z]{26}").fullmatch)

@fault("token-id-crockford-aliases", "TOKEN-1", "i, l, o and u are taken in an id, as lenient Crockford decoders do")
def _(t):
    t.put("token.is_id", re.compile("jt_[0-7][0-9a-z]{25}").fullmatch)

@fault("token-secret-unused-bits", "TOKEN-1", "the unused bits of the secret's last character may be anything")
def _(t):
    t.put("token.decode_secret", lax_b64u)

@fault("token-case-folded", "TOKEN-2", "prefix and id are read without regard to case")
def _(t):
    t.feed("token.split", lambda text: text[:35].lower() + text[35:])

@fault("token-trimmed", "TOKEN-2", "blanks and line ends around a token are forgiven when it is parsed")
def _(t):
    t.feed("token.parse", lambda text: text.strip())

@fault("token-file-strips-all", "TOKEN-2", "every trailing line end and blank of a token file is stripped")
def _(t):
    t.put("token.strip_line_end", lambda octets: octets.rstrip())

@fault("token-file-lone-cr", "TOKEN-2", "a lone CR at the end of a token file is stripped")
def _(t):
    t.put("token.strip_line_end", lambda octets: re.sub(rb"(\r\n|\r|\n)\Z", b"", octets))

@fault("token-file-bom", "TOKEN-2", "a byte order mark before the token is skipped")
def _(t):
    t.feed("token.strip_line_end", lambda octets: octets.removeprefix(b"\xef\xbb\xbf"))

@fault("token-hash-over-text", "TOKEN-3", "the secret's hash is over the 43 characters")
def _(t):
    t.put("token.secret_hash", lambda secret: sha256(base64.urlsafe_b64encode(secret).rstrip(b"=")))

@fault("ttl-maximum-exclusive", "TOKEN-5", "a lifetime of exactly 24 hours is refused")
def _(t):
    t.token.MAX_TTL -= 1

@fault("ttl-no-minimum", "TOKEN-5", "a lifetime under a minute is taken")
def _(t):
    t.token.MIN_TTL = 0

@fault("ttl-any-order", "TOKEN-5", "units of --ttl may stand in any order and more than once")
def _(t):
    def seconds(text):
        parts = re.findall("([0-9]{1,6})([hms])", text)
        whole = "".join(number + unit for number, unit in parts) == text != ""
        return sum(int(number) * {"h": 3600, "m": 60, "s": 1}[unit] for number, unit in parts) if whole else None
    t.put("token.ttl_seconds", seconds)

@fault("ttl-many-digits", "TOKEN-5", "a number of --ttl may have more than six digits")
def _(t):
    t.token.TTL = re.compile(t.token.TTL.pattern.replace("{1,6}", "+"))

@fault("ttl-bare-number", "TOKEN-5", "a number without a unit counts as seconds")
def _(t):
    t.feed("token.ttl_seconds", lambda text: text + "s" if text[-1:].isdigit() else text)

@fault("integer-from-float", "TOKEN-5", "a JSON number with a fraction of zero, or an exponent, passes for an integer")
def _(t):
    t.feed("token.integer", lambda value: int(value) if type(value) is float and value == value // 1 and value < 1e9 else value)

@fault("integer-from-text", "TOKEN-5", "a text of digits passes for an integer")
def _(t):
    t.feed("token.integer", lambda value: int(value) if isinstance(value, str) and value.isdigit() else value)

@fault("integer-from-boolean", "TOKEN-5", "true passes for the integer 1")
def _(t):
    t.feed("token.integer", lambda value: int(value) if type(value) is bool else value)

@fault("max-uses-one-more", "TOKEN-5", "10001 uses are taken")
def _(t):
    t.token.MAX_USES += 1

@fault("token-id-cut-at-dot", "TOKEN-8", "a whole token pasted as an id is cut instead of refused")
def _(t):
    t.feed("token.op_id", lambda args: {"text": args["text"].removeprefix("bcjt_").split(".")[0]})

@fault("token-id-trimmed", "TOKEN-8", "blanks around an id are forgiven")
def _(t):
    t.feed("token.op_id", lambda args: {"text": args["text"].strip()})

@fault("expect-empty-object", "TOKEN-9", "an empty expect is taken as a binding")
def _(t):
    t.wrap("token.read_expect", lambda real, request: {} if request.get("expect") == {} else real(request))

@fault("expect-null", "TOKEN-9", "a null expect is taken as none")
def _(t):
    t.wrap("token.read_expect", lambda real, request: None if request.get("expect") is None else real(request))

@fault("expect-unknown-member", "TOKEN-9", "an unknown member of expect is ignored")
def _(t):
    def known(request):
        binding = request.get("expect")
        kept = {name: value for name, value in binding.items() if name in t.expect.NORMALIZERS} if type(binding) is dict else {}
        return dict(request, expect=kept) if kept else request
    t.feed("token.read_expect", known)

@fault("expect-placeholder-kept", "TOKEN-9", "a placeholder is taken into a binding")
def _(t):
    for name in ("is_text", "is_uuid", "is_mac"):
        t.during("token.expect_value", "placeholders." + name, lambda value: False)

@fault("expect-local-mac", "TOKEN-9", "a locally administered MAC is taken into a binding")
def _(t):
    t.during("token.expect_value", "claims.is_hardware", lambda octets: not octets[0] & 1 and any(octets))

@fault("expect-not-normalized", "TOKEN-9", "the record holds the binding as it was sent")
def _(t):
    t.wrap("token.expect_value", lambda real, name, value: real(name, value) and value)

@fault("create-unknown-member", "TOKEN-9", "an unknown member of a create request is ignored")
def _(t):
    t.skip("token.check_known")

@fault("hosted-any-text", "TOKEN-9", "hosted may be any text")
def _(t):
    t.wrap("token.read_hosted", lambda real, request: request["hosted"] if isinstance(request.get("hosted"), str) else real(request))

@fault("reclaim-null", "TOKEN-9", "a null allowReclaim is taken as false")
def _(t):
    t.feed("token.read_reclaim", lambda request: {} if request.get("allowReclaim") is None else request)

@fault("role-case-insensitive", "TOKEN-11", "roles are compared without regard to case")
def _(t):
    t.feed("token.check_role", str.lower)
    t.wrap("token.check_row_role", lambda real, row, role: real(dict(row, role=row["role"].lower()), role.lower()))

@fault("role-unchecked", "TOKEN-11", "a token of one role admits another")
def _(t):
    t.skip("token.check_row_role")

@fault("used-token-once-more", "TOKEN-11", "a token with no uses left admits one more")
def _(t):
    t.feed("token.check_used", lambda row: dict(row, usesLeft=row["usesLeft"] + 1))

@fault("revoked-ignored", "TOKEN-11", "revocation is not looked at")
def _(t):
    t.skip("token.check_revoked")

@fault("secret-unchecked", "TOKEN-11", "knowing the id is enough")
def _(t):
    t.skip("token.check_secret")

@fault("secret-first-octets", "TOKEN-3", "only the first eight octets of the secret's hash are compared")
def _(t):
    t.put("token.check_secret", lambda row, secret: t.token.need(row["secretSha256"][:8] == t.token.secret_hash(secret)[:8], "token-secret"))

@fault("expired-before-revoked", "TOKEN-11", "expiry is judged before revocation")
def _(t):
    t.before("token.admit", "token-revoked", lambda row, role, now: t.token.check_expired(row, now))

@fault("role-before-used", "TOKEN-11", "the row's role is judged before the uses left")
def _(t):
    t.before("token.admit", "token-used", lambda row, role, now: t.token.check_row_role(row, role))

@fault("secret-after-expiry", "TOKEN-11", "expiry is judged before the secret, so a stranger learns it")
def _(t):
    t.before("token.op_admit", "token-secret", lambda args, call: t.token.check_expired(args["row"], call.now_ms()))

# ---- SEAL ----

@fault("kdf-content-encryption-name", "SEAL-1", "the KDF is given the name of the content encryption")
def _(t):
    t.put("seal.kdf", lambda z: sha256(b"\0\0\0\1" + z + b"\0\0\0\7A256GCM" + bytes(10) + b"\1\0"))

@fault("kdf-little-endian", "SEAL-1", "the KDF's numbers are little-endian")
def _(t):
    t.put("seal.kdf", lambda z: sha256(b"\1\0\0\0" + z + b"\x0e\0\0\0ECDH-ES+A256KW" + bytes(8) + b"\0\1\0\0"))

@fault("aad-decoded", "SEAL-1", "the additional data is the decoded header, not its base64url")
def _(t):
    t.put("seal.aad", lambda parts: b64u_decode(parts.aad))

@fault("seal-typ-ignored", "SEAL-2", "typ may say anything")
def _(t):
    t.skip("seal.check_typ")

@fault("seal-plaintext-trimmed", "SEAL-2", "a line end after the token in the plaintext is forgiven")
def _(t):
    t.feed("seal.read_token", lambda plaintext: plaintext.strip())

@fault("seal-csr-unchecked", "SEAL-3", "the hash of the CSR in the header is not compared")
def _(t):
    t.skip("seal.check_csr")

@fault("seal-csr-lax", "SEAL-3", "the hash of the CSR may be spelled laxly")
def _(t):
    t.put("seal.decode_csr", lambda text: lax_b64u(text) if isinstance(text, str) and len(lax_b64u(text) or b"") == 32 else None)

@fault("seal-csr-form-late", "SEAL-3", "a malformed hash of the CSR is reported as a wrong one")
def _(t):
    t.skip("seal.check_csr_form")
    t.wrap("seal.decode_csr", lambda real, text: real(text) or b"")

@fault("iat-float", "SEAL-4", "an iat with a fraction or an exponent is taken")
def _(t):
    t.feed("seal.check_iat", lambda iat: int(iat) if type(iat) is float and abs(iat) < 1e15 else iat)

@fault("iat-minus-zero", "SEAL-4", "an iat of -0 is taken")
def _(t):
    t.wrap("jsonstrict.integer", lambda real, digits: 0 if digits == "-0" else real(digits))

@fault("iat-no-maximum", "SEAL-4", "an iat past the year 9999 is taken")
def _(t):
    t.seal.MAX_IAT = 2**53

@fault("window-past-exclusive", "SEAL-4", "the older end of the iat window is left out")
def _(t):
    t.wrap("seal.check_window", lambda real, iat, window, now, choice: real(iat, window and dict(window, pastS=window["pastS"] - 1), now, choice))

@fault("window-ahead-unlimited", "SEAL-4", "an iat in the future is never too far ahead")
def _(t):
    t.wrap("seal.check_window", lambda real, iat, window, now, choice: real(iat, window and dict(window, aheadS=2**50), now, choice))

@fault("seal-size-a-little-more", "SEAL-5", "a seal of 4098 octets is opened, the smallest over the limit that a good one can have")
def _(t):
    t.seal.MAX_BYTES += 2

@fault("seal-lax-base64", "SEAL-5", "the parts are decoded laxly, so one seal has many spellings")
def _(t):
    t.put("seal.decode_part", lambda text: lax_b64u(text) or b"")

@fault("seal-last-duplicate", "SEAL-5", "of two header members of one name the last wins")
def _(t):
    t.during("seal.read_header", "jsonstrict.members", dict)

@fault("seal-first-duplicate", "SEAL-5", "of two header members of one name the first wins")
def _(t):
    t.during("seal.read_header", "jsonstrict.members", lambda pairs: dict(reversed(pairs)))

@fault("seal-unknown-member", "SEAL-5", "unknown header members are ignored, crit and zip among them")
def _(t):
    t.feed("seal.check_members", lambda header: {name: 0 for name in header if name in t.seal.REQUIRED})

@fault("seal-apu-apv", "SEAL-5", "apu and apv are let in")
def _(t):
    t.seal.OPTIONAL |= {"apu", "apv"}

@fault("seal-epk-extra-member", "SEAL-5", "further members of epk are ignored")
def _(t):
    t.feed("seal.check_epk", lambda epk: {name: epk[name] for name in epk if name in ("kty", "crv", "x", "y")} if type(epk) is dict else epk)

@fault("seal-epk-short-coordinate", "SEAL-5", "coordinates of epk whose leading zeros were stripped are padded")
def _(t):
    def padded(text):
        octets = b64u_decode(text) if isinstance(text, str) else None
        return octets.rjust(32, b"\0") if octets and len(octets) < 32 else octets if octets and len(octets) == 32 else None
    t.during("seal.read", "p256.coordinate", padded)
    t.during("seal.open_with", "p256.coordinate", padded)

@fault("seal-short-tag", "SEAL-5", "a truncated tag is compared as far as it goes")
def _(t):
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    class ShortTags:
        def __init__(self, key):
            self.key = key

        def decrypt(self, iv, sealed, aad):
            size = self.tag_bytes
            opener = Cipher(algorithms.AES(self.key), modes.GCM(iv, sealed[len(sealed) - size:], min_tag_length=4)).decryptor()
            opener.authenticate_additional_data(aad)
            return opener.update(sealed[:len(sealed) - size]) + opener.finalize()

    def remember(parts):
        t.seal.need(len(parts.iv) == 12 and 4 <= len(parts.tag) <= 16 and parts.ciphertext, "lengths")
        ShortTags.tag_bytes = len(parts.tag)
    t.put("seal.check_lengths", remember)
    t.during("seal.open_with", "seal.AESGCM", ShortTags)

@fault("seal-iv-any-length", "SEAL-5", "an IV of another length is taken")
def _(t):
    t.seal.check_lengths = lambda parts: t.seal.need(len(parts.tag) == 16 and parts.ciphertext, "lengths")

@fault("seal-case-folded", "SEAL-6", "alg, enc and typ are compared without regard to case")
def _(t):
    def upper(header):
        return {name: value.upper() if isinstance(value, str) else value for name, value in header.items()}
    t.wrap("seal.check_algorithms", lambda real, header: real(dict(header, alg=upper(header)["alg"], enc=upper(header)["enc"])))
    t.wrap("seal.check_typ", lambda real, header: real({"typ": str(header["typ"]).lower()}))

@fault("kid-unknown-tries-all", "SEAL-5", "a kid that names no key is ignored")
def _(t):
    t.wrap("seal.pick_keys", lambda real, header, keys: [key for key in keys if t.seal.key_pin(key) == header.get("kid")] or keys)

@fault("kid-any-type", "SEAL-5", "a kid that is no text counts as absent")
def _(t):
    t.skip("seal.check_kid_type")
    t.feed("seal.pick_keys", lambda header: header if isinstance(header.get("kid"), str) else {})

@fault("seal-header-trailing", "SEAL-5", "what follows the header's object is not looked at")
def _(t):
    t.during("seal.read_header", "jsonstrict.decoder", lambda hook: type("First", (), {
        "decode": staticmethod(lambda text, decoder=t.real("jsonstrict.decoder")(hook): decoder.raw_decode(text.lstrip())[0])}))

@fault("seal-header-bom", "SEAL-5", "a byte order mark before the header is skipped")
def _(t):
    t.feed("seal.read_header", lambda octets: octets.removeprefix(b"\xef\xbb\xbf"))

@fault("seal-csr-before-iat", "SEAL-5", "the CSR's hash is compared before the iat window")
def _(t):
    t.before("seal.open_seal", "seal-iat", lambda octets, csr, *rest: t.seal.check_csr(t.seal.read(octets).header, csr))

@fault("seal-csr-before-opening", "SEAL-5", "the CSR's hash is compared before the seal is opened")
def _(t):
    t.before("seal.open_seal", "seal", lambda octets, csr, *rest: t.seal.check_csr(t.seal.read(octets).header, csr))

@fault("kid-before-lengths", "SEAL-5", "kid is looked up before the lengths of the parts are checked")
def _(t):
    t.before("seal.open_seal", "seal", lambda octets, csr, keys, *rest: t.seal.pick_keys(
        t.seal.read_header(b64u_decode(t.seal.split(octets)[0]) or b""), keys))

@fault("alg-from-message", "SEAL-6", "the key management is taken from the message")
def _(t):
    def kdf(z):
        name, bits = t.seal.said.encode(), int(t.seal.said[-5:-2])
        return sha256(b"\0\0\0\1" + z + len(name).to_bytes(4, "big") + name + bytes(8) + bits.to_bytes(4, "big"))[:bits // 8]

    def remember(header):
        t.seal.need(header["alg"] in ("ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW") and header["enc"] == "A256GCM", "alg")
        t.seal.said = header["alg"]
    t.put("seal.check_algorithms", remember)
    t.put("seal.kdf", kdf)

@fault("enc-from-message", "SEAL-6", "the content encryption is taken from the message")
def _(t):
    t.put("seal.check_algorithms", lambda header: t.seal.need(header["alg"] == "ECDH-ES+A256KW" and header["enc"] in (
        "A128GCM", "A192GCM", "A256GCM"), "alg"))
    t.put("seal.check_key_length", lambda parts: t.seal.need(len(parts.key) in (24, 32, 40), "key"))

@fault("first-key-only", "SEAL-7", "without kid only the first key is tried")
def _(t):
    t.wrap("seal.pick_keys", lambda real, header, keys: real(header, keys) if "kid" in header else keys[:1])

@fault("kid-is-a-hint", "SEAL-7", "with kid every other key is tried as well")
def _(t):
    t.wrap("seal.pick_keys", lambda real, header, keys: real(header, keys) and keys)

@fault("seal-to-any-key", "SEAL-9", "the key is not compared with the pins before the token is sealed to it")
def _(t):
    t.skip("seal.check_pinned")

@fault("seal-second-pin-ignored", "SEAL-9", "only the first encryption pin counts")
def _(t):
    t.wrap("seal.check_pinned", lambda real, pin, pins: real(pin, pins[:1]))

@fault("seal-pin-prefix", "SEAL-9", "pins are compared by their first sixteen characters")
def _(t):
    t.wrap("seal.check_pinned", lambda real, pin, pins: real(pin[:16], [one[:16] for one in pins]))


import faults_answer  # noqa: E402,F401
import faults_issue  # noqa: E402,F401
import faults_key  # noqa: E402,F401
import faults_machine  # noqa: E402,F401
import faults_pop  # noqa: E402,F401
import faults_tenant  # noqa: E402,F401
import faults_world  # noqa: E402,F401
