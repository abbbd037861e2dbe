//! The page's example, and what differs from it.

use super::*;

const BODY: &str = "0a1f6a7265715f30316b3577337637783865346e3971327236743062316335643712\
                    20c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef801a\
                    0374706d22201f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f90\
                    7bfd1047";
const SIG: &str = "d531a7a2ba6daeecd9cd44bf399d5ad255db0c490eef9cb8565a4f20aea44d4a\
                   6619c7493a050e9e4abc1ff5737eb2130d8ca66c753f99afc5530a1433d7a1f9";
const SPKI: &str = "3059301306072a8648ce3d020106082a8648ce3d0301070342000460fed4ba255a9d31c961eb74c6356d68c049b8923b\
                    61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
const PIN: &str = "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=";

fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// The example's client: its CSR hashes to H("csr") and its request to H("request").
fn judge(signed: Signed<'_>, attestor: &str, pins: &[Pin], required: bool) -> Result<Deferred, Reason> {
    let join = Join::good();
    let mut csr = csr::check(&join.csr).unwrap();
    csr.sha256 = sha256(b"csr");
    let asked = Asked { csr: &csr, request_sha256: &sha256(b"request"), attestor, role: "node" };
    verify_deferral(signed, &asked, pins, required)
}

fn judge_example(body: &[u8], sig: &[u8], attestor: &str) -> Result<Deferred, Reason> {
    judge(Signed { body, sig, signing_key: &unhex(SPKI) }, attestor, &[Pin::parse(PIN).unwrap()], true)
}

/// A deferral with that body, signed by the server of the tests.
fn judge_signed(body: &[u8], attestor: &str, required: bool) -> Result<Deferred, Reason> {
    let server = server();
    let sig = signed(&server, JoinDeferral { body }.to_be_signed().octets());
    let spki = server.public().spki();
    judge(Signed { body, sig: &sig, signing_key: &spki }, attestor, &[server.public().pin()], required)
}

fn body(attestor: &str) -> DeferralBody<'_> {
    const HASHES: [[u8; 32]; 2] = [
        [
            0xc2, 0x73, 0x38, 0xc4, 0x53, 0x06, 0x7b, 0x43, 0x74, 0x71, 0xaf, 0xbc, 0xe7, 0x92, 0x70, 0x4d,
            0x81, 0x61, 0x12, 0xc6, 0x03, 0x1b, 0xb9, 0x96, 0xb6, 0x2c, 0x69, 0x8e, 0xa5, 0x99, 0xef, 0x80,
        ],
        [
            0x1f, 0x58, 0xb9, 0x14, 0x5b, 0x24, 0xd1, 0x08, 0xd7, 0xac, 0x38, 0x88, 0x73, 0x38, 0xb3, 0xea,
            0x32, 0x29, 0x83, 0x3b, 0x9c, 0x1e, 0x41, 0x82, 0x50, 0x34, 0x3f, 0x90, 0x7b, 0xfd, 0x10, 0x47,
        ],
    ];
    DeferralBody {
        request_id: "jreq_01k5w3v7x8e4n9q2r6t0b1c5d7",
        csr_sha256: &HASHES[0],
        attestor,
        request_sha256: &HASHES[1],
    }
}

#[test]
fn the_pages_example_is_accepted_by_who_asked_tpm() {
    let deferred = judge_example(&unhex(BODY), &unhex(SIG), "tpm").unwrap();
    assert_eq!(deferred.request_id, "jreq_01k5w3v7x8e4n9q2r6t0b1c5d7");
    for other in ["join-token", "", "discovery"] {
        assert_eq!(judge_example(&unhex(BODY), &unhex(SIG), other), Err(Reason::ResponseAttestor), "{other}");
    }
}

#[test]
fn the_pages_body_is_what_a_server_encodes() {
    assert_eq!(body("tpm").encode(), unhex(BODY));
}

#[test]
fn every_bit_of_a_deferral_counts() {
    let (body, sig) = (unhex(BODY), unhex(SIG));
    for bit in 0..body.len() * 8 {
        let mut flipped = body.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(judge_example(&flipped, &sig, "tpm"), Err(Reason::ResponseSignature), "body bit {bit}");
    }
}

#[test]
fn a_deferral_is_no_answer_and_an_answer_no_deferral() {
    let join = Join::good();
    let server = server();
    let (spki, pins) = (server.public().spki(), [server.public().pin()]);
    let answer = join.body();
    let sig = signed(&server, JoinResponse { body: &answer }.to_be_signed().octets());
    let as_deferral = Signed { body: &answer, sig: &sig, signing_key: &spki };
    assert_eq!(judge(as_deferral, "tpm", &pins, false), Err(Reason::ResponseSignature));
    let deferral = body("tpm").encode();
    let sig = signed(&server, JoinDeferral { body: &deferral }.to_be_signed().octets());
    let as_answer = Signed { body: &deferral, sig: &sig, signing_key: &spki };
    let client = Client { pins: &pins, ..CLIENT };
    let verdict = join.with_asked(|asked| verify(as_answer, asked, &client, NOW));
    assert_eq!(verdict, Err(Reason::ResponseSignature));
}

#[test]
fn the_checks_come_in_order() {
    let good = body("discovery");
    assert!(judge_signed(&good.encode(), "discovery", true).is_ok());
    let id = DeferralBody { request_id: NODE, csr_sha256: &[7; 32], ..good.clone() };
    assert_eq!(judge_signed(&id.encode(), "discovery", true), Err(Reason::ResponseMalformed));
    let csr = DeferralBody { csr_sha256: &[7; 32], request_sha256: &[7; 32], ..good.clone() };
    assert_eq!(judge_signed(&csr.encode(), "discovery", true), Err(Reason::ResponseCsr));
    let request = DeferralBody { request_sha256: &[7; 32], attestor: "x", ..good };
    assert_eq!(judge_signed(&request.encode(), "discovery", true), Err(Reason::ResponseRequest));
    assert_eq!(judge_signed(&body("join-token").encode(), "join-token", true), Err(Reason::ResponseAttestor));
}

#[test]
fn without_the_requests_hash_it_is_refused_only_where_that_is_required() {
    let without = &unhex(BODY)[..unhex(BODY).len() - 34];
    assert!(judge_signed(without, "tpm", false).is_ok());
    assert_eq!(judge_signed(without, "tpm", true), Err(Reason::ResponseRequest));
}
