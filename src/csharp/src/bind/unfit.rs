//! What the compiler says where no method takes the arguments.

use std::sync::Arc;

use clr_metadata::names::local_function;

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, ExprKind, Pass, Span};
use crate::types::{Method, MethodRef, PropertyRef, Type};

use super::access::needed_type;
use super::arguments::Given;
use super::calls::accessors;
use super::overloads::Unfit;
use super::{BindError, Binder, Group, Result, error};

impl Binder<'_> {
    /// What the compiler says where only a static method fits what is called on a value.
    pub(super) fn of_type(
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

    pub(super) fn no_overload<T>(
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
