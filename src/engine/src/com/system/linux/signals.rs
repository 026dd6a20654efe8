//! The signal by which the runtime interrupts its threads: each then checks whether it has to stop, also in a loop without calls. .NET 8 on
//! Linux sends it for a collection of garbage, but not for a debugger, and its handler does not ask why it came. So the engine sends it.
//!
//! Where an aborted call leaves that signal's handler by an exception, the handler never returns, so the signal stays blocked, and no
//! loop can be interrupted on that thread again (.NET 8 and 10, Linux). It cannot be let in at once: the thread restores what it
//! blocks when it goes on. And .NET 10 takes it for sent already until the handler returns: so there too it has to come from us.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// INJECT_ACTIVATION_SIGNAL of the runtime's platform layer, as a set.
static INTERRUPT: LazyLock<u64> = LazyLock::new(|| 1 << (libc::SIGRTMIN() - 1));

/// A thread that gets the signal to stop does so when it is next scheduled.
const LIMIT: Duration = Duration::from_millis(500);
/// Between two looks whether it has.
const PAUSE: Duration = Duration::from_micros(200);

/// The threads of a program that have waited for nothing since they were first seen here. One that waits comes by where it can be
/// stopped without help, and a signal may end its wait: `poll` says then that it was interrupted, which its caller may not expect.
pub struct BusyThreads {
    pid: u32,
    /// How often each had waited then.
    waits: HashMap<u32, u64>,
}

impl BusyThreads {
    pub fn seen_now(pid: u32) -> Self {
        let mut this = Self { pid, waits: HashMap::new() };
        this.look();
        this
    }

    /// Makes each of them check whether it has to stop.
    pub fn interrupt(&mut self) {
        for (thread, signals) in self.look() {
            // one that nobody handles would end the program
            if signals.caught & *INTERRUPT == 0 {
                continue;
            }
            if signals.blocked & *INTERRUPT != 0 {
                set_blocked(thread, signals.blocked & !*INTERRUPT);
            }
            interrupt(self.pid, thread);
        }
    }

    fn look(&mut self) -> Vec<(u32, Signals)> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
        let threads = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        let mut busy = Vec::new();
        for thread in threads {
            let Some(status) = Status::of(self.pid, thread) else { continue };
            match self.waits.entry(thread) {
                Entry::Vacant(new) => drop(new.insert(status.waits)),
                Entry::Occupied(known) if *known.get() == status.waits && status.is_running => {
                    busy.push((thread, status.signals));
                }
                Entry::Occupied(_) => {}
            }
        }
        busy
    }
}

/// Sends it as the program itself would: the handler takes it from nobody else.
fn interrupt(pid: u32, thread: u32) {
    // siginfo_t: signal, errno, code, a gap, and for a queued one the sender
    let mut info = [0_i32; 32];
    let fields = [libc::SIGRTMIN(), 0, libc::SI_QUEUE, 0, pid.cast_signed()];
    info.iter_mut().zip(fields).for_each(|(field, value)| *field = value);
    // SAFETY: reads the 128 bytes of a siginfo_t; what is not ours to signal is refused.
    unsafe { libc::syscall(libc::SYS_rt_tgsigqueueinfo, pid, thread, libc::SIGRTMIN(), info.as_ptr()) };
}

/// What a thread blocks and its process handles, signal 1 in the lowest bit.
struct Signals {
    blocked: u64,
    caught: u64,
}

/// What the system says of a thread.
struct Status {
    /// It does not wait, not even within a handler.
    is_running: bool,
    waits: u64,
    signals: Signals,
}

impl Status {
    fn of(pid: u32, thread: u32) -> Option<Self> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?;
        let of = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let set = |name| u64::from_str_radix(of(name)?, 16).ok();
        Some(Self {
            is_running: of("State:")?.starts_with('R'),
            waits: of("voluntary_ctxt_switches:")?.parse().ok()?,
            signals: Signals { blocked: set("SigBlk:")?, caught: set("SigCgt:")? },
        })
    }
}

/// Has a thread block these and no others; false where the system does not allow that. By a process of its own: while a thread is
/// traced, its stops are reported to the whole process that traces it, and the runtime's library, which asks there whether the program
/// has ended, takes them for its end.
fn set_blocked(thread: u32, signals: u64) -> bool {
    let Ok(thread) = libc::pid_t::try_from(thread) else { return false };
    // SAFETY: the copy calls nothing but the system, and ends: no lock that another thread of ours holds is needed, and no handler of
    // a fork runs.
    match unsafe {
        libc::syscall(libc::SYS_clone, libc::c_long::from(libc::SIGCHLD), 0_usize, 0_usize, 0_usize, 0_usize)
    } {
        0 => {
            let is_done = trace(thread, signals);
            // SAFETY: as above.
            unsafe { libc::_exit(i32::from(!is_done)) }
        }
        copy => {
            let Ok(copy) = libc::pid_t::try_from(copy) else { return false };
            let mut status = 0;
            // SAFETY: writes the status of a child that nobody else waits for.
            while unsafe { libc::waitpid(copy, &raw mut status, 0) } == -1 {
                if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
                    return false;
                }
            }
            libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
        }
    }
}

/// What a process traces is let go when that ends, whatever happened meanwhile. Allocates nothing.
fn trace(thread: libc::pid_t, mut signals: u64) -> bool {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: neither reads nor writes memory of ours; a thread that is gone or not ours to trace is refused.
    if unsafe { libc::ptrace(libc::PTRACE_SEIZE, thread, none, none) } != 0 {
        return false;
    }
    // SAFETY: as above.
    unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, thread, none, none) };
    let until = Instant::now() + LIMIT;
    let size = size_of_val(&signals) as *mut libc::c_void;
    // of another type in musl
    let request = libc::PTRACE_SETSIGMASK as _;
    // SAFETY: reads as many bytes as `signals` has; refused until the thread has stopped.
    while unsafe { libc::ptrace(request, thread, size, (&raw mut signals).cast::<libc::c_void>()) } != 0 {
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    // SAFETY: as above; the thread goes on as before.
    unsafe { libc::ptrace(libc::PTRACE_DETACH, thread, none, none) == 0 }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_thread_says_what_it_blocks() {
        let pid = std::process::id();
        let mine = std::thread::spawn(move || {
            // SAFETY: fills and reads a set of ours; the thread ends here.
            let thread = unsafe {
                let mut set = std::mem::zeroed();
                libc::sigaddset(&raw mut set, libc::SIGUSR1);
                libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
                libc::gettid()
            };
            Status::of(pid, thread as u32).map(|status| status.signals.blocked)
        });
        assert_eq!(mine.join().unwrap(), Some(1 << (libc::SIGUSR1 - 1)));
        assert!(Status::of(pid, 0).is_none());
    }

    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    static WAITER_INTERRUPTED: AtomicBool = AtomicBool::new(false);
    thread_local! {
        static WAITS: Cell<bool> = const { Cell::new(false) };
    }

    extern "C" fn note(_: libc::c_int) {
        let flag = if WAITS.get() { &WAITER_INTERRUPTED } else { &INTERRUPTED };
        flag.store(true, Ordering::SeqCst);
    }

    #[test]
    fn a_thread_that_waits_now_and_then_is_not_interrupted() {
        // SAFETY: the handler only stores.
        unsafe { libc::signal(libc::SIGRTMIN(), note as *const () as libc::sighandler_t) };
        let over = AtomicBool::new(false);
        let waited = AtomicU32::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::SeqCst) {
                    std::hint::spin_loop();
                }
            });
            scope.spawn(|| {
                WAITS.set(true);
                while !over.load(Ordering::SeqCst) {
                    std::thread::park_timeout(Duration::from_micros(100));
                    waited.fetch_add(1, Ordering::SeqCst);
                }
            });
            let pass = |more| {
                let until = waited.load(Ordering::SeqCst) + more;
                while waited.load(Ordering::SeqCst) < until {
                    std::thread::yield_now();
                }
            };
            pass(1);
            let mut threads = BusyThreads::seen_now(std::process::id());
            pass(2);
            for _ in 0..200 {
                threads.interrupt();
                pass(1);
            }
            over.store(true, Ordering::SeqCst);
        });
        assert!(INTERRUPTED.load(Ordering::SeqCst), "the one that spins");
        assert!(!WAITER_INTERRUPTED.load(Ordering::SeqCst), "the one that waits");
    }

    #[test]
    fn a_thread_that_is_stopped_for_a_moment_has_not_ended() {
        let mut program = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let pid = program.id();
        let is_over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let over = is_over.clone();
        // as the runtime's library asks
        let watch = std::thread::spawn(move || {
            let (mut status, mut ends) = (0, 0);
            while !over.load(std::sync::atomic::Ordering::SeqCst) {
                // SAFETY: writes the status of a child.
                ends += i32::from(unsafe { libc::waitpid(pid.cast_signed(), &raw mut status, libc::WNOHANG) } != 0);
            }
            ends
        });
        let mask = 1 << (libc::SIGUSR1 - 1);
        let done: Vec<bool> = (0..20).map(|_| set_blocked(pid, mask)).collect();
        is_over.store(true, std::sync::atomic::Ordering::SeqCst);
        let (ends, blocked) = (watch.join().unwrap(), Status::of(pid, pid).map(|status| status.signals.blocked));
        program.kill().unwrap();
        program.wait().unwrap();
        assert_eq!(ends, 0);
        // where the system lets only ancestors trace, it is refused
        let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
        let may_trace = matches!(scope.trim(), "" | "0");
        assert!(done.iter().all(|done| *done == may_trace), "{done:?}");
        assert!(!may_trace || blocked.is_none_or(|blocked| blocked & mask != 0), "{blocked:?}");
    }
}
