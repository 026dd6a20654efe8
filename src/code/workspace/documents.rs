//! The sources that builds themselves name: what only MSBuild knows of a project's items, its build has in the PDB.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clr_metadata::AssemblyCache;

/// The C# files on this disk of which the PDBs of `assemblies` say that they were compiled, without links, without those in `known` and
/// without what a build makes for itself (`obj`). Reads files.
pub fn compiled_sources(assemblies: &[PathBuf], kept: &AssemblyCache, known: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen: HashSet<PathBuf> = known.iter().cloned().collect();
    let mut found = Vec::new();
    for assembly in assemblies.iter().filter_map(|path| kept.open(path).ok()) {
        for document in assembly.pdb().map(|pdb| pdb.documents()).unwrap_or_default() {
            let path = Path::new(&document.path);
            if is_written(path)
                && !seen.contains(path)
                && let Ok(path) = path.canonicalize()
                && seen.insert(path.clone())
            {
                found.push(path);
            }
        }
    }
    found
}

fn is_written(path: &Path) -> bool {
    let is_csharp = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cs"));
    is_csharp && path.is_absolute() && !path.iter().any(|part| part == OsStr::new("obj"))
}
