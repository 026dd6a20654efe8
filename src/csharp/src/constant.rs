//! Values that are known without the program: numbers, texts, members of enums, `null`.

use std::sync::Arc;

use clr_metadata::Primitive;

use crate::Decimal;
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
