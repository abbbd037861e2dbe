//! The certificate role of a token join: hosted or plain, new or reclaimed, for every kind of pool.

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{Expectation, join, joined, reclaimed, script_accept};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node, pool, site, tenant};

/// Owner and pool: the platform's own, and a tenant's in the platform's site.
const PLATFORM: (&str, &str) = ("r00t", "r00t");
const TENANT: (&str, &str) = ("a", "a");

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    for hosted in [true, false] {
        for before in [None, Some("node"), Some("node-tenant")] {
            for owned in [true, false] {
                for operated in [true, false] {
                    entries.push(Row { hosted, before, owned, operated }.entry());
                }
            }
        }
    }
    entries
}

/// One line of the table of the page, for one value of each input.
#[derive(Clone, Copy)]
struct Row {
    hosted: bool,
    before: Option<&'static str>,
    owned: bool,
    operated: bool,
}

pub(super) fn hosted_in(place: (&str, &str)) -> Grant {
    grant("hosted").of(place.0, place.1).with("hosted", "kubernetes")
}

pub(super) fn operated(value: impl Into<Value>) -> Value {
    json!({"kubernetes": {"platformOperated": value.into()}})
}

/// Node a in a pool of site r00t, with a certificate of this role.
pub(super) fn known(owner: &str, name: &str, role: &str) -> Enrolled {
    let at = "2025-12-31T12:00:00Z";
    let node = enrolled("a", &machine("a"), at)
        .with("tenant", tenant(owner))
        .with("poolId", pool(name))
        .with("siteId", site("r00t"))
        .with("certificateRole", role);
    let leaf = node.issue(&machine("a").key, at, 86400, &[]);
    node.holding(leaf)
}

impl Row {
    /// The table of the page.
    fn role(self) -> &'static str {
        let lowered = if self.hosted {
            !(self.owned && self.operated)
        } else {
            self.before == Some("node-tenant") && !self.owned
        };
        if lowered { "node-tenant" } else { "node" }
    }

    fn expected(self) -> Expectation {
        match self.before {
            None => joined("n1").role(self.role()),
            Some(_) => reclaimed(&node("a"), "second").role(self.role()),
        }
    }

    fn id(self) -> String {
        let token = if self.hosted { "hosted" } else { "plain" };
        let before = self.before.map_or("new".into(), |role| format!("was-{role}"));
        let owner = if self.owned { "platform" } else { "tenant" };
        let operated = if self.operated { "operated" } else { "not-operated" };
        format!("hosted/{token}-{before}-{owner}-{operated}")
    }

    fn title(self) -> String {
        let token = if self.hosted { "A hosted token" } else { "A plain token" };
        let owner = if self.owned { "of the platform" } else { "of a tenant in the platform's site" };
        let operated = if self.operated { "with platformOperated true" } else { "without platformOperated" };
        let what = self
            .before
            .map_or("a new node".into(), |role| format!("a reclaimed node that had the role {role}"));
        format!("{token} of a pool {owner} {operated} gives {what} the role {}.", self.role())
    }

    fn why(self) -> &'static str {
        match (self.hosted, self.before.is_some()) {
            (true, false) => {
                "Cluster admins are root on such a machine; only where the platform is that admin does it get its secrets."
            }
            (true, true) => {
                "The token decides again at each join: what a machine was before vouches for nothing."
            }
            (false, false) => {
                "A plain token never lowers, whatever the owner of the pool writes into its policy."
            }
            (false, true) => {
                "Lowering is always allowed and raising is not: whoever holds a plain token of a tenant must not raise a node."
            }
        }
    }

    fn entry(self) -> Entry {
        let (owner, name) = if self.owned { PLATFORM } else { TENANT };
        let mut token = grant("hosted").of(owner, name).with("allowReclaim", self.before.is_some());
        if self.hosted {
            token = token.with("hosted", "kubernetes");
        }
        let policy = if self.operated { operated(true) } else { json!({}) };
        let mut world = World::usual().pool(name, "policy", policy).token(&token);
        let mut machine = machine("a");
        if let Some(role) = self.before {
            world = world.enrolled(&known(owner, name, role));
            machine = machine.rekeyed("second");
        }
        let rule = if self.hosted && self.before.is_none() { "HOSTED-1" } else { "HOSTED-2" };
        script_accept(&self.id(), rule, &self.title())
            .documented()
            .world(&world)
            .step("join", NOW, join(&machine, &token), self.expected())
            .why(self.why())
            .recipe("An honest join with a token of the pool; where a node was there before, with a token that allows a reclaim.")
    }
}
