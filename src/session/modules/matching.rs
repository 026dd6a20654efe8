//! Which document of the PDBs a caller's file is. Builds name sources as they like: path maps (`/_/src/A.cs`), containers, links.

use std::path::Path;

use super::Modules;
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
    /// The document that a caller means, if it can be determined.
    pub fn match_document(&self, absolute: &str, given: &str) -> Option<String> {
        <[String; 1]>::try_from(self.match_documents(absolute, given)).ok().map(|[only]| only)
    }

    /// The documents that a caller may mean: the same path, the same file, those that end as what was `given`, or a file with the
    /// same bytes. Several: nothing distinguishes them.
    pub fn match_documents(&self, absolute: &str, given: &str) -> Vec<String> {
        if self.has_document(absolute) {
            return vec![absolute.to_owned()];
        }
        let Some(name) = Path::new(given).file_name().map(|name| name.to_string_lossy().into_owned()) else {
            return Vec::new();
        };
        let survey = self.survey();
        let named = survey.named(&name);
        if named.is_empty() {
            return Vec::new();
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
        choose(&candidates, absolute, suffix).into_iter().map(|chosen| chosen.path.clone()).collect()
    }

    /// Whether the file of a caller who wrote `given` can be the document that [`Self::match_document`] found, and is not a
    /// namesake in another project: it was compiled from it, or their paths share more than what was given.
    pub fn can_be(&self, document: &str, file: &Path, given: &str) -> bool {
        common_tail(&file.to_string_lossy(), document) > Path::new(given).components().count()
            || sources::read(file).is_some_and(|bytes| self.compiled_from(document, &bytes) == Some(true))
    }
}

/// `suffix`: what a caller wrote who did not write a whole path.
fn choose<'a>(candidates: &'a [Candidate], absolute: &str, suffix: Option<&str>) -> Vec<&'a Candidate> {
    if let Some(same) = candidates.iter().find(|candidate| candidate.same_file) {
        return vec![same];
    }
    if let Some(suffix) = suffix {
        let mut suffixed: Vec<_> = candidates.iter().filter(|candidate| is_suffix(suffix, &candidate.path)).collect();
        // of several that the words fit, the file itself
        if suffixed.iter().any(|candidate| candidate.same_bytes) {
            suffixed.retain(|candidate| candidate.same_bytes);
        }
        if !suffixed.is_empty() {
            return suffixed;
        }
    }
    let same_bytes = || candidates.iter().filter(|candidate| candidate.same_bytes);
    let likeness = |candidate: &Candidate| common_tail(absolute, &candidate.path);
    let best = same_bytes().map(likeness).max();
    let best: Vec<_> = same_bytes().filter(|candidate| Some(likeness(candidate)) == best).collect();
    // identical copies decide nothing
    if best.len() == 1 { best } else { Vec::new() }
}

/// How many names two paths share at their ends, without regard to case.
pub(crate) fn common_tail(a: &str, b: &str) -> usize {
    let parts = |path: &str| path.split(['/', '\\']).rev().map(str::to_lowercase).collect::<Vec<_>>();
    parts(a).iter().zip(parts(b)).take_while(|(a, b)| **a == *b).count()
}

/// Whether `path` ends with `suffix` at a `/`.
pub(crate) fn is_suffix(suffix: &str, path: &str) -> bool {
    let clean = |text: &str| text.replace('\\', "/");
    let suffix = clean(suffix);
    let suffix = suffix.trim_start_matches("./");
    let path = clean(path);
    path == suffix || path.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('/') || suffix.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    fn chosen(candidates: &[(&str, bool, bool)], absolute: &str, suffix: Option<&str>) -> Vec<String> {
        let candidates: Vec<Candidate> = candidates
            .iter()
            .map(|(path, same_file, same_bytes)| Candidate {
                path: (*path).to_owned(),
                same_file: *same_file,
                same_bytes: *same_bytes,
            })
            .collect();
        choose(&candidates, absolute, suffix).into_iter().map(|candidate| candidate.path.clone()).collect()
    }

    #[test]
    fn a_mapped_document_is_the_file_with_the_same_bytes_and_the_longest_common_end() {
        let build = [("/_/src/A/P.cs", false, true), ("/_/src/B/P.cs", false, true), ("/_/src/C/P.cs", false, false)];
        assert_eq!(chosen(&build, "/home/me/B/P.cs", None), ["/_/src/B/P.cs"]);
        assert_eq!(chosen(&build, "/home/me/D/P.cs", None), NONE, "identical copies");
        assert_eq!(chosen(&build, "/home/me/C/P.cs", None), NONE, "other bytes, and two others with these");
        assert_eq!(chosen(&build[2..], "/home/me/C/P.cs", None), NONE, "other bytes");
        assert_eq!(chosen(&build[1..], "/x/P.cs", None), ["/_/src/B/P.cs"], "the only one");
    }

    #[test]
    fn the_same_file_wins_and_words_of_a_caller_are_a_suffix() {
        let build = [("/long/way/src/P.cs", false, false), ("/src/P.cs", false, false), ("/real/P.cs", true, false)];
        assert_eq!(chosen(&build, "/link/P.cs", None), ["/real/P.cs"]);
        assert_eq!(chosen(&build[..2], "/cwd/src/P.cs", Some("src/P.cs")), ["/long/way/src/P.cs", "/src/P.cs"]);
        let same = [("/long/way/src/P.cs", false, true), ("/src/P.cs", false, false)];
        assert_eq!(chosen(&same, "/cwd/src/P.cs", Some("src/P.cs")), ["/long/way/src/P.cs"]);
        assert_eq!(chosen(&build[..2], "/cwd/other/P.cs", Some("other/P.cs")), NONE);
        assert_eq!(common_tail("/a/B/c.cs", "C:\\x\\b\\c.cs"), 2);
    }

    #[test]
    fn suffixes_end_at_a_slash() {
        assert!(is_suffix("Program.cs", "/src/a/Program.cs"));
        assert!(is_suffix("./a/Program.cs", "/src/a/Program.cs"));
        assert!(!is_suffix("ram.cs", "/src/a/Program.cs"));
        assert!(is_suffix("/src/a/Program.cs", "/src/a/Program.cs"));
    }
}
