//! Parts of an argument that an adapter cannot evaluate: `f(a.Length)` is asked as `f(3)`.
//! Knows text only; who evaluates the parts is the caller's business.

/// The first path that ends in `.Length`, as a range of bytes: the one member that adapters never find (vendor-notes.md).
pub fn length_path(expression: &str) -> Option<std::ops::Range<usize>> {
    let end = expression.find(".Length")? + ".Length".len();
    let before = expression.get(..end)?;
    let start = before
        .char_indices()
        .rev()
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .map_or(0, |(at, c)| at + c.len_utf8());
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_found_with_its_path() {
        let path = |expression: &'static str| length_path(expression).and_then(|range| expression.get(range));
        assert_eq!(path("3 < order.Customer.Length + 1"), Some("order.Customer.Length"));
        assert_eq!(path("text.Length"), Some("text.Length"));
        assert_eq!(path("list.Count"), None);
    }
}
