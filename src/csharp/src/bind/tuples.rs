//! `==` and `!=` of tuples: element by element, once both sides are there.

use crate::bound::{Bound, Kind, Slot};
use crate::constant::Constant;
use crate::syntax::{BinaryOp, Span};
use crate::types::Type;

use super::{Binder, Result, error};

impl Binder<'_> {
    /// `None` where the operands are no tuples. C# evaluates every element of both sides, from left to right, before it compares the
    /// first pair.
    pub(super) fn tuple_equality(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Result<Option<Bound>> {
        if [left, right].iter().any(|it| it.type_.without_nullable().elements().is_none()) {
            return Ok(None);
        }
        let mut kept = Vec::new();
        let (left, right) = (self.keep(left, &mut kept), self.keep(right, &mut kept));
        let Some(compared) = self.compare_tuples(operator, &left, &right, span)? else { return Ok(None) };
        let within = |then: Bound, (slot, of): (Slot, Bound)| {
            let kind = Kind::Let { of: Box::new(of), slot, then: Box::new(then) };
            Bound::new(kind, Type::BOOL, span.clone())
        };
        Ok(Some(kept.into_iter().rev().fold(compared, within)))
    }

    /// Sets aside what is evaluated: a tuple's elements one by one, so that each keeps the type that it has as it is written.
    fn keep(&mut self, bound: &Bound, kept: &mut Vec<(Slot, Bound)>) -> Bound {
        let kind = match &bound.kind {
            Kind::Constant(_) | Kind::Untyped(_) => return bound.clone(),
            Kind::Tuple(items) => Kind::Tuple(items.iter().map(|item| self.keep(item, kept)).collect()),
            _ => {
                let slot = self.slot();
                kept.push((slot, bound.clone()));
                Kind::Local(slot)
            }
        };
        Bound { kind, ..bound.clone() }
    }

    fn compare_tuples(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Result<Option<Bound>> {
        if let Some(found) = self.nullable_tuples(operator, left, right, span)? {
            return Ok(Some(found));
        }
        let (Some(one), Some(other)) = (left.type_.elements(), right.type_.elements()) else { return Ok(None) };
        if one.len() != other.len() {
            return error(
                "CS8384",
                format!(
                    "Tuple types used as operands of an == or != operator must have matching cardinalities. But this operator \
                     has tuple types of cardinality {} on the left and {} on the right.",
                    one.len(),
                    other.len()
                ),
                span,
            );
        }
        let count = one.len();
        let mut result: Option<Bound> = None;
        for at in 0..count {
            let item = |binder: &mut Self, bound: &Bound| match &bound.kind {
                Kind::Tuple(items) => items.get(at).cloned(),
                _ => {
                    let name = format!("Item{}", at + 1);
                    binder.data_member(Some(bound), &bound.type_, &name, span).ok().flatten()
                }
            };
            let (Some(left), Some(right)) = (item(self, left), item(self, right)) else { return Ok(None) };
            let pair = self.operator(operator, left, right, span)?;
            let joint = if operator == BinaryOp::Equal { BinaryOp::AndAlso } else { BinaryOp::OrElse };
            result = Some(match result {
                Some(before) => self.short_circuit(joint, before, pair, span)?,
                None => pair,
            });
        }
        Ok(result)
    }

    /// Null is equal to null alone.
    fn nullable_tuples(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Result<Option<Bound>> {
        let is_tuple = |bound: &Bound| bound.type_.without_nullable().elements().is_some();
        if !is_tuple(left) || !is_tuple(right) {
            return Ok(None);
        }
        let (first, other, is_left) = match (left.type_.is_nullable(), right.type_.is_nullable()) {
            (true, _) => (left, right, true),
            (false, true) => (right, left, false),
            (false, false) => return Ok(None),
        };
        let slot = self.slot();
        let held = Bound::new(Kind::Local(slot), first.type_.without_nullable().clone(), span.clone());
        let whole = Bound { type_: first.type_.clone(), ..held.clone() };
        let null = Bound::new(Kind::Constant(Constant::Null), Type::Null, span.clone());
        let same = |one: Bound, is_equal: bool| {
            let kind = Kind::Same { left: Box::new(one), right: Box::new(null.clone()), is_equal };
            Bound::new(kind, Type::BOOL, span.clone())
        };
        let is_equal = operator == BinaryOp::Equal;
        let without = if other.type_.is_nullable() {
            same(other.clone(), is_equal)
        } else {
            Bound::new(Kind::Constant(Constant::bool(!is_equal)), Type::BOOL, span.clone())
        };
        let pair = if is_left { (held, other.clone()) } else { (other.clone(), held) };
        let Some(compared) = self.compare_tuples(operator, &pair.0, &pair.1, span)? else { return Ok(None) };
        let (condition, then, otherwise) = (Box::new(same(whole, true)), Box::new(without), Box::new(compared));
        let then = Bound::new(Kind::Conditional { condition, then, otherwise }, Type::BOOL, span.clone());
        let kind = Kind::Let { of: Box::new(first.clone()), slot, then: Box::new(then) };
        Ok(Some(Bound::new(kind, Type::BOOL, span.clone())))
    }
}
