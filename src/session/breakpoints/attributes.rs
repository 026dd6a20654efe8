//! Attributes that keep debuggers out of a method.

use clr_metadata::{Assembly, DocumentId, MethodId};

/// How a method's attributes hide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hidden {
    #[default]
    No,
    /// While Just My Code is on.
    NonUser,
    Always,
}

/// The attribute that makes CoreCLR's debuggers leave the method out: its own, or its type's.
pub(super) fn hiding_attribute(assembly: &Assembly, method: MethodId) -> Option<(&'static str, Hidden)> {
    const ATTRIBUTES: [(&str, Hidden); 3] = [
        ("DebuggerHidden", Hidden::Always),
        ("DebuggerNonUserCode", Hidden::NonUser),
        ("DebuggerStepThrough", Hidden::NonUser),
    ];
    let view = assembly.method(method);
    ATTRIBUTES.into_iter().find(|(name, _)| {
        let full = format!("System.Diagnostics.{name}Attribute");
        view.has_attribute(&full) || view.declaring_type().is_some_and(|owner| owner.has_attribute(&full))
    })
}

/// What to say where an adapter binds nothing in a method for such an attribute; `method` as the beginning of a sentence.
pub(super) fn left_out(method: &str, (attribute, hidden): (&str, Hidden)) -> String {
    let way_out = match hidden {
        Hidden::Always => "break where it is called",
        _ => "a session with just_my_code false can stop there, or break where it is called",
    };
    format!("{method} is marked [{attribute}]: {way_out}")
}

/// The attribute that hides all code of a line.
pub(super) fn hides_line(assembly: &Assembly, document: DocumentId, line: u32) -> Option<(&'static str, Hidden)> {
    let methods = assembly.line_to_methods(document, line);
    let mut hiding = methods.into_iter().map(|(method, _)| hiding_attribute(assembly, method));
    let first = hiding.next()??;
    hiding.all(|other| other.is_some()).then_some(first)
}
