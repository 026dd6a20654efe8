//! Why a value was not assigned, in words, and what to do instead.

use super::{AUTO_PROPERTY, THREW};
use crate::session::context::adapter_words;
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::evaluated::Evaluated;
use crate::session::inspect::{ReadError, literal};
use crate::session::type_names;

pub(super) fn refused(path: &str, value: &str, before: &Evaluated, error: ReadError) -> SessionError {
    let ReadError::Refused(words) = error else { return adapter_words(&error) };
    let type_name = before.value.short_type();
    let is_enum = matches!(before.value.parsed(), literal::Raw::Enum(_));
    let says_nothing = |words: &str| matches!(words, "" | "0x80070057" | "0x80004005" | "0x80131303" | "0x80131c31");
    let names_member = is_enum && words.contains("does not exist in the current context");
    let has_constants = is_enum || type_names::is_primitive(&type_name);
    let what = if has_constants { "a constant or a variable" } else { "a value" };
    let hint = if words.starts_with("error CS") {
        format!("assign {what} of type {type_name}")
    } else if words.contains("is a copy") {
        "assign the whole value instead".to_owned()
    } else if words.contains("call Remove and Add") {
        "call Remove and Add through evaluate with allow_side_effects".to_owned()
    } else if value == "null" && words.contains("HasValue") {
        format!("assign a variable of type {type_name} that is null")
    } else if ["enum property", "nullable property"].iter().any(|part| words.contains(part)) {
        "replace the object, or debug_launch with backend: builtin".to_owned()
    } else if words.contains(AUTO_PROPERTY) {
        "replace the object that has it".to_owned()
    } else if ["cannot be assigned", "init-only"].iter().any(|part| words.contains(part)) {
        "set a field that it is computed from, or replace the object".to_owned()
    } else if value == "null" {
        "assign a variable that is null".to_owned()
    } else if words.contains(THREW) {
        "assign a value that the setter accepts".to_owned()
    } else if is_enum {
        format!("assign a variable or field of type {type_name}")
    } else {
        format!("assign {what} of type {type_name}")
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
    SessionError::new(Code::NotAssignable, format!("{path} = {value}: {words}"), hint).in_state(StateName::Stopped)
}
