//! The modules that the target has loaded, with their metadata and symbols, which are read when somebody asks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use clr_metadata::{Assembly, MethodId, Pdb, TypeId};

use crate::com;
use crate::target::NotMine;

/// A loaded managed module.
pub struct Module {
    /// Ours, from 1, never used again.
    pub id: u32,
    pub com: com::Module,
    /// Of the file, or the bare name of what is in memory only.
    pub path: PathBuf,
    /// Beside the runtime itself: nothing of it is the user's.
    pub is_framework: bool,
    /// The user said that it is not theirs.
    is_disowned: bool,
    pub base: u64,
    pub size: u32,
    assembly: OnceLock<Option<Arc<Assembly>>>,
    /// Tokens of methods that steps pass over, in order.
    passed_over: OnceLock<Vec<u32>>,
}

impl Module {
    fn new(id: u32, com: com::Module, runtime: &Path, not_mine: &NotMine) -> Self {
        let path = PathBuf::from(com.name().unwrap_or_default());
        let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self {
            id,
            is_framework: path.parent() == Some(runtime),
            is_disowned: not_mine.has_module(&file_name),
            base: com.base_address().unwrap_or(0),
            size: com.size().unwrap_or(0),
            com,
            path,
            assembly: OnceLock::new(),
            passed_over: OnceLock::new(),
        }
    }

    /// `Shop.dll`
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// `None` for what is no file, or none that can be read.
    pub fn assembly(&self) -> Option<&Arc<Assembly>> {
        self.assembly.get_or_init(|| Assembly::open(&self.path).ok()).as_ref()
    }

    pub fn symbols(&self) -> Option<&Pdb> {
        self.assembly()?.pdb()
    }

    /// Whether it is the user's: not the runtime's own, not one that the user disowned, and with symbols.
    pub fn is_user(&self) -> bool {
        !self.is_disowned && self.has_source()
    }

    /// Whether it has symbols, and is not the runtime's own.
    pub fn has_source(&self) -> bool {
        !self.is_framework && self.symbols().is_some()
    }

    /// Whether a method of it is the user's: not one that steps pass over.
    pub fn is_users(&self, method: MethodId) -> bool {
        self.is_user() && self.passed_over.get().is_none_or(|it| it.binary_search(&method.token().0).is_err())
    }

    /// The methods that steps pass over, by ascending token; once.
    pub fn set_passed_over(&self, tokens: Vec<u32>) {
        let _ = self.passed_over.set(tokens);
    }

    pub fn function(&self, token: u32) -> com::Result<com::Function> {
        self.com.function(token)
    }

    pub fn class(&self, type_: TypeId) -> com::Result<com::Class> {
        self.com.class(type_.token().0)
    }
}

/// All of them.
#[derive(Default)]
pub struct Modules {
    list: RwLock<Vec<Arc<Module>>>,
    last: AtomicU32,
    version: AtomicU32,
    runtime: OnceLock<PathBuf>,
}

impl Modules {
    /// Where the runtime's own files lie; before the first module is added.
    pub fn set_runtime(&self, folder: &Path) {
        let _ = self.runtime.set(folder.to_owned());
    }

    pub fn add(&self, module: com::Module, not_mine: &NotMine) -> Arc<Module> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let runtime = self.runtime.get().map(PathBuf::as_path).unwrap_or(Path::new(""));
        let module = Arc::new(Module::new(id, module, runtime, not_mine));
        self.list.write().unwrap_or_else(PoisonError::into_inner).push(module.clone());
        self.version.fetch_add(1, Ordering::Release);
        module
    }

    pub fn remove(&self, module: &com::Module) -> Option<Arc<Module>> {
        let gone = self.of(module)?;
        self.list.write().unwrap_or_else(PoisonError::into_inner).retain(|other| other.id != gone.id);
        self.version.fetch_add(1, Ordering::Release);
        Some(gone)
    }

    /// Another one whenever a module comes or goes.
    pub fn version(&self) -> u32 {
        self.version.load(Ordering::Acquire)
    }

    pub fn all(&self) -> Vec<Arc<Module>> {
        self.list.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// .NET 8 hands out a second object for a module where a type comes from the heap: then its path identifies it.
    pub fn of(&self, module: &com::Module) -> Option<Arc<Module>> {
        use com::Interface as _;
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = list.iter().find(|known| known.com.is(module)) {
            return Some(found.clone());
        }
        let path = PathBuf::from(module.name().ok()?);
        list.iter().find(|known| known.path == path).cloned()
    }

    /// The one of that file name without `.dll`, whatever its case.
    pub fn named(&self, name: &str) -> Option<Arc<Module>> {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let is_named = |module: &&Arc<Module>| {
            module.path.file_stem().is_some_and(|stem| stem.to_string_lossy().eq_ignore_ascii_case(name))
        };
        list.iter().find(is_named).cloned()
    }
}
