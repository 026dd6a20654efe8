//! Members that mean others on the way from a base or an interface to an object's own type.

use std::sync::Arc;

use super::{TypeUniverse, named};
use crate::assembly::Assembly;
use crate::names::index_key;
use crate::tokens::TypeId;

impl TypeUniverse {
    /// Whether `member` means another one of an object of the type `from` than it means of a `to`, which that is: a type between them
    /// declares it anew, or implements it for that interface alone.
    pub fn hides(&self, from: &str, to: &str, member: &str) -> bool {
        let Some(wanted) = named(to) else { return true };
        let key = index_key(&wanted.full_name);
        let chain = self.chain(from);
        let between = chain.iter().take_while(|link| index_key(&link.name.full_name) != key);
        let is_interface =
            self.find_type(&wanted.full_name).is_some_and(|(assembly, id)| assembly.type_(id).is_interface());
        let mut links = between.filter_map(|link| link.found.as_ref());
        match is_interface {
            true => links.any(|(assembly, id)| implements_apart(assembly, *id, member)),
            false => links.any(|(assembly, id)| declares_anew(assembly, *id, member)),
        }
    }
}

/// `get_X` is `X`.
fn without_accessor(name: &str) -> &str {
    ["get_", "set_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// Whether a type itself has a field, a property or a method of that name.
pub(super) fn has(assembly: &Arc<Assembly>, id: TypeId, member: &str) -> bool {
    let type_ = assembly.type_(id);
    let mut methods = type_.methods().map(|method| assembly.method(method));
    type_.fields().iter().any(|field| field.name == member)
        || methods.any(|method| without_accessor(method.name()) == member)
}

fn declares_anew(assembly: &Arc<Assembly>, id: TypeId, member: &str) -> bool {
    let type_ = assembly.type_(id);
    let mut methods = type_.methods().map(|method| assembly.method(method));
    type_.fields().iter().any(|field| field.name == member)
        || methods
            .any(|method| without_accessor(method.name()) == member && (!method.is_virtual() || method.is_new_slot()))
}

/// `System.IDisposable.Dispose`
fn implements_apart(assembly: &Arc<Assembly>, id: TypeId, member: &str) -> bool {
    assembly.type_(id).methods().any(|method| {
        let name = assembly.method(method).name();
        name.rsplit_once('.').is_some_and(|(_, last)| without_accessor(last) == member)
    })
}
