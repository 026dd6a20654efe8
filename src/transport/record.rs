//! Writes the traffic of a session to a file that `replay` can play (JSON lines, see the crate's recordings).
//!
//! Must not disturb the session: callers only queue, a thread of its own writes, and a full disk or a slow one
//! costs the recording, never the conversation. The race to remember: the process may end while lines are still
//! queued; [`Tap::flush`] waits for them.

mod line;
mod places;
mod writer;

use std::{
    fs::OpenOptions,
    io,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use line::{Line, What};
pub use places::Places;
use writer::Shown;

/// Bytes of bodies that may wait for a slow disk; what comes on top is dropped and counted.
const MAX_QUEUED: usize = 64 * 1024 * 1024;

/// The first line of a recording: what was recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordingHeader {
    /// Name of the adapter, for example `netcoredbg`.
    pub adapter: String,
    /// Version of the adapter.
    pub version: String,
    /// Version of the .NET runtime that was debugged.
    pub runtime: String,
    /// The debugged program.
    pub fixture: String,
    /// Short name of what happens.
    pub scenario: String,
    /// A sentence on what can be seen.
    pub note: String,
}

/// Takes out of a recording what must not stand in it. The thread that writes asks it, in the order of the lines.
pub trait Redactor: Send {
    /// The body of a message, from us or from the adapter; `None`: it stays as it is.
    fn message(&mut self, body: &[u8]) -> Option<Vec<u8>>;
    /// What the adapter or the program printed.
    fn text(&mut self, text: &str) -> Option<String>;
}

/// The hand that records. Clones write to the same file.
#[derive(Debug, Clone)]
pub struct Tap {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    started: Instant,
    queue: mpsc::Sender<Order>,
    state: Arc<State>,
    stdin_closed: AtomicBool,
    is_problem_reported: AtomicBool,
}

/// What the callers and the writing thread both look at.
#[derive(Debug, Default)]
struct State {
    queued_bytes: AtomicUsize,
    dropped_messages: AtomicU64,
    dropped_bytes: AtomicU64,
    problem: Mutex<Option<String>>,
}

enum Order {
    Write(Line),
    Flush(mpsc::SyncSender<()>),
}

impl Tap {
    /// Creates (or empties) the file and starts recording; `at_ms` counts from here.
    ///
    /// The file is readable by its owner only: it holds what the debugged program holds. The folders of `places` are
    /// written as placeholders, so that it can be played on another machine. Without a `redactor` all is written as it is.
    ///
    /// # Errors
    /// The file cannot be created, its first line not be written, or no thread be started.
    pub fn create(
        path: impl AsRef<Path>,
        header: RecordingHeader,
        places: Places,
        redactor: Option<Box<dyn Redactor>>,
    ) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        let state = Arc::new(State::default());
        let queue = writer::spawn(file, &header, Shown { places, redactor }, Arc::clone(&state))?;
        Ok(Self {
            shared: Arc::new(Shared {
                started: Instant::now(),
                queue,
                state,
                stdin_closed: AtomicBool::new(false),
                is_problem_reported: AtomicBool::new(false),
            }),
        })
    }

    /// A body that we sent.
    pub fn client(&self, body: &Bytes) {
        self.queue(What::Client(body.clone()));
    }

    /// A body that the adapter sent.
    pub fn adapter(&self, body: &Bytes) {
        self.queue(What::Adapter(body.clone()));
    }

    /// Text on the adapter's standard error.
    pub fn stderr(&self, text: &str) {
        self.queue(What::Stderr(text.to_owned()));
    }

    /// What the program wrote into a pipe of ours (`stdout`, `stderr`): the adapter never sees it.
    pub fn program_output(&self, stream: &'static str, bytes: &Bytes) {
        self.queue(What::ProgramOutput(stream, bytes.clone()));
    }

    /// A program of ours ended; a negative code is a signal.
    pub fn program_exit(&self, code: i32) {
        self.queue(What::ProgramExit(code));
    }

    /// The adapter ended; a negative code is a signal.
    pub fn exit(&self, code: i32) {
        self.queue(What::Exit(code));
    }

    /// We closed the adapter's stdin. Recorded once; a `Connection` with this tap does it by itself.
    pub fn closed_stdin(&self) {
        if !self.shared.stdin_closed.swap(true, Ordering::Relaxed) {
            self.queue(What::ClosedStdin);
        }
    }

    /// Why nothing is recorded any more, if so.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        self.shared.state.problem()
    }

    /// [`Self::problem`], once.
    pub fn unreported_problem(&self) -> Option<String> {
        let problem = self.problem()?;
        (!self.shared.is_problem_reported.swap(true, Ordering::Relaxed)).then_some(problem)
    }

    /// Blocks until all that was said so far is in the file; `false` if that took longer or recording stopped.
    pub fn flush(&self, limit: Duration) -> bool {
        let (done_tx, done_rx) = mpsc::sync_channel(1);
        self.shared.queue.send(Order::Flush(done_tx)).is_ok() && done_rx.recv_timeout(limit).is_ok()
    }

    fn queue(&self, what: What) {
        let shared = &self.shared;
        let bytes = what.len();
        let before = shared.state.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > MAX_QUEUED {
            shared.state.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
            shared.state.dropped_messages.fetch_add(1, Ordering::Relaxed);
            shared.state.dropped_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
            return;
        }
        // The thread ends early only after a problem, and that one has been reported.
        let _ = shared.queue.send(Order::Write(Line { at: shared.started.elapsed(), what }));
    }
}

impl State {
    fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_problem(&self, text: String) {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }
}

#[cfg(test)]
mod tests;
