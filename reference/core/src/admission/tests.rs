//! A join of the pages' examples: the token of TOKEN, the CSR and the seal of SEAL, the claims of BINDING.

use super::*;
use crate::choices::RequestBinding;
use crate::csr;
use crate::hash::sha256;
use crate::x509::fixture::key;

const SEAL: &str = concat!(
    "eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZHQ00iLCJ0eXAiOiJiY2p0K2p3ZSIsImlhdCI6MTc2NzIyNTYwMCwiY3NyIjoi",
    "OWxWSXZoRkozeDhnRGhZY19FbXJZWEtaX1BkejF4Z3l1M0Zzd2VWNk51YyIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6",
    "InUxU1p2TllBLWd6a18xSWhuZ25XYkExNE5rUGFKQWFwRUtZRnhOSEdaMXciLCJ5IjoibkVsRHQ1SEJQOHI5SnpLZXNSZS1iY0pjSXpmdERr",
    "X3VMd2tvc2wyaXYwOCJ9fQ",
    ".eY2VnkgvRepJZz4mCAutuvrljrBqgC8fOhio9Hst27YDnrCv22zdVA.YGFiY2RlZmdoaWpr",
    ".zktjcVj-5Pk5sBJSc-Iyaj8ciyEnBqE-Pkr7iJvyN8sQ3sNfOo6cyN-o5mp8TUlpr0khCDR24vAdV0sulMyZ9hb49wkNJD6AOn75MdMh",
    ".MttKV8CPi-odxYYMA6Axug",
);
const REQUEST_SHA256: &str = "97559fa47286d437b7ba409d901aeff496b691bf0dc57e0c943f269a779b9f2c";
const NOW: Millis = Millis(1_767_225_600_000);

fn csr() -> Vec<u8> {
    csr::forge::hex(
        "30820109 3081b1 020100 3000 3059301306072a8648ce3d020106082a8648ce3d030107034200 04
        43b9cf987898cde50e2b3aa25bae1d1f865443c82cc430926bd5de8ff9367246
        a82f386dd019248aa1cd74a6521a730aa19c0508e4d771eb939308633f917041
        a04f 304d 06092a864886f70d010902 3140 0c3e 62632d6a6f696e2d726571756573742d76313a
        6c31576670484b4731446533756b43646b427276394a61326b62384e7858344d6c44386d6d6e65626e7977
        300a06082a8648ce3d040302 0347 003044
        0220 631d34b38dfab3c7138789ec08897bff825afc78aa9f77c9a46c4a5b7e7c7528
        0220 30a001f788ded8f414f04973a0526f9db7b7768d6762db1543a85c734d330efb",
    )
}

fn claims() -> claims::Raw {
    claims::Raw {
        product_uuid: b"4C4C4544-0051-3410-8051-B5C04F375931".to_vec(),
        product_serial: b"5Q4Q7Y1".to_vec(),
        board_serial: vec![],
        chassis_serial: vec![],
        hostname: b"b7-u12".to_vec(),
        permanent_macs: vec![b"3C:EC:EF:12:34:56".to_vec()],
        gpu_uuids: vec![],
    }
}

fn row() -> Row {
    let secret: Vec<u8> = (0x00..0x20).collect();
    Row {
        id: "jt_01kdvdna00e008000000000001".into(),
        tenant: "ten_t".into(),
        secret_sha256: sha256(&secret),
        role: Role::Node,
        expires_at: Millis(NOW.0 + 1),
        revoked_at: None,
        uses_left: 1,
    }
}

/// A join of which each test changes one thing or more.
struct Join {
    attestor: &'static str,
    role: &'static str,
    csr: Vec<u8>,
    seal: String,
    claims: claims::Raw,
    attestors: Vec<String>,
    window: Option<Window>,
    row: Option<Row>,
    expect: Option<Expect>,
    required: bool,
    choices: Choices,
    now: Millis,
}

impl Join {
    fn good() -> Self {
        Self {
            attestor: "",
            role: "node",
            csr: csr(),
            seal: SEAL.into(),
            claims: claims(),
            attestors: vec!["join-token".into(), "tpm".into()],
            window: None,
            row: Some(row()),
            expect: None,
            required: true,
            choices: Choices::default(),
            now: NOW,
        }
    }

    /// The verdict, a refusal with whether it is the tenant's.
    fn judge(&self) -> Result<Admissible<'_>, (Reason, bool)> {
        let keys = [key("example encryption key")];
        let received = Received {
            attestor: self.attestor,
            role: self.role,
            csr: &self.csr,
            seal: self.seal.as_bytes(),
            claims: &self.claims,
        };
        let service = Service { attestors: &self.attestors, keys: &keys, window: self.window };
        let policy = Policy {
            expect: self.expect.as_ref(),
            requires_request_binding: self.required,
            choices: self.choices,
        };
        let opened = received.open(service, self.now).map_err(seen)?;
        let attested = opened.attest(self.row.as_ref()).map_err(seen)?;
        attested.judge(policy, self.now).map_err(seen)
    }

    fn refusal(&self) -> (Reason, bool) {
        self.judge().unwrap_err()
    }
}

fn seen(refusal: Refusal<'_>) -> (Reason, bool) {
    assert_eq!(refusal.public().to_string(), "Join refused");
    (refusal.reason(), refusal.audience().tenant().is_some_and(|tenant| tenant == "ten_t"))
}

#[test]
fn a_good_join_is_admissible() {
    let join = Join::good();
    let admissible = join.judge().unwrap();
    assert_eq!(admissible.token_id.as_str(), "jt_01kdvdna00e008000000000001");
    assert_eq!(admissible.uses_left, 0);
    assert!(admissible.trusted);
    assert_eq!(admissible.request_sha256.to_vec(), csr::forge::hex(REQUEST_SHA256));
    assert_eq!(admissible.csr_sha256, sha256(&csr()));
    assert_eq!(&admissible.public_key, key("example node key").public());
}

#[test]
fn with_every_fault_at_once_each_is_the_reason_in_its_turn() {
    let untrusted = claims::Raw { product_uuid: vec![], product_serial: vec![], ..claims() };
    let serial = Some("other".into());
    let mut join = Join {
        attestor: "Join-Token",
        role: "Node",
        csr: vec![0; 4097],
        seal: "x".repeat(4097),
        claims: claims::Raw { hostname: vec![0xff], ..untrusted.clone() },
        attestors: vec!["tpm".into()],
        window: Some(Window { past_s: 1, ahead_s: 1 }),
        row: None,
        expect: Some(Expect { serial, ..Expect::default() }),
        required: true,
        choices: Choices::default(),
        now: Millis(NOW.0 + 10_000),
    };
    let turn = |join: &Join, reason| assert_eq!(join.refusal(), (reason, false));
    turn(&join, Reason::Attestor);
    join.attestor = "";
    turn(&join, Reason::Attestor);
    join.attestors.push("join-token".into());
    turn(&join, Reason::RoleInvalid);
    join.role = "site";
    turn(&join, Reason::Csr);
    let node = key("example node key");
    let info = csr::to_be_signed(node.public(), None);
    join.csr = csr::assemble(&info, &crate::x509::fixture::sign(&node, &info));
    turn(&join, Reason::Claims);
    join.claims.hostname.clear();
    turn(&join, Reason::Seal);
    join.seal = SEAL.into();
    turn(&join, Reason::SealIat);
    join.window = None;
    turn(&join, Reason::SealCsr);
    join.csr = csr();
    turn(&join, Reason::TokenUnknown);
    join.row = Some(Row { secret_sha256: [0; 32], revoked_at: Some(NOW), uses_left: 0, ..row() });
    turn(&join, Reason::TokenSecret);

    // The secret is shown from here on: the refusal is the tenant's.
    let turn = |join: &Join, reason| assert_eq!(join.refusal(), (reason, true));
    let with_row = |join: &mut Join, change: fn(&mut Row)| change(join.row.as_mut().unwrap());
    with_row(&mut join, |there| there.secret_sha256 = row().secret_sha256);
    turn(&join, Reason::RequestBinding);
    join.choices.request_binding = RequestBinding::None;
    turn(&join, Reason::TokenRevoked);
    with_row(&mut join, |there| there.revoked_at = None);
    turn(&join, Reason::TokenExpired);
    join.now = NOW;
    turn(&join, Reason::TokenUsed);
    with_row(&mut join, |there| there.uses_left = 1);
    turn(&join, Reason::TokenRole);
    join.role = "node";
    turn(&join, Reason::Expect);
    join.expect = None;
    turn(&join, Reason::PlaceholderHardware);
    join.claims = claims();
    assert!(join.judge().is_ok());
}

#[test]
fn a_pinned_token_admits_placeholder_hardware_untrusted() {
    let expect = Expect { mac: Some("3c:ec:ef:12:34:56".into()), ..Expect::default() };
    let join = Join {
        claims: claims::Raw { product_uuid: vec![], product_serial: vec![], ..claims() },
        expect: Some(expect),
        choices: Choices { request_binding: RequestBinding::None, ..Choices::default() },
        ..Join::good()
    };
    assert!(!join.judge().unwrap().trusted);
}

#[test]
fn what_the_key_signed_about_the_request_is_compared() {
    let moved = Join { claims: claims::Raw { hostname: b"b7-u13".to_vec(), ..claims() }, ..Join::good() };
    assert_eq!(moved.refusal(), (Reason::RequestBinding, true));
    let named = Join { attestor: "join-token", ..Join::good() };
    assert!(named.judge().is_ok());
}

#[test]
fn another_attestors_join_is_no_token_join() {
    assert_eq!(Join { attestor: "tpm", ..Join::good() }.refusal(), (Reason::Attestor, false));
}
