//! HARDWARE-KEY: machines whose identifiers may be tied to each other.

use serde_json::json;

use super::claims::{Machine, edit, machine, tie};
use super::plan::{Made, Plan};

/// A machine, tied or not, with its edits.
fn any(plan: &mut Plan<'_>, part: &str) -> Machine {
    let mut draw = plan.draw(part);
    let mut machine = machine(&mut draw);
    if draw.chance(50) {
        tie(&mut draw, &mut machine);
    }
    // With fewer identifiers trust is in question.
    if draw.chance(60) {
        machine.gpus.clear();
    }
    if draw.chance(40) {
        machine.macs.truncate(1);
    }
    for place in 0..4 {
        if draw.chance(45) {
            machine.texts[place] = None;
        }
    }
    for mut draw in plan.edits(part) {
        edit(&mut draw, &mut machine);
    }
    machine
}

pub(super) fn derive(plan: &mut Plan<'_>) -> Made {
    plan.choose("hwkey.selection");
    plan.choose("hwkey.independence");
    let count = plan.draw("sets").pick([1, 1, 1, 2, 3]);
    let sets: Vec<_> = (0..count).map(|at| any(plan, &format!("machine {at}")).json()).collect();
    Made::new(json!({"sets": sets}))
}

pub(super) fn admit(plan: &mut Plan<'_>) -> Made {
    plan.choose("hwkey.independence");
    let pinned = plan.draw("pinned").chance(40);
    Made::new(json!({"claims": any(plan, "machine").json(), "pinned": pinned}))
}
