//! Which methods of the framework ask the culture of the thread, which may be of the program.

use super::quiet::CULTURE;
use super::values::{Value, name_of, referent};
use super::written::WRITER;
use crate::signatures::{Primitive, TypeSig};

/// Whether a method may ask the culture of the thread, or what else the program registered with the framework: those that
/// make, read or compare texts.
pub(super) fn is_cultural(type_: &str, method: &str) -> bool {
    if orders(type_, method) {
        return true;
    }
    // they ask the invariant culture, which is the framework's own
    if matches!(type_, "System.Char" | "System.String") && method.ends_with("Invariant") {
        return false;
    }
    matches!(type_, "System.Convert" | "System.Uri" | WRITER)
        || type_.starts_with("System.Text.")
        // its receiver may be the program's own
        || type_.starts_with("System.Globalization.")
        || type_.ends_with("InterpolatedStringHandler")
        || ["String", "Parse", "Format", "Compare", "Upper", "Lower"].iter().any(|part| method.contains(part))
        || matches!(type_, "System.String" | "System.MemoryExtensions")
            && matches!(
                method,
                "Concat"
                    | "Join"
                    | "Equals"
                    | "StartsWith"
                    | "EndsWith"
                    | "IndexOf"
                    | "LastIndexOf"
                    | "Contains"
                    | "Replace"
            )
}

/// Whether a method compares elements by their order, which texts have by the culture.
fn orders(type_: &str, method: &str) -> bool {
    const SORTS: [&str; 2] = ["Sort", "BinarySearch"];
    match type_ {
        "System.Array" | "System.Collections.Generic.List`1" => SORTS.contains(&method),
        "System.Linq.Enumerable" => ["Order", "Then", "Min", "Max"].iter().any(|start| method.starts_with(start)),
        "System.Collections.Generic.PriorityQueue`2" | "System.Collections.Generic.Comparer`1" => {
            !["get_Count", "get_Default", "Peek"].contains(&method)
        }
        _ if type_.starts_with("System.Collections.Generic.Sorted")
            || type_.starts_with("System.Collections.Immutable.ImmutableSorted") =>
        {
            !type_.contains('+') && !["get_Count", "GetEnumerator", "get_Keys", "get_Values"].contains(&method)
        }
        _ => false,
    }
}

/// Whether a method of texts with these arguments is the same in every culture: it puts texts together, compares them character by
/// character, or looks for a character.
pub(super) fn is_ordinal(method: &str, arguments: &[Value]) -> bool {
    // the code of a method has a character as a number
    let is_character = |value: &Value| match value.type_() {
        Some(TypeSig::Primitive(primitive)) => !matches!(primitive, Primitive::String | Primitive::Object),
        _ => false,
    };
    match method {
        "Concat" | "Join" | "Format" | "Contains" | "Equals" | "Replace" | "ToString" | "CompareOrdinal" => {
            arguments.iter().all(is_text)
        }
        "IndexOf" | "LastIndexOf" | "StartsWith" | "EndsWith" => arguments.iter().all(is_character),
        _ => false,
    }
}

/// A culture that a call is given, where it is known to be the framework's: then the thread's is not asked. What formats numbers alone
/// leaves it to that one how times are written.
pub(super) fn is_framework_culture(value: &Value) -> bool {
    value.is_exact && name_of(value) == Some(CULTURE)
}

/// Whether the text of a value is the same in every culture.
fn is_text(value: &Value) -> bool {
    fn has_text(type_: &TypeSig) -> bool {
        match referent(type_) {
            TypeSig::Primitive(Primitive::String | Primitive::Char | Primitive::Boolean) => true,
            TypeSig::Array(element) => has_text(element),
            TypeSig::Named(named) if named.full_name == "System.String" => true,
            TypeSig::Named(named) => !named.arguments.is_empty() && named.arguments.iter().all(has_text),
            _ => false,
        }
    }
    value.type_().is_none_or(has_text)
}
