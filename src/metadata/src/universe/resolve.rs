//! From a name in one file to the type it means: through the file's own references first, as the runtime does.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::{MAX_BASES, TypeUniverse, substituted};
use crate::assembly::Assembly;
use crate::names::index_key;
use crate::schema::{Table, col};
use crate::signatures::TypeName;
use crate::tokens::{Token, TypeId};

/// A base type (of an interface: an interface it extends).
#[derive(Debug, Clone)]
pub struct Base {
    /// With the arguments that the question's own lead to.
    pub name: TypeName,
    /// `None`: no file that was added defines it.
    pub found: Option<(Arc<Assembly>, TypeId)>,
}

impl TypeUniverse {
    /// The assembly of that path, if it was added and can be read.
    pub fn open(&self, path: &Path) -> Option<Arc<Assembly>> {
        let mut entries = self.entries();
        entries.iter_mut().find(|entry| entry.path == path)?.assembly(self.kept.as_deref())
    }

    /// The type that a signature of `from` means by a metadata name.
    pub fn resolve(&self, from: &Arc<Assembly>, full_name: &str) -> Option<(Arc<Assembly>, TypeId)> {
        let key = index_key(full_name);
        if let Some(id) = from.find_key(&key) {
            return Some((from.clone(), id));
        }
        let target = referenced_assembly(from, full_name).and_then(|name| self.assembly(name));
        if let Some(target) = target {
            let found = target.find_key(&key).map(|id| (target.clone(), id));
            if let Some(found) = found.or_else(|| self.follow_forwards(&target, full_name)) {
                return Some(found);
            }
        }
        self.find_type(full_name)
    }

    /// The bases of a type from the nearest up; of an interface, all interfaces it extends.
    pub fn bases(&self, assembly: &Arc<Assembly>, id: TypeId, name: &TypeName) -> Vec<Base> {
        let mut bases: Vec<Base> = Vec::new();
        let mut seen = HashSet::from([index_key(&name.full_name)]);
        let mut open = vec![(assembly.clone(), id, name.clone())];
        while let Some((assembly, id, name)) = open.pop() {
            let view = assembly.type_(id);
            let next = if view.is_interface() { view.interfaces() } else { view.base().into_iter().collect() };
            for base in next {
                let base = substituted(base, &name.arguments);
                if bases.len() >= MAX_BASES || !seen.insert(base.to_string()) {
                    continue;
                }
                let found = self.resolve(&assembly, &base.full_name);
                if let Some((assembly, id)) = &found {
                    open.push((assembly.clone(), *id, base.clone()));
                }
                bases.push(Base { name: base, found });
            }
        }
        bases
    }
}

/// The simple name of the assembly that a TypeRef of that name points to.
fn referenced_assembly<'a>(from: &'a Assembly, full_name: &str) -> Option<&'a str> {
    let metadata = &from.metadata;
    let last = full_name.rsplit('+').next().unwrap_or(full_name);
    let last = last.rsplit_once('.').map_or(last, |(_, name)| name);
    let mut rows = metadata.rows(Table::TypeRef).filter(|&row| metadata.string(row, col::TypeRef::Name) == Ok(last));
    let row =
        rows.find(|&row| metadata.type_full_name(Token::new(Table::TypeRef, row)).is_ok_and(|name| name == full_name))?;
    let mut scope = metadata.token(row, col::TypeRef::ResolutionScope).ok()?;
    for _ in 0..MAX_BASES {
        match scope.table()? {
            Table::AssemblyRef => return metadata.string(scope.row(), col::AssemblyRef::Name).ok(),
            Table::TypeRef => scope = metadata.token(scope.row(), col::TypeRef::ResolutionScope).ok()?,
            _ => return None,
        }
    }
    None
}
