//! A comparison for people and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::history::{HistoryDifference, HistoryReport};
use super::{Difference, OpReport, Report};
use crate::report::Exit;
use crate::wire::clip;

impl Report {
    /// 0 when they agree, 1 when they differ, 3 when an op was not compared to its end.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let parted = self.histories.as_ref().is_some_and(|histories| !histories.differences.is_empty());
        if parted || !self.differences.is_empty() {
            return Exit::Unexpected;
        }
        let cut_short = |op: &OpReport| op.not_run.is_some() && op.calls > 0;
        if self.ops.iter().any(cut_short) { Exit::Incomplete } else { Exit::AsExpected }
    }
}

/// The report as text.
#[must_use]
pub fn console(report: &Report) -> String {
    let mut out = String::new();
    let [first, second] = &report.subjects;
    let _ = writeln!(out, "A: {first}\nB: {second}\nseed {}\n", report.seed);
    let _ = writeln!(out, "{:<22} {:>7} {:>9} {:>8}", "op", "calls", "accepted", "differ");
    for op in &report.ops {
        let _ = writeln!(out, "{}", line(op));
    }
    for difference in &report.differences {
        out.push_str(&entry(difference));
    }
    if let Some(histories) = &report.histories {
        let _ = writeln!(out, "{}", history_line(histories));
        for difference in &histories.differences {
            out.push_str(&history_entry(difference));
        }
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    if report.ops.is_empty() {
        return out;
    }
    let calls: usize = report.ops.iter().map(|op| op.calls).sum();
    let ops = report.ops.iter().filter(|op| op.differences > 0).count();
    let _ = match report.differences.len() {
        0 => writeln!(out, "\n{calls} calls, answered alike"),
        count => writeln!(out, "\n{calls} calls, {count} answered differently, in {ops} ops"),
    };
    out
}

fn line(op: &OpReport) -> String {
    let share = (op.accepted * 100).checked_div(op.calls).map_or("-".into(), |share| format!("{share} %"));
    let mut line = format!("{:<22} {:>7} {:>9} {:>8}", op.op, op.calls, share, op.differences);
    if let Some(why) = &op.not_run {
        let _ = write!(line, "  not run: {why}");
    }
    if let Some(defect) = op.forge_defect() {
        let _ = write!(line, "  DEFECT OF THE FORGE: {defect}");
    }
    line
}

fn entry(difference: &Difference) -> String {
    let Difference { seed, number, forged, shown: [first, second], shrunk } = difference;
    let mut out = format!("\n{} differs: --ops {} --seed {seed} --number {number}\n", forged.op, forged.op);
    let _ = writeln!(out, "  A  {}\n  B  {}", first.text(), second.text());
    for (name, value) in &forged.choices {
        let _ = writeln!(out, "  choice {name} = {value}");
    }
    if *shrunk {
        let _ = writeln!(out, "  now {}\n  in {}", forged.now, clip(&forged.input.to_string(), 1500));
    }
    out
}

fn history_line(histories: &HistoryReport) -> String {
    let HistoryReport { played, steps, accepted, differences } = histories;
    let share = (accepted * 100).checked_div(*steps).map_or("-".into(), |share| format!("{share} %"));
    let word = match differences.len() {
        0 => "answers and effects alike".into(),
        count => format!("{count} in which they part"),
    };
    format!("\n{played} histories of {steps} steps ({share} accepted): {word}")
}

fn history_entry(difference: &HistoryDifference) -> String {
    let HistoryDifference { seed, number, case, parting, shrunk } = difference;
    let mut out = format!("\nhistory differs: --ops history --seed {seed} --number {number}\n");
    let step = if parting.step.is_empty() { "the load" } else { &parting.step };
    let _ = writeln!(
        out,
        "  at {step}, the {}\n  A  {}\n  B  {}",
        parting.of, parting.texts[0], parting.texts[1]
    );
    for (name, value) in &case.choice {
        let _ = writeln!(out, "  choice {name} = {value}");
    }
    if *shrunk {
        for step in &case.steps {
            let _ = writeln!(out, "  {} at {}: {}", step.name, step.at, clip(&step.request.to_string(), 300));
        }
    }
    out
}

fn history_json(histories: &HistoryReport) -> Value {
    let differences: Vec<Value> = histories
        .differences
        .iter()
        .map(|difference| {
            let HistoryDifference { seed, number, case, parting, shrunk } = difference;
            json!({
                "seed": seed, "number": number, "step": parting.step, "of": parting.of, "texts": parting.texts,
                "shrunk": shrunk, "choices": case.choice, "world": case.world, "steps": case.steps,
            })
        })
        .collect();
    json!({
        "played": histories.played, "steps": histories.steps, "accepted": histories.accepted,
        "differences": differences,
    })
}

/// The report as JSON.
#[must_use]
pub fn json(report: &Report) -> Value {
    let ops: Vec<Value> = report
        .ops
        .iter()
        .map(|op| {
            json!({
                "op": op.op, "calls": op.calls, "accepted": op.accepted, "otherwise": op.otherwise,
                "differences": op.differences, "notRun": op.not_run, "forgeDefect": op.forge_defect(),
            })
        })
        .collect();
    let differences: Vec<Value> = report
        .differences
        .iter()
        .map(|difference| {
            let [first, second] = &difference.shown;
            json!({
                "op": difference.forged.op, "seed": difference.seed, "number": difference.number,
                "answers": [first.text(), second.text()], "shrunk": difference.shrunk,
                "now": difference.forged.now, "choices": difference.forged.choices,
                "in": difference.forged.input,
            })
        })
        .collect();
    json!({
        "subjects": report.subjects, "seed": report.seed, "ops": ops, "differences": differences,
        "histories": report.histories.as_ref().map(history_json), "warnings": report.warnings,
    })
}
