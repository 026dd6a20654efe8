//! Source files: their paths and the hashes of what was compiled.

use std::path::Path;

use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::Pdb;
use super::find::inflate_exactly;
use crate::error::Flaw;
use crate::guid::guid;
use crate::schema::{Table, col};
use crate::tables::Metadata;
use crate::tokens::DocumentId;

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

const SHA1: [u8; 16] = guid(0xff1816ec_aa5e_4d10_87f7_6f4963833460);
const SHA256: [u8; 16] = guid(0x8829d00f_11b8_4213_878b_770e8597ac16);
const EMBEDDED_SOURCE: [u8; 16] = guid(0x0e8a571b_6926_466e_b4ad_8ab04611f5fe);

impl Document {
    /// Whether these bytes are what was compiled; `None` if the PDB does not say.
    pub fn matches(&self, bytes: &[u8]) -> Option<bool> {
        self.hash_of(bytes).map(|hash| hash == self.hash)
    }

    /// What `hash` would be of these bytes; `None` if the PDB has no hash or one of an unknown kind.
    pub fn hash_of(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match self.hash_algorithm {
            _ if self.hash.is_empty() => None,
            HashAlgorithm::Sha1 => Some(Sha1::digest(bytes).to_vec()),
            HashAlgorithm::Sha256 => Some(Sha256::digest(bytes).to_vec()),
            HashAlgorithm::None | HashAlgorithm::Other(_) => None,
        }
    }

    /// The file of that path on this machine, if it is a source by its name and holds what was compiled.
    pub fn compiled_bytes(&self) -> Option<Vec<u8>> {
        const MAX_BYTES: u64 = 64 << 20;
        is_source_file(Path::new(&self.path)).then_some(())?;
        let facts = std::fs::metadata(&self.path).ok()?;
        // never a pipe or a device
        let bytes = (facts.is_file() && facts.len() <= MAX_BYTES).then(|| std::fs::read(&self.path).ok())??;
        (self.matches(&bytes) == Some(true)).then_some(bytes)
    }

    /// What the names of the `file` types in it begin with in metadata: `<Program>F3A0…__`.
    pub fn file_type_prefix(&self) -> String {
        let file = self.file_name();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let stem: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let hash: String = Sha256::digest(self.path.as_bytes()).iter().map(|byte| format!("{byte:02X}")).collect();
        format!("<{stem}>F{hash}__")
    }

    /// The last part of the path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path)
    }
}

/// Whether a file can be a source, by its name, links resolved. A PDB may name any file of the machine (`#line 1 "/etc/passwd"`),
/// and compilers then record its hash too.
pub fn is_source_file(path: &Path) -> bool {
    const LANGUAGES: &[&str] =
        &["cs", "csx", "vb", "fs", "fsi", "fsx", "il", "razor", "cshtml", "vbhtml", "xaml", "tt"];
    let real = path.canonicalize().ok();
    let end = real.as_ref().and_then(|real| real.extension()?.to_str());
    end.is_some_and(|end| LANGUAGES.iter().any(|language| end.eq_ignore_ascii_case(language)))
}

impl Pdb {
    /// All documents, in file order.
    pub fn documents(&self) -> &[Document] {
        self.documents.get_or_init(|| {
            let mut bytes = 0;
            let rows = self.metadata.rows(Table::Document);
            rows.filter_map(|row| read_document(&self.metadata, DocumentId(row)).ok())
                .take_while(|document| {
                    bytes += document.path.len();
                    bytes <= MAX_PATHS
                })
                .collect()
        })
    }

    pub fn document(&self, id: DocumentId) -> Option<&Document> {
        self.documents().iter().find(|document| document.id == id)
    }

    /// The document of exactly this path.
    pub fn find_document(&self, path: &str) -> Option<&Document> {
        self.documents().iter().find(|document| document.path == path)
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
            if blob.remaining() > MAX_HASH {
                let flaw = blob.flaw("a document's hash is too long");
                return Err(flaw.in_row(Table::Document, row));
            }
            blob.take(blob.remaining())?.to_vec()
        },
        language: metadata.guid(row, col::Document::Language)?,
    })
}

/// No file system has longer paths; parts may repeat, so a small file could otherwise name an endless one.
const MAX_PATH: usize = 64 << 10;
/// Of all documents together.
const MAX_PATHS: usize = 64 << 20;
/// Bytes of the longest hash there is (SHA-512).
const MAX_HASH: usize = 64;

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
