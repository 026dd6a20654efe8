//! Which of a project's target frameworks is meant.

use super::Dotnet;
use super::project::ProjectFile;
use super::roll_forward::Version;

/// The newest target framework whose runtime is installed, else the newest; `None` when only MSBuild knows them.
pub(super) fn framework(project: &ProjectFile, dotnet: &Dotnet) -> Option<String> {
    newest(&project.target_frameworks(), &installed(Some(dotnet)))
}

pub(super) fn newest(frameworks: &[String], installed: &[u32]) -> Option<String> {
    by_preference(frameworks.to_vec(), installed).into_iter().next()
}

/// The framework to pass to MSBuild, for a project that has several.
pub(super) fn preferred(project: &ProjectFile, dotnet: &Dotnet) -> Option<String> {
    let frameworks = if project.is_multi_targeted() { project.target_frameworks() } else { vec![] };
    by_preference(frameworks, &installed(Some(dotnet))).into_iter().next()
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
}
