//! From what a caller wrote (file, line, text) to a document and a line; and after a rebuild, to the line's new place.

use std::path::Path;

use super::entry::Entry;
use super::target::Target;
use crate::session::error::{Code, Details, SessionError};
use crate::session::modules::Modules;
use crate::session::report::{SourceLine, Why};
use crate::session::sources::Sources;
use crate::session::spec::Place;

/// Lines shown of those that match.
const SHOWN: usize = 4;

/// What placing needs to know.
pub struct Surroundings<'a> {
    pub sources: &'a Sources,
    /// `None` before a program is known.
    pub modules: Option<&'a Modules>,
    /// Relative paths are taken against it.
    pub base: &'a std::path::Path,
}

pub struct Found {
    pub target: Target,
    /// The trimmed text of the line.
    pub text: Option<String>,
}

/// # Errors
/// `file_not_found`, `path_not_allowed`, `text_not_found`, `text_ambiguous`; `invalid_argument` for a file name that several
/// documents have, or several files of which the text is asked for.
pub fn find(place: &Place, around: &Surroundings<'_>) -> Result<Found, SessionError> {
    let (file, line, text) = match place {
        Place::Function(name) => {
            super::function::query(name)?;
            return Ok(Found { target: Target::Function(name.trim().to_owned()), text: None });
        }
        Place::Source { file, line, text } => {
            (file, *line, text.as_deref().map(str::trim).filter(|text| !text.is_empty()))
        }
    };
    let below_roots = match below_roots(file, around, |path| has_place(path, line, text, around)) {
        // the program that is started decides
        Err(_) if text.is_none() => return Ok(unplaced(file, line.unwrap_or(1))),
        Err(several) => return Err(ambiguous(file, &several, around.sources)),
        Ok(found) => found,
    };
    let file = below_roots.as_ref().unwrap_or(file);
    let path = document_path(file, around, |path| has_place(path, line, text, around))
        .map_err(|several| ambiguous(file, &several, around.sources))?;
    if !around.sources.allow(Path::new(&path)) {
        return unseen(path, file, line, text, around);
    }
    if Path::new(&path).is_dir() {
        return Err(SessionError::new(
            Code::FileNotFound,
            format!("`{file}` is a folder"),
            "pass a source file of the program",
        ));
    }
    let lines = around.sources.lines(Path::new(&path));
    let Some(text) = text else {
        let line = line.unwrap_or(1);
        let known = around.modules.is_some_and(|modules| modules.has_document(&path));
        if lines.is_none() && !known {
            if Path::new(&path).exists() {
                return Err(SessionError::new(
                    Code::FileNotFound,
                    format!("`{file}` is not a source file"),
                    "pass a source file of the program",
                ));
            }
            return Ok(unplaced(file, line));
        }
        let text = around.sources.line(&path, line).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        return Ok(Found { target: source(path, file, line), text });
    };
    let Some(lines) = lines else {
        let searched = if around.modules.is_none() { ", and the folders below the roots" } else { "" };
        return Err(SessionError::new(
            Code::FileNotFound,
            format!("`{file}` does not exist (tried {path}{searched})"),
            "`text` needs the source file: pass its path, use `line`, which waits for the program, or pass the breakpoint to debug_launch, which knows the program's sources",
        ));
    };
    let line = match_text(&lines, text, line, &around.sources.relative(&path))?;
    let whole = lines.get(line as usize - 1).map(|text| text.trim().to_owned());
    Ok(Found { target: source(path, file, line), text: whole })
}

/// A file that may not be shown: a line of it waits for a program that was built from it, and nothing shows whether it exists.
fn unseen(
    path: String,
    given: &str,
    line: Option<u32>,
    text: Option<&str>,
    around: &Surroundings<'_>,
) -> Result<Found, SessionError> {
    if text.is_some() {
        return Err(around.sources.not_allowed(given, Path::new(&path)));
    }
    let line = line.unwrap_or(1);
    let is_document = around.modules.is_some_and(|modules| modules.has_document(&path));
    Ok(match Path::new(given).is_absolute() || is_document {
        true => Found { target: source(path, given, line), text: None },
        false => unplaced(given, line),
    })
}

/// It waits for a program that has such a file.
fn unplaced(given: &str, line: u32) -> Found {
    Found { target: Target::Unplaced { given: given.to_owned(), line: Some(line) }, text: None }
}

/// Before a program is known: the file below the roots that is meant by a name, or the end of a path, which leads to no file from
/// where the caller is. Of several the one that is `meant`; else all.
fn below_roots(
    file: &str,
    around: &Surroundings<'_>,
    meant: impl Fn(&str) -> bool,
) -> Result<Option<String>, Vec<String>> {
    let here = around.sources.absolute(file, around.base);
    if around.modules.is_some() || around.sources.allow(&here) && here.exists() {
        return Ok(None);
    }
    let found = around.sources.below_roots(file).into_iter().map(|path| path.display().to_string());
    let mut found: Vec<String> = found.collect();
    if found.iter().filter(|path| meant(path)).count() == 1 {
        found.retain(|path| meant(path));
    }
    match found.as_slice() {
        [] => Ok(None),
        [only] => {
            let from_base = Path::new(only).strip_prefix(around.base).ok();
            Ok(Some(from_base.map_or_else(|| only.clone(), |path| path.display().to_string())))
        }
        _ => Err(found),
    }
}

fn source(path: String, given: &str, line: u32) -> Target {
    Target::Source { path, given: given.to_owned(), line, code_line: None }
}

/// The PDB's own spelling where one fits, else the absolute path. Of several that fit alike the one that is `meant`; else all.
fn document_path(file: &str, around: &Surroundings<'_>, meant: impl Fn(&str) -> bool) -> Result<String, Vec<String>> {
    let here = around.sources.absolute(file, around.base);
    let absolute = here.display().to_string();
    let Some(modules) = around.modules else { return Ok(absolute) };
    // what reports call a document is that document, whether the file is here or not
    let below_root = around.sources.root().map(|root| root.join(file).display().to_string());
    let mut documents = match below_root.filter(|below_root| modules.has_document(below_root)) {
        Some(below_root) => vec![below_root],
        None => modules.match_documents(&absolute, file),
    };
    if documents.iter().filter(|document| meant(document)).count() == 1 {
        documents.retain(|document| meant(document));
    }
    let document = match <[String; 1]>::try_from(documents) {
        Ok([document]) => document,
        Err(none) if none.is_empty() => return Ok(absolute),
        Err(several) => return Err(several),
    };
    if modules.can_be(&document, &here, file) {
        around.sources.stands_for(&document, &here);
    }
    Ok(document)
}

/// Whether a document has the text, or code on that very line.
fn has_place(path: &str, line: Option<u32>, text: Option<&str>, around: &Surroundings<'_>) -> bool {
    match text {
        Some(text) => {
            let lines = around.sources.lines(Path::new(path));
            lines.is_some_and(|lines| lines.iter().any(|line| line.contains(text)))
        }
        None => line.is_some_and(|line| around.modules.and_then(|it| it.code_line(path, line)) == Some(line)),
    }
}

/// What to say of a file name that several documents of the program have.
pub(crate) fn ambiguous(file: &str, documents: &[String], sources: &Sources) -> SessionError {
    SessionError::argument("file", several_words(file, documents, sources), "pass one of these paths")
}

fn several_words(file: &str, documents: &[String], sources: &Sources) -> String {
    let shown: Vec<String> = documents.iter().take(SHOWN).map(|document| sources.relative(document)).collect();
    let more = documents.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("`{file}` is ambiguous: {}{more}", shown.join(", "))
}

/// The one line that has `text`: an exact line wins over a part of one; with `near` the match nearest to it.
fn match_text(lines: &[String], text: &str, near: Option<u32>, file: &str) -> Result<u32, SessionError> {
    let numbered = || lines.iter().zip(1u32..).map(|(line, number)| (number, line.trim()));
    let mut matches: Vec<(u32, &str)> = numbered().filter(|(_, line)| *line == text).collect();
    if matches.is_empty() {
        matches = numbered().filter(|(_, line)| line.contains(text)).collect();
    }
    let shown = Sources::shorten(text);
    match (matches.as_slice(), near) {
        ([], _) => Err(SessionError::new(
            Code::TextNotFound,
            format!("no line of {file} contains `{shown}`"),
            "nothing was set; pass text from a line of the current file",
        )
        .with(Details::Nearest(similar(lines, text, near)))),
        ([(only, _)], _) => Ok(*only),
        (several, Some(near)) => {
            Ok(several.iter().map(|(line, _)| *line).min_by_key(|line| line.abs_diff(near)).unwrap_or(near))
        }
        (several, None) => Err(SessionError::new(
            Code::TextAmbiguous,
            format!("`{shown}` is on {} lines of {file}", several.len()),
            "add line (the nearest match is used), or more of the text",
        )
        .with(Details::Matches {
            matches: several
                .iter()
                .take(SHOWN)
                .map(|(line, text)| SourceLine { line: *line, source: Sources::shorten(text) })
                .collect(),
            more_matches: several.len().saturating_sub(SHOWN),
        })),
    }
}

/// Lines most like the text, best first.
fn similar(lines: &[String], text: &str, near: Option<u32>) -> Vec<SourceLine> {
    let wanted = Sources::shorten(text).to_lowercase();
    let mut scored: Vec<(i64, u32, &str)> = lines
        .iter()
        .zip(1u32..)
        .map(|(line, number)| (number, line.trim()))
        .filter(|(_, line)| line.len() > 2 && line.len() < 400)
        .map(|(number, line)| {
            let likeness = strsim::sorensen_dice(&wanted, &line.to_lowercase());
            let distance = near.map_or(0, |near| i64::from(near.abs_diff(number)).min(50));
            (-((likeness * 1000.0) as i64) + distance, number, line)
        })
        .filter(|(score, _, _)| *score < -200)
        .collect();
    scored.sort();
    scored
        .into_iter()
        .take(SHOWN)
        .map(|(_, line, source)| SourceLine { line, source: Sources::shorten(source) })
        .collect()
}

/// Places an entry anew among the documents of a (re)built program; the line follows its text.
pub fn again(entry: &mut Entry, around: &Surroundings<'_>) {
    let (given, line) = match &entry.target {
        Target::Function(_) => return,
        Target::Unplaced { given, line } => (given.clone(), line.unwrap_or(1)),
        Target::Source { given, line, .. } => (given.clone(), *line),
    };
    let wanted = match &entry.target {
        // a document that still is one keeps its path
        Target::Source { path, .. } if around.modules.is_some_and(|modules| modules.has_document(path)) => {
            if let Some(file) = &entry.file {
                around.sources.stands_for(path, Path::new(file));
            }
            Ok(path.clone())
        }
        // and one that belongs to a file is no namesake's
        Target::Source { path, .. } if entry.at_home => {
            document_path(entry.file.as_ref().unwrap_or(path), around, |_| false)
        }
        _ => document_path(&given, around, |path| has_place(path, Some(line), entry.text.as_deref(), around)),
    };
    if entry.why == Some(Why::FileAmbiguous) {
        (entry.why, entry.message) = (None, None);
    }
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(several) => {
            entry.why = Some(Why::FileAmbiguous);
            let words = several_words(&given, &several, around.sources);
            entry.message = Some(format!("{words}; set it with one of these paths"));
            return;
        }
    };
    let known = around.modules.is_some_and(|modules| modules.has_document(&wanted));
    let is_here = around.sources.allow(Path::new(&wanted)) && Path::new(&wanted).exists();
    if !known && !is_here {
        return;
    }
    entry.why = None;
    let mut target_line = line;
    let lines = around.sources.lines(Path::new(&wanted));
    match (&entry.text, lines) {
        (Some(text), Some(lines)) => {
            let here = lines.get((line as usize).saturating_sub(1)).map(|line| line.trim());
            if here != Some(text) {
                let same = numbered(&lines, |line| line == text).min_by_key(|number| number.abs_diff(line));
                match same.or_else(|| only_with(&lines, &entry.spec.place)) {
                    Some(number) => {
                        entry.moved_from = (number != line).then_some(line);
                        target_line = number;
                        entry.text = lines.get((number as usize).saturating_sub(1)).map(|line| line.trim().to_owned());
                    }
                    None => {
                        entry.why = Some(Why::TextGone);
                        entry.pending = false;
                        entry.message = Some(format!("`{}` is no longer in the file", Sources::shorten(text)));
                    }
                }
            }
        }
        (None, Some(lines)) => {
            entry.text = lines
                .get((line as usize).saturating_sub(1))
                .map(|line| line.trim().to_owned())
                .filter(|text| !text.is_empty());
        }
        (_, None) => {}
    }
    entry.target = Target::Source { path: wanted, given, line: target_line, code_line: None };
}

/// Numbers of the lines whose trimmed text fits.
fn numbered(lines: &[String], fits: impl Fn(&str) -> bool) -> impl Iterator<Item = u32> {
    lines.iter().zip(1u32..).filter(move |(line, _)| fits(line.trim())).map(|(_, number)| number)
}

/// The one line that has the piece of text which was asked for: the rest of it was edited.
fn only_with(lines: &[String], place: &Place) -> Option<u32> {
    let Place::Source { text: Some(piece), .. } = place else { return None };
    let mut found = numbered(lines, |line| line.contains(piece.trim()));
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn an_exact_line_wins_and_a_part_must_be_the_only_one() {
        let file = lines("a();\n  total += 1;\nb(total);\n  total += 1; // twice\n");
        assert_eq!(match_text(&file, "total += 1;", None, "f").unwrap(), 2);
        assert_eq!(match_text(&file, "b(", None, "f").unwrap(), 3);
        let ambiguous = match_text(&file, "total", None, "f").unwrap_err();
        assert_eq!(ambiguous.code, Code::TextAmbiguous);
        assert_eq!(match_text(&file, "total", Some(4), "f").unwrap(), 4);
        let missing = match_text(&file, "totals += 1;", None, "f").unwrap_err();
        assert_eq!(missing.code, Code::TextNotFound);
        assert!(matches!(missing.details.as_deref(), Some(Details::Nearest(list)) if !list.is_empty()));
    }

    #[test]
    fn a_line_that_was_edited_is_found_by_the_piece_that_was_asked_for() {
        let asked = |text: &str| Place::Source { file: "A.cs".into(), line: None, text: Some(text.into()) };
        let lines: Vec<String> = ["int have = 1;", "int now = have + delta;", "return now;"].map(str::to_owned).into();
        assert_eq!(only_with(&lines, &asked("int now = have")), Some(2));
        assert_eq!(only_with(&lines, &asked("have")), None, "which of the two?");
        assert_eq!(only_with(&lines, &asked("gone")), None);
    }
}
