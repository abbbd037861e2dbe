//! A script played without expectations: what each step answers and leaves behind, written so that two subjects compare.
//!
//! What a subject makes up (ids, serials, tokens, signatures) is verified where it can be, and named by the order in which
//! it comes to be.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use vectors::schema::{Case, Step};

use super::values::Values;
use super::{answer, job, one};
use crate::session::{Reply, Session};
use crate::wire::Answer;

/// What one step showed.
#[derive(Clone, Debug)]
pub struct Witnessed {
    /// The step's name; the load has none.
    pub step: String,
    /// The reply, its output written as below; `None` where the step needs the answer of one that was refused.
    pub reply: Option<Reply>,
    /// The dump after it.
    pub dump: Value,
}

/// Plays a case to its end; it stops after a reply that is no answer.
pub fn witness(session: &mut Session<'_>, case: &Case) -> Vec<Witnessed> {
    let mut play =
        Play { session, case, values: Values::new(case), names: Names::new(case), outs: Vec::new() };
    let (reply, _) = play.call("world.load", &case.now, json!({"world": case.world}));
    let mut seen = vec![play.witnessed("", &case.now, Some(reply))];
    for step in &case.steps {
        if !seen.last().is_some_and(Witnessed::is_answer) {
            break;
        }
        let reply = play.step(step);
        let witnessed = play.witnessed(&step.name, &step.at, reply);
        seen.push(witnessed);
    }
    seen
}

impl Witnessed {
    fn is_answer(&self) -> bool {
        self.reply.as_ref().is_none_or(|reply| matches!(reply, Reply::Answer(_)))
    }
}

struct Play<'p, 's> {
    session: &'p mut Session<'s>,
    case: &'p Case,
    values: Values<'p>,
    names: Names,
    outs: Vec<(String, Value)>,
}

impl Play<'_, '_> {
    /// `None` where the request cannot be made.
    fn step(&mut self, step: &Step) -> Option<Reply> {
        let request = self.values.resolve(&step.request, &step.at).ok()?;
        let (reply, out) = self.call("world.step", &step.at, json!({"at": step.at, "request": request}));
        self.values.learn(step, &request, out.as_ref());
        Some(match out {
            Some(out) => Reply::Answer(Answer::Accept(self.written(step, &request, &out))),
            None => reply,
        })
    }

    fn call(&mut self, op: &str, at: &str, input: Value) -> (Reply, Option<Value>) {
        let exchange = one(self.session, job(self.case, op, at, input, false));
        let reply = match exchange.elsewhere {
            Some(accident) => Reply::Crash(accident),
            None => exchange.reply,
        };
        let out = match &reply {
            Reply::Answer(Answer::Accept(out)) => Some(out.clone()),
            _ => None,
        };
        (reply, out)
    }

    fn witnessed(&mut self, step: &str, at: &str, reply: Option<Reply>) -> Witnessed {
        let dump = match self.call("world.dump", at, json!({})) {
            (_, Some(dump)) => self.names.written(&dump),
            (Reply::Answer(answer), None) => answer.describe().into(),
            (_, None) => "no dump".into(),
        };
        Witnessed { step: step.into(), reply, dump }
    }

    /// The output with a signed answer taken apart, once its signature has verified.
    fn written(&mut self, step: &Step, request: &Value, out: &Value) -> Value {
        if out.get("response").is_none() {
            return self.names.written(out);
        }
        if let Some((earlier, _)) = self.outs.iter().find(|(_, stored)| stored == out) {
            return json!({"the answer of": earlier});
        }
        self.outs.push((step.name.clone(), out.clone()));
        let is_renewal = request["do"] == "renew";
        let signed = self.case.choice.get("renewal.signed-answer").is_none_or(|value| value == "yes");
        let purpose = if is_renewal { "renew-response" } else { "join-response" };
        match answer::described(out, purpose, step, &self.values, signed || !is_renewal) {
            Ok(mut described) => {
                // The hash covers the id of the token: one made at run time is another with each subject.
                if step.request["seal"].is_object()
                    && let Some(hash) = described.get_mut("requestSha256")
                {
                    *hash = "of a token made at run time".into();
                }
                self.names.written(&described)
            }
            Err(fault) => json!({"wrong answer": fault.to_string()}),
        }
    }
}

/// Names for what a subject makes up, in the order of appearance.
struct Names {
    /// The world as text: what stands in it is not made up.
    world: String,
    given: BTreeMap<String, String>,
}

/// How the ids begin that a subject makes up.
const KINDS: [&str; 2] = ["node", "jt"];
/// The letters that end an id.
const ID_END: usize = 26;

impl Names {
    fn new(case: &Case) -> Self {
        let world = case.world.as_ref().map(Value::to_string).unwrap_or_default();
        Self { world, given: BTreeMap::new() }
    }

    fn name(&mut self, kind: &str, made_up: &str) -> String {
        let next = self.given.len() + 1;
        self.given.entry(made_up.into()).or_insert_with(|| format!("{kind}#{next}")).clone()
    }

    /// The members in the order of their names, so that both subjects' values are walked alike.
    fn written(&mut self, value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
                sorted.sort_by_key(|(name, _)| *name);
                let pairs = sorted.into_iter().map(|(name, value)| (name.clone(), self.member(name, value)));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
            Value::Array(values) => values.iter().map(|value| self.written(value)).collect(),
            Value::String(text) => self.text(text).into(),
            other => other.clone(),
        }
    }

    fn member(&mut self, name: &str, value: &Value) -> Value {
        match (name, value) {
            ("serial" | "renewedFrom", Value::String(serial)) => self.name("serial", serial).into(),
            ("token", Value::String(_)) => "a token".into(),
            _ => self.written(value),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('_') {
            let (before, end) = rest.split_at(at);
            let start = before.rfind(|c: char| !c.is_ascii_lowercase()).map_or(0, |place| place + 1);
            let kind = before.get(start..).unwrap_or_default();
            let id = end
                .get(1..=ID_END)
                .filter(|id| KINDS.contains(&kind) && id.chars().all(|c| c.is_ascii_alphanumeric()));
            let made_up = id.map(|id| format!("{kind}_{id}")).filter(|id| !self.world.contains(id.as_str()));
            out.push_str(before.get(..start).unwrap_or_default());
            match made_up {
                Some(id) => {
                    out.push_str(&self.name(kind, &id));
                    rest = end.get(1 + ID_END..).unwrap_or_default();
                }
                None => {
                    out.push_str(kind);
                    out.push('_');
                    rest = end.get(1..).unwrap_or_default();
                }
            }
        }
        out + rest
    }
}

#[cfg(test)]
mod tests {
    use vectors::script::script_accept;

    use super::*;

    #[test]
    fn what_is_made_up_is_named_and_the_rest_stays() {
        let mut case = script_accept("token/x", "TOKEN-1", "X.").build();
        case.world = Some(json!({"id": "node_0000000000000000000000000a"}));
        let mut names = Names::new(&case);
        let dump = json!({
            "tokenId": "jt_38cnk4b1xy3t6smtbmf1z8hsnp", "serial": "4a", "renewedFrom": null, "name": "a_b",
            "nodes": ["node_0000000000000000000000000a", "spiffe://d/site/s/node/node_38cnk4b1xy3t6smtbmf1z8hsnp"],
        });
        let written = names.written(&dump);
        let expected = json!({
            "name": "a_b", "nodes": ["node_0000000000000000000000000a", "spiffe://d/site/s/node/node#1"],
            "renewedFrom": null, "serial": "serial#2", "tokenId": "jt#3",
        });
        assert_eq!(written, expected);
        assert_eq!(names.written(&json!({"serial": "4a"})), json!({"serial": "serial#2"}));
    }
}
