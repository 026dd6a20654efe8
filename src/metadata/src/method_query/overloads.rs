//! What a name says that picks no method: parameter types that no overload has, and type arguments, since all instances of a generic
//! method share one body in metadata.

use super::MethodQuery;
use crate::assembly::Assembly;
use crate::tokens::MethodId;

impl MethodQuery {
    /// The same name with any parameters; `None` where none were said.
    pub fn any_overload(&self) -> Option<Self> {
        self.parameters.is_some().then(|| Self { parameters: None, ..self.clone() })
    }

    /// Whether it has type arguments other than the names of the method's own type parameters: `Cache<int, bool>.Add`.
    pub fn has_type_arguments(&self, assembly: &Assembly, method: MethodId) -> bool {
        let view = assembly.method(method);
        let names = view.declaring_type().map(|owner| owner.parameter_names(Some(method))).unwrap_or_default();
        // those of an interface that is implemented explicitly belong to the method's name
        let of_name = |part: &str| view.name().contains(&format!("{part}<"));
        let parts = self.path.iter().filter(|part| !of_name(&part.name));
        parts.flat_map(|part| &part.arguments).any(|it| !names.of_type.contains(it) && !names.of_method.contains(it))
    }
}

impl Assembly {
    /// The types of a method's parameters as a [`MethodQuery`] takes them: `(int, List<string>)`.
    pub fn parameter_types(&self, method: MethodId) -> String {
        let view = self.method(method);
        let names = view.declaring_type().map(|owner| owner.parameter_names(Some(method))).unwrap_or_default();
        let parameters = view.signature().map(|signature| signature.parameters).unwrap_or_default();
        let types: Vec<String> = parameters.iter().map(|parameter| parameter.short_with(&names)).collect();
        format!("({})", types.join(", "))
    }
}
