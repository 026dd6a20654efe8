//! What a method of the framework writes to beside the object that it is called on.

use super::values::{Value, name_of, referent};
use crate::signatures::TypeSig;

/// Keeps what is written to it.
pub(super) const WRITER: &str = "System.IO.StringWriter";

/// Of `builder.Append($"…")`: it writes to the builder.
const APPENDING: &str = "System.Text.StringBuilder+AppendInterpolatedStringHandler";

/// A span writes to what it is over: it is owned where that is.
pub(super) const SPAN: &str = "System.Span`1";

/// What a method writes to beside its receiver, where that is not owned: spans, which nobody owns, and the arrays of those overloads
/// of methods in the table that fill one.
pub(super) fn written_argument(type_: &str, method: &str, arguments: &[Value]) -> Option<&'static str> {
    const READERS: [&str; 4] = ["System.Span`1", "System.ReadOnlySpan`1", "System.MemoryExtensions", "System.String"];
    let is_span = |value: &Value| name_of(value) == Some(SPAN) && !value.owned;
    if !READERS.contains(&type_) && arguments.iter().any(is_span) {
        return Some("a span");
    }
    if type_ == "System.Net.WebUtility" && arguments.len() > 1 {
        return Some("a writer");
    }
    let is_builder = |value: &Value| name_of(value) == Some("System.Text.StringBuilder") && !value.owned;
    if method == ".ctor" && [WRITER, APPENDING].contains(&type_) && arguments.iter().any(is_builder) {
        return Some("a builder");
    }
    let filled = match (type_, method) {
        ("System.Array", "Sort") => arguments.get(1),
        // with indices and without
        ("System.Array", "Copy") => arguments.get(if arguments.len() > 3 { 2 } else { 1 }),
        ("System.Text.Encoding", "GetBytes") => arguments.get(3),
        _ => None,
    };
    let is_array = |value: &&Value| match value.type_().map(referent) {
        Some(TypeSig::Array(_)) | None => true,
        Some(type_) => type_.full_name() == Some("System.Array"),
    };
    filled.filter(|value| !value.owned).filter(is_array).map(|_| "an array")
}

/// Whether a method writes what it is called on into a span over memory of the caller's own.
pub(super) fn fills_own_span(method: &str, arguments: &[Value]) -> bool {
    let is_own = |value: &Value| value.owned && name_of(value) == Some(SPAN);
    ["TryFormat", "CopyTo", "TryCopyTo"].contains(&method) && arguments.first().is_some_and(is_own)
}
