//! What a workspace is compiled from, as one number: as long as it is the same, so is what the compiler says.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::code::Workspace;
use crate::dotnet::walk::walk;

/// Files below a project that its compilation may read.
const EXTENSIONS: &[&str] = &[
    "cs",
    "fs",
    "fsi",
    "vb",
    "razor",
    "cshtml",
    "resx",
    "xaml",
    "axaml",
    "proto",
    "csproj",
    "fsproj",
    "vbproj",
    "props",
    "targets",
    "editorconfig",
    "globalconfig",
    "ruleset",
    "json",
    "txt",
    "snk",
];

/// Files of the folders above that the SDK looks for.
const ABOVE: &[&str] = &[
    ".editorconfig",
    ".globalconfig",
    "Directory.Build.props",
    "Directory.Build.targets",
    "Directory.Packages.props",
    "Directory.Build.rsp",
    "NuGet.config",
    "NuGet.Config",
    "nuget.config",
    "global.json",
];

/// Paths, times and lengths of all inputs; `None` where there are more files than are looked at.
pub(super) fn fingerprint(workspace: &Workspace) -> Option<u64> {
    let mut files: BTreeSet<PathBuf> = BTreeSet::from([workspace.path().to_owned()]);
    for project in workspace.projects() {
        for found in [walk(project.folder(), is_input), project.sources()] {
            if !found.complete {
                return None;
            }
            files.extend(found.files);
        }
        files.extend(project.build_files());
        files.extend(project.outside_inputs());
        files.extend(project.folder().ancestors().flat_map(|folder| ABOVE.iter().map(|name| folder.join(name))));
    }
    let mut hasher = DefaultHasher::new();
    for file in files {
        let about = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file);
        let Some(about) = about else { continue };
        (file, about.modified().ok(), about.len()).hash(&mut hasher);
    }
    Some(hasher.finish())
}

fn is_input(name: &str) -> bool {
    let extension = Path::new(name).extension().or(Path::new(name).file_name().filter(|name| *name == ".editorconfig"));
    extension.and_then(|extension| extension.to_str()).is_some_and(|extension| {
        EXTENSIONS.iter().any(|known| extension.trim_start_matches('.').eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_compilation_reads_is_distinguished_from_what_it_does_not() {
        for name in ["A.cs", "a.RAZOR", ".editorconfig", "x.globalconfig", "App.csproj", "appsettings.json"] {
            assert!(is_input(name), "{name}");
        }
        for name in ["A.dll", "readme.md", "A.cs.orig", "cs", ""] {
            assert!(!is_input(name), "{name}");
        }
    }
}
