//! At most eight live certificates in a node's generation (CERTIFICATE-7).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{
    Renew, accepted, join, joined, reclaimed, refused, renew, renewed, restart, script_accept, script_reject,
    x509pop,
};
use crate::testkit::world::{
    Enrolled, Machine, World, cert_row, enrolled, grant, instant_ms, machine, node, seconds,
};

const RULE: &str = "CERTIFICATE-7";
const ISSUED: &str = "2025-12-31T12:00:00Z";
/// Seven live certificates: the eighth is made.
const GOOD: &str = "certificate/live-eighth";
const RECIPE: &str = "A node with so many certificates, and a renewal with the first of them.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![
        eighth(),
        ninth(),
        one_after_another(),
        one_too_many(),
        after_restart(),
        room_again(),
        new_generation(),
        outage(),
    ];
    all.extend(not_counted());
    all.extend(last_second());
    all
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), ISSUED)
}

fn second() -> Machine {
    machine("a").rekeyed("second")
}

fn with_old() -> Renew {
    renew(&second(), &old(), &old().key)
}

/// The world with so many certificates of node a; `last` says what differs in the row of the last one.
fn holding(count: i64, last: impl Fn(&mut serde_json::Value)) -> World {
    let world = World::usual().enrolled(&old());
    (1..count).fold(world, |world, place| {
        let at = instant_ms(seconds(ISSUED) + place).replace(".000Z", "Z");
        let key = machine("a").rekeyed(&format!("live {place}")).key;
        let mut row = cert_row(&node("a"), 1, &old().issue(&key, &at, 86400, &[]));
        if place == count - 1 {
            last(&mut row);
        }
        world.push("certs", &row)
    })
}

fn eighth() -> Entry {
    script_accept(GOOD, RULE, "With seven live certificates a renewal makes the eighth.")
        .world(&holding(7, |_| ()))
        .step("renew", NOW, with_old(), renewed("second"))
        .why("The last one that is made.")
        .recipe(RECIPE)
}

fn ninth() -> Entry {
    script_reject("certificate/live-ninth", RULE, "With eight live certificates nothing renews.")
        .world(&holding(8, |_| ()))
        .step("renew", NOW, with_old(), refused("renew-limit"))
        .twin(GOOD, &["/world/certs/7"], "one live certificate more")
        .why("The cap bounds what a stolen key can collect before anyone notices.")
        .recipe(RECIPE)
}

/// Renewals of the first certificate, one a second; the first of them is of number 2.
fn renewals(entry: Entry, last: u32) -> Entry {
    let token = grant("live");
    let entry = entry
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .recipe("A join, and renewals with its certificate until there are enough.");
    (2..=last).fold(entry, |entry, number| {
        let to = machine("a").rekeyed(&format!("number {number}"));
        let request = renew(&to, "join", &machine("a").key);
        let (name, at) = (format!("renew-{number}"), format!("2026-01-01T00:00:{number:02}.000Z"));
        if number > 8 {
            entry.step(&name, &at, request, refused("renew-limit"))
        } else {
            entry.step(&name, &at, request, renewed(&format!("number-{number}")))
        }
    })
}

fn one_after_another() -> Entry {
    renewals(
        script_accept(
            "certificate/live-seven-renewals",
            RULE,
            "A node collects eight certificates: one by its join, seven by renewals.",
        ),
        8,
    )
    .why("The one presented counts as well, and so does the one that is made.")
}

fn one_too_many() -> Entry {
    renewals(
        script_reject(
            "certificate/live-eight-renewals",
            RULE,
            "The eighth renewal of a certificate is refused.",
        ),
        9,
    )
    .twin("certificate/live-seven-renewals", &["/steps/8"], "one renewal more")
    .why("The service counts what it has issued itself, not only what was loaded.")
}

/// The counting is not of one process: a restart between the eighth and the ninth.
fn after_restart() -> Entry {
    let ninth = renew(&machine("a").rekeyed("number 9"), "join", &machine("a").key);
    let entry = renewals(
        script_reject(
            "certificate/live-after-restart",
            RULE,
            "The eighth renewal of a certificate is refused after a restart too.",
        ),
        8,
    );
    entry
        .step("restart", "2026-01-01T00:00:10.000Z", restart(), accepted(json!({})))
        .step("renew-9", "2026-01-01T00:00:11.000Z", ninth, refused("renew-limit"))
        .twin("certificate/live-seven-renewals", &["/steps/8", "/steps/9"], "a restart, and one renewal more")
        .why("A count that is kept in memory begins anew with each process.")
}

/// Refused today is not refused for ever: the last of the eight ends a second after now.
fn room_again() -> Entry {
    let third = machine("a").rekeyed("third");
    script_accept(
        "certificate/live-room-again",
        RULE,
        "A node that was refused renews when one of its eight has expired.",
    )
    .also("TIME-2")
    .world(&last_ending())
    .step("refused", NOW, with_old(), refused("renew-limit"))
    .step("renew", "2026-01-01T00:00:01.000Z", renew(&third, &old(), &old().key), renewed("third"))
    .why("What is alive is counted at each call.")
    .recipe("A renewal of a node with eight live certificates, and another when one of them has expired.")
}

/// Eight are alive, and the newest has expired.
fn outage() -> Entry {
    let key = machine("a").rekeyed("newest").key;
    let newest = old().issue(&key, "2025-12-31T23:00:00Z", 120, &[]);
    let world = holding(8, |_| ()).push("certs", &cert_row(&node("a"), 1, &newest));
    let mut holder = old();
    holder.leaf = newest;
    script_accept(
        "certificate/live-outage",
        RULE,
        "A re-join of a node with eight live certificates is no renewal: nothing is counted.",
    )
    .also("X509POP-5")
    .world(&world)
    .step("join", NOW, x509pop(&second(), &holder, &key), reclaimed(&node("a"), "second"))
    .why("There is no renew-limit for it: a new generation begins, and the eight are revoked.")
    .recipe("A re-join with the newest certificate, which has expired, of a node with eight live ones.")
}

fn new_generation() -> Entry {
    let token = grant("live anew").reclaims();
    script_accept(
        "certificate/live-new-generation",
        RULE,
        "A reclaim of a node with eight live certificates is no renewal: nothing is counted.",
    )
    .world(&holding(8, |_| ()).token(&token))
    .step("join", NOW, join(&second(), &token), reclaimed(&node("a"), "second"))
    .step(
        "renew",
        "2026-01-01T00:00:01.000Z",
        renew(&machine("a").rekeyed("third"), "join", &second().key),
        renewed("third"),
    )
    .why("A new generation begins, the eight are revoked, and the next renewal counts one.")
    .recipe("A reclaim of a node with eight certificates, and a renewal.")
}

fn not_counted() -> Vec<Entry> {
    let row = |name: &str, title: &str, world: &World, why: &str| {
        script_accept(&format!("certificate/live-{name}"), RULE, title)
            .world(world)
            .step("renew", NOW, with_old(), renewed("second"))
            .why(why)
            .recipe(RECIPE)
    };
    let dead = enrolled("a", &machine("a").rekeyed("dead"), "2025-12-30T12:00:00Z").leaf;
    let expired = holding(8, |row| *row = cert_row(&node("a"), 1, &dead));
    let old_ones = (0..8).fold(holding(1, |_| ()).set("/nodes/0/generation", 2), |world, place| {
        let at = instant_ms(seconds(ISSUED) - 100 + place).replace(".000Z", "Z");
        let key = machine("a").rekeyed(&format!("older {place}")).key;
        world.push("certs", &cert_row(&node("a"), 1, &old().issue(&key, &at, 86400, &[])))
    });
    let old_ones = old_ones.set("/certs/0/generation", 2);
    let other = enrolled("b", &machine("b"), ISSUED);
    vec![
        row("expired", "An expired certificate does not count.", &expired, "Seven of the eight are alive."),
        row(
            "revoked",
            "A revoked certificate does not count.",
            &holding(8, |row| row["revoked"] = "reclaimed".into()),
            "Seven of the eight are alive.",
        ),
        row(
            "older-generation",
            "Certificates of an older generation do not count, revoked or not.",
            &old_ones,
            "The machine before must not use up what the one after it may have.",
        ),
        row(
            "of-another-node",
            "Certificates of another node do not count.",
            &holding(7, |_| ()).enrolled(&other),
            "The cap is a node's, not the deployment's.",
        ),
    ]
}

/// The last of eight certificates lives until a second after now, that one included.
fn last_ending() -> World {
    holding(8, |row| {
        let key = machine("a").rekeyed("ending").key;
        *row = cert_row(&node("a"), 1, &old().issue(&key, "2025-12-31T23:59:00Z", 120, &[]));
    })
}

fn last_second() -> Vec<Entry> {
    let over = "certificate/live-over-the-edge";
    vec![
        script_accept(over, RULE, "A certificate counts no more from the second after its notAfter.")
            .also("TIME-2")
            .world(&last_ending())
            .step("renew", "2026-01-01T00:00:01.000Z", with_old(), renewed("second"))
            .why("Live ends where expired begins.")
            .recipe(RECIPE),
        script_reject(
            "certificate/live-last-millisecond",
            RULE,
            "A certificate counts through the second of its notAfter.",
        )
        .also("TIME-2")
        .world(&last_ending())
        .step("renew", "2026-01-01T00:00:00.999Z", with_old(), refused("renew-limit"))
        .twin(
            over,
            &["/steps/0/at", "/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"],
            "a millisecond earlier",
        )
        .why("It could still renew, so it is one of the eight.")
        .recipe(RECIPE),
    ]
}
