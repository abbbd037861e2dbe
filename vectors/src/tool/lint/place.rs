//! Places inside decoded bytes (`/in/seal:header.epk.y`): what a mutation really changed.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use vectors::testkit::{decode, decode_response};

use super::twin::{base, diff};

/// Gives the places that differ (or that no view shows), and says what differs beside them.
pub(super) fn check<'l>(
    listed: &[&'l str],
    twin: &Value,
    case: &Value,
    say: &mut impl FnMut(String),
) -> BTreeSet<&'l str> {
    let mut found = BTreeSet::new();
    let bases: BTreeSet<&str> = listed.iter().filter(|at| at.contains(':')).map(|at| base(at)).collect();
    for pointer in bases {
        let here: Vec<&str> = listed.iter().copied().filter(|at| base(at) == pointer).collect();
        let Some((left, right)) = view(pointer, twin).zip(view(pointer, case)) else {
            // Another type than bytes on one side: that the value differs is all there is to see.
            found.extend(here);
            continue;
        };
        let mut differences = BTreeSet::new();
        diff("", &left, &right, &mut differences);
        let places: Vec<&str> =
            here.iter().filter_map(|at| at.split_once(':')).map(|(_, place)| place).collect();
        // A pointer that stands there without a place too means the bytes as a whole.
        if places.len() == here.len() {
            let beside = differences.iter().filter(|difference| !explained(pointer, difference, &places));
            beside.for_each(|at| say(format!("{pointer}:{} differs and is not in the mutation", dotted(at))));
        }
        for at in here {
            if at.split_once(':').is_none_or(|(_, place)| seen(place, &differences, &left, &right)) {
                found.insert(at);
            }
        }
    }
    found
}

/// The bytes at a pointer, taken apart by the kind that the pointer's last part names.
fn view(pointer: &str, input: &Value) -> Option<Value> {
    // A script's pointers begin at its root; a call's begin at its input.
    let text = input.pointer(pointer.strip_prefix("/in").unwrap_or(pointer))?.as_str()?;
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (owner, name) = pointer.rsplit_once('/')?;
    match name {
        "seal" => Some(decode::seal(&bytes)),
        "csr" => Some(decode::csr(&bytes)),
        "body" if owner.ends_with("/deferral") => Some(decode_response::deferral(&bytes)),
        "body" => Some(decode_response::response(&bytes)),
        _ => None,
    }
}

/// Whether a place differs; one that neither view shows (a plaintext, a key that is wrapped) is seen in what follows from it.
fn seen(place: &str, differences: &BTreeSet<String>, left: &Value, right: &Value) -> bool {
    let pointer = slashed(place);
    let shown = left.pointer(&pointer).is_some() || right.pointer(&pointer).is_some();
    let under =
        |difference: &String| difference.starts_with(&pointer) || pointer.starts_with(difference.as_str());
    if shown { differences.iter().any(under) } else { !differences.is_empty() }
}

/// Whether a difference stands at a place that was named, or follows from one.
fn explained(pointer: &str, difference: &str, places: &[&str]) -> bool {
    let part = difference.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_named = places.iter().any(|place| {
        let at = slashed(place);
        difference.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    is_named || matches!(part, "octets" | "hex") || places.iter().any(|place| follows(pointer, part, place))
}

/// Whether a part follows from a change of a place: what is derived, authenticated or signed with it.
fn follows(pointer: &str, part: &str, place: &str) -> bool {
    let cause = place.split(['.', '/']).next().unwrap_or_default();
    // These members say how key and content are encrypted (RFC 7516 4.1): an honest seal changes with them.
    let is_method = ["header.alg", "header.enc", "header.zip"].contains(&place);
    match pointer.rsplit('/').next().unwrap_or_default() {
        // A seal that falls into another number of parts shows its text alone.
        "seal" if cause == "parts" => true,
        "seal" => match part {
            "header" => cause == "headerText",
            "headerText" => cause == "header",
            // The key that wraps is derived from alg and epk (RFC 7518 4.6.2).
            "encryptedKey" => matches!(cause, "header" | "headerText" | "key" | "cek"),
            "iv" => is_method,
            "ciphertext" => is_method || matches!(cause, "plaintext" | "iv" | "key" | "cek" | "encryptedKey"),
            // The tag is over header, IV and ciphertext (RFC 7516 5.1).
            "tag" => true,
            _ => false,
        },
        "csr" => {
            part == "signature"
                && matches!(cause, "version" | "subject" | "publicKey" | "attributes" | "algorithm")
        }
        _ => false,
    }
}

fn slashed(place: &str) -> String {
    format!("/{}", place.replace('.', "/"))
}

fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use vectors::testkit::encode::b64u;
    use vectors::testkit::keys::key;
    use vectors::testkit::seal;

    use super::*;

    fn after(places: &[&str], left: &str, right: &str) -> (Vec<String>, usize) {
        let (left, right) = (json!({"seal": b64u(left)}), json!({"seal": b64u(right)}));
        let mut said = Vec::new();
        let found = check(places, &left, &right, &mut |what| said.push(what)).len();
        (said, found)
    }

    fn seals() -> (String, String) {
        let made = |iat| seal::honest("place", &key("place"), "plaintext", b"csr", iat).text();
        (made(7), made(8))
    }

    #[test]
    fn what_is_named_explains_the_difference_and_the_tag_follows() {
        let (left, right) = seals();
        assert_eq!(after(&["/in/seal:header.iat"], &left, &right), (Vec::new(), 1));
    }

    #[test]
    fn a_difference_that_is_not_named_is_said() {
        let (left, right) = seals();
        let (said, found) = after(&["/in/seal:header.csr"], &left, &right);
        assert!(said.iter().any(|what| what.contains("/in/seal:header.iat differs")), "{said:?}");
        assert_eq!(found, 0);
    }

    #[test]
    fn a_place_that_does_not_differ_is_not_found() {
        let (left, right) = seals();
        assert_eq!(after(&["/in/seal:header.iat", "/in/seal:iv"], &left, &right).1, 1);
    }
}
