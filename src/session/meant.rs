//! Which of several types with one name the code at a stop means.

use std::path::PathBuf;
use std::sync::Arc;

use clr_csharp::world::Scope;
use clr_metadata::Assembly;

/// File and line of the code at a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedAt {
    pub file: PathBuf,
    pub line: u32,
}

impl StoppedAt {
    /// The place among the full names of the types that have the name; `assemblies`: those that may have the code.
    pub fn meant(
        &self,
        mut assemblies: impl Iterator<Item = Arc<Assembly>>,
        name: &str,
        types: &[&str],
    ) -> Option<usize> {
        let scope = assemblies.find_map(|assembly| {
            let pdb = assembly.pdb()?;
            let document = pdb.documents().iter().find(|document| self.file.as_os_str() == document.path.as_str())?;
            let (method, _) = pdb.line_to_methods(document.id, self.line).into_iter().next()?;
            Some(Scope::of_code(&assembly, method, 0, &[]))
        });
        scope?.meant(name, types)
    }
}
