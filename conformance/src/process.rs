//! The subject as a child process in a process group of its own: lines in, lines out, and a sure end.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use crate::limits::Limits;
use crate::memory;

/// What is started: a program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The program, looked up as a shell would.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What reports call it.
    pub name: String,
}

impl Subject {
    /// A subject from a command line; its name is the line. `None` when the line is empty.
    #[must_use]
    pub fn from_command(command: &[String]) -> Option<Self> {
        let (program, args) = command.split_first()?;
        Some(Self { program: program.clone(), args: args.to_vec(), name: command.join(" ") })
    }
}

/// What a process says or does.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of standard output without its line feed.
    Line(Vec<u8>),
    /// A line longer than allowed; its beginning.
    TooLong(Vec<u8>),
    /// Standard output has ended.
    End,
    /// Nothing came until the deadline.
    Deadline,
}

/// How a process ended, in words, and whether the judge ended it for its memory.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) how: String,
    pub(crate) clean: bool,
    pub(crate) too_much_memory: bool,
    pub(crate) stderr: String,
}

/// A running subject. Dropping it kills the whole group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Pid,
    stdin: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    over_memory: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl Process {
    /// Starts the subject with its three streams piped.
    pub(crate) fn start(subject: &Subject, limits: &Limits) -> std::io::Result<Self> {
        let mut child = Command::new(&subject.program)
            .args(&subject.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
        // Bounded, so that a subject that floods waits for the judge instead of filling its memory.
        let (sender, events) = sync_channel(256);
        let line_bytes = limits.line_bytes;
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, line_bytes, &sender));
        }
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(pipe) = child.stderr.take() {
            let (tail, keep) = (Arc::clone(&stderr), limits.stderr_bytes);
            thread::spawn(move || keep_tail(pipe, keep, &tail));
        }
        let stdin = child.stdin.take().map(writer);
        let (over_memory, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (over, stop, most) = (Arc::clone(&over_memory), Arc::clone(&ended), limits.resident_bytes);
        thread::spawn(move || {
            if memory::watch(group.as_raw(), most, &stop) {
                over.store(true, Ordering::SeqCst);
                // Ending the group ends standard output, which the session then sees.
                let _gone = killpg(group, Signal::SIGKILL);
            }
        });
        Ok(Self { child, group, stdin, events, stderr, over_memory, ended })
    }

    /// Queues a line; a subject that does not read never blocks the judge.
    pub(crate) fn send(&self, line: &str) {
        if let Some(stdin) = &self.stdin {
            // A writer that is gone means that the process is; the end of its output says so.
            let _gone = stdin.send(format!("{line}\n").into_bytes());
        }
    }

    /// Closes standard input.
    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// The next event, or [`Event::Deadline`].
    pub(crate) fn next(&self, deadline: Instant) -> Event {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => Event::Deadline,
            Err(RecvTimeoutError::Disconnected) => Event::End,
        }
    }

    /// Ends the whole group and says how the process had ended by itself within `patience`, if it had.
    pub(crate) fn end(mut self, patience: Duration) -> Ending {
        let exited = self.wait_unreaped(patience);
        let status = self.kill();
        let how = match (exited, status) {
            (false, _) => String::from("did not exit"),
            (true, Some(status)) => describe(status),
            (true, None) => String::from("exited"),
        };
        let clean = exited && status.is_some_and(|status| status.success());
        // The stream's thread may be a moment behind the exit.
        thread::sleep(Duration::from_millis(5));
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let stderr = String::from_utf8_lossy(&tail.iter().copied().collect::<Vec<_>>()).into_owned();
        drop(tail);
        Ending { how, clean, too_much_memory: self.over_memory.load(Ordering::SeqCst), stderr }
    }

    /// Waits without reaping: until it is reaped nobody else can get the group's number.
    fn wait_unreaped(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        loop {
            match waitid(Id::Pid(self.group), flags) {
                Ok(WaitStatus::StillAlive) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(2));
                }
                Ok(WaitStatus::StillAlive) => return false,
                Ok(_) | Err(_) => return true,
            }
        }
    }

    fn kill(&mut self) -> Option<ExitStatus> {
        if self.ended.swap(true, Ordering::SeqCst) {
            return None;
        }
        self.stdin = None;
        let _gone = killpg(self.group, Signal::SIGKILL);
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(number)) => match Signal::try_from(number) {
            Ok(signal) => format!("was killed by {signal}"),
            Err(_) => format!("was killed by signal {number}"),
        },
        (None, None) => String::from("ended"),
    }
}

fn writer(mut stdin: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, lines) = channel::<Vec<u8>>();
    thread::spawn(move || {
        for line in lines {
            if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

fn read_lines(stdout: impl Read, line_bytes: usize, events: &SyncSender<Event>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let most = u64::try_from(line_bytes).unwrap_or(u64::MAX).saturating_add(1);
        let event = match reader.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::End,
            Ok(_) if line.ends_with(b"\n") => {
                line.pop();
                Event::Line(line)
            }
            Ok(read) if read > line_bytes => {
                line.truncate(120);
                Event::TooLong(line)
            }
            Ok(_) => Event::Line(line),
        };
        let last = matches!(event, Event::End | Event::TooLong(_));
        if events.send(event).is_err() || last {
            return;
        }
    }
}

fn keep_tail(mut pipe: impl Read, keep: usize, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = pipe.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(buffer.iter().take(read));
        let over = tail.len().saturating_sub(keep);
        tail.drain(..over);
    }
}
