//! Published test tokens (TOKEN-1), each made from its name: never accept one outside tests.

use super::encode::b64u;
use super::keys::hash;

/// A bearer token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// `jt_` and 26 characters.
    pub id: String,
    /// 32 octets.
    pub secret: [u8; 32],
}

/// The test token of that name: id and secret come from it.
#[must_use]
pub fn token(name: &str) -> Token {
    let [id, secret] = ["id", "secret"].map(|part| hash(format!("published test token: {name}: {part}")));
    let (octets, _) = id.split_at(16);
    Token { id: type_id("jt", octets), secret }
}

/// A TypeID: prefix, `_`, and 128 bits as 26 characters of lower-case Crockford base32, the first `0` to `7`.
#[must_use]
pub fn type_id(prefix: &str, octets: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let number = octets.iter().take(16).fold(0u128, |number, &octet| number << 8 | u128::from(octet));
    let digits = (0..26).rev().map(|place| ((number >> (place * 5)) & 31) as usize);
    let text: String = digits.filter_map(|digit| ALPHABET.get(digit)).map(|&c| char::from(c)).collect();
    format!("{prefix}_{text}")
}

impl Token {
    /// The bearer text: `bcjt_<id>.<secret>`, 78 characters.
    #[must_use]
    pub fn text(&self) -> String {
        format!("bcjt_{}.{}", self.id, b64u(self.secret))
    }

    /// What the server keeps of the secret (TOKEN-3).
    #[must_use]
    pub fn secret_sha256(&self) -> [u8; 32] {
        hash(self.secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_the_spec_comes_out() {
        let uuid = hex::decode("019b76daa80070008000000000000001").unwrap();
        let token = Token { id: type_id("jt", &uuid), secret: std::array::from_fn(|place| place as u8) };
        let text = "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
        assert_eq!(token.text(), text);
        let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
        assert_eq!(hex::encode(token.secret_sha256()), hash);
    }

    #[test]
    fn names_give_different_tokens_of_78_characters() {
        assert_ne!(token("a"), token("b"));
        assert_eq!(token("a").text().len(), 78);
        assert!(token("a").id.as_bytes()[3] <= b'7');
    }
}
