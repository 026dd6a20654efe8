//! `[DebuggerDisplay("{Name,nq} at {Position.X}")]` as text and holes. Filled only where every hole is a path of members that load:
//! a hole that calls something leaves the object to its members.

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
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next()),
            '{' => {
                let hole: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let (path, format) = hole.split_once(',').unwrap_or((&hole, ""));
                let path = path.trim();
                let path = path.strip_prefix("this.").unwrap_or(path);
                if !crate::session::expression::is_path(path) {
                    return None;
                }
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                let bare = format.split(',').any(|format| format.trim() == "nq");
                pieces.push(Piece::Hole { path: path.to_owned(), bare });
            }
            c => text.push(c),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
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
