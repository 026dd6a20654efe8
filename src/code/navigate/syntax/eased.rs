//! What the grammar does not know, blanked so that it knows the rest: of `ref int this[int i]` it makes no indexer.

use std::ops::Range;

/// The bytes of `ref` and `ref readonly` before the types of indexers.
pub(super) fn unknown(text: &str) -> Vec<Range<usize>> {
    text.match_indices("this").filter_map(|(at, this)| before_indexer(text, at, at + this.len())).collect()
}

fn before_indexer(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    const MOST_BYTES: usize = 512;
    if !text.get(end..)?.trim_start().starts_with('[') {
        return None;
    }
    let near = (start.saturating_sub(MOST_BYTES)..start).find(|&at| text.is_char_boundary(at))?;
    let from = near + text.get(near..start)?.rfind(['{', '}', ';', '='])?;
    let head = text.get(from..start)?;
    let is_apart = |c: char| !(c.is_alphanumeric() || c == '_');
    let mut words = head.rmatch_indices("ref").filter(|(at, word)| {
        let (before, behind) = (head.get(..*at), head.get(at + word.len()..));
        before.is_some_and(|it| it.ends_with(is_apart)) && behind.is_some_and(|it| it.starts_with(char::is_whitespace))
    });
    let (at, word) = words.next()?;
    let behind = head.get(at + word.len()..)?;
    let type_ = behind.trim_start().strip_prefix("readonly ").unwrap_or(behind.trim_start());
    let length = behind.len() - type_.len() + word.len();
    is_type(type_.trim_end()).then_some(from + at..from + at + length)
}

fn is_type(text: &str) -> bool {
    let mut depth = 0usize;
    let is_fit = text.chars().all(|c| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_plain = c.is_alphanumeric() || matches!(c, '_' | '.' | '?' | '<' | '>' | '[' | ']' | ':' | '@' | '*');
        is_plain || depth > 0 && matches!(c, ',' | ' ')
    });
    !text.is_empty() && is_fit && depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_before_an_indexers_type_goes() {
        for (code, gone) in [
            ("class A { public ref int this[int i] => ref x[i]; }", Some("ref ")),
            ("class A { ref readonly Box<int, A.B>? this [int i] => ref x[i]; }", Some("ref readonly ")),
            ("class A { int this[int i] => F(ref a, this[i]); }", None),
            ("class A { void M() { ref int x = ref this[0]; } }", None),
            ("class A { ref int M() { return ref this[0]; } }", None),
        ] {
            let told: Vec<&str> = unknown(code).into_iter().map(|range| &code[range]).collect();
            assert_eq!(told, Vec::from_iter(gone), "{code}");
        }
    }
}
