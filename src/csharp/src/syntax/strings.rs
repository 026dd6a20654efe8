//! Characters and strings: plain, verbatim, raw, interpolated (ECMA-334, 6.4.5.5 and 12.8.3).

use super::error::SyntaxError;
use super::lexer::{Lexer, Part, TokenKind};
use super::tree::LiteralValue;

/// How a string begins.
struct Opening {
    /// Of `$`: an interpolation has as many braces. 0: none.
    dollars: usize,
    is_verbatim: bool,
    /// Of `"`: 1, or three and more for a raw one.
    quotes: usize,
    length: usize,
}

/// `None`: neither a character nor a string begins here.
pub(super) fn token(lexer: &mut Lexer<'_>) -> Result<Option<TokenKind>, SyntaxError> {
    if lexer.takes("'") {
        return character(lexer).map(|unit| Some(TokenKind::Literal(LiteralValue::Char(unit))));
    }
    let Some(opening) = opening(lexer.rest()) else { return Ok(None) };
    lexer.at += opening.length;
    let mut parts = if opening.quotes > 1 { raw(lexer, &opening)? } else { quoted(lexer, &opening)? };
    if opening.dollars > 0 {
        return Ok(Some(TokenKind::Interpolated(parts)));
    }
    let text = match parts.pop() {
        Some(Part::Text(text)) => text,
        _ => Vec::new(),
    };
    let is_utf8 = lexer.takes("u8") || lexer.takes("U8");
    let value = match is_utf8 {
        true => match String::from_utf16(&text) {
            Ok(text) => LiteralValue::Utf8(text.into_bytes()),
            Err(_) => {
                return Err(lexer.error(
                    "CS9026",
                    "The input string cannot be converted into the equivalent UTF-8 byte representation",
                ));
            }
        },
        false => LiteralValue::String(text),
    };
    Ok(Some(TokenKind::Literal(value)))
}

fn opening(rest: &str) -> Option<Opening> {
    let marks: &str = rest.get(..rest.find(|c| !matches!(c, '$' | '@')).unwrap_or(rest.len()))?;
    let dollars = marks.matches('$').count();
    let is_verbatim = marks.contains('@');
    if marks.matches('@').count() > 1 || (is_verbatim && dollars > 1) {
        return None;
    }
    let quotes = rest.get(marks.len()..)?.chars().take_while(|c| *c == '"').count();
    let quotes = match quotes {
        0 => return None,
        // `""` is an empty string; of a verbatim one, quotes are doubled
        3.. if !is_verbatim => quotes,
        _ => 1,
    };
    (quotes > 1 || dollars < 2).then_some(Opening { dollars, is_verbatim, quotes, length: marks.len() + quotes })
}

fn character(lexer: &mut Lexer<'_>) -> Result<u16, SyntaxError> {
    let mut units = Vec::new();
    match lexer.next() {
        Some('\'') => return Err(lexer.error("CS1011", "Empty character literal")),
        Some('\\') => escape(lexer, &mut units)?,
        None | Some('\n') => return Err(lexer.error("CS1010", "Newline in constant")),
        Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
    }
    match units.as_slice() {
        [unit] if lexer.takes("'") => Ok(*unit),
        _ => Err(lexer.error("CS1012", "Too many characters in character literal")),
    }
}

/// A string with one quote at each end, with its end.
fn quoted(lexer: &mut Lexer<'_>, opening: &Opening) -> Result<Vec<Part>, SyntaxError> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    loop {
        match lexer.next() {
            Some('"') if opening.is_verbatim && lexer.takes("\"") => text.push(u16::from(b'"')),
            Some('"') => {
                parts.push(Part::Text(text));
                return Ok(parts);
            }
            Some('\\') if !opening.is_verbatim => escape(lexer, &mut text)?,
            Some(brace @ ('{' | '}')) if opening.dollars > 0 => {
                if lexer.takes(brace.encode_utf8(&mut [0; 4])) {
                    text.extend(brace.encode_utf16(&mut [0; 2]).iter());
                } else if brace == '{' {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    parts.push(hole(lexer, 1, !opening.is_verbatim)?);
                } else {
                    return Err(lexer
                        .error("CS8086", "A '}' character must be escaped (by doubling) in an interpolated string."));
                }
            }
            None => return Err(lexer.error("CS1010", "Newline in constant")),
            Some('\n' | '\r') if !opening.is_verbatim => return Err(lexer.error("CS1010", "Newline in constant")),
            Some(c) => text.extend(c.encode_utf16(&mut [0; 2]).iter()),
        }
    }
}

/// A raw string, with its end. Of one over many lines, what stands before the closing quotes is taken from each.
fn raw(lexer: &mut Lexer<'_>, opening: &Opening) -> Result<Vec<Part>, SyntaxError> {
    let close = "\"".repeat(opening.quotes);
    let mut parts = Vec::new();
    let mut text = String::new();
    loop {
        if lexer.takes(&close) {
            // more quotes than the string began with are its last characters
            while lexer.takes("\"") {
                text.push('"');
            }
            parts.push(Part::Text(text.encode_utf16().collect()));
            return unindented(lexer, parts);
        }
        match lexer.next() {
            Some('{') if opening.dollars > 0 => {
                let braces = 1 + lexer.rest().chars().take_while(|c| *c == '{').count();
                lexer.at += braces - 1;
                match braces.checked_sub(opening.dollars) {
                    None => text.push_str(&"{".repeat(braces)),
                    Some(extra) => {
                        text.push_str(&"{".repeat(extra));
                        parts.push(Part::Text(text.encode_utf16().collect()));
                        text.clear();
                        parts.push(hole(lexer, opening.dollars, false)?);
                    }
                }
            }
            Some(c) => text.push(c),
            None => return Err(lexer.error("CS8997", "Unterminated raw string literal.")),
        }
    }
}

/// The lines between the quotes, without the indentation of the last one, where the string has more than one line.
fn unindented(lexer: &Lexer<'_>, parts: Vec<Part>) -> Result<Vec<Part>, SyntaxError> {
    const NEWLINE: u16 = b'\n' as u16;
    let is_blank = |unit: &u16| matches!(char::from_u32(u32::from(*unit)), Some(c) if c.is_whitespace());
    let texts = parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None });
    if !texts.flatten().any(|unit| *unit == NEWLINE) {
        return Ok(parts);
    }
    let last = match parts.last() {
        Some(Part::Text(last)) => last.clone(),
        _ => Vec::new(),
    };
    let indentation =
        last.iter().rposition(|unit| *unit == NEWLINE).and_then(|at| last.get(at + 1..)).unwrap_or(&last).to_vec();
    if !indentation.iter().all(is_blank) {
        return Err(lexer.error("CS9000", "Raw string literal delimiter must be on its own line"));
    }
    let count = parts.len();
    let mut is_line_start = false;
    let mut out = Vec::with_capacity(count);
    for (at, part) in parts.into_iter().enumerate() {
        let text = match part {
            Part::Text(text) => text,
            hole @ Part::Hole { .. } => {
                is_line_start = false;
                out.push(hole);
                continue;
            }
        };
        let mut kept = Vec::with_capacity(text.len());
        for (line_at, line) in text.split(|unit| *unit == NEWLINE).enumerate() {
            is_line_start |= line_at > 0;
            // the line of the opening quotes is not part of the string
            if at == 0 && line_at == 0 {
                continue;
            }
            if line_at > 0 && !(at == 0 && line_at == 1) {
                kept.push(NEWLINE);
            }
            let line = line.strip_suffix(&[u16::from(b'\r')]).unwrap_or(line);
            let is_empty = line.iter().all(is_blank);
            kept.extend(match line.strip_prefix(indentation.as_slice()) {
                Some(own) if is_line_start => own,
                None if is_line_start && !is_empty => {
                    return Err(lexer.error(
                        "CS8999",
                        "Line does not start with the same whitespace as the closing line of the raw string literal.",
                    ));
                }
                None if is_line_start => &[],
                _ => line,
            });
            is_line_start = false;
        }
        // nor is the line of the closing ones
        if at + 1 == count
            && let Some(end) = kept.iter().rposition(|unit| *unit == NEWLINE)
        {
            kept.truncate(end);
        } else if at + 1 == count && count == 1 {
            kept.clear();
        }
        out.push(Part::Text(kept));
    }
    Ok(out)
}

/// What stands between braces, with the closing ones; the opening ones are read.
fn hole(lexer: &mut Lexer<'_>, braces: usize, has_escapes: bool) -> Result<Part, SyntaxError> {
    let tokens = lexer.hole()?;
    let format = match lexer.takes(":") {
        false => None,
        true => {
            let mut format = Vec::new();
            while let Some(next) = lexer.rest().chars().next().filter(|next| !matches!(next, '}' | '"')) {
                lexer.at += next.len_utf8();
                if next == '\\' && has_escapes {
                    escape(lexer, &mut format)?;
                } else {
                    format.extend_from_slice(next.encode_utf16(&mut [0; 2]));
                }
            }
            Some(String::from_utf16_lossy(&format))
        }
    };
    if lexer.takes(&"}".repeat(braces)) {
        Ok(Part::Hole { tokens, format })
    } else {
        Err(lexer.error("CS1513", "} expected"))
    }
}

/// What stands behind a backslash.
fn escape(lexer: &mut Lexer<'_>, out: &mut Vec<u16>) -> Result<(), SyntaxError> {
    let unit = match lexer.next() {
        Some(c @ ('\'' | '"' | '\\')) => c as u16,
        Some('0') => 0,
        Some('a') => 7,
        Some('b') => 8,
        Some('e') => 0x1b,
        Some('f') => 12,
        Some('n') => 10,
        Some('r') => 13,
        Some('t') => 9,
        Some('v') => 11,
        Some('x') => {
            let digits = lexer.rest().chars().take(4).take_while(char::is_ascii_hexdigit).count();
            number(lexer, digits)? as u16
        }
        Some('u') => number(lexer, 4)? as u16,
        Some('U') => {
            let c = number(lexer, 8).and_then(|code| char::from_u32(code).ok_or_else(|| unrecognized(lexer)))?;
            out.extend(c.encode_utf16(&mut [0; 2]).iter());
            return Ok(());
        }
        _ => return Err(unrecognized(lexer)),
    };
    out.push(unit);
    Ok(())
}

fn unrecognized(lexer: &Lexer<'_>) -> SyntaxError {
    lexer.error("CS1009", "Unrecognized escape sequence")
}

/// So many hexadecimal digits.
fn number(lexer: &mut Lexer<'_>, digits: usize) -> Result<u32, SyntaxError> {
    let text = lexer.rest().get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let value = text.and_then(|text| u32::from_str_radix(text, 16).ok()).ok_or_else(|| unrecognized(lexer))?;
    lexer.at += digits;
    Ok(value)
}

/// The letter that `\u0041` in an identifier means; the backslash is read.
pub(super) fn escaped_letter(lexer: &mut Lexer<'_>) -> Result<char, SyntaxError> {
    let digits = if lexer.next() == Some('U') { 8 } else { 4 };
    number(lexer, digits).and_then(|code| char::from_u32(code).ok_or_else(|| unrecognized(lexer)))
}
