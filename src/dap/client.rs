//! The table of pending requests. No tasks: one actor sends requests and passes in what arrives.
//!
//! Owns numbering and matching, and knows since when a response has been due. What follows if it is missing is up to the actor: [`Client::oldest_pending`].
//! The race to remember: an answer (or an event caused by the request) may arrive before anyone polls the
//! future, so a request is entered and queued when it is called, not when it is awaited.

mod asked;

use std::{
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::{sync::oneshot, time::Instant};

use self::asked::short_text;
use super::{
    DapError, Request,
    message::{Response, ReverseRequest, encode_refusal, encode_request},
};
use crate::transport::Outgoing;

/// Asks an adapter. Clones share the table.
#[derive(Debug, Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

/// Why there is no adapter to ask any more, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// For example `exit code 139`.
    pub reason: String,
}

impl Gone {
    /// The reason in words.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// A request without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owed {
    pub command: &'static str,
    /// When it was sent.
    pub asked: Instant,
    /// Until when the adapter may work on it: [`Client::request_within`].
    pub due: Instant,
}

#[derive(Debug)]
struct Shared {
    outgoing: Outgoing,
    table: Mutex<Table>,
}

#[derive(Debug)]
struct Table {
    next_seq: i64,
    /// By `seq`, so the first entry is the oldest.
    pending: BTreeMap<i64, Entry>,
    gone: Option<Gone>,
}

struct Entry {
    command: &'static str,
    /// As it was sent; holds the arguments, should somebody ask what was being done.
    request: Bytes,
    asked: Instant,
    /// When an answer is owed: the adapter was given time until then.
    due: Instant,
    answer: oneshot::Sender<Answer>,
}

type Answer = Result<Response, DapError>;

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("command", &self.command).field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl Client {
    /// A client that writes to this connection.
    #[must_use]
    pub fn new(outgoing: Outgoing) -> Self {
        let table = Table { next_seq: 1, pending: BTreeMap::new(), gone: None };
        Self { shared: Arc::new(Shared { outgoing, table: Mutex::new(table) }) }
    }

    /// Asks. The request is in the table and on its way when this returns; await the answer, or drop it.
    pub fn request<R: Request>(&self, arguments: R::Arguments) -> Pending<R> {
        self.request_within::<R>(arguments, Duration::ZERO)
    }

    /// The same for a request whose arguments allow the adapter `time` before it answers.
    pub fn request_within<R: Request>(&self, arguments: R::Arguments, time: Duration) -> Pending<R> {
        let (answer, receiver) = oneshot::channel();
        let mut table = self.shared.lock();
        let seq = table.take_seq();
        match encode_request::<R>(seq, &arguments) {
            Err(error) => settle(answer, Err(error)),
            Ok(request) => {
                let asked = Instant::now();
                let entry = Entry { command: R::COMMAND, request: request.clone(), asked, due: asked + time, answer };
                if let Some(gone) = table.gone.clone() {
                    entry.fail(&gone);
                } else if self.shared.outgoing.send(request) {
                    table.pending.insert(seq, entry);
                } else {
                    entry.fail(&Gone::new("it no longer reads its input"));
                }
            }
        }
        drop(table);
        Pending { receiver, shared: Arc::downgrade(&self.shared), seq, request: PhantomData }
    }

    /// Hands an answer to whoever waits for it. `false`: nobody does (dropped, or never asked), which is harmless.
    pub fn resolve(&self, response: Response) -> bool {
        let entry = self.shared.lock().pending.remove(&response.request_seq);
        entry.is_some_and(|entry| entry.answer.send(Ok(response)).is_ok())
    }

    /// Wakes everybody with [`DapError::Gone`]; later requests fail at once. The first reason is kept.
    pub fn fail_all(&self, reason: Gone) {
        let mut table = self.shared.lock();
        let gone = table.gone.get_or_insert(reason).clone();
        let pending = std::mem::take(&mut table.pending);
        drop(table);
        for entry in pending.into_values() {
            entry.fail(&gone);
        }
    }

    /// Says no to a request of the adapter, so that it goes on.
    pub fn refuse(&self, request: &ReverseRequest) {
        let words = match request.command.as_str() {
            "runInTerminal" => "clrbridge has no terminal and starts programs itself; use console internalConsole",
            "handshake" => "clrbridge cannot sign this handshake; the adapter is licensed for other clients only",
            "startDebugging" => "clrbridge starts debug sessions only when its own client asks for one",
            _ => "clrbridge does not know this request",
        };
        let seq = self.shared.lock().take_seq();
        if !self.shared.outgoing.send(encode_refusal(seq, request, words)) {
            tracing::debug!(command = request.command, "the adapter exited before its request was refused");
        }
    }

    /// The request that waits the longest.
    #[must_use]
    pub fn oldest_pending(&self) -> Option<Owed> {
        let of = |entry: &Entry| Owed { command: entry.command, asked: entry.asked, due: entry.due };
        self.shared.lock().pending.first_key_value().map(|(_, entry)| of(entry))
    }

    /// All open requests, oldest first: command and its main argument (may be empty).
    #[must_use]
    pub fn in_flight(&self) -> Vec<(&'static str, String)> {
        self.shared.lock().pending.values().map(|entry| (entry.command, short_text(&entry.request))).collect()
    }

    /// What an open request asks: as [`Self::in_flight`].
    #[must_use]
    pub fn asked(&self, seq: i64) -> Option<(&'static str, String)> {
        self.shared.lock().pending.get(&seq).map(|entry| (entry.command, short_text(&entry.request)))
    }

    /// Shuts the way out (end of file on the adapter's stdin). Answers may still come.
    pub fn close(&self) {
        self.shared.outgoing.close();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn take_seq(&mut self) -> i64 {
        let seq = self.next_seq;
        self.next_seq += 1;
        seq
    }
}

impl Entry {
    fn fail(self, gone: &Gone) {
        let while_doing = format!("{} {}", self.command, short_text(&self.request)).trim_end().to_owned();
        settle(self.answer, Err(DapError::Gone { while_doing, reason: gone.reason.clone() }));
    }
}

fn settle(waiter: oneshot::Sender<Answer>, answer: Answer) {
    // Nobody waits any more: nothing is lost.
    let _ = waiter.send(answer);
}

/// The answer to one request. Dropping it forgets the request (the adapter still works on it).
#[derive(Debug)]
#[must_use = "dropping the answer makes it unobservable; bind it or say why not"]
pub struct Pending<R> {
    receiver: oneshot::Receiver<Answer>,
    /// Weak: an answer that is awaited must not keep the table alive that nobody fills any more.
    shared: Weak<Shared>,
    seq: i64,
    request: PhantomData<fn() -> R>,
}

impl<R> Pending<R> {
    #[cfg(test)]
    fn seq(&self) -> i64 {
        self.seq
    }
}

impl<R: Request> Future for Pending<R> {
    type Output = Result<R::Response, DapError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receiver).poll(context).map(|answer| match answer {
            Ok(answer) => read_answer::<R>(answer?),
            Err(_) => {
                Err(DapError::Gone { while_doing: R::COMMAND.to_owned(), reason: "the client was dropped".to_owned() })
            }
        })
    }
}

impl<R> Drop for Pending<R> {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.lock().pending.remove(&self.seq);
        }
    }
}

fn read_answer<R: Request>(response: Response) -> Result<R::Response, DapError> {
    if !response.success {
        let message = response.message.filter(|words| !words.is_empty());
        let message = message.or_else(|| asked::words_of_error(response.body.as_deref())).unwrap_or_default();
        return Err(DapError::Refused { command: R::COMMAND, message, body: response.body });
    }
    // A result without members may come as no body, null or {}.
    let body = response.body.as_deref().map_or("{}", RawValue::get);
    let body = if body == "null" { "{}" } else { body };
    serde_json::from_str(body).map_err(|source| DapError::Shape { command: R::COMMAND, source })
}

#[cfg(test)]
mod tests;
