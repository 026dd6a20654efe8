//! The metadata root and its streams (ECMA-335 II.24.2): strings, user strings, blobs, GUIDs.
//!
//! Only ranges are kept; all lookups are by an index that comes from the file and may point anywhere.

use std::ops::Range;

use super::bytes::Reader;
use super::error::Flaw;
use super::pe::reader_at;

/// Longer names are cut; the runtime allows 1,023 bytes. Many rows may share one name, so its length counts many times.
const MAX_NAME: usize = 4096;

/// What is shown of a name that is no text.
const NO_TEXT: &str = "\u{fffd}";

/// Where the streams lie in the file.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    pub(crate) strings: Range<usize>,
    pub(crate) user_strings: Range<usize>,
    pub(crate) blobs: Range<usize>,
    pub(crate) guids: Range<usize>,
    pub(crate) tables: Range<usize>,
    /// `#Pdb`: the file is a Portable PDB.
    pub(crate) pdb: Option<Range<usize>>,
    /// `#JTD`: all indexes are wide (edit-and-continue deltas).
    pub(crate) is_minimal_delta: bool,
    /// The version text of the root: `v4.0.30319`, `PDB v1.0`.
    pub(crate) version: Range<usize>,
}

impl Streams {
    /// `root` is the part of `bytes` that is metadata.
    pub(crate) fn parse(bytes: &[u8], root: Range<usize>) -> Result<Self, Flaw> {
        let start = root.start;
        let within = bytes.get(root).ok_or(Flaw::new(start, "the metadata is outside the file"))?;
        let mut reader = Reader::new(within, start);
        if reader.take(4)? != b"BSJB" {
            return Err(Flaw::new(start, "no metadata signature"));
        }
        reader.skip(8)?;
        let version_length = reader.u32()? as usize;
        let version_start = reader.offset();
        reader.skip(version_length)?;
        reader.skip(2)?;
        let count = reader.u16()?;
        let mut streams = Self { version: version_start..version_start + version_length, ..Self::default() };
        for _ in 0..count {
            let entry = reader;
            let (offset, size) = (reader.u32()? as usize, reader.u32()? as usize);
            let name = stream_name(&mut reader)?;
            if within.get(offset..offset.saturating_add(size)).is_none() {
                return Err(entry.flaw("a stream is outside the metadata"));
            }
            let range = start + offset..start + offset + size;
            match name {
                b"#Strings" => streams.strings = range,
                b"#US" => streams.user_strings = range,
                b"#Blob" => streams.blobs = range,
                b"#GUID" => streams.guids = range,
                b"#~" | b"#-" => streams.tables = range,
                b"#Pdb" => streams.pdb = Some(range),
                b"#JTD" => streams.is_minimal_delta = true,
                _ => {}
            }
        }
        Ok(streams)
    }

    pub(crate) fn string<'a>(&self, bytes: &'a [u8], index: u32) -> Result<&'a str, Flaw> {
        let rest = heap_at(bytes, &self.strings, index, "a string index is outside its heap")?;
        let rest = rest.get(..MAX_NAME).unwrap_or(rest);
        let end = memchr::memchr(0, rest).unwrap_or(rest.len());
        // Obfuscators write names that are no text; such a name is shown as one replacement character.
        Ok(rest.get(..end).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or(NO_TEXT))
    }

    /// Whether [`Self::string`] is `text`.
    pub(crate) fn is_string(&self, bytes: &[u8], index: u32, text: &str) -> bool {
        if text.len() >= MAX_NAME || text == NO_TEXT {
            return self.string(bytes, index) == Ok(text);
        }
        let rest = heap_at(bytes, &self.strings, index, "").ok().and_then(|rest| rest.strip_prefix(text.as_bytes()));
        rest.is_some_and(|rest| rest.first().is_none_or(|&end| end == 0))
    }

    /// The bytes of a blob and their file offset. Index 0 is the empty blob, even in an empty heap.
    pub(crate) fn blob<'a>(&self, bytes: &'a [u8], index: u32) -> Result<Reader<'a>, Flaw> {
        if index == 0 {
            return Ok(Reader::new(&[], self.blobs.start));
        }
        length_prefixed(bytes, &self.blobs, index, "a blob index is outside its heap")
    }

    /// A string literal. A flag byte stands behind the UTF-16 code units; lone surrogates become replacement characters.
    pub(crate) fn user_string(&self, bytes: &[u8], index: u32) -> Result<String, Flaw> {
        let mut reader = length_prefixed(bytes, &self.user_strings, index, "a string literal is outside its heap")?;
        Ok(utf16(reader.take(reader.remaining())?))
    }

    /// GUIDs are counted from 1; 0 is none.
    pub(crate) fn guid(&self, bytes: &[u8], index: u32) -> Result<Option<[u8; 16]>, Flaw> {
        let Some(index) = (index as usize).checked_sub(1) else {
            return Ok(None);
        };
        let heap = bytes.get(self.guids.clone()).unwrap_or_default();
        let flaw = Flaw::new(self.guids.start, "a GUID index is outside its heap");
        let guid = heap.get(index.saturating_mul(16)..).and_then(|rest| rest.first_chunk::<16>());
        guid.copied().map(Some).ok_or(flaw)
    }
}

/// Little-endian UTF-16; an odd byte at the end is dropped.
pub(crate) fn utf16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).filter_map(|unit| unit.first_chunk().map(|unit| u16::from_le_bytes(*unit)));
    char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect()
}

fn stream_name<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Flaw> {
    let mut ahead = *reader;
    let mut length = 0;
    while ahead.u8()? != 0 {
        length += 1;
        if length > 32 {
            return Err(reader.flaw("a stream name is too long"));
        }
    }
    let name = reader.take(length)?;
    // Padded with at least one zero to a multiple of four.
    reader.skip(4 - length % 4)?;
    Ok(name)
}

fn heap_at<'a>(bytes: &'a [u8], heap: &Range<usize>, index: u32, what: &'static str) -> Result<&'a [u8], Flaw> {
    let inside = bytes.get(heap.clone()).and_then(|heap| heap.get(index as usize..));
    match inside {
        Some(rest) => Ok(rest),
        // The empty string must be readable even where the heap is missing.
        None if index == 0 => Ok(&[]),
        None => Err(Flaw::new(heap.start.saturating_add(index as usize), what)),
    }
}

fn length_prefixed<'a>(
    bytes: &'a [u8],
    heap: &Range<usize>,
    index: u32,
    what: &'static str,
) -> Result<Reader<'a>, Flaw> {
    let rest = heap_at(bytes, heap, index, what)?;
    let mut reader = Reader::new(rest, heap.start + index as usize);
    let length = reader.compressed()? as usize;
    let start = reader.offset();
    Ok(Reader::new(reader.take(length)?, start))
}

/// The metadata root of a file that is nothing else (a Portable PDB).
pub(crate) fn is_metadata_root(bytes: &[u8]) -> bool {
    reader_at(bytes, 0).and_then(|mut reader| reader.take(4)).is_ok_and(|magic| magic == b"BSJB")
}
