//! The sources that builds themselves name: what only MSBuild knows of a project's items, its build has in the PDB.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clr_metadata::{Assembly, AssemblyCache};

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

/// Those of some files that builds were made from, as they are now. Reads files.
pub fn unchanged_sources(files: &[PathBuf], assemblies: &[PathBuf], kept: &AssemblyCache) -> HashSet<PathBuf> {
    let wanted: HashSet<&Path> = files.iter().map(PathBuf::as_path).collect();
    let opened = assemblies.iter().filter_map(|path| kept.open(path).ok());
    let named = |assembly: Arc<Assembly>| -> Vec<PathBuf> {
        let documents = assembly.pdb().map(|pdb| pdb.documents()).unwrap_or_default();
        let wanted = documents.iter().filter(|document| wanted.contains(Path::new(&document.path)));
        wanted.filter(|it| it.compiled_bytes().is_some()).map(|document| document.path.clone().into()).collect()
    };
    opened.flat_map(named).collect()
}

fn is_written(path: &Path) -> bool {
    let is_csharp = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cs"));
    is_csharp && path.is_absolute() && !path.iter().any(|part| part == OsStr::new("obj"))
}
