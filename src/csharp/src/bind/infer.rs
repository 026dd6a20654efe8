//! Type arguments that a call leaves to the compiler (ECMA-334, 12.6.3).

use crate::bound::Kind;
use crate::syntax::{ExprKind, Pass};
use crate::types::{Direction, Type};

use super::arguments::Given;
use super::overloads::spanned;
use super::{Binder, Result};

#[derive(Default, Clone)]
struct Bounds {
    exact: Vec<Type>,
    lower: Vec<Type>,
    upper: Vec<Type>,
}

impl Bounds {
    fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.lower.is_empty() && self.upper.is_empty()
    }
}

struct Inference {
    bounds: Vec<Bounds>,
    fixed: Vec<Option<Type>>,
}

impl Binder<'_> {
    /// `None`: the arguments do not determine all of them.
    pub(super) fn inferred(&mut self, count: usize, parameters: &[Type], given: &[Given]) -> Result<Option<Vec<Type>>> {
        let mut inference = Inference { bounds: vec![Bounds::default(); count], fixed: vec![None; count] };
        // what the types of the arguments say
        for (parameter, argument) in parameters.iter().zip(given) {
            let given_type = match &argument.declares {
                Some((_, Some(written))) => written,
                Some((_, None)) => continue,
                None => &argument.value.type_,
            };
            match given_type {
                Type::Untyped => self.explicit_parameters(parameter, argument, &mut inference)?,
                Type::Null => {}
                type_ if matches!(argument.pass, Pass::Ref | Pass::Out) => self.exact(type_, parameter, &mut inference),
                type_ => {
                    // a tuple of what has no type by itself has none either
                    self.lower(type_, parameter, &mut inference);
                }
            }
        }
        // what the bodies of lambdas say, once their parameters are known
        for _ in 0..=count + given.len() {
            let open: Vec<usize> = (0..count).filter(|&at| inference.is_open(at)).collect();
            if open.is_empty() {
                break;
            }
            let waits = |at: usize, inference: &Inference| {
                let mut lambdas = parameters.iter().zip(given).filter(|(_, argument)| argument.value.is_untyped());
                lambdas.any(|(parameter, _)| match self.types.delegate(parameter) {
                    Some((inputs, output)) => {
                        mentions(&output, at)
                            && inputs.iter().any(|it| {
                                (0..count).any(|other| inference.is_open(other) && mentions(&it.type_, other))
                            })
                    }
                    None => false,
                })
            };
            let ready: Vec<usize> =
                open.iter().copied().filter(|&at| !waits(at, &inference) && !inference.has_no_bounds(at)).collect();
            let ready = if ready.is_empty() {
                open.iter().copied().filter(|&at| !inference.has_no_bounds(at)).collect()
            } else {
                ready
            };
            for at in &ready {
                match self.fix(&inference, *at) {
                    Some(type_) => inference.set(*at, type_),
                    None => return Ok(None),
                }
            }
            let mut learned = !ready.is_empty();
            for (parameter, argument) in parameters.iter().zip(given) {
                if argument.value.is_untyped() && argument.declares.is_none() {
                    learned |= self.output(parameter, argument, &mut inference)?;
                }
            }
            if !learned {
                return Ok(None);
            }
        }
        Ok(inference.fixed.into_iter().collect())
    }

    /// A parameter's type with what one argument says of it.
    pub(super) fn inferred_type(&mut self, count: usize, parameter: &Type, given: &Given) -> Result<Option<Type>> {
        let known = self.inferred_from(&given.value.type_, parameter, count);
        let type_ = parameter.substitute(&[], &known);
        Ok(type_.is_closed().then_some(type_))
    }

    /// What the type of one argument says of the type parameters; of others they stay what they are.
    pub(super) fn inferred_from(&self, given: &Type, parameter: &Type, count: usize) -> Vec<Type> {
        let mut inference = Inference { bounds: vec![Bounds::default(); count], fixed: vec![None; count] };
        self.lower(given, parameter, &mut inference);
        (0..count).map(|at| self.fix(&inference, at).unwrap_or(Type::MethodParameter(at as u32))).collect()
    }

    /// `(int x) => …` says what its parameters are.
    fn explicit_parameters(&mut self, parameter: &Type, argument: &Given, inference: &mut Inference) -> Result<()> {
        let Kind::Untyped(expr) = &argument.value.kind else { return Ok(()) };
        if let ExprKind::Collection(elements) = &expr.kind {
            let of = self.collected_type(parameter);
            let elements = elements.clone();
            for (element, is_spread) in elements.iter().filter(|_| of.is_some()) {
                let value = self.value(element)?;
                let own =
                    if *is_spread { self.element_type(&value.type_).unwrap_or(Type::Untyped) } else { value.type_ };
                if let (Some(of), false) = (&of, matches!(own, Type::Untyped | Type::Null)) {
                    self.lower(&own, of, inference);
                }
            }
            return Ok(());
        }
        let ExprKind::Lambda(lambda) = &expr.kind else { return Ok(()) };
        let Some((inputs, _)) = self.types.delegate(parameter) else { return Ok(()) };
        let written: Vec<_> = lambda.parameters.iter().map(|it| it.type_.clone()).collect();
        for (written, input) in written.iter().zip(&inputs) {
            if let Some(written) = written {
                let type_ = self.type_(written)?;
                self.exact(&type_, &input.type_, inference);
            }
        }
        Ok(())
    }

    /// What the body of a lambda, or a method that is named, returns; whether that is new.
    fn output(&mut self, parameter: &Type, argument: &Given, inference: &mut Inference) -> Result<bool> {
        let Kind::Untyped(expr) = &argument.value.kind else { return Ok(false) };
        let expr = (**expr).clone();
        let known: Vec<Type> = inference.fixed.iter().map(|it| it.clone().unwrap_or(Type::Untyped)).collect();
        let Some((inputs, output)) = self.types.delegate(parameter) else {
            return Ok(false);
        };
        let is_open = (0..inference.fixed.len()).any(|at| inference.is_open(at) && mentions(&output, at));
        let inputs: Vec<Type> = inputs.iter().map(|it| it.type_.substitute(&[], &known)).collect();
        if !is_open || inputs.iter().any(has_unknown) {
            return Ok(false);
        }
        let returned = match &expr.kind {
            ExprKind::Lambda(lambda) => self.returned(lambda, &inputs)?,
            ExprKind::Name { .. } | ExprKind::MemberAccess { .. } => self.group_returns(&expr, &inputs)?,
            _ => None,
        };
        let says_type = |type_: &Type| !matches!(type_, Type::Null | Type::Untyped) && !type_.is_void();
        let Some(returned) = returned.filter(says_type) else {
            return Ok(false);
        };
        let before: usize = inference.bounds.iter().map(|it| it.lower.len() + it.exact.len() + it.upper.len()).sum();
        self.lower(&returned, &output, inference);
        let after: usize = inference.bounds.iter().map(|it| it.lower.len() + it.exact.len() + it.upper.len()).sum();
        Ok(after > before)
    }

    fn exact(&self, from: &Type, to: &Type, inference: &mut Inference) {
        match (from, to) {
            (_, Type::MethodParameter(number)) => inference.add(*number, from, |bounds| &mut bounds.exact),
            (Type::Array { of: from, rank }, Type::Array { of: to, rank: other }) if rank == other => {
                self.exact(from, to, inference);
            }
            (Type::Named(from), Type::Named(to)) if from.name == to.name => {
                for (from, to) in from.arguments.iter().zip(&to.arguments) {
                    self.exact(from, to, inference);
                }
            }
            _ => {}
        }
    }

    fn lower(&self, from: &Type, to: &Type, inference: &mut Inference) {
        match (from, to) {
            (_, Type::MethodParameter(number)) => inference.add(*number, from, |bounds| &mut bounds.lower),
            (Type::Array { of: from, rank }, Type::Array { of: to, rank: other }) if rank == other => {
                if self.types.is_reference_type(from) {
                    self.lower(from, to, inference)
                } else {
                    self.exact(from, to, inference)
                }
            }
            (from, Type::Named(wanted)) if !wanted.arguments.is_empty() => {
                if let (Some(from), Some(to)) = (from.nullable_of(), to.nullable_of()) {
                    return self.lower(from, to, inference);
                }
                if let Some(to) = to.nullable_of() {
                    return self.lower(from, to, inference);
                }
                if let (Some(from), Some(to)) = (spanned(from, to), wanted.arguments.first()) {
                    return self.exact(from, to, inference);
                }
                let mut bases = self.types.chain(from);
                bases.extend(self.types.interfaces(from));
                let mut same = bases.iter().filter(|base| base.name() == Some(&*wanted.name));
                let (Some(base), None) = (same.next(), same.next()) else { return };
                let variances = self.types.variances(to);
                for (at, (from, to)) in base.arguments().iter().zip(&wanted.arguments).enumerate() {
                    let varies = self.types.is_reference_type(from);
                    match variances.get(at) {
                        Some(1) if varies => self.lower(from, to, inference),
                        Some(2) if varies => self.upper(from, to, inference),
                        _ if base.elements().is_some() => self.lower(from, to, inference),
                        _ => self.exact(from, to, inference),
                    }
                }
            }
            _ => {}
        }
    }

    fn upper(&self, from: &Type, to: &Type, inference: &mut Inference) {
        match (from, to) {
            (_, Type::MethodParameter(number)) => inference.add(*number, from, |bounds| &mut bounds.upper),
            _ => self.exact(from, to, inference),
        }
    }

    /// The one type that suits all bounds.
    fn fix(&self, inference: &Inference, at: usize) -> Option<Type> {
        let bounds = inference.bounds.get(at)?;
        let all = || bounds.exact.iter().chain(&bounds.lower).chain(&bounds.upper);
        if all().any(|it| *it == Type::Late) {
            return Some(Type::Late);
        }
        let way = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Implicit).is_some();
        let suits = |candidate: &&Type| {
            bounds.exact.iter().all(|exact| exact == *candidate)
                && bounds.lower.iter().all(|lower| way(lower, candidate))
                && bounds.upper.iter().all(|upper| way(candidate, upper))
        };
        let mut candidates: Vec<&Type> = Vec::new();
        for candidate in all().filter(suits) {
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        let is_best =
            |one: &&&Type| candidates.iter().all(|other| *other == **one || way(other, one) && !way(one, other));
        candidates.iter().find(is_best).or_else(|| candidates.first()).map(|it| (*it).clone())
    }
}

impl Inference {
    fn is_open(&self, at: usize) -> bool {
        self.fixed.get(at).is_some_and(Option::is_none)
    }

    fn has_no_bounds(&self, at: usize) -> bool {
        self.bounds.get(at).is_none_or(Bounds::is_empty)
    }

    fn set(&mut self, at: usize, type_: Type) {
        if let Some(slot) = self.fixed.get_mut(at) {
            *slot = Some(type_);
        }
    }

    fn add(&mut self, number: u32, type_: &Type, list: impl FnOnce(&mut Bounds) -> &mut Vec<Type>) {
        if let Some(bounds) = self.bounds.get_mut(number as usize) {
            let list = list(bounds);
            if !list.contains(type_) {
                list.push(type_.clone());
            }
        }
    }
}

/// Whether a method's type parameter stands in it.
fn mentions(type_: &Type, number: usize) -> bool {
    match type_ {
        Type::MethodParameter(own) => *own as usize == number,
        Type::Named(named) => named.arguments.iter().any(|it| mentions(it, number)),
        Type::Array { of, .. } | Type::Pointer(of) | Type::ByRef(of) => mentions(of, number),
        _ => false,
    }
}

/// Whether a part is not known yet.
fn has_unknown(type_: &Type) -> bool {
    match type_ {
        Type::Untyped | Type::MethodParameter(_) => true,
        Type::Named(named) => named.arguments.iter().any(has_unknown),
        Type::Array { of, .. } | Type::Pointer(of) | Type::ByRef(of) => has_unknown(of),
        _ => false,
    }
}
