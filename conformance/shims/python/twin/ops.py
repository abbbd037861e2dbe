"""The ops of SHIM.md: for each the schema of its `in`, the module of its step and the function there."""
from importlib import import_module

from . import schema as s
from .schema import Optional as Maybe, Record
from .octets import time_ms
from .verdicts import BadCall, Unsupported
from .world_schema import WORLD

CHOICES = {
    "seal.iat-window": ["none", "window"],
    "request-binding": ["checked", "none"],
    "hwkey.selection": ["stable", "all"],
    "hwkey.independence": ["kinds", "facts"],
    "client.node-tenant": ["accept", "refuse"],
    "seal.resend": ["stored-answer", "refuse"],
    "reclaim.tpm-bound": ["same-tpm", "any"],
    "reclaim.retired": ["new-node", "refuse"],
    "refusal.bucket": ["audience", "global"],
    "renewal.signed-answer": ["yes", "no"],
}
CALL_MEMBERS = {"jc", "id", "m", "op", "now", "in", "limit_ms", "choices", "critical"}

JOIN_REQUEST = Record(attestor=s.text, role=s.text, csr=s.octets, seal=s.octets, claims=s.CLAIMS)
SELECT_PINS = Record(encryption=s.PINS, signing=s.PINS, servingCa=Maybe(s.PINS))
FIELDS = dict(purpose=s.text, fields=s.mapping)
VERIFY = Record(
    response=s.SIGNED, pins=s.PINS, csr=s.octets, request=s.REQUEST, site=s.text, nodeId=s.nullable(s.text),
    requireRequestBinding=s.boolean, ak=s.nullable(s.text), previousAk=s.nullable(s.text))
DEFERRAL = Record(deferral=s.SIGNED, pins=s.PINS, csr=s.octets, request=s.REQUEST, requireRequestBinding=s.boolean)
JOIN = Record(
    request=JOIN_REQUEST, attestors=s.listing(s.text), keys=s.listing(s.PRIVATE_JWK), row=s.nullable(s.ROW), expect=s.nullable(s.EXPECT),
    requestBinding=s.word("optional", "required"), iatWindow=Maybe(s.WINDOW))
SEAL_OPEN = Record(seal=s.octets, csr=s.octets, keys=s.listing(s.PRIVATE_JWK), iatWindow=Maybe(s.WINDOW))

OPS = {
    "token.parse": (Record(token=s.octets), "token", "op_parse"),
    "token.read": (Record(input=s.octets), "token", "op_read"),
    "token.ttl": (Record(text=s.text), "token", "op_ttl"),
    "token.id": (Record(text=s.text), "token", "op_id"),
    "token.create": (Record(request=s.mapping), "token", "op_create"),
    "token.admit": (Record(row=s.nullable(s.ROW), token=s.text, role=s.text), "token", "op_admit"),
    "seal.open": (SEAL_OPEN, "seal", "op_open"),
    "seal.make": (Record(token=s.text, csr=s.octets, jwk=s.JWK, pins=s.PINS), "seal", "op_make"),
    "binding.hash": (Record(request=s.REQUEST), "binding", "op_hash"),
    "binding.check": (Record(csr=s.octets, request=s.REQUEST, required=s.boolean), "binding", "op_check"),
    "csr.check": (Record(csr=s.octets), "csr", "op_check"),
    "csr.make": (Record(key=s.PRIVATE_JWK, request=Maybe(s.REQUEST)), "csr", "op_make"),
    "claims.normalize": (Record(claims=s.CLAIMS), "claims", "op_normalize"),
    "smbios.uuid": (Record(raw=s.octets_of(16), version=Record(major=s.whole, minor=s.whole)), "claims", "op_smbios"),
    "hwkey.derive": (Record(sets=s.listing(s.CLAIMS)), "hardware_key", "op_derive"),
    "hwkey.admit": (Record(claims=s.CLAIMS, pinned=s.boolean), "hardware_key", "op_admit"),
    "expect.match": (Record(expect=s.EXPECT, claims=s.CLAIMS), "expect", "op_match"),
    "join.check": (JOIN, "join", "op_check"),
    "signature.bytes": (Record(**FIELDS), "signature", "op_bytes"),
    "signature.make": (Record(key=s.PRIVATE_JWK, **FIELDS), "signature", "op_make"),
    "signature.verify": (Record(key=s.octets, sig=s.octets, **FIELDS), "signature", "op_verify"),
    "join.response.sign": (Record(key=s.PRIVATE_JWK, body=s.BODY), "response", "op_sign"),
    "join.response.verify": (VERIFY, "response", "op_verify"),
    "deferral.verify": (DEFERRAL, "response", "op_deferral"),
    "pin.parse": (Record(pin=s.text), "config", "op_pin_parse"),
    "pin.match": (Record(pins=s.PINS, spki=s.octets), "config", "op_pin_match"),
    "keys.select": (Record(keyFile=s.nullable(s.octets), document=s.nullable(s.octets), pins=SELECT_PINS), "wellknown", "op_select"),
    "config.load": (Record(toml=s.octets), "config", "op_load"),
    "world.load": (Record(world=WORLD), "world", "op_load"),
    "world.step": (Record(at=s.time, request=s.mapping), "world", "op_step"),
    "world.dump": (Record(), "world", "op_dump"),
}


class Call:
    """What a call says beside its `in`: the clock and the choices."""

    def __init__(self, message):
        self.message = message
        self.choices = message.get("choices", {})
        if type(self.choices) is not dict:
            raise BadCall("choices: not an object")
        for name, value in self.choices.items():
            if name in CHOICES and value not in CHOICES[name]:
                raise Unsupported("%s: %r" % (name, value))

    def now_ms(self):
        now = self.message.get("now")
        ms = time_ms(now) if isinstance(now, str) else None
        if ms is None:
            raise BadCall("now: not a time")
        return ms

    def choice(self, name):
        return self.choices.get(name, CHOICES[name][0])


def check_critical(message, known):
    critical = message.get("critical", [])
    if type(critical) is not list:
        raise BadCall("critical: not a list")
    for name in critical:
        if not isinstance(name, str) or name not in known:
            raise Unsupported("critical: %r" % (name,))


def answer(message):
    """`out` of a call; Reject, BadCall or Unsupported else."""
    op = message.get("op")
    if not isinstance(op, str) or op not in OPS:
        raise Unsupported("op")
    schema, module, function = OPS[op]
    check_critical(message, CALL_MEMBERS | set(schema.members))
    call = Call(message)
    if "in" not in message:
        raise BadCall("no member in")
    args = schema(message["in"])
    return getattr(import_module("." + module, __package__), function)(args, call)
