//! What can be debugged here: running processes, and the projects of a folder.

use std::sync::Arc;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::code::{below_a_root, blocking, code_error};
use crate::answers::report::{ProcessesReport, TargetsReport};
use crate::code::{MsBuild, Workspace};
use crate::config::Tier;
use crate::dotnet::attach;
use crate::mcp::tool::{Call, READ, Row, Shared, Tool};
use crate::session::{SessionError, dotnet_error};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("process_list", "List .NET Processes", Tier::Default, READ), PROCESSES, processes)
            .shares(Shared::default())
            .reads_files()
            .pages("narrow with name_filter"),
        Tool::new(Row("project_list", "List Debug Targets", Tier::Extra, READ), PROJECTS, projects)
            .shares(Shared::default())
            .reads_files()
            .pages("pass the path of a subfolder"),
    ]
}

const PROCESSES: &str = "Lists the .NET processes visible to this user: pid, name, runtime_version, user, command_line; session_id \
if a session is debugging it, not_attachable with the reason if attaching would fail.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ProcessesArgs {
    /// Part of the name, case-insensitive.
    name_filter: Option<String>,
}

async fn processes(call: Call, args: ProcessesArgs) -> Result<ProcessesReport, SessionError> {
    let mut all =
        attach::list(args.name_filter.as_deref(), &std::env::temp_dir()).await.map_err(|error| dotnet_error(&error))?;
    all.iter_mut().for_each(|process| call.registry.redaction().redact(&mut process.0.command_line));
    Ok(ProcessesReport::new(all, |pid| call.registry.session_of(pid)))
}

const PROJECTS: &str = "Lists the launch targets in a folder, solution or project: programs and test projects with kind, framework, \
dll, state (built, stale and why, not_built), test_framework, and launch_profiles \
(args, env, cwd) from launchSettings.json; configurations come from .vscode/launch.json. launch_profile takes the name of either. Builds and runs nothing.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ProjectsArgs {
    /// Default: the client's folder.
    #[schemars(length(min = 1))]
    path: Option<String>,
}

async fn projects(call: Call, args: ProjectsArgs) -> Result<TargetsReport, SessionError> {
    let settings = call.registry.settings();
    let path = below_a_root(args.path.as_deref().unwrap_or("."), &settings)?;
    let workspace = Workspace::load(&path, &settings.base(), MsBuild::NotRun, |_| {}).await.map_err(code_error)?;
    let workspace = Arc::new(workspace);
    blocking(move || TargetsReport::new(&workspace, &workspace.status(), |file| settings.roots.hold(file))).await
}
