//! What the grammar does not know, blanked so that it knows the rest: of `ref int this[int i]` it makes no indexer, and of
//! `ref partial struct A` no type.

use std::ops::Range;

/// The bytes of `ref` and `ref readonly` before the types of indexers, and of `ref` before `partial`.
pub(super) fn unknown(text: &str) -> Vec<Range<usize>> {
    let indexers = text.match_indices("this").filter_map(|(at, this)| before_indexer(text, at, at + this.len()));
    let structs = text.match_indices("partial").filter_map(|(at, _)| before_partial(text, at));
    indexers.chain(structs).collect()
}

fn before_partial(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start + "partial".len()..)?;
    let (blank, rest) = rest.split_at(rest.len() - rest.trim_start().len());
    let is_struct = !blank.is_empty() && rest.strip_prefix("struct")?.starts_with(char::is_whitespace);
    let head = text.get(..start)?;
    let before = head.trim_end().strip_suffix("ref").filter(|_| is_struct && head.ends_with(char::is_whitespace))?;
    let is_apart = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    is_apart.then_some(before.len()..before.len() + "ref".len())
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
    fn only_the_word_before_a_partial_structs_or_an_indexers_type_goes() {
        for (code, gone) in [
            ("public ref partial struct A { }", Some("ref")),
            ("readonly ref\npartial  struct A;", Some("ref")),
            ("partial struct A; ref struct B; xref partial struct C; ref partial structs;", None),
            ("class A { public ref int this[int i] => ref x[i]; }", Some("ref ")),
            ("class A { ref readonly Box<int, A.B>? this [int i] => ref x[i]; }", Some("ref readonly ")),
            ("class A { int this[int i] => F(ref a, this[i]); }", None),
            ("class A { void M() { ref int x = ref this[0]; } }", None),
            ("class A { ref int M() { return ref this[0]; } }", None),
        ] {
            let actual: Vec<&str> = unknown(code).into_iter().map(|range| &code[range]).collect();
            assert_eq!(actual, Vec::from_iter(gone), "{code}");
        }
    }
}
