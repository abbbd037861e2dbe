//! Octets for people: text where they are text, hexadecimal where not.

/// How many octets of hexadecimal stand in a line.
const LINE: usize = 48;

/// Whether people can read them: UTF-8 without control characters but for line ends and tabs.
pub(super) fn is_text(octets: &[u8]) -> bool {
    let readable = |text: &str| text.chars().all(|letter| !letter.is_control() || "\n\r\t".contains(letter));
    !octets.is_empty() && std::str::from_utf8(octets).is_ok_and(readable)
}

/// The octets in one line: a text in quotes with escapes, else hexadecimal, cut to `most` characters.
pub(super) fn brief(octets: &[u8], most: usize) -> String {
    let what = if is_text(octets) { format!("{:?}", String::from_utf8_lossy(octets)) } else { hex(octets) };
    let cut = crate::wire::clip(&what, most);
    format!("{cut}  ({} octets)", octets.len())
}

/// The octets in hexadecimal.
pub(super) fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

/// The octets in lines of hexadecimal.
pub(super) fn hex_lines(octets: &[u8]) -> Vec<String> {
    octets.chunks(LINE).map(hex).collect()
}
