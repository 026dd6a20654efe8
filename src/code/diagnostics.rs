//! What the compiler says of a workspace: from a build that compiles only what has changed, or from memory when nothing has.

mod inputs;
mod sarif;
mod solution;

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::diagnosis::{CodeDiagnostic, Diagnosis, Severity};
use super::workspace::CONFIGURATION;
use super::{CodeError, Workspace, WorkspaceProject};
use crate::dotnet::build::tail;
use crate::dotnet::check::{Check, Compiled};
use crate::dotnet::command::Output;
use crate::dotnet::diagnostics::{Message, parse_messages};
use crate::dotnet::{Dotnet, DotnetError, build_lock};

/// Half a log is thrown away and written again; no build may do that forever.
const TRIES: usize = 2;

impl Workspace {
    /// The diagnostics of all projects, or of `project` (a name, or the path of a project file). `phase` hears of a build.
    ///
    /// # Errors
    /// [`CodeError::InvalidArgument`] for an unknown project; [`CodeError::CannotBuild`] and
    /// [`DotnetError::BuildFailed`] when nothing was compiled at all.
    pub async fn diagnose(
        self: &Arc<Self>,
        project: Option<&str>,
        phase: impl Fn(&str),
    ) -> Result<Diagnosis, CodeError> {
        let asked = project.map(|name| self.project_named(name)).transpose()?;
        let mut inner = build_lock::lock(&self.checks.inner, &phase).await;
        let workspace = Arc::clone(self);
        let looked =
            move || (inputs::fingerprint(&workspace), workspace.projects.iter().all(WorkspaceProject::is_restored));
        let (before, restored) = tokio::task::spawn_blocking(looked).await.map_err(stopped)?;
        let key = asked.map(|project| project.path().to_owned());
        for known in [key.clone(), None] {
            if let Some((_, diagnosis)) = inner.known.get(&known).filter(|(inputs, _)| Some(*inputs) == before) {
                return Diagnosis { cached: true, ..diagnosis.clone() }.of(key).await;
            }
        }
        let dotnet = Dotnet::find()
            .map_err(|error| CodeError::CannotBuild { message: error.to_string(), hint: error.hint() })?;
        let made = || tempfile::Builder::new().prefix("clrbridge-").tempdir();
        let logs = match &inner.logs {
            Some(logs) => logs,
            None => {
                inner.logs.insert(made().map_err(DotnetError::io("cannot create a folder for the compiler's logs"))?)
            }
        };
        let check =
            self.check(asked, logs.path(), restored).map_err(DotnetError::io("cannot write a solution to build"))?;
        let turn = build_lock::acquire(&phase).await;
        let (diagnosis, is_lasting) = self.build(&check, asked, &dotnet, &phase).await?;
        drop(turn);
        let diagnosis = diagnosis.of(key.clone()).await?;
        inner.known.remove(&key);
        if let Some(before) = before.filter(|_| is_lasting) {
            inner.known.insert(key, (before, diagnosis.clone()));
        }
        Ok(diagnosis)
    }

    fn project_named(&self, asked: &str) -> Result<&WorkspaceProject, CodeError> {
        let by_path = self.root.join(asked).canonicalize().ok();
        let is_asked = |project: &&WorkspaceProject| {
            project.name().eq_ignore_ascii_case(asked) || Some(project.path()) == by_path.as_deref()
        };
        let found: Vec<&WorkspaceProject> = self.projects.iter().filter(is_asked).collect();
        let shown = |projects: &mut dyn Iterator<Item = String>| projects.take(4).collect::<Vec<_>>().join(", ");
        match found.as_slice() {
            [only] => Ok(only),
            [] => Err(CodeError::InvalidArgument {
                argument: "project".into(),
                message: format!("the workspace has no project {asked}"),
                hint: format!("known projects: {}", shown(&mut self.projects.iter().map(|it| it.name().to_owned()))),
            }),
            several => Err(CodeError::InvalidArgument {
                argument: "project".into(),
                message: format!("{} projects are named {asked}", several.len()),
                hint: format!("pass its path: {}", shown(&mut several.iter().map(|it| self.shown(it.path())))),
            }),
        }
    }

    /// A project or the solution itself, or a solution of our own where MSBuild would not take that.
    fn check(&self, asked: Option<&WorkspaceProject>, logs: &Path, restored: bool) -> io::Result<Check> {
        let whole = self.omitted.is_empty() && self.path.is_file();
        let mut named = self.projects.iter().filter(|project| !project.is_referenced_only());
        let only = asked.or_else(|| named.next().filter(|_| named.next().is_none()));
        let (target, called) = match only {
            Some(project) => (project.path().to_owned(), project.path()),
            None if whole => (self.path.clone(), self.path.as_path()),
            None => {
                let named = self.projects.iter().filter(|project| !project.is_referenced_only());
                let target = logs.join("workspace.sln");
                std::fs::write(&target, solution::text(named.map(WorkspaceProject::path), CONFIGURATION))?;
                (target, self.path.as_path())
            }
        };
        let folder = if self.path.is_dir() { Some(self.path.as_path()) } else { self.path.parent() };
        Ok(Check {
            target,
            name: called.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            configuration: CONFIGURATION.into(),
            restored,
            logs: logs.to_owned(),
            cwd: folder.unwrap_or(&self.root).to_owned(),
        })
    }

    /// What the build said, and whether the same inputs would say it again.
    async fn build(
        self: &Arc<Self>,
        check: &Check,
        asked: Option<&WorkspaceProject>,
        dotnet: &Dotnet,
        phase: &impl Fn(&str),
    ) -> Result<(Diagnosis, bool), CodeError> {
        let mut check = check.clone();
        phase(&check.command());
        let mut tries = TRIES;
        loop {
            let started = SystemTime::now();
            let output = check.run(dotnet).await?;
            tries -= 1;
            let parse = move || {
                let text = format!("{}\n{}", output.stdout, output.stderr);
                (parse_messages(&text, Path::new("")).collect::<Vec<Message>>(), output)
            };
            let (messages, output) = tokio::task::spawn_blocking(parse).await.map_err(stopped)?;
            // What restore left was not good after all (another SDK, a package cache that was emptied).
            let of_restore = |message: &Message| {
                message.severity == Severity::Error
                    && (message.said.code.starts_with("NETSDK") || message.said.code.starts_with("NU"))
            };
            if check.restored && !output.success && messages.iter().any(of_restore) {
                check.restored = false;
                tries += 1;
                continue;
            }
            let job = check.clone();
            let read = tokio::task::spawn_blocking(move || read_logs(&job.compiled())).await.map_err(stopped)?;
            let (compiled, found) = match read {
                Ok(read) => read,
                Err(_) if tries > 0 => continue,
                Err(error) => return Err(DotnetError::io("cannot read the compiler's log")(error).into()),
            };
            let is_error = |severity: Severity| severity == Severity::Error;
            let said = found.iter().any(|it| is_error(it.severity)) || messages.iter().any(|it| is_error(it.severity));
            if !output.success && (compiled.is_empty() || !said) {
                return Err(self.failed(&check, &output, &messages).into());
            }
            if output.success {
                let workspace = Arc::clone(self);
                let built = compiled.clone();
                let record = move || {
                    workspace.projects.iter().filter(|it| built.contains(it.path())).for_each(|it| it.built(started))
                };
                tokio::task::spawn_blocking(record).await.map_err(stopped)?;
            }
            let wanted = |project: &&WorkspaceProject| asked.is_none_or(|asked| asked.path() == project.path());
            let missed = self.projects.iter().filter(wanted).filter(|project| !compiled.contains(project.path()));
            let not_compiled = missed.map(|it| it.name().to_owned()).collect();
            let cwd = check.cwd.clone();
            let merge = move || merged(found, messages, &cwd);
            let diagnostics = tokio::task::spawn_blocking(merge).await.map_err(stopped)?;
            let mut errors = diagnostics.iter().filter(|it| it.severity == Severity::Error);
            let is_lasting = output.success || errors.all(CodeDiagnostic::is_of_source);
            return Ok((Diagnosis { not_compiled, diagnostics: diagnostics.into(), cached: false }, is_lasting));
        }
    }

    fn failed(&self, check: &Check, output: &Output, messages: &[Message]) -> DotnetError {
        let errors = messages.iter().filter(|message| message.severity == Severity::Error);
        let relative = |message: &Message| {
            let mut said = message.said.clone();
            said.file = said.file.map(|file| self.shown(Path::new(&file)));
            said
        };
        DotnetError::BuildFailed {
            command: check.command(),
            root: self.root.clone(),
            errors: errors.map(relative).collect(),
            raw_tail: tail(&format!("{}\n{}", output.stdout.trim_end(), output.stderr.trim_end()), 20),
            old_output: false,
        }
    }
}

impl CodeDiagnostic {
    /// Said of a place in a source, so the same source has it again; a full disk or a file in use (CS2012, MSB3027) may pass.
    fn is_of_source(&self) -> bool {
        let is_of_build = |file: &PathBuf| {
            let extension = file.extension().and_then(|it| it.to_str()).unwrap_or_default().to_ascii_lowercase();
            extension.ends_with("proj") || ["props", "targets", "tasks", "sln", "slnx"].contains(&extension.as_str())
        };
        let is_msbuild = ["MSB", "NETSDK", "NU"].iter().any(|prefix| self.code.starts_with(prefix));
        self.line.is_some() && !self.code.is_empty() && !is_msbuild && !self.file.as_ref().is_none_or(is_of_build)
    }
}

impl Diagnosis {
    /// As [`Self::only`], off the one thread that serves.
    async fn of(self, project: Option<PathBuf>) -> Result<Self, CodeError> {
        let only = move || self.only(project.as_deref());
        tokio::task::spawn_blocking(only).await.map_err(stopped)
    }

    /// Only what belongs to `project`, if one was asked for; where the build did not come to it, also the errors that stopped it.
    fn only(mut self, project: Option<&Path>) -> Self {
        if let Some(project) = project {
            let name = project.file_stem().unwrap_or_default().to_string_lossy();
            self.not_compiled.retain(|missed| *missed == name);
            let stopped = |it: &&CodeDiagnostic| it.severity == Severity::Error && !self.not_compiled.is_empty();
            let kept = self.diagnostics.iter().filter(|it| it.project == project || stopped(it));
            self.diagnostics = kept.cloned().collect();
        }
        self
    }
}

fn stopped(error: tokio::task::JoinError) -> CodeError {
    DotnetError::io("reading files")(io::Error::other(error)).into()
}

/// The projects that were compiled, and what was said of them. A log that cannot be read is removed: the next build writes it anew.
fn read_logs(compiled: &[Compiled]) -> io::Result<(HashSet<PathBuf>, Vec<CodeDiagnostic>)> {
    let mut found = Vec::new();
    for Compiled { project, log } in compiled {
        match sarif::read(log, project) {
            Ok(diagnostics) => found.extend(diagnostics.into_iter().flatten()),
            Err(error) => {
                std::fs::remove_file(log)?;
                return Err(error);
            }
        }
    }
    Ok((compiled.iter().map(|it| it.project.clone()).collect(), found))
}

/// The compiler's own words and, where it wrote no log, what MSBuild says; each once, sorted.
fn merged(found: Vec<CodeDiagnostic>, messages: Vec<Message>, cwd: &Path) -> Vec<CodeDiagnostic> {
    let place = |it: &CodeDiagnostic| (it.file.clone(), it.line, it.column, it.code.clone());
    let logged: HashSet<_> = found.iter().map(place).collect();
    let said = messages.into_iter().map(|message| CodeDiagnostic {
        severity: message.severity,
        file: message.said.file.map(|file| cwd.join(file)),
        line: message.said.line,
        column: message.said.column,
        code: message.said.code,
        message: message.said.message,
        project: message.project.map(PathBuf::from).unwrap_or_default(),
    });
    let said = said.filter(|it| !logged.contains(&place(it)));
    let mut seen = BTreeSet::new();
    let mut all: Vec<CodeDiagnostic> = found.into_iter().chain(said).collect();
    all.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    all.retain(|it| seen.insert((place(it), it.message.clone(), it.file.is_none().then(|| it.project.clone()))));
    all
}

fn sort_key(it: &CodeDiagnostic) -> impl Ord + '_ {
    (it.severity, it.file.is_none(), &it.file, it.line, it.column, &it.code, &it.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(severity: Severity, file: &str, line: u32, code: &str) -> CodeDiagnostic {
        CodeDiagnostic {
            severity,
            file: Some(file.into()),
            line: Some(line),
            column: Some(1),
            code: code.into(),
            message: "m".into(),
            project: "/s/A.csproj".into(),
        }
    }

    #[test]
    fn the_worst_come_first_each_once_over_frameworks_and_sources() {
        let logged = vec![
            diagnostic(Severity::Warning, "/s/B.cs", 9, "CS2"),
            diagnostic(Severity::Info, "/s/A.cs", 1, "CA1"),
            diagnostic(Severity::Warning, "/s/B.cs", 9, "CS2"),
            diagnostic(Severity::Error, "/s/C.cs", 3, "CS1"),
            diagnostic(Severity::Warning, "/s/A.cs", 10, "CS2"),
            diagnostic(Severity::Warning, "/s/A.cs", 9, "CS2"),
        ];
        let console = "/s/C.cs(3,1): error CS1: m, worded otherwise [/s/A.csproj]\n\
            /s/A.csproj : warning NU1701: a package [/s/A.csproj]\n\
            CSC : error CS5001: no Main [/s/A.csproj::TargetFramework=net8.0]\n\
            CSC : error CS5001: no Main [/s/A.csproj::TargetFramework=net10.0]\n";
        let messages = parse_messages(console, Path::new("")).collect();
        let kept: Vec<String> = merged(logged, messages, Path::new("/s"))
            .iter()
            .map(|it| {
                let file = it.file.as_ref().map_or(String::new(), |file| file.display().to_string());
                format!("{:?} {file}:{} {}", it.severity, it.line.unwrap_or_default(), it.code)
            })
            .collect();
        assert_eq!(
            kept,
            [
                "Error /s/C.cs:3 CS1",
                "Error :0 CS5001",
                "Warning /s/A.cs:9 CS2",
                "Warning /s/A.cs:10 CS2",
                "Warning /s/A.csproj:0 NU1701",
                "Warning /s/B.cs:9 CS2",
                "Info /s/A.cs:1 CA1",
            ]
        );
    }

    #[test]
    fn only_what_a_source_says_is_remembered_of_a_failure() {
        let of_source = diagnostic(Severity::Error, "/s/A.cs", 3, "CS0103");
        assert!(of_source.is_of_source());
        for (file, code) in [
            ("/sdk/Microsoft.Common.targets", "MSB3027"),
            ("/s/A.csproj", "X1"),
            ("/s/A.cs", "MSB3030"),
            ("/s/A.cs", ""),
        ] {
            assert!(!diagnostic(Severity::Error, file, 3, code).is_of_source(), "{file} {code}");
        }
        let nowhere = CodeDiagnostic { file: None, line: None, ..diagnostic(Severity::Error, "", 0, "CS2012") };
        assert!(!nowhere.is_of_source());
    }

    #[test]
    fn a_project_that_was_not_come_to_has_the_errors_that_stopped_the_build() {
        let said =
            [diagnostic(Severity::Error, "/s/A.cs", 1, "CS1"), diagnostic(Severity::Warning, "/s/A.cs", 2, "CS2")];
        let all = Diagnosis { diagnostics: said.into(), not_compiled: vec!["B".into()], cached: false };
        let codes = |project: &str| -> Vec<String> {
            all.clone().only(Some(Path::new(project))).diagnostics.iter().map(|it| it.code.clone()).collect()
        };
        assert_eq!(codes("/s/A.csproj"), ["CS1", "CS2"]);
        assert_eq!(codes("/s/B.csproj"), ["CS1"]);
        assert!(codes("/s/C.csproj").is_empty());
    }

    #[test]
    fn half_a_log_is_removed_so_that_the_next_build_writes_it() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("a.sarif");
        std::fs::write(&log, "{\"runs\":[").unwrap();
        let compiled = [Compiled { project: "/s/A.csproj".into(), log: log.clone() }];
        assert!(read_logs(&compiled).is_err() && !log.exists());
        let (projects, found) = read_logs(&compiled).unwrap();
        assert!(projects.contains(Path::new("/s/A.csproj")) && found.is_empty());
    }
}
