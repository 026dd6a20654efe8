//! Where a symbol is declared; of one without source, what it is.

use std::collections::BTreeSet;

use super::local::Local;
use super::query::{is_by_ref, type_text, with_keywords};
use super::symbol::{Symbol, SymbolKind, last_name};
use super::syntax::{Declaration, DeclarationKind, Syntax};
use super::{Address, NavigateError, Navigator, Target};
use clr_metadata::{MemberName, MethodId, TypeId};

/// A place in a source of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) source: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// `Shop.Order.Add(int)`.
    pub symbol: String,
    /// `None`: a local variable or parameter.
    pub kind: Option<SymbolKind>,
    /// File, line and column; `None` without a source.
    pub place: Option<(String, u32, u32)>,
    /// The line, trimmed.
    pub source: String,
    /// The rest only where there is no source. Simple name of the assembly.
    pub assembly: Option<String>,
    pub signature: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    pub definitions: Vec<Definition>,
    /// Beyond the bound.
    pub more: usize,
}

impl Navigator {
    /// All that the address may mean, up to `most`.
    ///
    /// # Errors
    /// Those of the address.
    pub fn definition(&self, address: &Address, most: usize) -> Result<Definitions, NavigateError> {
        let symbols = match self.target(address)? {
            Target::Locals(locals) => return Ok(self.definition_of_locals(&locals, most)),
            Target::Symbols(symbols) => match address {
                Address::Name(name) => self.with_overloads(name, symbols),
                Address::Position { .. } => symbols,
            },
        };
        let mut found = Definitions::default();
        for symbol in &symbols {
            if found.definitions.len() >= most {
                found.more += 1;
                continue;
            }
            let places = self.places_or_type(symbol);
            let definition = |place: Option<Place>| Definition {
                symbol: symbol.display.clone(),
                kind: Some(symbol.kind),
                source: place.as_ref().map(|place| place.source.clone()).unwrap_or_default(),
                assembly: place.is_none().then(|| symbol.assembly_name.clone()),
                signature: place.is_none().then(|| symbol.signature.clone()),
                place: place.map(|place| (self.files.shown(place.file), place.line, place.column)),
            };
            if places.is_empty() {
                found.definitions.push(definition(None));
            }
            let room = most - found.definitions.len();
            found.more += places.len().saturating_sub(room);
            found.definitions.extend(places.into_iter().take(room).map(|place| definition(Some(place))));
        }
        Ok(found)
    }

    fn definition_of_locals(&self, locals: &[Local], most: usize) -> Definitions {
        let definitions = locals.iter().take(most).map(|local| self.definition_of_local(local)).collect();
        Definitions { definitions, more: locals.len().saturating_sub(most) }
    }

    fn definition_of_local(&self, local: &Local) -> Definition {
        let (line, column) = local.syntax.position(local.syntax.range(local.declared).start);
        Definition {
            symbol: local.shown.clone(),
            kind: None,
            place: Some((self.files.shown(local.file), line, column)),
            source: local.syntax.line(line).to_owned(),
            assembly: None,
            signature: None,
        }
    }

    /// As [`Self::places`], but of what the compiler made for a type, that type.
    fn places_or_type(&self, symbol: &Symbol) -> Vec<Place> {
        let declared = self.declarations(symbol);
        let type_ = self.made_for(symbol).filter(|_| declared.is_empty());
        let place = type_.and_then(|type_| self.declarations(&type_).into_iter().next());
        place.map_or_else(|| self.places(symbol), |place| vec![place])
    }

    /// Where a symbol is declared, else where its code begins: several places of a partial type, none without sources.
    pub(super) fn places(&self, symbol: &Symbol) -> Vec<Place> {
        let declared = self.declarations(symbol);
        if declared.is_empty() { self.first_statement(symbol).into_iter().collect() } else { declared }
    }

    fn declarations(&self, symbol: &Symbol) -> Vec<Place> {
        if symbol.home.is_none() {
            return Vec::new();
        }
        let hinted = self.files_of(symbol);
        let found: Vec<(Place, bool)> = hinted.iter().flat_map(|&file| self.declared_in(file, symbol)).collect();
        // A part of a type may have no code.
        if !found.is_empty() && symbol.kind != SymbolKind::Type {
            return surest(found);
        }
        let others = (0..self.files.count()).filter(|file| !hinted.contains(file));
        let named = others.filter(|&file| self.files.holds(file, last_of(&symbol.owner, &symbol.simple)));
        surest(found.into_iter().chain(named.flat_map(|file| self.declared_in(file, symbol))).collect())
    }

    /// The type whose declaration is all that source has of a constructor or of a record's method.
    fn made_for(&self, symbol: &Symbol) -> Option<Symbol> {
        let (assembly, type_) = self.home_type(symbol)?;
        let is_made = match symbol.kind {
            SymbolKind::Constructor => true,
            SymbolKind::Method => {
                let method = MethodId::from_token(symbol.home?.token)?;
                assembly.method(method).is_compiler_generated()
            }
            _ => false,
        };
        self.describer(symbol.home?.assembly, type_).filter(|_| is_made).map(|it| it.whole_type())
    }

    /// The files that hold code of the symbol's type.
    fn files_of(&self, symbol: &Symbol) -> BTreeSet<usize> {
        let Some((assembly, type_)) = self.home_type(symbol) else { return BTreeSet::new() };
        let points = assembly.type_(type_).methods().filter_map(|method| assembly.first_point(method));
        let documents: BTreeSet<_> = points.map(|point| point.document.row()).collect();
        let pdb = assembly.pdb();
        let paths = documents.into_iter().filter_map(|row| pdb?.document(clr_metadata::DocumentId(row)));
        paths.filter_map(|document| self.files.of_document(&document.path)).collect()
    }

    fn home_type(&self, symbol: &Symbol) -> Option<(&clr_metadata::Assembly, TypeId)> {
        let assembly = self.assembly(symbol.home?.assembly)?;
        Some((assembly, assembly.find_definition(&symbol.type_name)?))
    }

    /// Each with whether it is spelled just so.
    fn declared_in(&self, file: usize, symbol: &Symbol) -> Vec<(Place, bool)> {
        let Some(syntax) = self.syntax(file) else { return Vec::new() };
        let declared = declared(&syntax, symbol);
        declared
            .into_iter()
            .map(|declaration| {
                let (line, column) = syntax.position(syntax.range(declaration.name).start);
                let place = Place { file, line, column, source: syntax.line(line).to_owned() };
                (place, is_spelled(&declaration, symbol))
            })
            .collect()
    }

    /// Where the code of a method begins, or of a type: for what the syntax does not show, such as that of top-level statements.
    fn first_statement(&self, symbol: &Symbol) -> Option<Place> {
        let (assembly, type_) = self.home_type(symbol)?;
        let point = match MethodId::from_token(symbol.home?.token) {
            Some(method) => assembly.first_point(method)?,
            None if symbol.kind == SymbolKind::Type => {
                let points = assembly.type_(type_).methods().filter_map(|method| assembly.first_point(method));
                points.min_by_key(|point| (point.document.row(), point.line))?
            }
            None => return None,
        };
        let file = self.files.of_document(&assembly.pdb()?.document(point.document)?.path)?;
        let source = self.syntax(file)?.line(point.line).to_owned();
        Some(Place { file, line: point.line, column: point.column, source })
    }
}

/// Parts of a type each declare what only one of them does: of several places, those that are spelled just so.
fn surest(found: Vec<(Place, bool)>) -> Vec<Place> {
    let is_any_sure = found.iter().any(|(_, is_sure)| *is_sure);
    found.into_iter().filter(|(_, is_sure)| *is_sure || !is_any_sure).map(|(place, _)| place).collect()
}

/// Whether a declaration has the parameters and the generic types around it that a symbol has; an alias, say, is spelled another way.
pub(super) fn is_spelled(declaration: &Declaration, symbol: &Symbol) -> bool {
    let has_parameters = matches!(symbol.kind, SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Indexer);
    !has_parameters || has_types(declaration, symbol, is_alike)
}

/// Whether a type in a source is one of metadata.
type Same = fn(&str, &str) -> bool;

/// From the surest on. A type of the program's own may be called `Int32` or `Object`, and `F(int)` is not `F(int?)`.
const SAME: [Same; 3] = [|a, b| a == b, |a, b| with_keywords(a) == with_keywords(b), is_alike];

/// Of a class, metadata does not have the `?`, nor of one that an array or a generic type is of.
fn is_alike(a: &str, b: &str) -> bool {
    let bare = |type_: &str| with_keywords(&type_.replace('?', ""));
    bare(a) == bare(b)
}

fn has_types(declaration: &Declaration, symbol: &Symbol, is_same: Same) -> bool {
    let mut pairs = declaration.parameters.iter().zip(&symbol.parameters).map(|(a, b)| (type_text(a), type_text(b)));
    pairs.all(|(a, b)| is_same(&a, &b))
}

/// Of each type around a member, the outermost first: how many type parameters it has.
pub(super) fn arities(symbol: &Symbol) -> Vec<usize> {
    let arity = |part: &str| part.rsplit_once('`').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0);
    symbol.type_name.split('+').map(arity).collect()
}

/// What must be in the text of a file that declares it.
fn last_of<'a>(owner: &'a str, simple: &'a str) -> &'a str {
    if simple == "this" { owner.rsplit('.').next().unwrap_or(owner) } else { simple }
}

/// The declarations of a text that are the symbol's.
pub(super) fn declared(syntax: &Syntax, symbol: &Symbol) -> Vec<Declaration> {
    let mut found = syntax.declarations();
    found.extend(syntax.extension_members(&found));
    let is_called = |it: &Declaration| match it.kind {
        DeclarationKind::Operator => {
            syntax.operator_name(it.node).is_some_and(|name| name.replace(' ', "") == symbol.simple.replace(' ', ""))
        }
        _ => syntax.text(it.name) == symbol.simple,
    };
    let is_primary = |it: &Declaration| {
        let is_listed = syntax.children(it.node).any(|id| syntax.kind(id) == "parameter_list");
        let is_type = it.kind == DeclarationKind::Type && syntax.kind(it.node) != "delegate_declaration";
        let is_its = symbol.owner.strip_suffix(syntax.text(it.name)).map(|around| around.trim_end_matches('.'));
        symbol.kind == SymbolKind::Constructor && is_type && is_listed && is_its == Some(it.owner.as_str())
    };
    let is_declared = |it: &Declaration| is_kind(it.kind, symbol.kind) && it.owner == symbol.owner && is_called(it);
    found.retain(|it| is_declared(it) || is_primary(it));
    if symbol.kind == SymbolKind::Type {
        let arity = symbol.type_name.rsplit(['+', '.']).next().and_then(|last| last.rsplit_once('`'));
        let arity = arity.and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0);
        found.retain(|it| it.arity == arity);
    } else {
        let is_in = |it: &Declaration| syntax.arities_around(it.node) == arities(symbol);
        if found.iter().any(is_in) {
            found.retain(is_in);
        }
    }
    if matches!(symbol.kind, SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Indexer) {
        found.retain(|it| it.parameters.len() == symbol.parameters.len());
        let has = |is_same: &Same| found.iter().any(|it| has_types(it, symbol, *is_same));
        if let Some(is_same) = SAME.into_iter().find(has) {
            found.retain(|it| has_types(it, symbol, is_same));
        }
        let is_of = |it: &Declaration| it.arity == symbol.method_arity();
        if symbol.kind == SymbolKind::Method && found.iter().any(is_of) {
            found.retain(is_of);
        }
        let is_passed_alike = |it: &Declaration| {
            let mut pairs = it.parameters.iter().zip(&symbol.parameters);
            pairs.all(|(a, b)| is_by_ref(a) == is_by_ref(b))
        };
        if found.iter().any(is_passed_alike) {
            found.retain(is_passed_alike);
        }
    }
    if !matches!(symbol.kind, SymbolKind::Type | SymbolKind::Constructor) {
        let interface = explicit_interface(symbol);
        let implements = |it: &Declaration| {
            let written = syntax.children(it.node).find(|&id| syntax.kind(id) == "explicit_interface_specifier");
            written.map(|id| type_text(syntax.text(id).trim_end_matches('.'))).map(without_arguments) == interface
        };
        if found.iter().any(implements) {
            found.retain(implements);
        }
    }
    found
}

/// `IEnumerable` of a method called `System.Collections.IEnumerable.GetEnumerator`: an explicit implementation has its interface's name.
fn explicit_interface(symbol: &Symbol) -> Option<String> {
    let methods = symbol.names.iter().filter_map(|(name, _)| match &name.member {
        Some(MemberName::Method(name, _)) => Some(name.as_str()),
        _ => None,
    });
    let interface = methods.filter_map(|name| name.strip_suffix(last_name(name))?.strip_suffix('.')).next()?;
    Some(interface).filter(|it| !it.is_empty()).map(|it| without_arguments(type_text(it)))
}

/// `IEnumerable<>` of `IEnumerable<Line>`: metadata and source spell arguments each in its own way.
fn without_arguments(type_: String) -> String {
    match type_.split_once('<') {
        Some((name, _)) => format!("{name}<>"),
        None => type_,
    }
}

fn is_kind(declared: DeclarationKind, kind: SymbolKind) -> bool {
    use DeclarationKind as Declared;
    matches!(
        (declared, kind),
        (Declared::Type, SymbolKind::Type)
            | (Declared::Method | Declared::Operator, SymbolKind::Method)
            | (Declared::Constructor, SymbolKind::Constructor)
            | (Declared::Property | Declared::RecordParameter, SymbolKind::Property)
            | (Declared::Indexer, SymbolKind::Indexer)
            | (Declared::Event, SymbolKind::Event)
            | (Declared::Field, SymbolKind::Field)
            | (Declared::Field | Declared::EnumMember, SymbolKind::Constant)
    )
}

#[cfg(test)]
mod tests {
    use super::is_alike;

    #[test]
    fn a_class_is_alike_with_or_without_its_question_mark_wherever_it_stands() {
        for (source, metadata, expected) in [
            ("object?[]", "object[]", true),
            ("IList<object?>", "IList<object>", true),
            ("string?", "String", true),
            ("object?[]", "int", false),
        ] {
            assert_eq!(is_alike(source, metadata), expected, "{source}");
        }
    }
}
