//! Stopping a program that runs, by a thread of its own: the runtime's `Stop` waits until every thread of the program has come to a safe
//! point, and .NET 8 never gets a hot loop to one by itself, so after a while its threads are interrupted. Whoever asked must not wait
//! with it.
//!
//! The race to remember: the stop may succeed just when it is given up. Either the one who asked has it, or its thread undoes it. Until
//! then whoever asks next waits for the same one.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Target, lock};
use crate::com::system::BusyThreads;
use crate::com::{self, HResult};

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
    #[error("{0}")]
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

/// While the runtime is asked for what takes a stop: if that takes its time, the program's threads are interrupted again and again, until
/// this is dropped.
pub struct Interruptions {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Interruptions {
    pub fn begin(pid: u32) -> Self {
        let (end, ended) = channel();
        let thread = std::thread::spawn(move || {
            let passes = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
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
        Self { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Interruptions {
    fn drop(&mut self) {
        drop(self.end.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
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
        let interruptions = Interruptions::begin(self.pid);
        let answer = self.stop_request.wait(LIMIT);
        drop(interruptions);
        Ok(answer.or_else(|| self.stop_request.give_up()).ok_or(StopError::Uninterruptible)??)
    }
}

/// What became of the request to stop the program.
#[derive(Default)]
enum State {
    #[default]
    None,
    /// Somebody waits for the answer.
    Wanted,
    /// Nobody does. The runtime knows no way to take it back.
    GivenUp,
    Answered(com::Result<()>),
}

/// How a request was made.
#[derive(Debug, PartialEq, Eq)]
enum Made {
    New,
    /// By taking up one that was given up, and is still to be answered.
    Again,
    ByAnother,
}

/// The one request to stop the program that the runtime may be at.
#[derive(Default)]
pub struct StopRequest {
    state: Mutex<State>,
    answered: Condvar,
}

impl StopRequest {
    fn make(&self) -> Made {
        let mut state = lock(&self.state);
        let made = match *state {
            State::None => Made::New,
            State::GivenUp => Made::Again,
            State::Wanted | State::Answered(_) => return Made::ByAnother,
        };
        *state = State::Wanted;
        made
    }

    /// Says whether anybody has been waiting for it.
    fn answer(&self, answer: com::Result<()>) -> bool {
        let mut state = lock(&self.state);
        let is_wanted = matches!(*state, State::Wanted);
        *state = if is_wanted { State::Answered(answer) } else { State::None };
        self.answered.notify_all();
        is_wanted
    }

    fn wait(&self, limit: Duration) -> Option<com::Result<()>> {
        let is_wanted = |state: &mut State| matches!(state, State::Wanted);
        let state = self.answered.wait_timeout_while(lock(&self.state), limit, is_wanted);
        let (mut state, _) = state.unwrap_or_else(PoisonError::into_inner);
        taken(&mut state)
    }

    /// The answer, if it came in the last moment.
    fn give_up(&self) -> Option<com::Result<()>> {
        let mut state = lock(&self.state);
        let answer = taken(&mut state);
        if answer.is_none() {
            *state = State::GivenUp;
        }
        answer
    }
}

fn taken(state: &mut State) -> Option<com::Result<()>> {
    let State::Answered(answer) = *state else { return None };
    *state = State::None;
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Duration = Duration::ZERO;

    #[test]
    fn an_answer_belongs_to_who_waits_for_it() {
        let request = StopRequest::default();
        assert_eq!(request.make(), Made::New);
        assert_eq!(request.make(), Made::ByAnother);
        assert!(request.answer(Err(HResult::POINTER)));
        assert_eq!(request.wait(NEVER), Some(Err(HResult::POINTER)));
        assert_eq!(request.make(), Made::New);
        assert!(request.answer(Ok(())));
        assert_eq!(request.give_up(), Some(Ok(())), "it came in the last moment");
    }

    #[test]
    fn a_request_that_was_given_up_is_taken_up_by_the_next() {
        let request = StopRequest::default();
        assert_eq!(request.make(), Made::New);
        assert_eq!((request.wait(NEVER), request.give_up()), (None, None));
        assert_eq!(request.make(), Made::Again);
        assert!(request.answer(Ok(())));
        assert_eq!(request.wait(NEVER), Some(Ok(())));
    }

    #[test]
    fn an_answer_that_nobody_waits_for_is_undone() {
        let request = StopRequest::default();
        request.make();
        request.give_up();
        assert!(!request.answer(Ok(())));
        assert_eq!(request.make(), Made::New);
    }
}
