//! The types of the loaded modules, read once for as long as they stay the same, and what of their code changes nothing.

use std::sync::{Arc, OnceLock};

use clr_csharp::types::TypeSystem;
use clr_metadata::{Purity, TypeUniverse};

use super::Target;

/// How modules begin that are in no file and have no types of the program's.
const OF_THE_RUNTIME: [&str; 3] = ["System.", "Microsoft.", "Anonymously Hosted DynamicMethods"];

pub struct LoadedTypes {
    /// Of the modules, before they were read: a call may have loaded one meanwhile.
    pub version: u32,
    pub types: TypeSystem,
    purity: OnceLock<Purity>,
}

impl LoadedTypes {
    pub fn of(target: &Target) -> Self {
        let version = target.modules.version();
        let modules = target.modules.all();
        let (users, framework): (Vec<_>, Vec<_>) = modules.iter().partition(|module| !module.is_framework);
        let assemblies = users.iter().chain(&framework).filter_map(|module| module.assembly().cloned()).collect();
        let core = target.modules.named("System.Private.CoreLib");
        let types = TypeSystem::new(assemblies, core.and_then(|core| Some(core.path.parent()?.to_owned())));
        Self { version, types, purity: OnceLock::new() }
    }

    /// What may be called without changing anything.
    pub fn purity(&self, target: &Target) -> &Purity {
        self.purity.get_or_init(|| {
            let (universe, mut unknown) = (TypeUniverse::new(), Vec::new());
            for module in target.modules.all() {
                match module.assembly() {
                    Some(assembly) => universe.add(assembly.path(), !module.is_framework),
                    // the runtime's own, and methods that the program emits: they derive from none of its types
                    None if OF_THE_RUNTIME.iter().any(|start| module.file_name().starts_with(start)) => {}
                    None => unknown.push(module.file_name()),
                }
            }
            Purity::new(Arc::new(universe)).with_unknown_types(unknown)
        })
    }
}
