//! The program's assemblies: those the adapter says are loaded and those that lie ready beside the program, with what
//! their metadata and PDBs say about types, frames and source lines.

mod accessors;
mod awaits;
mod captured;
mod code;
mod documents;
mod enums;
mod exception_types;
mod flow;
mod foreseen;
mod lambdas;
mod matching;
mod member_names;
mod methods;
mod once;
mod records;
mod scope;
mod sizes;
mod statements;
mod survey;
mod tuples;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::dap;
use clr_metadata::names::{self, FrameName};
use clr_metadata::{Assembly, Purity, TypeUniverse, is_framework};

pub(crate) use self::enums::EnumType;
use super::view::{LoadedModule, LoadedModules, Module, ModulesView};

pub(crate) use accessors::Accessor;
pub(crate) use awaits::Suspension;
pub(crate) use captured::Captured;
pub(crate) use code::exception_variable;
pub(crate) use lambdas::{LambdaAround, StopsBefore, bound_name};
pub(crate) use matching::{common_tail, is_suffix};
pub(crate) use member_names::{THREAD_STATIC, captured_parameter};
pub(crate) use once::CallSite;
pub(crate) use records::RecordLine;
pub(crate) use statements::{Gap, Statement};
pub(crate) use survey::{Survey, Surveyed, SymbolsFault, is_sdk_tool};
pub use tuples::DeclaredVariables;

/// Cheap to clone; all clones are one set.
#[derive(Clone, Default)]
pub struct Modules {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    loaded: Vec<Loaded>,
    /// Assemblies with symbols, loaded or lying in the program's folder.
    known: Vec<Arc<Assembly>>,
    main: Option<Arc<Assembly>>,
    universe: Arc<TypeUniverse>,
    enums: HashMap<String, Arc<[Arc<EnumType>]>>,
    frames: HashMap<(Option<String>, String), FrameName>,
    /// Made when asked for, anew when a module has come.
    purity: Option<Arc<Purity>>,
    types: code::KnownTypes,
}

struct Loaded {
    id: String,
    name: String,
    path: PathBuf,
    symbols: bool,
    /// The adapter looked for symbols and found none.
    refused: bool,
    assembly: Option<Arc<Assembly>>,
}

impl Loaded {
    /// Made at runtime, by the program or for it: in no file. The one in which the runtime keeps dynamic methods has no types.
    fn has_unknown_types(&self) -> bool {
        let is_runtimes = ["System.", "Microsoft.", "Anonymously Hosted DynamicMethods"];
        !self.path.is_absolute() && !is_runtimes.iter().any(|start| self.name.starts_with(start))
    }
}

impl Modules {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the program's own assembly and its neighbors that have a PDB, before anything runs.
    pub fn preload(&self, program: &Path) {
        let folder = program.parent().unwrap_or(Path::new("."));
        let mut paths = vec![program.to_owned()];
        if let Ok(list) = std::fs::read_dir(folder) {
            let neighbors = list
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.extension().is_some_and(|extension| extension == "dll") && path != program)
                .filter(|path| path.with_extension("pdb").exists())
                .take(500);
            paths.extend(neighbors);
        }
        let mut inner = self.lock();
        for (at, path) in paths.into_iter().enumerate() {
            inner.universe.add(&path, true);
            match Assembly::open(&path) {
                Ok(assembly) => {
                    if at == 0 {
                        inner.main = Some(assembly.clone());
                    }
                    if assembly.pdb().is_some() {
                        inner.known.push(assembly);
                    }
                }
                Err(error) => tracing::debug!(%error, path = %path.display(), "not readable as an assembly"),
            }
        }
    }

    /// The adapter says that a module is loaded. Answers whether that says something of documents.
    pub fn add(&self, module: &dap::Module) -> bool {
        let path = PathBuf::from(module.path.clone().unwrap_or_default());
        let status = module.symbol_status.as_deref().unwrap_or_default();
        let symbols = status.starts_with("Symbols loaded");
        let refused = status.contains("not found");
        let mut inner = self.lock();
        let is_user = symbols || !is_framework(&path);
        let mut assembly = inner.known.iter().find(|known| known.path() == path).cloned();
        if assembly.is_none() && is_user {
            assembly = Assembly::open(&path).ok();
            if let Some(opened) = assembly.as_ref().filter(|opened| opened.pdb().is_some() && !is_framework(&path)) {
                inner.known.push(opened.clone());
            }
        }
        inner.universe.add(&path, is_user && !is_framework(&path));
        inner.purity = None;
        inner.types.forget();
        inner.enums.clear();
        inner.loaded.retain(|other| other.id != module.id);
        let has_documents = symbols || assembly.as_ref().is_some_and(|assembly| refused && assembly.pdb().is_some());
        let (id, name) = (module.id.clone(), module.name.clone());
        inner.loaded.push(Loaded { id, name, path, symbols, refused, assembly });
        has_documents
    }

    pub fn remove(&self, id: &str) {
        let mut inner = self.lock();
        inner.loaded.retain(|module| module.id != id);
        inner.types.forget();
    }

    /// Whether there is a type of exactly that name.
    pub fn has_type(&self, full_name: &str) -> bool {
        let universe = self.lock().universe.clone();
        universe.find_type(full_name).is_some()
    }

    /// What may be called without changing anything.
    pub fn purity(&self) -> Arc<Purity> {
        let mut inner = self.lock();
        let universe = inner.universe.clone();
        let unknown: Vec<String> =
            inner.loaded.iter().filter(|it| it.has_unknown_types()).map(|it| it.name.clone()).collect();
        let make = || Arc::new(Purity::new(universe).with_unknown_types(unknown));
        inner.purity.get_or_insert_with(make).clone()
    }

    /// The types of what is loaded.
    pub fn universe(&self) -> Arc<TypeUniverse> {
        self.lock().universe.clone()
    }

    /// How many modules the adapter named.
    pub fn loaded_count(&self) -> usize {
        self.lock().loaded.len()
    }

    /// A frame's name for people, as far as metadata and the name itself show.
    pub fn describe_frame(&self, raw: &str, module: Option<&str>) -> FrameName {
        let mut inner = self.lock();
        let key = (module.map(str::to_owned), raw.to_owned());
        if let Some(known) = inner.frames.get(&key) {
            return known.clone();
        }
        let assembly = inner
            .loaded
            .iter()
            .find(|loaded| Some(loaded.id.as_str()) == module)
            .and_then(|loaded| loaded.assembly.clone());
        let candidates = assembly.into_iter().chain(inner.known.iter().cloned());
        let described = candidates
            .take(16)
            .find_map(|assembly| assembly.describe_frame(raw))
            .unwrap_or_else(|| names::describe(raw));
        if inner.frames.len() > 10_000 {
            inner.frames.clear();
        }
        inner.frames.insert(key, described.clone());
        described
    }

    /// Names of a frame's parameters, where the method is found.
    pub fn parameters(&self, raw: &str) -> Option<Vec<String>> {
        let known = self.lock().known.clone();
        known.iter().find_map(|assembly| {
            let method = assembly.methods_of_frame(raw).into_iter().next()?;
            let method = assembly.kickoff_of(method).unwrap_or(method);
            Some(assembly.method(method).parameter_names())
        })
    }

    /// Paths only: whoever asks reads them elsewhere.
    pub fn loaded(&self) -> LoadedModules {
        let inner = self.lock();
        let with_file = inner.loaded.iter().filter(|module| module.path.is_absolute());
        let mut modules: Vec<LoadedModule> = with_file
            .map(|module| LoadedModule {
                name: module.name.clone(),
                path: module.path.clone(),
                is_user: !is_framework(&module.path),
            })
            .collect();
        modules.sort_by_key(|module| !module.is_user);
        LoadedModules { modules, universe: inner.universe.clone(), root: None, stopped_at: None }
    }

    /// modules_list.
    pub fn view(&self, include_system: bool, name: Option<&str>, relative: impl Fn(&str) -> String) -> ModulesView {
        let mut view = ModulesView::default();
        let wanted = name.map(str::to_lowercase);
        let mut shown = Vec::new();
        for module in &self.lock().loaded {
            if wanted.as_ref().is_some_and(|wanted| !module.name.to_lowercase().contains(wanted)) {
                continue;
            }
            if !include_system && is_framework(&module.path) && wanted.is_none() {
                view.system_omitted += 1;
                continue;
            }
            shown.push((module.name.clone(), module.symbols, module.path.display().to_string()));
        }
        // what reports a path may ask us whose it is, so the lock is free by now
        let shown_module =
            |(name, symbols, path): (String, bool, String)| Module { name, symbols, path: relative(&path) };
        view.modules = shown.into_iter().map(shown_module).collect();
        view
    }
}
