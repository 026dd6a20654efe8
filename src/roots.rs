//! The folders below which files may be shown: the client's, the configured ones, and those of launched programs.
//!
//! Folders that the user names limit the others: then nothing is added, and only programs below them are started.
//!
//! Tools read source files for any client, so they must not become a way to read the rest of the machine. Links are resolved before
//! any comparison, and a path outside gives the same error whether it exists or not.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::environment::process_env;

/// Cheap to clone; all clones are one set.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    held: Arc<Mutex<Vec<PathBuf>>>,
    /// The user named them: there are no others.
    are_fixed: bool,
}

impl Roots {
    /// Those that the user named, and no others. One that does not exist is left out.
    pub fn only(folders: &[PathBuf]) -> Self {
        let open = Self::default();
        folders.iter().for_each(|folder| open.add(folder));
        Self { are_fixed: true, ..open }
    }

    /// A folder of the client. One that does not exist is left out.
    pub fn add(&self, folder: &Path) {
        let Some(real) = folder.canonicalize().ok().filter(|_| !self.are_fixed) else { return };
        let mut held = self.lock();
        if !held.iter().any(|root| real.starts_with(root)) {
            held.retain(|root| !root.starts_with(&real));
            held.push(real);
        }
    }

    /// A folder that nobody named: the working directory, or what a program's sources share. Desktop clients start servers in `/`
    /// or in the home folder, which hold far more than sources: these are no roots, nor is any folder above the home.
    pub fn add_found(&self, folder: &Path) {
        let home = process_env("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
        let is_above_home = |real: &PathBuf| home.as_ref().is_some_and(|home| home.starts_with(real));
        if folder.canonicalize().is_ok_and(|real| real.parent().is_some() && !is_above_home(&real)) {
            self.add(folder);
        }
    }

    /// Whether a file lies, or would lie, below one of them.
    pub fn hold(&self, path: &Path) -> bool {
        resolved(path).is_some_and(|real| self.lock().iter().any(|root| real.starts_with(root)))
    }

    /// The folders, links resolved; none lies below another.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.lock().clone()
    }

    /// Whether a program there may be started: anywhere, unless the user named roots.
    ///
    /// # Errors
    /// The roots, for a hint.
    pub fn admit(&self, program: &Path) -> Result<(), String> {
        match self.are_fixed && !self.hold(program) {
            true => Err(self.in_words().unwrap_or_default()),
            false => Ok(()),
        }
    }

    /// For hints: `/srv/shop`, `/srv/shop, /srv/lib and 2 more`; `None` where there are none.
    pub fn in_words(&self) -> Option<String> {
        let held = self.lock();
        let shown: Vec<String> = held.iter().take(2).map(|root| root.display().to_string()).collect();
        let more = held.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The path without links. Of one that does not exist: that of the nearest folder that does, and the rest as it is.
fn resolved(path: &Path) -> Option<PathBuf> {
    let mut rest: Vec<&OsStr> = Vec::new();
    let mut at = path;
    loop {
        if let Ok(mut real) = at.canonicalize() {
            real.extend(rest.iter().rev());
            return Some(real);
        }
        // `..` behind what does not exist leads nowhere, and a link that leads nowhere is not followed
        let Some(Component::Normal(name)) = at.components().next_back() else { return None };
        if at.is_symlink() {
            return None;
        }
        rest.push(name);
        at = at.parent()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(folders: &[&Path]) -> Roots {
        let roots = Roots::default();
        folders.iter().for_each(|folder| roots.add(folder));
        roots
    }

    #[test]
    fn files_below_a_root_are_held_whether_they_exist_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("a")).unwrap();
        std::fs::write(root.join("a/x.cs"), "").unwrap();
        let roots = roots(&[&root, &root.join("a"), &dir.path().join("nowhere")]);
        for (path, held) in [
            ("a/x.cs", true),
            ("a/missing.cs", true),
            ("missing/deep.cs", true),
            ("a/../a/x.cs", true),
            ("../root/a/x.cs", true),
            ("../other.cs", false),
            ("a/../../other.cs", false),
            ("missing/../../other.cs", false),
            ("", true),
        ] {
            assert_eq!(roots.hold(&root.join(path)), held, "{path}");
        }
        assert!(!roots.hold(Path::new("/etc/passwd")) && !roots.hold(Path::new("/etc/no-such-file")));
        assert!(!roots.hold(&dir.path().join("root2/x.cs")), "a name that begins with a root's is no file of it");
        assert_eq!(roots.in_words(), Some(root.canonicalize().unwrap().display().to_string()), "one holds the other");
        assert_eq!(Roots::default().in_words(), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_they_are_judged() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("secret"), "").unwrap();
        symlink(outside.join("secret"), root.join("file.cs")).unwrap();
        symlink(outside.join("nothing"), root.join("dangling.cs")).unwrap();
        symlink(&outside, root.join("folder")).unwrap();
        symlink(&root, outside.join("back")).unwrap();
        let roots = roots(&[&root]);
        for path in ["file.cs", "dangling.cs", "folder/secret", "folder/nothing"] {
            assert!(!roots.hold(&root.join(path)), "{path}");
        }
        assert!(roots.hold(&outside.join("back/x.cs")));
    }

    #[test]
    fn roots_that_the_user_named_take_no_others_and_admit_only_programs_below_them() {
        let dir = tempfile::tempdir().unwrap();
        let (named, other) = (dir.path().join("named"), dir.path().join("other"));
        for folder in [&named, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        let fixed = Roots::only(&[named.clone(), dir.path().join("nowhere")]);
        fixed.add(&other);
        fixed.add_found(&other);
        assert!(fixed.hold(&named.join("x.cs")) && !fixed.hold(&other.join("x.cs")));
        assert_eq!(fixed.admit(&named.join("bin/Shop.dll")), Ok(()));
        let shown = named.canonicalize().unwrap().display().to_string();
        for outside in [other.join("Shop.dll"), named.join("../other/Shop.dll"), "/".into(), "".into()] {
            assert_eq!(fixed.admit(&outside), Err(shown.clone()), "{}", outside.display());
        }
        let open = roots(&[&named]);
        assert_eq!(open.admit(&other.join("Shop.dll")), Ok(()));
    }

    #[test]
    fn the_whole_machine_and_the_whole_home_are_roots_only_by_name() {
        let found = Roots::default();
        found.add_found(Path::new("/"));
        if let Some(home) = std::env::var_os("HOME") {
            found.add_found(Path::new(&home));
        }
        assert_eq!(found.in_words(), None);
        assert!(roots(&[Path::new("/")]).hold(Path::new("/etc/passwd")), "the user said so");
        let dir = tempfile::tempdir().unwrap();
        found.add_found(dir.path());
        assert!(found.hold(&dir.path().join("x.cs")));
    }
}
