//! C#'s implicit conversions of arguments: how well a value fits a parameter, and what is passed for it.

use clr_metadata::{Primitive, TypeSig};

use super::Evaluation;
use super::operators::Operand;
use crate::calls::Argument;
use crate::types;
use crate::values::{Content, Place, Scalar, Step};

impl Evaluation<'_> {
    /// How well an operand fits a parameter, and what is passed for it: 8 is the same type, 1 an `object`, and 0 what C# would want a
    /// cast for, because the object fits and what it is declared as does not.
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
                let is_object = matches!(parameter, TypeSig::Primitive(Primitive::Object));
                (!is_value).then_some((if is_object { 1 } else { 2 }, Argument::Null))
            }
            Operand::Text(units) => match parameter {
                TypeSig::Primitive(Primitive::String) => Some((8, Argument::Text(units.clone()))),
                TypeSig::Primitive(Primitive::Object) => Some((1, Argument::Text(units.clone()))),
                other => self.is_convertible(operand, other).then(|| (2, Argument::Text(units.clone()))),
            },
            Operand::Scalar(scalar) => scalar_argument(scalar, parameter, true).or_else(|| {
                let fits = self.is_convertible(operand, parameter);
                fits.then(|| match (scalar, parameter) {
                    // of an enum the runtime wants the number alone
                    (Scalar::Enum(definition, number), TypeSig::Named(name)) if name.is_value_type => {
                        let underlying = definition.view().enum_underlying().unwrap_or(Primitive::I4);
                        (8, Argument::Scalar(Scalar::Int(underlying, *number)))
                    }
                    // it opens the box where the value itself is wanted
                    _ => (2, Argument::Boxed(scalar.clone())),
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
                            (false, TypeSig::Primitive(Primitive::Object)) => Some((1, argument)),
                            _ => types::is_assignable(self.stopped.target(), &declared, parameter)
                                .then_some((fit, argument)),
                        };
                    }
                    // an enum by its number, too: what a call gave is a box, whose address would be taken for it
                    Content::Scalar(scalar) if !matches!(scalar, Scalar::Decimal(_)) => {
                        return match place.declared(self.stopped).filter(|_| value.is_boxed()) {
                            Some(declared) => self.box_converted(place, &scalar, &declared, parameter),
                            None => scalar_argument(&scalar, parameter, false)
                                .or_else(|| self.converted(&Operand::Scalar(scalar), parameter)),
                        };
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
                    let fit = 1 + u32::from(!matches!(parameter, TypeSig::Primitive(Primitive::Object)));
                    let fits = self.is_convertible(operand, parameter);
                    return fits.then(|| (fit, Argument::BoxedPlace(place.clone())));
                }
                let target = self.stopped.target();
                let wanted = types::text(parameter);
                let chain = types::chain(&value.type_().ok()?);
                let at = chain.iter().position(|type_| types::name(target, type_) == wanted);
                let by_object = match (at, parameter) {
                    (Some(0), _) => 8,
                    (_, TypeSig::Primitive(Primitive::Object)) => 1,
                    (Some(_), _) => 4,
                    (None, other) if self.is_convertible(operand, other) => 2,
                    _ => return None,
                };
                let fit = place.declared(self.stopped).map_or(by_object, |declared| self.fit(&declared, parameter));
                Some((fit, Argument::Place(place.clone())))
            }
            Operand::Type(_) | Operand::Namespace(_) => None,
        }
    }
}

impl Evaluation<'_> {
    /// How well a reference fits, by what it is declared as.
    fn fit(&self, declared: &TypeSig, parameter: &TypeSig) -> u32 {
        match parameter {
            _ if types::text(declared) == types::text(parameter) => 8,
            TypeSig::Primitive(Primitive::Object) => 1,
            _ if types::is_assignable(self.stopped.target(), declared, parameter) => 4,
            _ => 0,
        }
    }

    /// What is in a box: the box itself where a reference is wanted.
    fn box_converted(
        &self,
        place: &Place,
        scalar: &Scalar,
        declared: &TypeSig,
        parameter: &TypeSig,
    ) -> Option<(u32, Argument)> {
        let (_, argument) = self.converted(&Operand::Scalar(scalar.clone()), parameter)?;
        Some(match argument {
            Argument::Boxed(_) => (self.fit(declared, parameter), Argument::Place(place.clone())),
            unboxed => (0, unboxed),
        })
    }

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

/// C#'s implicit conversions of numbers (ECMA-334, 10.2.3), and of constants that fit.
fn scalar_argument(scalar: &Scalar, parameter: &TypeSig, is_constant: bool) -> Option<(u32, Argument)> {
    use Primitive::*;
    let argument = |scalar: Scalar| Argument::Scalar(scalar);
    let TypeSig::Primitive(to) = parameter else { return None };
    if *to == Object {
        return Some((1, Argument::Boxed(scalar.clone())));
    }
    let wider: &[Primitive] = match scalar {
        Scalar::Int(I1, _) => &[I2, I4, I8],
        Scalar::Int(U1, _) => &[I2, U2, I4, U4, I8, U8],
        Scalar::Int(I2, _) => &[I4, I8],
        Scalar::Int(U2, _) => &[I4, U4, I8, U8],
        Scalar::Int(I4, _) => &[I8],
        Scalar::Int(U4, _) => &[I8, U8],
        _ => &[],
    };
    // the nearest is the best, and of two of one size the one with a sign
    let nearness = |to: &Primitive| match to {
        I2 | U2 => 7,
        I4 => 6,
        U4 => 5,
        _ => 4,
    };
    match (scalar, to) {
        (Scalar::Bool(_), Boolean) | (Scalar::Char(_), Char) | (Scalar::Double(_), R8) | (Scalar::Single(_), R4) => {
            Some((8, argument(scalar.clone())))
        }
        (Scalar::Int(from, _), to) if from == to => Some((8, argument(scalar.clone()))),
        (Scalar::Int(_, number), to) if wider.contains(to) => Some((nearness(to), argument(Scalar::Int(*to, *number)))),
        (Scalar::Int(I4, number), I1 | U1 | I2 | U2 | U4 | U8) if is_constant => {
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
        (Scalar::Int(_, number), R4) => Some((3, argument(Scalar::Single(*number as f32)))),
        (Scalar::Int(_, number), R8) => Some((2, argument(Scalar::Double(*number as f64)))),
        (Scalar::Single(number), R8) => Some((4, argument(Scalar::Double(f64::from(*number))))),
        (Scalar::Char(unit), I4 | U4 | I8 | U8 | U2) => Some((3, argument(Scalar::Int(*to, i128::from(*unit))))),
        _ => None,
    }
}
