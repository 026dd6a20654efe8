//! Constants of metadata, and what constant expressions convert to by their value.

use clr_metadata::{AttributeValue, Primitive};

use crate::arithmetic::bounds;
use crate::constant::{Constant, Scalar};
use crate::types::{Type, TypeSystem};

/// The value of a `const`, of an optional parameter, or of a member of an enum.
pub(super) fn constant(value: &AttributeValue, type_: &Type, types: &TypeSystem) -> Option<Constant> {
    let type_ = type_.without_nullable();
    Some(match value {
        AttributeValue::Bool(value) => Constant::bool(*value),
        AttributeValue::Char(c) => Constant::Scalar(Scalar::Char(u32::from(*c) as u16)),
        AttributeValue::Int(number) => match type_ {
            Type::Primitive(primitive) => Constant::Scalar(Scalar::Int(*primitive, *number)),
            _ if types.is_enum(type_) => Constant::Enum(type_.clone(), *number),
            _ => Constant::Scalar(Scalar::Int(Primitive::I4, *number)),
        },
        AttributeValue::Float(number) => match type_ {
            Type::Primitive(Primitive::R4) => Constant::Scalar(Scalar::Single(*number as f32)),
            _ => Constant::Scalar(Scalar::Double(*number)),
        },
        AttributeValue::String(Some(text)) => Constant::text(text),
        AttributeValue::String(None) => Constant::Null,
        _ => return None,
    })
}

/// An `int` constant converts to a smaller type that has its value, a `long` one to `ulong` (ECMA-334, 10.2.11).
pub(super) fn fits(constant: &Constant, to: &Type) -> bool {
    let Constant::Scalar(Scalar::Int(from, number)) = constant else { return false };
    let Type::Primitive(to) = to else { return false };
    let targets: &[Primitive] = match from {
        Primitive::I4 => &[
            Primitive::I1,
            Primitive::U1,
            Primitive::I2,
            Primitive::U2,
            Primitive::U4,
            Primitive::U8,
            Primitive::UIntPtr,
        ],
        Primitive::I8 => &[Primitive::U8],
        _ => &[],
    };
    targets.contains(to) && bounds(*to).is_some_and(|(least, most)| (least..=most).contains(number))
}
