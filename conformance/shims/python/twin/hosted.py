"""Nodes that a tenant controls (docs/spec/12-hosted.md)."""


def platform_owns(pool, site, root):
    """The pool's owner is the site's, the site is not custom, and where a root tenant is named it is the owner."""
    return pool["ownerTenant"] == site["ownerTenant"] and not site["custom"] and is_root(pool["ownerTenant"], root)


def is_root(owner, root):
    return root is None or owner == root


def platform_operates(pool):
    """HOSTED-1: only the JSON value true counts."""
    return pool["policy"].get("kubernetes", {}).get("platformOperated") is True


def hosted_role(pool, owned):
    return "node" if owned and platform_operates(pool) else "node-tenant"


def plain_role(before, owned):
    """HOSTED-2: a lowered node is raised again only where the platform owns the pool."""
    return "node-tenant" if before == "node-tenant" and not owned else "node"


def certificate_role(token, before, pool, owned):
    """The certificate role of a token join; `before` is the reclaimed node's, or None."""
    if token["role"] != "node":
        return token["role"]
    return hosted_role(pool, owned) if token["hosted"] is not None else plain_role(before, owned)


def tenant_owned(pool, site, owned):
    """HOSTED-2: a property of the node's row, whatever the token."""
    return pool["ownerTenant"] == site["ownerTenant"] and not owned
