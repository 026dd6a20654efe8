//! Custom debug information: what compilers add beyond the tables.

use super::Pdb;
use crate::annotations::DynamicParts;
use crate::bytes::Reader;
use crate::guid::guid;
use crate::schema::col;
use crate::tokens::{MethodId, Token};
use crate::tuples::ElementNames;

const ASYNC_STEPPING: [u8; 16] = guid(0x54fd2ac5_e925_401a_9c2a_f94f171072f8);
const HOISTED_SCOPES: [u8; 16] = guid(0x6da9a61e_f8c7_4874_be62_68bc5630df71);
const OPTIONS: [u8; 16] = guid(0xb5feec05_8cd0_4a83_96da_466284bb4bd8);
const REFERENCES: [u8; 16] = guid(0x7e4d4708_096e_4c5c_aeda_cb10ba6a740d);
/// "Dynamic Local Variables" and "Tuple Element Names" of the specification, of a local.
const DYNAMIC: [u8; 16] = guid(0x83c563c4_b4f3_47d5_b824_ba5441477ea8);
const TUPLE_NAMES: [u8; 16] = guid(0xed9fdf71_8879_4747_8ed3_fe5ede3ce710);
const SOURCE_LINK: [u8; 16] = guid(0xcc110556_a091_4d38_9fec_25ab9a351a6a);

/// A local with more was not written by hand.
const MOST_NAMES: usize = 1 << 12;

/// Where an async method's `MoveNext` suspends and goes on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AsyncInfo {
    /// IL offset of the handler that catches what the method does not (`async void` only).
    pub catch_handler: Option<u32>,
    pub awaits: Vec<AwaitPoint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitPoint {
    /// IL offset of the suspension.
    pub yield_offset: u32,
    pub resume_offset: u32,
    pub resume_method: MethodId,
}

impl Pdb {
    pub(super) fn custom_information(&self, parent: impl Into<Token>, kind: &[u8; 16]) -> Option<Reader<'_>> {
        let mut rows = self.metadata.rows_of(col::CustomDebugInformation::Parent, parent.into());
        let row = rows.find(|&row| {
            let found = self.metadata.guid(row, col::CustomDebugInformation::Kind).ok().flatten();
            found.as_ref() == Some(kind)
        })?;
        self.metadata.blob(row, col::CustomDebugInformation::Value).ok()
    }

    /// The Source Link map, as JSON.
    pub fn source_link(&self) -> Option<&[u8]> {
        let mut blob = self.custom_information(Token::new(crate::Table::Module, 1), &SOURCE_LINK)?;
        blob.take(blob.remaining()).ok()
    }

    /// File names of the assemblies that the compiler was given; `None` where it did not say (before Roslyn 3.8).
    pub fn compiled_against(&self) -> Option<Vec<String>> {
        let mut blob = self.custom_information(Token::new(crate::Table::Module, 1), &REFERENCES)?;
        let mut files = Vec::new();
        while !blob.is_empty() {
            files.push(String::from_utf8_lossy(blob.terminated().ok()?).into_owned());
            blob.terminated().ok()?;
            // Flags, timestamp, image size, MVID.
            blob.take(1 + 4 + 4 + 16).ok()?;
        }
        Some(files)
    }

    /// The symbols that `#if` was decided by; `None` where the compiler did not say (before Roslyn 3.8).
    pub fn conditional_symbols(&self) -> Option<Vec<String>> {
        let mut blob = self.custom_information(Token::new(crate::Table::Module, 1), &OPTIONS)?;
        while !blob.is_empty() {
            let name = blob.terminated().ok()?;
            let value = blob.terminated().ok()?;
            if name == b"define" {
                let names = String::from_utf8_lossy(value);
                return Some(names.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect());
            }
        }
        // Without a symbol there is no such option.
        Some(Vec::new())
    }

    /// Names of the tuple elements in the type of a local; none where nothing names them.
    pub(super) fn element_names(&self, local: Token) -> ElementNames {
        let Some(mut blob) = self.custom_information(local, &TUPLE_NAMES) else { return Vec::new() };
        let mut names = Vec::new();
        while let Ok(name) = blob.terminated()
            && names.len() < MOST_NAMES
        {
            names.push((!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned()));
        }
        names
    }

    /// What is `dynamic` of the type of a local, a by-ref around it left out: a bit for each part, up to the end of a byte.
    pub(super) fn dynamic_parts(&self, local: Token) -> DynamicParts {
        let Some(mut blob) = self.custom_information(local, &DYNAMIC) else { return DynamicParts::new() };
        let mut parts = DynamicParts::new();
        while let Ok(bits) = blob.u8()
            && parts.len() < MOST_NAMES
        {
            parts.extend((0..8).map(|at| bits >> at & 1 != 0));
        }
        parts
    }

    /// Of an async `MoveNext`.
    pub fn async_info(&self, move_next: MethodId) -> Option<AsyncInfo> {
        let mut blob = self.custom_information(move_next, &ASYNC_STEPPING)?;
        // Stored plus one; 0 is none.
        let mut info = AsyncInfo { catch_handler: blob.u32().ok()?.checked_sub(1), awaits: Vec::new() };
        while !blob.is_empty() {
            info.awaits.push(AwaitPoint {
                yield_offset: blob.u32().ok()?,
                resume_offset: blob.u32().ok()?,
                resume_method: MethodId(blob.compressed().ok()?),
            });
        }
        Some(info)
    }

    /// The IL range (start, end) in which the hoisted local of that slot (`<name>5__slot`, from 1) is in scope.
    pub fn hoisted_scope(&self, move_next: MethodId, slot: u32) -> Option<(u32, u32)> {
        let mut blob = self.custom_information(move_next, &HOISTED_SCOPES)?;
        blob.skip((slot.checked_sub(1)? as usize).checked_mul(8)?).ok()?;
        let (start, length) = (blob.u32().ok()?, blob.u32().ok()?);
        Some((start, start.saturating_add(length)))
    }
}
