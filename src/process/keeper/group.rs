//! The keeper of a group: ends what a program that we started has started itself, if we are killed.
//!
//! It waits for our word that it is not needed, or for the end of our pipe without one. Who left the group (`setsid`) is out of its
//! reach. The race to remember: a group's number is nobody else's as long as it has a member, and its leader is known by its start.

use std::{
    ffi::OsString,
    io::{self, Read},
    path::Path,
};

use super::{Line, read_number};
use crate::process::{CommandSpec, ProcessError, StdinMode, spawned::Spawned, spawner, start_time};

/// The first argument; the leader's pid and its start time follow.
const ROLE: &str = "keep-group";

pub(super) fn run_if_asked(args: &[OsString]) -> bool {
    let [role, leader, started] = args else { return false };
    if role != ROLE {
        return false;
    }
    let leader = read_number(leader).and_then(|pid| libc::pid_t::try_from(pid).ok());
    if let (Some(leader), Some(started)) = (leader, read_number(started))
        && matches!(io::stdin().read(&mut [0]), Ok(0))
    {
        end(leader, started);
    }
    true
}

/// SIGKILL to all of a group, unless its leader is a stranger that got the same number.
fn end(leader: libc::pid_t, started: u64) {
    let is_ours = start_time(leader.cast_unsigned()).is_none_or(|now| now == started);
    if leader > 1 && is_ours {
        // SAFETY: a system call that touches no memory.
        unsafe { libc::kill(-leader, libc::SIGKILL) };
    }
}

/// Starts the keeper of a child's group. `None`: the child is gone already.
pub(in crate::process) async fn start(program: &Path, leader: u32) -> Result<Option<Line>, ProcessError> {
    let Some(started) = start_time(leader) else { return Ok(None) };
    let (line, ours) = io::pipe().map_err(ProcessError::system("create the pipe to a keeper process"))?;
    // Should nobody wait for the start any more, the keeper is sent away.
    let ours = Line(ours);
    let args = vec![ROLE.into(), leader.to_string().into(), started.to_string().into()];
    let spec = CommandSpec { program: program.into(), args, ..CommandSpec::default() };
    let spawned = spawner::run(move || {
        use std::{os::unix::process::CommandExt, process::Stdio};

        let mut command = spec.command(StdinMode::Closed);
        command.arg0("clrbridge").stdin(line).stdout(Stdio::null()).stderr(Stdio::null());
        Spawned::start(command, false, |error| spec.spawn_error(error))
    });
    spawned.await??;
    Ok(Some(ours))
}
