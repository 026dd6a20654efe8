//! Which methods objects of a type have, by their names.

use std::sync::Arc;

use super::Modules;
use clr_metadata::{Assembly, TypeId, is_framework};

impl Modules {
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
