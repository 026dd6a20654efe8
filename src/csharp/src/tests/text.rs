//! Values as C# writes them.

use crate::constant::{Constant, Scalar};
use crate::types::{ANONYMOUS, Type};
use crate::value::{Content, Value};

pub fn shown(value: &Value<Type>) -> String {
    match value {
        Value::Constant(constant) => constant_text(constant),
        Value::Object(_) => "an object".into(),
        Value::Void => "void".into(),
        Value::Made(made) => match &made.content {
            Content::Tuple(items) if made.type_.is(ANONYMOUS) => {
                let names = made.type_.element_names().iter().flatten();
                let members: Vec<String> =
                    names.zip(items).map(|(name, item)| format!("{name} = {}", shown(item))).collect();
                format!("{{ {} }}", members.join(", "))
            }
            Content::Tuple(items) => format!("({})", listed(items)),
            Content::Items(items) => format!("[{}]", listed(items)),
            Content::Entries(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {}", shown(key), shown(value))).collect();
                format!("{{{}}}", entries.join(", "))
            }
            Content::Group { key, items } => format!("{} => [{}]", shown(key), listed(items)),
            Content::Lambda { lambda, .. } => format!("{}", lambda.type_),
            Content::Query { operator, .. } => format!("a query ({operator})"),
            Content::Type(type_) => format!("typeof({type_})"),
            Content::Index { .. } | Content::Range { .. } => made.content.as_position().unwrap(),
        },
    }
}

fn listed(items: &[Value<Type>]) -> String {
    items.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn constant_text(constant: &Constant) -> String {
    match constant {
        Constant::Null => "null".into(),
        Constant::Text(units) => format!("\"{}\"", String::from_utf16_lossy(units)),
        Constant::Enum(type_, number) => format!("({}){number}", Type::short(type_)),
        Constant::Scalar(scalar) => match scalar {
            Scalar::Bool(value) => value.to_string(),
            Scalar::Char(unit) => format!("'{}'", String::from_utf16_lossy(&[*unit])),
            Scalar::Int(primitive, number) => match primitive.keyword() {
                "int" => number.to_string(),
                keyword => format!("({keyword}){number}"),
            },
            Scalar::Single(number) => format!("{number}f"),
            Scalar::Double(number) => format!("{number}d"),
            Scalar::Decimal(number) => format!("{number}m"),
        },
    }
}
