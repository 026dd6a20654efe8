//! Whether a project's output is older than its inputs, decided by file times in milliseconds.
//!
//! It may report a fresh output as stale (a build then costs a second), never a stale one as fresh if file times show it.
//! The race to remember: a file saved while a build runs is older than the dll and yet not in it; a build of ours is
//! therefore compared by its start.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use super::project::{ProjectFile, is_skipped_folder};

/// What an earlier check or build of this process found, by output file.
static KNOWN: LazyLock<Mutex<HashMap<PathBuf, Known>>> = LazyLock::new(Mutex::default);

#[derive(Debug, Clone, Copy)]
struct Known {
    /// Names of all inputs: a removed file shows here and in its folder's time only.
    names: u64,
    /// When our build began; `None` after a mere check.
    started: Option<SystemTime>,
    finished: SystemTime,
}

/// Entries looked at before we leave the question to MSBuild.
const LIMIT: usize = 20_000;

/// `None` = fresh, else why not, in a few words.
pub(crate) fn why_stale(project: &ProjectFile, output: &Path) -> Option<String> {
    let Some(built) = modified(output) else {
        return Some("never built".into());
    };
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(output).copied();
    // A build that was not ours has no start that we know; the dll's time must do.
    let reference = known.and_then(|known| known.started.filter(|_| built <= known.finished)).unwrap_or(built);
    let restored = known.filter(|known| known.started.is_some()).map_or(built, |known| known.finished.max(built));
    let mut scan = Scan::new(restored);
    let verdict = scan.project(project, output, reference);
    let names = scan.names();
    if verdict.is_some() || scan.left == Some(0) {
        return verdict.or(Some("too many files to compare".into()));
    }
    match known {
        Some(known) if known.names == names => {}
        // Something was added or removed: file times do not show a removal, a folder's can.
        _ => {
            if let Some(folder) = scan.changed.first() {
                return Some(format!("{} has changed", folder.display()));
            }
        }
    }
    let started = known.and_then(|known| known.started);
    remember(output, Known { names, started, finished: known.map_or(built, |known| known.finished) });
    None
}

/// Records a build of ours that began at `started` and succeeded.
pub(crate) fn built(project: &ProjectFile, output: &Path, started: SystemTime) {
    // Only the names are wanted: nothing is newer than the end of time.
    let never = SystemTime::now() + std::time::Duration::from_secs(1 << 32);
    let mut scan = Scan::new(never);
    scan.project(project, output, never);
    remember(output, Known { names: scan.names(), started: Some(started), finished: SystemTime::now() });
}

fn remember(output: &Path, known: Known) {
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(output.to_owned(), known);
}

pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}

struct Scan {
    /// What restore wrote is compared with this: our own build wrote it after it began.
    restored: SystemTime,
    seen: HashSet<PathBuf>,
    /// Folders that are newer than what was built of them.
    changed: Vec<PathBuf>,
    files: Vec<PathBuf>,
    /// `None` = nothing looked at yet.
    left: Option<usize>,
}

impl Scan {
    fn new(restored: SystemTime) -> Self {
        Self { restored, seen: HashSet::new(), changed: vec![], files: vec![], left: None }
    }

    fn names(&mut self) -> u64 {
        self.files.sort();
        let mut hasher = DefaultHasher::new();
        self.files.hash(&mut hasher);
        hasher.finish()
    }

    /// The first input newer than `reference`, over the project and all that it references.
    fn project(&mut self, project: &ProjectFile, output: &Path, reference: SystemTime) -> Option<String> {
        if !self.seen.insert(project.path.clone()) {
            return None;
        }
        let newer = |path: &Path, reference: SystemTime| {
            modified(path).filter(|time| *time > reference).map(|_| format!("{} is newer", path.display()))
        };
        let mut verdict = project.build_files().iter().find_map(|file| newer(file, reference));
        verdict = verdict.or(newer(&project.restored(), self.restored.max(reference)));
        let roots = std::iter::once(project.folder().to_owned()).chain(project.outside_sources());
        for root in roots {
            verdict = verdict.or(self.folder(&root, &root, output, reference));
        }
        for reference_path in project.references() {
            let Ok(referenced) = ProjectFile::read(&reference_path) else {
                continue;
            };
            // A change that leaves its public face as it was does not touch our dll, only the copy beside it.
            let copy = referenced.assembly_name().and_then(|name| Some(output.parent()?.join(format!("{name}.dll"))));
            let its_reference = copy.and_then(|copy| modified(&copy)).unwrap_or(reference);
            verdict = verdict.or(self.project(&referenced, output, its_reference.max(reference)));
        }
        verdict
    }

    fn folder(&mut self, root: &Path, folder: &Path, output: &Path, reference: SystemTime) -> Option<String> {
        let mut verdict = None;
        if folder.is_file() {
            return self.file(root, folder, output, reference);
        }
        if modified(folder).is_some_and(|time| time > reference) {
            self.changed.push(folder.to_owned());
        }
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let left = self.left.get_or_insert(LIMIT);
            *left = left.saturating_sub(1);
            if *left == 0 {
                return verdict;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // `file_type` does not follow links, so a loop of links ends here.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let found = if kind.is_dir() {
                let skipped = is_skipped_folder(&name);
                if skipped { None } else { self.folder(root, &entry.path(), output, reference) }
            } else {
                self.file(root, &entry.path(), output, reference)
            };
            verdict = verdict.or(found);
        }
        verdict
    }

    fn file(&mut self, root: &Path, file: &Path, output: &Path, reference: SystemTime) -> Option<String> {
        let extension = file.extension().and_then(|ext| ext.to_str()).unwrap_or_default().to_ascii_lowercase();
        let reference = match extension.as_str() {
            "cs" | "fs" | "fsi" | "vb" | "razor" | "cshtml" | "resx" | "xaml" | "axaml" | "proto" | "csproj"
            | "fsproj" | "vbproj" | "props" | "targets" | "editorconfig" => {
                self.files.push(file.to_owned());
                reference
            }
            // Others matter only where the build copies them beside the dll (appsettings.json).
            _ => modified(&output.parent()?.join(file.strip_prefix(root).ok()?))?,
        };
        modified(file).filter(|time| *time > reference).map(|_| format!("{} is newer", file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::time::Duration;

    struct Fixture {
        dir: tempfile::TempDir,
        at: SystemTime,
    }

    impl Fixture {
        /// An app with a library; everything is from ten minutes before its outputs.
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let this = Self { dir, at: SystemTime::now() - Duration::from_secs(3600) };
            this.write(
                "app/App.csproj",
                r#"<Project Sdk="x"><ItemGroup><ProjectReference Include="..\lib\Lib.csproj" /></ItemGroup></Project>"#,
                -600,
            );
            this.write("app/Program.cs", "", -600);
            this.write("app/appsettings.json", "", -600);
            this.write("app/obj/project.assets.json", "", -600);
            this.write("lib/Lib.csproj", r#"<Project Sdk="x"></Project>"#, -600);
            this.write("lib/Lib.cs", "", -600);
            this.write("app/bin/Debug/net10.0/App.dll", "", 0);
            this.write("app/bin/Debug/net10.0/Lib.dll", "", 0);
            this.write("app/bin/Debug/net10.0/appsettings.json", "", -600);
            this.settle();
            this
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().canonicalize().unwrap().join(name)
        }

        fn write(&self, name: &str, text: &str, seconds: i64) {
            let path = self.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            self.touch(name, seconds);
        }

        fn touch(&self, name: &str, seconds: i64) {
            let step = Duration::from_secs(seconds.unsigned_abs());
            let time = if seconds < 0 { self.at - step } else { self.at + step };
            File::open(self.path(name)).unwrap().set_modified(time).unwrap();
        }

        /// Folder times as if nothing had been added or removed lately.
        fn settle(&self) {
            for folder in ["app", "lib", "app/obj", "app/bin"] {
                self.touch(folder, -600);
            }
        }

        fn verdict(&self) -> Option<String> {
            let project = ProjectFile::read(&self.path("app/App.csproj")).unwrap();
            why_stale(&project, &self.path("app/bin/Debug/net10.0/App.dll"))
        }
    }

    #[test]
    fn any_newer_input_makes_the_output_stale() {
        assert_eq!(Fixture::new().verdict(), None);
        let cases = [
            ("app/Program.cs", "Program.cs is newer"),
            ("app/App.csproj", "App.csproj is newer"),
            ("app/appsettings.json", "appsettings.json is newer"),
            ("app/obj/project.assets.json", "project.assets.json is newer"),
            ("app/Directory.Build.props", "Directory.Build.props is newer"),
            ("Directory.Build.targets", "Directory.Build.targets is newer"),
            ("app/sub/New.cs", "New.cs is newer"),
            ("lib/Lib.cs", "Lib.cs is newer"),
            ("lib/Lib.csproj", "Lib.csproj is newer"),
        ];
        for (name, expected) in cases {
            let fixture = Fixture::new();
            fixture.write(name, &fs::read_to_string(fixture.path(name)).unwrap_or_default(), 60);
            let verdict = fixture.verdict().unwrap_or_default();
            assert!(verdict.ends_with(expected), "{name}: {verdict}");
        }
    }

    #[test]
    fn what_no_build_reads_leaves_it_fresh() {
        for name in [
            "app/bin/x.cs",
            "app/obj/Debug/gen.cs",
            "app/.git/x.cs",
            "app/node_modules/a/b.cs",
            "app/notes.md",
            "app/Properties/launchSettings.json",
            "lib/bin/Lib.dll",
        ] {
            let fixture = Fixture::new();
            fixture.write(name, "", 60);
            // Adding it to a folder changes that folder's time, which is not what this is about.
            fixture.settle();
            if fixture.path("app/Properties").exists() {
                fixture.touch("app/Properties", -600);
            }
            assert_eq!(fixture.verdict(), None, "{name}");
        }
    }

    #[test]
    fn never_built_and_removed_files_are_stale() {
        let fixture = Fixture::new();
        fs::remove_file(fixture.path("app/bin/Debug/net10.0/App.dll")).unwrap();
        assert_eq!(fixture.verdict().unwrap(), "never built");

        let fixture = Fixture::new();
        fixture.write("app/Old.cs", "", -600);
        fixture.settle();
        assert_eq!(fixture.verdict(), None);
        fs::remove_file(fixture.path("app/Old.cs")).unwrap();
        assert!(fixture.verdict().unwrap().ends_with("app has changed"));
    }

    #[test]
    fn a_library_rebuilt_beside_an_unchanged_dll_is_fresh() {
        let fixture = Fixture::new();
        fixture.write("lib/Lib.cs", "// private change", 60);
        // an editor that saves by renaming changes the folder too
        fixture.touch("lib", 60);
        fixture.touch("app/bin/Debug/net10.0/Lib.dll", 120);
        assert_eq!(fixture.verdict(), None);
        fixture.touch("lib", 180);
        fixture.write("lib/More.cs", "", -600);
        assert!(fixture.verdict().unwrap().ends_with("lib has changed"));
    }

    #[test]
    fn a_file_saved_while_we_built_is_stale_though_the_dll_is_newer() {
        let fixture = Fixture::new();
        let project = ProjectFile::read(&fixture.path("app/App.csproj")).unwrap();
        let output = fixture.path("app/bin/Debug/net10.0/App.dll");
        built(&project, &output, fixture.at - Duration::from_secs(30));
        assert_eq!(fixture.verdict(), None);
        fixture.touch("app/Program.cs", -10);
        assert!(fixture.verdict().unwrap().ends_with("Program.cs is newer"));
    }

    #[test]
    fn a_build_of_ours_that_rewrote_nothing_still_counts() {
        let fixture = Fixture::new();
        fixture.write("app/Directory.Build.props", "<Project/>", 60);
        assert!(fixture.verdict().is_some());
        let project = ProjectFile::read(&fixture.path("app/App.csproj")).unwrap();
        built(&project, &fixture.path("app/bin/Debug/net10.0/App.dll"), fixture.at + Duration::from_secs(90));
        assert_eq!(fixture.verdict(), None);
    }
}
