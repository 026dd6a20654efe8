//! Variables that are in scope though the frame has them in no variable of its own: they live in what the compiler passes along.

use super::Modules;
use clr_metadata::names::is_transparent_identifier;
use clr_metadata::{TypeSig, VariableRoot};

/// Where such a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// In the frame of the method around a local function, which gets a reference to it.
    Outer,
    /// In an object that a clause of a query gets.
    Range,
}

impl Modules {
    /// Those of the statement that begins there, by name.
    pub fn captured_at(&self, path: &str, line: u32, column: u32) -> Vec<(String, Captured)> {
        let found = self.with_statement(path, (line, column), |assembly, method, offset, _| {
            let view = assembly.method(method);
            let (signature, names) = (view.signature()?, view.parameter_names());
            let first = u16::from(signature.has_this);
            let kind = |root: VariableRoot| {
                let VariableRoot::Argument(number) = root else { return None };
                let at = usize::from(number.checked_sub(first)?);
                match (signature.parameters.get(at)?, names.get(at)?) {
                    (TypeSig::ByRef(_), _) => Some(Captured::Outer),
                    (_, name) => is_transparent_identifier(name).then_some(Captured::Range),
                }
            };
            let variables = assembly.variables_at(method, offset).into_iter();
            let captured = variables.filter(|variable| !variable.place.fields.is_empty());
            Some(captured.filter_map(|variable| Some((variable.name, kind(variable.place.root)?))).collect())
        });
        found.unwrap_or_default()
    }
}
