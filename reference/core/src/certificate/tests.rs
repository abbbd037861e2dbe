use super::*;
use crate::der::{self, Reader};
use crate::p256;
use crate::rows::fixture::{LAST_S, row, row_of_tpm};
use crate::x509::fixture::{certificate, key};

/// The serial of every certificate of the fixtures: 01 to 10.
fn serial() -> Serial {
    Serial::of_random(std::array::from_fn(|at| u8::try_from(at).unwrap() + 1))
}

/// The node leaf of the fixtures.
fn leaf() -> Leaf {
    Leaf {
        serial: serial(),
        trust_domain: "compute.example.com".into(),
        site_id: "site_01k5w3v7x8e4n9q2r6t0b1c5d7".into(),
        node_id: "node_01k5w3v7x8e4n9q2r6t0b1c5d7".into(),
        generation: 3,
        role: CertificateRole::Node,
        statements: vec![],
        public_key: *key("example node key").public(),
        allowed_kinds: Some(vec!["node.reboot".into()]),
        ttl_limit_s: Some(3600),
        renewed_from: Some(vec![9; 16]),
    }
}

/// What is signed in a certificate, and the signature r ‖ s.
fn parts(der: &[u8]) -> (&[u8], [u8; 64]) {
    let mut parts = Reader::new(der::single(der, 16).unwrap().content);
    let info = parts.read_any().unwrap();
    parts.read_any().unwrap();
    let bits = parts.read(der::BIT_STRING).unwrap();
    (info.raw, p256::signature_from_der(&bits[1..]).unwrap())
}

#[test]
fn a_leaf_is_octet_for_octet_what_another_writer_makes_of_the_profile() {
    let statement = format!("urn:bc:tpm-ak:sha256:{}", "ab".repeat(32));
    let ramdisk = Leaf { role: CertificateRole::Ramdisk, statements: vec![statement], ..leaf() };
    // By GNU date: 2025-12-31T23:59:00Z and a day; 2049-12-31T23:59:00Z and two hours, so one time of each form.
    for (name, leaf, not_before_s, not_after_s) in [
        ("profile-node", leaf(), 1_767_225_540, 1_767_311_940),
        ("profile-ramdisk", ramdisk, 2_524_607_940, 2_524_615_140),
    ] {
        let (expected, node_ca) = (certificate(name), certificate("node-ca"));
        let (info, signature) = parts(&expected);
        let unsigned =
            leaf.to_be_signed(&Issuer::read(&node_ca).unwrap(), Validity { not_before_s, not_after_s });
        assert_eq!(unsigned.octets(), info, "{name}");
        assert_eq!(unsigned.assemble(&signature).der, expected, "{name}");
    }
}

#[test]
fn a_row_is_the_one_that_is_read_back_from_its_leaf_and_what_no_leaf_says() {
    let (node_ca, profile) = (certificate("node-ca"), certificate("profile-node"));
    let validity = Validity { not_before_s: LAST_S - 86_400, not_after_s: LAST_S };
    let unsigned = leaf().to_be_signed(&Issuer::read(&node_ca).unwrap(), validity);
    let made = unsigned.assemble(&parts(&profile).1);
    // By OpenSSL, of the leaf's SubjectPublicKeyInfo.
    let spki_sha256: String = made.spki_sha256.iter().map(|octet| format!("{octet:02x}")).collect();
    assert_eq!(spki_sha256, "af24e19eff8a66bcb7f0005bea46f0a998894999ba762622e5ba77d0a4e16cce");
    assert_eq!(
        (made.allowed_kinds.as_deref(), made.ttl_limit_s),
        (Some(&["node.reboot".into()][..]), Some(3600))
    );
    assert_eq!((made.renewed_from.as_deref(), made.revoked.as_ref()), (Some(&[9; 16][..]), None));
    let unsaid = Row { allowed_kinds: None, ttl_limit_s: None, renewed_from: None, ..made };
    let read = Row::of_leaf("node_01k5w3v7x8e4n9q2r6t0b1c5d7", 3, &profile);
    assert_eq!(read, Some(unsaid));
}

#[test]
fn no_row_is_read_from_another_certificate() {
    for name in ["leaf-common-name", "leaf-two-attributes", "leaf-dns", "leaf-no-san", "intermediate"] {
        assert_eq!(Row::of_leaf("node_n", 1, &certificate(name)), None, "{name}");
    }
    let roles =
        ["leaf-role-site", "leaf-node-tenant"].map(|name| Row::of_leaf("node_n", 1, &certificate(name)));
    assert_eq!(roles.map(|row| row.unwrap().role), [CertificateRole::Site, CertificateRole::NodeTenant]);
}

#[test]
fn a_serial_is_sixteen_octets_of_which_the_first_is_01_to_7f() {
    for (random, first) in
        [(0x00, 0x01), (0x01, 0x01), (0x7f, 0x7f), (0x80, 0x01), (0x81, 0x01), (0xff, 0x7f)]
    {
        let mut octets = [0xee; 16];
        octets[0] = random;
        let serial = Serial::of_random(octets);
        assert_eq!(serial.octets()[0], first, "{random:02x}");
        assert_eq!(serial.octets()[1..], [0xee; 15]);
    }
}

#[test]
fn a_lifetime_out_of_bounds_is_not_clamped() {
    // The last is 3600 in the low 32 bits.
    for bad in [0, 86_401, u64::from(u32::MAX), u64::MAX, (1 << 32) + 3600] {
        assert_eq!(CertTtl::configured(bad), None, "{bad}");
    }
    for good in [1, 60, 86_400] {
        assert!(CertTtl::configured(good).is_some(), "{good}");
    }
}

#[test]
fn the_smallest_of_three_lifetimes_is_in_force() {
    use CertificateRole::{Node, NodeTenant, Ramdisk, Site};
    for (configured, role, limit, expected) in [
        (86_400, Node, None, 86_400),
        (86_400, Site, None, 86_400),
        (86_400, NodeTenant, None, 86_400),
        (86_400, Ramdisk, None, 7_200),
        (7_199, Ramdisk, None, 7_199),
        (86_400, Node, Some(7_201), 7_201),
        (86_400, Ramdisk, Some(7_201), 7_200),
        (86_400, Ramdisk, Some(60), 60),
        (60, Node, Some(86_400), 60),
    ] {
        let ttl = CertTtl::configured(configured).unwrap();
        assert_eq!(ttl.in_force(role, limit), expected, "{configured} {role} {limit:?}");
    }
}

#[test]
fn the_lifetime_begins_a_minute_ago_and_ends_with_the_issuer() {
    // 2026-01-01T00:00:00.700Z, the example of the page.
    let now = Millis(1_767_225_600_700);
    let of = |ttl_s, issuer_s| Validity::from_now(now, ttl_s, issuer_s).not_after_s;
    assert_eq!(Validity::from_now(now, 86_400, i64::MAX).not_before_s, 1_767_225_540);
    assert_eq!(of(86_400, i64::MAX), LAST_S);
    assert_eq!(of(86_400, LAST_S), LAST_S);
    assert_eq!(of(86_400, LAST_S - 1), LAST_S - 1);
    // A lifetime of 60 seconds is alive through the second that begins now, one of 59 is dead when issued.
    let row_of = |ttl_s| Row { validity: Validity::from_now(now, ttl_s, i64::MAX), ..row(1, 1) };
    assert!(!row_of(60).is_expired(now) && row_of(59).is_expired(now));
    // Before 1970 seconds are rounded down too.
    assert_eq!(Validity::from_now(Millis(-1), 60, i64::MAX), Validity { not_before_s: -61, not_after_s: -1 });
}

#[test]
fn an_issuer_is_a_p256_key_with_an_identifier() {
    for name in ["intermediate", "node-ca-p384"] {
        assert!(Issuer::read(&certificate(name)).is_none(), "{name}");
    }
    let node_ca = certificate("node-ca");
    assert!(Issuer::read(&node_ca[..node_ca.len() - 1]).is_none());
    let issuer = Issuer::read(&node_ca).unwrap();
    // 2055-01-01T00:00:00Z, by GNU date: through the end of that second it issues.
    assert_eq!(issuer.not_after_s, 2_682_374_400);
    assert!(!issuer.is_expired(Millis(2_682_374_400_999)));
    assert!(issuer.is_expired(Millis(2_682_374_401_000)));
}

#[test]
fn the_chain_leaves_out_a_root() {
    let (below, root) = (certificate("node-ca"), certificate("node-ca-self-issued"));
    assert_eq!(Issuer::read(&below).unwrap().chain(&[7]), [vec![7], below.clone()]);
    assert_eq!(Issuer::read(&root).unwrap().chain(&[7]), [vec![7]]);
}

#[test]
fn live_is_not_revoked_and_through_the_last_second_not_expired() {
    let revoked = Row { revoked: Some(Revoked { at: Millis(0), reason: "retired".into() }), ..row(1, 1) };
    let last = Millis(LAST_S * 1000 + 999);
    assert!(row(1, 1).is_live(last) && !revoked.is_live(last));
    assert!(!row(1, 1).is_live(Millis(last.0 + 1)));
}

#[test]
fn only_live_certificates_of_the_generation_stand_in_the_way_of_a_renewal() {
    let now = Millis(LAST_S * 1000);
    let revoked = Row { revoked: Some(Revoked { at: Millis(0), reason: "operator".into() }), ..row(3, 1) };
    let expired = Row { validity: Validity { not_before_s: 0, not_after_s: LAST_S - 1 }, ..row(3, 1) };
    let (live, older) = (row(3, 1), row(2, 1));
    let rows: Vec<&Row> = [&live; 7].into_iter().chain([&revoked, &expired, &older]).collect();
    assert!(may_renew(&rows, 3, now));
    assert!(!may_renew(&[&rows[..], &[&live]].concat(), 3, now));
    assert!(!may_renew(&[&rows[..], &[&live, &live]].concat(), 3, now));
    assert!(may_renew(&[], 3, now));
}

#[test]
fn the_newest_is_the_last_that_was_committed_in_its_generation() {
    let later = Validity { not_before_s: LAST_S, not_after_s: LAST_S + 86_400 };
    let (first, second) = (Row { validity: later, ..row(3, 1) }, row(3, 2));
    let (older, newer) = (row(2, 3), row(4, 4));
    let rows = [&first, &second, &older, &newer];
    assert_eq!(newest(&rows, 3), Some(&second));
    assert_eq!(newest(&rows, 2), Some(&older));
    assert_eq!(newest(&rows, 1), None);
}

#[test]
fn the_ak_statement_is_found_among_others() {
    let mut row = row_of_tpm(1, 1);
    let statement = row.statements[0].clone();
    row.statements.insert(0, "urn:bc:tpm-akin:x".into());
    assert_eq!(row.ak_statement(), Some(statement.as_str()));
    row.statements.pop();
    assert_eq!(row.ak_statement(), None);
}

#[test]
fn a_rows_key_is_that_of_its_leaf() {
    assert_eq!(row(1, 1).public_key().as_ref(), Some(key("example node key").public()));
    assert_eq!(Row { der: vec![0x30, 0], ..row(1, 1) }.public_key(), None);
    assert_eq!(Row { der: certificate("intermediate-p384"), ..row(1, 1) }.public_key(), None);
}

#[test]
fn a_role_is_read_exactly() {
    for role in CertificateRole::ALL {
        assert_eq!(CertificateRole::parse(role.as_str()), Some(role));
        assert_eq!(CertificateRole::parse(&role.as_str().to_uppercase()), None);
        assert_eq!(CertificateRole::parse(&format!("bc-role:{role}")), None);
    }
    assert_eq!(CertificateRole::parse(""), None);
}
