//! Calls reach sessions in the order in which they arrived.
//!
//! rmcp starts a task per request and keeps no order (71 of 350 neighbors swapped on a multi-thread runtime; on a current-thread
//! one the first await loses it). So each tools/call is stamped with its number as it is read, and hands its command over
//! only when all earlier ones have, or have gone. The race: a call may be dropped before its turn; its ticket passes all the same.

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::watch;

/// Numbers the calls of one connection and lets them pass one by one.
#[derive(Debug)]
pub(in crate::mcp) struct Turnstile {
    /// The number whose turn it is.
    turn: watch::Sender<u64>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next_number: u64,
    /// Numbers above the turn that have gone already.
    gone: BTreeSet<u64>,
}

/// One call's place in the line. All clones are one place, which is given up when it passes or the last one is dropped.
#[derive(Debug, Clone)]
pub(in crate::mcp) struct Ticket(Arc<Place>);

#[derive(Debug)]
struct Place {
    number: u64,
    turnstile: Arc<Turnstile>,
}

impl Turnstile {
    pub(in crate::mcp) fn new() -> Arc<Self> {
        Arc::new(Self { turn: watch::Sender::new(0), state: Mutex::default() })
    }

    /// The next place in the line.
    pub(in crate::mcp) fn ticket(self: &Arc<Self>) -> Ticket {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.next_number;
        state.next_number += 1;
        Ticket(Arc::new(Place { number, turnstile: Arc::clone(self) }))
    }

    fn pass(&self, number: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.turn.send_if_modified(|turn| {
            let before = *turn;
            if number >= before {
                state.gone.insert(number);
            }
            while state.gone.remove(turn) {
                *turn += 1;
            }
            *turn != before
        });
    }
}

impl Ticket {
    async fn turn(&self) {
        let mut turn = self.0.turnstile.turn.subscribe();
        // The sender lives in the turnstile that this ticket holds, so the wait ends with the turn.
        let _ = turn.wait_for(|turn| *turn >= self.0.number).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.turnstile.pass(self.number);
    }
}

/// Polls `work` for the first time when it is its turn, then lets the next one in and goes on.
/// What must happen in order happens before the first await of `work`.
pub(in crate::mcp) async fn in_turn<F: Future>(ticket: Option<Ticket>, work: F) -> F::Output {
    let mut work = pin!(work);
    if let Some(ticket) = ticket {
        ticket.turn().await;
        let first = poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await;
        ticket.0.turnstile.pass(ticket.0.number);
        if let Poll::Ready(output) = first {
            return output;
        }
    }
    work.await
}

/// A transport that stamps tool calls as they come in; the stamp reaches the handler in the request's extensions.
pub(in crate::mcp) struct Ordered<T> {
    inner: T,
    turnstile: Arc<Turnstile>,
}

impl<T> Ordered<T> {
    pub(in crate::mcp) fn new(inner: T) -> Self {
        Self { inner, turnstile: Turnstile::new() }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Ordered<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut message = self.inner.receive().await?;
        if let JsonRpcMessage::Request(request) = &mut message
            && let ClientRequest::CallToolRequest(call) = &mut request.request
        {
            call.extensions.insert(self.turnstile.ticket());
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[tokio::test]
    async fn calls_begin_in_order_whichever_is_polled_first_and_dropped_ones_let_pass() {
        let turnstile = Turnstile::new();
        let begun = Arc::new(Mutex::new(Vec::new()));
        let tickets: Vec<_> = (0..5).map(|_| turnstile.ticket()).collect();
        let mut tasks = Vec::new();
        for (number, ticket) in tickets.into_iter().enumerate().rev() {
            if number == 2 {
                continue; // The ticket goes away unused.
            }
            let begun = Arc::clone(&begun);
            tasks.push(tokio::spawn(in_turn(Some(ticket), async move {
                begun.lock().unwrap().push(number);
                tokio::task::yield_now().await;
                number
            })));
        }
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*begun.lock().unwrap(), [0, 1, 3, 4]);
    }

    #[tokio::test]
    async fn a_call_that_waits_does_not_hold_the_next() {
        let turnstile = Turnstile::new();
        let (first, second) = (turnstile.ticket(), turnstile.ticket());
        let waiting = tokio::spawn(in_turn(Some(first), std::future::pending::<()>()));
        assert_eq!(in_turn(Some(second), async { 2 }).await, 2);
        waiting.abort();
    }
}
