use std::net::Ipv4Addr;

use proptest::prelude::*;

use super::*;

/// The page's example: SPKI of the RFC 6979 A.2.5 key.
const SPKI: &str = "3059301306072a8648ce3d020106082a8648ce3d0301070342000460fed4ba255a9d31c961eb74c6356d68c049b8923b\
                    61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
const CSR_SHA256: &str = "c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef80";
const NODE_ID: &str = "node_01k5w3v7x8e4n9q2r6t0b1c5d7";
/// The page's signature of its `renew-pop` message.
const R: &str = "826d31e421e0100c8d40a595952d2443f051115e45abf7ed7f3cbd2164de9625";
const S: &str = "2c939045941fa61623b3c1e5128d5c80c8ed955817a78484db0cd674e28a8690";
/// n − s of that signature, computed by hand from the page's n.
const HIGH_S: &str = "d36c6fb96be059eadc4c3e1aed72a37ef3f965558f701a0018acf44e19d89ec1";

fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn key() -> PublicKey {
    PublicKey::from_spki(&unhex(SPKI)).unwrap()
}

fn renew_pop() -> ToBeSigned {
    let csr_sha256 = unhex(CSR_SHA256).try_into().unwrap();
    RenewPop { csr_sha256: &csr_sha256, node_id: NODE_ID, client_time_ms: 1_760_000_000_000 }.to_be_signed()
}

#[test]
fn there_is_one_golden_octet_string_for_each_purpose() {
    let csr_sha256 = unhex(CSR_SHA256).try_into().unwrap();
    let body = &[0x0a, 0x01, 0x78];
    let x509pop = X509Pop { csr_sha256: &csr_sha256, node_id: NODE_ID, client_time_ms: 1_760_000_000_000 };
    let vouch = DiscoveryVouch {
        csr_sha256: &csr_sha256,
        mac: [0x94, 0xde, 0x80, 0x06, 0xf8, 0xd5],
        ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 17)),
        workflow_id: "wf-7",
        boot_lease_epoch: 3,
    };
    let golden = [
        JoinResponse { body }.to_be_signed(),
        JoinDeferral { body }.to_be_signed(),
        RenewResponse { body }.to_be_signed(),
        renew_pop(),
        x509pop.to_be_signed(),
        vouch.to_be_signed(),
    ];
    // The page's example holds the octets in this order, each in its own block of hexadecimal lines.
    let page = include_str!("../../../../docs/spec/14-signature.md");
    let (_, example) = page.split_once("## Example").unwrap();
    let mut blocks = vec![String::new()];
    for line in example.lines().take_while(|line| !line.starts_with("One signature")) {
        match line.strip_prefix("    ") {
            Some(digits) => blocks.last_mut().unwrap().push_str(digits.trim()),
            None if !blocks.last().unwrap().is_empty() => blocks.push(String::new()),
            None => {}
        }
    }
    let blocks: Vec<String> = blocks.into_iter().filter(|block| !block.is_empty()).collect();
    assert_eq!(golden.iter().map(|message| hex(message.octets())).collect::<Vec<_>>(), blocks);
}

#[test]
fn the_pages_signature_verifies_and_its_high_twin_does_not() {
    assert_eq!(verify(&key(), &renew_pop(), &unhex(&[R, S].concat())), Ok(()));
    let high = unhex(&[R, HIGH_S].concat());
    assert!(verifies(&key(), renew_pop().octets(), high.as_slice().try_into().unwrap()));
    assert_eq!(verify(&key(), &renew_pop(), &high), Err(Reason::Signature));
}

#[test]
fn a_signer_that_made_a_high_s_is_made_low() {
    let high = unhex(&[R, HIGH_S].concat());
    let low = Signature::made(high.as_slice().try_into().unwrap()).unwrap();
    assert_eq!(hex(low.octets()), [R, S].concat());
    assert_eq!(Signature::made(low.octets()).unwrap(), low);
}

#[test]
fn the_rfc_6979_signature_of_sample_is_high_and_verifies_by_the_primitive() {
    // RFC 6979 appendix A.2.5, SHA-256, message "sample".
    let r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716";
    let s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";
    let signature = unhex(&[r, s].concat());
    assert!(verifies(&key(), b"sample", signature.as_slice().try_into().unwrap()));
    assert_eq!(Signature::received(&signature), Err(Reason::Signature));
}

#[test]
fn a_signature_of_one_purpose_is_none_of_another() {
    let csr_sha256 = unhex(CSR_SHA256).try_into().unwrap();
    let x509pop = X509Pop { csr_sha256: &csr_sha256, node_id: NODE_ID, client_time_ms: 1_760_000_000_000 };
    let signature = unhex(&[R, S].concat());
    assert_eq!(verify(&key(), &x509pop.to_be_signed(), &signature), Err(Reason::Signature));
}

#[test]
fn numbers_out_of_range_and_other_lengths_are_refused() {
    let zero = "00".repeat(32);
    let n = hex(&p256::ORDER);
    for (r, s) in [(&*zero, S), (R, &*zero), (&*n, S), (R, &*n), ("", S), (R, "00"), ("", "")] {
        assert_eq!(Signature::received(&unhex(&[r, s].concat())), Err(Reason::Signature), "{r} {s}");
    }
    let longer = unhex(&[R, S, "00"].concat());
    assert_eq!(Signature::received(&longer), Err(Reason::Signature));
    for broken in [[R, &*n].concat(), [R, &*zero].concat(), [&*zero, S].concat()] {
        let broken = unhex(&broken);
        assert_eq!(Signature::made(broken.as_slice().try_into().unwrap()), Err(Reason::Signature));
    }
}

#[test]
fn the_border_of_low_is_half_of_the_order() {
    let half = unhex(&[R, "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8"].concat());
    let above = unhex(&[R, "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a9"].concat());
    assert!(Signature::received(&half).is_ok());
    assert_eq!(Signature::received(&above), Err(Reason::Signature));
    // n − ((n − 1) / 2 + 1) = (n − 1) / 2.
    assert_eq!(Signature::made(above.as_slice().try_into().unwrap()).unwrap().octets()[..], half[..]);
}

#[test]
fn every_bit_of_message_and_signature_counts() {
    let signature = unhex(&[R, S].concat());
    for bit in 0..signature.len() * 8 {
        let mut flipped = signature.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verify(&key(), &renew_pop(), &flipped), Err(Reason::Signature), "bit {bit}");
    }
    for bit in 0..renew_pop().octets().len() * 8 {
        let mut flipped = renew_pop();
        flipped.0[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verify(&key(), &flipped, &signature), Err(Reason::Signature), "bit {bit}");
    }
}

proptest! {
    #[test]
    fn arbitrary_signatures_never_panic(octets in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _verdict = verify(&key(), &renew_pop(), &octets);
    }

    #[test]
    fn the_normalized_s_and_the_given_one_add_up_to_the_order(s: [u8; 32]) {
        prop_assume!(p256::is_scalar(&s) && s > HALF_ORDER);
        prop_assert_eq!(order_minus(&order_minus(&s)), s);
        prop_assert!(order_minus(&s) <= HALF_ORDER);
    }
}
