//! Live progress: a bar on a terminal, a few plain lines in a pipe.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of something that is counted.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    what: &'static str,
    quarters: usize,
}

impl Progress {
    /// Counts `what`, on standard error.
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.set_message(what);
            bar
        });
        Self { bar, what, quarters: 0 }
    }

    /// So many of so many are done.
    pub(crate) fn at(&mut self, done: usize, of: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(u64::try_from(of).unwrap_or(u64::MAX));
            bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
            return;
        }
        let quarters = (done * 4).checked_div(of).unwrap_or_default();
        if quarters > self.quarters {
            self.quarters = quarters;
            eprintln!("{done} of {of} {}", self.what);
        }
    }

    /// Takes the bar away.
    pub(crate) fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
