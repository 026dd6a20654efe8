//! From a token of IL to the symbol it names: one of the workspace, or a framework's, of which only the reference is known.

use std::sync::Arc;

use super::Navigator;
use super::ancestors::Located;
use super::query::{Query, ends_in};
use super::symbol::{Part, Symbol, SymbolKind, bare_path};
use clr_metadata::{
    Assembly, FieldId, MemberName, MethodId, MethodSig, ParameterNames, SymbolName, Table, Token, TypeId, TypeKey, col,
};

impl Navigator {
    /// What the workspace uses, overrides or implements of assemblies that are not its own.
    pub(super) fn referred(&self, query: &Query) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = Vec::new();
        for assembly in &self.assemblies {
            let metadata = assembly.metadata();
            for row in metadata.rows(Table::MemberRef) {
                let name = metadata.string(row, col::MemberRef::Name).unwrap_or_default();
                let plain = ["get_", "set_", "add_", "remove_"].iter().find_map(|prefix| name.strip_prefix(prefix));
                let is_constructor = name == ".ctor" && query.owner().last().is_some_and(|owner| owner == query.last());
                let is_operator = name.starts_with("op_") && query.last().contains("operator ");
                if name == query.last() || plain == Some(query.last()) || is_constructor || is_operator {
                    let symbol = self.of_reference(assembly, Token::new(Table::MemberRef, row));
                    let owned = |it: &Symbol| {
                        let is_named = !is_operator || it.simple == query.last();
                        is_named && ends_in(&it.owner, query.owner()) && query.takes(&it.parameters)
                    };
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
        self.add_beneath(query, &mut found);
        merge(found)
    }

    /// The full name of a type that the workspace uses and does not define.
    pub(super) fn referred_type(&self, path: &[String]) -> Option<String> {
        let (last, owner) = path.split_last()?;
        self.assemblies.iter().find_map(|assembly| {
            let metadata = assembly.metadata();
            let is_named =
                |row: u32| metadata.string(row, col::TypeRef::Name).is_ok_and(|name| bare_path(name) == *last);
            let symbols = metadata.rows(Table::TypeRef).filter(|&row| is_named(row));
            let mut symbols = symbols.filter_map(|row| self.of_reference(assembly, Token::new(Table::TypeRef, row)));
            let found = symbols.find(|it| it.home.is_none() && ends_in(&it.owner, owner))?;
            Some(if found.owner.is_empty() { found.simple } else { format!("{}.{}", found.owner, found.simple) })
        })
    }

    /// The members of a framework that the workspace overrides or implements, named by an instruction or not; if it does not
    /// even use one of that name, all there are.
    fn add_beneath(&self, query: &Query, found: &mut Vec<Symbol>) {
        let is_used = |symbol: &Symbol| !self.stand_ins(symbol).is_empty();
        let (used, unused): (Vec<_>, Vec<_>) = self.members_beneath(query).into_iter().partition(is_used);
        found.extend(used);
        if found.is_empty() {
            found.extend(unused);
        }
    }

    /// With the overloads of a framework's method that the workspace does not use: whoever asks for the method means all.
    pub(super) fn with_overloads(&self, name: &str, symbols: Vec<Symbol>) -> Vec<Symbol> {
        let is_beneath = symbols.iter().all(|symbol| symbol.home.is_none() && symbol.kind == SymbolKind::Method);
        match Query::parse(name) {
            Ok(query) if is_beneath => merge(symbols.into_iter().chain(self.members_beneath(&query)).collect()),
            _ => symbols,
        }
    }

    fn members_beneath(&self, query: &Query) -> Vec<Symbol> {
        let mut members: Vec<Symbol> = Vec::new();
        for at in self.types_beneath(query.owner()) {
            let full_name = at.assembly.type_(at.type_).full_name();
            for view in at.assembly.type_(at.type_).methods().map(|method| at.assembly.method(method)) {
                let Some(signature) = view.signature().filter(|_| !view.name().contains('.')) else { continue };
                let member = MemberName::Method(view.name().to_owned(), signature);
                let symbol = external(at.assembly.name(), &full_name, Some(member));
                let is_named = symbol.simple == query.last() || view.name() == query.last();
                members.extend(Some(symbol).filter(|it| is_named && query.takes(&it.parameters)));
            }
        }
        members
    }

    /// The types beneath the workspace that a path means: those it refers to, else any public one.
    fn types_beneath(&self, path: &[String]) -> Vec<Located> {
        let Some(last) = path.last() else { return Vec::new() };
        let mut found: Vec<Located> = Vec::new();
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let metadata = assembly.metadata();
            let from = Located { assembly: Arc::clone(assembly), own: Some(index), type_: TypeId(0) };
            for row in metadata.rows(Table::TypeRef) {
                if !metadata.string(row, col::TypeRef::Name).is_ok_and(|name| bare_path(name) == *last) {
                    continue;
                }
                let name = metadata.type_full_name(Token::new(Table::TypeRef, row)).unwrap_or_default();
                let at = self.resolve(&from, &name).filter(|at| at.own.is_none() && ends_in(&bare_path(&name), path));
                let is_new = |at: &Located| {
                    !found.iter().any(|it| it.assembly.path() == at.assembly.path() && it.type_ == at.type_)
                };
                found.extend(at.filter(is_new));
            }
        }
        if found.is_empty() {
            let all = self.beneath.find_types_by_short_name(last).into_iter();
            let public = all.filter(|(assembly, type_)| {
                let view = assembly.type_(*type_);
                view.visibility() == "public" && ends_in(&bare_path(&view.full_name()), path)
            });
            found.extend(public.map(|(assembly, type_)| Located { assembly, own: None, type_ }));
        }
        found
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
}

pub(super) fn external(scope: &str, full_name: &str, member: Option<MemberName>) -> Symbol {
    let type_ = TypeKey { assembly: scope.to_owned(), full_name: full_name.to_owned(), homonyms: Vec::new() };
    let path = bare_path(full_name);
    let (namespace, type_simple) = path.rsplit_once('.').unwrap_or(("", &path));
    let (mut kind, mut simple, mut owner) = (SymbolKind::Type, type_simple.to_owned(), namespace.to_owned());
    let (mut part, mut parameters, mut signature) = (Part::Whole, Vec::new(), format!("type {type_simple}"));
    let (shown, names) = with_parameters(full_name);
    let mut display = shown.clone();
    if let Some(member) = &member {
        owner = path.clone();
        let (name, callee) = match member {
            MemberName::Field(name) => (name.as_str(), None),
            MemberName::Method(name, callee) => (name.as_str(), Some(callee)),
        };
        let accessors =
            [("get_", Part::Getter), ("set_", Part::Setter), ("add_", Part::Accessor), ("remove_", Part::Accessor)];
        let accessor = accessors.iter().find_map(|(prefix, part)| Some((name.strip_prefix(prefix)?, *part)));
        (kind, simple, part) = match (accessor, callee) {
            (_, None) => (SymbolKind::Field, name.to_owned(), Part::Whole),
            (Some((event, Part::Accessor)), _) => (SymbolKind::Event, event.to_owned(), Part::Accessor),
            (Some((property, part)), _) => (SymbolKind::Property, property.to_owned(), part),
            (None, Some(_)) if name == ".ctor" => (SymbolKind::Constructor, type_simple.to_owned(), Part::Whole),
            (None, Some(callee)) => (SymbolKind::Method, method_name(name, callee, &names), Part::Whole),
        };
        display = format!("{shown}.{simple}");
        signature = simple.clone();
        if let Some(callee) = callee {
            match kind {
                SymbolKind::Method | SymbolKind::Constructor => {
                    parameters = callee.parameters.iter().map(|it| it.short_with(&names)).collect();
                    display = format!("{display}({})", parameters.join(", "));
                    signature = reference_signature(&simple, callee, &names);
                }
                SymbolKind::Property if part == Part::Getter => {
                    signature = format!("{} {simple}", callee.return_type.short_with(&names));
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
        is_read_only_ref: false,
        type_name: full_name.to_owned(),
        assembly_name: scope.to_owned(),
        home: None,
        names: vec![(SymbolName { type_, member }, part)],
    }
}

/// The name in source: `operator +`, `implicit operator decimal` of the methods that operators are.
fn method_name(name: &str, signature: &MethodSig, names: &ParameterNames) -> String {
    match clr_metadata::operator_name(name) {
        Some(operator) if operator.starts_with("operator") => operator,
        Some(conversion) => format!("{conversion} {}", signature.return_type.short_with(names)),
        None => name.to_owned(),
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
pub(super) fn merge(found: Vec<Symbol>) -> Vec<Symbol> {
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

/// The signature of a method that is only referred to.
fn reference_signature(name: &str, signature: &MethodSig, names: &ParameterNames) -> String {
    let parameters: Vec<String> = signature.parameters.iter().map(|it| it.short_with(names)).collect();
    let head = if signature.has_this { "" } else { "static " };
    format!("{head}{} {name}({})", signature.return_type.short_with(names), parameters.join(", "))
}
