//! What is checked of a condition before an adapter sees it: both adapters turn a condition they cannot evaluate into
//! an unconditional stop (vendor-notes.md).

use crate::session::error::{Code, SessionError};
use crate::session::inspect::expression::{divides_by_literal_zero, outside_strings};

/// # Errors
/// `invalid_condition` with what is wrong.
pub fn check(condition: &str) -> Result<(), SessionError> {
    match fault(condition) {
        None => Ok(()),
        Some(what) => Err(SessionError::new(
            Code::InvalidCondition,
            format!("condition `{}` {what}", shortened(condition)),
            "write a boolean C# expression: `i == 3 && order.Total > 10m`",
        )),
    }
}

fn shortened(condition: &str) -> String {
    condition.chars().take(80).collect()
}

fn fault(condition: &str) -> Option<String> {
    let code = outside_strings(condition);
    if condition.trim().is_empty() {
        return Some("is empty".into());
    }
    if condition.len() > 4096 {
        return Some("is longer than 4096 bytes".into());
    }
    if condition.contains(['\n', '\r', '\0']) {
        return Some("has more than one line".into());
    }
    if let Some(what) = unbalanced(&code) {
        return Some(what);
    }
    if code.contains(';') {
        return Some("is a statement, not an expression".into());
    }
    if assigns(&code) {
        return Some("assigns; use `==` to compare".into());
    }
    if code.contains("++") || code.contains("--") {
        return Some("changes a variable".into());
    }
    if divides_by_literal_zero(condition) {
        return Some("divides by zero".into());
    }
    let operator = |c: char| "+-*/%&|^=<>!.,~?:".contains(c);
    let code = code.trim_end();
    let operand = code.trim_end_matches(operator);
    (operand != code).then(|| format!("ends with the operator `{}`", code.strip_prefix(operand).unwrap_or(code)))
}

fn unbalanced(code: &str) -> Option<String> {
    let mut open = Vec::new();
    let mut quotes = 0usize;
    for c in code.chars() {
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                let wanted = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(wanted) {
                    return Some(format!("has an unmatched `{c}`"));
                }
            }
            '"' | '\'' => quotes += 1,
            _ => {}
        }
    }
    if let Some(c) = open.pop() {
        return Some(format!("has a `{c}` that is not closed"));
    }
    (quotes % 2 == 1).then(|| "has a string that is not closed".into())
}

/// `=` that is not part of `==`, `!=`, `<=`, `>=`, `=>`.
fn assigns(code: &str) -> bool {
    let chars: Vec<char> = code.chars().collect();
    let at = |index: Option<usize>| index.and_then(|index| chars.get(index)).copied().unwrap_or(' ');
    chars.iter().enumerate().any(|(index, c)| {
        let before = at(index.checked_sub(1));
        let after = at(index.checked_add(1));
        *c == '=' && after != '=' && after != '>' && !matches!(before, '=' | '!' | '<' | '>')
            || *c == '=' && matches!(before, '<' | '>') && at(index.checked_sub(2)) == before && after != '='
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_condition_is_refused_before_it_is_sent() {
        for bad in [
            "",
            "  ",
            "i ==",
            "i = 3",
            "i += 3",
            "i++",
            "(i == 3",
            "i == 3)",
            "s == \"x",
            "i == 3;",
            "i / 0 == 1",
            "a\nb",
            "x >>= 2",
        ] {
            assert_eq!(check(bad).unwrap_err().code, Code::InvalidCondition, "{bad}");
        }
        for good in [
            "i == 3",
            "i >= 3 && j <= 4",
            "s == \"a = b;\"",
            "order.Total > 10m",
            "c == '='",
            "x != y",
            "f(1) == g[2]",
            "flag",
            "!flag",
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
        assert!(check(&"x".repeat(5000)).is_err());
    }

    #[test]
    fn a_condition_that_breaks_off_is_refused_with_its_last_operator() {
        for (condition, operator) in [("x ==", "=="), ("x && ", "&&"), ("a.", "."), ("x <=", "<=")] {
            let message = check(condition).unwrap_err().message;
            assert!(message.ends_with(&format!("ends with the operator `{operator}`")), "{message}");
        }
    }
}
