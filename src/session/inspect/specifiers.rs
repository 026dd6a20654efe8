//! Format specifiers behind an expression, as debuggers for C# have them: `order.Id,h`, `name,nq`, `query,results`.

use clr_csharp::syntax;

use super::evaluate;
use super::evaluated::{EvalError, Evaluated};
use super::raw_value::RawValue;
use super::reader::Reader;
use super::{bounds, literal, preview, shared_code};
use crate::session::error::Code;
use crate::session::expression::outside_strings;
use crate::session::report::{Content, Variable};
use crate::session::type_names;

/// How a value is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Specifier {
    Hex {
        is_upper: bool,
    },
    Binary,
    Decimal,
    NoQuotes,
    /// By its members, whatever its type is usually shown as.
    Raw,
    /// The elements of a sequence.
    Results,
}

const KNOWN: &str =
    "h and x (hexadecimal), H and X (the same in uppercase), b (binary), d (decimal), nq (no quotes), raw, results";

impl Specifier {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "h" | "x" => Self::Hex { is_upper: false },
            "H" | "X" => Self::Hex { is_upper: true },
            "b" => Self::Binary,
            "d" => Self::Decimal,
            "nq" => Self::NoQuotes,
            "raw" => Self::Raw,
            "results" => Self::Results,
            _ => return None,
        })
    }
}

/// An expression, and what stands behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specified {
    pub expression: String,
    pub specifiers: Vec<Specifier>,
}

impl Specified {
    /// With nothing behind it.
    pub fn plain(expression: &str) -> Self {
        Self { expression: expression.to_owned(), specifiers: Vec::new() }
    }

    /// Splits them. A comma of C# itself stays one: what is an expression as a whole has no specifiers.
    ///
    /// # Errors
    /// `evaluation_failed` for a specifier that is not known.
    pub fn read(text: &str) -> Result<Self, EvalError> {
        let (mut rest, mut specifiers) = (text, Vec::new());
        while let Some((head, name)) = last_part(rest) {
            if syntax::parse(rest.trim()).is_ok() {
                break;
            }
            let Some(specifier) = Specifier::named(name) else {
                // a hole's alignment, or what the compiler is to judge
                let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic());
                if !is_word || syntax::parse(head.trim()).is_err() {
                    break;
                }
                let words = format!("`{name}` is not a format specifier; known specifiers: {KNOWN}");
                return Err(EvalError::certain(Code::EvaluationFailed, words));
            };
            specifiers.insert(0, specifier);
            rest = head;
        }
        Ok(Self { expression: rest.to_owned(), specifiers })
    }

    /// The value; of a sequence whose results are wanted an array of them.
    ///
    /// # Errors
    /// [`EvalError`]
    pub async fn evaluate(&self, reader: &Reader, side_effects: bool) -> Result<Evaluated, EvalError> {
        if !self.specifiers.contains(&Specifier::Results) {
            return evaluate::evaluate(reader, &self.expression, side_effects).await;
        }
        let results = |of: String| format!("System.Linq.Enumerable.ToArray({of})");
        let typed = evaluate::evaluate(reader, &results(self.expression.clone()), side_effects).await;
        match typed {
            // of a sequence without a type of its elements
            Err(error) if error.message.starts_with("error CS") => {
                let objects = format!("System.Linq.Enumerable.Cast<object>({})", self.expression);
                let untyped = evaluate::evaluate(reader, &results(objects), side_effects).await;
                untyped.map_err(|_| match error.message.contains("Enumerable.ToArray") {
                    true => EvalError::certain(
                        Code::EvaluationFailed,
                        format!("`{}` is not a sequence, so it has no results", self.expression.trim()),
                    ),
                    false => error,
                })
            }
            found => found,
        }
    }

    /// Whether the expression is one that is evaluated at all.
    pub fn is_within_bounds(&self) -> bool {
        bounds::refuse(self.expression.trim()).is_ok()
    }

    /// As [`Self::shown`], of a value that an adapter printed and that needs no further reading; `None`: it needs that.
    pub fn shown_plain(&self, printed: &str, type_name: &str, limit: usize) -> Option<Variable> {
        let value =
            RawValue { value: printed.to_owned(), type_name: shared_code::unnamed(type_name), ..RawValue::default() };
        Some(self.specified(literal::plain("", &value.type_name, &value.value, limit)?, &value))
    }

    /// The value as it is to be shown; `limit` cuts a string.
    pub async fn shown(&self, reader: &Reader, found: &Evaluated, limit: usize) -> Variable {
        let variable = match self.specifiers.contains(&Specifier::Raw) {
            true => preview::raw(reader, &found.value, &found.load_path, limit).await,
            false => preview::variable(reader, &found.value, &found.load_path, limit).await,
        };
        self.specified(variable, &found.value)
    }

    fn specified(&self, variable: Variable, value: &RawValue) -> Variable {
        self.specifiers.iter().fold(variable, |variable, specifier| applied(variable, *specifier, &value.type_name))
    }
}

/// What stands before the last comma outside brackets and strings, and behind it.
fn last_part(text: &str) -> Option<(&str, &str)> {
    let code = outside_strings(text);
    let (mut depth, mut comma) = (0usize, None);
    for ((at, _), c) in text.char_indices().zip(code.chars()) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => comma = Some(at),
            _ => {}
        }
    }
    let comma = comma?;
    Some((text.get(..comma)?, text.get(comma + 1..)?.trim()))
}

fn applied(variable: Variable, specifier: Specifier, type_name: &str) -> Variable {
    let Content::Value(text) = &variable.content else { return variable };
    let text = match specifier {
        Specifier::Hex { .. } | Specifier::Binary | Specifier::Decimal => number(text, specifier, type_name),
        Specifier::NoQuotes => literal::unquote(text),
        Specifier::Raw | Specifier::Results => None,
    };
    match text {
        Some(text) => Variable { content: Content::Value(text), ..variable },
        None => variable,
    }
}

/// An integer or a character, or a list of them.
fn number(text: &str, specifier: Specifier, type_name: &str) -> Option<String> {
    let short = type_names::short(type_name);
    if let Some(inside) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let element = element(type_name)?;
        let each = |part: &str| match part {
            "…" => Some(part.to_owned()),
            part => one(part, specifier, &element),
        };
        let parts: Option<Vec<String>> = inside.split(", ").map(each).collect();
        return parts.map(|parts| format!("[{}]", parts.join(", ")));
    }
    one(text, specifier, short.trim_end_matches('?'))
}

/// What a list is of, by the name of its type.
fn element(type_name: &str) -> Option<String> {
    let short = match (type_name.strip_suffix("[]"), type_names::generic_arguments(type_name).as_slice()) {
        (Some(element), _) => type_names::short(element),
        (None, [only]) => type_names::short(only),
        _ => return None,
    };
    Some(short.trim_end_matches('?').to_owned())
}

fn one(literal: &str, specifier: Specifier, type_name: &str) -> Option<String> {
    let value: i128 = match literal.strip_prefix('\'') {
        Some(_) => {
            let inside = literal.trim_matches('\'').replace('"', "\\\"");
            let character = literal::unquote(&format!("\"{inside}\"")).unwrap_or(inside);
            character.encode_utf16().next()?.into()
        }
        None => literal.trim_end_matches(['U', 'L']).parse().ok()?,
    };
    let bytes = match type_name {
        "byte" | "sbyte" => 1,
        "short" | "ushort" | "char" => 2,
        "long" | "ulong" | "nint" | "nuint" => 8,
        _ if literal.contains('L') => 8,
        _ => 4,
    };
    // of a negative number all bits of its type
    let bits = value & ((1_i128 << (bytes * 8)) - 1);
    Some(match specifier {
        Specifier::Hex { is_upper: true } => format!("0x{bits:0width$X}", width = bytes * 2),
        Specifier::Hex { is_upper: false } => format!("0x{bits:0width$x}", width = bytes * 2),
        Specifier::Binary => format!("0b{bits:0width$b}", width = bytes * 8),
        _ => value.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_of_csharp_is_none_before_a_specifier() {
        let read = |text: &str| Specified::read(text).map(|it| (it.expression, it.specifiers));
        let hex = Specifier::Hex { is_upper: false };
        for (text, expression, specifiers) in [
            ("i", "i", vec![]),
            ("i,h", "i", vec![hex]),
            ("i , x ", "i ", vec![hex]),
            ("f(a, h)", "f(a, h)", vec![]),
            ("Make<int, h>(1)", "Make<int, h>(1)", vec![]),
            ("(a, nq)", "(a, nq)", vec![]),
            ("a[1, d]", "a[1, d]", vec![]),
            ("\"a,h\"", "\"a,h\"", vec![]),
            ("names[\"a,h\"],nq", "names[\"a,h\"]", vec![Specifier::NoQuotes]),
            ("list,results,h", "list", vec![Specifier::Results, hex]),
            ("i,5", "i,5", vec![]),
        ] {
            assert_eq!(read(text).unwrap(), (expression.to_owned(), specifiers), "{text}");
        }
        assert!(read("i,q").unwrap_err().message.starts_with("`q` is not a format specifier"));
    }

    #[test]
    fn numbers_are_shown_with_all_bits_of_their_type() {
        let shown = |text, name, type_name| number(text, Specifier::named(name).unwrap(), type_name);
        for (text, name, type_name, expected) in [
            ("42", "h", "int", Some("0x0000002a")),
            ("-1", "X", "int", Some("0xFFFFFFFF")),
            ("-1", "h", "sbyte", Some("0xff")),
            ("5L", "h", "long", Some("0x0000000000000005")),
            ("5", "b", "byte", Some("0b00000101")),
            ("5", "d", "int?", Some("5")),
            ("'a'", "d", "char", Some("97")),
            ("'a'", "h", "char", Some("0x0061")),
            ("[1, 255, …]", "h", "byte[]", Some("[0x01, 0xff, …]")),
            ("[1, 2]", "h", "System.Collections.Generic.List<int>", Some("[0x00000001, 0x00000002]")),
            ("2.5", "h", "double", None),
            ("\"x\"", "h", "string", None),
        ] {
            assert_eq!(shown(text, name, type_name).as_deref(), expected, "{text},{name}");
        }
    }
}
