//! System calls that Rust's library does not have: start-up semaphores, a child that is held and whose parent is a process of its
//! own, signals.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

/// A named semaphore of ours; the name goes with it.
#[derive(Debug)]
pub struct Semaphore {
    name: CString,
    open: NonNull<libc::sem_t>,
}

// SAFETY: POSIX semaphores are made to be used by several threads at once.
unsafe impl Send for Semaphore {}

impl Semaphore {
    pub fn create(name: String) -> io::Result<Self> {
        let name = CString::new(name).map_err(|_| io::ErrorKind::InvalidInput)?;
        let flags = libc::O_CREAT | libc::O_EXCL;
        // SAFETY: a terminated string, then mode and value as the variadic call wants them with O_CREAT.
        let open = unsafe { libc::sem_open(name.as_ptr(), flags, 0o700 as libc::c_uint, 0 as libc::c_uint) };
        let open = NonNull::new(open).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { name, open })
    }

    /// Waits until it is posted, `limit` is over or `give_up` says so. A semaphore cannot be waited for beside anything else.
    pub fn wait(&self, limit: Duration, give_up: impl Fn() -> bool) -> bool {
        let began = Instant::now();
        // SAFETY: the semaphore is open as long as `self` lives. Never blocks.
        while unsafe { libc::sem_trywait(self.open.as_ptr()) } != 0 {
            if began.elapsed() > limit || give_up() {
                return false;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        true
    }

    pub fn post(&self) {
        // SAFETY: the semaphore is open as long as `self` lives.
        unsafe { libc::sem_post(self.open.as_ptr()) };
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: opened by `create`, closed and unlinked only here.
        unsafe {
            libc::sem_close(self.open.as_ptr());
            libc::sem_unlink(self.name.as_ptr());
        }
    }
}

/// The ends of a held start that stay with us.
pub struct Hold {
    /// Tells the pid of the program, and later its wait status, four bytes each.
    pub reports: File,
    /// A byte lets the program be executed.
    pub gate: File,
}

/// Makes `command` start its program as the child of a process that does nothing but wait for it.
///
/// libmscordbi calls `waitpid` for the target and would take its exit status away, were it a child of ours. The process between
/// is a fork without a program: it closes all that it has, waits, reports the status and ends; it dies with us.
pub fn hold(command: &mut Command) -> io::Result<Hold> {
    let ((reports, report), (gate, open)) = (pipe()?, pipe()?);
    let (report_fd, gate_fd, open_fd) = (report.as_raw_fd(), gate.as_raw_fd(), open.as_raw_fd());
    // SAFETY: getpid always succeeds.
    let us = unsafe { libc::getpid() };
    let split = move || {
        // both ends live in the closure until here
        let _ = (&report, &gate);
        // SAFETY: only async-signal-safe calls between fork and exec, on local variables.
        unsafe { split(us, report_fd, gate_fd, open_fd) }
    };
    // SAFETY: `split` neither allocates nor locks.
    unsafe { command.pre_exec(split) };
    Ok(Hold { reports: reports.into(), gate: open.into() })
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [-1; 2];
    // SAFETY: room for two descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let [read, write] = ends;
    // SAFETY: both are open and ours.
    Ok(unsafe { (OwnedFd::from_raw_fd(read), OwnedFd::from_raw_fd(write)) })
}

/// Comes back in the program's process when the gate opens; never in its parent's.
///
/// # Safety
/// Between fork and exec.
unsafe fn split(us: i32, report: RawFd, gate: RawFd, open: RawFd) -> io::Result<()> {
    // SAFETY: async-signal-safe calls on descriptors and locals of this process.
    unsafe {
        // nobody may hold the gate's other end but us, or its end would not be seen
        libc::close(open);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != us {
            libc::_exit(125);
        }
        let parent = libc::getpid();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if libc::getppid() != parent {
                    libc::_exit(125);
                }
                let pid = libc::getpid().to_ne_bytes();
                let mut go = 0_u8;
                let reported = libc::write(report, pid.as_ptr().cast(), pid.len()) == 4;
                if reported && libc::read(gate, (&raw mut go).cast(), 1) == 1 {
                    return Ok(());
                }
                libc::_exit(125)
            }
            child => {
                let kept = report.cast_unsigned();
                if kept > 0 {
                    libc::syscall(libc::SYS_close_range, 0, kept - 1, 0);
                }
                libc::syscall(libc::SYS_close_range, kept + 1, libc::c_uint::MAX, 0);
                let mut status = 0_i32;
                while libc::waitpid(child, &raw mut status, 0) < 0 && *libc::__errno_location() == libc::EINTR {}
                let bytes = status.to_ne_bytes();
                libc::write(report, bytes.as_ptr().cast(), bytes.len());
                libc::_exit(0)
            }
        }
    }
}

/// The code of a wait status: what it exited with, or 128 and the signal that ended it.
pub fn exit_code(status: i32) -> i32 {
    if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 128 + libc::WTERMSIG(status) }
}

/// Changes our own environment.
pub fn set_variable(name: &str, value: &std::ffi::OsStr) {
    // SAFETY: called before libmscordbi is loaded; the other threads here only read requests and pipes.
    unsafe { std::env::set_var(name, value) };
}

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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_held_program_runs_when_the_gate_opens_and_its_status_is_reported() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exit 7"]);
        let mut hold = hold(&mut command).unwrap();
        // the start comes back when the process between has closed the pipe that reports the exec
        // the thread must outlive the program: the parent-death signal follows it
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let started = std::thread::spawn(move || {
            let child = command.spawn();
            let _ = ended.recv();
            (child, command)
        });
        let mut word = [0_u8; 4];
        hold.reports.read_exact(&mut word).unwrap();
        assert!(exists(u32::from_ne_bytes(word)));
        hold.gate.write_all(b"x").unwrap();
        hold.reports.read_exact(&mut word).unwrap();
        assert_eq!(exit_code(i32::from_ne_bytes(word)), 7);
        drop(end);
        let (child, _command) = started.join().unwrap();
        child.unwrap().wait().unwrap();
    }

    #[test]
    fn a_semaphore_that_nobody_posts_is_given_up() {
        let name = format!("/clrbridge-test-{}", std::process::id());
        let semaphore = Semaphore::create(name.clone()).unwrap();
        assert!(Semaphore::create(name).is_err());
        assert!(!semaphore.wait(Duration::from_secs(60), || true));
        semaphore.post();
        assert!(semaphore.wait(Duration::ZERO, || false));
    }
}
