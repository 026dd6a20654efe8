//! Values that one literal says all of.

use clr_metadata::{Primitive, TypeName, TypeSig};

use crate::com::{self, Interface as _, element};
use crate::types::Definition;

#[derive(Clone)]
pub enum Scalar {
    Bool(bool),
    /// A UTF-16 unit, which may be half a character.
    Char(u16),
    Int(Primitive, i128),
    Single(f32),
    Double(f64),
    /// Its digits, with sign and point.
    Decimal(String),
    Enum(Definition, i128),
}

impl Scalar {
    /// From the fields of a `decimal`. A zero has no sign, as .NET prints it.
    pub fn decimal(flags: i128, high: i128, low: i128) -> Self {
        let digits = (u128::from(high as u32) << 64) | u128::from(low as u64);
        let scale = (flags >> 16 & 0xff) as usize;
        let mut text = format!("{digits:0>width$}", width = scale + 1);
        if scale > 0 {
            text.insert(text.len() - scale, '.');
        }
        Self::Decimal(if (flags as i32) < 0 && digits != 0 { format!("-{text}") } else { text })
    }

    /// Its element code and bytes, where it is a primitive.
    pub fn bytes(&self) -> Option<(u32, Vec<u8>)> {
        use Primitive::*;
        Some(match self {
            Self::Bool(value) => (element::BOOLEAN, vec![u8::from(*value)]),
            Self::Char(unit) => (element::CHAR, unit.to_le_bytes().to_vec()),
            Self::Single(number) => (element::R4, number.to_le_bytes().to_vec()),
            Self::Double(number) => (element::R8, number.to_le_bytes().to_vec()),
            Self::Int(primitive, number) => {
                let (kind, size) = match primitive {
                    I1 => (element::I1, 1),
                    U1 => (element::U1, 1),
                    I2 => (element::I2, 2),
                    U2 => (element::U2, 2),
                    I4 => (element::I4, 4),
                    U4 => (element::U4, 4),
                    I8 => (element::I8, 8),
                    U8 => (element::U8, 8),
                    IntPtr => (element::I, 8),
                    UIntPtr => (element::U, 8),
                    _ => return None,
                };
                (kind, number.to_le_bytes().get(..size)?.to_vec())
            }
            Self::Decimal(_) | Self::Enum(..) => return None,
        })
    }

    pub fn signature(&self) -> TypeSig {
        let named =
            |full_name: String| TypeSig::Named(TypeName { full_name, is_value_type: true, ..TypeName::default() });
        match self {
            Self::Enum(definition, _) => named(definition.view().full_name()),
            Self::Decimal(_) => named("System.Decimal".into()),
            other => {
                Primitive::from_name(&other.type_name()).map_or_else(|| named(other.type_name()), TypeSig::Primitive)
            }
        }
    }

    /// C#'s keyword, or the type's name.
    pub fn type_name(&self) -> String {
        match self {
            Self::Bool(_) => "bool".into(),
            Self::Char(_) => "char".into(),
            Self::Int(primitive, _) => primitive.keyword().into(),
            Self::Single(_) => "float".into(),
            Self::Double(_) => "double".into(),
            Self::Decimal(_) => "decimal".into(),
            Self::Enum(definition, _) => definition.view().full_name().replace('+', "."),
        }
    }
}

/// Of a value with bytes of its own; `None` where it has none.
pub fn read(value: &com::Value, kind: u32) -> com::Result<Option<Scalar>> {
    let is_plain = matches!(kind, element::BOOLEAN..=element::R8 | element::I | element::U);
    if !is_plain {
        return Ok(None);
    }
    let Ok(generic) = value.cast::<com::GenericValue>() else { return Ok(None) };
    Ok(of_bytes(kind, &generic.bytes()?))
}

pub fn of_bytes(kind: u32, bytes: &[u8]) -> Option<Scalar> {
    let mut word = [0_u8; 8];
    let length = bytes.len().min(8);
    word.get_mut(..length)?.copy_from_slice(bytes.get(..length)?);
    of_bits(u8::try_from(kind).ok().and_then(Primitive::from_code)?, u64::from_le_bytes(word))
}

/// What is behind its own bits is not looked at.
pub fn of_bits(primitive: Primitive, bits: u64) -> Option<Scalar> {
    Some(match primitive {
        Primitive::Boolean => Scalar::Bool(bits & 0xff != 0),
        Primitive::Char => Scalar::Char(bits as u16),
        Primitive::R4 => Scalar::Single(f32::from_bits(bits as u32)),
        Primitive::R8 => Scalar::Double(f64::from_bits(bits)),
        Primitive::I1 => Scalar::Int(primitive, i128::from(bits as i8)),
        Primitive::U1 => Scalar::Int(primitive, i128::from(bits as u8)),
        Primitive::I2 => Scalar::Int(primitive, i128::from(bits as i16)),
        Primitive::U2 => Scalar::Int(primitive, i128::from(bits as u16)),
        Primitive::I4 => Scalar::Int(primitive, i128::from(bits as i32)),
        Primitive::U4 => Scalar::Int(primitive, i128::from(bits as u32)),
        Primitive::I8 | Primitive::IntPtr => Scalar::Int(primitive, i128::from(bits.cast_signed())),
        Primitive::U8 | Primitive::UIntPtr => Scalar::Int(primitive, i128::from(bits)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_sign_and_scale() {
        for (flags, high, low, expected) in [
            (0x0002_0000_i128, 0, 12345, "123.45"),
            (-0x8000_0000 + 0x0003_0000, 0, 5, "-0.005"),
            (0, 0, 0, "0"),
            (-0x8000_0000 + 0x0002_0000, 0, 0, "0.00"),
            (0, 0xffff_ffff, -1, "79228162514264337593543950335"),
        ] {
            let Scalar::Decimal(text) = Scalar::decimal(flags, high, low) else { panic!() };
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        for (kind, bytes, expected) in [
            (element::I1, &[0xff][..], -1),
            (element::U1, &[0xff], 255),
            (element::I4, &[0xfe, 0xff, 0xff, 0xff], -2),
            (element::U8, &[0xff; 8], i128::from(u64::MAX)),
        ] {
            let Some(Scalar::Int(_, number)) = of_bytes(kind, bytes) else { panic!("{kind}") };
            assert_eq!(number, expected);
        }
    }
}
