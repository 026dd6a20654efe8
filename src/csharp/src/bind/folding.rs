//! What is known without evaluating: constants of constants, defaults, sizes.

use clr_metadata::Primitive;

use crate::arithmetic::{self, TooLarge};
use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::floating;
use crate::syntax::{BinaryOp, Span};
use crate::types::{Conversion, MethodRef, Type};

use super::{Binder, Result, error};

impl Binder<'_> {
    pub(super) fn size_of(&self, type_: &Type, span: &Span) -> Result<Bound> {
        use Primitive::*;
        let primitive = match type_ {
            Type::Primitive(primitive) => Some(*primitive),
            other => self.types.underlying(other),
        };
        let size = match primitive {
            Some(Boolean | I1 | U1) => 1,
            Some(I2 | U2 | Char) => 2,
            Some(I4 | U4 | R4) => 4,
            Some(I8 | U8 | R8) => 8,
            _ if type_.is_decimal() => 16,
            _ => {
                if let Some(call) = self.size_in_program(type_, span) {
                    return Ok(call);
                }
                return error(
                    "CS0233",
                    format!(
                        "'{}' does not have a predefined size, therefore sizeof can only be used in an unsafe context",
                        type_.short()
                    ),
                    span,
                );
            }
        };
        Ok(Bound::new(Kind::Constant(Constant::int(size)), Type::INT, span.clone()))
    }

    /// Of a struct: only the runtime knows how it lays it out.
    fn size_in_program(&self, type_: &Type, span: &Span) -> Option<Bound> {
        let owner = Type::named("System.Runtime.CompilerServices.Unsafe", Vec::new());
        let methods = self.types.methods(&self.types.definition(&owner)?, "SizeOf");
        let method = methods.iter().find(|it| it.generic == 1 && it.parameters.is_empty())?.clone();
        let method = MethodRef { owner, method, arguments: vec![type_.clone()] };
        let call = || Bound::new(Kind::Call { of: None, method, arguments: Vec::new() }, Type::INT, span.clone());
        self.types.is_value_type(type_).then(call)
    }

    pub(super) fn default_of(&self, type_: &Type, span: &Span) -> Bound {
        let constant = match type_ {
            _ if self.types.is_reference_type(type_) || type_.is_nullable() => Some(Constant::Null),
            Type::Primitive(Primitive::Boolean) => Some(Constant::bool(false)),
            Type::Primitive(Primitive::Char) => Some(Constant::Scalar(Scalar::Char(0))),
            Type::Primitive(Primitive::R4) => Some(Constant::Scalar(Scalar::Single(0.0))),
            Type::Primitive(Primitive::R8) => Some(Constant::Scalar(Scalar::Double(0.0))),
            Type::Primitive(primitive) => Some(Constant::Scalar(Scalar::Int(*primitive, 0))),
            _ if type_.is_decimal() => Some(Constant::Scalar(Scalar::Decimal(crate::Decimal::from(0)))),
            _ if self.types.is_enum(type_) => Some(Constant::Enum(type_.clone(), 0)),
            _ => None,
        };
        let kind = constant.map_or(Kind::Default, Kind::Constant);
        Bound::new(kind, type_.clone(), span.clone())
    }

    /// As [`Self::folded`]; constants of integers that overflow are an error except in `unchecked`.
    pub(super) fn known(&self, bound: Bound) -> Result<Bound> {
        let scalar = |bound: &Bound| match bound.constant() {
            Some(Constant::Scalar(scalar)) => Some(scalar.clone()),
            _ => None,
        };
        let computed = match &bound.kind {
            Kind::Unary { operator, of, .. } => scalar(of).and_then(|of| arithmetic::unary(*operator, &of, true)),
            Kind::Binary { operator, left, right, .. } => match (scalar(left), scalar(right)) {
                (Some(left), Some(right)) => arithmetic::folded(*operator, &left, &right, true),
                _ => None,
            },
            _ => None,
        };
        if !self.is_unchecked && matches!(computed, Some(Err(_))) && bound.type_.is_integral() {
            return error("CS0220", "The operation overflows at compile time in checked mode", &bound.span);
        }
        Ok(self.folded(bound))
    }

    /// A constant, where all that it is made of is constant.
    pub(super) fn folded(&self, bound: Bound) -> Bound {
        let scalar = |bound: &Bound| match bound.constant() {
            Some(Constant::Scalar(scalar)) => Some(scalar.clone()),
            _ => None,
        };
        let constant = match &bound.kind {
            Kind::Convert { of, conversion, is_checked } => match (of.constant(), conversion) {
                (Some(Constant::Null), Conversion::None) => Some(Constant::Null),
                (Some(constant), Conversion::None)
                    if of.type_ != Type::Null
                        && !self.types.is_reference_type(&bound.type_)
                        && !bound.type_.is_nullable() =>
                {
                    Some(constant.clone())
                }
                (Some(constant), Conversion::Number) if !bound.type_.is_nullable() => {
                    self.number_as(constant, &bound.type_, *is_checked)
                }
                _ => None,
            },
            Kind::Unary { operator, of, is_checked } => {
                scalar(of).and_then(|of| arithmetic::unary(*operator, &of, *is_checked)?.ok()).map(Constant::Scalar)
            }
            Kind::Binary { operator, left, right, is_checked } => match (left.constant(), right.constant()) {
                (Some(Constant::Text(left)), Some(Constant::Text(right))) => match operator {
                    BinaryOp::Add => Some(Constant::Text(left.iter().chain(right.iter()).copied().collect())),
                    BinaryOp::Equal => Some(Constant::bool(left == right)),
                    BinaryOp::NotEqual => Some(Constant::bool(left != right)),
                    _ => None,
                },
                (Some(Constant::Scalar(left)), Some(Constant::Scalar(right))) => {
                    arithmetic::folded(*operator, left, right, *is_checked).and_then(|it| it.ok()).map(Constant::Scalar)
                }
                // flags: a pattern wants a constant
                (Some(Constant::Enum(type_, left)), Some(Constant::Enum(other, right))) if type_ == other => {
                    let joined = match operator {
                        BinaryOp::Or => Some(left | right),
                        BinaryOp::And => Some(left & right),
                        BinaryOp::Xor => Some(left ^ right),
                        _ => None,
                    };
                    joined.map(|number| Constant::Enum(type_.clone(), number))
                }
                _ => None,
            },
            _ => None,
        };
        match constant {
            Some(constant) => Bound { kind: Kind::Constant(constant), ..bound },
            None => bound,
        }
    }

    /// A number or a value of an enum as another such type has it.
    fn number_as(&self, constant: &Constant, to: &Type, is_checked: bool) -> Option<Constant> {
        let scalar = match constant {
            Constant::Scalar(scalar) => scalar.clone(),
            Constant::Enum(type_, number) => Scalar::Int(self.types.underlying(type_)?, *number),
            _ => return None,
        };
        // the compiler takes 0 for what does not fit, whatever the runtime would
        let own = self.types.underlying(to).map_or_else(|| to.clone(), Type::Primitive);
        let is_lost = !is_checked
            && matches!(scalar, Scalar::Single(_) | Scalar::Double(_))
            && own.is_integral()
            && is_out_of_range(&scalar, &own);
        let scalar = if is_lost { Scalar::int(0) } else { scalar };
        if let Some(underlying) = self.types.underlying(to) {
            let number =
                arithmetic::converted(&scalar, &Type::Primitive(underlying), is_checked, TooLarge::Nearest)?.ok()?;
            let Scalar::Int(_, number) = number else { return None };
            return Some(Constant::Enum(to.clone(), number));
        }
        arithmetic::converted(&scalar, to, is_checked, TooLarge::Nearest)?.ok().map(Constant::Scalar)
    }
}

/// Whether a constant lies outside a type, which only `unchecked` allows.
pub(super) fn is_out_of_range(scalar: &Scalar, to: &Type) -> bool {
    let Some((least, most)) = to.primitive().and_then(arithmetic::bounds) else { return false };
    match scalar {
        Scalar::Int(_, number) => !(least..=most).contains(number),
        Scalar::Char(unit) => !(least..=most).contains(&(*unit).into()),
        Scalar::Double(number) => !(number.trunc() >= least as f64 && number.trunc() <= most as f64),
        Scalar::Single(number) => !(number.trunc() >= least as f32 && number.trunc() <= most as f32),
        Scalar::Decimal(number) => !(least..=most).contains(&number.truncated()),
        Scalar::Bool(_) => false,
    }
}

pub(super) fn digits(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Int(_, number) => number.to_string(),
        Scalar::Double(number) => floating::double(*number).unwrap_or_else(|| number.to_string()),
        Scalar::Single(number) => floating::single(*number).unwrap_or_else(|| number.to_string()),
        Scalar::Decimal(number) => number.to_string(),
        Scalar::Char(unit) => String::from_utf16_lossy(&[*unit]),
        Scalar::Bool(value) => value.to_string(),
    }
}
