//! The members of an object: those of its type and of all its bases.

use std::collections::HashSet;
use std::sync::Arc;

use super::hiding::has;
use super::{Link, TypeUniverse};
use crate::assembly::Assembly;
use crate::signatures::{ParameterNames, TypeSig};
use crate::tokens::TypeId;
use crate::tuples::ElementNames;
use crate::types::GetterKind;

/// A field or property that an object of a type has.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    /// Full metadata name of the type that declares it.
    pub declaring_type: String,
    /// With the generic arguments that the question gave.
    pub type_: TypeSig,
    /// Of the elements of the tuples in its declared type.
    pub element_names: ElementNames,
    /// C# without namespaces.
    pub type_text: String,
    pub is_static: bool,
    pub is_property: bool,
    /// A field that all code may name.
    pub is_public_field: bool,
    /// The field to read in its place: its own name for a field, the loaded one of a property. `None`: reading it runs code.
    pub safe_field: Option<String>,
    /// `[DebuggerBrowsable(Never)]`.
    pub is_hidden: bool,
}

impl Member {
    /// Whether it can be read without running code of the program.
    pub fn is_safe(&self) -> bool {
        self.safe_field.is_some()
    }
}

impl TypeUniverse {
    /// Instance fields, then properties, of each type from the most derived on. Backing fields and indexers are left out; a member
    /// that a derived type overrides or hides is listed once, for the derived type.
    pub fn members(&self, full_name: &str) -> Vec<Member> {
        let mut members = Vec::new();
        let mut seen = HashSet::new();
        for Link { name, found } in self.chain(full_name) {
            let Some((assembly, id)) = found else { break };
            for member in own_members(&assembly, id, &name.arguments) {
                if !member.is_static && seen.insert(member.name.clone()) {
                    members.push(member);
                }
            }
        }
        members
    }

    /// Instance fields and properties of the bases that an object has beside those of [`Self::members`], because a type nearer to its own has
    /// one of that name; each with the type that declares it. What is overridden is not there twice.
    pub fn shadowed(&self, full_name: &str) -> Vec<(TypeSig, Member)> {
        let mut shadowed = Vec::new();
        let mut seen = HashSet::new();
        for Link { name, found } in self.chain(full_name) {
            let Some((assembly, id)) = found else { break };
            let mut own = HashSet::new();
            for member in own_members(&assembly, id, &name.arguments) {
                if member.is_static || !own.insert(member.name.clone()) {
                    continue;
                }
                if seen.contains(&member.name) && self.hides(full_name, &name.full_name, &member.name) {
                    shadowed.push((TypeSig::Named(name.clone()), member));
                }
            }
            seen.extend(own);
        }
        shadowed
    }

    /// Of [`Self::members`] the names under which a base has something else, a method too, each with the type that declares the member: an
    /// expression of that base's type means the other one.
    pub fn hiding(&self, full_name: &str) -> Vec<(String, TypeSig)> {
        let chain = self.chain(full_name);
        let mut hiding = Vec::new();
        let mut seen = HashSet::new();
        for (at, Link { name, found }) in chain.iter().enumerate() {
            let Some((assembly, id)) = found else { break };
            let bases = chain.get(at + 1..).unwrap_or_default();
            let members = own_members(assembly, *id, &name.arguments).into_iter().filter(|member| !member.is_static);
            for member in members.filter(|member| seen.insert(member.name.clone())) {
                let is_hidden = |base: &Link| {
                    let has_one = base.found.as_ref().is_some_and(|(assembly, id)| has(assembly, *id, &member.name));
                    has_one && self.hides(full_name, &base.name.full_name, &member.name)
                };
                if bases.iter().any(is_hidden) {
                    hiding.push((member.name, TypeSig::Named(name.clone())));
                }
            }
        }
        hiding
    }

    /// What the methods of that name give, of a type and its bases: static ones, getters and indexers too, whatever they take.
    pub fn results(&self, full_name: &str, method: &str) -> Vec<TypeSig> {
        let mut results = Vec::new();
        for Link { name, found } in self.chain(full_name) {
            let Some((assembly, id)) = found else { break };
            let named = assembly.type_(id).methods().map(|id| assembly.method(id)).filter(|it| it.name() == method);
            let given = named.filter_map(|it| Some(it.signature()?.return_type.substitute(&name.arguments, &[])));
            results.extend(given);
        }
        results
    }

    /// Static fields (constants left out) and properties of the type itself.
    pub fn static_members(&self, full_name: &str) -> Vec<Member> {
        let chain = self.chain(full_name);
        let Some(Link { name, found: Some((assembly, id)) }) = chain.first() else {
            return Vec::new();
        };
        own_members(assembly, *id, &name.arguments).into_iter().filter(|member| member.is_static).collect()
    }
}

/// Of a field's flags (ECMA-335 II.23.1.5).
const ACCESS: u32 = 0x7;
const PUBLIC: u32 = 0x6;

fn own_members(assembly: &Arc<Assembly>, id: TypeId, arguments: &[TypeSig]) -> Vec<Member> {
    let view = assembly.type_(id);
    let declaring_type = view.full_name();
    let names: ParameterNames = view.parameter_names(None);
    let fields = view.fields().into_iter().filter(|field| field.backing_of.is_none() && !field.is_literal);
    let fields = fields.map(|field| {
        let type_ = field.type_.substitute(arguments, &[]);
        Member {
            safe_field: Some(field.name.clone()),
            name: field.name,
            declaring_type: declaring_type.clone(),
            type_text: type_.short_with(&names),
            type_,
            element_names: assembly.element_names(field.id.into()),
            is_static: field.is_static,
            is_property: false,
            is_public_field: field.flags & ACCESS == PUBLIC,
            is_hidden: field.is_hidden,
        }
    });
    let properties = view.properties().into_iter().filter(|property| !property.is_indexer);
    let properties = properties.filter(|property| property.access != GetterKind::None).map(|property| {
        let type_ = property.type_.substitute(arguments, &[]);
        Member {
            safe_field: property.access.field().map(str::to_owned),
            name: property.name,
            declaring_type: declaring_type.clone(),
            type_text: type_.short_with(&names),
            type_,
            element_names: assembly.element_names(property.id.into()),
            is_static: property.is_static,
            is_property: true,
            is_public_field: false,
            is_hidden: property.is_hidden,
        }
    });
    fields.chain(properties).collect()
}
