//! Which methods of the framework ask the culture of the thread, which may be of the program.

use super::quiet::CULTURE;
use super::values::{Value, name_of, referent};
use super::written::WRITER;
use crate::signatures::{Primitive, TypeSig};

/// Whether a method may ask the culture of the thread, or what else the program registered with the framework: those that
/// make, read or compare texts.
pub(super) fn is_cultural(type_: &str, method: &str) -> bool {
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
        || type_ == "System.String"
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

/// A culture that a call is given, where it is known to be the framework's: then the thread's is not asked. What formats numbers alone
/// leaves it to that one how times are written.
pub(super) fn is_framework_culture(value: &Value) -> bool {
    value.is_exact && name_of(value) == Some(CULTURE)
}

/// Whether the text of a value is the same in every culture.
pub(super) fn is_text(value: &Value) -> bool {
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
