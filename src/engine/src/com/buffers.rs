//! Calls that pass texts, lists and bytes.

use std::ffi::c_void;

use super::interfaces::*;
use super::pointer::{HResult, Interface, Pointer, Raw, Result};
use super::structures::{CodeMapping, StepRange};

impl Module {
    /// Its path, or its name where it is in memory only.
    pub fn name(&self) -> Result<String> {
        let (mut size, mut units) = (0_u32, vec![0_u16; 512]);
        for _ in 0..2 {
            let room = u32::try_from(units.len()).unwrap_or(u32::MAX);
            // SAFETY: slot 6 is GetName(size, needed, buffer); the buffer has room for as many units as `size` says.
            let answer = unsafe {
                self.pointer().method::<unsafe extern "C" fn(Raw, u32, *mut u32, *mut u16) -> i32>(6)(
                    self.pointer().raw(),
                    room,
                    &raw mut size,
                    units.as_mut_ptr(),
                )
            };
            HResult::check(answer)?;
            if size <= room {
                break;
            }
            units.resize(size as usize, 0);
        }
        // the size counts the zero at the end
        units.truncate((size as usize).saturating_sub(1));
        Ok(String::from_utf16_lossy(&units))
    }
}

impl Module2 {
    /// Whether its code is the user's; single functions can differ.
    pub fn set_my_code(&self, is_mine: bool) -> Result<i32> {
        // SAFETY: slot 3 is SetJMCStatus(is mine, count, tokens); tokens are not implemented by the runtime.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, i32, u32, *const u32) -> i32>(3)(
                self.pointer().raw(),
                i32::from(is_mine),
                0,
                std::ptr::null(),
            )
        })
    }
}

impl Class2 {
    /// The type with these arguments; `kind`: [`super::element::CLASS`] or [`super::element::VALUETYPE`].
    pub fn with_arguments(&self, kind: u32, arguments: &[Type]) -> Result<Type> {
        let raw: Vec<Raw> = arguments.iter().map(|it| it.pointer().raw()).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        let mut found = std::ptr::null_mut();
        // SAFETY: slot 3 is GetParameterizedType(kind, count, arguments, out); all pointers are alive during the call.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, u32, u32, *const Raw, *mut Raw) -> i32>(3)(
                self.pointer().raw(),
                kind,
                count,
                raw.as_ptr(),
                &raw mut found,
            )
        })?;
        if found.is_null() {
            return Err(HResult::POINTER);
        }
        // SAFETY: handed out with a reference.
        Ok(Type::wrap(unsafe { Pointer::owned(found) }))
    }
}

impl Enumerator {
    /// All that is left.
    pub fn rest<T: Interface>(&self) -> Vec<T> {
        const BLOCK: usize = 32;
        let mut all = Vec::new();
        loop {
            let mut items = [std::ptr::null_mut::<c_void>(); BLOCK];
            let mut got = 0_u32;
            // SAFETY: slot 7 is Next(count, items, got) in every enumerator of interfaces; there is room for the count.
            let answer = unsafe {
                self.pointer().method::<unsafe extern "C" fn(Raw, u32, *mut Raw, *mut u32) -> i32>(7)(
                    self.pointer().raw(),
                    BLOCK as u32,
                    items.as_mut_ptr(),
                    &raw mut got,
                )
            };
            let filled = items.iter().take(got as usize).filter(|item| !item.is_null());
            // SAFETY: the receiver owns what was handed out. A wrong kind of interface shows as a failed cast.
            all.extend(filled.filter_map(|&item| unsafe { Pointer::owned(item) }.query(&T::IID).ok()).map(T::wrap));
            if answer != 0 || got == 0 {
                return all;
            }
        }
    }
}

impl ILFrame {
    /// The IL offset, and as one of [`super::mapping`] how the code there lies to it: behind a call it may be that of the call, or of
    /// the statement.
    pub fn ip(&self) -> Result<(u32, u32)> {
        let (mut offset, mut mapping) = (0_u32, 0_u32);
        // SAFETY: slot 11 is GetIP(offset, mapping).
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, *mut u32, *mut u32) -> i32>(11)(
                self.pointer().raw(),
                &raw mut offset,
                &raw mut mapping,
            )
        })?;
        Ok((offset, mapping))
    }
}

impl NativeFrame {
    /// Where its stack ends, toward its caller: the same as long as the method runs, and no other activation's.
    pub fn stack_end(&self) -> Result<u64> {
        self.stack().map(|(_, end)| end)
    }

    /// Where what it calls has its own stack.
    pub fn stack_start(&self) -> Result<u64> {
        self.stack().map(|(start, _)| start)
    }

    fn stack(&self) -> Result<(u64, u64)> {
        let (mut start, mut end) = (0_u64, 0_u64);
        // SAFETY: slot 7 is GetStackRange(start, end).
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, *mut u64, *mut u64) -> i32>(7)(
                self.pointer().raw(),
                &raw mut start,
                &raw mut end,
            )
        })?;
        Ok((start, end))
    }
}

impl Code {
    /// Which IL its native code is of, in the order of the runtime.
    pub fn mappings(&self) -> Result<Vec<CodeMapping>> {
        let (mut size, mut mappings) = (0_u32, vec![CodeMapping::default(); 64]);
        for _ in 0..2 {
            let room = u32::try_from(mappings.len()).unwrap_or(u32::MAX);
            // SAFETY: slot 10 is GetILToNativeMapping(size, needed, buffer); the buffer has room for as many as `size` says.
            HResult::check(unsafe {
                self.pointer().method::<unsafe extern "C" fn(Raw, u32, *mut u32, *mut CodeMapping) -> i32>(10)(
                    self.pointer().raw(),
                    room,
                    &raw mut size,
                    mappings.as_mut_ptr(),
                )
            })?;
            if size <= room {
                break;
            }
            mappings.resize(size as usize, CodeMapping::default());
        }
        mappings.truncate(size as usize);
        Ok(mappings)
    }
}

impl Code3 {
    /// The native offsets at which what the call at an IL offset returned can be read: behind each copy of it.
    pub fn return_value_offsets(&self, il_offset: u32) -> Result<Vec<u32>> {
        // more than one only where the compiler copied the call
        const MOST: u32 = 8;
        let (mut got, mut offsets) = (0_u32, vec![0_u32; MOST as usize]);
        // SAFETY: slot 3 is GetReturnValueLiveOffset(il offset, size, got, buffer); the buffer has room for as many as `size` says.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, u32, u32, *mut u32, *mut u32) -> i32>(3)(
                self.pointer().raw(),
                il_offset,
                MOST,
                &raw mut got,
                offsets.as_mut_ptr(),
            )
        })?;
        offsets.truncate(got as usize);
        Ok(offsets)
    }
}

impl Stepper {
    /// Runs until the code leaves the ranges, which are of IL.
    pub fn step_range(&self, into: bool, ranges: &[StepRange]) -> Result<i32> {
        let count = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
        // SAFETY: slot 8 is StepRange(into, ranges, count).
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, i32, *const StepRange, u32) -> i32>(8)(
                self.pointer().raw(),
                i32::from(into),
                ranges.as_ptr(),
                count,
            )
        })
    }
}

impl Eval {
    /// A new string of the target, of any characters.
    pub fn new_string(&self, units: &[u16]) -> Result<i32> {
        let eval2 = self.cast::<Eval2>()?;
        let count = u32::try_from(units.len()).map_err(|_| HResult::INVALID_ARGUMENT)?;
        // SAFETY: slot 8 is NewStringWithLength(text, length).
        HResult::check(unsafe {
            eval2.pointer().method::<unsafe extern "C" fn(Raw, *const u16, u32) -> i32>(8)(
                eval2.pointer().raw(),
                units.as_ptr(),
                count,
            )
        })
    }
}

impl Eval2 {
    /// `types`: of the class that declares the function, then of the function; `arguments`: the object first.
    pub fn call(&self, function: &Function, types: &[Type], arguments: &[Value]) -> Result<i32> {
        self.start(3, function, types, arguments)
    }

    /// `types`: of the class.
    pub fn new_object(&self, constructor: &Function, types: &[Type], arguments: &[Value]) -> Result<i32> {
        self.start(5, constructor, types, arguments)
    }

    /// An object whose constructor does not run.
    pub fn new_bare_object(&self, class: &Class, types: &[Type]) -> Result<i32> {
        let raw: Vec<Raw> = types.iter().map(|it| it.pointer().raw()).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        // SAFETY: slot 6 is NewParameterizedObjectNoConstructor(class, count of types, types).
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, Raw, u32, *const Raw) -> i32>(6)(
                self.pointer().raw(),
                class.pointer().raw(),
                count,
                raw.as_ptr(),
            )
        })
    }

    /// An array of one dimension, from 0.
    pub fn new_array(&self, element: &Type, length: u32) -> Result<i32> {
        let base = 0_u32;
        // SAFETY: slot 7 is NewParameterizedArray(element, rank, lengths, lower bounds), both lists as long as the rank.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, Raw, u32, *const u32, *const u32) -> i32>(7)(
                self.pointer().raw(),
                element.pointer().raw(),
                1,
                &raw const length,
                &raw const base,
            )
        })
    }

    fn start(&self, slot: usize, function: &Function, types: &[Type], arguments: &[Value]) -> Result<i32> {
        let raw_types: Vec<Raw> = types.iter().map(|it| it.pointer().raw()).collect();
        let raw_arguments: Vec<Raw> = arguments.iter().map(|it| it.pointer().raw()).collect();
        let count = |list: &[Raw]| u32::try_from(list.len()).unwrap_or(u32::MAX);
        // SAFETY: slots 3 and 5 are CallParameterizedFunction and NewParameterizedObject, both (function, count of types, types,
        // count of arguments, arguments); all pointers are alive during the call.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, Raw, u32, *const Raw, u32, *const Raw) -> i32>(slot)(
                self.pointer().raw(),
                function.pointer().raw(),
                count(&raw_types),
                raw_types.as_ptr(),
                count(&raw_arguments),
                raw_arguments.as_ptr(),
            )
        })
    }
}

impl GenericValue {
    /// The bytes of a value that is `size` bytes long.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let size = self.cast::<Value>()?.size()? as usize;
        let mut bytes = vec![0_u8; size.max(8)];
        // SAFETY: slot 7 is GetValue(to), which writes as many bytes as the value is long.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, *mut u8) -> i32>(7)(
                self.pointer().raw(),
                bytes.as_mut_ptr(),
            )
        })?;
        bytes.truncate(size);
        Ok(bytes)
    }

    /// Writes it whole; `bytes` must be as long as it is.
    pub fn set_bytes(&self, bytes: &[u8]) -> Result<i32> {
        if self.cast::<Value>()?.size()? as usize != bytes.len() {
            return Err(HResult::INVALID_ARGUMENT);
        }
        // SAFETY: slot 8 is SetValue(from), which reads as many bytes as the value is long.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, *const u8) -> i32>(8)(
                self.pointer().raw(),
                bytes.as_ptr(),
            )
        })
    }
}

impl StringValue {
    /// All of its UTF-16 units, zeros too.
    pub fn units(&self) -> Result<Vec<u16>> {
        let length = self.length()?;
        let mut units = vec![0_u16; length as usize + 1];
        let mut got = 0_u32;
        // SAFETY: slot 10 is GetString(size, got, buffer); the buffer has room for as many units as `size` says.
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, u32, *mut u32, *mut u16) -> i32>(10)(
                self.pointer().raw(),
                length + 1,
                &raw mut got,
                units.as_mut_ptr(),
            )
        })?;
        units.truncate(length as usize);
        Ok(units)
    }
}

impl ArrayValue {
    /// The length of each dimension.
    pub fn dimensions(&self) -> Result<Vec<u32>> {
        self.numbers(12)
    }

    /// The first index of each dimension.
    pub fn base_indices(&self) -> Result<Vec<u32>> {
        self.numbers(14)
    }

    fn numbers(&self, slot: usize) -> Result<Vec<u32>> {
        let rank = self.rank()?;
        let mut numbers = vec![0_u32; rank as usize];
        // SAFETY: slots 12 and 14 are GetDimensions and GetBaseIndicies, both (count, numbers).
        HResult::check(unsafe {
            self.pointer().method::<unsafe extern "C" fn(Raw, u32, *mut u32) -> i32>(slot)(
                self.pointer().raw(),
                rank,
                numbers.as_mut_ptr(),
            )
        })?;
        Ok(numbers)
    }
}
