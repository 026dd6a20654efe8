//! The methods of an assembly that a name means: each as it is written in source, whatever the compiler made of it.

use memchr::memmem;

use super::parameters::{Generics, fits, is_passed_alike};
use super::{MethodQuery, Part};
use crate::assembly::Assembly;
use crate::declarations::operator_name;
use crate::names::{MethodOrigin, clean_method, clean_type, is_closure, method_origin, path};
use crate::schema::{Table, col};
use crate::signatures::{TypeSig, split_arity};
use crate::tokens::{MethodId, TypeId};

impl Assembly {
    /// The methods that are meant, in file order. Accessors are found by their property, event or indexer too, constructors by the
    /// type's name, explicit implementations with and without their interface, local functions alone or behind the method they
    /// stand in. Of an async method or an iterator it is the one that was written. No lambdas.
    pub fn methods_called(&self, query: &MethodQuery) -> Vec<MethodId> {
        let is_module = |wanted: &String| {
            let file =
                |name: Option<&std::ffi::OsStr>| name.is_some_and(|name| name.eq_ignore_ascii_case(wanted.as_str()));
            file(self.path().file_name()) || file(self.path().file_stem())
        };
        let Some(last) = query.path.last().filter(|_| query.module.as_ref().is_none_or(is_module)) else {
            return Vec::new();
        };
        if !may_have(last, self.metadata.names()) {
            return Vec::new();
        }
        let mut found: Vec<MethodId> = Vec::new();
        for row in self.metadata.rows(Table::TypeDef) {
            let type_name = self.metadata.string(row, col::TypeDef::Name).unwrap_or_default();
            let mut owner = None;
            for method in self.metadata.list(row, col::TypeDef::MethodList) {
                let raw = self.metadata.string(method, col::MethodDef::Name).unwrap_or_default();
                if !may_be(last, raw, type_name) {
                    continue;
                }
                let owner = owner.get_or_insert_with(|| Owner::of(self, TypeId(row)));
                let id = MethodId(method);
                if owner.has(query, raw) && self.has_shape(id, owner, query, raw) {
                    found.push(id);
                }
            }
        }
        // `Add(int)` is that one where another takes `ref int`, else that other
        if let Some(wanted) = query.parameters.as_ref()
            && found.iter().any(|id| self.takes_alike(*id, wanted))
        {
            found.retain(|id| self.takes_alike(*id, wanted));
        }
        found
    }

    /// Whether the parameters are references where those that were written are.
    fn takes_alike(&self, id: MethodId, wanted: &[TypeSig]) -> bool {
        let parameters = self.method(id).signature().map(|signature| signature.parameters).unwrap_or_default();
        wanted.iter().zip(&parameters).all(|(written, actual)| is_passed_alike(written, actual))
    }

    /// Arity and parameters, where they were said.
    fn has_shape(&self, id: MethodId, owner: &Owner, query: &MethodQuery, raw: &str) -> bool {
        let arity = query.path.last().and_then(|last| last.arity);
        if arity.is_none() && query.parameters.is_none() && query.returns.is_none() {
            return true;
        }
        let method = self.method(id);
        let Some(signature) = method.signature() else { return false };
        // a local function has the parameters of the generic methods around it as well
        let is_local = matches!(method_origin(raw), MethodOrigin::LocalFunction { .. });
        if arity.is_some_and(|arity| !is_local && signature.generic_parameters as usize != arity) {
            return false;
        }
        let names = Generics {
            names: method.declaring_type().map(|owner| owner.parameter_names(Some(id))).unwrap_or_default(),
            of_type: owner.arguments_in(query),
            of_method: query.path.last().map(Part::argument_types).unwrap_or_default(),
        };
        let parameters = signature.parameters.as_slice();
        query.returns.as_ref().is_none_or(|returns| fits(returns, &signature.return_type, &names))
            && query.parameters.as_ref().is_none_or(|wanted| {
                // captured variables come in a closure of their own, behind what was written
                let has_count = wanted.len() == parameters.len() || is_local && wanted.len() <= parameters.len();
                has_count && wanted.iter().zip(parameters).all(|(written, actual)| fits(written, actual, &names))
            })
    }
}

/// Refuses most assemblies without a look at their methods: whatever the compiler makes of a name, its letters stand in the heap of
/// names, except of those that [`may_be`] knows by another one.
fn may_have(last: &Part, names: &[u8]) -> bool {
    let name = last.name.as_str();
    name == "this" || name == "Main" || name.contains("operator") || memmem::find(names, name.as_bytes()).is_some()
}

/// Refuses most names without a look at what they are.
fn may_be(last: &Part, raw: &str, type_name: &str) -> bool {
    let name = last.name.as_str();
    raw.contains(name)
        || raw == ".ctor" && type_name.starts_with(name)
        || name == "this" && raw.ends_with("_Item")
        || name.contains("operator") && raw.starts_with("op_")
        || name == "Main" && raw == "<Main>$"
}

/// A type as source has it: namespace and types, the closures that the compiler put between left out.
struct Owner {
    path: Vec<Part>,
    /// Where the last types begin, without the namespace.
    short: String,
    is_generated: bool,
    /// The same with the compiler's names, as a stack has them.
    raw: Vec<Part>,
}

impl Owner {
    fn of(assembly: &Assembly, id: TypeId) -> Self {
        let mut owner = Self { path: Vec::new(), short: String::new(), is_generated: false, raw: Vec::new() };
        let mut next = Some(assembly.type_(id));
        for _ in 0..64 {
            let Some(type_) = next else { break };
            let (name, arity) = split_arity(clean_type(type_.name()));
            // by their names: the attribute is on the `Program` of top-level statements too
            owner.is_generated |= name.starts_with('<');
            let part = Part { arity: Some(arity), ..Part::plain(name) };
            if !is_closure(name) {
                owner.path.push(part.clone());
            }
            owner.raw.push(part);
            next = type_.declaring_type();
            if next.is_none() {
                let namespace = type_.namespace().rsplit('.').filter(|part| !part.is_empty()).map(Part::plain);
                owner.path.extend(namespace.clone());
                owner.raw.extend(namespace);
            }
        }
        owner.short = owner.path.first().map(|part| part.name.clone()).unwrap_or_default();
        owner.path.reverse();
        owner.raw.reverse();
        owner
    }

    /// What a name says that the type parameters stand for, those of the outer types first.
    fn arguments_in(&self, query: &MethodQuery) -> Vec<Option<TypeSig>> {
        let of_part = |own: &Part| {
            let arity = own.arity.unwrap_or_default();
            let is_it = |part: &&Part| part.name == own.name && part.arguments.len() == arity;
            query.path.iter().find(is_it).map_or_else(|| vec![None; arity], Part::argument_types)
        };
        self.path.iter().flat_map(of_part).collect()
    }

    fn has(&self, query: &MethodQuery, raw: &str) -> bool {
        let ends = |path: &[Part], tail: &[Part]| is_tail(query, path, tail);
        let is_compiled = raw.starts_with('<') && query.path.last().is_some_and(|last| last.name == raw);
        if is_compiled && ends(&self.raw, &[Part::plain(raw)]) {
            return true;
        }
        match method_origin(raw) {
            MethodOrigin::LocalFunction { within, name } => {
                let tail = [Part::plain(clean_method(within)), Part::plain(name)];
                ends(&self.path, &tail) || ends(&self.path, tail.get(1..).unwrap_or_default())
            }
            MethodOrigin::Plain(name) if !self.is_generated => {
                // `<Main>$` may be written as it is
                let mut names = self.names_of(name);
                names.push(vec![Part::plain(raw)]);
                names.iter().any(|tail| {
                    // a type's name alone is no constructor: there may be a method called so
                    let is_short = tail.first().is_some_and(|part| raw == ".ctor" && part.name == self.short);
                    (!is_short || query.path.len() > 1) && ends(&self.path, tail)
                })
            }
            _ => query.path.last().is_some_and(|last| last.name == raw) && ends(&self.raw, &[Part::plain(raw)]),
        }
    }

    /// All names that a method has in source.
    fn names_of(&self, name: &str) -> Vec<Vec<Part>> {
        let mut names = vec![vec![Part::plain(name)]];
        if name == ".ctor" {
            names.push(vec![Part::plain(&self.short)]);
            return names;
        }
        if name.starts_with('.') {
            return names;
        }
        if let Some((segments, "")) = path::split(name).filter(|(segments, _)| segments.len() > 1) {
            let part = |segment: &path::Segment<'_>| Part { arity: Some(segment.arity), ..Part::plain(segment.name) };
            let explicit: Vec<Part> = segments.iter().map(part).collect();
            names = vec![explicit.clone()];
            // with the interface's own name alone, and without
            names.push(explicit.iter().skip(explicit.len().saturating_sub(2)).cloned().collect());
            names.push(explicit.into_iter().last().into_iter().collect());
        }
        names.extend(operator_name(name).map(|operator| vec![Part::plain(&operator)]));
        let accessors: Vec<(Vec<Part>, String)> = names
            .iter()
            .filter_map(|name| without_accessor(name))
            .map(|(name, kind)| (name, kind.to_owned()))
            .collect();
        for (mut property, kind) in accessors {
            if let Some(last) = property.last_mut().filter(|last| last.name == "Item") {
                last.name = "this".into();
                names.push(property.clone());
                if let Some(last) = property.last_mut() {
                    last.name = "Item".into();
                }
            }
            // as Visual Studio shows an accessor: `Order.Total.get`
            names.push(property.iter().cloned().chain([Part::plain(&kind)]).collect());
            names.push(property);
        }
        names
    }
}

/// `get_Total` → `Total` and `get`.
fn without_accessor(name: &[Part]) -> Option<(Vec<Part>, &str)> {
    let (last, before) = name.split_last()?;
    let (kind, property) = last.name.split_once('_').filter(|(kind, name)| is_accessor(kind) && !name.is_empty())?;
    Some((before.iter().cloned().chain([Part::plain(property)]).collect(), kind))
}

fn is_accessor(kind: &str) -> bool {
    matches!(kind, "get" | "set" | "add" | "remove")
}

/// Whether the query is a tail of path and name together; all of it, if it said `global::`. The arity of the method itself is its
/// signature's to decide.
fn is_tail(query: &MethodQuery, path: &[Part], tail: &[Part]) -> bool {
    let length = path.len() + tail.len();
    if query.path.len() > length || query.is_global && query.path.len() != length {
        return false;
    }
    let mut actual = tail.iter().rev().chain(path.iter().rev());
    query.path.iter().rev().enumerate().all(|(at, wanted)| {
        actual.next().is_some_and(|actual| {
            wanted.name == actual.name
                && (at == 0 || wanted.arity.is_none() || actual.arity.is_none_or(|its| Some(its) == wanted.arity))
        })
    })
}
