//! By what a collection compares its keys, where the stopped program shows the very collection: one that was made without a comparer of
//! the program's asks none, whatever comparers the program has for others.

use super::held::{comparer_fields, is_framework_comparer};
use super::{Content, Judged, Question};
use crate::signatures::TypeSig;

impl Question<'_> {
    /// Whether comparing keys of that type in a collection runs no impure comparer of the program.
    pub(super) fn comparers_of(&mut self, collection: Option<&Content>, key: Option<&TypeSig>) -> Judged {
        match self.comparers(key) {
            Err(_) if collection.is_some_and(|it| self.has_framework_comparer(it) == Some(true)) => Ok(()),
            judged => judged,
        }
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
