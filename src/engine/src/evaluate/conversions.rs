//! C#'s implicit conversions of arguments: how well a value fits a parameter, and what is passed for it.

use clr_metadata::{Primitive, TypeSig};

use super::Evaluation;
use super::operators::Operand;
use crate::calls::Argument;
use crate::types;
use crate::values::{Content, Scalar, Step};

impl Evaluation<'_> {
    /// How well an operand fits a parameter, and what is passed for it.
    pub(super) fn converted(&self, operand: &Operand, parameter: &TypeSig) -> Option<(u32, Argument)> {
        let parameter = match parameter {
            TypeSig::Modified { inner, .. } | TypeSig::ByRef(inner) => inner.as_ref(),
            other => other,
        };
        if let TypeSig::Named(name) = parameter
            && let ("System.Nullable`1", [inner]) = (name.full_name.as_str(), name.arguments.as_slice())
        {
            return self.to_nullable(operand, parameter, inner);
        }
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
                TypeSig::Primitive(Primitive::Object) => Some((0, Argument::Text(units.clone()))),
                other => self.is_convertible(operand, other).then(|| (1, Argument::Text(units.clone()))),
            },
            Operand::Scalar(scalar) => scalar_argument(scalar, parameter).or_else(|| {
                let fits = self.is_convertible(operand, parameter);
                fits.then(|| match (scalar, parameter) {
                    // of an enum the runtime wants the number alone
                    (Scalar::Enum(definition, number), TypeSig::Named(name)) if name.is_value_type => {
                        let underlying = definition.view().enum_underlying().unwrap_or(Primitive::I4);
                        (8, Argument::Scalar(Scalar::Int(underlying, *number)))
                    }
                    // it opens the box where the value itself is wanted
                    _ => (1, Argument::Boxed(scalar.clone())),
                })
            }),
            Operand::Place(place) => {
                let value = place.read(self.stopped).ok()?;
                if value.is_nullable() {
                    let declared = types::signature(self.stopped.target(), &value.type_().ok()?);
                    if types::text(&declared) == types::text(parameter) {
                        return Some((8, Argument::Place(place.clone())));
                    }
                    if !matches!(value.content(), Ok(Content::Null)) {
                        return self.converted(&Operand::Place(place.then(Step::Inside)), parameter);
                    }
                }
                match value.content().ok()? {
                    Content::Null => {
                        let (fit, argument) = self.converted(&Operand::Null(None), parameter)?;
                        let Some(declared) = place.declared(self.stopped) else { return Some((fit, argument)) };
                        // what a variable is declared as decides, also where it is null
                        return match (types::text(&declared) == types::text(parameter), parameter) {
                            (true, _) => Some((8, argument)),
                            (false, TypeSig::Primitive(Primitive::Object)) => Some((0, argument)),
                            _ => types::is_assignable(self.stopped.target(), &declared, parameter)
                                .then_some((fit, argument)),
                        };
                    }
                    // an enum by its number, too: what a call gave is a box, whose address would be taken for it
                    Content::Scalar(scalar) if !matches!(scalar, Scalar::Decimal(_)) => {
                        return self.converted(&Operand::Scalar(scalar), parameter);
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
                    let fit = u32::from(!matches!(parameter, TypeSig::Primitive(Primitive::Object)));
                    let fits = self.is_convertible(operand, parameter);
                    return fits.then(|| (fit, Argument::BoxedPlace(place.clone())));
                }
                let target = self.stopped.target();
                let wanted = types::text(parameter);
                let chain = types::chain(&value.type_().ok()?);
                let at = chain.iter().position(|type_| types::name(target, type_) == wanted);
                let fit = match (at, parameter) {
                    (Some(0), _) => 8,
                    (_, TypeSig::Primitive(Primitive::Object)) => 0,
                    (Some(_), _) => 4,
                    (None, other) if self.is_convertible(operand, other) => 1,
                    _ => return None,
                };
                Some((fit, Argument::Place(place.clone())))
            }
            Operand::Type(_) | Operand::Namespace(_) => None,
        }
    }
}

impl Evaluation<'_> {
    /// A `T?` as it is, `null`, or what converts to `T`.
    fn to_nullable(&self, operand: &Operand, type_: &TypeSig, inner: &TypeSig) -> Option<(u32, Argument)> {
        if let Operand::Place(place) = operand {
            let value = place.read(self.stopped).ok()?;
            if value.is_nullable() {
                let declared = types::signature(self.stopped.target(), &value.type_().ok()?);
                return (types::text(&declared) == types::text(type_)).then(|| (8, Argument::Place(place.clone())));
            }
        }
        let (by, held) = match operand {
            Operand::Null(None) => (4, None),
            Operand::Null(Some(name)) => (*name == types::text(type_)).then_some((8, None))?,
            other => {
                let (by, held) = self.converted(other, inner)?;
                (by.saturating_sub(1), Some(Box::new(held)))
            }
        };
        Some((by, Argument::Nullable { type_: self.instance(type_)?, held }))
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
