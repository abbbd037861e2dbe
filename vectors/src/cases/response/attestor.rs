//! The attestor in the body and the AK statement in the leaf.

use serde_json::Value;

use crate::case::{Entry, reject};

use super::accepted::row;
use super::answer::{AK, Answer, LEAF, OTHER_AK, VERIFY, bad, good};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        previous_accepted(),
        not_asked(),
        tpm_not_asked(),
        tpm_statements(),
        tpm_form(),
        token_statements(),
        previous_differs(),
        own_without_previous(),
    ]
}

const ATTESTOR: [&str; 2] = ["/in/response/body:attestor", "/in/response/sig"];

fn misfit(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    bad(name, "response-attestor", title, at, what)
}

/// The right answer to a join by token of a machine whose old identity had this statement.
fn rejoining(statements: &[&str]) -> Answer {
    Answer::honest().statements(statements).calling("previousAk", AK)
}

fn previous_accepted() -> Entry {
    let family = good("previous-ak", "A machine whose old identity had a statement keeps it or loses it.")
        .family(VERIFY)
        .why(
            "A re-join that keeps the node may keep what was proved of its TPM, and must not gain anything.",
        );
    let family = row(family, "the same", &rejoining(&[AK]));
    let family = row(family, "none", &rejoining(&[]));
    let after_pop = Answer::to("x509pop", "node").statements(&[AK]).calling("previousAk", AK);
    let family = row(family, "the same, by x509pop", &after_pop);
    row(family, "own after tpm, another before", &Answer::to("tpm", "node").calling("previousAk", OTHER_AK))
}

fn not_asked() -> Entry {
    let named =
        |attestor: &str| Answer::honest().with(|answer| answer.body.attestor = attestor.into()).input();
    let title = "The attestor is the one asked.";
    misfit("attestor-not-asked", title, &ATTESTOR, "another attestor in the body")
        .also("RESPONSE-3")
        .family(VERIFY)
        .bad("discovery", named("discovery"))
        .bad("tpm", named("tpm"))
        .bad("x509pop", named("x509pop"))
        .bad("upper case", named("Join-Token"))
        .bad("blank after it", named("join-token "))
        .why("A gateway that asked with other evidence gives the machine another standing.")
}

fn tpm_not_asked() -> Entry {
    let answer = Answer::to("tpm", "node").with(|answer| answer.body.attestor = "join-token".into());
    let title = "An answer by token to a client that asked tpm is not what it asked.";
    misfit("attestor-token-for-tpm", title, &ATTESTOR, "join-token in the body")
        .twin("response/attestor-asked#tpm", &ATTESTOR, "join-token in the body")
        .call(VERIFY, answer.input())
        .why("The machine's proof was thrown away on the way.")
}

fn tpm_statements() -> Entry {
    let with = |statements: &[&str]| Answer::to("tpm", "node").statements(statements).input();
    let title = "After tpm the leaf has exactly one statement of an AK, the client's own.";
    reject("response/tpm-statement", "RESPONSE-4", "response-attestor", title)
        .also("TPM-5")
        .twin("response/attestor-asked#tpm", &LEAF, "other AK statements")
        .recipe("As the twin, with other statements in the leaf; leaf and body are signed after that.")
        .family(VERIFY)
        .bad("another's", with(&[OTHER_AK]))
        .bad("none", with(&[]))
        .bad("own and another's", with(&[AK, OTHER_AK]))
        .bad("another's and own", with(&[OTHER_AK, AK]))
        .bad("own twice", with(&[AK, AK]))
        .bad("another statement alone", with(&["urn:bc:later:1"]))
        .why("A gateway with a TPM of its own answers with its own AK; the machine must see that.")
}

fn tpm_form() -> Entry {
    let with = |statement: String| Answer::to("tpm", "node").statements(&[&statement]).input();
    let digest = AK.rsplit(':').next().unwrap_or_default();
    let title = "The statement is compared octet for octet.";
    reject("response/tpm-statement-spelling", "RESPONSE-4", "response-attestor", title)
        .also("TPM-5")
        .twin("response/attestor-asked#tpm", &LEAF, "the same statement spelled otherwise")
        .recipe("As the twin, with the statement spelled otherwise; leaf and body are signed after that.")
        .family(VERIFY)
        .bad("upper-case digits", with(format!("urn:bc:tpm-ak:sha256:{}", digest.to_ascii_uppercase())))
        .bad("another algorithm", with(format!("urn:bc:tpm-ak:sha384:{digest}")))
        .bad("no algorithm", with(format!("urn:bc:tpm-ak:{digest}")))
        .bad("the last digit missing", with(AK.chars().take(AK.len() - 1).collect()))
        .bad("a digit more", with(format!("{AK}0")))
        .bad("a fragment", with(format!("{AK}#")))
        .why("Renewal compares it with the AK's name; what does not compare equal cannot renew.")
}

fn token_statements() -> Entry {
    let with = |statements: &[&str]| Answer::honest().statements(statements).input();
    let title = "After another attestor the leaf has no statement of an AK.";
    misfit("token-statement", title, &LEAF, "an AK statement in the leaf")
        .also("TPM-5")
        .family(VERIFY)
        .bad("one", with(&[OTHER_AK]))
        .bad("after another statement", with(&["urn:bc:later:1", OTHER_AK]))
        .bad("of another algorithm", with(&["urn:bc:tpm-ak:sha384:00"]))
        .bad("empty", with(&["urn:bc:tpm-ak:"]))
        .why("A node with a statement it cannot attest can never renew.")
}

fn previous_differs() -> Entry {
    let title = "A statement after a re-join is the old identity's, or there is none.";
    let input: fn(&[&str]) -> Value = |statements| rejoining(statements).input();
    misfit("previous-ak-differs", title, &LEAF, "other AK statements")
        .twin("response/previous-ak#the same", &LEAF, "other AK statements")
        .family(VERIFY)
        .bad("another", input(&[OTHER_AK]))
        .bad("the same and another", input(&[AK, OTHER_AK]))
        .bad("the same twice", input(&[AK, AK]))
        .why("The statement binds renewals to a TPM; another TPM is another machine.")
}

fn own_without_previous() -> Entry {
    let answer = Answer::honest().statements(&[AK]).calling("ak", AK);
    let at = ["/in/response/body:certificateChain.0", "/in/response/sig", "/in/ak"];
    let title = "The client's own AK is no reason for a statement that no tpm join proved.";
    misfit("own-ak-by-token", title, &at, "the client's own AK statement after a join by token")
        .call(VERIFY, answer.input())
        .why("Nothing was certified: the statement would be a claim.")
}
