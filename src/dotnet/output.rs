//! Where the builds of a project go, without building: from its text where that is certain, else from MSBuild.

use std::path::PathBuf;

use super::project::ProjectFile;
use super::roll_forward::Version;
use super::{Dotnet, DotnetError, build};

/// One build of a project: its dll need not be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProjectOutput {
    pub dll: PathBuf,
    /// `net10.0`; `None` when only MSBuild knows it.
    pub framework: Option<String>,
}

/// The output as the text tells it: of several target frameworks the preferred one that was built, else the preferred one.
/// `None` when only MSBuild knows.
pub(crate) fn plain(project: &ProjectFile, configuration: &str, dotnet: Option<&Dotnet>) -> Option<ProjectOutput> {
    let frameworks = by_preference(project.target_frameworks(), &installed(dotnet));
    let outputs = frameworks.into_iter().map(|framework| {
        let dll = project.plain_output(configuration, &framework)?;
        Some(ProjectOutput { dll, framework: Some(framework) })
    });
    let outputs: Vec<ProjectOutput> = outputs.collect::<Option<_>>()?;
    outputs.iter().find(|output| output.dll.is_file()).or(outputs.first()).cloned()
}

/// The output as MSBuild tells it (0.4 s, once per version of the project's files). `phase` hears that it is asked.
pub(crate) async fn asked(
    project: &ProjectFile,
    configuration: &str,
    dotnet: &Dotnet,
    phase: &impl Fn(&str),
) -> Result<ProjectOutput, DotnetError> {
    let known = by_preference(project.target_frameworks(), &installed(Some(dotnet))).into_iter().next();
    let framework = known.clone().filter(|_| project.is_multi_targeted());
    let dll = build::target_path(&project.path, configuration, framework.as_deref(), dotnet, phase).await?;
    Ok(ProjectOutput { dll, framework: known })
}

/// Major versions of the installed runtimes.
pub(super) fn installed(dotnet: Option<&Dotnet>) -> Vec<u32> {
    let runtimes = dotnet.map(Dotnet::runtimes).unwrap_or_default();
    runtimes.iter().filter_map(|(_, version)| Version::parse(version)).map(|version| version.major).collect()
}

/// Those whose runtime is installed come first, among them the newest.
pub(super) fn by_preference(mut frameworks: Vec<String>, installed: &[u32]) -> Vec<String> {
    frameworks.sort_by_cached_key(|name| {
        // `net10.0-windows` is net10.0; `netstandard2.0` and `net48` cannot be run here.
        let number = name.strip_prefix("netcoreapp").or_else(|| name.strip_prefix("net")).unwrap_or_default();
        let version = Version::parse(number.split('-').next().unwrap_or_default());
        let is_installed = version.as_ref().is_some_and(|version| installed.contains(&version.major));
        std::cmp::Reverse((is_installed, version))
    });
    frameworks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_framework_with_a_runtime_is_preferred() {
        let cases: &[(&str, &[u32], &str)] = &[
            ("net8.0 net10.0", &[8, 10], "net10.0"),
            ("net8.0 net10.0", &[8], "net8.0"),
            ("net10.0 net9.0", &[8], "net10.0"),
            ("netstandard2.0 net8.0", &[8, 10], "net8.0"),
            ("net48 netcoreapp3.1", &[10], "netcoreapp3.1"),
            ("net10.0-windows net8.0", &[8, 10], "net10.0-windows"),
            ("netstandard2.0", &[10], "netstandard2.0"),
        ];
        for (frameworks, installed, expected) in cases {
            let frameworks: Vec<String> = frameworks.split(' ').map(str::to_owned).collect();
            assert_eq!(by_preference(frameworks.clone(), installed)[0], *expected, "{frameworks:?}");
        }
        assert!(by_preference(vec![], &[10]).is_empty());
    }

    #[test]
    fn of_several_frameworks_the_one_that_was_built_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("A.csproj");
        let text = "<Project Sdk=\"x\"><TargetFrameworks>net8.0;net10.0</TargetFrameworks></Project>";
        std::fs::write(&path, text).unwrap();
        let project = ProjectFile::read(&path).unwrap();
        let told = || plain(&project, "Debug", None).unwrap().framework.unwrap();
        assert_eq!(told(), "net10.0");
        std::fs::create_dir_all(dir.path().join("bin/Debug/net8.0")).unwrap();
        std::fs::write(dir.path().join("bin/Debug/net8.0/A.dll"), "").unwrap();
        assert_eq!(told(), "net8.0");
    }
}
