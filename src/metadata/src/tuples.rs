//! Types together with the names that their tuples' elements have where they are declared.

use std::fmt;

use super::annotations::{Annotations, DynamicParts};
use super::signatures::{ParameterNames, TypeSig, is_tuple, tuple_length};

/// Names of tuple elements in the order of `TupleElementNamesAttribute`: those of a tuple before those of the tuples in it.
pub type ElementNames = Vec<Option<String>>;

/// A type as it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredType {
    pub type_: TypeSig,
    /// Empty where nothing names an element.
    pub names: ElementNames,
    dynamic: DynamicParts,
}

impl DeclaredType {
    pub fn new(type_: TypeSig, names: ElementNames) -> Self {
        let type_ = match type_ {
            TypeSig::ByRef(inner) | TypeSig::Pinned(inner) => *inner,
            type_ => type_,
        };
        // those of a type parameter that stands for a tuple are recorded nowhere
        let names = if names.len() == count(&type_) { names } else { Vec::new() };
        Self { type_, names, dynamic: DynamicParts::new() }
    }

    /// With what of it is `dynamic`.
    #[must_use]
    pub fn with_dynamic(self, dynamic: DynamicParts) -> Self {
        Self { dynamic, ..self }
    }

    /// C# without namespaces: `(int Left, string Right)`.
    pub fn short(&self) -> String {
        self.text(true)
    }

    fn text(&self, is_short: bool) -> String {
        self.type_.annotated(
            is_short,
            &ParameterNames::default(),
            &[],
            Annotations::of_declared(self.names.clone(), self.dynamic.clone()),
        )
    }

    /// Whether an element of a tuple in it has a name.
    pub fn has_names(&self) -> bool {
        self.names.iter().any(Option::is_some)
    }

    /// The names of a tuple's own elements, from the first on; `None` for another type, or where none has a name.
    pub fn element_names(&self) -> Option<&[Option<String>]> {
        let TypeSig::Named(name) = &self.type_ else { return None };
        let own = is_tuple(&name.full_name, &name.arguments)
            .then(|| self.names.get(..tuple_length(&name.arguments)))
            .flatten()?;
        own.iter().any(Option::is_some).then_some(own)
    }

    /// The field path of a tuple's element by its name, `Item2` or `Rest.Item1`, and the element's type.
    pub fn element(&self, name: &str) -> Option<(String, Self)> {
        let at = self.element_names()?.iter().position(|own| own.as_deref() == Some(name))?;
        Some((element_path(at), self.item(at)?))
    }

    /// An element by its own name, `Item2`.
    pub fn item_named(&self, name: &str) -> Option<Self> {
        let number: usize = name.strip_prefix("Item")?.parse().ok()?;
        self.element_names().and_then(|_| self.item(number.checked_sub(1)?))
    }

    fn item(&self, at: usize) -> Option<Self> {
        let TypeSig::Named(name) = &self.type_ else { return None };
        let (mut arguments, mut used) = (name.arguments.as_slice(), tuple_length(&name.arguments));
        let mut at = at;
        while at >= 7 {
            used += arguments.iter().take(7).map(count).sum::<usize>();
            let Some(TypeSig::Named(rest)) = arguments.get(7) else { return None };
            arguments = &rest.arguments;
            used += tuple_length(arguments);
            at -= 7;
        }
        used += arguments.iter().take(at).map(count).sum::<usize>();
        self.part(arguments.get(at)?, used)
    }

    /// What an index gives: the element of an array, the last argument of a generic type (a list's, a dictionary's value).
    pub fn indexed(&self) -> Option<Self> {
        match &self.type_ {
            TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => self.part(element, 0),
            TypeSig::Named(name) if name.full_name.starts_with("System.Collections.") => {
                let (last, before) = name.arguments.split_last()?;
                self.part(last, before.iter().map(count).sum())
            }
            _ => None,
        }
    }

    fn part(&self, type_: &TypeSig, skipped: usize) -> Option<Self> {
        let names = self.names.get(skipped..).unwrap_or_default();
        Some(Self::new(type_.clone(), names.get(..count(type_)).unwrap_or_default().to_vec()))
    }
}

/// C# with namespaces: `System.Collections.Generic.List<(int Left, string Right)>`.
impl fmt::Display for DeclaredType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(false))
    }
}

/// `Item3`; from the eighth on in a tuple of their own.
fn element_path(at: usize) -> String {
    format!("{}Item{}", "Rest.".repeat(at / 7), at % 7 + 1)
}

/// How many names a type takes.
fn count(type_: &TypeSig) -> usize {
    match type_ {
        TypeSig::Named(name) => {
            let inner: usize = name.arguments.iter().map(count).sum();
            // the rest of a tuple of eight has one element, and a name for it
            inner + if name.full_name.starts_with("System.ValueTuple`") { tuple_length(&name.arguments) } else { 0 }
        }
        TypeSig::Array(inner)
        | TypeSig::MultiArray { element: inner, .. }
        | TypeSig::Pointer(inner)
        | TypeSig::ByRef(inner)
        | TypeSig::Pinned(inner)
        | TypeSig::Modified { inner, .. } => count(inner),
        _ => 0,
    }
}
