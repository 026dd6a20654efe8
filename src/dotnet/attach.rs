//! Whether a running process can be attached to, decided in milliseconds instead of the adapter's 3 to 10 s of silence
//! (vendor-notes.md), and which processes are .NET programs at all.
//!
//! Linux: everything comes from `/proc` and the runtime's files in the target's `TMPDIR`. Elsewhere nothing is refused.
//! All of it is done on a thread that may block: a look at every process takes 1 to 7 ms.
//! The race to remember: the process may end, or be attached to by another, right after the check.

use std::path::{Path, PathBuf};

use super::DotnetError;
use crate::process::Claim;

mod checks;
mod running;

/// A process that can be attached to, as far as can be seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub pid: u32,
    /// The entry assembly's name, else the process's.
    pub name: String,
    /// Arguments joined by blanks.
    pub command_line: String,
    /// A guess from the command line; it exists.
    pub assembly: Option<PathBuf>,
    /// Of the runtime in it (`10.0.12`), as its folder is called; a self-contained program has it elsewhere.
    pub runtime_version: Option<String>,
    /// The target's `TMPDIR` where it differs from ours: the adapter must be started with it.
    pub tmpdir: Option<PathBuf>,
    /// Clock ticks since boot; with the pid it names the process for good.
    pub start_time: u64,
}

/// A running .NET process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub pid: u32,
    /// The entry assembly's name, else the process's.
    pub name: String,
    /// The executable's name (`dotnet`).
    pub process_name: String,
    pub command_line: String,
    pub user: String,
}

/// Refuses what an adapter would refuse or hang on. `our_tmpdir` is what the adapter would inherit.
///
/// The claim keeps other servers of ours away until it is dropped; `None` where nothing can be claimed.
pub async fn take(pid: u32, our_tmpdir: &Path) -> Result<(Target, Option<Claim>), DotnetError> {
    checks::take(pid, our_tmpdir.to_owned()).await
}

/// .NET processes by name, as (pid, command line): the entry assembly's or the process's name, without regard to case;
/// parts of a name count where no whole one fits. Ourselves and debug adapters are left out (netcoredbg hosts a CLR).
pub async fn find(name: &str) -> Result<Vec<(u32, String)>, DotnetError> {
    let name = name.to_owned();
    blocking(move || running::find(&name)).await
}

/// The one process of that name, or the list of those that have it.
pub async fn find_one(name: &str) -> Result<u32, DotnetError> {
    let matches = find(name).await?;
    match matches.as_slice() {
        [(pid, _)] => Ok(*pid),
        _ => Err(DotnetError::Ambiguous { name: name.into(), matches }),
    }
}

/// All .NET processes that we may look into, by pid, each with what [`take`] would say of it. A check takes some milliseconds.
///
/// `name`: a part of the assembly's or the process's name, without regard to case.
pub async fn list(
    name: Option<&str>,
    our_tmpdir: &Path,
) -> Result<Vec<(Found, Result<Target, DotnetError>)>, DotnetError> {
    let (name, our_tmpdir) = (name.unwrap_or_default().trim().to_lowercase(), our_tmpdir.to_owned());
    let is_wanted = move |found: &Found| {
        // people know the file that they started, too
        let file = format!("{}.dll", found.name);
        [&found.name, &found.process_name, &file].iter().any(|it| it.to_lowercase().contains(&name))
    };
    blocking(move || {
        let wanted = running::list().into_iter().filter(is_wanted);
        let checked = wanted.map(|found| {
            let check = checks::check(found.pid, &our_tmpdir);
            (found, check)
        });
        Ok(checked.collect())
    })
    .await
}

/// The .NET processes that a process has started, themselves or through others, by pid.
pub async fn descendants(pid: u32) -> Result<Vec<Found>, DotnetError> {
    blocking(move || Ok(running::descendants(pid))).await
}

async fn blocking<T: Send + 'static>(
    look: impl FnOnce() -> Result<T, DotnetError> + Send + 'static,
) -> Result<T, DotnetError> {
    let lost = DotnetError::io("cannot list the processes");
    tokio::task::spawn_blocking(look).await.map_err(|error| lost(error.into()))?
}
