//! The ways to start a child that need no hold.

use super::{Bound, Child, Claim, CommandSpec, ProcessError, StdinMode, spawned::Spawned, spawner};

/// Starts an adapter: all three pipes, a process group of its own. It holds `claim`, that on the process it attaches to, as long
/// as it lives.
///
/// # Errors
/// [`ProcessError::Spawn`] or [`ProcessError::WorkingDirectory`] for what the kernel refused.
pub async fn spawn_adapter(spec: &CommandSpec, bound: Bound, claim: Option<&Claim>) -> Result<Child, ProcessError> {
    spawn(spec, StdinMode::Pipe, bound == Bound::DiesWithUs, claim).await
}

/// Starts a program that nobody debugs from its first instruction on: a build, a test host.
///
/// # Errors
/// As [`spawn_adapter`].
pub async fn spawn_program_plain(spec: &CommandSpec, stdin: StdinMode) -> Result<Child, ProcessError> {
    spawn(spec, stdin, true, None).await
}

async fn spawn(
    spec: &CommandSpec,
    stdin: StdinMode,
    dies_with_us: bool,
    claim: Option<&Claim>,
) -> Result<Child, ProcessError> {
    let (spec, claim) = (spec.clone(), claim.cloned());
    let spawned = spawner::run(move || {
        let mut command = spec.command(stdin);
        if dies_with_us {
            parent_death::bind(&mut command);
        }
        if let Some(claim) = claim {
            claim.inherit(&mut command);
        }
        Spawned::start(command, dies_with_us, |error| spec.spawn_error(error))
    });
    spawned.await??.into_child()
}

/// The kernel kills the child when the thread that started it ends.
pub(super) mod parent_death {
    use std::process::Command;

    /// KILL, because TERM is not acted on by a stopped program. Its own children are not bound.
    #[cfg(target_os = "linux")]
    pub(in crate::process) fn bind(command: &mut Command) {
        use std::{io, os::unix::process::CommandExt};

        let us = std::process::id().cast_signed();
        let bind = move || {
            // SAFETY: three system calls that are async-signal-safe and touch no memory.
            unsafe {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                    return Err(io::Error::last_os_error());
                }
                // We may have died before it was set; then nobody would ever send it.
                if libc::getppid() != us {
                    libc::_exit(1);
                }
            }
            Ok(())
        };
        // SAFETY: `bind` neither allocates nor locks, as it must not between fork and exec.
        unsafe { command.pre_exec(bind) };
    }

    /// No such thing here: only dropping the child kills it.
    #[cfg(not(target_os = "linux"))]
    pub(in crate::process) fn bind(_: &mut Command) {}
}
