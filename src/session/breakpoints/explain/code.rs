//! What the metadata says of a place: the method, and whether code further down is still the line's.

use clr_metadata::{Assembly, DocumentId, MethodId, Pdb, names};

/// Whether the code that follows a line without code is not its own: a blank or a comment between two methods. `text` is the
/// line's.
pub(super) fn is_elsewhere(pdb: &Pdb, document: DocumentId, line: u32, text: &str, found: u32) -> bool {
    let begins = |method: &MethodId| {
        let points = pdb.sequence_points(*method);
        points.iter().filter(|point| !point.is_hidden && point.document == document).map(|point| point.line).min()
    };
    let methods = pdb.line_to_methods(document, found);
    let inside = methods.iter().filter_map(|(method, _)| begins(method)).any(|first| first <= line);
    !inside && !says_something(text)
}

/// A line that says something is the head of what follows.
fn says_something(text: &str) -> bool {
    let text = text.trim();
    let comment = ["//", "/*", "*"].iter().any(|begin| text.starts_with(begin));
    !comment && !text.trim_matches(['{', '}', ';', ' ']).is_empty()
}

/// `Type.Method` as it is written in source.
pub(super) fn method_name(assembly: &Assembly, method: MethodId) -> String {
    let view = assembly.method(method);
    let owner = view.declaring_type().map(|owner| owner.full_name()).unwrap_or_default();
    let raw = format!("{owner}.{}", view.name());
    assembly.describe_frame(&raw).unwrap_or_else(|| names::describe(&raw)).function
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_braces_are_no_heads_of_what_follows() {
        for text in ["", "   ", "// a comment", "/* x", " * x", "    }", "{", "};"] {
            assert!(!says_something(text), "{text}");
        }
        for text in ["public int Sum()", "    [Test]", "if (x)", "}, y);"] {
            assert!(says_something(text), "{text}");
        }
    }
}
