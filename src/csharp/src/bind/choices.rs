//! `??` and `?:`, and the one type of several values.

use crate::bound::{Bound, Kind};
use crate::syntax::{Expr, Span};
use crate::types::{Direction, Type};

use super::{Binder, Result, error};

impl Binder<'_> {
    pub(super) fn coalesce(&mut self, left: &Expr, right: &Expr, span: &Span) -> Result<Bound> {
        let left = self.value(left)?;
        let left = self.settled(left)?;
        let right = self.value(right)?;
        let slot = self.slot();
        let inner = left.type_.without_nullable().clone();
        if self.types.is_value_type(&left.type_) && !left.type_.is_nullable() && !self.is_of_parameter(&left.type_) {
            return error(
                "CS0019",
                format!(
                    "Operator '??' cannot be applied to operands of type '{}' and '{}'",
                    left.type_.short(),
                    right.type_.short()
                ),
                span,
            );
        }
        let kept = Bound::new(Kind::Local(slot), inner.clone(), left.span.clone());
        let built = |then: Bound, right: Bound, type_: Type| {
            let kind =
                Kind::Coalesce { left: Box::new(left.clone()), slot, then: Box::new(then), right: Box::new(right) };
            Ok(Bound::new(kind, type_, span.clone()))
        };
        if left.type_ == Type::Null {
            let right = self.settled(right)?;
            let type_ = right.type_.clone();
            return built(Bound::new(Kind::Local(slot), type_.clone(), span.clone()), right, type_);
        }
        if left.is_late() {
            let right = self.settled(right)?;
            let type_ = right.type_.clone();
            return built(
                Bound::new(Kind::Local(slot), Type::Late, span.clone()),
                right,
                if type_.is_nullable() { type_ } else { Type::Late },
            );
        }
        if let Some(right) = self.implicit(right.clone(), &inner)? {
            return built(kept, right, inner);
        }
        if let Some(right) = self.implicit(right.clone(), &left.type_)? {
            let then = self.converted(kept, &left.type_.clone())?;
            return built(then, right, left.type_.clone());
        }
        let right = self.settled(right)?;
        let type_ = right.type_.clone();
        match self.implicit(kept, &type_)? {
            Some(then) => built(then, right, type_),
            None => error(
                "CS0019",
                format!(
                    "Operator '??' cannot be applied to operands of type '{}' and '{}'",
                    left.type_.short(),
                    type_.short()
                ),
                span,
            ),
        }
    }

    pub(super) fn conditional(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Result<Bound> {
        let test = self.condition(condition)?;
        let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
        let Some(type_) = self.common(&[then.clone(), otherwise.clone()])? else {
            if then.type_ == Type::Untyped
                || otherwise.type_ == Type::Untyped
                || then.type_ == Type::Null
                || otherwise.type_ == Type::Null
            {
                return Ok(self.untyped(expr));
            }
            // `c ? none : 1.5` is what a nullable operator around it wants; alone it has no type for the compiler
            if let Some(type_) = self.common_nullable(&then.type_, &otherwise.type_)
                && let Some(found) = self.targeted(expr, &type_)?
            {
                return Ok(found);
            }
            return error(
                "CS0173",
                format!(
                    "Type of conditional expression cannot be determined because there is no implicit conversion between '{}' and '{}'",
                    then.type_, otherwise.type_
                ),
                &expr.span,
            );
        };
        let (then, otherwise) = (self.converted(then, &type_)?, self.converted(otherwise, &type_)?);
        let kind =
            Kind::Conditional { condition: Box::new(test), then: Box::new(then), otherwise: Box::new(otherwise) };
        Ok(Bound::new(kind, type_, expr.span.clone()))
    }

    /// Of a `T?` and another value type, the wider one's.
    fn common_nullable(&self, one: &Type, other: &Type) -> Option<Type> {
        let (inner, outer) = (one.without_nullable(), other.without_nullable());
        let way = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Implicit).is_some();
        let wider = if way(inner, outer) {
            outer
        } else if way(outer, inner) {
            inner
        } else {
            return None;
        };
        (one.is_nullable() || other.is_nullable()).then(|| Type::nullable(wider.clone()))
    }

    /// The one type of several that all others convert to.
    pub(super) fn common(&mut self, values: &[Bound]) -> Result<Option<Type>> {
        if values.iter().any(Bound::is_late) {
            return Ok(Some(Type::Late));
        }
        let mut found: Option<Type> = None;
        'types: for type_ in values.iter().map(|value| &value.type_) {
            if matches!(type_, Type::Untyped | Type::Null) || found.as_ref() == Some(type_) {
                continue;
            }
            for value in values {
                if self.implicit(value.clone(), type_)?.is_none() {
                    continue 'types;
                }
            }
            // of several the one that the others convert to by their types alone: of a `byte` and the constant 0 it is `int`
            if let Some(known) = &found
                && self.types.conversion(known, type_, Direction::Implicit).is_none()
            {
                continue;
            }
            found = Some(type_.clone());
        }
        Ok(found)
    }
}
