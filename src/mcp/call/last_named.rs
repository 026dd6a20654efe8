//! Which session a client thinks of: the one that its last answer was about.
//!
//! A call without `session_id` means the newest live session. When that one ends, the next call means another, and its answer has to
//! say so.

use std::sync::{Arc, Mutex, PoisonError};

use crate::session::SessionId;

#[derive(Debug, Clone, Default)]
pub(super) struct LastNamed(Arc<Mutex<Option<SessionId>>>);

impl LastNamed {
    /// Whether an answer about that session comes as a surprise.
    pub(super) fn is_other(&self, session: &SessionId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|last| last != session)
    }

    pub(super) fn set(&self, session: SessionId) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
    }
}
