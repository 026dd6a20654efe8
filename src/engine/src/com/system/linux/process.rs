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

/// Returns when a process has ended, also if its parent has not asked for its status yet: with its exit code, where that is known.
/// `None`: it cannot be watched.
pub fn await_end(pid: u32) -> Option<Option<i32>> {
    // SAFETY: touches no memory of ours; the descriptor is ours alone.
    let opened = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.cast_signed(), 0) };
    let Some(fd) = i32::try_from(opened).ok().filter(|fd| *fd >= 0) else { return (!exists(pid)).then_some(None) };
    // SAFETY: as above.
    let process = unsafe { OwnedFd::from_raw_fd(fd) };
    let mut polled = libc::pollfd { fd: process.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one entry, which lives as long as the call.
    while unsafe { libc::poll(&raw mut polled, 1, -1) } < 0 {
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return None;
        }
    }
    Some(unreaped_status(pid).or_else(|| reaped_status(&process)).map(super::fork::exit_code))
}

/// The wait status of a process whose parent has not asked for it: field 52 of its `stat`.
fn unreaped_status(pid: u32) -> Option<i32> {
    status_in(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

fn status_in(stat: &str) -> Option<i32> {
    // the name before may hold anything; the state is field 3
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_ascii_whitespace().collect();
    fields.get(52 - 3)?.parse().ok().filter(|_| fields.first() == Some(&"Z"))
}

/// The wait status of one whose parent has, which Linux keeps since 6.15.
fn reaped_status(process: &OwnedFd) -> Option<i32> {
    /// `struct pidfd_info` of linux/pidfd.h in its first size: the status is the last field.
    const SIZE: usize = 64;
    const PIDFD_INFO_EXIT: u64 = 1 << 3;
    /// `_IOWR(0xff, 11, struct pidfd_info)`; of another type with musl
    const PIDFD_GET_INFO: libc::Ioctl = (3_u64 << 30 | (SIZE as u64) << 16 | 0xff << 8 | 11) as libc::Ioctl;
    let mut info = [0_u8; SIZE];
    info.first_chunk_mut::<8>()?.copy_from_slice(&PIDFD_INFO_EXIT.to_ne_bytes());
    // SAFETY: the kernel writes no more than the size that the number of the request has.
    let asked = unsafe { libc::ioctl(process.as_raw_fd(), PIDFD_GET_INFO, info.as_mut_ptr()) };
    let given = u64::from_ne_bytes(*info.first_chunk::<8>()?);
    (asked == 0 && given & PIDFD_INFO_EXIT != 0).then(|| info.last_chunk().map(|it| i32::from_ne_bytes(*it)))?
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
    fn the_exit_code_of_another_process_is_known_before_and_after_its_parent_asks() {
        let mut child = std::process::Command::new("/bin/sh")
            .args(["-c", "read line; exit 7"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let pid = child.id();
        let watch = std::thread::spawn(move || await_end(pid));
        drop(child.stdin.take());
        assert_eq!(watch.join().unwrap(), Some(Some(7)));
        assert_eq!(child.wait().unwrap().code(), Some(7));
        assert_eq!(await_end(pid), Some(None));
    }

    #[test]
    fn only_one_that_has_ended_has_a_status() {
        let stat = |state: &str| format!("7 (a b) c) {state} {}1792 0", "0 ".repeat(48));
        assert_eq!((status_in(&stat("Z")), status_in(&stat("R"))), (Some(1792), None));
    }

    #[test]
    fn variables_are_read_from_the_process() {
        assert_eq!(variable(std::process::id(), "CARGO_MANIFEST_DIR"), std::env::var_os("CARGO_MANIFEST_DIR"));
        assert_eq!(variable(std::process::id(), "NO_SUCH_VARIABLE"), None);
    }
}
