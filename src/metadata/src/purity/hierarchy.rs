//! Who derives from whom among the program's own types: what a virtual call may run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::hooks::{self, Beyond};
use crate::assembly::Assembly;
use crate::names::index_key;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, Primitive, TypeName, TypeSig};
use crate::tokens::{MethodId, Token, TypeId};
use crate::universe::TypeUniverse;

/// More types than a program has that somebody debugs.
const MOST_TYPES: usize = 50_000;

const SEQUENCE: &str = "System.Collections.Generic.IEnumerable`1";

/// Bases that are no collections, whether the framework's files are at hand or not.
const NO_SEQUENCES: &[&str] = &["System.Object", "System.ValueType", "System.Enum", "System.MulticastDelegate"];

/// Of a type (ECMA-335 II.23.1.15).
const ABSTRACT: u32 = 0x80;

/// Whose `Create` makes a comparer of a delegate.
const COMPARERS: [&str; 2] = ["System.Collections.Generic.Comparer`1", "System.Collections.Generic.EqualityComparer`1"];
const JSON_NODES: &str = "System.Text.Json.Nodes.";

/// Interfaces by which the framework calls an `Equals` that does not override `Object.Equals`.
const EQUALITY: [&str; 4] = [
    "System.IEquatable`1",
    "System.Collections.IEqualityComparer",
    "System.Collections.Generic.IEqualityComparer`1",
    "System.Collections.IStructuralEquatable",
];

#[derive(Default)]
pub(super) struct Hierarchy {
    types: Vec<(Arc<Assembly>, TypeId)>,
    /// Of each, the keys of itself, its bases and all their interfaces.
    ancestors: Vec<HashSet<String>>,
    /// Of each, what goes through its objects gets: the arguments of its `IEnumerable<T>`. `None`: a base is not known.
    elements: Vec<Option<Vec<TypeSig>>>,
    /// Of each, what the framework's classes behind it ask.
    beyond: Vec<Beyond>,
    /// Those whose overrides any method of the framework may call.
    hooked: Vec<usize>,
    /// The types at and below each key.
    below: HashMap<String, Vec<usize>>,
    /// Some were too many to look at.
    is_cut: bool,
    /// The program calls `Comparer<T>.Create` or the like: their types do not show what its comparers run.
    pub(super) makes_comparers: bool,
    /// The program makes views of sorted sets, which count their elements by the set's comparer whenever they are looked at.
    pub(super) makes_views: bool,
    /// The program puts objects of any type into nodes of JSON, whose texts and kinds are what a serializer makes of those.
    pub(super) makes_nodes: bool,
    /// The program gives exceptions of the framework objects that their messages have the texts of.
    pub(super) tells_objects: bool,
}

impl Hierarchy {
    pub(super) fn of(universe: &TypeUniverse) -> Self {
        let mut found = Self::default();
        for assembly in universe.assemblies().into_iter().filter(|assembly| !super::is_framework(assembly.path())) {
            found.look_at_calls(&assembly);
            for type_ in assembly.types() {
                if found.types.len() == MOST_TYPES {
                    found.is_cut = true;
                    return found;
                }
                let full_name = type_.full_name();
                let name = TypeName { full_name: full_name.clone(), ..TypeName::default() };
                let mut ancestors = HashSet::from([index_key(&full_name)]);
                let mut elements = Some(Vec::new());
                let mut add = |assembly: &Assembly, id: TypeId, arguments: &[TypeSig]| {
                    for interface in assembly.type_(id).interfaces() {
                        if interface.full_name == SEQUENCE
                            && let Some(elements) = &mut elements
                        {
                            elements.extend(interface.arguments.iter().map(|it| it.substitute(arguments, &[])));
                        }
                        ancestors.insert(index_key(&interface.full_name));
                    }
                };
                add(&assembly, type_.id(), &[]);
                let bases = universe.bases(&assembly, type_.id(), &name);
                for base in &bases {
                    if let Some((assembly, id)) = &base.found {
                        add(assembly, *id, &base.name.arguments);
                    }
                }
                if bases
                    .iter()
                    .any(|base| base.found.is_none() && !NO_SEQUENCES.contains(&base.name.full_name.as_str()))
                {
                    elements = None;
                }
                ancestors.extend(bases.iter().map(|base| index_key(&base.name.full_name)));
                let unread = bases.iter().filter(|base| base.found.is_none());
                ancestors.extend(unread.filter_map(|base| hooks::family(&base.name.full_name)).map(str::to_owned));
                for key in &ancestors {
                    found.below.entry(key.clone()).or_default().push(found.types.len());
                }
                found.beyond.push(Beyond::of(universe, (&assembly, type_.id()), &bases));
                if hooks::has_hooks(&ancestors) {
                    found.hooked.push(found.types.len());
                }
                found.types.push((assembly.clone(), type_.id()));
                found.ancestors.push(ancestors);
                found.elements.push(elements);
            }
        }
        found
    }

    /// All types of the program, as far as they were looked at.
    pub(super) fn types(&self) -> &[(Arc<Assembly>, TypeId)] {
        &self.types
    }

    fn at_and_below(&self, full_name: &str) -> &[usize] {
        self.below.get(&index_key(full_name)).map_or(&[], Vec::as_slice)
    }

    /// Whether a type of the program is, derives from or implements that one; also where it could be.
    pub(super) fn has_below(&self, full_name: &str) -> bool {
        self.is_cut || !self.at_and_below(full_name).is_empty()
    }

    /// The types of the program at and below one; `None` where not all types were looked at.
    pub(super) fn below(&self, full_name: &str) -> Option<Vec<(Arc<Assembly>, TypeId)>> {
        let at = |at: &usize| self.types.get(*at).cloned();
        (!self.is_cut).then(|| self.at_and_below(full_name).iter().filter_map(at).collect())
    }

    /// Whether the program defines a type, as far as its types were looked at.
    pub(super) fn defines(&self, full_name: &str) -> bool {
        self.is_below(full_name, full_name)
    }

    pub(super) fn is_below(&self, full_name: &str, base: &str) -> bool {
        let key = index_key(full_name);
        let names = self.at_and_below(base).iter().filter_map(|at| self.types.get(*at));
        names.into_iter().any(|(assembly, id)| index_key(&assembly.type_(*id).full_name()) == key)
    }

    /// Whether an object of that type may be a collection of such elements.
    fn may_be_of(&self, at: usize, element: &TypeSig) -> bool {
        match self.elements.get(at) {
            Some(Some(own)) => own.iter().any(|own| self.may_hold(element, own)),
            _ => true,
        }
    }

    /// Those, of collections only such as may have those elements, and the bases whose methods they have: an interface's method may be
    /// one of a base that knows nothing of the interface.
    fn with_bases(&self, full_name: &str, element: Option<&TypeSig>) -> Option<Vec<usize>> {
        (!self.is_cut).then_some(())?;
        let below = self.at_and_below(full_name).iter();
        let below = below.filter(|at| element.is_none_or(|element| self.may_be_of(**at, element)));
        let ancestors = below.filter_map(|at| self.ancestors.get(*at));
        let keys: HashSet<&String> = ancestors.flatten().collect();
        let own = |at: &usize| {
            self.types
                .get(*at)
                .is_some_and(|(assembly, id)| keys.contains(&index_key(&assembly.type_(*id).full_name())))
        };
        let mut found: Vec<usize> = keys.iter().flat_map(|key| self.at_and_below(key)).copied().filter(own).collect();
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The methods of that name in the types at and below one, of collections in those that may have such elements; `None` where not all types were looked at.
    pub(super) fn implementations(
        &self,
        full_name: &str,
        element: Option<&TypeSig>,
        method: &str,
        parameters: Option<usize>,
    ) -> Option<Vec<(Arc<Assembly>, MethodId)>> {
        let mut found = Vec::new();
        for (assembly, id) in self.with_bases(full_name, element)?.into_iter().filter_map(|at| self.types.get(at)) {
            for id in assembly.type_(*id).methods() {
                let candidate = assembly.method(id);
                let count = || candidate.signature().map(|signature| signature.parameters.len());
                if !candidate.is_abstract()
                    && !candidate.is_static()
                    && answers_to(assembly, id, &|name| name == method)
                    && parameters.is_none_or(|it| count() == Some(it))
                {
                    found.push((assembly.clone(), id));
                }
            }
        }
        Some(found)
    }

    /// The virtual methods with one of the wanted names in the types at and below one, and all overrides of classes that are asked for
    /// all. `as_objects`: they are asked for their text, equality and hash, which the framework's classes behind them may have. `None`
    /// where not all types were looked at.
    pub(super) fn virtuals(
        &self,
        full_name: &str,
        element: Option<&TypeSig>,
        wanted: &dyn Fn(&str) -> bool,
        as_objects: bool,
    ) -> Option<Vec<(Arc<Assembly>, MethodId)>> {
        self.virtual_methods(full_name, element, &|at, method| {
            let (assembly, id) = method;
            let name = assembly.method(id).name();
            let is_asked = |ancestors: &HashSet<String>| {
                hooks::is_hook(ancestors, name) || hooks::is_asked_for_all(ancestors, name)
            };
            let asks_overrides =
                || as_objects && hooks::is_called(name) && self.beyond.get(at).is_some_and(|it| it.asks_overrides);
            let is_override = || !assembly.method(id).is_new_slot();
            is_override() && (self.ancestors.get(at).is_some_and(is_asked) || asks_overrides())
                || answers_to(assembly, id, wanted)
        })
    }

    /// The overrides that any method of the framework may call on an object of the types at and below one.
    pub(super) fn hooks(&self, full_name: &str) -> Option<Vec<(Arc<Assembly>, MethodId)>> {
        if !self.at_and_below(full_name).iter().any(|at| self.hooked.contains(at)) {
            return (!self.is_cut).then(Vec::new);
        }
        self.virtual_methods(full_name, None, &|at, (assembly, id)| {
            let method = assembly.method(id);
            let is_hook = |ancestors: &HashSet<String>| hooks::is_hook(ancestors, method.name());
            !method.is_new_slot() && self.ancestors.get(at).is_some_and(is_hook)
        })
    }

    /// Whether an object at or below a type may be made around a type of the program.
    pub(super) fn may_delegate(&self, full_name: &str) -> bool {
        let is_delegator = |at: &usize| self.ancestors.get(*at).is_some_and(|it| it.contains(hooks::DELEGATOR));
        let below = self.at_and_below(full_name);
        full_name == hooks::DELEGATOR || self.hooked.iter().any(|at| below.contains(at) && is_delegator(at))
    }

    fn virtual_methods(
        &self,
        full_name: &str,
        element: Option<&TypeSig>,
        wanted: &dyn Fn(usize, (&Assembly, MethodId)) -> bool,
    ) -> Option<Vec<(Arc<Assembly>, MethodId)>> {
        let mut found = Vec::new();
        for at in self.with_bases(full_name, element)? {
            let Some((assembly, id)) = self.types.get(at) else { continue };
            for id in assembly.type_(*id).methods() {
                let candidate = assembly.method(id);
                if candidate.is_virtual()
                    && !candidate.is_abstract()
                    && !candidate.is_static()
                    && wanted(at, (assembly, id))
                    && !self.is_own_equality(assembly, id)
                {
                    found.push((assembly.clone(), id));
                }
            }
        }
        Some(found)
    }

    /// A class of the framework whose code may call anything where an object at or below a type is asked for its text, equality or hash.
    pub(super) fn unknown_beyond(&self, full_name: &str, element: Option<&TypeSig>) -> Option<&str> {
        let mut below = self.below_of(full_name, element);
        below.find_map(|at| {
            let is_abstract =
                self.types.get(at).is_some_and(|(assembly, id)| assembly.type_(*id).flags() & ABSTRACT != 0);
            self.beyond.get(at).filter(|_| !is_abstract)?.unknown.as_deref()
        })
    }

    /// All bases and interfaces that the types at and below one have.
    pub(super) fn ancestors_below(&self, full_name: &str, element: Option<&TypeSig>) -> HashSet<String> {
        self.below_of(full_name, element).filter_map(|at| self.ancestors.get(at)).flatten().cloned().collect()
    }

    fn below_of<'a>(&'a self, full_name: &str, element: Option<&'a TypeSig>) -> impl Iterator<Item = usize> + 'a {
        let below = self.at_and_below(full_name).iter().copied();
        below.filter(move |at| element.is_none_or(|element| self.may_be_of(*at, element)))
    }

    /// Whether a method is called `Equals` and the framework has no way to it: `bool Equals(INode other)` of an interface of the
    /// program's. Those that override `Object.Equals` or that an interface of the framework may call are none.
    fn is_own_equality(&self, assembly: &Assembly, method: MethodId) -> bool {
        let view = assembly.method(method);
        if view.name() != "Equals" || !view.is_new_slot() || implements_other(assembly, method) {
            return false;
        }
        let Some(declaring) = view.declaring_type() else { return false };
        let heirs = self.at_and_below(&declaring.full_name());
        EQUALITY.iter().all(|interface| self.at_and_below(interface).iter().all(|at| !heirs.contains(at)))
    }
}

/// Whether a method has a wanted name, or implements one that has (ECMA-335 II.22.27).
pub(super) fn answers_to(assembly: &Assembly, method: MethodId, wanted: &dyn Fn(&str) -> bool) -> bool {
    // an explicit implementation: `System.IComparable.CompareTo`
    let last = |name: &str| wanted(name.rsplit('.').next().unwrap_or(name));
    if last(assembly.method(method).name()) {
        return true;
    }
    let metadata = &assembly.metadata;
    metadata.rows_of(col::MethodImpl::Body, method.token()).any(|row| {
        let declaration = metadata.token(row, col::MethodImpl::Declaration).unwrap_or(Token(0));
        let name = match declaration.table() {
            Some(Table::MethodDef) => metadata.string(declaration.row(), col::MethodDef::Name),
            _ => metadata.string(declaration.row(), col::MemberRef::Name),
        };
        name.map_or(true, last)
    })
}

fn implements_other(assembly: &Assembly, method: MethodId) -> bool {
    assembly.metadata.rows_of(col::MethodImpl::Body, method.token()).next().is_some()
}

impl Hierarchy {
    /// What an assembly calls that its types do not show.
    fn look_at_calls(&mut self, assembly: &Assembly) {
        let metadata = &assembly.metadata;
        for row in metadata.rows(Table::MemberRef) {
            match metadata.string(row, col::MemberRef::Name) {
                Ok("GetViewBetween") => self.makes_views = true,
                Ok(".ctor") if is_of(assembly, row, hooks::tells) => {
                    self.tells_objects |= takes_object(assembly, row);
                }
                Ok("Create") => self.makes_comparers |= is_of(assembly, row, |class| COMPARERS.contains(&class)),
                _ => {}
            }
        }
        for row in metadata.rows(Table::MethodSpec) {
            let is_of_node = |name: &str, class: &str| {
                ["Create", "Add", "ReplaceWith"].contains(&name) && class.starts_with(JSON_NODES)
            };
            self.makes_nodes |= gives_objects(assembly, row, is_of_node);
            self.tells_objects |= gives_objects(assembly, row, |_, class| hooks::tells(class));
        }
    }
}

/// Whether an instance of a generic method, of a wanted name and class, is given objects.
fn gives_objects(assembly: &Assembly, row: u32, wanted: impl Fn(&str, &str) -> bool) -> bool {
    let metadata = &assembly.metadata;
    let method = metadata.token(row, col::MethodSpec::Method).ok();
    let method = method.filter(|it| it.table() == Some(Table::MemberRef));
    let is_wanted = method.is_some_and(|it| {
        let name = metadata.string(it.row(), col::MemberRef::Name).unwrap_or_default();
        is_of(assembly, it.row(), |class| wanted(name, class))
    });
    is_wanted && {
        let arguments = metadata.blob(row, col::MethodSpec::Instantiation).ok();
        let arguments = arguments.and_then(|blob| Decoder::new(metadata).instantiation(blob).ok());
        arguments.is_none_or(|all| all.iter().any(may_be_object))
    }
}

/// Whether a method that code refers to has a parameter of type `object`; also where its signature cannot be read.
fn takes_object(assembly: &Assembly, member: u32) -> bool {
    let signature = assembly.metadata.blob(member, col::MemberRef::Signature).ok();
    let signature = signature.and_then(|blob| Decoder::new(&assembly.metadata).method(blob).ok());
    let is_object = |type_: &TypeSig| matches!(type_, TypeSig::Primitive(Primitive::Object));
    signature.is_none_or(|signature| signature.parameters.iter().any(is_object))
}

/// Whether the class of a member that code refers to is one of those.
fn is_of(assembly: &Assembly, member: u32, wanted: impl Fn(&str) -> bool) -> bool {
    let class = assembly.metadata.token(member, col::MemberRef::Class).ok();
    let class = class.and_then(|class| Decoder::new(&assembly.metadata).token(class).ok());
    class.as_ref().and_then(TypeSig::full_name).is_some_and(wanted)
}

fn may_be_object(type_: &TypeSig) -> bool {
    !matches!(type_, TypeSig::Primitive(kind) if !matches!(kind, Primitive::Object))
}
