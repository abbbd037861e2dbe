//! Deferrals: signed, bound to the request, and never an admission (RESPONSE-5).

use p256::SecretKey;
use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key};
use crate::testkit::protobuf::Writer;
use crate::testkit::request::request_hash;
use crate::testkit::response::{JoinDeferralBody, Signed};
use crate::testkit::signature::{framed, sign_high, spki};

use super::answer::{Answer, asked, own_csr, pin, signing_key};

pub(super) const OP: &str = "deferral.verify";
/// Places that differ when the body does.
pub(super) const BODY: [&str; 2] = ["/in/deferral/body", "/in/deferral/sig"];
pub(super) const REQUEST_ID: &str = "jreq_01kdvdna00e008000000000006";

const RECIPE: &str = "Put the client's hashes and its attestor into the body and sign it for \
    join-deferral with the pinned key; what the mutation names is changed before that.";

/// A deferral before it is signed, and what the client knows.
#[derive(Clone, Debug)]
pub(super) struct Deferral {
    pub(super) body: JoinDeferralBody,
    pub(super) signer: SecretKey,
    pub(super) purpose: &'static str,
    pub(super) call: Value,
}

impl Deferral {
    /// The right deferral of a join by this attestor.
    pub(super) fn of(attestor: &str) -> Self {
        let request = asked(attestor, "node");
        let csr = own_csr(&request);
        Self {
            body: JoinDeferralBody {
                request_id: REQUEST_ID.into(),
                csr_sha256: hash(&csr).to_vec(),
                attestor: if attestor.is_empty() { "join-token" } else { attestor }.into(),
                request_sha256: request_hash(&request).map(Vec::from).unwrap_or_default(),
            },
            signer: signing_key(),
            purpose: "join-deferral",
            call: json!({
                "pins": [pin(spki(&signing_key()))],
                "csr": b64u(&csr),
                "request": request,
                "requireRequestBinding": false,
            }),
        }
    }

    pub(super) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(super) fn signed(&self) -> Signed {
        Signed::new(self.purpose, self.body.encode(), &self.signer)
    }

    pub(super) fn input(&self) -> Value {
        self.input_of(&self.signed())
    }

    pub(super) fn input_of(&self, signed: &Signed) -> Value {
        let mut input = self.call.clone();
        input["deferral"] = signed.json();
        input
    }

    pub(super) fn input_with_body(&self, body: Vec<u8>) -> Value {
        self.input_of(&Signed::new(self.purpose, body, &self.signer))
    }
}

pub(super) fn cases() -> Vec<Entry> {
    vec![
        accepted(),
        request_hash_accepted(),
        sig_length(),
        body_empty(),
        key_not_pinned(),
        purpose(),
        high_s(),
        form(),
        request_id(),
        admission_as_deferral(),
        deferral_as_admission(),
        csr(),
        request(),
        request_absent(),
        attestor(),
        not_deferring(),
    ]
}

pub(super) fn bad(name: &str, reason: &str, title: &str, at: &[&str], what: &str) -> Entry {
    reject(&format!("response/deferral-{name}"), "RESPONSE-5", reason, title)
        .twin("response/deferral#tpm", at, what)
        .recipe(RECIPE)
}

fn changed(change: impl FnOnce(&mut JoinDeferralBody)) -> Value {
    Deferral::of("tpm").with(|deferral| change(&mut deferral.body)).input()
}

fn accepted() -> Entry {
    let later = [Deferral::of("tpm").body.encode(), Writer::new().integer(9, 1).0].concat();
    let out = json!({"requestId": REQUEST_ID});
    accept("response/deferral", "RESPONSE-5", "A deferral by an attestor that defers is accepted.")
        .family(OP)
        .row("tpm", Deferral::of("tpm").input(), out.clone())
        .row("discovery", Deferral::of("discovery").input(), out.clone())
        .row("unknown field", Deferral::of("tpm").input_with_body(later), out)
        .why("The machine waits for a person; the twin of every refused deferral.")
        .recipe(RECIPE)
}

fn request_hash_accepted() -> Entry {
    let out = json!({"requestId": REQUEST_ID});
    let required = Deferral::of("tpm").with(|deferral| deferral.call["requireRequestBinding"] = true.into());
    accept(
        "response/deferral-request-hash",
        "RESPONSE-5",
        "The request's hash may be absent unless it is required.",
    )
    .also("BINDING-3")
    .family(OP)
    .row("present, required", required.input(), out.clone())
    .row("absent, not required", changed(|body| body.request_sha256.clear()), out)
    .why("As in an answer that admits.")
    .recipe(RECIPE)
}

fn with_sig(change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Value {
    let deferral = Deferral::of("tpm");
    let signed = deferral.signed();
    deferral.input_of(&Signed { sig: change(signed.sig.clone()), ..signed })
}

fn sig_length() -> Entry {
    let title = "A deferral's signature has 64 octets.";
    bad("sig-length", "response-malformed", title, &["/in/deferral/sig"], "octets cut off or added")
        .family(OP)
        .bad("63", with_sig(|sig| sig.into_iter().take(63).collect()))
        .bad("65", with_sig(|sig| sig.into_iter().chain([0]).collect()))
        .why("The envelope is checked as in an answer that admits.")
}

fn body_empty() -> Entry {
    bad("body-empty", "response-malformed", "An empty body is malformed.", &BODY, "no octets, rightly signed")
        .call(OP, Deferral::of("tpm").input_with_body(Vec::new()))
        .why("An answer from which a proxy has lost the body.")
}

fn key_not_pinned() -> Entry {
    let deferral = Deferral::of("tpm").with(|deferral| deferral.signer = key("response attacker"));
    let at = ["/in/deferral/signingKey", "/in/deferral/sig"];
    bad(
        "key-not-pinned",
        "response-signature",
        "A deferral is signed by the pinned key.",
        &at,
        "signed by another key",
    )
    .call(OP, deferral.input())
    .why("Anyone in between could keep a machine waiting for ever.")
}

fn purpose() -> Entry {
    let signed =
        |purpose: &'static str| Deferral::of("tpm").with(|deferral| deferral.purpose = purpose).input();
    let title = "A deferral is signed for join-deferral.";
    bad("purpose", "response-signature", title, &["/in/deferral/sig"], "signed for another purpose")
        .also("SIGNATURE-2")
        .family(OP)
        .bad("join-response", signed("join-response"))
        .bad("renew-response", signed("renew-response"))
        .why("The same key signs admissions.")
}

fn high_s() -> Entry {
    let message = framed("join-deferral", &[Deferral::of("tpm").body.encode()]);
    bad(
        "sig-high-s",
        "response-signature",
        "A high s is refused.",
        &["/in/deferral/sig"],
        "s replaced by n - s",
    )
    .also("SIGNATURE-1")
    .call(OP, with_sig(|_| sign_high(&signing_key(), &message).to_vec()))
    .why("Of the two signatures one counts, here too.")
}

fn form() -> Entry {
    let followed = |more: Writer| {
        Deferral::of("tpm").input_with_body([Deferral::of("tpm").body.encode(), more.0].concat())
    };
    let cut = Writer(Deferral::of("tpm").body.encode()).truncated(1).0;
    bad(
        "form",
        "response-malformed",
        "The body has the form of the layout.",
        &BODY,
        "another form, rightly signed",
    )
    .family(OP)
    .bad("request_id twice", followed(Writer::new().bytes(1, REQUEST_ID)))
    .bad("csr_sha256 twice", followed(Writer::new().bytes(2, Deferral::of("tpm").body.csr_sha256)))
    .bad("attestor twice", followed(Writer::new().bytes(3, "tpm")))
    .bad("truncated", Deferral::of("tpm").input_with_body(cut))
    .bad("a length of two octets", followed(Writer::new().overlong_length(9, "x", 1)))
    .bad(
        "request_sha256 as varint",
        changed_then(|body| body.request_sha256.clear(), Writer::new().integer(4, 7)),
    )
    .bad("no request_id", changed(|body| body.request_id.clear()))
    .bad("no csr_sha256", changed(|body| body.csr_sha256.clear()))
    .bad("no attestor", changed(|body| body.attestor.clear()))
    .bad("csr_sha256 of 31 octets", changed(|body| body.csr_sha256.truncate(31)))
    .bad("request_sha256 of 31 octets", changed(|body| body.request_sha256.truncate(31)))
    .why("The same decoder rules as for an answer that admits.")
}

fn changed_then(change: impl FnOnce(&mut JoinDeferralBody), more: Writer) -> Value {
    let mut deferral = Deferral::of("tpm");
    change(&mut deferral.body);
    deferral.input_with_body([deferral.body.encode(), more.0].concat())
}

fn request_id() -> Entry {
    let with = |id: &str| changed(|body| body.request_id = id.into());
    let at = ["/in/deferral/body:requestId", "/in/deferral/sig"];
    bad("request-id-form", "response-malformed", "request_id is a jreq_ TypeID.", &at, "another form of id")
        .family(OP)
        .bad("another prefix", with("node_01kdvdna00e008000000000006"))
        .bad("upper case", with("jreq_01KDVDNA00E008000000000006"))
        .bad("too short", with("jreq_01kdvdna00e00800000000000"))
        .bad("over 128 bits", with("jreq_81kdvdna00e008000000000006"))
        .bad("a line feed in it", with("jreq_01kdvdna00e00800000000000\n"))
        .why("It is printed to a terminal and typed into commands.")
}

fn admission_as_deferral() -> Entry {
    let answer = Answer::to("tpm", "node");
    let as_signed = Deferral::of("tpm").input_of(&answer.signed());
    let title = "An admission is no deferral, although it is signed by the same key.";
    bad("of-an-admission", "response-signature", title, &BODY, "the answer that admits, as it is")
        .also("SIGNATURE-2")
        .family(OP)
        .bad("as it is", as_signed)
        .bad(
            "with a deferral's signature",
            Deferral::of("tpm")
                .input_of(&Signed { sig: Deferral::of("tpm").signed().sig, ..answer.signed() }),
        )
        .why("Purposes keep the two apart before anything is decoded.")
}

fn deferral_as_admission() -> Entry {
    let answer = Answer::to("tpm", "node");
    let title = "A deferral can never be read as an admission.";
    reject("response/deferral-as-admission", "RESPONSE-5", "response-signature", title)
        .also("SIGNATURE-2")
        .twin(
            "response/attestor-asked#tpm",
            &["/in/response/body", "/in/response/sig"],
            "the deferral of the same join",
        )
        .recipe(RECIPE)
        .call(super::answer::VERIFY, answer.input_of(&Deferral::of("tpm").signed()))
        .why("A deferral issues nothing; read as an admission it would end a machine's waiting.")
}

fn csr() -> Entry {
    let at = ["/in/deferral/body:csrSha256", "/in/deferral/sig"];
    bad("csr-of-another", "response-csr", "csr_sha256 is that of the client's own CSR.", &at, "another hash")
        .call(OP, changed(|body| body.csr_sha256 = hash("another").to_vec()))
        .why("A deferral of another machine, or of an earlier attempt, says nothing to this one.")
}

fn request() -> Entry {
    let at = ["/in/deferral/body:requestSha256", "/in/deferral/sig"];
    let title = "request_sha256, when present, is the hash of the request that was sent.";
    bad("request-differs", "response-request", title, &at, "another hash")
        .also("BINDING-3")
        .call(OP, changed(|body| body.request_sha256 = hash("another").to_vec()))
        .why(
            "What a person approves is what was recorded; the machine sees here whether that is its own \
            request.",
        )
}

fn request_absent() -> Entry {
    let at = ["/in/deferral/body:requestSha256", "/in/deferral/sig"];
    let absent = Deferral::of("tpm").with(|deferral| {
        deferral.body.request_sha256.clear();
        deferral.call["requireRequestBinding"] = true.into();
    });
    let title = "A client that requires the request's hash refuses its absence.";
    bad("request-absent", "response-request", title, &at, "no request_sha256")
        .also("BINDING-3")
        .twin("response/deferral-request-hash#present, required", &at, "no request_sha256")
        .call(OP, absent.input())
        .why("Otherwise the check is passed by leaving it out.")
}

fn attestor() -> Entry {
    let with = |attestor: &str| changed(|body| body.attestor = attestor.into());
    let at = ["/in/deferral/body:attestor", "/in/deferral/sig"];
    bad("attestor-not-asked", "response-attestor", "The attestor is the one asked.", &at, "another attestor")
        .family(OP)
        .bad("discovery", with("discovery"))
        .bad("join-token", with("join-token"))
        .bad("upper case", with("TPM"))
        .why("A machine that offered its TPM must not wait for a person's word about something else.")
}

fn not_deferring() -> Entry {
    let at = ["/in/csr", "/in/request", "/in/deferral/body", "/in/deferral/sig"];
    let title = "A client that asked an attestor that does not defer accepts no deferral.";
    bad(
        "not-deferring",
        "response-attestor",
        title,
        &at,
        "another attestor was asked, and stands in the body",
    )
    .family(OP)
    .bad("empty", Deferral::of("").input())
    .bad("join-token", Deferral::of("join-token").input())
    .bad("x509pop", Deferral::of("x509pop").input())
    .bad("unknown", Deferral::of("cloud").input())
    .why(
        "A token admits or refuses; a deferral would make its holder wait while the token is used elsewhere.",
    )
}
