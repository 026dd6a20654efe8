//! From a name or a token of IL to symbols of the workspace, or to what the workspace refers to.

use std::sync::Arc;

use super::Navigator;
use super::error::NavigateError;
use super::query::{Query, ends_in};
use super::symbol::{Describer, Part, Symbol, SymbolKind, bare_path, last_name, reference_signature};
use crate::metadata::{
    Assembly, FieldId, MemberName, MethodId, ParameterNames, SymbolName, Table, Token, TypeId, TypeKey, TypeView, col,
};

/// Names that are told where none fits.
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
        let homonyms = others.filter(|other| other.find_type(&full_name).is_some());
        let homonyms = homonyms.map(|other| other.name().to_owned()).collect();
        Some(Describer { assembly, index, type_, homonyms })
    }

    /// All symbols that a name may mean, the best kind of match only.
    pub(super) fn find(&self, name: &str) -> Result<Vec<Symbol>, NavigateError> {
        let query = Query::parse(name)?;
        let mut found = self.defined(&query);
        if found.is_empty() {
            found = self.referred(&query);
        }
        if found.is_empty() {
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
            for type_ in assembly.types() {
                let full_name = type_.full_name();
                if full_name.contains('<') {
                    continue;
                }
                let path = bare_path(&full_name);
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
        let mut seen = std::collections::HashSet::new();
        found.retain(|symbol| seen.insert((symbol.display.clone(), symbol.assembly_name.clone())));
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
        let events = of.events().into_iter().filter(|&row| is(metadata.string(row, col::Event::Name)));
        let events: Vec<u32> = events.collect();
        found.extend(events.iter().filter_map(|&row| of.event(row)));
        if events.is_empty() {
            let fields = of.type_.field_ids().filter(|id| is(metadata.string(id.row(), col::Field::Name)));
            found.extend(fields.filter_map(|id| of.field(id)).filter(|field| field.simple != "value__"));
        }
        let own = last_name(&bare_path(&of.type_.full_name())).to_owned();
        for method in of.type_.methods() {
            let raw = last_name(of.assembly.method(method).name());
            let is_named = match raw {
                ".ctor" => own == simple,
                ".cctor" => false,
                raw => crate::metadata::names::source_name(raw).unwrap_or(raw) == simple && !raw.contains(">g__"),
            };
            if is_named {
                found.extend(of.method(method));
            }
        }
        found
    }

    /// What the workspace uses of assemblies that are not its own.
    fn referred(&self, query: &Query) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = Vec::new();
        for assembly in &self.assemblies {
            let metadata = assembly.metadata();
            for row in metadata.rows(Table::MemberRef) {
                let name = metadata.string(row, col::MemberRef::Name).unwrap_or_default();
                let plain = ["get_", "set_", "add_", "remove_"].iter().find_map(|prefix| name.strip_prefix(prefix));
                let is_constructor = name == ".ctor" && query.owner().last().is_some_and(|owner| owner == query.last());
                if name == query.last() || plain == Some(query.last()) || is_constructor {
                    let symbol = self.of_reference(assembly, Token::new(Table::MemberRef, row));
                    let owned = |it: &Symbol| ends_in(&it.owner, query.owner()) && query.takes(&it.parameters);
                    found.extend(symbol.filter(|it| it.home.is_none() && owned(it)));
                }
            }
            for row in metadata.rows(Table::TypeRef) {
                let is_named =
                    metadata.string(row, col::TypeRef::Name).is_ok_and(|name| bare_path(name) == query.last());
                if is_named && query.parameters.is_none() {
                    let symbol = self.of_reference(assembly, Token::new(Table::TypeRef, row));
                    found.extend(symbol.filter(|it| it.home.is_none() && ends_in(&it.owner, query.owner())));
                }
            }
        }
        merge(found)
    }

    /// The symbol that a token of an assembly's IL names.
    pub(super) fn of_token(&self, index: usize, token: Token) -> Option<Symbol> {
        let assembly = self.assembly(index)?;
        match token.table()? {
            Table::MethodDef => {
                let method = MethodId::from_token(token)?;
                self.describer(index, assembly.method(method).declaring_type()?.id())?.of_method(method)
            }
            Table::Field => {
                let field = FieldId::from_token(token)?;
                let owner = assembly.metadata().owner(col::TypeDef::FieldList, field.row())?;
                self.describer(index, TypeId(owner))?.of_field(field)
            }
            Table::TypeDef => Some(self.describer(index, TypeId::from_token(token)?)?.whole_type()),
            Table::MethodSpec => {
                let method = assembly.metadata().token(token.row(), col::MethodSpec::Method).ok()?;
                if method.table() == Some(Table::MethodSpec) { None } else { self.of_token(index, method) }
            }
            Table::MemberRef | Table::TypeRef | Table::TypeSpec => self.of_reference(assembly, token),
            _ => None,
        }
    }

    fn of_reference(&self, assembly: &Arc<Assembly>, token: Token) -> Option<Symbol> {
        let metadata = assembly.metadata();
        let (type_token, member) = match token.table()? {
            Table::MemberRef => (metadata.token(token.row(), col::MemberRef::Class).ok()?, Some(token.row())),
            _ => (token, None),
        };
        let full_name = match type_token.table()? {
            Table::MethodDef => return None,
            _ => metadata.type_full_name(type_token).ok()?,
        };
        let member = match member {
            None => None,
            Some(row) => Some(assembly.member_reference(row)?),
        };
        let scope = assembly.scope_of(type_token).unwrap_or_else(|| assembly.name().to_owned());
        let homes = self.assemblies.iter().enumerate().filter(|(_, home)| home.name() == scope);
        let home = homes.filter_map(|(index, home)| Some((index, home.find_type(&full_name)?))).next();
        let Some((index, id)) = home else {
            return Some(external(&scope, &full_name, member));
        };
        let describer = self.describer(index, id)?;
        match member {
            None => Some(describer.whole_type()),
            Some(MemberName::Field(name)) => {
                let fields = describer.assembly.metadata();
                let id = describer.type_.field_ids().find(|id| fields.string(id.row(), col::Field::Name) == Ok(&name));
                describer.of_field(id?)
            }
            Some(MemberName::Method(name, signature)) => {
                let home = describer.assembly;
                let method = describer.type_.methods().find(|&id| {
                    home.method(id).name() == name && home.method(id).signature().as_ref() == Some(&signature)
                });
                describer.of_method(method?)
            }
        }
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

/// Whether any member could be called so, by names alone: most types are passed over by it. Accessors name properties and events.
fn may_declare(type_: &TypeView<'_>, path: &str, simple: &str) -> bool {
    let assembly = type_.assembly();
    let metadata = assembly.metadata();
    simple == "this"
        || last_name(path) == simple
        || type_.methods().any(|id| assembly.method(id).name().contains(simple))
        || type_.field_ids().any(|id| metadata.string(id.row(), col::Field::Name).is_ok_and(|name| name == simple))
}

fn external(scope: &str, full_name: &str, member: Option<MemberName>) -> Symbol {
    let type_ = TypeKey { assembly: scope.to_owned(), full_name: full_name.to_owned(), homonyms: Vec::new() };
    let path = bare_path(full_name);
    let (namespace, type_simple) = path.rsplit_once('.').unwrap_or(("", &path));
    let (mut kind, mut simple, mut owner) = (SymbolKind::Type, type_simple.to_owned(), namespace.to_owned());
    let (mut part, mut parameters, mut signature) = (Part::Whole, Vec::new(), format!("type {type_simple}"));
    let (shown, names) = with_parameters(full_name);
    let mut display = shown.clone();
    if let Some(member) = &member {
        owner = path.clone();
        let (name, told) = match member {
            MemberName::Field(name) => (name.as_str(), None),
            MemberName::Method(name, told) => (name.as_str(), Some(told)),
        };
        let accessors =
            [("get_", Part::Getter), ("set_", Part::Setter), ("add_", Part::Accessor), ("remove_", Part::Accessor)];
        let accessor = accessors.iter().find_map(|(prefix, part)| Some((name.strip_prefix(prefix)?, *part)));
        (kind, simple, part) = match (accessor, told) {
            (_, None) => (SymbolKind::Field, name.to_owned(), Part::Whole),
            (Some((event, Part::Accessor)), _) => (SymbolKind::Event, event.to_owned(), Part::Accessor),
            (Some((property, part)), _) => (SymbolKind::Property, property.to_owned(), part),
            (None, Some(_)) if name == ".ctor" => (SymbolKind::Constructor, type_simple.to_owned(), Part::Whole),
            (None, Some(_)) => (SymbolKind::Method, name.to_owned(), Part::Whole),
        };
        display = format!("{shown}.{simple}");
        signature = simple.clone();
        if let Some(told) = told {
            match kind {
                SymbolKind::Method | SymbolKind::Constructor => {
                    parameters = told.parameters.iter().map(|it| it.short_with(&names)).collect();
                    display = format!("{display}({})", parameters.join(", "));
                    signature = reference_signature(&simple, told, &names);
                }
                SymbolKind::Property if part == Part::Getter => {
                    signature = format!("{} {simple}", told.return_type.short_with(&names));
                }
                _ => {}
            }
        }
    }
    Symbol {
        kind,
        display,
        simple,
        owner,
        parameters,
        signature,
        type_name: full_name.to_owned(),
        assembly_name: scope.to_owned(),
        home: None,
        names: vec![(SymbolName { type_, member }, part)],
    }
}

/// A type of which only the arity is known: ``Ns.Func`2`` is `Ns.Func<T1, T2>`.
fn with_parameters(full_name: &str) -> (String, ParameterNames) {
    const MOST: usize = 64;
    let mut names = ParameterNames::default();
    let mut shown = String::new();
    for (at, part) in full_name.split(['.', '+']).enumerate() {
        let (name, arity) = part.split_once('`').unwrap_or((part, "0"));
        let first = names.of_type.len();
        let arity = arity.parse::<usize>().unwrap_or(0).min(MOST);
        let number =
            |number: usize| if arity == 1 && first == 0 { "T".to_owned() } else { format!("T{}", first + number) };
        names.of_type.extend((1..=arity).map(number));
        let own = names.of_type.get(first..).unwrap_or_default().join(", ");
        shown.push_str(if at == 0 { "" } else { "." });
        shown.push_str(name);
        shown.push_str(&if own.is_empty() { String::new() } else { format!("<{own}>") });
    }
    names.of_method = (1..=8).map(|number| format!("M{number}")).collect();
    (shown, names)
}

/// References of several assemblies to one symbol, and accessors of one property, become one.
fn merge(found: Vec<Symbol>) -> Vec<Symbol> {
    let mut merged: Vec<Symbol> = Vec::new();
    for symbol in found {
        match merged.iter_mut().find(|it| it.display == symbol.display && it.kind == symbol.kind) {
            Some(known) => {
                for name in symbol.names {
                    if !known.names.contains(&name) {
                        known.names.push(name);
                    }
                }
            }
            None => merged.push(symbol),
        }
    }
    merged
}
