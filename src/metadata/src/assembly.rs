//! One assembly on disk: its metadata, its code, and (looked for at the first question) its symbols.
//!
//! `Send + Sync`, owns its bytes; views borrow it. Reading is total: damaged rows are skipped, and `verify` reports all
//! damage. It holds its `index`, the calls in its `bodies` and what there is to `find` of its PDB, though all are made from it: they are
//! made at the first question and live as long as it does.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};

use super::bytes::Reader;
use super::called::TypeNames;
use super::error::{Flaw, MetadataError};
use super::generated::Generated;
use super::il::MethodBody;
use super::image::Image;
use super::index::TypeIndex;
use super::pdb::{Pdb, PdbProblem};
use super::pe::{CodeView, DebugEntry, Pe, PeError, reader_at};
use super::schema::{Table, col};
use super::stamp::Stamp;
use super::tables::Metadata;
use super::tokens::{MethodId, Token};
use super::usages::Bodies;

/// What was found, and what was there to find.
struct Symbols {
    pdb: Result<Pdb, PdbProblem>,
    places: Vec<(PathBuf, Stamp)>,
}

pub struct Assembly {
    path: PathBuf,
    pub(crate) metadata: Metadata,
    pe: Pe,
    pub(crate) index: OnceLock<TypeIndex>,
    /// How often types were looked for without it.
    pub(super) scans: AtomicU32,
    /// A type of each namespace, in the order of their names.
    pub(super) namespaces: OnceLock<Box<[u32]>>,
    generated: OnceLock<Generated>,
    pub(crate) bodies: OnceLock<Bodies>,
    type_names: OnceLock<TypeNames>,
    symbols: OnceLock<Symbols>,
}

impl Assembly {
    pub fn open(path: impl AsRef<Path>) -> Result<Arc<Self>, MetadataError> {
        let path = path.as_ref();
        let image = Image::open(path).map_err(|source| MetadataError::Io { path: path.to_owned(), source })?;
        Self::from_image(path, image)
    }

    /// An assembly from bytes; `path` is where its symbols are looked for, and what errors name.
    pub fn from_bytes(path: impl AsRef<Path>, bytes: Vec<u8>) -> Result<Arc<Self>, MetadataError> {
        Self::from_image(path.as_ref(), Image::Given(bytes))
    }

    fn from_image(path: &Path, image: Image) -> Result<Arc<Self>, MetadataError> {
        let pe = Pe::parse(image.bytes()).map_err(|error| match error {
            PeError::NotManaged(reason) => MetadataError::NotManaged { path: path.to_owned(), reason },
            PeError::Malformed(flaw) => flaw.at(path),
        })?;
        let metadata = Metadata::parse(image, pe.metadata.clone()).map_err(|flaw| flaw.at(path))?;
        Ok(Arc::new(Self {
            path: path.to_owned(),
            metadata,
            pe,
            index: OnceLock::new(),
            scans: AtomicU32::new(0),
            namespaces: OnceLock::new(),
            generated: OnceLock::new(),
            bodies: OnceLock::new(),
            type_names: OnceLock::new(),
            symbols: OnceLock::new(),
        }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tables and heaps, for what has no view of its own.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// What the compiler made of it, looked for at the first question.
    pub(crate) fn generated(&self) -> &Generated {
        self.generated.get_or_init(|| Generated::of(&self.metadata))
    }

    /// The simple name: `System.Linq`. Of a module without a manifest, the module's name.
    pub fn name(&self) -> &str {
        let name = self.metadata.string(1, col::Assembly::Name);
        name.or_else(|_| self.metadata.string(1, col::Module::Name)).unwrap_or_default()
    }

    /// The module version id: 16 bytes in GUID layout, new with every build that differs.
    pub fn mvid(&self) -> Option<[u8; 16]> {
        self.metadata.guid(1, col::Module::Mvid).ok().flatten()
    }

    /// Simple names of the assemblies that this one refers to, in file order.
    pub fn references(&self) -> Vec<&str> {
        let rows = self.metadata.rows(Table::AssemblyRef);
        rows.filter_map(|row| self.metadata.string(row, col::AssemblyRef::Name).ok()).collect()
    }

    /// Whether the JIT was told not to optimize. No `DebuggableAttribute` = optimized.
    pub fn is_debug_build(&self) -> bool {
        const DISABLE_OPTIMIZATIONS: i128 = 0x100;
        let owner = Token::new(Table::Assembly, 1);
        let Some(attribute) = self.metadata.attribute(owner, "System.Diagnostics.DebuggableAttribute") else {
            return false;
        };
        match attribute.arguments().as_deref() {
            // (DebuggingModes) or (bool isJITTrackingEnabled, bool isJITOptimizerDisabled)
            Ok([_]) => attribute.int_argument(0).is_some_and(|modes| modes & DISABLE_OPTIMIZATIONS != 0),
            Ok([_, _]) => attribute.int_argument(1) == Some(1),
            _ => false,
        }
    }

    /// Whether it holds precompiled code, whose locals a debugger cannot see.
    pub fn is_ready_to_run(&self) -> bool {
        self.pe.is_ready_to_run
    }

    /// What the CLR header names: for an async `Main`, the compiler's wrapper.
    pub(crate) fn raw_entry_point(&self) -> Option<MethodId> {
        MethodId::from_token(Token(self.pe.entry_point))
    }

    /// `None` for a method without IL: abstract, external or native.
    pub fn body(&self, method: MethodId) -> Result<Option<MethodBody<'_>>, Flaw> {
        let read = || self.body_reader(method)?.map(MethodBody::parse).transpose();
        read().map_err(|flaw: Flaw| flaw.in_row(Table::MethodDef, method.row()))
    }

    /// The bytes of a method's instructions, and where in the file they lie; `None` for one without.
    pub(super) fn code(&self, method: MethodId) -> Option<(usize, &[u8])> {
        MethodBody::code_at(self.body_reader(method).ok()??).ok()
    }

    /// The names of its types, for searches.
    pub(super) fn type_names(&self) -> &TypeNames {
        self.type_names.get_or_init(|| TypeNames::of(&self.metadata))
    }

    fn body_reader(&self, method: MethodId) -> Result<Option<Reader<'_>>, Flaw> {
        let rva = self.metadata.cell(method.row(), col::MethodDef::Rva)?;
        // II.23.1.11: code that is not IL (of mixed-mode assemblies) or that the runtime provides.
        const CODE_TYPE: u32 = 3;
        let is_il = self.metadata.cell(method.row(), col::MethodDef::ImplFlags)? & CODE_TYPE == 0;
        if rva == 0 || !is_il {
            return Ok(None);
        }
        reader_at(self.metadata.bytes(), self.pe.offset_of(rva)?).map(Some)
    }

    pub fn has_attribute(&self, owner: impl Into<Token>, full_name: &str) -> bool {
        self.metadata.has_attribute(owner, full_name)
    }

    /// What the image says of its PDB; `None` = built without symbols.
    pub fn code_view(&self) -> Option<CodeView> {
        self.pe.code_view(self.metadata.bytes())
    }

    pub(crate) fn pe(&self) -> &Pe {
        &self.pe
    }

    /// The deflated Portable PDB within the image, with its 8-byte header.
    pub(crate) fn embedded_pdb(&self) -> Option<&[u8]> {
        let entry = self.pe.debug.iter().find(|entry| entry.kind == DebugEntry::EMBEDDED_PDB)?;
        self.metadata.bytes().get(entry.data.clone())
    }

    pub fn pdb(&self) -> Option<&Pdb> {
        self.symbols().as_ref().ok()
    }

    /// Why there is no PDB.
    pub fn pdb_problem(&self) -> Option<&PdbProblem> {
        self.symbols().as_ref().err()
    }

    /// Whether a look for symbols would find what it found before, if there was one.
    pub(super) fn has_current_symbols(&self) -> bool {
        let places = self.symbols.get().map(|symbols| symbols.places.as_slice()).unwrap_or_default();
        places.iter().all(|(path, stamp)| Stamp::of(path) == *stamp)
    }

    /// Memory that its files take; those that are mapped take none.
    pub(super) fn read_bytes(&self) -> usize {
        let symbols = self.symbols.get().and_then(|symbols| symbols.pdb.as_ref().ok());
        self.metadata.read_bytes() + symbols.map_or(0, |pdb| pdb.metadata.read_bytes())
    }

    fn symbols(&self) -> &Result<Pdb, PdbProblem> {
        let find = || {
            // Before the look: what comes meanwhile differs from it.
            let places = Pdb::places(self).map(|path| (Stamp::of(&path), path)).map(|(stamp, path)| (path, stamp));
            Symbols { places: places.collect(), pdb: Pdb::find(self) }
        };
        &self.symbols.get_or_init(find).pdb
    }
}

impl std::fmt::Debug for Assembly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assembly").field("path", &self.path).finish_non_exhaustive()
    }
}
