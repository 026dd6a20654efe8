//! Custom debug information: what compilers add beyond the tables.

use super::Pdb;
use crate::metadata::bytes::Reader;
use crate::metadata::schema::col;
use crate::metadata::tokens::{MethodId, Token};

const ASYNC_STEPPING: [u8; 16] = [
    0xc5, 0x2a, 0xfd, 0x54, 0x25, 0xe9, 0x1a, 0x40, 0x9c, 0x2a, 0xf9, 0x4f, 0x17, 0x10, 0x72, 0xf8,
];
const HOISTED_SCOPES: [u8; 16] = [
    0x1e, 0xa6, 0xa9, 0x6d, 0xc7, 0xf8, 0x74, 0x48, 0xbe, 0x62, 0x68, 0xbc, 0x56, 0x30, 0xdf, 0x71,
];
const SOURCE_LINK: [u8; 16] = [
    0x56, 0x05, 0x11, 0xcc, 0x91, 0xa0, 0x38, 0x4d, 0x9f, 0xec, 0x25, 0xab, 0x9a, 0x35, 0x1a, 0x6a,
];

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
    pub(super) fn custom_information(
        &self,
        parent: impl Into<Token>,
        kind: &[u8; 16],
    ) -> Option<Reader<'_>> {
        let mut rows = self
            .metadata
            .rows_of(col::CustomDebugInformation::Parent, parent.into());
        let row = rows.find(|&row| {
            let found = self
                .metadata
                .guid(row, col::CustomDebugInformation::Kind)
                .ok()
                .flatten();
            found.as_ref() == Some(kind)
        })?;
        self.metadata
            .blob(row, col::CustomDebugInformation::Value)
            .ok()
    }

    /// The Source Link map, as JSON.
    pub fn source_link(&self) -> Option<&[u8]> {
        let mut blob =
            self.custom_information(Token::new(crate::metadata::Table::Module, 1), &SOURCE_LINK)?;
        blob.take(blob.remaining()).ok()
    }

    /// Of an async `MoveNext`.
    pub fn async_info(&self, move_next: MethodId) -> Option<AsyncInfo> {
        let mut blob = self.custom_information(move_next, &ASYNC_STEPPING)?;
        // Stored plus one; 0 is none.
        let mut info = AsyncInfo {
            catch_handler: blob.u32().ok()?.checked_sub(1),
            awaits: Vec::new(),
        };
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
    pub(super) fn hoisted_scope(&self, move_next: MethodId, slot: u32) -> Option<(u32, u32)> {
        let mut blob = self.custom_information(move_next, &HOISTED_SCOPES)?;
        blob.skip((slot.checked_sub(1)? as usize).checked_mul(8)?)
            .ok()?;
        let (start, length) = (blob.u32().ok()?, blob.u32().ok()?);
        Some((start, start.saturating_add(length)))
    }
}
