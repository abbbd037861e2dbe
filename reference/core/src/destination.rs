//! DESTINATION (docs/spec/09-destination.md): where a join lands.

use crate::expect::Expect;
use crate::reason::Reason;
use crate::rows::{Node, Pool};
use crate::token::{Role, Stored};

/// The pool and role of a join, and who the machine must be. No request and no claim makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination<'a> {
    /// The pool. It gives the site and the owner.
    pub pool_id: &'a str,
    /// The role.
    pub role: Role,
    /// The machine that is expected.
    pub expect: Option<&'a Expect>,
    /// The tenant that the pool must belong to, where there is a token.
    pub tenant: Option<&'a str>,
}

impl<'a> Destination<'a> {
    /// The destination of a token join.
    #[must_use]
    pub fn of_token(token: &'a Stored) -> Self {
        // DESTINATION-1: the token's pool, role and expect.
        Self {
            pool_id: &token.pool_id,
            role: token.row.role,
            expect: token.expect.as_ref(),
            tenant: Some(&token.row.tenant),
        }
    }

    /// The destination of a join with an expired certificate.
    #[must_use]
    pub fn of_node(node: &'a Node) -> Self {
        // DESTINATION-1: the node's own pool and role; no expect.
        Self { pool_id: &node.pool_id, role: node.kind, expect: None, tenant: None }
    }

    /// Judges the pool as it was read inside the admission's transaction.
    ///
    /// # Errors
    /// In this order: `pool-agent`, `pool-tenant`, `pool-attestor`.
    pub fn check_pool<'p>(&self, pool: Option<&'p Pool>, attestor: &str) -> Result<&'p Pool, Reason> {
        // DESTINATION-2: a pool that no longer exists is `pool-agent`; the agent is exactly `bcd`.
        let pool =
            pool.filter(|pool| pool.id == self.pool_id && pool.agent == AGENT).ok_or(Reason::PoolAgent)?;
        // DESTINATION-2: the pool's owner is the tenant recorded in the token; for tokens alone.
        if self.tenant.is_some_and(|tenant| tenant != pool.owner_tenant) {
            return Err(Reason::PoolTenant);
        }
        // DESTINATION-2: an absent list allows all attestors, an empty one none; compared exactly.
        let listed = |attestors: &Vec<String>| attestors.iter().any(|listed| listed == attestor);
        if pool.join_attestors.as_ref().is_some_and(|attestors| !listed(attestors)) {
            return Err(Reason::PoolAttestor);
        }
        Ok(pool)
    }
}

/// The agent of a pool that machines can join.
pub const AGENT: &str = "bcd";

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool {
            id: "pool_p".into(),
            site_id: "site_s".into(),
            owner_tenant: "ten_t".into(),
            agent: "bcd".into(),
            acceptance_checks: false,
            join_attestors: None,
            requires_request_binding: false,
            platform_operated: false,
        }
    }

    fn of_tenant(tenant: Option<&str>) -> Destination<'_> {
        Destination { pool_id: "pool_p", role: Role::Node, expect: None, tenant }
    }

    #[test]
    fn with_every_fault_at_once_each_is_the_reason_in_its_turn() {
        let token = of_tenant(Some("ten_u"));
        let mut pool = Pool { agent: "Bcd".into(), join_attestors: Some(vec![]), ..pool() };
        let judge = |pool: Option<&Pool>| token.check_pool(pool, "join-token").map(drop);
        assert_eq!(judge(None), Err(Reason::PoolAgent));
        assert_eq!(judge(Some(&pool)), Err(Reason::PoolAgent));
        pool.agent = "bcd".into();
        assert_eq!(judge(Some(&pool)), Err(Reason::PoolTenant));
        pool.owner_tenant = "ten_u".into();
        assert_eq!(judge(Some(&pool)), Err(Reason::PoolAttestor));
        pool.join_attestors = None;
        assert_eq!(judge(Some(&pool)), Ok(()));
        let other = Pool { id: "pool_q".into(), ..pool };
        assert_eq!(judge(Some(&other)), Err(Reason::PoolAgent));
    }

    #[test]
    fn names_of_attestors_are_compared_exactly() {
        let listed = |names: &[&str], attestor: &str| {
            let join_attestors = Some(names.iter().map(|&name| name.to_owned()).collect());
            let pool = Pool { join_attestors, ..pool() };
            of_tenant(None).check_pool(Some(&pool), attestor).is_ok()
        };
        assert!(listed(&["tpm", "x509pop"], "x509pop"));
        assert!(!listed(&["tpm"], "join-token"));
        assert!(!listed(&["Join-Token", "join-token "], "join-token"));
        assert!(!listed(&[], "tpm"));
    }

    #[test]
    fn only_a_token_is_held_to_the_pools_owner() {
        assert!(of_tenant(None).check_pool(Some(&pool()), "x509pop").is_ok());
        assert!(of_tenant(Some("ten_t")).check_pool(Some(&pool()), "join-token").is_ok());
    }
}
