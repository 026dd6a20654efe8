//! Where symbols of the workspace are declared, used and assigned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SkippedEntry, absent, first, some_count, some_text};
use crate::code::navigate;

/// Entries of each list that is not paged.
const MOST_LISTED: usize = 20;
/// Characters that the text may have beyond the JSON: its words stand in for the names of fields.
const MOST_WORDS: usize = 300;
/// Characters of a line that is shown.
const MOST_SOURCE: usize = 120;

/// code_goto_definition: several where a name means several.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DefinitionsReport {
    pub definitions: Vec<DefinitionEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_definitions: Option<usize>,
    /// Projects, assemblies and folders of the workspace that were not searched.
    #[serde(default, skip_serializing_if = "absent")]
    pub skipped: Vec<SkippedEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_skipped: Option<usize>,
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
    #[serde(skip_serializing_if = "absent")]
    pub more_overloads: Option<usize>,
    /// Uses in all, on this page or not; those of one kind on a line are one entry.
    pub count: u64,
    #[serde(default, skip_serializing_if = "absent")]
    pub files: Vec<FileUsages>,
    /// There are more: pass it as `start`.
    #[serde(skip_serializing_if = "absent")]
    pub next_start: Option<u64>,
    /// Files that changed since they were compiled: their lines may be off, and new code is missing.
    #[serde(default, skip_serializing_if = "absent")]
    pub changed_files: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub more_changed_files: Option<usize>,
    /// Uses whose lines are not known.
    #[serde(default, skip_serializing_if = "absent")]
    pub without_lines: Vec<AssemblyUsages>,
    #[serde(skip_serializing_if = "absent")]
    pub more_without_lines: Option<usize>,
    /// Places that use a member of that name through `dynamic`, not counted: possibly this one.
    #[serde(default, skip_serializing_if = "absent")]
    pub through_dynamic: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub more_through_dynamic: Option<usize>,
    /// Projects, assemblies and folders of the workspace that were not searched.
    #[serde(default, skip_serializing_if = "absent")]
    pub skipped: Vec<SkippedEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_skipped: Option<usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileUsages {
    pub file: String,
    pub usages: Vec<UsageEntry>,
}

/// A use, or several of one kind on a line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageEntry {
    pub line: u32,
    /// Of several on the line.
    #[serde(default, skip_serializing_if = "absent")]
    pub columns: Vec<u32>,
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["read", "write", "call", "new", "typeof", "override", "implements", "mention"]))]
    pub kind: Option<String>,
    /// Of an assignment.
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["simple", "compound", "increment", "out", "ref", "initializer"]))]
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

impl DefinitionsReport {
    /// `omitted` was not looked through.
    pub fn new(found: navigate::Definitions, omitted: Skipped) -> Self {
        let (skipped, more_skipped) = omitted;
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
            skipped,
            more_skipped,
        }
    }
}

/// As [`SkippedEntry::first`] gives it.
type Skipped = (Vec<SkippedEntry>, Option<usize>);

/// Which entries an answer holds: up to `most` from number `start` on, fewer where its JSON would be longer than `most_chars`.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub start: usize,
    pub most: usize,
    pub most_chars: usize,
}

impl UsagesReport {
    /// A page of uses; with their forms instead of their kinds where they are all writes. `omitted` was not looked through.
    pub fn page(mut found: navigate::Found, omitted: Skipped, page: Page, as_assignments: bool) -> Self {
        let (count, entries) = (found.count(), found.entries());
        found.page(page.start, page.most);
        let mut symbols = found.symbols.into_iter();
        let symbol = symbols.next().unwrap_or_default();
        let (overloads, more_overloads) = first(symbols.collect(), MOST_LISTED);
        let (changed_files, more_changed_files) = first(found.stale, MOST_LISTED);
        let unlocated = found.unlocated.0.into_iter();
        let unlocated = unlocated.map(|(assembly, count)| AssemblyUsages { assembly, count: count as u64 });
        let (without_lines, more_without_lines) = first(unlocated.collect(), MOST_LISTED);
        let (through_dynamic, more_through_dynamic) = first(found.through_dynamic, MOST_LISTED);
        let (skipped, more_skipped) = omitted;
        let mut report = Self {
            symbol,
            overloads,
            more_overloads,
            count: count as u64,
            changed_files,
            more_changed_files,
            without_lines,
            more_without_lines,
            through_dynamic,
            more_through_dynamic,
            skipped,
            more_skipped,
            ..Self::default()
        };
        let end = page.start + report.fill(found.files, page.most_chars, as_assignments);
        report.next_start = (end < entries).then_some(end as u64);
        report
    }

    /// Takes entries as long as all fits, but one at least: without it no next page would come further. How many it took.
    fn fill(&mut self, files: Vec<navigate::FileUsages>, most_chars: usize, as_assignments: bool) -> usize {
        let mut left = most_chars.saturating_sub(MOST_WORDS + length(self));
        let mut taken = 0;
        for file in files {
            let mut kept = FileUsages { file: file.file, usages: Vec::new() };
            let head = length(&kept);
            for usage in file.usages {
                let usage = UsageEntry::new(usage, as_assignments);
                let needed = length(&usage) + if kept.usages.is_empty() { head } else { 0 };
                if needed > left && taken > 0 {
                    self.files.extend(Some(kept).filter(|kept| !kept.usages.is_empty()));
                    return taken;
                }
                left = left.saturating_sub(needed);
                taken += 1;
                kept.usages.push(usage);
            }
            self.files.push(kept);
        }
        taken
    }
}

/// Of its JSON and a comma, in bytes.
fn length(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |json| json.len() + 1)
}

impl UsageEntry {
    fn new(usage: navigate::Usage, as_assignment: bool) -> Self {
        let function = usage.function.map(|function| match usage.function_kind {
            Some(kind) => format!("{kind} {function}"),
            None => function,
        });
        let columns = match usage.more_columns.is_empty() {
            true => Vec::new(),
            false => std::iter::once(usage.column).chain(usage.more_columns).collect(),
        };
        Self {
            line: usage.line,
            columns,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_not_paged_are_bounded_and_counted() {
        let names = |what: &str| (0..3_000).map(|number| format!("{what}{number}")).collect::<Vec<_>>();
        let unlocated = navigate::Unlocated(names("Lib").into_iter().map(|name| (name, 1)).collect());
        let found = navigate::Found { symbols: names("M"), stale: names("f"), unlocated, ..Default::default() };
        let page = Page { start: 0, most: 50, most_chars: 50_000 };
        let report = UsagesReport::page(found, Default::default(), page, false);
        assert_eq!((report.overloads.len(), report.more_overloads), (20, Some(2_979)));
        assert_eq!((report.changed_files.len(), report.more_changed_files), (20, Some(2_980)));
        assert_eq!((report.without_lines.len(), report.more_without_lines), (20, Some(2_980)));
    }
}
