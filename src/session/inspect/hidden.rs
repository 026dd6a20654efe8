//! Members that a derived type hides: C# means the one of the type that the receiver is declared as, and some adapters read by the type
//! that the object is of (vendor-notes.md). A condition that reads one is not theirs to judge.

use clr_metadata::TypeSig;

use super::parse::{Kind, Part, parse};
use crate::session::modules::{DeclaredVariables, Modules};

/// Whether a condition reads a member that a derived type hides: of which objects, nobody knows before.
pub(in crate::session) fn may_read(modules: &Modules, declared: &DeclaredVariables, expression: &str) -> bool {
    parse(expression).is_some_and(|part| Search { modules, declared }.finds(&part))
}

struct Search<'a> {
    modules: &'a Modules,
    declared: &'a DeclaredVariables,
}

impl Search<'_> {
    fn finds(&self, part: &Part) -> bool {
        let (receiver, member) = match &part.kind {
            Kind::Member(receiver, name) => (Some(&**receiver), Some(name)),
            Kind::Call(receiver, name, _) => (receiver.as_deref(), Some(name)),
            Kind::Name(name) if self.declared.of(name).is_none() => (None, Some(name)),
            _ => (None, None),
        };
        let type_ = match receiver {
            Some(receiver) => self.type_of(receiver),
            None => self.declared.of("this").map(|declared| declared.type_.clone()),
        };
        let is_hidden =
            |member: &String| type_.is_some_and(|type_| self.modules.is_hidden_below(&type_.to_string(), member));
        member.is_some_and(is_hidden) || part.inner().into_iter().any(|part| self.finds(part))
    }

    /// The type that the source declares; `None` where that is not known.
    fn type_of(&self, part: &Part) -> Option<TypeSig> {
        let this = || self.declared.of("this").map(|declared| declared.type_.clone());
        match &part.kind {
            Kind::Harmless(_) if part.text == "this" => this(),
            Kind::Name(name) => match self.declared.of(name) {
                Some(declared) => Some(declared.type_.clone()),
                None => self.member(&this()?, name),
            },
            Kind::Member(receiver, name) => self.member(&self.type_of(receiver)?, name),
            Kind::Call(receiver, name, _) => {
                let owner = receiver.as_deref().map_or_else(this, |receiver| self.type_of(receiver))?;
                self.result(&owner, name)
            }
            Kind::Index(receiver, _) => match self.type_of(receiver)? {
                TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => Some(*element),
                other => self.result(&other, "get_Item"),
            },
            Kind::Cast(name, _) => {
                let named = self.modules.purity().types_named(name);
                let [only] = named.as_slice() else { return None };
                clr_metadata::names::parse_type(only)
            }
            Kind::Maybe(_, then) => self.type_of(then),
            _ => None,
        }
    }

    fn member(&self, owner: &TypeSig, name: &str) -> Option<TypeSig> {
        let members = self.modules.universe().members(&owner.to_string());
        members.into_iter().find(|member| member.name == name).map(|member| member.type_)
    }

    fn result(&self, owner: &TypeSig, method: &str) -> Option<TypeSig> {
        let results = self.modules.universe().results(&owner.to_string(), method);
        results.first().filter(|first| results.iter().all(|other| other == *first)).cloned()
    }
}
