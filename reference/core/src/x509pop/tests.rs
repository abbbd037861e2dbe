use super::*;
use crate::certificate::{CertificateRole, Issuer, Validity};
use crate::csr::forge;
use crate::decision::{Audit, Decision, Effect, Joined, Reclaimed};
use crate::hash::sha256;
use crate::rows::fixture::{LAST_S, deployment, node, pool, row, row_of_tpm};
use crate::signature::{Signature, X509Pop};
use crate::x509::fixture::{certificate, key, sign};

/// The first millisecond of the grace.
const NOW: Millis = Millis((LAST_S + 1) * 1000);

/// A return by `example node key` of which each test changes one thing or more.
struct Return {
    /// Made once: a signature over the same octets is another each time.
    csr: Vec<u8>,
    chain: Vec<Vec<u8>>,
    claims: claims::Raw,
    row: Row,
    later: Vec<Row>,
    node: Node,
    pool: Option<Pool>,
    attestation: Option<(&'static [u8], Result<(), Reason>)>,
    now: Millis,
    memory: Memory,
}

impl Return {
    fn good() -> Self {
        Self {
            csr: forge::request(None),
            chain: vec![certificate("profile-node")],
            claims: claims::Raw::default(),
            row: row(3, 2),
            later: vec![],
            node: node(),
            pool: Some(pool()),
            attestation: None,
            now: NOW,
            memory: Memory::default(),
        }
    }

    /// The decision, or the reason and the tenant that is told.
    fn run(&mut self) -> Result<Decision, (Reason, Option<String>)> {
        let (node_ca, signing) = (certificate("node-ca"), key("example join-signing key"));
        let deployment = deployment(&node_ca, signing.public());
        let csr = self.csr.as_slice();
        let signed = X509Pop { csr_sha256: &sha256(csr), node_id: "node_n", client_time_ms: self.now.0 };
        let pop_sig =
            Signature::made(&sign(&key("example node key"), signed.to_be_signed().octets())).unwrap();
        let evidence = Evidence {
            chain: &self.chain,
            client_time_ms: self.now.0,
            pop_sig: pop_sig.octets(),
            key_attestation: self
                .attestation
                .map(|(ak_public, certified)| KeyAttestation { ak_public, certified }),
        };
        let (claims, evidence) = (&self.claims, Some(evidence));
        let received = Received { attestor: "x509pop", role: "ramdisk", csr, claims, evidence };
        let opened = received.open(&["x509pop".to_owned()]).map_err(seen)?;
        let certificates: Vec<&Row> = std::iter::once(&self.row).chain(&self.later).collect();
        let proven = opened.prove(Some(&self.row), Some(&self.node)).map_err(seen)?;
        let timely = proven.judge(&certificates, self.now).map_err(seen)?;
        assert_eq!(timely.node_id(), "node_n");
        let spent = timely.spend(&mut self.memory, self.now).map_err(seen)?;
        let placement = Placement {
            certificates: &certificates,
            pool: self.pool.as_ref(),
            request_binding: RequestBinding::Checked,
            serial: Serial::of_random([5; 16]),
        };
        let granted = spent.grant(&placement, &deployment, self.now).map_err(seen)?;
        Ok(granted.certify(&[1; 64]).decide(Some(&[1; 64])).unwrap())
    }

    fn refusal(mut self) -> (Reason, Option<String>) {
        self.run().unwrap_err()
    }
}

fn seen(refusal: Refusal<'_>) -> (Reason, Option<String>) {
    assert_eq!(refusal.public().to_string(), "Join refused");
    (refusal.reason(), refusal.audience().tenant().map(str::to_owned))
}

fn to_owner(reason: Reason) -> (Reason, Option<String>) {
    (reason, Some("ten_t".into()))
}

fn written(decision: &Decision) -> (&Node, &Row, &Joined) {
    let (mut node, mut row, mut joined) = (None, None, None);
    for effect in &decision.effects {
        match effect {
            Effect::ReplaceNode(replaced) => node = Some(&**replaced),
            Effect::InsertCertificate(inserted) => row = Some(&**inserted),
            Effect::Audit(Audit::Joined(audited)) => joined = Some(audited),
            _ => {}
        }
    }
    (node.unwrap(), row.unwrap(), joined.unwrap())
}

#[test]
fn the_node_returns_as_what_it_was_one_generation_on() {
    let allowed_kinds = Some(vec!["log.*".to_owned()]);
    let role = CertificateRole::NodeTenant;
    let stored = Row {
        role,
        allowed_kinds: allowed_kinds.clone(),
        ttl_limit_s: Some(3600),
        spki_sha256: [7; 32],
        ..row(3, 2)
    };
    let raw = claims::Raw {
        hostname: b"b7-u12".to_vec(),
        product_serial: b"another".to_vec(),
        ..claims::Raw::default()
    };
    let mut back = Return { row: stored, claims: raw.clone(), ..Return::good() };
    let decision = back.run().unwrap();
    let (after, row, joined) = written(&decision);
    // The claims are recorded and select nothing: the key is the one it had.
    let claims = claims::normalize(&raw).unwrap();
    assert_eq!(*after, Node { generation: 4, certificate_role: role, claims, ..node() });
    assert_eq!((row.generation, row.role, &row.allowed_kinds), (4, role, &allowed_kinds));
    let not_before_s = LAST_S + 1 - 60;
    assert_eq!(row.validity, Validity { not_before_s, not_after_s: not_before_s + 3600 });
    // It is no renewal.
    assert_eq!((row.ttl_limit_s, &row.renewed_from), (Some(3600), &None));
    assert_eq!((joined.attestor.as_str(), &joined.token_id), ("x509pop", &None));
    let reclaim = Reclaimed {
        old_generation: 3,
        old_spki_sha256: Some([7; 32]),
        new_spki_sha256: row.spki_sha256,
        old_node_key: NodeKey::Unattested,
    };
    assert_eq!(
        (&joined.reclaim, joined.generation, joined.node_key),
        (&Some(reclaim), 4, NodeKey::Unattested)
    );
    // The older certificate goes, the proofs go, and no use and no stored answer come with it.
    let kinds = |wanted: fn(&Effect) -> bool| decision.effects.iter().filter(|effect| wanted(effect)).count();
    assert_eq!(kinds(|effect| matches!(effect, Effect::RevokeCertificate { .. })), 1);
    assert_eq!(kinds(|effect| matches!(effect, Effect::ClearProofs { .. })), 1);
    assert_eq!(kinds(|effect| matches!(effect, Effect::TakeUse { .. } | Effect::StoreAnswer(_))), 0);
}

#[test]
fn acceptance_runs_again_where_the_pool_has_checks_but_not_for_a_sites_agent() {
    for (acceptance_checks, kind, queued) in [
        (false, Role::Node, true),
        (true, Role::Node, false),
        (true, Role::Ramdisk, false),
        (true, Role::Site, true),
    ] {
        let pool = Some(Pool { acceptance_checks, ..pool() });
        let before = Node { kind, queued: !queued, ..node() };
        let decision = Return { node: before, pool, ..Return::good() }.run().unwrap();
        assert_eq!(written(&decision).0.queued, queued, "{acceptance_checks} {kind:?}");
    }
}

/// A certificate of so many octets: its statement is as long as it takes.
fn sized(length: usize) -> Vec<u8> {
    let (node_ca, public_key) = (certificate("node-ca"), *key("example node key").public());
    let made = |statement: String| {
        let leaf = Leaf {
            serial: Serial::of_random([5; 16]),
            trust_domain: "x".into(),
            site_id: "s".into(),
            node_id: "n".into(),
            generation: 1,
            role: CertificateRole::Node,
            statements: vec![statement],
            public_key,
            allowed_kinds: None,
            ttl_limit_s: None,
            renewed_from: None,
        };
        let validity = Validity { not_before_s: 0, not_after_s: 1 };
        leaf.to_be_signed(&Issuer::read(&node_ca).unwrap(), validity).assemble(&[1; 64]).der
    };
    let overhead = made("x".repeat(3000)).len() - 3000;
    made("x".repeat(length - overhead))
}

#[test]
fn a_chain_is_one_to_four_certificates_of_at_most_4096_octets() {
    let leaf = certificate("leaf");
    let (longest, longer) = (sized(4096), sized(4097));
    assert_eq!((longest.len(), longer.len()), (4096, 4097));
    assert!(Certificate::read(&longer).is_some());
    for good in [vec![leaf.clone()], vec![leaf.clone(); 4], vec![longest; 4]] {
        assert!(is_chain(&good), "{}", good.len());
    }
    let trailing = [&leaf[..], &[0]].concat();
    for (what, bad) in [
        ("none", vec![]),
        ("five", vec![leaf.clone(); 5]),
        ("empty", vec![vec![]]),
        ("long", vec![longer.clone()]),
        ("trailing", vec![trailing]),
        ("cut", vec![leaf[..leaf.len() - 1].to_vec()]),
        ("not DER", vec![b"-----BEGIN CERTIFICATE-----".to_vec()]),
        ("the last is long", vec![leaf.clone(), longer]),
        ("the last is none", vec![leaf.clone(), leaf, vec![0x30, 0]]),
    ] {
        assert!(!is_chain(&bad), "{what}");
        assert_eq!(Return { chain: bad, ..Return::good() }.refusal(), (Reason::PopChain, None), "{what}");
    }
}

#[test]
fn the_grace_is_open_from_its_first_to_its_last_millisecond() {
    let at = |now| Return { now: Millis(now), ..Return::good() };
    let last = (LAST_S + 604_801) * 1000 - 1;
    assert_eq!(at(NOW.0 - 1).refusal(), to_owner(Reason::CertNotExpired));
    assert!(at(NOW.0).run().is_ok());
    assert!(at(last).run().is_ok());
    assert_eq!(at(last + 1).refusal(), to_owner(Reason::Grace));
}

#[test]
fn the_newest_is_the_order_of_commits_not_a_date() {
    // Committed later, though its validity is long over.
    let validity = Validity { not_before_s: 0, not_after_s: 1 };
    let later = Row { der: certificate("leaf"), validity, ..row(3, 3) };
    assert_eq!(Return { later: vec![later], ..Return::good() }.refusal(), to_owner(Reason::PopSuperseded));
    // One of another generation does not count, whenever it came.
    let older = Row { der: certificate("leaf"), ..row(2, 3) };
    assert!(Return { later: vec![older], ..Return::good() }.run().is_ok());
}

#[test]
fn a_proof_that_passed_the_clock_is_used_whatever_follows() {
    let closed = Some(Pool { join_attestors: Some(vec!["join-token".into()]), ..pool() });
    let mut back = Return { pool: closed, ..Return::good() };
    assert_eq!(back.run(), Err(to_owner(Reason::PoolAttestor)));
    back.pool = Some(pool());
    assert_eq!(back.run(), Err(to_owner(Reason::Replay)));
    let mut superseded = Return { later: vec![Row { der: vec![], ..row(3, 3) }], ..Return::good() };
    assert_eq!(superseded.run(), Err(to_owner(Reason::PopSuperseded)));
    assert_eq!(superseded.memory, Memory::default());
}

#[test]
fn the_attestation_comes_before_the_binding_and_the_binding_before_the_pool() {
    let strict = Pool { requires_request_binding: true, agent: "other".into(), ..pool() };
    let bound = |attestation| Return {
        row: row_of_tpm(3, 2),
        attestation,
        pool: Some(strict.clone()),
        ..Return::good()
    };
    assert_eq!(bound(None).refusal(), to_owner(Reason::KeyAttestationMissing));
    assert_eq!(bound(Some((b"abd", Ok(())))).refusal(), to_owner(Reason::KeyAttestationAk));
    assert_eq!(bound(Some((b"abc", Err(Reason::NodeKeyMagic)))).refusal(), to_owner(Reason::NodeKeyMagic));
    assert_eq!(bound(Some((b"abc", Ok(())))).refusal(), to_owner(Reason::RequestBinding));
    let mut left = bound(Some((b"abc", Ok(()))));
    left.pool = Some(Pool { agent: "other".into(), ..pool() });
    assert_eq!(left.refusal(), to_owner(Reason::PoolAgent));
    assert_eq!(Return { pool: None, ..Return::good() }.refusal(), to_owner(Reason::PoolAgent));
}

#[test]
fn a_key_is_a_tpms_where_the_leaf_named_the_ak_that_certified_it() {
    let mut bound = Return { row: row_of_tpm(3, 2), attestation: Some((b"abc", Ok(()))), ..Return::good() };
    let decision = bound.run().unwrap();
    let (_, row, joined) = written(&decision);
    assert_eq!(row.statements, row_of_tpm(3, 2).statements);
    assert_eq!(joined.node_key, NodeKey::Tpm);
    // An attestation that nobody asked for is not looked at, so it makes no key a TPM's.
    let mut plain = Return { attestation: Some((b"abc", Ok(()))), ..Return::good() };
    assert_eq!(written(&plain.run().unwrap()).2.node_key, NodeKey::Unattested);
}
