"""The event of a refusal: its audience, its members and its limit (docs/spec/13-refusal.md)."""
from .octets import sha256

PER_MINUTE = 60
MINUTE_MS = 60000
MINUTES_KEPT = 60
ROLE_BYTES = 64


class Trail:
    """How far the checks of one request have come, which is what the event of its refusal may say."""

    def __init__(self, step, csr):
        self.tenant = step.config.root_tenant
        self.members = {"csrSha256": sha256(csr).hex()}


def shown_role(role):
    """REFUSAL-2: the first 64 octets, whole characters."""
    return role.encode("utf-8")[:ROLE_BYTES].decode("utf-8", "ignore")


class JoinTrail(Trail):
    name = "security.join.refused"

    def __init__(self, step, request):
        super().__init__(step, request["csr"])
        self.attestor = "unknown"
        self.members["role"] = shown_role(request["role"])

    def saw_attestor(self, name):
        self.attestor = name

    def saw_claims(self, key):
        """The key that the claims give, trusted or not."""
        if key is not None:
            self.members["hardwareKey"] = key.hex()

    def saw_owner(self, tenant):
        """The secret or the proof verified: from here on it is this tenant's event."""
        self.tenant = tenant

    def reason(self, word):
        return "%s:%s" % (self.attestor, word)

    def named(self, word):
        return {"attestor": self.attestor, "reason": self.reason(word)}


class RenewTrail(Trail):
    name = "security.renew.refused"

    def saw_owner(self, tenant):
        self.tenant = tenant

    def named(self, word):
        """The reason of a renewal is the bare word."""
        return {"reason": word}


def bucket_key(trail, named, choice):
    """REFUSAL-4: each receiving tenant has its own 60 under `audience`; renewals count apart from joins."""
    key = (trail.name, *named.values())
    return (*key, "of", trail.tenant) if choice == "audience" else key


def minute(now_ms):
    return now_ms // MINUTE_MS


def kept(slots, now):
    """The minutes that count: not more than 60 before the newest in which the bucket refused."""
    newest = max([now, *slots])
    return {when: taken for when, taken in slots.items() if when >= newest - MINUTES_KEPT}


def takes_slot(bucket, now_ms):
    """Whether the bucket has a slot left in this minute; it is taken then."""
    now = minute(now_ms)
    slots = bucket["slots"] = kept(bucket["slots"], now)
    if slots.get(now, 0) >= PER_MINUTE:
        return False
    slots[now] = slots.get(now, 0) + 1
    return True


def new_bucket():
    return {"slots": {}, "suppressed": 0, "dropped": None}


def take_suppressed(bucket):
    """The number dropped since the last published event."""
    count, bucket["suppressed"] = bucket["suppressed"], 0
    return count


def publish(step, trail, word):
    """Publishes the event of a refusal, or counts it where the minute is full."""
    named = trail.named(word)
    key = bucket_key(trail, named, step.choice("refusal.bucket"))
    bucket = step.store.buckets.setdefault(key, new_bucket())
    event = {"name": trail.name, "tenant": trail.tenant, **named, **trail.members}
    if takes_slot(bucket, step.at):
        step.store.events.append({**event, "suppressed": take_suppressed(bucket)})
    else:
        bucket["suppressed"] += 1
        bucket["dropped"] = stripped(trail, named)


def stripped(trail, named):
    """What a clean stop can still say of an event that was dropped."""
    role = {"role": ""} if "role" in trail.members else {}
    return {"name": trail.name, "tenant": trail.tenant, **named, **role}


def flush(step):
    """SHIM.md, restart: what is pending is published, and takes no slot."""
    for bucket in step.store.buckets.values():
        if bucket["suppressed"]:
            step.store.events.append({**bucket["dropped"], "suppressed": take_suppressed(bucket)})
