//! Overriding and implementing, across the assemblies of the workspace; what they override may be a framework's.

use std::sync::Arc;

use super::Navigator;
use super::ancestors::{Ancestor, Located};
use super::leading::Leading;
use super::references::{external, merge};
use super::symbol::{Home, Symbol, SymbolKind};
use clr_metadata::{
    Assembly, Dispatch, MemberName, MethodId, MethodSig, Names, SymbolName, Table, Token, TypeId, TypeSig, col,
};

/// A method that stands in for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StandIn {
    pub(super) home: Home,
    pub(super) is_override: bool,
}

/// A virtual method whose slot another takes.
pub(super) struct Slot {
    pub(super) of: Located,
    pub(super) method: MethodId,
    pub(super) is_interface: bool,
}

impl Navigator {
    /// Types of the workspace that derive from a type directly, or implement it.
    pub(super) fn direct_heirs(&self, symbol: &Symbol) -> Vec<Home> {
        let wanted: Vec<SymbolName> = symbol.names.iter().take(1).map(|(name, _)| name.clone()).collect();
        let wanted: Vec<SymbolName> = wanted.into_iter().map(|name| SymbolName { member: None, ..name }).collect();
        let mut leading = Leading::of(self);
        let mut found = Vec::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let names = Names::of(assembly, &wanted);
            if names.is_empty() || !leading.leads(index, symbol) {
                continue;
            }
            let metadata = assembly.metadata();
            let bases = metadata.rows(Table::TypeDef).map(|row| (row, metadata.token(row, col::TypeDef::Extends)));
            let interfaces = metadata.rows(Table::InterfaceImpl).map(|row| {
                let class = metadata.cell(row, col::InterfaceImpl::Class).unwrap_or(0);
                (class, metadata.token(row, col::InterfaceImpl::Interface))
            });
            let names_it = |base: &Token| names.find(*base).is_some();
            let heirs = bases.chain(interfaces).filter(|(_, base)| base.as_ref().is_ok_and(names_it));
            found.extend(heirs.map(|(type_, _)| Home { assembly: index, token: TypeId(type_).token() }));
        }
        found
    }

    /// The methods that override or implement those of a symbol (its accessors, for a property or event).
    pub(super) fn stand_ins(&self, symbol: &Symbol) -> Vec<StandIn> {
        if !may_have_slots(symbol) || !self.is_virtual(symbol) {
            return Vec::new();
        }
        let mut found = self.explicit(symbol);
        let names: Vec<&str> = methods_of(symbol).map(|(name, _)| name).collect();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            for method in assembly.metadata().rows(Table::MethodDef).map(MethodId) {
                let view = assembly.method(method);
                if !view.is_virtual() || !names.contains(&view.name()) {
                    continue;
                }
                let slot = self.slots(index, method).into_iter().find(|slot| slot.is_of(symbol));
                found.extend(slot.map(|slot| StandIn {
                    home: Home { assembly: index, token: method.token() },
                    is_override: !slot.is_interface,
                }));
            }
        }
        if self.may_be_interface(symbol) {
            let inherited = self.inherited(&names).into_iter().filter(|it| it.slot.is_of(symbol));
            found.extend(inherited.map(|it| StandIn { home: it.by, is_override: false }));
        }
        found
    }

    /// Of a framework's type it is not known here.
    fn may_be_interface(&self, symbol: &Symbol) -> bool {
        symbol.home.is_none() || self.is_interface(symbol)
    }

    /// Whether the symbol's type is one of the workspace's interfaces.
    pub(super) fn is_interface(&self, symbol: &Symbol) -> bool {
        let type_ = symbol.home.and_then(|home| {
            let assembly = self.assembly(home.assembly)?;
            Some(assembly.type_(assembly.find_definition(&symbol.type_name)?))
        });
        type_.is_some_and(|type_| type_.is_interface())
    }

    /// Whether a method of it is; of a framework's it is not looked for.
    fn is_virtual(&self, symbol: &Symbol) -> bool {
        let home = symbol.home.and_then(|home| self.assembly(home.assembly));
        let found = home.and_then(|home| Some((home, home.find_definition(&symbol.type_name)?)));
        found.is_none_or(|(home, type_)| home.type_(type_).methods().any(|method| is_named(home, method, symbol)))
    }

    /// The slots that a method takes by its name and signature.
    fn slots(&self, index: usize, method: MethodId) -> Vec<Slot> {
        let Some(assembly) = self.assembly(index) else { return Vec::new() };
        let view = assembly.method(method);
        let (Some(type_), Some(signature)) = (view.declaring_type(), view.signature()) else { return Vec::new() };
        let begins_one = view.is_new_slot();
        let mut found = Vec::new();
        for Ancestor { at, arguments, is_interface, needs_override } in self.ancestors(index, type_.id()) {
            if begins_one && needs_override {
                continue;
            }
            let taken = at.assembly.type_(at.type_).methods().find(|&above| {
                let above = at.assembly.method(above);
                let fits = above.is_virtual() && above.name() == view.name();
                fits && above.signature().is_some_and(|it| substituted(&it, &arguments) == signature)
            });
            let slot = taken.map(|method| Slot { of: at, method, is_interface });
            // An interface's is taken by a public method, unless another one says that it does (ECMA-335 II.12.2).
            let is_free =
                |slot: &Slot| view.visibility() == "public" && !self.is_declared_taken(index, type_.id(), slot);
            found.extend(slot.filter(|slot| !slot.is_interface || is_free(slot)));
        }
        found
    }

    /// Whether the MethodImpl table gives a slot to a method of the type.
    fn is_declared_taken(&self, index: usize, type_: TypeId, slot: &Slot) -> bool {
        let Some(assembly) = self.assembly(index) else { return false };
        let is_its = |body: Token| assembly.type_(type_).methods().any(|it| it.token() == body);
        let declared = method_impls(assembly).filter(|(_, body)| is_its(*body)).map(|(declared, _)| declared);
        declared.into_iter().any(|it| self.of_token(index, it).is_some_and(|symbol| slot.is_of(&symbol)))
    }

    /// `decimal IPriced.Price`: recorded in the MethodImpl table (II.22.27).
    fn explicit(&self, symbol: &Symbol) -> Vec<StandIn> {
        let wanted: Vec<SymbolName> = symbol.names.iter().map(|(name, _)| name.clone()).collect();
        let mut leading = Leading::of(self);
        let mut found = Vec::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let names = Names::of(assembly, &wanted);
            if names.is_empty() || !leading.leads(index, symbol) {
                continue;
            }
            for (declared, body) in method_impls(assembly) {
                if names.find(declared).is_some() && body.table() == Some(Table::MethodDef) {
                    found.push(StandIn { home: Home { assembly: index, token: body }, is_override: false });
                }
            }
        }
        found
    }

    /// The members that this one overrides or implements, or those do: a call of them may end here.
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

    /// The member of the workspace that a call of another runs, as its object's type has it: C# names only what is overridden.
    pub(super) fn override_for(&self, index: usize, how: &Dispatch, named: &Symbol) -> Option<Symbol> {
        let (Dispatch::Virtual(Some(object)) | Dispatch::Constrained(object)) = how else { return None };
        let from = Located { assembly: Arc::clone(self.assembly(index)?), own: Some(index), type_: TypeId(0) };
        let at = self.resolve(&from, object.full_name()?)?;
        let above = self.ancestors(at.own?, at.type_).into_iter().filter(|it| !it.is_interface).map(|it| it.at);
        for Located { assembly, own, type_ } in std::iter::once(at).chain(above) {
            let Some(own) = own else { continue };
            let view = assembly.type_(type_);
            if named.home.is_some_and(|home| home.assembly == own) && view.full_name() == named.type_name {
                return None;
            }
            let may_be = |method: &MethodId| methods_of(named).any(|(name, _)| name == assembly.method(*method).name());
            let mut takers = view.methods().filter(may_be);
            if let Some(method) = takers.find(|&it| self.slots(own, it).iter().any(|slot| slot.is_of(named))) {
                return self.describer(own, type_)?.of_method(method);
            }
        }
        None
    }

    fn directly_stood_in_for(&self, symbol: &Symbol) -> Vec<Symbol> {
        let home = symbol.home.filter(|_| may_have_slots(symbol));
        let Some((index, assembly)) = home.and_then(|home| Some((home.assembly, self.assembly(home.assembly)?))) else {
            return Vec::new();
        };
        let Some(type_) = assembly.find_definition(&symbol.type_name) else { return Vec::new() };
        let mut found = Vec::new();
        let methods: Vec<MethodId> = assembly.type_(type_).methods().collect();
        if !assembly.type_(type_).is_interface() {
            let instance = methods_of(symbol).filter(|(_, signature)| signature.has_this);
            let names: Vec<&str> = instance.map(|(name, _)| name).collect();
            let is_its = |by: Home| {
                by.assembly == index
                    && methods.iter().any(|&it| it.token() == by.token && is_named(assembly, it, symbol))
            };
            let inherited = self.inherited(&names).into_iter().filter(|it| is_its(it.by));
            found.extend(inherited.filter_map(|it| self.of_slot(&it.slot)));
        }
        for method in methods.into_iter().filter(|&method| is_named(assembly, method, symbol)) {
            // Only the MethodImpl table shows a static one.
            if assembly.method(method).is_virtual() {
                found.extend(self.slots(index, method).iter().filter_map(|slot| self.of_slot(slot)));
            }
            let declared = method_impls(assembly).filter(|(_, body)| *body == method.token());
            found.extend(declared.filter_map(|(declared, _)| self.of_token(index, declared)));
        }
        merge(found)
    }

    fn of_slot(&self, slot: &Slot) -> Option<Symbol> {
        match slot.of.own {
            Some(own) => self.describer(own, slot.of.type_)?.of_method(slot.method),
            None => slot.external(),
        }
    }
}

impl Slot {
    fn name(&self) -> Option<MemberName> {
        let view = self.of.assembly.method(self.method);
        Some(MemberName::Method(view.name().to_owned(), view.signature()?))
    }

    pub(super) fn is_of(&self, symbol: &Symbol) -> bool {
        let home = symbol.home.map(|home| home.assembly);
        home == self.of.own
            && self.of.assembly.type_(self.of.type_).full_name() == symbol.type_name
            && self.name().is_some_and(|own| symbol.names.iter().any(|(name, _)| name.member.as_ref() == Some(&own)))
    }

    fn external(&self) -> Option<Symbol> {
        let type_ = self.of.assembly.type_(self.of.type_).full_name();
        Some(external(self.of.assembly.name(), &type_, Some(self.name()?)))
    }
}

fn may_have_slots(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Indexer | SymbolKind::Event)
}

fn methods_of(symbol: &Symbol) -> impl Iterator<Item = (&str, &MethodSig)> {
    symbol.names.iter().filter_map(|(name, _)| match &name.member {
        Some(MemberName::Method(name, signature)) => Some((name.as_str(), signature)),
        _ => None,
    })
}

fn is_named(assembly: &Assembly, method: MethodId, symbol: &Symbol) -> bool {
    let view = assembly.method(method);
    methods_of(symbol).any(|(name, signature)| name == view.name() && view.signature().as_ref() == Some(signature))
}

/// Declaration and body of each row (II.22.27).
fn method_impls(assembly: &Assembly) -> impl Iterator<Item = (Token, Token)> {
    let metadata = assembly.metadata();
    metadata.rows(Table::MethodImpl).map(move |row| {
        let declared = metadata.token(row, col::MethodImpl::Declaration).unwrap_or(Token(0));
        (declared, metadata.token(row, col::MethodImpl::Body).unwrap_or(Token(0)))
    })
}

pub(super) fn substituted(signature: &MethodSig, arguments: &[TypeSig]) -> MethodSig {
    MethodSig {
        return_type: signature.return_type.substitute(arguments, &[]),
        parameters: signature.parameters.iter().map(|it| it.substitute(arguments, &[])).collect(),
        ..signature.clone()
    }
}
