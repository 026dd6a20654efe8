//! Where each table of a file lies, and how wide its columns are (ECMA-335 II.24.2.6).

use crate::bytes::Reader;
use crate::error::Flaw;
use crate::heaps::Streams;
use crate::schema::{Kind, Table};

pub(super) const TABLES: usize = 64;
pub(super) const MAX_COLUMNS: usize = 9;

/// One table.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// File offset of row 1.
    pub(super) start: usize,
    pub(super) rows: u32,
    pub(super) width: u8,
    /// Offset in the row and width (2 or 4), in file order.
    pub(super) columns: [(u8, u8); MAX_COLUMNS],
}

/// Reads the header of the table stream and places every table; fails unless all rows lie within the stream.
pub(super) fn lay_out(bytes: &[u8], streams: &Streams) -> Result<([Shape; TABLES], u64), Flaw> {
    let start = streams.tables.start;
    let stream = bytes.get(streams.tables.clone()).unwrap_or_default();
    let mut header = Reader::new(stream, start);
    header.skip(6)?;
    let heap_sizes = header.u8()?;
    header.skip(1)?;
    let present = header.u64()?;
    let sorted = header.u64()?;
    let mut counts = [0u32; TABLES];
    read_counts(&mut header, present, &mut counts)?;
    if heap_sizes & 0x40 != 0 {
        header.skip(4)?;
    }

    // In a PDB, the tables of its assembly are absent, yet their sizes decide how wide indexes into them are.
    let mut reference_counts = counts;
    if let Some(pdb) = &streams.pdb {
        let mut reader = Reader::new(bytes.get(pdb.clone()).unwrap_or_default(), pdb.start);
        reader.skip(24)?;
        let referenced = reader.u64()?;
        read_counts(&mut reader, referenced, &mut reference_counts)?;
    }
    let widths = Widths { counts: &reference_counts, heap_sizes, all_wide: streams.is_minimal_delta };

    let mut shapes = [Shape::default(); TABLES];
    let mut at = header.offset();
    for (number, (shape, &rows)) in shapes.iter_mut().zip(&counts).enumerate() {
        let Some(table) = Table::from_number(number as u8) else {
            if rows != 0 {
                return Err(Flaw::new(at, "rows of an unknown table"));
            }
            continue;
        };
        shape.start = at;
        shape.rows = rows;
        for (slot, kind) in shape.columns.iter_mut().zip(table.columns()) {
            let width = widths.of(*kind);
            *slot = (shape.width, width);
            shape.width += width;
        }
        at = at.saturating_add(rows as usize * shape.width as usize);
        if at > streams.tables.end {
            return Err(Flaw::new(shape.start, "more rows than the file has room for").in_row(table, rows));
        }
    }
    Ok((shapes, sorted))
}

fn read_counts(reader: &mut Reader<'_>, present: u64, counts: &mut [u32; TABLES]) -> Result<(), Flaw> {
    for (number, count) in counts.iter_mut().enumerate() {
        if present >> number & 1 == 1 {
            let flaw = reader.flaw("more rows than a token can address");
            *count = reader.u32()?;
            if *count > 0x00ff_ffff {
                return Err(flaw);
            }
        }
    }
    Ok(())
}

struct Widths<'a> {
    counts: &'a [u32; TABLES],
    heap_sizes: u8,
    all_wide: bool,
}

impl Widths<'_> {
    fn count(&self, table: Table) -> u32 {
        self.counts.get(table as usize).copied().unwrap_or(0)
    }

    fn of(&self, kind: Kind) -> u8 {
        let wide = match kind {
            Kind::U16 => return 2,
            Kind::U32 => return 4,
            Kind::String => self.heap_sizes & 1 != 0,
            Kind::Guid => self.heap_sizes & 2 != 0,
            Kind::Blob => self.heap_sizes & 4 != 0,
            Kind::Row(table) => self.count(table) > 0xffff,
            Kind::List(table) => {
                let pointers = table.pointers().map_or(0, |pointers| self.count(pointers));
                (if pointers > 0 { pointers } else { self.count(table) }) > 0xffff
            }
            Kind::Coded(coded) => {
                let largest = coded.tables().iter().flatten().map(|&table| self.count(table)).max();
                largest.unwrap_or(0) >= 1 << (16 - coded.tag_bits())
            }
        };
        if wide || self.all_wide { 4 } else { 2 }
    }
}
