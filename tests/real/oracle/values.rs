//! Values as text, and the enums of all files.

use std::collections::HashMap;
use std::path::PathBuf;

use clr_metadata::{Assembly, Attribute, AttributeValue, Primitive};

/// The integer types behind enums, by metadata name.
pub struct Enums(HashMap<String, Primitive>);

impl Enums {
    pub fn read<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Self {
        let mut known = HashMap::new();
        for assembly in files.filter_map(|file| Assembly::open(file).ok()) {
            for type_ in assembly.types().filter(|type_| type_.is_enum()) {
                known.entry(type_.full_name()).or_insert(type_.enum_underlying().unwrap());
            }
        }
        Self(known)
    }
}

pub fn attribute(attribute: &Attribute<'_>, enums: &Enums) -> String {
    let arguments = attribute.decode(&|name| enums.0.get(name).copied()).unwrap();
    let named = arguments.named;
    let fixed: Vec<String> = arguments.fixed.iter().map(literal).collect();
    let named: String = named.iter().map(|(name, value)| format!("; {name} = {}", literal(value))).collect();
    format!("({}{named})", fixed.join(", "))
}

pub fn literal(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Bool(value) => value.to_string(),
        AttributeValue::Int(value) => value.to_string(),
        AttributeValue::Float(value) if value.is_nan() => "double.NaN".to_owned(),
        AttributeValue::Float(value) if *value == f64::INFINITY => "double.PositiveInfinity".to_owned(),
        AttributeValue::Float(value) if *value == f64::NEG_INFINITY => "double.NegativeInfinity".to_owned(),
        AttributeValue::Float(value) => value.to_string(),
        AttributeValue::Char(value) => format!("'{}'", escaped(&value.to_string(), '\'')),
        AttributeValue::String(Some(text)) => format!("\"{}\"", escaped(text, '"')),
        AttributeValue::Type(Some(name)) => format!("typeof({name})"),
        AttributeValue::Array(Some(values)) => {
            format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        AttributeValue::String(None) | AttributeValue::Type(None) | AttributeValue::Array(None) => "null".to_owned(),
    }
}

fn escaped(text: &str, quote: char) -> String {
    let escape = |character: char| match character {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\0' => "\\0".to_owned(),
        '\\' => "\\\\".to_owned(),
        c if c == quote => format!("\\{c}"),
        ' '..='~' => character.to_string(),
        _ => character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    text.chars().map(escape).collect()
}

/// Length and FNV-1a.
pub fn hash(bytes: &[u8]) -> String {
    format!("{}:{:016x}", bytes.len(), fnv(0xcbf2_9ce4_8422_2325, bytes))
}

pub fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
