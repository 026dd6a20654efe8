//! The keeper: a small process that disconnects an adapter for us if we are killed.
//!
//! An adapter whose stdin closes during a hit may leave its attached program unattachable, or keep running (vendor-notes.md,
//! danger 19), and SIGKILL gives us no chance to prevent that. So a second process holds copies of our ends of the adapter's pipes.
//! It waits for one of three things: our message that we close the adapter's stdin, the adapter's exit, or the end of our pipe without a
//! message, which means we died. If we died, it waits until the adapter is idle, sends `disconnect`, and closes its stdin. With stdin closed
//! by either of us, it waits for the adapter's end and kills one that does not end: we may be killed while we wait for that.
//!
//! A program that was started for us has one too: the kernel kills the program with us, but not what it started (`group`).
//!
//! It runs before `main` does anything else: no runtime, no threads, no settings. Bytes and a pid are all it knows.
//! The race to remember: while we live, both of us could read the adapter's output. The keeper reads nothing before our death.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, PipeWriter, Read, Write},
    os::{
        fd::{AsRawFd, FromRawFd, OwnedFd},
        unix::{ffi::OsStrExt, process::CommandExt},
    },
    path::{Path, PathBuf},
    sync::OnceLock,
    time::{Duration, Instant},
};

pub(super) mod group;

use super::{
    CommandSpec, ProcessError, StdinMode, busy_time, is_suspended, kill_started_at, spawned::Spawned, spawner,
    start_time,
};

/// The first argument of a keeper; the pid, the start time, the pid of the program and the farewell follow.
const ROLE: &str = "keep-adapter";

/// How long each part of a farewell may take at most.
const PATIENCE: Patience = Patience {
    glance: Duration::from_millis(100),
    rest: Duration::from_secs(1),
    farewell: Duration::from_secs(2),
    closed: Duration::from_secs(8),
};
/// An adapter that works (or waits for a processor) so long within a glance is not at rest.
const BUSY: Duration = Duration::from_millis(5);

/// How to start this very program, even if its file was replaced meanwhile.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// To be called first in `main`. `true`: this process was a keeper, and its work is done. Else it may have keepers from now on.
pub fn run_if_asked() -> bool {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    if group::run_if_asked(&args) {
        return true;
    }
    let [role, pid, started, program, farewell] = args.as_slice() else { return is_main() };
    if role != ROLE {
        return is_main();
    }
    // SAFETY: whoever starts a keeper gives it these three (`start`), and nothing else in this process uses them.
    let [output, input, line] = [0, 1, 2].map(|fd| File::from(unsafe { OwnedFd::from_raw_fd(fd) }));
    let [pid, program] = [pid, program].map(|pid| read_number(pid).and_then(|pid| u32::try_from(pid).ok()));
    let (pid, program) = (pid.unwrap_or_default(), program.unwrap_or_default());
    Keeper { output, input, line, pid, started: read_number(started), program }.keep(farewell.as_bytes(), &PATIENCE);
    true
}

fn read_number(text: &OsString) -> Option<u64> {
    text.to_str()?.parse().ok()
}

fn is_main() -> bool {
    let own = if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() };
    if let Ok(own) = own {
        PROGRAM.get_or_init(|| own);
    }
    false
}

/// The program to start as a keeper; `None` in one whose `main` never asked [`run_if_asked`].
pub fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// Our end of the line to a keeper. Dropping it says that the adapter's stdin is closed; our death does not.
#[derive(Debug)]
pub(super) struct Line(PipeWriter);

impl Drop for Line {
    fn drop(&mut self) {
        // A keeper that is gone already needs no word.
        drop(self.0.write_all(b"x"));
    }
}

/// Starts `keeper` for an adapter of the process `program`: the adapter's pid, what it says, what it hears.
pub(super) async fn start(
    keeper: &Path,
    (pid, output, input): (u32, OwnedFd, OwnedFd),
    program: u32,
    farewell: &[u8],
) -> Result<Line, ProcessError> {
    let (line, ours) = io::pipe().map_err(ProcessError::system("create the pipe to a keeper process"))?;
    // Should nobody wait for the start any more, the adapter is to end.
    let ours = Line(ours);
    let started = start_time(pid).map(|started| started.to_string()).unwrap_or_default();
    let farewell = OsStr::from_bytes(farewell).into();
    let args = vec![ROLE.into(), pid.to_string().into(), started.into(), program.to_string().into(), farewell];
    let spec = CommandSpec { program: keeper.into(), args, ..CommandSpec::default() };
    let spawned = spawner::run(move || {
        let mut command = spec.command(StdinMode::Closed);
        command.arg0("clrbridge").stdin(output).stdout(input).stderr(line);
        Spawned::start(command, false, |error| spec.spawn_error(error))
    });
    // Its end is its own matter; the thread that reaps it goes on.
    spawned.await??;
    Ok(ours)
}

struct Patience {
    /// Silence and idleness of this length are rest.
    glance: Duration,
    rest: Duration,
    farewell: Duration,
    /// Then it is killed, as an orderly end does it: not while its program is suspended, which it will let go when that continues.
    closed: Duration,
}

struct Keeper {
    /// What the adapter says.
    output: File,
    /// What it hears.
    input: File,
    line: File,
    pid: u32,
    started: Option<u64>,
    /// What it debugs.
    program: u32,
}

enum Word {
    /// Its stdin is closed by us, but for the keeper's copy.
    Closed,
    /// We died.
    Bereaved,
    /// The adapter has ended.
    Gone,
}

#[derive(PartialEq, Eq)]
enum Heard {
    Nothing,
    Something,
    End,
}

impl Keeper {
    fn keep(mut self, farewell: &[u8], patience: &Patience) {
        let is_bereaved = match self.word() {
            Word::Gone => return,
            Word::Closed => false,
            Word::Bereaved => {
                if !self.comes_to_rest(patience.glance, patience.rest) {
                    return;
                }
                // An adapter that reads nothing any more hears at least the end. A pipe that can be written to takes this much at once.
                if poll([(&self.input, libc::POLLOUT)], Some(patience.glance)) == [libc::POLLOUT] {
                    drop(self.input.write_all(farewell));
                }
                if !self.comes_to_rest(patience.glance, patience.farewell) {
                    return;
                }
                true
            }
        };
        let Self { mut output, input, pid, started, program, .. } = self;
        drop(input);
        let mut until = Instant::now() + patience.closed;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let has_ended = match is_bereaved {
                true => hear(&mut output, left) == Heard::End,
                // Whoever closed it reads what the adapter still says.
                false => poll([(&output, 0)], Some(left)) != [0],
            };
            if has_ended {
                return;
            }
            if Instant::now() >= until {
                if !is_suspended(program) {
                    break;
                }
                until = Instant::now() + patience.closed;
            }
        }
        if let Some(started) = started {
            drop(kill_started_at(pid, started, libc::SIGKILL));
        }
    }

    /// Waits for our word, or the end of our line or of the adapter.
    fn word(&mut self) -> Word {
        loop {
            // An end without readers has an error pending, whatever is asked for.
            let [line, input] = poll([(&self.line, libc::POLLIN), (&self.input, 0)], None);
            if input != 0 {
                return Word::Gone;
            }
            if line != 0 {
                return if matches!(self.line.read(&mut [0]), Ok(0)) { Word::Bereaved } else { Word::Closed };
            }
        }
    }

    /// Reads away what the adapter says until it neither speaks nor works. `false`: it is gone.
    fn comes_to_rest(&mut self, glance: Duration, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        while Instant::now() < until {
            let before = busy_time(self.pid);
            match hear(&mut self.output, glance) {
                Heard::End => return false,
                Heard::Nothing if busy_time(self.pid).saturating_sub(before) < BUSY => return true,
                Heard::Nothing | Heard::Something => {}
            }
        }
        true
    }
}

fn hear(output: &mut File, limit: Duration) -> Heard {
    if poll([(output, libc::POLLIN)], Some(limit)) == [0] {
        return Heard::Nothing;
    }
    match output.read(&mut [0; 16 * 1024]) {
        Ok(0) => Heard::End,
        Ok(_) => Heard::Something,
        // The pipe is as the runtime of the dead left it: it does not block.
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            Heard::Something
        }
        Err(_) => Heard::End,
    }
}

/// What happened to each within the limit; zeros if nothing did.
fn poll<const N: usize>(of: [(&File, i16); N], limit: Option<Duration>) -> [i16; N] {
    let mut all = of.map(|(file, events)| libc::pollfd { fd: file.as_raw_fd(), events, revents: 0 });
    // Rounded up: a limit of less than a millisecond must not become a busy loop.
    let limit = limit.map_or(-1, |limit| i32::try_from(limit.as_millis()).unwrap_or(i32::MAX - 1) + 1);
    // SAFETY: as many structures of ours as we say.
    unsafe { libc::poll(all.as_mut_ptr(), N as libc::nfds_t, limit) };
    all.map(|one| one.revents)
}

#[cfg(test)]
mod tests;
