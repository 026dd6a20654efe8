//! Sequence points: which source each stretch of IL came from.

use super::Pdb;
use crate::bytes::Reader;
use crate::error::Flaw;
use crate::schema::{Table, col};
use crate::tokens::{DocumentId, MethodId};

/// Lines and columns count from 1; the end column is behind the last character. A hidden point has zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequencePoint {
    pub il_offset: u32,
    pub document: DocumentId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Generated code that no line stands for.
    pub is_hidden: bool,
}

/// Decodes the points of one method as it goes; ends after the first flaw.
pub struct SequencePoints<'a> {
    blob: Reader<'a>,
    method: MethodId,
    document: u32,
    il_offset: u32,
    /// Line and column of the last visible point.
    previous: Option<(u32, u32)>,
    is_first: bool,
}

impl Pdb {
    /// The points of a method in the order of their IL offsets; empty without a body or where damaged.
    pub fn sequence_points(&self, method: MethodId) -> Vec<SequencePoint> {
        let points = self.try_sequence_points(method).into_iter().flatten();
        points.map_while(Result::ok).collect()
    }

    pub fn try_sequence_points(&self, method: MethodId) -> Result<SequencePoints<'_>, Flaw> {
        let row = method.row();
        let mut document = self.metadata.cell(row, col::MethodDebugInformation::Document)?;
        let mut blob = self.metadata.blob(row, col::MethodDebugInformation::SequencePoints)?;
        if !blob.is_empty() {
            // The header: the signature of the locals, and the first document if there are several.
            blob.compressed()?;
            if document == 0 {
                document = blob.compressed()?;
            }
        }
        Ok(SequencePoints { blob, method, document, il_offset: 0, previous: None, is_first: true })
    }

    /// The point whose code an IL offset lies in: the last visible one at or before it.
    pub fn point_at(&self, method: MethodId, il_offset: u32) -> Option<SequencePoint> {
        let points = self.try_sequence_points(method).ok()?.map_while(Result::ok);
        points.take_while(|point| point.il_offset <= il_offset).filter(|point| !point.is_hidden).last()
    }
}

impl SequencePoints<'_> {
    fn read(&mut self) -> Result<SequencePoint, Flaw> {
        let overflow = self.blob.flaw("a sequence point is out of range");
        let mut delta = self.blob.compressed()?;
        while delta == 0 && !self.is_first {
            // A document record.
            self.document = self.blob.compressed()?;
            delta = self.blob.compressed()?;
        }
        self.is_first = false;
        self.il_offset = self.il_offset.checked_add(delta).ok_or(overflow)?;
        let lines = self.blob.compressed()?;
        let columns = match lines {
            0 => i64::from(self.blob.compressed()?),
            _ => i64::from(self.blob.compressed_signed()?),
        };
        let point = SequencePoint {
            il_offset: self.il_offset,
            document: DocumentId(self.document),
            line: 0,
            column: 0,
            end_line: 0,
            end_column: 0,
            is_hidden: true,
        };
        if lines == 0 && columns == 0 {
            return Ok(point);
        }
        let (line, column) = match self.previous {
            None => (self.blob.compressed()?, self.blob.compressed()?),
            Some((line, column)) => (
                line.checked_add_signed(self.blob.compressed_signed()?).ok_or(overflow)?,
                column.checked_add_signed(self.blob.compressed_signed()?).ok_or(overflow)?,
            ),
        };
        self.previous = Some((line, column));
        Ok(SequencePoint {
            line,
            column,
            end_line: line.checked_add(lines).ok_or(overflow)?,
            end_column: u32::try_from(i64::from(column) + columns).map_err(|_| overflow)?,
            is_hidden: false,
            ..point
        })
    }
}

impl Iterator for SequencePoints<'_> {
    type Item = Result<SequencePoint, Flaw>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.blob.is_empty() {
            return None;
        }
        let point = self.read();
        if point.is_err() {
            self.blob = Reader::new(&[], 0);
        }
        Some(point.map_err(|flaw| flaw.in_row(Table::MethodDebugInformation, self.method.row())))
    }
}
