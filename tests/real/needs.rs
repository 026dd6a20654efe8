//! What a test needs of this machine. Where that is missing it ends as skipped, and says what is missing.

use std::path::{Path, PathBuf};

use clrbridge::dotnet::Dotnet;
use clrbridge::dotnet::frameworks::framework_folders;

use crate::harness::skip;

/// A .NET that builds for net10.0.
pub fn sdk() -> Dotnet {
    let found = Dotnet::find().ok();
    let found = found.filter(|dotnet| dotnet.sdks().iter().any(|version| version.starts_with("10.")));
    found.unwrap_or_else(|| skip("no .NET 10 SDK"))
}

/// The folder of the newest Microsoft.NETCore.App.
pub fn framework() -> PathBuf {
    let dotnet = Dotnet::find().unwrap_or_else(|_| skip("no .NET"));
    let mut versions = dotnet.runtimes().into_iter().filter(|(name, _)| name == "Microsoft.NETCore.App");
    let (name, version) = versions.next_back().unwrap_or_else(|| skip("no .NET runtime"));
    dotnet.root.join("shared").join(name).join(version)
}

/// All assemblies that a program of ours runs on.
pub fn frameworks_of(dll: &Path) -> Vec<PathBuf> {
    let found: Vec<PathBuf> = framework_folders(dll).iter().flat_map(|folder| dlls(folder)).collect();
    if found.is_empty() { skip("no .NET runtime") } else { found }
}

pub fn dlls(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "dll")).collect()
}

/// A build of a fixture that is in the repository.
pub fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies").join(name)
}
