//! Names that a client may mean: the user's types and source files, of the modules that a program has loaded.

use super::scope::{Asked, Folders};
use crate::session::LoadedModules;

/// Reads files: it may block.
pub(in crate::mcp) type Read = fn(&LoadedModules) -> Vec<String>;

/// Names that are kept; of a damaged file there could be any number.
const MOST: usize = 20_000;

/// Full names, sorted.
pub(in crate::mcp) fn types(loaded: &LoadedModules) -> Vec<String> {
    let mut names = Vec::new();
    each(loaded, |assembly| {
        // The first row is the pseudo type `<Module>`.
        let own = assembly.types().skip(1).filter(|type_| !type_.is_generated()).map(|type_| type_.full_name());
        names.extend(own.take(MOST));
    });
    sorted(names)
}

/// Paths as a debug tool takes them: from the program's root where they lie below it.
pub(in crate::mcp) fn files(loaded: &LoadedModules) -> Vec<String> {
    let mut paths = Vec::new();
    each(loaded, |assembly| {
        let documents = assembly.pdb().map(|pdb| pdb.documents()).unwrap_or_default();
        let shown = |path: &str| {
            let below = loaded.root.as_ref().and_then(|root| std::path::Path::new(path).strip_prefix(root).ok());
            below.map_or_else(|| path.to_owned(), |below| below.to_string_lossy().into_owned())
        };
        paths.extend(documents.iter().map(|document| shown(&document.path)).take(MOST));
    });
    // what a build makes is nobody's source
    paths.retain(|path| !path.starts_with("obj/") && !path.contains("/obj/"));
    sorted(paths)
}

fn each(loaded: &LoadedModules, mut read: impl FnMut(&clr_metadata::Assembly)) {
    let Ok(chosen) = Asked::Session(loaded.clone(), None).open(Folders::Allowed) else { return };
    for opened in chosen.assemblies().flatten().filter(|opened| opened.is_user) {
        read(&opened.assembly);
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.truncate(MOST);
    names.sort();
    names.dedup();
    names
}
