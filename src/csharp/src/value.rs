//! Values while an expression is evaluated.

use std::sync::Arc;

use clr_metadata::Primitive;

use crate::bound::{BoundLambda, Slot};
use crate::constant::{Constant, Scalar};

use crate::types::{ANONYMOUS, PAIR, Type, TypeSystem};

/// A value. A `T?` is null or what it holds, a box what is in it.
#[derive(Debug, Clone)]
pub enum Value<H> {
    Constant(Constant),
    /// What lives in the program: an object, a struct, a string, an array.
    Object(H),
    /// What was made here, for this expression.
    Made(Arc<Made<H>>),
    /// Of a call that returns nothing.
    Void,
}

/// What an expression makes without the program.
#[derive(Debug)]
pub struct Made<H> {
    pub type_: Type,
    pub content: Content<H>,
}

#[derive(Debug)]
pub enum Content<H> {
    /// The elements of a tuple, or the members of an anonymous type.
    Tuple(Vec<Value<H>>),
    /// A sequence, an array, a list, a set: what its type says.
    Items(Vec<Value<H>>),
    /// Of a dictionary or a lookup, in their order.
    Entries(Vec<(Value<H>, Value<H>)>),
    Group {
        key: Value<H>,
        items: Vec<Value<H>>,
    },
    /// With what it has captured.
    Lambda {
        lambda: Arc<BoundLambda>,
        captured: Arc<[(Slot, Value<H>)]>,
    },
    /// A sequence that is not computed yet: an operator of `System.Linq.Enumerable` and what it is given.
    Query {
        operator: &'static str,
        arguments: Vec<Value<H>>,
    },
    Type(Type),
    /// `^3`, or `3`.
    Index {
        number: i32,
        is_from_end: bool,
    },
    Range {
        start: (i32, bool),
        end: (i32, bool),
    },
}

impl<H> Content<H> {
    /// Whether it is an object with elements, which is equal to nothing but itself.
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::Items(_) | Self::Entries(_) | Self::Group { .. } | Self::Query { .. })
    }

    /// What `ToString` gives of an index or a range: `^3`, `1..^2`. `None`: it is neither.
    pub fn as_position(&self) -> Option<String> {
        let text =
            |(number, is_from_end): (i32, bool)| if is_from_end { format!("^{number}") } else { number.to_string() };
        match self {
            Self::Index { number, is_from_end } => Some(text((*number, *is_from_end))),
            Self::Range { start, end } => Some(format!("{}..{}", text(*start), text(*end))),
            _ => None,
        }
    }
}

/// Its elements are not of its last type argument.
const LOOKUP: &str = "System.Linq.ILookup`2";

impl<H> Made<H> {
    /// Whether its parts are members with names of their own: an anonymous object, a pair.
    pub fn has_members(&self) -> bool {
        self.type_.is(ANONYMOUS) || self.type_.is(PAIR)
    }

    /// Of a dictionary or a lookup.
    pub fn key_type(&self) -> Type {
        self.type_.arguments().first().cloned().unwrap_or(Type::OBJECT)
    }

    /// Its type with the names that its expression has for the elements of tuples.
    pub fn type_as<'a>(&'a self, declared: &'a Type) -> &'a Type {
        if *declared == self.type_ { declared } else { &self.type_ }
    }

    /// The type that it is shown as: a sequence of which only an interface is known as the array that holds it here.
    pub fn shown_type(&self, type_: &Type, types: &TypeSystem) -> Type {
        let is_sequence = matches!(self.content, Content::Items(_));
        match is_sequence && types.is_interface(type_) && !type_.is(LOOKUP) {
            true => Type::array(element_type(type_).unwrap_or(Type::OBJECT)),
            false => type_.clone(),
        }
    }
}

/// The name of a part of a tuple, an anonymous object or a pair.
pub fn part_name(type_: &Type, at: usize) -> String {
    match (type_.element_names().get(at).cloned().flatten(), type_.is(PAIR), at) {
        (Some(name), ..) => name,
        (None, true, 0) => "Key".into(),
        (None, true, _) => "Value".into(),
        (None, false, _) => format!("Item{}", at + 1),
    }
}

/// What the elements of an array or a sequence are declared as.
pub fn element_type(type_: &Type) -> Option<Type> {
    match type_ {
        Type::Array { of, .. } => Some((**of).clone()),
        other => other.arguments().last().cloned(),
    }
}

impl<H> Value<H> {
    pub const NULL: Self = Self::Constant(Constant::Null);

    pub fn bool(value: bool) -> Self {
        Self::Constant(Constant::bool(value))
    }

    pub fn int(number: i32) -> Self {
        Self::Constant(Constant::int(number))
    }

    /// Of something that is counted.
    pub fn count(number: usize) -> Self {
        Self::Constant(Constant::Scalar(Scalar::Int(Primitive::I4, number.min(i32::MAX as usize) as i128)))
    }

    pub fn text(text: &str) -> Self {
        Self::Constant(Constant::text(text))
    }

    pub fn scalar(scalar: Scalar) -> Self {
        Self::Constant(Constant::Scalar(scalar))
    }

    pub fn made(type_: Type, content: Content<H>) -> Self {
        Self::Made(Arc::new(Made { type_, content }))
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Constant(Constant::Null))
    }

    pub fn as_scalar(&self) -> Option<&Scalar> {
        match self {
            Self::Constant(Constant::Scalar(scalar)) => Some(scalar),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.as_scalar() {
            Some(Scalar::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// Of an integer, a `char`, or an enum.
    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Self::Constant(Constant::Scalar(Scalar::Int(_, number)) | Constant::Enum(_, number)) => Some(*number),
            Self::Constant(Constant::Scalar(Scalar::Char(unit))) => Some((*unit).into()),
            _ => None,
        }
    }
}
