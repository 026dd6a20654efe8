//! Uses that only the text shows: constants, `nameof`, comments, types in declarations, locals. Told apart from those of the compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Navigator;
use super::position::Local;
use super::symbol::{Symbol, SymbolKind, bare_path, last_name};
use super::syntax::{Declaration, DeclarationKind, Form, NodeId, Role, Syntax};
use super::usages::{FileUsages, Found, Usage, UsageKind};

/// What a name alone must fit to be taken for the symbol.
pub(super) struct Context {
    kind: SymbolKind,
    simple: String,
    /// Last name of the type that has it.
    owner: String,
    /// The types in which the bare name means it: its own, and those that derive from it.
    inside: BTreeSet<String>,
    /// No other member of the workspace is called so.
    is_unique: bool,
}

impl Navigator {
    pub(super) fn context(&self, symbol: &Symbol) -> Context {
        let mut inside = BTreeSet::from([symbol.owner.clone()]);
        let type_ = symbol.home.and_then(|home| {
            let id = self.assembly(home.assembly)?.find_definition(&symbol.type_name)?;
            Some(self.describer(home.assembly, id)?.whole_type())
        });
        let mut wave: Vec<Symbol> = type_.into_iter().filter(|_| symbol.kind != SymbolKind::Type).collect();
        while let Some(next) = wave.pop() {
            let heirs = self.direct_heirs(&next).into_iter().filter_map(|it| self.of_token(it.assembly, it.token));
            for heir in heirs {
                if inside.insert(bare_path(&heir.type_name)) {
                    wave.push(heir);
                }
            }
        }
        let named = self.find(&symbol.simple).unwrap_or_default();
        let others: BTreeSet<&str> = named.iter().map(|it| it.type_name.as_str()).collect();
        Context {
            kind: symbol.kind,
            simple: symbol.simple.clone(),
            owner: last_name(&symbol.owner).to_owned(),
            inside,
            is_unique: others.len() <= 1,
        }
    }

    /// Adds what the text says beyond `taken`, the names that the compiler spoke of.
    pub(super) fn add_syntactic(
        &self,
        syntax: &Syntax,
        context: &Context,
        taken: &BTreeSet<NodeId>,
        usages: &mut Vec<Usage>,
    ) {
        if matches!(context.kind, SymbolKind::Constructor | SymbolKind::Indexer) {
            return;
        }
        let lines: BTreeSet<u32> = usages.iter().map(|it| it.line).collect();
        let scopes = Scopes::of(syntax, context);
        for found in syntax.occurrences(&context.simple) {
            if taken.contains(&found.node) {
                continue;
            }
            let kind = match (context.kind, found.role) {
                (_, Role::Declaration | Role::ArgumentName) => continue,
                (SymbolKind::Type, _) if is_type_name(syntax, found.node) => UsageKind::Mention,
                (SymbolKind::Type, _) => continue,
                (_, Role::NameOf) => UsageKind::Mention,
                (SymbolKind::Constant, Role::Write(_)) => continue,
                (SymbolKind::Constant, _) => UsageKind::Read,
                _ => continue,
            };
            let may_mean = context.kind == SymbolKind::Type || scopes.may_mean(found.node, found.role);
            let (line, column) = syntax.position(syntax.range(found.node).start);
            // A type that is made or derived from here is told already.
            let is_told = context.kind == SymbolKind::Type && lines.contains(&line);
            if may_mean && !is_told {
                usages.push(syntax.usage((line, column), kind, None, Some(found.node)));
            }
        }
        for at in comments(syntax, context) {
            usages.push(syntax.usage(syntax.position(at), UsageKind::Mention, None, None));
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

/// Where in a text the bare name means the symbol.
struct Scopes<'a> {
    syntax: &'a Syntax,
    context: &'a Context,
    /// The bodies of its type, and of those that derive from it.
    types: Vec<Range<NodeId>>,
    /// Where a local variable has that name.
    hidden: Vec<Range<NodeId>>,
    /// `using static Shop.Colour;`
    is_imported: bool,
}

impl<'a> Scopes<'a> {
    fn of(syntax: &'a Syntax, context: &'a Context) -> Self {
        let is_type = |it: &Declaration| {
            let name = syntax.text(it.name);
            let path = if it.owner.is_empty() { name.to_owned() } else { format!("{}.{name}", it.owner) };
            it.kind == DeclarationKind::Type && context.inside.contains(&path)
        };
        let types = syntax.declarations().into_iter().filter(is_type).map(|it| syntax.within(it.node)).collect();
        let hidden = syntax.locals(&context.simple).into_iter().map(|(_, scope)| syntax.within(scope)).collect();
        let imports = syntax.all().filter(|&id| syntax.kind(id) == "using_directive" && syntax.has_child(id, "static"));
        let mut named = imports.filter_map(|id| syntax.last_identifier(syntax.children(id).last()?));
        let is_imported = named.any(|last| syntax.text(last) == context.owner);
        Self { syntax, context, types, hidden, is_imported }
    }

    fn may_mean(&self, node: NodeId, role: Role) -> bool {
        let holds = |ranges: &[Range<NodeId>]| ranges.iter().any(|range| range.contains(&node));
        match self.syntax.qualifier(node).map(|before| self.syntax.last_identifier(before)) {
            Some(Some(before)) if matches!(self.syntax.text(before), "this" | "base") => holds(&self.types),
            Some(Some(before)) if self.syntax.text(before) == self.context.owner => true,
            // `nameof(order.Total)`: the type of `order` is not known here.
            Some(_) => role == Role::NameOf && self.context.is_unique,
            None => (holds(&self.types) || self.is_imported) && !holds(&self.hidden),
        }
    }
}

/// Not a member behind a dot, unless only namespaces stand before it.
fn is_type_name(syntax: &Syntax, node: NodeId) -> bool {
    match syntax.qualifier(node) {
        Some(before) => {
            syntax.kind(syntax.whole(before)) == "qualified_name"
                || syntax.parent(before).is_some_and(|it| syntax.kind(it) == "qualified_name")
        }
        None => syntax.parent(node).is_none_or(|it| syntax.kind(it) != "using_directive"),
    }
}

/// Bytes where comments speak of the symbol: in a `cref`, behind its type's name and a dot, or between backticks.
/// The bare word alone may be plain English.
fn comments(syntax: &Syntax, context: &Context) -> Vec<usize> {
    let mut found = Vec::new();
    for id in syntax.all().filter(|&id| syntax.kind(id) == "comment") {
        let text = syntax.text(id);
        for (at, _) in text.match_indices(&context.simple) {
            let (before, behind) =
                (text.get(..at).unwrap_or_default(), text.get(at + context.simple.len()..).unwrap_or_default());
            let goes_on = |c: char| c.is_alphanumeric() || c == '_';
            if before.ends_with(goes_on) || behind.starts_with(goes_on) {
                continue;
            }
            let is_qualified = context.kind != SymbolKind::Type
                && before.strip_suffix('.').is_some_and(|it| it.ends_with(&context.owner));
            let is_cref = before
                .rfind("cref=\"")
                .is_some_and(|open| !before.get(open + 6..).unwrap_or_default().contains(['"', '.', '(']));
            let is_code = before.ends_with('`') && behind.starts_with('`');
            if is_qualified || is_cref || is_code {
                found.push(syntax.range(id).start + at);
            }
        }
    }
    found
}

impl Syntax {
    fn usage(&self, at: (u32, u32), kind: UsageKind, form: Option<Form>, node: Option<NodeId>) -> Usage {
        Usage {
            line: at.0,
            column: at.1,
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
