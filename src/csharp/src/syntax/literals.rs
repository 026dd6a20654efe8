//! Numbers, and the types that C# gives them (ECMA-334, 6.4.5).

use super::error::SyntaxError;
use super::lexer::Lexer;
use super::tree::LiteralValue;
use crate::Decimal;

/// The lexer stands before a digit, or a point and a digit.
pub(super) fn number(lexer: &mut Lexer<'_>) -> Result<LiteralValue, SyntaxError> {
    let rest = lexer.rest();
    let radix = match rest.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => 16,
        Some("0b") => 2,
        _ => 10,
    };
    if radix != 10 {
        lexer.at += 2;
        let digits = run(lexer, |c| c.is_digit(radix))?;
        return integer(lexer, &digits, radix);
    }
    let mut text = run(lexer, |c| c.is_ascii_digit())?;
    let mut is_real = false;
    // `1..2` is a range, `1.ToString()` a call
    if lexer.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        lexer.at += 1;
        is_real = true;
        text = format!("{text}.{}", run(lexer, |c| c.is_ascii_digit())?);
    }
    if let Some(exponent) = lexer.rest().strip_prefix(['e', 'E']) {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(lexer.error("CS0595", "Invalid real literal."));
        }
        let sign = if exponent.starts_with('-') { "-" } else { "" };
        lexer.at += 1 + exponent.len() - unsigned.len();
        is_real = true;
        text = format!("{text}e{sign}{}", run(lexer, |c| c.is_ascii_digit())?);
    }
    let value = match lexer.peek().map(|c| c.to_ascii_lowercase()) {
        Some('f') => text.parse().ok().filter(|value: &f32| value.is_finite()).map(LiteralValue::Single),
        Some('d') => text.parse().ok().filter(|value: &f64| value.is_finite()).map(LiteralValue::Double),
        Some('m') => Decimal::parse(&text).map(LiteralValue::Decimal),
        _ if is_real => {
            let value = text.parse().ok().filter(|value: &f64| value.is_finite());
            return ended(lexer, value.map(LiteralValue::Double).ok_or_else(|| too_large(lexer, "double"))?);
        }
        _ => return integer(lexer, &text, 10),
    };
    let type_ = match lexer.next() {
        Some('f' | 'F') => "float",
        Some('d' | 'D') => "double",
        _ => "decimal",
    };
    ended(lexer, value.ok_or_else(|| too_large(lexer, type_))?)
}

fn too_large(lexer: &Lexer<'_>, type_: &str) -> SyntaxError {
    lexer.error("CS0594", format!("Floating-point constant is outside the range of type '{type_}'"))
}

/// Digits without the `_` between them. One behind them is none of the number.
fn run(lexer: &mut Lexer<'_>, is_digit: impl Fn(char) -> bool) -> Result<String, SyntaxError> {
    let (start, mut digits) = (lexer.at, String::new());
    while let Some(c) = lexer.peek().filter(|c| is_digit(*c) || *c == '_') {
        lexer.at += 1;
        if c != '_' {
            digits.push(c);
        }
    }
    match lexer.text.get(start..lexer.at) {
        Some(run) if run.ends_with('_') => Err(lexer.error("CS1013", "Invalid number")),
        _ => Ok(digits),
    }
}

fn integer(lexer: &mut Lexer<'_>, digits: &str, radix: u32) -> Result<LiteralValue, SyntaxError> {
    if digits.is_empty() {
        return Err(lexer.error("CS1013", "Invalid number"));
    }
    let value =
        u64::from_str_radix(digits, radix).map_err(|_| lexer.error("CS1021", "Integral constant is too large"))?;
    let suffix = run_of_letters(lexer);
    let value = match suffix.to_ascii_lowercase().as_str() {
        "" => i32::try_from(value)
            .map(LiteralValue::Int)
            .or_else(|_| u32::try_from(value).map(LiteralValue::UInt))
            .unwrap_or_else(|_| long(value)),
        "u" => u32::try_from(value).map_or(LiteralValue::ULong(value), LiteralValue::UInt),
        "l" => long(value),
        "ul" | "lu" => LiteralValue::ULong(value),
        _ => return Err(lexer.error("CS1013", "Invalid number")),
    };
    ended(lexer, value)
}

fn long(value: u64) -> LiteralValue {
    i64::try_from(value).map_or(LiteralValue::ULong(value), LiteralValue::Long)
}

fn run_of_letters(lexer: &mut Lexer<'_>) -> String {
    let letters: String = lexer.rest().chars().take_while(char::is_ascii_alphabetic).collect();
    lexer.at += letters.len();
    letters
}

/// No letter follows a number: `1x` is not one.
fn ended(lexer: &Lexer<'_>, value: LiteralValue) -> Result<LiteralValue, SyntaxError> {
    match lexer.peek() {
        Some(c) if c.is_alphanumeric() || c == '_' => Err(lexer.error("CS1013", "Invalid number")),
        _ => Ok(value),
    }
}
