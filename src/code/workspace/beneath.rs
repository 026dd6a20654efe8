//! The assemblies that a workspace's builds reference: packages, which a build copies next to its output, and frameworks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Workspace;
use crate::dotnet::frameworks::framework_folders;

/// More files than any folder of a program has.
const MOST_FILES: usize = 5_000;

impl Workspace {
    /// Their dlls, each once; those of the workspace's own projects may be among them. Reads folders.
    pub fn beneath(&self) -> Vec<PathBuf> {
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        for dll in self.assemblies() {
            let beside = dll.parent().map(Path::to_owned);
            let folders = beside.into_iter().chain(framework_folders(dll));
            for folder in folders.collect::<Vec<_>>() {
                if seen.insert(folder.clone()) {
                    found.extend(dlls_in(&folder));
                }
            }
        }
        found
    }
}

fn dlls_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|it| it == "dll")).take(MOST_FILES).collect()
}
