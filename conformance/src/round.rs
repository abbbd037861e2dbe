//! One round of calls: a window of them in flight, and the search for the culprit after an accident.
//!
//! After an accident with several calls in flight nobody knows whose it was. All of them are made again, one by one;
//! the one with which the accident comes again is the culprit, the others keep their answers. When it comes with none,
//! each of them is marked: its answer alone differs from what happened in sequence.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use crate::process::{Ending, Event};
use crate::session::{Exchange, Live, Reply, Session, lossy, tail};
use crate::wire::{self, Job, Line};

/// How long a process that closed its output may take to exit by itself.
const EXIT_PATIENCE: Duration = Duration::from_millis(300);

#[derive(Debug)]
pub(crate) struct Round<'r, 'a> {
    session: &'r mut Session<'a>,
    jobs: &'r [Job],
    exchanges: Vec<Option<Exchange>>,
    waiting: VecDeque<usize>,
    suspects: VecDeque<usize>,
    search: Option<Search>,
    flight: BTreeMap<u64, Sent>,
    sent: HashMap<u64, usize>,
    last: Option<usize>,
}

/// The search for the culprit of one accident.
#[derive(Debug)]
struct Search {
    accident: String,
    among: Vec<usize>,
    found: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    index: usize,
    deadline: Instant,
    limit: Duration,
}

impl<'r, 'a> Round<'r, 'a> {
    pub(crate) fn new(session: &'r mut Session<'a>, jobs: &'r [Job]) -> Self {
        Self {
            session,
            jobs,
            exchanges: vec![None; jobs.len()],
            waiting: (0..jobs.len()).collect(),
            suspects: VecDeque::new(),
            search: None,
            flight: BTreeMap::new(),
            sent: HashMap::new(),
            last: None,
        }
    }

    pub(crate) fn run(mut self, progress: &mut dyn FnMut(usize)) -> Vec<Exchange> {
        loop {
            self.fill();
            let Some(deadline) = self.flight.values().map(|sent| sent.deadline).min() else { break };
            let Some(live) = &self.session.live else { break };
            match live.process.next(deadline) {
                Event::Line(line) => self.on_line(&line),
                Event::TooLong(start) => {
                    self.accident(Reply::Protocol(format!("a line over 1 MiB: {}", lossy(&start))));
                }
                Event::End => self.on_end(),
                Event::Deadline => self.on_deadline(),
            }
            progress(self.exchanges.iter().flatten().count());
        }
        let lost = || Exchange { reply: Reply::NotRun("it was never sent".into()), elsewhere: None };
        self.exchanges.into_iter().map(|exchange| exchange.unwrap_or_else(lost)).collect()
    }

    /// Sends until the window is full; one at a time while a culprit is searched.
    fn fill(&mut self) {
        loop {
            if self.search.is_some() && self.suspects.is_empty() && self.flight.is_empty() {
                self.end_search();
            }
            let window = if self.search.is_some() { 1 } else { self.session.declaration().parallel.max(1) };
            if self.flight.len() >= window {
                return;
            }
            let next =
                if self.search.is_some() { self.suspects.pop_front() } else { self.waiting.pop_front() };
            let Some(index) = next else { return };
            self.send(index);
        }
    }

    fn send(&mut self, index: usize) {
        let Some(job) = self.jobs.get(index) else { return };
        if self.session.strikes.get(&job.op).is_some_and(|&count| count >= self.session.limits.strikes) {
            let why = format!("unstable: {} accidents in {}", self.session.limits.strikes, job.op);
            return self.put(index, Reply::NotRun(why));
        }
        let id = self.session.next_id;
        let (first_call, call, wire) =
            (self.session.limits.first_call, self.session.limits.call, self.session.wire.clone());
        let live = match self.session.ensure() {
            Ok(live) => live,
            Err(error) => {
                return self.put(index, Reply::NotRun(format!("the shim does not start again: {error}")));
            }
        };
        let limit = if live.answered_any { call } else { first_call };
        let line = job.to_message(id, limit.as_millis()).to_string();
        wire.note(">", &line);
        live.process.send(&line);
        self.session.next_id += 1;
        self.sent.insert(id, index);
        self.flight.insert(id, Sent { index, deadline: Instant::now() + limit, limit });
    }

    fn on_line(&mut self, line: &[u8]) {
        self.session.wire.note("<", &String::from_utf8_lossy(line));
        match wire::classify(line) {
            Line::Log => self.on_log(line),
            Line::Broken(what) => self.accident(Reply::Protocol(format!("{what}: {}", lossy(line)))),
            Line::Message(message) => match wire::read_result(&message) {
                Ok((id, answer)) => self.on_answer(id, Reply::Answer(answer), line),
                Err(what) => self.accident(Reply::Protocol(format!("{what}: {}", lossy(line)))),
            },
        }
    }

    fn on_log(&mut self, line: &[u8]) {
        let Some(live) = &mut self.session.live else { return };
        live.logs += 1;
        if live.logs > self.session.limits.log_lines {
            return self.accident(Reply::Protocol("a flood of lines that are no message".into()));
        }
        if live.logs <= 5 {
            self.session.warn(format!("a line on standard output is no message: {}", lossy(line)));
        }
        // A subject that never stops writing would otherwise never be late.
        if self.flight.values().any(|sent| Instant::now() > sent.deadline) {
            self.on_deadline();
        }
    }

    fn on_answer(&mut self, id: u64, reply: Reply, line: &[u8]) {
        if let Some(sent) = self.flight.remove(&id) {
            if let Some(live) = &mut self.session.live {
                live.answered_any = true;
            }
            self.last = Some(sent.index);
            return self.put(sent.index, reply);
        }
        match self.sent.get(&id).copied() {
            Some(index) => {
                // The culprit is known, so those in flight are simply called again.
                let innocent: Vec<usize> = self.flight.values().map(|sent| sent.index).collect();
                innocent.into_iter().rev().for_each(|index| self.requeue(index));
                self.flight.clear();
                self.session.live = None;
                self.convict(index, Reply::Protocol(format!("a second answer to one call: {}", lossy(line))));
            }
            None => self.accident(Reply::Protocol(format!("an answer to no call: {}", lossy(line)))),
        }
    }

    fn requeue(&mut self, index: usize) {
        if self.search.is_some() { self.suspects.push_front(index) } else { self.waiting.push_front(index) }
    }

    fn on_end(&mut self) {
        let Some(Live { process, .. }) = self.session.live.take() else { return };
        let ending = process.end(EXIT_PATIENCE);
        let words = describe(&ending);
        self.accident(if ending.too_much_memory { Reply::Resource(words) } else { Reply::Crash(words) });
    }

    fn on_deadline(&mut self) {
        let limit = self.flight.values().map(|sent| sent.limit).max().unwrap_or_default();
        self.accident(Reply::Timeout(format!("no answer in {limit:?}")));
    }

    /// Ends the process and finds out whose accident it was, or begins to.
    fn accident(&mut self, what: Reply) {
        self.session.live = None;
        let among: Vec<usize> = self.flight.values().map(|sent| sent.index).collect();
        self.flight.clear();
        let alone = self.search.is_some();
        match (among.as_slice(), &what) {
            ([], _) => {
                if let Some(last) = self.last {
                    self.convict(last, what);
                }
            }
            // A crash may be the late work of an earlier call, so even a single suspect is called again.
            ([index], reply) if alone || !matches!(reply, Reply::Crash(_)) => {
                if let Some(search) = &mut self.search {
                    search.found = true;
                }
                self.convict(*index, what);
            }
            _ => {
                self.suspects = among.iter().copied().collect();
                self.search = Some(Search { accident: words(&what), among, found: false });
            }
        }
    }

    fn end_search(&mut self) {
        let Some(search) = self.search.take() else { return };
        if search.found {
            return;
        }
        if let Some(job) = search.among.first().and_then(|&index| self.jobs.get(index)) {
            *self.session.strikes.entry(job.op.clone()).or_default() += 1;
        }
        for index in search.among {
            if let Some(Some(exchange)) = self.exchanges.get_mut(index) {
                exchange.elsewhere = Some(search.accident.clone());
            }
        }
    }

    fn convict(&mut self, index: usize, what: Reply) {
        if let Some(job) = self.jobs.get(index) {
            *self.session.strikes.entry(job.op.clone()).or_default() += 1;
        }
        self.put(index, what);
    }

    fn put(&mut self, index: usize, reply: Reply) {
        if let Some(place) = self.exchanges.get_mut(index) {
            *place = Some(Exchange { reply, elsewhere: None });
        }
    }
}

fn words(reply: &Reply) -> String {
    match reply {
        Reply::Answer(answer) => answer.describe(),
        Reply::Timeout(words)
        | Reply::Crash(words)
        | Reply::Resource(words)
        | Reply::Protocol(words)
        | Reply::NotRun(words) => words.clone(),
    }
}

fn describe(ending: &Ending) -> String {
    let how = match ending.how.as_str() {
        "did not exit" => "the shim closed its output",
        how => &format!("the shim {how}"),
    };
    match ending.stderr.trim() {
        "" => how.into(),
        text => format!("{how}; its standard error ends: {}", tail(text, 300)),
    }
}
