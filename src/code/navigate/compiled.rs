//! Which builds a source is compiled into, and what they say of it.

use std::collections::HashMap;
use std::sync::Arc;

use super::Navigator;
use super::syntax::Syntax;
use clr_metadata::Document;

/// By source: number of each assembly, and its document there.
pub(super) type Compiled = HashMap<usize, Vec<(usize, Document)>>;

impl Navigator {
    pub(super) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let mut compiled = Compiled::new();
            for (index, assembly) in self.assemblies.iter().enumerate() {
                for document in assembly.pdb().into_iter().flat_map(|pdb| pdb.documents()) {
                    if let Some(file) = self.files.of_document(&document.path) {
                        compiled.entry(file).or_default().push((index, document.clone()));
                    }
                }
            }
            compiled
        })
    }

    /// Numbers of the assemblies that a source is compiled into; `None` for one that no build names.
    pub(super) fn compiled_into(&self, file: usize) -> Option<impl Iterator<Item = usize>> {
        self.compiled().get(&file).map(|documents| documents.iter().map(|(index, _)| *index))
    }

    /// A source as it was compiled, without the branches of `#if` that were not.
    pub(super) fn syntax(&self, file: usize) -> Option<Arc<Syntax>> {
        self.files.syntax(file, || {
            let into = self.compiled_into(file).into_iter().flatten();
            let symbols = into.map(|index| self.assembly(index)?.pdb()?.conditional_symbols());
            // If a build does not show it, any branch may be the one it compiled.
            symbols.collect::<Option<_>>().unwrap_or_default()
        })
    }
}
