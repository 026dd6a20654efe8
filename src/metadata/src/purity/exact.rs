//! A call whose method is known, as an evaluator is about to make it.

use std::sync::Arc;

use super::body::may_implement;
use super::values::Value;
use super::{Held, Impurity, Judged, Link, Purity, Question, short, shown};
use crate::assembly::Assembly;
use crate::signatures::{MethodSig, TypeSig};
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
    pub held: Held,
}

/// Whether a static initialiser, of a type that is not generic or of a module, has begun: nothing runs it again.
pub type HasBegun<'a> = dyn FnMut(&Arc<Assembly>, MethodId) -> bool + 'a;

impl Purity {
    /// Whether a call changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn exact(&self, call: &ExactCall<'_>, has_begun: &mut HasBegun<'_>) -> Judged {
        let question = self.question();
        Question { held: call.held, goes_on: true, has_begun: Some(has_begun), ..question }.exact(call)
    }

    /// Whether objects of a type, asked for their equality, hash, order or text, run nothing that changes anything.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn is_quiet(&self, type_: &TypeSig) -> Judged {
        self.question().quiet(type_)
    }

    /// Whether the first use of a type, and of its module, changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn initialiser(&self, assembly: &Arc<Assembly>, type_: TypeId, has_begun: &mut HasBegun<'_>) -> Judged {
        if super::is_framework(assembly.path()) {
            return Ok(());
        }
        let mut question = Question { has_begun: Some(has_begun), ..self.question() };
        question.module_initialiser(assembly)?;
        question.initialiser(assembly, type_, true)
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
        self.first_use(call.assembly, call.method)?;
        let owned = owned(call.assembly, call.method, owns_this);
        self.own(call.assembly, call.method, owned)
    }

    /// What the object's own type puts in the place of a virtual method: all that may stand there, down to what certainly does.
    fn overridden(&mut self, call: &ExactCall<'_>, receiver: &TypeSig) -> Judged {
        let declared = call.assembly.method(call.method);
        let (name, signature) = (declared.name(), declared.signature());
        let interface = declared.declaring_type().filter(|type_| type_.is_interface()).map(|type_| type_.full_name());
        let mut is_found = false;
        for link in self.own_chain(receiver) {
            let (assembly, id) = match link {
                Link::Own(assembly, id) => (assembly, id),
                Link::Framework(_) if is_found => return Ok(()),
                Link::Framework(type_) => return self.of_framework(call, &type_, name),
            };
            let mut is_settled = false;
            for method in assembly.type_(id).methods() {
                let view = assembly.method(method);
                let own = view.signature();
                let count = |signature: &Option<MethodSig>| signature.as_ref().map(|it| it.parameters.len());
                if !view.is_virtual()
                    || view.is_abstract()
                    || count(&own) != count(&signature)
                    || !may_implement(signature.as_ref(), own.as_ref())
                {
                    continue;
                }
                let (is_named, is_slot) = match &interface {
                    Some(interface) => {
                        let is_explicit = explicit(view.name(), interface, name);
                        // of a generic one the type may have several
                        (is_explicit || view.name() == name, is_explicit && !interface.contains('`'))
                    }
                    None => {
                        // one that begins a slot of its own hides the one that is called
                        let is_declared = method == call.method && assembly.mvid() == call.assembly.mvid();
                        let is_same =
                            own.as_ref().map(|it| &it.parameters) == signature.as_ref().map(|it| &it.parameters);
                        (view.name() == name && (is_declared || !view.is_new_slot()), is_declared || is_same)
                    }
                };
                if is_named {
                    self.own(&assembly, method, owned(&assembly, method, call.owns_receiver))?;
                    is_found = true;
                    is_settled |= is_slot;
                }
            }
            if is_settled {
                return Ok(());
            }
        }
        Err(Impurity(format!("{} is not known to be pure", shown(name))))
    }

    fn of_framework(&mut self, call: &ExactCall<'_>, type_: &TypeSig, name: &str) -> Judged {
        let is_static = call.receiver.is_none();
        let receiver = call.receiver.unwrap_or(type_);
        let full_name = call.declaring.full_name().unwrap_or("System.Array");
        let called = format!("{}.{}", short(full_name), shown(name));
        let unknown = || Impurity(format!("{called} is not known to be pure"));
        // by the object's own type, else by what declares the method; constructors and static methods are not inherited
        let listing = match is_static {
            true => Some(call.declaring.clone()),
            false => self.listing(type_, name).or_else(|| self.listing(call.declaring, name)),
        };
        let listing = listing.ok_or_else(unknown)?;
        if Self::framework_writes(&listing, name) && !is_static && !call.owns_receiver && name != ".ctor" {
            return Err(Impurity(format!("{called} changes the object it is called on")));
        }
        let values: Vec<Value> = call.arguments.iter().map(Value::of_argument).collect();
        self.framework_call(&listing, name, receiver, &values, is_static)
    }
}

/// Whether a method is written for that interface alone: `Ns.IMap<System.Int32>.Get`, of ``Ns.IMap`1``.
fn explicit(method: &str, interface: &str, name: &str) -> bool {
    let of = method.strip_suffix(name).and_then(|of| of.strip_suffix('.'));
    let plain = |of: &str| of.split(['<', '`']).next().unwrap_or_default().replace('+', ".");
    of.is_some_and(|of| plain(of) == plain(interface))
}

/// What a `ref` or `out` parameter refers to is the caller's own: it writes to the program what it likes of that.
fn owned(assembly: &Assembly, method: MethodId, owns_this: bool) -> u64 {
    let Some(signature) = assembly.method(method).signature() else { return 0 };
    let first = usize::from(signature.has_this);
    let parameters = signature.parameters.iter().enumerate().take(63 - first);
    let references = parameters.filter(|(_, type_)| matches!(type_, TypeSig::ByRef(_)));
    references.fold(u64::from(owns_this && signature.has_this), |mask, (at, _)| mask | 1 << (at + first))
}
