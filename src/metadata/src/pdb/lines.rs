//! From lines to code: built once per PDB, at the first question.

use std::collections::HashMap;

use super::Pdb;
use super::points::SequencePoint;
use crate::schema::Table;
use crate::tokens::{DocumentId, MethodId};

/// Per document, sorted by line, method, offset.
#[derive(Debug, Default)]
pub(super) struct LineIndex(HashMap<DocumentId, DocumentLines>);

#[derive(Debug, Default)]
struct DocumentLines {
    lines: Vec<u32>,
    code: Vec<LineCode>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LineCode {
    line: u32,
    method: MethodId,
    il_offset: u32,
    end_line: u32,
}

impl LineIndex {
    fn build(pdb: &Pdb) -> Self {
        let mut documents: HashMap<DocumentId, DocumentLines> = HashMap::new();
        // A point takes at least three bytes: only rows that share a blob could have more points than the heap has bytes.
        let mut left = pdb.metadata.streams.blobs.len();
        for row in pdb.metadata.rows(Table::MethodDebugInformation) {
            let method = MethodId(row);
            let points = pdb.try_sequence_points(method).into_iter().flatten().map_while(Result::ok);
            for point in points {
                let Some(fewer) = left.checked_sub(1) else {
                    break;
                };
                left = fewer;
                if point.is_hidden {
                    continue;
                }

                documents.entry(point.document).or_default().code.push(LineCode {
                    line: point.line,
                    method,
                    il_offset: point.il_offset,
                    end_line: point.end_line,
                });
            }
        }
        for lines in documents.values_mut() {
            lines.code.sort_unstable();
            lines.lines = lines.code.iter().map(|code| code.line).collect();
            lines.lines.dedup();
        }
        Self(documents)
    }
}

impl Pdb {
    fn lines_of(&self, document: DocumentId) -> Option<&DocumentLines> {
        self.lines.get_or_init(|| LineIndex::build(self)).0.get(&document)
    }

    /// Lines on which a statement begins, sorted, without repeats.
    pub fn executable_lines(&self, document: DocumentId) -> &[u32] {
        self.lines_of(document).map_or(&[], |lines| &lines.lines)
    }

    /// The up to `n` executable lines that are nearest to a line, sorted by line; of two that are equally near, the later one.
    pub fn nearest_lines(&self, document: DocumentId, line: u32, n: usize) -> Vec<u32> {
        let mut nearest = self.executable_lines(document).to_vec();
        nearest.sort_by_key(|&candidate| (candidate.abs_diff(line), candidate < line));
        nearest.truncate(n);
        nearest.sort_unstable();
        nearest
    }

    /// The code of a line: each method with a statement that begins there, and the IL offset of its first one.
    pub fn line_to_methods(&self, document: DocumentId, line: u32) -> Vec<(MethodId, u32)> {
        let Some(lines) = self.lines_of(document) else {
            return Vec::new();
        };
        let start = lines.code.partition_point(|code| code.line < line);
        let on_line = lines.code.iter().skip(start).take_while(|code| code.line == line);
        let mut found: Vec<(MethodId, u32)> = on_line.map(|code| (code.method, code.il_offset)).collect();
        found.dedup_by_key(|found| found.0);
        found
    }

    /// Where a breakpoint on a line is: there, at the begin of the innermost statement that covers it, or on the next line with code.
    pub fn breakpoint_line(&self, document: DocumentId, line: u32) -> Option<u32> {
        let lines = self.executable_lines(document);
        if lines.binary_search(&line).is_ok() {
            return Some(line);
        }
        let methods = self.methods_at(document, line).into_iter();
        let points = methods.flat_map(|method| self.sequence_points(method).into_iter().map(move |it| (method, it)));
        let covers = |point: &SequencePoint| {
            !point.is_hidden && point.document == document && (point.line..=point.end_line).contains(&line)
        };
        let covering = points.filter(|(_, point)| covers(point)).max_by_key(|(_, point)| (point.line, point.column));
        // between the statements of a lambda the next one of the lambda is meant
        let own = covering.filter(|(method, point)| !self.is_in_nested_method(document, line, (*method, point)));
        own.map(|(_, point)| point.line).or_else(|| lines.get(lines.partition_point(|&other| other < line)).copied())
    }

    /// Whether a line lies within a method whose statements all lie in a statement of `outer`: a lambda, or a local function.
    fn is_in_nested_method(
        &self,
        document: DocumentId,
        line: u32,
        (outer, statement): (MethodId, &SequencePoint),
    ) -> bool {
        let code = self.lines_of(document).map_or(&[][..], |lines| &lines.code);
        let mut spans: HashMap<MethodId, (u32, u32)> = HashMap::new();
        for code in code.iter().filter(|code| code.method != outer) {
            let (start, end) = spans.entry(code.method).or_insert((code.line, code.end_line));
            (*start, *end) = ((*start).min(code.line), (*end).max(code.end_line));
        }
        let within = statement.line..=statement.end_line;
        let mut spans = spans.into_values();
        spans.any(|(start, end)| within.contains(&start) && within.contains(&end) && (start..=end).contains(&line))
    }

    /// The methods with a statement that covers a line.
    pub fn methods_at(&self, document: DocumentId, line: u32) -> Vec<MethodId> {
        let code = self.lines_of(document).map_or(&[][..], |lines| &lines.code);
        let covering = code.iter().take_while(|code| code.line <= line).filter(|code| code.end_line >= line);
        let mut methods: Vec<MethodId> = covering.map(|code| code.method).collect();
        methods.sort_unstable();
        methods.dedup();
        methods
    }
}
