//! Portable PDBs: documents, sequence points, scopes, state machines.
//! <https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md>
//!
//! A PDB's method rows are those of its assembly, so `MethodId` serves both; that it *is* its assembly's is checked by id when it
//! is found (`find`), never later.

mod checksum;
mod custom;
mod documents;
mod find;
mod imports;
mod lines;
mod points;
mod scopes;

pub use checksum::PdbChecksum;
pub use custom::{AsyncInfo, AwaitPoint};
pub(crate) use documents::read_document;
pub use documents::{Document, HashAlgorithm, is_source_file};
pub use find::PdbProblem;
pub use imports::{Import, ImportScope};
pub use points::{SequencePoint, SequencePoints};
pub use scopes::{ConstantVariable, LocalPlace, LocalVariable, Scope};

use std::path::Path;
use std::sync::OnceLock;

use super::error::{Flaw, MetadataError};
use super::heaps::is_metadata_root;
use super::image::Image;
use super::schema::col;
use super::tables::Metadata;
use super::tokens::{MethodId, Token};

pub struct Pdb {
    pub(crate) metadata: Metadata,
    /// GUID and stamp: the same 20 bytes as in the CodeView entry of the assembly.
    id: [u8; 20],
    entry_point: Token,
    documents: OnceLock<Vec<Document>>,
    lines: OnceLock<lines::LineIndex>,
}

impl Pdb {
    pub fn open(path: impl AsRef<Path>) -> Result<Self, MetadataError> {
        let path = path.as_ref();
        let image = Image::open(path).map_err(|source| MetadataError::Io { path: path.to_owned(), source })?;
        if !is_metadata_root(image.bytes()) {
            return Err(MetadataError::NotManaged { path: path.to_owned(), reason: "not a Portable PDB" });
        }
        Self::from_image(image).map_err(|flaw| flaw.at(path))
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Flaw> {
        Self::from_image(Image::Given(bytes))
    }

    fn from_image(image: Image) -> Result<Self, Flaw> {
        let length = image.bytes().len();
        let metadata = Metadata::parse(image, 0..length)?;
        let none = Flaw::new(0, "no #Pdb stream");
        let stream = metadata.streams.pdb.clone().ok_or(none)?;
        let bytes = metadata.bytes().get(stream).unwrap_or_default();
        let (&id, rest) = bytes.split_first_chunk::<20>().ok_or(none)?;
        let entry_point = rest.first_chunk().map_or(0, |token| u32::from_le_bytes(*token));
        Ok(Self { metadata, id, entry_point: Token(entry_point), documents: OnceLock::new(), lines: OnceLock::new() })
    }

    /// Tables and heaps, for what has no view of its own.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub fn id(&self) -> &[u8; 20] {
        &self.id
    }

    pub fn entry_point(&self) -> Option<MethodId> {
        MethodId::from_token(self.entry_point)
    }

    /// The method whose code a state machine's `MoveNext` runs.
    pub fn kickoff_of(&self, move_next: MethodId) -> Option<MethodId> {
        let row = self.metadata.rows_of(col::StateMachineMethod::MoveNext, move_next.token()).next()?;
        self.metadata.cell(row, col::StateMachineMethod::Kickoff).ok().map(MethodId)
    }

    /// The `MoveNext` that runs the code of a kickoff method.
    pub fn move_next_of(&self, kickoff: MethodId) -> Option<MethodId> {
        let mut rows = self.metadata.rows(super::Table::StateMachineMethod);
        let row = rows.find(|&row| self.metadata.cell(row, col::StateMachineMethod::Kickoff) == Ok(kickoff.row()))?;
        self.metadata.cell(row, col::StateMachineMethod::MoveNext).ok().map(MethodId)
    }
}

impl std::fmt::Debug for Pdb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pdb").field("id", &self.id).finish_non_exhaustive()
    }
}
