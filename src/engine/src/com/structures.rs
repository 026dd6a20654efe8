//! Structures and codes of cordebug.h and corhdr.h.

/// CorElementType.
pub mod element {
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

/// A handle that does not keep its object alive (CorDebugHandleType).
pub const WEAK: u32 = 2;

/// A thread waits, sleeps or joins another (CorDebugUserState).
pub const WAITS: u32 = 0x20;

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

/// CorDebugJITCompilerFlags: track locals, no optimization.
pub const JIT_DISABLE_OPTIMIZATION: u32 = 3;

/// A half-open range of IL or native offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StepRange {
    pub start: u32,
    pub end: u32,
}

/// COR_DEBUG_IL_TO_NATIVE_MAP: the native code of a piece of IL, by half-open offsets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CodeMapping {
    /// Or one of [`il_offset`].
    pub il_offset: u32,
    pub start: u32,
    pub end: u32,
}

/// CorDebugIlToNativeMappingTypes: what stands for no IL.
pub mod il_offset {
    pub const NONE: u32 = -1_i32 as u32;
    pub const PROLOG: u32 = -2_i32 as u32;
    pub const EPILOG: u32 = -3_i32 as u32;
}

/// CorDebugMappingResult, as far as it is used.
pub mod mapping {
    /// The code begins at the offset.
    pub const EXACT: u32 = 0x10;
    /// The code is behind the beginning of what has the offset.
    pub const APPROXIMATE: u32 = 0x20;
}

/// COR_TYPEID: a type with its arguments. Valid until a module is unloaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct TypeId {
    pub token1: u64,
    pub token2: u64,
}

/// COR_HEAPINFO.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct HeapInformation {
    /// 0 while a collection moves objects: then nothing can be read.
    pub is_valid: i32,
    pub pointer_size: u32,
    pub heaps: u32,
    pub is_concurrent: i32,
    pub kind: u32,
}

/// COR_HEAPOBJECT.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct HeapObject {
    pub address: u64,
    pub size: u64,
    pub type_: TypeId,
}

/// COR_SEGMENT: a range of the heap.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct HeapRegion {
    pub start: u64,
    pub end: u64,
    /// 0 to 2, or one of [`region`].
    pub generation: u32,
    pub heap: u32,
}

/// CorDebugGenerationTypes beyond the numbered ones.
pub mod region {
    pub const LARGE: u32 = 3;
    pub const PINNED: u32 = 4;
    /// Never collected: string literals and the like, which code refers to.
    pub const FROZEN: u32 = 0x7fff_ffff;
}

/// COR_TYPE_LAYOUT.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct TypeLayout {
    pub parent: TypeId,
    pub size: u32,
    /// Its own fields, without those of its bases.
    pub fields: u32,
    /// Where the value begins in a box.
    pub box_offset: u32,
    /// An element code.
    pub kind: u32,
}

/// COR_FIELD.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct FieldLayout {
    pub token: u32,
    /// From the object's start, where its method table is; in a struct from the struct's.
    pub offset: u32,
    pub type_: TypeId,
    /// An element code.
    pub kind: u32,
}

/// COR_ARRAY_LAYOUT.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct ArrayLayout {
    pub element: TypeId,
    /// An element code.
    pub kind: u32,
    pub first: u32,
    pub element_size: u32,
    pub count_at: u32,
    pub rank_size: u32,
    pub ranks: u32,
    pub rank_at: u32,
}

/// CorGCReferenceType, as far as it keeps objects alive.
pub mod handle_kind {
    pub const STRONG: u32 = 1 << 0;
    pub const PINNED: u32 = 1 << 1;
    pub const REF_COUNTED: u32 = 1 << 5;
    /// Its object keeps another one alive.
    pub const DEPENDENT: u32 = 1 << 6;
    pub const ASYNC_PINNED: u32 = 1 << 7;
    pub const SIZED: u32 = 1 << 8;
}
