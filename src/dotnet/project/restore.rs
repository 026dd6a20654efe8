//! Whether a project is restored as its text is now.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::ProjectFile;

impl ProjectFile {
    /// What restore leaves for the build; a build writes it itself when it has to restore.
    pub(crate) fn restored(&self) -> PathBuf {
        self.folder().join("obj").join("project.assets.json")
    }

    /// Whether restore's result is there and newer than all that restore reads, here and in referenced projects.
    pub(crate) fn is_restored(&self) -> bool {
        self.is_restored_but(&mut HashSet::new())
    }

    fn is_restored_but(&self, seen: &mut HashSet<PathBuf>) -> bool {
        let modified = |path: &Path| std::fs::metadata(path).ok()?.modified().ok();
        let Some(restored) = modified(&self.restored()) else {
            return false;
        };
        // Packages that depend on the configuration are restored for one configuration only.
        if self.texts().any(|text| text.contains("$(Configuration)")) {
            return false;
        }
        let names = ["NuGet.config", "NuGet.Config", "nuget.config", "global.json", "packages.lock.json"];
        let around = self.path.ancestors().skip(1).flat_map(|folder| names.map(|name| folder.join(name)));
        let newer = self.build_files().into_iter().chain(around).any(|file| modified(&file) > Some(restored));
        let references = self.references();
        !newer
            && references.into_iter().all(|path| {
                !seen.insert(path.clone()) || Self::read(&path).is_ok_and(|project| project.is_restored_but(seen))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{project, sdk};
    use super::*;
    use std::fs;

    #[test]
    fn restore_is_needed_when_anything_that_it_reads_is_newer() {
        let (dir, read) = project(&sdk(""), None);
        assert!(!read.is_restored(), "never restored");
        fs::create_dir(dir.path().join("obj")).unwrap();
        fs::write(read.restored(), "").unwrap();
        let touch = |path: &Path, seconds: u64| {
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
            fs::File::open(path).unwrap().set_modified(time).unwrap();
        };
        touch(&read.restored(), 500);
        assert!(!read.is_restored(), "the project is newer");
        touch(&read.path, 600);
        assert!(read.is_restored());
        fs::write(dir.path().join("global.json"), "{}").unwrap();
        assert!(!read.is_restored(), "global.json is newer");
        touch(&dir.path().join("global.json"), 600);
        assert!(read.is_restored());
        let (_dir, by_configuration) = project(&sdk("<X Condition=\"'$(Configuration)' == 'Debug'\">1</X>"), None);
        fs::create_dir(by_configuration.folder().join("obj")).unwrap();
        fs::write(by_configuration.restored(), "").unwrap();
        assert!(!by_configuration.is_restored(), "its packages may differ");
    }
}
