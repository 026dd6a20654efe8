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

    /// As [`Self::set`], for `workspace` that was read because `before` was out of date. Where another was loaded meanwhile, that
    /// one stays.
    pub fn reload(&self, before: Option<&Arc<Workspace>>, workspace: Workspace) -> Arc<Workspace> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_untouched = held.as_ref().map(Arc::as_ptr) == before.map(Arc::as_ptr);
        match held.as_ref().filter(|held| !is_untouched && held.path() == workspace.path()) {
            // Another call has read the same again.
            Some(same) => Arc::clone(same),
            None => {
                let workspace = Arc::new(match before {
                    Some(before) => workspace.after(before),
                    None => workspace,
                });
                if is_untouched {
                    *held = Some(Arc::clone(&workspace));
                }
                workspace
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reload_does_not_put_back_what_a_load_has_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let load = async |name: &str| {
            let text = "<Project Sdk=\"Microsoft.NET.Sdk\"><TargetFramework>net10.0</TargetFramework></Project>";
            std::fs::write(dir.path().join(name), text).unwrap();
            Workspace::load(name, dir.path(), crate::code::MsBuild::Asked, |_| {}).await.unwrap()
        };
        let current = Current::default();
        let first = current.reload(None, load("A.csproj").await);
        let reloaded = current.reload(Some(&first), load("A.csproj").await);
        assert!(Arc::ptr_eq(&current.get().unwrap(), &reloaded));
        let late = current.reload(Some(&first), load("A.csproj").await);
        assert!(Arc::ptr_eq(&late, &reloaded), "what another call read again");
        let other = current.set(load("B.csproj").await);
        let late = current.reload(Some(&reloaded), load("A.csproj").await);
        assert_eq!(late.path(), reloaded.path());
        assert!(Arc::ptr_eq(&current.get().unwrap(), &other));
        let late = current.reload(None, load("A.csproj").await);
        assert!(!Arc::ptr_eq(&current.get().unwrap(), &late));
    }
}
