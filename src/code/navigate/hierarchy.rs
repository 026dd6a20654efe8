//! Overriding and implementing, across the assemblies of the workspace. Frameworks' types are where it ends.

use std::collections::HashSet;

use super::Navigator;
use super::symbol::{Home, Part, Symbol, SymbolKind};
use crate::metadata::{Assembly, MethodId, MethodSig, Names, SymbolName, Table, Token, TypeId, TypeName, TypeSig, col};

/// Types that are followed.
const MOST_TYPES: usize = 20_000;
const VIRTUAL: u32 = 0x40;
/// ECMA-335 II.23.1.10: begins a slot of its own, overrides nothing.
const NEW_SLOT: u32 = 0x100;

/// A type that names another as its base or interface.
#[derive(Debug, Clone)]
struct Derived {
    assembly: usize,
    type_: TypeId,
    /// Arguments for the parameters of the type that was asked for.
    arguments: Vec<TypeSig>,
    through_interface: bool,
}

/// A method that stands in for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StandIn {
    pub(super) home: Home,
    pub(super) is_override: bool,
}

impl Navigator {
    /// Types that derive from a type of the workspace directly, or implement it.
    pub(super) fn direct_heirs(&self, symbol: &Symbol) -> Vec<Home> {
        let found = self.heirs_of(&symbol.names);
        found.into_iter().map(|it| Home { assembly: it.assembly, token: it.type_.token() }).collect()
    }

    fn heirs_of(&self, names: &[(SymbolName, Part)]) -> Vec<Derived> {
        let wanted: Vec<SymbolName> =
            names.iter().take(1).map(|(name, _)| SymbolName { type_: name.type_.clone(), member: None }).collect();
        let mut found = Vec::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let names = Names::of(assembly, &wanted);
            if names.is_empty() {
                continue;
            }
            let metadata = assembly.metadata();
            let mut heir = |type_: u32, base: Token, through_interface: bool| {
                if names.find(base).is_some() {
                    let arguments = match assembly.type_signature(base) {
                        Some(TypeSig::Named(name)) => name.arguments,
                        _ => Vec::new(),
                    };
                    found.push(Derived { assembly: index, type_: TypeId(type_), arguments, through_interface });
                }
            };
            for row in metadata.rows(Table::TypeDef) {
                heir(row, metadata.token(row, col::TypeDef::Extends).unwrap_or(Token(0)), false);
            }
            for row in metadata.rows(Table::InterfaceImpl) {
                let class = metadata.cell(row, col::InterfaceImpl::Class).unwrap_or(0);
                heir(class, metadata.token(row, col::InterfaceImpl::Interface).unwrap_or(Token(0)), true);
            }
        }
        found
    }

    /// The methods that override or implement those of a symbol (its accessors, for a property or event).
    pub(super) fn stand_ins(&self, symbol: &Symbol) -> Vec<StandIn> {
        let Some(home) = symbol.home else { return Vec::new() };
        let Some(defining) = self.assembly(home.assembly) else { return Vec::new() };
        let Some(type_) = defining.find_definition(&symbol.type_name) else { return Vec::new() };
        let is_interface = defining.type_(type_).is_interface();
        let wanted = self.virtual_methods(symbol, defining, type_);
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut found = self.explicit(symbol);
        for derived in self.all_heirs(symbol, home.assembly, type_, is_interface) {
            let Some(assembly) = self.assembly(derived.assembly) else { continue };
            for (name, signature) in &wanted {
                let expected = substituted(signature, &derived.arguments);
                let candidates = assembly.type_(derived.type_).methods().filter(|&method| {
                    let view = assembly.method(method);
                    let fits = view.name() == name && view.flags() & VIRTUAL != 0;
                    // A class takes an interface's slot with a method of any kind, a base's only without a slot of its own.
                    fits && (is_interface || view.flags() & NEW_SLOT == 0)
                        && view.signature().as_ref() == Some(&expected)
                });
                found.extend(candidates.map(|method| StandIn {
                    home: Home { assembly: derived.assembly, token: method.token() },
                    is_override: !is_interface,
                }));
            }
        }
        found
    }

    fn virtual_methods(&self, symbol: &Symbol, defining: &Assembly, type_: TypeId) -> Vec<(String, MethodSig)> {
        if !matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Indexer | SymbolKind::Event) {
            return Vec::new();
        }
        let is_wanted = |method: MethodId| {
            let view = defining.method(method);
            let member = crate::metadata::MemberName::Method(view.name().to_owned(), view.signature()?);
            let named = symbol.names.iter().any(|(name, _)| name.member.as_ref() == Some(&member));
            (named && view.is_virtual()).then(|| (view.name().to_owned(), view.signature()))
        };
        let methods = defining.type_(type_).methods().filter_map(is_wanted);
        methods.filter_map(|(name, signature)| Some((name, signature?))).collect()
    }

    /// Of an interface, only what names it: a class below overrides the class, not the interface.
    fn all_heirs(&self, symbol: &Symbol, assembly: usize, type_: TypeId, is_interface: bool) -> Vec<Derived> {
        let mut seen = HashSet::from([(assembly, type_)]);
        let mut all: Vec<Derived> = Vec::new();
        let mut wave = self.heirs_of(&symbol.names);
        while let Some(next) = wave.pop() {
            if all.len() >= MOST_TYPES || !seen.insert((next.assembly, next.type_)) {
                continue;
            }
            let follows = !is_interface || next.through_interface && self.is_interface(&next);
            if let (true, Some(describer)) = (follows, self.describer(next.assembly, next.type_)) {
                let below = self.heirs_of(&describer.whole_type().names).into_iter().map(|heir| Derived {
                    arguments: next.arguments.iter().map(|it| it.substitute(&heir.arguments, &[])).collect(),
                    ..heir
                });
                wave.extend(below);
            }
            all.push(next);
        }
        all
    }

    fn is_interface(&self, derived: &Derived) -> bool {
        self.assembly(derived.assembly).is_some_and(|assembly| assembly.type_(derived.type_).is_interface())
    }

    /// `decimal IPriced.Price`: told by the MethodImpl table (II.22.27).
    fn explicit(&self, symbol: &Symbol) -> Vec<StandIn> {
        let wanted: Vec<SymbolName> = symbol.names.iter().map(|(name, _)| name.clone()).collect();
        let mut found = Vec::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let names = Names::of(assembly, &wanted);
            let metadata = assembly.metadata();
            for row in metadata.rows(Table::MethodImpl).filter(|_| !names.is_empty()) {
                let declared = metadata.token(row, col::MethodImpl::Declaration).unwrap_or(Token(0));
                let body = metadata.token(row, col::MethodImpl::Body).unwrap_or(Token(0));
                if names.find(declared).is_some() && body.table() == Some(Table::MethodDef) {
                    found.push(StandIn { home: Home { assembly: index, token: body }, is_override: false });
                }
            }
        }
        found
    }

    /// The members of the workspace that this one overrides or implements, or those do: a call of them may end here.
    pub(super) fn stood_in_for(&self, symbol: &Symbol) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = Vec::new();
        let mut wave = vec![symbol.clone()];
        while let Some(next) = wave.pop() {
            for above in self.directly_stood_in_for(&next) {
                if !found.contains(&above) {
                    found.push(above.clone());
                    wave.push(above);
                }
            }
        }
        found
    }

    fn directly_stood_in_for(&self, symbol: &Symbol) -> Vec<Symbol> {
        let Some(home) = symbol.home else { return Vec::new() };
        let Some(assembly) = self.assembly(home.assembly) else { return Vec::new() };
        let Some(type_) = assembly.find_definition(&symbol.type_name) else { return Vec::new() };
        if self.virtual_methods(symbol, assembly, type_).is_empty() {
            return Vec::new();
        }
        let own = |it: &StandIn| self.of_token(it.home.assembly, it.home.token).and_then(|it| it.home) == Some(home);
        let around = self.ancestors(home.assembly, type_).into_iter();
        let describers = around.filter_map(|(index, id)| self.describer(index, id));
        let candidates = describers.flat_map(|describer| self.members(&describer, &symbol.simple));
        candidates.filter(|candidate| self.stand_ins(candidate).iter().any(own)).collect()
    }

    /// Bases and interfaces within the workspace, all levels.
    fn ancestors(&self, assembly: usize, type_: TypeId) -> Vec<(usize, TypeId)> {
        let mut seen = HashSet::new();
        let mut wave = vec![(assembly, type_)];
        let mut all = Vec::new();
        while let Some((index, id)) = wave.pop() {
            if all.len() > MOST_TYPES || !seen.insert((index, id)) {
                continue;
            }
            let Some(view) = self.assembly(index).map(|assembly| assembly.type_(id)) else { continue };
            for TypeName { full_name, .. } in view.base().into_iter().chain(view.interfaces()) {
                let homes = self.assemblies.iter().enumerate();
                wave.extend(homes.filter_map(|(index, home)| Some((index, home.find_type(&full_name)?))));
            }
            if (index, id) != (assembly, type_) {
                all.push((index, id));
            }
        }
        all
    }
}

fn substituted(signature: &MethodSig, arguments: &[TypeSig]) -> MethodSig {
    MethodSig {
        return_type: signature.return_type.substitute(arguments, &[]),
        parameters: signature.parameters.iter().map(|it| it.substitute(arguments, &[])).collect(),
        ..signature.clone()
    }
}
