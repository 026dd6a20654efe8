//! Calls of methods, delegates, indexers and operators.

use clr_metadata::{TypeSig, names};

use super::expression::Expr;
use super::extensions::{self, Extension};
use super::operators::Operand;
use super::overloads::{Candidate, Wanted};
use super::{EvalError, Evaluation, NULL, kept};
use crate::calls::{Argument, What};
use crate::com;
use crate::types;
use crate::values::{Content, Place, Scalar, Step};

impl Evaluation<'_> {
    pub(super) fn invoke(&mut self, of: &Expr, arguments: &[Expr]) -> Result<Operand, EvalError> {
        let (target, name, types) = match of {
            Expr::Member { of, name, types } => (Some(self.operand(of)?), name, types),
            Expr::Name(name, _) if self.is_variable(name)? => return self.invoke_value(of, arguments),
            Expr::Name(name, types) => (self.this()?, name, types),
            _ => return self.invoke_value(of, arguments),
        };
        let types = types.iter().map(|text| self.type_argument(text)).collect::<Result<Vec<_>, _>>()?;
        let operands = arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>, _>>()?;
        if let (Some(Operand::Place(place)), []) = (&target, types.as_slice())
            && let Some(known) = self.method_of_nullable(place, name, &operands)?
        {
            return Ok(known);
        }
        if let ("HasFlag", Some(value), [flag]) = (name.as_str(), &target, operands.as_slice())
            && let Some(has) = self.has_flag(value, flag)?
        {
            return Ok(Operand::Scalar(Scalar::Bool(has)));
        }
        match self.method(target.as_ref(), name, &types, &operands) {
            // a field or property that holds a delegate
            Err(Unfound::Name(error)) => match self.operand(of) {
                Ok(value) if self.is_delegate(&value) => self.invoke_delegate(&value, &operands),
                _ => Err(error),
            },
            Err(Unfound::Other(error)) => Err(error),
            Ok(result) => Ok(result),
        }
    }

    /// What holds a delegate is called by its name.
    fn invoke_value(&mut self, of: &Expr, arguments: &[Expr]) -> Result<Operand, EvalError> {
        let value = self.value(of)?;
        if self.is_null(&value)? {
            return Err(EvalError::failed(NULL));
        }
        if !self.is_delegate(&value) {
            return Err(EvalError::failed("error CS0149: Method name expected"));
        }
        let arguments = arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>, _>>()?;
        self.invoke_delegate(&value, &arguments)
    }

    fn invoke_delegate(&mut self, value: &Operand, arguments: &[Operand]) -> Result<Operand, EvalError> {
        self.method(Some(value), "Invoke", &[], arguments).map_err(Unfound::error)
    }

    fn type_argument(&self, text: &str) -> Result<TypeSig, EvalError> {
        let meant = names::parse_type(text).and_then(|type_| self.meant(&type_));
        meant.ok_or_else(|| {
            EvalError::failed(format!(
                "the type argument '{text}' is not found, or of a kind that cannot be passed here"
            ))
        })
    }

    /// What `Enum.HasFlag` says; `None`: these are no values of one enum.
    fn has_flag(&self, value: &Operand, flag: &Operand) -> Result<Option<bool>, EvalError> {
        let (value, flag) = (self.simplified(value.clone())?, self.simplified(flag.clone())?);
        let (Operand::Scalar(Scalar::Enum(of, bits)), Operand::Scalar(Scalar::Enum(other, wanted))) = (value, flag)
        else {
            return Ok(None);
        };
        Ok((of.view().full_name() == other.view().full_name()).then_some(bits & wanted == wanted))
    }

    fn method(
        &mut self,
        target: Option<&Operand>,
        name: &str,
        types: &[TypeSig],
        arguments: &[Operand],
    ) -> Result<Operand, Unfound> {
        let wanted = Wanted { name, types, arguments, is_static: false };
        if let Some(receiver @ Operand::Place(place)) = target
            && self.is_null(receiver)?
        {
            return self.on_null(place, wanted);
        }
        let (this, type_, is_static) = match target {
            Some(Operand::Type(type_)) => (None, Some(type_.type_.clone()), true),
            Some(Operand::Null(_)) => return Err(EvalError::failed(NULL).into()),
            Some(Operand::Namespace(name)) => return Err(super::no_name(name).into()),
            Some(Operand::Place(place)) => {
                let (this, type_) = self.receiver(place)?;
                (Some(this), Some(type_), false)
            }
            Some(Operand::Text(units)) => {
                let type_ = self.find_type("string").map(|type_| type_.type_);
                (Some(Argument::Text(units.clone())), type_, false)
            }
            Some(Operand::Scalar(scalar)) => {
                let type_ = self.instance(&scalar.signature());
                (Some(Argument::Boxed(scalar.clone())), type_, false)
            }
            None => (None, None, true),
        };
        let wanted = Wanted { is_static, ..wanted };
        // a list that is declared as a sequence is reversed by `Enumerable.Reverse`, which changes nothing
        if let Some(receiver @ Operand::Place(place)) = target
            && place.declared(self.stopped).is_some_and(|declared| !self.declares_method(&declared, name))
            && let Extension::Method(found) = self.extension(receiver, wanted)?
        {
            return Ok(self.run(*found, None)?);
        }
        if let Some(found) = type_.as_ref().and_then(|type_| self.candidate(type_, wanted)) {
            return Ok(self.run(found, this)?);
        }
        let extension = match target {
            Some(receiver @ (Operand::Place(_) | Operand::Text(_) | Operand::Scalar(_))) => {
                self.extension(receiver, wanted)?
            }
            _ => Extension::None,
        };
        if let Extension::Method(found) = extension {
            return Ok(self.run(*found, None)?);
        }
        let mut around: Vec<com::Type> = type_.into_iter().collect();
        if matches!(target, None | Some(Operand::Place(_))) {
            // a static one of the types around, or of the object's own
            around.extend(self.enclosing_types());
            let wanted = Wanted { is_static: true, ..wanted };
            if let Some(found) = around.iter().find_map(|type_| self.candidate(type_, wanted)) {
                return Ok(self.run(found, None)?);
            }
        }
        let Some(type_name) = around.first().map(|type_| types::name(self.stopped.target(), type_)) else {
            return Err(Unfound::Name(super::no_name(name)));
        };
        let given: Vec<String> = arguments.iter().map(|argument| self.described(argument)).collect();
        if !around.iter().any(|type_| self.has_method(type_, name)) {
            return Err(Unfound::Name(match target {
                None => super::no_name(name),
                Some(_) => extensions::refusal(&extension, &type_name, name, &given),
            }));
        }
        Err(EvalError::failed(format!(
            "no overload of '{type_name}.{name}' that can be called here takes ({})",
            given.join(", ")
        ))
        .into())
    }

    /// Whether a type, its bases or their interfaces have a method of that name; true where they are not known.
    fn declares_method(&self, declared: &TypeSig, name: &str) -> bool {
        let bases = types::bases(self.stopped.target(), declared);
        bases.is_empty()
            || bases.iter().any(|base| self.instance(base).is_none_or(|type_| self.has_method(&type_, name)))
    }

    /// A method of its type needs an object; an extension method does not.
    fn on_null(&mut self, place: &Place, wanted: Wanted<'_>) -> Result<Operand, Unfound> {
        let declared = place.declared(self.stopped).and_then(|type_| self.instance(&type_));
        if declared.is_some_and(|type_| !self.has_method(&type_, wanted.name))
            && let Extension::Method(found) = self.extension(&Operand::Place(place.clone()), wanted)?
        {
            return Ok(self.run(*found, None)?);
        }
        Err(EvalError::failed(NULL).into())
    }

    /// The object that a method is called on, and its type.
    fn receiver(&self, place: &Place) -> Result<(Argument, com::Type), EvalError> {
        let value = place.read(self.stopped)?;
        let content = value.content()?;
        if matches!(content, Content::Null) {
            return Err(EvalError::failed(NULL));
        }
        let place = if value.is_nullable() { place.then(Step::Inside) } else { place.clone() };
        let value = place.read(self.stopped)?;
        let type_ = value.type_()?;
        Ok(match content {
            // a method of a number wants its address, and the runtime has one of a box only
            Content::Scalar(scalar) if scalar.bytes().is_some() && !value.is_boxed() => {
                (Argument::Boxed(scalar), type_)
            }
            _ => (Argument::Place(place), type_),
        })
    }

    fn described(&self, operand: &Operand) -> String {
        self.signature(operand).map_or_else(|| operand.type_name(), |type_| types::text(&type_))
    }

    pub(super) fn run(&mut self, found: Candidate, this: Option<Argument>) -> Result<Operand, EvalError> {
        let function = found.definition.module.function(found.method.token().0)?;
        let arguments: Vec<Argument> = this.into_iter().chain(found.arguments).collect();
        let result = self.call(What::Function { function, types: found.types, arguments })?;
        Ok(result.map_or(Operand::Null(Some("void".into())), kept))
    }

    /// The indexer of an object; `None`: it has none that takes these.
    pub(super) fn indexer(&mut self, place: &Place, indices: &[Operand]) -> Result<Option<Operand>, EvalError> {
        let type_ = place.read(self.stopped)?.type_()?;
        let name = self.indexer_name(&type_);
        let wanted = Wanted { name: &name, types: &[], arguments: indices, is_static: false };
        match self.candidate(&type_, wanted) {
            Some(found) => self.run(found, Some(Argument::Place(place.clone()))).map(Some),
            None => Ok(None),
        }
    }

    /// `[IndexerName]` changes it.
    fn indexer_name(&self, type_: &com::Type) -> String {
        let named = types::chain(type_).iter().find_map(|type_| {
            let definition = types::definition(self.stopped.target(), type_)?;
            let indexer = definition.view().properties().into_iter().find(|property| property.is_indexer)?;
            Some(format!("get_{}", indexer.name))
        });
        named.unwrap_or_else(|| "get_Item".into())
    }

    /// An operator that the program defines.
    pub(super) fn defined_operator(
        &mut self,
        sign: &str,
        left: &Operand,
        right: &Operand,
    ) -> Result<Operand, EvalError> {
        let method = match sign {
            "+" => "op_Addition",
            "-" => "op_Subtraction",
            "*" => "op_Multiply",
            "/" => "op_Division",
            "%" => "op_Modulus",
            "&" => "op_BitwiseAnd",
            "|" => "op_BitwiseOr",
            "^" => "op_ExclusiveOr",
            "<<" => "op_LeftShift",
            ">>" => "op_RightShift",
            "==" => "op_Equality",
            "!=" => "op_Inequality",
            "<" => "op_LessThan",
            ">" => "op_GreaterThan",
            "<=" => "op_LessThanOrEqual",
            _ => "op_GreaterThanOrEqual",
        };
        if let Some(lifted) = self.lifted_operator((sign, method), left, right)? {
            return Ok(lifted);
        }
        let both = [left.clone(), right.clone()];
        for operand in &both {
            let type_ = match operand {
                Operand::Place(place) => place.read(self.stopped)?.type_()?,
                Operand::Scalar(Scalar::Decimal(_)) => match self.find_type("decimal") {
                    Some(type_) => type_.type_,
                    None => continue,
                },
                _ => continue,
            };
            let wanted = Wanted { name: method, types: &[], arguments: &both, is_static: true };
            if let Some(found) = self.candidate(&type_, wanted) {
                return self.run(found, None);
            }
        }
        // two references: the same object or not
        if let (Operand::Place(left), Operand::Place(right), "==" | "!=") = (left, right, sign) {
            let (left, right) = (left.read(self.stopped)?, right.read(self.stopped)?);
            // values have no identity
            let is_nullable = |value: &crate::values::Value| value.type_name().ends_with('?');
            if is_nullable(&left) || is_nullable(&right) {
                return Err(no_operator(sign, &left.type_name(), &right.type_name()));
            }
            let (left, right) = (left.address(), right.address());
            return Ok(Operand::Scalar(Scalar::Bool((left == right) == (sign == "=="))));
        }
        let name = |operand: &Operand| match operand {
            Operand::Place(place) => place.read(self.stopped).map(|value| value.type_name()).unwrap_or_default(),
            other => other.type_name(),
        };
        Err(no_operator(sign, &name(left), &name(right)))
    }
}

/// Why no method was called.
enum Unfound {
    /// Nothing has that name.
    Name(EvalError),
    Other(EvalError),
}

impl Unfound {
    fn error(self) -> EvalError {
        match self {
            Self::Name(error) | Self::Other(error) => error,
        }
    }
}

impl From<EvalError> for Unfound {
    fn from(error: EvalError) -> Self {
        Self::Other(error)
    }
}

fn no_operator(sign: &str, left: &str, right: &str) -> EvalError {
    EvalError::failed(format!(
        "error CS0019: Operator '{sign}' cannot be applied to operands of type '{left}' and '{right}'"
    ))
}
