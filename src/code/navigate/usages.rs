//! All uses of a symbol: those in IL, with the syntax of its statements, and those only in syntax.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use super::binding::{Binding, Scope};
use super::located::Wanted;
use super::statement_matches::{candidates, usages_in};
use super::symbol::{Symbol, SymbolKind, bare_path};
use super::syntax::Form;
use super::turns::Turns;
use super::{Address, NavigateError, Navigator, Target};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsageKind {
    Read,
    Write,
    Call,
    New,
    TypeOf,
    Override,
    /// Also: derives from a class.
    Implements,
    /// Only named: `nameof`, a comment, a type in a declaration.
    Mention,
}

impl UsageKind {
    pub const ALL: [Self; 8] =
        [Self::Read, Self::Write, Self::Call, Self::New, Self::TypeOf, Self::Override, Self::Implements, Self::Mention];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Call => "call",
            Self::New => "new",
            Self::TypeOf => "typeof",
            Self::Override => "override",
            Self::Implements => "implements",
            Self::Mention => "mention",
        }
    }
}

/// A use, or several of one kind and form on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub line: u32,
    /// In UTF-16 units from 1; that of the statement where the name does not stand in it.
    pub column: u32,
    /// Those of the others on the line.
    pub more_columns: Vec<u32>,
    pub kind: UsageKind,
    /// Of a write.
    pub form: Option<Form>,
    /// `Type.Method` around it.
    pub function: Option<String>,
    /// `async`, `lambda`, …
    pub function_kind: Option<String>,
    /// The member that the code names, where that is one which the symbol overrides or implements.
    pub via: Option<String>,
    /// Found by its name alone, without the compiler's word.
    pub from_syntax: bool,
    /// The line, trimmed.
    pub source: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUsages {
    /// Relative to the root.
    pub file: String,
    pub usages: Vec<Usage>,
}

/// Uses in assemblies without symbols: how many instructions, by assembly.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unlocated(pub BTreeMap<String, usize>);

impl Unlocated {
    pub(super) fn add(&mut self, assembly: &str, count: usize) {
        *self.0.entry(assembly.to_owned()).or_default() += count;
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// What was asked about; several overloads where the name told none.
    pub symbols: Vec<String>,
    /// In the order of the sources.
    pub files: Vec<FileUsages>,
    /// Files with the symbol's name that changed since they were compiled: lines may be off, new code is missing.
    pub stale: Vec<String>,
    pub unlocated: Unlocated,
}

impl Found {
    pub fn count(&self) -> usize {
        self.files.iter().map(|file| file.usages.len()).sum()
    }

    /// Skips `start` uses and keeps up to `most`.
    pub fn page(&mut self, start: usize, most: usize) {
        let (mut skip, mut left) = (start, most);
        for file in &mut self.files {
            let skipped = skip.min(file.usages.len());
            file.usages.drain(..skipped);
            skip -= skipped;
            file.usages.truncate(left);
            left -= file.usages.len();
        }
        self.files.retain(|file| !file.usages.is_empty());
    }
}

impl Navigator {
    /// # Errors
    /// Those of the address, and [`NavigateError::InvalidArgument`] where a name means several symbols.
    pub fn usages(&self, address: &Address, kind: Option<UsageKind>) -> Result<Found, NavigateError> {
        let mut found = match self.one_target(address)? {
            Target::Local(local) => self.usages_of_local(&local),
            Target::Symbols(symbols) => self.usages_of(&symbols),
        };
        for file in &mut found.files {
            file.usages.retain(|usage| kind.is_none_or(|kind| kind == usage.kind));
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
        let binding = LazyCell::new(|| Binding::of(self, first));
        let turns = Turns::of(self, first);
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
            let mut candidates = candidates(&syntax, first);
            if first.kind == SymbolKind::Type {
                candidates.retain(|it| scope.is_type(it.node, it.role, first));
            }
            let mut taken = BTreeSet::new();
            for statement in &of_il {
                usages_in(&syntax, statement, (first, &turns), &candidates, &mut taken, &mut usages);
            }
            self.add_syntactic(&scope, (&context, first), &taken, &mut usages, &mut heirs);
            files.insert(file, usages);
        }
        for StandInPlace { file, type_path, usage } in stand_ins {
            // Where an heir names it, that is told.
            if !heirs.contains(&type_path) {
                files.entry(file).or_default().push(usage);
            }
        }
        files.retain(|_, usages| !usages.is_empty());
        let shown = |(file, usages)| FileUsages { file: self.files.shown(file), usages: in_order(usages) };
        let files = files.into_iter().map(shown).collect();
        let symbols = symbols.iter().map(|symbol| symbol.display.clone()).collect();
        Found { symbols, files, stale, unlocated }
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

/// By line and column; those of one kind and form on a line are one.
pub(super) fn in_order(mut usages: Vec<Usage>) -> Vec<Usage> {
    // Of two that say the same, what the compiler says goes first.
    usages.sort_by_key(|it| (it.line, it.column, it.from_syntax, it.kind));
    let mut merged: Vec<Usage> = Vec::new();
    for usage in usages {
        let same = |it: &&mut Usage| (it.kind, it.form, &it.via) == (usage.kind, usage.form, &usage.via);
        let on_line = merged.iter_mut().rev().take_while(|it| it.line == usage.line);
        match on_line.into_iter().find(same) {
            Some(first) if first.column == usage.column || first.more_columns.last() == Some(&usage.column) => {}
            Some(first) => first.more_columns.push(usage.column),
            None => merged.push(usage),
        }
    }
    merged
}
