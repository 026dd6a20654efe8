//! The signal by which the runtime interrupts its threads.
//!
//! Where an aborted call leaves that signal's handler by an exception, the handler never returns, so the signal stays blocked, and no
//! loop can be interrupted on that thread again (.NET 8 and 10, Linux). It cannot be let in at once: the thread restores what it
//! blocks when it goes on. And .NET 10 takes it for sent already until the handler returns: so it has to come from us.

use std::time::{Duration, Instant};

/// A thread that gets the signal to stop does so when it is next scheduled.
const LIMIT: Duration = Duration::from_millis(500);
/// Between two looks whether it has.
const PAUSE: Duration = Duration::from_micros(200);

/// Lets that signal in where a thread that runs blocks it.
pub fn let_interrupts_in(pid: u32) {
    // INJECT_ACTIVATION_SIGNAL of the runtime's platform layer
    let mask = 1_u64 << (libc::SIGRTMIN() - 1);
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    for thread in tasks.filter_map(|task| task.file_name().to_str()?.parse().ok()) {
        if let Some(blocked) = blocked_while_running(pid, thread).filter(|blocked| blocked & mask != 0) {
            set_blocked(thread, blocked & !mask);
            interrupt(pid, thread);
        }
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

/// What a thread blocks, signal 1 in the lowest bit; `None` for one that waits, perhaps within a handler.
fn blocked_while_running(pid: u32, thread: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?;
    let of = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    of("State:")?.starts_with('R').then(|| u64::from_str_radix(of("SigBlk:")?, 16).ok())?
}

/// Has a thread block these and no others; false where the system does not allow that.
fn set_blocked(thread: u32, signals: u64) -> bool {
    // what a thread traces is let go when that ends, whatever happened meanwhile
    std::thread::spawn(move || trace(thread, signals)).join().unwrap_or(false)
}

fn trace(thread: u32, mut signals: u64) -> bool {
    let Ok(thread) = libc::pid_t::try_from(thread) else { return false };
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: neither reads nor writes memory of ours; a thread that is gone or not ours to trace is refused.
    if unsafe { libc::ptrace(libc::PTRACE_SEIZE, thread, none, none) } != 0 {
        return false;
    }
    // SAFETY: as above.
    unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, thread, none, none) };
    let until = Instant::now() + LIMIT;
    let size = size_of_val(&signals) as *mut libc::c_void;
    // SAFETY: reads as many bytes as `signals` has; refused until the thread has stopped.
    while unsafe { libc::ptrace(libc::PTRACE_SETSIGMASK, thread, size, (&raw mut signals).cast::<libc::c_void>()) } != 0
    {
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
            blocked_while_running(pid, thread as u32)
        });
        assert_eq!(mine.join().unwrap(), Some(1 << (libc::SIGUSR1 - 1)));
        assert_eq!(blocked_while_running(pid, 0), None);
        // nobody traces itself
        assert!(!set_blocked(pid, 0));
    }
}
