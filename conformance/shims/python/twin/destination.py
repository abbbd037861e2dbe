"""Where a join lands, and what the pool may object to (docs/spec/09-destination.md)."""
from .verdicts import Reject


def check_agent(pool):
    """A pool that no longer exists is `pool-agent` too."""
    if pool is None or pool["agent"] != "bcd":
        raise Reject("pool-agent")


def check_tenant(pool, row):
    """For tokens alone: a pool can change hands while a token lives."""
    if pool["ownerTenant"] != row["tenant"]:
        raise Reject("pool-tenant")


def check_attestor(pool, attestor):
    """An absent list allows all attestors, an empty one none."""
    if attestor not in pool["policy"].get("joinAttestors", [attestor]):
        raise Reject("pool-attestor")


def check_token_pool(pool, row):
    """DESTINATION-2, in its order."""
    check_agent(pool)
    check_tenant(pool, row)
    check_attestor(pool, "join-token")


def check_node_pool(pool, attestor):
    """For attestors without a token."""
    check_agent(pool)
    check_attestor(pool, attestor)


def requires_binding(pool):
    """BINDING-2: policy.requestBinding."""
    return pool is not None and pool["policy"].get("requestBinding") == "required"
