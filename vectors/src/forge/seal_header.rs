//! Edits of the values in a seal's header (SEAL-4, SEAL-5, SEAL-7).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::draw::Draw;
use super::json_text::Json;
use super::seal::{Draft, server};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{hash, key, public_jwk};
use crate::testkit::p384;
use crate::testkit::seal::pin;
use crate::testkit::signature::spki;

/// One edit of a value.
pub(super) fn edit(draw: &mut Draw, draft: &mut Draft) {
    match draw.below(7) {
        0 | 1 => *draft.header.member("iat") = Json::Raw(iat(draw)),
        2 => *draft.header.member("kid") = kid(draw, draft),
        3 => {
            let name = draw.pick(["alg", "enc", "typ"]);
            *draft.header.member(name) = Json::Text(word(draw, name));
        }
        4 => *draft.header.member("csr") = csr(draw),
        _ => epk(draw, draft),
    }
}

fn iat(draw: &mut Draw) -> String {
    let odd = [
        "1767225600.0",
        "1.7672256e9",
        "+1767225600",
        "-0",
        "0",
        "00",
        "01767225600",
        "-1",
        "253402300799",
        "253402300800",
        "\"1767225600\"",
        "null",
        "true",
        "17672256e2",
        "9007199254740993",
        "1767225600 ",
        "18446744073709551616",
        "1767225600,",
        "[1767225600]",
        "0x0",
        "1767225600.",
        "1767225600E0",
        "6_0",
    ];
    match draw.below(3) {
        0 => draw.range(0, 253_402_300_799).to_string(),
        _ => draw.pick(odd).into(),
    }
}

fn kid(draw: &mut Draw, draft: &Draft) -> Json {
    let own = pin(&spki(&draft.recipient));
    let digest = hash(spki(&draft.recipient));
    let text = match draw.below(13) {
        0 => pin(&spki(&server(0))),
        1 => pin(&spki(&server(1))),
        2 => pin(&spki(&server(9))),
        3 => format!("sha256/{}", b64u(digest)),
        4 => format!("sha256/{}", hex::encode(digest)),
        5 => own.to_ascii_uppercase(),
        6 => own.replacen('/', "\\/", 1),
        7 => own.replacen('s', "\\u0073", 1),
        8 => format!("{own} "),
        9 => b64(digest),
        10 => "k".repeat(draw.pick([10, 2600, 2700, 2750, 3000])),
        11 => String::new(),
        _ => return Json::Raw(draw.pick(["null", "1", "[]", "{}", "true", "0.0"]).into()),
    };
    Json::Text(text)
}

fn word(draw: &mut Draw, name: &str) -> String {
    let words: &[&str] = match name {
        "alg" => &[
            "ECDH-ES",
            "ECDH-ES+A128KW",
            "ecdh-es+a256kw",
            "dir",
            "A256KW",
            "RSA-OAEP",
            "none",
            "ECDH-ES+A256KW ",
            "ECDH-ES\\u002bA256KW",
            "",
        ],
        "enc" => &["A128GCM", "A256CBC-HS512", "a256gcm", "A192GCM", "A256GCM\\u0000", "A256\\u0047CM", ""],
        _ => &["JWE", "BCJT+JWE", "application/bcjt+jwe", "bcjt\\u002bjwe", "bcjt+jwe ", "bcjt", ""],
    };
    draw.one(words).copied().unwrap_or_default().into()
}

fn csr(draw: &mut Draw) -> Json {
    let right = b64u(draw.octets(32));
    match draw.below(9) {
        0 => Json::Text(right),
        1 => Json::Text(format!("{right}=")),
        2 => Json::Text(hex::encode(draw.octets(32))),
        3 => Json::Text(b64u(draw.octets(31))),
        4 => Json::Text(b64u(draw.octets(33))),
        5 => Json::Text(b64(draw.octets(32))),
        6 => Json::Text(String::new()),
        7 => Json::Text(format!("{}B", right.get(..42).unwrap_or_default())),
        _ => Json::Raw(draw.pick(["null", "0", "[]", "{}"]).into()),
    }
}

fn epk(draw: &mut Draw, draft: &mut Draft) {
    let point = public_jwk(&key("forge epk"));
    let value = |name: &str| point[name].as_str().unwrap_or_default().to_owned();
    let zeros = b64u([0; 32]);
    let prime = "_____wAAAAEAAAAAAAAAAAAAAAD_______________8";
    let epk = draft.header.member("epk");
    match draw.below(18) {
        // Another point, on the curve, for which the keys do not fit.
        0 => (*epk.member("x"), *epk.member("y")) = (Json::Text(value("x")), Json::Text(value("y"))),
        1 => *epk.member("x") = Json::Text(value("x")),
        2 => (*epk.member("x"), *epk.member("y")) = (Json::Text(zeros.clone()), Json::Text(zeros)),
        3 => *epk.member("x") = Json::Text(prime.into()),
        4 => *epk.member("y") = Json::Text(String::new()),
        5 => {
            let name = draw.pick(["x", "y"]);
            let Json::Text(text) = epk.member(name).clone() else { return };
            let longer =
                draw.pick([format!("AA{text}"), format!("{text}="), format!("{text}AA"), format!("A{text}")]);
            *epk.member(name) = Json::Text(longer);
        }
        6 => *epk.member("crv") = Json::Text(draw.pick(["P-384", "p-256", "secp256r1", "X25519", ""]).into()),
        7 => *epk.member("kty") = Json::Text(draw.pick(["ec", "OKP", "RSA", "EC ", ""]).into()),
        8 => {
            let spki = p384::spki(&p384::key("forge epk"));
            let (x, y) = (spki.get(24..72).unwrap_or_default(), spki.get(72..).unwrap_or_default());
            (*epk.member("x"), *epk.member("y")) = (Json::Text(b64u(x)), Json::Text(b64u(y)));
            *epk.member("crv") = Json::Text("P-384".into());
        }
        9 => {
            *epk.member(draw.pick(["d", "kid", "use", "alg", "key_ops", "x5c", "z", ""])) =
                Json::Text("x".into())
        }
        10 => *epk = Json::Raw(draw.pick(["null", "[]", "\"\"", "{}", "1"]).into()),
        11 => *epk = Json::Text(epk.text().replace('"', "\\\"")),
        12 => epk.edit(draw),
        _ => short_coordinate(draw, draft),
    }
}

/// An honest ephemeral key whose x begins with a zero octet, written whole or, wrongly, without it.
fn short_coordinate(draw: &mut Draw, draft: &mut Draft) {
    // One key in 256 begins so.
    let found = (0..2000)
        .map(|number| key(&format!("forge short {number}")))
        .find(|ephemeral| octets_of(&public_jwk(ephemeral)["x"]).first() == Some(&0));
    let Some(ephemeral) = found else { return };
    let jwk = public_jwk(&ephemeral);
    draft.seal = draft.seal.clone().ephemeral(&ephemeral, &draft.recipient);
    *draft.header.member("epk") = Json::of(&jwk);
    if draw.chance(70) {
        let x = octets_of(&jwk["x"]);
        *draft.header.member("epk").member("x") = Json::Text(b64u(x.get(1..).unwrap_or_default()));
    }
}

/// The octets of a text in base64url.
fn octets_of(text: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text.as_str().unwrap_or_default()).unwrap_or_default()
}
