//! Sources that changed since they were compiled: their text does not match the IL.

use std::path::Path;
use std::time::SystemTime;

use super::Navigator;

impl Navigator {
    /// When the newest assembly was.
    pub(super) fn built(&self) -> Option<SystemTime> {
        self.assemblies.iter().filter_map(|assembly| modified(assembly.path())).max()
    }

    /// Whether a source is another than was compiled: by its hash, or, where no PDB names it, newer than all assemblies.
    pub(super) fn is_changed(&self, built: Option<SystemTime>, file: usize) -> bool {
        match self.compiled().get(&file) {
            Some(documents) => {
                let bytes = self.files.bytes(file).unwrap_or_default();
                documents.iter().any(|(_, document)| document.matches(&bytes) == Some(false))
            }
            None => modified(self.files.path(file)) > built,
        }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
