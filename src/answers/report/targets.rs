//! What can be debugged: processes and projects.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ProjectEntry, SkippedEntry, absent, first, some_count, some_text};
use crate::code::{ProjectKind, ProjectStatus, Workspace, WorkspaceProject};
use crate::dotnet::DotnetError;
use crate::dotnet::attach::{Found, Target};
use crate::dotnet::launch_json::Configuration;
use crate::dotnet::launch_profile::LaunchProfile;
use crate::session::SessionId;

/// Processes that one answer holds.
const MOST_PROCESSES: usize = 100;
/// Projects that one answer holds.
const MOST_TARGETS: usize = 100;
/// Configurations of an editor, and profiles of a project, that one answer holds.
const MOST_CONFIGURATIONS: usize = 50;

/// process_list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessesReport {
    pub processes: Vec<ProcessEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_processes: Option<usize>,
}

/// A running .NET process.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessEntry {
    pub pid: u32,
    /// The entry assembly's, else the executable's.
    pub name: String,
    /// Absent for a self-contained program.
    #[serde(skip_serializing_if = "absent")]
    pub runtime_version: Option<String>,
    pub user: String,
    pub command_line: String,
    /// The session that debugs it.
    #[serde(skip_serializing_if = "absent")]
    pub session_id: Option<String>,
    /// Why a debugger would be refused.
    #[serde(skip_serializing_if = "absent")]
    pub not_attachable: Option<String>,
}

/// project_list; paths are relative to `root`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetsReport {
    pub root: String,
    pub targets: Vec<TargetEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_targets: Option<usize>,
    /// Libraries, which cannot be launched.
    #[serde(skip_serializing_if = "absent")]
    pub libraries: Option<usize>,
    /// Of .vscode/launch.json.
    #[serde(default, skip_serializing_if = "absent")]
    pub configurations: Vec<ProfileEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_configurations: Option<usize>,
    #[serde(default, skip_serializing_if = "absent")]
    pub skipped: Vec<SkippedEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_skipped: Option<usize>,
}

/// A project that can be started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetEntry {
    #[serde(flatten)]
    pub project: ProjectEntry,
    #[serde(skip_serializing_if = "absent")]
    pub test_framework: Option<String>,
    /// Of its launchSettings.json.
    #[serde(default, skip_serializing_if = "absent")]
    pub launch_profiles: Vec<ProfileEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_profiles: Option<usize>,
    /// Why that file cannot be read.
    #[serde(skip_serializing_if = "absent")]
    pub no_profiles: Option<String>,
}

/// How to start a program; debug_launch takes its name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileEntry {
    pub name: String,
    #[serde(skip_serializing_if = "absent")]
    pub program: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub args: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "absent")]
    pub cwd: Option<String>,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "absent")]
    pub why: Option<String>,
}

impl ProcessesReport {
    /// `session_of` returns the session that debugs a process.
    pub fn new(all: Vec<(Found, Result<Target, DotnetError>)>, session_of: impl Fn(u32) -> Option<SessionId>) -> Self {
        let entry = |(found, check): (Found, Result<Target, DotnetError>)| {
            let session_id = session_of(found.pid).map(|id| id.0);
            let (runtime_version, refusal) = match check {
                Ok(target) => (target.runtime_version, None),
                Err(error) => (None, Some(error.to_string())),
            };
            ProcessEntry {
                pid: found.pid,
                runtime_version,
                user: found.user,
                command_line: found.command_line,
                not_attachable: refusal
                    .filter(|_| session_id.is_none())
                    .map(|why| why.replace(&format!("process {} ({}) ", found.pid, found.name), "")),
                session_id,
                name: found.name,
            }
        };
        let (processes, more_processes) = first(all.into_iter().map(entry).collect(), MOST_PROCESSES);
        Self { processes, more_processes }
    }
}

impl TargetsReport {
    /// `status` of each project, in their order. Reads the files of launch profiles; `may_show`: whether a file lies in a root.
    pub fn new(workspace: &Workspace, status: &[ProjectStatus], may_show: impl Fn(&Path) -> bool) -> Self {
        let all = workspace.projects().iter().zip(status);
        let (libraries, targets): (Vec<_>, Vec<_>) =
            all.partition(|(project, _)| project.kind() == Some(ProjectKind::Library));
        let entries = targets.into_iter().map(|(project, status)| TargetEntry::new(workspace, project, status));
        let (targets, more_targets) = first(entries.collect(), MOST_TARGETS);
        let found = workspace.launch_configurations().filter(|(file, _)| file.parent().is_some_and(&may_show));
        let (configured, unreadable) = match found {
            Some((file, Err(why))) => (Vec::new(), Some(SkippedEntry { path: workspace.shown(&file), why })),
            Some((_, Ok(all))) => (all, None),
            None => (Vec::new(), None),
        };
        let configured = configured.into_iter().map(|configuration| ProfileEntry::of_editor(workspace, configuration));
        let (configurations, more_configurations) = first(configured.collect(), MOST_CONFIGURATIONS);
        let (mut skipped, more_skipped) = SkippedEntry::first(workspace, workspace.omitted().iter());
        skipped.extend(unreadable);
        Self {
            root: workspace.root().display().to_string(),
            targets,
            more_targets: some_count(more_targets.unwrap_or_default() + workspace.more_projects()),
            libraries: some_count(libraries.len()),
            configurations,
            more_configurations,
            skipped,
            more_skipped,
        }
    }
}

impl TargetEntry {
    fn new(workspace: &Workspace, project: &WorkspaceProject, status: &ProjectStatus) -> Self {
        let (profiles, no_profiles) = match project.launch_profiles() {
            Ok(profiles) => (profiles, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let (profiles, more_profiles) = first(profiles, MOST_CONFIGURATIONS);
        Self {
            project: ProjectEntry::new(workspace, project, status),
            test_framework: project.test_framework().map(str::to_owned),
            launch_profiles: profiles
                .into_iter()
                .map(|profile| ProfileEntry::new(workspace, project.folder(), profile))
                .collect(),
            more_profiles,
            no_profiles,
        }
    }
}

impl ProfileEntry {
    /// Relative folders of the profile are relative to `folder`.
    fn new(workspace: &Workspace, folder: &Path, profile: LaunchProfile) -> Self {
        let cwd = profile.working_directory.map(|cwd| workspace.shown(&folder.join(cwd)));
        Self {
            // the name again: the SDK gives it to the program too
            env: profile.env.into_iter().filter(|(name, _)| name != "DOTNET_LAUNCH_PROFILE").collect(),
            name: profile.name,
            args: profile.args,
            // the root itself
            cwd: cwd.map(|cwd| some_text(cwd).unwrap_or_else(|| ".".into())),
            ..Self::default()
        }
    }

    fn of_editor(workspace: &Workspace, configuration: Configuration) -> Self {
        Self {
            program: configuration.program.map(|program| workspace.shown(&program)),
            why: configuration.unusable,
            ..Self::new(workspace, workspace.root(), configuration.profile)
        }
    }
}
