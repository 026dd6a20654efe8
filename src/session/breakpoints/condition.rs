//! What is checked of a condition before an adapter sees it: both adapters turn a condition they cannot evaluate into
//! an unconditional stop (vendor-notes.md).

use clr_csharp::syntax::{self, ExprKind};

use crate::session::error::{Code, SessionError};
use crate::session::expression::{MOST_BYTES, divides_by_literal_zero};

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
    let condition = condition.trim();
    if condition.is_empty() {
        return Some("is empty".into());
    }
    if condition.len() > MOST_BYTES {
        return Some(format!("is longer than {MOST_BYTES} bytes"));
    }
    if condition.contains(['\n', '\r', '\0']) {
        return Some("has more than one line".into());
    }
    // `evaluate` takes a copied line of code; a condition goes to adapters as it is
    if condition.ends_with(';') {
        return Some("is not a valid C# expression: error CS1073: Unexpected token ';'".into());
    }
    let expr = match syntax::parse(condition) {
        Ok(expr) => expr,
        // lists show the variable `@class` as `class`
        Err(_) if syntax::is_keyword(condition) => return None,
        Err(error) => return Some(format!("is not a valid C# expression: {error}")),
    };
    if divides_by_literal_zero(&expr) {
        return Some("divides by zero".into());
    }
    expr.changing().map(|part| match part.kind {
        ExprKind::Assignment { .. } => "assigns; use `==` to compare".to_owned(),
        _ => "changes a variable".to_owned(),
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
    fn what_is_wrong_is_said() {
        for (condition, words) in [
            ("x ==", "is not a valid C# expression: error CS1733: Expected expression"),
            ("(i == 3", "is not a valid C# expression: error CS1026: ) expected"),
            ("i == 3;", "is not a valid C# expression: error CS1073: Unexpected token ';'"),
            ("i = 3", "assigns; use `==` to compare"),
            ("lines.Any(line => line.Count++ > 3)", "changes a variable"),
            ("i / 0 == 1", "divides by zero"),
        ] {
            let message = check(condition).unwrap_err().message;
            assert_eq!(message, format!("condition `{condition}` {words}"));
        }
    }
}
