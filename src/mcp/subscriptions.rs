//! Updates of resources. Like open pages of the dashboard they are looked for at a steady pace, so a client hears at most four times a
//! second of one, however often the program stops, and always of the last state.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionContext};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::call::Dispatch;
use super::resources::fingerprint;

const PACE: Duration = Duration::from_millis(250);
/// How long a client may take to accept an update; it is sent again if it does not.
const LIMIT: Duration = Duration::from_secs(1);
/// Of one connection.
const MOST: usize = 100;

/// What each resource was when its client last heard of it.
type Heard = BTreeMap<String, Option<u64>>;

#[derive(Default)]
struct Watched {
    heard: Heard,
    /// Somebody looks for changes.
    is_watched: bool,
}

/// Those of one connection, for revisions before 2026-07-28.
pub(super) struct Subscriptions {
    watched: Arc<Mutex<Watched>>,
    /// Ends the watch with the connection.
    end: CancellationToken,
    _end: DropGuard,
}

impl Default for Subscriptions {
    fn default() -> Self {
        let end = CancellationToken::new();
        Self { watched: Arc::default(), _end: end.clone().drop_guard(), end }
    }
}

impl Subscriptions {
    /// `false`: there are too many.
    pub(super) fn add(&self, dispatch: &Dispatch, peer: &Peer<RoleServer>, uri: &str) -> bool {
        let mut watched = lock(&self.watched);
        if watched.heard.len() >= MOST && !watched.heard.contains_key(uri) {
            return false;
        }
        watched.heard.insert(uri.to_owned(), fingerprint(dispatch.registry(), dispatch.calls(), uri));
        if !std::mem::replace(&mut watched.is_watched, true) {
            let (all, peer) = (Arc::clone(&self.watched), peer.clone());
            let notify = move |uri: String| {
                let peer = peer.clone();
                async move { peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_ok() }
            };
            let (dispatch, end) = (dispatch.clone(), self.end.clone());
            tokio::spawn(async move { end.run_until_cancelled(watch(&dispatch, &all, notify)).await });
        }
        true
    }

    pub(super) fn remove(&self, uri: &str) {
        lock(&self.watched).heard.remove(uri);
    }
}

/// The subscriptions of one request of revision 2026-07-28, until it is cancelled.
pub(super) async fn listen(dispatch: &Dispatch, context: &SubscriptionContext) {
    let wanted = context.accepted().resource_subscriptions.iter().flatten();
    let now = |uri: &String| (uri.clone(), fingerprint(dispatch.registry(), dispatch.calls(), uri));
    let watched = Mutex::new(Watched { heard: wanted.map(now).collect(), is_watched: true });
    let notify = |uri: String| async move { context.sink().notify_resource_updated(uri).await.is_ok() };
    tokio::select! {
        () = context.cancelled() => {}
        () = watch(dispatch, &watched, notify) => {}
    }
}

/// Until nothing is subscribed to.
async fn watch<F: Future<Output = bool>>(dispatch: &Dispatch, watched: &Mutex<Watched>, notify: impl Fn(String) -> F) {
    let mut beat = interval(PACE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let Some(changed) = changed(dispatch, &mut lock(watched)) else { return };
        for (uri, now) in changed {
            let is_notified = timeout(LIMIT, notify(uri.clone())).await == Ok(true);
            if let Some(last) = lock(watched).heard.get_mut(&uri).filter(|_| is_notified) {
                *last = now;
            }
        }
    }
}

/// `None`: nothing is subscribed to any more, and nobody will look again.
fn changed(dispatch: &Dispatch, watched: &mut Watched) -> Option<Heard> {
    watched.is_watched = !watched.heard.is_empty();
    let now = |uri: &str| fingerprint(dispatch.registry(), dispatch.calls(), uri);
    let states = watched.heard.iter().map(|(uri, last)| (uri, last, now(uri)));
    let changed = states.filter(|(_, last, now)| *last != now).map(|(uri, _, now)| (uri.clone(), now)).collect();
    watched.is_watched.then_some(changed)
}

fn lock(watched: &Mutex<Watched>) -> MutexGuard<'_, Watched> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}
