//! The names in metadata that a search looks for.

use super::symbol::{Part, Symbol};
use clr_metadata::SymbolName;

/// A name that is looked for: what part of which symbol it is.
pub(super) struct Wanted {
    pub(super) names: Vec<SymbolName>,
    parts: Vec<(Part, Option<String>)>,
}

impl Wanted {
    /// The symbols themselves, and `through`: those which they override or implement.
    pub(super) fn of(symbols: &[Symbol], through: &[Symbol]) -> Self {
        let mut wanted = Self { names: Vec::new(), parts: Vec::new() };
        let own = symbols.iter().map(|symbol| (symbol, None));
        for (symbol, via) in own.chain(through.iter().map(|symbol| (symbol, Some(symbol.display.clone())))) {
            for (name, part) in &symbol.names {
                if !wanted.names.contains(name) {
                    wanted.names.push(name.clone());
                    wanted.parts.push((*part, via.clone()));
                }
            }
        }
        wanted
    }

    pub(super) fn via(&self, at: usize) -> Option<&str> {
        self.parts.get(at)?.1.as_deref()
    }

    pub(super) fn is_of(&self, at: usize, symbol: &Symbol) -> bool {
        self.via(at).is_none() && self.names.get(at).is_some_and(|name| symbol.names.iter().any(|(it, _)| it == name))
    }

    pub(super) fn part(&self, at: usize) -> Part {
        self.parts.get(at).map_or(Part::Whole, |(part, _)| *part)
    }
}
