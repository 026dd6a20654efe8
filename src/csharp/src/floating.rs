//! Floating-point numbers as .NET prints them: the shortest digits that read back as the same number, with an exponent where there would
//! be many (`Number.FormatFloat` of .NET 8 to 10).

/// Digits before the point from which on .NET writes an exponent: as many as are needed to distinguish any number from all others.
const DOUBLE: i32 = 17;
const SINGLE: i32 = 9;
/// Zeros behind the point from which on it does.
const MOST_ZEROS: i32 = 4;
/// The exact value of any double has no more digits.
const MOST_DIGITS: usize = 770;

/// `0.1`, `1E+17`; what is not finite has other names wherever it is printed: `None`.
pub fn double(number: f64) -> Option<String> {
    number.is_finite().then(|| {
        let reads_back = |text: &str| text.parse() == Ok(number);
        printed(&nearest(&format!("{number:e}"), number, reads_back), DOUBLE)
    })
}

/// As [`double`].
pub fn single(number: f32) -> Option<String> {
    number.is_finite().then(|| {
        let reads_back = |text: &str| text.parse() == Ok(number);
        printed(&nearest(&format!("{number:e}"), f64::from(number), reads_back), SINGLE)
    })
}

/// Of two digits that are equally near, the even one.
fn nearest(scientific: &str, number: f64, reads_back: impl Fn(&str) -> bool) -> String {
    let exact = format!("{number:.MOST_DIGITS$e}");
    let (Some((mantissa, exponent)), Some((digits, _))) = (scientific.split_once('e'), exact.split_once('e')) else {
        return scientific.to_owned();
    };
    let is_halfway = digits
        .get(mantissa.len()..)
        .is_some_and(|rest| rest.strip_prefix('5').is_some_and(|rest| rest.bytes().all(|digit| digit == b'0')));
    let is_odd = mantissa.bytes().last().is_some_and(|digit| digit % 2 == 1);
    match digits.get(..mantissa.len()) {
        Some(lower) if is_halfway && is_odd && lower != mantissa && reads_back(&format!("{lower}e{exponent}")) => {
            format!("{lower}e{exponent}")
        }
        _ => scientific.to_owned(),
    }
}

fn printed(scientific: &str, most_digits: i32) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent >= most_digits || exponent < -MOST_ZEROS {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}E{sign}{:02}", exponent.abs());
    }
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    match usize::try_from(exponent) {
        Ok(whole) => match digits.split_at_checked(whole + 1) {
            Some((whole, "")) => format!("{sign}{whole}"),
            Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
            None => format!("{sign}{digits:0<width$}", width = whole + 1),
        },
        Err(_) => format!("{sign}0.{}{digits}", "0".repeat((exponent.unsigned_abs() as usize).saturating_sub(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What .NET 10 printed.
    #[test]
    fn numbers_are_printed_as_dotnet_prints_them() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (5.0, "5"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (123_456.789, "123456.789"),
            (1e15, "1000000000000000"),
            (1e15 + 0.3, "1000000000000000.2"),
            (1e16, "10000000000000000"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (123_456_789_012_345_680.0, "1.2345678901234568E+17"),
            (1e22, "1E+22"),
            (1e23, "1E+23"),
            (0.0001, "0.0001"),
            (1e-5, "1E-05"),
            (5e-324, "5E-324"),
            (f64::MAX, "1.7976931348623157E+308"),
        ] {
            assert_eq!(double(number).as_deref(), Some(expected));
        }
        for (number, expected) in [(0.1, "0.1"), (16_777_216.0 * 100.0, "1.6777216E+09"), (123_456_789.0, "123456790")]
        {
            assert_eq!(single(number).as_deref(), Some(expected));
        }
        assert_eq!(double(f64::NAN), None);
    }
}
