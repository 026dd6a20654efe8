//! Variables that are in scope though the frame has them in no variable of its own: they live in what the compiler passes along.

use super::Modules;
use clr_metadata::names::{FieldOrigin, field_origin, is_transparent_identifier};
use clr_metadata::{Assembly, MethodId, TypeSig, Variable, VariableKind, VariableRoot};

/// Where such a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// In the frame of the method around a local function, which gets a reference to it.
    Outer,
    /// In an object that a clause of a query gets.
    Range,
    /// Behind the `this` of a local function whose object is the compiler's: that refers to the `this` of the source.
    Closure,
}

impl Modules {
    /// Those of the statement that begins there, by name.
    pub fn captured_at(&self, path: &str, line: u32, column: u32) -> Vec<(String, Captured)> {
        let found = self.with_statement(path, (line, column), |assembly, method, offset, _| {
            let view = assembly.method(method);
            let (signature, names) = (view.signature()?, view.parameter_names());
            let first = u16::from(signature.has_this);
            let is_of_closure = is_of_closure(assembly, method);
            let kind = |variable: &Variable| {
                if is_of_closure && is_behind_this(assembly, variable) {
                    return Some(Captured::Closure);
                }
                let VariableRoot::Argument(number) = variable.place.root else { return None };
                let at = usize::from(number.checked_sub(first)?);
                match (signature.parameters.get(at)?, names.get(at)?) {
                    (TypeSig::ByRef(_), _) => Some(Captured::Outer),
                    (_, name) => is_transparent_identifier(name).then_some(Captured::Range),
                }
            };
            let variables = assembly.variables_at(method, offset).into_iter();
            let captured = variables.filter(|variable| !variable.place.fields.is_empty());
            let kinds = captured.filter_map(|variable| kind(&variable).map(|kind| (variable.name, kind)));
            Some(kinds.collect())
        });
        found.unwrap_or_default()
    }
}

/// Whether a method is a local function that the compiler made one of the object that holds what it captures, as where a delegate is made
/// of it. Of lambdas adapters know that.
fn is_of_closure(assembly: &Assembly, method: MethodId) -> bool {
    let source = assembly.method(assembly.kickoff_of(method).unwrap_or(method));
    source.name().contains(">g__") && source.declaring_type().is_some_and(|type_| type_.name().starts_with("<>c__"))
}

/// Whether it is `this`, or a parameter of its primary constructor.
fn is_behind_this(assembly: &Assembly, variable: &Variable) -> bool {
    let last = variable.place.fields.last().and_then(|field| assembly.accessed_field(field.token()));
    variable.kind == VariableKind::This
        || last.is_some_and(|name| matches!(field_origin(name), FieldOrigin::PrimaryParameter(_)))
}
