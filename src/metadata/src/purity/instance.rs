//! What is known of one call of a method beside the method.

use super::observed::Content;
use crate::signatures::TypeSig;

/// Generic arguments, and what `this` is. Each is empty where it is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    /// Of the type that declares the method.
    pub of_type: Vec<TypeSig>,
    pub of_method: Vec<TypeSig>,
    /// The very type of the object that it is called on, not only one that it derives from.
    pub this: Option<TypeSig>,
    /// Of `this` and the parameters what they hold, where that is an object of the stopped program; else empty.
    pub contents: Vec<Option<Content>>,
}

impl Instance {
    /// Arguments in which a parameter is left say nothing.
    pub(super) fn new(of_type: &[TypeSig], of_method: &[TypeSig], this: Option<&TypeSig>) -> Self {
        let known = |all: &[TypeSig]| if all.iter().all(is_closed) { all.to_vec() } else { Vec::new() };
        let this = this.filter(|type_| is_closed(type_)).cloned();
        Self { of_type: known(of_type), of_method: known(of_method), this, contents: Vec::new() }
    }

    /// With what `this` and the parameters hold: numbers alone decide nothing.
    pub(super) fn holding(self, contents: Vec<Option<Content>>) -> Self {
        let is_object = |content: &Option<Content>| matches!(content, Some(Content::Object(..)));
        let contents = if contents.iter().any(is_object) { contents } else { Vec::new() };
        Self { contents, ..self }
    }

    /// The same of the call that was asked about, where a number may decide too.
    pub(super) fn holding_numbers(self, contents: Vec<Option<Content>>) -> Self {
        let contents = if contents.iter().any(Option::is_some) { contents } else { Vec::new() };
        Self { contents, ..self }
    }

    pub(super) fn is_of_objects(&self) -> bool {
        !self.contents.is_empty()
    }

    /// A type as this call has it.
    pub(super) fn of(&self, type_: &TypeSig) -> TypeSig {
        type_.substitute(&self.of_type, &self.of_method)
    }
}

/// Whether no type parameter is left in it.
pub(super) fn is_closed(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(_) => true,
        TypeSig::Named(named) => named.arguments.iter().all(is_closed),
        TypeSig::Array(inner) | TypeSig::MultiArray { element: inner, .. } => is_closed(inner),
        _ => false,
    }
}
