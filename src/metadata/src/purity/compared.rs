//! By what a collection compares its keys, where the stopped program shows the very collection: one that was made without a comparer of
//! the program's asks none, whatever comparers the program has for others.

use super::held::{comparer_fields, is_framework_comparer};
use super::values::{Kind, Value};
use super::{Content, Judged, Question};
use crate::signatures::{Primitive, TypeSig};

impl Question<'_> {
    /// Whether comparing keys of that type in a collection runs no impure comparer of the program.
    pub(super) fn comparers_of(&mut self, collection: Option<&Content>, key: Option<&TypeSig>) -> Judged {
        match self.comparers(key) {
            Err(_) if collection.is_some_and(|it| self.has_framework_comparer(it) == Some(true)) => Ok(()),
            judged => judged,
        }
    }

    /// Whether a method of LINQ compares by the default comparer of what it compares: none is passed, and but for `Contains` the
    /// sequence is not asked for its own.
    pub(super) fn is_default_query(&self, type_: &str, method: &str, arguments: &[Value]) -> bool {
        let is_no_comparer = |value: &Value| match (&value.kind, value.type_()) {
            (Kind::Null, _) => true,
            (_, Some(TypeSig::Primitive(kind))) => *kind != Primitive::Object,
            (_, Some(type_)) => self.is_delegate(type_),
            _ => false,
        };
        type_ == "System.Linq.Enumerable" && method != "Contains" && arguments.iter().skip(1).all(is_no_comparer)
    }

    /// `None`: it is not known.
    fn has_framework_comparer(&mut self, collection: &Content) -> Option<bool> {
        let Content::Object(mut object, mut type_) = collection.clone() else { return None };
        let fields = self.types_of(&type_)?.iter().find_map(|name| comparer_fields(name))?;
        for field in fields {
            let owners = self.types_of(&type_)?;
            let observer = self.observer.as_mut()?;
            match owners.iter().find_map(|owner| observer.field(object, owner, field))? {
                // the default one of the keys' type
                Content::Null => return Some(true),
                Content::Object(next, of_type) => (object, type_) = (next, of_type),
                Content::Number(_) => return None,
            }
        }
        type_.full_name().map(is_framework_comparer)
    }

    /// The full name of a type, then those of its bases.
    fn types_of(&self, type_: &TypeSig) -> Option<Vec<String>> {
        let full_name = type_.full_name()?;
        let bases = self.purity.universe.base_chain(full_name);
        Some(std::iter::once(full_name.to_owned()).chain(bases).collect())
    }
}
