//! `[DebuggerDisplay("{Name,nq} at {Position.X}")]` as text and holes. Filled only where every hole is a path of members that load:
//! a hole that calls something leaves the object to its members.

use clr_csharp::specifiers::Specifier;
use clr_csharp::template;

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// A path from the object; `bare`: strings without quotes (`,nq`).
    Hole {
        path: String,
        bare: bool,
    },
}

/// Takes a template apart; `None` where a hole is no path.
pub fn pieces(template: &str) -> Option<Vec<Piece>> {
    let piece = |piece| match piece {
        template::Piece::Text(text) => Some(Piece::Text(text)),
        template::Piece::Hole { expression, specifiers } => {
            let path = expression.strip_prefix("this.").unwrap_or(&expression);
            let bare = specifiers.contains(&Specifier::NoQuotes);
            crate::session::expression::is_path(path).then(|| Piece::Hole { path: path.to_owned(), bare })
        }
    };
    template::pieces(template).into_iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_text_and_paths() {
        let text = |text: &str| Piece::Text(text.into());
        let hole = |path: &str, bare| Piece::Hole { path: path.into(), bare };
        for (template, expected) in [
            ("{Name,nq} ({_count})", Some(vec![hole("Name", true), text(" ("), hole("_count", false), text(")")])),
            ("{this.Position.X}", Some(vec![hole("Position.X", false)])),
            ("plain", Some(vec![text("plain")])),
            (r"\{{Id}\}", Some(vec![text("{"), hole("Id", false), text("}")])),
            ("{ToString()}", None),
            ("{Count > 0 ? \"some\" : \"none\"}", None),
            ("{}", None),
        ] {
            assert_eq!(pieces(template), expected, "{template}");
        }
    }
}
