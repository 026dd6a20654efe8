//! Literals of text as C# spells them (ECMA-334, 6.4.5.5 and 6.4.5.6). What adapters print is read by `literal`.

/// The UTF-16 units between the quotes of a regular literal; `None` where it is not a valid one.
pub fn units(inside: &str) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    let mut rest = inside;
    while let Some(first) = rest.chars().next() {
        rest = rest.get(first.len_utf8()..)?;
        if first != '\\' {
            units.extend(first.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        let escape = rest.chars().next()?;
        rest = rest.get(escape.len_utf8()..)?;
        let simple = match escape {
            '\'' | '"' | '\\' => escape as u16,
            '0' => 0,
            'a' => 7,
            'b' => 8,
            'e' => 0x1b,
            'f' => 0xc,
            'n' => 0xa,
            'r' => 0xd,
            't' => 9,
            'v' => 0xb,
            'x' | 'u' | 'U' => {
                let (least, most) = match escape {
                    'x' => (1, 4),
                    'u' => (4, 4),
                    _ => (8, 8),
                };
                let digits = rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
                let code = rest.get(..digits).filter(|_| digits >= least)?;
                let code = u32::from_str_radix(code, 16).ok()?;
                rest = rest.get(digits..)?;
                match u16::try_from(code) {
                    Ok(unit) => unit,
                    Err(_) => {
                        units.extend(char::from_u32(code)?.encode_utf16(&mut [0; 2]).iter());
                        continue;
                    }
                }
            }
            _ => return None,
        };
        units.push(simple);
    }
    Some(units)
}

/// The units of a whole literal: regular, or `@"verbatim"`.
pub fn of_literal(literal: &str) -> Option<Vec<u16>> {
    match literal.strip_prefix("@\"") {
        Some(verbatim) => Some(verbatim.strip_suffix('"')?.replace("\"\"", "\"").encode_utf16().collect()),
        None => units(literal.strip_prefix('"')?.strip_suffix('"')?),
    }
}

/// Bytes of the literal that a text begins with: `"…"`, `'…'`, `@"…"`.
pub fn length(text: &str) -> Option<usize> {
    if let Some(verbatim) = text.strip_prefix("@\"") {
        let mut at = 0;
        loop {
            at += verbatim.get(at..)?.find('"')? + 1;
            if !verbatim.get(at..)?.starts_with('"') {
                return Some(at + 2);
            }
            at += 1;
        }
    }
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let mut is_escaped = false;
    text.char_indices().skip(1).find_map(|(at, c)| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends.then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_csharp() {
        for (literal, expected) in [
            (r#""a\nb""#, Some("a\nb")),
            (r#""c:\\dir \"q\"""#, Some("c:\\dir \"q\"")),
            (r#""\x41g \u0042 \U0001F600 \0\e""#, Some("Ag B 😀 \0\u{1b}")),
            (r#"@"c:\dir ""q""""#, Some("c:\\dir \"q\"")),
            (r#""\d""#, None),
            (r#""\u12""#, None),
            (r#""open"#, None),
        ] {
            let expected = expected.map(|text| text.encode_utf16().collect::<Vec<_>>());
            assert_eq!(of_literal(literal), expected, "{literal}");
        }
        assert_eq!(of_literal(r#""\ud83d""#), Some(vec![0xd83d]), "half a character is one unit");
    }

    #[test]
    fn a_literal_ends_at_its_quote() {
        for (text, expected) in [
            (r#""a\"b" + 1"#, Some(6)),
            (r"'\'' ", Some(4)),
            (r#"@"a""b\" + 1"#, Some(8)),
            (r#""open\""#, None),
            ("name", None),
        ] {
            assert_eq!(length(text), expected, "{text}");
        }
    }
}
