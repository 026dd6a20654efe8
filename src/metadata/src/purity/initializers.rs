//! What a call runs beside the methods that it names: initializers of types and modules, finalizers, overrides that nobody can read.

use std::sync::Arc;

use super::instance::is_closed;
use super::{Impurity, Judged, Link, Question, short};
use crate::assembly::Assembly;
use crate::signatures::TypeSig;
use crate::tokens::{MethodId, TypeId};

impl Question<'_> {
    /// What a debugger's call of a method runs before it: for a static one the initializer even of a type with `beforefieldinit`
    /// (.NET 10, tried with all adapters, 2026-11-22).
    pub(super) fn first_use(
        &mut self,
        assembly: &Arc<Assembly>,
        method: MethodId,
        declaring: Option<&TypeSig>,
    ) -> Judged {
        let view = assembly.method(method);
        match view.declaring_type() {
            Some(type_) if view.is_static() => {
                self.module_initializer(assembly)?;
                self.initializer(assembly, (type_.id(), declaring), true)
            }
            _ => self.initializer_of(assembly, method, declaring),
        }
    }

    /// What the first use of a type runs (ECMA-335 II.10.5.3): with `beforefieldinit` only the access to a static field. `instance`: of
    /// a generic type with its arguments, where those are known.
    pub(super) fn initializer(
        &mut self,
        assembly: &Arc<Assembly>,
        (type_, instance): (TypeId, Option<&TypeSig>),
        is_field: bool,
    ) -> Judged {
        if !is_field && assembly.type_(type_).is_initialized_late() {
            return Ok(());
        }
        self.static_constructor(assembly, type_, instance)
    }

    /// That of a call: of static methods, constructors, and all methods of value types, which need no constructor.
    pub(super) fn initializer_of(
        &mut self,
        assembly: &Arc<Assembly>,
        method: MethodId,
        declaring: Option<&TypeSig>,
    ) -> Judged {
        let view = assembly.method(method);
        match view.declaring_type() {
            Some(type_) if view.is_static() || view.name() == ".ctor" || type_.is_value_type() => {
                self.initializer(assembly, (type_.id(), declaring), false)
            }
            _ => Ok(()),
        }
    }

    /// What the first use of a module runs. That of the program itself ran before its entry point.
    pub(super) fn module_initializer(&mut self, assembly: &Arc<Assembly>) -> Judged {
        match assembly.raw_entry_point() {
            Some(_) => Ok(()),
            None => self.static_constructor(assembly, TypeId::MODULE, None),
        }
    }

    fn static_constructor(&mut self, assembly: &Arc<Assembly>, type_: TypeId, instance: Option<&TypeSig>) -> Judged {
        let view = assembly.type_(type_);
        let Some(initializer) = view.methods().find(|&method| assembly.method(method).name() == ".cctor") else {
            return Ok(());
        };
        // a generic one has one for each of its instances
        let is_generic = !view.parameter_names(None).of_type.is_empty();
        let has_begun = self.observer.as_mut().is_some_and(|observer| match is_generic {
            false => observer.has_begun(assembly, initializer),
            true => instance.is_some_and(|it| {
                let is_instance = super::values::name(it).is_some_and(|named| !named.arguments.is_empty());
                is_instance && is_closed(it) && observer.has_initialized(it)
            }),
        });
        if has_begun || self.supposes_begun {
            return Ok(());
        }
        // it runs once: what it calls finds it begun (ECMA-335 II.10.5.3.3)
        let is_open = |open: &super::Key| Some(open.module) == assembly.mvid() && open.method == initializer;
        if let Some(at) = self.path.iter().position(is_open) {
            self.begun = Some(self.begun.map_or(at, |before| before.min(at)));
            return Ok(());
        }
        let around = std::mem::replace(&mut self.is_initializing, true);
        let judged = self.own(assembly, initializer, 0);
        self.is_initializing = around;
        self.is_passing |= judged.is_err();
        judged
    }

    /// Whether no module that nobody can read may have an override of that method.
    pub(super) fn not_overridden(&self, assembly: &Assembly, method: MethodId) -> Judged {
        const FINAL: u32 = 0x20;
        let view = assembly.method(method);
        match view.declaring_type() {
            Some(type_) if view.flags() & FINAL == 0 => self.not_derived(assembly, type_.id()),
            _ => Ok(()),
        }
    }

    /// The same of a type.
    pub(super) fn not_derived(&self, assembly: &Assembly, type_: TypeId) -> Judged {
        const SEALED: u32 = 0x100;
        let view = assembly.type_(type_);
        match self.purity.unknown.first() {
            Some(module) if view.flags() & SEALED == 0 => {
                let name = view.short_name();
                Err(Impurity(format!(
                    "the module {module}, whose code cannot be read, may have types derived from {name}"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Whether the collector runs code for an object of that type when it is done with.
    pub(super) fn no_finalizer(&self, type_: &TypeSig) -> Judged {
        for link in self.own_chain(type_) {
            let Link::Own(assembly, id, _) = link else { continue };
            let is_finalizer = |&method: &MethodId| {
                let view = assembly.method(method);
                let has_none = view.signature().is_some_and(|signature| signature.parameters.is_empty());
                view.name() == "Finalize" && view.is_virtual() && has_none
            };
            if assembly.type_(id).methods().any(|method| is_finalizer(&method)) {
                let name = short(type_.full_name().unwrap_or_default()).to_owned();
                return Err(Impurity(format!("it creates {name}, whose finalizer runs later")));
            }
        }
        Ok(())
    }
}
