//! Assemblies of installed frameworks, kept open: no build touches them, and every question about a program asks them again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::assembly::Assembly;
use super::error::MetadataError;
use super::image::is_in_shared_framework;
use super::universe::Stamp;

/// A few frameworks of 170 files each. Their files are mapped, so what is kept is little but address space.
const MOST: usize = 1_000;

/// Opens assemblies, and keeps those of frameworks until their files change.
#[derive(Debug, Default)]
pub struct FrameworkFiles {
    kept: Mutex<HashMap<PathBuf, (Stamp, Arc<Assembly>)>>,
}

impl FrameworkFiles {
    /// # Errors
    /// Those of [`Assembly::open`].
    pub fn open(&self, path: &Path) -> Result<Arc<Assembly>, MetadataError> {
        if !is_in_shared_framework(path) {
            return Assembly::open(path);
        }
        let stamp = Stamp::of(path);
        if let Some((known, assembly)) = self.kept().get(path)
            && *known == stamp
        {
            return Ok(assembly.clone());
        }
        let assembly = Assembly::open(path)?;
        let mut kept = self.kept();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(path.to_owned(), (stamp, assembly.clone()));
        Ok(assembly)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, (Stamp, Arc<Assembly>)>> {
        // Nothing is left half done where a holder could panic.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_framework_stay_open_until_they_change_and_others_are_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let framework = folder.path().join("shared/Microsoft.NETCore.App/10.0.0");
        std::fs::create_dir_all(&framework).unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
        let (system, own) = (framework.join("A.dll"), folder.path().join("A.dll"));
        std::fs::copy(data.join("Basics.dll"), &system).unwrap();
        std::fs::copy(data.join("Basics.dll"), &own).unwrap();
        let files = FrameworkFiles::default();
        let first = files.open(&system).unwrap();
        assert!(Arc::ptr_eq(&first, &files.open(&system).unwrap()));
        assert!(!Arc::ptr_eq(&files.open(&own).unwrap(), &files.open(&own).unwrap()));
        std::fs::remove_file(&system).unwrap();
        std::fs::copy(data.join("Shapes.dll"), &system).unwrap();
        assert_eq!(files.open(&system).unwrap().name(), "Shapes");
        assert_eq!(first.name(), "Basics", "the old one stays whole for who holds it");
    }
}
