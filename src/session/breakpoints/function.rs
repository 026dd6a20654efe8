//! Where a function breakpoint belongs: the methods that its name means, found in our own metadata, and the first line of each.
//!
//! Adapters resolve names each in its own way, and neither finds generic types, async methods, iterators or local functions
//! (netcoredbg 3.1.2-1, dncdbg 1.1.0, 2026-11-22). So they are sent lines, and a hit counts where the stop stands on the method's
//! first statement, column and all: a line may have code of several methods.
//! The race to remember: a module may come that nobody knew of. Until then the adapter has the name, which binds what it can.

mod search;

use std::sync::{Arc, Weak};

use super::attributes::{Hidden, left_out};
use super::function_name;
use super::similar_names::Similar;
use crate::session::error::{Code, SessionError};
use crate::session::expression::MOST_BYTES;
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::modules::{Survey, Surveyed, SymbolsFault};
use crate::session::report::Why;
use crate::session::sources::Sources;
use clr_csharp::suggest::did_you_mean;
use clr_metadata::{Assembly, MethodQuery};

/// Overloads that are named where none is meant.
const OVERLOADS: usize = 8;

/// What a name means among the assemblies known so far.
#[derive(Debug, Clone, Default)]
pub struct Methods {
    pub places: Vec<MethodPlace>,
    /// Methods beyond the limit, which are not bound.
    pub unbound: usize,
    /// Why there is no place.
    missing: Option<Missing>,
    /// A loaded assembly of the framework that has such a method, where the program has none.
    framework: Option<String>,
    /// It has type arguments, which pick no method: the code of a generic method is one for all of them.
    has_type_arguments: bool,
    searched: Vec<Weak<Assembly>>,
}

/// The first statement of one method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPlace {
    /// The document, as the PDB has it.
    pub path: String,
    pub line: u32,
    /// That, and those of other methods that its name for the adapter binds.
    pub lines: Vec<u32>,
    pub column: u32,
    /// A record's constructors begin at the same place.
    pub end_column: u32,
    /// `Order.Add`
    pub method: String,
    /// File name of the assembly.
    pub module: String,
    pub loaded: bool,
    /// Its assembly is optimized code.
    is_optimized: bool,
    /// The attribute that keeps debuggers out of it.
    hidden_by: Option<(&'static str, Hidden)>,
    /// The adapter says that it is bound.
    pub verified: bool,
    /// Code of other methods begins on the line too.
    is_shared: bool,
    /// Of a constructor: the first line of the field initializers that run before.
    behind: Option<u32>,
    /// Another constructor than the one that was asked for begins with the same statement.
    begins_others: bool,
    /// Its name for the adapter, where the line alone binds other code: a method that begins further left on it, or a statement that
    /// ends before the first one does.
    by_name: Option<String>,
    /// It is a record's constructor, and of its line some adapters bind the one that copies.
    pub is_hidden_by_copy: bool,
    /// Where the adapter bound it instead.
    pub moved_to: Option<u32>,
}

/// Why a name has no place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Missing {
    Symbols {
        module: String,
        loaded: bool,
        fault: SymbolsFault,
    },
    /// Abstract, external, or without text of its own.
    Code {
        method: String,
    },
    /// Methods have the name, with other parameters: those.
    Overload {
        overloads: Vec<String>,
    },
    Name {
        nearest: Similar,
        searched: usize,
    },
}

/// What an adapter is sent for an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding<'a> {
    Line(&'a str, u32),
    Function(&'a str),
}

/// # Errors
/// `invalid_argument` for what cannot be a method's name.
pub(crate) fn query(name: &str) -> Result<MethodQuery, SessionError> {
    if name.len() > MOST_BYTES {
        let words = format!("`function` is longer than {MOST_BYTES} bytes");
        return Err(SessionError::argument("function", words, "pass a method name: Order.Add"));
    }
    MethodQuery::parse(name).ok_or_else(|| {
        SessionError::new(
            Code::InvalidArgument,
            format!("`{name}` is not a valid method name"),
            "write Type.Method, with or without namespace and parameter types: Order.Add, Cache<,>.GetOrAdd, Order..ctor(string)",
        )
    })
}

impl Methods {
    /// Looks through the assemblies again, if they are others than last time.
    pub(crate) fn find(&mut self, name: &str, survey: &Survey, sources: &Sources) {
        let known = survey.assemblies();
        let same = self.searched.len() == known.len()
            && self.searched.iter().zip(known).all(|(old, new)| std::ptr::eq(old.as_ptr(), &raw const *new.assembly));
        if !same {
            let Some(query) = MethodQuery::parse(name) else { return };
            if self.finds_nothing_more(&query, known) {
                return;
            }
            *self = search::search(&query, known, sources);
            if self.places.is_empty() {
                let modules = survey.framework().iter().filter_map(|path| Assembly::open(path).ok());
                let with_it = modules.filter(|module| !module.methods_called(&query).is_empty());
                self.framework = with_it.map(|module| file_name(&module)).next();
            }
            self.searched = known.iter().map(|known| Arc::downgrade(&known.assembly)).collect();
        }
        for place in &mut self.places {
            place.loaded = known.iter().any(|known| known.loaded && known.file_name() == place.module);
        }
    }

    /// Whether nothing had the name, nor has it what came since: what was looked through is not looked through again for each module.
    fn finds_nothing_more(&mut self, query: &MethodQuery, known: &[Surveyed]) -> bool {
        let is = |old: &Weak<Assembly>, new: &Surveyed| std::ptr::eq(old.as_ptr(), Arc::as_ptr(&new.assembly));
        if !self.searched.iter().all(|old| known.iter().any(|new| is(old, new))) {
            return false;
        }
        let is_new = |new: &&Surveyed| !self.searched.iter().any(|old| is(old, new));
        let new: Vec<Surveyed> = known.iter().filter(is_new).cloned().collect();
        let Some(Missing::Name { nearest, searched }) = &mut self.missing else { return false };
        let Some((similar, with_symbols)) = search::unlike(query, &new) else { return false };
        nearest.merge(similar);
        *searched += with_symbols;
        self.searched = known.iter().map(|known| Arc::downgrade(&known.assembly)).collect();
        true
    }

    /// A module of the framework was loaded: its methods have no lines, but it is known where they are.
    pub(crate) fn look_into(&mut self, name: &str, module: &Assembly) {
        let found = || MethodQuery::parse(name).is_some_and(|query| !module.methods_called(&query).is_empty());
        if self.places.is_empty() && self.framework.is_none() && found() {
            self.framework = Some(file_name(module));
        }
    }

    #[cfg(test)]
    pub(super) fn is_searched(&self) -> bool {
        !self.searched.is_empty()
    }

    /// Methods have the name, and none of them these parameters: what an adapter binds by the name is another method.
    pub fn is_other_overload(&self) -> bool {
        matches!(self.missing, Some(Missing::Overload { .. })) && self.framework.is_none()
    }

    /// What to say of one that the adapter bound in some of its methods: of those that an attribute hides.
    pub fn left_out(&self) -> Option<String> {
        let mut hidden =
            self.places.iter().filter(|place| place.loaded && !place.verified && place.hidden_by.is_some());
        let first = hidden.next()?;
        let methods = match hidden.count() {
            0 => format!("one of the methods, {},", first.method),
            more => format!("{} of the methods, {} among them,", more + 1, first.method),
        };
        Some(left_out(&methods, first.hidden_by?))
    }

    /// What to say of one that binds more than its name reads like.
    pub fn note(&self) -> Option<String> {
        let ignored = || "type arguments are ignored: the breakpoint is hit in every instantiation".to_owned();
        let behind = || {
            let line = self.places.iter().find_map(|place| place.behind)?;
            Some(format!("the field initializers, from line {line}, run before the constructor breakpoint is hit"))
        };
        let others = || {
            let begins_others = self.places.iter().any(|place| place.begins_others);
            begins_others.then(|| {
                "other constructors begin with the same field initializer: the breakpoint is hit in them too".to_owned()
            })
        };
        self.has_type_arguments.then(ignored).or_else(behind).or_else(others)
    }

    pub fn bindings<'a>(&'a self, name: &'a str) -> Vec<Binding<'a>> {
        if self.is_other_overload() {
            return Vec::new();
        }
        if self.places.is_empty() {
            return vec![Binding::Function(name)];
        }
        self.places.iter().map(MethodPlace::binding).collect()
    }

    /// Whether a frame stands where the breakpoint belongs.
    pub(crate) fn is_at(&self, name: &str, frame: &StackFrame, same_path: impl Fn(&str, &str) -> bool) -> bool {
        if self.is_other_overload() {
            return false;
        }
        if self.places.is_empty() {
            return [&frame.raw_name, &frame.function].into_iter().any(|has| function_name::means(name, has));
        }
        let Some(path) = frame.path.as_deref() else { return false };
        self.places.iter().any(|place| {
            let is = |has: u32, wanted: u32| has == 0 || has == wanted;
            let columns = is(frame.column, place.column) && is(frame.end_column, place.end_column);
            place.line == frame.line && columns && same_path(&place.path, path)
        })
    }

    /// Whether a stop there comes of what the adapter was sent, though the method is another one: its code shares the line or the
    /// name.
    pub(crate) fn is_near(&self, frame: &StackFrame, same_path: impl Fn(&str, &str) -> bool) -> bool {
        self.places.iter().any(|place| match &place.by_name {
            Some(name) => function_name::means(name, &frame.raw_name),
            None => {
                (place.line == frame.line || place.moved_to == Some(frame.line))
                    && frame.path.as_deref().is_some_and(|path| same_path(&place.path, path))
            }
        })
    }

    /// An adapter has the name of one of its methods, not the line.
    pub fn is_bound_by_name(&self) -> bool {
        self.places.iter().any(|place| place.by_name.is_some())
    }

    /// Code of other methods runs where an adapter would stop for these.
    pub fn shares_lines(&self) -> bool {
        self.places.iter().any(|place| place.is_shared)
    }

    /// It is the framework's, which no build of the program gives symbols.
    pub fn is_in_framework(&self) -> bool {
        self.places.is_empty() && self.framework.is_some()
    }

    /// No module that comes later makes it bind.
    pub fn is_hopeless(&self) -> bool {
        let may_come = matches!(self.missing, Some(Missing::Name { .. } | Missing::Overload { .. }) | None)
            && self.framework.is_none();
        self.places.is_empty() && !may_come
    }

    /// The name most like one that nothing has.
    pub fn similar(&self) -> Option<&str> {
        match &self.missing {
            Some(Missing::Overload { overloads }) => overloads.first().map(String::as_str),
            Some(Missing::Name { nearest, .. }) => nearest.first(),
            _ => None,
        }
    }

    /// Why it is not bound, as far as metadata shows; `None` where the rest is the adapter's affair.
    pub fn why(&self, name: &str) -> Option<(Why, String)> {
        if let Some(first) = self.places.first() {
            if !self.places.iter().any(|place| place.loaded) {
                return Some((Why::ModuleNotLoaded, format!("binds when {} is loaded", first.module)));
            }
            let all_optimized = self.places.iter().all(|place| place.is_optimized);
            if all_optimized {
                return Some((Why::Optimized, optimized(&first.module)));
            }
            let hidden_by = first.hidden_by.filter(|_| self.places.iter().all(|place| place.hidden_by.is_some()))?;
            return Some((Why::NotUserCode, left_out(&first.method, hidden_by)));
        }
        if let Some(module) = &self.framework {
            return Some((
                Why::NoSymbols,
                format!("{name} is in {module}, which has no PDB: break where your code calls it"),
            ));
        }
        match self.missing.as_ref()? {
            Missing::Symbols { module, loaded: false, fault: SymbolsFault::Missing } => {
                Some((Why::NoSymbols, format!("{name} is in {module}, which has no PDB and is not loaded")))
            }
            Missing::Symbols { module, fault: SymbolsFault::Missing, .. } => Some((
                Why::NoSymbols,
                format!("{name} is in {module}, which has no PDB: build it with DebugType portable or embedded"),
            )),
            Missing::Symbols { module, .. } => Some((
                Why::SymbolsMismatch,
                format!("{name} is in {module}, whose PDB is from another build: rebuild it"),
            )),
            Missing::Code { method } => Some((
                Why::NoCode,
                format!("{method} has no source line: it is abstract, extern or compiler-generated"),
            )),
            Missing::Overload { overloads } => {
                let shown: Vec<&str> = overloads.iter().take(OVERLOADS).map(String::as_str).collect();
                let more = overloads.len() - shown.len();
                let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Some((Why::NoCode, format!("no overload {name}; overloads: {}{and_more}", shown.join(", "))))
            }
            Missing::Name { nearest, searched } => {
                let place = match searched {
                    1 => "the program's assembly".to_owned(),
                    several => format!("{several} assemblies with symbols"),
                };
                Some((Why::NoCode, format!("no method {name} in {place}{}", did_you_mean(&nearest.names()))))
            }
        }
    }
}

impl MethodPlace {
    pub fn binding(&self) -> Binding<'_> {
        match &self.by_name {
            Some(name) => Binding::Function(name),
            None => Binding::Line(&self.path, self.line),
        }
    }
}

/// What to say of code that Just My Code leaves out.
pub(crate) fn optimized(module: &str) -> String {
    format!("{module} is optimized code: build it as Debug, or use a session with just_my_code false")
}

fn file_name(assembly: &Assembly) -> String {
    assembly.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::modules::Modules;

    #[test]
    fn what_a_module_brings_is_found_and_what_nothing_has_is_suggested_from_all() {
        let modules = Modules::default();
        let load = |name: &str| {
            let path = format!("{}/tests/data/assemblies/{name}.dll", env!("CARGO_MANIFEST_DIR"));
            modules.add(&serde_json::from_value(serde_json::json!({"id": path, "name": name, "path": path})).unwrap());
        };
        let (mut nothing, mut there) = (Methods::default(), Methods::default());
        let mut find = || {
            let (survey, sources) = (modules.survey(), Sources::default());
            nothing.find("Program.Unhandle", &survey, &sources);
            there.find("Program.Unhandled", &survey, &sources);
            (nothing.why("Program.Unhandle").unwrap().1, there.places.len())
        };
        load("Basics");
        let (words, places) = find();
        assert!(words.starts_with("no method Program.Unhandle in the program's assembly"), "{words}");
        assert!(!words.contains("Program.Unhandled") && places == 0, "{words}");
        load("Exceptions");
        let (words, places) = find();
        let expected = "no method Program.Unhandle in 2 assemblies with symbols; did you mean Program.Unhandled";
        assert!(words.starts_with(expected) && places == 1, "{words} {places}");
    }

    #[test]
    fn a_name_is_as_long_as_an_expression_at_most() {
        assert!(query(&"A".repeat(MOST_BYTES)).is_ok());
        for name in ["A".repeat(MOST_BYTES + 1), format!("A{}{}.B", "<C".repeat(5_000), ">".repeat(5_000))] {
            assert_eq!(query(&name).unwrap_err().message, format!("`function` is longer than {MOST_BYTES} bytes"));
        }
    }
}
