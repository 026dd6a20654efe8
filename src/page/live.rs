//! The stream that notifies open pages of changes. Changes are looked for at a steady pace, so a program that stops a thousand times a
//! second costs no more than one that stops twice.

use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::StreamExt as _;
use futures::stream;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{Context, Shown};

/// Open pages at a time.
const MOST: usize = 32;
const PACE: Duration = Duration::from_millis(250);

/// How many pages are open, and when they end.
#[derive(Clone)]
pub(super) struct Watchers {
    places: Arc<Semaphore>,
    end: CancellationToken,
}

impl Watchers {
    pub(super) fn new(end: CancellationToken) -> Self {
        Self { places: Arc::new(Semaphore::new(MOST)), end }
    }
}

pub(super) async fn events(State(context): State<Context>) -> Response {
    let Watchers { places, end } = context.watchers;
    let Ok(place) = places.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open: close one\n").into_response();
    };
    let mut beat = interval(PACE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let changes = stream::unfold((beat, None, context.shown, place), |(mut beat, last, shown, place)| async move {
        loop {
            beat.tick().await;
            let now = Some(fingerprint(&shown));
            if now != last {
                // browsers pass over an event without data
                let event = Event::default().event("change").data("now");
                return Some((Ok::<_, Infallible>(event), (beat, now, shown, place)));
            }
        }
    });
    Sse::new(changes.take_until(end.cancelled_owned())).keep_alive(KeepAlive::default()).into_response()
}

/// Another number when a page would look different.
fn fingerprint(shown: &Shown) -> u64 {
    let mut hasher = DefaultHasher::new();
    shown.calls.last().hash(&mut hasher);
    for (number, registry) in (shown.registries)() {
        number.hash(&mut hasher);
        for session in registry.handles() {
            let view = session.peek();
            (session.id(), view.state.as_str(), view.seq, view.breakpoint_count, view.unverified).hash(&mut hasher);
        }
    }
    hasher.finish()
}
