//! Joins in two halves: what happens to the node between the reading before the lock and the one under it.

use serde_json::{Value, json};

use super::{ISSUED, RECIPE, comes_back, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, Join, Request, accepted, join, joined, reclaimed, refused, renew, renewed, retire, retired,
    script_accept, script_reject, x509pop,
};
use crate::testkit::request::claims;
use crate::testkit::world::{Enrolled, Grant, Machine, World, enrolled, grant, machine, node};

const LATER: &str = "2026-01-01T00:00:01.000Z";
const LATER_STILL: &str = "2026-01-01T00:00:02.000Z";
const AT_LAST: &str = "2026-01-01T00:00:03.000Z";
const CHOICE: &str = "reclaim.retired";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![one_after_the_other(), two_reclaims(), loser_again(), renewed_between()];
    all.extend([halves(), halves_plain()]);
    all.extend([other_retired(), retired_between()]);
    all.extend([other_by_certificate(), by_certificate_between()]);
    all.extend([stranger_between(), joined_between(), joined_between_plain()]);
    all.extend([other_replaced(), replaced_between()]);
    all.extend([came_and_went(), other_came_and_went(), came_and_went_refused()]);
    all.push(untrusted());
    all
}

/// The join begins, something happens, and it finishes.
fn around(
    entry: Entry,
    world: &World,
    request: &Join,
    (between, change): (impl Into<Request>, Expectation),
    expected: Expectation,
) -> Entry {
    entry
        .also("ADMISSION-4")
        .world(world)
        .step("begin", NOW, request.clone().begin("t"), accepted(json!({})))
        .step("between", LATER, between, change)
        .step("finish", LATER_STILL, request.clone().finish("t"), expected)
        .recipe("A join that is held up before the token row's lock while something else commits.")
}

/// A reclaim of node a.
fn again() -> Expectation {
    reclaimed(&node("a"), "new")
}

/// Another token of the pool, and a join with it after another reinstall.
fn rival() -> Grant {
    grant("rival").reclaims()
}

fn rivals_join() -> Join {
    join(&machine("a").rekeyed("rival"), &rival())
}

fn contested() -> World {
    with(&old(), &token()).token(&rival())
}

fn one_after_the_other() -> Entry {
    let title = "A reclaim that begins after another one was committed reclaims the node again.";
    script_accept("reclaim/race-not-racing", "RECLAIM-3", title)
        .also("ADMISSION-4")
        .world(&contested())
        .step("between", NOW, rivals_join(), reclaimed(&node("a"), "rival"))
        .step("begin", LATER, comes_back().begin("t"), accepted(json!({})))
        .step("finish", LATER_STILL, comes_back().finish("t"), again())
        .why("It read the generation that it raises: nothing changed under its hands.")
        .recipe("Two reclaims by two tokens, one after the other.")
}

fn two_reclaims() -> Entry {
    let title = "Of two reclaims of one node that began together the second to finish gets CONFLICT.";
    around(
        script_reject("reclaim/race-two-reclaims", "RECLAIM-3", title),
        &contested(),
        &comes_back(),
        (rivals_join(), reclaimed(&node("a"), "rival")),
        refused("CONFLICT"),
    )
    .twin(
        "reclaim/race-not-racing",
        &["/steps/0/request", "/steps/1/request"],
        "the join begins before the other one, and not after it",
    )
    .why("Two tokens hold two row locks; only the generation read twice orders the two.")
}

fn loser_again() -> Entry {
    let title = "The loser of two racing reclaims is sent again and reclaims the node: it lost no use.";
    around(
        script_accept("reclaim/race-loser-again", "RECLAIM-3", title),
        &contested(),
        &comes_back(),
        (rivals_join(), reclaimed(&node("a"), "rival")),
        refused("CONFLICT"),
    )
    .step("again", AT_LAST, comes_back(), again())
    .why("The generations are 1, 2, 3: the lost race raised none, revoked nothing and took no use.")
}

fn renewed_between() -> Entry {
    let request = renew(&machine("a").rekeyed("next"), &old(), &old().key);
    let title = "A renewal between the halves of a reclaim does not stop it, and is revoked with the rest.";
    around(
        script_accept("reclaim/race-renewal", "RECLAIM-3", title),
        &with(&old(), &token()),
        &comes_back(),
        (request, renewed("next")),
        again(),
    )
    .why(
        "A renewal raises no generation. The old key that is told is the one that it certified a second ago.",
    )
}

/// Both halves with nothing between them.
fn in_halves(entry: Entry, token: &Grant, expected: Expectation) -> Entry {
    entry
        .also("ADMISSION-4")
        .world(&with(&old(), token))
        .step("begin", NOW, comes_back().begin("t"), accepted(json!({})))
        .step("finish", LATER, comes_back().finish("t"), expected)
        .recipe(RECIPE)
}

fn halves() -> Entry {
    let title = "A reclaim during whose delay nothing happened is a reclaim.";
    in_halves(script_accept("reclaim/race-nobody", "RECLAIM-2", title), &token(), again())
        .why("A delay by itself is no race.")
}

fn halves_plain() -> Entry {
    let title = "A known machine's join by a plain token, delayed by nothing, is refused and no conflict.";
    let entry = script_reject("reclaim/race-nobody-plain-token", "RECLAIM-2", title);
    in_halves(entry, &token().with("allowReclaim", false), refused("reclaim"))
        .twin("reclaim/race-nobody", &["/world/tokens/0/allowReclaim"], "the token allows no reclaim")
        .why("To say CONFLICT there would make the machine try for ever.")
}

fn neighbour(at: &str) -> Enrolled {
    enrolled("b", &machine("b"), at)
}

/// A node is retired between the halves.
fn retirement(entry: Entry, end: &str, expected: Expectation) -> Entry {
    let world = with(&old(), &token()).enrolled(&neighbour(ISSUED));
    around(entry, &world, &comes_back(), (retire(&node(end)), retired(&node(end))), expected)
}

fn other_retired() -> Entry {
    let title = "The retirement of another node between the two halves of a reclaim does not stop it.";
    retirement(script_accept("reclaim/race-other-retired", "RECLAIM-4", title), "b", again())
        .why("What is read twice is this machine's node.")
}

fn retired_between() -> Entry {
    let title = "A reclaim whose node is retired between its two halves gets CONFLICT.";
    retirement(script_reject("reclaim/race-retired", "RECLAIM-4", title), "a", refused("CONFLICT"))
        .twin(
            "reclaim/race-other-retired",
            &["/steps/1/request/nodeId"],
            "it is the node to be reclaimed that is retired",
        )
        .why("A retired node must not come to life, nor its machine become a new node unawares.")
}

/// A node comes back by its expired certificate between the halves.
fn return_by_certificate(entry: Entry, who: &str, expected: Expectation) -> Entry {
    let at = "2025-12-30T12:00:00Z";
    let mine = enrolled("a", &machine("a"), at);
    let world = with(&mine, &token()).enrolled(&neighbour(at));
    let returning = enrolled(who, &machine(who), at);
    let request = x509pop(&machine(who).rekeyed("by certificate"), &returning, &returning.key);
    let change = reclaimed(&node(who), "returned");
    around(entry, &world, &comes_back(), (request, change), expected)
}

fn other_by_certificate() -> Entry {
    let title =
        "The return of another node by its certificate between the two halves of a reclaim does not stop it.";
    return_by_certificate(script_accept("reclaim/race-other-certificate", "RECLAIM-3", title), "b", again())
        .why("Its generation is its own.")
}

fn by_certificate_between() -> Entry {
    let title = "A reclaim whose node comes back by its certificate between the two halves gets CONFLICT.";
    return_by_certificate(
        script_reject("reclaim/race-certificate", "RECLAIM-3", title),
        "a",
        refused("CONFLICT"),
    )
    .twin("reclaim/race-other-certificate", &["/steps/1/request"], "it is this node that comes back")
    .why("Any reclaim raises the generation, by whatever door.")
}

/// A machine joins with the rival's token between the halves; no node is there at first.
fn arrival(entry: Entry, token: &Grant, who: &Machine, expected: Expectation) -> Entry {
    let world = World::usual().token(token).token(&rival());
    around(entry, &world, &comes_back(), (join(who, &rival()), joined("other")), expected)
}

fn stranger_between() -> Entry {
    let title = "A join during whose delay another machine joins makes its node.";
    let token = token().with("allowReclaim", false);
    arrival(
        script_accept("reclaim/race-stranger", "RECLAIM-1", title),
        &token,
        &machine("b").rekeyed("rival"),
        joined("n1"),
    )
    .why("Machines race with themselves alone.")
}

fn joined_between_plain() -> Entry {
    let title = "A join by a plain token while its machine joins otherwise gets CONFLICT and no refusal.";
    arrival(
        script_reject("reclaim/race-joined-plain-token", "RECLAIM-1", title),
        &token().with("allowReclaim", false),
        &machine("a").rekeyed("rival"),
        refused("CONFLICT"),
    )
    .twin("reclaim/race-stranger", &["/steps/1/request"], "it is the same machine that joins meanwhile")
    .why("The comparison comes before the rules of reclaim: a lost race is told as one, and is no event.")
}

fn joined_between() -> Entry {
    let title = "A join that allows a reclaim while its machine joins otherwise gets CONFLICT.";
    arrival(
        script_reject("reclaim/race-joined", "RECLAIM-1", title),
        &token(),
        &machine("a").rekeyed("rival"),
        refused("CONFLICT"),
    )
    .twin(
        "reclaim/race-stranger",
        &["/steps/1/request", "/world/tokens/0/allowReclaim"],
        "it is the same machine that joins meanwhile, and the token allows a reclaim",
    )
    .why("It began as a new machine; to take a node over is another thing than it set out for.")
}

/// Between the halves a node is retired and its machine joins as a new one: another id, the same generation.
fn replacement(entry: Entry, who: &str, expected: Expectation) -> Entry {
    let request = comes_back();
    entry
        .also("ADMISSION-4")
        .choice(CHOICE, "new-node")
        .world(&contested().enrolled(&neighbour(ISSUED)))
        .step("begin", NOW, request.clone().begin("t"), accepted(json!({})))
        .step("retire", LATER, retire(&node(who)), retired(&node(who)))
        .step("join", LATER, join(&machine(who).rekeyed("rival"), &rival()), joined("n1"))
        .step("finish", LATER_STILL, request.finish("t"), expected)
        .recipe("A reclaim that is held up before the lock while a node is retired and joins anew.")
}

fn other_replaced() -> Entry {
    let title = "A reclaim is not stopped by a neighbour that is retired and joins anew meanwhile.";
    replacement(script_accept("reclaim/race-other-replaced", "RECLAIM-4", title), "b", again())
        .why("It is another machine's node.")
}

fn replaced_between() -> Entry {
    let title = "A reclaim whose node is retired and joined anew meanwhile gets CONFLICT.";
    let entry = script_reject("reclaim/race-replaced", "RECLAIM-4", title);
    replacement(entry, "a", refused("CONFLICT"))
        .twin(
            "reclaim/race-other-replaced",
            &["/steps/1/request/nodeId", "/steps/2/request"],
            "it is this machine's node that is replaced",
        )
        .why("Both nodes are of generation 1: the reading is the id and the generation.")
}

/// Between the halves a machine joins and its node is retired again: nobody before, nobody after.
fn visit(id: &str, title: &str, value: &str, who: &str) -> (Entry, Join) {
    let request = comes_back();
    let is_reject = value == "refuse" && who == "a";
    let entry =
        if is_reject { script_reject(id, "RECLAIM-4", title) } else { script_accept(id, "RECLAIM-4", title) };
    let entry = entry
        .also("ADMISSION-4")
        .choice(CHOICE, value)
        .world(&World::usual().token(&token()).token(&rival()))
        .step("begin", NOW, request.clone().begin("t"), accepted(json!({})))
        .step("join", LATER, join(&machine(who).rekeyed("rival"), &rival()), joined("n1"))
        .step("retire", LATER, retire("$n1"), retired("$n1"))
        .recipe("A join that is held up before the lock while a machine joins and is retired again.");
    (entry, request.finish("t"))
}

fn came_and_went() -> Entry {
    let title =
        "Under new-node a join during whose delay its machine joined and was retired makes a new node.";
    let (entry, finish) = visit("reclaim/race-came-and-went-new-node", title, "new-node", "a");
    entry
        .step("finish", LATER_STILL, finish, joined("n2"))
        .why("No live node before, none now: the two readings are equal, and what is retired is out.")
}

fn other_came_and_went() -> Entry {
    let title =
        "Under refuse a join during whose delay another machine joined and was retired makes a new node.";
    let (entry, finish) = visit("reclaim/race-other-came-and-went-refuse", title, "refuse", "b");
    entry.step("finish", LATER_STILL, finish, joined("n2")).why("It is another machine's key that is out.")
}

fn came_and_went_refused() -> Entry {
    let title = "Under refuse a join while its machine joined and was retired is refused, no conflict.";
    let (entry, finish) = visit("reclaim/race-came-and-went-refuse", title, "refuse", "a");
    entry
        .step("finish", LATER_STILL, finish, refused("reclaim"))
        .twin(
            "reclaim/race-other-came-and-went-refuse",
            &["/steps/1/request"],
            "it is this machine that was retired meanwhile",
        )
        .why("Retired keys are judged under the lock, as they are then.")
}

fn untrusted() -> Entry {
    let lonely = |name: &str| -> Machine {
        let shown: Value = claims(json!({"productSerial": "SN-LONELY-4"}));
        machine("a").rekeyed(name).claiming(shown)
    };
    let token = token().with("expect", json!({"serial": "sn-lonely-4"})).uses(2);
    let title = "Two machines without a trusted key never race: both join as new nodes.";
    around(
        script_accept("reclaim/race-untrusted", "RECLAIM-3", title),
        &World::usual().token(&token),
        &join(&lonely("one"), &token),
        (join(&lonely("two"), &token), joined("n1").untrusted()),
        joined("n2").untrusted(),
    )
    .why("What is never looked up cannot have changed.")
}
