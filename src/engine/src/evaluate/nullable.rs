//! The methods of `T?`. A call in the program cannot be made on one: what the runtime passes is what is in it, or nothing.

use super::extensions::Extension;
use super::operators::Operand;
use super::overloads::Wanted;
use super::{EvalError, Evaluation};
use crate::types;
use crate::values::{Content, Place, Scalar, Step, field_named};

impl Evaluation<'_> {
    /// `None`: the value in it answers as well.
    pub(super) fn method_of_nullable(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &[Operand],
    ) -> Result<Option<Operand>, EvalError> {
        let value = place.read(self.stopped)?;
        if !value.is_nullable() {
            return Ok(None);
        }
        let is_null = matches!(value.content()?, Content::Null);
        let number = |number| Operand::Scalar(Scalar::Int(clr_metadata::Primitive::I4, number));
        Ok(match (name, arguments, is_null) {
            ("GetValueOrDefault", [], _) => {
                let missing = || EvalError::failed("the fields of the nullable value cannot be read");
                let definition = types::definition(self.stopped.target(), &value.type_()?).ok_or_else(missing)?;
                let field = field_named(&definition, "value").ok_or_else(missing)?;
                Some(Operand::Place(place.then(Step::Field { class: definition.class, field })))
            }
            ("GetValueOrDefault", [_], false) => Some(Operand::Place(place.then(Step::Inside))),
            ("GetValueOrDefault", [default], true) => {
                let inner = match value.signature()? {
                    clr_metadata::TypeSig::Named(name) => name.arguments.into_iter().next(),
                    _ => None,
                };
                Some(self.as_declared(default, inner.as_ref())?)
            }
            ("ToString", [], true) => Some(Operand::Text(Vec::new())),
            ("GetHashCode", [], true) => Some(number(0)),
            ("Equals", [other], _) if is_null || self.is_null(other)? => {
                Some(Operand::Scalar(Scalar::Bool(is_null && self.is_null(other)?)))
            }
            ("Equals" | "ToString" | "GetHashCode" | "GetType", _, false) => None,
            ("GetType", [], true) => return Err(EvalError::failed(super::NULL)),
            _ => {
                let type_name = value.type_name();
                let wanted = Wanted { name, types: &[], arguments, is_static: false };
                if let Extension::Method(found) = self.extension(&Operand::Place(place.clone()), wanted)? {
                    return self.run(*found, None).map(Some);
                }
                return Err(EvalError::failed(format!(
                    "error CS1061: '{type_name}' does not contain a definition for '{name}' that takes these arguments; \
                     its `.Value` may"
                )));
            }
        })
    }

    /// A constant as a value of that type.
    fn as_declared(&self, operand: &Operand, type_: Option<&clr_metadata::TypeSig>) -> Result<Operand, EvalError> {
        use crate::calls::Argument;
        let wrong = || {
            let to = type_.map(types::text).unwrap_or_default();
            EvalError::failed(format!(
                "error CS1503: Argument 1: cannot convert from '{}' to '{to}'",
                self.signature(operand).map_or_else(|| operand.type_name(), |from| types::text(&from))
            ))
        };
        match self.converted(operand, type_.ok_or_else(wrong)?).ok_or_else(wrong)?.1 {
            Argument::Scalar(scalar) | Argument::Boxed(scalar) => Ok(Operand::Scalar(scalar)),
            Argument::Place(place) | Argument::BoxedPlace(place) => Ok(Operand::Place(place)),
            _ => Err(wrong()),
        }
    }
}
