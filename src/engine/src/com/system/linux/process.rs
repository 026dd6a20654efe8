//! A process: what `/proc` tells of it, signals to it, and its end.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::{fs, io};

/// Ends a process at once.
pub fn kill(pid: u32) {
    // SAFETY: touches no memory of ours.
    unsafe { libc::kill(pid.cast_signed(), libc::SIGKILL) };
}

/// Whether a process is there, a zombie too.
pub fn exists(pid: u32) -> bool {
    // SAFETY: touches no memory of ours; signal 0 is only asked for.
    unsafe { libc::kill(pid.cast_signed(), 0) == 0 }
}

/// Whether a process stands, stopped by a signal (SIGSTOP) or in a tracer's hands.
pub fn is_suspended(pid: u32) -> bool {
    let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    // the name before may hold anything
    let state = stat.rsplit(|byte| *byte == b')').next().and_then(|fields| fields.trim_ascii_start().first());
    state.is_some_and(|state| b"Tt".contains(state))
}

/// Returns when a process has ended, also if its parent has not asked for its status yet. False: that cannot be watched.
pub fn await_end(pid: u32) -> bool {
    // SAFETY: touches no memory of ours; the descriptor is ours alone.
    let opened = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.cast_signed(), 0) };
    let Some(fd) = i32::try_from(opened).ok().filter(|fd| *fd >= 0) else { return !exists(pid) };
    // SAFETY: as above.
    let process = unsafe { OwnedFd::from_raw_fd(fd) };
    let mut polled = libc::pollfd { fd: process.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one entry, which lives as long as the call.
    while unsafe { libc::poll(&raw mut polled, 1, -1) } < 0 {
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return false;
        }
    }
    true
}

/// The first 15 bytes of the name of its executable.
pub fn process_name(pid: u32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim().to_owned())
}

/// The first 15 bytes of the name that a thread was given.
pub fn thread_name(pid: u32, thread: u32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{pid}/task/{thread}/comm")).ok()?.trim().to_owned())
}

/// Of the environment that a process was started with; `None` for one that is empty.
pub fn variable(pid: u32, name: &str) -> Option<OsString> {
    let all = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut entries = all.split(|byte| *byte == 0);
    entries.find_map(|entry| {
        let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
        (!value.is_empty()).then(|| OsStr::from_bytes(value).to_owned())
    })
}

/// The files that a process has mapped, each where it begins: the lowest address comes first.
pub fn mapped_files(pid: u32) -> Vec<(u64, PathBuf)> {
    files_in(&fs::read(format!("/proc/{pid}/maps")).unwrap_or_default())
}

fn files_in(maps: &[u8]) -> Vec<(u64, PathBuf)> {
    let file = |line: &[u8]| {
        let path = line.get(line.iter().position(|byte| *byte == b'/')?..)?;
        let base = str::from_utf8(line.split(|byte| *byte == b'-').next()?).ok()?;
        Some((u64::from_str_radix(base, 16).ok()?, OsStr::from_bytes(path).into()))
    };
    maps.split(|byte| *byte == b'\n').filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_where_its_mapping_begins() {
        let maps = b"55d0-55d1 r--p 0 00:00 1 /usr/bin/dotnet\n7f10a000-7f10b000 r--p 0 00:00 2   /opt/a b/libcoreclr.so\n7f20-7f30 rw-p 0 00:00 0\n";
        let expected = [(0x55d0, "/usr/bin/dotnet".into()), (0x7f10_a000, "/opt/a b/libcoreclr.so".into())];
        assert_eq!(files_in(maps), expected);
    }

    #[test]
    fn variables_are_read_from_the_process() {
        assert_eq!(variable(std::process::id(), "CARGO_MANIFEST_DIR"), std::env::var_os("CARGO_MANIFEST_DIR"));
        assert_eq!(variable(std::process::id(), "NO_SUCH_VARIABLE"), None);
    }
}
