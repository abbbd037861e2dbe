//! The one refusal: whatever the reason and however often, the caller gets the same (REFUSAL-1).

use serde_json::Value;

use super::flood::{START, admitted, dropped, good, stranger, token, told, world};
use crate::case::{Entry, NOW};
use crate::script::{Renew, join, refused, renew, renewed, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, World, enrolled, grant, machine};

const RULE: &str = "REFUSAL-1";
const JOIN: &str = "refusal/public-join-accepted";
const RENEW: &str = "refusal/public-renew-accepted";
const REQUEST: &str = "/steps/0/request";
const RECIPE: &str = "The request of the step; headers, body and trailers of the answer are compared with those of the other refusals.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![joined(), renewing()];
    all.extend(joins());
    all.extend(floods());
    all.extend(renewals());
    all
}

fn joined() -> Entry {
    script_accept(JOIN, RULE, "A join that is not refused gets its answer.")
        .documented()
        .world(&world().enrolled(&old()))
        .step("join", NOW, good(), admitted())
        .why("The twin of the joins that all get one and the same refusal.")
        .recipe(RECIPE)
}

/// A node with an expired certificate, and one whose certificate is alive.
fn old() -> Enrolled {
    enrolled("b", &machine("b"), "2025-12-30T12:00:00Z")
}

fn alive() -> Enrolled {
    enrolled("b", &machine("b"), "2025-12-31T12:00:00Z")
}

fn refusal(
    name: &str,
    title: &str,
    world: &World,
    request: crate::script::Join,
    reason: &str,
    at: &[&str],
) -> Entry {
    script_reject(&format!("refusal/public-{name}"), RULE, title)
        .documented()
        .world(world)
        .step("join", NOW, request, refused(reason))
        .twin(JOIN, at, "what is wrong with the join")
        .why("Whoever can tell two refusals apart searches for tokens with them.")
        .recipe(RECIPE)
}

fn joins() -> Vec<Entry> {
    let with = |granted| World::usual().token(&granted).enrolled(&old());
    let row = "/world/tokens/0";
    let used = token().with("usesLeft", 0);
    let pinned = token().with("expect", serde_json::json!({"serial": "sn-of-another"}));
    let proof = x509pop(&machine("b").rekeyed("second"), &old(), &old().key);
    vec![
        refusal(
            "join-attestor",
            "A join under an unknown attestor gets the one refusal.",
            &with(token()),
            good().attestor("ghost"),
            "attestor",
            &["/steps/0/request/attestor"],
        ),
        refusal(
            "join-unknown",
            "A join with a token that does not exist gets the one refusal.",
            &World::usual().enrolled(&old()),
            good(),
            "token-unknown",
            &[row],
        ),
        refusal(
            "join-used",
            "A join with a token that is used up gets the one refusal.",
            &with(used),
            good(),
            "token-used",
            &[row],
        ),
        refusal(
            "join-expect",
            "A join with a token that is pinned to another machine gets the one refusal.",
            &with(pinned),
            good(),
            "expect",
            &[row],
        ),
        refusal(
            "pop-signature",
            "An x509pop join with a bad proof gets the one refusal of joins, not that of renewals.",
            &with(token()),
            proof.clone().form("flipped"),
            "pop-signature",
            &[REQUEST],
        ),
        refusal(
            "pop-clock",
            "An x509pop join with a client time too old gets the one refusal of joins.",
            &with(token()),
            proof.client_time("2025-12-31T23:58:59.999Z"),
            "clock",
            &[REQUEST],
        ),
    ]
}

fn floods() -> Vec<Entry> {
    let flooded = |name: &str, title: &str, reason: &str, request: crate::script::Join, slots: u32| {
        let left = usize::try_from(60 - slots).unwrap_or_default();
        let entry = script_reject(&format!("refusal/public-{name}"), RULE, title)
            .documented()
            .world(&world())
            .step("join", START, good(), admitted())
            .repeated(slots.max(2), "flood", START, stranger("ghost"), told("attestor", 60 - left, 0));
        let last = if left == 0 && reason == "attestor" { dropped(reason) } else { refused(reason) };
        entry
            .step("last", START, request, last)
            .twin(&format!("refusal/public-{name}@join"), &["/steps/1", "/steps/2"], "refused joins after the good one")
            .why("A refusal that nobody is told of must not look or cost otherwise: the limit would be there to read.")
            .recipe(RECIPE)
    };
    let unknown = || join(&machine("stranger"), &grant("nobody's"));
    vec![
        flooded(
            "told",
            "The sixtieth refusal of a minute is the same to its caller.",
            "attestor",
            stranger("ghost"),
            59,
        ),
        flooded(
            "untold",
            "The sixty-first refusal of a minute is the same to its caller.",
            "attestor",
            stranger("ghost"),
            60,
        ),
        flooded(
            "other",
            "A refusal for another reason in a full minute is the same to its caller.",
            "token-unknown",
            unknown(),
            60,
        ),
    ]
}

fn of() -> Renew {
    renew(&machine("b").rekeyed("second"), &alive(), &alive().key)
}

fn renewing() -> Entry {
    script_accept(RENEW, RULE, "A renewal that is not refused gets its answer.")
        .documented()
        .world(&World::usual().enrolled(&alive()))
        .step("renew", NOW, of(), renewed("second"))
        .why("The twin of the renewals that all get one and the same refusal.")
        .recipe(RECIPE)
}

fn renewals() -> Vec<Entry> {
    let refusal = |name: &str, title: &str, request: Renew, reason: &str, at: &[&str]| {
        script_reject(&format!("refusal/public-renew-{name}"), RULE, title)
            .documented()
            .world(&World::usual().enrolled(&alive()))
            .step("renew", NOW, request, refused(reason))
            .twin(RENEW, at, "what is wrong with the renewal")
            .why("Who holds a stolen certificate must not learn what is known of it.")
            .recipe(RECIPE)
    };
    let chain = "/steps/0/request/chain";
    vec![
        refusal(
            "unknown",
            "A renewal without a certificate gets the one refusal.",
            of().with("/chain", serde_json::json!([])),
            "cert-unknown",
            &[chain],
        ),
        refusal(
            "signature",
            "A renewal with a bad proof gets the one refusal.",
            of().form("flipped"),
            "pop-signature",
            &["/steps/0/request/popSig/$pop/form"],
        ),
        refusal(
            "identity",
            "A renewal by nobody gets the one refusal.",
            of().with("/caller", Value::Null),
            "identity",
            &["/steps/0/request/caller"],
        ),
    ]
}
