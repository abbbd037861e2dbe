//! Histories: a world and steps drawn at random, for playing the same to two subjects.
//!
//! Nothing is expected of a step. Times are drawn at the edges the spec names; every machine, key and token is drawn from a
//! few, so that steps meet: the same machine joins twice, a proof is sent again, a certificate is used after its node is gone.

use serde_json::{Value, json};

use super::Choices;
use super::draw::Draw;
use crate::schema::{Case, Expect, Step, Verdict};
use crate::script::{
    Holder, Join, Renew, Request, enqueue, join, join_with, renew, restart, retire, revoke, script_accept,
    token_create, x509pop,
};
use crate::testkit::world::{
    Enrolled, Grant, Machine, World, enrolled, grant, machine, milliseconds, node, pool, seconds, serial,
    tenant,
};

/// The choices that the steps of worlds read.
const CHOICES: [&str; 9] = [
    "seal.iat-window",
    "request-binding",
    "hwkey.selection",
    "hwkey.independence",
    "seal.resend",
    "reclaim.tpm-bound",
    "reclaim.retired",
    "refusal.bucket",
    "renewal.signed-answer",
];
/// How far the clock goes between two steps, in milliseconds: around every limit of the spec.
const GAPS: [i64; 22] = [
    0, 0, 1, 999, 1000, 1500, 20_000, 59_999, 60_000, 60_001, 119_999, 120_000, 120_001, 299_999, 300_000,
    300_001, 600_000, 3_600_000, 43_200_000, 86_340_000, 86_400_000, -1000,
];
/// How far a client's clock is from the server's, in milliseconds.
const SKEWS: [i64; 8] = [-60_001, -60_000, -1000, 0, 0, 1000, 60_000, 60_001];

/// The history of a seed and a number: a case without expectations.
#[must_use]
pub fn history(seed: u64, number: u64, choices: &Choices) -> Case {
    let mut drawing = Drawing::new(Draw::new(format!("history {seed} {number}")));
    let world = drawing.world();
    let count = drawing.draw.range(3, 14);
    let steps = (1..=count).map(|at| drawing.step(at)).collect();
    let mut case = script_accept(&format!("admission/history-{seed}-{number}"), "", "A history.")
        .world(&world)
        .recipe(&format!("Forged: history, seed {seed}, number {number}."))
        .build();
    for name in CHOICES {
        if let Some(value) = choices.get(name).and_then(|values| drawing.draw.one(values)) {
            case.choice.insert(name.into(), value.clone());
        }
    }
    // A window of its own length is what the choice means; without one the world is no world.
    if case.choice.get("seal.iat-window").is_some_and(|value| value == "window")
        && let Some(world) = &mut case.world
        && world["iatWindow"].is_null()
    {
        world["iatWindow"] = json!({"pastS": 300, "aheadS": 60});
    }
    case.steps = steps;
    case.now = instant(START_MS);
    case
}

/// The first step's clock, milliseconds since 1970: the clock of the cases.
const START_MS: i64 = 1_767_225_600_000;

struct Drawing {
    draw: Draw,
    now_ms: i64,
    machines: Vec<Machine>,
    grants: Vec<Grant>,
    enrolled: Vec<(Enrolled, Machine)>,
    /// Steps that may have answered with a certificate, with the machine whose key it certifies.
    holders: Vec<(String, Machine)>,
    created: Vec<String>,
    requests: Vec<Value>,
    open: Vec<String>,
}

impl Drawing {
    fn new(draw: Draw) -> Self {
        let a = machine("a");
        let clone = machine("b").claiming(a.claims.clone());
        // Same board, another serial: the kinds of one claim set overlap those of another (HARDWARE-KEY-2).
        let mut half = machine("c");
        half.claims["productUuid"] = a.claims["productUuid"].clone();
        let mut bare = machine("d");
        bare.claims = json!({"permanentMacs": [], "gpuUuids": []});
        Self {
            draw,
            now_ms: START_MS,
            machines: vec![a.clone(), a, machine("b"), clone, half, bare],
            grants: Vec::new(),
            enrolled: Vec::new(),
            holders: Vec::new(),
            created: Vec::new(),
            requests: Vec::new(),
            open: Vec::new(),
        }
    }

    fn world(&mut self) -> World {
        let draw = &mut self.draw;
        let mut world = World::usual().set("/certTtlS", draw.pick([60, 120, 3600, 86_400, 86_400]));
        if draw.chance(20) {
            world = world.set("/rootTenant", Value::Null);
        }
        if draw.chance(15) {
            world =
                world.set("/attestors", draw.pick([json!(["join-token"]), json!(["x509pop"]), json!([])]));
        }
        if draw.chance(25) {
            world =
                world.set("/iatWindow", json!({"pastS": draw.range(0, 300), "aheadS": draw.range(0, 60)}));
        }
        for _ in 0..draw.below(3) {
            let policy = match draw.below(5) {
                0 => json!({"requestBinding": "required"}),
                1 => json!({"joinAttestors": ["x509pop"]}),
                2 => json!({"joinAttestors": ["join-token", "x509pop"], "requestBinding": "optional"}),
                3 => json!({"kubernetes": {"platformOperated": true}}),
                _ => json!({"kubernetes": {"platformOperated": "true"}}),
            };
            let name = draw.pick(["a", "a", "ac", "aa", "b", "r00t"]);
            world = world.pool(name, "policy", policy);
        }
        for at in 0..draw.range(1, 3) {
            let grant = token(draw, &format!("history {at}"));
            world = world.token(&grant);
            self.grants.push(grant);
        }
        for name in ["a", "b"].into_iter().take(self.draw.below(3)) {
            let (row, machine) = self.loaded(name);
            world = world.enrolled(&row);
            self.enrolled.push((row, machine));
        }
        world
    }

    fn loaded(&mut self, name: &str) -> (Enrolled, Machine) {
        let machine = machine(name);
        let issued = self.draw.pick(["2025-12-31T23:59:00Z", "2025-12-31T12:00:00Z", "2025-12-30T12:00:00Z"]);
        let mut row = enrolled(name, &machine, issued);
        if self.draw.chance(15) {
            row = row.with("certificateRole", "node-tenant");
            row = row.clone().holding(row.issue(&machine.key, issued, 86_400, &[]));
        }
        if self.draw.chance(10) {
            row = row.with("retired", true).with_cert("revoked", "retired");
        }
        if self.draw.chance(15) {
            let kinds = self.draw.pick([json!([]), json!(["reboot"]), json!(["reboot", "update"])]);
            row = row.with_cert("allowedKinds", kinds);
        }
        if self.draw.chance(15) {
            row = row.with_cert("ttlLimitS", self.draw.pick([30, 60, 600]));
        }
        (row, machine)
    }

    fn step(&mut self, number: i64) -> Step {
        let gap = self.draw.pick(GAPS);
        self.now_ms = (self.now_ms + if number == 1 { 0 } else { gap }).max(START_MS - 60_000);
        let name = format!("s{number}");
        let at = instant(self.now_ms);
        let request = self.request(&name, &at);
        self.requests.push(request.clone());
        let expect =
            Expect { verdict: Verdict::Accept, out: None, reasons: Vec::new(), effects: Default::default() };
        Step { name, at, repeat: None, request, expect }
    }

    fn request(&mut self, name: &str, at: &str) -> Value {
        match self.draw.below(100) {
            0..38 => self.join(name, at),
            38..48 => self.again(name),
            48..66 => self.renewal(name, at),
            66..73 => self.pop(name, at),
            73..78 => self.finish(name, at),
            78..83 => {
                let (tenant, pool) = self.place();
                self.created.push(name.into());
                token_create(&tenant, &pool, self.creation())
            }
            83..86 => self.list(),
            86..90 => match self.draw.one(&self.grants) {
                Some(grant) => {
                    let text = |member: &str| grant.row[member].as_str().unwrap_or_default().to_owned();
                    let (tenant, pool) = (text("tenant"), text("poolId"));
                    revoke(&tenant, &pool, &grant.bearer.id)
                }
                None => restart(),
            },
            90..94 => with_node(retire(""), self.node()),
            94..97 => {
                let kind = self.draw.pick(["reboot", "update", "", "Reboot"]);
                with_node(enqueue("", kind), self.node())
            }
            _ => {
                self.open.clear();
                restart()
            }
        }
    }

    fn machine(&mut self) -> Machine {
        let chosen = self.draw.below(self.machines.len());
        let machine = self.machines[chosen].clone();
        if self.draw.chance(25) { machine.rekeyed(self.draw.pick(["second", "third"])) } else { machine }
    }

    fn join(&mut self, name: &str, at: &str) -> Value {
        let machine = self.machine();
        let made = self.draw.chance(15).then(|| self.draw.one(&self.created).cloned()).flatten();
        let grant = self.draw.one(&self.grants).cloned();
        let mut join = match (made, grant) {
            (Some(step), _) => join_with(&machine, &step),
            (None, Some(grant)) => join(&machine, &grant),
            (None, None) => return restart(),
        };
        join = join.iat(u64::try_from(seconds(at) + self.draw.range(-2, 2)).unwrap_or_default());
        join = self.vary(join);
        if self.draw.chance(12) {
            join = join.begin(name);
            self.open.push(name.into());
        } else {
            self.holders.push((name.into(), machine));
        }
        Request::from(join).json(at)
    }

    fn vary(&mut self, join: Join) -> Join {
        match self.draw.below(20) {
            0..4 => join.bound(),
            4 => join.role(self.draw.pick(["site", "node-tenant", "admin", ""])),
            5..8 => join.attestor("join-token"),
            8 => join.attestor(self.draw.pick(["tpm", "discovery", "x509pop", "nonsense"])),
            9 => join.without("/seal"),
            10 => join.sealed(b"nonsense".to_vec()),
            11 => join.iat(0),
            12 => join.with("/claims/productSerial", crate::testkit::encode::b64u(b"other serial")),
            13 => join.csr(b"nonsense".to_vec()),
            _ => join,
        }
    }

    fn holder(&mut self) -> Option<(Holder, Machine)> {
        let total = self.holders.len() + self.enrolled.len();
        let chosen = self.draw.below(total);
        if let Some((step, machine)) = self.holders.get(chosen) {
            return Some((step.as_str().into(), machine.clone()));
        }
        let (row, machine) = self.enrolled.get(chosen - self.holders.len())?;
        Some((row.into(), machine.clone()))
    }

    fn client_time(&mut self) -> String {
        let skew = self.draw.pick(SKEWS);
        instant(self.now_ms + skew)
    }

    fn form(&mut self) -> Option<&'static str> {
        self.draw.chance(12).then(|| self.draw.pick(["high-s", "der", "flipped", "short", "empty"]))
    }

    fn renewal(&mut self, name: &str, at: &str) -> Value {
        let Some((holder, machine)) = self.holder() else { return self.join(name, at) };
        let next = machine.clone().rekeyed(&format!("renewal {}", self.draw.below(3)));
        let mut renewal: Renew = renew(&next, holder, &machine.key).client_time(&self.client_time());
        if let Some(form) = self.form() {
            renewal = renewal.form(form);
        }
        renewal = match self.draw.below(20) {
            0 => renewal.purpose("x509pop"),
            1 => renewal.signed_by(&next.key),
            2 => renewal.with("/caller", Value::Null),
            3 => renewal.with("/chain", json!([])),
            4 => renewal.csr(b"nonsense".to_vec()),
            _ => renewal,
        };
        self.holders.push((name.into(), next));
        Request::from(renewal).json(at)
    }

    fn pop(&mut self, name: &str, at: &str) -> Value {
        let Some((holder, machine)) = self.holder() else { return self.join(name, at) };
        let next = machine.clone().rekeyed(&format!("pop {}", self.draw.below(2)));
        let mut join = x509pop(&next, holder, &machine.key).client_time(&self.client_time());
        if let Some(form) = self.form() {
            join = join.form(form);
        }
        join = match self.draw.below(12) {
            0 => join.purpose("renew-pop"),
            1 => join.signed_by(&next.key),
            2 => join.role("site"),
            3 => join.bound(),
            _ => join,
        };
        self.holders.push((name.into(), next));
        Request::from(join).json(at)
    }

    /// An earlier request, once more; the second half of a join goes with its ticket.
    fn again(&mut self, name: &str) -> Value {
        let again = |request: &&Value| request["do"] != "join-begin" && request["do"] != "join-finish";
        let earlier: Vec<Value> = self.requests.iter().filter(again).cloned().collect();
        match self.draw.one(&earlier) {
            Some(request) => request.clone(),
            None => self.join(name, &instant(self.now_ms)),
        }
    }

    fn finish(&mut self, name: &str, at: &str) -> Value {
        if self.open.is_empty() {
            return self.join(name, at);
        }
        let ticket = self.open.remove(self.draw.below(self.open.len()));
        json!({"do": "join-finish", "ticket": ticket})
    }

    fn place(&mut self) -> (String, String) {
        let (owner, name) = self.draw.pick([("a", "a"), ("a", "a"), ("a", "aa"), ("b", "b"), ("a", "b")]);
        (tenant(owner), pool(name))
    }

    fn creation(&mut self) -> Value {
        let mut request = json!({"ttlSeconds": self.draw.pick([60, 300, 3600, 0])});
        if self.draw.chance(50) {
            request["idempotencyKey"] = self.draw.pick(["first", "second"]).into();
        }
        if self.draw.chance(30) {
            request["maxUses"] = self.draw.range(0, 3).into();
        }
        if self.draw.chance(30) {
            request["allowReclaim"] = true.into();
        }
        if self.draw.chance(20) {
            request["hosted"] = "kubernetes".into();
        }
        if self.draw.chance(20) {
            request["expect"] = json!({"serial": serial("a")});
        }
        request
    }

    fn list(&mut self) -> Value {
        let (tenant, pool) = self.place();
        let mut list = json!({"do": "token-list", "tenant": tenant, "poolId": pool});
        list["includeInactive"] = self.draw.chance(50).into();
        if self.draw.chance(40) {
            list["limit"] = self.draw.pick([0, 1, 2, 200, 201]).into();
        }
        if self.draw.chance(30)
            && let Some(grant) = self.draw.one(&self.grants)
        {
            list["after"] = grant.bearer.id.clone().into();
        }
        list
    }

    fn node(&mut self) -> Value {
        match self.holder() {
            Some((holder, _)) if self.draw.chance(90) => holder.node(),
            _ => node("zz").into(),
        }
    }
}

fn with_node(mut request: Value, node: Value) -> Value {
    request["nodeId"] = node;
    request
}

fn token(draw: &mut Draw, name: &str) -> Grant {
    let (owner, at) = draw.pick([
        ("a", "a"),
        ("a", "a"),
        ("a", "a"),
        ("a", "ac"),
        ("a", "aa"),
        ("b", "b"),
        ("r00t", "r00t"),
    ]);
    let mut grant = grant(name).of(owner, at).uses(u32::try_from(draw.range(1, 3)).unwrap_or(1));
    if draw.chance(60) {
        grant = grant.reclaims();
    }
    if draw.chance(15) {
        grant = grant.with("hosted", "kubernetes");
    }
    if draw.chance(20) {
        grant =
            grant.with("expect", draw.pick([json!({"serial": serial("a")}), json!({"serial": serial("b")})]));
    }
    if draw.chance(30) {
        grant = grant.with("expiresAt", draw.pick(["2026-01-01T00:00:00.000Z", "2026-01-01T00:02:00.001Z"]));
    }
    if draw.chance(15) {
        grant = grant.with("allowedKinds", draw.pick([json!([]), json!(["reboot"])]));
    }
    if draw.chance(15) {
        grant = grant.with("ttlLimitS", draw.pick([60, 600]));
    }
    grant
}

fn instant(at_ms: i64) -> String {
    let text = jiff::Timestamp::from_millisecond(at_ms).map(|at| format!("{at:.3}")).unwrap_or_default();
    debug_assert_eq!(milliseconds(&text), at_ms);
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_same_numbers_make_the_same_history_and_others_another() {
        let make = |number| history(7, number, &Choices::new());
        assert_eq!(make(1), make(1));
        assert_ne!(make(1).steps, make(2).steps);
    }

    #[test]
    fn a_hundred_histories_hold_every_request() {
        let done: BTreeSet<String> = (0..100)
            .flat_map(|number| history(1, number, &Choices::new()).steps)
            .map(|step| step.request["do"].as_str().unwrap_or_default().to_owned())
            .collect();
        let all = [
            "enqueue",
            "join",
            "join-begin",
            "join-finish",
            "renew",
            "restart",
            "retire",
            "token-create",
            "token-list",
            "token-revoke",
        ];
        assert_eq!(done.into_iter().collect::<Vec<_>>(), all);
    }
}
