//! A subject that has said hello: calls go out, answers come back, and accidents are attributed to who caused them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::{Map, Value};

use crate::limits::Limits;
use crate::process::{Event, Process, Subject};
use crate::round::Round;
use crate::wire::{self, Answer, Declaration, Job, Line, clip};

/// What became of one call.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// An answer in time.
    Answer(Answer),
    /// No answer in time.
    Timeout(String),
    /// The process ended before the answer.
    Crash(String),
    /// The process held too much memory.
    Resource(String),
    /// The process broke the contract.
    Protocol(String),
    /// It was not called.
    NotRun(String),
}

/// A call's reply, and the accident in which it was in flight if that accident did not come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The reply.
    pub reply: Reply,
    /// An accident that happened while the call was in flight, and not when the call was made alone.
    pub elsewhere: Option<String>,
}

/// Why a subject could not be judged at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CouldNotRun {
    /// The program cannot be started.
    #[error("{program}: cannot be started: {why}")]
    Start {
        /// The program.
        program: String,
        /// The system's words.
        why: String,
    },
    /// It did not answer hello as it should.
    #[error("{0}")]
    Hello(String),
    /// A file for the record could not be written.
    #[error("{0}")]
    Wire(String),
}

/// A record of both directions; cloned freely, written by one thread at a time.
#[derive(Clone, Debug, Default)]
pub struct Wire(Option<Arc<Mutex<File>>>);

impl Wire {
    /// Records into a new file.
    ///
    /// # Errors
    /// [`CouldNotRun::Wire`] when it cannot be made.
    pub fn create(path: &Path) -> Result<Self, CouldNotRun> {
        let file =
            File::create(path).map_err(|error| CouldNotRun::Wire(format!("{}: {error}", path.display())))?;
        Ok(Self(Some(Arc::new(Mutex::new(file)))))
    }

    pub(crate) fn note(&self, direction: &str, line: &str) {
        if let Some(file) = &self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // The record is a help; a full disk must not change a verdict.
            let _unwritten = writeln!(file, "{direction} {line}");
        }
    }
}

/// A running process and what it has shown.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) process: Process,
    pub(crate) answered_any: bool,
    pub(crate) logs: usize,
}

/// A subject under judgement.
#[derive(Debug)]
pub struct Session<'a> {
    subject: &'a Subject,
    pub(crate) limits: &'a Limits,
    hello: Value,
    pub(crate) wire: Wire,
    pub(crate) live: Option<Live>,
    declaration: Declaration,
    pub(crate) next_id: u64,
    pub(crate) strikes: BTreeMap<String, usize>,
    /// What was odd and harmless.
    pub warnings: Vec<String>,
}

impl<'a> Session<'a> {
    /// Starts the subject and says hello.
    ///
    /// # Errors
    /// [`CouldNotRun`] with the end of its standard error.
    pub fn open(
        subject: &'a Subject,
        limits: &'a Limits,
        hello: Value,
        wire: Wire,
    ) -> Result<Self, CouldNotRun> {
        let (live, declaration) = start(subject, limits, &hello, &wire)?;
        Ok(Self {
            subject,
            limits,
            hello,
            wire,
            live: Some(live),
            declaration,
            next_id: 1,
            strikes: BTreeMap::new(),
            warnings: Vec::new(),
        })
    }

    /// What the subject said of itself.
    #[must_use]
    pub const fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Makes the calls, as many at a time as the subject allows, and gives one exchange for each.
    pub fn run(&mut self, jobs: &[Job], progress: &mut dyn FnMut(usize)) -> Vec<Exchange> {
        Round::new(self, jobs).run(progress)
    }

    /// A process that has said hello: the one that lives, or a new one.
    pub(crate) fn ensure(&mut self) -> Result<&mut Live, CouldNotRun> {
        let live = match self.live.take() {
            Some(live) => live,
            None => {
                let again = || start(self.subject, self.limits, &self.hello, &self.wire);
                again().or_else(|_| again())?.0
            }
        };
        Ok(self.live.insert(live))
    }

    /// Says bye; a subject that does not end by itself, and cleanly, gets a warning.
    #[must_use]
    pub fn close(mut self) -> Vec<String> {
        let Some(Live { mut process, .. }) = self.live.take() else { return self.warnings };
        let bye = wire::bye().to_string();
        self.wire.note(">", &bye);
        process.send(&bye);
        process.close_stdin();
        let deadline = Instant::now() + self.limits.bye;
        while !matches!(process.next(deadline), Event::End | Event::Deadline) {
            if Instant::now() >= deadline {
                break;
            }
        }
        let ending = process.end(deadline.saturating_duration_since(Instant::now()));
        if !ending.clean {
            self.warnings.push(format!("after bye the shim {}; it should exit with status 0", ending.how));
        }
        self.warnings
    }

    pub(crate) fn warn(&mut self, warning: String) {
        if self.warnings.len() < 20 {
            self.warnings.push(warning);
        }
    }
}

fn start(
    subject: &Subject,
    limits: &Limits,
    hello: &Value,
    wire: &Wire,
) -> Result<(Live, Declaration), CouldNotRun> {
    let process = Process::start(subject, limits)
        .map_err(|error| CouldNotRun::Start { program: subject.program.clone(), why: error.to_string() })?;
    let text = hello.to_string();
    wire.note(">", &text);
    process.send(&text);
    let (answer, logs) = match await_hello(&process, limits, wire) {
        Ok(found) => found,
        Err(what) => {
            let ending = process.end(limits.bye / 10);
            let said = match ending.stderr.trim() {
                "" => String::new(),
                text => format!("; its standard error ends: {}", tail(text, 2000)),
            };
            let how =
                if ending.how == "did not exit" { String::new() } else { format!("; it {}", ending.how) };
            return Err(CouldNotRun::Hello(format!("{what}{how}{said}")));
        }
    };
    let declaration = wire::read_hello(&answer).map_err(CouldNotRun::Hello)?;
    Ok((Live { process, answered_any: false, logs }, declaration))
}

fn await_hello(
    process: &Process,
    limits: &Limits,
    wire: &Wire,
) -> Result<(Map<String, Value>, usize), String> {
    let deadline = Instant::now() + limits.hello;
    let mut logs = 0;
    while logs <= limits.log_lines && Instant::now() < deadline {
        let line = match process.next(deadline) {
            Event::Line(line) => line,
            Event::TooLong(start) => {
                return Err(format!("before hello's answer a line over 1 MiB: {}", lossy(&start)));
            }
            Event::End => return Err("the shim ended its output before it answered hello".into()),
            Event::Deadline => break,
        };
        wire.note("<", &String::from_utf8_lossy(&line));
        match wire::classify(&line) {
            Line::Message(message) => return Ok((message, logs)),
            Line::Log => logs += 1,
            Line::Broken(what) => {
                return Err(format!("in place of hello's answer, {what}: {}", lossy(&line)));
            }
        }
    }
    if logs > limits.log_lines {
        return Err(format!("{logs} lines that are no message came before hello's answer"));
    }
    Err(format!("no answer to hello in {:?}", limits.hello))
}

pub(crate) fn lossy(line: &[u8]) -> String {
    clip(&String::from_utf8_lossy(line), 200)
}

pub(crate) fn tail(text: &str, most: usize) -> String {
    let skip = text.chars().count().saturating_sub(most);
    text.chars().skip(skip).collect()
}
