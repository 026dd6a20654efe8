//! Which adapter is used, and where it is looked for: flag or config file, environment variable, PATH, our store, in that order.
//!
//! Where no adapter is chosen, one that is set wins; then the built-in engine, where it works; then one that is found. A wrong explicit setting is an error that names it; a default location without an adapter is not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::adapters::KNOWN;
use super::error::BackendError;
use super::known::{Installed, Known, Program};
use super::problem::Problem;
use super::profile::{Command, Profile, Reason};
use super::settings::AdapterSettings;
use super::{external, replay, version};
use crate::environment::{Lookup, process_env};

/// The choice that is made where none is given.
const AUTO: &str = "auto";

/// What an adapter runs in a .NET of its own.
const MANAGED: &str = "ManagedPart.dll";

/// One adapter for `doctor` and health checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub name: String,
    pub path: PathBuf,
    pub version: Option<String>,
    /// Why it cannot be used, or not wholly.
    pub problem: Option<Problem>,
}

/// The adapter that the settings choose.
///
/// Asks a new adapter for its version, once per file (2 ms, 3 s at most).
pub async fn find(settings: &AdapterSettings) -> Result<Profile, BackendError> {
    find_with(settings, &process_env).await
}

/// [`find`] with the environment as a value.
pub async fn find_with(settings: &AdapterSettings, env: Lookup<'_>) -> Result<Profile, BackendError> {
    Ok(choose(settings, env).await?.0)
}

/// [`find`], and why it is this one.
pub async fn chosen(settings: &AdapterSettings) -> Result<(Profile, Reason), BackendError> {
    choose(settings, &process_env).await
}

async fn choose(settings: &AdapterSettings, env: Lookup<'_>) -> Result<(Profile, Reason), BackendError> {
    let choice = if settings.backend.is_empty() { AUTO } else { settings.backend.as_str() };
    if let Some(file) = choice.strip_prefix(replay::PREFIX) {
        return Ok((replay::open(Path::new(file))?, Reason::Asked));
    }
    if choice == external::NAME {
        return Ok((external::find(&settings.external, env("PATH"))?, Reason::Asked));
    }
    let is_auto = choice == AUTO;
    let wanted: Vec<&Known> = KNOWN.iter().copied().filter(|known| is_auto || choice == known.name).collect();
    let because = |reason: Reason| if is_auto { reason } else { Reason::Asked };
    let installed = || wanted.iter().filter_map(|known| Some((*known, known.installed()?)));
    for (known, how) in installed() {
        if let Some((program, setting)) = set(known.name, how, settings, env)? {
            return Ok((profile(known, how, program).await?, because(Reason::Set(setting))));
        }
    }
    for known in &wanted {
        if let Program::Ourselves { args, works } = known.program
            && (works || !is_auto)
        {
            return Ok((ourselves(known, args)?, because(Reason::NeedsNothing)));
        }
    }
    for (known, how) in installed() {
        if let Some(program) = found(known.name, env) {
            return Ok((profile(known, how, program).await?, because(Reason::Found)));
        }
    }
    let (first, how) = installed().next().ok_or_else(|| BackendError::Unknown(choice.to_owned()))?;
    Err(BackendError::NotFound { name: first.name, variable: how.variable, store: shown_store(env) })
}

/// Every adapter that `find` could return, with what is wrong with it. Those that are nowhere are left out.
pub async fn all(settings: &AdapterSettings) -> Vec<Found> {
    all_with(settings, &process_env).await
}

/// [`all`] with the environment as a value.
pub async fn all_with(settings: &AdapterSettings, env: Lookup<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for known in KNOWN {
        match &known.program {
            Program::Installed(how) => found.extend(examine(known, how, settings, env).await),
            Program::Ourselves { args, .. } => found.extend(ourselves(known, args).ok().map(|profile| Found {
                name: profile.name,
                path: profile.command.program,
                version: profile.version,
                problem: None,
            })),
        }
    }
    if let Some(program) = settings.external.first() {
        let name = external::NAME.to_owned();
        found.push(match external::find(&settings.external, env("PATH")) {
            Ok(profile) => Found { name, path: profile.command.program, version: None, problem: None },
            Err(error) => Found { name, path: program.into(), version: None, problem: Some(error.to_string().into()) },
        });
    }
    found
}

async fn examine(known: &Known, how: &Installed, settings: &AdapterSettings, env: Lookup<'_>) -> Option<Found> {
    let name = known.name.to_owned();
    let path = match locate(known.name, how, settings, env) {
        Ok(path) => path?,
        Err(BackendError::WrongPath { setting, path, reason }) => {
            return Some(Found { name, path, version: None, problem: Some(format!("{setting} {reason}").into()) });
        }
        Err(error) => {
            return Some(Found { name, path: PathBuf::new(), version: None, problem: Some(error.to_string().into()) });
        }
    };
    let (version, problem) = match version::ask(&path).await {
        Ok(version) => (version, missing_parts(&path, known)),
        Err(problem) => (None, Some(problem)),
    };
    Some(Found { name, path, version, problem })
}

/// The files that must lie beside the executable.
fn missing_parts(path: &Path, known: &Known) -> Option<Problem> {
    let folder = path.canonicalize().ok()?.parent()?.to_owned();
    let shim = if cfg!(windows) {
        "dbgshim.dll"
    } else if cfg!(target_os = "macos") {
        "libdbgshim.dylib"
    } else {
        "libdbgshim.so"
    };
    let managed = (known.quirks)().hosts_clr.then_some(MANAGED);
    let missing: Vec<&str> = std::iter::once(shim).chain(managed).filter(|name| !folder.join(name).is_file()).collect();
    (!missing.is_empty()).then_some(Problem::Incomplete(missing))
}

/// The managed half of an adapter that looks for it beside itself: without it no program starts, which takes it 15 s to say. What starts
/// the adapter from elsewhere (a distribution's wrapper) does not name that file.
fn missing_managed(program: &Path, known: &Known) -> Option<&'static str> {
    let program = program.canonicalize().ok()?;
    if !(known.quirks)().hosts_clr || program.parent()?.join(MANAGED).is_file() {
        return None;
    }
    let code = std::fs::read(&program).ok()?;
    let name = MANAGED.strip_suffix(".dll")?.as_bytes();
    (code.starts_with(b"\x7fELF") && code.windows(name.len()).any(|part| part == name)).then_some(MANAGED)
}

/// One that runs from the file of this process, where that is clrbridge.
fn ourselves(known: &Known, args: &[&str]) -> Result<Profile, BackendError> {
    let unusable = |reason: String| BackendError::Unusable { what: format!("backend {}", known.name), reason };
    // any other program, as one of tests, would take the arguments for its own
    if crate::process::keeper::program().is_none() {
        return Err(unusable("this executable is not clrbridge".into()));
    }
    let program = std::env::current_exe()
        .map_err(|error| unusable(format!("the path of this executable is unknown: {error}")))?;
    let command = Command { program, args: args.iter().map(OsString::from).collect(), env: vec![] };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    Ok(Profile { name: known.name.into(), command, version, quirks: (known.quirks)(), recording: None })
}

async fn profile(known: &Known, how: &Installed, program: PathBuf) -> Result<Profile, BackendError> {
    let version = version::ask(&program).await.map_err(|problem| BackendError::Unusable {
        what: program.display().to_string(),
        reason: problem.to_string(),
    })?;
    if let Some(managed) = missing_managed(&program, known) {
        return Err(BackendError::Incomplete { program, missing: managed });
    }
    let mut quirks = (known.quirks)();
    if let Some(version) = &version {
        (how.adjust)(&mut quirks, version);
    }
    let command = Command { program, args: how.args.iter().map(OsString::from).collect(), env: vec![] };
    Ok(Profile { name: known.name.into(), command, version, quirks, recording: None })
}

/// The executable of a known adapter, `None` when it is nowhere.
fn locate(
    name: &str,
    how: &Installed,
    settings: &AdapterSettings,
    env: Lookup<'_>,
) -> Result<Option<PathBuf>, BackendError> {
    Ok(set(name, how, settings, env)?.map(|(program, _)| program).or_else(|| found(name, env)))
}

/// Where the user says that it is, and the setting that says so.
fn set(
    name: &str,
    how: &Installed,
    settings: &AdapterSettings,
    env: Lookup<'_>,
) -> Result<Option<(PathBuf, String)>, BackendError> {
    if let Some(path) = settings.paths.get(name) {
        return Ok(Some((explicit(name, &format!("--{name}"), path)?, format!("--{} or {}", name, how.variable))));
    }
    match env(how.variable) {
        Some(path) => Ok(Some((explicit(name, how.variable, Path::new(&path))?, how.variable.to_owned()))),
        None => Ok(None),
    }
}

/// On PATH or in our store.
fn found(name: &str, env: Lookup<'_>) -> Option<PathBuf> {
    let here = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let on_path = env("PATH").and_then(|path| which::which_in(name, Some(path), here).ok());
    on_path.or_else(|| stored(name, env))
}

/// A file, or a folder that holds it.
fn explicit(name: &str, setting: &str, path: &Path) -> Result<PathBuf, BackendError> {
    let wrong = |reason: String| BackendError::WrongPath { setting: setting.to_owned(), path: path.to_owned(), reason };
    let absolute = std::path::absolute(path).map_err(|error| wrong(format!("is not a valid path: {error}")))?;
    if absolute.is_dir() {
        let inside = inside(name, &absolute);
        return inside.ok_or_else(|| wrong(format!("is a folder without an executable {}", name)));
    }
    if !absolute.exists() {
        return Err(wrong("does not exist".into()));
    }
    if !is_executable(&absolute) {
        return Err(wrong("is not executable".into()));
    }
    Ok(absolute)
}

/// Release archives hold one folder of their own name.
fn inside(name: &str, folder: &Path) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    [folder.join(&file), folder.join(name).join(&file)].into_iter().find(|path| is_executable(path))
}

/// The newest in our store: `<store>/<name>` itself or one folder a version below it.
fn stored(name: &str, env: Lookup<'_>) -> Option<PathBuf> {
    let folder = store(env)?.join(name);
    let mut versions: Vec<(Vec<u32>, PathBuf)> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (numbers(&entry.file_name().to_string_lossy()), entry.path()))
        .collect();
    versions.sort();
    versions.iter().rev().find_map(|(_, folder)| inside(name, folder)).or_else(|| inside(name, &folder))
}

fn numbers(version: &str) -> Vec<u32> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

fn store(env: Lookup<'_>) -> Option<PathBuf> {
    let data = env("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(Path::new(&env("HOME")?).join(".local/share")))?;
    Some(data.join("clrbridge"))
}

fn shown_store(env: Lookup<'_>) -> String {
    match store(env) {
        Some(store) if env("XDG_DATA_HOME").is_some() => store.display().to_string(),
        _ => "~/.local/share/clrbridge".into(),
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests;
