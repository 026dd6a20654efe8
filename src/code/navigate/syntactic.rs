//! Uses that only the text shows: constants, `nameof`, comments, types in declarations, locals. Told apart from those of the compiler.

use std::collections::{BTreeMap, BTreeSet};

use super::Navigator;
use super::binding::Scope;
use super::comments;
use super::position::Local;
use super::symbol::{Part, Symbol, SymbolKind, bare_path};
use super::syntax::{Form, NodeId, Occurrence, Role, Syntax};
use super::usages::{FileUsages, Found, Usage, UsageKind};
use clr_metadata::TypeId;

/// What a name alone must fit to be taken for the symbol.
pub(super) struct Context {
    kind: SymbolKind,
    simple: String,
    /// Of a type.
    arity: usize,
    /// The types in which the bare name means it: its own, and those that inherit it and have none of their own.
    inside: BTreeSet<String>,
    /// Its own alone: a `cref` is not looked up in bases.
    own: String,
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

    /// Whether a path of names means the type that declares the symbol.
    pub(super) fn is_declared_in(&self, scope: &Scope<'_>, path: &[&str], at: NodeId) -> bool {
        means_any(scope, path, at, &|path| self.is_own(path))
    }

    /// Whether a member's bare or qualified name means the symbol.
    fn may_mean(&self, scope: &Scope<'_>, node: NodeId, role: Role) -> bool {
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
        let named = self.find(&symbol.simple).unwrap_or_default();
        let others: BTreeSet<&str> = named.iter().map(|it| it.type_name.as_str()).collect();
        let last = symbol.type_name.rsplit(['+', '.']).next().and_then(|last| last.rsplit_once('`'));
        Context {
            kind: symbol.kind,
            simple: symbol.simple.clone(),
            arity: last.and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0),
            inside,
            own,
            below,
            is_unique: others.len() <= 1,
        }
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

    /// Adds what the text says beyond `taken`, the names that the compiler spoke of. The paths of types that are derived in it go to
    /// `heirs`.
    pub(super) fn add_syntactic(
        &self,
        scope: &Scope<'_>,
        (context, symbol): (&Context, &Symbol),
        taken: &BTreeSet<NodeId>,
        usages: &mut Vec<Usage>,
        heirs: &mut BTreeSet<String>,
    ) {
        let syntax = scope.syntax;
        let mut lines: BTreeSet<u32> = usages.iter().map(|it| it.line).collect();
        for found in self.named(scope, symbol) {
            if taken.contains(&found.node) {
                continue;
            }
            let kind = match (context.kind, found.role) {
                (SymbolKind::Indexer, _) | (_, Role::ArgumentName) => continue,
                (SymbolKind::Constructor, Role::Attribute) => UsageKind::New,
                (SymbolKind::Constructor, _) => continue,
                (SymbolKind::Type, Role::Base) => UsageKind::Implements,
                (SymbolKind::Type, Role::TypeOf) => UsageKind::TypeOf,
                (SymbolKind::Type, _) => UsageKind::Mention,
                (_, Role::Declaration) => continue,
                (_, Role::NameOf) => UsageKind::Mention,
                (SymbolKind::Constant, Role::Write(_)) => continue,
                (SymbolKind::Constant, _) => UsageKind::Read,
                _ => continue,
            };
            let is_member = !matches!(context.kind, SymbolKind::Type | SymbolKind::Constructor);
            if is_member && !context.may_mean(scope, found.node, found.role) {
                continue;
            }
            let (line, column) = syntax.position(syntax.range(found.node).start);
            if kind == UsageKind::Implements {
                heirs.extend(scope.types_around(found.node).next().map(str::to_owned));
            } else if context.kind == SymbolKind::Type && lines.contains(&line) {
                // A type that is made or derived from here is told already.
                continue;
            }
            lines.insert(line);
            // The bases of a type are the compiler's word too.
            let from_syntax = kind != UsageKind::Implements;
            let usage = syntax.usage((line, column), kind, None, Some(found.node));
            usages.push(Usage { from_syntax, ..usage });
        }
        for at in comments::mentions(scope, context, symbol) {
            let (line, column) = syntax.position(at);
            if context.kind != SymbolKind::Type || lines.insert(line) {
                usages.push(syntax.usage((line, column), UsageKind::Mention, None, None));
            }
        }
    }

    pub(super) fn usages_of_local(&self, local: &Local) -> Found {
        let syntax = &local.syntax;
        let scope = syntax.range(local.scope);
        let mut usages = Vec::new();
        for found in syntax.occurrences(&local.name) {
            let range = syntax.range(found.node);
            if !scope.contains(&range.start) || !syntax.may_be_local(found.node) {
                continue;
            }
            let (kind, form) = match found.role {
                Role::Declaration | Role::ArgumentName => continue,
                Role::Write(form) => (UsageKind::Write, Some(form)),
                Role::Call => (UsageKind::Call, None),
                Role::NameOf => (UsageKind::Mention, None),
                _ => (UsageKind::Read, None),
            };
            usages.push(syntax.usage(syntax.position(range.start), kind, form, Some(found.node)));
        }
        let file = FileUsages { file: self.files.shown(local.file), usages: super::usages::in_order(usages) };
        let files = if file.usages.is_empty() { BTreeMap::new() } else { BTreeMap::from([(0, file)]) };
        Found { symbols: vec![local.name.clone()], files: files.into_values().collect(), ..Found::default() }
    }
}

impl Navigator {
    /// The names of a source that may be the symbol's; those of a type are.
    fn named(&self, scope: &Scope<'_>, symbol: &Symbol) -> Vec<Occurrence> {
        match symbol.kind {
            SymbolKind::Type => names_of_type(scope, symbol),
            SymbolKind::Constructor => {
                // An attribute's row names its constructor, and no line: with several it is not known which one stands where.
                let home = symbol.home.and_then(|home| {
                    let id = self.assembly(home.assembly)?.find_definition(&symbol.type_name)?;
                    Some(self.describer(home.assembly, id)?.whole_type())
                });
                let only =
                    home.filter(|type_| type_.names.iter().filter(|(_, part)| *part == Part::Creation).count() == 1);
                let mut found = only.map(|type_| names_of_type(scope, &type_)).unwrap_or_default();
                found.retain(|it| it.role == Role::Attribute);
                found
            }
            _ => scope.syntax.occurrences(&symbol.simple),
        }
    }
}

fn names_of_type(scope: &Scope<'_>, symbol: &Symbol) -> Vec<Occurrence> {
    let syntax = scope.syntax;
    let mut found = syntax.occurrences(&symbol.simple);
    let short = symbol.simple.strip_suffix("Attribute").filter(|short| !short.is_empty());
    let attributes = short.map(|short| syntax.occurrences(short)).unwrap_or_default();
    found.extend(attributes.into_iter().filter(|it| it.role == Role::Attribute));
    for alias in scope.aliases(symbol) {
        found.extend(syntax.occurrences(&alias));
    }
    found.retain(|it| scope.is_type(it.node, it.role, symbol));
    found
}

impl Syntax {
    fn usage(&self, at: (u32, u32), kind: UsageKind, form: Option<Form>, node: Option<NodeId>) -> Usage {
        Usage {
            line: at.0,
            column: at.1,
            more_columns: Vec::new(),
            kind,
            form,
            function: node.and_then(|node| self.member_around(node)),
            function_kind: None,
            via: None,
            from_syntax: true,
            source: self.line(at.0).to_owned(),
        }
    }

    /// `Type.Member`.
    fn member_around(&self, node: NodeId) -> Option<String> {
        let name_of = |id: NodeId| self.child(id, "name").map(|name| self.text(name).to_owned());
        let is_type = |id: &NodeId| {
            matches!(
                self.kind(*id),
                "class_declaration"
                    | "struct_declaration"
                    | "interface_declaration"
                    | "record_declaration"
                    | "enum_declaration"
            )
        };
        let is_member = |id: &NodeId| {
            matches!(
                self.kind(*id),
                "method_declaration" | "property_declaration" | "constructor_declaration" | "event_declaration"
            )
        };
        let type_ = self.ancestors(node).find(is_type).and_then(name_of)?;
        match self.ancestors(node).find(is_member).and_then(name_of) {
            Some(member) => Some(format!("{type_}.{member}")),
            None => Some(type_),
        }
    }
}
