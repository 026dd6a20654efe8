//! The text of a `JsonElement`: a row of its document's table says where in the bytes it is (JsonDocument.DbRow.cs, .NET 8 to 10).

use crate::session::inspect::backing::Backing;
use crate::session::inspect::field_values::Field;
use crate::session::inspect::fields;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;

/// Bytes of a row: where the value begins, how long it is, and rows and type in one.
const ROW: u64 = 12;
const START_OBJECT: u32 = 1;
const START_ARRAY: u32 = 3;
const STRING: u32 = 7;

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    location: u64,
    size: u64,
    rows: u64,
    type_: u32,
}

impl Row {
    fn read(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let (location, size, last) = (word(0)?, word(4)?, word(8)?);
        let of_size = u64::from(size & 0x7fff_ffff);
        Some(Self { location: location.into(), size: of_size, rows: (last & 0x0fff_ffff).into(), type_: last >> 28 })
    }

    /// Whether another row says where it ends.
    fn is_composed(self) -> bool {
        matches!(self.type_, START_OBJECT | START_ARRAY)
    }

    /// The bytes of it, a string's quotes included; `end`: the row of the bracket that closes it.
    fn range(self, end: Self) -> (u64, u64) {
        match self.type_ {
            START_OBJECT | START_ARRAY => (self.location, (end.location + end.size).saturating_sub(self.location)),
            STRING => (self.location.saturating_sub(1), self.size + 2),
            _ => (self.location, self.size),
        }
    }
}

/// As its document has it, cut behind `limit` characters; `None`: there is no document, or it cannot be read.
pub(super) async fn text(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Option<String> {
    const FIELDS: &[&str] =
        &["_idx", "_parent._parsedData._data", "_parent._utf8Json._object", "_parent._utf8Json._index"];
    let read = fields::read(reader, value, path, FIELDS).await;
    let at = u64::try_from(read.integer(0)?).ok()?;
    let table = read.get(1)?;
    let row = Row::read(&bytes(reader, table, at, ROW).await?)?;
    let end = match row.is_composed() {
        true => Row::read(&bytes(reader, table, at + row.rows * ROW, ROW).await?)?,
        false => row,
    };
    let (start, length) = row.range(end);
    let first = u64::try_from(read.integer(3)? & 0x7fff_ffff).ok()?;
    let wanted = length.min(limit as u64 * 4);
    let text = bytes(reader, read.get(2)?, first + start, wanted).await?;
    Some(one_line(&String::from_utf8_lossy(&text), limit, length > wanted))
}

/// A string of JSON has no line ends.
fn one_line(text: &str, limit: usize, is_cut: bool) -> String {
    let text: String = text.lines().map(str::trim).collect();
    let end = text.char_indices().nth(limit).map(|(end, _)| end);
    match end.or_else(|| is_cut.then_some(text.len())) {
        // a character may be cut, too
        Some(end) => format!("{}…", text.get(..end).unwrap_or_default().trim_end_matches('\u{fffd}')),
        None => text,
    }
}

async fn bytes(reader: &Reader, array: &Field, start: u64, count: u64) -> Option<Vec<u8>> {
    let Raw::Array(dimensions) = array.value.parsed() else { return None };
    let read = Backing::of(&array.value, &array.path, &dimensions).range(reader, start, count).await.ok()?;
    let bytes: Option<Vec<u8>> = read.iter().map(|element| element.value.value.parse().ok()).collect();
    bytes.filter(|bytes| bytes.len() as u64 == count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_where_its_value_is() {
        let row = |location: u32, size: u32, last: u32| {
            let words = [location, size, last].map(u32::to_le_bytes);
            Row::read(&words.concat()).unwrap()
        };
        let array = row(5, 2, (3 << 28) | 3);
        assert_eq!(array, Row { location: 5, size: 2, rows: 3, type_: START_ARRAY });
        assert_eq!(array.range(row(9, 1, (4 << 28) | 1)), (5, 5));
        // the upper bit of the size says that it has escapes
        let text = row(2, 0x8000_0003, (7 << 28) | 1);
        assert_eq!(text.range(text), (1, 5));
        let number = row(6, 1, (8 << 28) | 1);
        assert_eq!(number.range(number), (6, 1));
        assert_eq!(Row::read(&[0; 11]), None);
    }

    #[test]
    fn a_document_is_one_line_of_bounded_length() {
        for (text, limit, is_cut, expected) in [
            ("{\n  \"a\": 1,\r\n  \"b\": \"é\"\n}", 100, false, "{\"a\": 1,\"b\": \"é\"}"),
            ("[1, 2]", 3, false, "[1,…"),
            ("[1, \u{fffd}", 100, true, "[1, …"),
        ] {
            assert_eq!(one_line(text, limit, is_cut), expected, "{text}");
        }
    }
}
