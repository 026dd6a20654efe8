//! Which of several methods a call means (ECMA-334, 12.6.4).

use clr_metadata::names::is_display_class;

use crate::bound::{Bound, Kind, Passed};
use crate::constant::{Constant, Scalar};
use crate::syntax::{Pass, Span};
use crate::types::{Method, MethodRef, ParameterDefault, Type, is_same_file};
pub(super) use crate::types::{READ_ONLY_SPAN, SPAN, is_by_ref_like};

use super::arguments::Given;
use super::{Binder, Result, constants, error, unsupported};

/// A method that takes the arguments.
pub(super) struct Fit {
    pub method: MethodRef,
    /// Which parameter each argument goes to.
    places: Vec<usize>,
    /// `params` is given by its elements.
    pub is_expanded: bool,
    pub arguments: Vec<Bound>,
}

/// Why a method does not take them.
pub(super) enum Unfit {
    Count,
    /// The parameter that nothing is given for.
    Missing(String),
    Name(String),
    /// Position and the parameter's type.
    Type(usize, Type),
    Pass(usize, Pass),
    Inference,
    /// What the compiler calls it, and the type argument.
    Constraint(&'static str, String),
}

/// The elements of an array or a span of which a span of the wanted kind is made by itself.
pub(super) fn spanned<'t>(from: &'t Type, wanted: &Type) -> Option<&'t Type> {
    match from {
        Type::Array { of, rank: 1 } if is_by_ref_like(wanted) => Some(of),
        _ if from.is(SPAN) && wanted.is(READ_ONLY_SPAN) => from.arguments().first(),
        _ => None,
    }
}

pub(super) fn is_span_of_characters(type_: &Type) -> bool {
    is_by_ref_like(type_) && type_.arguments().first() == Some(&Type::Primitive(clr_metadata::Primitive::Char))
}

impl Binder<'_> {
    /// Whether code of this place may name it.
    pub(super) fn is_accessible(&self, owner: &Type, method: &Method) -> bool {
        const ACCESS: u32 = 7;
        const PRIVATE: u32 = 1;
        const FAMILY: [u32; 2] = [4, 5];
        let access = method.flags & ACCESS;
        if access == 6 {
            return true;
        }
        let is_own = self.scope.assembly.as_ref().is_some_and(|own| is_same_file(own, &method.assembly));
        let is_within = || self.scope.enclosing.iter().any(|type_| type_.name() == owner.name());
        match access {
            PRIVATE => is_within(),
            _ if FAMILY.contains(&access) => {
                is_own && access == 5 || self.scope.enclosing.iter().any(|type_| self.types.is_a(type_, owner))
            }
            _ => is_own,
        }
    }

    /// The best of the nearest type that has one that fits. `Ok(None)`: none fits.
    pub(super) fn choose(
        &mut self,
        candidates: &[(Type, std::sync::Arc<Method>)],
        explicit: &[Type],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Fit>> {
        self.first_by_bounds(given, |binder| binder.choose_with_spans(candidates, explicit, given, span))
    }

    fn choose_with_spans(
        &mut self,
        candidates: &[(Type, std::sync::Arc<Method>)],
        explicit: &[Type],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Fit>> {
        match self.choose_nearest(candidates, explicit, given, span) {
            Ok(None) if takes_spans(candidates) && !self.makes_spans => {
                self.makes_spans = true;
                let found = self.choose_nearest(candidates, explicit, given, span);
                self.makes_spans = false;
                found
            }
            Err(ambiguous) if takes_spans(candidates) && !self.makes_spans && self.types.prefers_spans() => {
                self.makes_spans = true;
                let by_span = self.choose_nearest(candidates, explicit, given, span);
                self.makes_spans = false;
                let Ok(Some(by_span)) = by_span else { return Err(ambiguous) };
                self.without_span(by_span, candidates, explicit, given).map(Some)
            }
            found => found,
        }
    }

    /// What stands beside a method with a span, takes an array in its place and does the same; the method itself where nothing does.
    fn without_span(
        &mut self,
        found: Fit,
        candidates: &[(Type, std::sync::Arc<Method>)],
        explicit: &[Type],
        given: &[Given],
    ) -> Result<Fit> {
        let of_array = |type_: &Type| match type_.arguments() {
            [of] if is_by_ref_like(type_) => Type::array(of.clone()),
            _ => type_.clone(),
        };
        let wanted: Vec<Type> = found.method.method.parameters.iter().map(|it| of_array(&it.type_)).collect();
        let is_it = |method: &Method| method.parameters.iter().map(|it| &it.type_).eq(&wanted);
        let beside = candidates.iter().find(|(owner, method)| *owner == found.method.owner && is_it(method));
        let Some((owner, method)) = beside else { return Ok(found) };
        Ok(self.fit(owner, method, explicit, given, found.is_expanded)?.unwrap_or(found))
    }

    fn choose_nearest(
        &mut self,
        candidates: &[(Type, std::sync::Arc<Method>)],
        explicit: &[Type],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Fit>> {
        for accessible in [true, false] {
            let mut fits: Vec<Fit> = Vec::new();
            let mut level: Option<&Type> = None;
            for (owner, method) in candidates {
                if self.is_accessible(owner, method) != accessible || self.is_hidden(candidates, owner, method) {
                    continue;
                }
                // what a base type has counts where nothing nearer fits; interfaces stand side by side
                if level.is_some_and(|level| level != owner) && !fits.is_empty() && !self.types.is_interface(owner) {
                    break;
                }
                level = Some(owner);
                for is_expanded in [false, true] {
                    if let Ok(fit) = self.fit(owner, method, explicit, given, is_expanded)? {
                        fits.push(fit);
                        break;
                    }
                }
            }
            if !fits.is_empty() {
                return self.best(fits, given, span).map(Some);
            }
        }
        Ok(None)
    }

    /// The best of methods that stand side by side, whatever types they are of.
    pub(super) fn choose_among(
        &mut self,
        candidates: &[(Type, std::sync::Arc<Method>)],
        explicit: &[Type],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Fit>> {
        self.first_by_bounds(given, |binder| {
            let mut fits = Vec::new();
            for (owner, method) in candidates {
                for is_expanded in [false, true] {
                    if let Ok(fit) = binder.fit(owner, method, explicit, given, is_expanded)? {
                        fits.push(fit);
                        break;
                    }
                }
            }
            if fits.is_empty() { Ok(None) } else { binder.best(fits, given, span).map(Some) }
        })
    }

    /// Whether an interface that extends the owner has a method of its own with the same parameters, or, where a type parameter is bound
    /// to both, a class before it.
    fn is_hidden(&self, candidates: &[(Type, std::sync::Arc<Method>)], owner: &Type, method: &Method) -> bool {
        if !self.types.is_interface(owner) {
            return false;
        }
        let parameters = |owner: &Type, method: &Method| -> Vec<Type> {
            method.parameters.iter().map(|it| it.type_.substitute(owner.arguments(), &[])).collect()
        };
        let place = candidates.iter().position(|(other, _)| other == owner);
        candidates.iter().enumerate().any(|(at, (other, hiding))| {
            other != owner
                && hiding.generic == method.generic
                && hiding.parameters.len() == method.parameters.len()
                && match self.types.is_interface(other) {
                    true => self.types.is_a(other, owner),
                    false => Some(at) < place,
                }
                && parameters(other, hiding) == parameters(owner, method)
        })
    }

    /// Whether a method takes the arguments, and as what.
    pub(super) fn fit(
        &mut self,
        owner: &Type,
        method: &std::sync::Arc<Method>,
        explicit: &[Type],
        given: &[Given],
        is_expanded: bool,
    ) -> Result<std::result::Result<Fit, Unfit>> {
        let places = match places(method, given, is_expanded) {
            Ok(places) => places,
            Err(unfit) => return Ok(Err(unfit)),
        };
        // open: its own parameters are not known yet
        let open: Vec<Type> = places.iter().map(|&place| parameter_type(owner, method, place, is_expanded)).collect();
        let arguments = match (method.generic, explicit.len()) {
            (0, 0) => Vec::new(),
            (count, given_count) if count == given_count => explicit.to_vec(),
            (0, _) => return Ok(Err(Unfit::Count)),
            (count, 0) => match self.inferred(count, &open, given)? {
                Some(arguments) => arguments,
                None => return Ok(Err(Unfit::Inference)),
            },
            _ => return Ok(Err(Unfit::Count)),
        };
        if let Some(unfit) = self.unmet(owner, method, &arguments) {
            return Ok(Err(unfit));
        }
        let mut converted = Vec::new();
        for (at, (argument, type_)) in given.iter().zip(&open).enumerate() {
            let type_ = type_.substitute(&[], &arguments);
            let Some(parameter) = places.get(at).and_then(|&place| method.parameters.get(place)) else {
                return Ok(Err(Unfit::Count));
            };
            let pass = argument.pass_to(parameter);
            let passes = match (pass, parameter.pass) {
                // `ref` too since C# 12: of what is read by reference the caller may say so
                (Pass::Value | Pass::In | Pass::Ref, Pass::In) => true,
                (one, other) => one == other,
            };
            if !passes {
                return Ok(Err(Unfit::Pass(at, parameter.pass)));
            }
            if is_by_ref_like(&type_) && argument.value.type_ != type_ && !is_expanded && !self.makes_span_for(method) {
                return Ok(Err(Unfit::Type(at, type_)));
            }
            if self.by_bounds && !self.is_within_bounds(&argument.value.type_, &type_) {
                return Ok(Err(Unfit::Type(at, type_)));
            }
            if let Some((_, written)) = &argument.declares {
                if written.as_ref().is_some_and(|written| *written != type_) {
                    return Ok(Err(Unfit::Type(at, type_)));
                }
                converted.push(Bound { type_, ..argument.value.clone() });
                continue;
            }
            if matches!(pass, Pass::Ref | Pass::Out) {
                if argument.value.type_ != type_ {
                    return Ok(Err(Unfit::Type(at, type_)));
                }
                converted.push(argument.value.clone());
                continue;
            }
            match self.implicit(argument.value.clone(), &type_)? {
                Some(value) => converted.push(value),
                None => return Ok(Err(Unfit::Type(at, type_))),
            }
        }
        let method = MethodRef { owner: owner.clone(), method: method.clone(), arguments };
        Ok(Ok(Fit { method, places, is_expanded, arguments: converted }))
    }

    /// The call's arguments in the order of the parameters, what is left out included.
    pub(super) fn passed(&mut self, fit: &Fit, given: &[Given], span: &Span) -> Result<Vec<Passed>> {
        let parameters = fit.method.method.parameters.clone();
        let mut passed = Vec::with_capacity(parameters.len());
        for (number, parameter) in parameters.iter().enumerate() {
            let Some(type_) = fit.method.parameter_type(number) else { continue };
            let here = || fit.places.iter().enumerate().filter(move |(_, place)| **place == number).map(|(at, _)| at);
            if parameter.is_params && fit.is_expanded {
                let elements: Vec<Bound> = here().filter_map(|at| fit.arguments.get(at).cloned()).collect();
                passed.push(Passed::Value(self.gathered(elements, type_, span)?));
                continue;
            }
            let Some(at) = here().next() else {
                if parameter.is_of_caller {
                    return unsupported(format!(
                        "the compiler computes the parameter '{}' from the call site, and an evaluation has none: pass a value",
                        parameter.name
                    ));
                }
                let default = match &parameter.default {
                    Some(ParameterDefault::Value(value)) => constants::constant(value, &type_, self.types),
                    Some(ParameterDefault::Decimal(number)) => Some(Constant::Scalar(Scalar::Decimal(*number))),
                    None => None,
                };
                let value = match default {
                    Some(Constant::Null) | None => self.default_of(&type_, span),
                    Some(constant) => Bound::new(Kind::Constant(constant), type_, span.clone()),
                };
                passed.push(Passed::Value(value));
                continue;
            };
            let (Some(argument), Some(value)) = (given.get(at), fit.arguments.get(at)) else { continue };
            passed.push(match (&argument.declares, argument.pass_to(parameter)) {
                (Some((name, _)), _) => {
                    let slot = name.as_ref().map(|name| self.declare(name, type_.clone()));
                    Passed::Out(slot, type_)
                }
                (None, Pass::Ref | Pass::Out) => {
                    // what is only read is not written back
                    let is_read = parameter.pass == Pass::In;
                    let referred = referred(value.clone(), is_read, span)?;
                    if is_read { Passed::Value(referred) } else { Passed::Ref(referred) }
                }
                (None, _) => Passed::Value(value.clone()),
            });
        }
        Ok(passed)
    }

    /// What `params` gets of the elements that a call lists.
    fn gathered(&mut self, elements: Vec<Bound>, type_: Type, span: &Span) -> Result<Bound> {
        let array = match &type_ {
            Type::Array { .. } => type_.clone(),
            view if is_by_ref_like(view) => Type::array(view.arguments().first().cloned().unwrap_or(Type::OBJECT)),
            _ => {
                let elements = elements.into_iter().map(|it| (it, false)).collect();
                return Ok(Bound::new(Kind::Collection(elements), type_, span.clone()));
            }
        };
        let kind = Kind::NewArray { sizes: Vec::new(), elements: Some(elements) };
        self.converted(Bound::new(kind, array, span.clone()), &type_)
    }

    /// Whether an argument may become a span. The framework has a method without one beside most of its own, which costs less: of those
    /// it does only where nothing else fits.
    pub(super) fn makes_span_for(&self, method: &Method) -> bool {
        self.makes_spans || !is_of_framework(method)
    }
}

fn is_of_framework(method: &Method) -> bool {
    method.assembly.name().starts_with("System.")
}

impl Fit {
    /// The type of what an argument goes to.
    pub fn parameter(&self, argument: usize) -> Option<Type> {
        let place = *self.places.get(argument)?;
        let type_ = parameter_type(&self.method.owner, &self.method.method, place, self.is_expanded);
        Some(type_.substitute(&[], &self.method.arguments))
    }
}

pub(super) fn takes_spans(candidates: &[(Type, std::sync::Arc<Method>)]) -> bool {
    candidates.iter().any(|(_, method)| method.parameters.iter().any(|it| is_by_ref_like(&it.type_)))
}

/// Of a parameter, its own type parameters open; of `params` that is given by elements, the element's.
fn parameter_type(owner: &Type, method: &Method, place: usize, is_expanded: bool) -> Type {
    let Some(parameter) = method.parameters.get(place) else { return Type::Late };
    let type_ = parameter.type_.substitute(owner.arguments(), &[]);
    match (&type_, is_expanded && parameter.is_params) {
        (Type::Array { of, rank: 1 }, true) => (**of).clone(),
        (Type::Named(named), true) => named.arguments.first().cloned().unwrap_or(Type::OBJECT),
        _ => type_,
    }
}

/// Which parameter each argument goes to.
fn places(method: &Method, given: &[Given], is_expanded: bool) -> std::result::Result<Vec<usize>, Unfit> {
    let parameters = &method.parameters;
    // what a local function captures is behind those of the source
    let count = parameters.iter().take_while(|it| !is_display_class(&it.name)).count();
    let last = parameters.iter().take(count).next_back().filter(|it| it.is_params);
    if is_expanded {
        match last {
            // the framework has an array beside each of them that does the same
            Some(last) if !is_by_ref_like(&last.type_) || !is_of_framework(method) => {}
            _ => return Err(Unfit::Count),
        }
    }
    let mut places = Vec::with_capacity(given.len());
    for (at, argument) in given.iter().enumerate() {
        let place = match &argument.name {
            Some(name) => match parameters.iter().position(|it| it.name == *name) {
                Some(place) => place,
                None => return Err(Unfit::Name(name.clone())),
            },
            None if is_expanded && at + 1 >= count => count - 1,
            None if at < count => at,
            None => return Err(Unfit::Count),
        };
        if places.contains(&place) && !(is_expanded && place + 1 == count) {
            return Err(Unfit::Count);
        }
        places.push(place);
    }
    for (number, parameter) in parameters.iter().enumerate() {
        let may_miss = parameter.is_optional || is_expanded && parameter.is_params;
        if !places.contains(&number) && !may_miss {
            return Err(Unfit::Missing(parameter.name.clone()));
        }
    }
    Ok(places)
}

/// What `ref` and `out` can refer to.
fn referred(value: Bound, is_read: bool, span: &Span) -> Result<Bound> {
    match &value.kind {
        Kind::Variable(_) | Kind::Local(_) | Kind::Field { .. } | Kind::Element { .. } => Ok(value),
        _ if returns_reference(&value) && is_read => Ok(value),
        _ if returns_reference(&value) => unsupported(
            "passing on a reference that a call returns is not supported here: pass the variable, the field or the element that it refers to",
        ),
        Kind::Property { .. } => {
            error("CS0206", "A non ref-returning property or indexer may not be used as an out or ref value", span)
        }
        _ => error("CS1510", "A ref or out value must be an assignable variable", span),
    }
}

/// Whether it stands for what a method, a property or an indexer returns by reference.
pub(super) fn returns_reference(bound: &Bound) -> bool {
    match &bound.kind {
        Kind::Call { method, .. } => matches!(method.method.returns, Type::ByRef(_)),
        Kind::Property { property, .. } => matches!(property.property.type_, Type::ByRef(_)),
        Kind::Let { then, .. } | Kind::Located { then, .. } => returns_reference(then),
        _ => false,
    }
}

/// `Order.Add(int, string)`
pub(crate) fn signature(method: &MethodRef) -> String {
    let types = (0..method.method.parameters.len()).filter_map(|at| method.parameter_type(at));
    let types = types.filter(|type_| !type_.name().is_some_and(is_display_class));
    let types: Vec<String> = types.map(|type_| type_.short()).collect();
    format!("{}({})", method.text(), types.join(", "))
}
