//! The program's stdin: one write at a time; the pipe is lent to the write and comes back.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::Actor;
use super::inputs::Done;
use crate::process::ChildStdin;
use crate::session::command::Answer;
use crate::session::error::{Code, SessionError};
use crate::session::startup::Method;
use crate::session::view::InputView;

#[derive(Default)]
pub(super) enum Stdin {
    /// The program has none of ours.
    #[default]
    None,
    Open(ChildStdin),
    /// A write has it; what comes back is the pipe, unless the write closed it.
    Lent(oneshot::Receiver<Option<ChildStdin>>),
    Closed,
}

impl Stdin {
    /// The pipe, for a write that gives it back.
    fn lend(&mut self) -> Result<(ChildStdin, oneshot::Sender<Option<ChildStdin>>), &'static str> {
        match std::mem::take(self) {
            Self::Open(stdin) => {
                let (back, returned) = oneshot::channel();
                *self = Self::Lent(returned);
                Ok((stdin, back))
            }
            other => {
                let why = match other {
                    Self::Lent(_) => "an earlier process_write_input is still in progress",
                    _ => "the program was started with its stdin closed",
                };
                *self = other;
                Err(why)
            }
        }
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

impl Actor {
    pub(super) fn write_input(&mut self, data: String, close_after: bool, limit: Duration, answer: Answer<InputView>) {
        if self.is_ended() {
            return drop(answer.send(Err(self.not_running())));
        }
        if matches!(self.program.stdin, Stdin::Closed) {
            return drop(answer.send(Err(SessionError::new(
                Code::StdinClosed,
                "the program's stdin is closed",
                "debug_restart opens a new stdin",
            ))));
        }
        let (mut stdin, back) = match self.program.stdin.lend() {
            Ok(lent) => lent,
            Err(why) => {
                let why = match self.link.as_ref().map(|link| link.method) {
                    Some(Method::Attached) => {
                        "clrbridge attached to this program: its stdin belongs to where it was started"
                    }
                    Some(Method::Adapter | Method::Replay) => "the adapter started the program and gives it no stdin",
                    _ => why,
                };
                return drop(answer.send(Err(SessionError::new(
                    Code::StdinUnavailable,
                    why,
                    "debug_launch with stdin=\"pipe\"",
                ))));
            }
        };
        self.job(async move {
            let bytes = data.into_bytes();
            let mut written = 0;
            let writing = async {
                while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
                    written += stdin.write(rest).await?;
                }
                stdin.flush().await
            };
            let result = tokio::time::timeout(limit, writing).await;
            let told = match result {
                Ok(Ok(())) => Ok(InputView { written, closed: close_after }),
                Ok(Err(error)) => Err(SessionError::new(
                    Code::StdinClosed,
                    format!("the program no longer reads its stdin: {error}"),
                    "debug_state shows whether it is still running",
                )),
                Err(_) => Err(SessionError::new(
                    Code::StdinUnavailable,
                    format!("the program took {written} of {} bytes within {} s", bytes.len(), limit.as_secs()),
                    "resume it until it reads; send the rest later",
                )),
            };
            let keep = !close_after && !matches!(&told, Err(error) if error.code == Code::StdinClosed);
            drop(back.send(keep.then_some(stdin)));
            drop(answer.send(told));
            Done::Nothing
        });
    }
}
