//! The processes of a session, started, and the connection to its adapter.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Method, Prepared};
use crate::dap;
use crate::dotnet::Dotnet;
use crate::process::{self, Bound, Child, Claim, CommandSpec, Held, ProcessError, StderrTail, StdinMode, keeper};
use crate::redaction::Redaction;
use crate::session::error::{Code, SessionError};
use crate::session::recorded::RecordedTraffic;
use crate::session::settings::Player;
use crate::session::spec::LaunchSpec;
use crate::transport::Connection;
use crate::transport::record::{Places, RecordingHeader, Tap};
use crate::transport::replay::{self, Recording};

/// What runs now.
pub(crate) struct Opened {
    pub connection: Connection,
    pub adapter: Option<Child>,
    pub stderr: Option<StderrTail>,
    pub held: Option<Arc<Held>>,
    /// On a program that we hold.
    pub claim: Option<Claim>,
    pub tap: Option<Tap>,
    /// The end of a replay: its recorded exit code.
    pub replay: Option<tokio::task::JoinHandle<replay::ReplayEnd>>,
}

impl Opened {
    /// Something that plays the adapter and the program.
    fn replay(connection: Connection, replay: tokio::task::JoinHandle<replay::ReplayEnd>) -> Self {
        let replay = Some(replay);
        Self { connection, adapter: None, stderr: None, held: None, claim: None, tap: None, replay }
    }
}

/// Starts the adapter, and the program where we hold it.
///
/// # Errors
/// `backend_unusable`, `launch_failed`, `program_not_found`.
pub(crate) async fn open(
    prepared: &Prepared,
    spec: Option<&LaunchSpec>,
    workspace: &std::path::Path,
    record: Option<(PathBuf, Redaction)>,
    player: Option<&Player>,
) -> Result<Opened, SessionError> {
    if let Some(player) = player {
        let (ours, theirs) = Connection::memory();
        let replay = tokio::spawn((player.play)(theirs));
        return Ok(Opened::replay(ours, replay));
    }
    if prepared.method == Method::Replay {
        return replayed(prepared, workspace);
    }
    let tap = match record {
        Some((path, redaction)) => Some(tap(prepared, workspace, path, &redaction)?),
        None => None,
    };
    let bound = if prepared.method == Method::Held { Bound::DiesWithUs } else { Bound::Outlives };
    let command = adapter_command(prepared, spec);
    // the two starts share nothing but the spawner thread
    let (adapter, held) =
        futures::join!(process::spawn_adapter(&command, bound, prepared.claim.as_ref()), hold(prepared, spec));
    let held = held?;
    let mut adapter = adapter.map_err(|error| {
        SessionError::new(
            Code::BackendUnusable,
            format!("{}: {error}", prepared.profile.name),
            "run `clrbridge doctor`",
        )
    })?;
    if let Some(target) = &prepared.target {
        keep(&mut adapter, target.pid).await;
    }
    let recorder = tap.clone();
    let stderr = adapter.stderr.take().map(|stderr| {
        StderrTail::spawn_with(stderr, move |bytes: &[u8]| {
            if let Some(tap) = &recorder {
                tap.stderr(&String::from_utf8_lossy(bytes));
            }
        })
    });
    let (Some(stdout), Some(stdin)) = (adapter.stdout.take(), adapter.stdin.take()) else {
        return Err(SessionError::new(Code::InternalError, "the adapter has no pipes", "please report it"));
    };
    let connection = Connection::over(stdout, stdin, tap.clone());
    let claim = held.as_ref().and_then(|held| claim_own(held.child.pid));
    Ok(Opened { connection, adapter: Some(adapter), stderr, held, claim, tap, replay: None })
}

/// The claim on a program that was started for us, which nobody can have taken before.
pub(crate) fn claim_own(pid: u32) -> Option<Claim> {
    let claim = Claim::new(pid, process::start_time(pid)?);
    claim.inspect_err(|error| tracing::warn!(pid, ?error, "another server could attach to the program")).ok()
}

/// A program that is not ours must survive a SIGKILL of ours, in whatever talk with its adapter that falls. Without a keeper the
/// adapter hears the end of its stdin, which almost always does.
async fn keep(adapter: &mut Child, debuggee: u32) {
    let (Some(program), Ok(farewell)) = (keeper::program(), dap::message::farewell()) else { return };
    if let Err(error) = adapter.keep(program, debuggee, &farewell).await {
        tracing::warn!(%error, "nothing disconnects the adapter if this server is killed");
    }
}

async fn hold(prepared: &Prepared, spec: Option<&LaunchSpec>) -> Result<Option<Arc<Held>>, SessionError> {
    let (Method::Held, Some(program), Some(spec)) = (prepared.method, &prepared.program, spec) else {
        return Ok(None);
    };
    let mut args = program.args_before.clone();
    args.extend(program.args.iter().chain(&spec.args).map(OsString::from));
    let command = CommandSpec {
        program: program.command.clone(),
        args,
        env: environment(prepared, spec),
        cwd: Some(program.cwd.clone()),
    };
    let stdin = if spec.stdin_pipe { StdinMode::Pipe } else { StdinMode::Closed };
    match process::spawn_program_held(&command, stdin).await {
        Ok(mut held) => {
            if let Some(program) = keeper::program()
                && let Err(error) = held.keep(program).await
            {
                tracing::warn!(%error, "if this server is killed, processes that the program started keep running");
            }
            Ok(Some(Arc::new(held)))
        }
        Err(error) => Err(held_error(&error)),
    }
}

/// A held start that failed, for its caller.
pub(crate) fn held_error(error: &ProcessError) -> SessionError {
    let hint = match error {
        ProcessError::NotHeld { .. } => {
            "start it with DOTNET_EnableDiagnostics unset, as a framework-dependent program"
        }
        ProcessError::Spawn { .. } => "run `clrbridge doctor`: it shows which .NET is used",
        ProcessError::ExitedBeforeRuntime { .. } => "run the same command in a shell to see it fail",
        _ => "run `clrbridge doctor`",
    };
    SessionError::new(Code::LaunchFailed, error.to_string(), hint)
}

/// The program's own variables: the profile's, then the caller's.
fn environment(prepared: &Prepared, spec: &LaunchSpec) -> Vec<(OsString, Option<OsString>)> {
    let profile = prepared.program.iter().flat_map(|program| &program.env);
    let mut all: Vec<(OsString, Option<OsString>)> =
        profile.map(|(name, value)| (name.into(), Some(value.into()))).collect();
    all.extend(spec.env.iter().map(|(name, value)| (name.into(), value.as_ref().map(OsString::from))));
    all
}

fn adapter_command(prepared: &Prepared, spec: Option<&LaunchSpec>) -> CommandSpec {
    let command = &prepared.profile.command;
    let mut env: Vec<(OsString, Option<OsString>)> =
        command.env.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
    // the debugger's pipes lie in the target's TMPDIR
    if let Some(tmpdir) = prepared.target.as_ref().and_then(|target| target.tmpdir.as_ref()) {
        env.push(("TMPDIR".into(), Some(tmpdir.into())));
    }
    if let Some(spec) = spec {
        let own = environment(prepared, spec);
        if prepared.method == Method::Adapter {
            // an adapter that starts the program hands its own environment down; only there can a variable be removed
            env.extend(own);
        } else {
            env.extend(own.into_iter().filter(|(name, _)| name == "TMPDIR"));
        }
    }
    CommandSpec { program: command.program.clone(), args: command.args.clone(), env, cwd: None }
}

fn tap(
    prepared: &Prepared,
    workspace: &std::path::Path,
    path: PathBuf,
    redaction: &Redaction,
) -> Result<Tap, SessionError> {
    let name = |path: &Option<PathBuf>| {
        path.as_ref()
            .and_then(|path| path.file_stem())
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    let header = RecordingHeader {
        adapter: prepared.profile.name.clone(),
        version: prepared.profile.version.clone().unwrap_or_default(),
        fixture: name(&prepared.assembly),
        scenario: name(&Some(path.clone())),
        ..RecordingHeader::default()
    };
    let places = places(workspace);
    let places = Places::new(places.iter().map(|(name, folder)| (*name, folder.as_str())));
    Tap::create(&path, header, places, RecordedTraffic::redactor(redaction)).map_err(|error| {
        SessionError::new(
            Code::LaunchFailed,
            format!("cannot record to {}: {error}", path.display()),
            "pass --record a writable file",
        )
    })
}

/// What a recording calls by name, so that it can be played elsewhere.
fn places(workspace: &std::path::Path) -> [(&'static str, String); 4] {
    let dotnet = Dotnet::find().map(|dotnet| dotnet.root.display().to_string());
    [
        ("workspace", workspace.display().to_string()),
        ("dotnet", dotnet.unwrap_or_else(|_| "/usr/share/dotnet".into())),
        ("home", std::env::var("HOME").unwrap_or_default()),
        ("tmp", std::env::temp_dir().display().to_string()),
    ]
}

fn replayed(prepared: &Prepared, workspace: &std::path::Path) -> Result<Opened, SessionError> {
    let Some(path) = &prepared.profile.recording else {
        return Err(SessionError::new(Code::InternalError, "the replay has no recording", "please report it"));
    };
    let places = places(workspace);
    let places: Vec<_> = places.iter().map(|(name, folder)| (*name, folder.as_str())).collect();
    let recording = Recording::load(path, &places).map_err(|error| {
        SessionError::new(
            Code::BackendUnusable,
            error.to_string(),
            "pass replay:FILE with a recording made by --record",
        )
    })?;
    let (ours, theirs) = Connection::memory();
    let replay = tokio::spawn(replay::serve(recording, theirs));
    Ok(Opened::replay(ours, replay))
}
