//! Overrides: a call chooses among what they override, and takes the names and the defaults of the parameters from them (ECMA-334,
//! 12.6.2.2). `params` stays as the first declaration has it, as the compiler does.

use std::sync::Arc;

use crate::syntax::Pass;
use crate::types::{Method, MethodRef, Parameter, Type};

use super::Binder;

type Candidate = (Type, Arc<Method>);

impl Binder<'_> {
    /// The methods of a name, those of the nearest type first; what overrides stands for what it overrides.
    pub(super) fn methods_of(&self, type_: &Type, name: &str) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for place in self.places(type_) {
            let Some(definition) = self.types.definition(&place) else { continue };
            for method in self.types.methods(&definition, name).iter() {
                found.push((place.clone(), method.clone()));
            }
        }
        overridden(found)
    }

    /// A method as the compiler names it in its words: the nearest override of it.
    pub(super) fn nearest_override(&self, type_: &Type, (owner, method): (&Type, &Arc<Method>)) -> MethodRef {
        let overrides = self.places(type_).into_iter().take_while(|place| place != owner).filter_map(|place| {
            let definition = self.types.definition(&place)?;
            let methods = self.types.methods(&definition, &method.name);
            let is_it = |it: &&Arc<Method>| it.is_override && is_same((&place, it), (owner, method));
            Some((place.clone(), methods.iter().find(is_it)?.clone()))
        });
        let (owner, method) = { overrides }.next().unwrap_or_else(|| (owner.clone(), method.clone()));
        MethodRef { owner, method, arguments: Vec::new() }
    }
}

/// Without the overrides of what is declared in candidates behind them; the nearest override says how the parameters are called.
pub(super) fn overridden(candidates: Vec<Candidate>) -> Vec<Candidate> {
    if !candidates.iter().any(|(_, method)| method.is_override) {
        return candidates;
    }
    let mut found: Vec<Candidate> = Vec::new();
    // what nearer types override, of which the declaration comes still: where its nearest override stands
    let mut open: Vec<usize> = Vec::new();
    let mut replaced: Vec<usize> = Vec::new();
    for (owner, method) in candidates {
        let is_of = |at: &usize| found.get(*at).is_some_and(|other| is_same((&other.0, &other.1), (&owner, &method)));
        let known = if method.is_virtual { open.iter().position(is_of) } else { None };
        match known {
            Some(_) if method.is_override => {}
            Some(known) => {
                let nearest = open.remove(known);
                let method = found.get(nearest).map_or_else(|| method.clone(), |(_, it)| named_as(&method, it));
                replaced.push(nearest);
                found.push((owner, method));
            }
            None => {
                if method.is_override {
                    open.push(found.len());
                }
                found.push((owner, method));
            }
        }
    }
    let kept = found.into_iter().enumerate().filter(|(at, _)| !replaced.contains(at));
    kept.map(|(_, candidate)| candidate).collect()
}

/// Whether they have one signature.
fn is_same((owner, one): (&Type, &Method), (other_owner, other): (&Type, &Method)) -> bool {
    let type_of = |owner: &Type, parameter: &Parameter| match parameter.type_.substitute(owner.arguments(), &[]) {
        Type::Late => Type::OBJECT,
        type_ => type_,
    };
    one.generic == other.generic
        && one.parameters.len() == other.parameters.len()
        && one.parameters.iter().zip(&other.parameters).all(|(parameter, others)| {
            (parameter.pass == Pass::Value) == (others.pass == Pass::Value)
                && type_of(owner, parameter) == type_of(other_owner, others)
        })
}

/// A method as its override calls the parameters.
fn named_as(method: &Arc<Method>, by: &Method) -> Arc<Method> {
    let mut pairs = method.parameters.iter().zip(&by.parameters);
    if pairs.all(|(own, other)| own.name == other.name && !own.is_optional && !other.is_optional) {
        return method.clone();
    }
    let parameters = method.parameters.iter().zip(&by.parameters).map(|(own, other)| Parameter {
        name: other.name.clone(),
        default: other.default.clone(),
        is_optional: other.is_optional,
        is_of_caller: other.is_of_caller,
        ..own.clone()
    });
    Arc::new(Method { parameters: parameters.collect(), ..Method::clone(method) })
}
