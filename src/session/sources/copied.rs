//! A project that was copied together with its build: the PDBs name the files of the folder where it was built, which may still
//! be there, and the user means those of the copy.

use std::path::{Path, PathBuf};

use clr_metadata::is_source_file;

/// Documents that are compared before it is no copy.
const LOOKED_AT: usize = 32;

/// A folder with documents, and the folder that is a copy of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CopiedTree {
    original: PathBuf,
    copy: PathBuf,
}

impl CopiedTree {
    /// Whether a project's folder is a copy of that where its program was compiled: it has none of the program's documents, but a
    /// file with the same bytes at the same place below it. `documents`: the program's own first.
    pub(super) fn find(
        project: &Path,
        documents: &[String],
        is_compiled: impl Fn(&str, &Path) -> bool,
    ) -> Option<Self> {
        let own = |path: &Path| documents.iter().any(|document| Path::new(document) == path);
        for document in documents.iter().filter(|document| is_source_file(Path::new(document))).take(LOOKED_AT) {
            let path = Path::new(document);
            if path.starts_with(project) {
                return None;
            }
            // the whole path below the project first, the mere file name last
            for folder in path.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
                let Ok(rest) = path.strip_prefix(folder) else { continue };
                let file = project.join(rest);
                if !own(&file) && file.is_file() && is_compiled(document, &file) {
                    let is_same = std::fs::canonicalize(&file).ok() == std::fs::canonicalize(path).ok();
                    return (!is_same).then(|| Self::between(folder, project));
                }
            }
        }
        None
    }

    /// The outermost folders that differ: a project is copied with its neighbors.
    fn between(original: &Path, copy: &Path) -> Self {
        let (mut original, mut copy) = (original, copy);
        while let (Some(a), Some(b)) = (original.parent(), copy.parent())
            && original.file_name() == copy.file_name()
        {
            (original, copy) = (a, b);
        }
        Self { original: original.to_owned(), copy: copy.to_owned() }
    }

    /// Where the copy of a document would be.
    pub(super) fn copy_of(&self, document: &Path) -> Option<PathBuf> {
        document.strip_prefix(&self.original).ok().map(|rest| self.copy.join(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_known_by_a_file_with_the_same_bytes_and_a_name_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        let text = |path: &str| at(path).display().to_string();
        for (path, content) in [("a/App/P.cs", "x"), ("a/Lib/L.cs", "l"), ("b/App/P.cs", "x"), ("c/App/P.cs", "y")] {
            std::fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            std::fs::write(at(path), content).unwrap();
        }
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        let documents = [text("a/App/P.cs"), text("a/Lib/L.cs")];
        let compiled = |document: &str, file: &Path| std::fs::read(document).unwrap() == std::fs::read(file).unwrap();
        let found = |project: &str| CopiedTree::find(&at(project), &documents, compiled);
        let copied = found("b/App").unwrap();
        assert_eq!(copied, CopiedTree { original: at("a"), copy: at("b") });
        assert_eq!(copied.copy_of(&at("a/Lib/L.cs")), Some(at("b/Lib/L.cs")));
        assert_eq!(copied.copy_of(&at("d/L.cs")), None);
        assert_eq!(found("a/App"), None, "where it was compiled");
        assert_eq!(found("c/App"), None, "another program");
        assert_eq!(found("link/App"), None, "the same folder by another name");
        assert_eq!(found("a/Lib"), None, "a neighbor");
    }
}
