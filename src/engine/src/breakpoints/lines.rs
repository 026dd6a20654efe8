//! From a line of a source file to code.

use std::collections::BTreeSet;
use std::sync::Arc;

use clr_metadata::{DocumentId, MethodId, Pdb, SequencePoint};

use super::Wanted;
use crate::modules::Module;
use crate::target::SourceFileMap;

/// Documents that are named where several fit.
const SHOWN: usize = 4;

/// Where a breakpoint really is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// As the symbols have it; empty without a source.
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Resolved {
    pub fn of(path: &str, point: &SequencePoint) -> Self {
        Self {
            path: path.to_owned(),
            line: point.line,
            column: point.column,
            end_line: point.end_line,
            end_column: point.end_column,
        }
    }
}

/// The documents of modules that a path of the client's means, by their own paths: the one of exactly that path, or else all that are
/// that file.
pub fn documents(modules: &[Arc<Module>], path: &str, sources: &SourceFileMap) -> BTreeSet<String> {
    let symbols = modules.iter().filter(|module| !module.is_framework).filter_map(|module| module.symbols());
    let all =
        symbols.flat_map(|symbols| symbols.documents()).filter(|document| is_meant(&document.path, path, sources));
    let mut found: BTreeSet<String> = all.map(|document| document.path.clone()).collect();
    let is_it = |document: &String| document == path || sources.local(document) == path;
    if found.iter().any(is_it) {
        found.retain(is_it);
    }
    found
}

/// What to say of a path that several documents fit; `None`: it means one at most.
pub fn ambiguity(documents: &BTreeSet<String>, path: &str) -> Option<String> {
    let more = match documents.len() {
        0 | 1 => return None,
        count if count > SHOWN => format!(" and {} more", count - SHOWN),
        _ => String::new(),
    };
    let shown: Vec<&str> = documents.iter().take(SHOWN).map(String::as_str).collect();
    Some(format!("'{path}' is ambiguous: {}{more}; use one of these paths", shown.join(", ")))
}

/// The code that `wanted` means in a document of a module.
pub fn resolve(module: &Module, document: &str, wanted: &Wanted) -> Option<(Resolved, Vec<(MethodId, u32)>)> {
    let symbols = module.symbols()?;
    let document = symbols.find_document(document)?;
    let line = symbols.breakpoint_line(document.id, wanted.line)?;
    let points = points_of(symbols, document.id, line);
    let column = match wanted.column.filter(|_| line == wanted.line) {
        // the innermost statement that begins at or before it
        Some(column) => {
            let at_or_before = points.iter().map(|(_, point)| point.column).filter(|start| *start <= column);
            at_or_before.max().or_else(|| points.iter().map(|(_, point)| point.column).min())?
        }
        None => points.iter().map(|(_, point)| point.column).min()?,
    };
    let mut places: Vec<(MethodId, u32)> = Vec::new();
    let mut resolved = None;
    for (method, point) in points.iter().filter(|(_, point)| point.column == column) {
        resolved.get_or_insert_with(|| Resolved::of(&document.path, point));
        // a statement may come several times in a method (`finally`): each is its own code
        if !places.contains(&(*method, point.il_offset)) {
            places.push((*method, point.il_offset));
        }
    }
    Some((resolved?, places))
}

/// The statements that begin on lines `first` to `last` of a document.
pub fn statements(module: &Module, document: &str, first: u32, last: u32) -> Vec<Resolved> {
    let Some(symbols) = module.symbols() else { return Vec::new() };
    let Some(document) = symbols.find_document(document) else { return Vec::new() };
    let lines = symbols.executable_lines(document.id).iter().filter(|line| (first..=last).contains(*line));
    let mut found: Vec<Resolved> = lines
        .flat_map(|&line| points_of(symbols, document.id, line))
        .map(|(_, point)| Resolved::of(&document.path, &point))
        .collect();
    found.sort_by_key(|place| (place.line, place.column));
    found.dedup();
    found
}

/// All points that begin on a line.
fn points_of(symbols: &Pdb, document: DocumentId, line: u32) -> Vec<(MethodId, SequencePoint)> {
    let mut found = Vec::new();
    for (method, _) in symbols.line_to_methods(document, line) {
        let points = symbols.sequence_points(method).into_iter();
        found.extend(
            points
                .filter(|point| !point.is_hidden && point.line == line && point.document == document)
                .map(|point| (method, point)),
        );
    }
    found
}

/// With slashes, without `.` and `..`: what leads above the begin of a relative path is not known, and left out.
fn plain(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => match parts.last() {
                None | Some(&"") => {}
                Some(_) => _ = parts.pop(),
            },
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn file_name(path: &str) -> Option<&str> {
    path.rsplit(['/', '\\']).next()
}

/// Whether a path, with slashes, says where the file is.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3) == Some(":/")
}

/// Whether a document is the file that a client means, by its own path or by the one that it has on the client's machine.
pub fn is_meant(document: &str, path: &str, sources: &SourceFileMap) -> bool {
    is_file(document, path) || is_file(&sources.local(document), path)
}

/// Whether a document is the file that a client means: of that path, or, for a relative one, at its end.
fn is_file(document: &str, path: &str) -> bool {
    if document == path {
        return true;
    }
    // most have another name, and a program has thousands
    if file_name(document) != file_name(path) {
        return false;
    }
    let (document, path) = (plain(document), plain(path));
    if is_absolute(&path) {
        return document == path;
    }
    document.strip_suffix(path.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_several_documents_fit_names_them() {
        let several = |count: usize| (0..count).map(|at| format!("/{at}/P.cs")).collect::<BTreeSet<_>>();
        assert_eq!(ambiguity(&several(1), "P.cs"), None);
        let words = "'P.cs' is ambiguous: /0/P.cs, /1/P.cs; use one of these paths";
        assert_eq!(ambiguity(&several(2), "P.cs").as_deref(), Some(words));
        assert!(ambiguity(&several(6), "P.cs").unwrap().contains("/3/P.cs and 2 more;"));
    }

    #[test]
    fn a_file_is_known_by_its_path_or_by_the_end_of_it() {
        for (document, path, expected) in [
            ("/src/Shop/Program.cs", "/src/Shop/Program.cs", true),
            ("/src/Shop/Program.cs", "Program.cs", true),
            ("/src/Shop/Program.cs", "Shop/Program.cs", true),
            ("/src/Shop/Program.cs", "hop/Program.cs", false),
            ("/src/Shop/Program.cs", "/other/Program.cs", false),
            ("C:\\src\\Program.cs", "src/Program.cs", true),
            ("/src/Shop/Program.cs", "../Program.cs", true),
            ("/src/Shop/Program.cs", "./Shop/folder/../Program.cs", true),
            ("/src/Shop/Program.cs", "/src/Other/../Shop/./Program.cs", true),
            ("/src/Shop/Program.cs", "../hop/Program.cs", false),
        ] {
            assert_eq!(is_file(document, path), expected, "{document} {path}");
        }
    }
}
