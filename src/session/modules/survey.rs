//! The program's assemblies as they are at one moment, to be read at length without the lock: whose document a path is, whose it
//! may be, and what is wrong with symbols.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Modules;
use clr_metadata::{Assembly, Document, Pdb, PdbProblem, guid_text, is_framework};

/// Assemblies of the program's folder that are looked at.
const NEIGHBORS: usize = 500;
/// Folders above a source in which its project is looked for.
const PROJECT_DEPTH: usize = 8;

/// Cheap: references to what is open.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    main: Option<PathBuf>,
    assemblies: Vec<Surveyed>,
    /// Loaded assemblies of the framework, which have no symbols.
    framework: Vec<PathBuf>,
    /// Whether a tool of the SDK is loaded: then the program is another process.
    pub sdk_tool: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Surveyed {
    pub assembly: Arc<Assembly>,
    pub loaded: bool,
    /// The adapter found no symbols for it.
    pub refused: bool,
}

/// What is wrong with an assembly's symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SymbolsFault {
    Missing,
    /// The ids that the assembly asks for and that the PDB has.
    Mismatch {
        expected: String,
        found: String,
    },
}

impl Modules {
    pub(crate) fn survey(&self) -> Survey {
        let inner = self.lock();
        let loaded = |path: &Path| inner.loaded.iter().find(|loaded| loaded.path == path);
        let seen = |assembly: &Arc<Assembly>| {
            let loaded = loaded(assembly.path());
            Surveyed {
                assembly: assembly.clone(),
                loaded: loaded.is_some(),
                refused: loaded.is_some_and(|loaded| loaded.refused),
            }
        };
        let mut survey = Survey {
            main: inner.main.as_ref().map(|main| main.path().to_owned()),
            assemblies: inner.known.iter().map(seen).collect(),
            framework: inner
                .loaded
                .iter()
                .filter(|loaded| is_framework(&loaded.path))
                .map(|loaded| loaded.path.clone())
                .collect(),
            sdk_tool: inner.loaded.iter().any(|loaded| is_sdk_tool(&loaded.path)),
        };
        let others = inner.main.iter().chain(inner.loaded.iter().filter_map(|loaded| loaded.assembly.as_ref()));
        for assembly in others.filter(|assembly| !is_framework(assembly.path())) {
            if !survey.assemblies.iter().any(|known| known.assembly.path() == assembly.path()) {
                survey.assemblies.push(seen(assembly));
            }
        }
        survey
    }
}

impl Survey {
    /// Nothing of a program is known.
    pub fn is_empty(&self) -> bool {
        self.assemblies.is_empty()
    }

    pub fn assemblies(&self) -> &[Surveyed] {
        &self.assemblies
    }

    pub fn framework(&self) -> &[PathBuf] {
        &self.framework
    }

    /// Opens what else lies beside the program: libraries that no preload took, for they have no PDB file.
    pub fn add_neighbors(&mut self) {
        let Some(folder) = self.main.as_deref().and_then(Path::parent) else { return };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let dlls = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "dll"));
        for path in dlls.take(NEIGHBORS) {
            if self.assemblies.iter().all(|known| known.assembly.path() != path)
                && let Ok(assembly) = Assembly::open(&path)
            {
                self.assemblies.push(Surveyed { assembly, loaded: false, refused: false });
            }
        }
    }

    fn documents(&self) -> impl Iterator<Item = (&Surveyed, &Document)> {
        let with_pdb = self.assemblies.iter().filter_map(|known| Some((known, known.assembly.pdb()?)));
        with_pdb.flat_map(|(known, pdb)| pdb.documents().iter().map(move |document| (known, document)))
    }

    /// The document of that path; of several assemblies that were compiled from it, a loaded one.
    pub fn document(&self, path: &str) -> Option<(&Surveyed, &Document)> {
        let all = || self.documents().filter(|(_, document)| document.path == path);
        all().find(|(known, _)| known.loaded).or_else(|| all().next())
    }

    /// Documents with that file name, without regard to case; the program's own first.
    pub fn named(&self, name: &str) -> Vec<&Document> {
        let name = name.to_lowercase();
        let named = self.documents().filter(|(_, document)| document.file_name().to_lowercase() == name);
        let mut found: Vec<_> =
            named.map(|(known, document)| (self.main.as_deref() != Some(known.assembly.path()), document)).collect();
        found.sort_by(|(a, one), (b, other)| (a, &one.path).cmp(&(b, &other.path)));
        let mut paths = std::collections::HashSet::new();
        found.retain(|(_, document)| paths.insert(&document.path));
        found.into_iter().map(|(_, document)| document).collect()
    }

    /// File names of documents that are most like `name`, best first.
    pub fn similar(&self, name: &str, count: usize) -> Vec<String> {
        let generated = |name: &str| name.contains("AssemblyInfo") || name.contains("GlobalUsings");
        // without the extension, which all share
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
        let name = stem(name);
        let mut scored: Vec<(i64, &str)> = self
            .documents()
            .filter(|(_, document)| !generated(document.file_name()))
            .map(|(_, document)| (strsim::jaro_winkler(&name, &stem(document.file_name())), document))
            .filter(|(likeness, _)| *likeness > 0.8)
            .map(|(likeness, document)| (-((likeness * 1000.0) as i64), document.path.as_str()))
            .collect();
        scored.sort_unstable();
        scored.dedup();
        scored.into_iter().take(count).map(|(_, path)| path.to_owned()).collect()
    }

    /// The assembly without usable symbols that a source belongs to, as its project or the assembly itself says; without any
    /// such word, the program.
    pub fn suspect(&self, source: &Path) -> Option<(&Surveyed, SymbolsFault)> {
        let project = project_of(source);
        let mut faulty = self.assemblies.iter().filter_map(|known| Some((known, known.fault()?)));
        faulty.find(|(known, _)| match (&project, built_in(&known.assembly)) {
            (Some(project), _) if known.stem() == Some(project) => true,
            (_, Some(folder)) => source.starts_with(folder),
            (Some(_), None) => false,
            (None, None) => self.main.as_deref() == Some(known.assembly.path()),
        })
    }
}

impl Surveyed {
    pub fn file_name(&self) -> String {
        self.assembly.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn stem(&self) -> Option<&str> {
        self.assembly.path().file_stem()?.to_str()
    }

    pub fn fault(&self) -> Option<SymbolsFault> {
        symbols_fault(&self.assembly, self.refused)
    }
}

/// What is wrong with the symbols. An adapter may see less than we do: netcoredbg takes a PDB only beside its assembly
/// (measured), so with `refused` only that one counts.
fn symbols_fault(assembly: &Assembly, refused: bool) -> Option<SymbolsFault> {
    let beside = assembly.path().with_extension("pdb");
    let path = match assembly.pdb_problem() {
        None if !refused => return None,
        None => beside,
        Some(PdbProblem::Mismatch { path }) => path.clone(),
        Some(_) => return Some(SymbolsFault::Missing),
    };
    let (Some(wanted), Ok(pdb)) = (assembly.code_view(), Pdb::open(path)) else { return Some(SymbolsFault::Missing) };
    if wanted.id == *pdb.id() {
        return Some(SymbolsFault::Missing);
    }
    Some(SymbolsFault::Mismatch { expected: id_text(&wanted.id), found: id_text(pdb.id()) })
}

fn id_text(id: &[u8; 20]) -> String {
    id.first_chunk().map(guid_text).unwrap_or_default()
}

/// The project folder, from the compiler's path of the PDB: `/src/Lib/obj/Debug/net10.0/Lib.pdb`.
fn built_in(assembly: &Assembly) -> Option<PathBuf> {
    let path = assembly.code_view()?.path;
    path.split_once("/obj/").map(|(folder, _)| PathBuf::from(folder))
}

/// The name of the project that a source lies in: the nearest `.csproj` above it.
fn project_of(source: &Path) -> Option<String> {
    source.ancestors().skip(1).take(PROJECT_DEPTH).find_map(|folder| {
        let mut entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
        let project = entries.find(|path| path.extension().is_some_and(|end| end == "csproj"))?;
        Some(project.file_stem()?.to_str()?.to_owned())
    })
}

/// `…/sdk/10.0.401/dotnet.dll`: `dotnet run`, `dotnet test`, MSBuild.
pub(crate) fn is_sdk_tool(path: &Path) -> bool {
    let names: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let in_sdk = names.windows(2).any(
        |pair| matches!(pair, [sdk, version] if *sdk == "sdk" && version.starts_with(|c: char| c.is_ascii_digit())),
    );
    let tools = ["dotnet.dll", "MSBuild.dll", "vstest.console.dll", "dotnet-watch.dll"];
    in_sdk && names.last().is_some_and(|name| tools.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_the_sdk_are_known_by_their_folder() {
        for (path, expected) in [
            ("/usr/share/dotnet/sdk/10.0.401/dotnet.dll", true),
            ("/usr/share/dotnet/sdk/10.0.401/MSBuild.dll", true),
            ("/usr/share/dotnet/sdk/10.0.401/Newtonsoft.Json.dll", false),
            ("/src/sdk/bin/dotnet.dll", false),
            ("/src/app/bin/Debug/net10.0/dotnet.dll", false),
        ] {
            assert_eq!(is_sdk_tool(Path::new(path)), expected, "{path}");
        }
    }
}
