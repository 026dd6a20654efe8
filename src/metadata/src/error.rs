//! What can be wrong with a file, and where in it.

use std::fmt;
use std::path::{Path, PathBuf};

use super::schema::Table;

/// Why a file could not be opened as metadata.
#[derive(Debug, thiserror::Error)]
pub enum MetadataError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// The file is readable, but it is no .NET assembly (or no Portable PDB).
    #[error("{}: {reason}", path.display())]
    NotManaged { path: PathBuf, reason: &'static str },
    /// The file says that it is one, and breaks the format.
    #[error("{}: {flaw}", path.display())]
    Malformed { path: PathBuf, flaw: Flaw },
}

impl MetadataError {
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. } | Self::NotManaged { path, .. } | Self::Malformed { path, .. } => path,
        }
    }
}

/// One place in a file that breaks the format. Small and `Copy`, so that reading a row costs no allocation even when it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct Flaw {
    /// The table and the row (from 1) that led here, where there is one.
    pub row: Option<(Table, u32)>,
    /// Byte offset in the file; for an embedded PDB, in its inflated bytes.
    pub offset: usize,
    pub what: &'static str,
}

impl Flaw {
    pub(crate) const fn new(offset: usize, what: &'static str) -> Self {
        Self { row: None, offset, what }
    }

    /// Names the row that was being read, unless a deeper one is named already.
    pub(crate) fn in_row(mut self, table: Table, row: u32) -> Self {
        self.row.get_or_insert((table, row));
        self
    }

    pub(crate) fn at(self, path: &Path) -> MetadataError {
        MetadataError::Malformed { path: path.to_owned(), flaw: self }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset 0x{:x}", self.what, self.offset)?;
        match self.row {
            Some((table, row)) => write!(f, " ({table:?} row {row})"),
            None => Ok(()),
        }
    }
}
