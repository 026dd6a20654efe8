//! Calls of methods and delegates, and indexers.

use std::sync::Arc;

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, Expr, ExprKind, Span};
use crate::types::{Method, PropertyRef, Type};

use super::arguments::Given;
use super::overloads::Fit;
use super::overrides::overridden;
use super::{Binder, Group, Meaning, Result, error, unsupported};

/// Whose `ForEach` runs here.
const LIST: &str = "System.Collections.Generic.List`1";
const ARRAY: &str = "System.Array";

impl Binder<'_> {
    pub(super) fn invocation(&mut self, expr: &Expr, of: &Expr, arguments: &[Argument]) -> Result<Bound> {
        let span = &expr.span;
        if let ExprKind::Lambda(_) = of.kind {
            return error("CS0149", "Method name expected", span);
        }
        let meaning = match self.meaning(of)? {
            // a member of that name that can be called, else one of the type
            Meaning::Both(bound, _) => Meaning::Value(bound),
            other => other,
        };
        match meaning {
            Meaning::Methods(group) => self.call(expr, &group, arguments),
            Meaning::Value(bound) if bound.is_late() => self.late_invocation(expr, bound, of, arguments),
            Meaning::Value(bound) => {
                let bound = self.settled(bound)?;
                let Some(invoke) = self.types.invoke(&bound.type_) else {
                    // a method may stand behind what cannot be called
                    if let (
                        Kind::Property { of: Some(receiver), .. } | Kind::Field { of: Some(receiver), .. },
                        ExprKind::MemberAccess { name, .. },
                    ) = (&bound.kind, &of.kind)
                        && (self.has_method(&receiver.type_, &name.text) || !self.extensions(&name.text).is_empty())
                    {
                        let group = Group {
                            of: Some((**receiver).clone()),
                            type_: receiver.type_.clone(),
                            name: name.text.clone(),
                            arguments: Vec::new(),
                            span: span.clone(),
                        };
                        return self.call(expr, &group, arguments);
                    }
                    return match &of.kind {
                        ExprKind::Name { name, .. } | ExprKind::MemberAccess { name, .. } => error(
                            "CS1955",
                            format!("Non-invocable member '{}' cannot be used like a method.", name.text),
                            span,
                        ),
                        _ => error("CS0149", "Method name expected", span),
                    };
                };
                let given = self.given(arguments)?;
                self.delegate_call(bound, invoke, &given, span)
            }
            Meaning::Type(type_) | Meaning::Both(_, type_) => {
                error("CS1955", format!("Non-invocable member '{}' cannot be used like a method.", type_.short()), span)
            }
            Meaning::Namespace(name) => {
                error("CS0118", format!("'{name}' is a namespace but is used like a variable"), span)
            }
        }
    }

    fn call(&mut self, expr: &Expr, group: &Group, arguments: &[Argument]) -> Result<Bound> {
        let is_each = group.name == "ForEach" && [LIST, ARRAY].iter().any(|name| group.type_.is(name));
        let around = std::mem::replace(&mut self.runs_at_once, is_each);
        let called = self.call_of(expr, group, arguments);
        self.runs_at_once = around;
        called
    }

    fn call_of(&mut self, expr: &Expr, group: &Group, arguments: &[Argument]) -> Result<Bound> {
        let span = &expr.span;
        let mut given = self.given(arguments)?;
        given.extend(self.captured_arguments(group));
        if given.iter().any(|it| it.value.is_late()) {
            return Ok(self.late_call(expr, group, given, arguments, None));
        }
        if let Some(created) = self.created_text(group, &given, span)? {
            return Ok(created);
        }
        let all = self.methods_of(&group.type_, &group.name);
        let mut candidates = all.clone();
        if group.of.as_ref().is_some_and(|of| !matches!(of.kind, Kind::Variable(_)) || !self.is_this(of)) {
            candidates.retain(|(_, method)| !method.is_static);
        }
        if let Some(found) = self.accessible_call(group, &candidates, &given, span)? {
            return Ok(found);
        }
        if group.of.is_none() {
            let receiver = Bound::new(Kind::Default, group.type_.clone(), span.clone());
            if let Some(found) = self.block_member(&receiver, (&group.name, true), (&group.arguments, &given), span)? {
                return Ok(found);
            }
        }
        if let Some(receiver) = &group.of
            && let Some(found) = self.extension_call(group, receiver, &given, span)?
        {
            return Ok(found);
        }
        if let Some(fit) = self.choose(&candidates, &group.arguments, &given, span)? {
            return self.called(group, fit, &given, span);
        }
        if group.of.is_some() && self.names_type_too(expr) {
            return self.call_of(expr, &Group { of: None, ..group.clone() }, arguments);
        }
        let of_type = self.of_type(group, &all, &given, span)?;
        if let Some(receiver) = &group.of {
            // what it is when it runs may have one that fits
            if candidates.is_empty() && self.may_be_more(receiver) {
                let error = of_type.or_else(|| self.no_overload::<()>(group, &candidates, &given, span).err());
                return Ok(self.late_call(expr, group, given, arguments, error));
            }
        }
        if let Some(error) = of_type {
            return Err(error);
        }
        self.no_overload(group, &all, &given, span)
    }

    /// Whether what a method is called on is a value with the name of its type, as in `Color.Parse("red")` beside a property `Color Color`:
    /// then a static method is meant too (C# 12.8.7.2).
    fn names_type_too(&mut self, call: &Expr) -> bool {
        let ExprKind::Invocation { of, .. } = &call.kind else { return false };
        let ExprKind::MemberAccess { of, .. } = &of.kind else { return false };
        matches!(of.kind, ExprKind::Name { .. }) && matches!(self.meaning(of), Ok(Meaning::Both(..)))
    }

    /// What a simple name of a method is called on.
    fn is_this(&self, of: &Bound) -> bool {
        let this = self.variable("this");
        matches!((&of.kind, this), (Kind::Variable(position), Some((this, _))) if *position == this)
    }

    pub(super) fn call_if_fits(&mut self, group: &Group, given: &[Given]) -> Result<Option<Bound>> {
        let candidates = self.methods_of(&group.type_, &group.name);
        let span = group.span.clone();
        let given = &[given, &self.captured_arguments(group)].concat();
        if let Some(found) = self.accessible_call(group, &candidates, given, &span)? {
            return Ok(Some(found));
        }
        if let Some(receiver) = &group.of
            && let Some(found) = self.extension_call(group, receiver, given, &span)?
        {
            return Ok(Some(found));
        }
        match self.choose(&candidates, &group.arguments, given, &span)? {
            Some(fit) => self.called(group, fit, given, &span).map(Some),
            None => Ok(None),
        }
    }

    /// By a method that the code may name: one that it may not gives way to an extension, as the compiler does not see it.
    fn accessible_call(
        &mut self,
        group: &Group,
        candidates: &[(Type, Arc<Method>)],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Bound>> {
        let mut candidates = candidates.to_vec();
        candidates.retain(|(owner, method)| self.is_accessible(owner, method));
        match self.choose(&candidates, &group.arguments, given, span)? {
            Some(fit) => self.called(group, fit, given, span).map(Some),
            None => Ok(None),
        }
    }

    fn called(&mut self, group: &Group, fit: Fit, given: &[Given], span: &Span) -> Result<Bound> {
        let arguments = self.passed(&fit, given, span)?;
        let method = fit.method;
        if method.owner.is("System.Runtime.CompilerServices.Unsafe") && is_of_addresses(&method.method.name) {
            return unsupported(format!(
                "'{}' computes with the address of what `ref` refers to, and an evaluation passes a copy of it by reference",
                method.method.name
            ));
        }
        let returns = match method.returns() {
            Type::ByRef(inner) => *inner,
            other => other,
        };
        let of = group.of.clone().filter(|_| !method.method.is_static).map(Box::new);
        if of.is_none() && !method.method.is_static {
            if self.lacks_this() && self.scope.enclosing.first() == Some(&group.type_) {
                let words = format!("`{}` needs an object that is not available here", method.method.name);
                return self.without_this(&words);
            }
            return error(
                "CS0120",
                format!(
                    "An object reference is required for the non-static field, method, or property '{}'",
                    super::overloads::signature(&method)
                ),
                span,
            );
        }
        let own = if of.is_none() { self.implementation(&group.type_, &method) } else { None };
        Ok(Bound::new(Kind::Call { of, method: own.unwrap_or(method), arguments }, returns, span.clone()))
    }

    /// Of a type, its bases, and, of an interface, those it extends.
    pub(super) fn indexers(&self, type_: &Type) -> Vec<PropertyRef> {
        let mut found = Vec::new();
        for place in self.places(type_) {
            let Some(definition) = self.types.definition(&place) else { continue };
            // an explicit implementation carries the interface's name
            let own = self.types.properties(&definition);
            let indexers = own.iter().filter(|it| it.is_indexer() && !it.name.contains('.'));
            found.extend(indexers.map(|it| PropertyRef { owner: place.clone(), property: it.clone() }));
        }
        found
    }

    pub(super) fn chosen_indexer(
        &mut self,
        of: &Bound,
        indexers: &[PropertyRef],
        arguments: &[Argument],
        span: &Span,
    ) -> Result<Option<Bound>> {
        let given = self.given(arguments)?;
        if given.iter().any(|it| it.value.is_late()) {
            return Ok(None);
        }
        match self.indexed(of, indexers, &given, span)? {
            Some(found) => Ok(Some(found)),
            None => self.sliced(of, indexers, &given, span),
        }
    }

    /// By an indexer that takes the arguments.
    pub(super) fn indexed(
        &mut self,
        of: &Bound,
        indexers: &[PropertyRef],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Bound>> {
        let candidates = accessors(indexers);
        let Some(fit) = self.choose(&candidates, &[], given, span)? else { return Ok(None) };
        let is_it = |it: &&PropertyRef| {
            it.owner == fit.method.owner
                && it.property.accessor().is_some_and(|accessor| accessor.id == fit.method.method.id)
        };
        let Some(property) = indexers.iter().find(is_it).cloned() else { return Ok(None) };
        let passed = self.passed(&fit, given, span)?;
        let Some(arguments) = Self::plain(&passed) else { return Ok(None) };
        let type_ = match property.type_() {
            Type::ByRef(inner) => *inner,
            other => other,
        };
        // reading a character of a text needs no call
        if of.type_ == Type::STRING {
            return Ok(Some(Bound::new(
                Kind::Element { of: Box::new(of.clone()), indices: arguments },
                type_,
                span.clone(),
            )));
        }
        let of = Some(Box::new(of.clone()));
        Ok(Some(Bound::new(Kind::Property { of, property, arguments }, type_, span.clone())))
    }
}

/// What is called of indexers.
pub(super) fn accessors(indexers: &[PropertyRef]) -> Vec<(Type, Arc<Method>)> {
    let accessor = |it: &PropertyRef| Some((it.owner.clone(), it.property.accessor()?.clone()));
    overridden(indexers.iter().filter_map(accessor).collect())
}

/// Whether a method of `Unsafe` needs to know where what it gets by reference lies.
fn is_of_addresses(name: &str) -> bool {
    const ALL: [&str; 7] =
        ["AreSame", "ByteOffset", "Add", "AddByteOffset", "Subtract", "SubtractByteOffset", "AsPointer"];
    ALL.contains(&name) || name.starts_with("IsAddress")
}
