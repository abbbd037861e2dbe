//! What commands a node's certificate accepts: the list, its entries, and whose list counts (CERTIFICATE-6).

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{
    accepted, enqueue, join, joined, reclaimed, refused, renew, renewed, retire, retired, script_accept,
    script_reject, x509pop,
};
use crate::testkit::world::{Enrolled, World, cert_row, enrolled, grant, machine, node};

const RULE: &str = "CERTIFICATE-6";
const ISSUED: &str = "2025-12-31T12:00:00Z";
const LATER: &str = "2026-01-01T00:05:00.000Z";
/// The list of the page's example, and commands that it allows.
const GOOD: &str = "certificate/kinds-allowed";
const RECIPE: &str = "Put a command of this kind into the queue of a node whose certificate has this list.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![good(), each_kind()];
    all.extend(not_matched());
    all.extend(odd_entries());
    all.extend(whose());
    all.extend(newest());
    all.extend(carried());
    all
}

fn example() -> Value {
    json!(["node.reboot", "log.*"])
}

fn holder(kinds: Value) -> Enrolled {
    enrolled("a", &machine("a"), ISSUED).with_cert("allowedKinds", kinds)
}

fn with(enrolled: &Enrolled) -> World {
    World::usual().enrolled(enrolled)
}

fn to_a(kind: &str) -> Value {
    enqueue(&node("a"), kind)
}

fn good() -> Entry {
    script_accept(GOOD, RULE, "An equal kind is allowed, and one that goes on after the prefix and its dot.")
        .documented()
        .world(&with(&holder(example())))
        .step("enqueue", NOW, to_a("log.read"), accepted(json!({})))
        .step("equal", NOW, to_a("node.reboot"), accepted(json!({})))
        .step("deeper", NOW, to_a("log.read.tail"), accepted(json!({})))
        .step("a-character", NOW, to_a("log.r"), accepted(json!({})))
        .step("star", NOW, to_a("log.*"), accepted(json!({})))
        .why("The example of the page; a prefix holds at any depth.")
        .recipe(RECIPE)
}

fn each_kind() -> Entry {
    script_accept("certificate/kinds-absent", RULE, "A certificate without a list accepts every kind.")
        .world(&with(&enrolled("a", &machine("a"), ISSUED)))
        .step("enqueue", NOW, to_a("node.reboot"), accepted(json!({})))
        .step("other", NOW, to_a("x"), accepted(json!({})))
        .why("An absent list restricts nothing; an empty one is another thing.")
        .recipe(RECIPE)
}

/// A command that the list does not allow.
fn bad(name: &str, title: &str, kinds: Value, kind: &str, at: &[&str], why: &str) -> Entry {
    script_reject(&format!("certificate/kinds-{name}"), RULE, title)
        .world(&with(&holder(kinds)))
        .step("enqueue", NOW, to_a(kind), refused("INVALID_STATE"))
        .twin(&format!("{GOOD}@enqueue"), at, "the list of the certificate, the kind of the command, or both")
        .why(why)
        .recipe(RECIPE)
}

fn not_matched() -> Vec<Entry> {
    let row = |name: &str, title: &str, kind: &str, why: &str| {
        bad(name, title, example(), kind, &["/steps/0/request/kind"], why)
    };
    vec![
        row("another", "A kind that no entry matches is refused.", "exec.run", "What the list is for.")
            .documented(),
        row("prefix-itself", "log.* does not allow log.", "log", "The prefix is a name of its own."),
        row(
            "nothing-after",
            "log.* does not allow the prefix and its dot alone.",
            "log.",
            "At least one character goes on.",
        ),
        row(
            "without-dot",
            "log.* does not allow logs.read.",
            "logs.read",
            "A prefix ends at its dot, not inside a word.",
        ),
        row(
            "exact-goes-on",
            "node.reboot does not allow node.reboot.hard.",
            "node.reboot.hard",
            "An entry without a star is one kind.",
        ),
        row(
            "exact-cut-off",
            "node.reboot does not allow node.",
            "node",
            "Nor is it a prefix the other way round.",
        ),
        row(
            "case",
            "node.reboot does not allow Node.reboot.",
            "Node.reboot",
            "Kinds are compared octet for octet.",
        ),
        row(
            "case-of-prefix",
            "log.* does not allow LOG.read.",
            "LOG.read",
            "Prefixes are compared octet for octet too.",
        ),
        row(
            "space",
            "node.reboot does not allow itself with a space after it.",
            "node.reboot ",
            "Nothing is trimmed.",
        ),
        row("empty-kind", "No entry of the list allows the empty kind.", "", "It is no kind of any list."),
    ]
}

fn odd_entries() -> Vec<Entry> {
    let at = ["/world/certs/0/allowedKinds"];
    let kind = "log.read";
    let list =
        |name: &str, title: &str, entry: &str, why: &str| bad(name, title, json!([entry]), kind, &at, why);
    let both = ["/world/certs/0/allowedKinds", "/steps/0/request/kind"];
    vec![
        bad("empty-list", "An empty list allows no kind.", json!([]), kind, &at, "Empty is not absent."),
        list(
            "lone-star",
            "A lone star matches nothing.",
            "*",
            "It has no prefix; whoever means every kind leaves the list away.",
        ),
        list(
            "star-within",
            "A star inside an entry matches nothing.",
            "lo*.read",
            "There is one wildcard, and it is at the end.",
        ),
        list("star-first", "A star at the beginning matches nothing.", "*.read", "There is no suffix rule."),
        list(
            "star-without-dot",
            "log* is no prefix: it matches nothing.",
            "log*",
            "A prefix ends with a dot and a star.",
        ),
        list(
            "star-as-letter",
            "log.r* matches nothing.",
            "log.r*",
            "A star ends a segment only where it is the whole of it.",
        ),
        list("two-stars", "log.** matches nothing.", "log.**", "A star anywhere else spoils the entry."),
        list(
            "star-twice",
            "*.* matches nothing.",
            "*.*",
            "A star in the prefix spoils the entry, though it ends well.",
        ),
        bad(
            "star-of-itself",
            "A lone star does not match a kind that is a star.",
            json!(["*"]),
            "*",
            &both,
            "It matches nothing, not even itself.",
        ),
        bad(
            "empty-prefix",
            "An entry with an empty prefix matches nothing.",
            json!([".*"]),
            ".read",
            &both,
            "No kind begins with nothing.",
        ),
        bad(
            "inner-star-spelled",
            "A star inside an entry does not match itself either.",
            json!(["lo*.read"]),
            "lo*.read",
            &both,
            "Such an entry is no exact kind: it has a star.",
        ),
        bad(
            "empty-entry",
            "An entry without a character allows no kind but its equal.",
            json!([""]),
            kind,
            &at,
            "It is no prefix of everything.",
        ),
    ]
}

/// The newest certificate's list counts, so these have two.
fn two(first: Value, second: Value) -> World {
    let old = holder(first);
    let next = old.issue(&machine("a").rekeyed("second").key, "2025-12-31T13:00:00Z", 86400, &[]);
    let mut row = cert_row(&old.id(), 1, &next);
    row["allowedKinds"] = second;
    with(&old).push("certs", &row)
}

fn whose() -> Vec<Entry> {
    let wrong = |name: &str, title: &str, error: &str| {
        (script_reject(&format!("certificate/kinds-{name}"), RULE, title), refused(error))
    };
    let twin = format!("{GOOD}@enqueue");
    let (unknown, not_found) =
        wrong("unknown-node", "A command for a node that is not there is NOT_FOUND.", "NOT_FOUND");
    let (loaded, state) = wrong(
        "retired-node",
        "A command for a retired node is refused, whatever its certificate allows.",
        "INVALID_STATE",
    );
    let (meanwhile, same) =
        wrong("retired-meanwhile", "A command after the retirement of its node is refused.", "INVALID_STATE");
    let (without, none) = wrong(
        "no-certificate",
        "A command for a node without a certificate in its generation is refused.",
        "INVALID_STATE",
    );
    vec![
        unknown
            .world(&with(&holder(example())))
            .step("enqueue", NOW, enqueue(&node("b"), "log.read"), not_found)
            .twin(&twin, &["/steps/0/request/nodeId"], "another node's id")
            .why("There is no queue without a node.")
            .recipe(RECIPE),
        loaded
            .world(&with(&holder(example()).with("retired", true)))
            .step("enqueue", NOW, to_a("log.read"), state)
            .twin(&twin, &["/world/nodes/0/retired"], "the node is retired")
            .why("Nothing will ever fetch it.")
            .recipe(RECIPE),
        meanwhile
            .world(&with(&holder(example())))
            .step("enqueue", NOW, to_a("log.read"), accepted(json!({})))
            .step("retire", NOW, retire(&node("a")), retired(&node("a")))
            .step("again", NOW, to_a("log.read"), same)
            .twin(
                "certificate/kinds-allowed@enqueue",
                &["/steps/1", "/steps/2"],
                "the node is retired, and the command comes again",
            )
            .why("The same command was in order a moment ago.")
            .recipe("A command, the retirement of its node, and the command once more."),
        without
            .world(&with(&holder(example()).with("generation", 2)))
            .step("enqueue", NOW, to_a("log.read"), none)
            .twin(&twin, &["/world/nodes/0/generation"], "the node is in its second generation")
            .why("The list of an older generation says nothing about the machine that is there now.")
            .recipe(RECIPE),
    ]
}

fn newest() -> Vec<Entry> {
    let wide = "certificate/kinds-newest-allows";
    let old = holder(example()).with_cert("revoked", "retired");
    let expired = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z").with_cert("allowedKinds", example());
    vec![
        script_accept(
            wide,
            RULE,
            "Of two certificates the newest decides: it allows what the older one does not.",
        )
        .world(&two(json!([]), example()))
        .step("enqueue", NOW, to_a("log.read"), accepted(json!({})))
        .why("Newest is the order of issue; the older one is alive as well.")
        .recipe(RECIPE),
        script_reject(
            "certificate/kinds-newest-refuses",
            RULE,
            "What only the older certificate allows is refused.",
        )
        .world(&two(example(), json!([])))
        .step("enqueue", NOW, to_a("log.read"), refused("INVALID_STATE"))
        .twin(
            wide,
            &["/world/certs/0/allowedKinds", "/world/certs/1/allowedKinds"],
            "the two lists are exchanged",
        )
        .why("Whoever takes any certificate, or the first, lets a restriction be undone by the past.")
        .recipe(RECIPE),
        script_accept(
            "certificate/kinds-expired",
            RULE,
            "The newest certificate decides though it has expired.",
        )
        .world(&with(&expired))
        .step("enqueue", NOW, to_a("log.read"), accepted(json!({})))
        .why("A command waits in the queue; the machine may be back before long.")
        .recipe(RECIPE),
        script_accept(
            "certificate/kinds-revoked",
            RULE,
            "The newest certificate decides though it is revoked.",
        )
        .world(&with(&old))
        .step("enqueue", NOW, to_a("log.read"), accepted(json!({})))
        .why("The queue asks what the node may do, the gateway whether it may come.")
        .recipe(RECIPE),
    ]
}

/// Where the list comes from, and how long it stays.
fn carried() -> Vec<Entry> {
    let token = grant("kinds").with("allowedKinds", example());
    let second = machine("a").rekeyed("second");
    let joining = |entry: Entry| {
        entry.world(&World::usual().token(&token)).step(
            "join",
            NOW,
            join(&machine("a"), &token),
            joined("n1"),
        )
    };
    let renewing = |entry: Entry| {
        joining(entry).step("renew", LATER, renew(&second, "join", &machine("a").key), renewed("second"))
    };
    let accept = |name: &str, title: &str| script_accept(&format!("certificate/kinds-{name}"), RULE, title);
    let reject = |name: &str, title: &str| script_reject(&format!("certificate/kinds-{name}"), RULE, title);
    let (of_token, of_renewal) = ("certificate/kinds-of-token", "certificate/kinds-after-renewal");
    let new = grant("kinds anew").with("allowedKinds", json!(["exec.*"])).reclaims();
    let open = grant("kinds open").reclaims();
    let outage = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z").with_cert("allowedKinds", example());
    let back = |entry: Entry| {
        entry.world(&with(&outage)).step(
            "join",
            NOW,
            x509pop(&second, &outage, &outage.key),
            reclaimed(&node("a"), "second"),
        )
    };
    vec![
        joining(accept("of-token", "A join writes the list of its token into the row, and it holds."))
            .step("enqueue", NOW, enqueue("$n1", "log.read"), accepted(json!({})))
            .why("The list is the attestor's, for what it admits.")
            .recipe("A join by a token with a list, and a command for the new node."),
        joining(reject(
            "of-token-refuse",
            "A command that the token's list does not allow is refused after the join.",
        ))
        .step("enqueue", NOW, enqueue("$n1", "exec.run"), refused("INVALID_STATE"))
        .twin(of_token, &["/steps/1/request/kind"], "another kind")
        .why("A list that a join drops restricts nothing.")
        .recipe("A join by a token with a list, and a command for the new node."),
        renewing(accept("after-renewal", "A renewal keeps the list."))
            .step("enqueue", LATER, enqueue("$n1", "log.read"), accepted(json!({})))
            .why("It is the newest certificate now, with the same list.")
            .recipe("A join, a renewal and a command."),
        renewing(reject(
            "after-renewal-refuse",
            "A command that the list does not allow is refused after a renewal too.",
        ))
        .step("enqueue", LATER, enqueue("$n1", "exec.run"), refused("INVALID_STATE"))
        .twin(of_renewal, &["/steps/2/request/kind"], "another kind")
        .why("Otherwise a node frees itself by renewing.")
        .recipe("A join, a renewal and a command."),
        accept("after-reclaim", "After a reclaim the list is that of the new token.")
            .world(&with(&holder(example())).token(&new))
            .step("join", NOW, join(&second, &new), reclaimed(&node("a"), "second"))
            .step("enqueue", NOW, to_a("exec.run"), accepted(json!({})))
            .why("The newest certificate of the new generation decides.")
            .recipe("A reclaim by a token with another list, and a command."),
        accept("after-open-reclaim", "After a reclaim by a token without a list every kind is allowed.")
            .world(&with(&holder(example())).token(&open))
            .step("join", NOW, join(&second, &open), reclaimed(&node("a"), "second"))
            .step("enqueue", NOW, to_a("exec.run"), accepted(json!({})))
            .why("The list belongs to the attestor that admitted the machine now.")
            .recipe("A reclaim by a token without a list, and a command."),
        reject("after-reclaim-refuse", "What only the list before the reclaim allowed is refused after it.")
            .world(&with(&holder(example())).token(&new))
            .step("join", NOW, join(&second, &new), reclaimed(&node("a"), "second"))
            .step("enqueue", NOW, to_a("log.read"), refused("INVALID_STATE"))
            .twin("certificate/kinds-after-reclaim", &["/steps/1/request/kind"], "a kind of the old list")
            .why("The old list went with the old generation.")
            .recipe("A reclaim by a token with another list, and a command."),
        back(accept("after-outage", "x509pop keeps the list of the expired certificate."))
            .step("enqueue", NOW, to_a("log.read"), accepted(json!({})))
            .why("The same node is back, with what it was admitted for.")
            .recipe("A re-join with an expired certificate, and a command."),
        back(reject(
            "after-outage-refuse",
            "A command that the kept list does not allow is refused after x509pop.",
        ))
        .step("enqueue", NOW, to_a("exec.run"), refused("INVALID_STATE"))
        .twin("certificate/kinds-after-outage", &["/steps/1/request/kind"], "another kind")
        .why("Otherwise a node frees itself by staying away.")
        .recipe("A re-join with an expired certificate, and a command."),
    ]
}
