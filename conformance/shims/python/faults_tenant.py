"""The named faults of the worlds: HOSTED, the administration of TOKEN, and REFUSAL."""
from patches import always, fault
from twin.verdicts import Failure, Reject

# ---- HOSTED ----

@fault("world-hosted-raises", "HOSTED-2", "a plain reclaim raises a lowered node everywhere")
def _(t):
    t.put("hosted.plain_role", lambda before, owned: "node")

@fault("world-hosted-never-raised", "HOSTED-2", "a plain reclaim raises a lowered node nowhere")
def _(t):
    t.put("hosted.plain_role", lambda before, owned: before or "node")

@fault("world-hosted-needs-operated", "HOSTED-2", "a plain reclaim raises only where the pool is platformOperated too")
def _(t):
    t.wrap("hosted.certificate_role", lambda real, token, before, pool, owned: real(
        token, before, pool, owned and (token["hosted"] is not None or t.hosted.platform_operates(pool))))

@fault("world-hosted-like-plain", "HOSTED-1", "a hosted token gives the role of a plain one")
def _(t):
    t.wrap("hosted.certificate_role", lambda real, token, *rest: real(dict(token, hosted=None), *rest))

@fault("world-hosted-always-lowered", "HOSTED-1", "a hosted token lowers where the platform operates the cluster too")
def _(t):
    t.put("hosted.hosted_role", lambda pool, owned: "node-tenant")

@fault("world-hosted-root-ignored", "HOSTED-1", "the pool's owner need not be the root tenant")
def _(t):
    t.put("hosted.is_root", always)

@fault("world-hosted-root-required", "HOSTED-1", "where no root tenant is named no pool is the platform's")
def _(t):
    t.put("hosted.is_root", lambda owner, root: owner == root)

@fault("world-hosted-operated-truthy", "HOSTED-1", "platformOperated counts when it is anything but empty")
def _(t):
    t.put("hosted.platform_operates", lambda pool: bool(pool["policy"].get("kubernetes", {}).get("platformOperated")))

@fault("world-hosted-owner-unchecked", "HOSTED-1", "platformOperated alone decides, whoever owns the pool")
def _(t):
    t.wrap("hosted.hosted_role", lambda real, pool, owned: real(pool, True))

@fault("world-hosted-site-owner-ignored", "HOSTED-1", "the site's owner is not looked at")
def _(t):
    t.wrap("hosted.platform_owns", lambda real, pool, site, root: real(pool, dict(site, ownerTenant=pool["ownerTenant"]), root))

@fault("world-hosted-custom-ignored", "HOSTED-1", "a custom site counts as the platform's")
def _(t):
    t.wrap("hosted.platform_owns", lambda real, pool, site, root: real(pool, dict(site, custom=False), root))

@fault("world-hosted-reclaim-not-lowered", "HOSTED-2", "a reclaim through a hosted token leaves a platform node as it was")
def _(t):
    t.wrap("hosted.certificate_role", lambda real, token, before, *rest: before if before == "node" else real(token, before, *rest))

@fault("world-tenant-owned-root-pool", "HOSTED-2", "a pool that the platform owns makes its nodes tenant-owned")
def _(t):
    t.wrap("hosted.tenant_owned", lambda real, pool, site, owned: real(pool, site, False))

@fault("world-tenant-owned-foreign-site", "HOSTED-2", "a node is tenant-owned wherever the platform does not own its pool")
def _(t):
    t.put("hosted.tenant_owned", lambda pool, site, owned: not owned)

@fault("world-tenant-owned-lowers", "HOSTED-2", "a plain token in a pool that the platform does not own gives node-tenant")
def _(t):
    t.wrap("hosted.plain_role", lambda real, before, owned: real(before or "node-tenant", owned))

@fault("world-answer-not-lowered", "RESPONSE-2", "the signed answer says node where the certificate says node-tenant")
def _(t):
    t.wrap("answer.body", lambda real, step, node, leaf, *rest: real(step, node, dict(leaf, role=leaf["role"].removesuffix("-tenant")), *rest))

# ---- TOKEN ----

@fault("token-other-tenants-pool", "TOKEN-6", "any tenant may mint for, list and revoke in any pool")
def _(t):
    t.wrap("administration.owned_pool", lambda real, step, args: step.store.find("pools", args["poolId"]) or real(step, args))

@fault("token-not-found-distinguishable", "TOKEN-6", "a pool of another tenant is answered otherwise than one that is not there")
def _(t):
    def owned_pool(real, step, args):
        pool = step.store.find("pools", args["poolId"])
        if pool is not None and pool["ownerTenant"] != args["tenant"]:
            raise Failure("INVALID_STATE", "not yours")
        return real(step, args)
    t.wrap("administration.owned_pool", owned_pool)

@fault("token-agent-unchecked", "TOKEN-6", "tokens are made for pools that do not run the daemon")
def _(t):
    t.skip("administration.check_agent")

@fault("token-expiry-in-seconds", "TOKEN-5", "expiresAt is cut to whole seconds")
def _(t):
    def mint(real, step, args, wanted):
        row, text = real(step, args, wanted)
        row["expiresAt"] -= row["expiresAt"] % 1000
        return row, text
    t.wrap("administration.mint", mint)

@fault("token-key-across-tenants", "TOKEN-7", "an idempotency key is scoped to nothing")
def _(t):
    t.put("administration.key_scope", lambda args: args["request"]["idempotencyKey"])

@fault("token-key-per-pool", "TOKEN-7", "an idempotency key is scoped to the pool")
def _(t):
    t.wrap("administration.key_scope", lambda real, args: (*real(args), args["poolId"]))

@fault("token-key-ignored", "TOKEN-7", "a retry with the same key mints again")
def _(t):
    t.put("administration.first_of_key", lambda step, args, wanted: None)

@fault("token-key-per-request", "TOKEN-7", "the same key with another expect, allowReclaim or hosted mints again")
def _(t):
    def first_of_key(real, step, args, wanted):
        try:
            return real(step, args, wanted)
        except Failure:
            return None
    t.wrap("administration.first_of_key", first_of_key)

@fault("token-key-first-record", "TOKEN-7", "the same key returns the first record whatever the request says")
def _(t):
    t.skip("administration.check_same")

@fault("token-retry-shows-token", "TOKEN-7", "a retry returns the token once more")
def _(t):
    texts = {}

    def mint(real, *args):
        row, text = real(*args)
        texts[row["id"]] = text
        return row, text
    t.wrap("administration.mint", mint)
    t.wrap("administration.retried", lambda real, row, pool: dict(real(row, pool), token=texts.get(row["id"])))

@fault("token-retry-ttl-compared", "TOKEN-7", "another ttl or maxUses under the same key is CONFLICT")
def _(t):
    def check_same(real, row, args, wanted):
        real(row, args, wanted)
        if row["maxUses"] != wanted["maxUses"] or row["ttl"] != wanted["ttlSeconds"]:
            raise Failure("CONFLICT")

    def mint(real, step, args, wanted):
        row, text = real(step, args, wanted)
        row["ttl"] = wanted["ttlSeconds"]
        return row, text
    t.wrap("administration.check_same", check_same)
    t.wrap("administration.mint", mint)

@fault("token-retry-raw-expect", "TOKEN-7", "expect is compared as it was sent")
def _(t):
    t.wrap("administration.check_same", lambda real, row, args, wanted: real(row, args, dict(wanted, expect=args["request"].get("expect"))))

@fault("token-retry-first-uses", "TOKEN-7", "a retry returns the record with all its uses, although some are gone")
def _(t):
    t.wrap("administration.retried", lambda real, row, pool: real(dict(row, usesLeft=row["maxUses"]), pool))

@fault("token-request-before-pool", "TOKEN-6", "the request is judged before the pool's owner, who then learns that it is wrong")
def _(t):
    def create(real, step, args):
        t.administration.read_request(args["request"])
        return real(step, args)
    t.wrap("administration.create", create)

def listed(t, **hidden):
    """These members do not count when a list tells live tokens from others."""
    t.wrap("administration.is_listed_live", lambda real, row, now: real(dict(row, **hidden), now))

@fault("token-list-shows-revoked", "TOKEN-8", "a list of live tokens shows revoked ones")
def _(t):
    listed(t, revokedAt=None)

@fault("token-list-shows-expired", "TOKEN-8", "a list of live tokens shows expired ones")
def _(t):
    listed(t, expiresAt=2**60)

@fault("token-list-shows-used", "TOKEN-8", "a list of live tokens shows those without a use left")
def _(t):
    listed(t, usesLeft=1)

@fault("token-list-expiry-inclusive", "TOKEN-8", "a list shows a token at its expiresAt")
def _(t):
    t.wrap("administration.is_listed_live", lambda real, row, now: real(row, now - 1))

@fault("token-list-default-page", "TOKEN-8", "a page without a limit has 200 records")
def _(t):
    t.administration.PAGE = 200

@fault("token-list-limit-clamped", "TOKEN-8", "a limit over 200 is taken as 200")
def _(t):
    t.feed("administration.page_size", lambda args: dict(args, limit=min(args.get("limit", 100), 200)))

@fault("token-list-next-on-last", "TOKEN-8", "a full last page names a next one")
def _(t):
    def list_tokens(real, step, args):
        out = real(step, args)
        records = out["records"]
        return dict(out, next=records[-1]["id"]) if records and len(records) == t.administration.page_size(args) else out
    t.wrap("administration.list_tokens", list_tokens)

@fault("token-list-after-included", "TOKEN-8", "a page begins with the token that it should follow")
def _(t):
    t.wrap("administration.rows_after", lambda real, rows, args: [
        row for row in rows if row["id"] == args.get("after") or row in real(rows, args)])

@fault("token-list-after-unknown", "TOKEN-8", "a page after an unknown token is the first page")
def _(t):
    t.wrap("administration.rows_after", lambda real, rows, args: real(rows, args) if args.get("after") in [row["id"] for row in rows] else rows)

@fault("token-list-newest-first", "TOKEN-8", "the newest token stands first in a list")
def _(t):
    t.feed("administration.rows_after", lambda rows: rows[::-1])

@fault("token-revoke-in-other-pool", "TOKEN-8", "a token is revoked through a pool that is not its own")
def _(t):
    t.wrap("administration.revoke", lambda real, step, args: real(step, dict(
        args, poolId=(step.store.find("tokens", args["id"]) or args)["poolId"]) if t.administration.owned_pool(step, args) else args))

@fault("token-revoke-unknown-accepted", "TOKEN-8", "revoking an unknown id is no error")
def _(t):
    def revoke(real, step, args):
        t.administration.owned_pool(step, args)
        return real(step, args) if step.store.find("tokens", args["id"]) else {}
    t.wrap("administration.revoke", revoke)

@fault("token-revoked-announced-again", "TOKEN-9", "revoking again publishes again")
def _(t):
    def revoke(real, step, args):
        row = step.store.find("tokens", args["id"])
        if row is not None and row["poolId"] == args["poolId"]:
            row["revokedAt"] = None
        return real(step, args)
    t.wrap("administration.revoke", revoke)

@fault("token-revoke-twice-refused", "TOKEN-8", "revoking twice is an error")
def _(t):
    def revoke(real, step, args):
        row = step.store.find("tokens", args["id"])
        if row is not None and row["revokedAt"] is not None:
            raise Failure("INVALID_STATE")
        return real(step, args)
    t.wrap("administration.revoke", revoke)

@fault("token-created-pinned-missing", "TOKEN-9", "the event of a new token says of every one that it is not pinned")
def _(t):
    t.wrap("administration.announce", lambda real, step, row: real(step, dict(row, expect=None)))

@fault("token-created-hosted-missing", "TOKEN-9", "the event of a new token does not tell that it is hosted")
def _(t):
    t.wrap("administration.announce", lambda real, step, row: real(step, dict(row, hosted=None)))

@fault("token-retry-announced", "TOKEN-9", "a retry publishes security.join-token.created again")
def _(t):
    def first_of_key(real, step, args, wanted):
        row = real(step, args, wanted)
        if row is not None:
            t.administration.announce(step, row)
        return row
    t.wrap("administration.first_of_key", first_of_key)

# ---- REFUSAL ----

@fault("refused-tenant-before-secret", "REFUSAL-2", "a wrong secret is reported to the tenant of the token that it names")
def _(t):
    def open_seal(real, step, joining):
        ident, secret = real(step, joining)
        row = step.store.find("tokens", ident)
        if row is not None:
            joining.trail.saw_owner(row["tenant"])
        return ident, secret
    t.wrap("admission.open_seal", open_seal)

@fault("refused-always-to-root", "REFUSAL-2", "every refusal of a join goes to the root tenant")
def _(t):
    t.refusal.JoinTrail.saw_owner = lambda trail, tenant: None

@fault("refused-x509pop-to-root", "REFUSAL-2", "the refusals of x509pop go to the root tenant")
def _(t):
    real = t.refusal.JoinTrail.saw_owner
    t.refusal.JoinTrail.saw_owner = lambda trail, tenant: real(trail, trail.tenant if trail.attestor == "x509pop" else tenant)

@fault("renew-owner-before-proof", "REFUSAL-2", "a renewal without the key is reported to the owner of the node whose certificate it shows")
def _(t):
    def prove(real, step, trail, args):
        for row in step.store.certs:
            if args["chain"][:1] == [row["der"]]:
                trail.saw_owner(step.store.find("nodes", row["nodeId"])["tenant"])
        return real(step, trail, args)
    t.wrap("renewal.prove", prove)

@fault("refused-event-claim", "REFUSAL-2", "the event carries a claim")
def _(t):
    seen = {}

    def key_of(real, step, normal):
        seen.update(productSerial=normal.get("productSerial", ""))
        return real(step, normal)

    def publish(real, step, trail, word):
        if "hardwareKey" in trail.members:
            trail.members.update(seen)
        real(step, trail, word)
    t.wrap("admission.key_of", key_of)
    t.wrap("refusal.publish", publish)

@fault("refused-event-no-hardware-key", "REFUSAL-2", "the event does not carry the hardware key")
def _(t):
    t.refusal.JoinTrail.saw_claims = lambda trail, key: None

@fault("refused-event-role-whole", "REFUSAL-2", "the role in the event is not cut")
def _(t):
    t.put("refusal.shown_role", lambda role: role)

@fault("refused-event-role-characters", "REFUSAL-2", "the role in the event is cut to 64 characters, not octets")
def _(t):
    t.put("refusal.shown_role", lambda role: role[:64])

@fault("refused-event-attestor-as-sent", "REFUSAL-2", "the event names an unknown attestor as it was sent")
def _(t):
    made = t.refusal.JoinTrail.__init__

    def init(trail, step, request):
        made(trail, step, request)
        trail.attestor = t.binding.attestor_name(request["attestor"])
    t.refusal.JoinTrail.__init__ = init

@fault("refused-event-bare-reason", "REFUSAL-2", "the reason of a join stands without its attestor")
def _(t):
    t.refusal.JoinTrail.reason = lambda trail, word: word

@fault("renew-event-prefixed-reason", "REFUSAL-2", "the reason of a renewal has a prefix")
def _(t):
    t.refusal.RenewTrail.named = lambda trail, word: {"reason": "renew:" + word}

@fault("refused-limit-one-more", "REFUSAL-2", "61 events of a bucket are published in a minute")
def _(t):
    t.refusal.PER_MINUTE += 1

@fault("refused-limit-one-less", "REFUSAL-2", "59 events of a bucket are published in a minute")
def _(t):
    t.refusal.PER_MINUTE -= 1

@fault("refused-minute-late", "REFUSAL-4", "a minute begins one millisecond late")
def _(t):
    t.put("refusal.minute", lambda now: (now - 1) // 60000)

@fault("refused-minute-early", "REFUSAL-4", "a minute begins one millisecond early")
def _(t):
    t.put("refusal.minute", lambda now: (now + 1) // 60000)

@fault("refused-suppressed-lost", "REFUSAL-2", "suppressed is always zero")
def _(t):
    t.wrap("refusal.take_suppressed", lambda real, bucket: real(bucket) and 0)

@fault("refused-suppressed-not-reset", "REFUSAL-4", "suppressed goes on counting after it was published")
def _(t):
    t.put("refusal.take_suppressed", lambda bucket: bucket["suppressed"])

@fault("refused-bucket-without-reason", "REFUSAL-4", "all reasons share one bucket")
def _(t):
    t.put("refusal.bucket_key", lambda trail, named, choice: (trail.name, trail.tenant if choice == "audience" else None))

@fault("refused-bucket-global", "REFUSAL-4", "under audience all tenants share one bucket")
def _(t):
    t.wrap("refusal.bucket_key", lambda real, trail, named, choice: real(trail, named, "global"))

@fault("refused-bucket-audience", "REFUSAL-4", "under global each tenant has its own bucket")
def _(t):
    t.wrap("refusal.bucket_key", lambda real, trail, named, choice: real(trail, named, "audience"))

@fault("refused-bucket-by-name", "REFUSAL-4", "each unknown attestor has its own bucket")
def _(t):
    made = t.refusal.JoinTrail.__init__

    def init(trail, step, request):
        made(trail, step, request)
        trail.sent = request["attestor"]
    t.refusal.JoinTrail.__init__ = init
    t.wrap("refusal.bucket_key", lambda real, trail, named, choice: (*real(trail, named, choice), getattr(trail, "sent", "")))

@fault("refused-restart-loses-count", "REFUSAL-4", "a clean stop loses what was suppressed")
def _(t):
    def flush(step):
        for bucket in step.store.buckets.values():
            bucket["suppressed"] = 0
    t.put("refusal.flush", flush)

@fault("refused-restart-frees-slots", "REFUSAL-4", "after a restart the minute begins anew")
def _(t):
    def flush(real, step):
        real(step)
        for bucket in step.store.buckets.values():
            bucket["slots"].clear()
    t.wrap("refusal.flush", flush)

@fault("refused-flood-refuses-all", "REFUSAL-4", "a bucket whose minute is full refuses the requests too")
def _(t):
    def admit(real, step, *rest):
        now = t.refusal.minute(step.at)
        if any(bucket["slots"].get(now, 0) >= 60 for bucket in step.store.buckets.values()):
            raise Reject("token-unknown")
        return real(step, *rest)
    t.wrap("admission.admit", admit)
