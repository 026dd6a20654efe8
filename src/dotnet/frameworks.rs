//! The shared frameworks that a program of an assembly would run on, found without running it.

use std::path::{Path, PathBuf};

use super::Dotnet;
use super::roll_forward::{Version, choose};
use super::runtime_config::RuntimeConfig;

const BASE: &str = "Microsoft.NETCore.App";

/// Folders with the framework's assemblies, those that the program asks for first. By the `runtimeconfig.json` beside the
/// assembly; a library has none, so it gets the newest installed base framework. Empty where no .NET is found.
pub fn framework_folders(dll: &Path) -> Vec<PathBuf> {
    if let Some((shared, version)) = within_framework(dll) {
        return newest(&shared.join(BASE), Some(&version)).into_iter().collect();
    }
    let Ok(dotnet) = Dotnet::find() else { return Vec::new() };
    let shared = dotnet.root.join("shared");
    let config = std::fs::read_to_string(dll.with_extension("runtimeconfig.json")).ok();
    let config = config.and_then(|text| RuntimeConfig::parse(&text).ok()).unwrap_or_default();
    let mut folders: Vec<PathBuf> = Vec::new();
    for framework in &config.frameworks {
        let home = shared.join(&framework.name);
        let chosen = Version::parse(&framework.version)
            .and_then(|wanted| choose(&wanted, framework.roll_forward.unwrap_or_default(), false, &versions(&home)));
        folders.extend(chosen.map(|version| home.join(version.to_string())));
    }
    // ASP.NET Core stands on the base framework without naming it.
    if !folders.iter().any(|folder| folder.parent().is_some_and(|home| home.ends_with(BASE))) && !config.self_contained
    {
        folders.extend(newest(&shared.join(BASE), folders.first().and_then(|folder| version_of(folder)).as_ref()));
    }
    folders
}

/// `shared` and the version, of `…/shared/Microsoft.AspNetCore.App/10.0.0/X.dll`.
fn within_framework(dll: &Path) -> Option<(PathBuf, Version)> {
    let folder = dll.parent()?;
    let shared = folder.parent()?.parent()?;
    Some((shared.to_owned(), version_of(folder)?)).filter(|(shared, _)| shared.ends_with("shared"))
}

fn version_of(folder: &Path) -> Option<Version> {
    Version::parse(folder.file_name()?.to_str()?)
}

fn versions(home: &Path) -> Vec<Version> {
    let entries = std::fs::read_dir(home).into_iter().flatten().flatten();
    entries.filter_map(|entry| version_of(&entry.path())).collect()
}

/// That version, else the newest of its major, else the newest.
fn newest(home: &Path, wanted: Option<&Version>) -> Option<PathBuf> {
    let all = versions(home);
    let same = |version: &&Version| wanted.is_some_and(|wanted| **version == *wanted);
    let akin = |version: &&Version| wanted.is_some_and(|wanted| version.major == wanted.major);
    let found = all.iter().find(same).or_else(|| all.iter().filter(akin).max()).or_else(|| all.iter().max())?;
    Some(home.join(found.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assembly_of_a_framework_stands_on_the_base_of_its_version() {
        let root = tempfile::tempdir().unwrap();
        let shared = root.path().join("shared");
        for folder in [
            "Microsoft.NETCore.App/8.0.1",
            "Microsoft.NETCore.App/10.0.2",
            "Microsoft.NETCore.App/10.0.0",
            "Other.App/10.0.0",
        ] {
            std::fs::create_dir_all(shared.join(folder)).unwrap();
        }
        for (dll, base) in
            [("Other.App/10.0.0", "10.0.0"), ("Other.App/10.0.1", "10.0.2"), ("Other.App/8.0.0", "8.0.1")]
        {
            let expected = shared.join("Microsoft.NETCore.App").join(base);
            assert_eq!(framework_folders(&shared.join(dll).join("X.dll")), [expected], "{dll}");
        }
    }
}
