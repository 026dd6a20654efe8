//! Sources that are not what was compiled: what stands in them is not what IL tells.

use std::collections::HashMap;
use std::path::Path;
use std::time::SystemTime;

use super::Navigator;
use clr_metadata::Document;

/// What the builds say of the sources.
pub(super) struct Compiled<'a> {
    documents: HashMap<usize, Vec<&'a Document>>,
    /// Of the newest assembly.
    built: Option<SystemTime>,
}

impl Navigator {
    pub(super) fn compiled(&self) -> Compiled<'_> {
        let mut documents: HashMap<usize, Vec<&Document>> = HashMap::new();
        for document in self.assemblies.iter().filter_map(|assembly| assembly.pdb()).flat_map(|pdb| pdb.documents()) {
            if let Some(file) = self.files.of_document(&document.path) {
                documents.entry(file).or_default().push(document);
            }
        }
        let built = self.assemblies.iter().filter_map(|assembly| modified(assembly.path())).max();
        Compiled { documents, built }
    }

    /// Whether a source is another than was compiled: by its hash, or, where no PDB names it, newer than all assemblies.
    pub(super) fn is_changed(&self, compiled: &Compiled<'_>, file: usize) -> bool {
        match compiled.documents.get(&file) {
            Some(documents) => {
                let bytes = self.files.bytes(file).unwrap_or_default();
                documents.iter().any(|document| document.matches(&bytes) == Some(false))
            }
            None => modified(self.files.path(file)) > compiled.built,
        }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
