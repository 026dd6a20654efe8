//! Cache of the output paths that MSBuild reported, valid as long as the newest of a project's files has the same time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use super::project::{ProjectFile, is_project};
use super::stale;

/// A project or source file as it is now, in one configuration and, where that was asked for, one framework.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    key: (PathBuf, String, Option<String>),
    time: Option<SystemTime>,
}

type Answers = HashMap<(PathBuf, String, Option<String>), (Option<SystemTime>, PathBuf)>;
static ANSWERS: LazyLock<Mutex<Answers>> = LazyLock::new(Mutex::default);

impl Key {
    pub(super) fn new(path: &Path, configuration: &str, framework: Option<&str>) -> Self {
        let files = match ProjectFile::read(path) {
            Ok(project) if is_project(path) => project.build_files(),
            _ => vec![path.to_owned()],
        };
        Self {
            key: (path.to_owned(), configuration.to_owned(), framework.map(str::to_owned)),
            time: files.iter().filter_map(|file| stale::modified(file)).max(),
        }
    }

    pub(super) fn answer(&self) -> Option<PathBuf> {
        let known = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).get(&self.key).cloned();
        known.filter(|(time, _)| *time == self.time).map(|(_, path)| path)
    }

    pub(super) fn remember(self, path: PathBuf) {
        ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).insert(self.key, (self.time, path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_answer_holds_until_the_project_or_what_it_imports_changes() {
        let dir = tempfile::tempdir().unwrap();
        let (project, props) = (dir.path().join("A.csproj"), dir.path().join("Directory.Build.props"));
        fs::write(&project, "<Project/>").unwrap();
        fs::write(&props, "<Project/>").unwrap();
        let asked = || Key::new(&project, "Debug", None);
        asked().remember("/out/A.dll".into());
        assert_eq!(asked().answer(), Some("/out/A.dll".into()));
        assert_eq!(Key::new(&project, "Release", None).answer(), None);
        assert_eq!(Key::new(&project, "Debug", Some("net8.0")).answer(), None);
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        fs::File::options().write(true).open(&props).unwrap().set_modified(later).unwrap();
        assert_eq!(asked().answer(), None);
    }
}
