//! Uses that only the text shows: constants, `nameof`, comments, types in declarations, locals. Told apart from those of the compiler.

use std::collections::{BTreeMap, BTreeSet};

use super::Navigator;
use super::binding::Scope;
use super::comments;
use super::context::Context;
use super::local::Local;
use super::symbol::{Part, Symbol, SymbolKind};
use super::syntax::{Form, NodeId, Occurrence, Role, Syntax};
use super::usage::{FileUsages, Found, Usage, UsageKind, in_order};

impl Navigator {
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
        let made: BTreeSet<u32> = usages.iter().filter(|it| it.kind == UsageKind::New).map(|it| it.line).collect();
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
            if context.kind == SymbolKind::Type && found.role == Role::New && made.contains(&line) {
                // an alias, which is already reported by its keyword
                continue;
            }
            if kind == UsageKind::Implements {
                heirs.extend(scope.types_around(found.node).next().map(str::to_owned));
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
                Role::ArgumentName => continue,
                Role::Declaration => match syntax.given(found.node) {
                    Some(form) => (UsageKind::Write, Some(form)),
                    None => continue,
                },
                Role::Write(form) => (UsageKind::Write, Some(form)),
                Role::Call => (UsageKind::Call, None),
                Role::NameOf => (UsageKind::Mention, None),
                _ => (UsageKind::Read, None),
            };
            usages.push(syntax.usage(syntax.position(range.start), kind, form, Some(found.node)));
        }
        let file = FileUsages { file: self.files.shown(local.file), usages: in_order(usages) };
        let files = if file.usages.is_empty() { BTreeMap::new() } else { BTreeMap::from([(0, file)]) };
        Found { symbols: vec![local.shown.clone()], files: files.into_values().collect(), ..Found::default() }
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
