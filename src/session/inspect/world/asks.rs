//! Questions of an evaluation, which waits, to the reader, which is asynchronous.

use std::future::Future;
use std::sync::mpsc::{Sender, channel, sync_channel};

use futures::future::BoxFuture;

use crate::session::error::Code;
use crate::session::inspect::access::{Access, ReadError};
use crate::session::inspect::evaluated::{EvalError, RUNS_NOTHING};
use crate::session::inspect::reader::Reader;
use crate::session::inspect::{RawValue, refusal};

/// Expressions nest as deep as their syntax may.
const STACK: usize = 16 << 20;

type Question = Box<dyn FnOnce(Reader) -> BoxFuture<'static, ()> + Send>;

/// To whoever serves the evaluation.
pub(super) struct Asks(Sender<Question>);

impl Asks {
    /// What the reader says.
    pub(super) fn ask<T, F>(&self, question: impl FnOnce(Reader) -> F + Send + 'static) -> Result<T, EvalError>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let (answer, answered) = sync_channel(1);
        let question: Question = Box::new(move |reader| {
            Box::pin(async move {
                let _ = answer.send(question(reader).await);
            })
        });
        self.0.send(question).map_err(|_| given_up())?;
        answered.recv().map_err(|_| given_up())
    }
}

/// Runs `work` on a thread of its own and answers its questions until it ends. Cancel-safe: `work` gets no answer then.
pub(super) async fn serve<T: Send + 'static>(
    reader: &Reader,
    work: impl FnOnce(Asks) -> T + Send + 'static,
) -> Result<T, EvalError> {
    let (questions, mut asked) = channel::<Question>();
    let (done, result) = channel::<T>();
    let thread = std::thread::Builder::new().name("expression".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || {
        let _ = done.send(work(Asks(questions)));
    });
    started.map_err(|error| EvalError::new(Code::EvaluationFailed, format!("no thread to evaluate on: {error}")))?;
    // to wait for the thread is work, as far as the runtime's clock is concerned; to wait for the adapter is none
    loop {
        let next = tokio::task::spawn_blocking(move || (asked.recv().ok(), asked)).await;
        match next {
            Ok((Some(question), rest)) => {
                asked = rest;
                question(reader.clone()).await;
            }
            _ => break,
        }
    }
    let result = tokio::task::spawn_blocking(move || result.recv().ok()).await;
    result.ok().flatten().ok_or_else(given_up)
}

fn given_up() -> EvalError {
    EvalError::new(Code::EvaluationFailed, "the evaluation was abandoned")
}

/// What the adapter says of an expression; its refusal in plain words.
pub(super) async fn asked(reader: &Reader, text: &str, access: Access) -> Result<RawValue, EvalError> {
    match reader.evaluate(text, access).await {
        Ok(value) => Ok(value),
        // CORDBG_E_PROCESS_TERMINATED
        Err(ReadError::Refused(words)) if words.contains("0x80131301") => {
            Err(EvalError::new(Code::NotRunning, "the program ended during the evaluation"))
        }
        Err(ReadError::Refused(words)) => {
            let is_certain = words.contains(RUNS_NOTHING);
            let message = refusal::explained(reader, text, &words).await;
            Err(EvalError { is_certain, ..EvalError::new(Code::EvaluationFailed, message) })
        }
        Err(other) => Err(other.into()),
    }
}
