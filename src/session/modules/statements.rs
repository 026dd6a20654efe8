//! Statements of a source line: where on the line a breakpoint is, and where a method begins and ends.

use clr_metadata::{DocumentId, MethodId, Pdb, SequencePoint};

/// What symbols say of the statement at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Statement {
    /// A breakpoint on its line is there, not at another statement of the line.
    pub takes_breakpoints: bool,
    /// The first of its method.
    pub is_first: bool,
    /// The last of its method.
    pub is_last: bool,
}

impl Statement {
    /// The statement of `document` that begins there.
    pub(super) fn find(pdb: &Pdb, document: DocumentId, line: u32, column: u32) -> Option<Self> {
        let methods: Vec<Vec<SequencePoint>> =
            pdb.line_to_methods(document, line).into_iter().map(|(method, _)| visible(pdb, document, method)).collect();
        let begins = |point: &&SequencePoint| (point.line, point.column) == (line, column);
        let (points, point) = methods.iter().find_map(|points| Some((points, points.iter().find(begins)?)))?;
        let end = |point: &SequencePoint| (point.end_line, point.end_column);
        // of several statements that begin on the line an adapter takes the one that ends first (netcoredbg, SymbolReader.cs,
        // ResolveBreakPoints; dncdbg does the same)
        let first = points.iter().filter(|other| other.line == line).map(end).min();
        // a lambda within a statement of the line has no breakpoint of its own
        let encloses = |other: &SequencePoint| {
            other.line == line && (other.line, other.column) < (line, column) && end(other) > end(point)
        };
        let is_nested = methods.iter().filter(|other| !std::ptr::eq(*other, points)).flatten().any(encloses);
        Some(Self {
            takes_breakpoints: first == Some(end(point)) && !is_nested,
            is_first: points.first().is_some_and(|first| first.il_offset == point.il_offset),
            is_last: points.iter().map(end).max() == Some(end(point)),
        })
    }
}

/// Source between a statement and the one whose code comes next. Lines and columns count from 1; `end` is where the next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    pub start: (u32, u32),
    pub end: (u32, u32),
}

impl Gap {
    /// Behind the statement of `document` that begins there.
    pub(super) fn find(pdb: &Pdb, document: DocumentId, line: u32, column: u32) -> Option<Self> {
        let methods = pdb.line_to_methods(document, line).into_iter();
        let mut all = methods.map(|(method, _)| visible(pdb, document, method));
        all.find_map(|points| {
            let at = points.iter().position(|point| (point.line, point.column) == (line, column))?;
            let (point, next) = (points.get(at)?, points.get(at + 1)?);
            let gap = Self { start: (point.end_line, point.end_column), end: (next.line, next.column) };
            (gap.start < gap.end).then_some(gap)
        })
    }
}

/// The points of a method that a line stands for, by IL offset.
fn visible(pdb: &Pdb, document: DocumentId, method: MethodId) -> Vec<SequencePoint> {
    let points = pdb.sequence_points(method).into_iter();
    points.filter(|point| !point.is_hidden && point.document == document).collect()
}
