//! All sessions of a server: made, named, found, ended together.

mod edits;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::actor::{self, Purpose};
use super::command::Waiting;
use super::error::{Code, SessionError};
use super::handle::SessionHandle;
use super::ids::{SessionId, StateName};
use super::lapse::{CallInProgress, Calls};
use super::ready::ReadySign;
use super::reply::{Reply, Wait};
use super::report::{ExceptionRule, Report, StateView};
use super::sources::Sources;
use super::spec::{AttachSpec, BuildMode, Include, LaunchSpec};
use super::view::SessionView;
use super::workspace::SharedWorkspace;
use crate::backend::AdapterSettings;
use crate::roots::Roots;
use crate::transport::Connection;
use crate::transport::replay::ReplayEnd;

/// For the ends of all sessions together: the longest goodbye, to an adapter that is attached and answers nothing, takes 11 s.
const GOODBYES: std::time::Duration = std::time::Duration::from_secs(12);
/// Ended sessions that are remembered (their state, output and events).
const ENDED_KEPT: usize = 8;

const NO_SESSIONS: &str = "this server is read-only and starts no sessions";

/// What the configuration says to sessions.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub adapter: AdapterSettings,
    /// DAP traffic goes there.
    pub record: Option<PathBuf>,
    /// Relative paths before a root is known are taken against this, else our working directory.
    pub client_root: Option<PathBuf>,
    /// Bytes of a program's output beyond memory, in a temporary file; `None` = 256 MiB.
    pub max_output: Option<u64>,
    /// No sessions: nothing is built, run or debugged.
    pub read_only: bool,
    /// Below which sources may be shown; sessions add their programs'.
    pub roots: Roots,
    /// Plays adapter and program within this process, in the place of `backend`.
    pub player: Option<Player>,
}

/// An adapter within this process: it is given its end of a connection and plays until it is over.
#[derive(Clone)]
pub struct Player {
    /// Whose behaviour it has (`netcoredbg`, `dncdbg`).
    pub adapter: String,
    pub play: Arc<dyn Fn(Connection) -> BoxFuture<'static, ReplayEnd> + Send + Sync>,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

impl Settings {
    /// What relative paths are taken against before a root is known.
    pub fn base(&self) -> PathBuf {
        self.client_root.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/"))
    }
}

/// Cheap to clone; all clones are one registry.
#[derive(Clone)]
pub struct Registry {
    settings: Arc<Settings>,
    inner: Arc<Mutex<Inner>>,
    /// What every session takes over.
    workspace: SharedWorkspace,
    /// Every actor, also of a session that nobody finds any more: what it started has to end with us.
    actors: TaskTracker,
    ending: CancellationToken,
    calls: Calls,
}

#[derive(Default)]
struct Inner {
    sessions: Vec<SessionHandle>,
    made: u32,
    /// What the client said of itself after it had connected.
    client_root: Option<PathBuf>,
    /// One recording file per server: the first session gets its name, later ones a number behind it.
    recordings: u32,
}

impl Registry {
    pub fn new(settings: Settings) -> Self {
        settings.roots.add_found(&settings.base());
        Self {
            settings: Arc::new(settings),
            inner: Arc::default(),
            workspace: SharedWorkspace::default(),
            actors: TaskTracker::new(),
            ending: CancellationToken::new(),
            calls: Calls::new(),
        }
    }

    /// A call of a client begins: while it lasts, and a while after, no stop is left by itself.
    pub fn begin_call(&self) -> CallInProgress {
        self.calls.begin()
    }

    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The settings as they are now: a client tells its folder after it has connected.
    pub fn settings(&self) -> Settings {
        let told = self.lock().client_root.clone();
        Settings { client_root: self.settings.client_root.clone().or(told), ..(*self.settings).clone() }
    }

    /// The client's folders: sources below all of them may be shown, and relative paths of sessions from now on are taken against
    /// the first.
    pub fn set_client_roots(&self, folders: Vec<PathBuf>) {
        folders.iter().for_each(|folder| self.settings.roots.add(folder));
        self.lock().client_root = folders.into_iter().next();
    }

    /// The files that may be shown where no program names any.
    fn sources(&self) -> Sources {
        Sources::below(self.settings.roots.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program in a session of its own. The session is registered before this returns.
    pub fn launch(&self, spec: LaunchSpec, include: Include, wait: Wait) -> Reply<Report> {
        // a start that fails at once would ask for the lock that is held over its beginning
        let rule = spec.exceptions.as_ref().map_or(Ok(()), ExceptionRule::check);
        if let Err(error) = ReadySign::new(spec.ready_when.as_deref()).and(rule) {
            return Reply::ready(Err(error));
        }
        self.open(Purpose::Launch(Box::new(spec)), include, wait)
    }

    /// Attaches to a program that runs already, in a session of its own.
    pub fn attach(&self, spec: AttachSpec, include: Include, wait: Wait) -> Reply<Report> {
        if let Some(Err(error)) = spec.exceptions.as_ref().map(ExceptionRule::check) {
            return Reply::ready(Err(error));
        }
        self.open(Purpose::Attach(Box::new(spec)), include, wait)
    }

    fn open(&self, purpose: Purpose, include: Include, wait: Wait) -> Reply<Report> {
        let (answer, receiver) = tokio::sync::oneshot::channel();
        let settings = Arc::new(self.settings());
        let mut inner = self.lock();
        inner.made += 1;
        let id = SessionId(format!("s{}", inner.made));
        let record = self.settings.record.clone().map(|path| {
            inner.recordings += 1;
            numbered(path, inner.recordings)
        });
        let opening = Waiting { include, wait, answer };
        let handle = actor::spawn(id, self.clone(), settings, purpose, record, opening);
        inner.sessions.push(handle);
        for forgotten in forget_oldest(&mut inner.sessions) {
            self.workspace.forget(&forgotten);
        }
        Reply::pending(receiver)
    }

    /// `session`: the id a caller gave; without one the newest live session, else the newest.
    pub fn restart(
        &self,
        session: Option<&str>,
        build: Option<BuildMode>,
        include: Include,
        wait: Wait,
    ) -> Reply<Report> {
        match self.session(session) {
            Ok(handle) => handle.restart(build, include, wait),
            Err(error) => Reply::ready(Err(error)),
        }
    }

    /// The session that `id` means: the newest live one, else the newest, when `None`.
    ///
    /// # Errors
    /// `no_session`, `session_not_found`.
    pub fn session(&self, id: Option<&str>) -> Result<SessionHandle, SessionError> {
        let inner = self.lock();
        if let Some(id) = id {
            return inner.sessions.iter().find(|session| session.id().0 == id).cloned().ok_or_else(|| {
                let known: Vec<&str> = inner.sessions.iter().map(|session| session.id().0.as_str()).collect();
                let hint = match known.as_slice() {
                    [] if self.settings.read_only => NO_SESSIONS.to_owned(),
                    [] => "debug_launch or debug_attach".to_owned(),
                    known => format!("known sessions: {}", known.join(", ")),
                };
                SessionError::new(Code::SessionNotFound, format!("no session {id}"), hint)
            });
        }
        let newest_live = inner.sessions.iter().rev().find(|session| is_live(session));
        newest_live.or(inner.sessions.last()).cloned().ok_or_else(|| {
            SessionError::new(
                Code::NoSession,
                "no debug session",
                match self.settings.read_only {
                    true => NO_SESSIONS,
                    false => "debug_launch starts a program, debug_attach attaches to a running one",
                },
            )
            .in_state(StateName::NotAttached)
        })
    }

    /// The other sessions that live, oldest first, as they are told: `s2 (Shop, stopped)`.
    pub(crate) fn others_live(&self, id: &SessionId) -> Vec<String> {
        let inner = self.lock();
        inner.sessions.iter().filter(|other| other.id() != id && is_live(other)).map(described).collect()
    }

    /// Ends a session in any state. Without any there is nothing to end, which is no error.
    pub fn disconnect(&self, session: Option<&str>, terminate: Option<bool>) -> Reply<Report> {
        match self.session(session) {
            Ok(handle) => handle.disconnect(terminate),
            Err(error) if error.code == Code::NoSession => Reply::ready(Ok(Report::nothing_to_end())),
            Err(error) => Reply::ready(Err(error)),
        }
    }

    /// How many sessions live.
    pub fn live_count(&self) -> usize {
        self.lock().sessions.iter().filter(|session| is_live(session)).count()
    }

    /// debug_state: works without any session (`not_attached`). Counts as telling the current stop.
    ///
    /// # Errors
    /// As [`Self::session`], less `no_session`.
    pub fn state(&self, id: Option<&str>) -> Result<StateView, SessionError> {
        match self.session(id) {
            Ok(handle) => Ok(handle.state()),
            Err(error) if error.code == Code::NoSession => Ok(StateView {
                breakpoint_count: self.workspace.read(|workspace| workspace.all().len()),
                ..StateView::of(StateName::NotAttached)
            }),
            Err(error) => Err(error),
        }
    }

    /// Newest last.
    pub fn sessions(&self) -> Vec<SessionView> {
        self.lock()
            .sessions
            .iter()
            .map(|session| {
                let state = session.peek();
                SessionView { id: session.id().clone(), state: state.state, program: state.program, pid: state.pid }
            })
            .collect()
    }

    /// The pid of every program that one of our live sessions debugs.
    pub(crate) fn session_of(&self, pid: u32) -> Option<SessionId> {
        let inner = self.lock();
        let found = inner.sessions.iter().find(|session| is_live(session) && session.peek().pid == Some(pid));
        found.map(|session| session.id().clone())
    }

    /// A session never came to be: nobody finds it.
    pub(crate) fn forget(&self, id: &SessionId) {
        self.lock().sessions.retain(|session| session.id() != id);
        self.workspace.forget(id);
    }

    pub(crate) fn workspace(&self) -> &SharedWorkspace {
        &self.workspace
    }

    /// The sessions that live, newest first.
    fn live(&self) -> Vec<SessionHandle> {
        self.lock().sessions.iter().rev().filter(|session| is_live(session)).cloned().collect()
    }

    pub(crate) fn spawn(&self, actor: impl Future<Output = ()> + Send + 'static) {
        drop(self.actors.spawn(actor));
    }

    /// Resolves when the server ends.
    pub(crate) async fn ending(&self) {
        self.ending.cancelled().await;
    }

    /// Ends every session; resolves when nothing of ours runs any more, after 12 s at most.
    pub async fn shutdown(&self) {
        self.ending.cancel();
        self.actors.close();
        if tokio::time::timeout(GOODBYES, self.actors.wait()).await.is_err() {
            tracing::warn!("a session did not end within {} s", GOODBYES.as_secs());
        }
    }
}

/// `s2 (Shop, stopped)`
fn described(session: &SessionHandle) -> String {
    let view = session.peek();
    let program = view.program.as_deref().and_then(|program| Path::new(program).file_stem());
    let program = program.map(|name| format!("{}, ", name.to_string_lossy())).unwrap_or_default();
    format!("{} ({program}{})", session.id(), view.state.as_str())
}

fn is_live(session: &SessionHandle) -> bool {
    session.peek().state.is_live()
}

/// Answers those that nobody finds any more.
fn forget_oldest(sessions: &mut Vec<SessionHandle>) -> Vec<SessionId> {
    let ended = sessions.iter().filter(|session| !is_live(session)).count();
    let mut over = ended.saturating_sub(ENDED_KEPT);
    let mut forgotten = Vec::new();
    sessions.retain(|session| {
        let forget = over > 0 && !is_live(session);
        if forget {
            over -= 1;
            forgotten.push(session.id().clone());
        }
        !forget
    });
    forgotten
}

/// `x.jsonl`, `x.2.jsonl`, …
fn numbered(path: PathBuf, number: u32) -> PathBuf {
    if number == 1 {
        return path;
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    path.with_extension(match extension {
        Some(extension) => format!("{number}.{extension}"),
        None => number.to_string(),
    })
}
