//! The answer to a command, and how long its caller wants to wait for it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::error::{Code, SessionError};
use super::redacted::{self, Redact};
use crate::redaction::Redaction;

/// A command's answer. The command was handed over when this was made, so the order of calls is the order of commands;
/// dropping it loses nothing (a stop that nobody heard is what the next wait returns).
#[must_use = "without awaiting the reply, its outcome is lost"]
pub struct Reply<T> {
    state: State<T>,
    /// Of an answer that a session gives: what it must not show.
    redaction: Option<(Redaction, Redacting<T>)>,
    /// What it is about, whose value an error may quote.
    expression: Option<String>,
}

/// [`Redact`] of an answer.
type Redacting<T> = fn(&mut Result<T, SessionError>, &Redaction);

enum State<T> {
    Ready(Option<Result<T, SessionError>>),
    Pending(oneshot::Receiver<Result<T, SessionError>>),
}

impl<T> Reply<T> {
    /// An answer that is known at once.
    pub fn ready(result: Result<T, SessionError>) -> Self {
        Self { state: State::Ready(Some(result)), redaction: None, expression: None }
    }

    /// What `ask` hands over, or at once why it could not.
    pub(crate) fn of(ask: impl FnOnce() -> Result<Self, SessionError>) -> Self {
        ask().unwrap_or_else(|error| Self::ready(Err(error)))
    }

    /// An answer of a session, through `receiver`, without secrets.
    pub(crate) fn pending(receiver: oneshot::Receiver<Result<T, SessionError>>, redaction: Redaction) -> Self
    where
        T: Redact,
    {
        Self { state: State::Pending(receiver), redaction: Some((redaction, Redact::redact)), expression: None }
    }

    /// The value of `expression` is what it is about.
    pub(crate) fn about(self, expression: Option<String>) -> Self {
        Self { expression, ..self }
    }
}

impl<T: Unpin> Future for Reply<T> {
    type Output = Result<T, SessionError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { state, redaction, expression } = &mut *self;
        match state {
            State::Ready(result) => Poll::Ready(result.take().unwrap_or_else(|| Err(gone()))),
            State::Pending(receiver) => Pin::new(receiver).poll(cx).map(|got| {
                let mut answer = got.unwrap_or_else(|_| Err(gone()));
                if let Some((rules, redact)) = redaction {
                    if let (Err(error), Some(expression)) = (&mut answer, &expression) {
                        redacted::quotes(&mut error.message, expression, rules);
                    }
                    redact(&mut answer, rules);
                }
                answer
            }),
        }
    }
}

fn gone() -> SessionError {
    SessionError::new(
        Code::InternalError,
        "the session ended without answering this call",
        "debug_state shows the state of the session; please report it",
    )
}

/// How long a waiting call waits.
#[derive(Debug, Clone, Default)]
pub struct Wait {
    /// `None` = the tool's default; zero = do not wait.
    pub timeout: Option<Duration>,
    /// Where the session reports what it is doing ("building Basics.csproj"), for progress notifications.
    pub phase: Option<watch::Sender<String>>,
}
