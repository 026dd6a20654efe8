//! All uses of a symbol: what IL tells, with the syntax of its statements, and what only the syntax tells.

use std::collections::{BTreeMap, BTreeSet};

use super::located::{Does, Statement, Wanted};
use super::symbol::{Symbol, SymbolKind};
use super::syntax::{Form, NodeId, Occurrence, Role, Syntax};
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

/// One use: of several of one kind and form on a line, the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub line: u32,
    /// In UTF-16 units from 1; that of the statement where the name does not stand in it.
    pub column: u32,
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
    /// Files that changed since they were compiled: lines may be off.
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
        let (mut statements, stale) = self.statements(&wanted, &mut unlocated);
        let stand_ins = self.stand_in_places(symbols);
        let Some(first) = symbols.first() else { return Found::default() };
        let context = self.context(first);
        let mut files = Vec::new();
        for file in 0..self.files.count() {
            let of_il = statements.remove(&file).unwrap_or_default();
            let heirs: Vec<&Usage> = stand_ins.iter().filter(|(at, _)| *at == file).map(|(_, usage)| usage).collect();
            let is_named = || self.files.holds(file, &first.simple);
            if of_il.is_empty() && heirs.is_empty() && !is_named() {
                continue;
            }
            let Some(syntax) = self.files.syntax(file) else { continue };
            let mut usages: Vec<Usage> = heirs.into_iter().cloned().collect();
            let candidates = candidates(&syntax, first);
            let mut taken = BTreeSet::new();
            for statement in &of_il {
                usages_in(&syntax, statement, first, &candidates, &mut taken, &mut usages);
            }
            self.add_syntactic(&syntax, &context, &taken, &mut usages);
            if !usages.is_empty() {
                files.push(FileUsages { file: self.files.shown(file), usages: in_order(usages) });
            }
        }
        let symbols = symbols.iter().map(|symbol| symbol.display.clone()).collect();
        Found { symbols, files, stale: stale.into_iter().map(|file| self.files.shown(file)).collect(), unlocated }
    }

    /// Overriding and implementing members, and deriving types, where they are declared.
    fn stand_in_places(&self, symbols: &[Symbol]) -> Vec<(usize, Usage)> {
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
                        kind,
                        form: None,
                        function: Some(heir.short_name()),
                        function_kind: None,
                        via: None,
                        from_syntax: false,
                        source: place.source,
                    };
                    if !found.contains(&(place.file, usage.clone())) {
                        found.push((place.file, usage));
                    }
                }
            }
        }
        found
    }
}

/// Where the text could mean the symbol.
fn candidates(syntax: &Syntax, symbol: &Symbol) -> Vec<Occurrence> {
    match symbol.kind {
        SymbolKind::Constructor => syntax.creations(&symbol.simple),
        SymbolKind::Indexer => syntax.element_accesses(),
        _ => syntax.occurrences(&symbol.simple),
    }
}

/// The uses of one statement: every name in it that does what the instructions do, else the statement itself.
fn usages_in(
    syntax: &Syntax,
    statement: &Statement,
    symbol: &Symbol,
    candidates: &[Occurrence],
    taken: &mut BTreeSet<NodeId>,
    usages: &mut Vec<Usage>,
) {
    let point = statement.point;
    let span = syntax.byte_at(point.line, point.column).zip(syntax.byte_at(point.end_line, point.end_column));
    let Some((start, end)) = span else { return };
    let mut is_found = false;
    for candidate in candidates {
        let range = syntax.range(candidate.node);
        if range.start < start || range.end > end || is_in_lambda(syntax, candidate.node, start, end) {
            continue;
        }
        let Some((kind, form)) = agreed(symbol.kind, candidate.role, statement.does) else { continue };
        is_found = true;
        taken.insert(candidate.node);
        let (line, column) = syntax.position(range.start);
        usages.push(usage(syntax, statement, (line, column), kind, form));
    }
    if is_found {
        return;
    }
    // Not named there: `foreach`, a collection's initialiser, the value of a property's declaration.
    let declared = declared_around(syntax, start..end);
    if declared == Some("record_declaration") {
        // The record's own parameter: its declaration.
        return;
    }
    let at = (point.line, point.column);
    let does = statement.does;
    let form = match declared {
        Some(_) => Form::Initialiser,
        None if does.out => Form::Out,
        None if does.read => Form::Compound,
        None if does.by_ref => Form::Ref,
        None => Form::Simple,
    };
    for (is, kind, form) in [
        (does.read && !does.write, UsageKind::Read, None),
        (does.write || does.out || does.by_ref, UsageKind::Write, Some(form)),
        (does.call, UsageKind::Call, None),
        (does.new, UsageKind::New, None),
        (does.token, UsageKind::TypeOf, None),
    ] {
        if is {
            usages.push(usage(syntax, statement, at, kind, form));
        }
    }
}

/// What a name's place in the text says, where the instructions agree.
fn agreed(symbol: SymbolKind, role: Role, does: Does) -> Option<(UsageKind, Option<Form>)> {
    let writes = does.write || does.out || does.by_ref;
    let (kind, form, is) = match (symbol, role) {
        (_, Role::NameOf | Role::Declaration | Role::ArgumentName) => return None,
        (SymbolKind::Constructor, Role::New) => (UsageKind::New, None, does.new),
        (SymbolKind::Constructor, _) => (UsageKind::Call, None, does.call),
        (SymbolKind::Type, Role::TypeOf) => (UsageKind::TypeOf, None, does.token),
        (SymbolKind::Type, Role::New) => (UsageKind::New, None, does.new),
        (SymbolKind::Type, _) => (UsageKind::Read, None, does.read && role == Role::Read),
        (SymbolKind::Method, Role::Call) => (UsageKind::Call, None, does.call),
        (SymbolKind::Method, _) => (UsageKind::Read, None, does.read || does.token),
        (_, Role::Write(form)) => (UsageKind::Write, Some(form), writes),
        (_, _) => (UsageKind::Read, None, does.read || does.by_ref || does.token),
    };
    is.then_some((kind, form))
}

fn usage(syntax: &Syntax, statement: &Statement, at: (u32, u32), kind: UsageKind, form: Option<Form>) -> Usage {
    Usage {
        line: at.0,
        column: at.1,
        kind,
        form,
        function: Some(statement.function.clone()),
        function_kind: Some(statement.function_kind.clone()).filter(|kind| !kind.is_empty()),
        via: statement.via.clone(),
        from_syntax: false,
        source: syntax.line(at.0).to_owned(),
    }
}

/// A lambda within the statement has statements of its own.
fn is_in_lambda(syntax: &Syntax, node: NodeId, start: usize, end: usize) -> bool {
    syntax.ancestors(node).any(|around| {
        let range = syntax.range(around);
        let is_lambda = matches!(syntax.kind(around), "lambda_expression" | "anonymous_method_expression");
        is_lambda && range.start >= start && range.end <= end && syntax.range(node).start > range.start
    })
}

/// The declaration whose value a stretch of code is, if it stands in no body.
fn declared_around(syntax: &Syntax, span: std::ops::Range<usize>) -> Option<&'static str> {
    let innermost = syntax.innermost(&span);
    let kinds = std::iter::once(innermost).chain(syntax.ancestors(innermost)).map(|id| syntax.kind(id));
    for kind in kinds {
        match kind {
            "block" | "arrow_expression_clause" | "lambda_expression" | "accessor_list" => return None,
            "field_declaration" | "property_declaration" | "event_field_declaration" => return Some(kind),
            "record_declaration" | "record_struct_declaration" => return Some("record_declaration"),
            _ => {}
        }
    }
    None
}

/// By line and column, one of a kind and form a line.
pub(super) fn in_order(mut usages: Vec<Usage>) -> Vec<Usage> {
    // Of two that say the same, what the compiler says goes first.
    usages.sort_by_key(|it| (it.line, it.column, it.from_syntax, it.kind));
    let mut seen = BTreeSet::new();
    usages.retain(|it| seen.insert((it.line, it.kind, it.form)));
    usages
}
