//! What this machine must offer for programs to be started held and attached to; facts for `clrbridge doctor`.

use std::ffi::OsString;
use std::path::Path;

use super::procfs::temporary_folder;
use crate::environment::{Lookup, process_env};

/// One prerequisite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub ok: bool,
    /// What was found, with the numbers.
    pub detail: String,
    /// How to mend it; empty when `ok`.
    pub mend: String,
}

impl Check {
    fn fine(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, ok: true, detail: detail.into(), mend: String::new() }
    }

    fn bad(name: &'static str, detail: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { name, ok: false, detail: detail.into(), mend: mend.into() }
    }
}

/// A unix socket's path must be shorter than this (`sockaddr_un.sun_path` with its NUL).
const SOCKET_PATH: usize = 108;

/// The longest name of a diagnostic socket: pid of 7 digits, start time of 20.
const SOCKET_NAME: usize = "/dotnet-diagnostic-4194304-18446744073709551615-socket".len();

/// All checks of this system, in the order in which a start needs them.
pub fn prerequisites() -> Vec<Check> {
    if !cfg!(target_os = "linux") {
        return vec![Check::bad(
            "system",
            std::env::consts::OS,
            "Linux is required to start programs suspended and to check a process before attaching to it; on this system the adapter launches the program",
        )];
    }
    let read = |path: &str| std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    vec![
        semaphores(Path::new("/dev/shm")),
        temporary(&process_env),
        pidfd(&read("/proc/sys/kernel/osrelease").unwrap_or_default()),
        ptrace(read("/proc/sys/kernel/yama/ptrace_scope").as_deref()),
    ]
}

/// The start-up handshake is two named semaphores, which glibc keeps as files there (measured).
fn semaphores(folder: &Path) -> Check {
    const NAME: &str = "named semaphores";
    match writable(folder) {
        Ok(()) => Check::fine(NAME, folder.display().to_string()),
        Err(error) => {
            let mend = format!(
                "mount a tmpfs on {} (docker: --shm-size); until then programs are started by the adapter",
                folder.display()
            );
            Check::bad(NAME, format!("{}: {error}", folder.display()), mend)
        }
    }
}

/// Where the runtime puts its pipes and its socket.
fn temporary(env: Lookup<'_>) -> Check {
    const NAME: &str = "temporary folder";
    let value: Option<OsString> = env("TMPDIR");
    let folder = temporary_folder(value);
    if let Err(error) = writable(&folder) {
        return Check::bad(NAME, format!("{}: {error}", folder.display()), "set TMPDIR to a writable folder");
    }
    let length = folder.as_os_str().len() + SOCKET_NAME;
    if length >= SOCKET_PATH {
        let detail =
            format!("{}: socket paths would have up to {length} bytes; the limit is {SOCKET_PATH}", folder.display());
        return Check::bad(NAME, detail, "set TMPDIR to a shorter path");
    }
    Check::fine(NAME, folder.display().to_string())
}

/// pidfd_open came with Linux 5.3; without it the end of an attached program is polled.
fn pidfd(release: &str) -> Check {
    const NAME: &str = "kernel";
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version >= (5, 3) {
        Check::fine(NAME, format!("{release} (pidfd)"))
    } else {
        Check::bad(
            NAME,
            format!("{release}: no pidfd"),
            "upgrade to Linux 5.3 or later to detect the exit of attached programs immediately",
        )
    }
}

/// Told because people look for it: managed attach goes over pipes and needs no ptrace (source of both adapters).
fn ptrace(scope: Option<&str>) -> Check {
    const NAME: &str = "ptrace";
    match scope {
        None => Check::fine(NAME, "not restricted"),
        Some(scope) => Check::fine(NAME, format!("ptrace_scope {scope} (managed attach does not need ptrace)")),
    }
}

fn writable(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!("clrbridge-probe-{}", std::process::id()));
    // `create_new`: never follow what somebody else put there.
    std::fs::OpenOptions::new().write(true).create_new(true).open(&probe)?;
    std::fs::remove_file(&probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_folders_say_how_to_mend_them() {
        let missing = Path::new("/nowhere/shm");
        let check = semaphores(missing);
        assert!(!check.ok && check.detail.starts_with("/nowhere/shm: ") && !check.mend.is_empty(), "{check:?}");
        let check = temporary(&|_| Some("/nowhere/tmp".into()));
        assert!(!check.ok && check.mend.contains("TMPDIR"), "{check:?}");
    }

    #[test]
    fn a_temporary_folder_too_deep_for_sockets_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("x".repeat(80));
        std::fs::create_dir(&deep).unwrap();
        let check = temporary(&|_| Some(deep.clone().into()));
        assert!(!check.ok && check.detail.contains("the limit is 108"), "{check:?}");
        assert!(temporary(&|_| Some(dir.path().into())).ok);
    }

    #[test]
    fn kernels_are_distinguished_by_number() {
        for (release, ok) in [
            ("5.3.0", true),
            ("6.18.44-fc", true),
            ("5.2.21-generic", false),
            ("4.19", false),
            ("", false),
            ("10.0", true),
        ] {
            assert_eq!(pidfd(release).ok, ok, "{release}");
        }
    }
}
