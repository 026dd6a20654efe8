//! Everything that can be found, built and refused before a process is started.

use std::path::{Path, PathBuf};

use tokio::sync::watch;

use super::{Method, backend_error, dotnet_error};
use crate::backend::{self, Profile};
use crate::dotnet::locate::expand_home;
use crate::dotnet::{self, Dotnet, Program, ProgramRequest, attach};
use crate::process::Claim;
use crate::session::error::{Code, SessionError};
use crate::session::settings::Settings;
use crate::session::spec::Purpose;
use crate::session::spec::{AttachTarget, BuildMode, LaunchSpec};

/// A debuggee that can be opened.
pub(crate) struct Prepared {
    pub profile: Profile,
    pub method: Method,
    pub program: Option<Program>,
    pub target: Option<attach::Target>,
    /// On the target, where we attach.
    pub claim: Option<Claim>,
    /// The managed entry assembly, where one is known.
    pub assembly: Option<PathBuf>,
}

pub(crate) struct Request {
    pub purpose: Purpose,
    pub settings: std::sync::Arc<Settings>,
    pub phase: Option<watch::Sender<String>>,
    /// debug_restart's own.
    pub build: Option<BuildMode>,
}

/// # Errors
/// `backend_not_found`, `program_not_found`, `not_dotnet_program`, `runtime_not_found`, `build_failed`,
/// `process_not_found`, `not_managed`, `permission_denied`, `attach_failed`, `invalid_argument`.
pub(crate) async fn prepare(request: Request) -> Result<Prepared, SessionError> {
    let settings = &request.settings;
    let choice = match &request.purpose {
        Purpose::Launch(spec) => spec.backend.as_deref(),
        Purpose::Attach(spec) => spec.backend.as_deref(),
    };
    if let Some(player) = &settings.player {
        return Ok(played(backend::replay::played(&player.adapter), &request));
    }
    let profile = backend::find(&settings.adapter.choosing(choice)).await.map_err(|error| backend_error(&error))?;
    if profile.recording.is_some() {
        return Ok(played(profile, &request));
    }
    match &request.purpose {
        Purpose::Launch(spec) => launch(spec, profile, &request).await,
        Purpose::Attach(spec) => {
            let (target, claim) = attach_target(&spec.target).await?;
            let assembly = target.assembly.clone();
            Ok(Prepared { profile, method: Method::Attached, program: None, target: Some(target), claim, assembly })
        }
    }
}

/// What is played needs no program; the dll that the caller names, where it is there, provides types and lines.
fn played(profile: Profile, request: &Request) -> Prepared {
    let named = match &request.purpose {
        Purpose::Launch(spec) => Some(request.settings.base().join(&spec.program)),
        Purpose::Attach(_) => None,
    };
    let assembly = named.filter(|path| path.extension().is_some_and(|end| end == "dll") && path.is_file());
    Prepared { profile, method: Method::Replay, program: None, target: None, claim: None, assembly }
}

async fn launch(spec: &LaunchSpec, profile: Profile, request: &Request) -> Result<Prepared, SessionError> {
    // before a build runs what a project says, and once it is known what that makes or a profile names
    let within = |path: &Path| request.settings.roots.admit(path).map_err(|roots| outside(path, &roots));
    within(&request.settings.base().join(expand_home(spec.program.trim())))?;
    let dotnet = Dotnet::find().map_err(|error| dotnet_error(&error))?;
    let asked = ProgramRequest {
        program: spec.program.clone(),
        cwd: spec.cwd.as_ref().map(PathBuf::from),
        base_dir: request.settings.base(),
        configuration: spec.configuration.clone(),
        build: request.build.unwrap_or(spec.build),
        launch_profile: spec.launch_profile.clone(),
        env: spec.env.clone(),
    };
    let phase = request.phase.clone();
    let report_phase = move |words: &str| {
        if let Some(phase) = &phase {
            phase.send_replace(words.to_owned());
        }
    };
    let program =
        dotnet::program::resolve(&asked, &dotnet, report_phase).await.map_err(|error| dotnet_error(&error))?;
    within(&program.dll)?;
    let held = cfg!(target_os = "linux") && profile.quirks.attaches_while_held;
    let method = if held { Method::Held } else { Method::Adapter };
    if method == Method::Adapter && spec.stdin_pipe {
        return Err(SessionError::new(
            Code::StdinUnavailable,
            format!("{} launches the program itself and gives it no stdin", profile.name),
            "omit stdin, or use an adapter that can attach to a suspended program",
        ));
    }
    if method == Method::Adapter
        && let Some(changed) = profile.changed_argument(program.args.iter().chain(&spec.args))
    {
        return Err(SessionError::new(
            Code::UnsupportedByAdapter,
            format!("{} launches the program itself: {changed}", profile.name),
            "change the argument, or use an adapter that can attach to a suspended program",
        ));
    }
    let assembly = Some(program.dll.clone());
    Ok(Prepared { profile, method, program: Some(program), target: None, claim: None, assembly })
}

/// Of a program that the user's roots do not hold.
fn outside(path: &Path, roots: &str) -> SessionError {
    SessionError::new(
        Code::PathNotAllowed,
        format!("{} is not inside any root, so it is not started", path.display()),
        format!("the roots are {roots}; only the user can add more (clrbridge --roots)"),
    )
}

async fn attach_target(target: &AttachTarget) -> Result<(attach::Target, Option<Claim>), SessionError> {
    let pid = match target {
        AttachTarget::Pid(pid) => *pid,
        AttachTarget::Name(name) => attach::find_one(name).await.map_err(|error| dotnet_error(&error))?,
    };
    attach::take(pid, &std::env::temp_dir()).await.map_err(|error| dotnet_error(&error))
}
