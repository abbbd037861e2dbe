//! WELLKNOWN: documents and key files from a grammar, and edits of them.

use serde_json::{Value, json};

use super::certificate;
use super::config::{edit_url, url};
use super::draw::Draw;
use super::json_text::{self, Json};
use super::pin;
use super::plan::{Made, Plan};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{key, public_jwk};
use crate::testkit::seal::pin as pin_of;
use crate::testkit::signature::spki;
use crate::testkit::x509::Authority;

fn encryption() -> p256::SecretKey {
    key("forge encryption")
}

/// The pieces of a call.
struct Draft {
    document: Option<Json>,
    file: Option<Json>,
    pins: Value,
    document_text: Vec<Draw>,
    file_text: Vec<Draw>,
}

fn base(draw: &mut Draw) -> Draft {
    let signer = Authority::named("forge signing");
    let serving = Authority::named("forge serving");
    let certificate = signer.certificate(&signer).signed(&signer.key);
    let mut document = json!({
        "name": "better-compute", "version": "0.1.0", "basePath": "/api", "protocol": {"min": 1, "max": 1},
        "join": {
            "encryptionJwk": public_jwk(&encryption()),
            "encryptionKeyPin": pin_of(&spki(&encryption())),
            "signingCertificate": b64(certificate),
            "signingKeyPin": pin_of(&spki(&signer.key)),
        },
    });
    let mut pins = json!({
        "encryption": [pin_of(&spki(&encryption()))],
        "signing": [pin_of(&spki(&signer.key))],
    });
    if draw.chance(60) {
        document["gateway"] = json!({"url": url(draw), "servingCaPin": pin_of(&spki(&serving.key))});
        if draw.chance(40) {
            document["gateway"]["serverName"] = draw.pick(["gw.example.com", "x"]).into();
        }
    }
    if draw.chance(40) {
        pins["servingCa"] = json!([pin_of(&spki(&serving.key))]);
    }
    let (both, file) = (draw.chance(15), draw.chance(15));
    Draft {
        document: (both || !file).then(|| Json::of(&document)),
        file: (both || file).then(|| Json::of(&public_jwk(&encryption()))),
        pins,
        document_text: Vec::new(),
        file_text: Vec::new(),
    }
}

/// One edit of a JWK.
fn edit_jwk(draw: &mut Draw, jwk: &mut Json) {
    let other = public_jwk(&key("forge other"));
    let text = |value: &Value| Json::Text(value.as_str().unwrap_or_default().into());
    match draw.below(10) {
        0 => *jwk = Json::of(&other),
        1 => *jwk.member("x") = text(&other["x"]),
        2 => {
            *jwk.member("d") =
                draw.pick([Json::Text("x".into()), Json::Raw("null".into()), Json::Text(String::new())])
        }
        3 => {
            *jwk.member(draw.pick(["kid", "use", "alg", "key_ops", "x5c", "ext", "D"])) =
                Json::Text("x".into())
        }
        4 => *jwk.member("kty") = Json::Text(draw.pick(["ec", "RSA", "\\u0045C", "EC "]).into()),
        5 => {
            *jwk.member("crv") =
                Json::Text(draw.pick(["P-384", "p-256", "P-\\u0032\\u0035\\u0036", ""]).into())
        }
        6 => {
            let name = draw.pick(["x", "y"]);
            let Json::Text(old) = jwk.member(name).clone() else { return };
            let new = draw.pick([
                format!("{old}="),
                format!("AA{old}"),
                b64u([0; 32]),
                b64u([0xff; 32]),
                b64([7; 32]),
            ]);
            *jwk.member(name) = Json::Text(new);
        }
        _ => jwk.edit(draw),
    }
}

/// One edit of what the document says.
fn edit_document(draw: &mut Draw, document: &mut Json) {
    match draw.below(14) {
        0..3 => edit_jwk(draw, document.member("join").member("encryptionJwk")),
        3 | 4 => {
            let der = certificate::signing(draw);
            let text = match draw.below(6) {
                0 => b64u(&der),
                1 => b64(&der).trim_end_matches('=').into(),
                2 => format!("{}\\n", b64(&der)),
                3 => format!("-----BEGIN CERTIFICATE-----\\n{}", b64(&der)),
                _ => b64(&der),
            };
            *document.member("join").member("signingCertificate") = Json::Text(text);
        }
        5 => {
            let name = draw.pick(["encryptionKeyPin", "signingKeyPin"]);
            edit_pin(draw, document.member("join").member(name));
        }
        6 => edit_pin(draw, document.member("gateway").member("servingCaPin")),
        7 | 8 => {
            let mut new = url(draw);
            edit_url(draw, &mut new);
            *document.member("gateway").member("url") = Json::Text(new);
        }
        9 => {
            let name = draw.pick(["\"\"", "null", "1", "\"é\"", "[]"]);
            *document.member("gateway").member("serverName") = Json::Raw(name.into());
        }
        10 => {
            let name = draw.pick(["name", "version", "basePath", "protocol", "gateway", "join"]);
            *document.member(name) =
                Json::Raw(draw.pick(["null", "1", "[]", "{}", "\"\"", "{\"min\":2}"]).into());
        }
        11 => {
            let name = draw.pick(["join", "gateway"]);
            document.member(name).edit(draw);
        }
        12 => {
            let filler = "x".repeat(draw.pick([64_000, 64_300, 65_000, 65_500]));
            *document.member("filler") = Json::Text(filler);
        }
        _ => document.edit(draw),
    }
}

fn edit_pin(draw: &mut Draw, value: &mut Json) {
    let mut text = match value {
        Json::Text(text) => text.clone(),
        _ => pin_of(b"none"),
    };
    match draw.below(3) {
        0 => text = pin_of(&draw.octets(8)),
        _ => pin::edit(draw, &mut text),
    }
    *value = Json::Text(text);
}

fn edit(draw: &mut Draw, draft: &mut Draft) {
    match (draw.below(10), &mut draft.document, &mut draft.file) {
        (0, _, _) => {
            let name = draw.pick(["encryption", "signing", "servingCa"]);
            let own = draft.pins[name][0].clone();
            let near = pin::near(draw, &spki(&encryption()));
            let any = pin_of(&draw.octets(8));
            let other = Value::from(draw.pick([any, near]));
            draft.pins[name] = draw.pick([json!([other]), json!([other, own]), json!([other]), json!([])]);
            if own.is_null() {
                draft.pins[name] = json!([other]);
            }
        }
        (1, Some(_), _) => draft.document_text.push(draw.clone()),
        (1 | 2, None, Some(_)) => draft.file_text.push(draw.clone()),
        (2, _, _) => draft.document = None,
        (3.., _, Some(file)) => edit_jwk(draw, file),
        (_, Some(document), _) => edit_document(draw, document),
        _ => {}
    }
}

fn written(value: Option<Json>, edits: Vec<Draw>) -> Option<Value> {
    let mut octets = value?.text().into_bytes();
    for mut draw in edits {
        json_text::edit_whole(&mut draw, &mut octets);
    }
    Some(b64u(octets).into())
}

pub(super) fn select(plan: &mut Plan<'_>) -> Made {
    let mut draft = base(&mut plan.draw("document"));
    for mut draw in plan.edits("document") {
        edit(&mut draw, &mut draft);
    }
    Made::new(json!({
        "keyFile": written(draft.file, draft.file_text),
        "document": written(draft.document, draft.document_text),
        "pins": draft.pins,
    }))
}
