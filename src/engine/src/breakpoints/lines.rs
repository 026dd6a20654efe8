//! From a line of a source file to code.

use clr_metadata::{DocumentId, MethodId, Pdb, SequencePoint};

use super::Wanted;
use crate::modules::Module;

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

/// The code that `wanted` means in a module.
pub fn resolve(module: &Module, path: &str, wanted: &Wanted) -> Option<(Resolved, Vec<(MethodId, u32)>)> {
    let symbols = module.symbols()?;
    let document = symbols.documents().iter().find(|document| is_file(&document.path, path))?;
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

/// The statements that begin on lines `first` to `last` of a file.
pub fn statements(module: &Module, path: &str, first: u32, last: u32) -> Vec<Resolved> {
    let Some(symbols) = module.symbols() else { return Vec::new() };
    let Some(document) = symbols.documents().iter().find(|document| is_file(&document.path, path)) else {
        return Vec::new();
    };
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

/// Whether a document is the file that a client means: of that path, or, for a relative one, at its end.
pub fn is_file(document: &str, path: &str) -> bool {
    if document == path {
        return true;
    }
    let (document, path) = (plain(document), plain(path));
    let is_absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
    if is_absolute {
        return document == path;
    }
    document.strip_suffix(path.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
