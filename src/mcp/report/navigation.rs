//! Where symbols of the workspace are declared, used and assigned.

use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

use super::{absent, some_count, some_text};
use crate::code::navigate;

/// Characters of a line that is shown.
const MOST_SOURCE: usize = 120;

/// code_goto_definition: several where a name means several.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionsReport {
    pub definitions: Vec<DefinitionEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_definitions: Option<usize>,
}

/// A declaration; without a source, what it is and where from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionEntry {
    pub symbol: String,
    /// None of a local variable or parameter.
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["type", "method", "constructor", "property", "indexer", "event", "field", "constant"]))]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub assembly: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub signature: Option<String>,
}

/// code_find_usages and code_find_assignments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsagesReport {
    /// What was asked about; of several overloads, the first.
    pub symbol: String,
    /// Asked about with it.
    #[serde(default, skip_serializing_if = "absent")]
    pub overloads: Vec<String>,
    /// All, on this page or not.
    pub count: u64,
    #[serde(default, skip_serializing_if = "absent")]
    pub files: Vec<FileUsages>,
    /// There are more: give it as `start`.
    #[serde(skip_serializing_if = "absent")]
    pub next_start: Option<u64>,
    /// Files that changed since they were compiled: their lines may be off.
    #[serde(default, skip_serializing_if = "absent")]
    pub changed_files: Vec<String>,
    /// Uses whose lines are not known.
    #[serde(default, skip_serializing_if = "absent")]
    pub without_lines: Vec<AssemblyUsages>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileUsages {
    pub file: String,
    pub usages: Vec<UsageEntry>,
}

/// One use.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageEntry {
    pub line: u32,
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["read", "write", "call", "new", "typeof", "override", "implements", "mention"]))]
    pub kind: Option<String>,
    /// Of an assignment.
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["simple", "compound", "increment", "out", "ref", "initialiser"]))]
    pub form: Option<String>,
    #[serde(rename = "in", skip_serializing_if = "absent")]
    pub inside: Option<String>,
    /// The member that the code names; the symbol overrides or implements it.
    #[serde(skip_serializing_if = "absent")]
    pub via: Option<String>,
    /// `syntax`: found by the name alone, not by what the compiler made of it.
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["syntax"]))]
    pub from: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub source: Option<String>,
}

/// An assembly without symbols, and how many of its instructions use the symbol.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssemblyUsages {
    pub assembly: String,
    pub count: u64,
}

impl From<navigate::Definitions> for DefinitionsReport {
    fn from(found: navigate::Definitions) -> Self {
        let entry = |it: navigate::Definition| {
            let (file, line) = it.place.map(|(file, line, _)| (file, line)).unzip();
            DefinitionEntry {
                symbol: it.symbol,
                kind: it.kind.map(|kind| kind.as_str().into()),
                file,
                line,
                source: some_text(cut(it.source)),
                assembly: it.assembly,
                signature: it.signature,
            }
        };
        Self {
            definitions: found.definitions.into_iter().map(entry).collect(),
            more_definitions: some_count(found.more),
        }
    }
}

impl UsagesReport {
    /// Up to `most` uses from number `start` on; with their forms instead of their kinds where they are all writes.
    pub fn page(mut found: navigate::Found, start: usize, most: usize, as_assignments: bool) -> Self {
        let count = found.count();
        found.page(start, most);
        let end = start.saturating_add(found.count());
        let file = |it: navigate::FileUsages| FileUsages {
            file: it.file,
            usages: it.usages.into_iter().map(|usage| UsageEntry::new(usage, as_assignments)).collect(),
        };
        let unlocated = found.unlocated.0.into_iter();
        let mut symbols = found.symbols.into_iter();
        Self {
            symbol: symbols.next().unwrap_or_default(),
            overloads: symbols.collect(),
            count: count as u64,
            files: found.files.into_iter().map(file).collect(),
            next_start: (end < count).then_some(end as u64),
            changed_files: found.stale,
            without_lines: unlocated
                .map(|(assembly, count)| AssemblyUsages { assembly, count: count as u64 })
                .collect(),
        }
    }
}

impl UsageEntry {
    fn new(usage: navigate::Usage, as_assignment: bool) -> Self {
        let function = usage.function.map(|function| match usage.function_kind {
            Some(kind) => format!("{kind} {function}"),
            None => function,
        });
        Self {
            line: usage.line,
            kind: (!as_assignment).then(|| usage.kind.as_str().into()),
            form: usage.form.filter(|_| as_assignment).map(|form| form.as_str().into()),
            inside: function,
            via: usage.via,
            from: usage.from_syntax.then(|| "syntax".into()),
            source: some_text(cut(usage.source)),
        }
    }
}

fn cut(mut source: String) -> String {
    if let Some((end, _)) = source.char_indices().nth(MOST_SOURCE) {
        source.truncate(end);
        source.push('…');
    }
    source
}
