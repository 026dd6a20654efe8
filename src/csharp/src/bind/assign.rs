//! Assignment, also of what is computed from the value before.

use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::{BinaryOp, Expr, ExprKind, Span, UnaryOp};
use crate::types::{MethodRef, Type};

use super::arguments::Given;
use super::overloads::returns_reference;
use super::{BindError, Binder, Group, Result, error, unsupported};

impl Binder<'_> {
    pub(super) fn assignment(
        &mut self,
        target: &Expr,
        operator: Option<BinaryOp>,
        value: &Expr,
        span: &Span,
    ) -> Result<Bound> {
        match &target.kind {
            ExprKind::Tuple(elements) if operator.is_none() => return self.deconstruction(elements, value, span),
            // `a?.B = value`: nothing of it happens where `a` is null
            ExprKind::ConditionalAccess { of, then } => {
                let kind = ExprKind::Assignment { target: then.clone(), operator, value: Box::new(value.clone()) };
                return self.conditional_access(of, &Expr { kind, span: span.clone() }, span);
            }
            _ if operator.is_none() && self.is_discard(target) => {
                let value = self.value(value)?;
                return self.settled(value);
            }
            _ => {}
        }
        let written = target;
        let target = self.target(written)?;
        if let Kind::Late { .. } = target.kind {
            return self.late_assignment(target, operator, value, span);
        }
        let setter = self.block_setter(written, &target)?;
        let Some(operator) = operator else {
            let value = self.value(value)?;
            let value = self.fitting(value, &target.type_)?;
            if let Some(setter) = setter {
                return Ok(self.written_by((&target, setter), None, value, false));
            }
            let type_ = target.type_.clone();
            let kind = Kind::Assign { target: Box::new(target), value: Box::new(value) };
            return Ok(Bound::new(kind, type_, span.clone()));
        };
        let slot = self.slot();
        let before = Bound::new(Kind::Local(slot), target.type_.clone(), target.span.clone());
        let value = if operator == BinaryOp::Coalesce {
            if self.types.is_value_type(&target.type_) && !target.type_.is_nullable() {
                let value = self.value(value)?;
                return self.no_operator(operator, &target, &value, span);
            }
            let value = self.value(value)?;
            // where the value cannot be null, neither can the whole
            let whole = match target.type_.nullable_of() {
                Some(of) if value.type_ != Type::Null && self.implicit(value.clone(), of)?.is_some() => {
                    Some(of.clone())
                }
                _ => None,
            };
            let Some(value) = self.implicit(value.clone(), &target.type_)? else {
                return self.no_operator(operator, &target, &value, span);
            };
            let again = self.slot();
            let then = Bound::new(Kind::Local(again), target.type_.clone(), span.clone());
            let kind =
                Kind::Coalesce { left: Box::new(before), slot: again, then: Box::new(then), right: Box::new(value) };
            let value = Bound::new(kind, target.type_.clone(), span.clone());
            let changed = self.change((target, setter), slot, value, false, span);
            return match whole {
                Some(whole) => self.explicit(changed.clone(), &whole).map(|found| found.unwrap_or(changed)),
                None => Ok(changed),
            };
        } else {
            let value = self.value(value)?;
            let value = match self.types.delegate(&target.type_) {
                Some(_) if value.is_untyped() => self.converted(value, &target.type_)?,
                _ => self.settled(value)?,
            };
            if let Some(found) = self.compound(operator, &target, std::slice::from_ref(&value), span)? {
                return Ok(found);
            }
            let computed = self.operator_late_too(operator, before, value.clone(), span)?;
            // `byteValue += 1`: as if cast, where the value itself converts
            match self.implicit(computed.clone(), &target.type_)? {
                Some(computed) => computed,
                None => match (self.implicit(value, &target.type_)?, self.explicit(computed.clone(), &target.type_)?) {
                    (Some(_), Some(computed)) => computed,
                    _ => self.converted(computed, &target.type_)?,
                },
            }
        };
        Ok(self.change((target, setter), slot, value, false, span))
    }

    fn change(
        &mut self,
        (target, setter): (Bound, Option<MethodRef>),
        slot: usize,
        value: Bound,
        gives_old: bool,
        span: &Span,
    ) -> Bound {
        if let Some(setter) = setter {
            return self.written_by((&target, setter), Some(slot), value, gives_old);
        }
        let type_ = target.type_.clone();
        let kind = Kind::Change { target: Box::new(target), slot, value: Box::new(value), gives_old };
        Bound::new(kind, type_, span.clone())
    }

    pub(super) fn changed(&mut self, operator: UnaryOp, of: &Expr, span: &Span) -> Result<Bound> {
        let target = match self.target(of) {
            Err(BindError::Compiler { code: "CS0131", .. }) => {
                let words = "The operand of an increment or decrement operator must be a variable, property or indexer";
                return error("CS1059", words, span);
            }
            target => target?,
        };
        let setter = self.block_setter(of, &target)?;
        let slot = self.slot();
        let before = Bound::new(Kind::Local(slot), target.type_.clone(), target.span.clone());
        let is_increment = matches!(operator, UnaryOp::PreIncrement | UnaryOp::PostIncrement);
        let sign = if is_increment { BinaryOp::Add } else { BinaryOp::Subtract };
        let gives_old = matches!(operator, UnaryOp::PostIncrement | UnaryOp::PostDecrement);
        let own = if is_increment { "op_IncrementAssignment" } else { "op_DecrementAssignment" };
        if let Some(found) = self.in_place(own, &target, &[], span)? {
            return Ok(found);
        }
        let name = if is_increment { "op_Increment" } else { "op_Decrement" };
        if let Some(value) = self.user_operator(name, None, vec![before.clone()], span)? {
            let value = self.converted(value, &target.type_)?;
            return Ok(self.change((target, setter), slot, value, gives_old, span));
        }
        let inner = target.type_.without_nullable();
        if !(inner.is_numeric() || self.types.is_enum(inner) || target.is_late()) {
            return not_counted(operator, &target.type_, span);
        }
        let one = Bound::new(Kind::Constant(Constant::Scalar(Scalar::int(1))), Type::INT, span.clone());
        let computed = self.operator_late_too(sign, before, one, span)?;
        let Some(value) = self.explicit(computed, &target.type_)? else {
            return not_counted(operator, &target.type_, span);
        };
        Ok(self.change((target, setter), slot, value, gives_old, span))
    }

    fn operator_late_too(&mut self, operator: BinaryOp, left: Bound, right: Bound, span: &Span) -> Result<Bound> {
        if left.is_late() || right.is_late() {
            return Ok(self.late_binary(operator, (None, left), (None, right), span));
        }
        self.operator(operator, left, right, span)
    }

    /// `+=` by an operator that changes the object itself (C# 14).
    fn compound(
        &mut self,
        operator: BinaryOp,
        target: &Bound,
        operands: &[Bound],
        span: &Span,
    ) -> Result<Option<Bound>> {
        match super::operators::method_name(operator) {
            Some(name) => self.in_place(&format!("{name}Assignment"), target, operands, span),
            None => Ok(None),
        }
    }

    fn in_place(&mut self, name: &str, target: &Bound, operands: &[Bound], span: &Span) -> Result<Option<Bound>> {
        if target.is_late() || !self.has_method(&target.type_, name) {
            return Ok(None);
        }
        let of = Some(target.clone());
        let group =
            Group { of, type_: target.type_.clone(), name: name.to_owned(), arguments: Vec::new(), span: span.clone() };
        let given: Vec<Given> = operands.iter().cloned().map(Given::value).collect();
        let Some(call) = self.call_if_fits(&group, &given)? else { return Ok(None) };
        let slot = self.slot();
        let kind = Kind::Let { of: Box::new(call), slot, then: Box::new(target.clone()) };
        Ok(Some(Bound::new(kind, target.type_.clone(), span.clone())))
    }

    /// Something that can be assigned to.
    pub(super) fn target(&mut self, expr: &Expr) -> Result<Bound> {
        let bound = self.value(expr)?;
        let span = &expr.span;
        self.check_local(&bound)?;
        self.check_base(expr, &bound)?;
        match &bound.kind {
            Kind::Variable(_) if matches!(expr.kind, crate::syntax::ExprKind::This) => {
                error("CS1604", "Cannot assign to 'this' because it is read-only", span)
            }
            Kind::Variable(_) | Kind::Field { .. } | Kind::Local(_) => Ok(bound),
            Kind::Element { of, .. } if of.type_ == Type::STRING => {
                error("CS0200", "Property or indexer 'string.this[int]' cannot be assigned to -- it is read only", span)
            }
            Kind::Element { of, .. } if !matches!(of.type_, Type::Array { .. }) => {
                unsupported("an element of an inline array or a fixed-size buffer cannot be assigned here")
            }
            Kind::Element { .. } => Ok(bound),
            _ if returns_reference(&bound) => unsupported(
                "assigning through a reference that a call returns is not supported here: assign the variable, the field or the \
                 element that it refers to",
            ),
            Kind::Let { then, .. } | Kind::Located { then, .. } if self.is_target(then) => Ok(bound),
            Kind::Property { property, .. } if property.property.setter.is_some() => Ok(bound),
            Kind::Property { property, .. } => error(
                "CS0200",
                format!(
                    "Property or indexer '{}.{}' cannot be assigned to -- it is read only",
                    property.owner.short(),
                    property.property.name
                ),
                span,
            ),
            Kind::Late { .. } => Ok(bound),
            _ if self.block_setter(expr, &bound)?.is_some() => Ok(bound),
            _ => error("CS0131", "The left-hand side of an assignment must be a variable, property or indexer", span),
        }
    }
}

impl Binder<'_> {
    /// Lambdas have copies of the variables around them, but for those that run at once, and variables of structs stand for what was read.
    fn check_local(&mut self, bound: &Bound) -> Result<()> {
        match &bound.kind {
            Kind::Local(slot) => {
                let position = self.locals.iter().position(|local| local.slot == *slot);
                if let Some(at) = position.filter(|at| *at < self.lambda_begin) {
                    match &mut self.shared {
                        Some((begin, slots)) if at >= *begin => slots.push(*slot),
                        _ => return unsupported("a lambda that assigns a captured variable is not supported here"),
                    }
                }
                self.assigned.push(*slot);
                Ok(())
            }
            Kind::Field { of: Some(of), .. } | Kind::Property { of: Some(of), .. } => match &of.kind {
                Kind::Local(slot)
                    if self.types.is_value_type(&of.type_) && self.locals.iter().any(|it| it.slot == *slot) =>
                {
                    unsupported(format!("cannot assign to part of a copy: assign a whole '{}'", of.type_.short()))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn is_target(&self, bound: &Bound) -> bool {
        match &bound.kind {
            Kind::Let { then, .. } | Kind::Located { then, .. } => self.is_target(then),
            Kind::Property { property, .. } => property.property.setter.is_some(),
            _ => false,
        }
    }
}

fn not_counted<T>(operator: UnaryOp, type_: &Type, span: &Span) -> Result<T> {
    error(
        "CS0023",
        format!("Operator '{}' cannot be applied to operand of type '{}'", operator.sign(), type_.short()),
        span,
    )
}
