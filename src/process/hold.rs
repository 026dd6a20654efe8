//! The held start: a .NET program that waits for its debugger before its first managed instruction.
//!
//! The child waits between fork and exec at a gate (a socket of ours) until the two semaphores named after it exist
//! ([`super::semaphores`]); then it executes the program, whose runtime reports and waits. No second program image, and what
//! exec refuses comes back as an error.
//! The races to remember: the spawner thread is blocked until the exec, so whoever gives up must shut the gate, and does by
//! dropping it; and a runtime that has once waited never runs without a debugger, released or not, so it is killed then.

use std::{
    io,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::{Child, CommandSpec, ProcessError, StdinMode, keeper};

/// A program that waits for its debugger. Dropping it kills the program's group.
#[derive(Debug)]
pub struct Held {
    pub child: Child,
    #[cfg(target_os = "linux")]
    start_up: super::semaphores::StartUp,
    /// `NAME=value` in the environment of the program and of all that it starts.
    mark: String,
    /// Sent away once the group is dead.
    keeper: Mutex<Option<keeper::Line>>,
}

/// Marks what a program starts, so that it is known also once it has left the program's process group (`setsid`).
const MARK: &str = "CLRBRIDGE_RUN";

impl Held {
    /// Starts a keeper, which ends what the program started in its group if we are killed; the kernel ends the program alone.
    /// `program`: [`super::keeper::program`].
    ///
    /// # Errors
    /// As [`super::spawn_adapter`]; the program is as it was then.
    pub async fn keep(&mut self, program: &std::path::Path) -> Result<(), ProcessError> {
        *self.keeper.get_mut().unwrap_or_else(PoisonError::into_inner) =
            keeper::group::start(program, self.child.pid).await?;
        Ok(())
    }

    /// Sends the keeper away, once the program's group is dead.
    pub fn end_keeping(&self) {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Processes of the program that a signal to its group does not reach, as far as the process list shows them.
    pub fn runaways(&self) -> Vec<super::Runaway> {
        super::procfs::runaways(&self.mark, self.child.pid)
    }
}

#[cfg(target_os = "linux")]
impl Held {
    /// Waits until the runtime has come up and waits for us (1-15 ms when idle); an adapter can attach then. The names of
    /// the semaphores are gone afterwards, whatever the outcome. Call it once.
    ///
    /// # Errors
    /// [`ProcessError::ExitedBeforeRuntime`], or [`ProcessError::NotHeld`] after `limit`: then the program runs without a
    /// debugger, and the caller should kill it.
    pub async fn posted(&self, limit: Duration) -> Result<(), ProcessError> {
        let outcome = tokio::select! {
            biased;
            () = self.started() => Ok(()),
            status = self.child.exited() => Err(ProcessError::ExitedBeforeRuntime { status }),
            () = tokio::time::sleep(limit) => Err(ProcessError::NotHeld { limit }),
        };
        self.start_up.unlink();
        outcome
    }

    /// A semaphore cannot be awaited: asked every ms at first, seldom once it is clear that the machine is busy.
    async fn started(&self) {
        let mut pause = Duration::from_millis(1);
        let mut asked = 0_u32;
        while !self.start_up.take_started() {
            tokio::time::sleep(pause).await;
            asked += 1;
            if asked > 100 {
                pause = Duration::from_millis(10);
            }
        }
    }

    /// Lets the program go on, once a debugger is attached and ready. A second call does nothing.
    ///
    /// # Errors
    /// What `sem_post` says; the program still waits then.
    pub fn release(&self) -> io::Result<()> {
        self.start_up.release()
    }
}

/// Starts a program and holds it: it does not execute before its semaphores exist, and dies with us.
///
/// Dropping the future at any await leaves nothing behind.
///
/// # Errors
/// [`ProcessError::Spawn`] or [`ProcessError::WorkingDirectory`] for what the kernel refused, [`ProcessError::Semaphore`],
/// [`ProcessError::Unsupported`] anywhere but on Linux.
#[cfg(target_os = "linux")]
pub async fn spawn_program_held(spec: &CommandSpec, stdin: StdinMode) -> Result<Held, ProcessError> {
    use super::{launch::parent_death, semaphores, semaphores::StartUp, spawned::Spawned, spawner, start_time};

    semaphores::sweep();
    let (mut gate, wait) = gate::pair().map_err(ProcessError::system("set up a suspended start"))?;
    let mut spec = spec.clone();
    static RUNS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let run = RUNS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let value = format!("{}.{}.{run}", std::process::id(), start_time(std::process::id()).unwrap_or_default());
    let mark = format!("{MARK}={value}");
    spec.env.push((MARK.into(), Some(value.into())));
    let spawned = spawner::run(move || {
        let mut command = spec.command(stdin);
        parent_death::bind(&mut command);
        wait.before_exec(&mut command);
        Spawned::start(command, true, |error| spec.spawn_error(error))
    });
    // No pid: the child never came to the gate, and the spawner thread knows why.
    let start_up = match gate.arrival().await {
        Some(pid) => match start_time(pid) {
            Some(started) => Some(StartUp::create(pid, started)?),
            None => None,
        },
        None => None,
    };
    if start_up.is_some() {
        gate.open().await;
    } else {
        drop(gate);
    }
    let child = spawned.await??.into_child()?;
    match start_up {
        Some(start_up) => Ok(Held { child, start_up, mark, keeper: Mutex::default() }),
        None => Err(ProcessError::ExitedBeforeRuntime { status: child.exited().await }),
    }
}

#[cfg(target_os = "linux")]
mod gate {
    use std::{
        io,
        net::Shutdown,
        os::{
            fd::AsRawFd,
            unix::{net::UnixStream, process::CommandExt},
        },
        process::Command,
    };

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// Our side. Dropping it sends the child away, for the child itself holds a copy of this descriptor until it executes
    /// the program: only `shutdown` reaches past copies.
    pub(super) struct Gate {
        stream: tokio::net::UnixStream,
        keeper: UnixStream,
    }

    /// The child's side.
    pub(super) struct Wait(UnixStream);

    pub(super) fn pair() -> io::Result<(Gate, Wait)> {
        let (ours, childs) = UnixStream::pair()?;
        let keeper = ours.try_clone()?;
        ours.set_nonblocking(true)?;
        Ok((Gate { stream: tokio::net::UnixStream::from_std(ours)?, keeper }, Wait(childs)))
    }

    impl Gate {
        /// The pid of the child that waits now; `None` if none will come.
        pub(super) async fn arrival(&mut self) -> Option<u32> {
            let mut pid = [0; 4];
            self.stream.read_exact(&mut pid).await.ok()?;
            Some(u32::from_ne_bytes(pid))
        }

        pub(super) async fn open(mut self) {
            // A child that is gone does not mind; the spawner thread reports it.
            drop(self.stream.write_all(b"x").await);
        }
    }

    impl Drop for Gate {
        fn drop(&mut self) {
            drop(self.keeper.shutdown(Shutdown::Both));
        }
    }

    impl Wait {
        /// Makes the child report its pid and wait until the gate is opened; if it is shut instead, the start fails.
        /// `self` lives in the command, so that its descriptor is open when the child is forked, and closed with it.
        pub(super) fn before_exec(self, command: &mut Command) {
            let wait = move || {
                let gate = self.0.as_raw_fd();
                // SAFETY: system calls that are async-signal-safe, on two local variables of the right size.
                unsafe {
                    let pid = libc::getpid().cast_unsigned().to_ne_bytes();
                    let sent = libc::send(gate, pid.as_ptr().cast(), pid.len(), libc::MSG_NOSIGNAL);
                    if sent.cast_unsigned() != pid.len() {
                        return Err(io::Error::from_raw_os_error(libc::ECANCELED));
                    }
                    let mut go = 0_u8;
                    loop {
                        match libc::recv(gate, (&raw mut go).cast(), 1, 0) {
                            1 => return Ok(()),
                            -1 if *libc::__errno_location() == libc::EINTR => {}
                            _ => return Err(io::Error::from_raw_os_error(libc::ECANCELED)),
                        }
                    }
                }
            };
            // SAFETY: `wait` neither allocates nor locks, as it must not between fork and exec.
            unsafe { command.pre_exec(wait) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Held {
    /// Never: [`spawn_program_held`] makes no `Held` here.
    pub async fn posted(&self, _: Duration) -> Result<(), ProcessError> {
        Err(UNSUPPORTED)
    }

    /// Never: [`spawn_program_held`] makes no `Held` here.
    pub fn release(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(not(target_os = "linux"))]
const UNSUPPORTED: ProcessError = ProcessError::Unsupported { what: "suspending a .NET program at startup" };

/// Only Linux has the start-up semaphores.
#[cfg(not(target_os = "linux"))]
pub async fn spawn_program_held(_: &CommandSpec, _: StdinMode) -> Result<Held, ProcessError> {
    Err(UNSUPPORTED)
}
