//! Stopping a program that runs, by a thread of its own: the runtime's `Stop` waits until every thread of the program has come to a safe
//! point, and .NET 8 never gets a hot loop to one by itself, so after a while its threads are interrupted. Whoever asked must not wait
//! with it.
//!
//! The race to remember: the stop may succeed just when it is given up. Either the one who asked has it, or its thread undoes it. Until
//! then whoever asks next waits for the same one.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::Target;
use super::stop_request::Made;
use crate::com::HResult;
use crate::com::system::BusyThreads;

/// A runtime that can stop its threads has done so in half a second, also in a loop without calls. [`StopError`] says it.
const LIMIT: Duration = Duration::from_secs(3);

/// How long it gets before its threads are interrupted for it.
const PATIENCE: Duration = Duration::from_millis(40);

/// What waits for nothing so long is not expected to come by where it can be stopped.
const BUSY: Duration = Duration::from_millis(10);

/// Between two interruptions of a thread, which may have been where it cannot stop.
const PAUSE: Duration = Duration::from_millis(1);

/// Why a program does not stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StopError {
    #[error("the program cannot be stopped: {0}")]
    Refused(#[from] HResult),
    #[error(
        "the program did not stop within 3 s: its process is suspended, or a thread is in code that the runtime cannot interrupt; pause again later, or terminate the program"
    )]
    Uninterruptible,
}

impl StopError {
    pub fn code(&self) -> HResult {
        match self {
            Self::Refused(code) => *code,
            Self::Uninterruptible => HResult::TIMEOUT,
        }
    }
}

/// Asks the runtime for what takes a stop: if that takes its time, the program's threads are interrupted again and again until it is done.
pub fn interrupting<T>(pid: u32, ask: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (_done, is_done) = channel::<()>();
        scope.spawn(move || {
            let passes = |time| is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !passes(PATIENCE) {
                return;
            }
            let mut threads = BusyThreads::seen_now(pid);
            let mut pause = BUSY;
            while passes(pause) {
                threads.interrupt();
                pause = PAUSE;
            }
        });
        ask()
    })
}

impl Target {
    /// Stops the program; each stop wants a [`Target::go_on`].
    ///
    /// # Errors
    /// [`StopError`]; it runs on then.
    pub fn stop(self: &Arc<Self>) -> Result<(), StopError> {
        self.process()?;
        // a second one would wait in the runtime behind the first
        match self.stop_request.make() {
            Made::New => {
                let target = self.clone();
                std::thread::spawn(move || {
                    let stopped = target.process().and_then(|process| process.stop(0).map(drop));
                    if !target.stop_request.answer(stopped) && stopped.is_ok() {
                        target.go_on();
                    }
                });
            }
            Made::Again => {}
            Made::ByAnother => return Err(StopError::Uninterruptible),
        }
        let answer = interrupting(self.pid, || self.stop_request.wait(LIMIT));
        Ok(answer.or_else(|| self.stop_request.give_up()).ok_or(StopError::Uninterruptible)??)
    }
}
