//! One counted reference to a COM object, and what its methods answer.

use std::ffi::c_void;
use std::fmt;

use super::guid::Guid;
use super::system::forget_what_was_read_ahead;

/// A COM pointer as it is passed.
pub(super) type Raw = *mut c_void;

/// A failed call's HRESULT.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct HResult(pub u32);

pub type Result<T> = std::result::Result<T, HResult>;

impl HResult {
    pub const NOT_IMPLEMENTED: Self = Self(0x8000_4001);
    pub const NO_INTERFACE: Self = Self(0x8000_4002);
    pub const POINTER: Self = Self(0x8000_4003);
    pub const INVALID_ARGUMENT: Self = Self(0x8007_0057);
    pub const PROCESS_TERMINATED: Self = Self(0x8013_1301);
    pub const NOT_SYNCHRONIZED: Self = Self(0x8013_1302);
    /// The type of a static field is not loaded,
    pub const NOT_LOADED: Self = Self(0x8013_1303);
    /// or its static fields are not there yet: it was not used so far.
    pub const STATIC_UNAVAILABLE: Self = Self(0x8013_131a);
    /// ERROR_STACK_OVERFLOW of Windows: ours for a thread with more frames than are read.
    pub const TOO_MANY_FRAMES: Self = Self(0x8007_03e9);
    pub const TIMEOUT: Self = Self(0x8013_1c08);
    /// ERROR_INVALID_STATE of Windows: ours for a variable that a method does not have any more since it was suspended.
    pub const LOST: Self = Self(0x8007_139f);

    /// A negative answer is a failure.
    pub(super) fn check(answer: i32) -> Result<i32> {
        if answer < 0 { Err(Self(answer.cast_unsigned())) } else { Ok(answer) }
    }

    /// What the codes that are met in practice mean.
    pub fn words(self) -> &'static str {
        match self.0 {
            0x8000_4001 => "not implemented",
            0x8000_4002 => "no such interface",
            0x8007_0057 => "invalid argument",
            0x8013_1301 => "the process has ended",
            0x8013_1302 => "the process is running",
            0x8013_1303 => "the type is not loaded yet",
            0x8013_1304 => "not available at this instruction",
            0x8013_1305 => "not a valid reference",
            0x8007_03e9 => "not read: the stack of the thread has too many frames",
            0x8007_139f => dap_wire::LOST,
            0x8013_1307 => "not a frame of compiled code",
            0x8013_1309 => "the code of the method is not available yet",
            0x8013_130a => "the function has no IL",
            0x8013_1313 => "no code can run at this point of the program: the thread is not at a safe point",
            0x8013_1318 => "the next statement cannot be set to this instruction",
            0x8013_131a => "the static members of the type are not available yet",
            0x8013_132f => "the program is not stopped",
            0x8013_134f => "the value is stale: it was read before the program resumed",
            0x8013_1c08 => "the process does not respond to the debugger",
            0x8013_1c12 => "this is only possible while the module is loading",
            0x8013_1c13 => "this is not possible for modules loaded before the attach",
            0x8013_1c18 => "a call in the program has not returned",
            0x8013_1c23 => "no code can run at this point of the program: it is not safe for the garbage collector",
            0x8013_1c2e => "no code can run in this thread: it has too little stack",
            _ => "",
        }
    }
}

impl fmt::Display for HResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            "" => write!(f, "0x{:08x}", self.0),
            words if *self == Self::LOST => f.write_str(words),
            words => write!(f, "{words} (0x{:08x})", self.0),
        }
    }
}

impl fmt::Debug for HResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One counted reference.
pub struct Pointer(Raw);

// SAFETY: all objects of mscordbi may be used from any thread (they are free-threaded and lock for themselves).
unsafe impl Send for Pointer {}
// SAFETY: as above.
unsafe impl Sync for Pointer {}

impl Pointer {
    /// # Safety
    /// `raw` is a live COM object and carries one reference, which passes to the result.
    pub(super) unsafe fn owned(raw: Raw) -> Self {
        Self(raw)
    }

    /// # Safety
    /// `raw` is a live COM object; a reference is added.
    pub(super) unsafe fn borrowed(raw: Raw) -> Self {
        // SAFETY: slot 1 of every COM object is AddRef.
        unsafe { method::<unsafe extern "C" fn(Raw) -> u32>(raw, 1)(raw) };
        Self(raw)
    }

    pub(super) fn raw(&self) -> Raw {
        self.0
    }

    /// # Safety
    /// Slot `slot` of the object's table exists and is an `F`.
    pub(super) unsafe fn method<F: Copy>(&self, slot: usize) -> F {
        // whoever asks for a method is about to call it
        forget_what_was_read_ahead();
        // SAFETY: alive as long as `self`; the rest is the caller's promise.
        unsafe { method(self.0, slot) }
    }

    pub(super) fn query(&self, iid: &Guid) -> Result<Self> {
        let mut found = std::ptr::null_mut();
        // SAFETY: slot 0 of every COM object is QueryInterface; both pointers are to live locals.
        let answer = unsafe {
            self.method::<unsafe extern "C" fn(Raw, *const Guid, *mut Raw) -> i32>(0)(self.0, iid, &raw mut found)
        };
        HResult::check(answer)?;
        if found.is_null() {
            return Err(HResult::NO_INTERFACE);
        }
        // SAFETY: QueryInterface hands out a reference.
        Ok(unsafe { Self::owned(found) })
    }
}

/// # Safety
/// `raw` is a live COM object with a table of more than `slot` slots, of which that one is an `F`.
unsafe fn method<F: Copy>(raw: Raw, slot: usize) -> F {
    // SAFETY: a COM object begins with a pointer to its table of function pointers.
    unsafe {
        let table = *raw.cast::<*const *const c_void>();
        std::mem::transmute_copy(&*table.add(slot))
    }
}

impl Clone for Pointer {
    fn clone(&self) -> Self {
        // SAFETY: alive as long as `self`.
        unsafe { Self::borrowed(self.0) }
    }
}

impl Drop for Pointer {
    fn drop(&mut self) {
        // SAFETY: slot 2 is Release; this reference is given back once.
        unsafe { self.method::<unsafe extern "C" fn(Raw) -> u32>(2)(self.0) };
    }
}

/// A typed pointer: made by `interfaces!` alone.
pub trait Interface: Sized {
    const IID: Guid;

    #[doc(hidden)]
    fn wrap(pointer: Pointer) -> Self;

    #[doc(hidden)]
    fn pointer(&self) -> &Pointer;

    /// The same object by another interface of it.
    fn cast<T: Interface>(&self) -> Result<T> {
        self.pointer().query(&T::IID).map(T::wrap)
    }

    /// Whether both are one object, asked through one interface.
    fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.pointer().raw(), other.pointer().raw())
    }
}
