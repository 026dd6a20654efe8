//! The clients of an HTTP server and whose sessions are whose: each connection has its own, or all share them (`--share-sessions`).
//!
//! Requests of revision 2026-07-28 belong to no connection; those clients have one set of sessions together.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::future::join_all;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::mcp::call::Dispatch;
use crate::session::Registry;

/// Connections of clients at a time. Each costs up to 100 KB.
const MOST: usize = 2_000;
/// From that many on, each new one ends the one that was silent for the longest time: not every client says that it leaves.
const MANY: usize = 1_900;
/// How long answers may take to be made and written when the server ends and no session is left.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Cheap to clone; all clones are the same clients.
#[derive(Clone)]
pub struct Clients(Arc<Inner>);

struct Inner {
    /// Of requests without a connection; shared sessions are this one's.
    dispatch: Dispatch,
    /// Makes the sessions of one connection; `None`: all share them.
    fresh: Option<Box<dyn Fn() -> Registry + Send + Sync>>,
    connected: Mutex<Connected>,
    began: Instant,
    /// POST requests that are not answered yet.
    answering: watch::Sender<usize>,
    /// No further request is taken.
    ending: CancellationToken,
    /// Ends connections and their streams.
    end: CancellationToken,
    leaving: TaskTracker,
}

#[derive(Default)]
struct Connected {
    last: u64,
    by_number: BTreeMap<u64, Registry>,
}

/// One connection of a client. Dropped when it ends: sessions that only it has end then.
pub(super) struct Client {
    pub(super) dispatch: Dispatch,
    number: u64,
    clients: Clients,
}

/// A request that is not answered yet.
pub(super) struct Answering(Clients);

impl Clients {
    /// `dispatch`: over the sessions of all that have no connection. `fresh` makes those of one connection; `None`: all share
    /// them.
    pub fn new(dispatch: Dispatch, fresh: Option<Box<dyn Fn() -> Registry + Send + Sync>>) -> Self {
        Self(Arc::new(Inner {
            dispatch,
            fresh,
            connected: Mutex::default(),
            began: Instant::now(),
            answering: watch::Sender::new(0),
            ending: CancellationToken::new(),
            end: CancellationToken::new(),
            leaving: TaskTracker::new(),
        }))
    }

    pub(super) fn dispatch(&self) -> &Dispatch {
        &self.0.dispatch
    }

    pub(super) fn end(&self) -> &CancellationToken {
        &self.0.end
    }

    pub(super) fn uptime(&self) -> Duration {
        self.0.began.elapsed()
    }

    fn connected(&self) -> MutexGuard<'_, Connected> {
        self.0.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests that are not answered yet.
    pub(super) fn answering(&self) -> usize {
        *self.0.answering.borrow()
    }

    /// Clients with a connection.
    pub(super) fn count(&self) -> usize {
        self.connected().by_number.len()
    }

    /// Every set of sessions with its number, that of requests without a connection first.
    pub fn registries(&self) -> Vec<(u64, Registry)> {
        let mut all = vec![(0, self.0.dispatch.registry().clone())];
        if self.0.fresh.is_some() {
            all.extend(self.connected().by_number.iter().map(|(number, registry)| (*number, registry.clone())));
        }
        all
    }

    /// Whether there are so many that silent ones have to make room.
    pub(super) fn are_many(&self) -> bool {
        self.count() >= MANY
    }

    /// Whether ending this client's connection would end a program.
    pub(super) fn is_debugging(&self, registry: &Registry) -> bool {
        self.0.fresh.is_some() && registry.live_count() > 0
    }

    /// A client connects. `None`: there are too many, or the server is ending.
    pub(super) fn connect(&self) -> Option<Client> {
        let shared = || self.0.dispatch.registry().of_connection();
        let registry = self.0.fresh.as_ref().map_or_else(shared, |fresh| fresh());
        let mut connected = self.connected();
        if connected.by_number.len() >= MOST || self.0.ending.is_cancelled() {
            return None;
        }
        connected.last += 1;
        let number = connected.last;
        connected.by_number.insert(number, registry.clone());
        drop(connected);
        Some(Client { dispatch: self.0.dispatch.over(registry), number, clients: self.clone() })
    }

    fn left(&self, number: u64) {
        let left = self.connected().by_number.remove(&number);
        if let Some(registry) = left.filter(|_| self.0.fresh.is_some()) {
            self.0.leaving.spawn(async move { registry.shutdown().await });
        }
    }

    /// Registers a request that must be answered. `None`: the server is shutting down.
    pub(super) fn begin_answer(&self) -> Option<Answering> {
        if self.0.ending.is_cancelled() {
            return None;
        }
        self.0.answering.send_modify(|count| *count += 1);
        Some(Answering(self.clone()))
    }

    /// Ends every session, which answers the calls that wait; then the connections, once those answers are written.
    pub async fn shutdown(&self) {
        self.0.ending.cancel();
        let registries = self.registries();
        join_all(registries.iter().map(|(_, registry)| registry.shutdown())).await;
        let mut answering = self.0.answering.subscribe();
        // The sender is ours, so the wait ends with the answers or the time.
        let _ = tokio::time::timeout(LAST_ANSWERS, answering.wait_for(|count| *count == 0)).await;
        self.0.end.cancel();
        self.0.leaving.close();
        self.0.leaving.wait().await;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.clients.left(self.number);
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.answering.send_modify(|count| *count = count.saturating_sub(1));
    }
}
