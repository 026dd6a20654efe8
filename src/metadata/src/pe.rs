//! The little of PE/COFF that managed code needs: where the metadata, the method bodies and the debug entries lie.
//!
//! Owns offsets only, no bytes: every function takes the file's bytes again. ECMA-335 II.25, and for the debug directory
//! <https://github.com/dotnet/runtime/blob/main/docs/design/specs/PE-COFF.md>.

use std::ops::Range;

use super::bytes::Reader;
use super::error::Flaw;

/// Why bytes are no managed image: either something else altogether, or a broken one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeError {
    NotManaged(&'static str),
    Malformed(Flaw),
}

impl From<Flaw> for PeError {
    fn from(flaw: Flaw) -> Self {
        Self::Malformed(flaw)
    }
}

#[derive(Debug)]
struct Section {
    rva: u32,
    /// The larger of the sizes in memory and in the file.
    size: u32,
    file_offset: u32,
}

#[derive(Debug)]
pub struct Pe {
    sections: Vec<Section>,
    pub metadata: Range<usize>,
    /// Token of the entry method, or 0.
    pub entry_point: u32,
    pub is_ready_to_run: bool,
    pub debug: Vec<DebugEntry>,
}

/// One entry of the debug directory.
#[derive(Debug, Clone)]
pub struct DebugEntry {
    /// 2 CodeView, 16 reproducible, 17 embedded Portable PDB, 19 PDB checksum.
    pub kind: u32,
    pub stamp: u32,
    pub data: Range<usize>,
}

impl DebugEntry {
    pub const CODE_VIEW: u32 = 2;
    pub const EMBEDDED_PDB: u32 = 17;
    pub const PDB_CHECKSUM: u32 = 19;
}

/// What the CodeView entry says of the PDB that belongs to the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeView {
    /// GUID, then the stamp of the directory entry: equal to the first 20 bytes of the PDB's `#Pdb` stream.
    pub id: [u8; 20],
    /// Where the compiler wrote it, on the machine that built it.
    pub path: String,
}

const CLR_DIRECTORY: usize = 14;
const DEBUG_DIRECTORY: usize = 6;
/// COMIMAGE_FLAGS_NATIVE_ENTRYPOINT: the entry point is an address, no token.
const NATIVE_ENTRY_POINT: u32 = 0x10;

impl Pe {
    pub fn parse(bytes: &[u8]) -> Result<Self, PeError> {
        let at = |offset: usize| reader_at(bytes, offset);
        if bytes.get(..2) != Some(b"MZ") {
            return Err(PeError::NotManaged("not a .NET assembly: not a PE file"));
        }
        let header = at(0x3c)?.u32()? as usize;
        let mut coff = at(header)?;
        if coff.take(4)? != b"PE\0\0" {
            return Err(PeError::NotManaged("not a .NET assembly: not a PE file"));
        }
        coff.skip(2)?;
        let section_count = coff.u16()?;
        coff.skip(12)?;
        let optional_size = coff.u16()? as usize;
        coff.skip(2)?;
        let optional = coff.offset();
        let (directories, count_at) = match coff.u16()? {
            0x10b => (96, 92),
            0x20b => (112, 108),
            _ => return Err(coff.flaw("unknown kind of optional header").into()),
        };
        let directory_count = at(optional + count_at)?.u32()? as usize;
        let directory = |index: usize| -> Result<(u32, u32), Flaw> {
            if index >= directory_count {
                return Ok((0, 0));
            }
            let mut entry = at(optional + directories + index * 8)?;
            Ok((entry.u32()?, entry.u32()?))
        };

        let mut section_headers = at(optional + optional_size)?;
        let mut sections = Vec::new();
        for _ in 0..section_count {
            section_headers.skip(8)?;
            let memory_size = section_headers.u32()?;
            let rva = section_headers.u32()?;
            let file_size = section_headers.u32()?;
            let file_offset = section_headers.u32()?;
            section_headers.skip(16)?;
            sections.push(Section { rva, size: memory_size.max(file_size), file_offset });
        }
        let mut pe = Self { sections, metadata: 0..0, entry_point: 0, is_ready_to_run: false, debug: Vec::new() };

        let (clr_rva, _) = directory(CLR_DIRECTORY)?;
        if clr_rva == 0 {
            return Err(PeError::NotManaged("not a .NET assembly: a native PE file"));
        }
        let mut clr = at(pe.offset_of(clr_rva)?)?;
        clr.skip(8)?;
        let (metadata_rva, metadata_size) = (clr.u32()?, clr.u32()?);
        let flags = clr.u32()?;
        let entry_point = clr.u32()?;
        clr.skip(40)?;
        let managed_native_header = clr.u32()?;
        pe.metadata = pe.range_of(bytes, metadata_rva, metadata_size)?;
        pe.entry_point = if flags & NATIVE_ENTRY_POINT == 0 { entry_point } else { 0 };
        pe.is_ready_to_run = managed_native_header != 0;
        // A broken debug directory only costs the symbols.
        pe.debug =
            directory(DEBUG_DIRECTORY).and_then(|(rva, size)| pe.debug_entries(bytes, rva, size)).unwrap_or_default();
        Ok(pe)
    }

    fn debug_entries(&self, bytes: &[u8], rva: u32, size: u32) -> Result<Vec<DebugEntry>, Flaw> {
        if rva == 0 {
            return Ok(Vec::new());
        }
        let range = self.range_of(bytes, rva, size)?;
        let mut reader = reader_at(bytes, range.start)?;
        let mut entries = Vec::new();
        for _ in 0..range.len() / 28 {
            reader.skip(4)?;
            let stamp = reader.u32()?;
            reader.skip(4)?;
            let kind = reader.u32()?;
            let size = reader.u32()? as usize;
            reader.skip(4)?;
            let start = reader.u32()? as usize;
            let data = start..start.saturating_add(size);
            if bytes.get(data.clone()).is_some() {
                entries.push(DebugEntry { kind, stamp, data });
            }
        }
        Ok(entries)
    }

    pub fn code_view(&self, bytes: &[u8]) -> Option<CodeView> {
        let entry = self.debug.iter().find(|entry| entry.kind == DebugEntry::CODE_VIEW)?;
        let mut reader = Reader::new(bytes.get(entry.data.clone())?, entry.data.start);
        if reader.take(4).ok()? != b"RSDS" {
            return None;
        }
        let mut id = [0; 20];
        let (guid, stamp) = id.split_at_mut(16);
        guid.copy_from_slice(reader.take(16).ok()?);
        stamp.copy_from_slice(&entry.stamp.to_le_bytes());
        reader.skip(4).ok()?;
        let path = reader.take(reader.remaining()).ok()?;
        let path = path.split(|&byte| byte == 0).next()?;
        Some(CodeView { id, path: String::from_utf8_lossy(path).into_owned() })
    }

    /// File offset of a relative virtual address.
    pub fn offset_of(&self, rva: u32) -> Result<usize, Flaw> {
        self.sections
            .iter()
            .find_map(|section| {
                let inside = rva.checked_sub(section.rva).filter(|&inside| inside < section.size)?;
                Some((section.file_offset as usize).saturating_add(inside as usize))
            })
            .ok_or(Flaw::new(0, "an address is not in any section"))
    }

    fn range_of(&self, bytes: &[u8], rva: u32, size: u32) -> Result<Range<usize>, Flaw> {
        let start = self.offset_of(rva)?;
        let range = start..start.saturating_add(size as usize);
        match bytes.get(range.clone()) {
            Some(_) => Ok(range),
            None => Err(Flaw::new(start, "the data ends early")),
        }
    }
}

pub(crate) fn reader_at(bytes: &[u8], offset: usize) -> Result<Reader<'_>, Flaw> {
    match bytes.get(offset..) {
        Some(rest) => Ok(Reader::new(rest, offset)),
        None => Err(Flaw::new(offset, "an offset is past the end of the file")),
    }
}
