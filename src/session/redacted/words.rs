//! Texts that are called tokens and are none, by themselves and in what an expression makes of them.

use std::sync::LazyLock;

use regex::Regex;

use super::names::secret_names;
use crate::redaction::Redaction;
use crate::session::expression::{Segment, outside_strings, segments};

/// Gives a part of a text: one that grants access may have short parts.
static CUTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\.\.|\b(?:Substring|Remove|Split|Slice|AsSpan|AsMemory)\b").ok());

/// Whether what an expression gives is no secret although it is called a token.
pub(super) fn is_word(text: &str, expression: &str, by: &Redaction) -> bool {
    let is_called_one = secret_names(expression, by).iter().all(|name| by.is_token_only(name));
    is_called_one
        && match segments(expression) {
            Some(path) => !is_slice(&path) && by.is_word(expression, text),
            None => !cuts(expression) && by.are_words(expression, text),
        }
}

/// `token[..8]`
fn is_slice(path: &[Segment]) -> bool {
    matches!(path.last(), Some(Segment::Index(index)) if outside_strings(index).contains(".."))
}

fn cuts(expression: &str) -> bool {
    // what stands in an interpolated string may be code
    let code = if expression.contains("$\"") { expression.to_owned() } else { outside_strings(expression) };
    CUTS.as_ref().is_none_or(|rule| rule.is_match(&code))
}
