//! What a name in a source means where no instruction says: a constant, an attribute, a type of a declaration, the name of an argument.

use std::sync::Arc;

use super::binding::Scope;
use super::local::Local;
use super::symbol::{Symbol, SymbolKind, last_name};
use super::syntax::{NodeId, Role, Syntax};
use super::{NavigateError, Navigator, Target};
use clr_metadata::{Table, col};

impl Navigator {
    /// Members of the type whose name stands before a name's dot.
    pub(super) fn of_type_before(&self, scope: &Scope<'_>, name: NodeId) -> Vec<Symbol> {
        let simple = scope.syntax.text(name).trim_start_matches('@');
        let types = scope.types_before(name).into_iter();
        let describers = types.filter_map(|(assembly, type_)| self.describer(assembly, type_));
        describers.flat_map(|of| self.members(&of, simple)).filter(|it| it.kind != SymbolKind::Constructor).collect()
    }

    /// The symbols that are called so and may be meant there.
    pub(super) fn by_name(&self, scope: &Scope<'_>, name: NodeId) -> Result<Vec<Symbol>, NavigateError> {
        let syntax = scope.syntax;
        let role = syntax.role(name);
        let text = syntax.text(name).trim_start_matches('@');
        let before = syntax.qualifier(name).and_then(|before| syntax.last_identifier(before));
        let find = |text: &str| match before {
            Some(before) => self.find(&format!("{}.{text}", syntax.text(before))).or_else(|_| self.find(text)),
            None => self.find(text),
        };
        let is_type = |it: &Symbol| it.kind == SymbolKind::Type;
        let attribute = match role {
            Role::Attribute => find(&format!("{text}Attribute")).ok().filter(|found| found.iter().any(is_type)),
            _ => None,
        };
        let mut found = attribute.map_or_else(|| find(text), Ok)?;
        if found.iter().any(|it| is_type(it) && scope.is_type(name, role, it)) {
            found.retain(|it| is_type(it) && scope.is_type(name, role, it));
        }
        let arity = syntax.arguments(name);
        let fits = |it: &Symbol| !is_type(it) || type_arity(it) == arity;
        if found.iter().any(fits) {
            found.retain(fits);
        }
        if before.is_none() {
            found = scope.nearest(name, found);
        }
        let is_seen = |it: &Symbol| !self.is_private(it) || scope.types_around(name).any(|around| around == it.owner);
        if found.iter().any(is_seen) {
            found.retain(is_seen);
        }
        Ok(found)
    }

    /// Whether only its type sees a member.
    fn is_private(&self, symbol: &Symbol) -> bool {
        const ACCESS: u32 = 7;
        const PRIVATE: u32 = 1;
        let Some(home) = symbol.home else { return false };
        let Some(metadata) = self.assembly(home.assembly).map(|assembly| assembly.metadata()) else { return false };
        let flags = match home.token.table() {
            Some(Table::Field) => metadata.cell(home.token.row(), col::Field::Flags),
            Some(Table::MethodDef) => metadata.cell(home.token.row(), col::MethodDef::Flags),
            _ => return false,
        };
        flags.is_ok_and(|flags| flags & ACCESS == PRIVATE)
    }

    /// The parameter that the name of an argument means, of what is called there.
    pub(super) fn parameter(
        &self,
        file: usize,
        syntax: &Arc<Syntax>,
        (name, called): (NodeId, NodeId),
    ) -> Result<Target, NavigateError> {
        let text = syntax.text(name);
        let (mut found, mut shown) = (Vec::new(), String::new());
        match self.of_identifier(file, syntax, called)? {
            Target::Locals(locals) => {
                for local in locals {
                    let around = local.syntax.parent(local.declared).unwrap_or_default();
                    let parameter = local.syntax.parameter_named(around, text);
                    let within = parameter.and_then(|it| local.syntax.local(it));
                    found.extend(within.map(|(at, scope)| Local::of(local.file, Arc::clone(&local.syntax), at, scope)));
                    shown = local.shown;
                }
            }
            Target::Symbols(symbols) => {
                for symbol in symbols {
                    for place in self.places(&symbol) {
                        let Some(source) = self.syntax(place.file) else { continue };
                        let declared = super::definition::declared(&source, &symbol).into_iter();
                        let parameters = declared.filter_map(|it| source.parameter_named(it.node, text));
                        let locals = parameters.filter_map(|it| source.local(it));
                        found.extend(locals.map(|(at, scope)| Local::of(place.file, Arc::clone(&source), at, scope)));
                    }
                    shown = symbol.display;
                }
            }
        }
        found.dedup_by(|a, b| (a.file, a.declared) == (b.file, b.declared));
        match found.is_empty() {
            true => Err(NavigateError::NoMember {
                sign: text.to_owned(),
                place: format!("line {}", syntax.position(syntax.range(name).start).0),
                why: format!("it names a parameter of {shown}, whose declaration is not in a source of the workspace"),
            }),
            false => Ok(Target::Locals(found)),
        }
    }
}

impl Syntax {
    /// Of the name of an argument: that of the method or type which is called with it.
    pub(super) fn called(&self, name: NodeId) -> Option<NodeId> {
        let argument = self.parent(name).filter(|&around| self.kind(around) == "argument")?;
        if self.field(name) != Some("name") {
            return None;
        }
        let call = self.parent(argument).and_then(|list| self.parent(list))?;
        let called = match self.kind(call) {
            "invocation_expression" => self.child(call, "function")?,
            "object_creation_expression" => self.child(call, "type")?,
            _ => return None,
        };
        self.last_identifier(called).filter(|&id| self.kind(id) == "identifier")
    }

    fn parameter_named(&self, declaration: NodeId, name: &str) -> Option<NodeId> {
        let list = self.children(declaration).find(|&child| self.kind(child) == "parameter_list")?;
        let names = self.children(list).filter_map(|child| match self.kind(child) {
            "parameter" => self.child(child, "name"),
            // A `params` parameter has no node of its own.
            "identifier" if self.field(child) == Some("name") => Some(child),
            _ => None,
        });
        names.into_iter().find(|&it| self.text(it) == name)
    }
}

/// Type parameters of a type itself.
fn type_arity(symbol: &Symbol) -> usize {
    let last = last_name(&symbol.type_name).rsplit('+').next().unwrap_or_default();
    last.rsplit_once('`').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0)
}
