//! The workspace: sources and built assemblies, no debugger needed.

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::answers::report::{DiagnosticsReport, WorkspaceReport};
use crate::code::{CodeError, MsBuild, Severity, Workspace};
use crate::config::Tier;
use crate::dotnet::locate::expand_home;
use crate::mcp::tool::{ACT_AGAIN, Call, Row, Shared, Tool, internal};
use crate::session::{Code, SessionError, Settings, dotnet_error};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("code_load", "Load Workspace", Tier::Default, ACT_AGAIN), LOAD, load)
            .shares(Shared::default())
            .reads_files()
            .pages("pass the path of one project"),
        Tool::new(Row("code_get_diagnostics", "Get Diagnostics", Tier::Default, ACT_AGAIN), DIAGNOSTICS, diagnostics)
            .shares(Shared::default())
            .pages("narrow with project or min_severity, or lower max_results"),
    ]
}

const LOAD: &str = "Loads a .sln, .slnx, .csproj or folder (all projects below) as the workspace of the code tools, replacing the \
previous one; it must be inside a root of the client or of `--roots`. Returns per project: kind, framework, dll, state (built, stale and why, not_built), symbols. Builds nothing. By default the \
code tools use the only solution or project in the client's folder, or else in that of the debugged program.";

#[derive(Debug, Deserialize, JsonSchema)]
struct LoadArgs {
    #[schemars(length(min = 1))]
    path: String,
}

async fn load(call: Call, args: LoadArgs) -> Result<WorkspaceReport, SessionError> {
    let settings = call.registry.settings();
    below_a_root(&args.path, &settings)?;
    let msbuild = if settings.read_only { MsBuild::NotRun } else { MsBuild::Asked };
    let workspace = call.workspace.set(load_from(&call, &args.path, msbuild).await?);
    blocking(move || WorkspaceReport::new(&workspace, &workspace.status())).await
}

const DIAGNOSTICS: &str = "Returns compiler errors and warnings of the workspace, worst first: severity, at (file:line:column), code, message; the \
counts cover all severities. Runs dotnet build (Debug) on changed projects; cached = nothing changed, nothing was built. Analyzer \
suggestions are info. not_compiled lists projects skipped because a dependency failed.";

#[derive(Debug, Deserialize, JsonSchema)]
struct DiagnosticsArgs {
    /// A project's name or path.
    #[schemars(length(min = 1))]
    project: Option<String>,
    #[serde(default)]
    min_severity: MinSeverity,
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 1_000))]
    max_results: u32,
}

fn fifty() -> u32 {
    50
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MinSeverity {
    Hidden,
    Info,
    #[default]
    Warning,
    Error,
}

impl From<MinSeverity> for Severity {
    fn from(least: MinSeverity) -> Self {
        match least {
            MinSeverity::Hidden => Self::Hidden,
            MinSeverity::Info => Self::Info,
            MinSeverity::Warning => Self::Warning,
            MinSeverity::Error => Self::Error,
        }
    }
}

async fn diagnostics(call: Call, args: DiagnosticsArgs) -> Result<DiagnosticsReport, SessionError> {
    let workspace = workspace(&call).await?;
    let diagnosis = workspace.diagnose(args.project.as_deref(), phase(&call)).await.map_err(code_error)?;
    let (least, most) = (args.min_severity.into(), args.max_results as usize);
    blocking(move || DiagnosticsReport::new(&workspace, &diagnosis, least, most)).await
}

/// The loaded workspace, read again where its project files have changed; before the first load the only solution or project in
/// the client's folder, or else in that of the program which is debugged.
pub(super) async fn workspace(call: &Call) -> Result<Arc<Workspace>, SessionError> {
    let (before, base) = (call.workspace.get(), call.registry.settings().base());
    let (held, debugged) = (before.clone(), debugged(call));
    let look = move || match held {
        Some(workspace) if workspace.is_current() => Ok(Ok(workspace)),
        Some(workspace) => Ok(Err(workspace.path().to_owned())),
        None => Workspace::only_one_in(&base).or_else(|error| only_one_of(debugged, error)).map(Err),
    };
    match blocking(look).await?.map_err(code_error)? {
        Ok(current) => Ok(current),
        Err(path) => {
            // what a caller did not load itself is only read
            let msbuild = before.as_ref().map_or(MsBuild::NotRun, |before| before.msbuild());
            let workspace = load_from(call, &path.to_string_lossy(), msbuild).await?;
            Ok(call.workspace.reload(before.as_ref(), workspace))
        }
    }
}

/// The folder of the newest session's sources, where it may be read.
fn debugged(call: &Call) -> Option<PathBuf> {
    let root = call.registry.handles().last()?.peek().root.map(PathBuf::from)?;
    call.registry.settings().roots.hold(&root).then_some(root)
}

/// The only solution or project of the program that is debugged. `error`: why the client's folder gives none.
fn only_one_of(debugged: Option<PathBuf>, error: CodeError) -> Result<PathBuf, CodeError> {
    let Some(root) = debugged else { return Err(error) };
    Workspace::only_one_in(&root).map_err(|_| match error {
        CodeError::NoWorkspace { message, .. } => {
            let hint = format!("code_load path={} loads the sources of the program that is debugged", root.display());
            CodeError::NoWorkspace { message, hint }
        }
        error => error,
    })
}

/// `path` against the client's folder, where it is in a root.
///
/// # Errors
/// `path_not_allowed`.
pub(super) fn below_a_root(path: &str, settings: &Settings) -> Result<String, SessionError> {
    let absolute = settings.base().join(expand_home(path.trim()));
    if settings.roots.hold(&absolute) {
        return Ok(absolute.to_string_lossy().into_owned());
    }
    let hint = match settings.roots.in_words() {
        Some(roots) => format!("the roots are {roots}; add more with clrbridge --roots FOLDER"),
        None => "start clrbridge with --roots FOLDER".into(),
    };
    Err(SessionError::new(Code::PathNotAllowed, format!("{path} is not inside any root"), hint))
}

async fn load_from(call: &Call, path: &str, msbuild: MsBuild) -> Result<Workspace, SessionError> {
    Workspace::load(path, &call.registry.settings().base(), msbuild, phase(call)).await.map_err(code_error)
}

/// Where work reports its progress.
fn phase(call: &Call) -> impl Fn(&str) {
    let phase = call.phase.clone();
    move |words| {
        phase.send_replace(words.to_owned());
    }
}

/// What reads many files, off the one thread that serves.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, SessionError> {
    tokio::task::spawn_blocking(work).await.map_err(internal)
}

/// A failure of the code layer, as an error for clients.
pub(super) fn code_error(error: CodeError) -> SessionError {
    let code = match &error {
        CodeError::FileNotFound { .. } => Code::FileNotFound,
        CodeError::InvalidPath { .. } => Code::InvalidPath,
        CodeError::NoWorkspace { .. } => Code::NoWorkspace,
        CodeError::CannotBuild { .. } => Code::BuildFailed,
        CodeError::InvalidArgument { argument, .. } => {
            return SessionError::argument(argument, error.to_string(), error.hint());
        }
        CodeError::Dotnet(cause) => return SessionError { hint: error.hint(), ..dotnet_error(cause) },
    };
    SessionError::new(code, error.to_string(), error.hint())
}
