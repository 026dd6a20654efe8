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

    /// Those that still work with the one before keep it to their end.
    pub fn set(&self, workspace: Workspace) -> Arc<Workspace> {
        let workspace = Arc::new(workspace);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&workspace));
        workspace
    }
}
