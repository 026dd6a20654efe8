//! Which assemblies a call means: a file that it names, or the modules of a session. Asked for on the runtime, opened where it may block.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::dotnet::frameworks::framework_folders;
use crate::mcp::tool::{Call, internal};
use crate::session::sources::{common_root, tidy};
use crate::session::{Code, LoadedModule, LoadedModules, SessionError, StoppedAt};
use clr_metadata::{Assembly, AssemblyCache, MetadataError, MethodId, TypeUniverse};

/// More files than any folder of a program has.
const MOST_FILES: usize = 5_000;

/// What a call asked for, not yet opened.
pub(super) enum Asked {
    /// As given, where it may be, and what opens it.
    File(String, Vec<PathBuf>, Arc<AssemblyCache>),
    Session(LoadedModules, Option<String>),
}

/// Whether a folder may stand for all assemblies in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folders {
    Allowed,
    Refused,
}

impl Asked {
    /// # Errors
    /// Both arguments at once; no session to ask.
    pub(super) async fn of(
        call: &Call,
        module: Option<String>,
        assembly: Option<String>,
    ) -> Result<Self, SessionError> {
        const EITHER: &str = "pass `module`, a loaded module's name, or `assembly`, the path of a dll";
        let Some(given) = assembly else {
            let session = call.session().map_err(|error| match error.code {
                Code::NoSession => {
                    SessionError { hint: format!("pass `assembly`, the path of a dll; {}", error.hint), ..error }
                }
                _ => error,
            })?;
            return Ok(Self::Session(session.loaded().await?, module));
        };
        if module.is_some() {
            let message = "`module` and `assembly` cannot be combined";
            return Err(SessionError::argument("assembly", message, EITHER));
        }
        let path = PathBuf::from(given.strip_prefix("file://").unwrap_or(&given));
        // As answers show paths: from the session's root, where there is one.
        let root = call.registry.session(call.session_id.as_deref()).ok().and_then(|session| session.peek().root);
        let bases = root.map(PathBuf::from).into_iter().chain([call.registry.settings().base()]);
        let places = bases.map(|base| tidy(&base.join(&path))).collect();
        Ok(Self::File(given, places, Arc::clone(&call.kept)))
    }

    /// Looks at the file system; the files themselves are opened one by one later.
    pub(super) fn open(self, folders: Folders) -> Result<Chosen, SessionError> {
        match self {
            Self::Session(loaded, None) => Ok(Chosen::of(loaded)),
            Self::Session(loaded, Some(module)) => {
                let wanted = module.to_lowercase();
                let is_named = |loaded: &LoadedModule| {
                    let name = loaded.name.to_lowercase();
                    name == wanted || Path::new(&name).file_stem().is_some_and(|stem| stem == wanted.as_str())
                };
                let Some(found) = loaded.modules.iter().find(|loaded| is_named(loaded)).cloned() else {
                    return Err(no_module(&module, &loaded.modules));
                };
                Ok(Chosen::of(LoadedModules { modules: vec![found], ..loaded }))
            }
            Self::File(given, places, files) => {
                let Some(path) = places.iter().find(|path| path.exists()) else {
                    return Err(no_file(&given, &places));
                };
                match (path.is_dir(), folders) {
                    (false, _) => Chosen::file(path, &given, files),
                    (true, Folders::Allowed) => Chosen::folder(path, &given, files),
                    (true, Folders::Refused) => {
                        let message = format!("`assembly` is a folder: {given}");
                        Err(SessionError::argument("assembly", message, "pass the path of one of its dlls"))
                    }
                }
            }
        }
    }
}

fn no_file(given: &str, places: &[PathBuf]) -> SessionError {
    let folders = places.iter().filter_map(|path| path.parent());
    let beside: Vec<String> = folders.flat_map(assemblies_in).map(|path| module(&path).name).collect();
    let hint = match nearest(given.rsplit('/').next().unwrap_or(given), &beside) {
        (_, 0) => "pass the path of a built dll".to_owned(),
        (listed, all) if all > LISTED => format!("its folder has {listed} and {} more", all - LISTED),
        (listed, _) => format!("its folder has {listed}"),
    };
    SessionError::new(Code::FileNotFound, format!("no file {given}"), hint)
}

/// Names that are compared, in bytes.
pub(super) const LONGEST: usize = 256;

/// Names of one hint, at most.
pub(super) const LISTED: usize = 4;

/// The names nearest to a wrong one, and how many there are in all.
pub(super) fn nearest<T: AsRef<str>>(wrong: &str, names: &[T]) -> (String, usize) {
    // A comparison takes the product of the two lengths.
    let wrong = wrong.char_indices().nth(LONGEST).and_then(|(end, _)| wrong.get(..end)).unwrap_or(wrong);
    let mut names: Vec<&str> = names.iter().map(AsRef::as_ref).filter(|name| name.len() <= LONGEST).collect();
    names.sort_by_key(|name| std::cmp::Reverse((strsim::jaro_winkler(wrong, name) * 1000.0) as u64));
    (names.get(..LISTED).unwrap_or(&names).join(", "), names.len())
}

fn no_module(wanted: &str, modules: &[LoadedModule]) -> SessionError {
    let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    let hint = match nearest(wanted, &names) {
        (_, 0) => "no module is loaded yet".to_owned(),
        (listed, all) if all > LISTED => {
            format!("{listed} and {} more are loaded: modules_list lists all", all - LISTED)
        }
        (listed, _) => format!("loaded: {listed}"),
    };
    SessionError::new(Code::ModuleNotFound, format!("no module {wanted} is loaded"), hint)
}

/// The assemblies that are meant.
pub(super) struct Chosen {
    modules: Vec<LoadedModule>,
    universe: Arc<TypeUniverse>,
    root: Option<PathBuf>,
    stopped_at: Option<StoppedAt>,
    /// The one file that was asked for: its bases are looked for beside it and in its framework.
    alone: Option<Arc<Assembly>>,
    /// What opens the files; none = the universe of a session.
    files: Option<Arc<AssemblyCache>>,
}

/// One of them, opened.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) assembly: Arc<Assembly>,
    pub(super) is_user: bool,
}

impl Chosen {
    fn of(loaded: LoadedModules) -> Self {
        let LoadedModules { modules, universe, root, stopped_at } = loaded;
        Self { modules, universe, root, stopped_at, alone: None, files: None }
    }

    fn file(path: &Path, given: &str, files: Arc<AssemblyCache>) -> Result<Self, SessionError> {
        let assembly = files.open(path).map_err(|error| unreadable(given, &error))?;
        let universe = Arc::new(TypeUniverse::new());
        universe.add(path, true);
        let documents = assembly.pdb().map(|pdb| pdb.documents()).unwrap_or_default();
        let root = common_root(documents.iter().map(|document| document.path.as_str()));
        Ok(Self {
            modules: vec![module(path)],
            universe,
            root,
            stopped_at: None,
            alone: Some(assembly),
            files: Some(files),
        })
    }

    fn folder(path: &Path, given: &str, files: Arc<AssemblyCache>) -> Result<Self, SessionError> {
        let mut paths = assemblies_in(path);
        if paths.is_empty() {
            let message = format!("the folder {given} has no dll");
            return Err(SessionError::new(
                Code::FileNotFound,
                message,
                "pass a folder with assemblies, or the path of a dll",
            ));
        }
        paths.truncate(MOST_FILES);
        let universe = Arc::new(TypeUniverse::new());
        let modules = paths.iter().map(|path| module(path)).collect();
        Ok(Self { modules, universe, root: None, stopped_at: None, alone: None, files: Some(files) })
    }

    pub(super) fn len(&self) -> usize {
        self.modules.len()
    }

    /// What the assemblies are called together, in messages.
    pub(super) fn words(&self) -> String {
        match self.modules.as_slice() {
            [one] => one.name.clone(),
            many => format!("{} modules", many.len()),
        }
    }

    /// The modules of a session, and not files.
    pub(super) fn is_loaded(&self) -> bool {
        self.files.is_none()
    }

    /// How many there are, and whose: `12 loaded modules (3 of the program, 9 of the framework)`.
    pub(super) fn counted(&self) -> String {
        let system = self.modules.iter().filter(|module| !module.is_user).count();
        match (self.modules.as_slice(), self.is_loaded()) {
            ([one], _) => one.name.clone(),
            (many, false) => format!("{} assemblies", many.len()),
            (many, true) => {
                let own = many.len() - system;
                format!("{} loaded modules ({own} of the program, {system} of the framework)", many.len())
            }
        }
    }

    /// Which of the types with a name the code at the stop means.
    pub(super) fn meant(&self, name: &str, types: &[&str]) -> Option<usize> {
        let assemblies = self.assemblies().flatten().map(|opened| opened.assembly);
        self.stopped_at.as_ref()?.meant(assemblies, name, types)
    }

    /// Opened when reached, and let go by whoever drops them; `None` for one that cannot be read.
    pub(super) fn assemblies(&self) -> impl Iterator<Item = Option<Opened>> + '_ {
        self.modules.iter().map(|module| {
            let assembly = match (&self.alone, &self.files) {
                (Some(alone), _) => Some(alone.clone()),
                (None, Some(files)) => files.open(&module.path).ok(),
                (None, None) => self.universe.open(&module.path),
            };
            Some(Opened { name: module.name.clone(), assembly: assembly?, is_user: module.is_user })
        })
    }

    /// The only one that is meant.
    pub(super) fn one(&self) -> Result<Opened, SessionError> {
        let first = self.assemblies().next().flatten();
        first.ok_or_else(|| {
            let message = format!("{} cannot be read as an assembly", self.words());
            SessionError::argument("module", message, "pass another module, or `assembly`, the path of a dll")
        })
    }

    /// Where types that others refer to are found.
    pub(super) fn surroundings(&self) -> &Arc<TypeUniverse> {
        if let Some(alone) = &self.alone {
            for file in alone.path().parent().map(assemblies_in).unwrap_or_default() {
                self.universe.add(file, true);
            }
            for file in framework_folders(alone.path()).iter().flat_map(|folder| assemblies_in(folder)) {
                self.universe.add(file, false);
            }
        }
        &self.universe
    }

    /// Set if no session has reported it.
    pub(super) fn shown_root(&self) -> Option<String> {
        self.root.as_ref().filter(|_| self.files.is_some()).map(|root| root.display().to_string())
    }

    /// `file:line` of a method's first statement.
    pub(super) fn place(&self, assembly: &Assembly, method: MethodId) -> Option<String> {
        let point = assembly.first_point(method)?;
        let path = &assembly.pdb()?.document(point.document)?.path;
        let relative = self.root.as_ref().and_then(|root| Path::new(path).strip_prefix(root).ok()?.to_str());
        Some(format!("{}:{}", relative.filter(|rest| !rest.is_empty()).unwrap_or(path), point.line))
    }
}

fn module(path: &Path) -> LoadedModule {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    LoadedModule { name, path: path.to_owned(), is_user: true }
}

/// In the order of their names.
fn assemblies_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dll")))
        .collect();
    // Of one folder: comparing part by part would give the same result at ten times the cost.
    files.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    files
}

/// The name of the module that a file is.
pub(super) fn module_name(assembly: &Assembly) -> String {
    module(assembly.path()).name
}

fn unreadable(given: &str, error: &MetadataError) -> SessionError {
    let reason = match error {
        MetadataError::Io { source, .. } => source.to_string(),
        MetadataError::NotManaged { reason, .. } => (*reason).to_owned(),
        MetadataError::Malformed { flaw, .. } => flaw.to_string(),
    };
    let hint = match error {
        MetadataError::Malformed { .. } => "the file is corrupt: rebuild it or copy it again",
        _ => "pass the path of a .NET dll (next to its executable in the build output)",
    };
    SessionError::argument("assembly", format!("`assembly` {given}: {reason}"), hint)
}

/// Reads files where it holds nobody up.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SessionError> + Send + 'static,
) -> Result<T, SessionError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(internal(error)))
}
