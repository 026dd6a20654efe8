//! All sessions of a server: made, named, found, ended together.

mod edits;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::actor;
use super::command::Waiting;
use super::directory::Directory;
use super::error::{Code, SessionError};
use super::handle::SessionHandle;
use super::ids::{SessionId, StateName};
use super::lapse::CallInProgress;
use super::ready::ReadySign;
use super::reply::{Reply, Wait};
use super::report::{ExceptionRule, Report, StateView};
use super::settings::Settings;
use super::sources::Sources;
use super::spec::{AttachSpec, BuildMode, Include, LaunchSpec, Purpose};
use super::view::SessionView;
use crate::redaction::Redaction;

/// For the ends of all sessions together: the longest goodbye, to an adapter that is attached and answers nothing, takes 11 s.
const GOODBYES: std::time::Duration = std::time::Duration::from_secs(12);
const NO_SESSIONS: &str = "this server is read-only and starts no sessions";

/// Cheap to clone; all clones are one registry.
#[derive(Clone)]
pub struct Registry {
    settings: Arc<Settings>,
    inner: Arc<Mutex<Inner>>,
    directory: Directory,
    /// Where several connections share the sessions: those that this one opened.
    own: Option<Arc<Mutex<Vec<SessionId>>>>,
    /// One recording file per server: the first session gets its name, later ones a number behind it.
    recordings: Arc<AtomicU32>,
}

#[derive(Default)]
struct Inner {
    made: u32,
    /// What the client said of itself after it had connected.
    client_root: Option<PathBuf>,
}

impl Registry {
    pub fn new(settings: Settings) -> Self {
        settings.roots.add_found(&settings.base());
        Self {
            settings: Arc::new(settings),
            inner: Arc::default(),
            directory: Directory::new(),
            own: None,
            recordings: Arc::default(),
        }
    }

    /// Another set of sessions of this server, for a client of its own.
    pub fn beside(&self, settings: Settings) -> Self {
        Self { recordings: Arc::clone(&self.recordings), ..Self::new(settings) }
    }

    /// The same sessions for one connection of several: without an id it means those that it opened, before those of others.
    pub fn of_connection(&self) -> Self {
        Self { own: Some(Arc::default()), ..self.clone() }
    }

    /// A call of a client begins: while it lasts, and a while after, no stop is left by itself.
    pub fn begin_call(&self) -> CallInProgress {
        self.directory.calls().begin()
    }

    /// The settings as they are now: a client reports its folder after it has connected.
    pub fn settings(&self) -> Settings {
        let announced = self.lock().client_root.clone();
        Settings { client_root: self.settings.client_root.clone().or(announced), ..(*self.settings).clone() }
    }

    /// Changes with every change of a breakpoint.
    pub fn breakpoints_revision(&self) -> u64 {
        self.directory.workspace().revision()
    }

    /// What no answer shows.
    pub fn redaction(&self) -> &Redaction {
        &self.settings.redaction
    }

    /// The client's folders: sources below all of them may be shown, and relative paths of sessions from now on are taken against
    /// the first.
    pub fn set_client_roots(&self, folders: Vec<PathBuf>) {
        folders.iter().for_each(|folder| self.settings.roots.add(folder));
        self.lock().client_root = folders.into_iter().next();
    }

    /// The files that may be shown where no program names any.
    pub(crate) fn sources(&self) -> Sources {
        Sources::below(self.settings.roots.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program in a session of its own. The session is registered before this returns.
    pub fn launch(&self, spec: LaunchSpec, include: Include, wait: Wait) -> Reply<Report> {
        // a start that fails at once would ask for the lock that is held over its beginning
        Reply::of(|| {
            ReadySign::new(spec.ready_when.as_deref())?;
            spec.exceptions.as_ref().map_or(Ok(()), ExceptionRule::check)?;
            Ok(self.open(Purpose::Launch(Box::new(spec)), include, wait))
        })
    }

    /// Attaches to a program that runs already, in a session of its own.
    pub fn attach(&self, spec: AttachSpec, include: Include, wait: Wait) -> Reply<Report> {
        Reply::of(|| {
            spec.exceptions.as_ref().map_or(Ok(()), ExceptionRule::check)?;
            Ok(self.open(Purpose::Attach(Box::new(spec)), include, wait))
        })
    }

    fn open(&self, purpose: Purpose, include: Include, wait: Wait) -> Reply<Report> {
        let (answer, receiver) = tokio::sync::oneshot::channel();
        let settings = Arc::new(self.settings());
        let mut inner = self.lock();
        inner.made += 1;
        let id = SessionId(format!("s{}", inner.made));
        let record = self.settings.record.clone().map(|path| {
            let earlier = self.recordings.fetch_add(1, Ordering::Relaxed);
            numbered(path, earlier + 1)
        });
        let opening = Waiting { include, wait, answer, is_unheard: false };
        if let Some(own) = &self.own {
            own.lock().unwrap_or_else(PoisonError::into_inner).push(id.clone());
        }
        self.directory.add(|| actor::spawn(id, self.directory.clone(), settings, purpose, record, opening));
        Reply::pending(receiver, self.settings.redaction.clone())
    }

    /// `session`: the id a caller gave; without one the newest live session, else the newest.
    pub fn restart(
        &self,
        session: Option<&str>,
        build: Option<BuildMode>,
        include: Include,
        wait: Wait,
    ) -> Reply<Report> {
        Reply::of(|| Ok(self.session(session)?.restart(build, include, wait)))
    }

    /// The session that `id` means: the newest live one, else the newest, when `None`.
    ///
    /// # Errors
    /// `no_session`, `session_not_found`.
    pub fn session(&self, id: Option<&str>) -> Result<SessionHandle, SessionError> {
        let sessions = self.directory.all();
        if let Some(id) = id {
            return sessions.iter().find(|session| session.id().0 == id).cloned().ok_or_else(|| {
                let known: Vec<&str> = sessions.iter().map(|session| session.id().0.as_str()).collect();
                let hint = match known.as_slice() {
                    [] if self.settings.read_only => NO_SESSIONS.to_owned(),
                    [] => "debug_launch or debug_attach".to_owned(),
                    known => format!("known sessions: {}", known.join(", ")),
                };
                SessionError::new(Code::SessionNotFound, format!("no session {id}"), hint)
            });
        }
        let own = self.own.as_ref().map(|own| own.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let is_own = |session: &&SessionHandle| own.as_ref().is_some_and(|own| own.contains(session.id()));
        let live = || sessions.iter().rev().filter(|session| session.is_live());
        let newest = live().find(is_own).or_else(|| live().next());
        newest.or_else(|| sessions.iter().rev().find(is_own)).or(sessions.last()).cloned().ok_or_else(|| {
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

    /// The same; `None` where there is no session at all.
    fn meant(&self, session: Option<&str>) -> Result<Option<SessionHandle>, SessionError> {
        match self.session(session) {
            Ok(handle) => Ok(Some(handle)),
            Err(error) if error.code == Code::NoSession => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Ends a session in any state. Without any there is nothing to end, which is no error.
    pub fn disconnect(&self, session: Option<&str>, terminate: Option<bool>) -> Reply<Report> {
        Reply::of(|| match self.meant(session)? {
            Some(handle) => Ok(handle.disconnect(terminate)),
            None => Ok(Reply::ready(Ok(Report::nothing_to_end()))),
        })
    }

    /// How many sessions live.
    pub fn live_count(&self) -> usize {
        self.directory.live_count()
    }

    /// The session that debugs this process.
    pub(crate) fn session_of(&self, pid: u32) -> Option<SessionId> {
        self.directory.session_of(pid)
    }

    /// debug_state: works without any session (`not_attached`). Counts as reporting the current stop.
    ///
    /// # Errors
    /// As [`Self::session`], less `no_session`.
    pub fn state(&self, id: Option<&str>) -> Result<StateView, SessionError> {
        Ok(match self.meant(id)? {
            Some(handle) => handle.state(),
            None => StateView {
                breakpoint_count: self.directory.workspace().read(|workspace| workspace.all().len()),
                ..StateView::of(StateName::NotAttached)
            },
        })
    }

    /// All of them, newest last.
    pub fn handles(&self) -> Vec<SessionHandle> {
        self.directory.all()
    }

    /// Newest last.
    pub fn sessions(&self) -> Vec<SessionView> {
        self.directory
            .all()
            .iter()
            .map(|session| {
                let state = session.peek();
                SessionView { id: session.id().clone(), state: state.state, program: state.program, pid: state.pid }
            })
            .collect()
    }

    /// Ends every session; resolves when nothing of ours runs any more, after 12 s at most.
    pub async fn shutdown(&self) {
        if tokio::time::timeout(GOODBYES, self.directory.end_all()).await.is_err() {
            tracing::warn!("a session did not end within {} s", GOODBYES.as_secs());
        }
    }
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
