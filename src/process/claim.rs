//! The claim of one debugger on one process: two at once permanently break the runtime's debugger pipes.
//!
//! A name in the kernel's abstract socket namespace that only one process can bind: nothing lies on a disk, and whatever ends its
//! last holder, SIGKILL too, ends the claim. The adapter inherits it, so it lasts as long as anything of ours is attached, even if
//! the server that made it is gone. The name includes the start time: a claim does not apply to a later process with the same pid.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Held by us until the last copy is dropped, and by the adapters that inherited it until they end.
#[derive(Debug, Clone)]
pub struct Claim {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is claimed"))]
    held: Arc<Held>,
    pid: u32,
    started: u64,
}

/// Claims of adapters that died attached, kept until we end.
static FORFEITED: Mutex<Vec<Claim>> = Mutex::new(Vec::new());

/// Why there is no claim.
#[derive(Debug)]
pub enum Unclaimed {
    /// Another debugger of ours has it: the pid of the server that made the claim, where it is known. That server may have
    /// ended since, and its adapter not.
    Held { by: Option<u32> },
    /// This system has no means to claim it.
    System(io::Error),
}

#[cfg(target_os = "linux")]
type Held = std::os::unix::net::UnixListener;
#[cfg(not(target_os = "linux"))]
type Held = ();

impl Claim {
    /// Claims the process `pid` that started at `started` ([`super::start_time`]).
    ///
    /// Between fork and exec a child has a copy of all that is open here, and keeps a claim alive that was dropped meanwhile. So the
    /// thread that starts children makes the claim, when none of them is on its way, and again where the kernel has not yet closed
    /// what exec closes: it does so after the exec is reported.
    ///
    /// # Errors
    /// [`Unclaimed::Held`] while another has it.
    pub fn take(pid: u32, started: u64) -> impl Future<Output = Result<Self, Unclaimed>> + Send + 'static {
        const TRIES: usize = 10;
        let make = move || super::spawner::run(move || Self::new(pid, started));
        let first = make();
        async move {
            let mut made = first.await;
            for _ in 1..TRIES {
                match &made {
                    Ok(Err(Unclaimed::Held { by })) if *by == Some(std::process::id()) => {
                        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                        made = make().await;
                    }
                    _ => break,
                }
            }
            made.unwrap_or_else(|error| Err(Unclaimed::System(io::Error::other(error))))
        }
    }

    /// The same at once, for a process that nobody can have claimed before.
    ///
    /// # Errors
    /// As [`Self::take`].
    #[cfg(target_os = "linux")]
    pub fn new(pid: u32, started: u64) -> Result<Self, Unclaimed> {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::net::{SocketAddr, UnixListener};

        let name = name_of(pid, started);
        let address = SocketAddr::from_abstract_name(&name).map_err(Unclaimed::System)?;
        match UnixListener::bind_addr(&address) {
            Ok(listener) => Ok(Self { held: Arc::new(listener), pid, started }),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                Err(Unclaimed::Held { by: holder::of(name.as_bytes()) })
            }
            Err(error) => Err(Unclaimed::System(error)),
        }
    }

    /// Nothing is claimed here.
    #[cfg(not(target_os = "linux"))]
    pub fn new(pid: u32, started: u64) -> Result<Self, Unclaimed> {
        Ok(Self { held: Arc::new(()), pid, started })
    }

    /// The adapter died attached: the runtime waits for that one for ever and answers no other (10 of 10, each adapter, .NET 10,
    /// 2026-11-27), so nobody is to try.
    pub fn forfeit(self) {
        FORFEITED.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Whether a claim on that process was forfeited here.
    pub fn is_forfeited(pid: u32, started: u64) -> bool {
        let forfeited = FORFEITED.lock().unwrap_or_else(PoisonError::into_inner);
        forfeited.iter().any(|claim| (claim.pid, claim.started) == (pid, started))
    }

    /// The server of ours that claimed a process, where one did. It may have ended since, and its adapter not.
    #[cfg(target_os = "linux")]
    pub fn holder(pid: u32, started: u64) -> Option<u32> {
        holder::of(name_of(pid, started).as_bytes())
    }

    /// Nothing is claimed here.
    #[cfg(not(target_os = "linux"))]
    pub fn holder(_: u32, _: u64) -> Option<u32> {
        None
    }

    /// The child that `command` starts holds the claim too.
    #[cfg(target_os = "linux")]
    pub(super) fn inherit(&self, command: &mut std::process::Command) {
        use std::os::fd::AsRawFd;
        use std::os::unix::process::CommandExt;

        let claim = Arc::clone(&self.held);
        let keep = move || {
            // SAFETY: one system call that is async-signal-safe, on a descriptor that this closure keeps open.
            if unsafe { libc::fcntl(claim.as_raw_fd(), libc::F_SETFD, 0) } == -1 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        };
        // SAFETY: `keep` neither allocates nor locks, as it must not between fork and exec.
        unsafe { command.pre_exec(keep) };
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn inherit(&self, _: &mut std::process::Command) {}
}

#[cfg(target_os = "linux")]
fn name_of(pid: u32, started: u64) -> String {
    format!("clrbridge-debugs-{pid}-{started}")
}

#[cfg(target_os = "linux")]
mod holder {
    use std::mem;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    /// Who listens at this abstract name: the kernel keeps the pid for whoever connects. Never blocks: nobody accepts, and a
    /// queue that is full of earlier askers answers nothing.
    pub(super) fn of(name: &[u8]) -> Option<u32> {
        // SAFETY: plain system calls on structures of ours, with their sizes.
        unsafe {
            let socket = libc::socket(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC, 0);
            if socket < 0 {
                return None;
            }
            let socket = OwnedFd::from_raw_fd(socket);
            let mut address: libc::sockaddr_un = mem::zeroed();
            address.sun_family = libc::AF_UNIX as libc::sa_family_t;
            // The first byte of an abstract name is a zero.
            for (to, from) in address.sun_path.iter_mut().skip(1).zip(name) {
                // signed on x64 only
                *to = *from as libc::c_char;
            }
            let length = mem::offset_of!(libc::sockaddr_un, sun_path) + 1 + name.len();
            let length = libc::socklen_t::try_from(length).ok()?;
            if libc::connect(socket.as_raw_fd(), (&raw const address).cast(), length) != 0 {
                return None;
            }
            let mut peer: libc::ucred = mem::zeroed();
            let mut size = mem::size_of::<libc::ucred>() as libc::socklen_t;
            let asked = (&raw mut peer).cast();
            if libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, asked, &raw mut size) != 0 {
                return None;
            }
            u32::try_from(peer.pid).ok().filter(|pid| *pid > 0)
        }
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// A pid that no process has, so that tests beside this one claim something else.
    const NOBODY: u32 = u32::MAX;

    #[test]
    fn one_has_it_and_the_next_hears_who() {
        assert_eq!(Claim::holder(NOBODY, 1), None);
        let first = Claim::new(NOBODY, 1).unwrap();
        assert_eq!(Claim::holder(NOBODY, 1), Some(std::process::id()));
        assert!(matches!(Claim::new(NOBODY, 1), Err(Unclaimed::Held { by: Some(by) }) if by == std::process::id()));
        assert!(Claim::new(NOBODY, 2).is_ok(), "another process with that pid");
        drop(first);
        assert!(Claim::new(NOBODY, 1).is_ok());
    }

    #[test]
    fn one_that_is_forfeited_is_never_given_up() {
        assert!(!Claim::is_forfeited(NOBODY, 6));
        Claim::new(NOBODY, 6).unwrap().forfeit();
        assert!(Claim::is_forfeited(NOBODY, 6));
        assert!(matches!(Claim::new(NOBODY, 6), Err(Unclaimed::Held { .. })));
    }

    #[test]
    fn it_is_held_while_an_adapter_that_inherited_it_lives() {
        let claim = Claim::new(NOBODY, 3).unwrap();
        let mut command = Command::new("cat");
        claim.inherit(command.stdin(Stdio::piped()));
        let mut adapter = command.spawn().unwrap();
        // The closure that keeps the descriptor open lives in the command.
        drop((claim, command));
        assert!(matches!(Claim::new(NOBODY, 3), Err(Unclaimed::Held { .. })));
        adapter.kill().unwrap();
        adapter.wait().unwrap();
        assert!(Claim::new(NOBODY, 3).is_ok());
    }

    #[tokio::test]
    async fn a_child_that_is_not_yet_executed_keeps_no_claim() {
        use std::io::{Read, Write};
        use std::os::fd::AsRawFd;
        use std::os::unix::process::CommandExt;

        let claim = Claim::take(NOBODY, 5).await.unwrap();
        let ((mut forked, says), (waits, mut go)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let hold = move || {
            let mut byte = 0_u8;
            // SAFETY: system calls that are async-signal-safe, on descriptors that this closure keeps open and a byte of its own.
            unsafe {
                libc::write(says.as_raw_fd(), (&raw const byte).cast(), 1);
                libc::read(waits.as_raw_fd(), (&raw mut byte).cast(), 1);
            }
            Ok(())
        };
        let child = crate::process::spawner::run(move || {
            let mut command = Command::new("true");
            // SAFETY: `hold` neither allocates nor locks, as it must not between fork and exec.
            unsafe { command.pre_exec(hold) };
            command.spawn()
        });
        forked.read_exact(&mut [0]).unwrap();
        drop(claim);
        let next = Claim::take(NOBODY, 5);
        go.write_all(&[0]).unwrap();
        assert!(next.await.is_ok());
        child.await.unwrap().unwrap().wait().unwrap();
    }

    #[test]
    fn asking_a_thousand_times_who_has_it_never_blocks() {
        let _claim = Claim::new(NOBODY, 4).unwrap();
        for _ in 0..1_000 {
            assert!(matches!(Claim::new(NOBODY, 4), Err(Unclaimed::Held { .. })));
        }
    }
}
