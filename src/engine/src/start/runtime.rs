//! The .NET runtime in a process, found by the files that it has mapped.

use std::path::PathBuf;

use super::StartError;
use crate::com::{library, system};

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
        Self::among(system::mapped_files(pid)).ok_or(StartError::NoRuntime(pid))
    }

    /// The lowest mapping comes first.
    fn among(files: Vec<(u64, PathBuf)>) -> Option<Self> {
        let name = library::file_name("coreclr");
        let (base, path) = files.into_iter().find(|(_, path)| path.file_name().is_some_and(|it| *it == *name))?;
        Some(Self { folder: path.parent()?.to_owned(), base })
    }
}

/// Whether managed code runs in a process, or did: one that is held before its first instruction has no core library yet.
pub fn runs_code(pid: u32) -> bool {
    system::mapped_files(pid).iter().any(|(_, path)| path.ends_with("System.Private.CoreLib.dll"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_is_the_lowest_mapping_of_its_library() {
        let name = library::file_name("coreclr");
        let file = |base: u64, path: &str| (base, PathBuf::from(path));
        let own = format!("/opt/a b/{name}");
        let files = vec![file(1, "/usr/bin/dotnet"), file(2, &own), file(3, &own)];
        assert_eq!(Runtime::among(files), Some(Runtime { folder: "/opt/a b".into(), base: 2 }));
        assert_eq!(Runtime::among(vec![file(1, &format!("/x/{name}.dbg"))]), None);
    }
}
