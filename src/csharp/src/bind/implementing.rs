//! What a class that stands for a type parameter has for a static member of an interface: the compiler knows of the parameter only the
//! interface's member, which has no code, and gives the type of it to the result.

use std::sync::Arc;

use crate::bound::{Bound, Kind};
use crate::types::{Method, MethodRef, PropertyRef, Type};

use super::Binder;
use super::missing::{ACCESS, PUBLIC};

impl Binder<'_> {
    /// The property that the class has for that of an interface; any other value stays.
    pub(super) fn implemented(&self, type_: &Type, found: Bound) -> Bound {
        let Kind::Property { of: None, property, arguments } = &found.kind else { return found };
        let Some(getter) = property.getter() else { return found };
        let Some(MethodRef { owner, method, .. }) = self.implementation(type_, &getter) else { return found };
        let definition = self.types.definition(&owner);
        let properties = definition.map(|it| self.types.properties(&it).to_vec()).unwrap_or_default();
        let is_of_getter = |getter: &Arc<Method>| getter.id == method.id;
        match properties.into_iter().find(|it| it.getter.as_ref().is_some_and(is_of_getter)) {
            Some(property) => {
                let kind = Kind::Property {
                    of: None,
                    property: PropertyRef { owner, property },
                    arguments: arguments.clone(),
                };
                Bound { kind, ..found }
            }
            None => found,
        }
    }

    /// The public static method with the signature of an interface's, in the nearest class that says to implement that interface or in a
    /// base of it.
    pub(super) fn implementation(&self, type_: &Type, wanted: &MethodRef) -> Option<MethodRef> {
        if !wanted.method.is_static || !self.types.is_interface(&wanted.owner) || self.types.is_interface(type_) {
            return None;
        }
        let implements = |place: &Type| self.types.own_interfaces(place).contains(&wanted.owner);
        let parameters =
            |of: &MethodRef| (0..of.method.parameters.len()).map(|at| of.parameter_type(at)).collect::<Vec<_>>();
        self.types.chain(type_).into_iter().skip_while(|place| !implements(place)).find_map(|owner| {
            let definition = self.types.definition(&owner)?;
            self.types.methods(&definition, &wanted.method.name).iter().find_map(|method| {
                let own =
                    MethodRef { owner: owner.clone(), method: method.clone(), arguments: wanted.arguments.clone() };
                let is_it = method.is_static
                    && method.flags & ACCESS == PUBLIC
                    && method.generic == wanted.method.generic
                    && own.returns() == wanted.returns()
                    && parameters(&own) == parameters(wanted);
                is_it.then_some(own)
            })
        })
    }
}
