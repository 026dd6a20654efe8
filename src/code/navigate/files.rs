//! The sources of a workspace: found by what PDBs and people call them.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::NavigateError;
use super::syntax::Syntax;

/// Bytes of a source whose lines are shown.
const MOST_BYTES: u64 = 64 << 20;
/// Parsed files that are kept, unless more are asked for: a tree takes some ten times the text.
const MOST_KEPT: usize = 8;

#[derive(Debug)]
pub(super) struct Files {
    root: PathBuf,
    sources: Vec<PathBuf>,
    by_name: HashMap<String, Vec<usize>>,
    kept: Mutex<VecDeque<(usize, Arc<Syntax>)>>,
    most_kept: usize,
}

impl Files {
    pub(super) fn new(root: &Path, sources: Vec<PathBuf>) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, source) in sources.iter().enumerate() {
            by_name.entry(file_name(&source.to_string_lossy()).to_owned()).or_default().push(index);
        }
        Self { root: root.to_owned(), sources, by_name, kept: Mutex::default(), most_kept: MOST_KEPT }
    }

    pub(super) fn keep(&mut self, most: usize) {
        self.most_kept = most;
    }

    pub(super) fn count(&self) -> usize {
        self.sources.len()
    }

    pub(super) fn path(&self, file: usize) -> &Path {
        self.sources.get(file).map_or(Path::new(""), PathBuf::as_path)
    }

    /// Relative to the root where it lies under it, with `/`.
    pub(super) fn shown(&self, file: usize) -> String {
        let path = self.path(file);
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    /// The source that a PDB means: the compiler may have written another root (a path map, another machine), so the one that
    /// shares most of the path's end. `None` where two share as much.
    pub(super) fn of_document(&self, document: &str) -> Option<usize> {
        let named = self.by_name.get(file_name(document))?;
        let shared = |index: usize| shared_end(&self.path(index).to_string_lossy(), document);
        let most = named.iter().map(|&index| shared(index)).max()?;
        let mut best = named.iter().copied().filter(|&index| shared(index) == most);
        let found = best.next();
        found.filter(|_| best.next().is_none())
    }

    /// The source that a person means: absolute, relative to the root, or the end of a path that only one has.
    pub(super) fn asked(&self, file: &str) -> Result<usize, NavigateError> {
        let absolute = self.root.join(file);
        if let Some(index) = self.sources.iter().position(|source| *source == absolute) {
            return Ok(index);
        }
        let parts = file.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").count();
        let named = self.by_name.get(file_name(file)).map(Vec::as_slice).unwrap_or_default();
        let ends = |&index: &usize| shared_end(&self.path(index).to_string_lossy(), file) >= parts;
        let fitting: Vec<usize> = named.iter().copied().filter(ends).collect();
        match fitting.as_slice() {
            [one] => Ok(*one),
            [] => {
                let closeness = |index: &usize| strsim::jaro_winkler(file, &self.shown(*index));
                let nearest = (0..self.count()).max_by(|a, b| closeness(a).total_cmp(&closeness(b)));
                let nearest = nearest.filter(|index| closeness(index) > 0.7).map(|index| self.shown(index));
                Err(NavigateError::FileNotFound { file: file.to_owned(), nearest })
            }
            several => {
                let names: Vec<String> = several.iter().take(4).map(|&index| self.shown(index)).collect();
                Err(NavigateError::InvalidArgument {
                    argument: "file",
                    message: format!("{} files match {file}: {}", several.len(), names.join(", ")),
                    hint: "pass more of its path".to_owned(),
                })
            }
        }
    }

    /// Whether its text has these letters anywhere.
    pub(super) fn holds(&self, file: usize, letters: &str) -> bool {
        self.bytes(file).is_some_and(|bytes| {
            let Some((&first, _)) = letters.as_bytes().split_first() else { return false };
            let mut starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == first);
            starts.any(|(at, _)| bytes.get(at..).is_some_and(|rest| rest.starts_with(letters.as_bytes())))
        })
    }

    /// Parsed, or its lines only; the last ones are kept. `builds`: the symbols of each that compiled it.
    pub(super) fn syntax(&self, file: usize, builds: impl FnOnce() -> Vec<Vec<String>>) -> Option<Arc<Syntax>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, syntax)) = kept.iter().find(|(it, _)| *it == file) {
            return Some(Arc::clone(syntax));
        }
        let syntax = Arc::new(parsed(self.bytes(file)?, builds));
        if kept.len() >= self.most_kept {
            kept.pop_front();
        }
        kept.push_back((file, Arc::clone(&syntax)));
        Some(syntax)
    }

    /// The text as it is now, if it can be read.
    pub(super) fn bytes(&self, file: usize) -> Option<Vec<u8>> {
        let path = self.path(file);
        let facts = std::fs::metadata(path).ok().filter(|facts| facts.is_file() && facts.len() <= MOST_BYTES);
        facts.and_then(|_| std::fs::read(path).ok())
    }
}

fn parsed(bytes: Vec<u8>, builds: impl FnOnce() -> Vec<Vec<String>>) -> Syntax {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    // A byte order mark is no character of the first line.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Syntax::parse_compiled(text.clone(), builds).unwrap_or_else(|| Syntax::plain(text))
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// How many parts at their ends are the same.
fn shared_end(a: &str, b: &str) -> usize {
    let (a, b) = (a.rsplit(['/', '\\']), b.rsplit(['/', '\\']));
    a.zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let sources = ["/w/App/Program.cs", "/w/Core/Program.cs", "/w/Core/Items.cs"].map(PathBuf::from);
        Files::new(Path::new("/w"), sources.to_vec())
    }

    #[test]
    fn a_document_is_found_under_another_root() {
        let files = files();
        assert_eq!(files.of_document("/_/src/Core/Program.cs"), Some(1));
        assert_eq!(files.of_document("C:\\build\\Core\\Items.cs"), Some(2));
        // Either could be meant.
        assert_eq!(files.of_document("/elsewhere/Program.cs"), None);
        assert_eq!(files.of_document("/w/Core/Other.cs"), None);
    }

    #[test]
    fn a_file_may_be_asked_for_by_the_end_of_its_path() {
        let files = files();
        for (asked, found) in
            [("App/Program.cs", 0), ("/w/Core/Program.cs", 1), ("Items.cs", 2), ("./Core/Items.cs", 2)]
        {
            assert_eq!(files.asked(asked).unwrap(), found, "{asked}");
        }
        assert!(matches!(files.asked("Program.cs"), Err(NavigateError::InvalidArgument { argument: "file", .. })));
        match files.asked("Core/Item.cs") {
            Err(NavigateError::FileNotFound { nearest, .. }) => assert_eq!(nearest.as_deref(), Some("Core/Items.cs")),
            other => panic!("{other:?}"),
        }
    }
}
