//! The one workspace of a server, replaced by the next load.

use std::sync::{Arc, Mutex, PoisonError};

use super::Workspace;

/// Cheap to clone; all clones hold the same workspace.
#[derive(Debug, Clone, Default)]
pub struct Current(Arc<Mutex<Option<Arc<Workspace>>>>);

impl Current {
    /// `None` before the first load.
    pub fn get(&self) -> Option<Arc<Workspace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The compiler's words are kept where the same is loaded again. Those that still work with the one before keep it to their end.
    pub fn set(&self, workspace: Workspace) -> Arc<Workspace> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let workspace = Arc::new(match held.as_deref() {
            Some(before) => workspace.after(before),
            None => workspace,
        });
        *held = Some(Arc::clone(&workspace));
        workspace
    }
}
