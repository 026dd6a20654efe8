//! A tracepoint's message: text with `{expression}` holes, formatted like C# interpolation. `{{` and `}}` are braces; a backslash is text,
//! as in a verbatim string, so that a path can be written as it is.

use clr_csharp::syntax;

use crate::session::error::SessionError;
use crate::session::expression::is_path;
use crate::session::inspect::number_format;
use crate::session::inspect::specifiers::Specified;

/// A parsed message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage {
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    /// `{expression[,alignment][:format]}`
    Hole {
        expression: String,
        alignment: i32,
        format: Option<String>,
    },
}

impl LogMessage {
    /// # Errors
    /// `invalid_argument` for an unmatched brace or an empty hole.
    pub fn parse(message: &str) -> Result<Self, SessionError> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut chars = message.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match (c, chars.peek().map(|(_, next)| *next)) {
                ('{', Some('{')) | ('}', Some('}')) => {
                    chars.next();
                    text.push(c);
                }
                ('{', _) => {
                    let rest = message.get(at + 1..).unwrap_or("");
                    let end = hole_end(rest).ok_or_else(|| wrong("has a `{` without a matching `}`"))?;
                    if !text.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut text)));
                    }
                    parts.push(hole(rest.get(..end).unwrap_or(""))?);
                    while chars.peek().is_some_and(|(next, _)| *next <= at + 1 + end) {
                        chars.next();
                    }
                }
                ('}', _) => return Err(wrong("has a `}` without a matching `{`")),
                _ => text.push(c),
            }
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        Ok(Self { parts })
    }
}

fn wrong(what: &str) -> SessionError {
    SessionError::argument("message", format!("the message {what}"), "write `{expr}` for a value, `{{` for a brace")
}

/// Position of the `}` that closes a hole, minding brackets and strings.
fn hole_end(rest: &str) -> Option<usize> {
    let code = crate::session::expression::outside_strings(rest);
    let mut depth = 0usize;
    // blanks stand for bytes of strings one char each; find the byte position in the original
    for ((at, _), c) in rest.char_indices().zip(code.chars()) {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn hole(inside: &str) -> Result<Part, SessionError> {
    let code: Vec<char> = crate::session::expression::outside_strings(inside).chars().collect();
    let chars: Vec<char> = inside.chars().collect();
    let (mut depth, mut comma, mut colon) = (0usize, None, None);
    for (at, c) in code.iter().enumerate() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && colon.is_none() => comma = Some(at),
            // `::` is an alias qualifier, `?:` needs parentheses in C# holes too
            ':' if depth == 0 && colon.is_none() => colon = Some(at),
            _ => {}
        }
    }
    let slice =
        |from: usize, to: usize| chars.get(from..to).map(|part| part.iter().collect::<String>()).unwrap_or_default();
    let end = colon.unwrap_or(chars.len());
    let alignment = comma.and_then(|at| slice(at + 1, end).trim().parse::<i32>().ok());
    let expression_end = match (comma, alignment) {
        (Some(at), Some(_)) => at,
        _ => end,
    };
    let expression = slice(0, expression_end).trim().to_owned();
    if expression.is_empty() {
        return Err(wrong("has an empty placeholder `{}`"));
    }
    let specified = Specified::read(&expression)
        .map_err(|error| wrong(&format!("has an invalid placeholder: {}", error.message)))?;
    let written = specified.expression.trim();
    // an element may be named as lists show its key, which need not be C#
    if let Err(error) = syntax::parse(written)
        && !is_path(written)
        && !syntax::is_keyword(written)
    {
        return Err(wrong(&format!("has the placeholder `{{{written}}}`: {error}")));
    }
    let format = colon.map(|at| slice(at + 1, chars.len()));
    if let Some(format) = format.as_deref().filter(|format| !number_format::is_known(format)) {
        let words = format!(
            "has the format `{format}`, which is not supported; numeric formats are D, X, F, N, P, E and custom ones such as 0.00"
        );
        return Err(wrong(&words));
    }
    if alignment.is_some_and(|width| width.unsigned_abs() > 1000) {
        return Err(wrong("has an alignment above 1000"));
    }
    Ok(Part::Hole { expression, alignment: alignment.unwrap_or(0), format })
}

/// A C# literal as interpolation prints it: no quotes, no suffix.
pub fn interpolated(literal: &str) -> String {
    if let Some(text) = crate::session::inspect::literal::unquote(literal) {
        return text;
    }
    if let Some(inside) = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return crate::session::inspect::literal::unquote(&format!("\"{inside}\""))
            .unwrap_or_else(|| inside.to_owned());
    }
    match literal {
        "null" => String::new(),
        "true" => "True".into(),
        "false" => "False".into(),
        _ => {
            let number = literal.trim_end_matches(['L', 'U', 'm', 'f']);
            let numeric = number.starts_with(|c: char| c.is_ascii_digit() || c == '-');
            match number.strip_suffix(".0") {
                // `5.0` is how we print a double; C# prints 5
                Some(whole) if numeric && literal.len() == number.len() => whole.to_owned(),
                _ if numeric => number.to_owned(),
                _ => literal.to_owned(),
            }
        }
    }
}

/// A value as interpolation prints it, as wide as asked for. What is no number has no formats here.
pub fn formatted(text: String, alignment: i32) -> String {
    let width = alignment.unsigned_abs() as usize;
    let pad = width.saturating_sub(text.chars().count());
    if alignment < 0 { format!("{text}{}", " ".repeat(pad)) } else { format!("{}{text}", " ".repeat(pad)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::error::Code;

    fn hole(expression: &str) -> Part {
        Part::Hole { expression: expression.into(), alignment: 0, format: None }
    }

    #[test]
    fn holes_braces_and_formats_are_split() {
        let text = |text: &str| Part::Text(text.into());
        for (message, expected) in [
            ("plain", vec![text("plain")]),
            ("i={i} total={order.Total}", vec![text("i="), hole("i"), text(" total="), hole("order.Total")]),
            ("{{x}} {x}", vec![text("{x} "), hole("x")]),
            ("{ages[\"}\"]}!", vec![hole("ages[\"}\"]"), text("!")]),
            ("é{a}é", vec![text("é"), hole("a"), text("é")]),
            ("{f(1, 2)}", vec![hole("f(1, 2)")]),
            (r"C:\temp\{x}\n\\", vec![text(r"C:\temp\"), hole("x"), text(r"\n\\")]),
            (r"\{{x}}", vec![text(r"\{x}")]),
            ("{i,5:X4}", vec![Part::Hole { expression: "i".into(), alignment: 5, format: Some("X4".into()) }]),
        ] {
            assert_eq!(LogMessage::parse(message).unwrap().parts, expected, "{message}");
        }
        for bad in ["{", "a}", "{}", "{ }", "{i,99999}", "{i:C}", "{at:HH:mm}", "{i +}", "{f(}", "{1 2}", r"\{x\}"] {
            assert_eq!(LogMessage::parse(bad).unwrap_err().code, Code::InvalidArgument, "{bad}");
        }
    }

    #[test]
    fn values_print_as_interpolation_does() {
        for (literal, expected) in [
            ("2.50m", "2.50"),
            ("7L", "7"),
            ("\"a\\nb\"", "a\nb"),
            ("true", "True"),
            ("null", ""),
            ("5.0", "5"),
            ("0.1f", "0.1"),
            ("'x'", "x"),
            ("Read | Write", "Read | Write"),
        ] {
            assert_eq!(interpolated(literal), expected, "{literal}");
        }
        assert_eq!(formatted("00FF".into(), 6), "  00FF");
        assert_eq!(formatted("ab".into(), -4), "ab  ");
    }
}
