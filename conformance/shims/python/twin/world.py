"""JoinService over time: the store in memory, its transactions, and the ops load, step and dump (SHIM.md, Worlds)."""
import copy
from contextlib import contextmanager
from importlib import import_module

from . import certificate, claims, der, hardware_key, hosted, p256, refusal
from .octets import sha256, time_text
from .schema import text
from .verdicts import BadCall, Failure, Reject, Unsupported
from .world_schema import REQUESTS


class Config:
    """What the deployment is configured with; no request changes it."""

    def __init__(self, given):
        self.trust_domain, self.root_tenant = given["trustDomain"], given["rootTenant"]
        self.attestors, self.cert_ttl, self.iat_window = given["attestors"], given["certTtlS"], given.get("iatWindow")
        self.issuer = None
        if given["keys"] is not None:
            self.read_keys(given["keys"])

    def read_keys(self, keys):
        self.encryption = [p256.private_key(jwk) for jwk in keys["encryption"]]
        self.signing = p256.private_key(keys["signing"])
        self.trust_bundle = keys["trustBundle"]
        try:
            self.issuer = certificate.Issuer(p256.private_key(keys["nodeCa"]["key"]), keys["nodeCa"]["certificate"])
        except der.DerError as bad:
            raise BadCall("nodeCa: %s" % bad) from None


class Store:
    """The tables, each in the order of creation. Rows are plain values, so that a copy of them is a snapshot."""

    def __init__(self):
        self.sites, self.pools, self.tokens, self.nodes, self.certs, self.events, self.audit = [], [], [], [], [], [], []
        self.answers, self.proofs, self.buckets, self.keys = {}, {}, {}, {}

    def find(self, table, ident):
        """The row of an id, or None."""
        return next((row for row in getattr(self, table) if row["id"] == ident), None)

    def cert(self, serial):
        return next(row for row in self.certs if row["serial"] == serial)

    def certs_of(self, node_id, generation=None):
        """A node's certificates in the order issued, of one generation or of all."""
        return [row for row in self.certs if row["nodeId"] == node_id and generation in (None, row["generation"])]


class World:
    """One deployment: what it is configured with, what is stored, and what is only in memory."""

    def __init__(self, config, store):
        self.config, self.store, self.tickets = config, store, {}


class Step:
    """One request: the world, the store's clock and the choices of the call."""

    def __init__(self, world, at, call):
        self.world, self.at, self.choice = world, at, call.choice

    @property
    def config(self):
        return self.world.config

    @property
    def store(self):
        return self.world.store

    def now_ms(self):
        return self.at

    @contextmanager
    def transaction(self):
        """ADMISSION-1: everything commits together or not at all."""
        before = snapshot(self.store)
        try:
            yield
        except BaseException as cause:
            undo(self.world, before, cause)
            raise


def snapshot(store):
    return copy.deepcopy(store)


def undo(world, before, cause):
    """Whatever the cause, nothing is left of what was done."""
    world.store = before


CURRENT = {"world": None}


# ---- load ----

def check_unique(rows, what):
    idents = [row["id"] for row in rows]
    if len(set(idents)) != len(idents):
        raise BadCall("%s: an id twice" % what)


def named(store, table, ident, what):
    """The row that another one names."""
    row = store.find(table, ident)
    if row is None:
        raise BadCall("%s: no %s %s" % (what, table, ident[:40]))
    return row


def read_token(given):
    return {"allowedKinds": None, "ttlLimitS": None, **given}


def read_node(given, store, config, call):
    """A node's hardware key is derived from its claims, and trusted by HARDWARE-KEY-1."""
    try:
        normal = claims.normalize(given["claims"])
    except Reject as refused:
        raise BadCall("nodes: claims: %s" % refused.detail) from None
    independence = call.choice("hwkey.independence")
    pool, site = named(store, "pools", given["poolId"], "nodes"), named(store, "sites", given["siteId"], "nodes")
    if given["tokenId"] is not None:
        named(store, "tokens", given["tokenId"], "nodes")
    owned = hosted.platform_owns(pool, site, config.root_tenant)
    return dict(
        given, claims=normal, key=hardware_key.key(normal, call.choice("hwkey.selection"), independence), queued=True,
        trusted=hardware_key.trusted(normal, independence), tenantOwned=hosted.tenant_owned(pool, site, owned))


def read_store(given, config, call):
    store = Store()
    store.sites, store.pools = given["sites"], given["pools"]
    store.tokens = [read_token(row) for row in given["tokens"]]
    for pool in store.pools:
        named(store, "sites", pool["siteId"], "pools")
    store.nodes = [read_node(row, store, config, call) for row in given["nodes"]]
    for table in ("sites", "pools", "tokens", "nodes"):
        check_unique(getattr(store, table), table)
    store.certs = [certificate.read_row(row) for row in given["certs"]]
    for row in store.certs:
        named(store, "nodes", row["nodeId"], "certs")
    return store


def op_load(args, call):
    """A world with a fault leaves the one before; one that does not start (CERTIFICATE-1) leaves none."""
    given = args["world"]
    config = Config(given)
    store = read_store(given, config, call)
    CURRENT["world"] = None
    if not certificate.is_ttl(config.cert_ttl):
        raise Failure("INVALID_CONFIG", "certTtlS")
    CURRENT["world"] = World(config, store)
    return {}


# ---- step ----

def restart(step, args):
    """A clean stop and start: what is stored stays, open tickets go, pending counts are published."""
    step.world.tickets.clear()
    refusal.flush(step)
    return {}


STEPS = {
    "join": ("admission", "join"), "join-begin": ("admission", "begin"), "join-finish": ("admission", "finish"),
    "renew": ("renewal", "renew"), "token-create": ("administration", "create"), "token-list": ("administration", "list_tokens"),
    "token-revoke": ("administration", "revoke"), "retire": ("reclaim", "retire"), "enqueue": ("certificate", "enqueue"),
    "restart": ("world", "restart")}


def current():
    if CURRENT["world"] is None:
        raise BadCall("no world is loaded")
    return CURRENT["world"]


def read_request(request):
    """The step to be done and its members."""
    if "do" not in request:
        raise BadCall("request: no member do")
    do = text(request["do"])
    if do not in REQUESTS:
        raise Unsupported("do")
    return do, REQUESTS[do](request)


def op_step(args, call):
    world = current()
    do, request = read_request(args["request"])
    module, function = STEPS[do]
    try:
        return getattr(import_module("." + module, __package__), function)(Step(world, args["at"], call), request)
    except OverflowError:
        raise BadCall("at: a time beyond the years 1 to 9999 would follow") from None


# ---- dump ----

def pick(row, *names):
    return {name: row[name] for name in names}


def shown_token(row):
    return dict(pick(row, "id", "tenant", "poolId", "role", "usesLeft"), revoked=row["revokedAt"] is not None)


def shown_node(row):
    shown = pick(row, "id", "tenant", "poolId", "siteId", "kind", "certificateRole", "generation", "retired")
    return dict(shown, hardwareKeyTrusted=row["trusted"], **pick(row, "tenantOwned", "queued", "tokenId"))


def shown_cert(row):
    shown = pick(row, "serial", "nodeId", "generation", "role", "statements", "allowedKinds", "revoked", "renewedFrom")
    return dict(
        shown, spkiSha256=sha256(row["spki"]).hex(), notBefore=time_text(row["notBefore"] * 1000),
        notAfter=time_text(row["notAfter"] * 1000))


def op_dump(args, call):
    store = current().store
    return {
        "tokens": [shown_token(row) for row in store.tokens], "nodes": [shown_node(row) for row in store.nodes],
        "certs": [shown_cert(row) for row in store.certs], "events": store.events, "audit": store.audit}
