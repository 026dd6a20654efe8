//! The colors of C#: which pieces of the lines that are shown are keywords, strings, numbers and comments. Nothing here is markup: the
//! template writes the pieces, escaped like any text.

use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser};

static GRAMMAR: LazyLock<Language> = LazyLock::new(|| tree_sitter_c_sharp::LANGUAGE.into());

/// Bytes of lines that get colors; more is no source that a person reads.
const MOST_BYTES: usize = 64 * 1024;
/// A page is made at each stop: one that nobody can parse must not hold it up.
const MOST_TIME: Duration = Duration::from_millis(50);

/// What a piece is, as the style names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Keyword,
    Text,
    Number,
    Comment,
    Directive,
}

impl Kind {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Text => "text",
            Self::Number => "number",
            Self::Comment => "comment",
            Self::Directive => "directive",
        }
    }
}

/// A part of a line; without a kind it has no color.
pub(super) type Piece<'a> = (Option<Kind>, &'a str);

/// The pieces of each line, which together are the line. The lines are a part of a file, so what begins before them is not known.
pub(super) fn pieces(lines: &[String]) -> Vec<Vec<Piece<'_>>> {
    let kinds = kinds(&lines.join("\n")).unwrap_or_default();
    let mut begin = 0;
    let mut kinds = kinds.as_slice();
    let mut all = Vec::with_capacity(lines.len());
    for line in lines {
        let end = begin + line.len();
        while kinds.first().is_some_and(|(range, _)| range.end <= begin) {
            kinds = kinds.get(1..).unwrap_or_default();
        }
        all.push(line_pieces(line, begin, kinds));
        begin = end + 1;
    }
    all
}

/// `begin`: where the line begins in the text that the ranges are of.
fn line_pieces<'a>(line: &'a str, begin: usize, kinds: &[(Range<usize>, Kind)]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (range, kind) in kinds.iter().take_while(|(range, _)| range.start < begin + line.len()) {
        let from = range.start.saturating_sub(begin).max(at);
        let to = range.end.saturating_sub(begin).min(line.len());
        let (Some(before), Some(piece)) = (line.get(at..from), line.get(from..to)) else { continue };
        pieces.extend([(None, before), (Some(*kind), piece)].into_iter().filter(|(_, text)| !text.is_empty()));
        at = to;
    }
    pieces.extend(line.get(at..).filter(|rest| !rest.is_empty()).map(|rest| (None, rest)));
    pieces
}

/// In the order of the text; they do not overlap.
fn kinds(text: &str) -> Option<Vec<(Range<usize>, Kind)>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&GRAMMAR).ok()?;
    let deadline = Instant::now() + MOST_TIME;
    let mut in_time = |_: &ParseState| match Instant::now() < deadline {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut in_time);
    let bytes = text.as_bytes();
    let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))?;
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let kind = kind(node);
        found.extend(kind.map(|kind| (node.byte_range(), kind)));
        if kind.is_none() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(found);
            }
        }
    }
}

fn kind(node: Node) -> Option<Kind> {
    Some(match node.kind() {
        "comment" => Kind::Comment,
        "string_literal" | "verbatim_string_literal" | "raw_string_literal" | "character_literal" => Kind::Text,
        // the values in an interpolated string are code
        "string_content" | "interpolation_start" | "interpolation_quote" => Kind::Text,
        "integer_literal" | "real_literal" => Kind::Number,
        name if name.starts_with("preproc_") && node.child_count() == 0 => Kind::Directive,
        name if name.starts_with('#') => Kind::Directive,
        "predefined_type" | "implicit_type" | "modifier" | "boolean_literal" | "null_literal" => Kind::Keyword,
        word if !node.is_named() && word.starts_with(|c: char| c.is_ascii_lowercase()) => Kind::Keyword,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn words_strings_numbers_and_comments_have_a_kind() {
        let text = lines(
            "public int Add(string name) // sums\n    if (name == \"a // b\" && count > 12.5m) return $\"n={name}\";\n/* one\n   two */ var x = true;",
        );
        let pieces = pieces(&text);
        let of = |kind| -> Vec<&str> {
            pieces.iter().flatten().filter(|(it, _)| *it == Some(kind)).map(|(_, text)| *text).collect()
        };
        assert_eq!(of(Kind::Comment), ["// sums", "/* one", "   two */"]);
        assert_eq!(of(Kind::Number), ["12.5m"]);
        for word in ["public", "int", "string", "if", "return", "var", "true"] {
            assert!(of(Kind::Keyword).contains(&word), "{word}: {pieces:?}");
        }
        assert!(of(Kind::Text).contains(&"\"a // b\"") && of(Kind::Text).contains(&"n="), "{pieces:?}");
        assert!(of(Kind::Keyword).iter().all(|word| !word.contains("name")), "{pieces:?}");
    }

    #[test]
    fn the_pieces_of_a_line_are_the_line_whatever_it_holds() {
        let broken =
            "}}}} \"never ends\n$\"{{{x\n/* é\u{202e} 😀\n#if X\n\t\u{0}'\\u\n#region <script>\n\"\"\"\n{ { (( [ é\"é";
        for text in [broken, "", "\n\n", "é", "class A { void M() { int é = 1; } }"] {
            let text = lines(text);
            let pieces = pieces(&text);
            assert_eq!(pieces.len(), text.len());
            for (line, pieces) in text.iter().zip(pieces) {
                assert_eq!(pieces.iter().map(|(_, text)| *text).collect::<String>(), *line);
            }
        }
        let long = vec!["x".repeat(MOST_BYTES + 1)];
        assert_eq!(pieces(&long), [[(None, long[0].as_str())]]);
    }
}
