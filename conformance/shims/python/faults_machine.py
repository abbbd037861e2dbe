"""The named faults of BINDING, CSR and CLAIMS."""
import re

from lax import lax_b64u
from patches import fault
from twin.octets import sha256
from twin.verdicts import Reject

# ---- BINDING ----

@fault("binding-normalized-claims", "BINDING-1", "the request hash is over normalized claims")
def _(t):
    def normalized(request):
        try:
            normal = t.claims.normalize(request["claims"])
        except Reject:
            return request
        return dict(request, claims={name: [one.encode() for one in value] if type(value) is list else value.encode()
                                     for name, value in normal.items()})
    t.feed("binding.request_hash", normalized)

@fault("binding-sorted-lists", "BINDING-1", "lists enter the request hash sorted and without duplicates")
def _(t):
    t.feed("binding.request_hash", lambda request: dict(request, claims={
        name: sorted(set(value)) if type(value) is list else value for name, value in request["claims"].items()}))

@fault("binding-empty-attestor", "BINDING-1", "the empty attestor is hashed as it is")
def _(t):
    t.during("binding.request_hash", "binding.attestor_name", lambda attestor: attestor)

@fault("binding-little-endian", "BINDING-1", "the numbers of entries are little-endian")
def _(t):
    t.put("binding.i64", lambda number: number.to_bytes(8, "little"))

@fault("binding-count-u32", "BINDING-1", "the numbers of entries are 32 bits wide")
def _(t):
    t.put("binding.i64", lambda number: number.to_bytes(4, "big"))

@fault("binding-no-counts", "BINDING-1", "the numbers of entries are left out")
def _(t):
    t.wrap("binding.fields", lambda real, request: [field for field in real(request) if not (len(field) == 8 and field[:6] == bytes(6))])

@fault("binding-absent-skipped", "BINDING-1", "an absent claim has no field")
def _(t):
    t.wrap("binding.fields", lambda real, request: [field for field in real(request) if field])

@fault("binding-hostname-first", "BINDING-1", "the hostname stands before the serials")
def _(t):
    t.binding.CLAIMS = ("productUuid", "hostname", "productSerial", "boardSerial", "chassisSerial")

@fault("binding-any-tag", "BINDING-2", "the value may be a string of another kind")
def _(t):
    t.skip("binding.check_tag")

@fault("binding-first-wins", "BINDING-2", "of two bindings the first is compared")
def _(t):
    t.skip("binding.check_single")

@fault("binding-lax-base64", "BINDING-2", "the hash in the attribute may be spelled laxly")
def _(t):
    t.put("binding.b64u_decode", lax_b64u)

@fault("binding-malformed-ignored", "BINDING-2", "a malformed binding counts as absent")
def _(t):
    def wellformed(real, parsed):
        found = real(parsed)
        return [node for node in found if len(node.content) == 62] if len(found) == 1 else found
    t.wrap("binding.values", wellformed)

@fault("binding-not-compared", "BINDING-2", "the hash in the attribute is not compared")
def _(t):
    t.wrap("binding.check", lambda real, parsed, digest, required, choice: real(
        parsed, t.binding.stated_hash(t.binding.values(parsed)[0]) if t.binding.values(parsed) and choice != "none" else digest, required, choice))

@fault("binding-never-required", "BINDING-2", "requests without a binding are admitted although the pool requires one")
def _(t):
    t.wrap("binding.check", lambda real, parsed, digest, required, choice: real(parsed, digest, False, choice))

@fault("binding-neighbours-refused", "BINDING-2", "another value beside the binding, or another unstructuredName, is taken for one")
def _(t):
    t.put("binding.is_binding", lambda node: True)

@fault("binding-first-attribute-only", "BINDING-2", "only the first unstructuredName attribute is looked at")
def _(t):
    def first(real, parsed):
        named = [nodes for oid, nodes in parsed.attributes if oid == t.binding.OID][:1]
        return [node for nodes in named for node in nodes if t.binding.is_binding(node)]
    t.wrap("binding.values", first)

@fault("binding-required-under-none", "BINDING-2", "under the choice none a pool's requirement is still enforced")
def _(t):
    def enforced(real, parsed, digest, required, choice):
        if choice == "none" and required and not t.binding.values(parsed):
            t.binding.refuse("absent")
        return real(parsed, digest, required, choice)
    t.wrap("binding.check", enforced)

# ---- CSR ----

@fault("csr-trailing-octets", "CSR-1", "octets after the request are ignored")
def _(t):
    t.during("csr.parse", "der.check_no_trailing", lambda node, data: None)

@fault("csr-size-one-more", "CSR-1", "a request of 4097 octets is taken")
def _(t):
    t.csr.MAX_BYTES += 1

@fault("csr-long-lengths", "CSR-1", "lengths need not be minimal")
def _(t):
    t.during("csr.parse", "der.check_length_minimal", lambda length, count: None)

@fault("csr-attribute-order", "CSR-1", "the order of the attributes is not checked")
def _(t):
    t.skip("csr.check_order")

@fault("csr-value-order", "CSR-1", "the order of the values in an attribute is not checked")
def _(t):
    t.skip("csr.check_value_order")

@fault("csr-subject-unchecked", "CSR-1", "the subject is not looked at")
def _(t):
    t.skip("csr.check_subject")

@fault("csr-any-version", "CSR-1", "the version may be another number")
def _(t):
    t.skip("csr.check_version")

@fault("csr-no-attributes-field", "CSR-1", "the attributes field may be left out")
def _(t):
    def filled(real, node, tag, kids=None):
        if kids == 4 and len(node.kids) == 3:
            return node.kids + [t.der.parse(b"\xa0\0")]
        return real(node, tag, kids)
    t.during("csr.parse", "der.expect", lambda *args, real=t.real("der.expect"): filled(real, *args))

@fault("csr-empty-values", "CSR-1", "an attribute may have no value")
def _(t):
    def read(node):
        oid, values = t.der.expect(node, 0x30, 2)
        t.der.check_oid(oid)
        t.der.expect(values, 0x31)
        t.csr.check_value_order(values.kids)
        return oid.raw, values.kids
    t.put("csr.read_attribute", read)

@fault("csr-oid-not-minimal", "CSR-1", "object identifiers need not be minimal")
def _(t):
    t.during("csr.parse", "der.check_oid", lambda node: t.der.need(node.tag == 6 and node.content, "object identifier"))

@fault("csr-depth-one-more", "CSR-1", "seventeen levels of nesting are taken")
def _(t):
    t.during("csr.parse", "der.MAX_DEPTH", 17)

@fault("csr-pem", "CSR-1", "PEM is unwrapped")
def _(t):
    import base64

    def unwrapped(octets):
        found = re.search(rb"-----BEGIN [A-Z ]+-----\s(.*)-----END", octets, re.DOTALL)
        return base64.b64decode(found.group(1)) if found else octets
    t.feed("csr.check", unwrapped)

@fault("csr-compressed-point", "CSR-2", "a compressed point is taken")
def _(t):
    def read(spki):
        from cryptography.hazmat.primitives.asymmetric import ec
        prefix = bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200")
        if spki[:len(prefix)] != prefix:
            return real(spki)
        try:
            numbers = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), spki[len(prefix):]).public_numbers()
        except ValueError:
            raise t.der.DerError("point") from None
        return b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    real = t.real("csr.read_key")
    t.put("csr.read_key", read)

@fault("csr-parameters-left-out", "CSR-2", "a key without the curve's name is taken for one on P-256")
def _(t):
    prefix = bytes.fromhex("304f300906072a8648ce3d0201034200")
    t.feed("csr.read_key", lambda spki: t.p256.SPKI_PREFIX + spki[len(prefix):] if spki[:len(prefix)] == prefix else spki)

@fault("csr-signature-unchecked", "CSR-3", "the request's signature is not verified")
def _(t):
    t.skip("csr.check_signature")

@fault("csr-low-s-wanted", "CSR-3", "a high s is refused")
def _(t):
    t.wrap("csr.check_signature", lambda real, parsed: t.der.need(2 * parsed.s < t.p256.N, "high s") or real(parsed))

@fault("csr-null-parameters", "CSR-3", "the signature algorithm may have NULL parameters")
def _(t):
    null = bytes.fromhex("300c06082a8648ce3d0403020500")
    t.put("csr.check_algorithm", lambda node: t.der.need(node.raw in (t.p256.ECDSA_SHA256, null), "algorithm"))

@fault("csr-long-integers", "CSR-3", "r and s may have leading zeros that are not needed")
def _(t):
    t.during("csr.read_signature", "der.check_integer_minimal", lambda content: t.der.need(content, "integer"))

@fault("csr-negative-integers", "CSR-3", "r and s are read as unsigned")
def _(t):
    t.during("csr.read_signature", "der.positive", lambda node: int.from_bytes(node.content, "big"))

@fault("csr-unused-bits", "CSR-3", "the first octet of the signature's BIT STRING is not looked at")
def _(t):
    t.during("csr.read_signature", "der.bit_string", lambda node: node.content[1:])

@fault("csr-hash-of-info", "CSR-5", "the hash is over the part that is signed, not the whole request")
def _(t):
    t.put("csr.digest", lambda octets: sha256(t.csr.parse(octets).signed))

# ---- CLAIMS ----

@fault("control-drops-value", "CLAIMS-1", "a value with a control character is dropped, not refused")
def _(t):
    def text(real, raw):
        try:
            return real(raw)
        except Reject as refusal:
            if refusal.detail != "control character":
                raise
    t.wrap("claims.text", text)

@fault("c1-controls-pass", "CLAIMS-1", "the controls from U+0080 to U+009F pass")
def _(t):
    t.claims.CONTROL = re.compile("[\0-\x1f\x7f]")

@fault("invalid-utf8-replaced", "CLAIMS-1", "invalid UTF-8 is replaced, not refused")
def _(t):
    t.put("claims.decode", lambda raw: raw.decode("utf-8", "replace"))

@fault("unicode-lower-case", "CLAIMS-1", "letters beyond ASCII become lower case too")
def _(t):
    t.wrap("claims.decode", lambda real, raw: real(raw).lower())

@fault("unicode-blanks-trimmed", "CLAIMS-1", "blanks beyond ASCII are trimmed")
def _(t):
    t.wrap("claims.decode", lambda real, raw: real(raw).strip("\u00a0\u2003\u3000\ufeff"))

@fault("inner-blanks-kept", "CLAIMS-1", "runs of blanks inside a value are kept")
def _(t):
    t.put("claims.fold_blanks", lambda raw: raw.replace(b"\t", b" ").replace(b"\n", b" ").replace(b"\r", b" "))

@fault("nul-not-trimmed", "CLAIMS-1", "only blanks are trimmed, no NUL")
def _(t):
    t.claims.TRIMMED = t.claims.BLANKS

@fault("value-size-trimmed", "CLAIMS-1", "the length of a value is judged after trimming")
def _(t):
    t.feed("claims.check_size", lambda raw: raw.strip(t.claims.TRIMMED))

@fault("value-size-characters", "CLAIMS-1", "the length of a value is counted in characters")
def _(t):
    t.feed("claims.check_size", lambda raw: raw.decode("utf-8", "replace"))

@fault("entries-one-more", "CLAIMS-1", "65 entries of a list are taken")
def _(t):
    t.claims.MAX_MACS += 1
    t.claims.MAX_GPUS += 1

@fault("entries-counted-once-each", "CLAIMS-1", "duplicates in a list are not counted")
def _(t):
    t.feed("claims.check_counts", lambda claims: {name: set(claims[name]) for name in ("permanentMacs", "gpuUuids")})

@fault("hostname-as-sent", "CLAIMS-1", "the text rule is not applied to the hostname")
def _(t):
    t.claims.RULES["hostname"] = lambda raw: raw.decode("utf-8", "replace") or None

@fault("uuid-braces", "CLAIMS-2", "a UUID in braces, or with urn:uuid:, is taken")
def _(t):
    t.feed("claims.parse_uuid", lambda value: value.removeprefix("urn:uuid:").strip("{}"))

@fault("uuid-any-dashes", "CLAIMS-2", "the dashes of a UUID may stand anywhere")
def _(t):
    t.feed("claims.parse_uuid", lambda value: value.replace("-", ""))

@fault("uuid-malformed-kept", "CLAIMS-2", "a product UUID that does not parse is kept as text")
def _(t):
    t.claims.RULES["productUuid"] = lambda raw: t.claims.product_uuid(raw) or (
        None if t.claims.parse_uuid(t.claims.text(raw) or "0" * 32) else t.claims.text(raw))

@fault("local-mac-kept", "CLAIMS-3", "locally administered addresses are kept")
def _(t):
    t.claims.LOCAL_BIT = 0

@fault("group-mac-kept", "CLAIMS-3", "group addresses are kept")
def _(t):
    t.claims.GROUP_BIT = 0

@fault("infiniband-truncated", "CLAIMS-3", "the last six octets of an InfiniBand address are taken for a MAC")
def _(t):
    t.feed("claims.parse_mac", lambda value: value[-17:] if re.fullmatch("([0-9a-f]{2}:){19}[0-9a-f]{2}", value) else value)

@fault("mac-mixed-separators", "CLAIMS-3", "separators of a MAC may be mixed")
def _(t):
    t.feed("claims.parse_mac", lambda value: value.replace("-", ":"))

@fault("mac-short-octets", "CLAIMS-3", "octets of a MAC may have one digit")
def _(t):
    t.feed("claims.parse_mac", lambda value: ":".join(part.zfill(2) for part in value.split(":")) if value.count(":") == 5 else value)

@fault("mac-equal-octets-kept", "CLAIMS-3", "an address of six equal octets is kept")
def _(t):
    t.put("claims.is_hardware", lambda octets: not octets[0] & 3 and any(octets))

@fault("mig-kept", "CLAIMS-4", "a slice of a GPU counts as hardware")
def _(t):
    t.put("claims.is_slice", lambda value: False)

@fault("mig-case-sensitive", "CLAIMS-4", "mig- is looked for before letters become lower case")
def _(t):
    t.wrap("claims.gpu", lambda real, raw: t.claims.text(raw) if raw.strip(t.claims.TRIMMED)[:4] in (b"MIG-", b"Mig-") else real(raw))

@fault("gpu-prefix-cut", "CLAIMS-4", "gpu- is cut off the value that is kept")
def _(t):
    t.wrap("claims.gpu", lambda real, raw: (real(raw) or "").removeprefix("gpu-") or None)

@fault("gpu-uuids-only", "CLAIMS-4", "a GPU's value that is no UUID is dropped")
def _(t):
    t.wrap("claims.gpu", lambda real, raw: real(raw) if t.claims.parse_uuid((real(raw) or "").removeprefix("gpu-")) else None)

@fault("placeholders-documented-only", "CLAIMS-5", "only the placeholder texts that the source names are known")
def _(t):
    t.placeholders.lists().texts = {"tobefilledbyoem", "defaultstring", "systemserialnumber"}

@fault("placeholder-inside", "CLAIMS-5", "a placeholder is found inside a longer serial")
def _(t):
    t.wrap("placeholders.listed_text", lambda real, text: real(text) or any(
        len(entry) > 3 and entry in t.placeholders.fold(text) for entry in t.placeholders.lists().texts))

@fault("placeholder-text-exact", "CLAIMS-5", "placeholder texts are compared with their dots, underscores and blanks")
def _(t):
    t.put("placeholders.listed_text", lambda text: text in ("to be filled by o.e.m.", "default string", "system serial number", "none", "n/a"))

@fault("placeholder-number-folded", "CLAIMS-5", "dots and blanks are left out of numbers too")
def _(t):
    t.feed("placeholders.listed_number", lambda text: t.placeholders.fold(text))

@fault("placeholder-number-ignored", "CLAIMS-5", "the list of numbers is not looked at")
def _(t):
    t.put("placeholders.listed_number", lambda text: False)

@fault("repetition-kept", "CLAIMS-5", "a value of one repeated character is kept")
def _(t):
    t.put("placeholders.repeated", lambda text: False)

@fault("single-character-kept", "CLAIMS-5", "a single character does not count as repeated")
def _(t):
    t.wrap("placeholders.repeated", lambda real, text: len(text) > 1 and real(text))

@fault("twin-of-placeholder-kept", "CLAIMS-5", "the byte-swapped twin of a listed UUID is kept")
def _(t):
    t.put("placeholders.listed_uuid", lambda uuid: uuid in t.placeholders.lists().uuids)

@fault("uuid-prefix-ignored", "CLAIMS-5", "the prefixes of UUIDs are not looked at")
def _(t):
    t.put("placeholders.has_uuid_prefix", lambda uuid: False)

@fault("uuid-list-for-serials", "CLAIMS-5", "the list of UUIDs is applied to serials")
def _(t):
    t.wrap("placeholders.is_text", lambda real, text: real(text) or text in t.placeholders.lists().uuids)

@fault("mac-list-ignored", "CLAIMS-5", "the list of MACs is not looked at")
def _(t):
    t.put("placeholders.is_mac", lambda mac: False)

@fault("mac-prefix-ignored", "CLAIMS-5", "the prefixes of MACs are not looked at")
def _(t):
    t.put("placeholders.is_mac", lambda mac: mac in t.placeholders.lists().macs)

@fault("gpu-placeholder-with-prefix", "CLAIMS-5", "a GPU's value is tested with its gpu-")
def _(t):
    t.put("claims.gpu_placeholder", lambda value: t.placeholders.is_text(value))

@fault("hostname-placeholder-dropped", "CLAIMS-5", "a hostname on the list is dropped")
def _(t):
    t.claims.RULES["hostname"] = t.claims.serial

@fault("lists-not-sorted", "CLAIMS-6", "lists stay in the order in which they were sent")
def _(t):
    t.put("claims.as_set", lambda values: list(dict.fromkeys(value for value in values if value is not None)))

@fault("duplicates-kept", "CLAIMS-6", "a value that is sent twice is there twice")
def _(t):
    t.put("claims.as_set", lambda values: sorted(value for value in values if value is not None))

@fault("smbios-always-little-endian", "CLAIMS-7", "the UUID of an old table is swapped too")
def _(t):
    t.put("claims.little_endian", lambda version: True)

@fault("smbios-decimal-version", "CLAIMS-7", "versions are compared as decimal numbers, so 2.10 is before 2.6")
def _(t):
    t.put("claims.little_endian", lambda version: float("%d.%d" % (version["major"], version["minor"])) >= 2.6)

@fault("smbios-minor-alone", "CLAIMS-7", "major and minor are compared each by itself, so 3.0 is before 2.6")
def _(t):
    t.put("claims.little_endian", lambda version: version["major"] >= 2 and version["minor"] >= 6)
