//! Calls of methods, indexers and operators: which overload is meant, and with what.

use clr_metadata::{MethodId, Primitive, TypeSig};

use super::operators::Operand;
use super::parse::Expr;
use super::{EvalError, Evaluation, kept};
use crate::calls::{Argument, What};
use crate::com;
use crate::types::{self, Definition};
use crate::values::{Content, Place, Scalar, Step};

/// A method that may be meant.
struct Candidate {
    definition: Definition,
    type_: com::Type,
    method: MethodId,
    score: u32,
    arguments: Vec<Argument>,
}

impl Evaluation<'_> {
    pub(super) fn invoke(&mut self, of: &Expr, arguments: &[Expr]) -> Result<Operand, EvalError> {
        let (target, name, types) = match of {
            Expr::Member { of, name, types, conditional } => {
                let target = self.operand(of)?;
                if *conditional && self.is_null(&target)? {
                    return self.simplified(target);
                }
                (Some(target), name, types)
            }
            Expr::Name(name, types) => (self.this()?, name, types),
            _ => return Err(EvalError::failed("error CS0149: Method name expected")),
        };
        if !types.is_empty() {
            return Err(EvalError::failed("error: type arguments of a call are not implemented"));
        }
        let arguments = arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>, _>>()?;
        if name == "GetValueOrDefault"
            && let (Some(Operand::Place(place)), true) = (&target, arguments.is_empty())
        {
            let value = place.read(self.stopped)?;
            if value.is_nullable() && !matches!(value.content()?, Content::Null) {
                return Ok(Operand::Place(place.then(Step::Inside)));
            }
        }
        if let ("HasFlag", Some(value), [flag]) = (name.as_str(), &target, arguments.as_slice())
            && let Some(has) = self.has_flag(value, flag)?
        {
            return Ok(Operand::Scalar(Scalar::Bool(has)));
        }
        self.method(target.as_ref(), name, &arguments)
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

    fn method(&mut self, target: Option<&Operand>, name: &str, arguments: &[Operand]) -> Result<Operand, EvalError> {
        let (this, type_, is_static) = match target {
            Some(Operand::Type(type_)) => (None, Some(type_.type_.clone()), true),
            Some(Operand::Null(_)) => {
                return Err(EvalError::failed(
                    "System.NullReferenceException: Object reference not set to an instance of an object.",
                ));
            }
            Some(Operand::Namespace(name)) => return Err(super::no_name(name)),
            Some(Operand::Place(place)) => {
                let value = place.read(self.stopped)?;
                if matches!(value.content()?, Content::Null) {
                    return Err(EvalError::failed(
                        "System.NullReferenceException: Object reference not set to an instance of an object.",
                    ));
                }
                let place = if value.is_nullable() { place.then(Step::Inside) } else { place.clone() };
                let type_ = place.read(self.stopped)?.type_()?;
                (Some(Argument::Place(place)), Some(type_), false)
            }
            Some(Operand::Text(units)) => {
                let type_ = self.find_type("string").map(|type_| type_.type_);
                (Some(Argument::Text(units.clone())), type_, false)
            }
            Some(Operand::Scalar(scalar)) => {
                let type_ = self.find_type(&scalar.type_name()).map(|type_| type_.type_);
                (Some(Argument::Scalar(scalar.clone())), type_, false)
            }
            None => (None, None, true),
        };
        let by_name = matches!(target, None | Some(Operand::Place(_)));
        let mut found = match &type_ {
            Some(type_) => self.candidate(type_, name, arguments, is_static)?,
            None => None,
        };
        let mut pass_this = !is_static;
        if found.is_none() && by_name {
            // a static one of the types around, or of the object's own
            let own = type_.iter().cloned();
            for type_ in own.chain(self.enclosing_types()) {
                found = self.candidate(&type_, name, arguments, true)?;
                if found.is_some() {
                    pass_this = false;
                    break;
                }
            }
        }
        let Some(found) = found else {
            let type_name = type_.map(|type_| types::name(self.stopped.target(), &type_)).unwrap_or_default();
            return Err(EvalError::failed(match type_name.is_empty() {
                true => format!("error CS0103: The name '{name}' does not exist in the current context"),
                false => format!(
                    "error CS1061: '{type_name}' does not contain a definition for '{name}' that takes these arguments"
                ),
            }));
        };
        let this = this.filter(|_| pass_this);
        self.run(found, this)
    }

    fn run(&mut self, found: Candidate, this: Option<Argument>) -> Result<Operand, EvalError> {
        let function = found.definition.module.function(found.method.token().0)?;
        let types = found.type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        let arguments: Vec<Argument> = this.into_iter().chain(found.arguments).collect();
        let result = self.call(What::Function { function, types, arguments })?;
        Ok(result.map_or(Operand::Null(Some("void".into())), kept))
    }

    /// The indexer of an object; `None`: it has none that takes these.
    pub(super) fn indexer(&mut self, place: &Place, indices: &[Operand]) -> Result<Option<Operand>, EvalError> {
        let type_ = place.read(self.stopped)?.type_()?;
        match self.candidate(&type_, "get_Item", indices, false)? {
            Some(found) => self.run(found, Some(Argument::Place(place.clone()))).map(Some),
            None => Ok(None),
        }
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
            if let Some(found) = self.candidate(&type_, method, &both, true)? {
                return self.run(found, None);
            }
        }
        // two references: the same object or not
        if let (Operand::Place(left), Operand::Place(right), "==" | "!=") = (left, right, sign) {
            let (left, right) = (left.read(self.stopped)?.address(), right.read(self.stopped)?.address());
            return Ok(Operand::Scalar(Scalar::Bool((left == right) == (sign == "=="))));
        }
        let name = |operand: &Operand| match operand {
            Operand::Place(place) => place.read(self.stopped).map(|value| value.type_name()).unwrap_or_default(),
            other => other.type_name(),
        };
        Err(EvalError::failed(format!(
            "error CS0019: Operator '{sign}' cannot be applied to operands of type '{}' and '{}'",
            name(left),
            name(right)
        )))
    }

    /// The best of the nearest type that has one.
    fn candidate(
        &self,
        type_: &com::Type,
        name: &str,
        arguments: &[Operand],
        is_static: bool,
    ) -> Result<Option<Candidate>, EvalError> {
        for type_ in types::chain(type_) {
            let Some(definition) = types::definition(self.stopped.target(), &type_) else { continue };
            let given: Vec<com::Type> = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
            let given: Vec<TypeSig> =
                given.iter().map(|type_| types::signature(self.stopped.target(), type_)).collect();
            let mut best: Option<Candidate> = None;
            for method in definition.view().methods() {
                let view = definition.assembly.method(method);
                if view.name() != name || view.is_static() != is_static {
                    continue;
                }
                let Some(signature) = view.signature() else { continue };
                if signature.parameters.len() != arguments.len() || signature.generic_parameters != 0 {
                    continue;
                }
                let mut score = 0;
                let mut taken = Vec::with_capacity(arguments.len());
                for (operand, parameter) in arguments.iter().zip(&signature.parameters) {
                    let parameter = parameter.substitute(&given, &[]);
                    match self.converted(operand, &parameter) {
                        Some((fit, argument)) => {
                            score += fit;
                            taken.push(argument);
                        }
                        None => break,
                    }
                }
                if taken.len() == arguments.len() && best.as_ref().is_none_or(|best| best.score < score) {
                    let (definition, type_) = (definition.clone(), type_.clone());
                    best = Some(Candidate { definition, type_, method, score, arguments: taken });
                }
            }
            if best.is_some() {
                return Ok(best);
            }
        }
        Ok(None)
    }

    /// How well an operand fits a parameter, and what is passed for it.
    pub(super) fn converted(&self, operand: &Operand, parameter: &TypeSig) -> Option<(u32, Argument)> {
        let parameter = match parameter {
            TypeSig::Modified { inner, .. } | TypeSig::ByRef(inner) => inner.as_ref(),
            other => other,
        };
        match operand {
            Operand::Null(_) => {
                let is_value = match parameter {
                    TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::String | Primitive::Object),
                    TypeSig::Named(name) => name.is_value_type,
                    _ => false,
                };
                (!is_value).then_some((1, Argument::Null))
            }
            Operand::Text(units) => match parameter {
                TypeSig::Primitive(Primitive::String) => Some((8, Argument::Text(units.clone()))),
                TypeSig::Primitive(Primitive::Object) => Some((1, Argument::Text(units.clone()))),
                other => self.is_convertible(operand, other).then(|| (0, Argument::Text(units.clone()))),
            },
            Operand::Scalar(scalar) => scalar_argument(scalar, parameter).or_else(|| {
                // the runtime opens the box where the value itself is wanted
                self.is_convertible(operand, parameter).then(|| (1, Argument::Boxed(scalar.clone())))
            }),
            Operand::Place(place) => {
                let value = place.read(self.stopped).ok()?;
                match value.content().ok()? {
                    Content::Null => return self.converted(&Operand::Null(None), parameter),
                    Content::Scalar(scalar) if !matches!(scalar, Scalar::Enum(..) | Scalar::Decimal(_)) => {
                        return scalar_argument(&scalar, parameter);
                    }
                    _ => {}
                }
                let is_reference = match parameter {
                    TypeSig::Primitive(Primitive::Object | Primitive::String) => true,
                    TypeSig::Named(name) => !name.is_value_type,
                    _ => false,
                };
                if is_reference && value.is_unboxed() {
                    // passed as it is, its bytes would be taken for the address of an object
                    return None;
                }
                let target = self.stopped.target();
                let wanted = types::text(parameter);
                let chain = types::chain(&value.type_().ok()?);
                let at = chain.iter().position(|type_| types::name(target, type_) == wanted);
                let fit = match (at, parameter) {
                    (Some(0), _) => 8,
                    (Some(_), _) => 4,
                    (None, TypeSig::Primitive(Primitive::Object)) => 1,
                    (None, other) if self.is_convertible(operand, other) => 0,
                    _ => return None,
                };
                Some((fit, Argument::Place(place.clone())))
            }
            Operand::Type(_) | Operand::Namespace(_) => None,
        }
    }
}

/// C#'s implicit conversions of numbers, and of constants that fit.
fn scalar_argument(scalar: &Scalar, parameter: &TypeSig) -> Option<(u32, Argument)> {
    use Primitive::*;
    let argument = |scalar: Scalar| Argument::Scalar(scalar);
    let TypeSig::Primitive(to) = parameter else { return None };
    if *to == Object {
        return Some((0, Argument::Boxed(scalar.clone())));
    }
    let widens = |from: Primitive, to: Primitive| {
        let order = [I1, U1, I2, U2, I4, U4, I8, U8];
        let rank = |primitive: Primitive| order.iter().position(|other| *other == primitive);
        rank(from).zip(rank(to)).is_some_and(|(from, to)| from < to)
    };
    match (scalar, to) {
        (Scalar::Bool(_), Boolean) | (Scalar::Char(_), Char) | (Scalar::Double(_), R8) | (Scalar::Single(_), R4) => {
            Some((8, argument(scalar.clone())))
        }
        (Scalar::Int(from, _), to) if from == to => Some((8, argument(scalar.clone()))),
        (Scalar::Int(from, number), to) if widens(*from, *to) => Some((4, argument(Scalar::Int(*to, *number)))),
        (Scalar::Int(I4, number), I1 | U1 | I2 | U2 | U4 | U8) => {
            let size = match to {
                I1 | U1 => 8,
                I2 | U2 => 16,
                U4 => 32,
                _ => 64,
            };
            let is_signed = matches!(to, I1 | I2);
            let (least, most) =
                if is_signed { (-(1_i128 << (size - 1)), 1_i128 << (size - 1)) } else { (0, 1_i128 << size) };
            (least..most).contains(number).then(|| (2, argument(Scalar::Int(*to, *number))))
        }
        (Scalar::Int(_, number), R8) => Some((3, argument(Scalar::Double(*number as f64)))),
        (Scalar::Int(_, number), R4) => Some((2, argument(Scalar::Single(*number as f32)))),
        (Scalar::Single(number), R8) => Some((4, argument(Scalar::Double(f64::from(*number))))),
        (Scalar::Char(unit), I4 | U4 | I8 | U8 | U2) => Some((3, argument(Scalar::Int(*to, i128::from(*unit))))),
        _ => None,
    }
}
