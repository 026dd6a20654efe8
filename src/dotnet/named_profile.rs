//! The launch profile that a caller names, among those of the project and of its editor.

use std::path::{Path, PathBuf};

use super::launch_profile::LaunchProfile;
use super::{DotnetError, launch_json, launch_settings};

/// The profile `name` for a program.
///
/// `project`: the project's folder, whose launchSettings.json is asked first. `near`: the folder at or above which `.vscode` is looked
/// for.
///
/// # Errors
/// [`DotnetError::InvalidArgument`] for `launch_profile`: there is none of that name, or it needs what only an editor knows.
pub fn load(name: &str, project: Option<&Path>, near: &Path) -> Result<LaunchProfile, DotnetError> {
    let settings = project.map(launch_settings::file).filter(|file| file.is_file());
    let of_project = match &settings {
        Some(file) => launch_settings::profiles(file).map_err(|why| unreadable(file, &why))?,
        None => Vec::new(),
    };
    let workspace = launch_json::workspace(near);
    let of_editor = match &workspace {
        Some(folder) => {
            launch_json::configurations(folder).map_err(|why| unreadable(&launch_json::file(folder), &why))?
        }
        None => Vec::new(),
    };
    let configured = of_editor.iter().map(|configuration| (&configuration.profile, configuration.unusable.as_ref()));
    let all: Vec<(&LaunchProfile, Option<&String>)> =
        of_project.iter().map(|profile| (profile, None)).chain(configured).collect();
    let exact = all.iter().find(|(profile, _)| profile.name == name);
    match exact.or_else(|| all.iter().find(|(profile, _)| profile.name.eq_ignore_ascii_case(name))) {
        Some((profile, None)) => Ok((*profile).clone()),
        Some((profile, Some(why))) => Err(wrong(
            format!("launch profile {} {why}", profile.name),
            "omit launch_profile and pass args, env and cwd instead",
        )),
        None => {
            let files: Vec<PathBuf> = settings.into_iter().chain(workspace.as_deref().map(launch_json::file)).collect();
            Err(unknown(name, &files, &all))
        }
    }
}

fn unknown(name: &str, files: &[PathBuf], all: &[(&LaunchProfile, Option<&String>)]) -> DotnetError {
    if files.is_empty() {
        return wrong(
            format!(
                "no launch profile {name}: the program has neither Properties/launchSettings.json nor .vscode/launch.json"
            ),
            "omit launch_profile and pass args, env and cwd instead",
        );
    }
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let names: Vec<&str> =
        all.iter().filter(|(_, unusable)| unusable.is_none()).map(|(profile, _)| profile.name.as_str()).collect();
    let hint = match names.is_empty() {
        true => "omit launch_profile: no profile there starts a .NET program".to_owned(),
        false => format!("use one of: {}", names.join(", ")),
    };
    wrong(format!("no launch profile {name} in {}", files.join(" or ")), hint)
}

fn unreadable(file: &Path, why: &str) -> DotnetError {
    wrong(format!("{} {why}", file.display()), "correct the file or omit launch_profile")
}

fn wrong(message: String, hint: impl Into<String>) -> DotnetError {
    DotnetError::InvalidArgument { argument: "launch_profile".into(), message, hint: hint.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = r#"{"profiles": {
        "http": {"commandName": "Project", "commandLineArgs": "--web"},
        "IIS": {"commandName": "IISExpress"}
    }}"#;
    const LAUNCH: &str = r#"{"configurations": [
        {"name": "http", "type": "coreclr", "request": "launch", "program": "x.dll", "args": ["--editor"]},
        {"name": "Tool", "type": "coreclr", "request": "launch", "program": "x.dll", "args": ["a b"]},
        {"name": "Pick", "type": "coreclr", "request": "launch", "program": "${command:pick}"}
    ]}"#;

    /// A repository with one project below it.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("src/App");
        std::fs::create_dir_all(project.join("Properties")).unwrap();
        std::fs::write(project.join("Properties/launchSettings.json"), SETTINGS).unwrap();
        std::fs::create_dir(dir.path().join(".vscode")).unwrap();
        std::fs::write(dir.path().join(".vscode/launch.json"), LAUNCH).unwrap();
        (dir, project)
    }

    #[test]
    fn the_projects_profiles_come_before_the_editors() {
        let (_dir, project) = repository();
        let args = |name: &str| load(name, Some(&project), &project).unwrap().args;
        assert_eq!(args("http"), ["--web"]);
        assert_eq!(args("TOOL"), ["a b"]);
    }

    #[test]
    fn an_unknown_profile_lists_those_that_can_be_used() {
        let (dir, project) = repository();
        let error = load("https", Some(&project), &project).unwrap_err();
        assert!(error.to_string().starts_with("no launch profile https in "), "{error}");
        assert_eq!(error.hint(), "use one of: http, http, Tool");
        let error = load("Pick", Some(&project), &project).unwrap_err().to_string();
        assert_eq!(error, "launch profile Pick needs ${command:pick}, which only the editor can expand");
        std::fs::remove_dir_all(dir.path().join(".vscode")).unwrap();
        assert!(load("IIS", Some(&project), &project).is_err());
        let error = load("x", None, &project).unwrap_err().to_string();
        assert!(error.contains("neither Properties/launchSettings.json nor .vscode/launch.json"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_json_is_named() {
        let (dir, project) = repository();
        std::fs::write(dir.path().join(".vscode/launch.json"), "{").unwrap();
        let error = load("http", Some(&project), &project).unwrap_err().to_string();
        assert!(error.contains("/.vscode/launch.json is not valid JSON"), "{error}");
    }
}
