//! Whether what was assigned is there afterwards: adapters report success for assignments that they did not make (vendor-notes.md).

use super::target::Place;
use super::{shown, text};
use crate::session::inspect::evaluated::Evaluated;
use crate::session::inspect::{Reader, escapes};

/// What the caller means to find afterwards.
pub struct Meant {
    text: String,
    is_constant: bool,
}

impl Meant {
    /// Whether what is there is an object that only a conversion of the program's can have made of a constant: their texts say nothing.
    pub fn is_converted(&self, now: &str) -> bool {
        let is_constant = number(&self.text).is_some()
            || escapes::of_literal(&self.text).is_some()
            || matches!(self.text.as_str(), "true" | "false");
        is_constant && now.starts_with('{')
    }
}

/// `sent`: the constant in the form of the variable's type; `read`: the value, where it can be read without changing anything.
pub async fn meant(reader: &Reader, value: &str, (sent, read): (Option<&str>, Option<Evaluated>)) -> Option<Meant> {
    if let Some(sent) = sent.or((value == "null").then_some(value)) {
        return Some(Meant { text: sent.to_owned(), is_constant: true });
    }
    Some(Meant { text: text(&shown(reader, &read?).await), is_constant: false })
}

/// What is wrong with the value that is there now. A setter may store something else than it was given.
pub fn fault(meant: &Meant, (was, now): (&str, &str), place: &Place) -> Option<String> {
    if is_same(&meant.text, now) {
        return None;
    }
    if now == was {
        return Some(match place {
            Place::Property => format!("the adapter reports success, but the property still reads {now}"),
            _ => format!("the adapter reports success, but the value is still {now}"),
        });
    }
    let is_number = number(&meant.text).is_some() && number(now).is_some();
    let has_setter = matches!(place, Place::Property | Place::Indexed { .. });
    let is_lost = meant.is_constant && !has_setter && (is_number || meant.text == "null");
    is_lost.then(|| format!("the adapter reports success, but the value is {now}"))
}

/// Whether two texts are one value: of numbers whatever their suffixes and digits; of texts only what can be compared.
fn is_same(meant: &str, now: &str) -> bool {
    if meant == now {
        return true;
    }
    match (number(meant), number(now)) {
        #[expect(clippy::cast_possible_truncation, reason = "a float keeps no more of a constant")]
        (Some(meant), Some(now)) => meant == now || meant as f32 == now as f32,
        (None, None) => match (escapes::of_literal(meant), escapes::of_literal(now)) {
            (Some(meant), Some(now)) => meant == now,
            // of a text too long to show, or a member of an enum
            _ => !["null", "true", "false"].iter().any(|word| [meant, now].contains(word)) && !now.starts_with('{'),
        },
        _ => false,
    }
}

fn number(literal: &str) -> Option<f64> {
    literal.trim_end_matches(char::is_alphabetic).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_there_is_a_fault() {
        let found = |text: &str, was: &str, now: &str, place: Place| {
            fault(&Meant { text: text.into(), is_constant: true }, (was, now), &place).is_some()
        };
        for (text, was, now) in [
            ("7", "3", "7"),
            ("7", "7", "7"),
            ("7L", "3L", "7L"),
            ("2.0", "1.0", "2.0"),
            ("0.1f", "1.0", "0.1"),
            ("null", "5", "null"),
            ("\"\\u0041\"", "\"A\"", "\"A\""),
        ] {
            assert!(!found(text, was, now, Place::Stored), "{text}: {was} to {now}");
        }
        for (text, was, now) in [
            ("7", "3", "3"),
            ("7", "3", "50"),
            ("null", "5", "5"),
            ("null", "5", "0"),
            ("\"x\"", "\"c\"", "\"c\""),
            ("true", "false", "false"),
        ] {
            assert!(found(text, was, now, Place::Stored), "{text}: {was} to {now}");
        }
        let indexed = Place::Indexed { receiver: "it".into(), index: "1".into() };
        for place in [Place::Property, indexed] {
            assert!(!found("50", "2", "10", place), "a setter may clamp");
        }
        assert!(found("50", "10", "10", Place::Property));
    }
}
