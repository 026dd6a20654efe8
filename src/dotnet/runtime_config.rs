//! `X.runtimeconfig.json`: what makes a dll a program, and which frameworks it wants.

use std::path::Path;

use serde_json::Value;

use super::roll_forward::{RollForward, Version, choose};
use super::{Dotnet, DotnetError, jsonc};
use crate::environment::Lookup;

/// What the file says, as far as a start depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuntimeConfig {
    /// `net10.0`; absent in hand-written files.
    pub target_framework: Option<String>,
    /// Wanted shared frameworks; empty for a self-contained program.
    pub frameworks: Vec<Framework>,
    /// The runtime lies beside the dll (`includedFrameworks`): its apphost starts it, `dotnet X.dll` does not.
    pub self_contained: bool,
}

/// One wanted framework.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Framework {
    pub name: String,
    pub version: String,
    pub roll_forward: Option<RollForward>,
}

impl RuntimeConfig {
    /// The error is a clause that follows the file's name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let json = jsonc::parse(text).map_err(|error| format!("is not valid JSON: {error}"))?;
        let options = json.get("runtimeOptions").and_then(Value::as_object).ok_or("has no runtimeOptions")?;
        let text_of = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let roll_forward = |value: Option<&Value>| value.and_then(Value::as_str).and_then(RollForward::parse);
        let general = roll_forward(options.get("rollForward"));
        let listed = options.get("frameworks").and_then(Value::as_array).into_iter().flatten();
        let frameworks = options.get("framework").into_iter().chain(listed).filter_map(|framework| {
            Some(Framework {
                name: text_of(framework.get("name"))?,
                version: text_of(framework.get("version"))?,
                roll_forward: roll_forward(framework.get("rollForward")).or(general),
            })
        });
        let frameworks: Vec<Framework> = frameworks.collect();
        let self_contained = frameworks.is_empty() && options.contains_key("includedFrameworks");
        if frameworks.is_empty() && !self_contained {
            return Err("does not specify a framework".into());
        }
        Ok(Self { target_framework: text_of(options.get("tfm")), frameworks, self_contained })
    }

    /// Refuses a program whose frameworks are not installed, as the host would, but before it is started.
    pub fn check(&self, dll: &Path, dotnet: &Dotnet, env: Lookup<'_>) -> Result<(), DotnetError> {
        let setting = |name: &str| env(name).and_then(|value| value.into_string().ok());
        let forced = setting("DOTNET_ROLL_FORWARD").and_then(|text| RollForward::parse(&text));
        let prereleases = setting("DOTNET_ROLL_FORWARD_TO_PRERELEASE").is_some_and(|text| text == "1");
        let installed = dotnet.runtimes();
        for framework in &self.frameworks {
            // A version that we cannot read is the host's to judge.
            let Some(wanted) = Version::parse(&framework.version) else {
                continue;
            };
            let of_name = installed.iter().filter(|(name, _)| *name == framework.name);
            let versions: Vec<Version> = of_name.filter_map(|(_, version)| Version::parse(version)).collect();
            let rule = forced.or(framework.roll_forward).unwrap_or_default();
            if choose(&wanted, rule, prereleases, &versions).is_none() {
                return Err(missing(framework, rule, &versions, dll, dotnet));
            }
        }
        Ok(())
    }
}

fn missing(framework: &Framework, rule: RollForward, versions: &[Version], dll: &Path, dotnet: &Dotnet) -> DotnetError {
    let name = dll.file_name().unwrap_or(dll.as_os_str()).to_string_lossy();
    let have = match versions {
        [] => "none".to_owned(),
        versions => versions.iter().map(Version::to_string).collect::<Vec<_>>().join(", "),
    };
    let rule = if rule == RollForward::default() { String::new() } else { format!(" (rollForward {rule:?})") };
    let message =
        format!("{name} requires {} {}{rule}; {} has {have}", framework.name, framework.version, dotnet.root.display());
    let wanted = Version::parse(&framework.version);
    let newer = wanted.is_some_and(|wanted| versions.iter().any(|v| *v > wanted));
    let hint = if newer {
        format!(
            "install {} {}, or launch with env {{\"DOTNET_ROLL_FORWARD\":\"Major\"}}",
            framework.name, framework.version
        )
    } else {
        format!("install {} {}, or set DOTNET_ROOT to a .NET that has it", framework.name, framework.version)
    };
    DotnetError::RuntimeNotFound { message, hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn frameworks_are_read_in_all_their_forms() {
        let one = RuntimeConfig::parse(
            r#"{"runtimeOptions":{"tfm":"net10.0","framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}"#,
        )
        .unwrap();
        assert_eq!(one.target_framework.as_deref(), Some("net10.0"));
        assert_eq!(one.frameworks.len(), 1);
        let web = r#"{"runtimeOptions":{"rollForward":"Major","frameworks":[
            {"name":"Microsoft.NETCore.App","version":"10.0.0"},
            {"name":"Microsoft.AspNetCore.App","version":"10.0.0","rollForward":"disable"},]}}"#;
        let web = RuntimeConfig::parse(web).unwrap();
        let rules: Vec<_> = web.frameworks.iter().map(|framework| framework.roll_forward).collect();
        assert_eq!(rules, [Some(RollForward::Major), Some(RollForward::Disable)]);
        let own = r#"{"runtimeOptions":{"includedFrameworks":[{"name":"Microsoft.NETCore.App","version":"10.0.12"}]}}"#;
        assert!(RuntimeConfig::parse(own).unwrap().self_contained);
    }

    #[test]
    fn a_broken_file_says_what_is_wrong() {
        for (text, expected) in [
            ("{", "is not valid JSON: EOF"),
            ("", "is not valid JSON"),
            ("[]", "has no runtimeOptions"),
            (r#"{"runtimeOptions":{}}"#, "does not specify a framework"),
            (r#"{"runtimeOptions":{"framework":{"name":7}}}"#, "does not specify a framework"),
        ] {
            let error = RuntimeConfig::parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_missing_framework_shows_what_is_wanted_and_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        for version in ["8.0.33", "10.0.12"] {
            std::fs::create_dir_all(dir.path().join("shared/Microsoft.NETCore.App").join(version)).unwrap();
        }
        let dotnet = Dotnet { root: dir.path().into(), host: dir.path().join("dotnet") };
        let wants = |name: &str, version: &str| RuntimeConfig {
            frameworks: vec![Framework { name: name.into(), version: version.into(), roll_forward: None }],
            ..RuntimeConfig::default()
        };
        let dll = Path::new("/x/App.dll");
        let core = "Microsoft.NETCore.App";
        assert!(wants(core, "10.0.0").check(dll, &dotnet, &|_| None).is_ok());
        let error = wants(core, "9.0.0").check(dll, &dotnet, &|_| None).unwrap_err();
        let expected = format!("App.dll requires {core} 9.0.0; {} has 8.0.33, 10.0.12", dir.path().display());
        assert_eq!(error.to_string(), expected);
        assert!(error.hint().contains("DOTNET_ROLL_FORWARD"), "{}", error.hint());
        let major = |name: &str| (name == "DOTNET_ROLL_FORWARD").then(|| OsString::from("major"));
        assert!(wants(core, "9.0.0").check(dll, &dotnet, &major).is_ok());
        let error = wants("Microsoft.WindowsDesktop.App", "10.0.0").check(dll, &dotnet, &|_| None).unwrap_err();
        assert!(error.to_string().ends_with("has none"), "{error}");
        assert!(!error.hint().contains("ROLL_FORWARD"));
    }
}
