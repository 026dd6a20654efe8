//! One value for all sessions, and others for single ones.

use crate::session::ids::SessionId;

#[derive(Debug)]
pub(super) struct Scoped<T> {
    all: Option<T>,
    single: Vec<(SessionId, T)>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Self { all: None, single: Vec::new() }
    }
}

impl<T> Scoped<T> {
    /// What is set for all replaces what single sessions had.
    pub(super) fn set(&mut self, value: T, only: Option<SessionId>) {
        match only {
            None => *self = Self { all: Some(value), single: Vec::new() },
            Some(session) => {
                self.forget(&session);
                self.single.push((session, value));
            }
        }
    }

    /// Its own, else that of all.
    pub(super) fn of(&self, session: Option<&SessionId>) -> Option<&T> {
        let own = self.single.iter().find(|(known, _)| Some(known) == session).map(|(_, value)| value);
        own.or(self.all.as_ref())
    }

    pub(super) fn forget(&mut self, session: &SessionId) {
        self.single.retain(|(known, _)| known != session);
    }
}
