//! The workspace as the registry and all sessions share it. No lock is held across an await.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::{SetBreakpoint, Workspace};
use crate::session::breakpoints::{Entry, WantedBreakpoint};
use crate::session::error::SessionError;
use crate::session::ids::{BreakpointId, SessionId};
use crate::session::report::ExceptionRule;

/// Cheap to clone; all clones are one workspace.
#[derive(Clone, Default)]
pub(crate) struct SharedWorkspace {
    inner: Arc<Mutex<Workspace>>,
    /// Counts changes that sessions have to follow.
    revision: Arc<watch::Sender<u64>>,
}

impl SharedWorkspace {
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Workspace) -> T) -> T {
        look(&self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Workspace) -> T) -> T {
        let done = change(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner));
        self.revision.send_modify(|revision| *revision += 1);
        done
    }

    /// Becomes another number with every change.
    pub(crate) fn revision(&self) -> u64 {
        *self.revision.borrow()
    }

    /// Hears of changes from now on.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    pub(crate) fn set(&self, placed: &Entry, only: Option<SessionId>) -> SetBreakpoint {
        self.change(|workspace| workspace.set(placed, only))
    }

    /// No session has to follow: it is where the file is.
    pub(crate) fn moved(&self, placed: &Entry) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).moved(placed);
    }

    /// # Errors
    /// `breakpoint_not_found`.
    pub(crate) fn enable(&self, id: BreakpointId, enabled: bool) -> Result<(), SessionError> {
        self.change(|workspace| workspace.enable(id, enabled))
    }

    /// # Errors
    /// `breakpoint_not_found`.
    pub(crate) fn remove(
        &self,
        id: Option<BreakpointId>,
        only: Option<&SessionId>,
    ) -> Result<Vec<BreakpointId>, SessionError> {
        self.change(|workspace| workspace.remove(id, only))
    }

    /// # Errors
    /// `breakpoint_not_found`.
    pub(crate) fn get(&self, id: BreakpointId) -> Result<WantedBreakpoint, SessionError> {
        self.read(|workspace| workspace.get(id).cloned())
    }

    /// What a session takes, in the order it was set.
    pub(crate) fn of(&self, session: &SessionId) -> Vec<WantedBreakpoint> {
        self.read(|workspace| workspace.of(session).cloned().collect())
    }

    pub(crate) fn set_exceptions(&self, rule: ExceptionRule, only: Option<SessionId>) {
        self.change(|workspace| workspace.set_exceptions(rule, only));
    }

    pub(crate) fn exceptions(&self, session: Option<&SessionId>) -> Option<ExceptionRule> {
        self.read(|workspace| workspace.exceptions(session).cloned())
    }

    pub(crate) fn set_watches(&self, expressions: Vec<String>, only: Option<SessionId>) {
        self.change(|workspace| workspace.set_watches(expressions, only));
    }

    pub(crate) fn watches(&self, session: &SessionId) -> Vec<String> {
        self.read(|workspace| workspace.watches(session))
    }

    pub(crate) fn forget(&self, session: &SessionId) {
        self.change(|workspace| workspace.forget(session));
    }
}
