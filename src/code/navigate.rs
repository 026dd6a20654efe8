//! Where symbols are declared, used and assigned, over the built assemblies and the sources of a workspace.
//!
//! IL says which definition an instruction names (no guess about overloads, inheritance or generics), sequence points say where that stands; the
//! syntax of the line adds column and form, and finds what is not in IL: constants, `nameof`, comments, locals.
//! Race to remember: sources may be newer than the builds; then lines are off, and the answer names those files.

mod ancestors;
mod array;
mod assignments;
mod binding;
mod by_name;
mod changed;
mod comments;
mod compiled;
mod context;
mod definition;
mod error;
mod files;
mod hierarchy;
mod inherited;
mod inline_arrays;
mod leading;
mod local;
mod local_function;
mod located;
mod lookup;
mod position;
mod query;
mod reaching;
mod references;
mod sign;
mod statement;
mod statement_matches;
mod symbol;
mod syntactic;
mod syntax;
mod turns;
mod usage;
mod usages;
mod wanted;

pub use definition::{Definition, Definitions};
pub use error::NavigateError;
pub use symbol::SymbolKind;
pub use syntax::Form;
pub use usage::{FileUsages, Found, Unlocated, Usage, UsageKind};

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use crate::code::Omitted;
use clr_metadata::{Assembly, AssemblyCache, TypeUniverse};
use files::Files;
use local::Local;
use symbol::Symbol;

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// `Order.Total`, `Shop.Order.Add(int)`.
    Name(String),
    /// Line and column from 1, the column in UTF-16 units.
    Position { file: String, line: u32, column: u32 },
}

/// The assemblies and sources of a workspace, opened for some questions. Reads files: keep it off the threads that serve.
pub struct Navigator {
    assemblies: Vec<Arc<Assembly>>,
    /// Frameworks and packages: looked for and opened where a question leads there.
    beneath: References,
    files: Files,
    compiled: OnceLock<compiled::Compiled>,
    unread: Vec<Omitted>,
    kept: Arc<AssemblyCache>,
}

type References = LazyLock<TypeUniverse, Box<dyn FnOnce() -> TypeUniverse + Send>>;

/// What an address turned out to be.
enum Target {
    /// Of one name, or overloads of it.
    Symbols(Vec<Symbol>),
    /// Several only of local functions.
    Locals(Vec<Local>),
}

impl Navigator {
    /// Assemblies that cannot be read are left out; see [`Self::unread`]. What stays open for the next question is the affair of
    /// `kept`.
    ///
    /// # Errors
    /// [`NavigateError::NoSymbols`] when none is left, or none has symbols.
    pub fn open(
        root: &Path,
        assemblies: &[PathBuf],
        sources: Vec<PathBuf>,
        kept: &Arc<AssemblyCache>,
    ) -> Result<Self, NavigateError> {
        let (mut opened, mut unread) = (Vec::new(), Vec::new());
        for path in assemblies {
            match kept.open(path) {
                Ok(assembly) => opened.push(assembly),
                Err(error) => {
                    let message = error.to_string();
                    let cause = message.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&message);
                    unread.push(Omitted { path: path.clone(), why: format!("cannot be read: {cause}") });
                }
            }
        }
        let message = match unread.first() {
            _ if opened.iter().any(|assembly| assembly.pdb().is_some()) => {
                let beneath: References = LazyLock::new(Box::new(TypeUniverse::new));
                let files = Files::new(root, sources);
                return Ok(Self {
                    assemblies: opened,
                    beneath,
                    files,
                    compiled: OnceLock::new(),
                    unread,
                    kept: Arc::clone(kept),
                });
            }
            _ if opened.len() == 1 => "the built assembly has no symbols (a .pdb)".to_owned(),
            _ if !opened.is_empty() => format!("none of the {} built assemblies has symbols (a .pdb)", opened.len()),
            Some(_) if unread.len() == 1 => "the built assembly cannot be read".to_owned(),
            Some(_) => format!("none of the {} built assemblies can be read", unread.len()),
            None => "no project of the workspace is built".to_owned(),
        };
        Err(NavigateError::NoSymbols { message })
    }

    /// Assemblies that are not looked through, and why.
    pub fn unread(&self) -> &[Omitted] {
        &self.unread
    }

    /// With the assemblies that those of the workspace stand on, asked for when a question leads there: then what they override and
    /// implement there is known.
    #[must_use]
    pub fn on(mut self, references: impl IntoIterator<Item = PathBuf> + Send + 'static) -> Self {
        let own: HashSet<OsString> =
            self.assemblies.iter().filter_map(|it| it.path().file_name()).map(ToOwned::to_owned).collect();
        let kept = Arc::clone(&self.kept);
        self.beneath = LazyLock::new(Box::new(move || {
            let is_own = |path: &PathBuf| path.file_name().is_some_and(|name| own.contains(name));
            let universe = TypeUniverse::over(kept);
            for path in references.into_iter().filter(|path| !is_own(path)) {
                universe.add(path, false);
            }
            universe
        }));
        self
    }

    /// Keeps up to so many sources parsed from one question to the next, for who asks thousands of them.
    #[must_use]
    pub fn keeping(mut self, sources: usize) -> Self {
        self.files.keep(sources);
        self
    }

    fn target(&self, address: &Address) -> Result<Target, NavigateError> {
        match address {
            Address::Name(name) => self.find(name).map(Target::Symbols).or_else(|error| {
                let locals = self.local_functions(name)?;
                if locals.is_empty() { Err(error) } else { Ok(Target::Locals(locals)) }
            }),
            Address::Position { file, line, column } => self.at(file, *line, *column),
        }
    }

    /// The one symbol of a question about uses, or the overloads of one method.
    fn one_target(&self, address: &Address) -> Result<Target, NavigateError> {
        let target = self.target(address)?;
        if let Target::Symbols(symbols) = &target {
            array::refuse_uses_of_length(symbols)?;
        }
        if let Target::Symbols(symbols) = &target
            && let Some(first) = symbols.first()
            && let Some(other) =
                symbols.iter().find(|it| it.home.map(|at| at.assembly) != first.home.map(|at| at.assembly))
            && other.type_name == first.type_name
        {
            let (name, one, another) = (&first.display, &first.assembly_name, &other.assembly_name);
            return Err(NavigateError::InvalidArgument {
                argument: "name",
                message: format!("{name} is defined in several assemblies: {one}, {another}"),
                hint: "pass `file`, `line` and `column` of one declaration; code_goto_definition lists them".to_owned(),
            });
        }
        if let Target::Locals(locals) = &target
            && locals.len() > 1
        {
            return Err(local_function::ambiguous(locals));
        }
        if let Target::Symbols(symbols) = &target
            && let Some(first) = symbols.first()
            && symbols.iter().any(|it| it.type_name != first.type_name || it.kind != first.kind)
        {
            let mut names: Vec<&str> = symbols.iter().map(|it| it.display.as_str()).collect();
            names.dedup();
            let shown = names.iter().take(4).copied().collect::<Vec<_>>().join(", ");
            let more = if names.len() > 4 { format!(" and {} more", names.len() - 4) } else { String::new() };
            return Err(NavigateError::InvalidArgument {
                argument: "name",
                message: format!("{} symbols have that name: {shown}{more}", symbols.len()),
                hint: format!("pass one of these names, e.g. {}", first.display),
            });
        }
        Ok(target)
    }
}
