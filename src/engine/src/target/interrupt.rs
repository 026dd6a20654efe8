//! Stopping a program that runs, by a thread of its own: the runtime's `Stop` waits until every thread of the program has come to a safe
//! point, and .NET 8 never gets a hot loop to one unless its threads are sampled, which is asked for after a while. Whoever asked must
//! not wait with it.
//!
//! The race to remember: the stop may succeed just when it is given up. Either the one who asked has it, or its thread undoes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::Target;
use super::sampling::Sampling;
use crate::com::{self, HResult, system};

/// A runtime that can stop its threads has done so in half a second, also in a loop without calls.
const LIMIT: Duration = Duration::from_secs(3);

/// The first version of the runtime that interrupts loops without calls for a debugger.
const INTERRUPTS: u32 = 10;

/// How long it gets before its threads are sampled.
pub const PATIENCE: Duration = Duration::from_millis(250);

/// Why a program does not stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StopError {
    #[error("{0}")]
    Refused(#[from] HResult),
    #[error(
        "a thread is running code that this runtime cannot interrupt, such as a loop without calls; pause again later, or terminate the program"
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

impl Target {
    /// Interrupts what its threads do, again and again until the answer is dropped: they come by where a debugger stops them. A runtime
    /// that does so itself only has to be let: samples taken while it stops make its debugging library give up now and then.
    pub fn interrupt(&self) -> Option<Sampling> {
        system::let_interrupts_in(self.pid);
        match self.modules.runtime_major() {
            Some(INTERRUPTS..) => None,
            _ => Sampling::begin(self.pid),
        }
    }

    /// Stops the program; each stop wants a [`Target::go_on`].
    ///
    /// # Errors
    /// [`StopError`]; it runs on then.
    pub fn stop(self: &Arc<Self>) -> Result<(), StopError> {
        self.process()?;
        // one that waits in the runtime would have all others wait behind it
        if self.is_stopping.swap(true, Ordering::SeqCst) {
            return Err(StopError::Uninterruptible);
        }
        let (sender, late) = channel();
        let target = self.clone();
        let is_settled = Arc::new(AtomicBool::new(false));
        let settled = is_settled.clone();
        std::thread::spawn(move || {
            let stopped: com::Result<()> = target.process().and_then(|process| process.stop(0).map(drop));
            target.is_stopping.store(false, Ordering::SeqCst);
            if !settled.swap(true, Ordering::SeqCst) {
                let _ = sender.send(stopped);
            } else if stopped.is_ok() {
                target.go_on();
            }
        });
        let outcome = match late.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {
                let _interrupted = self.interrupt();
                late.recv_timeout(LIMIT)
            }
            outcome => outcome,
        };
        let outcome = match outcome {
            Err(RecvTimeoutError::Timeout) if !is_settled.swap(true, Ordering::SeqCst) => {
                return Err(StopError::Uninterruptible);
            }
            // it came in the last moment
            Err(RecvTimeoutError::Timeout) => late.recv().map_err(|_| RecvTimeoutError::Disconnected),
            outcome => outcome,
        };
        Ok(outcome.unwrap_or(Err(HResult::POINTER))?)
    }
}
