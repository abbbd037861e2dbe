//! The same seal again where there is no answer any more, or where the request is another one: `seal-replayed`.

use serde_json::{Value, json};

use super::resend::{CHOICE, LAST, LATER, RESEND, begun, claiming, request, token};
use crate::case::{Entry, NOW};
use crate::script::{
    Join, Request, accepted, answered_again, join, joined, reclaimed, refused, restart, retire, retired,
    revoke, revoked, script_reject,
};
use crate::testkit::world::{TOKENS_EXPIRE, World, grant, machine, pool, tenant};

pub(super) fn entries() -> Vec<Entry> {
    [revocations(), nodes(), ended(), claims(), others(), another_seal()].concat()
}

fn bad(name: &str, title: &str) -> Entry {
    begun(script_reject(&format!("seal/{name}"), "SEAL-8", title), &token())
}

/// Steps 1 and 2 stand in place of the resend.
const TWO: &[&str] = &["/steps/1", "/steps/2"];

fn revocations() -> Vec<Entry> {
    let id = token().bearer.id;
    let revoking = |entry: Entry| {
        entry.step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id)).also("TOKEN-8")
    };
    let single = grant("resend");
    let why = "A leaked token that was revoked must not hand out certificates, and the owner hears that it was tried again.";
    vec![
        revoking(bad(
            "replayed-after-revocation",
            "After the token was revoked the same seal is replayed, not revoked.",
        ))
        .step("resend", LATER, request(), refused("seal-replayed"))
        .twin(RESEND, TWO, "The token was revoked between.")
        .why(why),
        revoking(bad(
            "replayed-after-revocation-and-expiry",
            "A token that was revoked and has expired gives no stored answer.",
        ))
        .step("resend", TOKENS_EXPIRE, request(), refused("seal-replayed"))
        .twin("seal/resend-at-the-tokens-expiry", TWO, "The token was revoked between.")
        .why("Expiry alone would be forgiven; the revocation is not."),
        revoking(begun(
            script_reject(
                "seal/replayed-after-revocation-and-use",
                "SEAL-8",
                "A token that was revoked and has no use left gives no stored answer.",
            ),
            &single,
        ))
        .step("resend", LATER, join(&claiming(json!({})), &single), refused("seal-replayed"))
        .twin("seal/resend-without-a-use", TWO, "The token was revoked between.")
        .why("That the uses are gone would be forgiven; the revocation is not."),
        revoking(bad(
            "replayed-after-revocation-and-restart",
            "A revocation ends the stored answer across a restart.",
        ))
        .step("restart", NOW, restart(), accepted(json!({})))
        .step("resend", LATER, request(), refused("seal-replayed"))
        .twin(
            "seal/resend-after-restart",
            &["/steps/1", "/steps/2", "/steps/3"],
            "The token was revoked between.",
        )
        .why(why),
    ]
}

/// The node of the stored answer is not what it was.
fn nodes() -> Vec<Entry> {
    let other = grant("another").reclaims();
    let again = |entry: Entry| {
        entry
            .also("RECLAIM-3")
            .choice(CHOICE, "stored-answer")
            .world(&World::usual().token(&token()).token(&other))
            .step("join", NOW, request(), joined("n1"))
            .step(
                "reclaim",
                NOW,
                join(&claiming(json!({})).rekeyed("second"), &other),
                reclaimed("$n1", "c2"),
            )
            .recipe("A join; the machine joins again with another token; the first seal and CSR once more.")
    };
    vec![
        bad("replayed-after-retirement", "After the node was retired the same seal is replayed.")
            .also("RECLAIM-4")
            .step("retire", NOW, retire("$n1"), retired("$n1"))
            .step("resend", LATER, request(), refused("seal-replayed"))
            .twin(RESEND, TWO, "The node was retired between.")
            .why("A use is left, and the seal would bring a node back that an operator has put away."),
        again(script_reject("seal/replayed-after-reclaim", "SEAL-8", "After another token has reclaimed the node the first seal is replayed."))
            .step("resend", LATER, request(), refused("seal-replayed"))
            .twin(RESEND, &["/world/tokens/1", "/steps/1", "/steps/2"], "Another token has reclaimed the node between.")
            .why("The answer's certificate is revoked and of an older generation; giving it out helps only a thief."),
        again(script_reject("seal/replayed-after-reclaim-and-retirement", "SEAL-8", "After a reclaim and a retirement the first seal is replayed."))
            .also("RECLAIM-4")
            .step("retire", NOW, retire("$n1"), retired("$n1"))
            .step("resend", LATER, request(), refused("seal-replayed"))
            .twin(RESEND, &["/world/tokens/1", "/steps/1", "/steps/2", "/steps/3"], "The node was reclaimed and retired between.")
            .why("No node of this machine is alive, and a use is left; the seal has admitted its one join."),
    ]
}

/// The certificate in the stored answer has expired.
fn ended() -> Vec<Entry> {
    let short = token().with("ttlLimitS", 600);
    vec![
        bad("replayed-after-the-certificate", "With its certificate the stored answer ends.")
            .also("TIME-2")
            .step("resend", "2026-01-01T23:59:01.000Z", request(), refused("seal-replayed"))
            .twin(LAST, &["/steps/1/at"], "One millisecond later.")
            .why("An answer with a dead certificate is of no use, and the token's other reasons must not be told either."),
        begun(script_reject("seal/replayed-after-a-short-certificate", "SEAL-8", "With a certificate of ten minutes the stored answer ends, though the token lives."), &short)
            .also("TIME-2")
            .also("CERTIFICATE-6")
            .step("resend", "2026-01-01T00:09:01.000Z", join(&claiming(json!({})), &short), refused("seal-replayed"))
            .twin("seal/resend-in-the-last-second-of-a-short-one", &["/steps/1/at"], "One millisecond later.")
            .why("The token is alive and has a use left; the seal has admitted its one join."),
    ]
}

/// A resend with another member; the CSR, and with it the seal, is the same.
fn differing(name: &str, title: &str, resend: Join, at: &[&str], what: &str) -> Entry {
    bad(name, title).step("resend", LATER, resend, refused("seal-replayed")).twin(RESEND, at, what)
}

fn claims() -> Vec<Entry> {
    let row = |name: &str, what: &str, with: Value, member: &str| {
        let at = format!("/steps/1/request/claims/{member}");
        let title = format!("The same seal beside claims with {what} is replayed.");
        differing(
            &format!("replayed-claims-{name}"),
            &title,
            join(&claiming(with), &token()),
            &[&at],
            "What is claimed.",
        )
        .also("CLAIMS-1")
        .why(
            "A relay that puts its own machine's claims beside a seal must get neither an answer nor a node.",
        )
    };
    vec![
        row("serial", "another serial", json!({"productSerial": "5Q4Q7Y2"}), "productSerial"),
        row(
            "uuid",
            "another UUID",
            json!({"productUuid": "4c4c4544-0051-3410-8034-b5c04f375932"}),
            "productUuid",
        ),
        row("hostname", "another hostname", json!({"hostname": "rack-8"}), "hostname"),
        row(
            "mac-added",
            "a MAC address more",
            json!({"permanentMacs": ["94:de:80:01:02:03", "94:de:80:01:02:04", "94:de:80:01:02:05"]}),
            "permanentMacs",
        ),
        row(
            "mac-missing",
            "a MAC address less",
            json!({"permanentMacs": ["94:de:80:01:02:03"]}),
            "permanentMacs",
        ),
        row(
            "gpu-added",
            "a GPU more",
            json!({"gpuUuids": ["GPU-8f3c2a10-1111-2222-3333-444455556666"]}),
            "gpuUuids",
        ),
        row("hostname-missing", "no hostname", json!({"hostname": null}), "hostname"),
        row(
            "serial-inside",
            "another blank inside the serial",
            json!({"productSerial": "5Q4 Q7Y1"}),
            "productSerial",
        ),
        row("board-added", "a board's serial more", json!({"boardSerial": "BS-1"}), "boardSerial"),
    ]
}

/// The seal of the first join.
fn first_seal() -> Value {
    Request::from(request()).json(NOW)["seal"].clone()
}

fn others() -> Vec<Entry> {
    const ROLE: &[&str] = &["/steps/1/request/role"];
    let site = request().role("site");
    let role = "The role that is asked for.";
    vec![
        differing("replayed-role", "The same seal for another role is replayed, before the token's role is judged.", site.clone(), ROLE, role)
            .also("TOKEN-11")
            .why("The stored answer is looked up before anything of the token but its secret."),
        differing("replayed-role-ramdisk", "The same seal for the role ramdisk is replayed.", request().role("ramdisk"), ROLE, role)
            .also("TOKEN-11")
            .why("Each role is another request."),
        bad("replayed-role-after-expiry", "The same seal for another role after the token's end is replayed, not expired.")
            .also("TOKEN-11")
            .step("resend", TOKENS_EXPIRE, site, refused("seal-replayed"))
            .twin("seal/resend-at-the-tokens-expiry", ROLE, role)
            .why("Expiry is judged after the lookup; an attempt to use a seal twice is what the owner should hear of."),
        bad("replayed-claims-many", "Each try with other claims is refused, and the first answer is there still.")
            .repeated(3, "other", LATER, join(&claiming(json!({"productSerial": "5Q4Q7Y2"})), &token()), refused("seal-replayed"))
            .step("resend", LATER, request(), answered_again("join"))
            .about("other")
            .twin(RESEND, &["/steps/1/request/claims/productSerial", "/steps/1/repeat"], "What is claimed, and how often.")
            .why("What a relay tries must not spoil the answer of the machine that was admitted."),
        bad("replayed-csr", "The same seal beside another CSR is refused for the CSR, before any answer is looked up.")
            .also("SEAL-3")
            .step("resend", LATER, request().csr(machine("b").csr()).with("/seal", first_seal()), refused("seal-csr"))
            .twin(RESEND, &["/steps/1/request/csr"], "The CSR of another key.")
            .why("The seal says of which CSR it is; whoever has only the seal gets no certificate for a key of its own."),
    ]
}

/// Another seal of the same token and CSR finds no answer: it is judged as a new join.
fn another_seal() -> Vec<Entry> {
    const SEAL: &[&str] = &["/steps/1/request/seal"];
    let single = grant("resend");
    let fresh = |token| join(&claiming(json!({})), token).fresh("another");
    let why = "The answer is kept for the seal that was sent: who makes a new one holds the token, and is judged as its holder.";
    let what = "Another seal of the same token for the same CSR.";
    vec![
        bad("another-seal", "Another seal of the same request is a new join, and the machine is known.")
            .also("RECLAIM-2")
            .step("resend", LATER, fresh(&token()), refused("reclaim"))
            .twin(RESEND, SEAL, what)
            .why(why),
        begun(
            script_reject(
                "seal/another-seal-without-a-use",
                "SEAL-8",
                "Another seal finds no answer where no use is left.",
            ),
            &single,
        )
        .also("TOKEN-11")
        .step("resend", LATER, fresh(&single), refused("token-used"))
        .twin("seal/resend-without-a-use", SEAL, what)
        .why(why),
        bad("another-seal-after-expiry", "Another seal finds no answer after the token's end.")
            .also("TOKEN-11")
            .step("resend", TOKENS_EXPIRE, fresh(&token()), refused("token-expired"))
            .twin("seal/resend-at-the-tokens-expiry", SEAL, what)
            .why(why),
        bad("another-seal-after-revocation", "Another seal of a revoked token is revoked, not replayed.")
            .also("TOKEN-11")
            .step(
                "revoke",
                NOW,
                revoke(&tenant("a"), &pool("a"), &token().bearer.id),
                revoked(&token().bearer.id),
            )
            .step("resend", LATER, fresh(&token()), refused("token-revoked"))
            .twin(RESEND, TWO, "The token was revoked between, and the seal is another.")
            .why("seal-replayed tells of a seal that was seen; this one was not."),
    ]
}
