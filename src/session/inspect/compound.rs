//! Expressions made of parts that an adapter cannot evaluate as a whole: `a.Length > 3 && b != null` is taken apart.
//! Knows text only; who evaluates the parts is the caller's business.

use super::expression::outside_strings;

/// `left op right` at the outermost level: `||` first, as it binds weakest, else `&&`. The flag tells `||`.
pub fn halves(expression: &str) -> Option<(&str, bool, &str)> {
    ["||", "&&"].iter().find_map(|operator| {
        let at = outermost(expression, operator)?;
        let (left, right) = (expression.get(..at)?.trim(), expression.get(at + 2..)?.trim());
        (!left.is_empty() && !right.is_empty()).then_some((left, *operator == "||", right))
    })
}

/// Byte position of the first `operator` outside brackets and strings.
fn outermost(expression: &str, operator: &str) -> Option<usize> {
    let code = outside_strings(expression);
    // what a string holds may have been shortened: positions then mean nothing
    if code.len() != expression.len() {
        return None;
    }
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && code.get(at..)?.starts_with(operator) => return Some(at),
            _ => {}
        }
    }
    None
}

/// The first path that ends in `.Length`, as a range of bytes: the one member that adapters never find (measured.md 7).
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
    fn expressions_part_where_operators_bind_weakest() {
        for (expression, expected) in [
            ("a && b || c", Some(("a && b", true, "c"))),
            ("a && b", Some(("a", false, "b"))),
            ("(a || b) && c", Some(("(a || b)", false, "c"))),
            ("f(a && b)", None),
            ("a & b", None),
        ] {
            assert_eq!(halves(expression), expected, "{expression}");
        }
    }

    #[test]
    fn a_length_is_found_with_its_path() {
        let path = |expression: &'static str| length_path(expression).and_then(|range| expression.get(range));
        assert_eq!(path("3 < order.Customer.Length + 1"), Some("order.Customer.Length"));
        assert_eq!(path("text.Length"), Some("text.Length"));
        assert_eq!(path("list.Count"), None);
    }
}
