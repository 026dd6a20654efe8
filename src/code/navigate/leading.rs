//! Whether an assembly's reference of a type's name leads to that type: assemblies may define types of the same name.

use std::collections::HashMap;

use super::Navigator;
use super::symbol::Symbol;
use clr_metadata::{Table, Token, col};

pub(super) struct Leading<'a> {
    navigator: &'a Navigator,
    /// By the simple name of an assembly and the type's full name: whether the type is found through that assembly.
    through: HashMap<(String, String), bool>,
}

impl<'a> Leading<'a> {
    pub(super) fn of(navigator: &'a Navigator) -> Self {
        Self { navigator, through: HashMap::new() }
    }

    /// Whether what assembly number `index` calls so is the symbol's type; of a framework's that is not looked for.
    pub(super) fn leads(&mut self, index: usize, symbol: &Symbol) -> bool {
        let Some(home) = symbol.home.filter(|home| home.assembly != index) else { return true };
        let navigator = self.navigator;
        let (Some(assembly), Some(home)) = (navigator.assembly(index), navigator.assembly(home.assembly)) else {
            return true;
        };
        if assembly.name() == home.name() {
            // Two projects that build assemblies of one name.
            return false;
        }
        let full_name = symbol.type_name.as_str();
        let last = full_name.rsplit(['.', '+']).next().unwrap_or(full_name);
        let metadata = assembly.metadata();
        let rows = metadata.rows(Table::TypeRef).filter(|&row| metadata.string(row, col::TypeRef::Name) == Ok(last));
        rows.map(|row| Token::new(Table::TypeRef, row))
            .filter(|&token| metadata.type_full_name(token).as_deref() == Ok(full_name))
            .filter_map(|token| assembly.scope_of(token))
            .any(|scope| scope == home.name() || self.is_found_through(scope, full_name))
    }

    /// Whether an assembly forwards to the type; one that is not there may.
    fn is_found_through(&mut self, scope: String, full_name: &str) -> bool {
        let navigator = self.navigator;
        *self.through.entry((scope, full_name.to_owned())).or_insert_with_key(|(scope, full_name)| {
            let own = navigator.assemblies.iter().find(|it| it.name() == scope).cloned();
            own.or_else(|| navigator.beneath.assembly(scope)).is_none_or(|it| it.exports(full_name))
        })
    }
}
