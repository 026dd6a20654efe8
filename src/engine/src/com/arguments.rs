//! How Rust's values go in and out of a call.

use super::pointer::{HResult, Interface, Pointer, Raw, Result};
use super::structures::{ArrayLayout, HeapInformation, TypeId, TypeLayout};

/// What may be passed by value.
pub trait Input {
    #[doc(hidden)]
    type Abi: Copy;
    #[doc(hidden)]
    fn lower(self) -> Self::Abi;
}

/// What a call gives through its last parameter.
pub trait Output: Sized {
    #[doc(hidden)]
    type Abi: Copy;
    #[doc(hidden)]
    fn empty() -> Self::Abi;
    /// # Safety
    /// `slot` was filled by a call that succeeded.
    #[doc(hidden)]
    unsafe fn take(slot: Self::Abi) -> Result<Self>;
}

macro_rules! plain {
    ($($type:ty)*) => { $(
        impl Input for $type {
            type Abi = Self;
            fn lower(self) -> Self { self }
        }
        impl Output for $type {
            type Abi = Self;
            fn empty() -> Self { Self::default() }
            unsafe fn take(slot: Self) -> Result<Self> { Ok(slot) }
        }
    )* };
}
plain!(u32 i32 u64 usize);
// structures of plain numbers, which the callee copies
plain!(TypeId HeapInformation TypeLayout ArrayLayout);

impl Input for bool {
    type Abi = i32;
    fn lower(self) -> i32 {
        i32::from(self)
    }
}

impl Output for bool {
    type Abi = i32;
    fn empty() -> i32 {
        0
    }
    unsafe fn take(slot: i32) -> Result<Self> {
        Ok(slot != 0)
    }
}

impl<T: Interface> Input for &T {
    type Abi = Raw;
    fn lower(self) -> Raw {
        self.pointer().raw()
    }
}

impl<T: Interface> Input for Option<&T> {
    type Abi = Raw;
    fn lower(self) -> Raw {
        self.map_or(std::ptr::null_mut(), |it| it.pointer().raw())
    }
}

impl<T: Interface> Output for T {
    type Abi = Raw;
    fn empty() -> Raw {
        std::ptr::null_mut()
    }
    unsafe fn take(slot: Raw) -> Result<Self> {
        if slot.is_null() {
            return Err(HResult::POINTER);
        }
        // SAFETY: an interface that a call gives carries a reference for its receiver.
        Ok(T::wrap(unsafe { Pointer::owned(slot) }))
    }
}
