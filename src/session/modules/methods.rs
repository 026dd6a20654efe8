//! Which methods objects of a type have, by their names.

use std::sync::Arc;

use super::Modules;
use clr_metadata::{Assembly, TypeId, TypeUniverse, is_framework};

/// Whose methods extend what can be enumerated.
const QUERIES: &str = "System.Linq.Enumerable";

impl Modules {
    /// Whether an object of that type may have a method of that name, one that only an interface shows included; `true` also where not
    /// all of its bases are known.
    pub(crate) fn may_have_method(&self, type_name: &str, name: &str) -> bool {
        let named = |method: &str| method.rsplit('.').next() == Some(name);
        self.chain(type_name).is_none_or(|chain| {
            let mut types = chain.iter();
            types
                .any(|(assembly, id)| assembly.type_(*id).methods().any(|method| named(assembly.method(method).name())))
        })
    }

    /// The same of an index in brackets.
    pub(crate) fn may_have_indexer(&self, type_name: &str) -> bool {
        let is_indexed = |(assembly, id): &(Arc<Assembly>, TypeId)| {
            assembly.type_(*id).properties().iter().any(|property| property.is_indexer)
        };
        self.may_have_method(type_name, "get_Item")
            || self.chain(type_name).is_none_or(|chain| chain.iter().any(is_indexed))
    }

    /// Whether a query may be called on such an object by that name.
    pub(crate) fn may_be_queried(&self, type_name: &str, name: &str) -> bool {
        let universe = self.universe();
        if universe.is_a(type_name, "System.Collections.IEnumerable") == Some(false) {
            return false;
        }
        let named = |(assembly, id): &(Arc<Assembly>, TypeId)| {
            assembly.type_(*id).methods().any(|method| assembly.method(method).name() == name)
        };
        universe.find_type(QUERIES).or_else(|| queries_beside(&universe)).is_none_or(|found| named(&found))
    }

    /// Whether a type of the program below this one declares a member of that name anew: then the declared type of an object decides
    /// which one is meant.
    pub(crate) fn is_hidden_below(&self, type_name: &str, member: &str) -> bool {
        self.purity().is_hidden_below(type_name, member)
    }

    /// The names by which source calls the methods of a type and its bases: the static ones, or those of objects; of the framework's,
    /// public ones.
    pub(crate) fn method_names(&self, type_name: &str, is_static: bool) -> Vec<String> {
        const OF_ACCESSORS: [&str; 5] = ["get_", "set_", "add_", "remove_", "op_"];
        let mut names: Vec<String> = Vec::new();
        for (assembly, id) in self.chain(type_name).unwrap_or_default() {
            let is_framework = is_framework(assembly.path());
            for method in assembly.type_(id).methods().map(|method| assembly.method(method)) {
                let name = method.name();
                let is_accessor = OF_ACCESSORS.iter().any(|start| name.starts_with(start));
                let is_seen = !is_framework || method.visibility() == "public";
                let is_wanted =
                    is_seen && method.is_static() == is_static && !is_accessor && !name.contains(['.', '<']);
                if is_wanted && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }

    /// `None`: not all bases are known. An array is what all arrays derive from.
    fn chain(&self, type_name: &str) -> Option<Vec<(Arc<Assembly>, TypeId)>> {
        let universe = self.universe();
        let chain = universe.base_chain(type_name);
        chain.last().filter(|last| *last == "System.Object")?;
        chain.iter().map(|name| universe.find_type(name)).collect()
    }
}

/// Where no code of the program has used a query, their file is not loaded: it lies beside that of `object`.
fn queries_beside(universe: &TypeUniverse) -> Option<(Arc<Assembly>, TypeId)> {
    let (core, _) = universe.find_type("System.Object")?;
    let assembly = Assembly::open(core.path().with_file_name("System.Linq.dll")).ok()?;
    let id = assembly.find_type(QUERIES)?;
    Some((assembly, id))
}
