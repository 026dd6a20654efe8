//! Source files: the root they share, how their paths are told, and the text of their lines.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Characters of a source line that is told.
const WIDTH: usize = 120;
/// Bytes of a source file that is read; larger ones are no sources.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Cheap to clone; all clones share the root and the cache.
#[derive(Clone, Default)]
pub struct Sources {
    inner: Arc<Mutex<Inner>>,
}

/// Whether a document of that path was compiled from these bytes.
pub type CompiledFrom = Arc<dyn Fn(&str, &[u8]) -> bool + Send + Sync>;

#[derive(Default)]
struct Inner {
    root: Option<PathBuf>,
    files: HashMap<PathBuf, (SystemTime, Arc<Vec<String>>)>,
    /// Folders in which mapped documents are looked for.
    below: Vec<PathBuf>,
    compiled_from: Option<CompiledFrom>,
    /// Documents of mapped builds, and the files that they are here.
    found: HashMap<PathBuf, PathBuf>,
}

/// A file that may be a source: never a pipe or a device, never one without end.
fn readable(path: &Path) -> Option<std::fs::Metadata> {
    std::fs::metadata(path).ok().filter(|meta| meta.is_file() && meta.len() <= MAX_BYTES)
}

/// The bytes of a file that may be a source.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    readable(path).and_then(|_| std::fs::read(path).ok())
}

impl Sources {
    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn root(&self) -> Option<PathBuf> {
        self.lock().root.clone()
    }

    pub fn set_root(&self, root: Option<PathBuf>) {
        self.lock().root = root;
    }

    /// Documents whose path is none of this machine (`/_/src/A.cs` of a build server) are looked for below `base`, by
    /// the end of their path, and are taken only where the bytes are those that were compiled.
    pub fn look_below(&self, base: PathBuf, compiled_from: CompiledFrom) {
        let mut inner = self.lock();
        inner.below = vec![base];
        inner.compiled_from = Some(compiled_from);
        inner.found.clear();
    }

    /// One folder more to look in.
    pub fn look_also_below(&self, folder: &Path) {
        let mut inner = self.lock();
        if !inner.below.iter().any(|known| known == folder) {
            inner.below.push(folder.to_owned());
        }
    }

    /// A caller's file is the document of that path, which is none of this machine.
    pub fn stands_for(&self, document: &str, file: &Path) {
        if !Path::new(document).is_file() && file.is_file() {
            self.lock().found.insert(document.into(), file.to_owned());
        }
    }

    /// Whether a document is the user's: libraries that ship their own PDBs are built in `/_/`, and so are programs whose files
    /// are here.
    pub fn is_users(&self, document: &str) -> bool {
        !document.starts_with("/_/") || self.file(Path::new(document)).is_some()
    }

    /// The file that a path stands for.
    fn file(&self, path: &Path) -> Option<(PathBuf, std::fs::Metadata)> {
        if let Some(meta) = readable(path) {
            return Some((path.to_owned(), meta));
        }
        let (below, compiled_from, found) = {
            let inner = self.lock();
            (inner.below.clone(), inner.compiled_from.clone(), inner.found.get(path).cloned())
        };
        if let Some((file, meta)) = found.and_then(|file| readable(&file).map(|meta| (file, meta))) {
            return Some((file, meta));
        }
        let compiled_from = compiled_from?;
        let names: Vec<_> = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        let candidates = (0..names.len())
            .filter_map(|from| names.get(from..))
            .flat_map(|rest| below.iter().map(move |base| base.join(rest.iter().collect::<PathBuf>())));
        for file in candidates {
            let Some(meta) = readable(&file) else { continue };
            if std::fs::read(&file).is_ok_and(|bytes| compiled_from(&path.to_string_lossy(), &bytes)) {
                self.lock().found.insert(path.to_owned(), file.clone());
                return Some((file, meta));
            }
        }
        None
    }

    /// The path to show for a document's: the file that it stands for here.
    pub fn shown(&self, path: &str) -> String {
        self.file(Path::new(path)).map_or_else(|| path.to_owned(), |(file, _)| file.display().to_string())
    }

    /// Under the root with `/`, else the whole path of the file that a document is here.
    pub fn relative(&self, path: &str) -> String {
        let root = self.lock().root.clone();
        let below = |path: &str| {
            let rest = Path::new(path).strip_prefix(root.as_ref()?).ok()?.display().to_string();
            (!rest.is_empty()).then(|| rest.replace('\\', "/"))
        };
        below(path).unwrap_or_else(|| {
            let shown = self.shown(path);
            below(&shown).unwrap_or(shown)
        })
    }

    /// The absolute path of what a caller gave: against the root, else against `base`.
    pub fn absolute(&self, given: &str, base: &Path) -> PathBuf {
        let given = given.strip_prefix("file://").unwrap_or(given);
        let path = Path::new(given);
        if path.is_absolute() {
            return tidy(path);
        }
        if let Some(root) = self.root() {
            let candidate = tidy(&root.join(path));
            if candidate.exists() {
                return candidate;
            }
        }
        tidy(&base.join(path))
    }

    /// All lines of a file, or `None` when it cannot be read as one.
    pub fn lines(&self, path: &Path) -> Option<Arc<Vec<String>>> {
        let (file, meta) = self.file(path)?;
        let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if let Some((seen, lines)) = self.lock().files.get(path)
            && *seen == modified
        {
            return Some(lines.clone());
        }
        let bytes = std::fs::read(file).ok()?;
        if bytes.iter().take(4096).any(|byte| *byte == 0) {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Arc<Vec<String>> =
            Arc::new(text.trim_start_matches('\u{feff}').lines().map(|line| line.trim_end().to_owned()).collect());
        let mut inner = self.lock();
        // a handful of files is what a session looks at; a cache that grew is a cache that leaks
        if inner.files.len() > 256 {
            inner.files.clear();
        }
        inner.files.insert(path.to_owned(), (modified, lines.clone()));
        Some(lines)
    }

    /// The bytes of the file that a document's path stands for.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.file(Path::new(path))?.0).ok()
    }

    /// One line with its indentation; 1-based.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let lines = self.lines(Path::new(path))?;
        lines.get((line as usize).checked_sub(1)?).cloned()
    }

    /// One line as it is told: trimmed, at most 120 characters.
    pub fn told(&self, path: &str, line: u32) -> Option<String> {
        self.line(path, line).map(|text| Self::shorten(text.trim()))
    }

    /// At most 120 characters.
    pub fn shorten(text: &str) -> String {
        if text.chars().count() <= WIDTH {
            return text.to_owned();
        }
        let mut cut: String = text.chars().take(WIDTH - 1).collect();
        cut.push('…');
        cut
    }
}

impl Sources {
    /// The folder that documents share: of those of this machine, or else of the files that mapped ones stand for.
    pub fn root_of(&self, documents: &[String]) -> Option<PathBuf> {
        common_root(documents.iter().map(String::as_str)).or_else(|| {
            let files: Vec<String> = documents.iter().map(|document| self.shown(document)).collect();
            common_root(files.iter().map(String::as_str))
        })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_read() {
        assert_eq!(read(Path::new("/dev/zero")), None);
        assert_eq!(read(Path::new(env!("CARGO_MANIFEST_DIR"))), None);
        assert!(read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).is_some());
    }

    #[test]
    fn the_root_is_what_all_documents_share() {
        let root = |paths: &[&str]| common_root(paths.iter().copied());
        assert_eq!(root(&["/src/a/Program.cs", "/src/a/obj/x.cs"]), Some(PathBuf::from("/src/a")));
        assert_eq!(root(&["/src/a/Program.cs", "/src/b/Lib.cs"]), Some(PathBuf::from("/src")));
        assert_eq!(root(&["/_/src/Lib.cs"]), None);
        assert_eq!(root(&["/a/x.cs", "/b/y.cs"]), None);
    }

    #[test]
    fn a_document_of_another_machine_is_found_below_the_base_by_its_bytes() {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir(base.path().join("a")).unwrap();
        std::fs::write(base.path().join("Program.cs"), "another program").unwrap();
        std::fs::write(base.path().join("a/Program.cs"), "one\ntwo").unwrap();
        let sources = Sources::default();
        assert_eq!(sources.line("/_/src/a/Program.cs", 2), None);
        sources.look_below(
            base.path().to_owned(),
            Arc::new(|path, bytes| path.starts_with("/_/src/a/") && bytes == b"one\ntwo"),
        );
        assert_eq!(sources.line("/_/src/a/Program.cs", 2).as_deref(), Some("two"));
        assert_eq!(sources.line("/_/src/b/Program.cs", 1), None);
        std::fs::write(base.path().join("a/Program.cs"), "one").unwrap();
        assert_eq!(
            sources.line("/_/src/a/Program.cs", 1).as_deref(),
            Some("one"),
            "edited since: the file stays the file"
        );
    }

    #[test]
    fn paths_are_told_relative_to_the_root() {
        let sources = Sources::default();
        assert_eq!(sources.relative("/src/a/Program.cs"), "/src/a/Program.cs");
        sources.set_root(Some("/src/a".into()));
        assert_eq!(sources.relative("/src/a/Program.cs"), "Program.cs");
        assert_eq!(sources.relative("/src/ab/Program.cs"), "/src/ab/Program.cs");
    }
}
