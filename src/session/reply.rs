//! The answer to a command, and how long its caller wants to wait for it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::error::{Code, SessionError};

/// A command's answer. The command was handed over when this was made, so the order of calls is the order of commands;
/// dropping it loses nothing (a stop that nobody heard is what the next wait returns).
#[must_use = "without awaiting the reply, its outcome is lost"]
pub struct Reply<T>(State<T>);

enum State<T> {
    Ready(Option<Result<T, SessionError>>),
    Pending(oneshot::Receiver<Result<T, SessionError>>),
}

impl<T> Reply<T> {
    /// An answer that is known at once.
    pub fn ready(result: Result<T, SessionError>) -> Self {
        Self(State::Ready(Some(result)))
    }

    /// What `ask` hands over, or at once why it could not.
    pub(crate) fn of(ask: impl FnOnce() -> Result<Self, SessionError>) -> Self {
        ask().unwrap_or_else(|error| Self::ready(Err(error)))
    }

    /// An answer that comes through `receiver`.
    pub fn pending(receiver: oneshot::Receiver<Result<T, SessionError>>) -> Self {
        Self(State::Pending(receiver))
    }
}

impl<T: Unpin> Future for Reply<T> {
    type Output = Result<T, SessionError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            State::Ready(result) => Poll::Ready(result.take().unwrap_or_else(|| Err(gone()))),
            State::Pending(receiver) => Pin::new(receiver).poll(cx).map(|got| got.unwrap_or_else(|_| Err(gone()))),
        }
    }
}

fn gone() -> SessionError {
    SessionError::new(
        Code::InternalError,
        "the session ended without answering this call",
        "debug_state shows what is left; please report it",
    )
}

/// How long a waiting call waits.
#[derive(Debug, Clone, Default)]
pub struct Wait {
    /// `None` = the tool's default; zero = do not wait.
    pub timeout: Option<Duration>,
    /// Where the session tells what it is at ("building Basics.csproj"), for progress notifications.
    pub phase: Option<watch::Sender<String>>,
}
