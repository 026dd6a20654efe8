//! The workspace: sources and built assemblies, no debugger needed.

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::code::{CodeError, Workspace};
use crate::config::Tier;
use crate::mcp::report::WorkspaceReport;
use crate::mcp::tool::{ACT_AGAIN, Call, Row, Shared, Tool, internal};
use crate::session::{Code, SessionError, dotnet_error};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("code_load", "Load Workspace", Tier::Default, ACT_AGAIN), LOAD, load)
            .shares(Shared::default())
            .pages("load one of its projects"),
    ]
}

const LOAD: &str = "Loads a .sln, .slnx, .csproj or folder (all projects below) as the workspace of the code tools, in place of the one \
before, and tells per project: kind, framework, dll, state (built, stale and why, not_built), symbols. Builds nothing. Without a call the \
code tools take the only solution or project in the client's folder.";

#[derive(Debug, Deserialize, JsonSchema)]
struct LoadArgs {
    #[schemars(length(min = 1))]
    path: String,
}

async fn load(call: Call, args: LoadArgs) -> Result<WorkspaceReport, SessionError> {
    let workspace = load_from(&call, &args.path).await?;
    blocking(move || WorkspaceReport::new(&workspace, &workspace.status())).await
}

/// The loaded workspace, read again where its project files have changed; before the first load the only solution or project in
/// the client's folder.
#[expect(dead_code, reason = "the first tool that asks a workspace comes next")]
pub(super) async fn workspace(call: &Call) -> Result<Arc<Workspace>, SessionError> {
    let path: PathBuf = match call.workspace.get() {
        Some(workspace) if workspace.is_current() => return Ok(workspace),
        Some(workspace) => workspace.path().to_owned(),
        None => Workspace::only_one_in(&call.registry.settings().base()).map_err(code_error)?,
    };
    load_from(call, &path.to_string_lossy()).await
}

async fn load_from(call: &Call, path: &str) -> Result<Arc<Workspace>, SessionError> {
    let base = call.registry.settings().base();
    let phase = |words: &str| {
        call.phase.send_replace(words.to_owned());
    };
    let workspace = Workspace::load(path, &base, phase).await.map_err(code_error)?;
    Ok(call.workspace.set(workspace))
}

/// What reads many files, off the one thread that serves.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, SessionError> {
    tokio::task::spawn_blocking(work).await.map_err(internal)
}

/// A failure of the code layer in the words of clients.
pub(super) fn code_error(error: CodeError) -> SessionError {
    let code = match &error {
        CodeError::FileNotFound { .. } => Code::FileNotFound,
        CodeError::InvalidPath { .. } => Code::InvalidPath,
        CodeError::NoWorkspace { .. } => Code::NoWorkspace,
        CodeError::InvalidArgument { argument, .. } => {
            return SessionError::argument(argument, error.to_string(), error.hint());
        }
        CodeError::Dotnet(error) => return dotnet_error(error),
    };
    SessionError::new(code, error.to_string(), error.hint())
}
