//! Whether a name means a member that is called so, or a type; and of which type a member behind a dot is.

use super::{Around, Scope};
use crate::code::navigate::symbol::{Symbol, SymbolKind};
use crate::code::navigate::syntax::{NodeId, Occurrence, Role};
use clr_metadata::TypeId;

use super::position::Standing;

impl Scope<'_> {
    /// Whether a name may mean the member, as far as the text shows: a type stands elsewhere, and a bare name is of a type around it.
    pub(in crate::code::navigate) fn may_be_member(&self, it: &Occurrence, symbol: &Symbol) -> bool {
        let is_named = !matches!(symbol.kind, SymbolKind::Type | SymbolKind::Constructor | SymbolKind::Indexer)
            && !symbol.simple.contains("operator ")
            && self.syntax.kind(it.node) == "identifier";
        if !is_named {
            return true;
        }
        match (it.role, self.syntax.standing(it.node, it.role)) {
            (Role::New | Role::TypeOf | Role::Base | Role::Attribute, _) => false,
            (Role::Read, Standing::Type) => false,
            (Role::Read, Standing::Before(member)) if self.syntax.qualifier(it.node).is_none() => {
                self.may_be_around(it.node, symbol) && !self.is_type_with(it.node, self.syntax.text(member))
            }
            (Role::Read, Standing::Open) | (Role::Call, _) if self.syntax.qualifier(it.node).is_none() => {
                self.may_be_around(it.node, symbol)
            }
            _ => true,
        }
    }

    /// Whether a type around a bare name may have such a member. Of a framework's type it is not known what derives from it.
    fn may_be_around(&self, name: NodeId, symbol: &Symbol) -> bool {
        let has_static_imports = || {
            let around = self.around(name);
            around.iter().any(|it| matches!(it, Around::Imports(imports, _) if !imports.statics.is_empty()))
        };
        symbol.home.is_none()
            || self.types_around(name).next().is_none()
            || self.has_member_around(&symbol.simple, name)
            || has_static_imports()
    }

    /// Whether a bare name means a type that has such a static member: then it does, even where a value is called so too (C# standard,
    /// 12.8.7.2).
    fn is_type_with(&self, name: NodeId, member: &str) -> bool {
        let types = self.meant(&[self.syntax.text(name)], self.syntax.arguments(name), name);
        types.iter().filter_map(|it| it.at).any(|at| self.has_static(at, member))
    }

    /// The types whose member a name behind a dot is, where a type's name stands before it.
    pub(in crate::code::navigate) fn types_before(&self, name: NodeId) -> Vec<(usize, TypeId)> {
        let syntax = self.syntax;
        let before = syntax.qualifier(name).and_then(|before| syntax.last_identifier(before));
        let path = before.and_then(|before| syntax.path_to(before));
        let (Some(before), Some(path)) = (before, path) else { return Vec::new() };
        let found = self.meant(&path, syntax.arguments(before), before);
        let mut found: Vec<(usize, TypeId)> = found.into_iter().filter_map(|it| it.at).collect();
        if path.len() == 1 && (syntax.local(before).is_some() || self.has_member_around(syntax.text(before), before)) {
            found.retain(|&at| syntax.local(before).is_none() && self.has_static(at, syntax.text(name)));
        }
        found
    }

    /// Of members that a bare name may mean, those of the nearest type around it that has one; all where none has.
    pub(in crate::code::navigate) fn nearest(&self, name: NodeId, found: Vec<Symbol>) -> Vec<Symbol> {
        for path in self.types_around(name) {
            let bases = self.binding.bases(path);
            let is_of = |it: &Symbol, path: &str| it.kind != SymbolKind::Type && it.owner == path;
            for path in std::iter::once(path).chain(bases.iter().map(String::as_str)) {
                if found.iter().any(|it| is_of(it, path)) {
                    return found.into_iter().filter(|it| is_of(it, path)).collect();
                }
            }
        }
        found
    }
}
