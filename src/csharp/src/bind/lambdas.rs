//! Lambdas and methods that are named, as the delegates that are wanted of them.

use std::sync::Arc;

use crate::bound::{Bound, BoundLambda, Kind, Passed};
use crate::syntax::{Expr, ExprKind, Lambda, Span};
use crate::types::{Direction, Type};

use super::arguments::Given;
use super::{Binder, Meaning, Result, error, unsupported};

/// Of parameters, and of variables around that are assigned.
type Slots = (Vec<usize>, Vec<usize>);

impl Binder<'_> {
    /// `None`: it does not fit the delegate.
    pub(super) fn lambda_as(&mut self, lambda: &Lambda, to: &Type, span: &Span) -> Result<Option<Bound>> {
        let Some((parameters, returns)) = self.types.delegate(to) else { return Ok(None) };
        let inputs: Vec<Type> = parameters.into_iter().map(|it| it.type_).collect();
        let converted = |binder: &mut Self, body: Bound| match returns.is_void() {
            true => Ok(Some(binder.settled(body)?).filter(is_statement)),
            false if body.type_.is_void() => Ok(None),
            false if matches!(body.kind, Kind::Block(_)) => binder.block_as(body, &returns, false),
            false => binder.implicit(body, &returns),
        };
        let wanted = Some(returns.clone());
        let Some(((parameters, shared), Some(body))) = self.body(lambda, (&inputs, wanted), converted)? else {
            return Ok(None);
        };
        let lambda = Arc::new(BoundLambda { parameters, shared, body, type_: to.clone() });
        Ok(Some(Bound::new(Kind::Lambda(lambda), to.clone(), span.clone())))
    }

    /// What `then` makes of the body while the parameters are in scope, and their slots, with those around that it assigns. `None`:
    /// another number of them. `wanted`: what it is to return, where that is known.
    fn body<T>(
        &mut self,
        lambda: &Lambda,
        (inputs, wanted): (&[Type], Option<Type>),
        then: impl FnOnce(&mut Self, Bound) -> Result<T>,
    ) -> Result<Option<(Slots, T)>> {
        if lambda.is_async {
            return unsupported("an `async` lambda is not supported at a stop: the program is not running");
        }
        if lambda.parameters.len() != inputs.len() {
            return Ok(None);
        }
        let visible = self.locals.len();
        let mut slots = Vec::new();
        for (parameter, input) in lambda.parameters.iter().zip(inputs) {
            let type_ = match &parameter.type_ {
                Some(written) => self.type_(written)?,
                None => input.clone(),
            };
            if type_ != *input && *input != Type::Late {
                self.locals.truncate(visible);
                return Ok(None);
            }
            slots.push(self.declare(&parameter.name, type_));
        }
        // the receiver of a `?.` around is none in here
        let receiver = self.receiver.take();
        let around = std::mem::replace(&mut self.lambda_begin, visible);
        let outer = std::mem::replace(&mut self.wanted, wanted);
        let shares = std::mem::take(&mut self.runs_at_once).then(|| (around, Vec::new()));
        let runs_at_once = shares.is_some();
        let shared = std::mem::replace(&mut self.shared, shares);
        let result = self.value(&lambda.body).and_then(|bound| then(self, bound));
        (self.receiver, self.lambda_begin, self.wanted) = (receiver, around, outer);
        let own = std::mem::replace(&mut self.shared, shared).map(|(_, slots)| slots).unwrap_or_default();
        self.runs_at_once = runs_at_once;
        self.locals.truncate(visible);
        if own.iter().any(|slot| self.captured.contains(slot)) {
            return unsupported("a variable captured by a nested lambda and changed afterwards is not supported here");
        }
        Ok(Some(((slots, own), result?)))
    }

    /// What keeps a lambda from being a delegate, where the type is one.
    pub(super) fn mismatched_lambda(&mut self, lambda: &Lambda, to: &Type, span: &Span) -> Result<()> {
        let Some((parameters, returns)) = self.types.delegate(to) else { return Ok(()) };
        if parameters.len() != lambda.parameters.len() {
            return error(
                "CS1593",
                format!("Delegate '{}' does not take {} arguments", to.short(), lambda.parameters.len()),
                span,
            );
        }
        let inputs: Vec<Type> = parameters.into_iter().map(|it| it.type_).collect();
        if returns.is_void() {
            let settled = self.body(lambda, (&inputs, None), |binder, body| binder.settled(body))?;
            if settled.is_some_and(|(_, body)| !is_statement(&body)) {
                return error(
                    "CS0201",
                    "Only assignment, call, increment, decrement, await, and new object expressions can be used as a statement",
                    span,
                );
            }
        } else {
            self.body(lambda, (&inputs, Some(returns.clone())), |binder, body| match body.kind {
                Kind::Block(_) if !body.type_.is_void() => binder.block_as(body, &returns, true).map(drop),
                _ => binder.converted(body, &returns).map(drop),
            })?;
        }
        Ok(())
    }

    /// What the body gives for parameters of those types. What is wrong in it is reported when it is finally bound.
    pub(super) fn returned(&mut self, lambda: &Lambda, inputs: &[Type]) -> Result<Option<Type>> {
        let settled = self.body(lambda, (inputs, None), |binder, body| binder.settled(body))?;
        Ok(settled.map(|(_, body)| body.type_))
    }

    /// Positive: the lambda is rather the first delegate.
    pub(super) fn better_delegate(&mut self, lambda: &Lambda, one: &Type, other: &Type, _span: &Span) -> Result<i32> {
        let (Some((inputs, left)), Some((others, right))) = (self.types.delegate(one), self.types.delegate(other))
        else {
            return Ok(0);
        };
        let inputs: Vec<Type> = inputs.into_iter().map(|it| it.type_).collect();
        let others: Vec<Type> = others.into_iter().map(|it| it.type_).collect();
        if inputs != others || left == right {
            return Ok(0);
        }
        if left.is_void() != right.is_void() {
            return Ok(if right.is_void() { 1 } else { -1 });
        }
        let Some(returned) = self.returned(lambda, &inputs)? else { return Ok(0) };
        Ok(self.better_type(&returned, &left, &right))
    }

    /// `Func` or `Action` by what it takes and gives.
    pub(super) fn natural_lambda(&mut self, expr: &Expr, lambda: &Lambda) -> Result<Bound> {
        let written: Vec<_> = lambda.parameters.iter().filter_map(|it| it.type_.clone()).collect();
        if written.len() != lambda.parameters.len() {
            return error("CS8917", "The delegate type could not be inferred.", &expr.span);
        }
        let mut types = written.iter().map(|it| self.type_(it)).collect::<Result<Vec<_>>>()?;
        let Some(returned) = self.returned(lambda, &types)? else {
            return error("CS8917", "The delegate type could not be inferred.", &expr.span);
        };
        let family = if returned.is_void() {
            "System.Action"
        } else {
            types.push(returned);
            "System.Func"
        };
        let name = if types.is_empty() { family.to_owned() } else { format!("{family}`{}", types.len()) };
        let type_ = Type::named(&name, types);
        match self.lambda_as(lambda, &type_, &expr.span)? {
            Some(bound) => Ok(bound),
            None => error("CS8917", "The delegate type could not be inferred.", &expr.span),
        }
    }

    /// The methods that a name means, where it means methods.
    pub(super) fn group(&mut self, expr: &Expr) -> Result<Option<super::Group>> {
        if !matches!(expr.kind, ExprKind::Name { .. } | ExprKind::MemberAccess { .. }) {
            return Ok(None);
        }
        Ok(match self.meaning(expr)? {
            Meaning::Methods(group) => Some(group),
            _ => None,
        })
    }

    /// A method that is named, as a delegate: the lambda that calls it.
    pub(super) fn group_as(&mut self, expr: &Expr, to: &Type) -> Result<Option<Bound>> {
        let (Some(group), Some((inputs, returns))) = (self.group(expr)?, self.types.delegate(to)) else {
            return Ok(None);
        };
        let inputs: Vec<Type> = inputs.into_iter().map(|it| it.type_).collect();
        let slots: Vec<usize> = inputs.iter().map(|_| self.slot()).collect();
        let given: Vec<Given> = slots
            .iter()
            .zip(&inputs)
            .map(|(slot, type_)| Given::value(Bound::new(Kind::Local(*slot), type_.clone(), expr.span.clone())))
            .collect();
        let Some(call) = self.call_if_fits(&group, &given)? else { return Ok(None) };
        let body = if returns.is_void() {
            call
        } else {
            match self.types.conversion(&call.type_, &returns, Direction::Implicit) {
                Some(conversion) => self.convert(call, &returns, conversion),
                None => return Ok(None),
            }
        };
        let lambda = Arc::new(BoundLambda { parameters: slots, shared: Vec::new(), body, type_: to.clone() });
        Ok(Some(Bound::new(Kind::Lambda(lambda), to.clone(), expr.span.clone())))
    }

    /// What a method that is named gives for arguments of those types.
    pub(super) fn group_returns(&mut self, expr: &Expr, inputs: &[Type]) -> Result<Option<Type>> {
        let Some(group) = self.group(expr)? else { return Ok(None) };
        let given: Vec<Given> = inputs
            .iter()
            .map(|type_| Given::value(Bound::new(Kind::Local(0), type_.clone(), expr.span.clone())))
            .collect();
        Ok(self.call_if_fits(&group, &given)?.map(|call| call.type_))
    }

    /// The values that a call passes, where it passes nothing else.
    pub(super) fn plain(passed: &[Passed]) -> Option<Vec<Bound>> {
        let values = passed.iter().map(|it| match it {
            Passed::Value(value) => Some(value.clone()),
            _ => None,
        });
        values.collect()
    }
}

/// What may stand alone, without anybody who wants its value.
pub(super) fn is_statement(bound: &Bound) -> bool {
    match &bound.kind {
        Kind::Call { .. } | Kind::Invoke { .. } | Kind::New { .. } | Kind::Late { .. } | Kind::Throw(_) => true,
        Kind::Assign { .. } | Kind::Change { .. } | Kind::Deconstruct { .. } => true,
        Kind::Block(act) => act.returned().iter().all(|value| value.is_none()),
        // an operator that changes the object itself
        Kind::Let { of, then, .. } => is_statement(of) || is_statement(then),
        // `a?.B()`
        Kind::Maybe { then, .. } | Kind::Located { then, .. } => is_statement(then),
        Kind::Convert { of, .. } => is_statement(of),
        _ => false,
    }
}
