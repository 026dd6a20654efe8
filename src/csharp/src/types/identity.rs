//! Which types are one type: names of tuple elements do not distinguish them, nor whether they stand for a type parameter, nor does
//! `dynamic` within them, which is `object` to the runtime (ECMA-334, 10.2.2).
//!
//! By itself `dynamic` is a type of its own: what is done with its values is decided when they are known.

use std::hash::{Hash, Hasher};

use super::{Named, Type};

impl Type {
    /// As an argument of another type or as what an array is of.
    fn as_part(&self) -> &Self {
        match self {
            Self::Late => &Self::OBJECT,
            other => other,
        }
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Primitive(own), Self::Primitive(other)) => own == other,
            (Self::Named(own), Self::Named(other)) => own == other,
            (Self::Array { of: own, rank }, Self::Array { of: other, rank: other_rank }) => {
                rank == other_rank && own.as_part() == other.as_part()
            }
            (Self::Pointer(own), Self::Pointer(other)) | (Self::ByRef(own), Self::ByRef(other)) => {
                own.as_part() == other.as_part()
            }
            (Self::TypeParameter(own), Self::TypeParameter(other))
            | (Self::MethodParameter(own), Self::MethodParameter(other)) => own == other,
            (Self::Null, Self::Null) | (Self::Late, Self::Late) | (Self::Untyped, Self::Untyped) => true,
            _ => false,
        }
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Primitive(primitive) => primitive.hash(state),
            Self::Named(named) => named.hash(state),
            Self::Array { of, rank } => (of.as_part(), rank).hash(state),
            Self::Pointer(of) | Self::ByRef(of) => of.as_part().hash(state),
            Self::TypeParameter(number) | Self::MethodParameter(number) => number.hash(state),
            Self::Null | Self::Late | Self::Untyped => {}
        }
    }
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        let own = self.arguments.iter().map(Type::as_part);
        self.name == other.name && own.eq(other.arguments.iter().map(Type::as_part))
    }
}

impl Eq for Named {}

impl Hash for Named {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.arguments.iter().for_each(|argument| argument.as_part().hash(state));
    }
}
