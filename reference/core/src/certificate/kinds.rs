//! Which command kinds a certificate accepts (CERTIFICATE-6). Enqueue and dispatch use this one function.

/// Whether a command of this kind may be sent.
#[must_use]
pub fn is_allowed(allowed_kinds: Option<&[String]>, kind: &str) -> bool {
    // CERTIFICATE-6: an absent list allows every kind, an empty one none.
    allowed_kinds.is_none_or(|entries| entries.iter().any(|entry| matches(entry, kind)))
}

fn matches(entry: &str, kind: &str) -> bool {
    // CERTIFICATE-6: `<prefix>.*` goes on by at least one character; a `*` anywhere else matches nothing.
    match entry.strip_suffix(".*") {
        Some(prefix) if prefix.is_empty() || prefix.contains('*') => false,
        Some(prefix) => kind
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix('.'))
            .is_some_and(|rest| !rest.is_empty()),
        None => !entry.contains('*') && entry == kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(entries: &[&str], kind: &str) -> bool {
        let entries: Vec<String> = entries.iter().map(|&entry| entry.to_owned()).collect();
        is_allowed(Some(&entries), kind)
    }

    #[test]
    fn the_example_of_the_page() {
        let entries = ["node.reboot", "log.*"];
        for good in ["node.reboot", "log.read", "log.read.tail"] {
            assert!(allows(&entries, good), "{good}");
        }
        for bad in ["log", "log.", "logs.read", "node.reboot.hard", "Node.reboot", ""] {
            assert!(!allows(&entries, bad), "{bad}");
        }
    }

    #[test]
    fn absent_is_all_empty_is_none_and_a_star_elsewhere_is_nothing() {
        assert!(is_allowed(None, "anything"));
        assert!(!allows(&[], "anything"));
        for entry in ["*", ".*", "*.*", "lo*.*", "log*", "*.read", "log.*.tail", "log.**"] {
            for kind in [entry, "log.read", "log.read.tail", "log.x", ".x"] {
                assert!(!allows(&[entry], kind), "{entry} {kind}");
            }
        }
    }
}
