//! `Properties/launchSettings.json`: what `dotnet run --launch-profile` does to a process (measured).

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::jsonc;
use super::launch_profile::LaunchProfile;

/// Where the file of a project is.
pub fn file(project: &Path) -> PathBuf {
    project.join("Properties").join("launchSettings.json")
}

/// The profiles that start the project itself, in their order.
///
/// # Errors
/// Why the file cannot be read, as the end of a sentence about it.
pub fn profiles(file: &Path) -> Result<Vec<LaunchProfile>, String> {
    parse(&std::fs::read_to_string(file).map_err(|error| format!("cannot be read: {error}"))?)
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
pub(super) fn split_arguments(text: &str) -> Vec<String> {
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

    #[test]
    fn a_profile_brings_urls_variables_and_arguments() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("Properties")).unwrap();
        std::fs::write(file(dir.path()), SETTINGS).unwrap();
        let [http, bare] = &profiles(&file(dir.path())).unwrap()[..] else { panic!("two") };
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
        assert_eq!(bare.working_directory.as_deref(), Some("data"));
        let missing = profiles(&dir.path().join("missing")).unwrap_err();
        assert!(missing.starts_with("cannot be read: "), "{missing}");
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
