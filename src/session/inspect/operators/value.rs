//! Operands and what can go wrong with them.

use std::sync::Arc;

use clr_csharp::Decimal;

use super::enums::EnumType;
use super::integers::IntType;
use crate::session::inspect::literal::{self, Raw};
use crate::session::inspect::reader::RawValue;

/// Why C# has no value for an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The compiler refuses it.
    Compile(String),
    /// It throws: `Type: message`.
    Throws(String),
}

/// What is known of an operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    Null,
    Bool(bool),
    Int(IntType, i128),
    Text(String),
    Decimal(Decimal),
    /// `float`, `double`, or a `decimal` whose digits are not known: the adapter's to compute with.
    Floating(&'static str),
    Enum(Arc<EnumType>, i128),
    /// Anything else, by its type.
    Other(String),
}

/// A computed operand.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    pub known: Known,
    /// A constant of the expression: it converts to any integer type that it fits.
    pub is_constant: bool,
    /// An expression with this value, for what the adapter computes.
    pub text: String,
    /// What the adapter said of it.
    pub read: Option<RawValue>,
}

impl Operand {
    pub fn constant(known: Known) -> Self {
        Self { is_constant: true, ..Self::computed(known) }
    }

    pub fn computed(known: Known) -> Self {
        let text = match &known {
            Known::Null => "null".to_owned(),
            Known::Bool(value) => value.to_string(),
            Known::Int(kind, value) => kind.literal(*value),
            Known::Text(text) => literal::quote(text),
            Known::Decimal(value) => format!("{value}m"),
            // the one form in which adapters know a value without a name of its own
            Known::Enum(type_, number) => match type_.printed(*number) {
                name if name.starts_with(char::is_alphabetic) && !name.contains(' ') => {
                    format!("{}.{name}", type_.name)
                }
                _ => format!("({}){number}", type_.name),
            },
            Known::Floating(_) | Known::Other(_) => String::new(),
        };
        Self { known, is_constant: false, text, read: None }
    }

    /// What an adapter read under `text`.
    pub fn read(value: RawValue, text: &str) -> Self {
        let short = value.short_type();
        let base = short.trim_end_matches('?');
        let known = match (value.parsed(), base) {
            // a boxed number comes as its own type, and is an object to operators
            (Raw::Literal(literal), _) if literal.starts_with('{') => Known::Other("object".to_owned()),
            (Raw::Null, _) => Known::Null,
            (Raw::Text(text), _) => Known::Text(text),
            (Raw::Literal(_), "bool") => Known::Bool(value.value == "true"),
            (Raw::Literal(_), "double") => Known::Floating("double"),
            (Raw::Literal(_), "float") => Known::Floating("float"),
            (Raw::Literal(_), "decimal") => {
                Decimal::parse(&value.value).map_or(Known::Floating("decimal"), Known::Decimal)
            }
            (Raw::Literal(_), _) => IntType::named(base)
                .zip(value.value.split(' ').next().and_then(|digits| digits.parse().ok()))
                .map_or_else(|| Known::Other(short.clone()), |(kind, number)| Known::Int(kind, number)),
            _ => Known::Other(short.clone()),
        };
        Self { known, is_constant: false, text: text.to_owned(), read: Some(value) }
    }

    /// The type as C# names it.
    pub fn type_name(&self) -> String {
        match &self.known {
            Known::Null => "<null>".into(),
            Known::Bool(_) => "bool".into(),
            Known::Int(kind, _) => kind.name().into(),
            Known::Text(_) => "string".into(),
            Known::Decimal(_) => "decimal".into(),
            Known::Floating(name) => (*name).into(),
            Known::Enum(type_, _) => type_.name.clone(),
            Known::Other(name) => name.clone(),
        }
    }

    /// As an adapter would have said it.
    pub fn into_raw(self) -> RawValue {
        if let Some(read) = self.read {
            return read;
        }
        let (type_name, value) = match self.known {
            Known::Null => ("object".to_owned(), "null".to_owned()),
            Known::Bool(value) => ("bool".into(), value.to_string()),
            Known::Int(kind, value) => (kind.name().into(), kind.printed(value)),
            Known::Text(text) => ("string".into(), literal::quote(&text)),
            Known::Decimal(value) => ("decimal".into(), value.to_string()),
            // as adapters print it, without a suffix
            Known::Floating(name) => (name.into(), self.text.trim_end_matches(char::is_alphabetic).to_owned()),
            Known::Enum(type_, number) => (type_.name.clone(), type_.printed(number)),
            Known::Other(name) => (name, self.text),
        };
        RawValue { type_name, value, ..RawValue::default() }
    }
}
