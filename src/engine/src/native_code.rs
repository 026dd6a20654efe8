//! The native code of a method, and which IL each piece of it is of.

use crate::com::{self, CodeMapping, il_offset};

pub struct NativeCode {
    pub address: u64,
    pub size: u32,
    mappings: Vec<CodeMapping>,
}

impl NativeCode {
    /// # Errors
    /// The runtime has no code or no mapping, as for what it wrote itself.
    pub fn read(code: &com::Code) -> com::Result<Self> {
        Ok(Self { address: code.address()?, size: code.size()?, mappings: code.mappings()? })
    }

    /// Whether a breakpoint of an IL offset has somewhere to be. A method can always be stopped where it begins.
    pub fn has_place(&self, il_offset: u32) -> bool {
        il_offset == 0 || self.mappings.iter().any(|mapping| mapping.il_offset == il_offset)
    }

    /// The IL of what stands at an offset in the code, as stack traces of the runtime find it.
    pub fn il_offset(&self, offset: u32) -> u32 {
        let mapping = self.mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&offset));
        match mapping.map(|mapping| mapping.il_offset) {
            None | Some(il_offset::NONE | il_offset::PROLOG) => 0,
            Some(il_offset::EPILOG) => {
                let real = self.mappings.iter().map(|it| it.il_offset).filter(|offset| *offset < il_offset::EPILOG);
                real.max().unwrap_or(0)
            }
            Some(offset) => offset,
        }
    }
}
