//! A program of our own: started, held before its first managed instruction, its output read, its end awaited.

use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::StartError;
use crate::com::system::{self, End, Gate, Held, HoldError};

/// What `launch` asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramSpec {
    /// A `.dll` runs by `dotnet`, anything else by itself. A relative one is below `cwd`.
    pub program: PathBuf,
    pub args: Vec<String>,
    pub cwd: Option<PathBuf>,
    /// `None` removes a variable.
    pub env: Vec<(String, Option<String>)>,
}

impl ProgramSpec {
    /// As both we and the program find it.
    fn path(&self) -> PathBuf {
        let below = self.cwd.as_ref().map_or_else(|| self.program.clone(), |folder| folder.join(&self.program));
        std::path::absolute(&below).unwrap_or(below)
    }
}

/// A process that we started.
pub struct Program {
    pub pid: u32,
    /// Of the program, or of `dotnet`.
    pub name: String,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    /// To be asked on a thread of its own.
    pub end: Option<End>,
}

impl Program {
    pub fn kill(&self) {
        system::kill(self.pid);
    }
}

/// Its runtime waits until the gate opens.
///
/// # Errors
/// [`StartError`]; nothing runs then.
pub(super) fn start(spec: &ProgramSpec, limit: Duration) -> Result<(Program, Gate), StartError> {
    if let Some(folder) = spec.cwd.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(StartError::NoFolder(folder.clone()));
    }
    let path = spec.path();
    if !path.exists() {
        return Err(StartError::NoProgram(path));
    }
    let mut command = match path.extension().is_some_and(|end| end == "dll") {
        true => {
            let mut command = Command::new("dotnet");
            command.arg(&path);
            command
        }
        false => Command::new(&path),
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
    let Held { pid, stdout, stderr, end, gate } = system::start_held(command, limit).map_err(|error| match error {
        HoldError::Spawn(error) => StartError::Spawn { what: name.clone(), error },
        HoldError::Ended(code) => StartError::EndedEarly(code),
        HoldError::NoRuntime => StartError::NoRuntimeInTime(limit),
    })?;
    Ok((Program { pid, name, stdout, stderr, end: Some(end) }, gate))
}
