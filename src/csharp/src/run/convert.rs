//! Conversions of values.

use crate::arithmetic;
use crate::constant::{Constant, Scalar};
use crate::types::{Conversion, Direction, MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::late::BINDER;
use super::{Run, null_reference, threw, unsupported};

/// Why nobody can tell what a sequence is.
pub(super) const WITHOUT_TYPE: &str = "the debugger computes this sequence, so it has no type in the program";

impl<W: World> Run<'_, W> {
    pub(super) fn converted(
        &mut self,
        value: Value<W::Handle>,
        conversion: &Conversion,
        to: &Type,
        is_checked: bool,
    ) -> Evaluated<W> {
        match conversion {
            Conversion::None => Ok(value),
            Conversion::Number => self.number_as(&value, to.without_nullable(), is_checked),
            Conversion::Lifted(_) if value.is_null() => Ok(value),
            Conversion::Lifted(inner) => self.converted(value, inner, to.without_nullable(), is_checked),
            Conversion::Unwrapped(_) if value.is_null() => {
                threw("System.InvalidOperationException", "Nullable object must have a value.")
            }
            Conversion::Unwrapped(inner) => self.converted(value, inner, to, is_checked),
            Conversion::Checked => self.cast(value, to),
            Conversion::Late => self.cast_late(value, to, is_checked),
            Conversion::Fitting => self.fitting(value, to),
            Conversion::Elements(each) => {
                let Some(types) = to.without_nullable().elements() else { return Ok(value) };
                let types: Vec<Type> = types.into_iter().cloned().collect();
                let mut items = Vec::new();
                for (at, (inner, type_)) in each.iter().zip(&types).enumerate() {
                    let item = self.item(&value, at)?;
                    items.push(self.converted(item, inner, type_, is_checked)?);
                }
                Ok(Value::made(to.without_nullable().clone(), Content::Tuple(items)))
            }
        }
    }

    pub(super) fn number_as(&mut self, value: &Value<W::Handle>, to: &Type, is_checked: bool) -> Evaluated<W> {
        let scalar = match value {
            Value::Constant(Constant::Scalar(scalar)) => scalar.clone(),
            Value::Constant(Constant::Enum(type_, number)) => {
                let Some(underlying) = self.types.underlying(type_) else {
                    return unsupported("the enum's type was not found");
                };
                Scalar::Int(underlying, *number)
            }
            Value::Constant(Constant::Null) => return Ok(Value::NULL),
            _ => return unsupported(format!("the value cannot be converted to '{to}' here")),
        };
        let too_large = self.types.too_large();
        if let Some(underlying) = self.types.underlying(to) {
            let number = arithmetic::converted(&scalar, &Type::Primitive(underlying), is_checked, too_large);
            let Some(number) = number else {
                return unsupported(format!("the value cannot be converted to '{to}'"));
            };
            return match number? {
                Scalar::Int(_, number) => Ok(Value::Constant(Constant::Enum(to.clone(), number))),
                _ => unsupported(format!("the value cannot be converted to '{to}'")),
            };
        }
        match arithmetic::converted(&scalar, to, is_checked, too_large) {
            Some(number) => Ok(Value::scalar(number?)),
            None => unsupported(format!("the value cannot be converted to '{to}'")),
        }
    }

    fn fitting(&mut self, value: Value<W::Handle>, to: &Type) -> Evaluated<W> {
        let value = self.opened(value)?;
        let Some(type_) = self.run_time_type(&value)? else { return self.cast(value, to) };
        match self.types.conversion(&type_, to, Direction::Implicit) {
            Some(conversion) => self.converted(value, &conversion, to, false),
            None => Err(Failure::Compiler {
                code: "CS0029",
                message: format!("Cannot implicitly convert type '{type_}' to '{to}'"),
            }),
        }
    }

    /// What is in a box, where a literal says all of it.
    pub(super) fn opened(&mut self, value: Value<W::Handle>) -> Evaluated<W> {
        let Value::Object(handle) = &value else { return Ok(value) };
        Ok(match self.world.unboxed(handle)? {
            Some(constant) => Value::Constant(constant),
            None => value,
        })
    }

    /// As the run-time type converts.
    fn cast_late(&mut self, value: Value<W::Handle>, to: &Type, is_checked: bool) -> Evaluated<W> {
        let value = self.opened(value)?;
        let Some(type_) = self.run_time_type(&value)? else { return self.cast(value, to) };
        match self.types.conversion(&type_, to, Direction::Explicit) {
            Some(conversion @ (Conversion::Number | Conversion::Lifted(_) | Conversion::Elements(_))) => {
                self.converted(value, &conversion, to, is_checked)
            }
            None if !self.is_of(&type_, to.without_nullable()) => {
                if self.converts_itself(&type_, to) {
                    return unsupported(format!("'{}' converts itself: add a cast to it", type_.short()));
                }
                threw(BINDER, format!("Cannot convert type '{type_}' to '{to}'"))
            }
            _ => self.cast(value, to),
        }
    }

    /// Whether one of the types has an operator that converts the one to the other.
    fn converts_itself(&self, from: &Type, to: &Type) -> bool {
        let converts = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Explicit).is_some();
        let owners = [from, to].into_iter().flat_map(|type_| self.types.chain(type_));
        let mut operators = owners.flat_map(|owner| {
            let definition = self.types.definition(&owner);
            let of = |name| definition.as_ref().map(|it| self.types.methods(it, name).to_vec()).unwrap_or_default();
            let methods = of("op_Implicit").into_iter().chain(of("op_Explicit"));
            methods
                .map(move |method| MethodRef { owner: owner.clone(), method, arguments: Vec::new() })
                .collect::<Vec<_>>()
        });
        operators.any(|operator| {
            operator.parameter_type(0).is_some_and(|taken| converts(from, &taken)) && converts(&operator.returns(), to)
        })
    }

    /// By the run-time type.
    pub(super) fn cast(&mut self, value: Value<W::Handle>, to: &Type) -> Evaluated<W> {
        // the box itself stays where a reference is wanted
        let value = if self.types.is_value_type(to) || *to == Type::Late { self.opened(value)? } else { value };
        let Some(type_) = self.run_time_type(&value)? else {
            let takes_null = to.is_nullable() || !self.types.is_value_type(to);
            return if takes_null { Ok(value) } else { null_reference() };
        };
        if self.is_of(&type_, to.without_nullable()) {
            return Ok(value);
        }
        // a box holds an enum, its number, or another enum of such numbers alike, but not for a `T?`
        let target = to.without_nullable();
        let number = |type_: &Type| self.types.underlying(type_).map_or_else(|| type_.clone(), Type::Primitive);
        let has_enum = self.types.is_enum(target) || self.types.is_enum(&type_);
        if has_enum && !to.is_nullable() && number(target) == number(&type_) {
            return self.number_as(&value, target, false);
        }
        if self.is_without_type(&value) {
            return unsupported(WITHOUT_TYPE);
        }
        threw(
            "System.InvalidCastException",
            format!("Unable to cast object of type '{}' to type '{}'.", reflection(&type_), reflection(to)),
        )
    }

    /// Whether a value is of a type; null is of none.
    pub(super) fn is_instance(&mut self, value: &Value<W::Handle>, type_: &Type) -> Result<bool, Failure<W::Error>> {
        let is_instance = self.run_time_type(value)?.is_some_and(|own| self.is_of(&own, type_));
        if !is_instance && self.is_without_type(value) {
            return unsupported(WITHOUT_TYPE);
        }
        Ok(is_instance)
    }

    /// Whether a value is a sequence that the program would have an object of some class of the framework for.
    pub(super) fn is_without_type(&self, value: &Value<W::Handle>) -> bool {
        matches!(value, Value::Made(made) if self.types.is_interface(&made.type_))
    }

    fn is_of(&self, own: &Type, type_: &Type) -> bool {
        own == type_ || self.types.is_a(own, type_) || self.types.has_like_elements(own, type_)
    }
}

/// As exceptions name a type.
pub(super) fn reflection(type_: &Type) -> String {
    match type_ {
        Type::Array { of, rank } => format!("{}[{}]", reflection(of), ",".repeat(*rank as usize - 1)),
        Type::Named(named) if !named.arguments.is_empty() => {
            let arguments: Vec<String> = named.arguments.iter().map(reflection).collect();
            format!("{}[{}]", named.name, arguments.join(","))
        }
        other => other.name().map_or_else(|| other.to_string(), str::to_owned),
    }
}
