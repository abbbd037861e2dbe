"""The named faults of HARDWARE-KEY and EXPECT, and of the order of a join."""
from patches import fault
from twin.verdicts import Reject

# ---- HARDWARE-KEY ----

@fault("hostname-counted", "HARDWARE-KEY-1", "the hostname counts as an identifier")
def _(t):
    t.wrap("hardware_key.trusted", lambda real, normal, independence: real(normal, independence) or (
        "hostname" in normal and len(t.hardware_key.kinds(normal)) == 1))

@fault("serials-counted-each", "HARDWARE-KEY-1", "two serials count as two identifiers")
def _(t):
    t.wrap("hardware_key.trusted", lambda real, normal, independence: real(normal, independence) or sum(
        name in normal for name in t.claims.SERIALS) >= 2)

@fault("macs-counted-each", "HARDWARE-KEY-1", "two MACs count as two identifiers")
def _(t):
    t.wrap("hardware_key.trusted", lambda real, normal, independence: real(normal, independence) or len(normal["permanentMacs"]) >= 2)

@fault("one-identifier-trusted", "HARDWARE-KEY-1", "a key from one identifier is trusted")
def _(t):
    t.put("hardware_key.trusted", lambda normal, independence: bool(t.hardware_key.kinds(normal)))

@fault("gpu-not-counted", "HARDWARE-KEY-1", "GPU UUIDs are no kind of their own")
def _(t):
    t.wrap("hardware_key.trusted", lambda real, normal, independence: real(dict(normal, gpuUuids=[]), independence))

@fault("placeholders-hashed", "HARDWARE-KEY-1", "placeholders are hashed and counted")
def _(t):
    for name in ("is_text", "is_uuid", "is_mac"):
        t.during("hardware_key.derived", "placeholders." + name, lambda value: False)

@fault("ties-ignored", "HARDWARE-KEY-1", "under facts kinds that one identifier ties together count twice")
def _(t):
    t.put("derivations.tied", lambda normal: set())

@fault("ties-under-kinds", "HARDWARE-KEY-1", "under kinds tied identifiers count once")
def _(t):
    t.wrap("hardware_key.components", lambda real, normal, surviving, independence: real(normal, surviving, "facts"))

@fault("ties-first-serial-only", "HARDWARE-KEY-1", "only the first surviving serial is looked at for ties")
def _(t):
    t.wrap("derivations.serial_tied", lambda real, uuid, serials: real(uuid, serials[:1]))

@fault("ties-first-mac-only", "HARDWARE-KEY-1", "only the first MAC is looked at for ties")
def _(t):
    t.wrap("derivations.mac_tied", lambda real, uuid, macs: real(uuid, macs[:1]))

@fault("ties-not-by-twin", "HARDWARE-KEY-1", "a serial or MAC that spells the UUID's twin is not tied to it")
def _(t):
    t.put("derivations.spellings", lambda uuid: (uuid,))

@fault("dell-high-bit", "HARDWARE-KEY-1", "the high bit in a Dell UUID is not masked")
def _(t):
    def dell(uuid, serial):
        b = bytes.fromhex(uuid.replace("-", ""))
        return b[:4] == b"LLED" and bytes((b[10], b[5], b[6], b[9], b[13], b[14], b[15])).lower() == serial.encode()
    t.derivations.SERIAL_TIES = (dell,) + t.derivations.SERIAL_TIES[1:]

@fault("vmware-not-tied", "HARDWARE-KEY-1", "a VMware serial is not seen to spell the UUID")
def _(t):
    t.derivations.SERIAL_TIES = tuple(tie for tie in t.derivations.SERIAL_TIES if tie.__name__ != "vmware")

@fault("version-1-any-version", "HARDWARE-KEY-1", "the node field of a UUID of any version is taken for a MAC")
def _(t):
    t.derivations.MAC_TIES += (lambda uuid: [bytes.fromhex(uuid[-12:])],)

@fault("ami-not-tied", "HARDWARE-KEY-1", "a MAC interleaved into the default UUID is not seen")
def _(t):
    t.derivations.MAC_TIES = tuple(tie for tie in t.derivations.MAC_TIES if tie.__name__ != "ami")

@fault("zero-tail-not-tied", "HARDWARE-KEY-1", "a MAC followed by zeros is not seen in a UUID")
def _(t):
    t.derivations.MAC_TIES = tuple(tie for tie in t.derivations.MAC_TIES if tie.__name__ != "zero_tail")

@fault("lines-not-sorted", "HARDWARE-KEY-2", "lines are hashed in the order of the kinds")
def _(t):
    t.put("hardware_key.arrange", lambda lines: lines)

@fault("lines-sorted-by-value", "HARDWARE-KEY-2", "lines are sorted by their values")
def _(t):
    t.put("hardware_key.arrange", lambda lines: sorted(lines, key=lambda line: line.split(b"=", 1)[1]))

@fault("lines-not-ended", "HARDWARE-KEY-2", "the last line has no line end")
def _(t):
    t.wrap("hardware_key.arrange", lambda real, lines: real(lines)[:-1] + [real(lines)[-1].rstrip(b"\n")])

@fault("board-before-chassis", "HARDWARE-KEY-2", "the board serial is taken before the chassis serial")
def _(t):
    def first(normal):
        return [normal[name] for name in ("productSerial", "boardSerial", "chassisSerial") if name in normal][:1]
    t.put("hardware_key.first_serial", first)

@fault("all-serials-hashed", "HARDWARE-KEY-2", "under stable every serial is hashed")
def _(t):
    t.put("hardware_key.first_serial", lambda normal: [normal[name] for name in t.claims.SERIALS if name in normal])

@fault("first-mac-hashed", "HARDWARE-KEY-2", "under stable only the first MAC is hashed")
def _(t):
    t.wrap("hardware_key.stable_lines", lambda real, normal, independence: real(
        dict(normal, permanentMacs=normal["permanentMacs"][:1]), independence))

@fault("every-kind-hashed", "HARDWARE-KEY-2", "under stable every surviving kind is hashed, not the first two")
def _(t):
    t.put("hardware_key.stable_lines", lambda normal, independence: [
        (kind, value) for kind, values in t.hardware_key.kinds(normal).items() for value in values])

@fault("kinds-another-order", "HARDWARE-KEY-2", "MACs are considered before the serial")
def _(t):
    t.hardware_key.ORDER = ("product-uuid", "mac", "serial", "gpu-uuid")

@fault("untrusted-has-no-key", "HARDWARE-KEY-2", "a machine with one kind has no key")
def _(t):
    t.wrap("hardware_key.key", lambda real, normal, *choices: real(normal, *choices) if len(t.hardware_key.kinds(normal)) > 1 else None)

@fault("empty-key", "HARDWARE-KEY-2", "a machine without identifiers has the hash of nothing for its key")
def _(t):
    t.wrap("hardware_key.key", lambda real, normal, *choices: real(normal, *choices) or t.hardware_key.sha256(t.hardware_key.LABEL))

@fault("trust-from-lines", "HARDWARE-KEY-1", "the key is trusted when two lines were hashed")
def _(t):
    def trusted(real, normal, independence):
        return len(t.hardware_key.stable_lines(normal, independence)) >= 2
    t.wrap("hardware_key.trusted", trusted)

@fault("facts-takes-tied", "HARDWARE-KEY-2", "under facts a kind is taken although it is tied to one that was")
def _(t):
    t.wrap("hardware_key.stable_lines", lambda real, normal, independence: real(normal, "kinds"))

@fault("pinned-key-trusted", "HARDWARE-KEY-3", "by a pinned token a machine with MACs and GPUs only joins with a trusted key")
def _(t):
    t.wrap("hardware_key.admit", lambda real, normal, pinned, independence: real(normal, pinned, independence) or (
        t.hardware_key.trusted(normal, independence)))

@fault("macs-and-gpus-enough", "HARDWARE-KEY-3", "a machine with neither a product UUID nor a serial joins without a pin")
def _(t):
    t.put("hardware_key.identified", lambda normal: True)

@fault("pinned-still-refused", "HARDWARE-KEY-3", "a pinned token does not lift the placeholder rule")
def _(t):
    t.wrap("hardware_key.admit", lambda real, normal, pinned, independence: real(normal, False, independence))

@fault("placeholder-rule-missing", "HARDWARE-KEY-3", "a machine without a trusted key joins by any token")
def _(t):
    t.wrap("hardware_key.admit", lambda real, normal, pinned, independence: real(normal, True, independence))

# ---- EXPECT ----

@fault("expect-one-is-enough", "EXPECT-1", "one identifier that matches is enough")
def _(t):
    def match(real, binding, normal):
        if not any(t.expect.matches(name, value, normal) for name, value in binding.items()):
            real(binding, normal)
    t.wrap("expect.match", match)

@fault("expect-absent-matches", "EXPECT-1", "a claim that is absent matches everything")
def _(t):
    t.wrap("expect.matches", lambda real, name, value, normal: real(name, value, normal) or not t.expect.candidates(name, normal))

@fault("expect-last-member", "EXPECT-1", "only the last member of a binding is compared")
def _(t):
    t.feed("expect.match", lambda binding: dict(list(binding.items())[-1:]))

@fault("expect-substring", "EXPECT-2", "a serial that contains the expected one matches")
def _(t):
    t.wrap("expect.matches", lambda real, name, value, normal: real(name, value, normal) or name == "serial" and any(
        value.lower() in one for one in t.expect.candidates(name, normal)))

@fault("expect-prefix", "EXPECT-2", "a serial that begins with the expected one matches")
def _(t):
    t.wrap("expect.matches", lambda real, name, value, normal: real(name, value, normal) or name == "serial" and any(
        one.startswith(value.lower()) for one in t.expect.candidates(name, normal)))

@fault("expect-swapped-uuid", "EXPECT-2", "the byte-swapped UUID matches too")
def _(t):
    def matches(real, name, value, normal):
        wanted = t.expect.normal_value(name, value)
        return real(name, value, normal) or bool(
            name == "productUuid" and wanted and t.placeholders.twin(wanted) in t.expect.candidates(name, normal))
    t.wrap("expect.matches", matches)

@fault("expect-product-serial-only", "EXPECT-2", "only the product serial is compared")
def _(t):
    t.wrap("expect.candidates", lambda real, name, normal: [normal["productSerial"]] if name == "serial" and (
        "productSerial" in normal) else [] if name == "serial" else real(name, normal))

@fault("expect-first-mac", "EXPECT-2", "only the first MAC and the first GPU are compared")
def _(t):
    t.wrap("expect.candidates", lambda real, name, normal: real(name, normal) if name == "serial" else real(name, normal)[:1])

@fault("expect-slashes-stripped", "EXPECT-2", "slashes around a serial are stripped")
def _(t):
    t.wrap("expect.candidates", lambda real, name, normal: [one.strip("/") for one in real(name, normal)])

@fault("expect-gpu-prefix", "EXPECT-2", "gpu- does not matter")
def _(t):
    t.wrap("expect.matches", lambda real, name, value, normal: real(name, value, normal) or name == "gpuUuid" and (
        value.lower().removeprefix("gpu-") in [one.removeprefix("gpu-") for one in t.expect.candidates(name, normal)]))

@fault("expect-placeholder-matches", "EXPECT-2", "a placeholder in the row matches the same placeholder claimed")
def _(t):
    for name in ("is_text", "is_uuid", "is_mac"):
        t.during("expect.op_match", "placeholders." + name, lambda value: False)

@fault("expect-hostname-as-serial", "EXPECT-2", "the hostname counts among the serials")
def _(t):
    t.wrap("expect.candidates", lambda real, name, normal: real(name, normal) + ([normal["hostname"]] if name == "serial" and (
        "hostname" in normal) else []))

@fault("expect-before-token", "REFUSAL-3", "the binding is compared before the token's own reasons")
def _(t):
    for cat in ("token-revoked", "token-expired", "token-used", "token-role"):
        t.before("join.op_check", cat, lambda args, call: t.join.check_expect(args["expect"], t.claims.normalize(args["request"]["claims"])))

@fault("expect-after-placeholder", "REFUSAL-3", "the placeholder rule comes before the binding's comparison")
def _(t):
    t.before("join.op_check", "expect", lambda args, call: t.hardware_key.admit(
        t.claims.normalize(args["request"]["claims"]), False, call.choice("hwkey.independence")))

# ---- the order of a join ----

@fault("attestor-case-insensitive", "ADMISSION-7", "attestor names are compared without regard to case")
def _(t):
    t.feed("join.check_attestor", lambda request: dict(request, attestor=request["attestor"].lower()))

@fault("attestor-unconfigured", "ADMISSION-7", "an attestor that is not configured is taken")
def _(t):
    t.wrap("join.check_attestor", lambda real, request, attestors: real(request, attestors + ["join-token"]))

@fault("empty-attestor-unknown", "ADMISSION-7", "the empty attestor name is unknown")
def _(t):
    def check(real, request, attestors):
        if not request["attestor"]:
            raise Reject("attestor")
        real(request, attestors)
    t.wrap("join.check_attestor", check)

@fault("claims-before-csr", "REFUSAL-3", "the claims are judged before the CSR")
def _(t):
    t.before("join.op_check", "csr", lambda args, call: t.claims.normalize(args["request"]["claims"]))

@fault("csr-before-role", "REFUSAL-3", "the CSR is judged before the role")
def _(t):
    t.before("join.op_check", "role-invalid", lambda args, call: t.csr.check(args["request"]["csr"]))

@fault("seal-before-claims", "REFUSAL-3", "the seal is opened before the claims are judged")
def _(t):
    t.before("join.op_check", "claims", lambda args, call: t.seal.open_seal(
        args["request"]["seal"], args["request"]["csr"], [t.p256.private_key(jwk) for jwk in args["keys"]], args.get("iatWindow"), call))

@fault("binding-after-revoked", "REFUSAL-3", "the request binding is compared after revocation and expiry")
def _(t):
    t.before("join.op_check", "request-binding", lambda args, call: t.token.admit(args["row"], args["request"]["role"], call.now_ms()))

@fault("binding-before-secret", "REFUSAL-3", "the request binding is compared before the token's secret is")
def _(t):
    def compare(args, call):
        keys = [t.p256.private_key(jwk) for jwk in args["keys"]]
        ident = t.seal.open_seal(args["request"]["seal"], args["request"]["csr"], keys, args.get("iatWindow"), call)[1]
        t.join.check_binding(t.csr.parse(args["request"]["csr"]), t.binding.request_hash(dict(args["request"], tokenId=ident)), args, call)
    t.before("join.op_check", "token-secret", compare)
