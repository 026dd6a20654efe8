//! The connections of a listener: served one task each, bounded in number, and finished together.
//!
//! At the limit the oldest one that is idle makes room, so connections that only wait keep nobody out; one that has just come may be
//! about to ask, and stays. Where all are at work or new, the next waits for its turn; those behind it wait in the system's queue.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::body::on_end;

/// Connections at a time. Each takes a file descriptor, of which a process has 1024 by default.
const MOST: usize = 512;
/// How long a client may take for the head of a request, and be idle between two.
const IDLE: Duration = Duration::from_secs(30);
/// Bytes of the head of a request.
const HEAD: usize = 32 * 1024;
const HEADERS: usize = 64;
/// How long a new connection has for its first request before it may have to make room.
const NEW: Duration = Duration::from_secs(3);
/// How long one waits for its turn, and how often it looks.
const TURN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);
/// How long to wait where the system has no descriptor left.
const EXHAUSTED: Duration = Duration::from_millis(50);

/// Cheap to clone; all clones are the same connections.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    open: Arc<Mutex<Open>>,
    /// One has ended.
    ended: Arc<Notify>,
    tasks: TaskTracker,
    /// Cancelled when they have had their time.
    cut: CancellationToken,
}

#[derive(Debug, Default)]
struct Open {
    last: u64,
    /// Oldest first.
    by_number: BTreeMap<u64, Connection>,
}

#[derive(Debug, Clone)]
struct Connection {
    since: Instant,
    /// Requests whose answers are not written yet.
    at_work: Arc<AtomicUsize>,
    close: CancellationToken,
}

impl Connections {
    pub fn count(&self) -> usize {
        self.open().by_number.len()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers one more; `None`: there are too many, all at work or new.
    fn admit(&self, now: Instant) -> Option<(u64, Connection)> {
        let mut open = self.open();
        if open.by_number.len() >= MOST {
            let is_new = |other: &Connection| now.saturating_duration_since(other.since) < NEW;
            let is_idle = |other: &Connection| other.at_work.load(Ordering::Relaxed) == 0 && !is_new(other);
            let oldest = open.by_number.iter().find(|(_, other)| is_idle(other)).map(|(number, _)| *number)?;
            if let Some(evicted) = open.by_number.remove(&oldest) {
                evicted.close.cancel();
            }
        }
        open.last += 1;
        let number = open.last;
        let connection = Connection { since: now, at_work: Arc::default(), close: CancellationToken::new() };
        open.by_number.insert(number, connection.clone());
        Some((number, connection))
    }

    async fn turn(&self) -> (u64, Connection) {
        loop {
            if let Some(admitted) = self.admit(Instant::now()) {
                return admitted;
            }
            tokio::select! {
                () = self.ended.notified() => {}
                () = sleep(LOOK) => {}
            }
        }
    }

    async fn begin(&self, stream: TcpStream, app: Router, end: CancellationToken) {
        let Some(Ok((number, connection))) = end.run_until_cancelled(timeout(TURN, self.turn())).await else {
            tracing::warn!("closed a new connection: all {MOST} are in use");
            return;
        };
        let connections = self.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = serve(stream, app, &connection, &end) => {}
                () = connection.close.cancelled() => {}
                () = connections.cut.cancelled() => {}
            }
            connections.open().by_number.remove(&number);
            connections.ended.notify_one();
        });
    }

    /// Waits until all have ended, at most `grace`; then those that are left are cut.
    pub async fn finish(&self, grace: Duration) {
        self.tasks.close();
        if timeout(grace, self.tasks.wait()).await.is_err() {
            self.cut.cancel();
            self.tasks.wait().await;
        }
    }
}

/// Serves until `end`. Connections then close when their present answers are written: see [`Connections::finish`].
pub async fn accept(listener: TcpListener, app: Router, connections: &Connections, end: &CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = end.cancelled() => return,
        };
        match accepted {
            Ok((stream, _)) => connections.begin(stream, app.clone(), end.clone()).await,
            Err(error) => {
                tracing::debug!(%error, "no connection");
                sleep(EXHAUSTED).await;
            }
        }
    }
}

async fn serve(stream: TcpStream, app: Router, connection: &Connection, end: &CancellationToken) {
    // Answers are written whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let at_work = &connection.at_work;
    let service = service_fn(|request: hyper::Request<hyper::body::Incoming>| {
        at_work.fetch_add(1, Ordering::Relaxed);
        let done = Done(Arc::clone(at_work));
        let mut app = app.clone();
        async move {
            let response = tower_service::Service::call(&mut app, request.map(Body::new)).await?;
            Ok::<_, Infallible>(response.map(|body| on_end(body, move |_| drop(done))))
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_header_size(HEAD)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let mut served = pin!(served);
    let outcome = tokio::select! {
        outcome = served.as_mut() => outcome,
        () = end.cancelled() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended");
    }
}

/// One answer less when dropped, however the request ended.
struct Done(Arc<AtomicUsize>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_idle_connection_makes_room_and_those_at_work_stay() {
        let connections = Connections::default();
        let began = Instant::now();
        let all: Vec<Connection> = (0..MOST).map(|_| connections.admit(began).unwrap().1).collect();
        all[0].at_work.fetch_add(1, Ordering::Relaxed);
        assert!(connections.admit(began).is_none(), "they are new: each may be about to ask");
        let later = began + NEW;
        assert!(connections.admit(later).is_some());
        assert_eq!(
            (connections.count(), all[0].close.is_cancelled(), all[1].close.is_cancelled()),
            (MOST, false, true)
        );
        for connection in connections.open().by_number.values() {
            connection.at_work.fetch_add(1, Ordering::Relaxed);
        }
        assert!(connections.admit(later + NEW).is_none());
    }
}
