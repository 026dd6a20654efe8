//! Builds small metadata roots for tests: streams that no compiler writes.

use super::image::Image;
use super::schema::Table;
use super::tables::Metadata;

#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) strings: Vec<u8>,
    pub(crate) blobs: Vec<u8>,
    pub(crate) sorted: u64,
    tables: std::collections::BTreeMap<u8, Vec<Vec<u16>>>,
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self { strings: vec![0], blobs: vec![0], ..Self::default() }
    }

    pub(crate) fn string(&mut self, text: &str) -> u16 {
        let index = self.strings.len() as u16;
        self.strings.extend_from_slice(text.as_bytes());
        self.strings.push(0);
        index
    }

    pub(crate) fn blob(&mut self, bytes: &[u8]) -> u16 {
        let index = self.blobs.len() as u16;
        self.blobs.push(bytes.len() as u8);
        self.blobs.extend_from_slice(bytes);
        index
    }

    /// A row as 16-bit units: columns of 4 bytes take two.
    pub(crate) fn row(&mut self, table: Table, units: &[u16]) -> u32 {
        let rows = self.tables.entry(table as u8).or_default();
        rows.push(units.to_vec());
        rows.len() as u32
    }

    /// `stream` is `#~` or `#-`.
    pub(crate) fn build(&self, stream: &str) -> Metadata {
        let mut tables = vec![0, 0, 0, 0, 2, 0, 0, 1];
        let present: u64 = self.tables.keys().map(|&number| 1 << number).sum();
        tables.extend_from_slice(&present.to_le_bytes());
        tables.extend_from_slice(&self.sorted.to_le_bytes());
        for rows in self.tables.values() {
            tables.extend_from_slice(&(rows.len() as u32).to_le_bytes());
        }
        for unit in self.tables.values().flatten().flatten() {
            tables.extend_from_slice(&unit.to_le_bytes());
        }

        let streams = [(stream, &tables), ("#Strings", &self.strings), ("#Blob", &self.blobs)];
        let padded = |name: &str| (name.len() + 4) / 4 * 4;
        let header = 20 + 4 + streams.iter().map(|(name, _)| 8 + padded(name)).sum::<usize>();
        let mut root = b"BSJB\x01\0\x01\0\0\0\0\0\x04\0\0\0v4.0\0\0".to_vec();
        root.extend_from_slice(&(streams.len() as u16).to_le_bytes());
        let mut at = header;
        for (name, bytes) in streams {
            root.extend_from_slice(&(at as u32).to_le_bytes());
            root.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            root.extend_from_slice(name.as_bytes());
            root.resize(root.len() + padded(name) - name.len(), 0);
            at += bytes.len();
        }
        assert_eq!(root.len(), header);
        for (_, bytes) in streams {
            root.extend_from_slice(bytes);
        }
        let length = root.len();
        Metadata::parse(Image::Given(root), 0..length).unwrap()
    }
}
