//! Constants of an expression.

use clr_csharp::Decimal;

use super::integers::IntType;
use crate::session::inspect::literal;

/// What is known of a constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    Null,
    Bool(bool),
    Int(IntType, i128),
    Text(String),
    Decimal(Decimal),
    /// `float` or `double`.
    Floating(&'static str),
}

/// A constant, and how it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    pub known: Known,
    pub text: String,
}

impl Operand {
    pub fn constant(known: Known) -> Self {
        let text = match &known {
            Known::Null => "null".to_owned(),
            Known::Bool(value) => value.to_string(),
            Known::Int(kind, value) => kind.literal(*value),
            Known::Text(text) => literal::quote(text),
            Known::Decimal(value) => format!("{value}m"),
            Known::Floating(_) => String::new(),
        };
        Self { known, text }
    }

    /// The type as C# names it.
    pub fn type_name(&self) -> String {
        match &self.known {
            Known::Null => "<null>",
            Known::Bool(_) => "bool",
            Known::Int(kind, _) => kind.name(),
            Known::Text(_) => "string",
            Known::Decimal(_) => "decimal",
            Known::Floating(name) => name,
        }
        .to_owned()
    }
}
