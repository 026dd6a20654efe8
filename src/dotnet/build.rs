//! From a project (or a file-based program) to its dll: build when asked or stale, and find the output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::build_lock;
use super::command::{self, Spec};
use super::diagnostics::parse_errors;
use super::output_path_cache::Key;
use super::project::ProjectFile;
use super::target_framework::{framework, installed, newest};
use super::{Diagnostic, Dotnet, DotnetError, procfs, stale};

/// When a project is built before it is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BuildMode {
    /// When its output is missing or older than its inputs.
    #[default]
    Auto,
    Always,
    Never,
}

/// A project's output and whether we built it just now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Built {
    pub dll: PathBuf,
    pub built: bool,
}

/// Errors kept of one build; the answer shows fewer.
const MAX_ERRORS: usize = 100;

/// Builds and finds the output of a project. `phase` receives what takes long.
pub(crate) async fn project(
    path: &Path,
    configuration: &str,
    mode: BuildMode,
    dotnet: &Dotnet,
    phase: &impl Fn(&str),
) -> Result<Built, DotnetError> {
    let project = ProjectFile::read(path).map_err(DotnetError::io(format!("cannot read {}", path.display())))?;
    let framework = framework(&project, dotnet);
    let plain = framework.as_deref().and_then(|framework| project.plain_output(configuration, framework));
    // Only for a project with several must one be chosen; for others the option would be one more thing to go wrong.
    let framework = framework.filter(|_| project.is_multi_targeted());
    let job = Job { project: path, configuration, framework: framework.as_deref(), dotnet };
    let known = match plain.clone() {
        Some(plain) => Some(plain),
        // Without restore's result MSBuild's answer could be wrong, and a build is needed anyway.
        None if project.folder().join("obj").is_dir() => job.target_path(phase).await.ok(),
        None => None,
    };
    let needed = match mode {
        BuildMode::Always => true,
        BuildMode::Never => false,
        BuildMode::Auto => match known.clone() {
            Some(output) => tokio::task::spawn_blocking({
                let project = project.clone();
                move || stale::why_stale(&project, &output).is_some()
            })
            .await
            .unwrap_or(true),
            None => true,
        },
    };
    if !needed {
        let dll = match known {
            Some(dll) => dll,
            None => job.target_path(phase).await?,
        };
        return if dll.is_file() {
            Ok(Built { dll, built: false })
        } else {
            Err(never_built(path, &dll, configuration))
        };
    }
    let started = SystemTime::now();
    let old_output = known.as_deref().is_some_and(Path::is_file);
    job.build(old_output, project.is_restored(), phase).await?;
    // What the text promised is checked; MSBuild has the last word.
    let dll = match plain.filter(|dll| dll.is_file()) {
        Some(dll) => dll,
        None => job.target_path(phase).await?,
    };
    let record = dll.clone();
    let _ = tokio::task::spawn_blocking(move || stale::built(&project, &record, started)).await;
    Ok(Built { dll, built: true })
}

/// Where MSBuild puts the output of a project.
pub(crate) async fn target_path(
    project: &Path,
    configuration: &str,
    framework: Option<&str>,
    dotnet: &Dotnet,
    phase: &impl Fn(&str),
) -> Result<PathBuf, DotnetError> {
    Job { project, configuration, framework, dotnet }.target_path(phase).await
}

/// Builds and finds the output of a file-based program (`dotnet run app.cs`, SDK 10).
pub(crate) async fn source_file(
    path: &Path,
    configuration: &str,
    mode: BuildMode,
    dotnet: &Dotnet,
    phase: &impl Fn(&str),
) -> Result<Built, DotnetError> {
    let job = Job { project: path, configuration, framework: None, dotnet };
    let known = job.target_path(phase).await.ok();
    let output_time = known.as_deref().and_then(stale::modified);
    let fresh = output_time.is_some() && stale::modified(path) <= output_time && is_alone(path);
    match (mode, known) {
        (BuildMode::Auto, Some(dll)) if fresh => Ok(Built { dll, built: false }),
        (BuildMode::Never, Some(dll)) if output_time.is_some() => Ok(Built { dll, built: false }),
        (BuildMode::Never, dll) => {
            Err(never_built(path, &dll.unwrap_or_else(|| path.with_extension("dll")), configuration))
        }
        (_, known) => {
            job.build(output_time.is_some(), false, phase).await?;
            let dll = match known {
                Some(dll) => dll,
                None => job.target_path(phase).await?,
            };
            Ok(Built { dll, built: true })
        }
    }
}

/// Whether a file-based program consists of that file only, as far as its directives show.
fn is_alone(path: &Path) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    !text.lines().any(|line| {
        ["#:project", "#:include", "#:ref"].iter().any(|directive| line.trim_start().starts_with(directive))
    })
}

fn never_built(path: &Path, dll: &Path, configuration: &str) -> DotnetError {
    let project = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    DotnetError::NotBuilt { dll: dll.to_owned(), project, configuration: configuration.to_owned() }
}

/// A compiler server makes a build 2 s faster and outlives it by 10 min: one that runs is used, none is started.
pub(super) fn shared_compilation(dotnet: &Dotnet) -> Vec<(&'static str, &'static str)> {
    if procfs::compiler_server_runs(&dotnet.root) { vec![] } else { vec![("UseSharedCompilation", "false")] }
}

struct Job<'a> {
    project: &'a Path,
    configuration: &'a str,
    framework: Option<&'a str>,
    dotnet: &'a Dotnet,
}

impl Job<'_> {
    fn spec(&self, args: Vec<OsString>) -> Spec {
        let cwd = self.project.parent().unwrap_or(Path::new("/")).to_owned();
        Spec { program: self.dotnet.host.clone(), args, cwd, env: shared_compilation(self.dotnet) }
    }

    fn name(&self) -> String {
        self.project.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn is_source_file(&self) -> bool {
        !super::project::is_project(self.project)
    }

    /// `restored`: restore has nothing to do, which saves 0.6 s.
    async fn build(&self, old_output: bool, restored: bool, phase: &impl Fn(&str)) -> Result<(), DotnetError> {
        let mut command = format!("dotnet build {} -c {}", self.name(), self.configuration);
        if let Some(framework) = self.framework {
            command.push_str(&format!(" -f {framework}"));
        }
        let _turn = build_lock::acquire(phase).await;
        phase(&command);
        let mut args: Vec<OsString> = vec!["build".into(), self.project.into(), "-c".into(), self.configuration.into()];
        if let Some(framework) = self.framework {
            args.extend(["-f".into(), framework.into()]);
        }
        // One line a message, with full paths, whatever the user's environment prefers.
        args.extend(["-nologo", "-v:q", "-tl:off", "-clp:NoSummary", "-p:GenerateFullPaths=true"].map(OsString::from));
        if self.is_source_file() {
            // File-based programs default to native AOT, whose pack restore would want (measured).
            args.push("-p:PublishAot=false".into());
        }
        let mut spec = self.spec(args);
        let plain = spec.args.clone();
        if restored {
            spec.args.push("--no-restore".into());
        }
        let mut output = command::run(&spec).await?;
        let mut errors = parse_errors(&output.stdout, &spec.cwd, MAX_ERRORS);
        // What restore left was not good after all (another SDK, a package cache that was emptied).
        let of_restore = |error: &Diagnostic| error.code.starts_with("NETSDK") || error.code.starts_with("NU");
        if restored && !output.success && (errors.is_empty() || errors.iter().any(of_restore)) {
            spec.args = plain;
            output = command::run(&spec).await?;
            errors = parse_errors(&output.stdout, &spec.cwd, MAX_ERRORS);
        }
        if output.success {
            return Ok(());
        }
        let all = format!("{}\n{}", output.stdout.trim_end(), output.stderr.trim_end());
        Err(DotnetError::BuildFailed { command, root: spec.cwd, errors, raw_tail: tail(&all, 20), old_output })
    }

    /// Asks MSBuild where the output goes (0.35-0.4 s), once per version of the project file and what it imports.
    async fn target_path(&self, phase: &impl Fn(&str)) -> Result<PathBuf, DotnetError> {
        let asked = Key::new(self.project, self.configuration, self.framework);
        if let Some(path) = asked.answer() {
            return Ok(path);
        }
        phase(&format!("dotnet msbuild {} -getProperty:TargetPath", self.name()));
        let mut path = self.evaluate(self.framework).await?;
        if path.is_err() {
            // Several frameworks, named in a way that the text did not show.
            let Err(frameworks) = &path else {
                return Err(self.no_target_path());
            };
            let Some(framework) = newest(frameworks, &installed(Some(self.dotnet))) else {
                return Err(self.no_target_path());
            };
            path = self.evaluate(Some(&framework)).await?;
        }
        let path = path.map_err(|_| self.no_target_path())?;
        asked.remember(path.clone());
        Ok(path)
    }

    /// The output, or the target frameworks to choose from.
    async fn evaluate(&self, framework: Option<&str>) -> Result<Result<PathBuf, Vec<String>>, DotnetError> {
        // `dotnet msbuild` does not know file-based programs, `dotnet build` with -getProperty only evaluates.
        let verb = if self.is_source_file() { "build" } else { "msbuild" };
        let mut args: Vec<OsString> = vec![verb.into(), self.project.into(), "-nologo".into()];
        args.push("-getProperty:TargetPath,TargetFrameworks".into());
        args.push(format!("-p:Configuration={}", self.configuration).into());
        if let Some(framework) = framework {
            args.push(format!("-p:TargetFramework={framework}").into());
        }
        if self.is_source_file() {
            args.push("-p:PublishAot=false".into());
        }
        let spec = self.spec(args);
        let output = command::run(&spec).await?;
        let json: Option<Value> =
            output.stdout.find('{').and_then(|at| serde_json::from_str(output.stdout.get(at..)?).ok());
        let property = |name: &str| {
            json.as_ref()?.get("Properties")?.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
        };
        if let Some(path) = property("TargetPath") {
            return Ok(Ok(spec.cwd.join(path)));
        }
        if let Some(frameworks) = property("TargetFrameworks") {
            return Ok(Err(frameworks
                .split(';')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect()));
        }
        if json.is_some() {
            return Err(self.no_target_path());
        }
        let errors = parse_errors(&format!("{}\n{}", output.stdout, output.stderr), &spec.cwd, MAX_ERRORS);
        let all = format!("{}\n{}", output.stdout.trim_end(), output.stderr.trim_end());
        let command = format!("dotnet {verb} {} -getProperty:TargetPath", self.name());
        Err(DotnetError::BuildFailed { command, root: spec.cwd, errors, raw_tail: tail(&all, 20), old_output: false })
    }

    fn no_target_path(&self) -> DotnetError {
        DotnetError::NotDotnetProgram {
            path: self.project.display().to_string(),
            reason: "has no output: MSBuild reports no TargetPath".into(),
            hint: "pass the path of the built dll".into(),
        }
    }
}

/// The last lines of what a command wrote, without the frames of stack traces: the sentence above them is what says why
/// (`Couldn't find a valid ICU package`, then thirty frames).
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let is_frame = |line: &str| line.starts_with(char::is_whitespace) && line.trim_start().starts_with("at ");
    let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty() && !is_frame(line)).collect();
    let from = all.len().saturating_sub(lines);
    all.get(from..).unwrap_or_default().join("\n").chars().take(4000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_above_a_long_stack_trace_is_kept() {
        let frames = "   at System.Environment.FailFast(System.String)\n".repeat(30);
        let text = format!("Process terminated.\nCouldn't find a valid ICU package installed on the system.\n{frames}");
        assert_eq!(tail(&text, 10), "Process terminated.\nCouldn't find a valid ICU package installed on the system.");
        assert_eq!(tail("one\n\ntwo\nthree\n", 2), "two\nthree");
    }
}
