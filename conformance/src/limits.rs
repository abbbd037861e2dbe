//! How long and how much a subject may take. Tests use shorter ones; nothing in the environment changes them.

use std::time::Duration;

/// Every limit of the judge, in one place (conformance/SHIM.md, *Limits and accidents*).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until hello is answered: 30 s, for virtual machines that start slowly.
    pub hello: Duration,
    /// For the first call of a process: 10 s.
    pub first_call: Duration,
    /// For a later call: 2 s.
    pub call: Duration,
    /// From bye to exit: 2 s.
    pub bye: Duration,
    /// Crashes, timeouts and the like in one op before its rest is not run.
    pub strikes: usize,
    /// Resident memory of the whole process group, in octets: 1 GiB.
    pub resident_bytes: u64,
    /// Octets of standard error that are kept: 64 KiB.
    pub stderr_bytes: usize,
    /// Octets of one line of standard output: 1 MiB.
    pub line_bytes: usize,
    /// Lines that are no message, in one process, before the subject counts as flooding.
    pub log_lines: usize,
    /// Failed cases that are run again alone, to see whether their order matters.
    pub alone_again: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hello: Duration::from_secs(30),
            first_call: Duration::from_secs(10),
            call: Duration::from_secs(2),
            bye: Duration::from_secs(2),
            strikes: 3,
            resident_bytes: 1 << 30,
            stderr_bytes: 64 << 10,
            line_bytes: 1 << 20,
            log_lines: 20_000,
            alone_again: 32,
        }
    }
}
