//! One project of a workspace.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Omitted, sources};
use crate::code::ProjectKind;
use crate::dotnet::launch_profile::LaunchProfile;
use crate::dotnet::launch_settings;
use crate::dotnet::output::ProjectOutput;
use crate::dotnet::project::ProjectFile;
use crate::dotnet::stale;
use crate::dotnet::walk::{Walk, stays_below};
use clr_metadata::Assembly;

/// How a project's output stands to its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildState {
    Built,
    /// Why, in a few words.
    Stale(String),
    NotBuilt,
    /// Where its output goes could not be learned: why.
    Unknown(String),
}

/// A project's build as it stands on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectStatus {
    pub state: BuildState,
    /// Whether its dll has a PDB of its own build, `Err` says why not; `None` without a dll.
    pub symbols: Option<Result<(), String>>,
    /// Its folder, where that has more in it than is looked at.
    pub omitted: Option<Omitted>,
}

/// A project and where its build goes; the rest is asked of the disk.
#[derive(Debug)]
pub struct WorkspaceProject {
    file: ProjectFile,
    name: String,
    referenced: bool,
    output: Result<ProjectOutput, String>,
}

impl WorkspaceProject {
    pub(super) fn new(file: ProjectFile, referenced: bool, output: Result<ProjectOutput, String>) -> Self {
        let name = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self { file, name, referenced, output }
    }

    /// The project file's name without its extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The project file, absolute.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    pub fn folder(&self) -> &Path {
        self.file.folder()
    }

    /// It was not named: another project references it.
    pub fn is_referenced_only(&self) -> bool {
        self.referenced
    }

    pub fn kind(&self) -> Option<ProjectKind> {
        self.file.kind()
    }

    /// xunit, nunit, mstest or tunit, where it references one.
    pub fn test_framework(&self) -> Option<&'static str> {
        self.file.test_framework()
    }

    /// The profiles of its launchSettings.json that start it; without a file there are none.
    ///
    /// # Errors
    /// Why the file cannot be read, as the end of a sentence about it.
    pub fn launch_profiles(&self) -> Result<Vec<LaunchProfile>, String> {
        let file = launch_settings::file(self.folder());
        match file.is_file() {
            true if !stays_below(self.folder(), &file) => Err("is a link to a file outside the project".into()),
            true => launch_settings::profiles(&file),
            false => Ok(Vec::new()),
        }
    }

    /// All target frameworks, as written; empty when only MSBuild knows them.
    pub fn frameworks(&self) -> Vec<String> {
        self.file.target_frameworks()
    }

    /// The target framework of [`Self::dll`].
    pub fn framework(&self) -> Option<&str> {
        self.output.as_ref().ok()?.framework.as_deref()
    }

    /// Where the Debug build goes, of several target frameworks that of one; it need not be there.
    pub fn dll(&self) -> Option<&Path> {
        self.output.as_ref().ok().map(|output| output.dll.as_path())
    }

    /// Why it is not known where the build goes.
    pub(super) fn no_output(&self) -> Option<&str> {
        self.output.as_ref().err().map(String::as_str)
    }

    /// Compares file times (as a launch does), so it looks at every source.
    pub fn state(&self) -> BuildState {
        match &self.output {
            Err(why) => BuildState::Unknown(why.clone()),
            Ok(output) if !output.dll.is_file() => BuildState::NotBuilt,
            Ok(output) => match stale::why_stale(&self.file, &output.dll) {
                None => BuildState::Built,
                Some(why) => BuildState::Stale(why),
            },
        }
    }

    /// Its state and symbols.
    pub fn status(&self) -> ProjectStatus {
        let dll = self.dll().filter(|dll| dll.is_file());
        let symbols = dll.map(|dll| {
            let assembly = Assembly::open(dll).map_err(|error| error.to_string())?;
            assembly.pdb_problem().map_or(Ok(()), |problem| Err(problem.to_string()))
        });
        let omitted = (!self.sources().complete).then(|| self.cut());
        ProjectStatus { state: self.state(), symbols, omitted }
    }

    /// Its C# files as they are now, as far as the project's text shows: sorted, each once.
    pub(in crate::code) fn sources(&self) -> Walk {
        sources::of(&self.file)
    }

    /// Told where [`Self::sources`] is not complete.
    pub(super) fn cut(&self) -> Omitted {
        let why = "has too many folders and files to search; sources may be missing";
        Omitted { path: self.folder().to_owned(), why: why.into() }
    }

    /// The project file and what it imports.
    pub(in crate::code) fn build_files(&self) -> Vec<PathBuf> {
        self.file.build_files()
    }

    /// Files and folders outside its own folder that its items name.
    pub(in crate::code) fn outside_inputs(&self) -> Vec<PathBuf> {
        self.file.outside_sources()
    }

    /// A build of ours that began at `started` has succeeded, whether or not it had to write the dll.
    pub(in crate::code) fn built(&self, started: SystemTime) {
        if let Some(dll) = self.dll() {
            stale::built(&self.file, dll, started);
        }
    }

    /// Whether restore has nothing to do.
    pub(in crate::code) fn is_restored(&self) -> bool {
        self.file.is_restored()
    }
}
