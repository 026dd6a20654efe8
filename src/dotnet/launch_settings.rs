//! `Properties/launchSettings.json`: what `dotnet run --launch-profile` does to a process (measured).

use std::path::Path;

use serde_json::Value;

use super::{DotnetError, jsonc};

/// What a profile changes about a start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchProfile {
    pub name: String,
    /// Come before the caller's own arguments.
    pub args: Vec<String>,
    /// The caller's own variables win over these.
    pub env: Vec<(String, String)>,
    /// Relative to the project's folder.
    pub working_directory: Option<String>,
}

/// Where the file is.
fn file(project_dir: &Path) -> std::path::PathBuf {
    project_dir.join("Properties").join("launchSettings.json")
}

/// Names of the profiles that start the project itself, in their order; empty without a (readable) file.
pub fn profile_names(project_dir: &Path) -> Vec<String> {
    std::fs::read_to_string(file(project_dir))
        .ok()
        .and_then(|text| parse(&text).ok())
        .unwrap_or_default()
        .into_iter()
        .map(|p| p.name)
        .collect()
}

/// The profile `name` of the project in `project_dir`.
pub fn load(project_dir: &Path, name: &str) -> Result<LaunchProfile, DotnetError> {
    let path = file(project_dir);
    let wrong = |message: String, hint: String| DotnetError::InvalidArgument {
        argument: "launch_profile".into(),
        message,
        hint,
    };
    let text = std::fs::read_to_string(&path).map_err(|error| {
        wrong(
            format!("no launch profiles: {}: {error}", path.display()),
            "leave launch_profile out; args and env do the same".into(),
        )
    })?;
    let profiles = parse(&text).map_err(|why| {
        wrong(format!("{} {why}", path.display()), "mend the file or leave launch_profile out".into())
    })?;
    let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    let list = if names.is_empty() {
        "it has none that starts the project".to_owned()
    } else {
        format!("use one of: {}", names.join(", "))
    };
    let exact = profiles.iter().find(|profile| profile.name == name);
    let found = exact.or_else(|| profiles.iter().find(|profile| profile.name.eq_ignore_ascii_case(name)));
    found.cloned().ok_or_else(|| wrong(format!("no launch profile {name} in {}", path.display()), list))
}

/// Profiles with `commandName` Project; the others (IIS Express, Docker, Executable) start something else.
fn parse(text: &str) -> Result<Vec<LaunchProfile>, String> {
    let json = jsonc::parse(text).map_err(|error| format!("is not valid JSON: {error}"))?;
    let profiles = json.get("profiles").and_then(Value::as_object).ok_or("has no profiles")?;
    let own = profiles.iter().filter(|(_, profile)| {
        text_of(profile, "commandName").is_some_and(|command| command.eq_ignore_ascii_case("Project"))
    });
    Ok(own.map(|(name, profile)| read(name, profile)).collect())
}

fn text_of<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn read(name: &str, profile: &Value) -> LaunchProfile {
    let mut env: Vec<(String, String)> = vec![("DOTNET_LAUNCH_PROFILE".into(), name.into())];
    if let Some(urls) = text_of(profile, "applicationUrl") {
        env.push(("ASPNETCORE_URLS".into(), urls.into()));
    }
    // Not expanded: `$(TargetFramework)` reaches the program as it is (measured with SDK 10.0.401).
    let variables = profile.get("environmentVariables").and_then(Value::as_object).into_iter().flatten();
    for (key, value) in variables.filter_map(|(key, value)| Some((key, value.as_str()?))) {
        env.retain(|(known, _)| known != key);
        env.push((key.clone(), value.into()));
    }
    LaunchProfile {
        name: name.into(),
        args: split_arguments(text_of(profile, "commandLineArgs").unwrap_or_default()),
        env,
        working_directory: text_of(profile, "workingDirectory").map(str::to_owned),
    }
}

/// Splits as `dotnet run` does: blanks separate, double quotes group, `\"` is a quote, other backslashes stay.
fn split_arguments(text: &str) -> Vec<String> {
    let mut args = Vec::new();
    let mut current: Option<String> = None;
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                quoted = !quoted;
                current.get_or_insert_default();
            }
            '\\' if chars.next_if_eq(&'"').is_some() => current.get_or_insert_default().push('"'),
            c if c.is_whitespace() && !quoted => args.extend(current.take()),
            c => current.get_or_insert_default().push(c),
        }
    }
    args.extend(current);
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = r#"{
        // as the templates write it, with what people add
        "$schema": "https://json.schemastore.org/launchsettings.json",
        "profiles": {
            "IIS": { "commandName": "IISExpress" },
            "http": {
                "commandName": "Project",
                "applicationUrl": "http://localhost:5123;https://localhost:7123",
                "commandLineArgs": "--foo \"b c\" plain",
                "environmentVariables": { "ASPNETCORE_ENVIRONMENT": "Development", "T": "$(TargetFramework)", "N": 7, },
            },
            "bare": { "commandName": "Project", "workingDirectory": "data" },
        },
    }"#;

    fn project() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("Properties")).unwrap();
        std::fs::write(file(dir.path()), SETTINGS).unwrap();
        dir
    }

    #[test]
    fn a_profile_brings_urls_variables_and_arguments() {
        let dir = project();
        let http = load(dir.path(), "http").unwrap();
        let env: Vec<String> = http.env.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(
            env,
            [
                "DOTNET_LAUNCH_PROFILE=http",
                "ASPNETCORE_URLS=http://localhost:5123;https://localhost:7123",
                "ASPNETCORE_ENVIRONMENT=Development",
                "T=$(TargetFramework)",
            ]
        );
        assert_eq!(http.args, ["--foo", "b c", "plain"]);
        assert_eq!(load(dir.path(), "BARE").unwrap().working_directory.as_deref(), Some("data"));
    }

    #[test]
    fn an_unknown_profile_lists_those_that_start_the_project() {
        let dir = project();
        let error = load(dir.path(), "https").unwrap_err();
        assert!(error.to_string().starts_with("no launch profile https in "), "{error}");
        assert_eq!(error.hint(), "use one of: http, bare");
        assert!(load(dir.path(), "IIS").is_err());
        let none = load(&dir.path().join("missing"), "http").unwrap_err();
        assert!(none.to_string().starts_with("no launch profiles: "), "{none}");
        assert_eq!(profile_names(dir.path()), ["http", "bare"]);
    }

    #[test]
    fn command_lines_are_split_like_dotnet_run_does() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("  a   b ", &["a", "b"]),
            (r#"--foo "b c""#, &["--foo", "b c"]),
            (r#"a"b c"d"#, &["ab cd"]),
            (r#"\"q\""#, &["\"q\""]),
            (r#""""#, &[""]),
            (r"C:\dir\x", &[r"C:\dir\x"]),
            (r#""open end"#, &["open end"]),
        ];
        for (text, expected) in cases {
            assert_eq!(split_arguments(text), *expected, "{text}");
        }
    }
}
