//! Values while an expression is evaluated.

use std::sync::Arc;

use clr_metadata::Primitive;

use crate::Decimal;
use crate::bound::{BoundLambda, Slot};
use crate::syntax::LiteralValue;
use crate::types::Type;

/// What a literal can say.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    Bool(bool),
    /// A UTF-16 unit.
    Char(u16),
    /// Of any integer type, within its range.
    Int(Primitive, i128),
    Single(f32),
    Double(f64),
    Decimal(Decimal),
}

impl Scalar {
    pub fn type_(&self) -> Type {
        Type::Primitive(match self {
            Self::Bool(_) => Primitive::Boolean,
            Self::Char(_) => Primitive::Char,
            Self::Int(primitive, _) => *primitive,
            Self::Single(_) => Primitive::R4,
            Self::Double(_) => Primitive::R8,
            Self::Decimal(_) => return Type::decimal(),
        })
    }

    pub fn int(number: i32) -> Self {
        Self::Int(Primitive::I4, number.into())
    }
}

/// A value that is known without the program.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    Null,
    Scalar(Scalar),
    Enum(Type, i128),
    /// UTF-16.
    Text(Arc<[u16]>),
}

impl Constant {
    /// Of a literal; `None` of UTF-8, which is an array.
    pub fn of_literal(literal: &LiteralValue) -> Option<Self> {
        Some(Self::Scalar(match literal {
            LiteralValue::Null => return Some(Self::Null),
            LiteralValue::String(units) => return Some(Self::Text(units.as_slice().into())),
            LiteralValue::Utf8(_) => return None,
            LiteralValue::Bool(value) => Scalar::Bool(*value),
            LiteralValue::Char(unit) => Scalar::Char(*unit),
            LiteralValue::Int(number) => Scalar::Int(Primitive::I4, (*number).into()),
            LiteralValue::UInt(number) => Scalar::Int(Primitive::U4, (*number).into()),
            LiteralValue::Long(number) => Scalar::Int(Primitive::I8, (*number).into()),
            LiteralValue::ULong(number) => Scalar::Int(Primitive::U8, (*number).into()),
            LiteralValue::Single(number) => Scalar::Single(*number),
            LiteralValue::Double(number) => Scalar::Double(*number),
            LiteralValue::Decimal(number) => Scalar::Decimal(*number),
        }))
    }

    /// The type that C# gives it; `null` has one of its own.
    pub fn type_(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Scalar(scalar) => scalar.type_(),
            Self::Enum(type_, _) => type_.clone(),
            Self::Text(_) => Type::STRING,
        }
    }

    pub fn text(text: &str) -> Self {
        Self::Text(text.encode_utf16().collect())
    }

    pub fn int(number: i32) -> Self {
        Self::Scalar(Scalar::int(number))
    }

    pub fn bool(value: bool) -> Self {
        Self::Scalar(Scalar::Bool(value))
    }
}

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
