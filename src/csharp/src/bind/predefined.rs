//! The operators that C# predefines for numbers, `bool`s, texts and enums (ECMA-334, 12.4.5), and for these with `?`.

use crate::bound::Bound;
use crate::constant::{Constant, Scalar};
use crate::syntax::{BinaryOp, Span};
use crate::types::{Direction, Type};

use super::promote::{self, Number};
use super::{Binder, Result, constants, error};

impl Binder<'_> {
    /// Of numbers, `bool`s, texts and enums, and of these with `?`.
    pub(super) fn numbers(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Result<Option<Bound>> {
        use BinaryOp::*;
        let is_null = |bound: &Bound| bound.type_ == Type::Null;
        // beside `null` a number becomes one with `?`: the compiler only warns that it is never null
        let beside_null = |one: &Bound, other: &Bound| is_null(other) && self.types.is_value_type(&one.type_);
        let is_lifted = left.type_.is_nullable()
            || right.type_.is_nullable()
            || beside_null(left, right)
            || beside_null(right, left);
        let is_comparison = matches!(operator, Equal | NotEqual | Less | Greater | LessOrEqual | GreaterOrEqual);
        // `null` is a value of whatever nullable type stands beside it
        let one = if is_null(left) { right.type_.without_nullable() } else { left.type_.without_nullable() }.clone();
        let other = if is_null(right) { left.type_.without_nullable() } else { right.type_.without_nullable() }.clone();
        if (is_null(left) || is_null(right)) && !is_lifted {
            let both = if is_null(left) { &right.type_ } else { &left.type_ };
            if *both == Type::STRING && matches!(operator, Equal | NotEqual) {
                return self.built(operator, left.clone(), right.clone(), Type::BOOL, span).map(Some);
            }
            return Ok(None);
        }
        if matches!(operator, Equal | NotEqual) && one == Type::STRING && other == Type::STRING {
            return self.built(operator, left.clone(), right.clone(), Type::BOOL, span).map(Some);
        }
        if one == Type::BOOL && other == Type::BOOL {
            let gives = match operator {
                Equal | NotEqual => Type::BOOL,
                And | Or | Xor if is_lifted => Type::nullable(Type::BOOL),
                And | Or | Xor => Type::BOOL,
                _ => return Ok(None),
            };
            let operand = if is_lifted { Type::nullable(Type::BOOL) } else { Type::BOOL };
            return self.applied(operator, left, right, (&operand, &operand), gives, span).map(Some);
        }
        if let Some((operands, gives)) = self.enums(operator, (&one, left), (&other, right)) {
            let lift = |type_: Type| if is_lifted { Type::nullable(type_) } else { type_ };
            let gives = if is_comparison { Type::BOOL } else { lift(gives) };
            let operands = (lift(operands.0), lift(operands.1));
            return self.applied(operator, left, right, (&operands.0, &operands.1), gives, span).map(Some);
        }
        let types = if matches!(operator, ShiftLeft | ShiftRight | UnsignedShiftRight) {
            let count = self.types.conversion(&other, &Type::INT, Direction::Implicit);
            promote::shifted(&one).filter(|_| count.is_some()).map(|type_| (type_, Type::INT))
        } else {
            let number = |type_, bound: &Bound| (type_, bound.constant().cloned());
            let ((one, first), (other, second)) = (number(&one, left), number(&other, right));
            let promoted = promote::binary(
                Number { type_: one, constant: first.as_ref() },
                Number { type_: other, constant: second.as_ref() },
            );
            let is_bitwise = matches!(operator, And | Or | Xor);
            promoted.filter(|type_| !is_bitwise || type_.is_integral()).map(|type_| (type_.clone(), type_))
        };
        let Some((first, second)) = types else { return Ok(None) };
        let lift = |type_: Type| if is_lifted { Type::nullable(type_) } else { type_ };
        let gives = if is_comparison { Type::BOOL } else { lift(first.clone()) };
        let found = self.applied(operator, left, right, (&lift(first), &lift(second)), gives, span)?;
        Ok(Some(found))
    }

    fn applied(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        types: (&Type, &Type),
        gives: Type,
        span: &Span,
    ) -> Result<Bound> {
        let left = self.converted(left.clone(), types.0)?;
        let right = self.converted(right.clone(), types.1)?;
        if let (BinaryOp::Divide | BinaryOp::Remainder, Some(Constant::Scalar(divisor))) = (operator, right.constant())
        {
            let is_zero = match divisor {
                Scalar::Int(_, number) => *number == 0,
                Scalar::Decimal(number) => number.is_zero(),
                _ => false,
            };
            if is_zero && left.constant().is_some() {
                return error("CS0020", "Division by constant zero", span);
            }
        }
        self.built(operator, left, right, gives, span)
    }

    /// The operand types of an operator on enums, and what it gives.
    fn enums(&self, operator: BinaryOp, left: (&Type, &Bound), right: (&Type, &Bound)) -> Option<((Type, Type), Type)> {
        use BinaryOp::*;
        let is_zero = |bound: &Bound| matches!(bound.constant(), Some(Constant::Scalar(Scalar::Int(_, 0))));
        let (one, other) = (self.types.is_enum(left.0), self.types.is_enum(right.0));
        let same = one && other && left.0 == right.0;
        let (type_, underlying) = match (one, other) {
            (true, _) => (left.0, self.types.underlying(left.0)?),
            (_, true) => (right.0, self.types.underlying(right.0)?),
            _ => return None,
        };
        let underlying = Type::Primitive(underlying);
        let both = (type_.clone(), type_.clone());
        let with_zero = one && is_zero(right.1) || other && is_zero(left.1);
        let is_number = |bound: &Bound, type_: &Type| {
            type_.is_integral()
                && (self.types.conversion(type_, &underlying, Direction::Implicit).is_some()
                    || bound.constant().is_some_and(|it| constants::fits(it, &underlying)))
        };
        match operator {
            Equal | NotEqual | Less | Greater | LessOrEqual | GreaterOrEqual | And | Or | Xor => {
                (same || with_zero).then(|| (both, type_.clone()))
            }
            Subtract if same => Some((both, underlying)),
            Add | Subtract if one && !other && is_number(right.1, right.0) => {
                Some(((type_.clone(), underlying), type_.clone()))
            }
            Add if other && !one && is_number(left.1, left.0) => Some(((underlying, type_.clone()), type_.clone())),
            _ => None,
        }
    }
}
