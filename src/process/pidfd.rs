//! Processes that are not our children: waiting for their end and signaling them, safe against reuse of the pid.
//!
//! A pidfd names one process for good (Linux 5.3, <https://man7.org/linux/man-pages/man2/pidfd_open.2.html>). Where there is
//! none, a pid with its start time does, at the price of polling.

use std::{io, time::Duration};

/// How often the end of a foreign process is looked for where the kernel does not report it.
const POLL: Duration = Duration::from_millis(200);

/// Ends with the process, even if its parent does not reap it. Needs no permission over the process; must be called
/// inside a runtime.
///
/// # Errors
/// `ESRCH` if there is no such process.
pub fn wait_exit(pid: u32) -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let watch = Watch::open(pid)?;
    Ok(async move { watch.ended().await })
}

/// Whether the process can still run; a zombie cannot.
pub fn alive(pid: u32) -> bool {
    match super::procfs::Stat::read(pid) {
        Some(stat) => !stat.is_dead(),
        None => cfg!(not(target_os = "linux")) && kill(pid, 0).is_ok(),
    }
}

/// Sends a signal to any process; 0 only asks whether it could be sent.
///
/// # Errors
/// `ESRCH`: no such process. `EPERM`: not ours to signal.
pub fn kill(pid: u32, signal: i32) -> io::Result<()> {
    let target = checked(pid)?;
    #[cfg(target_os = "linux")]
    if let Some(result) = pinned::kill(pid, None, signal) {
        return result;
    }
    // SAFETY: touches no memory; `target` is positive, so it is one process and no group.
    if unsafe { libc::kill(target, signal) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Sends a signal to the process that had this pid at that start time ([`super::start_time`]), never to a later one.
///
/// # Errors
/// `ESRCH` if that process is gone; as [`kill`] otherwise.
pub fn kill_started_at(pid: u32, start_time: u64, signal: i32) -> io::Result<()> {
    checked(pid)?;
    #[cfg(target_os = "linux")]
    if let Some(result) = pinned::kill(pid, Some(start_time), signal) {
        return result;
    }
    if super::start_time(pid) == Some(start_time) { kill(pid, signal) } else { Err(gone()) }
}

/// 0 and negative numbers mean groups to the kernel.
fn checked(pid: u32) -> io::Result<libc::pid_t> {
    libc::pid_t::try_from(pid).ok().filter(|pid| *pid > 0).ok_or_else(gone)
}

fn gone() -> io::Error {
    io::Error::from_raw_os_error(libc::ESRCH)
}

enum Watch {
    #[cfg(target_os = "linux")]
    Pinned(tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>),
    Polled {
        pid: u32,
        start_time: Option<u64>,
    },
}

impl Watch {
    fn open(pid: u32) -> io::Result<Self> {
        checked(pid)?;
        #[cfg(target_os = "linux")]
        match pinned::open(pid) {
            Ok(pidfd) => {
                let interest = tokio::io::Interest::READABLE;
                // SAFETY: the descriptor is an owned one and stays open as long as the registration.
                let watched = unsafe { tokio::io::unix::AsyncFd::register_with_interest(pidfd, interest) }?;
                return Ok(Self::Pinned(watched));
            }
            Err(error) if pinned::is_missing(&error) => {}
            Err(error) => return Err(error),
        }
        if alive(pid) { Ok(Self::Polled { pid, start_time: super::start_time(pid) }) } else { Err(gone()) }
    }

    async fn ended(&self) {
        let (pid, start_time) = match self {
            #[cfg(target_os = "linux")]
            Self::Pinned(pidfd) => {
                // An error is the end of the runtime: nobody waits any more.
                drop(pidfd.readable().await);
                return;
            }
            Self::Polled { pid, start_time } => (*pid, *start_time),
        };
        while alive(pid) && super::start_time(pid) == start_time {
            tokio::time::sleep(POLL).await;
        }
    }
}

#[cfg(target_os = "linux")]
mod pinned {
    use std::{
        io,
        os::fd::{AsRawFd, FromRawFd, OwnedFd},
    };

    pub(super) fn open(pid: u32) -> io::Result<OwnedFd> {
        // SAFETY: a system call on plain numbers.
        let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        match i32::try_from(fd) {
            // SAFETY: the kernel has just given us this descriptor (close-on-exec by definition), nobody else has it.
            Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// An old kernel, or a sandbox that forbids the call.
    pub(super) fn is_missing(error: &io::Error) -> bool {
        matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM))
    }

    /// `None`: the kernel has no pidfd.
    pub(super) fn kill(pid: u32, start_time: Option<u64>, signal: i32) -> Option<io::Result<()>> {
        let pidfd = match open(pid) {
            Ok(pidfd) => pidfd,
            Err(error) if is_missing(&error) => return None,
            Err(error) => return Some(Err(error)),
        };
        // Asked after the pidfd was opened: if the time is right, the pidfd is of that process.
        if start_time.is_some() && super::super::start_time(pid) != start_time {
            return Some(Err(super::gone()));
        }
        let no_info = std::ptr::null::<libc::siginfo_t>();
        // SAFETY: a system call on plain numbers and a null pointer, which stands for "as kill(2) would".
        let result = unsafe { libc::syscall(libc::SYS_pidfd_send_signal, pidfd.as_raw_fd(), signal, no_info, 0) };
        Some(if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_alive_and_nobody_is_behind_a_number_too_large() {
        assert!(alive(std::process::id()));
        assert!(!alive(u32::MAX));
    }
}
