//! The workspace: its projects and compiler diagnostics.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{absent, first, some_count, some_text};
use crate::code::{
    BuildState, CodeDiagnostic, Diagnosis, Omitted, ProjectKind, ProjectStatus, Severity, Workspace, WorkspaceProject,
};

/// Projects that one answer holds.
const MOST_PROJECTS: usize = 100;
/// Left-out projects that one answer holds.
const MOST_SKIPPED: usize = 20;
/// Names of projects that were not compiled that one answer holds.
const MOST_NOT_COMPILED: usize = 20;

/// code_load; paths are relative to `root`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceReport {
    pub root: String,
    /// What was loaded; omitted if it is the root.
    #[serde(skip_serializing_if = "absent")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub projects: Vec<ProjectEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_projects: Option<usize>,
    /// Named, but skipped.
    #[serde(default, skip_serializing_if = "absent")]
    pub skipped: Vec<SkippedEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_skipped: Option<usize>,
}

/// A project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectEntry {
    pub name: String,
    pub path: String,
    /// It was not named: another project references it.
    #[serde(default, skip_serializing_if = "absent")]
    pub referenced: bool,
    #[serde(skip_serializing_if = "absent")]
    #[schemars(extend("enum" = ["exe", "library", "test", "web"]))]
    pub kind: Option<String>,
    /// That of `dll`.
    #[serde(skip_serializing_if = "absent")]
    pub framework: Option<String>,
    /// Where there are several.
    #[serde(default, skip_serializing_if = "absent")]
    pub frameworks: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub dll: Option<String>,
    #[schemars(extend("enum" = ["built", "stale", "not_built", "unknown"]))]
    pub state: String,
    /// Of a state that is not `built` or `not_built`.
    #[serde(skip_serializing_if = "absent")]
    pub why: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub symbols: bool,
    /// Why a dll that is there has none.
    #[serde(skip_serializing_if = "absent")]
    pub no_symbols: Option<String>,
}

/// What was named and not taken.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedEntry {
    pub path: String,
    pub why: String,
}

impl WorkspaceReport {
    /// `status` of each project, in their order.
    pub fn new(workspace: &Workspace, status: &[ProjectStatus]) -> Self {
        let entry = |(project, status): (_, &ProjectStatus)| ProjectEntry::new(workspace, project, status);
        let projects: Vec<ProjectEntry> =
            workspace.projects().iter().zip(status).take(MOST_PROJECTS).map(entry).collect();
        let cut = status.iter().filter_map(|it| it.omitted.as_ref());
        let (skipped, more_skipped) = SkippedEntry::first(workspace, workspace.omitted().iter().chain(cut));
        Self {
            root: workspace.root().display().to_string(),
            path: Some(workspace.shown(workspace.path())).filter(|path| !path.is_empty()),
            more_projects: some_count(workspace.projects().len() - projects.len() + workspace.more_projects()),
            projects,
            skipped,
            more_skipped,
        }
    }
}

impl ProjectEntry {
    pub(super) fn new(workspace: &Workspace, project: &WorkspaceProject, status: &ProjectStatus) -> Self {
        let (state, why) = match &status.state {
            BuildState::Built => ("built", None),
            BuildState::Stale(why) => ("stale", Some(why)),
            BuildState::NotBuilt => ("not_built", None),
            BuildState::Unknown(why) => ("unknown", Some(why)),
        };
        let kind = project.kind().map(|kind| match kind {
            ProjectKind::Exe => "exe",
            ProjectKind::Library => "library",
            ProjectKind::Test => "test",
            ProjectKind::Web => "web",
        });
        let relative = |text: &String| text.replace(&format!("{}/", workspace.root().display()), "");
        Self {
            name: project.name().to_owned(),
            path: workspace.shown(project.path()),
            referenced: project.is_referenced_only(),
            kind: kind.map(str::to_owned),
            framework: project.framework().map(str::to_owned),
            frameworks: Some(project.frameworks()).filter(|all| all.len() > 1).unwrap_or_default(),
            dll: project.dll().map(|dll| workspace.shown(dll)),
            state: state.into(),
            why: why.map(relative),
            symbols: status.symbols == Some(Ok(())),
            no_symbols: status.symbols.clone().and_then(Result::err).as_ref().map(relative),
        }
    }
}

impl SkippedEntry {
    /// The first of them, and how many there are beyond.
    pub fn first<'a>(workspace: &Workspace, from: impl Iterator<Item = &'a Omitted>) -> (Vec<Self>, Option<usize>) {
        let entry = |it: &Omitted| Self {
            // The root itself.
            path: some_text(workspace.shown(&it.path)).unwrap_or_else(|| ".".into()),
            why: it.why.clone(),
        };
        first(from.map(entry).collect(), MOST_SKIPPED)
    }
}

/// Characters of one message.
const MOST_MESSAGE: usize = 1_000;

/// code_get_diagnostics; the counts are of everything that was said, files are relative to `root`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosticsReport {
    pub root: String,
    pub error_count: usize,
    pub warning_count: usize,
    #[serde(skip_serializing_if = "absent")]
    pub info_count: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub hidden_count: Option<usize>,
    /// Nothing had changed, nothing was built.
    #[serde(default, skip_serializing_if = "absent")]
    pub cached: bool,
    #[serde(default, skip_serializing_if = "absent")]
    pub diagnostics: Vec<DiagnosticEntry>,
    /// As severe as those returned, but beyond max_results.
    #[serde(skip_serializing_if = "absent")]
    pub more_diagnostics: Option<usize>,
    /// Projects that the build skipped.
    #[serde(default, skip_serializing_if = "absent")]
    pub not_compiled: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub more_not_compiled: Option<usize>,
}

/// A message of the compiler.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosticEntry {
    #[schemars(extend("enum" = ["error", "warning", "info", "hidden"]))]
    pub severity: String,
    /// `file:line:column`, as far as there is one.
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
    /// Where no place shows it.
    #[serde(skip_serializing_if = "absent")]
    pub project: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub code: Option<String>,
    pub message: String,
}

impl DiagnosticsReport {
    /// Those of `least` severity and worse, at most `most`.
    pub fn new(workspace: &Workspace, from: &Diagnosis, least: Severity, most: usize) -> Self {
        let count = |severity| from.diagnostics.iter().filter(|it| it.severity == severity).count();
        let wanted = || from.diagnostics.iter().filter(|it| it.severity <= least);
        let (not_compiled, more_not_compiled) = first(from.not_compiled.clone(), MOST_NOT_COMPILED);
        Self {
            root: workspace.root().display().to_string(),
            error_count: count(Severity::Error),
            warning_count: count(Severity::Warning),
            info_count: some_count(count(Severity::Info)),
            hidden_count: some_count(count(Severity::Hidden)),
            cached: from.cached,
            diagnostics: wanted().take(most).map(|it| DiagnosticEntry::new(workspace, it)).collect(),
            more_diagnostics: some_count(wanted().count().saturating_sub(most)),
            not_compiled,
            more_not_compiled,
        }
    }
}

impl DiagnosticEntry {
    fn new(workspace: &Workspace, from: &CodeDiagnostic) -> Self {
        let at = from.file.as_ref().map(|file| {
            let numbers = [from.line, from.column].into_iter().map_while(|number| number);
            numbers.fold(workspace.shown(file), |at, number| format!("{at}:{number}"))
        });
        let severity = match from.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hidden => "hidden",
        };
        let mut message = from.message.clone();
        if let Some((end, _)) = message.char_indices().nth(MOST_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        Self {
            severity: severity.into(),
            project: at.is_none().then(|| workspace.shown(&from.project)).and_then(some_text),
            at,
            code: some_text(from.code.clone()),
            message,
        }
    }
}
