//! The running .NET processes and their names.

use std::path::Path;

use super::Found;
use crate::dotnet::DotnetError;
use crate::dotnet::procfs::{Proc, Status, entry_assembly, user_name};

/// The library whose mapping makes a process a .NET one.
pub(super) const RUNTIME: &str = if cfg!(target_os = "macos") { "libcoreclr.dylib" } else { "libcoreclr.so" };
/// What only a debugger of .NET loads.
pub(super) const DEBUGGING: &str = if cfg!(target_os = "macos") { "libmscordbi.dylib" } else { "libmscordbi.so" };

pub(super) fn find(name: &str) -> Result<Vec<(u32, String)>, DotnetError> {
    let all = list();
    let wanted = name.trim().to_lowercase();
    let wanted = wanted.strip_suffix(".dll").or_else(|| wanted.strip_suffix(".exe")).unwrap_or(&wanted);
    let names = |found: &Found| [found.name.to_lowercase(), found.process_name.to_lowercase()];
    let by = |fits: &dyn Fn(&str) -> bool| -> Vec<(u32, String)> {
        let hits = all.iter().filter(|found| names(found).iter().any(|name| fits(name)));
        hits.map(|found| (found.pid, found.command_line.clone())).collect()
    };
    let exact = by(&|name| name == wanted);
    let found = if exact.is_empty() && !wanted.is_empty() { by(&|name| name.contains(wanted)) } else { exact };
    if found.is_empty() {
        let there: Vec<String> = all.iter().take(4).map(|found| format!("{} {}", found.pid, found.name)).collect();
        let hint = match (there.is_empty(), all.len().saturating_sub(4)) {
            (true, _) => "start the program, or use debug_launch".into(),
            (false, 0) => format!("running: {}", there.join(", ")),
            (false, more) => format!("running: {} and {more} more", there.join(", ")),
        };
        return Err(DotnetError::ProcessNotFound { message: format!("no .NET process named {name}"), hint });
    }
    Ok(found)
}

pub(super) fn list() -> Vec<Found> {
    let mut found: Vec<Found> = Proc::all()
        .filter(|process| {
            process.pid != std::process::id() && process.maps(RUNTIME).unwrap_or(false) && !is_adapter(process)
        })
        .filter_map(|process| {
            let status = process.status().ok()?;
            Some(Found {
                pid: process.pid,
                name: display_name(&process, &status),
                process_name: executable_name(&process).unwrap_or(status.comm),
                command_line: command_line(&process),
                user: user_name(status.uid),
            })
        })
        .collect();
    found.sort_by_key(|found| found.pid);
    found
}

/// Process trees are not deeper; a chain of parents that changes while it is read ends somewhere.
const DEPTH: usize = 16;

pub(super) fn descendants(ancestor: u32) -> Vec<Found> {
    let parent = |pid: &u32| Proc::new(*pid).status().ok().map(|status| status.parent);
    let is_below =
        |found: &Found| std::iter::successors(Some(found.pid), parent).skip(1).take(DEPTH).any(|pid| pid == ancestor);
    list().into_iter().filter(is_below).collect()
}

fn is_adapter(process: &Proc) -> bool {
    let adapter = executable_name(process).is_some_and(|name| ["netcoredbg", "dncdbg"].contains(&name.as_str()));
    adapter || process.arguments().iter().any(|argument| argument == "--interpreter=vscode")
}

pub(super) fn executable_name(process: &Proc) -> Option<String> {
    Some(process.executable()?.file_name()?.to_string_lossy().into_owned())
}

pub(super) fn display_name(process: &Proc, status: &Status) -> String {
    let assembly = entry_assembly(process).filter(|dll| dll.is_file());
    let stem = assembly.and_then(|dll| Some(dll.file_stem()?.to_string_lossy().into_owned()));
    stem.or_else(|| executable_name(process)).unwrap_or_else(|| status.comm.clone())
}

/// Installed runtimes lie in `shared/Microsoft.NETCore.App/VERSION/` (the host's layout of a .NET root).
pub(super) fn runtime_version(library: &Path) -> Option<String> {
    let folder = library.parent()?;
    let is_shared = folder.parent().is_some_and(|framework| framework.ends_with("shared/Microsoft.NETCore.App"));
    is_shared.then(|| folder.file_name().map(|name| name.to_string_lossy().into_owned()))?
}

pub(super) fn command_line(process: &Proc) -> String {
    process.arguments().join(" ").chars().take(1000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_shared_runtime_is_its_folders_name() {
        for (library, version) in [
            ("/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so", Some("10.0.12")),
            ("/opt/dotnet/shared/Microsoft.NETCore.App/11.0.0-rc.1/libcoreclr.so", Some("11.0.0-rc.1")),
            ("/srv/app/libcoreclr.so", None),
            ("/libcoreclr.so", None),
        ] {
            assert_eq!(runtime_version(Path::new(library)).as_deref(), version, "{library}");
        }
    }
}
