//! Source files: their paths and the hashes of what was compiled.

use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::Pdb;
use super::find::inflate_exactly;
use crate::metadata::error::Flaw;
use crate::metadata::schema::{Table, col};
use crate::metadata::tables::Metadata;
use crate::metadata::tokens::DocumentId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub id: DocumentId,
    /// As the compiler wrote it, on the machine that built it (or as its path map made it: `/_/src/Program.cs`).
    pub path: String,
    pub hash_algorithm: HashAlgorithm,
    /// Of the file's raw bytes.
    pub hash: Vec<u8>,
    /// GUID of the language; C# is `3f5162f8-07c6-11d3-9053-00c04fa302a1`.
    pub language: Option<[u8; 16]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashAlgorithm {
    /// No hash was written.
    None,
    Sha1,
    Sha256,
    Other([u8; 16]),
}

/// GUIDs as they lie in the file: the first three fields little-endian.
const SHA1: [u8; 16] = [
    0xec, 0x16, 0x18, 0xff, 0x5e, 0xaa, 0x10, 0x4d, 0x87, 0xf7, 0x6f, 0x49, 0x63, 0x83, 0x34, 0x60,
];
const SHA256: [u8; 16] = [
    0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42, 0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16,
];
const EMBEDDED_SOURCE: [u8; 16] = [
    0x1e, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46, 0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe,
];

impl Document {
    /// Whether these bytes are what was compiled; `None` if the PDB does not say.
    pub fn matches(&self, bytes: &[u8]) -> Option<bool> {
        match self.hash_algorithm {
            _ if self.hash.is_empty() => None,
            HashAlgorithm::Sha1 => Some(Sha1::digest(bytes).as_slice() == self.hash),
            HashAlgorithm::Sha256 => Some(Sha256::digest(bytes).as_slice() == self.hash),
            HashAlgorithm::None | HashAlgorithm::Other(_) => None,
        }
    }

    /// The last part of the path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path)
    }
}

impl Pdb {
    /// All documents, in file order.
    pub fn documents(&self) -> &[Document] {
        self.documents.get_or_init(|| {
            let rows = self.metadata.rows(Table::Document);
            rows.filter_map(|row| read_document(&self.metadata, DocumentId(row)).ok())
                .collect()
        })
    }

    pub fn document(&self, id: DocumentId) -> Option<&Document> {
        self.documents().iter().find(|document| document.id == id)
    }

    /// The document of exactly this path.
    pub fn find_document(&self, path: &str) -> Option<&Document> {
        self.documents()
            .iter()
            .find(|document| document.path == path)
    }

    /// The source text that the compiler put into the PDB.
    pub fn embedded_source(&self, document: DocumentId) -> Option<Vec<u8>> {
        let mut blob = self.custom_information(document, &EMBEDDED_SOURCE)?;
        let size = blob.u32().ok()?;
        let bytes = blob.take(blob.remaining()).ok()?;
        match size {
            0 => Some(bytes.to_vec()),
            size => inflate_exactly(bytes, size).ok(),
        }
    }
}

pub(crate) fn read_document(metadata: &Metadata, id: DocumentId) -> Result<Document, Flaw> {
    let row = id.row();
    Ok(Document {
        id,
        path: document_name(metadata, row).map_err(|flaw| flaw.in_row(Table::Document, row))?,
        hash_algorithm: match metadata.guid(row, col::Document::HashAlgorithm)? {
            None => HashAlgorithm::None,
            Some(SHA1) => HashAlgorithm::Sha1,
            Some(SHA256) => HashAlgorithm::Sha256,
            Some(other) => HashAlgorithm::Other(other),
        },
        hash: {
            let mut blob = metadata.blob(row, col::Document::Hash)?;
            blob.take(blob.remaining())?.to_vec()
        },
        language: metadata.guid(row, col::Document::Language)?,
    })
}

/// No file system has longer paths; parts may repeat, so a small file could otherwise name an endless one.
const MAX_PATH: usize = 64 << 10;

/// A separator, then blob indexes of the parts.
fn document_name(metadata: &Metadata, row: u32) -> Result<String, Flaw> {
    let mut blob = metadata.blob(row, col::Document::Name)?;
    let mut name = String::new();
    if blob.is_empty() {
        return Ok(name);
    }
    let separator = char::from(blob.u8()?);
    let mut is_first = true;
    while !blob.is_empty() {
        if !is_first && separator != '\0' {
            name.push(separator);
        }
        is_first = false;
        let part = blob.compressed()?;
        let mut part = metadata.streams.blob(metadata.bytes(), part)?;
        name.push_str(&String::from_utf8_lossy(part.take(part.remaining())?));
        if name.len() > MAX_PATH {
            return Err(blob.flaw("a document's name is too long"));
        }
    }
    Ok(name)
}
