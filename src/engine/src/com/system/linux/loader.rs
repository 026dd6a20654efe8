//! Libraries that are loaded at run time and never closed.

use std::ffi::{CStr, CString};

use super::super::super::pointer::Raw;

/// Loads a library.
///
/// # Errors
/// The loader's words.
pub fn load(path: &str) -> Result<Raw, String> {
    let name = CString::new(path).map_err(|error| error.to_string())?;
    // SAFETY: a terminated string; the library is the target's own runtime and never closed.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        // SAFETY: dlerror answers null or a terminated string of the loader's, valid until its next call in this thread.
        return Err(unsafe {
            let words = libc::dlerror();
            if words.is_null() { String::new() } else { CStr::from_ptr(words).to_string_lossy().into_owned() }
        });
    }
    Ok(library)
}

/// What a library that was loaded exports under a name.
pub fn symbol(library: Raw, name: &CStr) -> Option<Raw> {
    // SAFETY: an open library and a terminated string.
    let found = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}
