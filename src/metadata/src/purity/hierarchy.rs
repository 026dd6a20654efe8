//! Who derives from whom among the program's own types: what a virtual call may run.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::assembly::Assembly;
use crate::names::index_key;
use crate::signatures::TypeName;
use crate::tokens::{MethodId, TypeId};
use crate::universe::TypeUniverse;

/// More types than a program has that somebody debugs.
const MOST_TYPES: usize = 50_000;

#[derive(Default)]
pub(super) struct Hierarchy {
    types: Vec<(Arc<Assembly>, TypeId)>,
    /// Of each, the keys of itself, its bases and all their interfaces.
    ancestors: Vec<HashSet<String>>,
    /// Some were too many to look at.
    is_cut: bool,
}

impl Hierarchy {
    pub(super) fn of(universe: &TypeUniverse, is_framework: fn(&Path) -> bool) -> Self {
        let mut found = Self::default();
        for assembly in universe.assemblies().into_iter().filter(|assembly| !is_framework(assembly.path())) {
            for type_ in assembly.types() {
                if found.types.len() == MOST_TYPES {
                    found.is_cut = true;
                    return found;
                }
                let full_name = type_.full_name();
                let name = TypeName { full_name: full_name.clone(), ..TypeName::default() };
                let mut ancestors = HashSet::from([index_key(&full_name)]);
                let interfaces = |assembly: &Assembly, id: TypeId| {
                    let interfaces = assembly.type_(id).interfaces();
                    interfaces.into_iter().map(|it| index_key(&it.full_name)).collect::<Vec<_>>()
                };
                ancestors.extend(interfaces(&assembly, type_.id()));
                for base in universe.bases(&assembly, type_.id(), &name) {
                    if let Some((assembly, id)) = &base.found {
                        ancestors.extend(interfaces(assembly, *id));
                    }
                    ancestors.insert(index_key(&base.name.full_name));
                }
                found.types.push((assembly.clone(), type_.id()));
                found.ancestors.push(ancestors);
            }
        }
        found
    }

    /// All types of the program, as far as they were looked at.
    pub(super) fn types(&self) -> &[(Arc<Assembly>, TypeId)] {
        &self.types
    }

    /// Whether a type of the program is, derives from or implements that one; also where it could be.
    pub(super) fn has_below(&self, full_name: &str) -> bool {
        let key = index_key(full_name);
        self.is_cut || self.ancestors.iter().any(|ancestors| ancestors.contains(&key))
    }

    /// The methods of that name in the types at and below one; `None` where not all types were looked at.
    pub(super) fn implementations(
        &self,
        full_name: &str,
        method: &str,
        parameters: Option<usize>,
    ) -> Option<Vec<(Arc<Assembly>, MethodId)>> {
        if self.is_cut {
            return None;
        }
        let key = index_key(full_name);
        let below = self.ancestors.iter().filter(|ancestors| ancestors.contains(&key));
        // an interface's method may be one of a base that knows nothing of the interface
        let keys: HashSet<&String> = below.flatten().collect();
        let explicit = format!(".{method}");
        let mut found = Vec::new();
        for (assembly, id) in &self.types {
            let view = assembly.type_(*id);
            if !keys.contains(&index_key(&view.full_name())) {
                continue;
            }
            for id in view.methods() {
                let candidate = assembly.method(id);
                let named = candidate.name() == method || candidate.name().ends_with(&explicit);
                let count = || candidate.signature().map(|signature| signature.parameters.len());
                if named
                    && !candidate.is_abstract()
                    && !candidate.is_static()
                    && parameters.is_none_or(|it| count() == Some(it))
                {
                    found.push((assembly.clone(), id));
                }
            }
        }
        Some(found)
    }
}
