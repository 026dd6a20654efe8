//! `.vscode/launch.json`: what VS Code's C# extension starts (types `coreclr` and `dotnet`, request `launch`).
//!
//! Source: the extension's debugger-launchjson.md, and VS Code's reference of variables.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::jsonc;
use super::launch_profile::LaunchProfile;
use crate::environment::process_env;

/// A configuration that starts a .NET program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Configuration {
    pub profile: LaunchProfile,
    /// A dll or a project, absolute; `None` where it is not named or not known.
    pub program: Option<PathBuf>,
    /// Why it cannot be used without the editor.
    pub unusable: Option<String>,
}

/// The file of a workspace folder.
pub fn file(workspace: &Path) -> PathBuf {
    workspace.join(".vscode").join("launch.json")
}

/// The nearest folder that has the file: `folder` itself or one above it.
pub fn workspace(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| file(folder).is_file()).map(Path::to_owned)
}

/// What is in the file of `workspace`, in its order.
///
/// # Errors
/// Why it cannot be read, as the end of a sentence about it.
pub fn configurations(workspace: &Path) -> Result<Vec<Configuration>, String> {
    let text = std::fs::read_to_string(file(workspace)).map_err(|error| format!("cannot be read: {error}"))?;
    let json = jsonc::parse(&text).map_err(|error| format!("is not valid JSON: {error}"))?;
    let all = json.get("configurations").and_then(Value::as_array).ok_or("has no configurations")?;
    Ok(all.iter().filter_map(|one| read(one, workspace)).collect())
}

fn read(one: &Value, workspace: &Path) -> Option<Configuration> {
    let text = |key: &str| one.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let program = match (text("type")?, text("request")?) {
        ("coreclr", "launch") => text("program"),
        ("dotnet", "launch") => text("projectPath"),
        _ => return None,
    };
    let mut variables = Variables { workspace, unknown: None };
    let mut env = match text("envFile") {
        Some(file) => variables_of(&workspace.join(variables.expand(file))),
        None => Vec::new(),
    };
    for (name, value) in one.get("env").and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.as_str() {
            env.retain(|(known, _)| known != name);
            env.push((name.clone(), variables.expand(value)));
        }
    }
    let args = match one.get("args") {
        Some(Value::String(line)) => super::launch_settings::split_arguments(&variables.expand(line)),
        Some(Value::Array(args)) => args.iter().filter_map(Value::as_str).map(|arg| variables.expand(arg)).collect(),
        _ => Vec::new(),
    };
    let absolute = |path: String| workspace.join(path);
    let profile = LaunchProfile {
        name: text("name")?.to_owned(),
        args,
        env,
        working_directory: text("cwd").map(|cwd| absolute(variables.expand(cwd)).display().to_string()),
    };
    let program = program.map(|program| absolute(variables.expand(program)));
    let unusable = variables.unknown.map(|name| format!("needs ${{{name}}}, which only the editor can expand"));
    let program = program.filter(|_| unusable.is_none());
    Some(Configuration { profile, program, unusable })
}

/// `NAME=VALUE` a line; a file that is not there has none, as for the extension.
fn variables_of(file: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let pairs = text.lines().filter(|line| !line.trim_start().starts_with('#')).filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// `${…}` in a file's texts.
struct Variables<'a> {
    workspace: &'a Path,
    /// The first one that we do not know.
    unknown: Option<String>,
}

impl Variables<'_> {
    fn expand(&mut self, text: &str) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            expanded.push_str(before);
            let Some((name, after)) = behind.split_once('}') else {
                expanded.push_str("${");
                rest = behind;
                continue;
            };
            match self.value(name) {
                Some(value) => expanded.push_str(&value),
                None => {
                    self.unknown.get_or_insert_with(|| name.to_owned());
                }
            }
            rest = after;
        }
        expanded.push_str(rest);
        expanded
    }

    fn value(&self, name: &str) -> Option<String> {
        let text = |path: &Path| path.display().to_string();
        match name {
            "workspaceFolder" | "workspaceRoot" => Some(text(self.workspace)),
            "workspaceFolderBasename" => Some(text(Path::new(self.workspace.file_name()?))),
            "userHome" => Some(process_env("HOME")?.to_string_lossy().into_owned()),
            "pathSeparator" | "/" => Some(std::path::MAIN_SEPARATOR.to_string()),
            // a variable that is not set is empty, as in VS Code
            _ => name
                .strip_prefix("env:")
                .map(|name| process_env(name).map(|value| value.to_string_lossy().into_owned()).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The configurations of a workspace with that file, and its folder.
    fn configured(text: &str) -> (tempfile::TempDir, Result<Vec<Configuration>, String>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".vscode")).unwrap();
        std::fs::write(file(dir.path()), text).unwrap();
        std::fs::write(dir.path().join("dev.env"), "# comment\nA=1\nB = two words \nbroken\n").unwrap();
        let all = configurations(dir.path());
        (dir, all)
    }

    #[test]
    fn launch_configurations_of_dotnet_programs_are_read() {
        let (dir, all) = configured(
            r#"{
            // as the extension writes it
            "version": "0.2.0",
            "configurations": [
                {
                    "name": ".NET Core Launch (console)", "type": "coreclr", "request": "launch", "preLaunchTask": "build",
                    "program": "${workspaceFolder}/bin/Debug/net10.0/App.dll", "args": ["--to", "${workspaceFolderBasename}"],
                    "cwd": "${workspaceFolder}", "envFile": "${workspaceFolder}/dev.env", "env": {"B": "mine", "N": 7},
                    "console": "internalConsole", "stopAtEntry": false,
                },
                {"name": "C#: App", "type": "dotnet", "request": "launch", "projectPath": "src/App/App.csproj"},
                {"name": "Line", "type": "coreclr", "request": "launch", "program": "a.dll", "args": "one \"two words\""},
                {"name": "Attach", "type": "coreclr", "request": "attach"},
                {"name": "Page", "type": "chrome", "request": "launch"},
            ],
        }"#,
        );
        let at = |path: &str| dir.path().join(path);
        let [console, project, line] = &all.unwrap()[..] else { panic!("three") };
        let folder = dir.path().file_name().unwrap().to_string_lossy();
        assert_eq!(console.profile.args, ["--to", &folder]);
        assert_eq!(console.profile.env, [("A", "1"), ("B", "mine")].map(|(name, value)| (name.into(), value.into())));
        assert_eq!(console.profile.working_directory.as_deref(), dir.path().to_str());
        assert_eq!(console.program, Some(at("bin/Debug/net10.0/App.dll")));
        assert_eq!(project.program, Some(at("src/App/App.csproj")));
        assert_eq!(line.profile.args, ["one", "two words"]);
        assert_eq!(workspace(&at("src/App")), Some(dir.path().to_owned()));
    }

    #[test]
    fn what_only_the_editor_knows_makes_it_unusable() {
        let (_dir, all) = configured(
            r#"{"configurations": [{"name": "x", "type": "coreclr", "request": "launch", "program": "${file}", "args": ["${open"]}]}"#,
        );
        let all = all.unwrap();
        assert_eq!(all[0].unusable.as_deref(), Some("needs ${file}, which only the editor can expand"));
        assert_eq!(all[0].profile.args, ["${open"]);
    }

    #[test]
    fn a_file_without_configurations_says_so() {
        assert!(configured("{").1.unwrap_err().starts_with("is not valid JSON: "));
        assert_eq!(configured("{}").1.unwrap_err(), "has no configurations");
    }
}
