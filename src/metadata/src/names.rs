//! Names: what C#'s compiler made of them (undone here), and types as text.
//!
//! Reads no files: what a name alone cannot show (async or iterator) is for `Assembly::describe_frame`.
//! Roslyn's patterns: <https://github.com/dotnet/roslyn/blob/main/src/Compilers/CSharp/Portable/Symbols/Synthesized/GeneratedNameKind.cs>.

mod compiler;
mod frame;
mod parse;
pub(crate) mod path;
mod reflection;

pub use compiler::{
    FieldOrigin, closure_slot, field_origin, is_display_class, is_state_machine, is_transparent_identifier,
    local_function, method_for_people, source_name, written_in,
};
pub(crate) use compiler::{Method as MethodOrigin, anonymous_property, is_closure, method_origin, state_machine_of};
pub use frame::{FrameName, clean_type, describe};
pub(crate) use frame::{RawFrame, clean_method, is_finally};
pub use parse::parse_type;
pub(crate) use parse::{index_key, without_label};
pub use reflection::from_reflection;
