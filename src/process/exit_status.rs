//! How a process ended, as the kernel reported it to the reaping process.

use std::fmt;

/// The end of a child: a .NET program's own code (0-255 on Unix), or the signal that ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitStatus {
    /// 0-255; -1 only if the kernel could not say (somebody else reaped the child).
    Code(i32),
    Signal(i32),
}

impl ExitStatus {
    pub(super) const LOST: Self = Self::Code(-1);

    pub fn success(self) -> bool {
        self == Self::Code(0)
    }
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "killed by {} ({signal})", signal_name(signal)),
        }
    }
}

/// `SIGKILL` for 9 and so on; `SIGRT` for the real-time range, `unknown signal` for what no kernel sends.
pub fn signal_name(signal: i32) -> &'static str {
    const NAMES: [(i32, &str); 30] = [
        (libc::SIGHUP, "SIGHUP"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGQUIT, "SIGQUIT"),
        (libc::SIGILL, "SIGILL"),
        (libc::SIGTRAP, "SIGTRAP"),
        (libc::SIGABRT, "SIGABRT"),
        (libc::SIGBUS, "SIGBUS"),
        (libc::SIGFPE, "SIGFPE"),
        (libc::SIGKILL, "SIGKILL"),
        (libc::SIGUSR1, "SIGUSR1"),
        (libc::SIGSEGV, "SIGSEGV"),
        (libc::SIGUSR2, "SIGUSR2"),
        (libc::SIGPIPE, "SIGPIPE"),
        (libc::SIGALRM, "SIGALRM"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGCHLD, "SIGCHLD"),
        (libc::SIGCONT, "SIGCONT"),
        (libc::SIGSTOP, "SIGSTOP"),
        (libc::SIGTSTP, "SIGTSTP"),
        (libc::SIGTTIN, "SIGTTIN"),
        (libc::SIGTTOU, "SIGTTOU"),
        (libc::SIGURG, "SIGURG"),
        (libc::SIGXCPU, "SIGXCPU"),
        (libc::SIGXFSZ, "SIGXFSZ"),
        (libc::SIGVTALRM, "SIGVTALRM"),
        (libc::SIGPROF, "SIGPROF"),
        (libc::SIGWINCH, "SIGWINCH"),
        (libc::SIGIO, "SIGIO"),
        (libc::SIGSYS, "SIGSYS"),
        #[cfg(target_os = "linux")]
        (libc::SIGPWR, "SIGPWR"),
        #[cfg(not(target_os = "linux"))]
        (0, "no signal"),
    ];
    match NAMES.iter().find(|(number, _)| *number == signal) {
        Some((_, name)) => name,
        None if (32..=64).contains(&signal) => "SIGRT",
        None => "unknown signal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_reads_as_a_sentence() {
        for (status, expected) in [
            (ExitStatus::Code(0), "exit code 0"),
            (ExitStatus::Code(255), "exit code 255"),
            (ExitStatus::Signal(9), "killed by SIGKILL (9)"),
            (ExitStatus::Signal(6), "killed by SIGABRT (6)"),
            (ExitStatus::Signal(34), "killed by SIGRT (34)"),
            (ExitStatus::Signal(99), "killed by unknown signal (99)"),
        ] {
            assert_eq!(status.to_string(), expected);
        }
    }
}
