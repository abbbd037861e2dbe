//! A case told so that nothing else is needed: rules, reason, decoded inputs, expectation, twin and mutation, and how to repeat it.

mod decode;
mod octets;
mod timeline;
mod tree;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use vectors::schema::{Call, Case, Kind, Source, Verdict};

use crate::judge::job;
use crate::ops;
use crate::plan::twin_id;
use crate::select::source_word;
use crate::spec::Spec;
use crate::suite::Suite;
use crate::{script, wire};

/// How wide prose is.
const WIDTH: usize = 100;

/// The case as a page of plain text.
#[must_use]
pub fn explain(suite: &Suite, spec: &Spec, case: &Case) -> String {
    let mut page = Page::default();
    page.line(0, &format!("{}: {}", case.id, case.title));
    page.blank();
    head(case, &mut page);
    rules(spec, case, &mut page);
    if !case.comment.is_empty() {
        page.section("Why");
        page.prose(2, &case.comment);
    }
    for call in case.calls() {
        inputs(case, &call, &mut page);
    }
    if case.kind == Kind::Script {
        timeline::tell(case, &mut page);
    }
    twin(suite, case, &mut page);
    page.section("Repeat");
    if case.kind == Kind::Script {
        page.line(2, &format!("conformance repro {} -- YOUR-SHIM", case.id));
    } else {
        page.line(2, &format!("conformance repro {} | YOUR-SHIM", case.id));
    }
    page.line(2, &format!("conformance run --only {} -- YOUR-SHIM", case.id));
    if !case.recipe.is_empty() {
        page.section("How the bytes are made");
        page.prose(2, &case.recipe);
    }
    page.text
}

fn head(case: &Case, page: &mut Page) {
    let expected = match case.verdict {
        Verdict::Accept => "accept, with the output below".to_owned(),
        Verdict::Reject => format!("reject for {}", case.reasons.join(" or ")),
    };
    page.line(2, &format!("expected  {expected}"));
    if let Some(public) = &case.public {
        page.line(2, &format!("on the wire the agent sees only: {public}"));
    }
    page.line(2, &format!("op        {}    now {}", case.op, case.now));
    page.line(2, &format!("source    {}", source_word(case.source)));
    for (name, value) in &case.choice {
        page.line(2, &format!("choice    {name} = {value}"));
    }
    page.line(2, &format!("since     {}    {:?}, {:?}", case.since, case.kind, case.status).to_lowercase());
}

fn rules(spec: &Spec, case: &Case, page: &mut Page) {
    page.section("Rules");
    for (at, id) in case.rules.iter().enumerate() {
        let role = match (at, case.verdict) {
            (0, Verdict::Accept) => " (shown here)",
            (0, Verdict::Reject) => " (broken here)",
            _ => "",
        };
        page.line(2, &format!("{id}{role}"));
        let Some(rule) = spec.rule(id) else {
            page.line(4, "not in the spec that this judge was built with");
            continue;
        };
        for clause in &rule.clauses {
            let mark = if clause.source == Source::Documented { "[D]" } else { "[C]" };
            page.prose(4, &format!("{mark} {}", clause.text));
        }
    }
}

fn inputs(case: &Case, call: &Call<'_>, page: &mut Page) {
    let row = call.row.map(|row| format!(" of row {row}")).unwrap_or_default();
    page.section(&format!("Input{row}"));
    decode::value(&case.op, call.input, page);
    if let Some(out) = call.out {
        page.section(&format!("Expected output{row}"));
        decode::value(&case.op, out, page);
    }
}

fn twin(suite: &Suite, case: &Case, page: &mut Page) {
    let Some(twin) = &case.twin else { return };
    page.section("Twin");
    page.line(2, &format!("{twin}, which is accepted; the two differ only in this:"));
    if let Some(mutation) = &case.mutation {
        page.prose(2, &mutation.what);
        for at in &mutation.at {
            page.line(4, &format!("at {at}"));
        }
    }
    let Some(other) = suite.case(twin_id(twin)) else { return };
    if case.kind == Kind::Script {
        return timeline::compare(case, other, twin.split_once('@').map(|(_, step)| step), page);
    }
    let row = twin.split_once('#').map(|(_, row)| row);
    let Some(theirs) = other.calls().into_iter().find(|call| row.is_none() || call.row == row) else {
        return;
    };
    for call in case.calls() {
        differences(
            &envelope(case, call.input),
            &envelope(other, theirs.input),
            "",
            &mut |path, ours, theirs| {
                page.line(
                    2,
                    &format!("{path}{}", call.row.map(|row| format!(" (row {row})")).unwrap_or_default()),
                );
                page.line(4, &format!("twin  {}", decode::brief(path, theirs)));
                page.line(4, &format!("here  {}", decode::brief(path, ours)));
            },
        );
    }
}

fn envelope(case: &Case, input: &Value) -> Value {
    json!({"in": input, "now": case.now, "choices": case.choice})
}

/// Calls `tell` for each place in which the two differ.
fn differences(ours: &Value, theirs: &Value, path: &str, tell: &mut dyn FnMut(&str, &Value, &Value)) {
    match (ours, theirs) {
        (Value::Object(mine), Value::Object(other)) => {
            let names: BTreeSet<&String> = mine.keys().chain(other.keys()).collect();
            for name in names {
                let (mine, other) =
                    (mine.get(name).unwrap_or(&Value::Null), other.get(name).unwrap_or(&Value::Null));
                differences(mine, other, &format!("{path}/{name}"), tell);
            }
        }
        (Value::Array(mine), Value::Array(other)) if mine.len() == other.len() => {
            for (at, (mine, other)) in mine.iter().zip(other).enumerate() {
                differences(mine, other, &format!("{path}/{at}"), tell);
            }
        }
        (ours, theirs) if ours == theirs => {}
        (ours, theirs) => tell(path, ours, theirs),
    }
}

/// The lines for a shim's standard input that repeat a case, and the case in words as comments for people.
#[must_use]
pub fn repro(suite: &Suite, spec: &Spec, case: &Case) -> (Vec<String>, String) {
    let mut lines = vec![wire::hello(&suite.digest, &ops::called()).to_string()];
    for (id, call) in (1u64..).zip(case.calls()) {
        let limit = crate::limits::Limits::default().first_call.as_millis();
        lines.push(job(case, call.input, false).to_message(id, limit).to_string());
    }
    let mut comments = explain(suite, spec, case);
    if case.kind == Kind::Script {
        lines.extend(script::lines(case).into_iter().map(|line| line.to_string()));
        if let Some(step) = script::first_that_depends(case) {
            comments.push_str(&format!(
                "\nThe lines end before the step {}: it holds values of earlier answers. conformance repro {} -- YOUR-SHIM\n\
                 plays the whole script and prints every line of both directions.\n",
                step.name, case.id
            ));
        }
    }
    lines.push(wire::bye().to_string());
    (lines, comments.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect())
}

/// Plain text under construction.
#[derive(Debug, Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, indent: usize, line: &str) {
        self.text.push_str(&format!("{:indent$}{line}", ""));
        self.text.push('\n');
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.blank();
        self.line(0, title);
    }

    /// Breaks prose into lines.
    fn prose(&mut self, indent: usize, prose: &str) {
        let mut line = String::new();
        for word in prose.split_whitespace() {
            if !line.is_empty() && indent + line.chars().count() + word.chars().count() >= WIDTH {
                self.line(indent, &line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            self.line(indent, &line);
        }
    }
}
