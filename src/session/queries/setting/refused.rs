//! Why a value was not assigned, in words, and what to do instead.

use super::THREW;
use crate::session::context::adapter_words;
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::evaluated::{Evaluated, NOTHING_RUNS, RUNS_NOTHING};
use crate::session::inspect::{ReadError, literal};
use crate::session::type_names;

/// Why nothing was assigned.
#[derive(Debug)]
pub(super) enum Unassigned {
    /// As the adapter says it, or that it is gone.
    ByAdapter(ReadError),
    /// As we know it: words, and what to do instead.
    Known { words: String, hint: String },
}

impl Unassigned {
    pub(super) fn known(words: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Known { words: words.into(), hint: hint.into() }
    }

    /// Whether nothing has run yet: the value may be written otherwise, and its type or the property may be to blame.
    pub(super) fn is_of_the_value(&self) -> bool {
        match self {
            Self::ByAdapter(ReadError::Refused(words)) => !words.contains(THREW),
            Self::ByAdapter(_) => false,
            Self::Known { .. } => true,
        }
    }
}

impl From<ReadError> for Unassigned {
    fn from(error: ReadError) -> Self {
        Self::ByAdapter(error)
    }
}

pub(super) fn refused(path: &str, value: &str, before: &Evaluated, error: Unassigned) -> SessionError {
    let (words, hint) = match error {
        Unassigned::ByAdapter(ReadError::Refused(words)) => in_words(value, before, &words),
        Unassigned::ByAdapter(error) => return adapter_words(&error),
        Unassigned::Known { words, hint } => (words, hint),
    };
    SessionError::new(Code::NotAssignable, format!("{path} = {value}: {words}"), hint).in_state(StateName::Stopped)
}

/// The adapter's refusal, and what to do instead.
fn in_words(value: &str, before: &Evaluated, words: &str) -> (String, String) {
    // a string is made by a call
    if words.contains(RUNS_NOTHING) {
        return (NOTHING_RUNS.to_owned(), "assign it at a stop in the program's own code, at a breakpoint".to_owned());
    }
    let type_name = before.value.short_type();
    let is_enum = matches!(before.value.parsed(), literal::Raw::Enum(_));
    let says_nothing = |words: &str| matches!(words, "" | "0x80070057" | "0x80004005" | "0x80131303" | "0x80131c31");
    let names_member = is_enum && words.contains("does not exist in the current context");
    let has_constants = is_enum || type_names::is_primitive(&type_name);
    let what = if has_constants { "a constant or a variable" } else { "a value" };
    let is_of_target =
        ["error CS0131", "error CS0191", "error CS0198", "error CS0200"].iter().any(|it| words.starts_with(it));
    let hint = if is_of_target {
        "no value can be assigned to it: set a variable, field or property that the program computes with".to_owned()
    } else if words.starts_with("error CS") {
        format!("pass {what} of type {type_name} as `value`")
    } else if value == "null" {
        "as `value`, pass a variable that is null".to_owned()
    } else if words.contains(THREW) {
        "pass a value that the setter accepts".to_owned()
    } else if is_enum {
        format!("pass a variable or field of type {type_name} as `value`")
    } else {
        format!("pass {what} of type {type_name} as `value`")
    };
    let words = match words.trim_start_matches("error: ") {
        words if value == "null" && (says_nothing(words) || words.contains("does not exist")) => {
            "this adapter cannot assign null".to_owned()
        }
        words if says_nothing(words) => "the value does not fit".to_owned(),
        words if words.contains("Implicit function evaluation") => {
            "the adapter cannot make calls in an assignment".to_owned()
        }
        words if words.contains("not implemented") || words.contains("Failed to parse") => {
            "the adapter cannot evaluate this value".to_owned()
        }
        _ if names_member => "the adapter does not know enum members".to_owned(),
        words if words.contains("does not exist in the current context") => {
            "the adapter cannot assign to this path or does not know a name in the value".to_owned()
        }
        other => other.to_owned(),
    };
    (words, hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::inspect::RawValue;

    #[test]
    fn only_where_the_value_is_to_blame_another_is_asked_for() {
        let value = RawValue { type_name: "int".into(), value: "1".into(), ..RawValue::default() };
        let before = Evaluated { value, load_path: "Most".into() };
        for (words, expected) in [
            ("error CS0131: The left-hand side of an assignment must be a variable, property or indexer", false),
            ("error CS0200: Property or indexer 'A.B' cannot be assigned to", false),
            ("error CS0029: Cannot implicitly convert type 'string' to 'int'", true),
        ] {
            let (_, hint) = in_words("2", &before, words);
            assert_eq!(hint.contains("as `value`"), expected, "{words}: {hint}");
        }
        let (words, hint) = in_words("\"a\"", &before, "The expression causes side effects and will not be evaluated.");
        assert!(
            words.starts_with("calls are not possible at this stop") && hint.contains("breakpoint"),
            "{words}: {hint}"
        );
    }
}
