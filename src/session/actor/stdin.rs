//! Writing to the program's stdin.

use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::Actor;
use super::done::Done;
use super::input_wait::InputWait;
use super::program_stdin::{LAUNCH_WITH_PIPE, ProgramStdin};
use crate::session::command::Answer;
use crate::session::error::{Code, SessionError};
use crate::session::startup::Method;
use crate::session::view::InputView;

impl Actor {
    pub(super) fn write_input(&mut self, data: String, close_after: bool, limit: Duration, answer: Answer<InputView>) {
        if self.is_ended() {
            return drop(answer.send(Err(self.not_running())));
        }
        if matches!(self.program.stdin, ProgramStdin::Closed) {
            return drop(answer.send(Err(SessionError::new(
                Code::StdinClosed,
                "the program's stdin is closed",
                "debug_restart opens a new stdin",
            ))));
        }
        let (mut stdin, back) = match self.program.stdin.lend() {
            Ok(lent) => lent,
            Err(lack) => {
                let [why, hint] = match self.link.as_ref().map(|link| link.method) {
                    Some(Method::Attached) => [
                        "clrbridge attached to this program: its stdin belongs to whatever started it",
                        LAUNCH_WITH_PIPE,
                    ],
                    Some(Method::Adapter | Method::Replay) => {
                        ["the adapter started the program without a stdin pipe", LAUNCH_WITH_PIPE]
                    }
                    _ => lack,
                };
                return drop(answer.send(Err(SessionError::new(Code::StdinUnavailable, why, hint))));
            }
        };
        self.program.input = InputWait::default();
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
            let written = match result {
                Ok(Ok(())) => Ok(InputView { written, closed: close_after }),
                Ok(Err(error)) => Err(SessionError::new(
                    Code::StdinClosed,
                    format!("the program no longer reads its stdin: {error}"),
                    "debug_state shows whether it is still running",
                )),
                Err(_) => Err(SessionError::new(
                    Code::StdinUnavailable,
                    format!(
                        "{written} of {} bytes were written to the program's stdin within {} s: its pipe is full",
                        bytes.len(),
                        limit.as_secs()
                    ),
                    "resume the program so that it can read its stdin, then send the rest",
                )),
            };
            let keep = !close_after && !matches!(&written, Err(error) if error.code == Code::StdinClosed);
            drop(back.send(keep.then_some(stdin)));
            drop(answer.send(written));
            Done::Nothing
        });
    }
}
