//! Values that firmware was shipped with and nobody filled in (CLAIMS-5). The list is data:
//! docs/spec/placeholders.toml.

use std::collections::HashSet;
use std::sync::OnceLock;

use serde::Deserialize;

use super::mac::Mac;
use super::uuid::Uuid;

/// Whether a serial or another text is a placeholder.
pub(super) fn is_text(text: &str) -> bool {
    let list = list();
    // CLAIMS-5: repeated, or a text entry with dots, underscores and blanks removed on both sides, or a
    // number exactly.
    is_repeated(text) || list.texts.contains(&squeezed(text)) || list.numbers.contains(text)
}

/// Whether a product UUID is a placeholder.
pub(super) fn is_uuid(uuid: Uuid) -> bool {
    let list = list();
    let dashed = uuid.to_string();
    // CLAIMS-5: repeated over the 32 digits, an entry or its twin, or an anchored prefix of the dashed form.
    is_repeated(&dashed.replace('-', ""))
        || list.uuids.contains(&uuid)
        || list.uuids.contains(&uuid.twin())
        || list.uuid_prefixes.iter().any(|prefix| dashed.starts_with(prefix))
}

/// Whether a MAC is an address that a vendor gives to every machine.
pub(super) fn is_mac(mac: Mac) -> bool {
    let list = list();
    // CLAIMS-5: an entry, or an anchored prefix of the form with colons.
    let text = mac.to_string();
    list.macs.contains(&mac) || list.mac_prefixes.iter().any(|prefix| text.starts_with(prefix))
}

/// Whether a GPU's UUID is a placeholder.
pub(super) fn is_gpu(text: &str) -> bool {
    // CLAIMS-5: one leading `gpu-` is left out for this test; an empty rest is a placeholder.
    let rest = text.strip_prefix("gpu-").unwrap_or(text);
    rest.is_empty() || Uuid::parse(rest).is_some_and(is_uuid) || is_text(rest)
}

/// Whether a text is one character repeated, a single one included.
fn is_repeated(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| characters.all(|c| c == first))
}

fn squeezed(text: &str) -> String {
    text.replace(['.', '_', ' '], "")
}

/// The list, made ready for comparison.
struct List {
    texts: HashSet<String>,
    numbers: HashSet<String>,
    uuids: Vec<Uuid>,
    uuid_prefixes: Vec<String>,
    macs: Vec<Mac>,
    mac_prefixes: Vec<String>,
}

/// The list as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    text: Vec<Entry>,
    number: Vec<Entry>,
    uuid: Vec<Entry>,
    uuid_prefix: Vec<Entry>,
    mac: Vec<Entry>,
    mac_prefix: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    value: String,
}

#[expect(clippy::expect_used, reason = "the file is compiled in, and a test reads every entry of it")]
fn list() -> &'static List {
    static LIST: OnceLock<List> = OnceLock::new();
    LIST.get_or_init(|| {
        read(include_str!("../../../../docs/spec/placeholders.toml")).expect("a readable list")
    })
}

fn read(file: &str) -> Option<List> {
    let file: File = toml::from_str(file).ok()?;
    let values = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.value);
    Some(List {
        texts: values(file.text).map(|text| squeezed(&text)).collect(),
        numbers: values(file.number).collect(),
        uuids: values(file.uuid).map(|text| Uuid::parse(&text)).collect::<Option<_>>()?,
        uuid_prefixes: values(file.uuid_prefix).collect(),
        macs: values(file.mac).map(|text| Mac::parse(&text)).collect::<Option<_>>()?,
        mac_prefixes: values(file.mac_prefix).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_file_is_caught_as_what_it_is() {
        let file: File = toml::from_str(include_str!("../../../../docs/spec/placeholders.toml")).unwrap();
        for entry in file.text.iter().chain(&file.number) {
            assert!(is_text(&entry.value), "{}", entry.value);
        }
        for entry in &file.uuid {
            let uuid = Uuid::parse(&entry.value).unwrap();
            assert!(is_uuid(uuid) && is_uuid(uuid.twin()), "{uuid}");
            assert!(is_gpu(&format!("gpu-{uuid}")), "{uuid}");
        }
        for entry in &file.mac {
            assert!(is_mac(Mac::parse(&entry.value).unwrap()), "{}", entry.value);
        }
    }

    #[test]
    fn texts_are_written_lower_case_and_carry_a_letter_and_numbers_do_not() {
        let file: File = toml::from_str(include_str!("../../../../docs/spec/placeholders.toml")).unwrap();
        for entry in &file.text {
            assert!(entry.value.chars().any(char::is_alphabetic), "{}", entry.value);
            assert_eq!(entry.value, entry.value.to_lowercase());
        }
        for entry in &file.number {
            assert!(!entry.value.chars().any(char::is_alphabetic), "{}", entry.value);
        }
    }

    #[test]
    fn nothing_is_matched_inside_a_longer_value() {
        for real in
            ["default string 7", "cn1234.5", "0123456789a", "sn-1234567891", "1234567890123", "5q4q7y1"]
        {
            assert!(!is_text(real), "{real}");
        }
    }

    #[test]
    fn texts_are_compared_without_dots_underscores_and_blanks_and_numbers_exactly() {
        assert!(is_text("to be filled by oem"));
        assert!(is_text("default_string"));
        assert!(is_text("d.e f_aultstring"));
        assert!(is_text("123456789"));
        assert!(!is_text("123.456789"));
        assert!(!is_text("1234_56789"));
    }

    #[test]
    fn one_character_repeated_is_a_placeholder() {
        for repeated in ["x", "11111111", "------", "éé"] {
            assert!(is_text(repeated), "{repeated}");
        }
        assert!(!is_text("11111112"));
        assert!(is_uuid(Uuid([0x77; 16])));
        assert!(!is_uuid(Uuid([0x78; 16])));
    }

    #[test]
    fn prefixes_are_anchored() {
        let uuid = |text| is_uuid(Uuid::parse(text).unwrap());
        assert!(uuid("00000000-0000-0000-0000-94de8006f8d5"));
        assert!(!uuid("94de8006-f8d5-0000-0000-000000000000"));
        assert!(is_mac(Mac([0x00, 0x50, 0x56, 0xc0, 0x12, 0x34])));
        assert!(!is_mac(Mac([0x00, 0x50, 0x56, 0xc1, 0x12, 0x34])));
    }
}
