//! Which document of the PDBs a caller's file is. Builds name sources as they like: path maps (`/_/src/A.cs`), containers, links.

use std::path::Path;

use super::Modules;
use crate::session::breakpoints::place::is_suffix;
use crate::session::sources;

/// A document with the file's name, without regard to case.
#[derive(Debug, Clone, Default)]
struct Candidate {
    path: String,
    /// The same file on this machine: another case, a link.
    same_file: bool,
    /// Compiled from what the caller's file holds now.
    same_bytes: bool,
}

impl Modules {
    /// The document that a caller means, if it can be told: the same path, the same file, a suffix of what was `given`, or a file
    /// with the same bytes.
    pub fn match_document(&self, absolute: &str, given: &str) -> Option<String> {
        if self.has_document(absolute) {
            return Some(absolute.to_owned());
        }
        let name = Path::new(given).file_name()?.to_string_lossy().into_owned();
        let survey = self.survey();
        let named = survey.named(&name);
        if named.is_empty() {
            return None;
        }
        let real = std::fs::canonicalize(absolute).ok();
        let bytes = real.as_ref().and_then(|real| sources::read(real));
        let candidates: Vec<Candidate> = named
            .into_iter()
            .map(|document| Candidate {
                path: document.path.clone(),
                same_file: document.path.eq_ignore_ascii_case(absolute)
                    || real.is_some() && std::fs::canonicalize(&document.path).ok() == real,
                same_bytes: bytes.as_ref().and_then(|bytes| document.matches(bytes)) == Some(true),
            })
            .collect();
        let suffix = (!Path::new(given).is_absolute()).then_some(given);
        choose(&candidates, absolute, suffix).map(|chosen| chosen.path.clone())
    }

    /// Whether the file of a caller who wrote `given` can be the document that [`Self::match_document`] found, and is not a
    /// namesake in another project: it was compiled from it, or their paths share more than what was given.
    pub fn can_be(&self, document: &str, file: &Path, given: &str) -> bool {
        common_tail(&file.to_string_lossy(), document) > Path::new(given).components().count()
            || sources::read(file).is_some_and(|bytes| self.compiled_from(document, &bytes) == Some(true))
    }
}

/// `suffix`: what a caller wrote who did not write a whole path.
fn choose<'a>(candidates: &'a [Candidate], absolute: &str, suffix: Option<&str>) -> Option<&'a Candidate> {
    if let Some(same) = candidates.iter().find(|candidate| candidate.same_file) {
        return Some(same);
    }
    if let Some(suffix) = suffix {
        let suffixed = candidates.iter().filter(|candidate| is_suffix(suffix, &candidate.path));
        // of several that the words fit, the file itself, else the nearest to a root
        if let Some(found) = suffixed.min_by_key(|candidate| (!candidate.same_bytes, candidate.path.len())) {
            return Some(found);
        }
    }
    let same_bytes = || candidates.iter().filter(|candidate| candidate.same_bytes);
    let likeness = |candidate: &Candidate| common_tail(absolute, &candidate.path);
    let best = same_bytes().map(likeness).max()?;
    let mut best = same_bytes().filter(|candidate| likeness(candidate) == best);
    // copies that nothing tells apart decide nothing
    best.next().filter(|_| best.next().is_none())
}

/// How many names two paths share at their ends, without regard to case.
pub(crate) fn common_tail(a: &str, b: &str) -> usize {
    let parts = |path: &str| path.split(['/', '\\']).rev().map(str::to_lowercase).collect::<Vec<_>>();
    parts(a).iter().zip(parts(b)).take_while(|(a, b)| **a == *b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(candidates: &[(&str, bool, bool)], absolute: &str, suffix: Option<&str>) -> Option<String> {
        let candidates: Vec<Candidate> = candidates
            .iter()
            .map(|(path, same_file, same_bytes)| Candidate {
                path: (*path).to_owned(),
                same_file: *same_file,
                same_bytes: *same_bytes,
            })
            .collect();
        choose(&candidates, absolute, suffix).map(|candidate| candidate.path.clone())
    }

    #[test]
    fn a_mapped_document_is_the_file_with_the_same_bytes_and_the_longest_common_end() {
        let build = [("/_/src/A/P.cs", false, true), ("/_/src/B/P.cs", false, true), ("/_/src/C/P.cs", false, false)];
        assert_eq!(chosen(&build, "/home/me/B/P.cs", None).as_deref(), Some("/_/src/B/P.cs"));
        assert_eq!(chosen(&build, "/home/me/D/P.cs", None), None, "copies that nothing tells apart");
        assert_eq!(chosen(&build, "/home/me/C/P.cs", None), None, "other bytes, and two others with these");
        assert_eq!(chosen(&build[2..], "/home/me/C/P.cs", None), None, "other bytes");
        assert_eq!(chosen(&build[1..], "/x/P.cs", None).as_deref(), Some("/_/src/B/P.cs"), "the only one");
    }

    #[test]
    fn the_same_file_wins_and_words_of_a_caller_are_a_suffix() {
        let build = [("/long/way/src/P.cs", false, false), ("/src/P.cs", false, false), ("/real/P.cs", true, false)];
        assert_eq!(chosen(&build, "/link/P.cs", None).as_deref(), Some("/real/P.cs"));
        assert_eq!(chosen(&build[..2], "/cwd/src/P.cs", Some("src/P.cs")).as_deref(), Some("/src/P.cs"));
        let same = [("/long/way/src/P.cs", false, true), ("/src/P.cs", false, false)];
        assert_eq!(chosen(&same, "/cwd/src/P.cs", Some("src/P.cs")).as_deref(), Some("/long/way/src/P.cs"));
        assert_eq!(chosen(&build[..2], "/cwd/other/P.cs", Some("other/P.cs")), None);
        assert_eq!(common_tail("/a/B/c.cs", "C:\\x\\b\\c.cs"), 2);
    }
}
