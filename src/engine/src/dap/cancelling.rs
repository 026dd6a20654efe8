//! What cancels a request: `cancel`, or a client that wants to disconnect.

use std::collections::HashSet;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dap_wire::CancelArguments;
use serde_json::value::RawValue;

use super::input::{Input, Request};
use super::server::Server;
use crate::calls::{CallError, Waiter};
use crate::com;
use crate::target::Notice;

/// The requests that a client has cancelled, known as soon as it said so: one that still waits its turn never begins.
#[derive(Clone, Default)]
pub struct Cancelled(Arc<Mutex<HashSet<i64>>>);

impl Cancelled {
    /// Of any request that comes.
    pub fn note(&self, request: &Request) {
        if let Some(of) = cancels(request) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(of);
        }
    }

    /// The answer to a request that was cancelled, as the protocol words it.
    pub fn refusal(&self, request: &Request) -> Option<String> {
        let is_cancelled = self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&request.seq);
        is_cancelled.then(|| "cancelled".to_owned())
    }

    /// The turn of a `cancel` has come: what it named is answered.
    pub fn forget(&self, request: &Request) {
        if let Some(of) = cancels(request) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&of);
        }
    }
}

/// The request that a `cancel` names.
fn cancels(request: &Request) -> Option<i64> {
    let arguments = request.arguments.as_deref().filter(|_| request.command == "cancel")?;
    serde_json::from_str::<CancelArguments>(RawValue::get(arguments)).ok()?.request_id
}

impl Server {
    /// Whether a request waits that ends what is under way.
    pub(super) fn is_interrupted(&mut self) -> bool {
        while let Ok(input) = self.inputs.try_recv() {
            let ends = match &input {
                Input::Request(request) => self.is_ended_by(request),
                Input::RequestsEnded => true,
                _ => false,
            };
            self.later.push_back(input);
            if ends {
                return true;
            }
        }
        false
    }

    /// Whether a request that comes ends the one that is under way.
    fn is_ended_by(&self, request: &Request) -> bool {
        match request.command.as_str() {
            "disconnect" | "terminate" => true,
            "cancel" => self.current.is_some() && cancels(request) == self.current,
            _ => false,
        }
    }
}

impl Waiter for Server {
    /// Events go out meanwhile, requests wait; one that ends all ends the call first.
    fn wait(&mut self, limit: Duration) -> Result<Option<(com::Eval, bool)>, CallError> {
        let began = Instant::now();
        loop {
            let left = limit.saturating_sub(began.elapsed());
            let input = match self.inputs.recv_timeout(left) {
                Ok(input) => input,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(None),
            };
            match input {
                Input::Notice(Notice::CallEnded { eval, threw }) => return Ok(Some((eval, threw))),
                ended @ (Input::Notice(Notice::Exited) | Input::ProgramEnded(_)) => {
                    // reported first: that there is no program any more is the better answer
                    self.take(ended);
                    return Err(CallError::Ended);
                }
                Input::Notice(notice @ Notice::Stopped { .. }) => self.later.push_back(Input::Notice(notice)),
                Input::Request(request) => {
                    let ends = self.is_ended_by(&request);
                    self.later.push_back(Input::Request(request));
                    if ends {
                        return Ok(None);
                    }
                }
                Input::RequestsEnded => {
                    self.later.push_back(Input::RequestsEnded);
                    return Ok(None);
                }
                other => self.take(other),
            }
        }
    }
}
