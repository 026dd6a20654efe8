//! Source documents of the PDBs: found by what callers write, and their lines with code.

use std::path::Path;
use std::sync::Arc;

use super::statements::{Gap, Statement};
use super::{Inner, Modules};
use clr_metadata::{Assembly, Document};

impl Inner {
    fn documents(&self) -> impl Iterator<Item = (&Arc<Assembly>, &Document)> {
        self.known
            .iter()
            .filter_map(|assembly| assembly.pdb().map(|pdb| (assembly, pdb)))
            .flat_map(|(assembly, pdb)| pdb.documents().iter().map(move |document| (assembly, document)))
    }

    pub(super) fn find(&self, path: &str) -> Option<(&Arc<Assembly>, &Document)> {
        self.documents().find(|(_, document)| document.path == path)
    }
}

impl Modules {
    /// Paths of all documents.
    pub fn document_paths(&self) -> Vec<String> {
        self.lock().documents().map(|(_, document)| document.path.clone()).collect()
    }

    /// Whether a PDB has a document of that path.
    pub fn has_document(&self, path: &str) -> bool {
        self.lock().find(path).is_some()
    }

    /// Whether a document of that path was compiled from these bytes; `None` where no PDB has a hash of it.
    pub fn compiled_from(&self, path: &str, bytes: &[u8]) -> Option<bool> {
        let inner = self.lock();
        let named = inner.documents().filter(|(_, document)| document.path == path);
        // assemblies that share a file may be of different times
        named.filter_map(|(_, document)| document.matches(bytes)).reduce(|one, other| one || other)
    }

    /// Where a breakpoint on a line is, see [`clr_metadata::Pdb::breakpoint_line`].
    pub fn code_line(&self, path: &str, line: u32) -> Option<u32> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        assembly.pdb()?.breakpoint_line(document.id, line)
    }

    /// Lines with code nearest to `line`, nearest first.
    pub fn nearest_lines(&self, path: &str, line: u32, count: usize) -> Vec<u32> {
        let inner = self.lock();
        let nearest = inner
            .find(path)
            .and_then(|(assembly, document)| assembly.pdb().map(|pdb| pdb.nearest_lines(document.id, line, count)));
        let mut nearest = nearest.unwrap_or_default();
        nearest.sort_by_key(|candidate| candidate.abs_diff(line));
        nearest
    }

    /// Lines with code of the methods that cover a line.
    pub fn lines_of_method(&self, path: &str, line: u32) -> Vec<u32> {
        let inner = self.lock();
        let Some((assembly, document)) = inner.find(path) else { return Vec::new() };
        let Some(pdb) = assembly.pdb() else { return Vec::new() };
        let methods = pdb.methods_at(document.id, line);
        let points = methods.iter().flat_map(|method| pdb.sequence_points(*method));
        let mut lines: Vec<u32> =
            points.filter(|point| !point.is_hidden && point.document == document.id).map(|point| point.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The statement that begins at a line and column; `None` where no symbols have one there.
    pub(crate) fn statement(&self, path: &str, line: u32, column: u32) -> Option<Statement> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        Statement::find(assembly.pdb()?, document.id, line, column)
    }

    /// The source between the statement that begins there and the next one; `None` where nothing lies between.
    pub(crate) fn gap_behind(&self, path: &str, line: u32, column: u32) -> Option<Gap> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        Gap::find(assembly.pdb()?, document.id, line, column)
    }

    /// One sentence on a file that no PDB has.
    pub fn unknown_file(&self, given: &str) -> String {
        let inner = self.lock();
        let name = Path::new(given).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut scored: Vec<(i64, &str)> = inner
            .documents()
            .map(|(_, document)| document.file_name())
            .filter(|candidate| !candidate.contains("AssemblyInfo") && !candidate.contains("GlobalUsings"))
            .map(|candidate| (-((strsim::jaro_winkler(&name, candidate) * 1000.0) as i64), candidate))
            .collect();
        scored.sort();
        scored.dedup();
        match scored.first() {
            None => format!("no assembly with symbols contains {name}"),
            Some((score, nearest)) if *score < -600 && *nearest != name => {
                format!("no assembly of the program was built from a file {name}; did you mean {nearest}?")
            }
            Some(_) => format!("no assembly of the program was built from {given}"),
        }
    }

    /// Where the program's entry method begins: document and line.
    pub fn entry_point(&self) -> Option<(String, u32)> {
        let inner = self.lock();
        let main = inner.main.as_ref()?;
        let method = main.entry_point()?;
        let (document, line) = main.first_sequence_point(main.method(method).code_method())?;
        let path = main.pdb()?.document(document)?.path.clone();
        Some((path, line))
    }

    /// Whether the code of a document is optimized.
    pub(crate) fn is_optimized(&self, path: &str) -> bool {
        self.lock().find(path).is_some_and(|(assembly, _)| !assembly.is_debug_build())
    }
}
