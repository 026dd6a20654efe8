//! What only the run-time type of a value determines: bound again when that is known.
//!
//! The node stays as it is written; what it is of is evaluated first, and stands in it as a name.

use std::sync::Arc;

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, BinaryOp, Expr, ExprKind, Name, Span};
use crate::types::Type;

use super::arguments::Given;
use super::{BindError, Binder, Group};

/// Names that no text can hold.
fn placeholder(number: usize) -> String {
    format!("\0{number}")
}

pub(crate) fn name_expr(name: &str, span: &Span) -> Expr {
    let name = Name { text: name.to_owned(), types: Vec::new() };
    Expr { kind: ExprKind::Name { alias: None, name }, span: span.clone() }
}

/// The operands so far, and the next name.
#[derive(Default)]
struct Operands(Vec<(String, Bound)>);

impl Operands {
    fn take(&mut self, bound: Bound) -> Expr {
        // several of these may end up in one node
        let name = placeholder(self.0.len() + bound.span.start * 64);
        let expr = name_expr(&name, &bound.span);
        self.0.push((name, bound));
        expr
    }

    fn arguments(&mut self, given: Vec<Given>, written: &[Argument]) -> Vec<Argument> {
        let pairs = given.into_iter().zip(written);
        pairs
            .map(|(given, written)| {
                let is_value =
                    given.declares.is_none() && !given.value.is_untyped() && written.pass == crate::syntax::Pass::Value;
                let value = if is_value { self.take(given.value) } else { written.value.clone() };
                Argument { value, ..written.clone() }
            })
            .collect()
    }

    fn late(self, binder: &Binder<'_>, kind: ExprKind, span: &Span, error: Option<BindError>) -> Bound {
        let locals = binder.locals.clone();
        let expr = Arc::new(Expr { kind, span: span.clone() });
        Bound::new(Kind::Late { expr, operands: self.0, locals, error: error.map(Box::new) }, Type::Late, span.clone())
    }
}

impl Binder<'_> {
    pub(super) fn late_member(&self, of: Bound, name: &str, span: &Span, error: Option<BindError>) -> Bound {
        let mut operands = Operands::default();
        let of = Box::new(operands.take(of));
        let name = Name { text: name.to_owned(), types: Vec::new() };
        operands.late(self, ExprKind::MemberAccess { of, name, is_pointer: false }, span, error)
    }

    /// A call of a member that is late itself.
    pub(super) fn late_invocation(
        &mut self,
        expr: &Expr,
        member: Bound,
        of: &Expr,
        arguments: &[Argument],
    ) -> super::Result<Bound> {
        let given = self.given(arguments)?;
        let mut operands = Operands::default();
        let mut known = None;
        let of = match member.kind {
            Kind::Late { expr: inner, operands: own, error, .. } => {
                operands.0 = own;
                known = error.map(|error| *error);
                let kind = match (&inner.kind, &of.kind) {
                    (
                        ExprKind::MemberAccess { of: object, .. },
                        ExprKind::MemberAccess { name, .. } | ExprKind::Name { name, .. },
                    ) => ExprKind::MemberAccess { of: object.clone(), name: name.clone(), is_pointer: false },
                    (kind, _) => kind.clone(),
                };
                Expr { kind, span: inner.span.clone() }
            }
            kind => operands.take(Bound { kind, ..member }),
        };
        let arguments = operands.arguments(given, arguments);
        Ok(operands.late(self, ExprKind::Invocation { of: Box::new(of), arguments }, &expr.span, known))
    }

    /// A call whose arguments are late, or whose receiver's own type has no such method.
    pub(super) fn late_call(
        &mut self,
        expr: &Expr,
        group: &Group,
        given: Vec<Given>,
        written: &[Argument],
        error: Option<BindError>,
    ) -> Bound {
        let mut operands = Operands::default();
        let ExprKind::Invocation { of, .. } = &expr.kind else { return self.untyped(expr) };
        let of = match (&of.kind, &group.of) {
            (ExprKind::MemberAccess { name, .. } | ExprKind::Name { name, .. }, Some(receiver)) => {
                let receiver = Box::new(operands.take(receiver.clone()));
                let kind = ExprKind::MemberAccess { of: receiver, name: name.clone(), is_pointer: false };
                Expr { kind, span: of.span.clone() }
            }
            _ => (**of).clone(),
        };
        let arguments = operands.arguments(given, written);
        operands.late(self, ExprKind::Invocation { of: Box::new(of), arguments }, &expr.span, error)
    }

    pub(super) fn late_element(
        &mut self,
        expr: &Expr,
        of: Bound,
        arguments: &[Argument],
        error: Option<BindError>,
    ) -> super::Result<Bound> {
        let given = self.given(arguments)?;
        let mut operands = Operands::default();
        let of = Box::new(operands.take(of));
        let arguments = operands.arguments(given, arguments);
        Ok(operands.late(self, ExprKind::ElementAccess { of, arguments }, &expr.span, error))
    }

    pub(super) fn late_assignment(
        &mut self,
        target: Bound,
        operator: Option<BinaryOp>,
        value: &Expr,
        span: &Span,
    ) -> super::Result<Bound> {
        let bound = self.value(value)?;
        let mut operands = Operands::default();
        let Kind::Late { expr, operands: own, .. } = target.kind else { return Ok(target) };
        operands.0 = own;
        let value = Box::new(if bound.is_untyped() || bound.constant().is_some() {
            value.clone()
        } else {
            operands.take(bound)
        });
        let target = Box::new((*expr).clone());
        Ok(operands.late(self, ExprKind::Assignment { target, operator, value }, span, None))
    }

    pub(super) fn late_unary(&self, expr: &Expr, of: Bound) -> Bound {
        let ExprKind::Unary { operator, .. } = expr.kind else { return of };
        let mut operands = Operands::default();
        let of = Box::new(operands.take(of));
        operands.late(self, ExprKind::Unary { operator, of }, &expr.span, None)
    }

    pub(super) fn late_binary(
        &self,
        operator: BinaryOp,
        left: (Option<&Expr>, Bound),
        right: (Option<&Expr>, Bound),
        span: &Span,
    ) -> Bound {
        let mut operands = Operands::default();
        let first = Box::new(operands.take(left.1));
        // what stands behind `&&` may never be evaluated
        let second = match (operator, right.0) {
            (BinaryOp::AndAlso | BinaryOp::OrElse, Some(written)) => Box::new(written.clone()),
            _ => Box::new(operands.take(right.1)),
        };
        operands.late(self, ExprKind::Binary { operator, left: first, right: second }, span, None)
    }
}
