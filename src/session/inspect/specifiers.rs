//! Format specifiers behind an expression, as debuggers for C# have them: `order.Id,h`, `name,nq`, `query,results`.

use clr_csharp::specifiers;
pub use clr_csharp::specifiers::Specifier;

use super::evaluate;
use super::evaluated::{EvalError, Evaluated};
use super::raw_value::RawValue;
use super::reader::Reader;
use super::{bounds, literal, preview, shared_code};
use crate::session::error::Code;
use crate::session::report::{Content, Variable};
use crate::session::type_names;

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
        let unknown =
            |error: specifiers::UnknownSpecifier| EvalError::certain(Code::EvaluationFailed, error.to_string());
        let (expression, specifiers) = specifiers::split(text).map_err(unknown)?;
        Ok(Self { expression: expression.to_owned(), specifiers })
    }

    /// The value; of a sequence whose results are wanted an array of them.
    ///
    /// # Errors
    /// [`EvalError`]
    pub async fn evaluate(&self, reader: &Reader, side_effects: bool) -> Result<Evaluated, EvalError> {
        if !self.specifiers.contains(&Specifier::Results) {
            return evaluate::evaluate(reader, &self.expression, side_effects).await;
        }
        let results = |of: &str| format!("System.Linq.Enumerable.ToArray({of})");
        let declared = evaluate::evaluate(reader, &results(&self.expression), side_effects).await;
        let Err(error) = declared else { return declared };
        if !error.message.starts_with("error CS") {
            return Err(error);
        }
        // what the object is, whatever it is declared as; then a sequence without a type of its elements
        let object = format!("(dynamic)({})", self.expression);
        for sequence in [object.clone(), format!("System.Linq.Enumerable.Cast<object>({object})")] {
            match evaluate::evaluate(reader, &results(&sequence), side_effects).await {
                Err(error) if is_no_argument(&error) => {}
                found => return found,
            }
        }
        Err(match error.message.contains("Enumerable.ToArray") {
            true => EvalError::certain(
                Code::EvaluationFailed,
                format!("`{}` is not a sequence, so it has no results", self.expression.trim()),
            ),
            false => error,
        })
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

    /// A member or an element as it is to be shown.
    pub fn applied_to(&self, variable: Variable) -> Variable {
        let type_name = variable.type_name.clone().unwrap_or_default();
        self.specifiers.iter().fold(variable, |variable, specifier| applied(variable, *specifier, &type_name))
    }

    /// Elements that say all in a literal, of a collection of that type.
    pub fn applied_to_elements(&self, elements: Vec<String>, collection: &str) -> Vec<String> {
        let of = element(collection).unwrap_or_default();
        let applied_to = |text: String| {
            let plain = Variable { content: Content::Value(text.clone()), ..Variable::default() };
            match self.specifiers.iter().fold(plain, |variable, specifier| applied(variable, *specifier, &of)).content {
                Content::Value(text) => text,
                _ => text,
            }
        };
        elements.into_iter().map(applied_to).collect()
    }

    fn specified(&self, variable: Variable, value: &RawValue) -> Variable {
        self.specifiers.iter().fold(variable, |variable, specifier| applied(variable, *specifier, &value.type_name))
    }
}

/// Whether it is the method that does not take the object.
fn is_no_argument(error: &EvalError) -> bool {
    error.code == Code::EvaluationFailed || error.message.contains("RuntimeBinderException")
}

fn applied(variable: Variable, specifier: Specifier, type_name: &str) -> Variable {
    let Content::Value(text) = &variable.content else { return variable };
    let text = match specifier {
        Specifier::Hex { .. } | Specifier::Binary | Specifier::Decimal => number(text, specifier, type_name),
        Specifier::NoQuotes => literal::unquote(text),
        Specifier::Raw | Specifier::Results | Specifier::AlwaysCall | Specifier::Hidden => None,
    };
    match text {
        Some(text) => Variable { content: Content::Value(text), ..variable },
        None => variable,
    }
}

/// An integer or a character, or a list, the values of a dictionary or the elements of a tuple.
fn number(text: &str, specifier: Specifier, type_name: &str) -> Option<String> {
    let within = |open, close| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(inside) = within('[', ']') {
        let element = element(type_name).or_else(|| type_names::generic_arguments(type_name).pop())?;
        let element = element.trim_end_matches('?');
        let each = |part: &str| match part.rsplit_once("]=") {
            _ if part == "…" => Some(part.to_owned()),
            Some((key, value)) => one(value, specifier, element).map(|value| format!("{key}]={value}")),
            None => one(part, specifier, element),
        };
        let parts: Option<Vec<String>> = parts(inside).into_iter().map(each).collect();
        return parts.map(|parts| format!("[{}]", parts.join(", ")));
    }
    if let Some(inside) = within('(', ')').filter(|_| type_name.starts_with('(') || type_name.contains("Tuple<")) {
        let types = type_names::generic_arguments(type_name);
        let each = |(part, of): (&str, &String)| {
            one(part, specifier, of.trim_end_matches('?')).unwrap_or_else(|| part.to_owned())
        };
        let parts = parts(inside);
        let shown: Vec<String> = parts.iter().copied().zip(&types).map(each).collect();
        return (types.len() == parts.len()).then(|| format!("({})", shown.join(", ")));
    }
    one(text, specifier, type_names::short(type_name).trim_end_matches('?'))
}

/// Values that commas separate, outside of brackets and strings.
fn parts(text: &str) -> Vec<&str> {
    let code = specifiers::outside_strings(text);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for ((at, _), c) in text.char_indices().zip(code.chars()) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(start..at).map(str::trim));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..).map(str::trim));
    parts
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
        _ if literal.starts_with('\'') => 2,
        "byte" | "sbyte" => 1,
        "short" | "ushort" => 2,
        "long" | "ulong" | "nint" | "nuint" => 8,
        _ if literal.contains('L') => 8,
        _ => 4,
    };
    Some(specifier.digits(value, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            // in a list of members, where the literal says which type it is
            ("'a'", "h", "", Some("0x0061")),
            ("[1, 255, …]", "h", "byte[]", Some("[0x01, 0xff, …]")),
            ("[1, 2]", "h", "System.Collections.Generic.List<int>", Some("[0x00000001, 0x00000002]")),
            ("[[\"a, b\"]=31, …]", "h", "Dictionary<string, byte>", Some("[[\"a, b\"]=0x1f, …]")),
            ("(16, \"tu, 2\", 'a')", "h", "(byte, string, char)", Some("(0x10, \"tu, 2\", 0x0061)")),
            ("[[1, 2], [3]]", "h", "int[][]", None),
            ("2.5", "h", "double", None),
            ("\"x\"", "h", "string", None),
        ] {
            assert_eq!(shown(text, name, type_name).as_deref(), expected, "{text},{name}");
        }
    }
}
