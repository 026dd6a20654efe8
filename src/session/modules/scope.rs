//! Names of a place in the source and their types, as symbols have them: what can be known before the program is there.

use std::collections::HashMap;

use super::Modules;
use crate::session::type_names;

/// What stands at a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamesInScope {
    /// Variables and the fields of the method's type, with short types: `int`, `string`, `Order`.
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
        // the compiler's own methods stand in types of the compiler's own
        let source_method = assembly.kickoff_of(method).unwrap_or(method);
        let mut outer = assembly.method(source_method).declaring_type()?;
        let fields = outer.fields().into_iter().filter(|field| !field.is_literal && !field.name.starts_with('<'));
        let mut types: HashMap<String, String> =
            fields.map(|field| (field.name, type_names::short(&field.type_.to_string()))).collect();
        while let Some(around) = outer.declaring_type() {
            outer = around;
        }
        let variables = assembly.variables_at(method, offset).into_iter();
        types.extend(variables.map(|variable| (variable.name, type_names::short(&variable.type_.to_string()))));
        Some(NamesInScope { types, has_namespace: !outer.namespace().is_empty() })
    }
}
