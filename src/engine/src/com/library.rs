//! libmscordbi of the target's own runtime: loaded once, never unloaded (it starts threads).

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::c_void;
use std::path::Path;

use super::interfaces::{CorDebug, Unknown};
use super::pointer::{HResult, Interface, Pointer, Raw};
use super::system;

/// Why there is no debugging library.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("{path} cannot be loaded: {reason}")]
    Load { path: String, reason: String },
    #[error("{path} cannot be used: {reason}")]
    Unusable { path: String, reason: String },
}

/// How a library of the runtime is named on this system: `libcoreclr.so`, `coreclr.dll`.
pub fn file_name(of: &str) -> String {
    format!("{DLL_PREFIX}{of}{DLL_SUFFIX}")
}

/// The debugging interface to the process `pid`, whose runtime (`libcoreclr.so`) lies in `folder` and is mapped at `base`.
///
/// # Errors
/// [`LibraryError`], with the loader's words.
pub fn open(folder: &Path, pid: u32, base: u64) -> Result<CorDebug, LibraryError> {
    let file = folder.join(file_name("mscordbi"));
    let path = file.display().to_string();
    let unusable = |reason: String| LibraryError::Unusable { path: path.clone(), reason };
    let wide = |path: &Path| path.display().to_string().encode_utf16().chain([0]).collect::<Vec<u16>>();
    let dac = wide(&folder.join(file_name("mscordaccore")));
    let library = system::load(&path).map_err(|reason| LibraryError::Load { path: path.clone(), reason })?;
    let main = system::symbol(library, c"DllMain").ok_or_else(|| unusable("it has no DllMain".into()))?;
    let create = system::symbol(library, c"CoreCLRCreateCordbObject3")
        .ok_or_else(|| unusable("it has no CoreCLRCreateCordbObject3 (.NET 8 or newer is needed)".into()))?;
    // SAFETY: the PAL of a CoreCLR library is set up by DllMain(handle, DLL_PROCESS_ATTACH, null), as a Windows loader would.
    let is_set_up = unsafe {
        let main: unsafe extern "C" fn(Raw, u32, Raw) -> i32 = std::mem::transmute(main);
        main(library, 1, std::ptr::null_mut()) != 0
    };
    if !is_set_up {
        return Err(unusable("its DllMain failed".into()));
    }
    let mut found = std::ptr::null_mut();
    // SAFETY: CoreCLRCreateCordbObject3(version 4 = CorDebugVersion_4_0, pid, no group id, path of the DAC, base of the runtime, out).
    let answer = unsafe {
        type Create = unsafe extern "C" fn(i32, u32, *const u16, *const u16, *const c_void, *mut Raw) -> i32;
        let create: Create = std::mem::transmute(create);
        create(4, pid, std::ptr::null(), dac.as_ptr(), base as usize as *const c_void, &raw mut found)
    };
    if answer < 0 || found.is_null() {
        return Err(unusable(HResult(answer.cast_unsigned()).to_string()));
    }
    // SAFETY: the object is handed out with a reference.
    let unknown = Unknown::wrap(unsafe { Pointer::owned(found) });
    unknown.cast().map_err(|error: HResult| unusable(error.to_string()))
}
