//! Calls that list the garbage collector's heap: blocks of structures.

use super::interfaces::{GcReferences, HeapObjects, HeapRegions, Process5, ReferenceValue, Unknown, Value};
use super::pointer::{HResult, Interface, Pointer, Raw, Result};
use super::structures::{FieldLayout, HeapObject, HeapRegion, TypeId};

/// A handle that keeps an object alive.
#[derive(Debug, Clone, Copy)]
pub struct GcReference {
    /// One of [`super::handle_kind`].
    pub kind: u32,
    /// Of a dependent handle the object that lives as long as the other.
    pub extra: u64,
    /// The object.
    pub address: u64,
}

/// COR_GC_REFERENCE: both pointers are owned by the receiver.
#[derive(Clone, Copy)]
#[repr(C)]
struct RawReference {
    domain: Raw,
    location: Raw,
    kind: u32,
    extra: u64,
}

impl Process5 {
    /// The fields that a type declares itself, statics excepted.
    pub fn type_fields(&self, id: TypeId, count: u32) -> Result<Vec<FieldLayout>> {
        let mut fields = vec![FieldLayout::default(); count as usize];
        if fields.is_empty() {
            return Ok(fields);
        }
        let mut got = 0_u32;
        // SAFETY: slot 13 is GetTypeFields(id, count, fields, got); the list has room for the count.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, TypeId, u32, *mut FieldLayout, *mut u32) -> i32>(13)(
                self.pointer().raw(),
                id,
                count,
                fields.as_mut_ptr(),
                &raw mut got,
            )
        })?;
        fields.truncate(got as usize);
        Ok(fields)
    }
}

impl HeapObjects {
    /// The next objects, as many as `block` is long; answers how many.
    pub fn next(&self, block: &mut [HeapObject]) -> Result<usize> {
        // SAFETY: this enumerator's items are COR_HEAPOBJECT.
        unsafe { next(self, block) }
    }
}

impl HeapRegions {
    /// All of them.
    pub fn all(&self) -> Result<Vec<HeapRegion>> {
        let mut all = Vec::new();
        loop {
            let mut block = [HeapRegion::default(); 64];
            // SAFETY: this enumerator's items are COR_SEGMENT.
            let got = unsafe { next(self, &mut block) }?;
            all.extend(block.into_iter().take(got));
            if got < block.len() {
                return Ok(all);
            }
        }
    }
}

/// References asked for at once.
const REFERENCES: usize = 4_096;

impl GcReferences {
    /// The next ones, none at the end.
    pub fn next(&self) -> Result<Vec<GcReference>> {
        let empty = RawReference { domain: std::ptr::null_mut(), location: std::ptr::null_mut(), kind: 0, extra: 0 };
        let mut block = vec![empty; REFERENCES];
        // SAFETY: this enumerator's items are COR_GC_REFERENCE.
        let got = unsafe { next(self, &mut block) }?;
        // SAFETY: each was handed out with a reference for its receiver.
        let owned = |raw: Raw| (!raw.is_null()).then(|| unsafe { Pointer::owned(raw) });
        let read = |raw: &RawReference| {
            drop(owned(raw.domain).map(Unknown::wrap));
            let location = owned(raw.location).map(Value::wrap);
            let address = location.and_then(|value| {
                let reference = value.cast::<ReferenceValue>().and_then(|it| it.target_address());
                reference.or_else(|_| value.address()).ok()
            });
            GcReference { kind: raw.kind, extra: raw.extra, address: address.unwrap_or(0) }
        };
        Ok(block.iter().take(got).map(read).collect())
    }
}

/// # Safety
/// `T` is the plain structure that this enumerator hands out.
pub(super) unsafe fn next<T: Copy>(enumerator: &impl Interface, block: &mut [T]) -> Result<usize> {
    let count = u32::try_from(block.len()).unwrap_or(u32::MAX);
    let mut got = 0_u32;
    let pointer = enumerator.pointer();
    // SAFETY: slot 7 is Next(count, items, got) in every enumerator; there is room for the count.
    let answer = unsafe {
        pointer.method::<unsafe extern "C" fn(Raw, u32, *mut T, *mut u32) -> i32>(7)(
            pointer.raw(),
            count,
            block.as_mut_ptr(),
            &raw mut got,
        )
    };
    HResult::check(answer)?;
    Ok(got as usize)
}
