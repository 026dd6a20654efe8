//! A program that is started and waits before its first managed instruction: the runtime looks for two semaphores named after its
//! process, posts the one and waits for the other.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::process::Command;
use std::time::Duration;

use super::super::{Held, HoldError};
use super::fork::{exit_code, hold};
use super::kill;
use super::semaphore::Semaphore;

/// Tells how a program ended.
pub struct End {
    /// Of the process between: the wait status comes when the program has ended.
    reports: File,
}

impl End {
    /// Waits for the program's end; answers its exit code.
    pub fn exit_code(mut self) -> Option<i32> {
        let mut bytes = [0_u8; 4];
        self.reports.read_exact(&mut bytes).ok()?;
        Some(exit_code(i32::from_ne_bytes(bytes)))
    }
}

/// Before it, the program's runtime waits.
pub struct Gate(Semaphore);

impl Gate {
    pub fn open(self) {
        self.0.post();
    }
}

/// Starts a program whose runtime then waits until the gate opens.
///
/// # Errors
/// [`HoldError`]
pub fn start_held(mut command: Command, limit: Duration) -> Result<Held, HoldError> {
    let mut hold = hold(&mut command).map_err(HoldError::Spawn)?;
    // The start comes back when the process between has closed the pipe that reports the exec, so it needs no thread of its own there;
    // but before that, the program waits for the gate. The thread lives as long as we do: a parent-death signal follows it.
    let (sender, spawned) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let _ = sender.send(command.spawn());
        drop(command);
        loop {
            std::thread::park();
        }
    });
    let mut word = [0_u8; 4];
    if hold.reports.read_exact(&mut word).is_err() {
        return Err(match spawned.recv() {
            Ok(Err(error)) => HoldError::Spawn(error),
            _ => HoldError::Ended(0),
        });
    }
    let pid = u32::from_ne_bytes(word);
    let started = start_time(pid).unwrap_or(0);
    let semaphore = |what: &str| Semaphore::create(format!("/{what}{pid:08x}{started:016x}")).map_err(HoldError::Spawn);
    // This order: the runtime must not find the second without the first.
    let go_on = semaphore("clrco")?;
    let posted = semaphore("clrst")?;
    hold.gate.write_all(b"x").map_err(HoldError::Spawn)?;
    let mut child = match spawned.recv() {
        Ok(child) => child.map_err(HoldError::Spawn)?,
        Err(_) => return Err(HoldError::Spawn(io::ErrorKind::BrokenPipe.into())),
    };
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let end = End { reports: hold.reports };
    let has_ended = || fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z "));
    if !posted.wait(limit, has_ended) {
        if has_ended() {
            return Err(HoldError::Ended(end.exit_code().unwrap_or(0)));
        }
        kill(pid);
        return Err(HoldError::NoRuntime);
    }
    Ok(Held { pid, stdout, stderr, end, gate: Gate(go_on) })
}

/// Ticks since boot: field 22 of its stat line, which may have brackets in its name.
fn start_time(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}
