//! The program's stdin: one write at a time; the pipe is lent to the write and comes back.

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use crate::process::ChildStdin;

/// What to do for a program that has no pipe.
pub(super) const LAUNCH_WITH_PIPE: &str = "debug_launch with stdin=\"pipe\"";

#[derive(Default)]
pub(super) enum ProgramStdin<Pipe = ChildStdin> {
    /// The program has none of ours.
    #[default]
    None,
    Open(Pipe),
    /// A write has it; what comes back is the pipe, unless the write closed it.
    Lent(oneshot::Receiver<Option<Pipe>>),
    Closed,
}

impl<Pipe> ProgramStdin<Pipe> {
    /// The pipe, for a write that gives it back; else why there is none, and what to do.
    pub(super) fn lend(&mut self) -> Result<(Pipe, oneshot::Sender<Option<Pipe>>), [&'static str; 2]> {
        match std::mem::take(self) {
            Self::Open(stdin) => {
                let (back, returned) = oneshot::channel();
                *self = Self::Lent(returned);
                Ok((stdin, back))
            }
            other => {
                let why = match other {
                    Self::Lent(_) => [
                        "an earlier process_write_input is still in progress",
                        "wait for the earlier call to return (at most 5 s), then call again",
                    ],
                    _ => ["the program was started with its stdin closed", LAUNCH_WITH_PIPE],
                };
                *self = other;
                Err(why)
            }
        }
    }

    /// Whether the program may be given something.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Open(_))
    }

    /// The pipe comes back from a write.
    pub(super) fn take_back(&mut self) {
        if let Self::Lent(returned) = self {
            *self = match returned.try_recv() {
                Ok(Some(stdin)) => Self::Open(stdin),
                Ok(None) => Self::Closed,
                Err(TryRecvError::Closed) => Self::None,
                Err(TryRecvError::Empty) => return,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> ProgramStdin<&'static str> {
        ProgramStdin::Open("pipe")
    }

    #[test]
    fn one_write_has_the_pipe_at_a_time() {
        let mut stdin = open();
        let (pipe, back) = stdin.lend().unwrap();
        stdin.take_back();
        assert_eq!(stdin.lend().unwrap_err()[0], "an earlier process_write_input is still in progress");

        back.send(Some(pipe)).unwrap();
        stdin.take_back();
        assert_eq!(stdin.lend().unwrap().0, "pipe");
    }

    #[test]
    fn a_write_that_closes_it_is_the_last() {
        let mut stdin = open();
        stdin.lend().unwrap().1.send(None).unwrap();
        stdin.take_back();
        assert!(matches!(stdin, ProgramStdin::Closed));
        assert!(stdin.lend().is_err());
        assert!(matches!(stdin, ProgramStdin::Closed), "asking changes nothing");
    }

    #[test]
    fn a_write_that_never_ends_its_work_takes_the_pipe_along() {
        let mut stdin = open();
        drop(stdin.lend().unwrap());
        stdin.take_back();
        assert!(matches!(stdin, ProgramStdin::None));
    }
}
