//! The table of `README.md`, made from the claims.

use std::fmt::Write as _;

use crate::admission::Admission;
use crate::identity::Identity;
use crate::renewal::Renewal;
use crate::types::{Explained, FLAGS, Kind};

/// The part of the page that is made: a section for each model.
#[must_use]
pub fn page() -> String {
    [section::<Admission>(), section::<Identity>(), section::<Renewal>()].concat()
}

fn section<M: Explained>() -> String {
    let mut page = format!("## {}\n\nBounds: {}. {} states.\n\n", M::NAME, M::BOUNDS, M::STATES);
    page.push_str("| in every state | needs | in some state |\n|---|---|---|\n");
    let claims = M::claims();
    for claim in &claims {
        let needs = match claim.kind {
            Kind::Fails => "**fails**, as the design says".to_owned(),
            Kind::Holds => claim.rules.iter().map(|flag| format!("`{flag}`")).collect::<Vec<_>>().join(", "),
        };
        let _ = writeln!(page, "| {} | {needs} | {} |", claim.sentence, claim.twin);
    }
    page.push_str("\n| flag | rule | without it |\n|---|---|---|\n");
    for flag in FLAGS.iter().filter(|flag| claims.iter().any(|claim| claim.rules.contains(&flag.name))) {
        let _ = writeln!(page, "| `{}` | {} | {} |", flag.name, flag.rule, flag.off);
    }
    page.push('\n');
    page
}
