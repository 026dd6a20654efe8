//! Structures and codes of cordebug.h and corhdr.h.

/// CorElementType.
pub mod element {
    pub const VOID: u32 = 0x01;
    pub const BOOLEAN: u32 = 0x02;
    pub const CHAR: u32 = 0x03;
    pub const I1: u32 = 0x04;
    pub const U1: u32 = 0x05;
    pub const I2: u32 = 0x06;
    pub const U2: u32 = 0x07;
    pub const I4: u32 = 0x08;
    pub const U4: u32 = 0x09;
    pub const I8: u32 = 0x0a;
    pub const U8: u32 = 0x0b;
    pub const R4: u32 = 0x0c;
    pub const R8: u32 = 0x0d;
    pub const STRING: u32 = 0x0e;
    pub const PTR: u32 = 0x0f;
    pub const BYREF: u32 = 0x10;
    pub const VALUETYPE: u32 = 0x11;
    pub const CLASS: u32 = 0x12;
    pub const ARRAY: u32 = 0x14;
    pub const I: u32 = 0x18;
    pub const U: u32 = 0x19;
    pub const FNPTR: u32 = 0x1b;
    pub const OBJECT: u32 = 0x1c;
    pub const SZARRAY: u32 = 0x1d;
}

/// CorDebugExceptionCallbackType.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceptionStage {
    FirstChance,
    /// First chance, the first time that it meets a frame of the user's code.
    UserFirstChance,
    HandlerFound,
    Unhandled,
}

impl ExceptionStage {
    pub(super) fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            1 => Self::FirstChance,
            2 => Self::UserFirstChance,
            3 => Self::HandlerFound,
            4 => Self::Unhandled,
            _ => return None,
        })
    }
}

/// CorDebugStepReason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepReason {
    Normal,
    Return,
    Call,
    Other,
}

impl StepReason {
    pub(super) fn from_code(code: u32) -> Self {
        match code {
            0 => Self::Normal,
            1 => Self::Return,
            2 => Self::Call,
            _ => Self::Other,
        }
    }
}

/// CorDebugMappingResult: how sure an IL offset is.
pub mod mapping {
    pub const PROLOG: u32 = 0x01;
    pub const EPILOG: u32 = 0x02;
    pub const NO_INFO: u32 = 0x04;
    pub const UNMAPPED_ADDRESS: u32 = 0x08;
    pub const EXACT: u32 = 0x10;
    pub const APPROXIMATE: u32 = 0x20;
}

/// CorDebugUserState, a bit each.
pub mod user_state {
    pub const SUSPENDED: u32 = 0x40;
    pub const UNSAFE_POINT: u32 = 0x80;
}

/// CorDebugJITCompilerFlags: track locals, no optimisation.
pub const JIT_DISABLE_OPTIMIZATION: u32 = 3;

/// Registers of a thread that stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registers {
    pub instruction_pointer: u64,
    /// RBP of x64.
    pub frame_pointer: u64,
}

/// A half-open range of IL or native offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StepRange {
    pub start: u32,
    pub end: u32,
}
