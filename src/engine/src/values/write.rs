//! Assignment to variables, fields and elements.

use clr_metadata::{Primitive, TypeSig};

use super::{Scalar, Value};
use crate::com::{self, HResult, Interface as _, element};

/// Why a value was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("Cannot implicitly convert type '{from}' to '{to}'")]
    Type { from: String, to: String },
    #[error("{0}")]
    Runtime(#[from] HResult),
}

impl Value<'_> {
    /// # Errors
    /// It does not fit into this place's type, or the runtime refused.
    pub fn write_scalar(&self, scalar: &Scalar) -> Result<(), WriteError> {
        let place = self.settled()?;
        if let Some((has_value, value)) = place.nullable_parts() {
            value
                .write_scalar(scalar)
                .map_err(|_| WriteError::Type { from: scalar.type_name(), to: self.type_name() })?;
            return has_value.write_scalar(&Scalar::Bool(true));
        }
        let kind = place.com.kind()?;
        let declared = place.type_()?;
        let mismatch = || WriteError::Type { from: scalar.type_name(), to: self.type_name() };
        let size = place.com.size()? as usize;
        if kind == element::VALUETYPE {
            let signature = crate::types::signature(self.stopped.target(), &declared);
            // a static field of a generic type's own parameter comes as a struct, whatever the argument is
            if let TypeSig::Primitive(primitive) = signature {
                let bytes = bytes_of(scalar, primitive).ok_or_else(mismatch)?;
                return Ok(place.set(bytes.get(..size).ok_or_else(mismatch)?)?);
            }
            let bytes = match (scalar, signature.full_name()) {
                (Scalar::Enum(definition, number), Some(name)) if definition.view().full_name() == name => {
                    number.to_le_bytes().get(..size).map(<[u8]>::to_vec)
                }
                (Scalar::Decimal(text), Some("System.Decimal")) => decimal_bytes(text),
                (Scalar::Int(_, number), Some("System.Decimal")) => decimal_bytes(&number.to_string()),
                _ => None,
            };
            return Ok(place.set(&bytes.ok_or_else(mismatch)?)?);
        }
        let primitive = u8::try_from(kind).ok().and_then(Primitive::from_code).ok_or_else(mismatch)?;
        let bytes = bytes_of(scalar, primitive).ok_or_else(mismatch)?;
        Ok(place.set(bytes.get(..size).ok_or_else(mismatch)?)?)
    }

    /// Makes a reference refer to what another one refers to, whose type the caller has checked; a struct becomes a copy of another.
    pub fn write_value(&self, from: &Value<'_>) -> Result<(), WriteError> {
        let place = self.settled()?;
        let Ok(reference) = place.com.cast::<com::ReferenceValue>() else {
            let source = from.target()?.ok_or(HResult::POINTER)?;
            if let Some((has_value, value)) = place.nullable_parts().filter(|_| !source.is_nullable()) {
                let mismatch = |_| WriteError::Type { from: source.type_name(), to: self.type_name() };
                value.write_value(from).map_err(mismatch)?;
                return has_value.write_scalar(&Scalar::Bool(true));
            }
            if source.type_name() != self.type_name() {
                return Err(WriteError::Type { from: source.type_name(), to: self.type_name() });
            }
            let bytes = source.com.cast::<com::GenericValue>()?.bytes()?;
            return Ok(place.set(&bytes)?);
        };
        // of a struct there is an address, too, but no object lies there
        let from = from.settled()?.com.cast::<com::ReferenceValue>()?;
        reference.set_target_address(if from.is_null()? { 0 } else { from.target_address()? })?;
        Ok(())
    }

    /// Whether it holds an address, through a `ref` too.
    pub fn is_reference(&self) -> bool {
        self.settled().is_ok_and(|place| place.com.cast::<com::ReferenceValue>().is_ok())
    }

    pub fn write_null(&self) -> Result<(), WriteError> {
        let place = self.settled()?;
        if let Some((has_value, value)) = place.nullable_parts() {
            // `x ?? 0` is compiled to GetValueOrDefault, which reads the value alone
            value.set(&vec![0; value.com.size()? as usize])?;
            return has_value.write_scalar(&Scalar::Bool(false));
        }
        let reference = place.com.cast::<com::ReferenceValue>();
        let reference = reference.map_err(|_| WriteError::Type { from: "null".into(), to: self.type_name() })?;
        reference.set_target_address(0)?;
        Ok(())
    }

    /// The two fields of a `T?`.
    fn nullable_parts(&self) -> Option<(Self, Self)> {
        if !self.is_nullable() {
            return None;
        }
        let com: com::ObjectValue = self.com.cast().ok()?;
        let object = super::Object { stopped: self.stopped, com, type_: self.type_().ok()? };
        Some((object.field("hasValue")?, object.field("value")?))
    }

    /// Through a `ref`.
    pub fn settled(&self) -> com::Result<Self> {
        let mut com = self.com.clone();
        if com.kind()? == element::BYREF {
            com = com.cast::<com::ReferenceValue>()?.dereference()?;
        }
        Ok(Self { stopped: self.stopped, com })
    }

    fn set(&self, bytes: &[u8]) -> com::Result<()> {
        self.com.cast::<com::GenericValue>()?.set_bytes(bytes)?;
        Ok(())
    }
}

/// The bytes of a value in a place of that type, by C#'s implicit conversions of constants.
fn bytes_of(scalar: &Scalar, to: Primitive) -> Option<Vec<u8>> {
    use Primitive::*;
    Some(match (scalar, to) {
        (Scalar::Bool(value), Boolean) => vec![u8::from(*value)],
        (Scalar::Char(unit), Char | U2) => unit.to_le_bytes().to_vec(),
        (Scalar::Char(unit), I4 | U4 | I8 | U8) => u64::from(*unit).to_le_bytes().to_vec(),
        (Scalar::Int(_, number), _) => match to {
            I1 => i8::try_from(*number).ok()?.to_le_bytes().to_vec(),
            U1 => u8::try_from(*number).ok()?.to_le_bytes().to_vec(),
            I2 => i16::try_from(*number).ok()?.to_le_bytes().to_vec(),
            U2 => u16::try_from(*number).ok()?.to_le_bytes().to_vec(),
            I4 => i32::try_from(*number).ok()?.to_le_bytes().to_vec(),
            U4 => u32::try_from(*number).ok()?.to_le_bytes().to_vec(),
            I8 | IntPtr => i64::try_from(*number).ok()?.to_le_bytes().to_vec(),
            U8 | UIntPtr => u64::try_from(*number).ok()?.to_le_bytes().to_vec(),
            R4 => (*number as f32).to_le_bytes().to_vec(),
            R8 => (*number as f64).to_le_bytes().to_vec(),
            _ => return None,
        },
        (Scalar::Single(number), R4) => number.to_le_bytes().to_vec(),
        (Scalar::Single(number), R8) => f64::from(*number).to_le_bytes().to_vec(),
        (Scalar::Double(number), R8) => number.to_le_bytes().to_vec(),
        _ => return None,
    })
}

/// The fields of a `decimal` in their order: flags, high, low.
fn decimal_bytes(text: &str) -> Option<Vec<u8>> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let number: u128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = u32::try_from(fraction.len()).ok().filter(|scale| *scale <= 28)?;
    if number >> 96 != 0 {
        return None;
    }
    let flags = (scale << 16) | (u32::from(negative) << 31);
    let mut bytes = flags.to_le_bytes().to_vec();
    bytes.extend(((number >> 64) as u32).to_le_bytes());
    bytes.extend((number as u64).to_le_bytes());
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_convert_as_the_compiler_would_allow() {
        let int = |number| Scalar::Int(Primitive::I4, number);
        assert_eq!(bytes_of(&int(255), Primitive::U1), Some(vec![255]));
        assert_eq!(bytes_of(&int(256), Primitive::U1), None);
        assert_eq!(bytes_of(&int(1), Primitive::Boolean), None);
        assert_eq!(bytes_of(&int(2), Primitive::R8), Some(2.0_f64.to_le_bytes().to_vec()));
        assert_eq!(bytes_of(&Scalar::Double(0.5), Primitive::R4), None);
    }

    #[test]
    fn a_decimal_is_its_fields() {
        let bytes = decimal_bytes("-123.45").unwrap();
        assert_eq!(bytes, [0, 0, 2, 0x80, 0, 0, 0, 0, 0x39, 0x30, 0, 0, 0, 0, 0, 0]);
        assert_eq!(decimal_bytes("79228162514264337593543950336"), None);
    }
}
