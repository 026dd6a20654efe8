//! `[DebuggerDisplay("{Name,nq} at {Position.X}")]` as text and holes.

use crate::specifiers::{Specifier, split};

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// An expression about the object, and how its value is to be shown.
    Hole {
        expression: String,
        specifiers: Vec<Specifier>,
    },
}

/// Takes a template apart.
pub fn pieces(template: &str) -> Vec<Piece> {
    let (mut pieces, mut text) = (Vec::new(), String::new());
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next()),
            '{' => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(hole(&inside(&mut chars)));
            }
            c => text.push(c),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

/// Up to the brace that ends the hole: one in a literal or of a pattern does not.
fn inside(chars: &mut impl Iterator<Item = char>) -> String {
    let (mut hole, mut depth, mut quote, mut is_escaped) = (String::new(), 0_usize, None, false);
    for c in chars {
        match (quote, c) {
            (Some(open), c) => {
                if c == open && !is_escaped {
                    quote = None;
                }
                is_escaped = c == '\\' && !is_escaped;
            }
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => break,
            (None, '}') => depth -= 1,
            _ => {}
        }
        hole.push(c);
    }
    hole
}

/// A specifier that is not known is one of another debugger, and says nothing here.
fn hole(text: &str) -> Piece {
    let mut text = text.to_owned();
    loop {
        match split(&text) {
            Ok((expression, specifiers)) => {
                return Piece::Hole { expression: expression.trim().to_owned(), specifiers };
            }
            Err(unknown) => {
                let at = text.rfind(&unknown.0).unwrap_or(0);
                text.truncate(at);
                text.truncate(text.trim_end().trim_end_matches(',').len());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_text_and_expressions() {
        let text = |text: &str| Piece::Text(text.into());
        let hole = |expression: &str, specifiers: &[Specifier]| Piece::Hole {
            expression: expression.into(),
            specifiers: specifiers.to_vec(),
        };
        let bare = &[Specifier::NoQuotes];
        for (template, expected) in [
            ("{Name,nq} ({_count})", vec![hole("Name", bare), text(" ("), hole("_count", &[]), text(")")]),
            ("plain", vec![text("plain")]),
            ("", vec![]),
            (r"\{{Id}\}", vec![text("{"), hole("Id", &[]), text("}")]),
            (r#"{Count > 0 ? "}" : "none"}!"#, vec![hole(r#"Count > 0 ? "}" : "none""#, &[]), text("!")]),
            ("{this is { Id: 1 }}", vec![hole("this is { Id: 1 }", &[])]),
            ("{Find(a, nq)}", vec![hole("Find(a, nq)", &[])]),
            ("{Name,ac}", vec![hole("Name", &[Specifier::AlwaysCall])]),
        ] {
            assert_eq!(pieces(template), expected, "{template}");
        }
    }
}
