//! The program's memory, and where objects lie in it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Variable, absent, each};
use crate::session;

/// Bytes of a line of `hex_ascii`.
const LINE: usize = 16;

// comments, as docs would be listed with every tool: how bytes are written
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryFormat {
    // lines of 16 bytes: address, hexadecimal, ASCII
    #[default]
    HexAscii,
    Hex,
    Base64,
}

/// memory_read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryReport {
    pub address: String,
    /// Of `data`.
    pub bytes: u64,
    pub data: String,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

impl MemoryReport {
    pub fn of(view: session::MemoryView, format: MemoryFormat) -> Self {
        let mut notes = Vec::new();
        match view.unreadable {
            0 => {}
            1 => notes.push("1 more byte cannot be read".to_owned()),
            more => notes.push(format!("{more} more bytes cannot be read")),
        }
        match view.redacted {
            0 => {}
            1 => notes.push("1 byte is part of a secret and shown as 0 (redacted)".to_owned()),
            more => notes.push(format!("{more} bytes are part of a secret and shown as 0 (redacted)")),
        }
        let data = match format {
            MemoryFormat::HexAscii => hex_ascii(view.address, &view.bytes),
            MemoryFormat::Hex => hex(&view.bytes, ""),
            MemoryFormat::Base64 => STANDARD.encode(&view.bytes),
        };
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        Self { address: format!("{:#x}", view.address), bytes: view.bytes.len() as u64, data, note }
    }
}

fn hex(bytes: &[u8], between: &str) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
}

/// `7f3a5c0128d0  48 00 65 00 …  H.e.`
fn hex_ascii(address: u64, bytes: &[u8]) -> String {
    let line = |(number, line): (usize, &[u8])| {
        let at = address.wrapping_add((number * LINE) as u64);
        let shown: String =
            line.iter().map(|byte| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' }).collect();
        format!("{at:x}  {:47}  {shown}", hex(line, " "))
    };
    bytes.chunks(LINE).enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// references_get.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferencesReport {
    pub object: Variable,
    #[serde(skip_serializing_if = "absent")]
    pub generation: Option<String>,
    pub bytes: u64,
    pub held: Vec<HeldEntry>,
    #[serde(default, skip_serializing_if = "absent")]
    pub roots: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
    /// What the object refers to, not what refers to it.
    #[serde(skip)]
    pub outbound: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeldEntry {
    /// The field or elements that hold it, with the type that has them: `Link.Owner`, `Order[*]`.
    pub through: String,
    pub count: u64,
    pub examples: Vec<Variable>,
}

impl From<session::ReferencesView> for ReferencesReport {
    fn from(view: session::ReferencesView) -> Self {
        let garbage = view.unreachable.then(|| super::heap::garbage_words(1, 1, false));
        let entry = |it: session::Held| HeldEntry { through: it.through, count: it.count, examples: each(it.objects) };
        Self {
            object: view.object.variable.into(),
            generation: view.object.generation,
            bytes: view.object.bytes,
            held: view.references.into_iter().map(entry).collect(),
            roots: view.roots,
            note: view.cut.map(super::heap::cut_words).or(garbage),
            outbound: view.outbound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: MemoryFormat) -> MemoryReport {
        let bytes = [b"Hi\x00\xff".as_slice(), &[0x41; 13]].concat();
        let view = session::MemoryView { address: 0x1000, bytes, unreadable: 3, path: None, redacted: 0 };
        MemoryReport::of(view, format)
    }

    #[test]
    fn bytes_are_written_as_asked() {
        let report = read(MemoryFormat::HexAscii);
        let expected = "1000  48 69 00 ff 41 41 41 41 41 41 41 41 41 41 41 41  Hi..AAAAAAAAAAAA\n\
                        1010  41                                               A";
        assert_eq!(report.data, expected);
        assert_eq!((report.address.as_str(), report.bytes), ("0x1000", 17));
        assert_eq!(report.note.as_deref(), Some("3 more bytes cannot be read"));
        assert_eq!(read(MemoryFormat::Hex).data, "486900ff41414141414141414141414141");
        assert_eq!(read(MemoryFormat::Base64).data, "SGkA/0FBQUFBQUFBQUFBQUE=");
    }
}
