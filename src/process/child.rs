//! A child process as the rest of the crate sees it: its pipes, its end, and what may be done to it.

use std::{io, os::fd::AsFd, path::Path, sync::atomic::Ordering};

use super::{
    ChildOutput, ChildStdin, ExitStatus, ProcessError, keeper,
    spawned::{Owner, Spawned},
};

/// A running or ended child with our ends of its pipes.
///
/// Dropping it leaves no zombie in any case. It also kills the child's group, unless an adapter was started as one that outlives
/// us ([`super::Bound`]) or [`Child::leave_running`] was called.
#[derive(Debug)]
pub struct Child {
    pub pid: u32,
    /// `None` if the child reads nothing. Close by `take()`.
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildOutput>,
    pub stderr: Option<ChildOutput>,
    owner: Owner,
}

impl Child {
    /// Ends with the child, at once if it has ended. Any number of waiters; none of them need be there.
    pub fn exited(&self) -> impl Future<Output = ExitStatus> + Send + 'static + use<> {
        self.owner.handle.exited()
    }

    pub fn try_exit(&self) -> Option<ExitStatus> {
        self.owner.handle.try_exit()
    }

    /// Kills the child and what is left of its group.
    pub fn kill_group(&self) {
        self.owner.handle.kill_group();
    }

    /// Starts a keeper, which says `farewell` to the child and closes its stdin when we die without having dropped our end of
    /// it: for an adapter, of the process `debuggee`, that takes a sudden end of input badly. `program`: [`super::keeper::program`].
    ///
    /// # Errors
    /// As [`super::spawn_adapter`]; the child is as it was then.
    pub async fn keep(&mut self, program: &Path, debuggee: u32, farewell: &[u8]) -> Result<(), ProcessError> {
        let (Some(stdin), Some(stdout)) = (&mut self.stdin, &self.stdout) else { return Ok(()) };
        let copies = || io::Result::Ok((self.pid, stdout.as_fd().try_clone_to_owned()?, stdin.copy()?));
        let adapter = copies().map_err(ProcessError::system("duplicate the pipes of an adapter"))?;
        stdin.kept_by(keeper::start(program, adapter, debuggee, farewell).await?);
        Ok(())
    }

    /// Dropping the child no longer kills it (a program that was let go). A parent-death signal stays set: only our own
    /// end still takes it along.
    pub fn leave_running(&self) {
        self.owner.kills.store(false, Ordering::Relaxed);
    }
}

impl Spawned {
    /// Inside the runtime that is to serve the pipes.
    pub(super) fn into_child(self) -> Result<Child, ProcessError> {
        let pipes = || {
            io::Result::Ok((
                self.stdin.map(ChildStdin::from_owned_fd).transpose()?,
                self.stdout.map(ChildOutput::from_owned_fd).transpose()?,
                self.stderr.map(ChildOutput::from_owned_fd).transpose()?,
            ))
        };
        let (stdin, stdout, stderr) = pipes().map_err(ProcessError::system("serve the pipes of a process"))?;
        Ok(Child { pid: self.owner.handle.pid(), stdin, stdout, stderr, owner: self.owner })
    }
}
