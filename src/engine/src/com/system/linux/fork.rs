//! A child that is held before it is executed, and whose parent is a process of its own.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

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
        assert!(super::super::exists(u32::from_ne_bytes(word)));
        hold.gate.write_all(b"x").unwrap();
        hold.reports.read_exact(&mut word).unwrap();
        assert_eq!(exit_code(i32::from_ne_bytes(word)), 7);
        drop(end);
        let (child, _command) = started.join().unwrap();
        child.unwrap().wait().unwrap();
    }
}
