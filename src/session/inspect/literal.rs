//! Adapter values turned into C# that can be pasted.

use crate::session::report::{Content, Variable};
use crate::session::type_names;

/// Characters of a string in lists and stop reports.
pub const SHORT: usize = 100;
/// Characters of a string whose path was asked for alone.
pub const LONG: usize = 1024;

/// What an adapter's `value` is.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    Null,
    /// A C# literal, complete.
    Literal(String),
    /// A string's characters, unescaped.
    Text(String),
    /// An enum's member names, `Read | Write`, or its number.
    Enum(String),
    /// `{int[2, 3]}`: its dimensions.
    Array(Vec<u64>),
    /// Anything with members.
    Object,
    /// `<error>` or an error text.
    Unreadable(String),
}

/// Reads a `value` as netcoredbg 3.1.2 and dncdbg print it (vendor-notes.md).
pub fn parse(type_name: &str, value: &str) -> Raw {
    let short = type_names::short(type_name);
    let base = short.strip_suffix('?').unwrap_or(&short);
    if value == "null" {
        return Raw::Null;
    }
    if value.starts_with("<error") || value.starts_with("error:") {
        return Raw::Unreadable(value.trim_matches(['<', '>']).to_owned());
    }
    if base == "string" || (base == "object" && value.starts_with('"')) {
        return match unquote(value) {
            Some(text) => Raw::Text(text),
            None => Raw::Text(value.to_owned()),
        };
    }
    match base {
        "int" | "short" | "ushort" | "byte" | "sbyte" | "bool" | "nint" | "nuint" => Raw::Literal(value.to_owned()),
        "long" => Raw::Literal(format!("{value}L")),
        "uint" => Raw::Literal(format!("{value}U")),
        "ulong" => Raw::Literal(format!("{value}UL")),
        // .NET prints a zero without its sign
        "decimal" if !value.contains(|c| ('1'..='9').contains(&c)) => {
            Raw::Literal(format!("{}m", value.trim_start_matches('-')))
        }
        "decimal" => Raw::Literal(format!("{value}m")),
        "double" => Raw::Literal(floating(value, "double", "")),
        "float" => Raw::Literal(floating(value, "float", "f")),
        "char" => Raw::Literal(character(value)),
        _ if base.ends_with(']') => Raw::Array(dimensions(value)),
        _ if value.starts_with('{') || value.is_empty() => Raw::Object,
        _ if is_enum(value) => Raw::Enum(value.to_owned()),
        // dncdbg prints what has a DebuggerDisplay by it, in raw mode too
        _ => Raw::Object,
    }
}

/// Member names joined by ` | `, or a number.
fn is_enum(value: &str) -> bool {
    let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    value.split(" | ").all(name)
}

fn floating(value: &str, keyword: &str, suffix: &str) -> String {
    match value.trim_start_matches('-') {
        "nan" | "NaN" => format!("{keyword}.NaN"),
        "inf" | "Infinity" | "∞" if value.starts_with('-') => format!("{keyword}.NegativeInfinity"),
        "inf" | "Infinity" | "∞" => format!("{keyword}.PositiveInfinity"),
        plain if suffix.is_empty() && !plain.contains(['.', 'e', 'E']) => format!("{value}.0"),
        _ => format!("{value}{suffix}"),
    }
}

/// `97 'a'` -> `'a'`; a lone surrogate or a control character is escaped.
fn character(value: &str) -> String {
    let code = value.split(' ').next().and_then(|n| n.parse::<u32>().ok());
    match code {
        Some(code) => match char::from_u32(code) {
            Some(c) => format!("'{}'", escape_char(c, '\'')),
            None => format!("'\\u{code:04x}'"),
        },
        None => value.to_owned(),
    }
}

/// `{int[2, 3]}` -> `[2, 3]`, `{int[3][]}` -> `[3]`.
fn dimensions(value: &str) -> Vec<u64> {
    bounds(value).into_iter().map(|(_, length)| length).collect()
}

/// The first index and the length of each dimension of an array as it is printed: `{int[2, 5..7]}` -> `[(0, 2), (5, 3)]`.
/// Of the array itself: its elements may be tuples of arrays, `{(string, int[])[12]}`.
pub fn bounds(value: &str) -> Vec<(i64, u64)> {
    let mut depth = 0_u32;
    let own = value.char_indices().find(|(_, c)| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *c == '[' && depth == 0
    });
    own.and_then(|(open, _)| value.get(open + 1..))
        .and_then(|rest| rest.split(']').next())
        .map(|inside| inside.split(',').filter_map(|part| dimension(part.trim())).collect())
        .unwrap_or_default()
}

/// `3`, or `5..7` where the first index is not 0.
fn dimension(part: &str) -> Option<(i64, u64)> {
    let Some((first, last)) = part.split_once("..") else { return Some((0, part.parse().ok()?)) };
    let (first, last): (i64, i64) = (first.parse().ok()?, last.parse().ok()?);
    Some((first, u64::try_from(last - first + 1).ok()?))
}

fn escape_char(c: char, quote: char) -> String {
    match c {
        '\\' => "\\\\".into(),
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        '\0' => "\\0".into(),
        c if c == quote => format!("\\{c}"),
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    }
}

/// The C# literal of `text`.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    text.chars().for_each(|c| out.push_str(&escape_char(c, '"')));
    out.push('"');
    out
}

/// The literal cut to `limit` characters of the string, and where it was cut the `Length` of the whole, in UTF-16 units.
pub fn quote_cut(text: &str, limit: usize) -> (String, Option<u64>) {
    cut(text.chars().map(Ok), limit)
}

fn cut(characters: impl Iterator<Item = Result<char, u16>>, limit: usize) -> (String, Option<u64>) {
    let (mut literal, mut count, mut length) = ("\"".to_owned(), 0_usize, 0_usize);
    for character in characters {
        count += 1;
        length += character.map_or(1, char::len_utf16);
        match character {
            _ if count > limit => {}
            Ok(c) => literal.push_str(&escape_char(c, '"')),
            Err(half) => literal.push_str(&format!("\\u{half:04x}")),
        }
    }
    literal.push_str(if count > limit { "…\"" } else { "\"" });
    (literal, (count > limit).then_some(length as u64))
}

/// A number as an adapter prints it. Rounded to 16 digits the largest of all (`1.797693134862316e+308`) reads as more than there is.
pub fn printed_double(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    let is_too_large = number.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit());
    Some(if is_too_large { f64::MAX.copysign(number) } else { number })
}

/// The characters of a C# string literal; half of a surrogate pair is U+FFFD. `None` when it is not one.
pub fn unquote(literal: &str) -> Option<String> {
    Some(characters(literal)?.map(|c| c.unwrap_or('\u{fffd}')).collect())
}

/// The same with halves of surrogate pairs as they are.
fn characters(literal: &str) -> Option<impl Iterator<Item = Result<char, u16>>> {
    let mut chars = literal.strip_prefix('"')?.strip_suffix('"')?.chars();
    Some(std::iter::from_fn(move || {
        let escaped = match chars.next()? {
            '\\' => chars.next(),
            c => return Some(Ok(c)),
        };
        Some(Ok(match escaped {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('v') => '\u{b}',
            Some('u') => {
                let hex: String = chars.by_ref().take(4).collect();
                let Ok(unit) = u16::from_str_radix(&hex, 16) else { return Some(Ok('\u{fffd}')) };
                return Some(char::from_u32(unit.into()).ok_or(unit));
            }
            Some(other) => other,
            None => '\\',
        }))
    }))
}

/// A value that needs no further reading, as a variable; `None` for arrays and objects.
pub fn plain(name: &str, type_name: &str, value: &str, limit: usize) -> Option<Variable> {
    let short = type_names::short(type_name);
    let mut variable = Variable { name: name.to_owned(), ..Variable::default() };
    let shows_type = type_names::literal_shows_type(&short);
    match parse(type_name, value) {
        Raw::Null => {
            variable.type_name = (!short.is_empty()).then_some(short);
            variable.content = Content::Value("null".into());
        }
        Raw::Literal(literal) => {
            variable.type_name = (!shows_type).then_some(short);
            variable.content = Content::Value(literal);
        }
        Raw::Text(text) => {
            let (literal, length) = match characters(value) {
                Some(characters) => cut(characters, limit),
                None => quote_cut(&text, limit),
            };
            variable.type_name = (short != "string" && !short.is_empty()).then_some(short);
            variable.length = length;
            variable.content = Content::Value(literal);
        }
        Raw::Enum(names) => {
            variable.type_name = (!short.is_empty()).then_some(short);
            variable.content = Content::Value(names);
        }
        Raw::Unreadable(words) => variable.content = Content::Error(words),
        Raw::Array(_) | Raw::Object => return None,
    }
    Some(variable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapter_values_become_literals() {
        for (type_name, value, expected) in [
            ("int", "7", Raw::Literal("7".into())),
            ("long", "7", Raw::Literal("7L".into())),
            ("uint", "7", Raw::Literal("7U".into())),
            ("decimal", "2.50", Raw::Literal("2.50m".into())),
            ("decimal", "-2.50", Raw::Literal("-2.50m".into())),
            ("decimal", "-0.00", Raw::Literal("0.00m".into())),
            ("double", "5", Raw::Literal("5.0".into())),
            ("double", "0.1", Raw::Literal("0.1".into())),
            ("double", "-nan", Raw::Literal("double.NaN".into())),
            ("double", "-inf", Raw::Literal("double.NegativeInfinity".into())),
            ("float", "0.1", Raw::Literal("0.1f".into())),
            ("float", "inf", Raw::Literal("float.PositiveInfinity".into())),
            ("char", "233 'é'", Raw::Literal("'é'".into())),
            ("char", "0 ''", Raw::Literal("'\\0'".into())),
            ("char", "39 '\\''", Raw::Literal("'\\''".into())),
            ("char", "55357 '?'", Raw::Literal("'\\ud83d'".into())),
            ("bool", "true", Raw::Literal("true".into())),
            ("int?", "5", Raw::Literal("5".into())),
            ("int?", "null", Raw::Null),
            ("string", "\"a \\\"q\\\"\"", Raw::Text("a \"q\"".into())),
            ("Collections.Access", "Read | Write", Raw::Enum("Read | Write".into())),
            ("int[]", "{int[3]}", Raw::Array(vec![3])),
            ("int[,]", "{int[2, 3]}", Raw::Array(vec![2, 3])),
            ("int[,]", "{int[2, 5..7]}", Raw::Array(vec![2, 3])),
            ("int[][]", "{int[3][]}", Raw::Array(vec![3])),
            ("(string, int[])[]", "{(string, int[])[12]}", Raw::Array(vec![12])),
            ("System.Func<int[]>[]", "{System.Func<int[]>[2]}", Raw::Array(vec![2])),
            ("Basics.Order", "{Basics.Order}", Raw::Object),
            ("System.Collections.Generic.List<int>", "Count = 3", Raw::Object),
            ("x", "<error>", Raw::Unreadable("error".into())),
        ] {
            assert_eq!(parse(type_name, value), expected, "{type_name} {value}");
        }
    }

    #[test]
    fn a_cut_string_shows_its_length_and_stays_one_line() {
        let (literal, length) = quote_cut("ab\ncdef", 4);
        assert_eq!((literal.as_str(), length), ("\"ab\\nc…\"", Some(7)));
        assert_eq!(quote_cut("a😀😀", 2), ("\"a😀…\"".into(), Some(5)));
        assert_eq!(quote("\u{1b}[0m\0\""), "\"\\u001b[0m\\0\\\"\"");
    }

    #[test]
    fn half_of_a_surrogate_pair_stays_what_it_is() {
        for (limit, expected) in [(9, r#""a\ud83d b""#), (2, r#""a\ud83d…""#)] {
            let shown = plain("text", "string", r#""a\ud83d b""#, limit).map(|variable| variable.content);
            assert_eq!(shown, Some(Content::Value(expected.into())));
        }
    }

    #[test]
    fn a_literal_survives_the_round_trip() {
        for text in ["", "plain", "a \"quoted\" \\ \t \n \r \0 \u{1b}", "naïve – 日本語 – 😀"] {
            assert_eq!(unquote(&quote(text)).as_deref(), Some(text));
        }
    }
}
