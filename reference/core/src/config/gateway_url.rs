//! The one form of a gateway's URL (CONFIG-1). URL parsers mend blanks, backslashes, odd hosts and an empty userinfo
//! silently, each in its own way; so the text is read by a grammar of its own.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The longest host name and the longest label, in characters (RFC 1035 section 2.3.4).
const NAME_MAX: usize = 253;
const LABEL_MAX: usize = 63;

/// Whether a text is the URL of a gateway: `https://`, a host, perhaps a port, perhaps a path (CONFIG-1).
#[must_use]
pub fn is_gateway_url(text: &str) -> bool {
    // CONFIG-1: begins `https://`; no userinfo, query or fragment.
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    path.bytes().all(|octet| octet.is_ascii_graphic() && !matches!(octet, b'\\' | b'?' | b'#'))
        && is_authority(authority)
}

fn is_authority(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix('[') {
        // CONFIG-1: an IPv6 address in brackets, without a zone.
        let Some((address, port)) = rest.split_once(']') else { return false };
        return address.parse::<Ipv6Addr>().is_ok()
            && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    match text.split_once(':') {
        Some((host, port)) => is_host(host) && is_port(port),
        None => is_host(text),
    }
}

/// CONFIG-1: 1..=65535 in decimal, without a leading zero.
fn is_port(text: &str) -> bool {
    let digits = text.len() <= 5 && text.bytes().all(|octet| octet.is_ascii_digit());
    digits && !text.starts_with('0') && text.parse::<u16>().is_ok()
}

/// CONFIG-1: labels of letters, digits, `-` and `_`; when the last is a number, all of it is an IPv4 address.
fn is_host(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or_default();
    if !last.is_empty() && last.bytes().all(|octet| octet.is_ascii_digit()) {
        return text.parse::<Ipv4Addr>().is_ok();
    }
    text.len() <= NAME_MAX && text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    let letters = text.bytes().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_'));
    letters && (1..=LABEL_MAX).contains(&text.len())
}
