use super::*;
use crate::certificate::{CertificateRole, Revoked, Validity};
use crate::csr::forge;
use crate::decision::{Decision, Effect};
use crate::hash::sha256;
use crate::p256::PrivateKey;
use crate::rows::Node;
use crate::rows::fixture::{LAST_S, deployment, node, row, row_of_tpm};
use crate::signature::{RenewPop, Signature, ToBeSigned, X509Pop};
use crate::x509::fixture::{certificate, key, sign};

/// The last millisecond of the leaf.
const NOW: Millis = Millis(LAST_S * 1000 + 999);

/// A renewal by `example node key` of which each test changes one thing or more.
struct Renewal {
    csr: Vec<u8>,
    row: Option<Row>,
    node: Option<Node>,
    others: Vec<Row>,
    signer: PrivateKey,
    attestation: Option<(&'static [u8], Result<(), Reason>)>,
    memory: Memory,
}

impl Renewal {
    fn good() -> Self {
        Self {
            csr: forge::request(None),
            row: Some(row(3, 1)),
            node: Some(node()),
            others: vec![],
            signer: key("example node key"),
            attestation: None,
            memory: Memory::default(),
        }
    }

    fn proof(&self) -> [u8; 64] {
        let csr_sha256 = &sha256(&self.csr);
        let message = RenewPop { csr_sha256, node_id: "node_n", client_time_ms: NOW.0 }.to_be_signed();
        *Signature::made(&sign(&self.signer, message.octets())).unwrap().octets()
    }

    /// The decision, or the reason and the tenant that is told.
    fn run(&mut self, signed_answer: bool) -> Result<Decision, (Reason, Option<String>)> {
        let (node_ca, signing) = (certificate("node-ca"), key("example join-signing key"));
        let deployment = deployment(&node_ca, signing.public());
        let (chain, pop_sig) = ([certificate("profile-node")], self.proof());
        let received = Received {
            csr: &self.csr,
            chain: &chain,
            client_time_ms: NOW.0,
            pop_sig: &pop_sig,
            caller: Some(
                "spiffe://compute.example.com/site/site_01k5w3v7x8e4n9q2r6t0b1c5d7/node/node_01k5w3v7x8e4n9q2r6t0b1c5d7",
            ),
            key_attestation: self
                .attestation
                .map(|(ak_public, certified)| KeyAttestation { ak_public, certified }),
        };
        let rows: Vec<&Row> = self.row.iter().chain(&self.others).collect();
        let opened = received.open().map_err(seen)?;
        let timely =
            opened.prove(self.row.as_ref(), self.node.as_ref()).map_err(seen)?.judge(NOW).map_err(seen)?;
        assert_eq!(timely.node_id(), "node_n");
        let spent = timely.spend(&mut self.memory, NOW).map_err(seen)?;
        let serial = Serial::of_random([5; 16]);
        let granted = spent.grant(&rows, &deployment, serial, signed_answer, NOW).map_err(seen)?;
        let certified = granted.certify(&[1; 64]);
        assert_eq!(certified.to_sign().is_some(), signed_answer);
        Ok(certified.decide(signed_answer.then_some(&[1; 64])).unwrap())
    }

    fn refusal(mut self) -> (Reason, Option<String>) {
        self.run(true).unwrap_err()
    }
}

fn seen(refusal: Refusal<'_>) -> (Reason, Option<String>) {
    assert_eq!(refusal.public().to_string(), "Renew refused");
    (refusal.reason(), refusal.audience().tenant().map(str::to_owned))
}

fn to_owner(reason: Reason) -> (Reason, Option<String>) {
    (reason, Some("ten_t".into()))
}

/// The one row that a renewal writes.
fn written(decision: &Decision) -> &Row {
    let [Effect::InsertCertificate(row)] = &decision.effects[..] else { panic!("{:?}", decision.effects) };
    row
}

#[test]
fn the_new_row_is_of_the_stored_row_and_nothing_else_is_written() {
    let allowed_kinds = Some(vec!["log.*".to_owned()]);
    let statements = vec!["urn:bc:some:statement".to_owned()];
    let stored = Row {
        allowed_kinds: allowed_kinds.clone(),
        statements: statements.clone(),
        ttl_limit_s: Some(3600),
        ..row(3, 1)
    };
    let mut renewal = Renewal { row: Some(stored), ..Renewal::good() };
    let decision = renewal.run(true).unwrap();
    let row = written(&decision);
    assert_eq!((row.node_id.as_str(), row.generation, row.role), ("node_n", 3, CertificateRole::Node));
    assert_eq!((&row.allowed_kinds, &row.statements), (&allowed_kinds, &statements));
    // The limit of the row's attestor is in force again, from a minute ago on, and stays with the row.
    let not_before_s = LAST_S - 60;
    assert_eq!(row.validity, Validity { not_before_s, not_after_s: not_before_s + 3600 });
    assert_eq!((row.ttl_limit_s, row.renewed_from.as_deref()), (Some(3600), Some(&[1; 16][..])));
    assert_eq!(row.serial, [5; 16]);
    // The site is the node's, not what the old leaf says.
    assert_eq!(row.spiffe_id, "spiffe://compute.example.com/site/site_s/node/node_n");
    assert_eq!(decision.answer.signing_key, key("example join-signing key").public().spki());
}

#[test]
fn an_answer_that_is_not_signed_has_no_signature_and_no_key() {
    let answer = Renewal::good().run(false).unwrap().answer;
    assert_eq!((answer.sig, answer.signing_key), (vec![], vec![]));
    assert!(!answer.body.is_empty());
}

#[test]
fn without_the_signature_that_it_needs_nothing_is_decided() {
    let (node_ca, signing) = (certificate("node-ca"), key("example join-signing key"));
    let deployment = deployment(&node_ca, signing.public());
    // Zero and the group's order are no halves of a signature.
    for signature in [None, Some(&[0; 64]), Some(&[0xff; 64])] {
        let leaf = renewed(&row(3, 1), "site_s", "x", *signing.public(), Serial::of_random([5; 16]));
        let certified = Granted::renewal(leaf, [0; 32], true, &deployment, NOW).certify(&[1; 64]);
        assert_eq!(certified.decide(signature).unwrap_err(), Reason::Signature, "{signature:?}");
    }
}

#[test]
fn what_the_store_gives_must_belong_together() {
    // Another leaf's row, a row of another node, and none of each.
    let another = Row { der: certificate("leaf"), ..row(3, 1) };
    let foreign = Node { id: "node_m".into(), ..node() };
    let unknown = (Reason::CertUnknown, None);
    assert_eq!(Renewal { row: Some(another), ..Renewal::good() }.refusal(), unknown);
    assert_eq!(Renewal { row: None, ..Renewal::good() }.refusal(), unknown);
    assert_eq!(Renewal { node: Some(foreign), ..Renewal::good() }.refusal(), unknown);
    assert_eq!(Renewal { node: None, ..Renewal::good() }.refusal(), unknown);
}

#[test]
fn the_owner_is_told_once_the_key_was_proved() {
    let by_another = Renewal { signer: key("another node key"), ..Renewal::good() };
    assert_eq!(by_another.refusal(), (Reason::PopSignature, None));
    assert_eq!(Renewal { csr: vec![], ..Renewal::good() }.refusal(), (Reason::Csr, None));
    let revoked = Row { revoked: Some(Revoked { at: NOW, reason: "retired".into() }), ..row(3, 1) };
    assert_eq!(Renewal { row: Some(revoked), ..Renewal::good() }.refusal(), to_owner(Reason::CertRevoked));
}

#[test]
fn a_leaf_whose_key_is_none_of_p256_proves_nothing() {
    let der = certificate("intermediate-p384");
    let row = Row { der: der.clone(), ..row(3, 1) };
    let proof = Proof { purpose: Purpose::Renew, csr_sha256: [0; 32], client_time_ms: 0 };
    let proven = prove_key(Some(&der), Some(&row), Some(&node()), proof, &[1; 64]).map(|_| ());
    assert_eq!(proven, Err(Reason::PopSignature));
}

#[test]
fn a_proof_is_for_one_purpose_one_request_one_node_and_one_time() {
    let (row, node) = (row(3, 1), node());
    let proof = Proof { purpose: Purpose::Renew, csr_sha256: [7; 32], client_time_ms: -1 };
    let renew =
        |csr, node_id, client_time_ms| RenewPop { csr_sha256: csr, node_id, client_time_ms }.to_be_signed();
    let x509pop = X509Pop { csr_sha256: &[7; 32], node_id: "node_n", client_time_ms: -1 }.to_be_signed();
    let judged = |purpose, message: &ToBeSigned| {
        let signed = *Signature::made(&sign(&key("example node key"), message.octets())).unwrap().octets();
        prove_key(Some(&row.der), Some(&row), Some(&node), Proof { purpose, ..proof }, &signed)
            .map(|key| key.proof())
    };
    assert_eq!(judged(Purpose::Renew, &renew(&[7; 32], "node_n", -1)), Ok(proof));
    assert_eq!(judged(Purpose::X509Pop, &x509pop).map(|proof| proof.purpose), Ok(Purpose::X509Pop));
    for (what, purpose, message) in [
        ("purpose", Purpose::Renew, x509pop),
        ("purpose", Purpose::X509Pop, renew(&[7; 32], "node_n", -1)),
        ("request", Purpose::Renew, renew(&[8; 32], "node_n", -1)),
        ("node", Purpose::Renew, renew(&[7; 32], "node_m", -1)),
        ("time", Purpose::Renew, renew(&[7; 32], "node_n", 0)),
    ] {
        assert_eq!(judged(purpose, &message), Err(Reason::PopSignature), "{what}");
    }
}

#[test]
fn a_proof_that_passed_the_clock_is_used_whatever_follows() {
    let mut renewal = Renewal { others: (2..9).map(|serial| row(3, serial)).collect(), ..Renewal::good() };
    assert_eq!(renewal.run(true), Err(to_owner(Reason::RenewLimit)));
    renewal.others.clear();
    assert_eq!(renewal.run(true), Err(to_owner(Reason::Replay)));
    // A refusal before that step leaves no trace.
    let mut revoked = Renewal::good();
    revoked.row.as_mut().unwrap().revoked = Some(Revoked { at: NOW, reason: "operator".into() });
    assert_eq!(revoked.run(true), Err(to_owner(Reason::CertRevoked)));
    assert_eq!(revoked.memory, Memory::default());
}

#[test]
fn a_leaf_that_names_an_ak_is_renewed_with_that_ak_alone() {
    let bound = |attestation| Renewal { row: Some(row_of_tpm(3, 1)), attestation, ..Renewal::good() };
    let missing = Renewal { others: (2..9).map(|serial| row(3, serial)).collect(), ..bound(None) };
    assert_eq!(missing.refusal(), to_owner(Reason::RenewLimit));
    assert_eq!(bound(None).refusal(), to_owner(Reason::KeyAttestationMissing));
    assert_eq!(bound(Some((b"abd", Ok(())))).refusal(), to_owner(Reason::KeyAttestationAk));
    let failing = Err(Reason::NodeKeyMagic);
    assert_eq!(bound(Some((b"abc", failing))).refusal(), to_owner(Reason::NodeKeyMagic));
    let decision = bound(Some((b"abc", Ok(())))).run(true).unwrap();
    assert_eq!(written(&decision).statements, row_of_tpm(3, 1).statements);
    // Where the leaf names none, it is not looked at.
    let ignored = Renewal { attestation: Some((b"abc", failing)), ..Renewal::good() }.run(true);
    assert_eq!(written(&ignored.unwrap()).statements, Vec::<String>::new());
}
