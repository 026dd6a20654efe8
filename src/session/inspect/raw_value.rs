//! A value as an adapter prints it.

use std::sync::Arc;

use super::literal::{self, Raw};
use super::made::{Made, Shape};
use crate::dap;
use crate::session::type_names;

/// What an adapter says of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawValue {
    pub name: String,
    pub type_name: String,
    /// Where the adapter says another than that of the object itself.
    pub declared_type: Option<String>,
    pub value: String,
    /// 0 = nothing to expand.
    pub reference: i64,
    /// An expression that gives this value again.
    pub path: Option<String>,
    /// Where the expression made it, and no adapter knows it.
    pub made: Option<Arc<Made>>,
    /// The adapter made it: what it has, and how many elements.
    pub made_there: Option<(Shape, Option<u64>)>,
    /// The exception that the evaluation ended with, as the adapter says: not its value.
    pub is_thrown: bool,
    /// Of the object that a variable of the frame holds, where the adapter says it.
    pub identity: Option<u64>,
}

impl From<dap::Variable> for RawValue {
    fn from(variable: dap::Variable) -> Self {
        Self {
            name: variable.name,
            type_name: variable.type_name.unwrap_or_default(),
            declared_type: None,
            value: variable.value,
            reference: variable.variables_reference,
            path: variable.evaluate_name.filter(|path| !path.is_empty()),
            made: None,
            made_there: made_there(variable.presentation_hint.as_ref(), variable.indexed_variables),
            is_thrown: false,
            identity: variable.clr_identity,
        }
    }
}

fn made_there(hint: Option<&dap::VariablePresentationHint>, elements: Option<i64>) -> Option<(Shape, Option<u64>)> {
    let shape = Shape::of_kind(hint?.kind.as_deref()?)?;
    Some((shape, elements.and_then(|count| u64::try_from(count).ok())))
}

impl RawValue {
    /// What the adapter says of an expression.
    pub fn answered(expression: &str, answer: dap::EvaluateResponse) -> Self {
        let hint = answer.presentation_hint.as_ref();
        Self {
            made_there: made_there(hint, answer.indexed_variables),
            is_thrown: hint.is_some_and(|hint| hint.kind.as_deref() == Some(dap::THROWN)),
            identity: None,
            name: String::new(),
            type_name: answer.type_name.unwrap_or_default(),
            declared_type: None,
            value: answer.result,
            reference: answer.variables_reference,
            path: Some(expression.to_owned()),
            made: None,
        }
    }

    /// `value` read by its type.
    pub fn parsed(&self) -> Raw {
        literal::parse(&self.type_name, &self.value)
    }

    /// Of an array, the first index of each dimension.
    pub fn first_indices(&self) -> Vec<i64> {
        literal::bounds(&self.value).into_iter().map(|(first, _)| first).collect()
    }

    pub fn short_type(&self) -> String {
        type_names::short(&self.type_name)
    }

    /// A boxed primitive comes as its own type with `{int}` for a value; the number is its field `m_value`.
    pub fn is_boxed(&self) -> bool {
        let short = self.short_type();
        self.value.starts_with('{')
            && (type_names::literal_shows_type(&short)
                || matches!(short.as_str(), "byte" | "sbyte" | "short" | "ushort"))
    }

    /// With the names of the elements of tuples, where its type is the one that the source declares.
    pub fn declared_as(self, declared: &str) -> Self {
        let type_name = type_names::with_element_names(&self.type_name, declared).unwrap_or(self.type_name);
        Self { type_name, ..self }
    }

    /// Whether a listing could read it.
    pub fn is_read(&self) -> bool {
        !self.type_name.is_empty() && !self.value.starts_with("<error")
    }
}
