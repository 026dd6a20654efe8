//! What type tests and reference conversions ask: whether an object is of a type, and whether its members keep their names there.

use std::collections::HashSet;
use std::sync::Arc;

use super::{TypeUniverse, named, substituted};
use crate::assembly::Assembly;
use crate::names::index_key;
use crate::signatures::TypeName;
use crate::tokens::TypeId;

/// More interfaces than a type has.
const MOST: usize = 1024;

impl TypeUniverse {
    /// Whether an object that is exactly of the type `from` is a `to`. `None`: not known, where a base is in no file that was added, and
    /// where only the variance of an interface could tell.
    pub fn is_a(&self, from: &str, to: &str) -> Option<bool> {
        if from == to {
            return Some(true);
        }
        let wanted = named(to)?;
        if wanted.full_name == "System.Object" {
            return Some(true);
        }
        if to.ends_with(']') {
            return (!from.ends_with(']')).then_some(false);
        }
        let key = index_key(&wanted.full_name);
        let chain = self.chain(from);
        let mut is_known = chain.last().is_some_and(|last| last.name.full_name == "System.Object");
        let mut seen = HashSet::new();
        let mut open: Vec<TypeName> = chain.iter().map(|link| link.name.clone()).collect();
        let mut at: Vec<_> = chain.into_iter().map(|link| (link.name, link.found)).collect();
        while let Some((name, found)) = at.pop() {
            let Some((assembly, id)) = found else {
                is_known = false;
                continue;
            };
            for interface in assembly.type_(id).interfaces() {
                let interface = substituted(interface, &name.arguments);
                if seen.len() < MOST && seen.insert(interface.to_string()) {
                    let found = self.resolve(&assembly, &interface.full_name);
                    open.push(interface.clone());
                    at.push((interface, found));
                }
            }
        }
        let same: Vec<TypeName> = open.into_iter().filter(|name| index_key(&name.full_name) == key).collect();
        match same.iter().any(|name| name.arguments == wanted.arguments) {
            true => Some(true),
            false => (is_known && same.is_empty()).then_some(false),
        }
    }

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
