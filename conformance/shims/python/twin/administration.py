"""Tokens: create, list and revoke (docs/spec/02-token.md, TOKEN-6 to TOKEN-9)."""
import os

from . import token
from .octets import b64u, new_id, time_text
from .verdicts import Failure, Reject

PAGE, MAX_PAGE = 100, 200


def owned_pool(step, args):
    """TOKEN-6: another tenant's pool is as if it were not there."""
    pool = step.store.find("pools", args["poolId"])
    if pool is None or pool["ownerTenant"] != args["tenant"]:
        raise Failure("NOT_FOUND")
    return pool


def check_agent(pool):
    if pool["agent"] != "bcd":
        raise Failure("INVALID_STATE", "agent")


def record(row, pool):
    """TOKEN-7: the row as it is now, without any secret."""
    return {
        "id": row["id"], "poolId": row["poolId"], "siteId": pool["siteId"], "role": row["role"], "usesLeft": row["usesLeft"],
        "expect": row["expect"], "allowReclaim": row["allowReclaim"], "hosted": row["hosted"], "expiresAt": time_text(row["expiresAt"])}


# ---- create ----

def read_request(request):
    """TOKEN-5 and TOKEN-9."""
    try:
        return token.op_create({"request": request}, None)
    except Reject as refused:
        raise Failure("INVALID_ARGUMENT", refused.detail) from None


def key_scope(args):
    """TOKEN-7: the key is scoped to the tenant; there is one operation here."""
    return args["tenant"], args["request"]["idempotencyKey"]


def check_same(row, args, wanted):
    """TOKEN-7: expect is compared after normalization; ttl and maxUses are not compared."""
    same = row["poolId"] == args["poolId"] and all(row[name] == wanted[name] for name in ("expect", "allowReclaim", "hosted"))
    if not same:
        raise Failure("CONFLICT", "idempotencyKey")


def first_of_key(step, args, wanted):
    """The row that this key made before, or None."""
    if "idempotencyKey" not in args["request"]:
        return None
    ident = step.store.keys.get(key_scope(args))
    if ident is None:
        return None
    row = step.store.find("tokens", ident)
    check_same(row, args, wanted)
    return row


def mint(step, args, wanted):
    """The new row, and the one text that shows the secret."""
    secret = os.urandom(32)
    row = {
        "id": new_id("jt", step.at), "tenant": args["tenant"], "poolId": args["poolId"], "secretSha256": token.secret_hash(secret),
        "role": "node", "usesLeft": wanted["maxUses"], "maxUses": wanted["maxUses"], "expiresAt": step.at + wanted["ttlSeconds"] * 1000,
        "revokedAt": None, "expect": wanted["expect"], "allowReclaim": wanted["allowReclaim"], "hosted": wanted["hosted"],
        "allowedKinds": None, "ttlLimitS": None}
    step.store.tokens.append(row)
    return row, "bcjt_%s.%s" % (row["id"], b64u(secret))


def announce(step, row):
    """TOKEN-9: `hosted` only where it is set."""
    event = {
        "name": "security.join-token.created", "tenant": row["tenant"], "tokenId": row["id"], "pinned": row["expect"] is not None}
    step.store.events.append(event if row["hosted"] is None else dict(event, hosted=row["hosted"]))


def retried(row, pool):
    """TOKEN-7: the record again, never the token."""
    return {"record": record(row, pool), "token": None}


def create(step, args):
    pool = owned_pool(step, args)
    wanted = read_request(args["request"])
    check_agent(pool)
    row = first_of_key(step, args, wanted)
    if row is not None:
        return retried(row, pool)
    with step.transaction():
        row, text = mint(step, args, wanted)
        if "idempotencyKey" in args["request"]:
            step.store.keys[key_scope(args)] = row["id"]
        announce(step, row)
        return {"record": record(row, pool), "token": text}


# ---- list, revoke ----

def is_of(row, pool):
    """TOKEN-8: what another tenant minted before the pool changed hands is not its owner's."""
    return row["poolId"] == pool["id"] and row["tenant"] == pool["ownerTenant"]


def is_listed_live(row, now_ms):
    """TOKEN-8: not revoked, not expired, and with uses left."""
    return row["revokedAt"] is None and now_ms < row["expiresAt"] and row["usesLeft"] > 0


def page_size(args):
    limit = args.get("limit", PAGE)
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE:
        raise Failure("INVALID_ARGUMENT", "limit")
    return limit


def rows_after(rows, args):
    """The rows of a pool behind `after`, which may be an inactive one."""
    if "after" not in args:
        return rows
    places = [at for at, row in enumerate(rows) if row["id"] == args["after"]]
    if not places:
        raise Failure("INVALID_ARGUMENT", "after")
    return rows[places[0] + 1:]


def list_tokens(step, args):
    pool = owned_pool(step, args)
    limit = page_size(args)
    rows = rows_after([row for row in step.store.tokens if is_of(row, pool)], args)
    rows = [row for row in rows if args["includeInactive"] or is_listed_live(row, step.at)]
    page = rows[:limit]
    return {"records": [record(row, pool) for row in page], "next": page[-1]["id"] if len(rows) > limit else None}


def revoke(step, args):
    """TOKEN-8: at once; twice is no error and publishes nothing."""
    pool = owned_pool(step, args)
    row = step.store.find("tokens", args["id"])
    if row is None or not is_of(row, pool):
        raise Failure("NOT_FOUND")
    if row["revokedAt"] is None:
        row["revokedAt"] = step.at
        step.store.events.append({"name": "security.join-token.revoked", "tenant": row["tenant"], "tokenId": row["id"]})
    return {}
