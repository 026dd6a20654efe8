//! What the arguments of a method's type parameters must be (ECMA-334, 8.4.5). A method whose constraints are not met is no candidate.

use crate::types::{Method, Type};

use super::Binder;
use super::overloads::Unfit;

impl Binder<'_> {
    /// A constraint of a type parameter that its argument does not meet.
    pub(super) fn unmet(&self, owner: &Type, method: &Method, arguments: &[Type]) -> Option<Unfit> {
        const CLASS: u32 = 4;
        const STRUCT: u32 = 8;
        const NEW: u32 = 16;
        let pairs = method.constraints.iter().zip(arguments);
        for (constraints, type_) in pairs.filter(|(_, type_)| **type_ != Type::Late) {
            let flags = constraints.flags;
            let is_value = self.types.is_value_type(type_);
            let must = if flags & STRUCT != 0 && (!is_value || type_.is_nullable()) {
                ("CS0453", "must be a non-nullable value type")
            } else if flags & CLASS != 0 && is_value {
                ("CS0452", "must be a reference type")
            } else if flags & (NEW | STRUCT) == NEW && !is_value && !self.has_plain_constructor(type_) {
                ("CS0310", "must be a non-abstract type with a public parameterless constructor")
            } else {
                let mut bounds = constraints.bounds.iter().map(|it| it.substitute(owner.arguments(), arguments));
                let Some(bound) = bounds.find(|bound| !self.meets(type_, bound)) else { continue };
                return Some(self.out_of_bound(type_, &bound, &constraints.name, method));
            };
            let (code, must) = must;
            let words = format!(
                "The type '{type_}' {must} in order to use it as parameter in the generic type or method '{}'",
                method.name
            );
            return Some(Unfit::Constraint(code, words));
        }
        None
    }

    /// What is not known is taken to meet it: the runtime decides.
    fn meets(&self, type_: &Type, bound: &Type) -> bool {
        let is_known = |type_: &Type| self.types.definition(type_).is_some();
        !is_known(type_) || !is_known(bound) || self.types.is_a(type_, bound)
    }

    fn out_of_bound(&self, type_: &Type, bound: &Type, parameter: &str, method: &Method) -> Unfit {
        let begin = format!(
            "The type '{type_}' cannot be used as type parameter '{parameter}' in the generic type or method '{}'.",
            method.name
        );
        let nullable = format!("{begin} The nullable type '{type_}' does not satisfy the constraint of '{bound}'.");
        let none = |what: &str| format!("{begin} There is no {what} conversion from '{type_}' to '{bound}'.");
        let (code, words) = if !type_.is_nullable() {
            if self.types.is_value_type(type_) {
                ("CS0315", none("boxing"))
            } else {
                ("CS0311", none("implicit reference"))
            }
        } else if self.types.is_interface(bound) {
            ("CS0313", format!("{nullable} Nullable types can not satisfy any interface constraints."))
        } else {
            ("CS0312", nullable)
        };
        Unfit::Constraint(code, words)
    }

    fn has_plain_constructor(&self, type_: &Type) -> bool {
        let Some(definition) = self.types.definition(type_) else { return true };
        self.types.methods(&definition, ".ctor").iter().any(|it| !it.is_static && it.parameters.is_empty())
    }
}
