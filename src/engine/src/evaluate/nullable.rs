//! The methods of `T?`. A call in the program cannot be made on one: what the runtime passes is what is in it, or nothing.

use clr_metadata::names;

use super::extensions::Extension;
use super::operators::Operand;
use super::overloads::Wanted;
use super::{EvalError, Evaluation, kept, statics};
use crate::calls::{Argument, What};
use crate::com;
use crate::types;
use crate::values::{Content, Place, Scalar, Step, field_named};

/// An operand of an operator that is lifted.
struct Held {
    /// `None` for null.
    value: Option<Operand>,
    /// `T`, where it is a `T?`.
    type_: Option<com::Type>,
}

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

    /// An operator of the program's own where an operand is a `T?` (C# specification, 12.4.8); `None`: neither is one.
    pub(super) fn lifted_operator(
        &mut self,
        (sign, method): (&str, &str),
        left: &Operand,
        right: &Operand,
    ) -> Result<Option<Operand>, EvalError> {
        let (left, right) = (self.held(left)?, self.held(right)?);
        let Some(type_) = left.type_.clone().or_else(|| right.type_.clone()) else { return Ok(None) };
        if !self.has_method(&type_, method) {
            return Ok(None);
        }
        let truth = |value| Ok(Some(Operand::Scalar(Scalar::Bool(value))));
        let (left, right) = match (left.value, right.value) {
            (Some(left), Some(right)) => (left, right),
            (left, right) => {
                let are_null = left.is_none() && right.is_none();
                return match sign {
                    "==" | "!=" => truth(are_null == (sign == "==")),
                    "<" | ">" | "<=" | ">=" => truth(false),
                    _ => Ok(Some(Operand::Null(Some(format!("{}?", types::name(self.stopped.target(), &type_)))))),
                };
            }
        };
        let result = self.defined_operator(sign, &left, &right)?;
        if matches!(sign, "==" | "!=" | "<" | ">" | "<=" | ">=") {
            return Ok(Some(result));
        }
        let type_ = self.signature(&result).and_then(|type_| self.instance(&statics::nullable(type_)));
        let held = match &result {
            Operand::Place(place) => Argument::Place(place.clone()),
            Operand::Scalar(scalar) => Argument::Scalar(scalar.clone()),
            _ => return Ok(Some(result)),
        };
        let Some(type_) = type_ else { return Ok(Some(result)) };
        let made = self.call(What::Nullable { type_, held })?;
        Ok(Some(made.map_or(result, kept)))
    }

    /// What an operand is without its `?`.
    fn held(&self, operand: &Operand) -> Result<Held, EvalError> {
        let plain = Held { value: Some(operand.clone()), type_: None };
        Ok(match operand {
            Operand::Null(name) => {
                let inner = name.as_deref().and_then(|name| names::parse_type(name.strip_suffix('?')?));
                let type_ = inner.and_then(|inner| self.instance(&self.meant(&inner)?));
                Held { value: None, type_ }
            }
            Operand::Place(place) if place.read(self.stopped)?.is_nullable() => {
                let inside = place.then(Step::Inside);
                let type_ = inside.read(self.stopped)?.type_()?;
                Held { value: Some(Operand::Place(inside)), type_: Some(type_) }
            }
            _ => plain,
        })
    }

    /// A constant as a value of that type.
    fn as_declared(&self, operand: &Operand, type_: Option<&clr_metadata::TypeSig>) -> Result<Operand, EvalError> {
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
