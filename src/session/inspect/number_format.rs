//! Formats of numbers in log messages, as .NET applies them in the invariant culture: `D`, `X`, `F`, `N`, `P`, `E`, and custom ones of
//! digits (`0.00`, `#,##0`).

/// How a number is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Whole {
        digits: usize,
    },
    Hex {
        digits: usize,
        is_upper: bool,
    },
    /// Digits behind the point at least and at most, before it at least, and whether thousands are set apart.
    Fixed {
        least: usize,
        most: usize,
        whole: usize,
        is_grouped: bool,
        is_custom: bool,
    },
    Percent {
        digits: usize,
    },
    Exponent {
        digits: usize,
        is_upper: bool,
    },
}

/// Whether a format can be applied.
pub fn is_known(format: &str) -> bool {
    read(format).is_some()
}

/// A number as it is written in C#, with its suffix; `None`: it is none, or the format is none of its type.
pub fn apply(literal: &str, format: &str) -> Option<String> {
    let number = Number::read(literal)?;
    let mut sign = if number.is_negative { "-" } else { "" };
    Some(match read(format)? {
        Format::Whole { digits } => number.fraction.is_empty().then(|| format!("{sign}{:0>digits$}", number.whole))?,
        Format::Hex { digits, is_upper } => {
            let value: i128 = literal.trim_end_matches(['U', 'L']).parse().ok()?;
            // of a negative number all bits of its type
            let value = match (value < 0, literal.contains('L')) {
                (false, _) => value,
                (true, true) => value & i128::from(u64::MAX),
                (true, false) => value & i128::from(u32::MAX),
            };
            if is_upper { format!("{value:0digits$X}") } else { format!("{value:0digits$x}") }
        }
        Format::Fixed { least, most, whole, is_grouped, is_custom } => {
            let was_floating = number.is_floating;
            let number = Number { is_floating: was_floating && !is_custom, ..number }.rounded(most);
            let fraction = number.fraction.trim_end_matches('0');
            let fraction = format!("{fraction:0<least$}");
            let is_zero = [&number.whole, &number.fraction].iter().all(|part| part.bytes().all(|digit| digit == b'0'));
            // only a floating number has a zero with a sign
            if is_zero && !was_floating {
                sign = "";
            }
            let digits = format!("{:0>whole$}", number.whole.trim_start_matches('0'));
            let digits = if is_grouped { grouped(&digits) } else { digits };
            if fraction.is_empty() { format!("{sign}{digits}") } else { format!("{sign}{digits}.{fraction}") }
        }
        Format::Percent { digits } => {
            let number = number.shifted(2).rounded(digits);
            let point = if digits > 0 { "." } else { "" };
            format!("{sign}{}{point}{} %", grouped(&number.whole), number.fraction)
        }
        Format::Exponent { digits, is_upper } => {
            let all = format!("{}{}", number.whole, number.fraction);
            let zeros = all.len() - all.trim_start_matches('0').len();
            let mut exponent = number.whole.len() as i64 - 1 - zeros as i64;
            let significant = all.trim_start_matches('0');
            let (first, rest) = significant.split_at_checked(1).unwrap_or(("0", ""));
            let one = Number { whole: first.to_owned(), fraction: rest.to_owned(), ..number }.rounded(digits);
            let mantissa = match one.whole.len() {
                // 9.99 becomes 10
                2 => {
                    exponent += 1;
                    format!("1{}", "0".repeat(digits))
                }
                _ => format!("{}{}", one.whole, one.fraction),
            };
            let (first, rest) = mantissa.split_at_checked(1)?;
            let exponent = if significant.is_empty() { 0 } else { exponent };
            let point = if digits > 0 { "." } else { "" };
            let mark = if is_upper { 'E' } else { 'e' };
            let direction = if exponent < 0 { '-' } else { '+' };
            format!("{sign}{first}{point}{rest}{mark}{direction}{:03}", exponent.unsigned_abs())
        }
    })
}

fn read(format: &str) -> Option<Format> {
    let kind = format.chars().next()?;
    if matches!(kind, '0' | '#') {
        return custom(format);
    }
    let digits: Option<usize> = match format.get(kind.len_utf8()..)? {
        "" => None,
        digits => Some(digits.parse().ok().filter(|digits| *digits <= 99)?),
    };
    let behind_point = digits.unwrap_or(2);
    let fixed =
        |is_grouped| Format::Fixed { least: behind_point, most: behind_point, whole: 1, is_grouped, is_custom: false };
    Some(match kind {
        'D' | 'd' => Format::Whole { digits: digits.unwrap_or(1) },
        'X' | 'x' => Format::Hex { digits: digits.unwrap_or(1), is_upper: kind == 'X' },
        'F' | 'f' => fixed(false),
        'N' | 'n' => fixed(true),
        'P' | 'p' => Format::Percent { digits: behind_point },
        'E' | 'e' => Format::Exponent { digits: digits.unwrap_or(6), is_upper: kind == 'E' },
        _ => return None,
    })
}

/// `0.00`, `#,##0.#`
fn custom(format: &str) -> Option<Format> {
    let (whole, fraction) = format.split_once('.').unwrap_or((format, ""));
    let is_of = |text: &str, signs: &[char]| text.chars().all(|c| signs.contains(&c));
    if !is_of(whole, &['0', '#', ',']) || !is_of(fraction, &['0', '#']) || whole.ends_with(',') {
        return None;
    }
    let zeros = |text: &str| text.matches('0').count();
    let least = fraction.rfind('0').map_or(0, |at| at + 1);
    Some(Format::Fixed {
        least,
        most: fraction.len(),
        whole: zeros(whole),
        is_grouped: whole.contains(','),
        is_custom: true,
    })
}

/// A number by its digits. Those of a floating one are the exact ones of its value, which is what .NET rounds.
struct Number {
    is_negative: bool,
    /// Then half goes to the even digit, but for custom formats; of a `decimal` and an integer away from zero.
    is_floating: bool,
    whole: String,
    fraction: String,
}

impl Number {
    fn read(literal: &str) -> Option<Self> {
        let digits = literal.trim_end_matches(['U', 'L', 'm', 'f']);
        let is_decimal = literal.ends_with('m') || !digits.contains(['.', 'e', 'E']) && !literal.ends_with('f');
        let exact = match is_decimal {
            true => digits.to_owned(),
            false if literal.ends_with('f') => exact(f64::from(digits.parse::<f32>().ok()?))?,
            false => exact(digits.parse().ok()?)?,
        };
        let unsigned = exact.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let is_number =
            !whole.is_empty() && [whole, fraction].iter().all(|part| part.bytes().all(|c| c.is_ascii_digit()));
        is_number.then(|| Self {
            is_negative: exact.starts_with('-'),
            is_floating: !is_decimal,
            whole: whole.to_owned(),
            fraction: fraction.to_owned(),
        })
    }

    /// So many digits behind the point.
    fn rounded(&self, digits: usize) -> Self {
        let kept: String = self.fraction.chars().chain(std::iter::repeat('0')).take(digits).collect();
        let mut all: Vec<u8> = format!("0{}{kept}", self.whole).into_bytes();
        let cut = self.fraction.get(digits..).unwrap_or_default();
        let is_tie = cut.starts_with('5') && cut.bytes().skip(1).all(|digit| digit == b'0');
        let is_even = all.last().is_some_and(|last| (last - b'0').is_multiple_of(2));
        if cut.as_bytes().first().is_some_and(|next| *next >= b'5') && !(is_tie && self.is_floating && is_even) {
            for digit in all.iter_mut().rev() {
                if *digit < b'9' {
                    *digit += 1;
                    break;
                }
                *digit = b'0';
            }
        }
        let text = String::from_utf8(all).unwrap_or_default();
        let (whole, fraction) = text.split_at_checked(text.len() - digits).unwrap_or((&text, ""));
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        Self { whole: whole.to_owned(), fraction: fraction.to_owned(), ..*self }
    }

    /// With the point so many digits further right.
    fn shifted(&self, by: usize) -> Self {
        let fraction = format!("{:0<by$}", self.fraction);
        let (over, rest) = fraction.split_at_checked(by).unwrap_or((&fraction, ""));
        Self { whole: format!("{}{over}", self.whole), fraction: rest.to_owned(), ..*self }
    }
}

/// All digits of a floating number; there are no more than 1,074 behind the point.
fn exact(number: f64) -> Option<String> {
    number.is_finite().then(|| format!("{number:.1074}"))
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What .NET 10 printed.
    #[test]
    fn numbers_are_formatted_as_dotnet_formats_them() {
        for (literal, format, expected) in [
            ("28.291666666666668", "N2", "28.29"),
            ("1234567.891", "N", "1,234,567.89"),
            ("1234567", "N0", "1,234,567"),
            ("0.125", "F2", "0.12"),
            ("0.375", "F2", "0.38"),
            ("0.125m", "F2", "0.13"),
            ("0.125", "0.00", "0.13"),
            ("-0.001", "F2", "-0.00"),
            ("-0.001m", "F2", "0.00"),
            ("2.345", "F1", "2.3"),
            ("2.675m", "F2", "2.68"),
            ("-0.5", "F0", "-0"),
            ("2.5m", "F0", "3"),
            ("12.5f", "F0", "12"),
            ("0.2829", "P1", "28.3 %"),
            ("12.5", "P", "1,250.00 %"),
            ("12345.678", "e2", "1.23e+004"),
            ("12345.678", "E", "1.234568E+004"),
            ("0.00012", "E1", "1.2E-004"),
            ("9.996", "E2", "1.00E+001"),
            ("0.0", "E2", "0.00E+000"),
            ("28.2917", "0.000", "28.292"),
            ("1234.56", "#,##0.0", "1,234.6"),
            ("0.5", "#.##", ".5"),
            ("7", "000", "007"),
            ("255", "X4", "00FF"),
            ("-1", "X", "FFFFFFFF"),
            ("-1L", "x", "ffffffffffffffff"),
            ("-42", "D5", "-00042"),
            ("0.1f", "F10", "0.1000000015"),
        ] {
            assert_eq!(apply(literal, format).as_deref(), Some(expected), "{literal}:{format}");
        }
        for (literal, format) in [("\"a\"", "N2"), ("2.5", "D"), ("1.0", "X"), ("7", "C"), ("7", "yyyy")] {
            assert_eq!(apply(literal, format), None, "{literal}:{format}");
        }
        assert!(!is_known("C") && !is_known("HH:mm") && is_known("#,##0.##"));
    }
}
