//! Between code and source, across the assembly and its PDB: the seam for what debugs without an adapter's help.
//!
//! From a line to code (`line_to_methods`), from code to a line (`il_to_line`), and the variables that hold there
//! (`variables_at`). Lines count from 1; IL offsets are bytes from the start of the method's code, as `ICorDebug` counts them.

use super::assembly::Assembly;
use super::pdb::SequencePoint;
use super::tokens::{DocumentId, MethodId};

impl Assembly {
    /// The code of a line: each method with a statement that begins there, and the IL offset of its first one. These are the
    /// methods as compiled (`MoveNext`, lambdas); several where a line holds lambdas.
    pub fn line_to_methods(&self, document: DocumentId, line: u32) -> Vec<(MethodId, u32)> {
        self.pdb().map(|pdb| pdb.line_to_methods(document, line)).unwrap_or_default()
    }

    /// The source of an IL offset: the last visible point at or before it. `None` before the first one, and without symbols.
    pub fn il_to_line(&self, method: MethodId, il_offset: u32) -> Option<SequencePoint> {
        self.pdb()?.point_at(method, il_offset)
    }

    /// The first visible point of a method as written: of an async method or an iterator, that of its `MoveNext`.
    pub fn first_point(&self, method: MethodId) -> Option<SequencePoint> {
        let pdb = self.pdb()?;
        let code = pdb.move_next_of(method).unwrap_or(method);
        let mut points = pdb.try_sequence_points(code).ok()?.map_while(Result::ok);
        points.find(|point| !point.is_hidden)
    }

    /// Document and line of `first_point`: with `entry_point`, where a program stops at its entry.
    pub fn first_sequence_point(&self, method: MethodId) -> Option<(DocumentId, u32)> {
        self.first_point(method).map(|point| (point.document, point.line))
    }
}
