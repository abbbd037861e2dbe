//! A script by itself and beside its twin.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use vectors::schema::{Case, Step, Verdict};
use vectors::script::is_error_name;

use super::twin::{diff, named};
use super::{Known, place};

/// Requests of the contract.
const REQUESTS: [&str; 10] = [
    "join",
    "join-begin",
    "join-finish",
    "renew",
    "token-create",
    "token-list",
    "token-revoke",
    "retire",
    "enqueue",
    "restart",
];
/// Members that must be in an answer that is described.
const ANSWER: [&str; 8] = ["purpose", "attestor", "node", "role", "site", "key", "notBefore", "notAfter"];

/// Says what is wrong with the script by itself.
pub(super) fn check(case: &Case, known: &Known<'_>, say: &mut impl FnMut(String)) {
    if case.input.is_some() || case.out.is_some() || !case.rows.is_empty() {
        say("in, out and rows do not stand in scripts".into());
    }
    if case.world.is_none() {
        say("a script has a world".into());
    }
    if case.op == "world.load" {
        let named = !case.reasons.is_empty() && case.reasons.iter().all(|reason| is_error_name(reason));
        if case.verdict != Verdict::Reject || !case.steps.is_empty() || !named {
            say("a world that is refused has the name of an error, and no steps".into());
        }
        return;
    }
    if case.op != "world.step" {
        say("the op of a script is world.step, or world.load where the world is refused".into());
    }
    if case.steps.first().is_none_or(|first| first.at != case.now) {
        say("now is the first step's time".into());
    }
    match case.decisive_step() {
        None => say("the decisive step is not there".into()),
        Some(step) if step.expect.verdict != case.verdict || step.expect.reasons != case.reasons => {
            say(format!("verdict and reasons are not those of the step {}", step.name));
        }
        Some(_) => {}
    }
    let mut before = BTreeSet::new();
    for step in &case.steps {
        check_step(step, known, &before, &mut |what| say(format!("step {}: {what}", step.name)));
        if !before.insert(step.name.as_str()) {
            say(format!("two steps are called {}", step.name));
        }
    }
}

fn check_step(step: &Step, known: &Known<'_>, before: &BTreeSet<&str>, say: &mut impl FnMut(String)) {
    let expect = &step.expect;
    if !step.request["do"].as_str().is_some_and(|what| REQUESTS.contains(&what)) {
        say("the contract has no such request".into());
    }
    let accept = expect.verdict == Verdict::Accept;
    if accept != expect.out.is_some() || accept != expect.reasons.is_empty() {
        say("out stands on accepts, reasons on rejects".into());
    }
    for reason in
        expect.reasons.iter().filter(|&reason| !known.reasons.contains(reason) && !is_error_name(reason))
    {
        say(format!("the refusal page has no reason {reason}"));
    }
    let mut refer = |name: &str| {
        if !before.contains(name) {
            say(format!("it refers to {name}, which is no earlier step"));
        }
    };
    references(&step.request, &mut refer);
    if let Some(answer) = expect.out.as_ref().and_then(|out| out.pointer("/response/$answer")) {
        match answer["sameAs"].as_str() {
            Some(name) => refer(name),
            None => {
                for missing in ANSWER.iter().filter(|name| answer.get(**name).is_none()) {
                    say(format!("the answer does not say {missing}"));
                }
            }
        }
    }
    check_effects(step, say);
}

/// The steps whose answers a request needs.
fn references(value: &Value, tell: &mut impl FnMut(&str)) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| references(value, tell)),
        Value::Object(members) => {
            for (name, value) in members {
                match value.as_str() {
                    Some(step) if ["$leaf", "$spiffe", "$node", "$token"].contains(&name.as_str()) => {
                        tell(step)
                    }
                    _ => references(value, tell),
                }
            }
        }
        _ => {}
    }
}

fn check_effects(step: &Step, say: &mut impl FnMut(String)) {
    for (list, entries) in step.expect.effects.lists() {
        let must: &[&str] = match list {
            "events" => &["name", "tenant"],
            "audit" => &["action", "tenant"],
            _ => &[],
        };
        for entry in entries {
            let is_row = entry.get("$new").is_some() != entry.get("id").is_some();
            if must.is_empty() && !is_row {
                say(format!("a row of {list} has either $new or id"));
            }
            for missing in must.iter().filter(|name| entry.get(**name).is_none()) {
                say(format!("an entry of {list} does not say {missing}"));
            }
        }
    }
}

/// Says where a script and its twin do not fit.
pub(super) fn check_twin(case: &Case, cases: &BTreeMap<&str, &Case>, say: &mut impl FnMut(String)) {
    let (Some(name), Some(mutation)) = (&case.twin, &case.mutation) else { return };
    let (id, step) = name.split_once('@').map_or((name.as_str(), None), |(id, step)| (id, Some(step)));
    let Some(twin) = cases.get(id) else { return say(format!("no twin {id}")) };
    let end = match step {
        Some(step) => twin.steps.iter().find(|found| found.name == step),
        None => twin.decisive_step(),
    };
    let Some(end) = end else {
        return say(format!("the twin {id} has no step {}", step.unwrap_or("at all")));
    };
    if end.expect.verdict != Verdict::Accept {
        say(format!("the step {} of the twin {id} must be accepted", end.name));
    }
    let (left, right) = match case.decisive_step() {
        Some(own) => (up_to(twin, end), up_to(case, own)),
        // A world that is refused is compared with the world of a script that begins.
        None => (json!({"world": twin.world}), json!({"world": case.world})),
    };
    let mut differences = BTreeSet::new();
    diff("", &left, &right, &mut differences);
    if differences.is_empty() && case.choice == twin.choice {
        say("nothing differs from the twin".into());
    }
    let listed: Vec<&str> = mutation.at.iter().map(String::as_str).collect();
    let mut found = named(&listed, &differences, say);
    found.extend(place::check(&listed, &left, &right, say));
    for at in listed.iter().filter(|at| !found.contains(*at)) {
        say(format!("{at} is in the mutation and does not differ from the twin"));
    }
}

/// What decides: the world, and times and requests up to a step. What was expected of them is another matter.
fn up_to(case: &Case, last: &Step) -> Value {
    let place = case.steps.iter().position(|step| step.name == last.name).unwrap_or_default();
    let shown = |step: &Step| json!({"at": step.at, "repeat": step.repeat, "request": step.request});
    let steps: Vec<Value> = case.steps.iter().take(place + 1).map(shown).collect();
    json!({"world": case.world, "steps": steps})
}

#[cfg(test)]
mod tests {
    use vectors::case::Entry;
    use vectors::script::{accepted, join, joined, refused, script_accept, script_reject};
    use vectors::spec::{Spec, parse_page};
    use vectors::testkit::world::{World, grant, machine};

    use super::super::lint;
    use super::*;

    const PAGE: &str = "# TOKEN: x\n## Rules\n### TOKEN-1\n- **[C]** A.\n\nChecked: accept+reject\n";
    const NOW: &str = "2026-01-01T00:00:00.000Z";

    fn said(good: Entry, bad: Entry) -> String {
        let spec = Spec {
            pages: vec![parse_page("02-token.md", PAGE).unwrap()],
            reasons: ["token-used"].map(String::from).into(),
            ..Spec::default()
        };
        lint(&[good.recipe("r").build(), bad.recipe("r").build()], &spec).join("\n")
    }

    fn good() -> Entry {
        let token = grant("t");
        script_accept("token/good", "TOKEN-1", "Good.").world(&World::usual().token(&token)).step(
            "join",
            NOW,
            join(&machine("a"), &token),
            joined("n1"),
        )
    }

    fn bad(uses: u32) -> Entry {
        let token = grant("t").with("usesLeft", uses);
        script_reject("token/bad", "TOKEN-1", "Bad.").world(&World::usual().token(&token)).step(
            "join",
            NOW,
            join(&machine("a"), &token),
            refused("token-used"),
        )
    }

    #[test]
    fn a_script_and_its_twin_differ_where_the_mutation_says() {
        let at = |place: &'static str| said(good(), bad(0).twin("token/good", &[place], "x"));
        assert_eq!(at("/world/tokens/0/usesLeft"), "");
        assert!(at("/world/tokens/0/maxUses").contains("/world/tokens/0/usesLeft differs"));
        assert!(
            said(good(), bad(1).twin("token/good", &["/world/tokens/0"], "x")).contains("nothing differs")
        );
    }

    #[test]
    fn the_twin_can_be_the_same_script_up_to_a_step() {
        let token = grant("t");
        let twice = |twin: &str| {
            let bad = script_reject("token/bad", "TOKEN-1", "Bad.")
                .world(&World::usual().token(&token))
                .step("join", NOW, join(&machine("a"), &token), joined("n1"))
                .step("again", NOW, join(&machine("b"), &token), refused("token-used"));
            said(good(), bad.twin(twin, &["/steps/1"], "One more join."))
        };
        assert_eq!(twice("token/bad@join"), "");
        assert_eq!(twice("token/good"), "");
        assert!(twice("token/bad@again").contains("must be accepted"));
        assert!(twice("token/bad@none").contains("no step none"));
    }

    #[test]
    fn a_world_that_is_refused_has_no_steps_and_names_an_error() {
        let refused_world = |error: &str, places: &[&'static str]| {
            let world = World::usual().token(&grant("t")).set("/certTtlS", 0);
            let bad = script_reject("token/bad", "TOKEN-1", "Bad.").world(&world).unloadable(error);
            said(good(), bad.twin("token/good", places, "The lifetime."))
        };
        assert_eq!(refused_world("INVALID_CONFIG", &["/world/certTtlS"]), "");
        assert!(refused_world("INVALID_CONFIG", &["/world/tokens"]).contains("/world/certTtlS differs"));
        assert!(refused_world("token-used", &["/world/certTtlS"]).contains("the name of an error"));
        let step = bad(0).unloadable("INVALID_CONFIG");
        assert!(said(good(), step.twin("token/good", &["/world"], "x")).contains("no steps"));
    }

    #[test]
    fn a_change_inside_the_seal_is_named_by_its_place() {
        let token = grant("t");
        let bad = script_reject("token/bad", "TOKEN-1", "Bad.").world(&World::usual().token(&token)).step(
            "join",
            NOW,
            join(&machine("a"), &token).iat(7),
            refused("token-used"),
        );
        let place = "/steps/0/request/seal:header.iat";
        let others = ["epk", "csr"].map(|part| format!("/steps/0/request/seal:header.{part}"));
        let text = said(good(), bad.twin("token/good", &[place], "x"));
        // Another iat makes another seal, so the ephemeral key differs as well.
        assert!(text.contains("seal:header.epk") && !text.contains(&others[1]), "{text}");
    }

    #[test]
    fn what_is_wrong_with_a_step_is_said() {
        let broken = |request: Value| {
            said(
                good().step("next", NOW, request, accepted(json!({}))),
                bad(0).twin("token/good@join", &["/world/tokens/0/usesLeft"], "x"),
            )
        };
        assert!(broken(json!({"do": "fly"})).contains("step next: the contract has no such request"));
        assert!(
            broken(json!({"do": "renew", "chain": [{"$leaf": "later"}]}))
                .contains("later, which is no earlier step")
        );
        assert_eq!(broken(json!({"do": "restart"})), "");
    }
}
