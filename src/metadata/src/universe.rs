//! Several assemblies as one set of types: names are found, and bases followed, across files.
//!
//! Which files belong together (what a program has loaded) is the caller's business. Files are opened when a search reaches them,
//! and again when they have changed on disk.

mod hiding;
mod members;
mod resolve;

pub use members::Member;
pub use resolve::Base;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::assembly::Assembly;
use super::assembly_cache::AssemblyCache;
use super::lookup::TypeQuery;
use super::names::parse_type;
use super::signatures::{TypeName, TypeSig};
use super::stamp::Stamp;
use super::tokens::TypeId;

/// A longer chain of bases comes from a circle.
const MAX_BASES: usize = 64;

#[derive(Debug, Default)]
pub struct TypeUniverse {
    /// User assemblies first, each kind in the order in which they were added.
    entries: Mutex<Vec<Entry>>,
    /// Where files may be open already.
    kept: Option<Arc<AssemblyCache>>,
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    is_user: bool,
    opened: Option<Opened>,
}

#[derive(Debug)]
struct Opened {
    stamp: Stamp,
    /// `None`: not readable as it is now.
    assembly: Option<Arc<Assembly>>,
}

/// One step from a type to its base.
struct Link {
    name: TypeName,
    /// `None`: no file that was added defines it.
    found: Option<(Arc<Assembly>, TypeId)>,
}

impl TypeUniverse {
    pub fn new() -> Self {
        Self::default()
    }

    /// One whose files are opened through `kept`, and stay open there.
    pub fn over(kept: Arc<AssemblyCache>) -> Self {
        Self { kept: Some(kept), ..Self::default() }
    }

    /// Adds an assembly; `is_user` ones are searched first. A path that is there already is not added again.
    pub fn add(&self, path: impl Into<PathBuf>, is_user: bool) {
        let path = path.into();
        let mut entries = self.entries();
        if entries.iter().any(|entry| entry.path == path) {
            return;
        }
        let position = if is_user { entries.partition_point(|entry| entry.is_user) } else { entries.len() };
        entries.insert(position, Entry { path, is_user, opened: None });
    }

    /// All assemblies that can be read, in search order.
    pub fn assemblies(&self) -> Vec<Arc<Assembly>> {
        let count = self.entries().len();
        (0..count).filter_map(|index| self.assembly_at(index)).collect()
    }

    fn assembly_at(&self, index: usize) -> Option<Arc<Assembly>> {
        self.entries().get_mut(index)?.assembly(self.kept.as_deref())
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        // Nothing is left half done where a holder could panic.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The assembly of that simple name, by file name.
    pub fn assembly(&self, name: &str) -> Option<Arc<Assembly>> {
        let mut entries = self.entries();
        let mut named = entries.iter_mut().filter(|entry| entry.path.file_stem().is_some_and(|stem| stem == name));
        named.find_map(|entry| entry.assembly(self.kept.as_deref()))
    }

    /// The type of that full name, in user assemblies first. A type that moved is found where it is now.
    pub fn find_type(&self, full_name: &str) -> Option<(Arc<Assembly>, TypeId)> {
        let count = self.entries().len();
        for index in 0..count {
            let Some(assembly) = self.assembly_at(index) else {
                continue;
            };
            if let Some(id) = assembly.find_type(full_name) {
                return Some((assembly, id));
            }
            if let Some(found) = self.follow_forwards(&assembly, full_name) {
                return Some(found);
            }
        }
        None
    }

    fn follow_forwards(&self, assembly: &Assembly, full_name: &str) -> Option<(Arc<Assembly>, TypeId)> {
        let mut target = self.assembly(assembly.forwarded_to(full_name)?)?;
        for _ in 0..8 {
            if let Some(id) = target.find_type(full_name) {
                return Some((target, id));
            }
            let next = self.assembly(target.forwarded_to(full_name)?)?;
            target = next;
        }
        None
    }

    /// All types with that last name (`OrderLine`, `List<int>`), those of user assemblies first.
    pub fn find_types_by_short_name(&self, name: &str) -> Vec<(Arc<Assembly>, TypeId)> {
        let assemblies = self.assemblies().into_iter();
        assemblies
            .flat_map(|assembly| {
                let found = assembly.find_types_by_short_name(name);
                found.into_iter().map(move |id| (assembly.clone(), id))
            })
            .collect()
    }

    /// The types that a person may mean by a name, possibly without its namespace: those that fit best, user assemblies' before others,
    /// of the framework public ones before others.
    pub fn types_called(&self, name: &TypeName) -> Vec<(Arc<Assembly>, TypeId)> {
        let query = TypeQuery::of(name);
        let files: Vec<(PathBuf, bool)> = self.entries().iter().map(|it| (it.path.clone(), it.is_user)).collect();
        let mut found = Vec::new();
        for (assembly, is_user) in files.iter().filter_map(|(path, is_user)| Some((self.open(path)?, *is_user))) {
            for (fit, id) in assembly.types_called(&query) {
                let is_hidden = !is_user && assembly.type_(id).visibility() != "public";
                found.push(((fit, !is_user, is_hidden), assembly.clone(), id));
            }
        }
        let best = found.iter().map(|it| it.0).min();
        found.into_iter().filter(|it| Some(it.0) == best).map(|(_, assembly, id)| (assembly, id)).collect()
    }

    /// The type and its bases up to `System.Object`, as far as their files are known; each with the arguments that the text's own
    /// lead to.
    fn chain(&self, full_name: &str) -> Vec<Link> {
        let mut chain = Vec::new();
        let mut seen = HashSet::new();
        let mut next = named(full_name);
        while let Some(mut name) = next.take() {
            let found = self.find_type(&name.full_name);
            if let Some((assembly, id)) = &found {
                let type_ = assembly.type_(*id);
                name.full_name = type_.full_name();
                next = type_.base().map(|base| substituted(base, &name.arguments));
            }
            if chain.len() >= MAX_BASES || !seen.insert(name.full_name.clone()) {
                break;
            }
            chain.push(Link { name, found });
        }
        chain
    }

    /// Full metadata names of the type and its bases, up to `System.Object`; ends early where a file is not known.
    /// Empty if the type is not known.
    pub fn base_chain(&self, full_name: &str) -> Vec<String> {
        let chain = self.chain(full_name);
        match chain.first() {
            Some(Link { found: Some(_), .. }) => chain.into_iter().map(|link| link.name.full_name).collect(),
            _ => Vec::new(),
        }
    }
}

impl Entry {
    fn assembly(&mut self, kept: Option<&AssemblyCache>) -> Option<Arc<Assembly>> {
        let stamp = Stamp::of(&self.path);
        if let Some(opened) = &self.opened
            && opened.stamp == stamp
            && opened.assembly.as_ref().is_none_or(|it| it.has_current_symbols())
        {
            return opened.assembly.clone();
        }
        let assembly = match kept {
            Some(kept) => kept.open(&self.path).ok(),
            None => Assembly::open(&self.path).ok(),
        };
        self.opened = Some(Opened { stamp, assembly: assembly.clone() });
        assembly
    }
}

fn as_named(signature: TypeSig) -> TypeSig {
    match signature {
        TypeSig::Primitive(primitive) => {
            TypeSig::Named(TypeName { full_name: primitive.full_name().to_owned(), ..TypeName::default() })
        }
        other => other,
    }
}

/// The definition and arguments of a type as text; arrays are `System.Array`.
fn named(text: &str) -> Option<TypeName> {
    match as_named(parse_type(text)?) {
        TypeSig::Named(name) => Some(name),
        TypeSig::Array(_) | TypeSig::MultiArray { .. } => named("System.Array"),
        _ => None,
    }
}

fn substituted(base: TypeName, arguments: &[TypeSig]) -> TypeName {
    match TypeSig::Named(base.clone()).substitute(arguments, &[]) {
        TypeSig::Named(name) => name,
        _ => base,
    }
}
