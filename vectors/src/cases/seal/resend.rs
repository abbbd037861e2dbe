//! The same seal again (SEAL-8): an equal request gets the stored answer, octet for octet, and nothing else happens.

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{
    Join, accepted, answered_again, join, joined, reclaimed, renew, renewed, restart, script_accept,
};
use crate::testkit::request::claims;
use crate::testkit::world::{Grant, Machine, TOKENS_EXPIRE, World, enrolled, grant, machine, node};

/// The plain resend, the twin of the refused ones.
pub(super) const RESEND: &str = "seal/resend";
/// A resend in the last second of the certificate in the stored answer.
pub(super) const LAST: &str = "seal/resend-in-the-last-second-of-the-certificate";
/// A minute later: time has gone on, and both certificate and token are alive.
pub(super) const LATER: &str = "2026-01-01T00:01:00.000Z";
pub(super) const CHOICE: &str = "seal.resend";
pub(super) const RECIPE: &str = "A join; the same seal and CSR once more.";

pub(super) fn entries() -> Vec<Entry> {
    [plain(), token_dead(), certificates(), between(), names(), spelled(), bound()].concat()
}

/// A token of two uses.
pub(super) fn token() -> Grant {
    grant("resend").uses(2)
}

/// What the machine of these cases claims.
pub(super) fn plain_claims() -> Value {
    json!({
        "productUuid": "4c4c4544-0051-3410-8034-b5c04f375931",
        "productSerial": "5Q4Q7Y1",
        "hostname": "rack-7",
        "permanentMacs": ["94:de:80:01:02:03", "94:de:80:01:02:04"],
    })
}

/// The machine of these cases with these claims in place of some of its own; null takes one away.
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
pub(super) fn claiming(with: Value) -> Machine {
    let mut all = plain_claims();
    for (name, value) in with.as_object().into_iter().flatten() {
        all[name.as_str()] = value.clone();
    }
    if let Some(members) = all.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    machine("a").claiming(claims(all))
}

/// The join that all of these begin with.
pub(super) fn request() -> Join {
    join(&claiming(json!({})), &token())
}

/// Under the default, a join with this token.
pub(super) fn begun(entry: Entry, token: &Grant) -> Entry {
    entry
        .choice(CHOICE, "stored-answer")
        .world(&World::usual().token(token))
        .step("join", NOW, join(&claiming(json!({})), token), joined("n1"))
        .recipe(RECIPE)
}

fn good(id: &str, title: &str, token: &Grant) -> Entry {
    begun(script_accept(id, "SEAL-8", title), token)
}

fn plain() -> Vec<Entry> {
    vec![
        good(RESEND, "An equal request gets the stored answer, and takes no use although one is left.", &token())
            .step("resend", LATER, request(), answered_again("join"))
            .why("The answer was lost on its way; the machine asks again, and neither it nor the token pays for that."),
        good("seal/resend-at-once", "An equal request in the same millisecond gets the stored answer.", &token())
            .step("resend", NOW, request(), answered_again("join"))
            .why("A client with two connections, or a relay that sends twice."),
        good("seal/resend-many", "The stored answer is given as often as it is asked for.", &token())
            .repeated(5, "resend", LATER, request(), answered_again("join"))
            .why("A client retries until it is answered; each answer is the same, octet for octet."),
        good("seal/resend-without-a-use", "An equal request gets the stored answer although no use is left.", &grant("resend"))
            .also("ADMISSION-3")
            .step("resend", LATER, join(&claiming(json!({})), &grant("resend")), answered_again("join"))
            .why("The usual token is for one machine: without this a lost answer strands it."),
        good("seal/resend-after-restart", "The stored answer is there after a restart.", &token())
            .step("restart", NOW, restart(), accepted(json!({})))
            .step("resend", LATER, request(), answered_again("join"))
            .why("An answer is lost most often when the server stops; it is stored with the admission."),
        good("seal/resend-of-two", "Each of two seals of one token has its own answer.", &token())
            .step("other", NOW, join(&machine("b"), &token()), joined("n2"))
            .step("resend", LATER, request(), answered_again("join"))
            .step("resend-other", LATER, join(&machine("b"), &token()), answered_again("other"))
            .why("The seal finds the answer, not the token: a token for many would else answer with another's node."),
    ]
}

/// The token is dead, and not by revocation.
fn token_dead() -> Vec<Entry> {
    let single = grant("resend");
    let again = |name: &str, title: &str, token: &Grant, at: &str| {
        good(&format!("seal/resend-{name}"), title, token)
            .also("TIME-2")
            .step("resend", at, join(&claiming(json!({})), token), answered_again("join"))
            .why("The machine was admitted while the token lived; that its answer came late must not strand it.")
    };
    vec![
        again(
            "at-the-tokens-expiry",
            "An equal request at the token's expiresAt gets the stored answer.",
            &token(),
            TOKENS_EXPIRE,
        ),
        again(
            "after-the-tokens-expiry",
            "An equal request hours after the token's end gets the stored answer.",
            &token(),
            "2026-01-01T20:00:00.000Z",
        ),
        again(
            "used-and-expired",
            "A token without a use that has expired too answers again.",
            &single,
            "2026-01-01T20:00:00.000Z",
        ),
    ]
}

/// The certificate in the stored answer is the one that counts.
fn certificates() -> Vec<Entry> {
    let short = token().with("ttlLimitS", 600);
    let role = |role: &str| token().with("role", role);
    let as_role = |name: &str| {
        let (token, entry) = (
            role(name),
            script_accept(
                &format!("seal/resend-of-a-{name}"),
                "SEAL-8",
                &format!("The stored answer of a {name} is given again."),
            ),
        );
        let request = join(&claiming(json!({})), &token).role(name);
        entry
            .choice(CHOICE, "stored-answer")
            .world(&World::usual().token(&token))
            .step("join", NOW, &request, joined("n1"))
            .step("resend", LATER, &request, answered_again("join"))
            .recipe(RECIPE)
            .why("One rule for every role of a token.")
    };
    vec![
        good(LAST, "The stored answer is given to the end of the last second of its certificate.", &token())
            .also("TIME-2")
            .step("resend", "2026-01-01T23:59:00.999Z", request(), answered_again("join"))
            .why("A certificate is alive through the second of its notAfter, here as everywhere."),
        good(
            "seal/resend-in-the-last-second-of-a-short-one",
            "A certificate of ten minutes answers again to its last second.",
            &short,
        )
        .also("TIME-2")
        .also("CERTIFICATE-6")
        .step(
            "resend",
            "2026-01-01T00:09:00.999Z",
            join(&claiming(json!({})), &short),
            answered_again("join"),
        )
        .why("The certificate's own end counts, not the day that is configured."),
        as_role("site"),
        as_role("ramdisk"),
    ]
}

/// Something happened between the join and the resend.
fn between() -> Vec<Entry> {
    let old = enrolled("a", &claiming(json!({})), "2025-12-31T12:00:00Z");
    let again = grant("resend").reclaims();
    let reclaim = || join(&claiming(json!({})).rekeyed("second"), &again);
    let twice = || [request().begin("one"), request().begin("two")];
    let [one, two] = twice();
    vec![
        good(
            "seal/resend-after-renewal",
            "The stored answer is given although its certificate was renewed.",
            &token(),
        )
        .also("RENEWAL-6")
        .step(
            "renew",
            LATER,
            renew(&machine("a").rekeyed("second"), "join", &machine("a").key),
            renewed("c2"),
        )
        .step("resend", LATER, request(), answered_again("join"))
        .why("A renewal revokes nothing: the first certificate is alive and of the node's generation."),
        script_accept(
            "seal/resend-of-a-reclaim",
            "SEAL-8",
            "The stored answer of a reclaim is given again, and nothing is reclaimed twice.",
        )
        .also("RECLAIM-3")
        .choice(CHOICE, "stored-answer")
        .world(&World::usual().token(&again).enrolled(&old))
        .step("join", NOW, reclaim(), reclaimed(&node("a"), "c2"))
        .step("resend", LATER, reclaim(), answered_again("join"))
        .why("A second reclaim would revoke the certificate that the machine may have by now.")
        .recipe("A known machine joins with a token that allows a reclaim; the same seal and CSR once more."),
        script_accept(
            "seal/resend-into-a-race",
            "SEAL-8",
            "Two equal requests at once: the second gets the answer of the first, not CONFLICT.",
        )
        .also("ADMISSION-4")
        .choice(CHOICE, "stored-answer")
        .world(&World::usual().token(&token()))
        .step("begin", NOW, one, accepted(json!({})))
        .step("begin-again", NOW, two, accepted(json!({})))
        .step("join", NOW, request().finish("one"), joined("n1"))
        .step("resend", NOW, request().finish("two"), answered_again("join"))
        .why("The second waits for the token row's lock, and finds the answer before it would find a race.")
        .recipe("Two equal joins that both begin before either has the lock."),
    ]
}

/// The two names of one attestor.
fn names() -> Vec<Entry> {
    let row = |name: &str, title: &str, first: &str, then: &str| {
        script_accept(&format!("seal/resend-attestor-{name}"), "SEAL-8", title)
            .also("ADMISSION-7")
            .choice(CHOICE, "stored-answer")
            .world(&World::usual().token(&token()))
            .step("join", NOW, request().attestor(first), joined("n1"))
            .step("resend", LATER, request().attestor(then), answered_again("join"))
            .why("An update of the agent between two tries must not make another request of it.")
            .recipe(RECIPE)
    };
    vec![
        row("empty-then-named", "join-token is the same attestor as the empty name.", "", "join-token"),
        row("named-then-empty", "The empty name is the same attestor as join-token.", "join-token", ""),
        row("named-twice", "join-token twice is one attestor.", "join-token", "join-token"),
    ]
}

/// Claims that are the same after CLAIMS.
fn spelled() -> Vec<Entry> {
    let row = |name: &str, what: &str, with: Value| {
        let title = format!("Claims that differ in {what} alone are the same.");
        good(&format!("seal/resend-claims-{name}"), &title, &token())
            .also("CLAIMS-1")
            .step("resend", LATER, join(&claiming(with), &token()), answered_again("join"))
            .why("Firmware and tools spell one value in several ways; it is still the same machine.")
    };
    let macs = |texts: &[&str]| json!({"permanentMacs": texts});
    let (one, two) = ("94:de:80:01:02:03", "94:de:80:01:02:04");
    vec![
        row("serial-case", "the letter case of the serial", json!({"productSerial": "5q4q7y1"})),
        row("serial-blanks", "blanks around the serial", json!({"productSerial": " 5Q4Q7Y1\n"})),
        row("hostname-case", "the letter case of the hostname", json!({"hostname": "RACK-7"})),
        row(
            "uuid-case",
            "the letter case of the UUID",
            json!({"productUuid": "4C4C4544-0051-3410-8034-B5C04F375931"}),
        )
        .also("CLAIMS-2"),
        row(
            "uuid-bare",
            "the dashes of the UUID",
            json!({"productUuid": "4c4c45440051341080 34b5c04f375931".replace(' ', "")}),
        )
        .also("CLAIMS-2"),
        row("mac-spelling", "the spelling of a MAC address", macs(&["94DE.8001.0203", "94-DE-80-01-02-04"]))
            .also("CLAIMS-3"),
        row("mac-order", "the order of the MAC addresses", macs(&[two, one])).also("CLAIMS-6"),
        row("mac-twice", "a MAC address that stands there twice", macs(&[one, two, one])).also("CLAIMS-6"),
        row("mac-dropped", "a MAC address that does not count", macs(&[one, two, "02:00:00:00:00:01"]))
            .also("CLAIMS-3"),
        row("placeholder", "a placeholder", json!({"boardSerial": "Default string"})).also("CLAIMS-5"),
        row("empty", "a claim that is empty", json!({"chassisSerial": " "})),
    ]
}

/// Requests with a binding in their CSR (BINDING-2).
fn bound() -> Vec<Entry> {
    let first = request().bound();
    // The CSR of the first request, and with it its seal, beside claims that are the same after CLAIMS alone.
    let spelled = first.clone().with("/claims", claiming(json!({"productSerial": "5q4q7y1"})).claims);
    let case = |name: &str, title: &str, resend: Join| {
        script_accept(&format!("seal/resend-bound{name}"), "SEAL-8", title)
            .also("BINDING-2")
            .also("ADMISSION-1")
            .choice(CHOICE, "stored-answer")
            .choice("request-binding", "checked")
            .world(&World::usual().token(&token()).pool("a", "policy", json!({"requestBinding": "required"})))
            .step("join", NOW, &first, joined("n1"))
            .step("resend", LATER, resend, answered_again("join"))
            .recipe("A join whose CSR carries the request's hash; the same seal and CSR once more.")
    };
    vec![
        case("", "A bound request that is sent again gets the stored answer.", first.clone())
            .why("The usual client binds its requests and sends the same octets again."),
        case("-named", "A bound request that names the attestor now gets the stored answer.", first.clone().attestor("join-token"))
            .why("The hash is over join-token for both names."),
        case("-spelled-otherwise", "The stored answer is looked up before the binding is compared.", spelled)
            .why("The claims are equal after CLAIMS and not octet for octet. The binding, over the octets, would refuse."),
    ]
}
