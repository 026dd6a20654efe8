//! Casts: numbers are converted, boxes are opened as what they hold, references must refer to such an object.

use clr_metadata::{Primitive, TypeSig, names};

use super::operators::{self, Operand, wrapped};
use super::{EvalError, Evaluation};
use crate::types;
use crate::values::Scalar;

impl Evaluation<'_> {
    pub(super) fn cast(&mut self, type_: &str, of: Operand) -> Result<Operand, EvalError> {
        let is_boxed = match &of {
            Operand::Place(place) => place.read(self.stopped)?.is_boxed(),
            _ => false,
        };
        if is_boxed && matches!(type_, "object" | "System.Object") {
            // the very object, not a copy of what is in it
            return Ok(of);
        }
        let value = self.simplified(of)?;
        if let Operand::Null(_) = value {
            return Ok(Operand::Null(Some(type_.to_owned())));
        }
        let Some(from) = self.signature(&value) else { return Ok(value) };
        let invalid = |to: &str| {
            EvalError::failed(format!(
                "System.InvalidCastException: an object of type '{}' cannot be cast to '{to}'",
                types::text(&from)
            ))
        };
        let is_number = match Primitive::from_name(type_) {
            Some(primitive) => !matches!(primitive, Primitive::String | Primitive::Object),
            None => matches!(type_, "decimal" | "System.Decimal"),
        };
        if is_number {
            let Operand::Scalar(scalar) = &value else { return Err(invalid(type_)) };
            let held = match scalar {
                Scalar::Enum(definition, _) => definition.view().enum_underlying().map(TypeSig::Primitive),
                other => Some(other.signature()),
            };
            let is_exact =
                held.and_then(|held| held.full_name().map(|name| name == type_ || types::text(&held) == type_));
            return if is_boxed && is_exact != Some(true) {
                Err(invalid(type_))
            } else {
                operators::cast(type_, value)
            };
        }
        let Some(to) = names::parse_type(type_).and_then(|type_| self.meant(&type_)) else {
            // of one with type arguments only its own name is known
            let held = types::text(&from);
            return match held == type_ || held.ends_with(&format!(".{type_}")) {
                true => Ok(value),
                false => Err(EvalError::failed(format!("'{held}' cannot be cast to '{type_}' here"))),
            };
        };
        if types::is_assignable(self.stopped.target(), &from, &to) {
            return Ok(value);
        }
        self.to_enum(type_, &value, is_boxed).ok_or_else(|| invalid(&types::text(&to)))
    }

    /// A number as an enum's.
    fn to_enum(&self, type_: &str, value: &Operand, is_boxed: bool) -> Option<Operand> {
        let definition = types::definition(self.stopped.target(), &self.find_type(type_)?.type_)?;
        let underlying = definition.view().is_enum().then(|| definition.view().enum_underlying())??;
        let number = match value {
            Operand::Scalar(Scalar::Int(held, number)) if !is_boxed || *held == underlying => *number,
            Operand::Scalar(Scalar::Enum(_, number)) if !is_boxed => *number,
            _ => return None,
        };
        Some(Operand::Scalar(Scalar::Enum(definition, wrapped(underlying, number))))
    }

    /// The type that a name of the source means; `None` for those with type arguments.
    pub(super) fn meant(&self, written: &TypeSig) -> Option<TypeSig> {
        match written {
            TypeSig::Primitive(_) => Some(written.clone()),
            TypeSig::Named(name) if name.arguments.is_empty() => {
                let found = self.find_type(&name.full_name)?;
                Some(types::signature(self.stopped.target(), &found.type_))
            }
            TypeSig::Array(inner) => Some(TypeSig::Array(Box::new(self.meant(inner)?))),
            _ => None,
        }
    }
}
