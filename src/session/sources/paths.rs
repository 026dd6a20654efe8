//! Paths as text: nothing asks the file system.

use std::path::{Component, Path, PathBuf};

/// The folder that all documents share, ignoring paths that a build mapped away (`/_/`).
pub fn common_root<'a>(documents: impl Iterator<Item = &'a str>) -> Option<PathBuf> {
    let mut root: Option<PathBuf> = None;
    for document in documents.filter(|path| path.starts_with('/') && !path.starts_with("/_/")) {
        let folder = Path::new(document).parent()?;
        root = Some(match root {
            None => folder.to_owned(),
            Some(so_far) => so_far
                .components()
                .zip(folder.components())
                .take_while(|(a, b)| a == b)
                .map(|(component, _)| component)
                .collect(),
        });
    }
    root.filter(|root| root.components().count() > 1)
}

/// `a/./b/../c` -> `a/c` without asking the file system.
pub fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
