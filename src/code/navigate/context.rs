//! What a bare name means where it stands: which of the members that are called so.

use std::collections::BTreeSet;

use super::Navigator;
use super::binding::Scope;
use super::symbol::{Symbol, SymbolKind, bare_path};
use super::syntax::{NodeId, Role};
use clr_metadata::{Token, TypeId};

/// What a name alone must fit to be taken for the symbol.
pub(super) struct Context {
    pub(super) kind: SymbolKind,
    simple: String,
    /// Of a type.
    arity: usize,
    /// The types in which the bare name means it: its own, and those that inherit it and have none of their own.
    inside: BTreeSet<String>,
    /// Its own alone: a `cref` is not looked up in bases.
    own: String,
    /// Of a method, the methods of its type that are called so, each with the number of its type parameters, in the order of the source.
    overloads: Vec<(Token, usize)>,
    /// Those that inherit it, and the nearest that have one of their own besides: `base` means it there.
    below: BTreeSet<String>,
    /// No other member of the workspace is called so.
    is_unique: bool,
}

impl Context {
    pub(super) fn simple(&self) -> &str {
        &self.simple
    }

    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    pub(super) fn is_inside(&self, path: &str) -> bool {
        self.inside.contains(path)
    }

    pub(super) fn is_own(&self, path: &str) -> bool {
        self.own == path
    }

    /// Whether a path of names means a type that has the symbol.
    pub(super) fn is_owner(&self, scope: &Scope<'_>, path: &[&str], at: NodeId) -> bool {
        means_any(scope, path, at, &|path| self.is_inside(path))
    }

    /// Whether a path of names, of which the last has `arity` type parameters, means the type that declares the symbol.
    pub(super) fn is_declared_in(&self, scope: &Scope<'_>, path: &[&str], arity: usize, at: NodeId) -> bool {
        arity == self.arity && scope.means(path, arity, at, &|path| self.is_own(path))
    }

    /// Whether the name of a method without parameters means it in a `cref`: the first of those with as many type parameters, and of any
    /// where none has none.
    pub(super) fn is_meant_alone(&self, arity: usize, method: &Symbol) -> bool {
        let mut named = self.overloads.iter().filter(|(_, of)| *of == arity);
        let first = named.next().or_else(|| self.overloads.first().filter(|_| arity == 0));
        first.is_none_or(|(token, _)| method.home.is_none_or(|home| home.token == *token))
    }

    /// Whether a member's bare or qualified name means the symbol.
    pub(super) fn may_mean(&self, scope: &Scope<'_>, node: NodeId, role: Role) -> bool {
        let syntax = scope.syntax;
        let is_inside = |path: &str| self.is_inside(path);
        let Some(before) = syntax.qualifier(node) else {
            return syntax.local(node).is_none() && scope.is_member_of(&is_inside, &self.simple, node);
        };
        let Some(last) = syntax.last_identifier(before) else {
            return role == Role::NameOf && self.is_unique;
        };
        match (syntax.text(last), scope.types_around(node).next()) {
            ("this", around) => return around.is_some_and(is_inside),
            ("base", around) => return around.is_some_and(|it| self.below.contains(it)),
            _ => {}
        }
        let arity = syntax.arguments(last);
        if let Some(path) = syntax.path_to(last)
            && scope.means(&path, arity, last, &|_| true)
        {
            return scope.means(&path, arity, last, &is_inside);
        }
        // `nameof(order.Total)`: only of a local is the type known here.
        role == Role::NameOf && scope.value_is_of(last, &is_inside).unwrap_or(self.is_unique)
    }
}

/// The parameters of a type need not be written where only its path is.
fn means_any(scope: &Scope<'_>, path: &[&str], at: NodeId, is_wanted: &dyn Fn(&str) -> bool) -> bool {
    (0..=MOST_PARAMETERS).any(|arity| scope.means(path, arity, at, is_wanted))
}

/// Type parameters that are tried.
const MOST_PARAMETERS: usize = 4;

impl Navigator {
    pub(super) fn context(&self, symbol: &Symbol) -> Context {
        let own = if symbol.kind == SymbolKind::Type { bare_path(&symbol.type_name) } else { symbol.owner.clone() };
        let mut inside = BTreeSet::from([own.clone()]);
        let type_ = symbol.home.and_then(|home| {
            let id = self.assembly(home.assembly)?.find_definition(&symbol.type_name)?;
            Some(self.describer(home.assembly, id)?.whole_type())
        });
        let mut below = BTreeSet::new();
        let is_inherited = !matches!(symbol.kind, SymbolKind::Type | SymbolKind::Constructor);
        let is_interface = self.is_interface(symbol);
        let mut wave: Vec<Symbol> = type_.into_iter().filter(|_| is_inherited).collect();
        while let Some(next) = wave.pop() {
            for home in self.direct_heirs(&next) {
                let Some(heir) = self.of_token(home.assembly, home.token) else { continue };
                // Of what it implements, a class inherits no name (C# standard, 12.5).
                if is_interface && !self.is_interface(&heir) {
                    continue;
                }
                let path = bare_path(&heir.type_name);
                below.insert(path.clone());
                if !self.hides(&heir, symbol) && inside.insert(path) {
                    wave.push(heir);
                }
            }
        }
        let overloads = match symbol.kind {
            SymbolKind::Method => self.overloads(symbol),
            _ => Vec::new(),
        };
        let named = self.find(&symbol.simple).unwrap_or_default();
        let others: BTreeSet<&str> = named.iter().map(|it| it.type_name.as_str()).collect();
        let last = symbol.type_name.rsplit(['+', '.']).next().and_then(|last| last.rsplit_once('`'));
        Context {
            kind: symbol.kind,
            simple: symbol.simple.clone(),
            arity: last.and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0),
            inside,
            own,
            overloads,
            below,
            is_unique: others.len() <= 1,
        }
    }

    fn overloads(&self, method: &Symbol) -> Vec<(Token, usize)> {
        let of = method.home.and_then(|home| {
            let id = self.assembly(home.assembly)?.find_definition(&method.type_name)?;
            self.describer(home.assembly, id)
        });
        let members = of.map(|of| self.members(&of, &method.simple)).unwrap_or_default();
        let own = members.iter().filter(|it| it.kind == SymbolKind::Method);
        own.filter_map(|it| Some((it.home?.token, it.method_arity()))).collect()
    }

    /// Whether a type itself has what the name means there: a member called so, of a method one with its parameters.
    fn hides(&self, heir: &Symbol, symbol: &Symbol) -> bool {
        let Some((home, assembly)) = heir.home.and_then(|home| Some((home, self.assembly(home.assembly)?))) else {
            return false;
        };
        let Some(type_) = TypeId::from_token(home.token) else { return false };
        let Some(describer) = self.describer(home.assembly, type_) else { return false };
        let view = assembly.type_(type_);
        let fields = view.field_ids().filter_map(|it| describer.of_field(it));
        let methods = view.methods().filter_map(|it| describer.of_method(it));
        fields.chain(methods).any(|own| {
            let is_other_overload = own.kind == symbol.kind
                && matches!(own.kind, SymbolKind::Method | SymbolKind::Indexer)
                && own.parameters != symbol.parameters;
            own.simple == symbol.simple && !is_other_overload
        })
    }
}
