//! Operators on values.

use std::cmp::Ordering;

use crate::arithmetic;
use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::{BinaryOp, UnaryOp};
use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, World};

use super::text::too_long;
use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    pub(super) fn unary(&mut self, operator: UnaryOp, value: &Value<W::Handle>, is_checked: bool) -> Evaluated<W> {
        match value {
            Value::Constant(Constant::Null) => Ok(Value::NULL),
            Value::Constant(Constant::Scalar(scalar)) => match arithmetic::unary(operator, scalar, is_checked) {
                Some(result) => Ok(Value::scalar(result?)),
                None => unsupported(format!("`{}` is not supported for this operand", operator.sign())),
            },
            Value::Constant(Constant::Enum(type_, number)) if operator == UnaryOp::Complement => {
                let underlying = self.types.underlying(type_).unwrap_or(clr_metadata::Primitive::I4);
                let scalar = Scalar::Int(underlying, *number);
                match arithmetic::unary(operator, &scalar, false) {
                    Some(Ok(Scalar::Int(_, number))) => Ok(Value::Constant(Constant::Enum(type_.clone(), number))),
                    _ => unsupported("`~` is not supported for this operand"),
                }
            }
            _ => unsupported(format!("`{}` is not supported for this operand", operator.sign())),
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        gives: &Type,
        is_checked: bool,
    ) -> Evaluated<W> {
        if let BinaryOp::AndAlso | BinaryOp::OrElse = operator {
            let first = self.truth(left)?;
            if first == (operator == BinaryOp::OrElse) {
                return Ok(Value::bool(first));
            }
            return self.truth(right).map(Value::bool);
        }
        let is_text = left.type_ == Type::STRING || right.type_ == Type::STRING;
        let (one, other) = (self.value(left)?, self.value(right)?);
        if is_text {
            if operator == BinaryOp::Add {
                let mut text = self.printed(&one)?.to_vec();
                let behind = self.printed(&other)?;
                if text.len() + behind.len() > self.limits.elements {
                    return too_long(self.limits.elements);
                }
                text.extend_from_slice(&behind);
                return Ok(Value::Constant(Constant::Text(text.into())));
            }
            let same = self.same_text(&one, &other)?;
            return Ok(Value::bool(same == (operator == BinaryOp::Equal)));
        }
        self.computed(operator, &one, &other, gives, is_checked)
    }

    /// Of two numbers, `bool`s or enums, null where they are lifted.
    pub(super) fn computed(
        &mut self,
        operator: BinaryOp,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
        gives: &Type,
        is_checked: bool,
    ) -> Evaluated<W> {
        if one.is_null() || other.is_null() {
            return Ok(lifted(operator, one, other));
        }
        let (Some(left), Some(right)) = (self.plain(one), self.plain(other)) else {
            return unsupported(format!("`{}` is not supported for these operands", operator.sign()));
        };
        let Some(result) = arithmetic::binary(operator, &left, &right, is_checked) else {
            return unsupported(format!("`{}` is not supported for these operands", operator.sign()));
        };
        let result = result?;
        let gives = gives.without_nullable();
        if let (Scalar::Int(_, number), true) = (&result, self.types.is_enum(gives)) {
            return Ok(Value::Constant(Constant::Enum(gives.clone(), *number)));
        }
        Ok(Value::scalar(result))
    }

    /// A scalar, or the number of an enum.
    pub(super) fn plain(&self, value: &Value<W::Handle>) -> Option<Scalar> {
        match value {
            Value::Constant(Constant::Scalar(scalar)) => Some(scalar.clone()),
            Value::Constant(Constant::Enum(type_, number)) => {
                Some(Scalar::Int(self.types.underlying(type_).unwrap_or(clr_metadata::Primitive::I4), *number))
            }
            _ => None,
        }
    }

    pub(super) fn user_operator(
        &mut self,
        method: &MethodRef,
        operands: &[Bound],
        sign: Option<BinaryOp>,
        is_lifted: bool,
    ) -> Evaluated<W> {
        if let Some(same) = self.same_known_type(method, operands)? {
            return Ok(Value::bool(same));
        }
        let mut values = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            let value = self.value(operand)?;
            let type_ = method.parameter_type(at).unwrap_or_else(|| operand.type_.clone());
            values.push((value, type_));
        }
        if is_lifted && values.iter().any(|(value, _)| value.is_null()) {
            return Ok(match (sign, values.as_slice()) {
                (Some(sign), [(one, _), (other, _)]) => lifted(sign, one, other),
                _ => Value::NULL,
            });
        }
        let known: Vec<_> = values.iter().map(|(value, _)| value.clone()).collect();
        if let Some(same) = Self::same_type(method, &known) {
            return Ok(Value::bool(same));
        }
        let mut arguments =
            values.into_iter().map(|(value, type_)| self.in_program(value, &type_)).collect::<Result<Vec<_>, _>>()?;
        self.world.call(method, None, &mut arguments)
    }

    pub(super) fn same_text(
        &mut self,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        if one.is_null() || other.is_null() {
            return Ok(one.is_null() && other.is_null());
        }
        let sides = match (one, other) {
            (Value::Object(handle), Value::Constant(Constant::Text(text)))
            | (Value::Constant(Constant::Text(text)), Value::Object(handle)) => Some((handle, text)),
            _ => None,
        };
        if let Some((handle, text)) = sides
            && let Some(known) = self.world.is_text(handle, text)?
        {
            return Ok(known);
        }
        Ok(self.text_of(one)? == self.text_of(other)?)
    }

    /// Whether both are one object.
    pub(super) fn is_same(
        &mut self,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
        are_literals: bool,
    ) -> Result<bool, Failure<W::Error>> {
        Ok(match (one, other) {
            (Value::Constant(Constant::Null), Value::Constant(Constant::Null)) => true,
            (Value::Object(one), Value::Object(other)) => self.world.is_same(one, other)?,
            (Value::Made(one), Value::Made(other)) => std::sync::Arc::ptr_eq(one, other),
            (Value::Constant(Constant::Text(_)), _) | (_, Value::Constant(Constant::Text(_))) => {
                let is_equal = !one.is_null()
                    && !other.is_null()
                    && self.text_of(one)?.is_some()
                    && self.text_of(one)? == self.text_of(other)?;
                // literals are one object wherever they stand; which others are, the runtime decides
                if is_equal && !are_literals {
                    return unsupported(
                        "this compares references, and it is unknown whether two equal strings are the same object: compare them as strings",
                    );
                }
                is_equal
            }
            // each boxing makes another object
            _ => false,
        })
    }
}

/// A constant of the source, as whatever it is taken.
pub(super) fn is_literal(bound: &Bound) -> bool {
    match &bound.kind {
        Kind::Constant(_) => true,
        Kind::Convert { of, .. } => is_literal(of),
        _ => false,
    }
}

/// Where an operand is null.
fn lifted<H>(operator: BinaryOp, one: &Value<H>, other: &Value<H>) -> Value<H> {
    let both = one.is_null() && other.is_null();
    if let Some(result) = arithmetic::compared(operator, None) {
        return Value::bool(match operator {
            BinaryOp::Equal => both,
            BinaryOp::NotEqual => !both,
            _ => result,
        });
    }
    // `false & null` and `true | null` are known
    let known = one.as_bool().or(other.as_bool());
    match (operator, known) {
        (BinaryOp::And, Some(false)) => Value::bool(false),
        (BinaryOp::Or, Some(true)) => Value::bool(true),
        _ => Value::NULL,
    }
}

/// `None` where one is no number.
pub(super) fn ordering(one: &Scalar, other: &Scalar) -> Option<Ordering> {
    let is = |operator| matches!(arithmetic::binary(operator, one, other, false), Some(Ok(Scalar::Bool(true))));
    if is(BinaryOp::Less) {
        Some(Ordering::Less)
    } else if is(BinaryOp::Greater) {
        Some(Ordering::Greater)
    } else if is(BinaryOp::Equal) {
        Some(Ordering::Equal)
    } else {
        None
    }
}
