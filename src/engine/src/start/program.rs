//! A program of our own: started, held before its first managed instruction, its output read, its end awaited.

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::StartError;
use crate::com::system::{self, Semaphore};

/// What `launch` asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramSpec {
    /// A `.dll` runs by `dotnet`, anything else by itself.
    pub program: PathBuf,
    pub args: Vec<String>,
    pub cwd: Option<PathBuf>,
    /// `None` removes a variable.
    pub env: Vec<(String, Option<String>)>,
}

/// A process that we started.
pub struct Program {
    pub pid: u32,
    /// Of the program, or of `dotnet`.
    pub name: String,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    /// Tells its wait status.
    end: Option<File>,
}

/// Lets the runtime continue when asked.
pub struct Held {
    go_on: Semaphore,
}

impl Held {
    pub fn release(self) {
        self.go_on.post();
    }
}

impl Program {
    pub fn kill(&self) {
        system::kill(self.pid);
    }

    /// To be asked on a thread of its own: answers when the program has ended, with its exit code.
    pub fn take_end(&mut self) -> Option<impl FnOnce() -> Option<i32> + Send + use<>> {
        let end = self.end.take()?;
        Some(move || status(end).map(system::exit_code))
    }
}

fn status(mut from: File) -> Option<i32> {
    let mut bytes = [0_u8; 4];
    from.read_exact(&mut bytes).ok()?;
    Some(i32::from_ne_bytes(bytes))
}

/// # Errors
/// [`StartError`]; nothing runs then.
pub(super) fn start(spec: &ProgramSpec, limit: Duration) -> Result<(Program, Held), StartError> {
    if !spec.program.exists() {
        return Err(StartError::NoProgram(spec.program.clone()));
    }
    let mut command = match spec.program.extension().is_some_and(|end| end == "dll") {
        true => {
            let mut command = Command::new("dotnet");
            command.arg(&spec.program);
            command
        }
        false => Command::new(&spec.program),
    };
    command.args(&spec.args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = &spec.cwd {
        command.current_dir(folder);
    }
    for (name, value) in &spec.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |error| StartError::Spawn { what: name.clone(), error };
    let mut hold = system::hold(&mut command).map_err(failed)?;
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
            Ok(Err(error)) => failed(error),
            _ => StartError::EndedEarly(0),
        });
    }
    let pid = u32::from_ne_bytes(word);
    let started = start_time(pid).unwrap_or(0);
    // This order: the runtime must not find the second without the first.
    let go_on = Semaphore::create(format!("/clrco{pid:08x}{started:016x}")).map_err(failed)?;
    let posted = Semaphore::create(format!("/clrst{pid:08x}{started:016x}")).map_err(failed)?;
    hold.gate.write_all(b"x").map_err(failed)?;
    let mut child = match spawned.recv() {
        Ok(Ok(child)) => child,
        Ok(Err(error)) => return Err(failed(error)),
        Err(_) => return Err(failed(std::io::ErrorKind::BrokenPipe.into())),
    };
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let has_ended = || std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z "));
    if !posted.wait(limit, has_ended) {
        if has_ended() {
            return Err(StartError::EndedEarly(status(hold.reports).map_or(0, system::exit_code)));
        }
        system::kill(pid);
        return Err(StartError::NoRuntimeInTime(limit));
    }
    Ok((Program { pid, name, stdout, stderr, end: Some(hold.reports) }, Held { go_on }))
}

/// Ticks since boot: field 22 of its stat line, which may have brackets in its name.
fn start_time(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}
