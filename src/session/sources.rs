//! Source files: the root they share, how their paths are shown, and the text of their lines.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::error::{Code, SessionError};
use crate::roots::Roots;
use clr_metadata::is_source_file;

/// Characters of a source line that is told.
const WIDTH: usize = 120;
/// Bytes of a source file that is read; larger ones are no sources.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Cheap to clone; all clones share the root and the cache.
#[derive(Clone, Default)]
pub struct Sources {
    inner: Arc<Mutex<Inner>>,
}

/// Whether a document of that path was compiled from these bytes; `None` where nothing is known of it.
pub type CompiledFrom = Arc<dyn Fn(&str, &[u8]) -> Option<bool> + Send + Sync>;

/// Whether a PDB of the program names a file of that path.
pub type IsDocument = Arc<dyn Fn(&str) -> bool + Send + Sync>;

type Lines = Arc<Vec<String>>;

/// A file as it was when it was last read.
#[derive(Clone)]
struct Text {
    modified: SystemTime,
    lines: Lines,
    /// What the build was made of, which is what its line numbers mean; `None` where an editor was faster than we.
    compiled: Option<Lines>,
    /// Whether the build was known by then.
    is_judged: bool,
}

#[derive(Default)]
struct Inner {
    root: Option<PathBuf>,
    roots: Roots,
    is_document: Option<IsDocument>,
    files: HashMap<PathBuf, Text>,
    /// Folders in which mapped documents are looked for.
    below: Vec<PathBuf>,
    compiled_from: Option<CompiledFrom>,
    /// Documents of mapped builds, and the files that they are here.
    found: HashMap<PathBuf, PathBuf>,
    /// Files outside of the roots, as they were when they were compared with what was compiled.
    compared: HashMap<PathBuf, (SystemTime, u64, bool)>,
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
    /// Before any program: only what lies below `roots` is read.
    pub fn below(roots: Roots) -> Self {
        let sources = Self::default();
        sources.lock().roots = roots;
        sources
    }

    /// What PDBs name, and was compiled as it is now, is a source too, wherever it lies.
    pub fn set_documents(&self, is_document: IsDocument) {
        self.lock().is_document = Some(is_document);
    }

    /// The one rule for all tools: a source is what lies below a root, links resolved, or what a PDB of the program names and has
    /// the hash of, if its name is that of a source. A PDB is the program's word, and may name any file of the machine.
    pub fn allow(&self, path: &Path) -> bool {
        self.is_held(path) || self.file(path).is_some()
    }

    fn is_held(&self, path: &Path) -> bool {
        let roots = self.lock().roots.clone();
        roots.hold(path)
    }

    fn is_document(&self, path: &Path) -> bool {
        let is_document = self.lock().is_document.clone();
        is_document.is_some_and(|is_document| is_document(&path.to_string_lossy()))
    }

    /// Whether the file is a document, and is still what was compiled.
    fn is_compiled(&self, path: &Path) -> bool {
        let Some(meta) = readable(path).filter(|_| self.is_document(path)) else { return false };
        let stamp = (meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), meta.len());
        if let Some((modified, size, is_compiled)) = self.lock().compared.get(path)
            && (*modified, *size) == stamp
        {
            return *is_compiled;
        }
        let is_compiled = is_source_file(path) && read(path).is_some_and(|bytes| self.was_compiled(path, &bytes));
        self.lock().compared.insert(path.to_owned(), (stamp.0, stamp.1, is_compiled));
        is_compiled
    }

    fn was_compiled(&self, document: &Path, bytes: &[u8]) -> bool {
        let compiled_from = self.lock().compiled_from.clone();
        compiled_from.and_then(|judge| judge(&document.to_string_lossy(), bytes)) == Some(true)
    }

    /// What is read of the file that stands for a document: what may be shown of it, judged by the very bytes.
    fn read_shown(&self, document: &Path, file: &Path) -> Option<Vec<u8>> {
        let bytes = read(file)?;
        let is_shown = || is_source_file(file) && self.was_compiled(document, &bytes);
        (self.is_held(file) || is_shown()).then_some(bytes)
    }

    /// What to say of a file that [`Self::allow`] does not let through, whether it exists or not.
    pub fn not_allowed(&self, given: &str, path: &Path) -> SessionError {
        let hint = match self.lock().roots.told() {
            Some(roots) => format!("the roots are {roots}; add more with --roots"),
            None => "start clrbridge with --roots FOLDER, or debug_launch the program first".into(),
        };
        let message = match self.is_document(path) {
            true => {
                format!("`{given}` is not below a root, and no source file that the program's symbols have the hash of")
            }
            false => format!("`{given}` is neither a source file of the program nor below a root"),
        };
        SessionError::new(Code::PathNotAllowed, message, hint)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn root(&self) -> Option<PathBuf> {
        self.lock().root.clone()
    }

    /// The folder that paths are told from. It lets nobody read more: documents have said which it is.
    pub fn set_root(&self, root: Option<PathBuf>) {
        self.lock().root = root;
    }

    /// A folder of the user's program, whose files may be shown.
    pub fn add_folder(&self, folder: &Path) {
        let roots = self.lock().roots.clone();
        roots.add_found(folder);
    }

    /// Documents whose path is none of this machine (`/_/src/A.cs` of a build server) are looked for below `base`, by
    /// the end of their path, and are taken only where the bytes are those that were compiled.
    pub fn look_below(&self, base: PathBuf, compiled_from: CompiledFrom) {
        let mut inner = self.lock();
        inner.below = vec![base];
        inner.compiled_from = Some(compiled_from);
        inner.found.clear();
        inner.compared.clear();
        inner.files.clear();
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
        let compiled_from = self.lock().compiled_from.clone();
        let is_it = || compiled_from.zip(read(file)).and_then(|(judge, bytes)| judge(document, &bytes)) == Some(true);
        if !Path::new(document).is_file() && file.is_file() && (self.allow(file) || is_it()) {
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
        if let Some(meta) = readable(path).filter(|_| self.is_held(path) || self.is_compiled(path)) {
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
            if std::fs::read(&file).is_ok_and(|bytes| compiled_from(&path.to_string_lossy(), &bytes) == Some(true)) {
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
            if self.allow(&candidate) && candidate.exists() {
                return candidate;
            }
        }
        tidy(&base.join(path))
    }

    /// All lines of a file, or `None` when it cannot be read as one.
    pub fn lines(&self, path: &Path) -> Option<Lines> {
        self.text(path).map(|text| text.lines)
    }

    fn text(&self, path: &Path) -> Option<Text> {
        let (file, meta) = self.file(path)?;
        let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let (before, compiled_from) = {
            let inner = self.lock();
            (inner.files.get(path).cloned(), inner.compiled_from.clone())
        };
        let judge = |bytes: &[u8]| compiled_from.as_ref().and_then(|judge| judge(&path.to_string_lossy(), bytes));
        if let Some(known) = before.as_ref().filter(|it| it.modified == modified)
            && (known.is_judged || judge(&[]).is_none())
        {
            return Some(known.clone());
        }
        let bytes = self.read_shown(path, &file)?;
        if bytes.iter().take(4096).any(|byte| *byte == 0) {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Lines =
            Arc::new(text.trim_start_matches('\u{feff}').lines().map(|line| line.trim_end().to_owned()).collect());
        let judged = judge(&bytes);
        let compiled = match judged {
            Some(false) => before.filter(|it| it.is_judged).and_then(|it| it.compiled),
            _ => Some(lines.clone()),
        };
        let text = Text { modified, lines, compiled, is_judged: judged.is_some() };
        let mut inner = self.lock();
        // a handful of files is what a session looks at; a cache that grew is a cache that leaks
        if inner.files.len() > 256 {
            inner.files.clear();
        }
        inner.files.insert(path.to_owned(), text.clone());
        Some(text)
    }

    /// Whether a file is another one than was compiled: edited since, so its lines are those of the build.
    pub fn is_edited(&self, path: &str) -> bool {
        let text = self.text(Path::new(path));
        text.is_some_and(|text| text.is_judged && text.compiled.is_none_or(|built| *built != *text.lines))
    }

    /// The bytes of the file that a document's path stands for.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let path = Path::new(path);
        self.read_shown(path, &self.file(path)?.0)
    }

    /// One line of what was compiled, with its indentation; 1-based. `None` also where only an edited file is left of it.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let lines = self.text(Path::new(path))?.compiled?;
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
    /// The folder that documents share, if they are sources by their names: of those of this machine, or else of the files that mapped ones stand for.
    pub fn root_of(&self, documents: &[String]) -> Option<PathBuf> {
        let is_here = |path: &Path| !path.exists() || is_source_file(path);
        let documents: Vec<&String> = documents.iter().filter(|document| is_here(Path::new(document))).collect();
        common_root(documents.iter().map(|document| document.as_str())).or_else(|| {
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
        let sources = Sources::below(roots(base.path()));
        assert_eq!(sources.line("/_/src/a/Program.cs", 2), None);
        sources.look_below(
            base.path().to_owned(),
            Arc::new(|path, bytes| path.starts_with("/_/src/a/").then_some(bytes == b"one\ntwo")),
        );
        assert_eq!(sources.line("/_/src/a/Program.cs", 2).as_deref(), Some("two"));
        assert_eq!(sources.line("/_/src/b/Program.cs", 1), None);
        std::fs::write(base.path().join("a/Program.cs"), "one").unwrap();
        let shown = sources.shown("/_/src/a/Program.cs");
        assert_eq!(Path::new(&shown), base.path().join("a/Program.cs"), "edited since: the file stays the file");
    }

    /// With a time of its own: two writes may fall into one tick of the clock.
    fn write(path: &Path, text: &str, second: u64) {
        std::fs::write(path, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
        std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn a_line_is_told_as_it_was_compiled_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("A.cs");
        let name = path.to_string_lossy().into_owned();
        let sources = Sources::below(roots(folder.path()));
        let known = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let is_known = known.clone();
        let judge =
            move |_: &str, bytes: &[u8]| is_known.load(std::sync::atomic::Ordering::Relaxed).then_some(bytes == b"old");
        sources.look_below(folder.path().to_owned(), Arc::new(judge.clone()));
        write(&path, "edited before", 1);
        assert_eq!(sources.line(&name, 1).as_deref(), Some("edited before"), "nothing is known of a build yet");
        known.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(sources.line(&name, 1), None);
        write(&path, "old", 2);
        assert_eq!(sources.line(&name, 1).as_deref(), Some("old"));
        write(&path, "new\nold", 3);
        assert_eq!(sources.line(&name, 1).as_deref(), Some("old"));
        assert_eq!(*sources.lines(&path).unwrap(), ["new", "old"], "where the next build has it");
        sources.look_below(folder.path().to_owned(), Arc::new(judge));
        assert_eq!(sources.line(&name, 1), None, "another start, which saw the file only as it is now");
    }

    fn roots(folder: &Path) -> Roots {
        let roots = Roots::default();
        roots.add(folder);
        roots
    }

    #[test]
    fn a_file_is_read_below_a_root_or_where_a_pdb_has_its_hash() {
        let dir = tempfile::tempdir().unwrap();
        let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
        for folder in [&root, &outside] {
            std::fs::create_dir(folder).unwrap();
        }
        std::fs::write(root.join("In.cs"), "text").unwrap();
        std::fs::write(outside.join("A.cs"), "text").unwrap();
        std::fs::write(outside.join("Unhashed.cs"), "text").unwrap();
        let sources = Sources::below(roots(&root));
        let line = |path: &Path| sources.line(&path.to_string_lossy(), 1);
        assert_eq!(line(&root.join("In.cs")).as_deref(), Some("text"));
        let (there, missing, unhashed) = (outside.join("A.cs"), outside.join("B.cs"), outside.join("Unhashed.cs"));
        let secret = outside.join("secret");
        std::fs::write(&secret, "text").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&secret, outside.join("Link.cs")).unwrap();
        assert_eq!(line(&there), None);
        assert!(!sources.allow(&there) && !sources.allow(&missing), "nobody learns which of them exists");
        assert_eq!(sources.bytes(&there.to_string_lossy()), None);
        let document = outside.clone();
        sources.set_documents(Arc::new(move |path| Path::new(path).starts_with(&document)));
        assert!(!sources.allow(&there), "a PDB may name any file");
        let judge = |path: &str, bytes: &[u8]| (!path.ends_with("Unhashed.cs")).then_some(bytes == b"text");
        sources.look_below(root.clone(), Arc::new(judge));
        assert_eq!(line(&there).as_deref(), Some("text"));
        assert!(!sources.allow(&missing) && !sources.allow(&unhashed));
        assert!(
            !sources.allow(&outside.join("Link.cs")) && !sources.allow(&secret),
            "compilers record the hash of whatever #line names"
        );
        assert_eq!(line(&unhashed), None);
        std::fs::write(&there, "changed").unwrap();
        assert!(!sources.allow(&there));
        assert_eq!((line(&there), sources.lines(&there)), (None, None));
        let error = sources.not_allowed("A.cs", &there);
        assert_eq!(error.code, Code::PathNotAllowed);
        assert!(error.message.contains("the hash of") && error.hint.contains(&*root.to_string_lossy()), "{error:?}");
        let stranger = sources.not_allowed("/etc/shadow", Path::new("/etc/shadow"));
        assert!(stranger.message.contains("neither a source file"), "{stranger:?}");
    }

    #[test]
    fn the_folder_that_documents_share_lets_nobody_read_what_lies_in_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("A.cs"), "text").unwrap();
        let sources = Sources::default();
        sources.set_root(Some(dir.path().to_owned()));
        assert!(!sources.allow(&dir.path().join("A.cs")));
        sources.add_folder(dir.path());
        assert!(sources.allow(&dir.path().join("A.cs")));
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
