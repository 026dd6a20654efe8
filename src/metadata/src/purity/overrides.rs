//! What runs where a virtual method is called on an object whose very type is known.

use std::sync::Arc;

use super::callee::may_implement;
use super::hierarchy::answers_to;
use super::{Link, Question};
use crate::assembly::Assembly;
use crate::methods::MethodView;
use crate::signatures::{MethodSig, Primitive, TypeSig};
use crate::tokens::{MethodId, TypeId};

/// A method of the program, with the arguments of the type that declares it.
type OwnMethod = (Arc<Assembly>, MethodId, Vec<TypeSig>);

/// All that may run, down to what certainly does.
#[derive(Default)]
pub(super) struct Overrides {
    pub own: Vec<OwnMethod>,
    /// The type of the framework that decides where none of those does.
    pub beyond: Option<TypeSig>,
}

/// Of an override that returns a type of its own, which has a slot of its own beside the one that it overrides.
const COVARIANT: &str = "System.Runtime.CompilerServices.PreserveBaseOverridesAttribute";

impl Question<'_> {
    pub(super) fn overrides(&self, assembly: &Arc<Assembly>, method: MethodId, receiver: &TypeSig) -> Overrides {
        let declared = assembly.method(method);
        let (name, signature) = (declared.name(), declared.signature());
        let interface = declared.declaring_type().filter(|type_| type_.is_interface()).map(|type_| type_.full_name());
        let mut found = Overrides::default();
        let mut is_settled = false;
        for link in self.own_chain(receiver) {
            let (own_assembly, id, arguments) = match link {
                Link::Own(assembly, id, arguments) => (assembly, id, arguments),
                Link::Framework(type_) => {
                    found.beyond = Some(type_).filter(|_| !is_settled);
                    break;
                }
            };
            let was_settled = is_settled;
            let mut is_declaring = false;
            for candidate in own_assembly.type_(id).methods() {
                let view = own_assembly.method(candidate);
                let own = view.signature();
                let count = |signature: &Option<MethodSig>| {
                    signature.as_ref().map(|it| (it.parameters.len(), it.generic_parameters))
                };
                let is_declared = candidate == method && own_assembly.mvid() == assembly.mvid();
                is_declaring |= is_declared;
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
                        let is_same =
                            own.as_ref().map(|it| &it.parameters) == signature.as_ref().map(|it| &it.parameters);
                        let is_override = !view.is_new_slot() || view.has_attribute(COVARIANT);
                        // one that begins a slot of its own hides the one that is called, and what overrides it is no override of that
                        if view.name() == name && is_same && !is_declared && !is_override {
                            found.own.clear();
                            is_settled = false;
                            continue;
                        }
                        (view.name() == name && (is_declared || is_override), is_declared || is_same)
                    }
                };
                if is_named && !was_settled {
                    found.own.push((own_assembly.clone(), candidate, arguments.clone()));
                    is_settled |= is_slot;
                }
            }
            // a base of the class may begin another slot of the name
            if is_settled && (interface.is_some() || is_declaring) {
                return found;
            }
        }
        match interface {
            Some(interface) => self.with_defaults(assembly, method, &interface, found),
            None => found,
        }
    }

    /// What `Object.Equals(object)` runs on an object of a class of the program that has no base of the framework but that one: the
    /// override that the type has, and those below it. A record's `Equals(R)` is none. `None`: it is of another type, or there is one
    /// under another name.
    pub(super) fn equality_of(&self, receiver: &TypeSig, is_exact: bool) -> Option<Vec<OwnMethod>> {
        let TypeSig::Named(_) = receiver else { return None };
        if !is_exact && !self.purity.unknown.is_empty() {
            return None;
        }
        let mut chain = self.own_chain(receiver);
        let root = chain.pop()?;
        if !matches!(root, Link::Framework(base) if base.full_name() == Some("System.Object")) {
            return None;
        }
        let mut found = Vec::new();
        for link in &chain {
            let Link::Own(assembly, id, arguments) = link else { return None };
            if let Some(method) = equality(assembly, *id)? {
                found.push((assembly.clone(), method, arguments.clone()));
                break;
            }
        }
        if is_exact {
            return Some(found);
        }
        let Some(Link::Own(declared, declared_id, _)) = chain.first() else { return None };
        for (assembly, id) in self.purity.hierarchy().below(receiver.full_name()?)? {
            let is_itself = id == *declared_id && assembly.mvid() == declared.mvid();
            if !is_itself && let Some(method) = equality(&assembly, id)? {
                found.push((assembly.clone(), method, Vec::new()));
            }
        }
        Some(found)
    }

    /// The methods of the program that may run where one of the framework's is called on an object of that very type: all with the
    /// name that the type and its bases have, and beyond them a base of the framework that may have it too.
    pub(super) fn own_implementations(&self, receiver: &TypeSig, name: &str, count: usize) -> Overrides {
        let mut found = Overrides::default();
        for link in self.own_chain(receiver) {
            let (assembly, id, arguments) = match link {
                Link::Own(assembly, id, arguments) => (assembly, id, arguments),
                Link::Framework(base) => {
                    found.beyond = Some(base).filter(|base| base.full_name() != Some("System.Object"));
                    break;
                }
            };
            // that of a value type is an address
            if assembly.type_(id).is_value_type() {
                return Overrides::default();
            }
            for method in assembly.type_(id).methods() {
                let view = assembly.method(method);
                let has_count = || view.signature().is_some_and(|it| it.parameters.len() == count);
                let may_run = view.is_virtual() && !view.is_abstract() && !view.is_static() && has_count();
                if may_run && answers_to(&assembly, method, &|it| it == name) {
                    found.own.push((assembly.clone(), method, arguments.clone()));
                }
            }
        }
        found
    }

    /// With the interface's own code for a member, and that of interfaces which extend it, where the object's type may have none.
    fn with_defaults(
        &self,
        assembly: &Arc<Assembly>,
        method: MethodId,
        interface: &str,
        mut found: Overrides,
    ) -> Overrides {
        let declared = assembly.method(method);
        let shape =
            |view: &MethodView<'_>| view.signature().map(|it| (it.parameters, it.return_type, it.generic_parameters));
        let implements = |(assembly, own, _): &(Arc<Assembly>, MethodId, Vec<TypeSig>)| {
            let own = assembly.method(*own);
            own.is_public() && own.name() == declared.name() && shape(&own) == shape(&declared)
        };
        if found.own.iter().any(implements) {
            return found;
        }
        let Some(below) = self.purity.hierarchy().below(interface) else { return Overrides::default() };
        if !declared.is_abstract() && !super::is_framework(assembly.path()) {
            found.own.push((assembly.clone(), method, Vec::new()));
        }
        for (assembly, id) in below.into_iter().filter(|(assembly, id)| assembly.type_(*id).is_interface()) {
            for candidate in assembly.type_(id).methods() {
                let own = assembly.method(candidate);
                if !own.is_abstract() && explicit(own.name(), interface, declared.name()) {
                    found.own.push((assembly.clone(), candidate, Vec::new()));
                }
            }
        }
        found
    }
}

/// The override of `Object.Equals(object)` that a type declares. Outer `None`: it may have one under another name, or hide it.
fn equality(assembly: &Assembly, type_: TypeId) -> Option<Option<MethodId>> {
    let mut found = None;
    for method in assembly.type_(type_).methods() {
        let view = assembly.method(method);
        let takes_object = || {
            view.signature().is_some_and(|it| {
                it.generic_parameters == 0 && it.parameters == [TypeSig::Primitive(Primitive::Object)]
            })
        };
        if view.is_virtual()
            && !view.is_static()
            && takes_object()
            && answers_to(assembly, method, &|it| it == "Equals")
        {
            (view.name() == "Equals" && !view.is_new_slot()).then_some(())?;
            found = Some(method);
        }
    }
    Some(found)
}

/// Whether a method is written for that interface alone: `Ns.IMap<System.Int32>.Get`, of ``Ns.IMap`1``.
fn explicit(method: &str, interface: &str, name: &str) -> bool {
    let of = method.strip_suffix(name).and_then(|of| of.strip_suffix('.'));
    let plain = |of: &str| of.split(['<', '`']).next().unwrap_or_default().replace('+', ".");
    of.is_some_and(|of| plain(of) == plain(interface))
}
