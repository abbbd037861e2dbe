//! The two subjects, asked at the same time.

use std::thread;

use vectors::forge::Forged;
use vectors::schema::Case;

use super::answer::{Reasons, Shown};
use crate::limits::Limits;
use crate::ops;
use crate::process::Subject;
use crate::script::witness::{Witnessed, witness};
use crate::session::{CouldNotRun, Exchange, Session, Wire};
use crate::spec::Spec;
use crate::wire::{self, Categories, Declaration, Job};

/// Both subjects with their sessions open.
#[derive(Debug)]
pub(super) struct Pair<'s> {
    first: Session<'s>,
    second: Session<'s>,
    reasons: Reasons,
}

impl<'s> Pair<'s> {
    /// Starts both.
    ///
    /// # Errors
    /// [`CouldNotRun`] of the one that does not start.
    pub(super) fn open(
        subjects: [&'s Subject; 2],
        limits: &'s Limits,
        spec: &Spec,
    ) -> Result<Self, CouldNotRun> {
        let hello = wire::hello("", &ops::names());
        let [first, second] = subjects;
        let first = Session::open(first, limits, hello.clone(), Wire::default())?;
        let second = Session::open(second, limits, hello, Wire::default())?;
        let categories = coarser(first.declaration().categories, second.declaration().categories);
        Ok(Self { first, second, reasons: Reasons { categories, steps: spec.steps.clone() } })
    }

    /// What each said of itself.
    pub(super) const fn declarations(&self) -> (&Declaration, &Declaration) {
        (self.first.declaration(), self.second.declaration())
    }

    /// Puts the calls to both, and gives what each says to each.
    ///
    /// # Errors
    /// [`CouldNotRun`] when the judge itself fails.
    pub(super) fn ask(&mut self, calls: &[Forged]) -> Result<Vec<[Shown; 2]>, CouldNotRun> {
        let jobs: Vec<Job> = calls.iter().map(job).collect();
        let (first, second) = (&mut self.first, &mut self.second);
        let (theirs, ours) = thread::scope(|scope| {
            let other = scope.spawn(|| second.run(&jobs, &mut |_| {}));
            let ours = first.run(&jobs, &mut |_| {});
            (other.join(), ours)
        });
        let theirs =
            theirs.map_err(|_| CouldNotRun::Wire("the judge failed; this is a defect of it".into()))?;
        let read = |exchange: &Exchange, forged: &Forged| {
            Shown::read(&exchange.reply, forged.check.as_ref(), &self.reasons)
        };
        let pairs = ours.iter().zip(&theirs).zip(calls);
        Ok(pairs.map(|((ours, theirs), forged)| [read(ours, forged), read(theirs, forged)]).collect())
    }

    /// Plays a case to both.
    ///
    /// # Errors
    /// [`CouldNotRun`] when the judge itself fails.
    pub(super) fn witness(&mut self, case: &Case) -> Result<[Vec<Witnessed>; 2], CouldNotRun> {
        let (first, second) = (&mut self.first, &mut self.second);
        let (theirs, ours) = thread::scope(|scope| {
            let other = scope.spawn(|| witness(second, case));
            let ours = witness(first, case);
            (other.join(), ours)
        });
        let theirs =
            theirs.map_err(|_| CouldNotRun::Wire("the judge failed; this is a defect of it".into()))?;
        Ok([ours, theirs])
    }

    /// How reasons are compared.
    pub(super) const fn reasons(&self) -> &Reasons {
        &self.reasons
    }

    /// Says bye to both; what was odd.
    pub(super) fn close(self) -> Vec<String> {
        let of = |which: &str, warnings: Vec<String>| {
            warnings.into_iter().map(|warning| format!("{which}: {warning}")).collect::<Vec<_>>()
        };
        [of("first", self.first.close()), of("second", self.second.close())].concat()
    }
}

fn job(forged: &Forged) -> Job {
    Job {
        op: forged.op.clone(),
        now: forged.now.clone(),
        input: forged.input.clone(),
        choices: forged.choices.clone(),
        critical: Vec::new(),
        case: None,
    }
}

fn coarser(one: Categories, other: Categories) -> Categories {
    match (one, other) {
        (Categories::None, _) | (_, Categories::None) => Categories::None,
        (Categories::Coarse, _) | (_, Categories::Coarse) => Categories::Coarse,
        _ => Categories::Exact,
    }
}
