//! How numbers are written: in decimal, or as a format specifier or the client asks.

use clr_csharp::specifiers::Specifier;

use crate::values::Shown;

/// The number of an integer or a `char` written so; anything else stays as it is.
pub fn written(shown: Shown, numbers: Specifier) -> Shown {
    match rewritten(&shown.text, &shown.type_name, numbers) {
        Some(text) => Shown { text, ..shown },
        None => shown,
    }
}

fn rewritten(text: &str, type_name: &str, numbers: Specifier) -> Option<String> {
    if !matches!(numbers, Specifier::Hex { .. } | Specifier::Binary) {
        return None;
    }
    let bytes = match type_name.trim_end_matches('?') {
        "byte" | "sbyte" => 1,
        "short" | "ushort" | "char" => 2,
        "int" | "uint" => 4,
        "long" | "ulong" | "nint" | "nuint" => 8,
        _ => return None,
    };
    // of a `char` the character follows
    let (number, behind) = text.split_at(text.find(' ').unwrap_or(text.len()));
    Some(format!("{}{behind}", numbers.digits(number.parse().ok()?, bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_characters_are_written_in_hexadecimal() {
        let hex = Specifier::Hex { is_upper: false };
        for (text, type_name, expected) in [
            ("42", "int", Some("0x0000002a")),
            ("-1", "sbyte?", Some("0xff")),
            ("97 'a'", "char", Some("0x0061 'a'")),
            ("2.5", "double", None),
            ("null", "int?", None),
            ("\"42\"", "string", None),
        ] {
            assert_eq!(rewritten(text, type_name, hex).as_deref(), expected, "{text}");
        }
        assert_eq!(rewritten("42", "int", Specifier::Decimal), None);
    }
}
