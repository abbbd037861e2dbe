//! A script told: its world, a picture of its times, and each step decoded, with the answer and the changes in words.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use vectors::schema::{Case, Step, Verdict};
use vectors::testkit::decode_certificate::certificate;
use vectors::testkit::keys::hash;
use vectors::testkit::world::milliseconds;

use super::octets::hex;
use super::{Page, decode, differences};

/// Everything about a script but what it shares with other cases.
pub(super) fn tell(case: &Case, page: &mut Page) {
    world(case, page);
    picture(case, page);
    let mut last: Option<&Step> = None;
    for step in &case.steps {
        one(case, step, last, page);
        last = Some(step);
    }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn rows<'w>(world: &'w Value, name: &str) -> impl Iterator<Item = &'w Value> {
    world[name].as_array().into_iter().flatten()
}

fn world(case: &Case, page: &mut Page) {
    let Some(world) = &case.world else { return };
    page.section("World at the beginning");
    let keys = if world["keys"].is_null() { "no join configuration" } else { "published test keys" };
    let root = world["rootTenant"]
        .as_str()
        .map_or_else(|| "no root tenant".into(), |id| format!("root tenant {id}"));
    page.line(2, &format!("trust domain {}, {root}, {keys}", text(world, "trustDomain")));
    page.line(2, &format!("attestors {}, certificates of {} s", world["attestors"], world["certTtlS"]));
    if let Some(window) = world.get("iatWindow") {
        page.line(2, &format!("iat window {window}"));
    }
    for site in rows(world, "sites") {
        let custom = if site["custom"] == true { ", custom" } else { "" };
        page.line(2, &format!("site   {} of {}{custom}", text(site, "id"), text(site, "ownerTenant")));
    }
    for pool in rows(world, "pools") {
        let checks = if pool["acceptanceChecks"] == true { ", acceptance checks" } else { "" };
        let (id, owner, site) = (text(pool, "id"), text(pool, "ownerTenant"), text(pool, "siteId"));
        let (agent, policy) = (text(pool, "agent"), &pool["policy"]);
        page.line(2, &format!("pool   {id} of {owner} in {site}, agent {agent}, policy {policy}{checks}"));
    }
    for token in rows(world, "tokens") {
        page.line(2, &format!("token  {}", text(token, "id")));
        members(token, &["id", "secretSha256"], 9, page);
    }
    for node in rows(world, "nodes") {
        page.line(2, &format!("node   {}", text(node, "id")));
        members(node, &["id", "claims"], 9, page);
        decode::value("world.load", &json!({"claims": node["claims"]}), page);
    }
    for cert in rows(world, "certs") {
        let leaf = URL_SAFE_NO_PAD.decode(text(cert, "der")).unwrap_or_default();
        page.line(2, &format!("cert   {}", leaf_line(&leaf)));
        members(cert, &["der"], 9, page);
    }
}

fn leaf_line(leaf: &[u8]) -> String {
    let view = certificate(leaf);
    let names: Vec<&str> =
        view["sans"].as_array().into_iter().flatten().filter_map(|san| san["uri"].as_str()).collect();
    format!(
        "{}, {} to {}, {}, key {}",
        text(&view, "serial"),
        text(&view, "notBefore"),
        text(&view, "notAfter"),
        names.join(" "),
        text(&view, "pin"),
    )
}

/// The members of a row in one or two lines.
fn members(row: &Value, but: &[&str], indent: usize, page: &mut Page) {
    let shown = row.as_object().into_iter().flatten().filter(|(name, _)| !but.contains(&name.as_str()));
    let told: Vec<String> = shown.map(|(name, value)| format!("{name} {}", plain(value))).collect();
    page.prose(indent, &told.join(", "));
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

fn picture(case: &Case, page: &mut Page) {
    page.section("Timeline");
    let width = case.steps.iter().map(|step| step.name.len()).max().unwrap_or_default();
    let decisive = case.decisive_step().map(|step| step.name.as_str());
    let mut before = None;
    for step in &case.steps {
        let now = milliseconds(&step.at);
        if let Some(before) = before
            && now != before
        {
            page.line(4, &format!("|  {}", span(now - before)));
        }
        let mark = if decisive == Some(&step.name) { "   <- what this case is about" } else { "" };
        let times = step.repeat.map(|times| format!(" x {times}")).unwrap_or_default();
        page.line(2, &format!("{}  {:width$}{times}  {}{mark}", step.at, step.name, expected(step)));
        before = Some(now);
    }
}

fn expected(step: &Step) -> String {
    match step.expect.verdict {
        Verdict::Accept => "accept".into(),
        Verdict::Reject => format!("reject {}", step.expect.reasons.join(" or ")),
    }
}

/// A distance in time with its sign: `+ 2 min`, `- 1 ms`.
fn span(milliseconds: i64) -> String {
    let mut rest = milliseconds.unsigned_abs();
    let mut parts = Vec::new();
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)] {
        if rest >= size {
            parts.push(format!("{} {unit}", rest / size));
            rest %= size;
        }
    }
    let sign = if milliseconds < 0 { "-" } else { "+" };
    if parts.is_empty() { "+ 0".into() } else { format!("{sign} {}", parts.join(" ")) }
}

fn one(case: &Case, step: &Step, last: Option<&Step>, page: &mut Page) {
    page.section(&format!("Step {} at {}", step.name, step.at));
    if last.is_some_and(|last| last.request == step.request) {
        page.line(2, "exactly the request of the step before");
    } else if let Some(same) = case
        .steps
        .iter()
        .take_while(|other| other.name != step.name)
        .find(|other| other.request == step.request)
    {
        page.line(2, &format!("exactly the request of the step {}", same.name));
    } else {
        request(step, page);
    }
    let verdict = expected(step);
    page.line(2, &format!("expected: {verdict}"));
    if let Some(out) = &step.expect.out {
        answer(out, page);
    }
    effects(step, page);
}

/// Members that are told in words of their own.
const TOLD: [&str; 6] = ["do", "popSig", "clientTimeMs", "chain", "caller", "x509pop"];

fn request(step: &Step, page: &mut Page) {
    page.line(2, &format!("request: {}", text(&step.request, "do")));
    let rest = step.request.as_object().into_iter().flatten().filter(|(name, value)| {
        !TOLD.contains(&name.as_str()) && value.as_object().is_none_or(|inner| !inner.contains_key("$seal"))
    });
    let rest: Value =
        rest.map(|(name, value)| (name.clone(), value.clone())).collect::<serde_json::Map<_, _>>().into();
    if rest.as_object().is_some_and(|members| !members.is_empty()) {
        decode::value("world.step", &rest, page);
    }
    if let Some(seal) = step.request["seal"].get("$seal") {
        page.line(
            2,
            &format!("seal: made at run time of {}, iat {}", reference(&seal["token"]), seal["iat"]),
        );
    }
    let evidence = if step.request["x509pop"].is_object() { &step.request["x509pop"] } else { &step.request };
    if evidence.get("popSig").is_some() {
        proof(step, evidence, page);
    }
}

fn proof(step: &Step, evidence: &Value, page: &mut Page) {
    for (place, entry) in evidence["chain"].as_array().into_iter().flatten().enumerate() {
        let told = match entry.as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()) {
            Some(leaf) => leaf_line(&leaf),
            None => reference(entry),
        };
        page.line(2, &format!("chain[{place}]: {told}"));
    }
    if let Some(caller) = evidence.get("caller") {
        page.line(2, &format!("caller (the leaf that the gateway reports): {}", reference(caller)));
    }
    let sent = evidence["clientTimeMs"].as_i64().unwrap_or_default();
    page.line(2, &format!("clientTimeMs: {}", distance(sent, &step.at)));
    let Some(pop) = evidence["popSig"].get("$pop") else {
        return page.line(2, &format!("popSig: {}", evidence["popSig"]));
    };
    let csr = URL_SAFE_NO_PAD.decode(text(pop, "csr")).unwrap_or_default();
    let form = pop.get("form").map(|form| format!(", in the form {}", plain(form))).unwrap_or_default();
    page.line(2, &format!("popSig: a signature of purpose {}{form}", text(pop, "purpose")));
    page.line(4, &format!("csr hash     {}", hex(&hash(csr))));
    page.line(4, &format!("node         {}", reference(&pop["node"])));
    page.line(
        4,
        &format!("client time  {}", distance(pop["clientTimeMs"].as_i64().unwrap_or_default(), &step.at)),
    );
    page.line(4, &format!("signed by    the key with x {}", text(&pop["key"], "x")));
}

fn distance(client_ms: i64, at: &str) -> String {
    let spelled =
        jiff::Timestamp::from_millisecond(client_ms).map(|instant| instant.to_string()).unwrap_or_default();
    let apart = client_ms - milliseconds(at);
    let words = match apart {
        0 => "the step's own time".into(),
        apart => format!("the step's time {}", span(apart)),
    };
    format!("{client_ms} = {spelled}, {words}")
}

/// A value that depends on an answer, in words.
fn reference(value: &Value) -> String {
    let Some((name, step)) = value.as_object().and_then(|members| members.iter().next()) else {
        return if value.is_null() { "none".into() } else { plain(value) };
    };
    let what = match name.as_str() {
        "$leaf" => "the leaf",
        "$node" => "the node id",
        "$spiffe" => "the SPIFFE ID",
        "$token" => "the token",
        other => return format!("{other} {step}"),
    };
    format!("{what} in the answer of step {}", plain(step))
}

fn answer(out: &Value, page: &mut Page) {
    let Some(described) = out.pointer("/response/$answer") else {
        if out.as_object().is_some_and(|members| !members.is_empty()) {
            page.line(2, "answer:");
            decode::value("world.step", out, page);
        }
        return;
    };
    if let Some(step) = described["sameAs"].as_str() {
        page.line(2, &format!("answer: octet for octet that of step {step}"));
    }
    page.line(
        2,
        &format!("answer: signed for {}, for the CSR of the request, with", text(described, "purpose")),
    );
    for (name, value) in described.as_object().into_iter().flatten() {
        if name != "purpose" && name != "sameAs" {
            let value = if value.get("$absent").is_some() { "absent".into() } else { plain(value) };
            page.line(4, &format!("{name}: {value}"));
        }
    }
}

fn effects(step: &Step, page: &mut Page) {
    if step.expect.effects.is_empty() {
        return page.line(2, "changes: nothing");
    }
    page.line(2, "changes: this and nothing else");
    for (list, entries) in step.expect.effects.lists() {
        let mut entries = entries.iter().peekable();
        while let Some(entry) = entries.next() {
            let mut times = 1;
            while entries.next_if_eq(&entry).is_some() {
                times += 1;
            }
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            page.line(4, &format!("{}{times}", heading(list, entry)));
            members(entry, &["$new", "id", "name", "action"], 6, page);
        }
    }
}

fn heading(list: &str, entry: &Value) -> String {
    let row = list.trim_end_matches('s');
    match (entry["$new"].as_str(), entry["id"].as_str(), list) {
        (Some(label), _, _) => format!("new {row}, called ${label}"),
        (_, Some(id), _) => format!("{row} {id} becomes"),
        (_, _, "events") => format!("event {}", text(entry, "name")),
        _ => format!("audit row {}", text(entry, "action")),
    }
}

/// Where two scripts differ: worlds, times and requests up to the steps that are compared.
pub(super) fn compare(case: &Case, other: &Case, other_step: Option<&str>, page: &mut Page) {
    let end = match other_step {
        Some(name) => other.steps.iter().find(|step| step.name == name),
        None => other.decisive_step(),
    };
    let Some(theirs) = end else { return };
    let (ours, theirs) = match case.decisive_step() {
        Some(own) => (up_to(case, own), up_to(other, theirs)),
        None => (json!({"world": case.world}), json!({"world": other.world})),
    };
    differences(&ours, &theirs, "", &mut |path, ours, theirs| {
        page.line(2, path);
        page.line(4, &format!("twin  {}", decode::brief(path, theirs)));
        page.line(4, &format!("here  {}", decode::brief(path, ours)));
    });
}

fn up_to(case: &Case, last: &Step) -> Value {
    let place = case.steps.iter().position(|step| step.name == last.name).unwrap_or_default();
    let shown = |step: &Step| (step.name.clone(), json!({"at": step.at, "request": step.request}));
    let steps: serde_json::Map<_, _> = case.steps.iter().take(place + 1).map(shown).collect();
    json!({"world": case.world, "steps": steps})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_units() {
        assert_eq!(span(28_800_000), "+ 8 h");
        assert_eq!(span(-61_001), "- 1 min 1 s 1 ms");
        assert_eq!(span(0), "+ 0");
    }

    #[test]
    fn a_proofs_client_time_is_told_by_its_distance() {
        let told = distance(1_767_225_600_000, "2026-01-01T00:00:30.000Z");
        assert_eq!(told, "1767225600000 = 2026-01-01T00:00:00Z, the step's time - 30 s");
    }
}
