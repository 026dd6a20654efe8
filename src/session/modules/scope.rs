//! Names of a place in the source and their types, as symbols have them: what can be known before the program is there.

use std::collections::HashMap;

use super::Modules;
use crate::session::inspect::type_names;

/// What stands at a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamesInScope {
    /// Variables, with short types: `int`, `string`, `Order`.
    pub types: HashMap<String, String>,
    /// Whether the type of the method is in a namespace.
    pub has_namespace: bool,
}

impl Modules {
    /// Of the first code of a line; `None` where no symbols have it.
    pub fn names_at(&self, path: &str, line: u32) -> Option<NamesInScope> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let (method, offset) = assembly.line_to_methods(document.id, line).into_iter().next()?;
        let mut outer = assembly.method(method).declaring_type()?;
        while let Some(around) = outer.declaring_type() {
            outer = around;
        }
        let variables = assembly.variables_at(method, offset).into_iter();
        let typed = variables.map(|variable| (variable.name, type_names::short(&variable.type_.to_string())));
        Some(NamesInScope { types: typed.collect(), has_namespace: !outer.namespace().is_empty() })
    }
}
