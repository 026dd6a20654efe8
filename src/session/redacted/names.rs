//! The names by which what an expression gives is a secret.

use crate::redaction::Redaction;
use crate::session::expression::{Segment, outside_strings, segments};

/// The expression before `,nq`, which shows a string without quotes.
pub(super) fn unquoted(expression: &str) -> Option<&str> {
    let (expression, specifier) = expression.rsplit_once(',')?;
    (specifier.trim() == "nq").then_some(expression)
}

/// Whether what an expression gives is a secret by the names in it.
pub(super) fn is_secret(expression: &str, by: &Redaction) -> bool {
    !secret_names(expression, by).is_empty()
}

/// The names in an expression that make what it gives a secret: of a path the last one counts, or a key.
pub(super) fn secret_names(expression: &str, by: &Redaction) -> Vec<String> {
    let expression = unquoted(expression).unwrap_or(expression);
    let mut names: Vec<String> = match segments(expression) {
        Some(path) => {
            let mut names = Vec::new();
            for step in path.into_iter().rev() {
                match step {
                    Segment::Index(key) => names.push(key),
                    Segment::Name(name) => {
                        names.push(name);
                        break;
                    }
                }
            }
            names
        }
        // whatever is made of a secret
        None => {
            // names in holes of an interpolated string count, those in other strings do not
            let code = if expression.contains("$\"") { expression.to_owned() } else { outside_strings(expression) };
            let names = code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
            names.map(str::to_owned).collect()
        }
    };
    names.retain(|name| by.is_secret_name(name));
    names
}
