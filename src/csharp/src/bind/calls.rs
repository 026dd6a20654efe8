//! Calls of methods and delegates, and indexers.

use std::sync::Arc;

use clr_metadata::names::local_function;

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, Expr, ExprKind, Pass, Span};
use crate::types::{Method, MethodRef, PropertyRef, Type};

use super::access::needed_type;
use super::arguments::Given;
use super::overloads::{Fit, Unfit};
use super::overrides::overridden;
use super::{BindError, Binder, Group, Meaning, Result, error, unsupported};

/// Whose `ForEach` runs here.
const LIST: &str = "System.Collections.Generic.List`1";
const ARRAY: &str = "System.Array";

impl Binder<'_> {
    pub(super) fn invocation(&mut self, expr: &Expr, of: &Expr, arguments: &[Argument]) -> Result<Bound> {
        let span = &expr.span;
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

    /// What the compiler says where only a static method fits what is called on a value.
    fn of_type(
        &mut self,
        group: &Group,
        all: &[(Type, Arc<Method>)],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<BindError>> {
        let Some(receiver) = &group.of else { return Ok(None) };
        let statics: Vec<_> = all.iter().filter(|(_, method)| method.is_static).cloned().collect();
        let text = if let Some(fit) = self.choose(&statics, &group.arguments, given, span)? {
            super::overloads::signature(&fit.method)
        } else if let Some(call) = self.block_member(receiver, (&group.name, true), (&group.arguments, given), span)? {
            let Kind::Call { method, .. } = &call.kind else { return Ok(None) };
            let signature = super::overloads::signature(method);
            let parameters = signature.find('(').and_then(|at| signature.get(at..)).unwrap_or_default();
            format!("{}{parameters}", self.block_text(&call, &group.name))
        } else {
            return Ok(None);
        };
        Ok(Some(BindError::Compiler { code: "CS0176", message: needed_type(&text), at: span.start }))
    }

    /// What a simple name of a method is called on.
    fn is_this(&self, of: &Bound) -> bool {
        let this = self.variable("this");
        matches!((&of.kind, this), (Kind::Variable(position), Some((this, _))) if *position == this)
    }

    /// Why none of the indexers takes the arguments.
    pub(super) fn no_indexer<T>(&mut self, indexers: &[PropertyRef], arguments: &[Argument], span: &Span) -> Result<T> {
        let given = self.given(arguments)?;
        let mut unnamed = None;
        for (owner, accessor) in accessors(indexers) {
            match self.fit(&owner, &accessor, &[], &given, false)? {
                Err(Unfit::Type(at, wanted)) => {
                    let from = given.get(at).map(|it| it.value.type_.clone()).unwrap_or(Type::Null);
                    return error("CS1503", mismatch(at, &from, &wanted), span);
                }
                Err(Unfit::Name(name)) => unnamed = Some(name),
                _ => {}
            }
        }
        match unnamed {
            Some(name) => error("CS1739", no_parameter("this", &name), span),
            None => error("CS1501", format!("No overload for method 'this' takes {} arguments", given.len()), span),
        }
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

    fn no_overload<T>(
        &mut self,
        group: &Group,
        candidates: &[(Type, Arc<Method>)],
        given: &[Given],
        span: &Span,
    ) -> Result<T> {
        let name = local_function(&group.name).unwrap_or(&group.name);
        if candidates.is_empty() {
            if let Some(receiver) = group.of.as_ref().filter(|it| self.takes_extensions(it)) {
                let mismatched = self.extensions(name);
                let all: Vec<Given> =
                    std::iter::once(Given::receiver(receiver.clone())).chain(given.iter().cloned()).collect();
                let (mut takes_receiver, mut unmet, mut uninferred) = (false, None, None);
                for (holder, method) in &mismatched {
                    match self.fit(holder, method, &group.arguments, &all, false)? {
                        Err(Unfit::Type(at @ 1.., wanted)) => {
                            let Some(value) = all.get(at).map(|it| it.value.clone()) else { continue };
                            if let Kind::Untyped(written) = &value.kind
                                && let ExprKind::Lambda(lambda) = &written.kind
                            {
                                let takes = self.types.delegate(&wanted).map(|(parameters, _)| parameters.len());
                                if takes != Some(lambda.parameters.len()) {
                                    continue;
                                }
                                let lambda = lambda.clone();
                                self.mismatched_lambda(&lambda, &wanted, span)?;
                            }
                            self.is_no_handler(all.get(at), &wanted)?;
                            return error("CS1503", mismatch(at, &value.type_, &wanted), span);
                        }
                        Err(Unfit::Pass(at, _)) => {
                            let wanted = method.parameters.get(at).map(|it| &it.type_);
                            wanted.map_or(Ok(()), |wanted| self.is_no_handler(all.get(at), wanted))?;
                        }
                        Err(Unfit::Constraint(code, words)) if unmet.is_none() => unmet = Some((code, words)),
                        Err(Unfit::Missing(_) | Unfit::Count) => {
                            takes_receiver |= self.extends(method, receiver);
                        }
                        // as for a lambda that gives nothing
                        Err(Unfit::Inference) if uninferred.is_none() && self.extends(method, receiver) => {
                            uninferred = Some(holder.short());
                        }
                        _ => {}
                    }
                }
                if let Some((code, words)) = unmet {
                    return error(code, words, span);
                }
                if let Some(holder) = uninferred {
                    return error("CS0411", not_inferred(&format!("{holder}.{name}")), span);
                }
                if takes_receiver {
                    return error(
                        "CS1501",
                        format!("No overload for method '{name}' takes {} arguments", given.len()),
                        span,
                    );
                }
                if let Some((holder, method)) = mismatched.first() {
                    let named: Vec<Type> =
                        method.constraints.iter().map(|it| Type::named(&it.name, Vec::new())).collect();
                    let wanted = method.parameters.first().map(|it| it.type_.substitute(&[], &named).short());
                    let wanted = wanted.unwrap_or_default();
                    let holder = holder.short();
                    return error(
                        "CS1929",
                        format!(
                            "'{}' does not contain a definition for '{name}' and the best extension method overload '{holder}.{name}' \
                             requires a receiver of type '{wanted}'",
                            receiver.type_.short()
                        ),
                        span,
                    );
                }
            }
            return error("CS1061", self.no_member(&group.type_, name, false), span);
        }
        if let Some((owner, method)) = candidates.first()
            && candidates.iter().all(|(_, method)| method.generic != group.arguments.len())
            && !group.arguments.is_empty()
        {
            return other_arity(owner, method, span);
        }
        let mut reasons = Vec::new();
        for (owner, method) in candidates {
            if let Err(reason) = self.fit(owner, method, &group.arguments, given, false)? {
                reasons.push((owner, method, reason));
            }
        }
        let by_type = reasons.iter().find(|(.., reason)| matches!(reason, Unfit::Type(..) | Unfit::Pass(..)));
        let by_constraint = || reasons.iter().find(|(.., reason)| matches!(reason, Unfit::Constraint(..)));
        let by_name = || reasons.iter().find(|(.., reason)| matches!(reason, Unfit::Name(_)));
        let only = || if reasons.len() == 1 { reasons.first() } else { None };
        let chosen = by_type.or_else(by_constraint).or_else(by_name).or_else(only);
        match chosen {
            Some((_, _, Unfit::Type(at, wanted))) => {
                self.is_no_handler(given.get(*at), wanted)?;
                let argument = given.get(*at).map(|it| it.value.clone());
                // what is wrong in a lambda's body is what the reader wants to know
                if let Some(Bound { kind: Kind::Untyped(lambda), .. }) = &argument {
                    let lambda = (**lambda).clone();
                    if let ExprKind::Lambda(_) = lambda.kind {
                        let natural = argument.clone().unwrap_or_else(|| self.untyped(&lambda));
                        self.converted(natural, wanted)?;
                    }
                }
                let from = argument.map(|it| it.type_).unwrap_or(Type::Null);
                error("CS1503", mismatch(*at, &from, wanted), span)
            }
            Some((_, method, Unfit::Pass(at, pass))) => {
                let wanted = method.parameters.get(*at).map(|it| &it.type_);
                wanted.map_or(Ok(()), |wanted| self.is_no_handler(given.get(*at), wanted))?;
                wrong_pass(*at, *pass, span)
            }
            Some((owner, method, Unfit::Missing(parameter))) => {
                let method = self.nearest_override(&group.type_, (owner, method));
                error(
                    "CS7036",
                    format!(
                        "There is no argument given that corresponds to the required parameter '{parameter}' of '{}'",
                        super::overloads::signature(&method)
                    ),
                    span,
                )
            }
            Some((_, _, Unfit::Name(parameter))) => error("CS1739", no_parameter(name, parameter), span),
            Some((_, _, Unfit::Constraint(code, words))) => error(code, words.clone(), span),
            Some((_, _, Unfit::Inference)) => error("CS0411", not_inferred(&group.text()), span),
            _ => {
                let count = given.len() - self.captured_arguments(group).len();
                error("CS1501", format!("No overload for method '{name}' takes {count} arguments"), span)
            }
        }
    }

    /// Whether an extension method is one of what it is called on.
    fn extends(&mut self, method: &Method, receiver: &Bound) -> bool {
        let Some(first) = method.parameters.first().map(|it| it.type_.clone()) else { return false };
        let inferred = self.inferred_type(method.generic, &first, &Given::value(receiver.clone()));
        matches!(inferred, Ok(Some(wanted)) if self.types.is_a(&receiver.type_, &wanted))
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
fn accessors(indexers: &[PropertyRef]) -> Vec<(Type, Arc<Method>)> {
    let accessor = |it: &PropertyRef| Some((it.owner.clone(), it.property.accessor()?.clone()));
    overridden(indexers.iter().filter_map(accessor).collect())
}

/// Whether a method of `Unsafe` needs to know where what it gets by reference lies.
fn is_of_addresses(name: &str) -> bool {
    const ALL: [&str; 7] =
        ["AreSame", "ByteOffset", "Add", "AddByteOffset", "Subtract", "SubtractByteOffset", "AsPointer"];
    ALL.contains(&name) || name.starts_with("IsAddress")
}

fn not_inferred(method: &str) -> String {
    format!(
        "The type arguments for method '{method}' cannot be inferred from the usage. Try specifying the type arguments explicitly."
    )
}

fn no_parameter(method: &str, name: &str) -> String {
    format!("The best overload for '{method}' does not have a parameter named '{name}'")
}

/// An argument that is not passed as its parameter wants it.
pub(super) fn wrong_pass<T>(at: usize, pass: Pass, span: &Span) -> Result<T> {
    let keyword = match pass {
        Pass::Out => "out",
        Pass::Ref => "ref",
        _ => {
            let words = format!("Argument {} may not be passed with the 'ref' or 'out' keyword", at + 1);
            return error("CS1615", words, span);
        }
    };
    error("CS1620", format!("Argument {} must be passed with the '{keyword}' keyword", at + 1), span)
}

pub(super) fn mismatch(at: usize, from: &Type, to: &Type) -> String {
    format!("Argument {}: cannot convert from '{from}' to '{to}'", at + 1)
}

/// A method that takes another number of type arguments.
fn other_arity<T>(owner: &Type, method: &Arc<Method>, span: &Span) -> Result<T> {
    let parameters: Vec<&str> = method.constraints.iter().map(|it| it.name.as_str()).collect();
    let arguments = parameters.iter().map(|name| Type::named(name, Vec::new())).collect();
    let text = super::overloads::signature(&MethodRef { owner: owner.clone(), method: method.clone(), arguments });
    if parameters.is_empty() {
        return error("CS0308", format!("The non-generic method '{text}' cannot be used with type arguments"), span);
    }
    let text = text.replacen('(', &format!("<{}>(", parameters.join(", ")), 1);
    error("CS0305", format!("Using the generic method '{text}' requires {} type arguments", parameters.len()), span)
}
