//! Static members of interfaces, called on what stands for a type parameter: `T.Zero`, and `a * b` of numbers.

use super::Walk;
use crate::assembly::Assembly;
use crate::purity::callee::{Callee, Target};
use crate::purity::framework::is_number;
use crate::purity::hierarchy::answers_to;
use crate::purity::values::Value;
use crate::purity::{Answered, Instance, Link, shown};
use crate::signatures::TypeSig;
use crate::tokens::MethodId;

/// Bases that implement no interface with static members.
const ROOTS: [&str; 2] = ["System.Object", "System.ValueType"];

impl Walk<'_, '_> {
    /// What a type of the program has for the member, or what a number of the framework does by itself.
    pub(super) fn of_type_parameter(&mut self, type_: &TypeSig, callee: &Callee, arguments: &[Value]) -> Answered {
        let full_name = type_.full_name().unwrap_or_default();
        if is_number(full_name) && matches!(callee.target, Target::Framework) {
            let of_number = Callee { type_: type_.clone(), ..callee.clone() };
            self.run_framework(&of_number, None, arguments)?;
            return Ok(Value::of(callee.result()));
        }
        let unknown = || self.not(&format!("calls {}, whose implementation is unknown", shown(&callee.name)));
        let implements = |assembly: &Assembly, method: MethodId| {
            let view = assembly.method(method);
            let count = view.signature().map(|signature| signature.parameters.len());
            view.is_static()
                && !view.is_abstract()
                && count == Some(arguments.len())
                && answers_to(assembly, method, &|name| name == callee.name)
        };
        let mut found = Vec::new();
        // which of the type and its bases has it, their names alone do not say
        for link in self.question.own_chain(type_) {
            let (assembly, id, of_type) = match link {
                Link::Own(assembly, id, of_type) => (assembly, id, of_type),
                Link::Framework(base) if base.full_name().is_some_and(|name| ROOTS.contains(&name)) => break,
                Link::Framework(_) => return Err(unknown()),
            };
            let methods = assembly.type_(id).methods().filter(|method| implements(&assembly, *method));
            found.extend(methods.map(|method| (assembly.clone(), method, of_type.clone())));
        }
        let may_be = match &callee.target {
            Target::Own(..) => true,
            Target::Framework => callee.name.starts_with("op_") && !callee.name.starts_with("op_Checked"),
            Target::Array => false,
        };
        // what has code of its own in an interface may be no method of the type
        let below = self.question.purity.hierarchy().below(callee.type_.full_name().unwrap_or_default());
        let mut interfaces = below.ok_or_else(unknown)?.into_iter();
        let is_in_interface = interfaces.any(|(assembly, id)| {
            assembly.type_(id).is_interface() && assembly.type_(id).methods().any(|it| implements(&assembly, it))
        });
        if found.is_empty() || !may_be || is_in_interface {
            return Err(unknown());
        }
        let owned = arguments.iter().take(64).enumerate();
        let owned = owned.fold(0, |mask, (at, value)| mask | u64::from(value.owned) << at);
        let mut all = Vec::with_capacity(found.len());
        for (assembly, method, of_type) in found {
            self.question.module_initializer(&assembly)?;
            let is_its_own = assembly.method(method).declaring_type().map(|it| it.full_name());
            let is_its_own = is_its_own.as_deref() == type_.full_name();
            self.question.initializer_of(&assembly, method, Some(type_).filter(|_| is_its_own))?;
            all.push((assembly, method, Instance::new(&of_type, &callee.method_arguments, None)));
        }
        Ok(self.question.all_of(all, owned)?.unwrap_or_else(|| Value::of(callee.result())))
    }
}
