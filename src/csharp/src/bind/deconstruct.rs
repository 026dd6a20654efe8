//! Deconstruction: of tuples, and by `Deconstruct`, into variables and into patterns.

use crate::bound::{Assigned, Bound, Kind, Passed, Slot};
use crate::syntax::{Argument, Expr, ExprKind, Pass, Span};
use crate::types::Type;

use super::arguments::Given;
use super::{Binder, Group, Result, error};

/// What an assignment of parts is made of, in the order in which it happens.
#[derive(Default)]
struct Parts {
    prepared: Vec<(Slot, Bound)>,
    assigned: Vec<Assigned>,
}

impl Binder<'_> {
    /// `(a, b) = …`
    pub(super) fn deconstruction(&mut self, targets: &[Argument], value: &Expr, span: &Span) -> Result<Bound> {
        let mut parts = Parts::default();
        let given = self.value(value)?;
        let result = self.assigned_parts(targets, (given, Some(value)), &mut parts, span)?;
        let type_ = result.type_.clone();
        let Parts { prepared, assigned } = parts;
        Ok(Bound::new(Kind::Deconstruct { prepared, assigned, result: Box::new(result) }, type_, span.clone()))
    }

    /// Gives what the whole is then.
    fn assigned_parts(
        &mut self,
        targets: &[Argument],
        (value, written): (Bound, Option<&Expr>),
        parts: &mut Parts,
        span: &Span,
    ) -> Result<Bound> {
        let count = targets.len();
        let values: Vec<(Bound, Option<Expr>)> = match written.map(|written| &written.kind) {
            // each takes its type from its target
            Some(ExprKind::Tuple(elements)) if elements.len() == count => elements
                .iter()
                .map(|element| Ok((self.value(&element.value)?, Some(element.value.clone()))))
                .collect::<Result<_>>()?,
            Some(ExprKind::Tuple(elements)) => {
                return error(
                    "CS8132",
                    format!("Cannot deconstruct a tuple of '{}' elements into '{count}' variables.", elements.len()),
                    span,
                );
            }
            _ => {
                let value = self.settled(value)?;
                let slot = self.slot();
                let kept = Bound::new(Kind::Local(slot), value.type_.clone(), span.clone());
                parts.prepared.push((slot, value));
                let (call, items) = self.parts_of(&kept, count, span)?;
                if let Some(call) = call {
                    parts.prepared.push((self.slot(), call));
                }
                items.into_iter().map(|item| (item, None)).collect()
            }
        };
        let mut results = Vec::with_capacity(count);
        for (target, (value, written)) in targets.iter().zip(values) {
            if let ExprKind::Tuple(inner) = &target.value.kind {
                results.push(self.assigned_parts(inner, (value, written.as_ref()), parts, span)?);
                continue;
            }
            if let ExprKind::Declaration { name, .. } = &target.value.kind {
                return error("CS8185", format!("A declaration is not allowed in this context: '{name}'"), span);
            }
            let target = if self.is_discard(&target.value) { None } else { Some(self.target(&target.value)?) };
            let value = match &target {
                Some(target) => self.converted(value, &target.type_)?,
                None => self.settled(value)?,
            };
            let slot = self.slot();
            results.push(Bound::new(Kind::Local(slot), value.type_.clone(), span.clone()));
            parts.assigned.push(Assigned { target, slot, value });
        }
        let type_ = Type::tuple(results.iter().map(|it| it.type_.clone()).collect(), Vec::new());
        Ok(Bound::new(Kind::Tuple(results), type_, span.clone()))
    }

    /// `_` where nothing has that name.
    pub(super) fn is_discard(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name { alias: None, name } if name.text == "_" && name.types.is_empty())
            && self.variable("_").is_none()
            && !self.locals.iter().any(|local| local.name == "_")
    }

    /// The parts of what can be evaluated twice, and the call that writes them where one does.
    pub(super) fn parts_of(&mut self, of: &Bound, count: usize, span: &Span) -> Result<(Option<Bound>, Vec<Bound>)> {
        if let Some(elements) = of.type_.elements() {
            if elements.len() != count {
                return error(
                    "CS8132",
                    format!("Cannot deconstruct a tuple of '{}' elements into '{count}' variables.", elements.len()),
                    span,
                );
            }
            let items = (1..=count).map(|number| self.data_member(Some(of), &of.type_, &format!("Item{number}"), span));
            return Ok((None, items.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()));
        }
        // its `Deconstruct` gives what its properties are
        if of.type_.is(crate::types::PAIR) && count == 2 {
            let items = ["Key", "Value"].map(|name| self.data_member(Some(of), &of.type_, name, span));
            return Ok((None, items.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()));
        }
        let out = |name: String, binder: &Self| Given {
            name: None,
            pass: Pass::Out,
            value: binder.untyped(&super::late::name_expr(&name, span)),
            declares: Some((Some(name), None)),
            is_receiver: false,
        };
        let visible = self.locals.len();
        let given: Vec<Given> = (0..count).map(|number| out(format!("\0part{number}"), self)).collect();
        let name = "Deconstruct";
        let group = Group {
            of: Some(of.clone()),
            type_: of.type_.clone(),
            name: name.to_owned(),
            arguments: Vec::new(),
            span: span.clone(),
        };
        let call = self.call_if_fits(&group, &given)?;
        self.locals.truncate(visible);
        let Some(call) = call else {
            return match self.has_method(&of.type_, name) || !self.extensions(name).is_empty() {
                true if self.has_method(&of.type_, name) => {
                    error("CS1501", format!("No overload for method '{name}' takes {count} arguments"), span)
                }
                _ => error("CS1061", self.no_member(&of.type_, name, false), span),
            };
        };
        let Kind::Call { arguments, .. } = &call.kind else { return Ok((Some(call), Vec::new())) };
        let written = arguments.iter().filter_map(|passed| match passed {
            Passed::Out(Some(slot), type_) => Some(Bound::new(Kind::Local(*slot), type_.clone(), span.clone())),
            _ => None,
        });
        let items = written.collect();
        Ok((Some(call), items))
    }
}
