//! RESPONSE: signed answers and deferrals, and the client that checks them.

use p256::SecretKey;
use serde_json::{Value, json};

use super::bytes;
use super::certificate::Draft as Leaf;
use super::claims;
use super::csr::public_key;
use super::draw::Draw;
use super::pin::near;
use super::plan::{Made, Plan};
use super::protobuf::{self, Field};
use super::token::{self, instant};
use crate::testkit::csr;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key, private_jwk};
use crate::testkit::request::{request, request_hash};
use crate::testkit::response::JoinResponseBody;
use crate::testkit::seal::pin;
use crate::testkit::signature::{framed, sign as signed_by, sign_der, sign_high, spki};
use crate::testkit::token::type_id;
use crate::testkit::x509::{Authority, San, leaf, node_intermediate, node_root};

const AK: &str = "urn:bc:tpm-ak:sha256:6b1f0c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8e9";
const NOW_MS: i64 = 1_767_225_600_000;

/// What a client asked, and what it is told.
struct Answer {
    purpose: &'static str,
    fields: Vec<Field>,
    leaf: Option<Leaf>,
    above: Vec<Vec<u8>>,
    signer: SecretKey,
    call: Value,
    csr: Vec<u8>,
    /// Edits of the three fields of the signed answer.
    envelope: Vec<Draw>,
}

fn signer() -> SecretKey {
    key("forge join-signing")
}

fn asked(draw: &mut Draw, attestor: &str, role: &str) -> (Value, SecretKey, Vec<u8>) {
    let machine = claims::machine(draw).json();
    let id = if matches!(attestor, "" | "join-token") { token::any(draw).id } else { String::new() };
    let request = request(attestor, role, &id, &machine);
    let key = key("forge leaf");
    let csr = csr::with_binding(&key, &request).map(|csr| csr.der()).unwrap_or_default();
    (request, key, csr)
}

/// Pins, among them the signer's.
fn pins(draw: &mut Draw) -> Vec<String> {
    let own = pin(&spki(&signer()));
    let other = pin(&draw.octets(8));
    draw.pick([vec![own.clone()], vec![own.clone(), other.clone()], vec![other, own]])
}

fn join(draw: &mut Draw) -> Answer {
    let attestor = draw.pick(["", "", "join-token", "tpm", "discovery", "x509pop"]);
    let role = draw.pick(["node", "node", "site", "ramdisk"]);
    let (request, own, csr) = asked(draw, attestor, role);
    let told = if role == "node" && draw.chance(15) { "node-tenant" } else { role };
    let domain = draw.pick(["compute.example.com", "td", "a_b.c-d", "1"]);
    let (site, node) = (type_id("site", &draw.octets(16)), type_id("node", &draw.octets(16)));
    let spiffe = format!("spiffe://{domain}/site/{site}/node/{node}");
    let mut sans = vec![San::Uri(spiffe)];
    let previous = attestor != "tpm" && draw.chance(25);
    if attestor == "tpm" || (previous && draw.chance(50)) {
        sans.push(San::uri(AK));
    }
    if draw.chance(20) {
        sans.push(San::uri("urn:bc:other:1"));
    }
    let issuer = node_intermediate();
    let mut fields = vec![
        Field::new(1, node.as_bytes()),
        Field::new(3, b"bundle".to_vec()),
        Field::new(4, hash(&csr)),
        Field::new(5, domain.as_bytes()),
        Field::new(6, site.as_bytes()),
        Field::new(7, told.as_bytes()),
        Field::new(8, if attestor.is_empty() { "join-token" } else { attestor }.as_bytes()),
    ];
    let require = draw.chance(30);
    if require || draw.chance(80) {
        fields.push(Field::new(9, request_hash(&request).unwrap_or_default()));
    }
    let above = issuer.certificate(&node_root()).signed(&node_root().key);
    Answer {
        purpose: "join-response",
        fields,
        leaf: Some(Leaf::new(leaf(&issuer, spki(&own), told, &sans), sans, issuer.key)),
        above: if draw.chance(85) { vec![above] } else { Vec::new() },
        signer: signer(),
        call: json!({
            "pins": pins(draw),
            "csr": b64u(&csr),
            "request": request,
            "site": site,
            "nodeId": if draw.chance(30) { Value::from(node) } else { Value::Null },
            "requireRequestBinding": require,
            "ak": if attestor == "tpm" { json!(AK) } else { Value::Null },
            "previousAk": if previous { json!(AK) } else { Value::Null },
        }),
        csr,
        envelope: Vec::new(),
    }
}

impl Answer {
    fn signed(self) -> Value {
        let mut fields = self.fields;
        if let Some(leaf) = &self.leaf {
            let chain = [leaf.der()].into_iter().chain(self.above);
            let at = fields.len().min(1);
            fields.splice(at..at, chain.map(|der| Field::new(2, der)));
        }
        let body = protobuf::encode(&fields);
        let sig = signed_by(&self.signer, &framed(self.purpose, std::slice::from_ref(&body))).to_vec();
        let mut parts = [body, sig, spki(&self.signer)];
        for mut draw in self.envelope {
            edit_envelope(&mut draw, &self.signer, self.purpose, &mut parts);
        }
        let [body, sig, signing_key] = parts;
        json!({"body": b64u(body), "sig": b64u(sig), "signingKey": b64u(signing_key)})
    }

    fn edit(&mut self, draw: &mut Draw) {
        match draw.below(23) {
            20.. => self.edit_ids(draw),
            0 | 1 => self.envelope.push(draw.clone()),
            2..6 => protobuf::edit(draw, &mut self.fields),
            6 | 7 => self.edit_ids(draw),
            8 => self.edit_call(draw),
            9 => self.signer = key("forge another signer"),
            10 => self.purpose = draw.pick(["join-response", "join-deferral", "renew-response", "x509pop"]),
            11 | 12 => self.edit_chain(draw),
            _ => match &mut self.leaf {
                Some(leaf) => leaf.edit(draw),
                None => protobuf::edit(draw, &mut self.fields),
            },
        }
    }

    fn field(&mut self, number: u64) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.number == number)
    }

    /// Another id, domain, role or attestor, in the body and sometimes in the leaf too.
    fn edit_ids(&mut self, draw: &mut Draw) {
        let number = draw.pick([1, 1, 5, 5, 5, 5, 6, 7, 8, 3, 4, 9]);
        let octets = draw.octets(16);
        let new = match number {
            1 => {
                draw.pick([type_id("node", &octets), type_id("site", &octets), "node_".into(), String::new()])
            }
            6 => draw.pick([type_id("site", &octets), type_id("node", &octets), "site_8".into()]),
            5 => {
                let long = "a".repeat(draw.pick([255, 256]));
                let word = draw.pick(["A.b", "", "a/b", "a b", ".", "-", "é", "a:1", "_", "a\0", "a%20"]);
                draw.pick([long, word.into(), word.into()])
            }
            7 => draw.pick(["node-tenant", "site", "NODE", "node\0", "", "ramdisk"]).into(),
            8 => draw.pick(["join-token", "tpm", "", "TPM", "discovery", "x509pop"]).into(),
            _ => String::new(),
        };
        let old = self.field(number).map(|field| field.value.clone()).unwrap_or_default();
        let mut value = new.clone().into_bytes();
        if matches!(number, 3 | 4 | 9) {
            let length = draw.pick([0, 31, 32, 33]);
            value = draw.octets(length);
        }
        if let Some(field) = self.field(number) {
            field.value = value;
        }
        if draw.chance(60)
            && let (Some(leaf), Ok(old)) = (&mut self.leaf, String::from_utf8(old))
            && let Some(San::Uri(uri)) = leaf.sans.first_mut()
            && !old.is_empty()
        {
            *uri = uri.replace(&old, &new);
            if number == 6 {
                self.call["site"] = new.into();
            }
        }
    }

    fn edit_call(&mut self, draw: &mut Draw) {
        let call = &mut self.call;
        match draw.below(8) {
            0 => call["request"]["role"] = draw.pick(["node", "site", "node-tenant", "", "NODE"]).into(),
            1 => {
                call["request"]["attestor"] =
                    draw.pick(["", "join-token", "tpm", "discovery", "x509pop"]).into()
            }
            2 => call["request"]["tokenId"] = token::any(draw).id.into(),
            3 => call["pins"] = json!([near(draw, &spki(&signer()))]),
            4 => call["requireRequestBinding"] = true.into(),
            5 if self.leaf.is_some() => call["nodeId"] = type_id("node", &draw.octets(16)).into(),
            6 if self.leaf.is_some() => call["site"] = type_id("site", &draw.octets(16)).into(),
            _ if self.leaf.is_some() => {
                let name = draw.pick(["ak", "previousAk"]);
                call[name] = draw.pick([json!(AK), json!(AK.replace('6', "7")), Value::Null]);
            }
            _ => {
                let other = csr::honest(&key("forge other")).der();
                call["csr"] = b64u(&other).into();
                self.csr = other;
            }
        }
    }

    fn edit_chain(&mut self, draw: &mut Draw) {
        let root = node_root();
        let root_der = root.certificate(&root).signed(&root.key);
        match draw.below(9) {
            0 => self.above.push(root_der),
            1 => self.above = vec![root_der],
            2 => self.above.reverse(),
            3 => self.above.push(draw.pick([vec![], vec![0x30, 0], b"certificate".to_vec()])),
            4 => self.above.extend_from_within(..),
            5 => {
                let other = Authority::named("forge intermediate");
                self.above = vec![other.certificate(&root).signed(&root.key)];
            }
            6 => {
                let same_name = Authority { key: key("forge same name"), ..node_intermediate() };
                self.above = vec![same_name.certificate(&root).signed(&root.key)];
            }
            _ => {
                let issuer = node_intermediate();
                let mut draft = Leaf::new(issuer.certificate(&root), Vec::new(), root.key);
                draft.edit(draw);
                self.above = vec![draft.der()];
            }
        }
    }
}

fn edit_envelope(draw: &mut Draw, signer: &SecretKey, purpose: &str, parts: &mut [Vec<u8>; 3]) {
    let [body, sig, signing_key] = parts;
    let message = framed(purpose, std::slice::from_ref(&*body));
    match draw.below(11) {
        0 => *sig = sign_high(signer, &message).to_vec(),
        1 => *sig = sign_der(signer, &message),
        2 => sig.truncate(draw.pick([0, 32, 63])),
        3 => sig.push(0),
        4 => bytes::edit(draw, sig),
        5 => bytes::edit(draw, body),
        6 => *signing_key = public_key(draw, signer),
        7 => signing_key.clear(),
        8 => body.clear(),
        9 => {
            // An unknown field as filler: a body of the largest size, or of one octet more, signed.
            let size = draw.pick([65_536, 65_537]) - body.len() - 4;
            *body = protobuf::encode(&[
                Field { number: 0, value: Vec::new(), raw: Some(body.clone()) },
                Field::new(15, vec![7; size]),
            ]);
            *sig = signed_by(signer, &framed(purpose, std::slice::from_ref(&*body))).to_vec();
        }
        _ => bytes::edit(draw, signing_key),
    }
}

pub(super) fn verify(plan: &mut Plan<'_>) -> Made {
    plan.choose("client.node-tenant");
    let mut draw = plan.draw("answer");
    let mut answer = join(&mut draw);
    for mut draw in plan.edits("answer") {
        answer.edit(&mut draw);
    }
    let mut made = Made::new(answer.call.clone());
    made.input["response"] = answer.signed();
    if draw.chance(30) {
        // The edges of the leaf's validity, to the millisecond, and a clock that was never set.
        let edges = [
            -60_001,
            -60_000,
            86_339_999,
            86_340_000,
            86_340_400,
            86_340_600,
            86_340_999,
            86_341_000,
            86_341_999,
            86_342_000,
            -1_767_225_600_000,
        ];
        made.now = instant(NOW_MS + draw.pick(edges));
    }
    made
}

pub(super) fn deferral(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("deferral");
    let attestor = draw.pick(["tpm", "discovery", "tpm", "discovery", "join-token", ""]);
    let (request, _, csr) = asked(&mut draw, attestor, "node");
    let mut fields = vec![
        Field::new(1, type_id("jreq", &draw.octets(16)).as_bytes()),
        Field::new(2, hash(&csr)),
        Field::new(3, if attestor.is_empty() { "join-token" } else { attestor }.as_bytes()),
    ];
    let require = draw.chance(30);
    if require || draw.chance(80) {
        fields.push(Field::new(4, request_hash(&request).unwrap_or_default()));
    }
    let mut answer = Answer {
        purpose: "join-deferral",
        fields,
        leaf: None,
        above: Vec::new(),
        signer: signer(),
        call: json!({
            "pins": pins(&mut draw), "csr": b64u(&csr), "request": request, "requireRequestBinding": require,
        }),
        csr,
        envelope: Vec::new(),
    };
    for mut draw in plan.edits("deferral") {
        if draw.chance(12) {
            let id = draw.pick([
                "jreq_",
                "jreq",
                "jt_01kdvdna00e008000000000001",
                "JREQ_01kdvdna00e008000000000001",
                "",
            ]);
            if let Some(field) = answer.field(1) {
                field.value = id.into();
            }
        } else {
            answer.edit(&mut draw);
        }
    }
    let mut made = Made::new(answer.call.clone());
    made.input["deferral"] = answer.signed();
    made
}

fn expected(body: &JoinResponseBody, key: &SecretKey) -> Value {
    json!({"purpose": "join-response", "key": b64u(spki(key)), "body": body.json()})
}

fn any_body(draw: &mut Draw) -> JoinResponseBody {
    let (chain, bundle) = (draw.range(1, 3), draw.range(1, 2));
    let mut blob = || {
        let length = draw.pick([1, 3, 200, 700]);
        draw.octets(length)
    };
    let certificate_chain = (0..chain).map(|_| blob()).collect();
    let command_trust_bundle = (0..bundle).map(|_| blob()).collect();
    JoinResponseBody {
        node_id: type_id("node", &draw.octets(16)),
        certificate_chain,
        command_trust_bundle,
        csr_sha256: draw.octets(32),
        trust_domain: draw.pick(["compute.example.com", "td"]).into(),
        site_id: type_id("site", &draw.octets(16)),
        role: draw.pick(["node", "site", "node-tenant"]).into(),
        attestor: draw.pick(["join-token", "tpm", "discovery"]).into(),
        request_sha256: draw.octets(32),
    }
}

pub(super) fn sign(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("body");
    let body = any_body(&mut draw);
    let key = key(&format!("forge signer {}", draw.below(16)));
    let mut made = Made::new(json!({"key": private_jwk(&key), "body": body.json()}));
    made.check = Some(json!({"response": {"$signed": expected(&body, &key)}}));
    made
}
