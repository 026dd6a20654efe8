//! Source files: the root they share, how their paths are shown, and the text of their lines.

mod copied;
mod paths;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::error::{Code, SessionError};
use crate::dotnet::walk::walk;
use crate::roots::Roots;
use clr_metadata::is_source_file;
use copied::CopiedTree;
pub use paths::{common_root, tidy};

/// The most characters shown of a source line.
const WIDTH: usize = 120;
/// Bytes of a source file that is read; larger files are not sources.
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
    /// What the build was made of, which is what its line numbers mean; `None` if the file was edited before we read it.
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
    /// No program runs what was compiled.
    is_over: bool,
    /// Folders in which mapped documents are looked for.
    below: Vec<PathBuf>,
    compiled_from: Option<CompiledFrom>,
    /// Documents of mapped builds, and the files that they are here.
    found: HashMap<PathBuf, PathBuf>,
    /// The program was copied with its build, whose documents lie where it was made.
    copied: Option<CopiedTree>,
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

    /// The one rule for all tools: a source is what lies in a root, links resolved, or what a PDB of the program names and has
    /// the hash of, if its name is that of a source. A PDB is the program's word, and may name any file of the machine.
    pub fn allow(&self, path: &Path) -> bool {
        self.is_held(path) || self.file(path).is_some()
    }

    fn is_held(&self, path: &Path) -> bool {
        let roots = self.lock().roots.clone();
        roots.hold(path)
    }

    /// The sources below the roots whose path ends as what a caller wrote, from a folder or the file's name on.
    pub fn below_roots(&self, given: &str) -> Vec<PathBuf> {
        let given = given.replace('\\', "/");
        let end = Path::new(given.trim_start_matches("./"));
        let is_plain = end.components().all(|part| matches!(part, Component::Normal(_)));
        let Some(name) = end.file_name().map(|name| name.to_string_lossy()).filter(|_| is_plain) else {
            return Vec::new();
        };
        let folders = self.lock().roots.folders();
        let mut found: Vec<PathBuf> =
            folders.iter().flat_map(|folder| walk(folder, |other| *other == *name).files).collect();
        found.retain(|path| path.ends_with(end) && is_source_file(path));
        found
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
        let hint = match self.lock().roots.in_words() {
            Some(roots) => format!("the roots are {roots}; add more with --roots"),
            None => "start clrbridge with --roots FOLDER, or debug_launch the program first".into(),
        };
        let message = match self.is_document(path) {
            true => {
                format!(
                    "`{given}` is not inside any root, and differs from the file that the program was built from (no PDB of the program has its hash)"
                )
            }
            false => format!("`{given}` is neither a source file of the program nor inside any root"),
        };
        SessionError::new(Code::PathNotAllowed, message, hint)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn root(&self) -> Option<PathBuf> {
        self.lock().root.clone()
    }

    /// The folder that paths are shown relative to. It grants no access: documents determine it.
    pub fn set_root(&self, root: Option<PathBuf>) {
        self.lock().root = root;
    }

    /// A folder of the user's program, whose files may be shown.
    pub fn add_folder(&self, folder: &Path) {
        let roots = self.lock().roots.clone();
        roots.add_found(folder);
    }

    /// Documents whose path does not exist on this machine (`/_/src/A.cs` of a build server) are looked for below `base`, by
    /// the end of their path, and are taken only where the bytes are those that were compiled.
    pub fn look_below(&self, base: PathBuf, compiled_from: CompiledFrom) {
        let mut inner = self.lock();
        inner.below = vec![base];
        inner.compiled_from = Some(compiled_from);
        inner.found.clear();
        inner.copied = None;
        inner.compared.clear();
        inner.files.clear();
        inner.is_over = false;
    }

    /// The program is gone: from now on lines are those of the files as they are.
    pub fn end_run(&self) {
        self.lock().is_over = true;
    }

    /// One folder more to look in.
    pub fn look_also_below(&self, folder: &Path) {
        let mut inner = self.lock();
        if !inner.below.iter().any(|known| known == folder) {
            inner.below.push(folder.to_owned());
        }
    }

    /// The folder of the launched project: where it is a copy, its own files stand for the documents that they are copies of.
    pub fn look_in_copy(&self, project: &Path, documents: &[String]) {
        let compiled_from = self.lock().compiled_from.clone();
        let is_compiled = |document: &str, file: &Path| {
            let bytes = read(file);
            bytes.zip(compiled_from.as_ref()).and_then(|(bytes, judge)| judge(document, &bytes)) == Some(true)
        };
        let copied = CopiedTree::find(project, documents, is_compiled);
        self.lock().copied = copied;
    }

    /// The copy of a document that is shown in its place, if its bytes are those that were compiled.
    fn copy_of(&self, document: &Path) -> Option<PathBuf> {
        let (copy, found) = {
            let inner = self.lock();
            (inner.copied.as_ref()?.copy_of(document)?, inner.found.get(document).cloned())
        };
        if found.as_ref() != Some(&copy) {
            is_source_file(&copy).then_some(())?;
            self.was_compiled(document, &read(&copy)?).then_some(())?;
            self.lock().found.insert(document.to_owned(), copy.clone());
        }
        Some(copy)
    }

    /// A caller's file is the document of that path, which does not exist on this machine.
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
        if let Some((copy, meta)) = self.copy_of(path).and_then(|copy| readable(&copy).map(|meta| (copy, meta))) {
            return Some((copy, meta));
        }
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
        let copy = self.copy_of(Path::new(path)).map(|copy| copy.display().to_string());
        let path = copy.as_deref().unwrap_or(path);
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

    /// One line of what was compiled, with its indentation; 1-based. `None` also where only an edited file is left of it. After the
    /// end of the program, of the file as it is.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let text = self.text(Path::new(path))?;
        let lines = if self.lock().is_over { text.lines } else { text.compiled? };
        lines.get((line as usize).checked_sub(1)?).cloned()
    }

    /// One line as it is shown: trimmed, at most 120 characters.
    pub fn shown_line(&self, path: &str, line: u32) -> Option<String> {
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
        let copied = self.lock().copied.clone();
        let copy_of = |document: &String| Some(copied.as_ref()?.copy_of(Path::new(document))?.display().to_string());
        let documents = documents.iter().map(|document| copy_of(document).unwrap_or_else(|| document.clone()));
        let documents: Vec<String> = documents.filter(|document| is_here(Path::new(document))).collect();
        common_root(documents.iter().map(String::as_str)).or_else(|| {
            let files: Vec<String> = documents.iter().map(|document| self.shown(document)).collect();
            common_root(files.iter().map(String::as_str))
        })
    }
}

#[cfg(test)]
mod tests;
