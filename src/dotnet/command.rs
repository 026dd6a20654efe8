//! Runs the `dotnet` tool to its end: own process group, no stdin, bounded output, killed as a whole when dropped.
//!
//! The seam to the process layer: everything of this layer that is spawned goes through [`run`].
//! The race to remember: a build leaves children (compiler, MSBuild nodes); killing `dotnet` alone would orphan them.

use std::ffi::OsString;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncReadExt};

use super::DotnetError;
use crate::process::{CommandSpec, ProcessError, StdinMode, spawn_program_plain};

/// What to run.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Decides which `global.json` and `NuGet.config` hold.
    pub cwd: PathBuf,
    /// Added to our own environment.
    pub env: Vec<(&'static str, &'static str)>,
}

/// How it ended; both streams decoded lossily, each cut at [`LIMIT`].
#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Bytes kept of each stream; what comes later is read and dropped, so that the tool never blocks.
const LIMIT: usize = 4 << 20;

/// What keeps a build quiet, in English and without processes that outlive it (measured).
const ENVIRONMENT: &[(&str, &str)] = &[
    ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
    ("MSBUILDDISABLENODEREUSE", "1"),
    ("DOTNET_CLI_UI_LANGUAGE", "en"),
    ("VSLANG", "1033"),
    ("DOTNET_NOLOGO", "1"),
    ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
];

/// What must not reach a build: they would hold it, or be read as our own words.
const REMOVED: &[&str] =
    &["DOTNET_DiagnosticPorts", "DOTNET_DefaultDiagnosticPortSuspend", "DOTNET_STARTUP_HOOKS", "MSBUILD_LOGGING_ARGS"];

/// Runs it; dropping the future kills the whole group.
pub(crate) async fn run(spec: &Spec) -> Result<Output, DotnetError> {
    let mut child = spawn_program_plain(&spec.command(), StdinMode::Closed)
        .await
        .map_err(|error| DotnetError::io(format!("cannot run {}", spec.program.display()))(reason(error)))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (status, stdout, stderr) = tokio::join!(child.exited(), bounded(stdout), bounded(stderr));
    // It has ended and nobody holds its pipes: what it left behind on purpose (the compiler server) stays.
    child.leave_running();
    Ok(Output { success: status.success(), stdout, stderr })
}

impl Spec {
    fn command(&self) -> CommandSpec {
        let added = ENVIRONMENT.iter().chain(&self.env).map(|(name, value)| ((*name).into(), Some((*value).into())));
        let removed = REMOVED.iter().map(|name| ((*name).into(), None));
        CommandSpec {
            program: self.program.clone(),
            args: self.args.clone(),
            env: added.chain(removed).collect(),
            cwd: Some(self.cwd.clone()),
        }
    }
}

/// Without the program's name, which the caller puts in front.
fn reason(error: ProcessError) -> std::io::Error {
    match error {
        ProcessError::Spawn { source, .. } | ProcessError::System { source, .. } => source,
        other => std::io::Error::other(other),
    }
}

async fn bounded(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else {
        return String::new();
    };
    let (mut kept, mut chunk) = (Vec::new(), vec![0u8; 16 << 10]);
    while let Ok(read @ 1..) = stream.read(&mut chunk).await {
        let room = LIMIT.saturating_sub(kept.len()).min(read);
        kept.extend(chunk.iter().take(room));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use tokio::{io::AsyncWriteExt, net::unix::pipe};

    use super::*;

    fn shell(script: &str) -> Spec {
        Spec { program: "/bin/sh".into(), args: vec!["-c".into(), script.into()], cwd: "/".into(), env: vec![] }
    }

    #[tokio::test]
    async fn both_streams_and_the_verdict_come_back() {
        let output = run(&shell("echo out; echo err >&2; exit 3")).await.unwrap();
        assert_eq!((output.success, output.stdout.as_str(), output.stderr.as_str()), (false, "out\n", "err\n"));
        assert!(run(&shell("exit 0")).await.unwrap().success);
    }

    #[tokio::test]
    async fn stdin_is_empty_and_a_flood_is_read_but_not_kept() {
        let output = run(&shell("cat; head -c 5000000 /dev/zero")).await.unwrap();
        assert_eq!(output.stdout.len(), LIMIT);
    }

    #[tokio::test]
    async fn a_missing_program_is_an_error() {
        let spec = Spec { program: "/nowhere/dotnet".into(), args: vec![], cwd: "/".into(), env: vec![] };
        assert!(run(&spec).await.unwrap_err().to_string().starts_with("cannot run /nowhere/dotnet"));
    }

    #[tokio::test]
    async fn what_the_tool_left_running_on_purpose_is_not_killed_after_it() {
        let dir = tempfile::tempdir().unwrap();
        let mut spec = shell("mkfifo ask answer");
        spec.cwd = dir.path().into();
        run(&spec).await.unwrap();
        let mut answer = pipe::OpenOptions::new().open_receiver(dir.path().join("answer")).unwrap();
        // Killed, it would close the pipe without a word.
        spec.args =
            vec!["-c".into(), "exec 3>answer; (read -r line <ask; echo \"$line\" >&3) >/dev/null 2>&1 &".into()];
        assert!(run(&spec).await.unwrap().success);
        let mut ask = pipe::OpenOptions::new().read_write(true).open_sender(dir.path().join("ask")).unwrap();
        ask.write_all(b"alive\n").await.unwrap();
        let mut text = String::new();
        answer.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "alive\n");
    }

    #[tokio::test]
    async fn dropping_the_future_kills_grandchildren_too() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("held");
        // The grandchild holds the write end of the pipe; its end is the pipe's end of file.
        let script = format!("mkfifo {0}; (exec 3>{0}; echo ready >&3; exec sleep 1000) & wait", fifo.display());
        let spec = shell(&script);
        let watched = async {
            while !fifo.exists() {
                tokio::task::yield_now().await;
            }
            pipe::OpenOptions::new().read_write(false).open_receiver(&fifo).unwrap()
        };
        let mut reader = {
            let running = run(&spec);
            tokio::pin!(running);
            let mut reader = tokio::select! {
                _ = &mut running => panic!("it cannot end"),
                reader = watched => reader,
            };
            let mut line = [0u8; 6];
            tokio::select! {
                _ = &mut running => panic!("it cannot end"),
                read = reader.read_exact(&mut line) => { read.unwrap(); }
            }
            reader
        };
        let mut rest = Vec::new();
        reader.read_to_end(&mut rest).await.unwrap();
        assert!(rest.is_empty());
    }
}
