//! An expression in the form in which an adapter reads it right. Its text is C#; where an adapter reads something else out of it, a form
//! of the same meaning is sent: both know no keyword of a type before a dot (`int.MaxValue`), and dncdbg stops reading a number at an
//! underscore, takes escapes for text, and takes names that are words of C# elsewhere (`when`) for those (vendor-notes.md).

pub mod constants;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::syntax::{self, Expr, ExprKind, UnaryOp};
use clr_metadata::Primitive;

use super::escapes;
use crate::backend::Quirks;

/// Whether a variable's name is one only behind an `@`.
pub fn is_word(name: &str, quirks: &Quirks) -> bool {
    (syntax::is_keyword(name) && !syntax::is_operand_keyword(name)) || quirks.misread_names.contains(&name)
}

/// `expression` for an adapter that evaluates it where it makes no call, as a condition is; `None` where its form needs one.
pub fn without_calls(expression: &str, quirks: &Quirks) -> Option<String> {
    let spelled = spell(expression, quirks, false);
    (spelled == spell(expression, quirks, true)).then_some(spelled)
}

/// `expression`, for an adapter with these quirks. `calls`: it may be one that calls.
pub fn spell(expression: &str, quirks: &Quirks, calls: bool) -> String {
    if let Some(name) = alone(expression, quirks) {
        return name;
    }
    let mut out = String::with_capacity(expression.len());
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        if let Some((constant, length)) =
            constants::leading(rest).filter(|_| !out.ends_with(is_name) && !out.ends_with('.'))
        {
            out.push_str(constant);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let token = token(rest);
        let (text, behind) = rest.split_at(token);
        match first {
            // `.05m` has no digit before its point
            _ if first.is_ascii_digit() && out.ends_with('.') => out.push_str(&text.replace('_', "")),
            _ if first.is_ascii_digit() => out.push_str(&of_number(text)),
            '"' | '\'' => out.push_str(&of_text(text, quirks, calls)),
            '@' if text.contains('"') => out.push_str(&of_text(text, quirks, calls)),
            _ if is_name(first) => out.push_str(&of_name(text, out.trim_end(), behind.trim_start(), quirks)),
            _ => out.push_str(text),
        }
        rest = behind;
    }
    out
}

/// A variable's name as variables are listed, without the `@` that it has in the source.
fn alone(expression: &str, quirks: &Quirks) -> Option<String> {
    let bare = expression.strip_prefix('@').unwrap_or(expression);
    let is_word = is_word(bare, quirks);
    match quirks.reads_at_names {
        true => (is_word && bare == expression).then(|| format!("@{bare}")),
        false if quirks.misread_names.contains(&bare) => Some(format!("({bare})")),
        false => (bare != expression && is_word).then(|| bare.to_owned()),
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '$')
}

/// Bytes of the first token; what is not known here is taken character by character.
fn token(text: &str) -> usize {
    let all = |is_part: &dyn Fn(char) -> bool| text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    match text.chars().next() {
        // holes of interpolated text hold expressions of their own, raw text has no escapes: adapters have neither
        Some('$' | '"') if text.starts_with('$') || text.starts_with("\"\"\"") => text.len(),
        Some('"' | '\'') => escapes::length(text).unwrap_or(text.len()),
        Some('@') if text.starts_with("@\"") => escapes::length(text).unwrap_or(text.len()),
        Some(first) if first.is_ascii_digit() => number(text),
        Some(first) if is_name(first) => all(&is_name),
        Some(first) => first.len_utf8(),
        None => 0,
    }
}

/// Bytes of the number that a text begins with: `0xFFu`, `1.05m`, `1e-5`.
fn number(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
    };
    let has_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let mut end = digits(0);
    if text.as_bytes().get(end) == Some(&b'.') && has_digit(end + 1) {
        end = digits(end + 1);
    }
    let is_exponent = !text.starts_with("0x") && text.get(..end).is_some_and(|it| it.ends_with(['e', 'E']));
    let is_signed = matches!(text.as_bytes().get(end), Some(b'+' | b'-')) && has_digit(end + 1);
    if is_exponent && is_signed { digits(end + 1) } else { end }
}

/// Decimal digits and a suffix: `0xFFu` is `255U`. dncdbg stops reading at an underscore.
fn of_number(token: &str) -> String {
    let is_plain = token.bytes().all(|byte| byte.is_ascii_digit());
    match constant(token).filter(|_| !is_plain) {
        Some(Constant::Scalar(Scalar::Int(type_, number))) => integer(type_, number),
        Some(Constant::Scalar(Scalar::Decimal(number))) => format!("{number}m"),
        _ => token.replace('_', ""),
    }
}

/// The constant that a text is, with its sign.
pub fn constant(text: &str) -> Option<Constant> {
    let expr = syntax::parse(text).ok()?;
    let literal = |expr: &Expr| match &expr.kind {
        ExprKind::Literal(value) => Constant::of_literal(value),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Unary { operator: UnaryOp::Minus, of } => Some(Constant::Scalar(match literal(of)? {
            Constant::Scalar(Scalar::Int(Primitive::U4, number)) => Scalar::Int(Primitive::I8, -number),
            Constant::Scalar(Scalar::Int(type_, number)) if type_ != Primitive::U8 => Scalar::Int(type_, -number),
            Constant::Scalar(Scalar::Single(number)) => Scalar::Single(-number),
            Constant::Scalar(Scalar::Double(number)) => Scalar::Double(-number),
            Constant::Scalar(Scalar::Decimal(number)) => Scalar::Decimal(number.negated()),
            _ => return None,
        })),
        _ => literal(&expr),
    }
}

/// A literal of this type in decimal digits.
pub fn integer(type_: Primitive, number: i128) -> String {
    let suffix = match type_ {
        Primitive::U4 => "U",
        Primitive::I8 => "L",
        Primitive::U8 => "UL",
        _ => "",
    };
    format!("{number}{suffix}")
}

fn of_text(token: &str, quirks: &Quirks, calls: bool) -> String {
    if quirks.strings_end_at_nul
        && calls
        && let Some(units) = escapes::of_literal(token).filter(|units| units.contains(&0))
    {
        return decoded(&units);
    }
    if !quirks.texts_are_raw || !(token.contains('\\') || token.starts_with('@')) {
        return token.to_owned();
    }
    if let Some(inside) = token.strip_prefix('\'') {
        let unit = escapes::units(inside.trim_end_matches('\'')).and_then(|units| units.first().copied());
        return match unit.or(token.starts_with("'\\'").then_some(0x27)) {
            Some(unit) if calls => format!("System.Convert.ToChar({unit})"),
            _ => token.to_owned(),
        };
    }
    let Some(units) = escapes::of_literal(token) else { return token.to_owned() };
    match raw(&units) {
        Some(text) => text,
        None if calls => decoded(&units),
        None => token.to_owned(),
    }
}

/// A call that gives the text.
fn decoded(units: &[u16]) -> String {
    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let encoded = STANDARD.encode(bytes);
    format!("System.Text.Encoding.Unicode.GetString(System.Convert.FromBase64String(\"{encoded}\"))")
}

/// Whether a text between quotes is the same to a reader with and without escapes.
fn is_safe(text: &str) -> bool {
    !text.chars().any(|c| matches!(c, '\\' | '"') || c.is_control())
}

/// A text between quotes for a reader that knows no escapes; `None` where there is none.
pub fn raw(units: &[u16]) -> Option<String> {
    String::from_utf16(units).ok().filter(|text| is_safe(text)).map(|text| format!("\"{text}\""))
}

fn of_name(name: &str, before: &str, behind: &str, quirks: &Quirks) -> String {
    if before.ends_with('.') {
        return name.to_owned();
    }
    if behind.starts_with('.')
        && let Some(full) = full_name(name)
    {
        return full.to_owned();
    }
    let bare = name.strip_prefix('@').unwrap_or(name);
    match quirks.reads_at_names {
        true if quirks.misread_names.contains(&name) && !behind.starts_with('(') => format!("@{name}"),
        true => name.to_owned(),
        // `(when) - 1` would be a cast
        false if quirks.misread_names.contains(&bare) && behind.starts_with(['+', '-', '*', '&']) => {
            format!("(({bare}))")
        }
        false if quirks.misread_names.contains(&bare) && !behind.starts_with(['.', '(']) => format!("({bare})"),
        false => bare.to_owned(),
    }
}

/// `System.Int32` of `int`.
fn full_name(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "bool" => "System.Boolean",
        "byte" => "System.Byte",
        "sbyte" => "System.SByte",
        "char" => "System.Char",
        "decimal" => "System.Decimal",
        "double" => "System.Double",
        "float" => "System.Single",
        "int" => "System.Int32",
        "uint" => "System.UInt32",
        "long" => "System.Int64",
        "ulong" => "System.UInt64",
        "short" => "System.Int16",
        "ushort" => "System.UInt16",
        "object" => "System.Object",
        "string" => "System.String",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(adapter: &str, expression: &str) -> String {
        spell(expression, &crate::backend::quirks_of(adapter), true)
    }

    #[test]
    fn what_dncdbg_misreads_is_sent_in_another_form() {
        for (expression, sent) in [
            ("when", "(when)"),
            ("when + from.Length", "((when)) + from.Length"),
            ("when == from", "(when) == (from)"),
            ("order.when", "order.when"),
            ("@class", "class"),
            ("@when", "(when)"),
            ("f(@class, 1_000)", "f(class, 1000)"),
            ("0xFFu", "255U"),
            ("f(0.05m, 1.005m, .05m, 10_0.0_5m)", "f(0.05m, 1.005m, .05m, 100.05m)"),
            ("f(1.0e-05, 1e+3, 0x1e+5)", "f(1.0e-05, 1e+3, 30+5)"),
            ("1.5.ToString() + a[1..3]", "1.5.ToString() + a[1..3]"),
            ("0b1_1L", "3L"),
            ("1_0.5", "10.5"),
            ("x1_0", "x1_0"),
            ("int.MaxValue", "System.Int32.MaxValue"),
            ("Foo.int.X", "Foo.int.X"),
            ("text == \"plain 1_000 when\"", "text == \"plain 1_000 when\""),
            (r"text.IndexOf('\n')", "text.IndexOf(System.Convert.ToChar(10))"),
            (r"f('\'')", "f(System.Convert.ToChar(39))"),
            (
                r#"f("a\nb")"#,
                "f(System.Text.Encoding.Unicode.GetString(System.Convert.FromBase64String(\"YQAKAGIA\")))",
            ),
            (r#"f("\u0041")"#, r#"f("A")"#),
            (r#"f(@"plain")"#, r#"f("plain")"#),
            (r#"$"{when}""#, r#"$"{when}""#),
            (r#"f("a\0")"#, "f(System.Text.Encoding.Unicode.GetString(System.Convert.FromBase64String(\"YQAAAA==\")))"),
        ] {
            assert_eq!(spelled("dncdbg", expression), sent, "{expression}");
        }
    }

    #[test]
    fn what_netcoredbg_reads_is_sent_as_it_is() {
        for (expression, sent) in [
            ("when + 1", "when + 1"),
            ("@class", "@class"),
            ("class", "@class"),
            ("record", "@record"),
            ("record && number == 1", "@record && number == 1"),
            ("order.record", "order.record"),
            (r#"f("a\nb", '\n')"#, r#"f("a\nb", '\n')"#),
            (r#"f("a\0")"#, "f(System.Text.Encoding.Unicode.GetString(System.Convert.FromBase64String(\"YQAAAA==\")))"),
            ("f(string.Empty)", "f(\"\")"),
            ("money < decimal.MaxValue", "money < 79228162514264337593543950335m"),
            ("order.string.Empty", "order.string.Empty"),
            ("string.EmptyOnes", "System.String.EmptyOnes"),
            ("string.IsNullOrEmpty(text)", "System.String.IsNullOrEmpty(text)"),
        ] {
            assert_eq!(spelled("netcoredbg", expression), sent, "{expression}");
        }
    }

    #[test]
    fn a_condition_is_spelled_where_that_needs_no_call() {
        for (adapter, condition, sent) in [
            ("dncdbg", "i == 1_000 && (byte)'a' < 0xFFu", Some("i == 1000 && (byte)'a' < 255U")),
            ("dncdbg", "when == @class", Some("(when) == class")),
            ("dncdbg", r"sign == '\n'", None),
            ("dncdbg", r#"name == "a\nb""#, None),
            ("netcoredbg", r"sign == '\n'", Some(r"sign == '\n'")),
            ("netcoredbg", "record && i < int.MaxValue", Some("@record && i < System.Int32.MaxValue")),
            ("netcoredbg", r#"name == "a\0b""#, None),
        ] {
            assert_eq!(without_calls(condition, &crate::backend::quirks_of(adapter)).as_deref(), sent, "{condition}");
        }
    }

    #[test]
    fn a_text_without_calls_is_raw_or_none() {
        let raw = |text: &str| raw(&text.encode_utf16().collect::<Vec<_>>());
        assert_eq!(raw("naïve").as_deref(), Some("\"naïve\""));
        for text in ["a\nb", "say \"hi\"", "c:\\dir", "\0"] {
            assert_eq!(raw(text), None, "{text:?}");
        }
    }
}
