//! What kind of file a program is, determined from its first bytes: managed, native, single-file or none.
//!
//! A check before the start only; reading metadata is the metadata layer's work.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// What a file is, as far as starting it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Image {
    /// A PE file with a CLR header.
    Managed,
    /// A native executable: perhaps the apphost of a dll beside it.
    Native,
    /// A native executable with its dlls inside (PublishSingleFile).
    SingleFile,
    /// Begins as a PE file and is not a whole one.
    Corrupted,
    Empty,
    /// Begins with `#!`.
    Script,
    /// Anything else.
    Other,
}

/// Before this signature an apphost has the offset of the bundle header, 0 when it is no bundle
/// (dotnet/runtime, src/native/corehost/apphost/bundle_marker.cpp: SHA-256 of ".net core bundle").
const BUNDLE: [u8; 32] = [
    0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93, 0x02, 0x14, 0xd7, 0xa0, 0x32, 0x13, 0xf5, 0xb9,
    0xe6, 0xef, 0xae, 0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae,
];

/// How much of a native executable is searched for the bundle signature; a self-contained bundle has it early.
const SEARCHED: u64 = 256 << 20;

/// Reads as little of the file as that takes.
pub fn classify(path: &Path) -> io::Result<Image> {
    // A pipe or a device would block, when it is opened already, or never end.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    (&mut file).take(4096).read_to_end(&mut start)?;
    Ok(match start.as_slice() {
        [] => Image::Empty,
        [b'M', b'Z', ..] => match clr_header(&start) {
            Some(true) => Image::Managed,
            Some(false) if is_bundle(&mut file)? => Image::SingleFile,
            Some(false) => Image::Native,
            None => Image::Corrupted,
        },
        // ELF, and Mach-O in its four byte orders and as a fat file.
        [0x7f, b'E', b'L', b'F', ..]
        | [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..]
        | [0xfe, 0xed, 0xfa, 0xcf | 0xce, ..]
        | [0xca, 0xfe, 0xba, 0xbe, ..] => {
            if is_bundle(&mut file)? {
                Image::SingleFile
            } else {
                Image::Native
            }
        }
        [b'#', b'!', ..] => Image::Script,
        _ => Image::Other,
    })
}

/// Whether the PE file has a CLR header (ECMA-335 II.25.2.3.3, data directory 14); `None` when its headers are broken.
fn clr_header(start: &[u8]) -> Option<bool> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(start.get(at..at.checked_add(2)?)?.try_into().ok()?));
    let u32_at = |at: usize| Some(u32::from_le_bytes(start.get(at..at.checked_add(4)?)?.try_into().ok()?));
    let pe = u32_at(0x3c)? as usize;
    if start.get(pe..pe.checked_add(4)?)? != b"PE\0\0" {
        return None;
    }
    let optional = pe.checked_add(24)?;
    // The directories begin behind the fields that PE32+ has wider.
    let directories = optional.checked_add(match u16_at(optional)? {
        0x10b => 96,
        0x20b => 112,
        _ => return None,
    })?;
    let count = u32_at(directories.checked_sub(4)?)?;
    if count < 15 {
        return Some(false);
    }
    let entry = directories.checked_add(14 * 8)?;
    Some(u32_at(entry)? != 0 && u32_at(entry.checked_add(4)?)? != 0)
}

/// Reads on in chunks that overlap by what a border could cut.
fn is_bundle(file: &mut File) -> io::Result<bool> {
    const OVERLAP: usize = 8 + BUNDLE.len();
    file.seek(SeekFrom::Start(0))?;
    let mut reader = file.take(SEARCHED);
    let mut buffer = vec![0u8; OVERLAP];
    loop {
        let kept = buffer.split_off(buffer.len().saturating_sub(OVERLAP));
        buffer = kept;
        let read = (&mut reader).take(1 << 20).read_to_end(&mut buffer)?;
        // The first byte is found fast, the rest compared only there.
        let offset_of_header =
            buffer.windows(OVERLAP).find(|window| window.get(8..) == Some(&BUNDLE)).and_then(|w| w.get(..8));
        if let Some(offset) = offset_of_header {
            return Ok(offset != [0; 8]);
        }
        if read == 0 {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pe(clr: bool, magic: u16) -> Vec<u8> {
        let mut bytes = vec![0u8; 0x80];
        bytes[..2].copy_from_slice(b"MZ");
        bytes[0x3c] = 0x80;
        bytes.extend(b"PE\0\0");
        bytes.extend([0; 20]);
        bytes.extend(magic.to_le_bytes());
        bytes.extend(vec![0; if magic == 0x10b { 90 } else { 106 }]);
        bytes.extend(16u32.to_le_bytes());
        for directory in 0..16 {
            let there = if clr && directory == 14 { 72u32 } else { 0 };
            bytes.extend(there.to_le_bytes());
            bytes.extend(there.to_le_bytes());
        }
        bytes
    }

    fn bundle(offset: u64, padding: usize) -> Vec<u8> {
        let mut bytes = b"\x7fELF".to_vec();
        bytes.resize(padding, 0);
        bytes.extend(offset.to_le_bytes());
        bytes.extend(BUNDLE);
        bytes.resize(bytes.len() + 5000, 1);
        bytes
    }

    #[test]
    fn first_bytes_show_the_kind() {
        let cases: Vec<(Vec<u8>, Image)> = vec![
            (vec![], Image::Empty),
            (b"MZ".to_vec(), Image::Corrupted),
            (pe(true, 0x10b), Image::Managed),
            (pe(true, 0x20b), Image::Managed),
            (pe(false, 0x20b), Image::Native),
            (pe(true, 0x777), Image::Corrupted),
            (pe(true, 0x10b)[..200].to_vec(), Image::Corrupted),
            (b"\x7fELF\x02\x01".to_vec(), Image::Native),
            (bundle(0, 100), Image::Native),
            (bundle(4711, 100), Image::SingleFile),
            (bundle(4711, (1 << 20) - 20), Image::SingleFile),
            (bundle(4711, (1 << 20) + 20), Image::SingleFile),
            (b"#!/bin/sh\n".to_vec(), Image::Script),
            (b"using System;".to_vec(), Image::Other),
        ];
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x");
        for (number, (bytes, expected)) in cases.into_iter().enumerate() {
            std::fs::write(&file, bytes).unwrap();
            assert_eq!(classify(&file).unwrap(), expected, "case {number}");
        }
    }

    #[test]
    fn every_cut_of_a_header_is_survived() {
        let whole = pe(true, 0x20b);
        for end in 0..whole.len() {
            let _ = clr_header(&whole[..end]);
        }
        let mut far = whole;
        far[0x3c..0x40].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(clr_header(&far), None);
    }
}
