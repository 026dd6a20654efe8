//! A call whose method is known, as an evaluator is about to make it.

use std::sync::Arc;

use super::values::Value;
use super::{Held, Impurity, Judged, Link, Purity, Question, short, shown};
use crate::assembly::Assembly;
use crate::signatures::TypeSig;
use crate::tokens::{MethodId, TypeId};

/// What is about to be called, on what, with what.
#[derive(Debug, Clone, Copy)]
pub struct ExactCall<'a> {
    pub assembly: &'a Arc<Assembly>,
    pub method: MethodId,
    /// The type that declares the method.
    pub declaring: &'a TypeSig,
    /// The run-time type of the object; `None` of a static method, and of a constructor.
    pub receiver: Option<&'a TypeSig>,
    /// The caller made the object: what is written to it is nobody else's business.
    pub owns_receiver: bool,
    /// The run-time types of the arguments; `None` = not known.
    pub arguments: &'a [Option<TypeSig>],
    /// The declaring type's initialiser has run.
    pub is_initialised: bool,
    pub held: Held,
}

impl Purity {
    /// Whether a call changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn exact(&self, call: &ExactCall<'_>) -> Judged {
        Question { held: call.held, goes_on: true, ..self.question() }.exact(call)
    }

    /// Whether the first use of a type's static fields changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn initialiser(&self, assembly: &Arc<Assembly>, type_: TypeId) -> Judged {
        match super::is_framework(assembly.path()) {
            true => Ok(()),
            false => self.question().initialiser(assembly, type_, true),
        }
    }
}

impl Question<'_> {
    fn exact(&mut self, call: &ExactCall<'_>) -> Judged {
        let view = call.assembly.method(call.method);
        let is_own = !super::is_framework(call.assembly.path());
        if view.name() == ".ctor" {
            self.no_finalizer(call.declaring)?;
            return match is_own {
                true => self.own_exact(call, true),
                false => self.of_framework(call, call.declaring, view.name()),
            };
        }
        let Some(receiver) = call.receiver else {
            return match is_own {
                true => self.own_exact(call, false),
                false => self.of_framework(call, call.declaring, view.name()),
            };
        };
        if view.is_virtual() {
            return self.overridden(call, receiver);
        }
        match is_own {
            true => self.own_exact(call, call.owns_receiver),
            false => self.of_framework(call, receiver, view.name()),
        }
    }

    fn own_exact(&mut self, call: &ExactCall<'_>, owns_this: bool) -> Judged {
        if !call.is_initialised {
            self.first_use(call.assembly, call.method)?;
        }
        let owned = owned(call.assembly, call.method, owns_this);
        self.own(call.assembly, call.method, owned)
    }

    /// What the object's own type puts in the place of a virtual method.
    fn overridden(&mut self, call: &ExactCall<'_>, receiver: &TypeSig) -> Judged {
        let declared = call.assembly.method(call.method);
        let name = declared.name();
        let is_interface = declared.declaring_type().is_some_and(|type_| type_.is_interface());
        let count = declared.signature().map_or(0, |signature| signature.parameters.len());
        for link in self.own_chain(receiver) {
            let (assembly, id) = match link {
                Link::Own(assembly, id) => (assembly, id),
                Link::Framework(type_) => return self.of_framework(call, &type_, name),
            };
            let fits = |method: &MethodId| {
                let view = assembly.method(*method);
                let is_named = view.name() == name
                    || view.name().rsplit_once('.').is_some_and(|(_, last)| is_interface && last == name);
                is_named
                    && view.is_virtual()
                    && view.signature().is_some_and(|signature| signature.parameters.len() == count)
            };
            let found: Vec<MethodId> = assembly.type_(id).methods().filter(fits).collect();
            if !found.is_empty() {
                let judge = |method| self.own(&assembly, method, owned(&assembly, method, call.owns_receiver));
                return found.into_iter().try_for_each(judge);
            }
        }
        // a default of the interface itself
        match super::is_framework(call.assembly.path()) {
            true => self.of_framework(call, receiver, name),
            false => self.own_exact(call, call.owns_receiver),
        }
    }

    fn of_framework(&mut self, call: &ExactCall<'_>, type_: &TypeSig, name: &str) -> Judged {
        let is_static = call.receiver.is_none();
        let receiver = call.receiver.unwrap_or(type_);
        let full_name = call.declaring.full_name().unwrap_or("System.Array");
        let called = format!("{}.{}", short(full_name), shown(name));
        let unknown = || Impurity(format!("{called} is not known to be pure"));
        // by the object's own type, else by what declares the method
        let listing = self.listing(type_, name).or_else(|| self.listing(call.declaring, name)).ok_or_else(unknown)?;
        if Self::framework_writes(&listing, name) && !is_static && !call.owns_receiver && name != ".ctor" {
            return Err(Impurity(format!("{called} changes its object")));
        }
        let values: Vec<Value> = call.arguments.iter().map(Value::of_argument).collect();
        self.framework_call(&listing, name, receiver, &values, is_static)
    }
}

/// What a `ref` or `out` parameter refers to is the caller's own: it writes to the program what it likes of that.
fn owned(assembly: &Assembly, method: MethodId, owns_this: bool) -> u64 {
    let Some(signature) = assembly.method(method).signature() else { return 0 };
    let first = usize::from(signature.has_this);
    let parameters = signature.parameters.iter().enumerate().take(63 - first);
    let references = parameters.filter(|(_, type_)| matches!(type_, TypeSig::ByRef(_)));
    references.fold(u64::from(owns_this && signature.has_this), |mask, (at, _)| mask | 1 << (at + first))
}
