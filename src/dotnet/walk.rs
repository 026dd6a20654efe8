//! The files below a folder that a person wrote: bounded, and never round a loop of links.

use std::path::{Path, PathBuf};

use super::project::is_skipped_folder;

/// Entries looked at below one folder.
const MOST_ENTRIES: usize = 50_000;
/// Folders below each other: deeper ones are no one's sources.
const MOST_DEPTH: usize = 64;

/// What was found; `complete` is false where a bound cut it.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub files: Vec<PathBuf>,
    pub complete: bool,
}

/// The files below `root` that `wanted` picks by name, sorted. What a build makes (`bin`, `obj`), hidden folders and packages are
/// left out, links to folders and links to files elsewhere are not followed.
pub(crate) fn walk(root: &Path, wanted: impl Fn(&str) -> bool) -> Walk {
    let mut found = Walk { files: Vec::new(), complete: true };
    let mut left = MOST_ENTRIES;
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Some(rest) = left.checked_sub(1) else {
                found.complete = false;
                folders.clear();
                break;
            };
            left = rest;
            let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
            let name = name.to_string_lossy();
            if kind.is_dir() {
                let skipped = is_skipped_folder(&name);
                if !skipped && depth < MOST_DEPTH {
                    folders.push((entry.path(), depth + 1));
                }
                found.complete &= skipped || depth < MOST_DEPTH;
            } else if wanted(&name) && entry.path().is_file() && (kind.is_file() || stays_below(root, &entry.path())) {
                found.files.push(entry.path());
            }
        }
    }
    found.files.sort();
    found
}

/// Whether a file is what it seems: below `folder` behind all links, too.
pub(crate) fn stays_below(folder: &Path, file: &Path) -> bool {
    let (folder, file) = (folder.canonicalize(), file.canonicalize());
    matches!((&folder, &file), (Ok(folder), Ok(file)) if file.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_a_build_makes_and_loops_of_links_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for file in ["a.cs", "sub/b.cs", "bin/c.cs", "sub/obj/d.cs", ".git/e.cs", "node_modules/f.cs", "g.txt"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root, root.join("sub/loop")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", root.join("elsewhere.cs")).unwrap();
        let found = walk(root, |name| name.ends_with(".cs"));
        assert_eq!(found.files, [root.join("a.cs"), root.join("sub/b.cs")]);
        assert!(found.complete);
    }

    #[test]
    fn folders_without_end_are_cut_and_that_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let deep = (0..MOST_DEPTH + 2).fold(dir.path().to_owned(), |folder, _| folder.join("d"));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("a.cs"), "").unwrap();
        let found = walk(dir.path(), |name| name.ends_with(".cs"));
        assert!(found.files.is_empty() && !found.complete);
    }
}
