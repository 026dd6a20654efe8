//! A child as it was started: owned and reaped, whatever becomes of its pipes.

use std::{
    io,
    os::fd::OwnedFd,
    process::Command,
    sync::{Arc, atomic::AtomicBool},
};

use super::{
    ExitStatus, ProcessError,
    reaper::{Exit, Leader},
};

/// Waits for a child and ends it; does not own it.
#[derive(Debug, Clone)]
pub struct Handle {
    leader: Arc<Leader>,
    exit: Exit,
}

impl Handle {
    pub fn pid(&self) -> u32 {
        self.leader.pid()
    }

    /// Ends with the child, at once if it has ended.
    pub fn exited(&self) -> impl Future<Output = ExitStatus> + Send + 'static + use<> {
        let mut exit = self.exit.clone();
        async move {
            match exit.wait_for(Option::is_some).await {
                Ok(status) => (*status).unwrap_or(ExitStatus::LOST),
                Err(_) => ExitStatus::LOST,
            }
        }
    }

    pub fn try_exit(&self) -> Option<ExitStatus> {
        *self.exit.borrow()
    }

    /// SIGKILL to the child and everyone in its process group; after its end, to those that it left behind there. Never
    /// to a stranger that got the same number. Who left the group (`setsid`) is out of reach.
    pub fn kill_group(&self) {
        self.leader.kill_group();
    }
}

/// Kills on drop, or not.
#[derive(Debug)]
pub(super) struct Owner {
    pub(super) handle: Handle,
    pub(super) kills: AtomicBool,
}

impl Drop for Owner {
    fn drop(&mut self) {
        if *self.kills.get_mut() {
            self.handle.kill_group();
        }
    }
}

/// A child as the spawner thread hands it over: owned and reaped already, but its pipes are not in the runtime's hands yet.
#[derive(Debug)]
pub(super) struct Spawned {
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: Option<OwnedFd>,
    pub(super) stderr: Option<OwnedFd>,
    pub(super) owner: Owner,
}

impl Spawned {
    /// On the spawner thread only. Returns when the program is executed, or could not be.
    pub(super) fn start(
        mut command: Command,
        kills: bool,
        refused: impl FnOnce(io::Error) -> ProcessError,
    ) -> Result<Self, ProcessError> {
        let mut child = command.spawn().map_err(refused)?;
        let (leader, exit) = Leader::watch(child.id())?;
        Ok(Self {
            stdin: child.stdin.take().map(OwnedFd::from),
            stdout: child.stdout.take().map(OwnedFd::from),
            stderr: child.stderr.take().map(OwnedFd::from),
            owner: Owner { handle: Handle { leader, exit }, kills: AtomicBool::new(kills) },
        })
    }
}
