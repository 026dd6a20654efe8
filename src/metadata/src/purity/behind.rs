//! What stands behind a wrapper of the framework, where the stopped program shows it: a call that is passed on to a list of the
//! framework runs nothing of the program.

use super::{Content, Question};
use crate::signatures::TypeSig;

/// Where wrappers keep what they pass calls on to (.NET 8 to 10).
const KEPT: [(&str, &str); 3] = [
    ("System.Collections.ObjectModel.Collection`1", "items"),
    ("System.Collections.ObjectModel.ReadOnlyCollection`1", "list"),
    ("System.Collections.ObjectModel.ReadOnlyDictionary`2", "m_dictionary"),
];

/// Asks the program for the key of each element.
const KEYED: &str = "System.Collections.ObjectModel.KeyedCollection`2";

/// Wrappers over wrappers that are looked through.
const MOST_WRAPPERS: usize = 4;

impl Question<'_> {
    /// The framework's own list that an object passes its calls on to, at last. What the program overrides of the object itself is
    /// judged separately.
    pub(super) fn behind(&mut self, object: Option<&Content>) -> Option<TypeSig> {
        let Some(Content::Object(mut object, mut type_)) = object.cloned() else { return None };
        for _ in 0..MOST_WRAPPERS {
            let full_name = type_.full_name()?;
            let chain = || self.purity.universe.base_chain(full_name);
            let is_kept = |(owner, _): &&(&str, &str)| full_name == *owner || chain().iter().any(|base| base == owner);
            let (owner, field) = *KEPT.iter().find(is_kept)?;
            let observer = self.observer.as_mut()?;
            let Some(Content::Object(next, kept)) = observer.field(object, owner, field) else { return None };
            if Self::keeps_elements(&kept) {
                return Some(kept);
            }
            (object, type_) = (next, kept);
        }
        None
    }

    /// What an object is asked as that has those elements behind it: one that finds its keys by code of the program is asked itself.
    pub(super) fn asked_as<'t>(&self, object: Option<&'t TypeSig>, behind: Option<&'t TypeSig>) -> Option<&'t TypeSig> {
        let is_keyed = |type_: &&TypeSig| {
            let bases = type_.full_name().map(|name| self.purity.universe.base_chain(name)).unwrap_or_default();
            type_.full_name() == Some(KEYED) || bases.iter().any(|base| base == KEYED)
        };
        object.filter(is_keyed).or(behind).or(object)
    }
}
