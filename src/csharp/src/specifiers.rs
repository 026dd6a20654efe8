//! Format specifiers behind an expression, as debuggers for C# have them: `order.Id,h`, `name,nq`, `query,results`.

use crate::syntax;

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
    /// By what code of the program gives, whatever that changes.
    AlwaysCall,
    /// With the members that are not public.
    Hidden,
}

/// A word behind an expression that is no specifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a format specifier; known specifiers: h and x (hexadecimal), H and X (the same in uppercase), b (binary), d (decimal), \
     nq (no quotes), raw, results, ac (always call), hidden"
)]
pub struct UnknownSpecifier(pub String);

impl Specifier {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "h" | "x" => Self::Hex { is_upper: false },
            "H" | "X" => Self::Hex { is_upper: true },
            "b" => Self::Binary,
            "d" => Self::Decimal,
            "nq" => Self::NoQuotes,
            "raw" => Self::Raw,
            "results" => Self::Results,
            "ac" => Self::AlwaysCall,
            "hidden" => Self::Hidden,
            _ => return None,
        })
    }

    /// The digits of an integer of so many bytes; of a negative one all bits of its type. What is no way to write numbers writes them in
    /// decimal.
    pub fn digits(self, number: i128, bytes: usize) -> String {
        let bits = number & ((1_i128 << (bytes * 8)) - 1);
        match self {
            Self::Hex { is_upper: true } => format!("0x{bits:0width$X}", width = bytes * 2),
            Self::Hex { is_upper: false } => format!("0x{bits:0width$x}", width = bytes * 2),
            Self::Binary => format!("0b{bits:0width$b}", width = bytes * 8),
            _ => number.to_string(),
        }
    }
}

/// An expression without the specifiers behind it, and those. A comma of C# itself stays one: what is an expression as a whole has no
/// specifiers.
///
/// # Errors
/// [`UnknownSpecifier`]
pub fn split(text: &str) -> Result<(&str, Vec<Specifier>), UnknownSpecifier> {
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
            return Err(UnknownSpecifier(name.to_owned()));
        };
        specifiers.insert(0, specifier);
        rest = head;
    }
    Ok((rest, specifiers))
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

/// The expression with the insides of its string and char literals blanked.
pub fn outside_strings(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len());
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for c in expression.chars() {
        match quote {
            Some(open) => {
                if !escaped && c == open {
                    quote = None;
                    out.push(c);
                } else {
                    out.push(' ');
                }
                escaped = !escaped && c == '\\';
            }
            None => {
                if matches!(c, '"' | '\'') {
                    quote = Some(c);
                    escaped = false;
                }
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_of_csharp_is_none_before_a_specifier() {
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
            assert_eq!(split(text), Ok((expression, specifiers)), "{text}");
        }
        assert!(split("i,q").unwrap_err().to_string().starts_with("`q` is not a format specifier"));
    }

    #[test]
    fn numbers_have_all_bits_of_their_type() {
        for (number, bytes, name, expected) in [
            (42, 4, "h", "0x0000002a"),
            (-1, 4, "X", "0xFFFFFFFF"),
            (-1, 1, "h", "0xff"),
            (5, 1, "b", "0b00000101"),
            (-5, 4, "d", "-5"),
        ] {
            assert_eq!(Specifier::named(name).unwrap().digits(number, bytes), expected, "{number},{name}");
        }
    }
}
