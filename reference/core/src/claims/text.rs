//! The text rule, which every claim passes first (CLAIMS-1).

use crate::limits::CLAIM_MAX_BYTES;
use crate::reason::Reason;

/// Trims, folds and lower-cases a raw value; `None` when nothing is left.
pub(super) fn normalize(raw: &[u8]) -> Result<Option<String>, Reason> {
    // CLAIMS-1: a raw value of more than 256 octets, or invalid UTF-8, refuses the request.
    if raw.len() > CLAIM_MAX_BYTES {
        return Err(Reason::Claims);
    }
    let text = std::str::from_utf8(raw).map_err(|_| Reason::Claims)?;
    // CLAIMS-1: NUL and white space at both ends, inner runs of white space (not of NUL), ASCII lower case.
    let trimmed = text.trim_matches(|c| c == '\0' || is_blank(c));
    let words: Vec<&str> = trimmed.split(is_blank).filter(|word| !word.is_empty()).collect();
    let folded = words.join(" ").to_ascii_lowercase();
    // CLAIMS-1: a control character that is left refuses (U+0000–1F, U+007F, U+0080–9F: the category Cc).
    if folded.chars().any(char::is_control) {
        return Err(Reason::Claims);
    }
    Ok(Some(folded).filter(|text| !text.is_empty()))
}

/// ASCII white space: 0x20 and 0x09 to 0x0d. The standard library's notion leaves out 0x0b.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}
