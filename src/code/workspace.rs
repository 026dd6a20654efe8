//! The projects of a solution, a project or a folder, and where their builds are.

mod allowed;
mod beneath;
mod documents;
mod named;
mod project;
mod sources;

pub use allowed::retain_allowed;
pub use documents::{compiled_sources, unchanged_sources};
pub use project::{BuildState, ProjectStatus, WorkspaceProject};

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::CodeError;
use super::checks::Checks;
use crate::dotnet::launch_json::{self, Configuration};
use crate::dotnet::project::ProjectFile;
use crate::dotnet::{Dotnet, DotnetError, output, stale, walk};
use named::Named;

/// The configuration that is looked for and built.
pub(super) const CONFIGURATION: &str = "Debug";

/// Projects that one workspace holds; those beyond are counted.
const MOST_PROJECTS: usize = 500;

/// What was named but could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omitted {
    pub path: PathBuf,
    pub why: String,
}

/// Whether a load may run MSBuild, which runs code that the projects name (tasks, SDK resolvers, loggers of a `Directory.Build.rsp`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MsBuild {
    Asked,
    NotRun,
}

const NOT_RUN: &str = "only MSBuild knows its output path (code_load runs it, unless the server is read-only)";

/// A set of projects as they were when it was loaded. Whatever a build or an editor changes is read from the disk when asked.
#[derive(Debug)]
pub struct Workspace {
    pub(super) path: PathBuf,
    pub(super) root: PathBuf,
    pub(super) projects: Vec<WorkspaceProject>,
    pub(super) omitted: Vec<Omitted>,
    more_projects: usize,
    msbuild: MsBuild,
    /// The projects that `path` named.
    named: Vec<PathBuf>,
    /// What it was read from, with times; none of what was not there.
    read: Vec<(PathBuf, Option<SystemTime>)>,
    pub(super) checks: Arc<Checks>,
}

impl Workspace {
    /// Loads what `asked` names against `base`. Builds nothing, but where it may, asks MSBuild for the outputs that projects' texts
    /// do not show, and reports that to `phase`.
    ///
    /// # Errors
    /// [`CodeError::FileNotFound`], [`CodeError::InvalidPath`]. A project that cannot be read is left out, not an error.
    pub async fn load(asked: &str, base: &Path, msbuild: MsBuild, phase: impl Fn(&str)) -> Result<Self, CodeError> {
        let (asked, base) = (asked.to_owned(), base.to_owned());
        let look = move || {
            let mut read = Read::projects(Named::find(&asked, &base)?);
            let dotnet = Dotnet::find();
            let files = std::mem::take(&mut read.files).into_iter().map(|(file, referenced)| {
                let known = output::plain(&file, CONFIGURATION, dotnet.as_ref().ok());
                (file, referenced, known)
            });
            let files: Vec<_> = files.collect();
            Ok::<_, CodeError>((read, files, dotnet))
        };
        let (read, files, dotnet) = reading(look).await??;
        let mut projects = Vec::with_capacity(files.len());
        if let (Ok(dotnet), MsBuild::Asked) = (&dotnet, msbuild) {
            let unknown = files.iter().filter(|(.., known)| known.is_none()).map(|(file, ..)| file);
            let unknown: Vec<&ProjectFile> = unknown.collect();
            // Each is then queried alone, and reports its own failure.
            if let Err(error) = output::ask_ahead(&unknown, CONFIGURATION, dotnet, &phase).await {
                tracing::debug!(%error, "cannot query the outputs of all projects at once");
            }
        }
        for (file, referenced, known) in files {
            let output = match (known, &dotnet) {
                (Some(output), _) => Ok(output),
                (None, _) if msbuild == MsBuild::NotRun => Err(NOT_RUN.to_owned()),
                (None, Ok(dotnet)) => {
                    output::asked(&file, CONFIGURATION, dotnet, &phase).await.map_err(|error| error.to_string())
                }
                (None, Err(error)) => Err(error.to_string()),
            };
            projects.push(WorkspaceProject::new(file, referenced, output));
        }
        reading(move || Self {
            root: common_root(&read.named.folder(), &projects),
            read: decisive_files(&read.named.path, &projects),
            path: read.named.path,
            named: read.named.projects,
            projects,
            omitted: read.omitted,
            checks: Arc::default(),
            msbuild,
            more_projects: read.more,
        })
        .await
    }

    /// Itself with what is remembered of builds, if `before` was loaded from the same place.
    pub(super) fn after(self, before: &Self) -> Self {
        let checks = if before.path == self.path { Arc::clone(&before.checks) } else { Arc::clone(&self.checks) };
        Self { checks, ..self }
    }

    /// The one solution or else the one project in `folder`, which needs no naming.
    ///
    /// # Errors
    /// [`CodeError::NoWorkspace`], with what there is to choose from.
    pub fn only_one_in(folder: &Path) -> Result<PathBuf, CodeError> {
        named::only_one_in(folder)
    }

    /// The solution, project or folder that was loaded; absolute, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that holds all projects: paths are shown relative to it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// In the order of the solution, or sorted by path; what is only referenced comes behind.
    pub fn projects(&self) -> &[WorkspaceProject] {
        &self.projects
    }

    /// The dlls that builds have made, one a project; only those that are there now.
    pub fn assemblies(&self) -> impl Iterator<Item = &Path> {
        self.projects.iter().filter_map(WorkspaceProject::dll).filter(|dll| dll.is_file())
    }

    /// The C# files of all projects as they are now, sorted, each once, and the folders that have more in them than is looked at.
    pub fn sources(&self) -> (Vec<PathBuf>, Vec<Omitted>) {
        let (mut all, mut cut) = (BTreeSet::new(), Vec::new());
        for project in &self.projects {
            let found = project.sources();
            all.extend(found.files);
            cut.extend((!found.complete).then(|| project.cut()));
        }
        (all.into_iter().collect(), cut)
    }

    /// [`Self::assemblies`], and the projects without one: what their sources use is not seen.
    pub fn built(&self) -> (Vec<PathBuf>, Vec<Omitted>) {
        let (mut built, mut not_built) = (Vec::new(), Vec::new());
        for project in &self.projects {
            match project.dll().filter(|dll| dll.is_file()) {
                Some(dll) => built.push(dll.to_owned()),
                None => not_built.push(Omitted {
                    path: project.path().to_owned(),
                    why: project.no_output().unwrap_or("is not built").to_owned(),
                }),
            }
        }
        (built, not_built)
    }

    /// How each project's build stands, in their order. Reads folders and dlls.
    pub fn status(&self) -> Vec<ProjectStatus> {
        self.projects.iter().map(WorkspaceProject::status).collect()
    }

    /// What was named but is not among the projects.
    pub fn omitted(&self) -> &[Omitted] {
        &self.omitted
    }

    /// Whether MSBuild was asked, and may be again.
    pub fn msbuild(&self) -> MsBuild {
        self.msbuild
    }

    /// Projects beyond the bound.
    pub fn more_projects(&self) -> usize {
        self.more_projects
    }

    /// The configurations of the `.vscode/launch.json` that is nearest above the root, and the file; `None` without one.
    pub fn launch_configurations(&self) -> Option<(PathBuf, Result<Vec<Configuration>, String>)> {
        let folder = launch_json::workspace(&self.root)?;
        let file = launch_json::file(&folder);
        let all = match walk::stays_below(&folder, &file) {
            true => launch_json::configurations(&folder),
            false => Err("is a link to a file outside its folder".into()),
        };
        Some((file, all))
    }

    /// `path` relative to the root where it lies under it, with `/`; else as it is.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    /// Whether the solution and project files are still those that were read, and no other has come. Reads folders.
    pub fn is_current(&self) -> bool {
        self.read.iter().all(|(path, time)| stale::modified(path) == *time)
            && (!self.path.is_dir() || named::projects_below(&self.path).files == self.named)
    }
}

/// What reads many files, off the one thread that serves.
async fn reading<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, CodeError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| DotnetError::io("reading the projects")(std::io::Error::other(error)).into())
}

/// The files that decide what a workspace holds, with their times: also those that the SDK would take if they were there.
fn decisive_files(path: &Path, projects: &[WorkspaceProject]) -> Vec<(PathBuf, Option<SystemTime>)> {
    let looked_for = ["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"];
    let folders: BTreeSet<&Path> = projects.iter().flat_map(|project| project.folder().ancestors()).collect();
    let above = folders.into_iter().flat_map(|folder| looked_for.map(|name| folder.join(name)));
    let read = projects.iter().flat_map(|project| project.build_files());
    let solution = Some(path.to_owned()).filter(|path| path.is_file());
    let all: BTreeSet<PathBuf> = read.chain(above).chain(solution).collect();
    all.into_iter().map(|path| (stale::modified(&path), path)).map(|(time, path)| (path, time)).collect()
}

/// The projects as read from disk, the referenced ones behind.
struct Read {
    named: Named,
    files: Vec<(ProjectFile, bool)>,
    omitted: Vec<Omitted>,
    more: usize,
}

impl Read {
    fn projects(mut named: Named) -> Self {
        let mut read = Self { files: Vec::new(), omitted: std::mem::take(&mut named.omitted), more: 0, named };
        let mut seen = HashSet::new();
        let mut wave = read.named.projects.clone();
        let mut referenced = false;
        // A cycle of references ends where all are known.
        while !wave.is_empty() {
            let mut next = Vec::new();
            for path in wave.into_iter().filter(|path| seen.insert(path.clone())).collect::<Vec<_>>() {
                if read.files.len() == MOST_PROJECTS {
                    read.more += 1;
                    continue;
                }
                match ProjectFile::read(&path) {
                    Ok(file) if !file.has_root() => read.leave_out(path, "has no element <Project>"),
                    Ok(file) => {
                        next.extend(file.references());
                        read.files.push((file, referenced));
                    }
                    Err(error) => read.leave_out(path, &error.to_string()),
                }
            }
            wave = next;
            referenced = true;
        }
        read
    }

    fn leave_out(&mut self, path: PathBuf, why: &str) {
        self.omitted.push(Omitted { path, why: why.to_owned() });
    }
}

/// The nearest folder above all; `named` itself where that would be the root of the file system.
fn common_root(named: &Path, projects: &[WorkspaceProject]) -> PathBuf {
    let above = |root: PathBuf, folder: &Path| {
        root.ancestors().find(|root| folder.starts_with(root)).unwrap_or(named).to_owned()
    };
    let root = projects.iter().map(WorkspaceProject::folder).fold(named.to_owned(), above);
    if root.parent().is_some() { root } else { named.to_owned() }
}
