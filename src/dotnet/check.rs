//! Builds to hear what the compiler says. Every compilation writes a SARIF log into a folder of the caller's; a log that is newer
//! than its inputs is left as it is, so MSBuild compiles only what has changed.
//!
//! The race to remember: a build that is killed may leave half a log that looks newer than all inputs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::build::shared_compilation;
use super::command::{self, Output, Spec};
use super::{Dotnet, DotnetError};

/// Imported by each project behind the common targets. `CustomAdditionalCompileOutputs` makes the log an output of `CoreCompile`
/// (Microsoft.CSharp.Core.targets): a missing or old one is written again. The hash distinguishes two projects of the same name.
const TARGETS: &str = r#"<Project>
  <PropertyGroup>
    <ClrbridgeName>$(MSBuildProjectName).$([MSBuild]::StableStringHash('$(MSBuildProjectFullPath)|$(TargetFramework)'))</ClrbridgeName>
    <ErrorLog>$(ClrbridgeLogs)$(ClrbridgeName).sarif,version=2.1</ErrorLog>
  </PropertyGroup>
  <ItemGroup>
    <CustomAdditionalCompileOutputs Include="$(ClrbridgeLogs)$(ClrbridgeName).sarif" />
  </ItemGroup>
  <Target Name="ClrbridgeReached" BeforeTargets="CoreCompile">
    <WriteLinesToFile File="$(ClrbridgeLogs)$(ClrbridgeName).reached" Lines="$(MSBuildProjectFullPath)" Overwrite="true" />
  </Target>
</Project>
"#;

/// What to build, and where its logs go.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    /// A project or solution.
    pub target: PathBuf,
    /// Its name in reports.
    pub name: String,
    pub configuration: String,
    /// Restore has nothing to do, which saves 0.6 s.
    pub restored: bool,
    /// An existing folder of ours.
    pub logs: PathBuf,
    /// Decides which `global.json` and `NuGet.config` hold.
    pub cwd: PathBuf,
}

/// A compilation that the build came to: its project, and its log, which some compilers do not write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compiled {
    pub project: PathBuf,
    pub log: PathBuf,
}

impl Check {
    /// As a person would type it.
    pub(crate) fn command(&self) -> String {
        format!("dotnet build {} -c {}", self.name, self.configuration)
    }

    /// Builds; a build that fails is not an error. Dropping the future ends it with all its processes.
    pub(crate) async fn run(&self, dotnet: &Dotnet) -> Result<Output, DotnetError> {
        let targets = self.logs.join("clrbridge.targets");
        let prepare = || {
            for marker in files(&self.logs, "reached") {
                std::fs::remove_file(marker)?;
            }
            std::fs::write(&targets, TARGETS)
        };
        prepare().map_err(DotnetError::io("cannot prepare the folder for the compiler's logs"))?;
        let mut args: Vec<OsString> = vec!["build".into(), self.target.clone().into()];
        args.extend(["-c", &self.configuration, "-nologo", "-v:q", "-tl:off", "-clp:NoSummary"].map(OsString::from));
        args.push("-p:GenerateFullPaths=true".into());
        args.push(joined("-p:CustomAfterMicrosoftCommonTargets=", &targets, ""));
        args.push(joined("-p:ClrbridgeLogs=", &self.logs, "/"));
        if self.restored {
            args.push("--no-restore".into());
        }
        let spec = Spec { program: dotnet.host.clone(), args, cwd: self.cwd.clone(), env: shared_compilation(dotnet) };
        command::run(&spec).await
    }

    /// The compilations that the last run came to, whether they succeeded or not.
    pub(crate) fn compiled(&self) -> Vec<Compiled> {
        let markers = files(&self.logs, "reached");
        let read = |marker: PathBuf| {
            let text = std::fs::read_to_string(&marker).ok()?;
            let project = PathBuf::from(text.lines().next()?.trim_start_matches('\u{feff}'));
            Some(Compiled { project, log: marker.with_extension("sarif") })
        };
        markers.into_iter().filter_map(read).collect()
    }
}

fn joined(option: &str, path: &Path, end: &str) -> OsString {
    let mut whole = OsString::from(option);
    whole.push(path);
    whole.push(end);
    whole
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    found.sort();
    found
}
