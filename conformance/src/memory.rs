//! How much memory a process group holds, from `/proc`.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(20);
/// A look costs a read of every process of the machine, so it is made at every tenth pause only.
const PAUSES_PER_LOOK: u32 = 10;
const PAGE_BYTES: u64 = 4096;

/// Waits until the group holds more than `most` octets (true) or `stop` is set (false).
pub(crate) fn watch(group: i32, most: u64, stop: &AtomicBool) -> bool {
    for pause in 1u32.. {
        thread::sleep(PAUSE);
        if stop.load(Ordering::SeqCst) {
            return false;
        }
        if pause % PAUSES_PER_LOOK == 0 && resident_bytes(group) > most {
            return true;
        }
    }
    false
}

/// The resident octets of every process of the group; what cannot be read counts nothing.
fn resident_bytes(group: i32) -> u64 {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|octet| octet.is_ascii_digit()))
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        .filter_map(|stat| resident_of(&stat, group))
        .sum()
}

/// proc_pid_stat(5): the name in brackets may hold anything; field 5 is the group, field 24 the resident pages.
fn resident_of(stat: &str, group: i32) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let of: i32 = fields.nth(2)?.parse().ok()?;
    let pages: u64 = fields.nth(18)?.parse().ok()?;
    (of == group).then(|| pages.saturating_mul(PAGE_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_and_pages_are_found_behind_a_name_with_brackets() {
        let stat =
            "7 (a) b) S 1 42 7 0 -1 4194560 100 0 0 0 0 0 0 0 20 0 1 0 5000 1000000 25 18446744073709551615";
        assert_eq!(resident_of(stat, 42), Some(25 * 4096));
        assert_eq!(resident_of(stat, 43), None);
    }
}
