//! What a value looks like, in one line.

use std::sync::LazyLock;

use clr_csharp::floating;
use clr_metadata::{Primitive, TypeSig};
use regex::Regex;

use super::{Array, Content, Scalar, Value};
use crate::com::{self, Interface as _};

/// A value for a client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    pub text: String,
    pub type_name: String,
    /// It has members or elements.
    pub opens: bool,
    /// Elements, of an array.
    pub elements: Option<u32>,
    /// Where the object lies.
    pub address: Option<u64>,
}

impl Shown {
    /// In place of a value that cannot be read.
    pub(super) fn unread(error: com::HResult) -> Self {
        Self { text: format!("<error: {error}>"), ..Self::default() }
    }
}

impl Value<'_> {
    pub fn show(&self) -> Shown {
        let type_name = self.type_name();
        match self.content() {
            Ok(content) => {
                let address = content.address();
                let shown = Shown { address, ..content.show(type_name) };
                if !self.is_boxed() || !matches!(self.signature(), Ok(TypeSig::Primitive(of)) if !is_native(of)) {
                    return shown;
                }
                // as other adapters distinguish the box of a number from a variable of its type: the number is its `m_value`
                Shown { text: format!("{{{}}}", shown.type_name), ..shown }
            }
            Err(error) => Shown { text: format!("<error: {error}>"), type_name, ..Shown::default() },
        }
    }
}

/// As wide as an address.
fn is_native(primitive: Primitive) -> bool {
    matches!(primitive, Primitive::IntPtr | Primitive::UIntPtr)
}

impl Content<'_> {
    /// Of what lies in the heap by itself.
    fn address(&self) -> Option<u64> {
        let value = match self {
            Self::Array(array) => array.com.cast::<com::Value>(),
            Self::Object(object) => object.com.cast::<com::Value>(),
            _ => return None,
        };
        value.and_then(|value| value.address()).ok().filter(|&address| address != 0)
    }

    pub fn show(&self, type_name: String) -> Shown {
        let plain = |text: String| Shown { text, type_name: type_name.clone(), ..Shown::default() };
        match self {
            Self::Null => plain("null".into()),
            Self::Scalar(scalar) => plain(scalar.to_string()),
            Self::Text(units) => plain(quote(units)),
            Self::Pointer(address) => plain(format!("0x{address:016x}")),
            Self::Array(array) => Shown {
                text: format!("{{{}}}", array.sized_type()),
                opens: array.count() > 0,
                elements: Some(array.count()),
                type_name,
                address: None,
            },
            Self::Object(object) => {
                let text = super::reflected::text(object);
                let text = text.unwrap_or_else(|| format!("{{{}}}", type_name.trim_end_matches('?')));
                Shown { text, opens: true, type_name, ..Shown::default() }
            }
        }
    }
}

impl Array<'_> {
    /// `int[2, 3]`, `string[4][]`, `int[5..7]` where the first index is not 0.
    fn sized_type(&self) -> String {
        let bases = self.bases.iter().map(|base| i64::from(base.cast_signed())).chain(std::iter::repeat(0));
        let sizes = bases.zip(&self.dimensions).map(|(first, length)| match first {
            0 => length.to_string(),
            first => format!("{first}..{}", first + i64::from(*length) - 1),
        });
        let sizes: Vec<String> = sizes.collect();
        let signature = crate::types::signature(self.stopped.target(), &self.type_);
        let mut behind = String::new();
        let mut element = match &signature {
            TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => element.as_ref(),
            other => other,
        };
        // C# writes the outermost dimension first
        loop {
            match element {
                TypeSig::Array(inner) => {
                    behind.push_str("[]");
                    element = inner;
                }
                TypeSig::MultiArray { element: inner, shape } => {
                    behind.push_str(&format!("[{}]", ",".repeat(shape.rank.saturating_sub(1) as usize)));
                    element = inner;
                }
                _ => break,
            }
        }
        format!("{}[{}]{behind}", crate::types::text(element), sizes.join(", "))
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Char(unit) => {
                let shown = match char::from_u32(u32::from(*unit)) {
                    Some(c) => escape(c, '\''),
                    None => format!("\\u{unit:04x}"),
                };
                write!(f, "{unit} '{shown}'")
            }
            Self::Int(_, number) => write!(f, "{number}"),
            Self::Single(number) => {
                f.write_str(&floating::single(*number).unwrap_or_else(|| unbounded(f64::from(*number))))
            }
            Self::Double(number) => f.write_str(&floating::double(*number).unwrap_or_else(|| unbounded(*number))),
            Self::Decimal(text) => f.write_str(text),
            Self::Enum(definition, number) => f.write_str(&enum_text(&definition.view(), *number)),
        }
    }
}

/// What is no finite number.
fn unbounded(number: f64) -> String {
    match number {
        number if number.is_nan() => "NaN",
        number if number < 0.0 => "-Infinity",
        _ => "Infinity",
    }
    .to_owned()
}

/// A member's name, several for flags, else the number.
fn enum_text(view: &clr_metadata::TypeView<'_>, number: i128) -> String {
    let members = view.enum_members();
    match clr_metadata::enum_names(number, &members, view.is_flags()) {
        Some(names) => names.join(" | "),
        None => number.to_string(),
    }
}

/// The C# literal of a string of any units.
pub fn quote(units: &[u16]) -> String {
    let mut text = String::with_capacity(units.len() + 2);
    text.push('"');
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(c @ (' ' | '!' | '#'..='[' | ']'..='~')) => text.push(c),
            Ok(c) => text.push_str(&escape(c, '"')),
            Err(half) => text.push_str(&format!("\\u{:04x}", half.unpaired_surrogate())),
        }
    }
    text.push('"');
    text
}

fn escape(c: char, quote: char) -> String {
    match c {
        '\\' => "\\\\".into(),
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        '\0' => "\\0".into(),
        c if c == quote => format!("\\{c}"),
        c if !is_printable(c) && c.len_utf16() == 1 => format!("\\u{:04x}", u32::from(c)),
        c if !is_printable(c) => format!("\\U{:08x}", u32::from(c)),
        c => c.to_string(),
    }
}

/// Whether debuggers of C# show a character as it is: no control, no separator of lines, nothing that Unicode gives no meaning.
fn is_printable(c: char) -> bool {
    static OTHERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{Cc}\p{Cn}\p{Zl}\p{Zp}]").ok());
    let mut bytes = [0; 4];
    c.is_ascii_graphic() || !OTHERS.as_ref().is_some_and(|others| others.is_match(c.encode_utf8(&mut bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_numbers_read_as_in_csharp() {
        for (number, expected) in [
            (0.1, "0.1"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (100.0, "100"),
            (1e300, "1E+300"),
            (1.5e-7, "1.5E-07"),
            (0.0001, "0.0001"),
            (123456789.125, "123456789.125"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (-0.0, "-0"),
        ] {
            assert_eq!(Scalar::Double(number).to_string(), expected);
        }
        assert_eq!(Scalar::Single(0.1).to_string(), "0.1");
    }

    #[test]
    fn strings_and_characters_of_any_content_are_literals() {
        let units: Vec<u16> = "a\0\"\\\né".encode_utf16().chain([0xd800, 0x41]).collect();
        assert_eq!(quote(&units), "\"a\\0\\\"\\\\\\né\\ud800A\"");
        assert_eq!(Scalar::Char(97).to_string(), "97 'a'");
        assert_eq!(Scalar::Char(0xdc00).to_string(), "56320 '\\udc00'");
        assert_eq!(Scalar::Char(10).to_string(), "10 '\\n'");
        // what is no character, is not assigned, or breaks a line; a private one has its meaning elsewhere
        assert_eq!(Scalar::Char(0xffff).to_string(), "65535 '\\uffff'");
        assert_eq!(Scalar::Char(0x0378).to_string(), "888 '\\u0378'");
        assert_eq!(Scalar::Char(0x2028).to_string(), "8232 '\\u2028'");
        assert_eq!(Scalar::Char(0xe000).to_string(), "57344 '\u{e000}'");
        let units: Vec<u16> = "\u{fdd0}\u{1f600}\u{1ffff}\u{a0}".encode_utf16().collect();
        assert_eq!(quote(&units), "\"\\ufdd0\u{1f600}\\U0001ffff\u{a0}\"");
    }
}
