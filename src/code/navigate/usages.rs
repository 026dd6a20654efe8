//! All uses of a symbol: those in IL, with the syntax of its statements, and those only in syntax.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use super::binding::{Binding, Scope};
use super::statement_matches::{candidates, usages_in};
use super::symbol::{Symbol, SymbolKind, bare_path};
use super::syntax::Form;
use super::turns::Turns;
use super::usage::{FileUsages, Found, Unlocated, Usage, UsageKind, in_order};
use super::wanted::Wanted;
use super::{Address, NavigateError, Navigator, Target};

impl Navigator {
    /// # Errors
    /// Those of the address, and [`NavigateError::InvalidArgument`] where a name means several symbols.
    pub fn usages(&self, address: &Address, kind: Option<UsageKind>) -> Result<Found, NavigateError> {
        let (mut found, is_event) = match self.one_target(address)? {
            Target::Locals(locals) => {
                (locals.first().map(|local| self.usages_of_local(local)).unwrap_or_default(), false)
            }
            Target::Symbols(symbols) => {
                (self.usages_of(&symbols), symbols.iter().any(|symbol| symbol.kind == SymbolKind::Event))
            }
        };
        // `x += 1` and `x++` read what they write
        let is_of = |usage: &Usage, kind| {
            let is_change = matches!(usage.form, Some(Form::Compound | Form::Increment)) && !is_event;
            usage.kind == kind || kind == UsageKind::Read && is_change
        };
        for file in &mut found.files {
            file.usages.retain(|usage| kind.is_none_or(|kind| is_of(usage, kind)));
        }
        found.files.retain(|file| !file.usages.is_empty());
        Ok(found)
    }

    pub(super) fn usages_of(&self, symbols: &[Symbol]) -> Found {
        let through: Vec<Symbol> = symbols.iter().flat_map(|symbol| self.stood_in_for(symbol)).collect();
        let wanted = Wanted::of(symbols, &through);
        let mut unlocated = Unlocated::default();
        let mut statements = self.statements(symbols, &wanted, &mut unlocated);
        let stand_ins = self.stand_in_places(symbols);
        let Some(first) = symbols.first() else { return Found::default() };
        // A framework's member, say, may stand in no source: then none of them is asked for.
        let context = LazyCell::new(|| self.context(first));
        let binding = LazyCell::new(|| Binding::of(self, Some(first)));
        let turns = Turns::of(self, first);
        let depth = self.inline_depth(first);
        let built = LazyCell::new(|| self.built());
        let (mut files, mut stale) = (BTreeMap::<usize, Vec<Usage>>::new(), Vec::new());
        let mut heirs = BTreeSet::new();
        for file in 0..self.files.count() {
            let of_il = statements.remove(&file).unwrap_or_default();
            let has_stand_ins = stand_ins.iter().any(|it| it.file == file);
            let is_named = || self.files.holds(file, first.written()) && binding.sees_symbol(file, first);
            if of_il.is_empty() && !has_stand_ins && !is_named() {
                continue;
            }
            if self.is_changed(*built, file) {
                stale.push(self.files.shown(file));
            }
            let Some(syntax) = self.syntax(file) else { continue };
            let scope = Scope::of(&binding, &syntax, file);
            let mut usages: Vec<Usage> = Vec::new();
            let mut candidates = candidates(&syntax, first, depth);
            if first.kind == SymbolKind::Type {
                candidates.retain(|it| scope.is_type(it.node, it.role, first));
            } else {
                candidates.retain(|it| scope.may_be_member(it, first));
            }
            let mut taken = BTreeSet::new();
            for statement in &of_il {
                usages_in(&syntax, statement, (first, &turns), &candidates, &mut taken, &mut usages);
            }
            self.add_syntactic(&scope, (&context, first), &taken, &mut usages, &mut heirs);
            files.insert(file, usages);
        }
        for StandInPlace { file, type_path, usage } in stand_ins {
            // Where a derived type names it, that is reported.
            if !heirs.contains(&type_path) {
                files.entry(file).or_default().push(usage);
            }
        }
        files.retain(|_, usages| !usages.is_empty());
        let shown = |(file, usages)| FileUsages { file: self.files.shown(file), usages: in_order(usages) };
        let files = files.into_iter().map(shown).collect();
        let through_dynamic = self.through_dynamic(symbols);
        let symbols = symbols.iter().map(|symbol| symbol.display.clone()).collect();
        Found { symbols, files, stale, unlocated, through_dynamic }
    }

    /// Overriding and implementing members, and deriving types, where they are declared.
    fn stand_in_places(&self, symbols: &[Symbol]) -> Vec<StandInPlace> {
        let mut found = Vec::new();
        for symbol in symbols {
            let heirs = match symbol.kind {
                SymbolKind::Type => {
                    self.direct_heirs(symbol).into_iter().map(|home| (home, UsageKind::Implements)).collect()
                }
                _ => {
                    let kind = |is_override| if is_override { UsageKind::Override } else { UsageKind::Implements };
                    self.stand_ins(symbol).into_iter().map(|it| (it.home, kind(it.is_override))).collect::<Vec<_>>()
                }
            };
            for (home, kind) in heirs {
                let Some(heir) = self.of_token(home.assembly, home.token) else { continue };
                for place in self.places(&heir).into_iter().take(1) {
                    let usage = Usage {
                        line: place.line,
                        column: place.column,
                        more_columns: Vec::new(),
                        kind,
                        form: None,
                        function: Some(heir.short_name()),
                        function_kind: None,
                        via: None,
                        from_syntax: false,
                        source: place.source,
                    };
                    let type_path = match heir.kind {
                        SymbolKind::Type => bare_path(&heir.type_name),
                        _ => String::new(),
                    };
                    let found_here = StandInPlace { file: place.file, type_path, usage };
                    if !found.contains(&found_here) {
                        found.push(found_here);
                    }
                }
            }
        }
        found
    }
}

/// What stands in for a symbol, where it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StandInPlace {
    file: usize,
    /// Of a type.
    type_path: String,
    usage: Usage,
}
