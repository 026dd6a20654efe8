//! Which sources of a workspace may be shown: a project may name or link to any file of the machine.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Omitted;
use crate::roots::Roots;

/// Takes out what is neither in a root nor what a build was compiled from; answers what went. `compiled`: which of some files
/// were (asked for only where that decides).
pub fn retain_allowed(
    sources: &mut Vec<PathBuf>,
    roots: &Roots,
    compiled: impl FnOnce(&[PathBuf]) -> HashSet<PathBuf>,
) -> Vec<Omitted> {
    let mut folders: HashMap<PathBuf, bool> = HashMap::new();
    let mut is_held = |file: &Path| {
        // a link in a root may lead out of it; a folder is judged once for all files in it
        if file.is_symlink() {
            return roots.hold(file);
        }
        let folder = file.parent().unwrap_or(file);
        match folders.get(folder) {
            Some(held) => *held,
            None => *folders.entry(folder.to_owned()).or_insert(roots.hold(folder)),
        }
    };
    let mut outside: Vec<PathBuf> = sources.extract_if(.., |file| !is_held(file)).collect();
    if outside.is_empty() {
        return Vec::new();
    }
    let compiled = compiled(&outside);
    sources.extend(outside.extract_if(.., |file| compiled.contains(file)));
    sources.sort();
    let why = "is not inside any root, and no build was made from its current text (add folders with --roots)";
    let omitted = |path| Omitted { path, why: why.into() };
    outside.into_iter().map(omitted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_leads_out_of_the_roots_goes_unless_it_was_compiled() {
        let dir = tempfile::tempdir().unwrap();
        let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
        for folder in [&root, &outside] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a.cs"), "").unwrap();
        }
        std::os::unix::fs::symlink(outside.join("a.cs"), root.join("link.cs")).unwrap();
        let roots = Roots::default();
        roots.add(&root);
        let all = [root.join("a.cs"), root.join("link.cs"), outside.join("a.cs"), outside.join("b.cs")];
        let mut sources = all.to_vec();
        let gone = retain_allowed(&mut sources, &roots, |asked| {
            assert_eq!(asked, [root.join("link.cs"), outside.join("a.cs"), outside.join("b.cs")]);
            HashSet::from([outside.join("a.cs")])
        });
        assert_eq!(sources, [outside.join("a.cs"), root.join("a.cs")]);
        let gone: Vec<PathBuf> = gone.into_iter().map(|it| it.path).collect();
        assert_eq!(gone, [root.join("link.cs"), outside.join("b.cs")]);
        assert!(retain_allowed(&mut vec![root.join("a.cs")], &roots, |_| panic!("nothing to decide")).is_empty());
    }
}
