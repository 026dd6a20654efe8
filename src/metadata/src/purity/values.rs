//! What a walk over IL knows of a value.

use super::observed::Content;
use crate::signatures::{Primitive, TypeName, TypeSig};

/// A value on the stack, in a local or an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// What it refers to was made here, or belongs to the caller who made it: writing to it is nobody else's business.
    pub owned: bool,
    pub kind: Kind,
    /// That is its very type, not only one that it derives from.
    pub is_exact: bool,
    /// A sequence, or its enumerator: what going through it runs was judged when it was made.
    pub is_judged: bool,
    /// Where the code makes the array that it is, if it is one that nobody else has.
    pub made_at: Option<u32>,
    /// What the stopped program, or the code itself, has there.
    pub held: Option<Content>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    /// Its static type, or a more exact one where the code shows it (`box`, `newobj`).
    Of(TypeSig),
    Unknown,
}

impl Kind {
    fn is_number(&self) -> bool {
        let is_number = |primitive: &Primitive| !matches!(primitive, Primitive::String | Primitive::Object);
        matches!(self, Self::Of(TypeSig::Primitive(primitive)) if is_number(primitive))
    }
}

impl Value {
    pub(super) fn of(type_: TypeSig) -> Self {
        Self {
            owned: false,
            kind: Kind::Of(plain(type_)),
            is_exact: false,
            is_judged: false,
            made_at: None,
            held: None,
        }
    }

    pub(super) fn owned(type_: TypeSig) -> Self {
        Self { owned: true, kind: Kind::Of(plain(type_)), is_exact: false, is_judged: false, made_at: None, held: None }
    }

    pub(super) fn unknown() -> Self {
        Self { owned: false, kind: Kind::Unknown, is_exact: false, is_judged: false, made_at: None, held: None }
    }

    /// A number or the like: nothing can be written to it.
    pub(super) fn number() -> Self {
        Self::of(TypeSig::Primitive(Primitive::I4))
    }

    /// A number that the code names.
    pub(super) fn constant(number: i64) -> Self {
        Self { held: Some(Content::Number(number)), ..Self::number() }
    }

    pub(super) fn null() -> Self {
        Self { owned: true, kind: Kind::Null, is_exact: false, is_judged: false, made_at: None, held: None }
    }

    /// What a variable of that declared type holds.
    pub(super) fn holding(declared: TypeSig, held: Content) -> Self {
        let value = Self::of(declared);
        match &held {
            Content::Null => Self { held: Some(held), ..Self::null() },
            Content::Number(_) => Self { held: Some(held), ..value },
            Content::Object(_, type_) => {
                Self { kind: Kind::Of(type_.clone()), is_exact: true, held: Some(held), ..value }
            }
        }
    }

    /// One that a caller outside of IL gives.
    pub(super) fn of_argument(type_: &Option<TypeSig>) -> Self {
        type_.clone().map_or_else(Self::unknown, Self::of)
    }

    pub(super) fn type_(&self) -> Option<&TypeSig> {
        match &self.kind {
            Kind::Of(type_) => Some(type_),
            Kind::Null | Kind::Unknown => None,
        }
    }

    /// What holds on both of two ways to one place.
    pub(super) fn join(&self, other: &Self) -> Self {
        let kind = match (&self.kind, &other.kind) {
            (Kind::Null, kind) | (kind, Kind::Null) => kind.clone(),
            (a, b) if a == b => a.clone(),
            // a `char` and a constant, as the branches of `?:` have them
            (a, b) if a.is_number() && b.is_number() => Self::number().kind,
            _ => Kind::Unknown,
        };
        let made_at = self.made_at.filter(|_| self.made_at == other.made_at);
        // null is of every type
        let (is_exact, is_judged) = match (&self.kind, &other.kind) {
            (Kind::Null, _) => (other.is_exact, other.is_judged),
            (_, Kind::Null) => (self.is_exact, self.is_judged),
            (a, b) => (self.is_exact && other.is_exact && a == b, self.is_judged && other.is_judged),
        };
        let held = self.held.clone().filter(|_| self.held == other.held);
        Self { owned: self.owned && other.owned, kind, is_exact, is_judged, made_at, held }
    }
}

/// Without modifiers and pins, which say nothing of the value.
fn plain(type_: TypeSig) -> TypeSig {
    match type_ {
        TypeSig::Modified { inner, .. } | TypeSig::Pinned(inner) => plain(*inner),
        other => other,
    }
}

/// The type that an address points to.
pub(super) fn referent(type_: &TypeSig) -> &TypeSig {
    match type_ {
        TypeSig::ByRef(inner) | TypeSig::Pointer(inner) => referent(inner),
        TypeSig::Modified { inner, .. } | TypeSig::Pinned(inner) => referent(inner),
        other => other,
    }
}

/// The full name of the type that a value or an address of it has.
pub(super) fn name_of(value: &Value) -> Option<&str> {
    value.type_().and_then(|type_| referent(type_).full_name())
}

pub(super) fn name(type_: &TypeSig) -> Option<&TypeName> {
    match referent(type_) {
        TypeSig::Named(name) => Some(name),
        _ => None,
    }
}
