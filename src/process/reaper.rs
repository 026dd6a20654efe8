//! The end of a child: one small thread each waits for it, reaps it at once and notifies everybody.
//!
//! A thread, not a task: it goes on when the runtime is busy or gone, so no zombie stays. Zombies matter: an attached
//! adapter never reports the end of a program whose parent has not reaped it, and its `disconnect` hangs for 15 s (both).
//! The race to remember: between the child's death and its reaping its pid is still ours; afterwards it may be anybody's.
//! So the reaping happens under the lock under which signals are sent.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use libc::pid_t;
use tokio::sync::watch;

use super::{ExitStatus, ProcessError, procfs::Member};

/// A child of ours that leads a process group, and what is left of that group when it is gone.
#[derive(Debug)]
pub(super) struct Leader {
    pid: u32,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Unreaped,
    /// Those it left behind in its group. As long as one of them is there, the kernel gives the group's number to nobody else.
    Reaped {
        left: Vec<Member>,
    },
}

pub(super) type Exit = watch::Receiver<Option<ExitStatus>>;

impl Leader {
    /// Takes over the reaping of `pid`, a child of ours that nobody else waits for. If no thread can be had, the child
    /// is killed and reaped here.
    pub(super) fn watch(pid: u32) -> Result<(Arc<Self>, Exit), ProcessError> {
        let leader = Arc::new(Self { pid, state: Mutex::new(State::Unreaped) });
        let (ended, exit) = watch::channel(None);
        let reaped = Arc::clone(&leader);
        let reap = move || {
            ended.send_replace(Some(reaped.wait_and_reap()));
        };
        match std::thread::Builder::new().name(format!("reaper-{pid}")).stack_size(64 * 1024).spawn(reap) {
            Ok(_) => Ok((leader, exit)),
            Err(source) => {
                leader.kill_group();
                leader.wait_and_reap();
                Err(ProcessError::System { what: "watch a process", source })
            }
        }
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// SIGKILL to the child and all in its group, or to those that it left behind.
    pub(super) fn kill_group(&self) {
        let state = self.lock();
        let group_is_ours = match &*state {
            State::Unreaped => {
                // It may have moved into another group by itself.
                drop(send(self.pid_t(), libc::SIGKILL));
                true
            }
            State::Reaped { left } => left.iter().any(|member| member.is_still_in(self.pid)),
        };
        if group_is_ours {
            // An error is an empty group: done.
            drop(send(-self.pid_t(), libc::SIGKILL));
        }
    }

    fn wait_and_reap(&self) -> ExitStatus {
        self.wait_for_death();
        let mut state = self.lock();
        let status = self.reap();
        // In this instant the number can only be the same group still: a new one would need the kernel to come round
        // to this pid first.
        let group_lives = send(-self.pid_t(), 0).is_ok();
        *state = State::Reaped { left: if group_lives { Member::all_of(self.pid) } else { Vec::new() } };
        status
    }

    /// Blocks until the child is dead, and leaves it a zombie.
    fn wait_for_death(&self) {
        loop {
            // SAFETY: `siginfo_t` is plain data, zero is a valid value; the call only writes to it.
            let result = unsafe {
                let mut info: libc::siginfo_t = std::mem::zeroed();
                libc::waitid(libc::P_PID, self.pid, &mut info, libc::WEXITED | libc::WNOWAIT)
            };
            if result == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return;
            }
        }
    }

    fn reap(&self) -> ExitStatus {
        let mut status = 0;
        loop {
            // SAFETY: writes one integer of ours. The pid is an unreaped child of ours, see `watch`.
            let reaped = unsafe { libc::waitpid(self.pid_t(), &mut status, 0) };
            if reaped == self.pid_t() {
                break;
            }
            if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return ExitStatus::LOST;
            }
        }
        if libc::WIFSIGNALED(status) {
            ExitStatus::Signal(libc::WTERMSIG(status))
        } else {
            ExitStatus::Code(libc::WEXITSTATUS(status))
        }
    }

    fn pid_t(&self) -> pid_t {
        self.pid.cast_signed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(target: pid_t, signal: i32) -> io::Result<()> {
    // SAFETY: touches no memory of ours. That `target` is ours is the caller's lock's business.
    if unsafe { libc::kill(target, signal) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
