//! A use of a symbol, as an answer shows it.

use std::collections::BTreeMap;

use super::syntax::Form;

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

/// A use, or several of one kind and form in one function's part of a line.
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
    /// What was asked about; several overloads where the name selects none.
    pub symbols: Vec<String>,
    /// In the order of the sources.
    pub files: Vec<FileUsages>,
    /// Files with the symbol's name that changed since they were compiled: lines may be off, new code is missing.
    pub stale: Vec<String>,
    pub unlocated: Unlocated,
    /// Places that use a member of that name through `dynamic`, `File.cs:12`: whether it is this one the run decides.
    pub through_dynamic: Vec<String>,
}

impl Found {
    /// Uses: several may be one entry.
    pub fn count(&self) -> usize {
        self.files.iter().flat_map(|file| &file.usages).map(|usage| 1 + usage.more_columns.len()).sum()
    }

    pub fn entries(&self) -> usize {
        self.files.iter().map(|file| file.usages.len()).sum()
    }

    /// Skips `start` entries and keeps up to `most`.
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

/// By line and column; those of one kind and form in one function's part of a line are one.
pub(super) fn in_order(mut usages: Vec<Usage>) -> Vec<Usage> {
    // Of two that say the same, what the compiler says goes first.
    usages.sort_by_key(|it| (it.line, it.column, it.from_syntax, it.kind));
    let mut merged: Vec<Usage> = Vec::new();
    for usage in usages {
        let said = |it: &Usage| (it.kind, it.form, it.via.clone(), it.function.clone(), it.function_kind.clone());
        let is_same = said(&usage);
        let same = |it: &&mut Usage| said(it) == is_same;
        let on_line = merged.iter_mut().rev().take_while(|it| it.line == usage.line);
        match on_line.into_iter().find(same) {
            Some(first) if first.column == usage.column || first.more_columns.last() == Some(&usage.column) => {}
            Some(first) => first.more_columns.push(usage.column),
            None => merged.push(usage),
        }
    }
    merged
}
