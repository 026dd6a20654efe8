//! The .NET runtime in a process, found in `/proc`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::StartError;
use crate::com::system;

/// Where a process has its runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// Of `libcoreclr.so`, `libmscordbi.so` and the framework.
    pub folder: PathBuf,
    /// Where `libcoreclr.so` is mapped.
    pub base: u64,
}

impl Runtime {
    /// # Errors
    /// [`StartError::NoProcess`], [`StartError::NoRuntime`]
    pub fn of(pid: u32) -> Result<Self, StartError> {
        if !system::exists(pid) {
            return Err(StartError::NoProcess(pid));
        }
        let maps = std::fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
        Self::in_maps(&maps).ok_or(StartError::NoRuntime(pid))
    }

    /// The lowest mapping comes first.
    fn in_maps(maps: &[u8]) -> Option<Self> {
        maps.split(|byte| *byte == b'\n').find_map(|line| {
            let path = line.get(line.iter().position(|byte| *byte == b'/')?..)?;
            let path = Path::new(OsStr::from_bytes(path));
            if path.file_name()? != "libcoreclr.so" {
                return None;
            }
            let base = std::str::from_utf8(line.split(|byte| *byte == b'-').next()?).ok()?;
            Some(Self { folder: path.parent()?.to_owned(), base: u64::from_str_radix(base, 16).ok()? })
        })
    }
}

/// Whether managed code runs in a process, or did: one that is held before its first instruction has no core library yet.
pub fn runs_code(pid: u32) -> bool {
    const LIBRARY: &[u8] = b"/System.Private.CoreLib.dll";
    let maps = std::fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    maps.split(|byte| *byte == b'\n').any(|line| line.ends_with(LIBRARY))
}

/// Of the environment that a process was started with.
pub fn variable(pid: u32, name: &str) -> Option<OsString> {
    let all = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut entries = all.split(|byte| *byte == 0);
    entries.find_map(|entry| {
        let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
        (!value.is_empty()).then(|| OsStr::from_bytes(value).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_is_the_lowest_mapping_of_its_library() {
        let maps = b"55d0-55d1 r--p 0 00:00 1 /usr/bin/dotnet\n7f10a000-7f10b000 r--p 0 00:00 2   /opt/a b/libcoreclr.so\n7f20-7f30 r-xp 0 00:00 2   /opt/a b/libcoreclr.so\n";
        let expected = Runtime { folder: "/opt/a b".into(), base: 0x7f10_a000 };
        assert_eq!(Runtime::in_maps(maps), Some(expected));
        assert_eq!(Runtime::in_maps(b"1-2 r--p 0 0 0 /x/libcoreclr.so.dbg\n"), None);
    }

    #[test]
    fn variables_are_read_from_the_process() {
        assert_eq!(variable(std::process::id(), "CARGO_MANIFEST_DIR"), std::env::var_os("CARGO_MANIFEST_DIR"));
        assert_eq!(variable(std::process::id(), "NO_SUCH_VARIABLE"), None);
    }
}
