//! Rows and cells of the metadata tables (ECMA-335 II.24.2.6), for `#~` and `#-` streams, type system and PDB alike.
//!
//! `Metadata` owns the file's bytes and the layout found when it was opened; a row is only its number. Reading a cell is
//! arithmetic and allocates nothing. All row numbers count from 1.

mod layout;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::bytes::Reader;
use super::error::Flaw;
use super::heaps::Streams;
use super::image::Image;
use super::schema::{Coded, Column, Kind, Table};
use super::signatures::Primitive;
use super::tokens::Token;
use layout::{MAX_COLUMNS, Shape, TABLES, lay_out};

/// The integer types of the enums that a file defines, by metadata name.
pub(crate) type EnumTypes = HashMap<String, Primitive>;

pub struct Metadata {
    image: Image,
    pub(crate) streams: Streams,
    shapes: [Shape; TABLES],
    /// Bit n: table n is sorted by its key.
    sorted: u64,
    pub(crate) enums: OnceLock<EnumTypes>,
}

impl Metadata {
    /// `root` is the part of the file that is metadata.
    pub fn parse(image: Image, root: Range<usize>) -> Result<Self, Flaw> {
        let streams = Streams::parse(image.bytes(), root)?;
        let (shapes, sorted) = lay_out(image.bytes(), &streams)?;
        Ok(Self { image, streams, shapes, sorted, enums: OnceLock::new() })
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        self.image.bytes()
    }

    /// Memory that the file takes.
    pub(super) fn read_bytes(&self) -> usize {
        match &self.image {
            Image::Mapped(_) => 0,
            read => read.bytes().len(),
        }
    }

    /// The version text of the metadata root: `v4.0.30319`, `PDB v1.0`.
    pub fn version(&self) -> &str {
        let text = self.bytes().get(self.streams.version.clone()).unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default().trim_end_matches('\0')
    }

    /// The text of a string literal, by its token in IL (0x70xxxxxx).
    pub fn user_string(&self, token: Token) -> Result<String, Flaw> {
        self.streams.user_string(self.bytes(), token.row())
    }

    /// The `#Strings` heap.
    pub(crate) fn names(&self) -> &[u8] {
        self.bytes().get(self.streams.strings.clone()).unwrap_or_default()
    }

    fn shape(&self, table: Table) -> &Shape {
        static NONE: Shape = Shape { start: 0, rows: 0, width: 0, columns: [(0, 0); MAX_COLUMNS] };
        self.shapes.get(table as usize).unwrap_or(&NONE)
    }

    pub fn row_count(&self, table: Table) -> u32 {
        self.shape(table).rows
    }

    pub fn rows(&self, table: Table) -> Range<u32> {
        1..self.row_count(table).saturating_add(1)
    }

    /// The raw value of a cell.
    #[inline]
    pub fn cell<C: Column>(&self, row: u32, column: C) -> Result<u32, Flaw> {
        let shape = self.shape(C::TABLE);
        let index = row.wrapping_sub(1);
        let missing = Flaw::new(shape.start, "no such row").in_row(C::TABLE, row);
        if index >= shape.rows {
            return Err(missing);
        }
        let &(offset, width) = shape.columns.get(column.index()).ok_or(missing)?;
        let at = shape.start + index as usize * shape.width as usize + offset as usize;
        let rest = self.bytes().get(at..).ok_or(missing)?;
        let value = match width {
            2 => rest.first_chunk().map(|bytes| u32::from(u16::from_le_bytes(*bytes))),
            _ => rest.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)),
        };
        value.ok_or(missing)
    }

    pub fn string<C: Column>(&self, row: u32, column: C) -> Result<&str, Flaw> {
        let index = self.cell(row, column)?;
        self.streams.string(self.bytes(), index).map_err(|flaw| flaw.in_row(C::TABLE, row))
    }

    /// Whether a name is `text`; reads no more of it than that.
    pub(crate) fn is_called<C: Column>(&self, row: u32, column: C, text: &str) -> bool {
        self.cell(row, column).is_ok_and(|index| self.streams.is_string(self.bytes(), index, text))
    }

    pub fn blob<C: Column>(&self, row: u32, column: C) -> Result<Reader<'_>, Flaw> {
        let index = self.cell(row, column)?;
        self.streams.blob(self.bytes(), index).map_err(|flaw| flaw.in_row(C::TABLE, row))
    }

    pub fn guid<C: Column>(&self, row: u32, column: C) -> Result<Option<[u8; 16]>, Flaw> {
        let index = self.cell(row, column)?;
        self.streams.guid(self.bytes(), index).map_err(|flaw| flaw.in_row(C::TABLE, row))
    }

    /// The row that a coded index (or a plain one) points to; nil where it is 0.
    pub fn token<C: Column>(&self, row: u32, column: C) -> Result<Token, Flaw> {
        let value = self.cell(row, column)?;
        let flaw =
            || Flaw::new(self.shape(C::TABLE).start, "the tag of a coded index names no table").in_row(C::TABLE, row);
        match C::TABLE.columns().get(column.index()) {
            Some(Kind::Coded(coded)) => decode(*coded, value).ok_or_else(flaw),
            Some(Kind::Row(table) | Kind::List(table)) => Ok(Token::new(*table, value)),
            _ => Err(flaw()),
        }
    }

    /// The rows that `row` owns through a list column: fields of a type, parameters of a method, variables of a scope.
    pub fn list<C: Column>(&self, row: u32, column: C) -> impl Iterator<Item = u32> + '_ {
        let child = match C::TABLE.columns().get(column.index()) {
            Some(Kind::List(child)) => Some(*child),
            _ => None,
        };
        let positions = child.map_or(0..0, |child| self.positions(row, column, child));
        positions.filter_map(move |position| self.through_pointer(child?, position))
    }

    fn positions<C: Column>(&self, row: u32, column: C, child: Table) -> Range<u32> {
        let end = self.row_count(self.listed(child)) + 1;
        let Ok(first) = self.cell(row, column) else {
            return 0..0;
        };
        let next = self.cell(row + 1, column).unwrap_or(end);
        let first = first.max(1);
        first..next.min(end).max(first)
    }

    /// The table that the list columns of `child` count in.
    fn listed(&self, child: Table) -> Table {
        child.pointers().filter(|&pointers| self.row_count(pointers) > 0).unwrap_or(child)
    }

    fn through_pointer(&self, child: Table, position: u32) -> Option<u32> {
        let pointers = self.listed(child);
        if pointers == child {
            return Some(position);
        }
        self.pointer(pointers, position)
    }

    fn pointer(&self, pointers: Table, position: u32) -> Option<u32> {
        use super::schema::col;
        match pointers {
            Table::FieldPtr => self.cell(position, col::FieldPtr::Field),
            Table::MethodPtr => self.cell(position, col::MethodPtr::Method),
            Table::ParamPtr => self.cell(position, col::ParamPtr::Param),
            Table::EventPtr => self.cell(position, col::EventPtr::Event),
            _ => self.cell(position, col::PropertyPtr::Property),
        }
        .ok()
    }

    /// The row whose list contains `child_row`: the type of a field or method.
    pub fn owner<C: Column>(&self, column: C, child_row: u32) -> Option<u32> {
        let Some(Kind::List(child)) = C::TABLE.columns().get(column.index()).copied() else {
            return None;
        };
        let listed = self.listed(child);
        let position = if listed == child {
            child_row
        } else {
            self.rows(listed).find(|&position| self.pointer(listed, position) == Some(child_row))?
        };
        if child_row == 0 || position > self.row_count(listed) {
            return None;
        }
        // The last row that begins at or before it: rows with empty lists begin where their successor does.
        let count = self.lower_bound(C::TABLE, |row| self.cell(row, column).is_ok_and(|first| first <= position));
        (count > 0).then_some(count)
    }

    /// Rows whose key column holds the raw value `value`: by bisection where the table is sorted, else by looking at all.
    pub(crate) fn rows_where<C: Column>(&self, column: C, value: u32) -> impl Iterator<Item = u32> + '_ {
        let table = C::TABLE;
        let sorted = self.sorted >> (table as u8) & 1 == 1;
        let range = if sorted {
            let below = self.lower_bound(table, |row| self.cell(row, column).is_ok_and(|cell| cell < value));
            let through = self.lower_bound(table, |row| self.cell(row, column).is_ok_and(|cell| cell <= value));
            below + 1..through.max(below) + 1
        } else {
            self.rows(table)
        };
        range.filter(move |&row| self.cell(row, column) == Ok(value))
    }

    /// Rows whose coded (or plain) key column points to `token`.
    pub fn rows_of<C: Column>(&self, column: C, token: Token) -> impl Iterator<Item = u32> + '_ {
        let raw = match C::TABLE.columns().get(column.index()) {
            Some(Kind::Coded(coded)) => encode(*coded, token),
            Some(Kind::Row(table)) => token.row_of(*table),
            _ => None,
        };
        raw.into_iter().flat_map(move |raw| self.rows_where(column, raw))
    }

    /// How many leading rows satisfy `before`, given that those which do come first.
    fn lower_bound(&self, table: Table, before: impl Fn(u32) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.row_count(table));
        while low < high {
            let middle = low + (high - low) / 2;
            if before(middle + 1) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

pub(crate) fn decode(coded: Coded, value: u32) -> Option<Token> {
    let bits = coded.tag_bits();
    let tag = value & ((1 << bits) - 1);
    let table = coded.tables().get(tag as usize).copied().flatten()?;
    Some(Token::new(table, value >> bits))
}

fn encode(coded: Coded, token: Token) -> Option<u32> {
    let table = token.table()?;
    let tag = coded.tables().iter().position(|&entry| entry == Some(table))?;
    Some(token.row() << coded.tag_bits() | tag as u32)
}

#[cfg(test)]
mod tests {
    use super::super::schema::col;
    use super::super::testing::Builder;
    use super::*;

    /// Two types with the fields b, c and a; the Field table has them as a, b, c.
    fn with_pointers() -> Metadata {
        let mut builder = Builder::new();
        let names = ["a", "b", "c"].map(|name| builder.string(name));
        for name in names {
            builder.row(Table::Field, &[0, name, 0]);
        }
        for field in [2, 3, 1] {
            builder.row(Table::FieldPtr, &[field]);
        }
        for first in [1, 3] {
            builder.row(Table::TypeDef, &[0, 0, 0, 0, 0, first, 1]);
        }
        builder.build("#-")
    }

    #[test]
    fn lists_of_an_uncompressed_stream_go_through_pointers() {
        let metadata = with_pointers();
        let fields = |row| metadata.list(row, col::TypeDef::FieldList).collect::<Vec<_>>();
        assert_eq!(fields(1), [2, 3]);
        assert_eq!(fields(2), [1]);
        assert_eq!(fields(3), [0u32; 0]);
        assert_eq!(
            [1, 2, 3, 4].map(|row| metadata.owner(col::TypeDef::FieldList, row)),
            [Some(2), Some(1), Some(1), None]
        );
        assert_eq!(metadata.string(2, col::Field::Name), Ok("b"));
    }

    #[test]
    fn a_key_is_found_in_unsorted_tables_too() {
        for sorted in [false, true] {
            let mut builder = Builder::new();
            let nesting: [[u16; 2]; 3] = if sorted { [[1, 3], [2, 3], [4, 1]] } else { [[4, 1], [1, 3], [2, 3]] };
            for row in nesting {
                builder.row(Table::NestedClass, &row);
            }
            builder.sorted = u64::from(sorted) << Table::NestedClass as u8;
            let metadata = builder.build("#~");
            let enclosing = |row| {
                let found = metadata.rows_of(col::NestedClass::Nested, Token::new(Table::TypeDef, row)).next();
                found.and_then(|row| metadata.cell(row, col::NestedClass::Enclosing).ok())
            };
            assert_eq!([1, 2, 3, 4, 5].map(enclosing), [Some(3), Some(3), None, Some(1), None], "sorted: {sorted}");
        }
    }

    #[test]
    fn a_name_is_called_what_it_reads_as() {
        let mut builder = Builder::new();
        for name in ["Order", "Ord", "OrderLine", ""] {
            let name = builder.string(name);
            builder.row(Table::Field, &[0, name, 0]);
        }
        builder.row(Table::Field, &[0, 0xfff0, 0]);
        let metadata = builder.build("#~");
        for text in ["Order", "Ord", "Or", "OrderLine", "", "\u{fffd}"] {
            for row in metadata.rows(Table::Field) {
                let reads = metadata.string(row, col::Field::Name) == Ok(text);
                assert_eq!(metadata.is_called(row, col::Field::Name, text), reads, "{row} {text}");
            }
        }
    }

    #[test]
    fn a_row_that_is_not_there_is_named() {
        let metadata = with_pointers();
        for row in [0, 4, u32::MAX] {
            let flaw = metadata.string(row, col::Field::Name).unwrap_err();
            assert_eq!(flaw.row, Some((Table::Field, row)));
        }
        assert_eq!(metadata.list(u32::MAX, col::TypeDef::FieldList).count(), 0);
    }
}
