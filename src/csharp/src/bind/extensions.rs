//! Extension methods: of the namespaces around the code, the outermost of which has no name, then of those that its file imports, then
//! those of LINQ: whoever looks at a stop cannot add a `using` to its file.

use std::sync::Arc;

use crate::bound::{Bound, Kind};
use crate::syntax::{Expr, Span};
use crate::types::{Conversion, Definition, Direction, Method, MethodRef, Type};

use super::arguments::Given;
use super::overloads::{READ_ONLY_SPAN, is_span_of_characters, spanned, takes_spans};
use super::{BindError, Binder, Group, Result};

const LINQ: &str = "System.Linq";

impl Binder<'_> {
    /// All that are in scope, with their classes, the nearest first.
    pub(super) fn extensions(&self, name: &str) -> Vec<(Type, Arc<Method>)> {
        self.extension_levels(name).into_iter().flatten().collect()
    }

    fn extension_levels(&self, name: &str) -> Vec<Vec<(Type, Arc<Method>)>> {
        let mut imported: Vec<&str> =
            self.scope.imports.iter().flat_map(|it| it.namespaces.iter().map(String::as_str)).collect();
        imported.push(LINQ);
        // what is named twice would be found twice
        imported.sort_unstable();
        imported.dedup();
        self.in_scope(&self.callable_extensions(name, &imported))
    }

    /// Those that the code may call, in scope or not: private ones in their own class, and in what is nested in it.
    pub(super) fn callable_extensions(&self, name: &str, imported: &[&str]) -> Vec<(Definition, Arc<Method>)> {
        let all = self.types.extensions(name, self.scope.assembly.as_ref(), imported);
        let owner = |holder: &Definition| Type::named(&holder.view().full_name(), Vec::new());
        all.iter().filter(|(holder, method)| self.is_accessible(&owner(holder), method)).cloned().collect()
    }

    /// Those of the classes that are in scope, level by level.
    pub(super) fn in_scope<T: Clone>(&self, all: &[(Definition, T)]) -> Vec<Vec<(Type, T)>> {
        let around = self.namespaces_around().chain([String::new()]);
        let mut levels: Vec<(Vec<String>, Vec<&str>)> = around.map(|it| (vec![it], Vec::new())).collect();
        for imports in &self.scope.imports {
            levels.push((imports.namespaces.clone(), imports.types.iter().filter_map(Type::name).collect()));
        }
        levels.push((vec![LINQ.to_owned()], Vec::new()));
        let mut found = Vec::new();
        for (namespaces, types) in levels {
            let here = all.iter().filter(|(holder, _)| {
                let view = holder.view();
                namespaces.iter().any(|it| it == view.namespace()) || types.contains(&view.full_name().as_str())
            });
            let here: Vec<_> =
                here.map(|(holder, it)| (Type::named(&holder.view().full_name(), Vec::new()), it.clone())).collect();
            if !here.is_empty() {
                found.push(here);
            }
        }
        found
    }

    pub(super) fn extension_call(
        &mut self,
        group: &Group,
        receiver: &Bound,
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Bound>> {
        if !self.takes_extensions(receiver) {
            return Ok(None);
        }
        let all: Vec<Given> = std::iter::once(Given::receiver(receiver.clone())).chain(given.iter().cloned()).collect();
        let levels = self.extension_levels(&group.name);
        let found = self.extension_among(&levels, group, (receiver, &all), span)?;
        let takes_spans = levels.iter().any(|level| takes_spans(level));
        if found.is_some() || !takes_spans || self.makes_spans {
            return Ok(found);
        }
        self.makes_spans = true;
        let found = self.extension_among(&levels, group, (receiver, &all), span);
        self.makes_spans = false;
        found
    }

    fn extension_among(
        &mut self,
        levels: &[Vec<(Type, Arc<Method>)>],
        group: &Group,
        (receiver, all): (&Bound, &[Given]),
        span: &Span,
    ) -> Result<Option<Bound>> {
        for level in levels {
            let mut fitting = Vec::new();
            for (holder, method) in level {
                for is_expanded in [false, true] {
                    if let Ok(fit) = self.fit(holder, method, &group.arguments, all, is_expanded)?
                        && self.takes_receiver(&receiver.type_, &fit.method)
                    {
                        fitting.push((holder.clone(), method.clone()));
                        break;
                    }
                }
            }
            // all of one level stand side by side, whatever class they are of
            if let Some(fit) = self.choose_among(&fitting, &group.arguments, all, span)? {
                let arguments = self.passed(&fit, all, span)?;
                let returns = match fit.method.returns() {
                    Type::ByRef(inner) => *inner,
                    other => other,
                };
                let kind = Kind::Call { of: None, method: fit.method, arguments };
                return Ok(Some(Bound::new(kind, returns, span.clone())));
            }
        }
        Ok(None)
    }

    /// A name of methods that is not called, where nothing wants a delegate: a property of an `extension` block, if there is one. An
    /// extension that cannot be called on the value is none; where there are only extensions, the object may have more than the type that
    /// is known.
    pub(super) fn lone_method(&mut self, expr: &Expr, name: &str) -> Result<Bound> {
        let at = expr.span.start;
        let message = format!(
            "Cannot convert method group '{name}' to non-delegate type 'object'. Did you intend to invoke the method?"
        );
        let error = BindError::Compiler { code: "CS0428", message, at };
        let Some(Group { of: Some(of), type_, name: method, .. }) = self.group(expr)? else { return Err(error) };
        if self.has_method(&type_, &method) {
            return Err(error);
        }
        if let Some(property) = self.block_property(&of, name, false, &expr.span)? {
            return Ok(property);
        }
        let error = match self.is_extended(&of, name) {
            true => error,
            false => BindError::Compiler { code: "CS1061", message: self.no_member(&type_, name, false), at },
        };
        if self.may_be_more(&of) { Ok(self.late_member(of, name, &expr.span, Some(error))) } else { Err(error) }
    }

    /// Whether an extension of that name takes the value.
    pub(super) fn is_extended(&mut self, of: &Bound, name: &str) -> bool {
        let first = Given::value(of.clone());
        self.extensions(name).iter().any(|(_, method)| {
            let wanted = method.parameters.first().map(|it| self.inferred_type(method.generic, &it.type_, &first));
            matches!(wanted, Some(Ok(Some(wanted))) if self.types.is_a(&of.type_, &wanted))
        })
    }

    /// Of the one that a method is called on no number is converted to another.
    pub(super) fn takes_receiver(&self, from: &Type, method: &MethodRef) -> bool {
        let Some(to) = method.parameter_type(0) else { return false };
        if self.makes_span_for(&method.method) && self.is_span_of(from, &to) {
            return true;
        }
        (from.is_nullable() || !to.is_nullable())
            && matches!(self.types.conversion(from, &to, Direction::Implicit), Some(Conversion::None))
    }

    /// Whether one is a span over what the other has.
    fn is_span_of(&self, from: &Type, to: &Type) -> bool {
        match from == &Type::STRING {
            true => to.is(READ_ONLY_SPAN) && is_span_of_characters(to),
            false => spanned(from, to).is_some_and(|of| to.arguments().first() == Some(of)),
        }
    }
}
