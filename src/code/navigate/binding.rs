//! Which type a name in a source means, looked up as the compiler does (C# standard, 7.8 and 14.2): in the types around it, in the
//! namespaces around it, and by their `using`s. The nearest one is meant.

mod imports;
mod members;
mod position;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::Navigator;
use super::symbol::{Symbol, SymbolKind, bare_path};
use super::syntax::{DeclarationKind, NodeId, Syntax};
use clr_metadata::{TypeId, col};
use imports::Imports;

/// A type that a name may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    /// Namespace and types around it.
    owner: String,
    /// Its own type parameters.
    arity: usize,
    /// `None`: of a framework or package.
    at: Option<(usize, TypeId)>,
}

/// What is known of the workspace for one question.
pub(super) struct Binding<'a> {
    navigator: &'a Navigator,
    /// `(a, b)`: a is compiled against b.
    against: HashSet<(usize, usize)>,
    /// The type that was asked for (or has what was), if it is not of the workspace.
    outside: Option<(String, Candidate)>,
    candidates: RefCell<HashMap<String, Rc<[Candidate]>>>,
    bases: RefCell<HashMap<String, Rc<[String]>>>,
    members: RefCell<HashMap<(String, String), bool>>,
    global: RefCell<HashMap<usize, Rc<Imports>>>,
}

impl<'a> Binding<'a> {
    /// `asked`: what is looked for, if that is known.
    pub(super) fn of(navigator: &'a Navigator, asked: Option<&Symbol>) -> Self {
        let mut against = HashSet::new();
        for (index, assembly) in navigator.assemblies.iter().enumerate() {
            let Some(pdb) = assembly.pdb() else { continue };
            let compiled_against = pdb.compiled_against();
            let refers = |name: &str| match &compiled_against {
                Some(files) => files.iter().any(|file| file.strip_suffix(".dll") == Some(name)),
                None => assembly.references().contains(&name),
            };
            let others = navigator.assemblies.iter().enumerate().filter(|(_, other)| refers(other.name()));
            against.extend(others.map(|(other, _)| (index, other)));
        }
        let outside = asked.filter(|asked| asked.home.is_none()).map(|asked| {
            let type_path = bare_path(&asked.type_name);
            let (owner, simple) = type_path.rsplit_once('.').unwrap_or(("", &type_path));
            let candidate = Candidate { owner: owner.to_owned(), arity: arity(&asked.type_name), at: None };
            (simple.to_owned(), candidate)
        });
        Self {
            navigator,
            against,
            outside,
            candidates: RefCell::default(),
            bases: RefCell::default(),
            members: RefCell::default(),
            global: RefCell::default(),
        }
    }

    /// Whether code of a source may use what an assembly defines; a source that no build names may.
    fn sees(&self, file: usize, assembly: usize) -> bool {
        let into = self.navigator.compiled_into(file);
        into.is_none_or(|mut into| into.any(|it| it == assembly || self.against.contains(&(it, assembly))))
    }

    /// As [`Self::sees`], of a symbol; a framework's is seen everywhere.
    pub(super) fn sees_symbol(&self, file: usize, symbol: &Symbol) -> bool {
        symbol.home.is_none_or(|home| self.sees(file, home.assembly))
    }

    fn is_own(&self, file: usize, assembly: usize) -> bool {
        self.navigator.compiled_into(file).is_some_and(|mut into| into.any(|it| it == assembly))
    }

    fn candidates(&self, simple: &str) -> Rc<[Candidate]> {
        if let Some(known) = self.candidates.borrow().get(simple) {
            return Rc::clone(known);
        }
        let mut found: Vec<Candidate> = Vec::new();
        for (index, assembly) in self.navigator.assemblies.iter().enumerate() {
            let may_be = |name: &str| clr_metadata::names::clean_type(name).split('`').next() == Some(simple);
            for type_ in assembly.types().filter(|type_| may_be(type_.name())) {
                let full_name = type_.full_name();
                let path = bare_path(&full_name);
                let owner = path.rsplit_once('.').map_or("", |(owner, _)| owner).to_owned();
                found.push(Candidate { owner, arity: arity(&full_name), at: Some((index, type_.id())) });
            }
        }
        found.extend(self.outside.iter().filter(|(name, _)| name == simple).map(|(_, it)| it.clone()));
        let found: Rc<[Candidate]> = found.into();
        self.candidates.borrow_mut().insert(simple.to_owned(), Rc::clone(&found));
        found
    }

    /// The types of that path, whatever their type parameters.
    fn at_path(&self, path: &str) -> Vec<(usize, TypeId)> {
        let (owner, simple) = path.rsplit_once('.').unwrap_or(("", path));
        self.candidates(simple).iter().filter(|it| it.owner == owner).filter_map(|it| it.at).collect()
    }

    /// Paths of the types that those of a path derive from, and implement.
    fn bases(&self, path: &str) -> Rc<[String]> {
        if let Some(known) = self.bases.borrow().get(path) {
            return Rc::clone(known);
        }
        let above = self.at_path(path).into_iter().flat_map(|(index, type_)| self.navigator.ancestors(index, type_));
        let found: Rc<[String]> = above.map(|it| bare_path(&it.at.full_name())).collect::<Vec<_>>().into();
        self.bases.borrow_mut().insert(path.to_owned(), Rc::clone(&found));
        found
    }

    /// Whether a type of that path has or inherits a field, property, method or event of that name.
    fn has_member(&self, path: &str, name: &str) -> bool {
        let key = (path.to_owned(), name.to_owned());
        if let Some(&known) = self.members.borrow().get(&key) {
            return known;
        }
        let found = self.at_path(path).into_iter().any(|(index, type_)| {
            let own = self.navigator.assembly(index).cloned();
            let is_interface = own.as_ref().is_some_and(|assembly| assembly.type_(type_).is_interface());
            let own = own.into_iter().map(|assembly| (assembly, type_));
            // Of what it implements, a class inherits no name.
            let above =
                self.navigator.ancestors(index, type_).into_iter().filter(|it| is_interface || !it.is_interface);
            let above = above.map(|it| (it.at.assembly, it.at.type_));
            own.chain(above).any(|(assembly, type_)| {
                let (metadata, view) = (assembly.metadata(), assembly.type_(type_));
                let field = |id: clr_metadata::FieldId| metadata.string(id.row(), col::Field::Name) == Ok(name);
                let method = |id| {
                    let raw = assembly.method(id).name();
                    raw == name || ["get_", "set_", "add_"].iter().any(|it| raw.strip_prefix(it) == Some(name))
                };
                view.field_ids().any(field) || view.methods().any(method)
            })
        });
        self.members.borrow_mut().insert(key, found);
        found
    }

    /// The imports that all sources of a file's assembly share.
    fn global(&self, file: usize) -> Rc<Imports> {
        let into = self.navigator.compiled_into(file);
        let Some(assembly) = into.and_then(|mut into| into.next()) else { return Rc::default() };
        if let Some(known) = self.global.borrow().get(&assembly) {
            return Rc::clone(known);
        }
        let found = Rc::new(imports::global(self.navigator, assembly));
        self.global.borrow_mut().insert(assembly, Rc::clone(&found));
        found
    }
}

/// ``Ns.Outer`1+Inner`2`` → 2.
fn arity(full_name: &str) -> usize {
    let last = full_name.rsplit(['.', '+']).next().unwrap_or(full_name);
    last.rsplit_once('`').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0)
}

/// One source, with what stands around its names.
pub(super) struct Scope<'a> {
    binding: &'a Binding<'a>,
    pub(super) syntax: &'a Syntax,
    file: usize,
    /// Each type's nodes and path, the outer one before the inner.
    types: Vec<(Range<NodeId>, String)>,
    /// Each namespace's nodes, path and imports, likewise.
    namespaces: Vec<(Range<NodeId>, String, Imports)>,
    imports: Imports,
    global: Rc<Imports>,
}

/// What surrounds a name, from within.
enum Around<'s> {
    Type(&'s str),
    /// Of its members.
    Namespace(&'s str),
    Imports(&'s Imports, &'s str),
}

impl<'a> Scope<'a> {
    pub(super) fn of(binding: &'a Binding<'a>, syntax: &'a Syntax, file: usize) -> Self {
        let declared = syntax.declarations().into_iter().filter(|it| it.kind == DeclarationKind::Type);
        let types = declared.map(|it| (syntax.within(it.node), joined(&it.owner, syntax.text(it.name)))).collect();
        let mut namespaces: Vec<(Range<NodeId>, String, Imports)> = Vec::new();
        let is_namespace =
            |id: &NodeId| matches!(syntax.kind(*id), "namespace_declaration" | "file_scoped_namespace_declaration");
        for id in syntax.all().filter(is_namespace) {
            let name = syntax.child(id, "name").map(|name| syntax.text(name)).unwrap_or_default();
            if syntax.kind(id) == "file_scoped_namespace_declaration" {
                namespaces.push((id..syntax.all().end, name.to_owned(), Imports::default()));
                continue;
            }
            let around = namespaces.iter().rev().find(|(nodes, ..)| nodes.contains(&id));
            let path = joined(around.map_or("", |(_, path, _)| path), name);
            let body = syntax.children(id).find(|&child| syntax.kind(child) == "declaration_list");
            let imports = body.map(|body| Imports::of(syntax, body)).unwrap_or_default();
            namespaces.push((syntax.within(id), path, imports));
        }
        Self { types, namespaces, imports: Imports::of(syntax, 0), global: binding.global(file), binding, syntax, file }
    }

    fn around(&self, at: NodeId) -> Vec<Around<'_>> {
        let types = self.types.iter().rev().filter(|(nodes, _)| nodes.contains(&at));
        let mut found: Vec<Around<'_>> = types.map(|(_, path)| Around::Type(path)).collect();
        for (_, path, imports) in self.namespaces.iter().rev().filter(|(nodes, ..)| nodes.contains(&at)) {
            found.push(Around::Namespace(path));
            found.push(Around::Imports(imports, path));
            let mut rest = path.as_str();
            while let Some((outer, _)) = rest.rsplit_once('.') {
                found.push(Around::Namespace(outer));
                rest = outer;
            }
        }
        found.push(Around::Namespace(""));
        found.push(Around::Imports(&self.imports, ""));
        found.push(Around::Imports(&self.global, ""));
        found
    }

    /// The paths of the types around a place, from within.
    pub(super) fn types_around(&self, at: NodeId) -> impl Iterator<Item = &str> {
        self.types.iter().rev().filter(move |(nodes, _)| nodes.contains(&at)).map(|(_, path)| path.as_str())
    }

    /// Whether the nearest type around a place that has a member of that name is one of `paths`.
    pub(super) fn is_member_of(&self, paths: &dyn Fn(&str) -> bool, name: &str, at: NodeId) -> bool {
        for path in self.types_around(at) {
            if paths(path) {
                return true;
            }
            if self.binding.has_member(path, name) {
                return false;
            }
        }
        self.around(at).iter().any(|it| match it {
            Around::Imports(imports, namespace) => imports.statics.iter().any(|it| is_or_within(it, namespace, paths)),
            _ => false,
        })
    }

    /// Whether a value of that name is seen from the place: a local, or a member of a type around it.
    fn is_value(&self, name: &str, at: NodeId) -> bool {
        self.syntax.local(at).is_some() || self.has_member_around(name, at)
    }

    /// Whether a type around a place has a member of that name.
    pub(super) fn has_member_around(&self, name: &str, at: NodeId) -> bool {
        self.types_around(at).any(|path| self.binding.has_member(path, name))
    }

    /// How far a namespace or type is from a place: what it holds is named there without it.
    fn distance(&self, around: &[Around<'_>], owner: &str) -> Option<usize> {
        around.iter().position(|it| match it {
            Around::Type(path) => *path == owner || self.binding.bases(path).iter().any(|base| base == owner),
            Around::Namespace(path) => *path == owner,
            Around::Imports(imports, namespace) => {
                let mut all = imports.namespaces.iter().chain(&imports.statics);
                all.any(|it| is_or_within(it, namespace, &|path| path == owner))
            }
        })
    }

    /// What a path means at a place: `written` as in source, without type arguments, of which the last name has `arity`.
    fn meant(&self, written: &[&str], arity: usize, at: NodeId) -> Vec<Candidate> {
        let around = self.around(at);
        let (written, is_absolute) = match written.split_first() {
            Some((&"global", rest)) => (rest.to_vec(), true),
            Some((first, rest)) => match self.alias(&around, first) {
                Some(target) => (target.split('.').chain(rest.iter().copied()).collect(), true),
                None => (written.to_vec(), false),
            },
            None => return Vec::new(),
        };
        let Some((simple, owners)) = written.split_last() else { return Vec::new() };
        let owners = owners.join(".");
        let is_hidden = owners.is_empty() && arity == 0 && self.syntax.is_type_parameter(simple, at);
        let mut best: Option<usize> = None;
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in self.binding.candidates(simple).iter().filter(|it| it.arity == arity && !is_hidden) {
            let is_seen = candidate.at.is_none_or(|(assembly, _)| self.binding.sees(self.file, assembly));
            let Some(rest) = candidate.owner.strip_suffix(&owners).filter(|_| is_seen) else { continue };
            let root =
                if owners.is_empty() { Some(rest) } else { rest.strip_suffix('.').or((rest.is_empty()).then_some("")) };
            let distance = match root {
                Some("") if is_absolute => Some(0),
                Some(root) if !is_absolute => self.distance(&around, root),
                _ => None,
            };
            let Some(distance) = distance else { continue };
            if best.is_none_or(|best| distance < best) {
                best = Some(distance);
                found.clear();
            }
            if best == Some(distance) {
                found.push(candidate.clone());
            }
        }
        let is_own = |it: &Candidate| it.at.is_some_and(|(assembly, _)| self.binding.is_own(self.file, assembly));
        if found.iter().any(is_own) {
            found.retain(is_own);
        }
        found
    }

    fn alias(&self, around: &[Around<'_>], name: &str) -> Option<&str> {
        let all =
            [&self.imports, &*self.global].into_iter().chain(self.namespaces.iter().map(|(_, _, imports)| imports));
        let found = all.flat_map(|imports| &imports.aliases).find(|(alias, _)| alias == name);
        found.filter(|_| !around.is_empty()).map(|(_, target)| target.as_str())
    }

    /// Names that the source has for a type besides its own.
    pub(super) fn aliases(&self, symbol: &Symbol) -> Vec<String> {
        let path = bare_path(&symbol.type_name);
        let all =
            [&self.imports, &*self.global].into_iter().chain(self.namespaces.iter().map(|(_, _, imports)| imports));
        let ours = all
            .flat_map(|imports| &imports.aliases)
            .filter(|(alias, target)| *target == path && *alias != symbol.simple);
        ours.map(|(alias, _)| alias.clone()).collect()
    }

    /// Whether a path means one of the types whose paths `is_wanted` takes.
    pub(super) fn means(&self, written: &[&str], arity: usize, at: NodeId, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        let Some(simple) = written.last() else { return false };
        let found = self.meant(written, arity, at);
        found.iter().any(|it| is_wanted(&joined(&it.owner, simple)))
    }

    /// Whether a path means the type.
    pub(super) fn means_type(&self, written: &[&str], arity: usize, at: NodeId, type_: &Symbol) -> bool {
        debug_assert!(type_.kind == SymbolKind::Type);
        let wanted = type_.home.and_then(|home| Some((home.assembly, TypeId::from_token(home.token)?)));
        self.meant(written, arity, at).iter().any(|it| it.at == wanted)
    }
}

/// An import may be written from the namespace on that it stands in.
fn is_or_within(import: &str, namespace: &str, is_wanted: &dyn Fn(&str) -> bool) -> bool {
    let mut outer = Some(namespace).filter(|it| !it.is_empty());
    while let Some(path) = outer {
        if is_wanted(&joined(path, import)) {
            return true;
        }
        outer = path.rsplit_once('.').map(|(outer, _)| outer);
    }
    is_wanted(import)
}

fn joined(owner: &str, name: &str) -> String {
    if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") }
}
