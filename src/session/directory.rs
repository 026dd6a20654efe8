//! The sessions of a server, as each of them knows the others: who lives, what they share, when all end.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::handle::SessionHandle;
use super::ids::SessionId;
use super::lapse::Calls;
use super::workspace::SharedWorkspace;

/// Ended sessions that are remembered (their state, output and events).
const ENDED_KEPT: usize = 8;

/// Cheap to clone; all clones are one directory.
#[derive(Clone)]
pub(crate) struct Directory {
    /// Oldest first.
    sessions: Arc<Mutex<Vec<SessionHandle>>>,
    /// What every session takes over.
    workspace: SharedWorkspace,
    /// Every actor, also of a session that nobody finds any more: what it started has to end with us.
    actors: TaskTracker,
    ending: CancellationToken,
    calls: Calls,
}

impl Directory {
    pub(crate) fn new() -> Self {
        Self {
            sessions: Arc::default(),
            workspace: SharedWorkspace::default(),
            actors: TaskTracker::new(),
            ending: CancellationToken::new(),
            calls: Calls::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<SessionHandle>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session that `begin` begins: it is listed before it can be forgotten, so `begin` itself must not ask who else lives.
    /// The oldest of those that are over are forgotten.
    pub(crate) fn add(&self, begin: impl FnOnce() -> SessionHandle) {
        let mut sessions = self.lock();
        sessions.push(begin());
        for forgotten in forget_oldest(&mut sessions) {
            self.workspace.forget(&forgotten);
        }
    }

    /// Oldest first.
    pub(crate) fn all(&self) -> Vec<SessionHandle> {
        self.lock().clone()
    }

    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The other sessions that live, oldest first, as they are reported: `s2 (Shop, stopped)`.
    pub(crate) fn others_live(&self, id: &SessionId) -> Vec<String> {
        let sessions = self.lock();
        sessions.iter().filter(|other| other.id() != id && other.is_live()).map(described).collect()
    }

    /// How many sessions live.
    pub(crate) fn live_count(&self) -> usize {
        self.lock().iter().filter(|session| session.is_live()).count()
    }

    /// The pid of every program that one of our live sessions debugs.
    pub(crate) fn session_of(&self, pid: u32) -> Option<SessionId> {
        let sessions = self.lock();
        let found = sessions.iter().find(|session| session.is_live() && session.peek().pid == Some(pid));
        found.map(|session| session.id().clone())
    }

    /// A session never came to be: nobody finds it.
    pub(crate) fn forget(&self, id: &SessionId) {
        self.lock().retain(|session| session.id() != id);
        self.workspace.forget(id);
    }

    pub(crate) fn workspace(&self) -> &SharedWorkspace {
        &self.workspace
    }

    pub(crate) fn spawn(&self, actor: impl Future<Output = ()> + Send + 'static) {
        drop(self.actors.spawn(actor));
    }

    /// Resolves when the server ends.
    pub(crate) async fn ending(&self) {
        self.ending.cancelled().await;
    }

    /// The sessions that live, newest first.
    pub(crate) fn live(&self) -> Vec<SessionHandle> {
        self.lock().iter().rev().filter(|session| session.is_live()).cloned().collect()
    }

    /// Tells every session to end; resolves when nothing of theirs runs any more.
    pub(crate) async fn end_all(&self) {
        self.ending.cancel();
        self.actors.close();
        self.actors.wait().await;
    }
}

/// `s2 (Shop, stopped)`
fn described(session: &SessionHandle) -> String {
    let view = session.peek();
    let program = view.program.as_deref().and_then(|program| Path::new(program).file_stem());
    let program = program.map(|name| format!("{}, ", name.to_string_lossy())).unwrap_or_default();
    format!("{} ({program}{})", session.id(), view.state.as_str())
}

/// Answers those that nobody finds any more.
fn forget_oldest(sessions: &mut Vec<SessionHandle>) -> Vec<SessionId> {
    let ended = sessions.iter().filter(|session| !session.is_live()).count();
    let mut over = ended.saturating_sub(ENDED_KEPT);
    let mut forgotten = Vec::new();
    sessions.retain(|session| {
        let forget = over > 0 && !session.is_live();
        if forget {
            over -= 1;
            forgotten.push(session.id().clone());
        }
        !forget
    });
    forgotten
}
