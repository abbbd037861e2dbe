use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::csr;
use crate::hash::sha256;
use crate::p256::PrivateKey;
use crate::protobuf::Writer;
use crate::signature::{JoinDeferral, JoinResponse, Signature};
use crate::x509::fixture::{certificate, key, sign};

mod deferral;

const SITE: &str = "site_01k5w3v7x8e4n9q2r6t0b1c5d7";
const NODE: &str = "node_01k5w3v7x8e4n9q2r6t0b1c5d7";
const AK: &str = "urn:bc:tpm-ak:sha256:abababababababababababababababababababababababababababababababab";
/// 2026-01-01T00:00:00Z
const NOW: Millis = Millis(1_767_225_600_000);

/// A join that is answered: the machine's side, and the answer of which each test changes one thing.
struct Join {
    csr: Vec<u8>,
    chain: Vec<Vec<u8>>,
    bundle: Vec<Vec<u8>>,
    csr_sha256: [u8; 32],
    request_sha256: [u8; 32],
    trust_domain: &'static str,
    site_id: &'static str,
    node_id: &'static str,
    role: &'static str,
    attestor: &'static str,
    asked_attestor: &'static str,
    asked_role: &'static str,
}

impl Join {
    fn good() -> Self {
        Self {
            csr_sha256: sha256(&CSR),
            csr: CSR.clone(),
            chain: vec![certificate("leaf"), certificate("intermediate")],
            bundle: vec![b"key".to_vec()],
            request_sha256: sha256(b"request"),
            trust_domain: "compute.example.com",
            site_id: SITE,
            node_id: NODE,
            role: "node",
            attestor: "join-token",
            asked_attestor: "",
            asked_role: "node",
        }
    }

    fn with_leaf(name: &str) -> Self {
        let mut join = Self::good();
        join.chain[0] = certificate(name);
        join
    }

    fn body(&self) -> Vec<u8> {
        let body = Body {
            node_id: self.node_id,
            certificate_chain: &self.chain,
            command_trust_bundle: &self.bundle,
            csr_sha256: &self.csr_sha256,
            trust_domain: self.trust_domain,
            site_id: self.site_id,
            role: self.role,
            attestor: self.attestor,
            request_sha256: &self.request_sha256,
        };
        body.encode()
    }

    fn verify(&self) -> Result<Identity, Reason> {
        self.verify_body(&self.body(), |client| client)
    }

    fn verify_as(&self, client: impl FnOnce(Client<'static>) -> Client<'static>) -> Result<Identity, Reason> {
        self.verify_body(&self.body(), client)
    }

    fn verify_body(
        &self,
        body: &[u8],
        client: impl FnOnce(Client<'static>) -> Client<'static>,
    ) -> Result<Identity, Reason> {
        self.verify_at(body, client, NOW)
    }

    fn verify_at(
        &self,
        body: &[u8],
        client: impl FnOnce(Client<'static>) -> Client<'static>,
        now: Millis,
    ) -> Result<Identity, Reason> {
        let server = server();
        let sig = signed(&server, JoinResponse { body }.to_be_signed().octets());
        let pins = [server.public().pin()];
        let signed = Signed { body, sig: &sig, signing_key: &server.public().spki() };
        let client = client(CLIENT);
        let client = Client { pins: &pins, ..client };
        self.with_asked(|asked| verify(signed, asked, &client, now))
    }

    fn with_asked<T>(&self, f: impl FnOnce(&Asked<'_>) -> T) -> T {
        let csr = csr::check(&self.csr).unwrap();
        let request_sha256 = sha256(b"request");
        f(&Asked {
            csr: &csr,
            request_sha256: &request_sha256,
            attestor: self.asked_attestor,
            role: self.asked_role,
        })
    }
}

/// The machine's request. Its signature is random, so all tests of a process share one.
static CSR: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let node = key("example node key");
    let info = csr::to_be_signed(node.public(), None);
    csr::assemble(&info, &sign(&node, &info))
});

const CLIENT: Client<'static> = Client {
    pins: &[],
    site_id: SITE,
    node_id: None,
    require_request_binding: false,
    node_tenant: NodeTenant::Accept,
    ak: None,
    previous_ak: None,
};

fn server() -> PrivateKey {
    key("example join-signing key")
}

fn signed(key: &PrivateKey, message: &[u8]) -> [u8; 64] {
    *Signature::made(&sign(key, message)).unwrap().octets()
}

#[test]
fn a_good_answer_becomes_an_identity() {
    let identity = Join::good().verify().unwrap();
    assert_eq!((&*identity.node_id, &*identity.site_id), (NODE, SITE));
    assert_eq!(identity.trust_domain, "compute.example.com");
    assert_eq!((&*identity.role, &*identity.attestor), ("node", "join-token"));
    assert_eq!(identity.certificate_chain, [certificate("leaf"), certificate("intermediate")]);
    assert_eq!(identity.command_trust_bundle, [b"key"]);
    let alone = Join { chain: vec![certificate("leaf")], ..Join::good() };
    assert!(alone.verify().is_ok());
}

#[test]
fn the_envelope_comes_before_the_signature() {
    let join = Join::good();
    let body = join.body();
    let server = server();
    let (spki, pins) = (server.public().spki(), [server.public().pin()]);
    let judge = |body: &[u8], sig: &[u8]| {
        let client = Client { pins: &pins, ..CLIENT };
        join.with_asked(|asked| verify(Signed { body, sig, signing_key: &spki }, asked, &client, NOW))
    };
    assert_eq!(judge(&body, &[0; 63]), Err(Reason::ResponseMalformed));
    assert_eq!(judge(&body, &[0; 65]), Err(Reason::ResponseMalformed));
    assert_eq!(judge(&[], &[0; 64]), Err(Reason::ResponseMalformed));
    assert_eq!(judge(&[0; 65_537], &[0; 64]), Err(Reason::ResponseMalformed));
    assert_eq!(judge(&[0; 65_536], &[0; 64]), Err(Reason::ResponseSignature));
}

#[test]
fn only_a_pinned_key_counts_and_unsigned_octets_are_not_decoded() {
    let join = Join::good();
    let (pinned, other) = (server(), key("another key"));
    let judge = |body: &[u8], signer: &PrivateKey, hint: &[u8], pin: &PrivateKey| {
        let sig = signed(signer, JoinResponse { body }.to_be_signed().octets());
        let pins = [pin.public().pin()];
        let client = Client { pins: &pins, ..CLIENT };
        join.with_asked(|asked| verify(Signed { body, sig: &sig, signing_key: hint }, asked, &client, NOW))
    };
    let refused = Err(Reason::ResponseSignature);
    let body = join.body();
    assert!(judge(&body, &pinned, &pinned.public().spki(), &pinned).is_ok());
    assert_eq!(judge(&body, &other, &other.public().spki(), &pinned), refused);
    assert_eq!(judge(&body, &other, &pinned.public().spki(), &pinned), refused);
    assert_eq!(judge(&body, &pinned, pinned.public().point(), &pinned), refused);
    assert_eq!(judge(b"junk", &other, &other.public().spki(), &pinned), refused);
    assert_eq!(judge(b"junk", &pinned, &pinned.public().spki(), &pinned), Err(Reason::ResponseMalformed));
}

#[test]
fn a_pinned_key_that_is_not_on_p_256_signs_nothing() {
    let join = Join::good();
    let body = join.body();
    let spki = [0x30, 0x00];
    let pins = [Pin::of_spki(&spki)];
    let client = Client { pins: &pins, ..CLIENT };
    let signed = Signed { body: &body, sig: &[1; 64], signing_key: &spki };
    let verdict = join.with_asked(|asked| verify(signed, asked, &client, NOW));
    assert_eq!(verdict, Err(Reason::ResponseSignature));
}

#[test]
fn every_bit_of_a_signed_answer_counts() {
    let join = Join::good();
    let server = server();
    let (body, spki, pins) = (join.body(), server.public().spki(), [server.public().pin()]);
    let sig = signed(&server, JoinResponse { body: &body }.to_be_signed().octets());
    let client = Client { pins: &pins, ..CLIENT };
    let csr = csr::check(&join.csr).unwrap();
    let asked = Asked { csr: &csr, request_sha256: &join.request_sha256, attestor: "", role: "node" };
    let judge = |body: &[u8], sig: &[u8], signing_key: &[u8]| {
        verify(Signed { body, sig, signing_key }, &asked, &client, NOW)
    };
    assert!(judge(&body, &sig, &spki).is_ok());
    let flip = |octets: &[u8], bit: usize| {
        let mut octets = octets.to_vec();
        octets[bit / 8] ^= 1 << (bit % 8);
        octets
    };
    for bit in 0..body.len() * 8 {
        assert_eq!(judge(&flip(&body, bit), &sig, &spki), Err(Reason::ResponseSignature), "body bit {bit}");
    }
    for bit in 0..sig.len() * 8 {
        assert_eq!(judge(&body, &flip(&sig, bit), &spki), Err(Reason::ResponseSignature), "sig bit {bit}");
    }
    for bit in 0..spki.len() * 8 {
        assert_eq!(judge(&body, &sig, &flip(&spki, bit)), Err(Reason::ResponseSignature), "key bit {bit}");
    }
}

/// The good body's fields, and a way to leave out, add or replace one.
fn fields(change: impl Fn(u64, &[u8]) -> Option<Vec<u8>>, more: &[(u64, &[u8])]) -> Vec<u8> {
    let join = Join::good();
    let good: [(u64, &[u8]); 9] = [
        (1, NODE.as_bytes()),
        (2, &join.chain[0]),
        (3, b"key"),
        (4, &join.csr_sha256),
        (5, b"compute.example.com"),
        (6, SITE.as_bytes()),
        (7, b"node"),
        (8, b"join-token"),
        (9, &join.request_sha256),
    ];
    let changed = good.iter().filter_map(|(number, octets)| Some((*number, change(*number, octets)?)));
    let writer = changed.fold(Writer::default(), |writer, (number, octets)| writer.entry(number, &octets));
    more.iter().fold(writer, |writer, (number, octets)| writer.entry(*number, octets)).finish()
}

fn keep(_: u64, octets: &[u8]) -> Option<Vec<u8>> {
    Some(octets.to_vec())
}

#[test]
fn the_form_of_the_body_is_strict() {
    let malformed = |body: Vec<u8>, what: &str| {
        let verdict = Join::good().verify_body(&body, |client| client);
        assert_eq!(verdict, Err(Reason::ResponseMalformed), "{what}");
    };
    assert!(Join::good().verify_body(&fields(keep, &[]), |client| client).is_ok());
    assert!(Join::good().verify_body(&fields(keep, &[(99, b"unknown")]), |client| client).is_ok());
    for field in 1..=8 {
        let left_out = fields(|number, octets| (number != field).then(|| octets.to_vec()), &[]);
        malformed(left_out, &format!("without {field}"));
        if field != 3 {
            let empty =
                fields(|number, octets| Some(if number == field { vec![] } else { octets.to_vec() }), &[]);
            malformed(empty, &format!("{field} empty"));
        }
    }
    for (field, octets) in [
        (1, &b"node_01k5w3v7x8e4n9q2r6t0b1c5D7"[..]),
        (1, SITE.as_bytes()),
        (2, b"no certificate"),
        (4, &[7; 31]),
        (5, b"Compute.example.com"),
        (5, b"compute example"),
        (6, NODE.as_bytes()),
        (7, &[0xff]),
        (8, &[0xc0, 0xaf]),
        (9, &[7; 33]),
    ] {
        let changed = fields(|number, good| Some(if number == field { octets } else { good }.to_vec()), &[]);
        malformed(changed, &format!("{field} is {octets:02x?}"));
    }
    for field in [1, 4, 5, 6, 7, 8, 9] {
        malformed(fields(keep, &[(field, b"twice")]), &format!("{field} twice"));
    }
    malformed(fields(keep, &[(2, b"")]), "an empty certificate in the chain");
    let domain = "d".repeat(256);
    malformed(
        fields(|number, good| Some(if number == 5 { domain.as_bytes() } else { good }.to_vec()), &[]),
        "a trust domain of 256 octets",
    );
}

#[test]
fn the_answer_is_to_this_csr_and_this_request() {
    let other_csr = Join { csr_sha256: [7; 32], ..Join::good() };
    assert_eq!(other_csr.verify(), Err(Reason::ResponseCsr));
    let other_request = Join { request_sha256: [7; 32], ..Join::good() };
    assert_eq!(other_request.verify(), Err(Reason::ResponseRequest));
    let without = fields(|number, octets| (number != 9).then(|| octets.to_vec()), &[]);
    assert!(Join::good().verify_body(&without, |client| client).is_ok());
    let required = |client| Client { require_request_binding: true, ..client };
    assert_eq!(Join::good().verify_body(&without, required), Err(Reason::ResponseRequest));
    assert!(Join::good().verify_as(required).is_ok());
}

#[test]
fn the_leaf_certifies_the_clients_key() {
    assert_eq!(Join::with_leaf("leaf-other-key").verify(), Err(Reason::ResponseLeafKey));
}

#[test]
fn the_leafs_names_are_the_one_identity_and_statements() {
    assert!(Join::with_leaf("leaf-statement").verify().is_ok());
    for name in [
        "leaf-no-san",
        "leaf-other-node",
        "leaf-statement-first",
        "leaf-two-identities",
        "leaf-dns",
        "leaf-other-uri",
    ] {
        assert_eq!(Join::with_leaf(name).verify(), Err(Reason::ResponseSan), "{name}");
    }
    let other_domain = Join { trust_domain: "other.example.com", ..Join::good() };
    assert_eq!(other_domain.verify(), Err(Reason::ResponseSan));
    let other_node = Join { node_id: "node_01k5w3v7x8e4n9q2r6t0b1c5d8", ..Join::good() };
    assert_eq!(other_node.verify(), Err(Reason::ResponseSan));
}

#[test]
fn the_site_is_the_configured_one_and_the_node_the_one_given() {
    let join = Join::good();
    let other_site = |client| Client { site_id: "site_01k5w3v7x8e4n9q2r6t0b1c5d8", ..client };
    assert_eq!(join.verify_as(other_site), Err(Reason::ResponseSan));
    assert!(join.verify_as(|client| Client { node_id: Some(NODE), ..client }).is_ok());
    let other_node = |client| Client { node_id: Some("node_01k5w3v7x8e4n9q2r6t0b1c5d8"), ..client };
    assert_eq!(join.verify_as(other_node), Err(Reason::ResponseSan));
}

#[test]
fn the_role_is_the_one_asked_in_body_and_leaf() {
    assert_eq!(Join { asked_role: "site", ..Join::good() }.verify(), Err(Reason::ResponseRole));
    assert_eq!(Join { role: "site", ..Join::good() }.verify(), Err(Reason::ResponseRole));
    for name in ["leaf-role-site", "leaf-two-attributes", "leaf-common-name", "leaf-node-tenant"] {
        assert_eq!(Join::with_leaf(name).verify(), Err(Reason::ResponseRole), "{name}");
    }
}

#[test]
fn node_tenant_for_node_is_a_choice_and_no_other_difference_is() {
    let tenant = Join { role: "node-tenant", ..Join::with_leaf("leaf-node-tenant") };
    assert_eq!(tenant.verify().unwrap().role, "node-tenant");
    let refuse = |client| Client { node_tenant: NodeTenant::Refuse, ..client };
    assert_eq!(tenant.verify_as(refuse), Err(Reason::ResponseRole));
    let for_site = Join { asked_role: "site", ..tenant };
    assert_eq!(for_site.verify(), Err(Reason::ResponseRole));
    let leaf_disagrees = Join { role: "node-tenant", ..Join::good() };
    assert_eq!(leaf_disagrees.verify(), Err(Reason::ResponseRole));
}

#[test]
fn the_attestor_is_the_one_asked() {
    assert!(Join { asked_attestor: "join-token", ..Join::good() }.verify().is_ok());
    assert_eq!(Join { asked_attestor: "discovery", ..Join::good() }.verify(), Err(Reason::ResponseAttestor));
    assert_eq!(Join { attestor: "tpm", ..Join::good() }.verify(), Err(Reason::ResponseAttestor));
}

#[test]
fn after_tpm_the_leaf_carries_exactly_the_clients_statement() {
    let tpm = |leaf| Join { attestor: "tpm", asked_attestor: "tpm", ..Join::with_leaf(leaf) };
    let own = |client| Client { ak: Some(AK), ..client };
    assert!(tpm("leaf-ak").verify_as(own).is_ok());
    for name in ["leaf", "leaf-two-aks", "leaf-statement", "leaf-bad-ak"] {
        assert_eq!(tpm(name).verify_as(own), Err(Reason::ResponseAttestor), "{name}");
    }
    let bad: &str = Box::leak(AK.replace("ab", "AB").into_boxed_str());
    let upper = |client| Client { ak: Some(bad), ..client };
    assert_eq!(tpm("leaf-bad-ak").verify_as(upper), Err(Reason::ResponseAttestor));
    assert_eq!(tpm("leaf-ak").verify(), Err(Reason::ResponseAttestor));
}

#[test]
fn after_another_attestor_a_statement_is_that_of_the_old_identity() {
    let old = |client| Client { previous_ak: Some(AK), ..client };
    assert!(Join::with_leaf("leaf-ak").verify_as(old).is_ok());
    assert!(Join::good().verify_as(old).is_ok());
    assert_eq!(Join::with_leaf("leaf-two-aks").verify_as(old), Err(Reason::ResponseAttestor));
    assert_eq!(Join::with_leaf("leaf-ak").verify(), Err(Reason::ResponseAttestor));
    let own = |client| Client { ak: Some(AK), ..client };
    assert_eq!(Join::with_leaf("leaf-ak").verify_as(own), Err(Reason::ResponseAttestor));
}

#[test]
fn the_chain_hangs_together_and_has_no_root() {
    for name in ["leaf-other-issuer-name", "leaf-other-issuer-key", "leaf-sha384", "leaf-self-issued"] {
        assert_eq!(Join::with_leaf(name).verify(), Err(Reason::ResponseChain), "{name}");
    }
    let chain =
        |names: &[&str]| Join { chain: names.iter().map(|name| certificate(name)).collect(), ..Join::good() };
    assert_eq!(chain(&["leaf", "intermediate", "root"]).verify(), Err(Reason::ResponseChain));
    assert_eq!(chain(&["leaf", "leaf"]).verify(), Err(Reason::ResponseChain));
    assert_eq!(chain(&["leaf-self-issued"]).verify(), Err(Reason::ResponseChain));
    assert_eq!(chain(&["leaf-by-p384", "intermediate-p384"]).verify(), Err(Reason::ResponseChain));
}

#[test]
fn the_leaf_is_valid_now_to_the_millisecond() {
    let at = |now| Join::good().verify_at(&Join::good().body(), |client| client, Millis(now)).map(|_| ());
    // notBefore 2025-12-31T23:59:00Z, notAfter 2026-01-01T23:59:00Z.
    assert_eq!(at(1_767_225_539_999), Err(Reason::ResponseValidity));
    assert_eq!(at(1_767_225_540_000), Ok(()));
    assert_eq!(at(1_767_311_940_999), Ok(()));
    assert_eq!(at(1_767_311_941_000), Err(Reason::ResponseValidity));
}

#[test]
fn of_two_faults_the_first_in_order_is_the_reason() {
    let mut join = Join {
        csr_sha256: [7; 32],
        request_sha256: [7; 32],
        role: "site",
        attestor: "tpm",
        ..Join::with_leaf("leaf-other-key")
    };
    join.chain[1] = certificate("root");
    let reason = |join: &Join| join.verify_at(&join.body(), |client| client, Millis(0)).unwrap_err();
    // One fault after the other is mended, in the order of the checks.
    assert_eq!(reason(&join), Reason::ResponseCsr);
    join.csr_sha256 = sha256(&join.csr);
    assert_eq!(reason(&join), Reason::ResponseRequest);
    join.request_sha256 = sha256(b"request");
    assert_eq!(reason(&join), Reason::ResponseLeafKey);
    join.chain[0] = certificate("leaf-dns");
    assert_eq!(reason(&join), Reason::ResponseSan);
    join.chain[0] = certificate("leaf");
    assert_eq!(reason(&join), Reason::ResponseRole);
    join.role = "node";
    assert_eq!(reason(&join), Reason::ResponseAttestor);
    join.attestor = "join-token";
    assert_eq!(reason(&join), Reason::ResponseChain);
    join.chain[1] = certificate("intermediate");
    assert_eq!(reason(&join), Reason::ResponseValidity);
}

proptest! {
    #[test]
    fn a_signed_body_of_any_octets_never_panics(octets in proptest::collection::vec(any::<u8>(), 1..200)) {
        let _verdict = Join::good().verify_body(&octets, |client| client);
    }
}
