//! Members that a derived type hides: C# means the one of the type that the receiver is declared as, and some adapters read by the type
//! that the object is of (vendor-notes.md). What those would get wrong is refused.

use clr_metadata::{Primitive, TypeSig};

use super::effects::parse::{Kind, Part, parse};
use super::evaluate::EvalError;
use super::reader::{Access, Reader};
use super::type_names;
use crate::backend::quirks::MembersOf;
use crate::session::error::Code;
use crate::session::modules::{DeclaredVariables, Modules};

/// A member of which the declared type of its receiver decides which one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hidden {
    receiver: String,
    /// The source leaves it out, `this`.
    is_implied: bool,
    /// As it is declared.
    type_: String,
    member: String,
    is_call: bool,
}

/// Refuses what the adapter would read of another type than the source says.
pub(in crate::session) async fn check(reader: &Reader, expression: &str) -> Result<(), EvalError> {
    let members_of = reader.quirks.members_of;
    if members_of == MembersOf::DeclaredType || reader.by_run_time_type {
        return Ok(());
    }
    let Some(place) = reader.place.clone() else { return Ok(()) };
    let (modules, text) = (reader.modules.clone(), expression.to_owned());
    let found = tokio::task::spawn_blocking(move || {
        find(&modules, &modules.declared_at(&place.path, place.line, Some(place.column)), &text)
    });
    for Hidden { receiver, is_implied, type_, member, is_call } in found.await.unwrap_or_default() {
        let is_declared = !is_call && (is_implied || receiver != "this");
        if members_of == MembersOf::DeclaredTypeOfVariables && is_declared {
            continue;
        }
        let Ok(object) = reader.evaluate(&receiver, Access::Load).await else { continue };
        if !reader.modules.universe().hides(&object.type_name, &type_, &member) {
            continue;
        }
        let (declared, own) = (type_names::short(&type_), object.short_type());
        let words = format!(
            "`{receiver}` is declared as {declared}, and {own} hides that `{member}`, which this adapter cannot read; (({own}){receiver}).{member} is the one of {own}"
        );
        return Err(EvalError::certain(Code::EvaluationFailed, words));
    }
    Ok(())
}

/// Whether the source declares what an expression gives as an `object`.
pub(super) fn is_object(reader: &Reader, expression: &str) -> bool {
    let (declared, part) = (reader.declared(), parse(expression));
    let search = Search { modules: &reader.modules, declared: &declared };
    let type_ = part.and_then(|part| search.type_of(&part));
    matches!(type_, Some(TypeSig::Primitive(Primitive::Object)))
}

/// Whether a condition reads a member that a derived type hides: of which objects, nobody knows before.
pub(in crate::session) fn may_read(modules: &Modules, declared: &DeclaredVariables, expression: &str) -> bool {
    !find(modules, declared, expression).is_empty()
}

fn find(modules: &Modules, declared: &DeclaredVariables, expression: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    if let Some(part) = parse(expression) {
        Search { modules, declared }.gather(&part, &mut found);
    }
    found
}

struct Search<'a> {
    modules: &'a Modules,
    declared: &'a DeclaredVariables,
}

impl Search<'_> {
    fn gather(&self, part: &Part, found: &mut Vec<Hidden>) {
        let (receiver, member, is_call) = match &part.kind {
            Kind::Member(receiver, name) => (Some(&**receiver), name, false),
            Kind::Call(receiver, name, _) => (receiver.as_deref(), name, true),
            Kind::Name(name) if self.declared.of(name).is_none() => (None, name, false),
            _ => return self.gather_inside(part, found),
        };
        let type_ = match receiver {
            Some(receiver) => self.type_of(receiver),
            None => self.declared.of("this").map(|declared| declared.type_.clone()),
        };
        if let Some(type_) = type_.map(|type_| type_.to_string())
            && self.modules.is_hidden_below(&type_, member)
        {
            let is_implied = receiver.is_none();
            let receiver = receiver.map_or_else(|| "this".to_owned(), |receiver| receiver.text.clone());
            found.push(Hidden { receiver, is_implied, type_, member: member.clone(), is_call });
        }
        self.gather_inside(part, found);
    }

    fn gather_inside(&self, part: &Part, found: &mut Vec<Hidden>) {
        part.inner().into_iter().for_each(|part| self.gather(part, found));
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
