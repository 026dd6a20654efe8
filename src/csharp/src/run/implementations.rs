//! Which property of an object's own type stands for one that is virtual, or of an interface.

use std::sync::Arc;

use super::Run;
use crate::types::{Property, PropertyRef, Type, is_explicit};
use crate::world::World;

impl<W: World> Run<'_, W> {
    /// What stands for a virtual property, or one of an interface, in an object of that type.
    pub(super) fn implementation(&self, own: &Type, property: &PropertyRef) -> PropertyRef {
        let is_virtual = property.property.accessor().is_some_and(|accessor| accessor.is_virtual);
        if !is_virtual || *own == property.owner {
            return property.clone();
        }
        let chain = self.types.chain(own);
        let slot = match self.types.is_interface(&property.owner) {
            true => self.implementing(&chain, property),
            false => chain.iter().position(|type_| *type_ == property.owner).map(|at| (at, property.clone())),
        };
        let Some((at, mut found)) = slot else { return property.clone() };
        for type_ in chain.iter().take(at).rev() {
            let Some(next) = self.of_name(type_, &property.property) else { continue };
            // what hides it has a slot of its own, and so has what overrides that
            if !next.accessor().is_some_and(|accessor| accessor.is_override) {
                break;
            }
            found = PropertyRef { owner: type_.clone(), property: next };
        }
        found
    }

    /// The one that implements an interface's, and which class of the chain has it; 0 for one that nothing can override.
    fn implementing(&self, chain: &[Type], property: &PropertyRef) -> Option<(usize, PropertyRef)> {
        // the class nearest to the object that says that it implements the interface; what extends it may hide that
        let names_it = |type_: &Type| self.types.own_interfaces(type_).contains(&property.owner);
        let from = chain.iter().position(names_it).unwrap_or(0);
        chain.iter().enumerate().skip(from).find_map(|(at, type_)| {
            let found = |property: Arc<Property>| PropertyRef { owner: type_.clone(), property };
            if let Some(explicit) = self.explicit(type_, property) {
                return Some((0, found(explicit)));
            }
            let next = self.of_name(type_, &property.property)?;
            let accessor = next.accessor().filter(|accessor| accessor.is_virtual)?;
            let is_it = next.type_.substitute(type_.arguments(), &[]) == property.type_() || accessor.is_override;
            is_it.then(|| (at, found(next)))
        })
    }

    /// It carries the interface's name, as metadata or as C# writes it.
    fn explicit(&self, type_: &Type, property: &PropertyRef) -> Option<Arc<Property>> {
        let definition = self.types.definition(type_)?;
        let written = format!("{}.{}", property.owner, property.property.name);
        let raw = property.owner.name().map(|name| format!("{name}.{}", property.property.name));
        let properties = self.types.properties(&definition);
        let found = properties.iter().find(|it| {
            it.name.replace(',', ", ").replace("  ", " ") == written
                || it.name == written
                || Some(&it.name) == raw.as_ref()
                || is_explicit(&it.name, (&property.owner, &property.property.name), (type_, &definition))
        });
        found.cloned()
    }

    /// The property of that name that a type itself has. An indexer is found by its parameters elsewhere.
    fn of_name(&self, type_: &Type, property: &Property) -> Option<Arc<Property>> {
        let definition = self.types.definition(type_)?;
        let properties = self.types.properties(&definition);
        let same = |it: &&Arc<Property>| it.name == property.name && !it.is_static && !it.is_indexer();
        properties.iter().find(same).filter(|_| !property.is_indexer()).cloned()
    }
}
