//! From a name to the symbols of the workspace.

use std::borrow::Cow;
use std::sync::Arc;

use super::Navigator;
use super::error::NavigateError;
use super::query::{Query, ends_in};
use super::symbol::{Describer, Symbol, SymbolKind, bare_path, last_name};
use clr_metadata::names::clean_type;
use clr_metadata::{Assembly, TypeId, TypeView, col};

/// Names that are listed where none fits.
const MOST_NEAREST: usize = 4;
/// Names that are looked through for the nearest.
const MOST_COMPARED: usize = 100_000;

impl Navigator {
    pub(super) fn assembly(&self, index: usize) -> Option<&Arc<Assembly>> {
        self.assemblies.get(index)
    }

    pub(super) fn describer(&self, index: usize, id: TypeId) -> Option<Describer<'_>> {
        let assembly = self.assembly(index)?;
        let type_ = assembly.type_(id);
        let full_name = type_.full_name();
        let others = self.assemblies.iter().filter(|other| other.name() != assembly.name());
        let homonyms = others.filter(|other| other.find_definition(&full_name).is_some());
        let homonyms = homonyms.map(|other| other.name().to_owned()).collect();
        Some(Describer { assembly, index, type_, homonyms })
    }

    /// All symbols that a name may mean, the best kind of match only.
    pub(super) fn find(&self, name: &str) -> Result<Vec<Symbol>, NavigateError> {
        let query = Query::parse(name)?;
        let mut found = self.defined(&query);
        if found.is_empty() {
            found = self.of_ancestors(&query);
        }
        if found.is_empty() {
            found = self.referred(&query);
        }
        if found.is_empty() {
            if let Some(type_name) = self.referred_type(query.owner()) {
                return Err(NavigateError::NotReferred { member: query.last().to_owned(), type_name });
            }
            return Err(NavigateError::SymbolNotFound {
                name: name.trim().to_owned(),
                assemblies: self.assemblies.len(),
                nearest: self.nearest(&query),
            });
        }
        Ok(found)
    }

    fn defined(&self, query: &Query) -> Vec<Symbol> {
        let (mut types, mut members) = (Vec::new(), Vec::new());
        for (index, assembly) in self.assemblies.iter().enumerate() {
            for type_ in assembly.types().filter(|type_| may_end_in(type_.name(), query)) {
                let path = bare_path(&type_.full_name());
                if path.contains('<') {
                    continue;
                }
                let is_whole = ends_in(&path, &query.path);
                let is_owner = ends_in(&path, query.owner()) && may_declare(&type_, &path, query.last());
                if !is_whole && !is_owner {
                    continue;
                }
                let Some(describer) = self.describer(index, type_.id()) else {
                    continue;
                };
                if is_whole && query.parameters.is_none() {
                    types.push(describer.whole_type());
                }
                if is_whole && query.parameters.is_some() {
                    // `Order(int)`: a constructor.
                    let simple = last_name(&path).to_owned();
                    members.extend(
                        self.members(&describer, &simple).into_iter().filter(|it| it.kind == SymbolKind::Constructor),
                    );
                }
                if is_owner {
                    members.extend(self.members(&describer, query.last()));
                }
            }
        }
        members.retain(|symbol| query.takes(&symbol.parameters));
        if members.iter().any(|symbol| query.is_of_arity(&symbol.display)) {
            members.retain(|symbol| query.is_of_arity(&symbol.display));
        }
        let is_exact = |symbol: &Symbol| query.parameters.is_none() || query.is_exact(&symbol.parameters);
        if members.iter().any(is_exact) {
            members.retain(is_exact);
        }
        let is_spelled = |symbol: &Symbol| query.parameters.is_none() || query.is_spelled(&symbol.parameters);
        if members.iter().any(is_spelled) {
            members.retain(is_spelled);
        }
        let mut found = if types.is_empty() { members } else { types };
        // A path from the namespace on is meant as it stands.
        let is_exact = |symbol: &Symbol| {
            let whole = if symbol.owner.is_empty() {
                symbol.simple.clone()
            } else {
                format!("{}.{}", symbol.owner, symbol.simple)
            };
            whole == query.path.join(".")
        };
        if found.iter().any(is_exact) {
            found.retain(is_exact);
        }
        let is_said = |symbol: &Symbol| query.is_said(&symbol.display);
        if found.iter().any(is_said) {
            found.retain(is_said);
        }
        let mut seen = std::collections::HashSet::new();
        // An explicit implementation may be called as a member of its own is.
        found.retain(|symbol| seen.insert((symbol.display.clone(), symbol.home.map(|it| (it.assembly, it.token.0)))));
        found
    }

    /// Members that the types of the name inherit: those of the nearest base, else those of an interface.
    fn of_ancestors(&self, query: &Query) -> Vec<Symbol> {
        let mut found = Vec::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let named = assembly.types().filter(|type_| {
                query.owner().last().is_some_and(|owner| last_name(&bare_path(type_.name())) == owner)
                    && ends_in(&bare_path(&type_.full_name()), query.owner())
            });
            for type_ in named {
                let mut ancestors = self.ancestors(index, type_.id());
                ancestors.sort_by_key(|ancestor| ancestor.is_interface);
                let members = ancestors.iter().filter_map(|ancestor| {
                    let describer = self.describer(ancestor.at.own?, ancestor.at.type_)?;
                    let mut members = self.members(&describer, query.last());
                    members.retain(|it| it.kind != SymbolKind::Constructor && query.takes(&it.parameters));
                    (!members.is_empty()).then_some(members)
                });
                for member in members.take(1).flatten() {
                    if !found.contains(&member) {
                        found.push(member);
                    }
                }
            }
        }
        found
    }

    /// Members of a type by their name in source; `Item` and `this` are an indexer.
    pub(super) fn members(&self, of: &Describer<'_>, simple: &str) -> Vec<Symbol> {
        let metadata = of.assembly.metadata();
        let is = |name: Result<&str, _>| name.is_ok_and(|name: &str| last_name(name) == simple);
        let mut found = Vec::new();
        for property in of.type_.properties() {
            if last_name(&property.name) == simple || property.is_indexer && simple == "this" {
                found.extend(of.property(property.id));
            }
        }
        found.extend(of.extension_property(simple));
        let events = of.events().into_iter().filter(|&row| is(metadata.string(row, col::Event::Name)));
        let events: Vec<u32> = events.collect();
        found.extend(events.iter().filter_map(|&row| of.event(row)));
        if events.is_empty() {
            let fields = of.type_.field_ids().filter(|id| is(metadata.string(id.row(), col::Field::Name)));
            found.extend(fields.filter_map(|id| of.field(id)).filter(|field| field.simple != "value__"));
        }
        let own = last_name(&bare_path(&of.type_.full_name())).to_owned();
        let is_operator = simple.contains("operator ");
        for method in of.type_.methods() {
            let raw = last_name(of.assembly.method(method).name());
            let is_named = match raw {
                ".ctor" => own == simple,
                // `<Main>` only waits for an asynchronous `Main`.
                ".cctor" | "<Main>" => false,
                raw => clr_metadata::names::source_name(raw).unwrap_or(raw) == simple && !raw.contains(">g__"),
            };
            if is_named || is_operator && raw.starts_with("op_") {
                found.extend(of.method(method).filter(|method| is_named || method.simple == simple));
            }
        }
        found
    }

    fn nearest(&self, query: &Query) -> Vec<String> {
        let asked = query.path.join(".");
        let mut scored: Vec<(f64, String)> = Vec::new();
        let mut compared = 0;
        let mut consider = |name: String, full: String| {
            let score = strsim::jaro_winkler(query.last(), &name).max(strsim::jaro_winkler(&asked, &full));
            if score > 0.8 {
                scored.push((score, full));
            }
        };
        for assembly in &self.assemblies {
            for type_ in assembly.types() {
                let path = bare_path(&type_.full_name());
                if path.contains('<') || compared > MOST_COMPARED {
                    continue;
                }
                let short = last_name(&path).to_owned();
                let metadata = assembly.metadata();
                let fields = type_.field_ids().filter_map(|id| metadata.string(id.row(), col::Field::Name).ok());
                let methods = type_.methods().map(|id| assembly.method(id).name());
                let properties = type_.property_ids().into_iter();
                let properties = properties.filter_map(|id| metadata.string(id.row(), col::Property::Name).ok());
                for name in fields.chain(methods).chain(properties) {
                    let is_plain = !name.contains(['<', '.']) && !name.contains("et_");
                    compared += 1;
                    if is_plain {
                        consider(name.to_owned(), format!("{short}.{name}"));
                    }
                }
                consider(short.clone(), short);
            }
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        scored.dedup_by(|a, b| a.1 == b.1);
        scored.into_iter().map(|(_, name)| name).take(MOST_NEAREST).collect()
    }
}

/// Whether a type of that raw name could be what was asked for, or declare it: most types are passed over without their full names.
fn may_end_in(name: &str, query: &Query) -> bool {
    let name = clean_type(name);
    // Dots within a name do not stand in a path as they do here.
    let is_odd = name.contains(['.', '+']);
    let name = if name.contains('`') { Cow::Owned(bare_path(name)) } else { Cow::Borrowed(name) };
    is_odd || name == query.last() || query.owner().last().is_none_or(|owner| *owner == name)
}

/// Whether any member could be called so, by names alone: most types are passed over by it. Accessors name properties and events.
fn may_declare(type_: &TypeView<'_>, path: &str, simple: &str) -> bool {
    let assembly = type_.assembly();
    let metadata = assembly.metadata();
    simple == "this"
        || simple.contains("operator ")
        || last_name(path) == simple
        || type_.methods().any(|id| assembly.method(id).name().contains(simple))
        || type_.field_ids().any(|id| metadata.string(id.row(), col::Field::Name).is_ok_and(|name| name == simple))
}
