//! What a type's name means at a place in source: the namespaces around it and those that its file imports, as the PDB has them.

use clr_metadata::{Import, MethodId};

use super::Modules;
use super::flow::Place;

impl Modules {
    /// The full name of the type that `name` means in the method at that place; `None` where it means none, or several.
    pub(crate) fn type_in_scope(&self, path: &str, place: Place, name: &str) -> Option<String> {
        let (universe, scopes) = {
            let inner = self.lock();
            let (assembly, document) = inner.find(path)?;
            let pdb = assembly.pdb()?;
            let begins = |method: &MethodId| {
                let points = pdb.sequence_points(*method);
                points.iter().any(|point| !point.is_hidden && (point.line, point.column) == place)
            };
            let methods = pdb.line_to_methods(document.id, place.0).into_iter().map(|(method, _)| method);
            let method = methods.into_iter().find(begins)?;
            let mut owner = assembly.method(method).declaring_type()?;
            // the compiler's own types and nested ones stand in the namespace of the outermost
            while let Some(outer) = owner.declaring_type() {
                owner = outer;
            }
            let imports = |method| pdb.imports_of(method).into_iter().flat_map(|scope| scope.imports);
            let kickoff = assembly.kickoff_of(method).into_iter().flat_map(imports);
            let imported = imports(method).chain(kickoff).filter_map(|import| match import {
                Import::Namespace(namespace) => Some(namespace),
                _ => None,
            });
            // an inner namespace hides what an outer one, or an import, has
            let mut scopes: Vec<Vec<String>> = enclosing(owner.namespace()).map(|one| vec![one.to_owned()]).collect();
            scopes.push(imported.collect());
            (inner.universe.clone(), scopes)
        };
        scopes.into_iter().find_map(|namespaces| {
            let mut named: Vec<String> = namespaces.iter().map(|namespace| format!("{namespace}.{name}")).collect();
            named.sort();
            named.dedup();
            let mut found = named.into_iter().filter(|named| universe.find_type(named).is_some());
            found.next().filter(|_| found.next().is_none())
        })
    }
}

/// `A.B.C` -> `A.B.C`, `A.B`, `A`
fn enclosing(namespace: &str) -> impl Iterator<Item = &str> {
    let first = Some(namespace).filter(|namespace| !namespace.is_empty());
    std::iter::successors(first, |namespace| Some(namespace.rsplit_once('.')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_are_searched_from_the_inside() {
        assert_eq!(enclosing("A.B.C").collect::<Vec<_>>(), ["A.B.C", "A.B", "A"]);
        assert_eq!(enclosing("").count(), 0);
    }
}
