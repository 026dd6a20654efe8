//! What to start and how it is bound to us: plain data, and its one translation into a `std` command.

use std::{
    ffi::OsString,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Command, Stdio},
};

use super::ProcessError;

/// A program to start.
#[derive(Debug, Clone, Default)]
pub struct CommandSpec {
    /// Absolute, or a bare name looked up in the child's PATH. Anything else is taken against `cwd`, not ours.
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Changes to our own environment, in order; `None` removes.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Ours if `None`.
    pub cwd: Option<PathBuf>,
}

/// How our own death reaches an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The kernel kills it with us, and so does dropping its [`super::Child`]. Only in a held launch, where the program
    /// dies with us as well: an adapter killed while attached leaves its target frozen, or unattachable, for good (8 of 8).
    DiesWithUs,
    /// It sees EOF on stdin, nothing else, and cleans up itself: detaches, or ends the program that it launched. With a keeper
    /// ([`super::Child::keep`]) a farewell comes before.
    Outlives,
}

/// What a program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdinMode {
    /// End of input at once.
    Closed,
    /// Our pipe, [`super::Child::stdin`].
    Pipe,
}

impl CommandSpec {
    /// In a process group of its own, so that a terminal's ^C is for us alone and a group can be killed whole.
    pub(super) fn command(&self, stdin: StdinMode) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        command.stdin(match stdin {
            StdinMode::Closed => Stdio::null(),
            StdinMode::Pipe => Stdio::piped(),
        });
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command
    }

    pub(super) fn spawn_error(&self, source: std::io::Error) -> ProcessError {
        match &self.cwd {
            Some(cwd) if !cwd.is_dir() => {
                ProcessError::WorkingDirectory { program: self.program.clone(), path: cwd.clone() }
            }
            _ => ProcessError::Spawn { path: self.program.clone(), source },
        }
    }
}
