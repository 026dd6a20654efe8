//! Characters that are not seen but change how a line is read: what a program says must look like what it is, in both renderings.
//!
//! Those of Unicode's category Cf that order text, hide or tag it (UAX #9, UTS #39). The joiners U+200C and U+200D stay: words of
//! many languages and emoji need them.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

/// Whether a character is written as an escape.
pub(super) fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// As C# writes it: `\u202e`, `\U000e0001`.
pub(super) fn push_escape(to: &mut String, c: char) {
    let code = u32::from(c);
    // A string takes all that is written.
    let _ = if code > 0xffff { write!(to, "\\U{code:08x}") } else { write!(to, "\\u{code:04x}") };
}

/// A text as it is shown: what would reorder or hide parts of it is written as an escape.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { push_escape(&mut shown, c) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The same for every text of a value; its names are ours.
pub(crate) fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = visible(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_visible),
        Value::Object(members) => members.values_mut().for_each(make_visible),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_reorders_or_hides_text_is_escaped_at_any_depth_and_letters_stay() {
        let mut value =
            json!({"a": ["x\u{202e}y\u{2066}", {"b": "\u{e0041}\u{feff}"}], "c": "né 日本 👩\u{200d}💻 שלום"});
        make_visible(&mut value);
        let expected =
            json!({"a": ["x\\u202ey\\u2066", {"b": "\\U000e0041\\ufeff"}], "c": "né 日本 👩\u{200d}💻 שלום"});
        assert_eq!(value, expected);
    }
}
