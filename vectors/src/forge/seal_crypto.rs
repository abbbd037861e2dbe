//! Edits of what a seal is encrypted with; header and encryption agree where another algorithm is named.

use super::bytes;
use super::draw::Draw;
use super::json_text::Json;
use super::seal::{Draft, server};
use super::token;
use crate::testkit::seal::jwe::{self, Content};
use crate::testkit::seal::{ALG, ENC};

/// One edit of keys, lengths, algorithms or the plaintext.
pub(super) fn edit(draw: &mut Draw, draft: &mut Draft) {
    match draw.below(7) {
        0 | 1 => algorithm(draw, draft),
        2 => encrypted_key(draw, draft),
        3 | 6 => lengths(draw, draft),
        4 => plaintext(draw, draft),
        _ => derivation(draw, draft),
    }
}

/// Another algorithm, honestly used.
fn algorithm(draw: &mut Draw, draft: &mut Draft) {
    let seal = &mut draft.seal;
    let text = |word: &str| Json::Text(word.into());
    match draw.below(7) {
        0 => {
            (seal.label, seal.kek_octets) = ("ECDH-ES+A128KW".into(), 16);
            *draft.header.member("alg") = text("ECDH-ES+A128KW");
        }
        1 => {
            (seal.label, seal.kek_octets) = ("ECDH-ES+A192KW".into(), 24);
            *draft.header.member("alg") = text("ECDH-ES+A192KW");
        }
        2 => {
            // Direct agreement: the derived key is the content key, and the encrypted key is empty.
            seal.cek = jwe::concat_kdf(&seal.z, ENC, &[], &[], 32);
            seal.encrypted_key = Some(Vec::new());
            *draft.header.member("alg") = text("ECDH-ES");
        }
        3 => {
            seal.cek.truncate(16);
            *draft.header.member("enc") = text("A128GCM");
        }
        4 => {
            seal.cek = draw.octets(64);
            (seal.content, seal.iv) = (Content::CbcHs512, draw.octets(16));
            *draft.header.member("enc") = text("A256CBC-HS512");
        }
        5 => {
            (seal.apu, seal.apv) = (b"Alice".to_vec(), b"Bob".to_vec());
            *draft.header.member("apu") = text("QWxpY2U");
            *draft.header.member("apv") = text("Qm9i");
        }
        // A content key of another length under the protocol's own name.
        _ => seal.cek.truncate(draw.pick([16, 24])),
    }
}

fn encrypted_key(draw: &mut Draw, draft: &mut Draft) {
    let seal = &mut draft.seal;
    let wrapped = jwe::wrap(&seal.kek(), &seal.cek);
    let changed = match draw.below(8) {
        0 => Vec::new(),
        1 => wrapped.get(..32).unwrap_or_default().to_vec(),
        2 => [wrapped.as_slice(), &[0; 8]].concat(),
        3 => jwe::wrap_padded(&seal.kek(), &seal.cek),
        4 => jwe::wrap(&seal.kek(), &[seal.cek.as_slice(), &[0; 8]].concat()),
        5 => jwe::wrap(&draw.octets(32), &seal.cek),
        6 => seal.cek.clone(),
        _ => {
            let mut wrapped = wrapped;
            bytes::edit(draw, &mut wrapped);
            wrapped
        }
    };
    seal.encrypted_key = Some(changed);
}

fn lengths(draw: &mut Draw, draft: &mut Draft) {
    let seal = &mut draft.seal;
    match draw.below(6) {
        0 => seal.iv = draw.octets(16),
        1 => {
            let length = draw.pick([0, 11, 13]);
            seal.iv.resize(length, 0);
        }
        2 => seal.plaintext = Vec::new(),
        3 => seal.aad = Some(seal.header_octets()),
        _ => {
            let [header, _, _, _, _] = seal.clone().header(draft.header.text().into_bytes()).parts();
            let (_, mut tag) =
                jwe::encrypt(seal.content, &seal.cek, &seal.iv, header.as_bytes(), &seal.plaintext);
            match draw.below(4) {
                0 => tag.truncate(draw.pick([0, 4, 8, 12, 15])),
                1 => tag.push(0),
                2 => tag.fill(0),
                _ => bytes::edit(draw, &mut tag),
            }
            seal.tag = Some(tag);
        }
    }
}

fn plaintext(draw: &mut Draw, draft: &mut Draft) {
    let plaintext = &mut draft.seal.plaintext;
    match draw.below(5) {
        0 => *plaintext = format!("\"{}\"", String::from_utf8_lossy(plaintext)).into_bytes(),
        1 => {
            let size = draw.pick([2000, 2300, 2400, 2500, 4000]);
            *plaintext = vec![b'x'; size];
        }
        _ => token::edit(draw, plaintext),
    }
}

/// The right names, and a derivation that is not theirs.
fn derivation(draw: &mut Draw, draft: &mut Draft) {
    let seal = &mut draft.seal;
    match draw.below(7) {
        0 => seal.label = ENC.into(),
        1 => seal.label = ALG.to_ascii_lowercase(),
        2 => seal.label = String::new(),
        3 => seal.kek_octets = draw.pick([16, 24]),
        4 => seal.apu = b"x".to_vec(),
        5 => seal.z = draw.octets(32),
        // To another key that the server may hold.
        _ => {
            let ephemeral = crate::testkit::keys::key(&format!("forge ephemeral {}", draw.below(50)));
            draft.recipient = server(draw.below(3));
            draft.seal = draft.seal.clone().ephemeral(&ephemeral, &draft.recipient);
            *draft.header.member("epk") = Json::of(&crate::testkit::keys::public_jwk(&ephemeral));
        }
    }
}
