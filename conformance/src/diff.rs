//! Two subjects and the same forged calls: whether they answer alike, and where not.
//!
//! Neither is right by itself. A difference says that one of the two misreads the spec, or that the spec can be read
//! in two ways; it is made small, so that a person can decide, and can be written down as a draft of a case.

mod answer;
mod draft;
pub mod history;
mod pair;
pub mod report;
mod shrink;

use std::collections::{BTreeMap, BTreeSet};

use vectors::forge::{self, Choices, Forge, Forged};

use crate::limits::Limits;
use crate::ops;
use crate::process::Subject;
use crate::session::CouldNotRun;
use crate::spec::Spec;
use crate::suite::Suite;
use crate::wire::{Choice, Declaration};

pub use answer::Shown;
pub use draft::draft;
use history::HistoryReport;
use pair::Pair;

/// Why no histories are played.
const NO_WORLDS: &str = "no histories: not both subjects play worlds";
/// Calls that are on their way at a time.
const BATCH: u64 = 250;
/// Differences of one op and one pair of answers that are made small; the others are reported as they are.
const SHRUNK: usize = 3;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of the forge.
    pub seed: u64,
    /// The numbers of the calls of each op.
    pub numbers: std::ops::Range<u64>,
    /// The ops; none means all that both subjects declare.
    pub ops: Vec<String>,
    /// The numbers of the histories; an empty range plays none.
    pub histories: std::ops::Range<u64>,
    /// The limits.
    pub limits: Limits,
}

/// A call that the two subjects answer differently.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed that makes it again.
    pub seed: u64,
    /// The number that makes it again.
    pub number: u64,
    /// The call, made small where that was done.
    pub forged: Forged,
    /// What the first and the second subject say to that call.
    pub shown: [Shown; 2],
    /// Whether it was made small.
    pub shrunk: bool,
}

/// What was seen of one op.
#[derive(Clone, Debug, Default)]
pub struct OpReport {
    /// The op.
    pub op: String,
    /// Calls that both answered.
    pub calls: usize,
    /// Calls that the first subject accepted.
    pub accepted: usize,
    /// How often the first subject said what, but for accepts.
    pub otherwise: BTreeMap<String, usize>,
    /// Calls that were answered differently.
    pub differences: usize,
    /// Why the op was not compared, or not to its end.
    pub not_run: Option<String>,
}

impl OpReport {
    /// What is wrong with the forge, if the op's calls were all accepted, or none, where both can be.
    #[must_use]
    pub fn forge_defect(&self) -> Option<&'static str> {
        let can_reject = ops::find(&self.op).is_some_and(|op| op.can_reject);
        if self.calls < 50 || !can_reject {
            return None;
        }
        match self.accepted {
            0 => Some("none of its calls is accepted"),
            all if all == self.calls => Some("all of its calls are accepted"),
            _ => None,
        }
    }
}

/// What a comparison showed.
#[derive(Clone, Debug)]
pub struct Report {
    /// The subjects' names.
    pub subjects: [String; 2],
    /// The seed.
    pub seed: u64,
    /// By op, in the order of the contract.
    pub ops: Vec<OpReport>,
    /// Every difference, in the order found.
    pub differences: Vec<Difference>,
    /// The histories, where both subjects play worlds.
    pub histories: Option<HistoryReport>,
    /// What was odd and harmless.
    pub warnings: Vec<String>,
}

/// Puts the same calls to both.
///
/// # Errors
/// [`CouldNotRun`] when a subject does not start, or when there is nothing that both can be asked.
pub fn run(
    subjects: [&Subject; 2],
    spec: &Spec,
    settings: &Settings,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Report, CouldNotRun> {
    let mut pair = Pair::open(subjects, &settings.limits, spec)?;
    let (first, second) = pair.declarations();
    // Whose the cases are does not matter here: no answer is expected of them.
    let suite = Suite::embedded(&[], true).map_err(|error| CouldNotRun::Wire(error.to_string()))?;
    let choices = common_choices(first, second);
    let worlds = first.world && second.world && !settings.histories.is_empty();
    if !worlds && !settings.histories.is_empty() && settings.numbers.is_empty() {
        return Err(CouldNotRun::Hello(NO_WORLDS.into()));
    }
    let unplayed = !worlds && !settings.histories.is_empty();
    let forge = Forge::new(&suite.cases, choices.clone());
    let wanted = if settings.numbers.is_empty() { Vec::new() } else { wanted_ops(settings, first, second)? };
    let each = usize::try_from(settings.numbers.end - settings.numbers.start).unwrap_or(usize::MAX);
    let mut total = each.saturating_mul(wanted.iter().filter(|(_, why)| why.is_none()).count());
    let histories = settings.histories.clone();
    if worlds {
        total += usize::try_from(histories.end - histories.start).unwrap_or(usize::MAX);
    }
    let mut comparison = Comparison { pair: &mut pair, forge: &forge, settings, differences: Vec::new() };
    let mut reports = Vec::new();
    let mut done = 0;
    for (op, not_run) in wanted {
        let mut report = OpReport { op: op.clone(), not_run, ..OpReport::default() };
        if report.not_run.is_none() {
            comparison.op(&op, &mut report, &mut |more| progress(done + more, total))?;
            done += each;
        }
        reports.push(report);
    }
    let differences = comparison.differences;
    let histories = worlds
        .then(|| {
            let progress = &mut |more| progress(done + more, total);
            history::compare(&mut pair, &choices, settings.seed, histories, progress)
        })
        .transpose()?;
    Ok(Report {
        subjects: subjects.map(|subject| subject.name.clone()),
        seed: settings.seed,
        ops: reports,
        differences,
        histories,
        warnings: unplayed.then(|| NO_WORLDS.into()).into_iter().chain(pair.close()).collect(),
    })
}

/// The values of each choice that both subjects declare.
fn common_choices(first: &Declaration, second: &Declaration) -> Choices {
    let values = |choice: &Choice| match choice {
        Choice::One(one) => vec![one.clone()],
        Choice::Several(several) => several.clone(),
    };
    let common = first.choices.iter().filter_map(|(name, choice)| {
        let other = second.choices.get(name)?;
        let both: Vec<String> = values(choice).into_iter().filter(|value| other.has(value)).collect();
        (!both.is_empty()).then(|| (name.clone(), both))
    });
    common.collect()
}

/// The ops asked for, each with why it is not compared, if it is not.
fn wanted_ops(
    settings: &Settings,
    first: &Declaration,
    second: &Declaration,
) -> Result<Vec<(String, Option<String>)>, CouldNotRun> {
    let named: BTreeSet<&str> = settings.ops.iter().map(String::as_str).collect();
    let wanted: Vec<(String, Option<String>)> = forge::ops()
        .into_iter()
        .filter(|op| named.is_empty() || named.contains(op))
        .map(|op| {
            let lacks = |declaration: &Declaration| !declaration.ops.iter().any(|declared| declared == op);
            let not_run = match (lacks(first), lacks(second)) {
                (true, _) => Some("the first subject does not declare it".into()),
                (_, true) => Some("the second subject does not declare it".into()),
                _ => None,
            };
            (op.to_owned(), not_run)
        })
        .collect();
    if wanted.iter().all(|(_, not_run)| not_run.is_some()) {
        return Err(CouldNotRun::Hello("there is no op that both subjects declare".into()));
    }
    Ok(wanted)
}

struct Comparison<'c, 's> {
    pair: &'c mut Pair<'s>,
    forge: &'c Forge,
    settings: &'c Settings,
    differences: Vec<Difference>,
}

impl Comparison<'_, '_> {
    fn op(
        &mut self,
        op: &str,
        report: &mut OpReport,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), CouldNotRun> {
        let none = BTreeSet::new();
        let mut small: BTreeMap<String, usize> = BTreeMap::new();
        let mut from = self.settings.numbers.start;
        while from < self.settings.numbers.end {
            let to = self.settings.numbers.end.min(from + BATCH);
            let calls: Vec<Forged> = (from..to)
                .filter_map(|number| self.forge.make(op, self.settings.seed, number, &none))
                .collect();
            let answers = self.pair.ask(&calls)?;
            for ((number, forged), shown) in (from..to).zip(calls).zip(answers) {
                if let Some(why) = shown.iter().find_map(Shown::not_run) {
                    report.not_run = Some(why);
                    continue;
                }
                count(report, &shown);
                if !shown[0].agrees(&shown[1]) {
                    report.differences += 1;
                    self.note(number, forged, shown, &mut small)?;
                }
            }
            progress(usize::try_from(to - self.settings.numbers.start).unwrap_or(usize::MAX));
            from = to;
        }
        Ok(())
    }

    fn note(
        &mut self,
        number: u64,
        forged: Forged,
        shown: [Shown; 2],
        small: &mut BTreeMap<String, usize>,
    ) -> Result<(), CouldNotRun> {
        let seen = small.entry(answer::kinds(&shown)).or_default();
        *seen += 1;
        let mut difference = Difference { seed: self.settings.seed, number, forged, shown, shrunk: false };
        if *seen <= SHRUNK && difference.shown.iter().all(Shown::is_answer) {
            shrink::shrink(&mut difference, self.pair, self.forge)?;
        }
        self.differences.push(difference);
        Ok(())
    }
}

fn count(report: &mut OpReport, shown: &[Shown; 2]) {
    report.calls += 1;
    let word = shown[0].word();
    if word == "accept" {
        report.accepted += 1;
    } else {
        *report.otherwise.entry(word.into()).or_default() += 1;
    }
}
