//! A call whose method is known, as an evaluator is about to make it.

use std::sync::Arc;

use super::collections::is_enumerable;
use super::dispatch::Receiver;
use super::observed::{Content, Observer};
use super::values::Value;
use super::{Held, Impurity, Instance, Judged, Purity, Question, short, shown};
use crate::assembly::Assembly;
use crate::names::is_display_class;
use crate::signatures::TypeSig;
use crate::tokens::{MethodId, TypeId};

/// What is about to be called, on what, with what.
#[derive(Debug, Clone, Copy)]
pub struct ExactCall<'a> {
    pub assembly: &'a Arc<Assembly>,
    pub method: MethodId,
    /// The type that declares the method.
    pub declaring: &'a TypeSig,
    /// The type of the object; `None` of a static method, and of a constructor.
    pub receiver: Option<&'a TypeSig>,
    /// That and those of the arguments are run-time types, not only ones that they derive from.
    pub is_exact: bool,
    /// The caller made the object: what is written to it is nobody else's business.
    pub owns_receiver: bool,
    /// The same of the arguments: iterators that the caller made, a bit for each.
    pub owned_arguments: u64,
    /// What stands for the method's own type parameters.
    pub method_arguments: &'a [TypeSig],
    /// `None` = not known.
    pub arguments: &'a [Option<TypeSig>],
    pub held: Held,
    /// Of the object, if there is one, and of the arguments what they hold, as far as that is known; may be empty.
    pub contents: &'a [Option<Content>],
}

impl Purity {
    /// Whether a call changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn exact(&self, call: &ExactCall<'_>, observer: &mut dyn Observer) -> Judged {
        let question = self.question();
        Question { held: call.held, goes_on: true, observer: Some(observer), ..question }.exact(call)
    }

    /// Whether a call changes nothing once the static initializers that it needs have begun.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn initialized(&self, call: &ExactCall<'_>) -> Judged {
        Question { held: call.held, goes_on: true, supposes_begun: true, ..self.question() }.exact(call)
    }

    /// The same where there is one way through the code on which it changes nothing: which one runs, the objects decide.
    pub fn may_change_nothing(&self, call: &ExactCall<'_>) -> bool {
        let question = self.question();
        Question { held: call.held, is_hopeful: true, supposes_begun: true, ..question }.exact(call).is_ok()
    }

    /// Whether objects of a type, asked for their equality, hash, order or text, run nothing that changes anything.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn is_quiet(&self, type_: &TypeSig) -> Judged {
        self.question().quiet(type_)
    }

    /// The same where they are asked for their equality and hash alone.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn compares_quietly(&self, type_: &TypeSig) -> Judged {
        self.question().quiet_for(type_, "System.Object", "Equals")
    }

    /// Whether the first use of a type, and of its module, changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn initializer(
        &self,
        assembly: &Arc<Assembly>,
        (type_, instance): (TypeId, &TypeSig),
        observer: &mut dyn Observer,
    ) -> Judged {
        if super::is_framework(assembly.path()) {
            return Ok(());
        }
        let mut question = Question { observer: Some(observer), ..self.question() };
        question.module_initializer(assembly)?;
        question.initializer(assembly, (type_, Some(instance)), true)
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
        self.first_use(call.assembly, call.method, Some(call.declaring))?;
        let owned = owned(call.assembly, call.method, owns_this);
        let of_type = super::values::name(call.declaring).map(|named| named.arguments.as_slice()).unwrap_or_default();
        let exact = call.receiver.filter(|_| call.is_exact);
        let instance = Instance::new(of_type, call.method_arguments, exact).holding_numbers(call.contents.to_vec());
        self.instance(call.assembly, call.method, owned, instance).map(drop)
    }

    /// What the object's own type puts in the place of a virtual method.
    fn overridden(&mut self, call: &ExactCall<'_>, receiver: &TypeSig) -> Judged {
        let found = self.overrides(call.assembly, call.method, receiver);
        for (assembly, method, arguments) in &found.own {
            let owned = owned(assembly, *method, call.owns_receiver);
            let exact = Some(receiver).filter(|_| call.is_exact);
            let instance = Instance::new(arguments, call.method_arguments, exact).holding(call.contents.to_vec());
            self.instance(assembly, *method, owned, instance)?;
        }
        let name = call.assembly.method(call.method).name();
        match found.beyond {
            Some(type_) if found.own.is_empty() => self.of_framework(call, &type_, name),
            None if found.own.is_empty() => Err(Impurity(format!("{} is not known to be pure", shown(name)))),
            _ => Ok(()),
        }
    }

    fn of_framework(&mut self, call: &ExactCall<'_>, type_: &TypeSig, name: &str) -> Judged {
        let name = written(name);
        let view = call.assembly.method(call.method);
        let is_static = call.receiver.is_none();
        let this = call.contents.first().filter(|_| !is_static).and_then(Option::as_ref);
        let behind = self.behind(this);
        let receiver = self.asked_as(call.receiver, behind.as_ref()).unwrap_or(type_);
        let full_name = call.declaring.full_name().unwrap_or("System.Array");
        let called = format!("{}.{}", short(full_name), shown(name));
        let unknown = || Impurity(format!("{called} is not known to be pure"));
        // by the object's own type, else by what declares the method; constructors and static methods are not inherited
        let listing = match is_static {
            true => Some(call.declaring.clone()),
            // what overrides nothing is of the type that declares it
            false if !view.is_virtual() && super::framework::lists(full_name, name) => Some(call.declaring.clone()),
            false => self.listing(type_, name).or_else(|| self.listing(call.declaring, name)),
        };
        // another one of that name
        let is_anew = !view.is_virtual() || view.is_new_slot();
        let is_other = |listed: &TypeSig| {
            let listed = listed.full_name().unwrap_or_default();
            is_anew && listed != full_name && self.purity.universe.base_chain(full_name).iter().any(|it| it == listed)
        };
        let listing = listing.filter(|listed| !is_other(listed));
        let listing = listing.ok_or_else(unknown)?;
        // a query that was made elsewhere runs the code that it was given there
        if name == "GetEnumerator" && listing.full_name().is_some_and(is_enumerable) && !self.keeps_sequence(type_) {
            return Err(Impurity("the sequence may run arbitrary code when it is enumerated".into()));
        }
        if Self::framework_writes(&listing, name) && !is_static && !call.owns_receiver && name != ".ctor" {
            return Err(Impurity(format!("{called} changes the object it is called on")));
        }
        let value = |(at, type_)| Value {
            is_exact: call.is_exact,
            owned: at < 64 && call.owned_arguments >> at & 1 == 1,
            ..Value::of_argument(type_)
        };
        let values: Vec<Value> = call.arguments.iter().enumerate().map(value).collect();
        let held = this.filter(|_| !call.owns_receiver);
        let receiver = Receiver { type_: receiver, is_exact: call.is_exact, keeps_elements: behind.is_some(), held };
        self.framework_call(&listing, name, receiver, &values, is_static)
    }
}

/// What the table has for a method that implements one of an interface under a name of its own, `System.Collections.IList.get_Item`.
fn written(name: &str) -> &str {
    let last = name.rsplit('.').next().unwrap_or(name);
    if name.starts_with('.') { name } else { last }
}

/// What a `ref` or `out` parameter refers to is the caller's own: it writes to the program what it likes of that.
fn owned(assembly: &Assembly, method: MethodId, owns_this: bool) -> u64 {
    let Some(signature) = assembly.method(method).signature() else { return 0 };
    let first = usize::from(signature.has_this);
    let parameters = signature.parameters.iter().enumerate().take(63 - first);
    let references = parameters.filter(|(_, type_)| matches!(type_, TypeSig::ByRef(inner) if !is_captured(inner)));
    references.fold(u64::from(owns_this && signature.has_this), |mask, (at, _)| mask | 1 << (at + first))
}

/// What a local function captures is the program's.
fn is_captured(type_: &TypeSig) -> bool {
    type_.full_name().is_some_and(is_display_class)
}
