//! Values and output as text. The templates escape what HTML would read; here, what would reorder or hide text.

use std::borrow::Cow;

use maud::{Markup, html};

use crate::answers::visible;
use crate::session::{Content, Variable};

/// Characters of one value, and of its tooltip.
pub(super) const LONG: usize = 300;
const MEMBERS: usize = 20;
/// Members or elements of a variable that is opened.
const PARTS: usize = 100;

/// A text of the program, a client or a file.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    visible(text)
}

/// What a variable holds, on one line.
pub(super) fn content(variable: &Variable) -> String {
    let text = match &variable.content {
        Content::Value(value) => value.clone(),
        Content::Error(words) => format!("({words})"),
        Content::Cycle(path) => format!("(same as {path})"),
        Content::Members(members) => {
            let mut parts: Vec<String> =
                members.iter().take(MEMBERS).map(|member| format!("{}={}", member.name, content(member))).collect();
            if members.len() > MEMBERS {
                parts.push("…".into());
            }
            format!("{{{}}}", parts.join(", "))
        }
    };
    cut(&shown(&text), LONG)
}

/// What a variable holds; what was read of it for that, where it can be opened.
fn held(variable: &Variable) -> Markup {
    let text = content(variable);
    let parts: Vec<(&str, String)> = match &variable.content {
        Content::Members(members) => members.iter().map(|member| (member.name.as_str(), content(member))).collect(),
        _ => variable.parts.iter().map(|(name, text)| (name.as_str(), cut(&shown(text), LONG))).collect(),
    };
    html! {
        @if parts.is_empty() { code { (text) } } @else {
            details data-key=(variable.name) {
                summary { code { (text) } }
                ul.parts {
                    @for (name, text) in parts.iter().take(PARTS) { li { code { (shown(name)) } " = " code { (text) } } }
                    @if parts.len() > PARTS { li { (parts.len() - PARTS) " more" } }
                }
            }
        }
    }
}

pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A table of variables; those that changed are marked in words, not only by color.
pub(super) fn table(caption: &str, variables: &[Variable]) -> Markup {
    html! {
        table {
            caption { (caption) }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Value" } th scope="col" { "Type" } } }
            tbody {
                @for variable in variables {
                    tr.changed[variable.was.is_some()] {
                        th scope="row" { code { (shown(&variable.name)) } }
                        td {
                            (held(variable))
                            @if let Some(was) = &variable.was {
                                " " span.was { "was " code { (cut(&shown(was), LONG)) } }
                            }
                        }
                        td { @if let Some(name) = &variable.type_name { code { (shown(name)) } } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_line_that_is_cut_and_shows_what_hides() {
        let of = |content| Variable { name: "x".into(), content, ..Variable::default() };
        let inner = of(Content::Value("\"a\u{202e}b\"".into()));
        assert_eq!(content(&of(Content::Members(vec![inner]))), "{x=\"a\\u202eb\"}");
        assert_eq!(content(&of(Content::Value("é".repeat(1000)))).chars().count(), LONG + 1);
        assert_eq!(content(&of(Content::Error("no".into()))), "(no)");
    }

    #[test]
    fn nothing_of_a_value_is_markup() {
        let evil = "</td><script>alert(1)</script><img src=x onerror=alert(1)>\"'&";
        let variable = Variable {
            name: evil.into(),
            type_name: Some(evil.into()),
            content: Content::Value(evil.into()),
            was: Some(evil.into()),
            ..Variable::default()
        };
        let html = table(evil, &[variable]).into_string();
        assert!(!html.contains("<script") && !html.contains("<img") && html.contains("&lt;script&gt;"), "{html}");
    }
}
