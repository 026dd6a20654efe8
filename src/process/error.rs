//! What can go wrong with a process, in words that a user can act on.

use std::{io, path::PathBuf, time::Duration};

use super::ExitStatus;

/// Why a process could not be started or held.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The operating system refused to start the program: not there, not executable, no memory.
    #[error("cannot start {}: {source}", path.display())]
    Spawn { path: PathBuf, source: io::Error },
    /// Told apart from a missing program, because both are ENOENT to the kernel.
    #[error("cannot start {}: its working directory {} does not exist", program.display(), path.display())]
    WorkingDirectory { program: PathBuf, path: PathBuf },
    /// A pipe, a thread or a watch of ours could not be made.
    #[error("cannot {what}: {source}")]
    System { what: &'static str, source: io::Error },
    /// A semaphore of the start-up hold could not be made. `AlreadyExists`: another debugger starts the same process.
    #[error("cannot create the startup semaphore {name}: {source}")]
    Semaphore { name: String, source: io::Error },
    /// A held program was gone before its runtime had come up.
    #[error("the program ended before the .NET runtime had started: {status}")]
    ExitedBeforeRuntime { status: ExitStatus },
    /// A held program runs, but no runtime asked for the debugger within the limit.
    #[error(
        "no .NET runtime reported its startup within {} ms: the program does not run on CoreCLR, or debugging is disabled in its environment (DOTNET_EnableDiagnostics=0, DOTNET_EnableDiagnostics_Debugger=0)",
        limit.as_millis()
    )]
    NotHeld { limit: Duration },
    /// This operating system cannot do it.
    #[error("{what} is not supported on this operating system")]
    Unsupported { what: &'static str },
}

impl ProcessError {
    pub(super) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { what, source }
    }
}
