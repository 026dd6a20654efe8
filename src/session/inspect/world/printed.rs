//! What the program would print of a number: in its culture, whose signs are read. What it prints of other values, by its own methods.

use std::sync::Arc;

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::floating;
use clr_csharp::types::{Method, MethodRef, Type};
use clr_csharp::value::Value;
use clr_metadata::is_framework;

use super::handle::Handle;
use super::passed::literal;
use super::program::Program;
use crate::session::error::Code;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::number_format;

impl Program<'_> {
    /// `ToString` of a number, with a format or without; `None`: it is another method, or of something else.
    pub(super) fn number_text(
        &self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Result<Option<String>, EvalError> {
        let (Some(Value::Constant(Constant::Scalar(scalar))), "ToString") = (this, method.method.name.as_str()) else {
            return Ok(None);
        };
        let format = match arguments {
            [] => None,
            [Value::Constant(Constant::Text(format))]
            | [Value::Constant(Constant::Text(format)), Value::Constant(Constant::Null)] => {
                Some(String::from_utf16_lossy(format))
            }
            _ => return Ok(None),
        };
        let invariant = match (&format, scalar) {
            (None, Scalar::Bool(value)) => return Ok(Some(if *value { "True" } else { "False" }.to_owned())),
            (None, Scalar::Char(unit)) => return Ok(Some(String::from_utf16_lossy(&[*unit]))),
            (None, Scalar::Int(_, number)) => number.to_string(),
            (None, Scalar::Single(number)) if number.is_finite() => floating::single(*number).unwrap_or_default(),
            (None, Scalar::Double(number)) if number.is_finite() => floating::double(*number).unwrap_or_default(),
            (None, Scalar::Decimal(number)) => number.to_string(),
            (None, _) => return Ok(None),
            (Some(format), scalar) => {
                // digits in groups have a sign of their own
                let is_grouped = format.starts_with(['N', 'n', 'C', 'c', 'P', 'p']) || format.contains(',');
                match number_format::apply(&literal(scalar), format).filter(|_| !is_grouped) {
                    Some(text) => text,
                    None => return Ok(None),
                }
            }
        };
        self.in_culture(&invariant).map(Some)
    }

    /// `ToString` of a type of the framework with its format alone, which is the same as with no provider: no adapter finds a method by a
    /// null. `None`: it is another method.
    pub(super) fn by_format_alone(
        &self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Result<Option<MethodRef>, EvalError> {
        let (Some(this), [Value::Constant(Constant::Text(_)), Value::Constant(Constant::Null)]) = (this, arguments)
        else {
            return Ok(None);
        };
        let is_provider = method.parameter_type(1).is_some_and(|it| it.is("System.IFormatProvider"));
        if method.method.name != "ToString" || !is_provider {
            return Ok(None);
        }
        let type_ = match this {
            Value::Object(handle) => self.type_at(handle)?,
            Value::Constant(Constant::Enum(type_, _)) => type_.clone(),
            Value::Constant(Constant::Scalar(scalar)) => scalar.type_(),
            _ => return Ok(None),
        };
        let is_it = |it: &&Arc<Method>| {
            matches!(it.parameters.as_slice(), [format] if format.type_ == Type::STRING)
                && is_framework(it.assembly.path())
        };
        for owner in self.types.chain(&type_) {
            let Some(definition) = self.types.definition(&owner) else { continue };
            if let Some(found) = self.types.methods(&definition, "ToString").iter().find(is_it) {
                return Ok(Some(MethodRef { owner, method: found.clone(), arguments: Vec::new() }));
            }
            // what a type of the program's own writes instead is not known
            if !is_framework(definition.assembly.path()) && !self.types.is_enum(&type_) {
                break;
            }
        }
        Err(EvalError::certain(
            Code::EvaluationFailed,
            format!("`{}.ToString` takes a format provider, and this adapter cannot pass null for it", type_.short()),
        ))
    }
}
