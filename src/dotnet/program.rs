//! From what a caller names to a program that can be started: checked, built, with its profile's settings.
//!
//! Everything that can be checked without starting anything is checked here, before an adapter fails.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::build::{self, BuildMode};
use super::launch_profile::LaunchProfile;
use super::locate::{Located, locate};
use super::named_profile;
use super::runtime_config::RuntimeConfig;
use super::{Dotnet, DotnetError};
use crate::environment::process_env;

/// What is to be started.
#[derive(Debug, Clone, Default)]
pub struct ProgramRequest {
    /// A dll, its executable, a project, its folder, a `.cs` file. Relative to `cwd` if given, else to `base_dir`.
    pub program: String,
    /// Relative to `base_dir`.
    pub cwd: Option<PathBuf>,
    /// What relative paths are taken against; absolute.
    pub base_dir: PathBuf,
    /// `None` = Debug.
    pub configuration: Option<String>,
    pub build: BuildMode,
    /// No profile is applied unless named.
    pub launch_profile: Option<String>,
    /// The caller's variables, as far as they decide whether the program can start (`DOTNET_ROLL_FORWARD`).
    pub env: Vec<(String, Option<String>)>,
}

/// A program that can be started: `command args_before.. args.. <the caller's args>` in `cwd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The managed entry assembly, absolute, its folder without links.
    pub dll: PathBuf,
    /// `dotnet`, or the program's own apphost when it is self-contained.
    pub command: PathBuf,
    /// `X.dll` behind `dotnet`, nothing behind an apphost.
    pub args_before: Vec<OsString>,
    /// From the launch profile; before the caller's own.
    pub args: Vec<String>,
    /// From the launch profile; the caller's own variables win.
    pub env: Vec<(String, String)>,
    /// The project's folder for a project, else the caller's; absolute.
    pub cwd: PathBuf,
    pub project: Option<PathBuf>,
    /// Where its sources lie: the project's, the `.cs` file's, or that of the project that a dll lies in the `bin` of.
    pub folder: Option<PathBuf>,
    /// It was built just now.
    pub built: bool,
    /// `net10.0`.
    pub target_framework: Option<String>,
    pub self_contained: bool,
}

/// Finds, builds and checks a program. `phase` hears of what takes long (`dotnet build Basics.csproj -c Debug`).
///
/// Dropping the future ends a build that is under way, with all its processes.
pub async fn resolve(request: &ProgramRequest, dotnet: &Dotnet, phase: impl Fn(&str)) -> Result<Program, DotnetError> {
    let configuration = configuration(request.configuration.as_deref())?;
    let explicit_cwd = request.cwd.as_deref().map(|cwd| folder(cwd, &request.base_dir)).transpose()?;
    let located = locate_from(&request.program, explicit_cwd.as_deref(), &request.base_dir)?;
    // Before a build, which takes longer than to say that the profile is not there.
    let profile_folder = match &located {
        Located::Project(project) => project.parent().map(Path::to_owned),
        Located::Source(_) | Located::Dll(_) => None,
    };
    let near = match &located {
        Located::Project(file) | Located::Source(file) | Located::Dll(file) => {
            file.parent().unwrap_or(&request.base_dir)
        }
    };
    let profile = match request.launch_profile.as_deref() {
        None => LaunchProfile::default(),
        Some(name) => named_profile::load(name, profile_folder.as_deref(), near)?,
    };
    let (dll, built) = match &located {
        Located::Dll(dll) => (dll.clone(), false),
        Located::Project(project) => {
            let done = build::project(project, configuration, request.build, dotnet, &phase).await?;
            (done.dll, done.built)
        }
        Located::Source(file) => {
            let done = build::source_file(file, configuration, request.build, dotnet, &phase).await?;
            (done.dll, done.built)
        }
    };
    let dll = match dll.canonicalize() {
        Ok(dll) => dll,
        Err(_) => {
            return Err(DotnetError::ProgramNotFound { path: dll.display().to_string(), nearest: vec![] });
        }
    };
    let config = runtime_config(&dll)?;
    let setting = |name: &str| setting(name, &request.env, &profile.env);
    config.check(&dll, dotnet, &setting)?;
    let (command, args_before) =
        if config.self_contained { (apphost(&dll)?, vec![]) } else { (dotnet.host.clone(), vec![dll.clone().into()]) };
    let home = match &located {
        Located::Project(file) | Located::Source(file) => file.parent().map(Path::to_owned),
        Located::Dll(_) => project_folder(&dll),
    };
    let project = match located {
        Located::Project(project) => Some(project),
        Located::Source(_) | Located::Dll(_) => None,
    };
    let cwd = match (explicit_cwd, &project) {
        (Some(cwd), _) => cwd,
        // The content root of a web application, and where `dotnet run` in that folder would run it.
        (None, Some(project)) => {
            let home = project.parent().unwrap_or(Path::new("/"));
            match &profile.working_directory {
                Some(named) => folder(Path::new(named), home)?,
                None => home.to_owned(),
            }
        }
        (None, None) => match &profile.working_directory {
            Some(named) => folder(Path::new(named), &request.base_dir)?,
            None => request.base_dir.clone(),
        },
    };
    Ok(Program {
        dll,
        command,
        args_before,
        args: profile.args,
        env: profile.env,
        cwd,
        project,
        folder: home,
        built,
        target_framework: config.target_framework,
        self_contained: config.self_contained,
    })
}

/// The folder with the project whose `bin` an assembly lies in.
pub fn project_folder(dll: &Path) -> Option<PathBuf> {
    let output = dll.ancestors().skip(1).find(|folder| folder.file_name().is_some_and(|name| name == "bin"))?;
    let folder = output.parent()?;
    let is_project = |path: &Path| {
        path.extension().is_some_and(|end| ["csproj", "fsproj", "vbproj"].iter().any(|project| end == *project))
    };
    let mut files = std::fs::read_dir(folder).ok()?.flatten().take(1000);
    files.any(|entry| is_project(&entry.path())).then(|| folder.to_owned())
}

/// The caller's variables, then the profile's, then our own environment, which the program inherits.
fn setting(name: &str, own: &[(String, Option<String>)], profile: &[(String, String)]) -> Option<OsString> {
    if let Some((_, value)) = own.iter().rev().find(|(known, _)| known == name) {
        return value.as_ref().map(OsString::from);
    }
    let of_profile = profile.iter().find(|(known, _)| known == name).map(|(_, value)| OsString::from(value));
    of_profile.or_else(|| process_env(name))
}

/// It becomes a part of a command line and of a path.
fn configuration(asked: Option<&str>) -> Result<&str, DotnetError> {
    let name = asked.unwrap_or("Debug");
    let plain = !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c))
        && !name.contains("..");
    if plain {
        return Ok(name);
    }
    Err(DotnetError::InvalidArgument {
        argument: "configuration".into(),
        message: format!("{name:?} is not a valid configuration"),
        hint: "use Debug or Release".into(),
    })
}

/// A relative program is taken against the `cwd` that the caller gave, and where nothing is there, against the base.
fn locate_from(program: &str, cwd: Option<&Path>, base: &Path) -> Result<Located, DotnetError> {
    let Some(cwd) = cwd else { return locate(program, base) };
    match locate(program, cwd) {
        Err(missing @ DotnetError::ProgramNotFound { .. }) => locate(program, base).map_err(|_| missing),
        found => found,
    }
}

fn folder(asked: &Path, base: &Path) -> Result<PathBuf, DotnetError> {
    let path = base.join(asked);
    // Adapters ignore a missing folder silently and run the program elsewhere (vendor-notes.md).
    path.canonicalize().ok().filter(|path| path.is_dir()).ok_or_else(|| DotnetError::InvalidArgument {
        argument: "cwd".into(),
        message: format!("cwd {} {}", path.display(), if path.exists() { "is not a folder" } else { "does not exist" }),
        hint: "pass an existing folder, or omit cwd".into(),
    })
}

fn runtime_config(dll: &Path) -> Result<RuntimeConfig, DotnetError> {
    let refuse = |reason: String, hint: &str| DotnetError::NotDotnetProgram {
        path: dll.display().to_string(),
        reason,
        hint: hint.into(),
    };
    let path = dll.with_extension("runtimeconfig.json");
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            RuntimeConfig::parse(&text).map_err(|why| refuse(format!("cannot start: {name} {why}"), "build it again"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(refuse(
            format!("is a library or was not built as a program: there is no {name} next to it"),
            "pass the program that uses it; executable projects have <OutputType>Exe</OutputType>",
        )),
        Err(error) => Err(refuse(format!("cannot start: {name} cannot be read: {error}"), "fix the file")),
    }
}

/// The executable beside a self-contained program's dll.
fn apphost(dll: &Path) -> Result<PathBuf, DotnetError> {
    let bare = dll.with_extension("");
    let host = if cfg!(windows) { dll.with_extension("exe") } else { bare };
    if host.is_file() {
        return Ok(host);
    }
    Err(DotnetError::NotDotnetProgram {
        path: dll.display().to_string(),
        reason: format!(
            "is self-contained, but its executable {} is missing",
            host.file_name().unwrap_or_default().to_string_lossy()
        ),
        hint: "publish it again, or build it framework-dependent".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_that_would_be_options_or_paths_are_refused() {
        assert_eq!(configuration(None).unwrap(), "Debug");
        assert_eq!(configuration(Some("Release")).unwrap(), "Release");
        for name in ["", "-p:X=1", "../x", "a/b", "a;b", "\"q\""] {
            assert!(configuration(Some(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn the_callers_variables_win_and_null_removes() {
        let own = [("A".to_owned(), Some("own".to_owned())), ("B".to_owned(), None)];
        let profile = [
            ("A".to_owned(), "profile".to_owned()),
            ("B".to_owned(), "profile".to_owned()),
            ("C".to_owned(), "profile".to_owned()),
        ];
        let value = |name: &str| setting(name, &own, &profile).map(|value| value.into_string().unwrap());
        assert_eq!(value("A").as_deref(), Some("own"));
        assert_eq!(value("B"), None);
        assert_eq!(value("C").as_deref(), Some("profile"));
    }

    #[test]
    fn a_relative_program_is_taken_against_the_callers_cwd_first() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let cwd = base.join("sub");
        std::fs::create_dir(&cwd).unwrap();
        for project in [cwd.join("Both.csproj"), base.join("Both.csproj"), base.join("Above.csproj")] {
            std::fs::write(project, "<Project/>").unwrap();
        }
        let found = |program, cwd: Option<&Path>| match locate_from(program, cwd, &base) {
            Ok(Located::Project(project)) => project,
            other => panic!("{program}: {other:?}"),
        };
        assert_eq!(found("Both.csproj", Some(&cwd)), cwd.join("Both.csproj"));
        assert_eq!(found("Both.csproj", None), base.join("Both.csproj"));
        assert_eq!(found("Above.csproj", Some(&cwd)), base.join("Above.csproj"));
        let error = locate_from("None.csproj", Some(&cwd), &base).unwrap_err().to_string();
        assert!(error.contains("sub/None.csproj"), "{error}");
    }

    #[test]
    fn dll_without_a_usable_runtimeconfig_is_refused_with_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let dll = dir.path().join("My.Lib.dll");
        std::fs::write(&dll, "").unwrap();
        let message = || runtime_config(&dll).unwrap_err().to_string();
        assert!(
            message().ends_with(
                "is a library or was not built as a program: there is no My.Lib.runtimeconfig.json next to it"
            ),
            "{}",
            message()
        );
        std::fs::write(dir.path().join("My.Lib.runtimeconfig.json"), "{").unwrap();
        assert!(message().contains("cannot start: My.Lib.runtimeconfig.json is not valid JSON"), "{}", message());
    }
}
