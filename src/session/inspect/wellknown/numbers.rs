//! Numbers that are no primitives of the runtime: 128 bits, any bits, half precision; indices and ranges.

use crate::session::inspect::field_values::Fields;

/// Words of a BigInteger that are shown in full; more are some 600 digits.
const WORDS: usize = 64;

/// The upper and the lower 64 bits.
pub(super) fn int128(fields: &Fields) -> Option<String> {
    Some((wide(fields)? as i128).to_string())
}

pub(super) fn uint128(fields: &Fields) -> Option<String> {
    Some(wide(fields)?.to_string())
}

fn wide(fields: &Fields) -> Option<u128> {
    Some(u128::from(fields.bits(0)?) << 64 | u128::from(fields.bits(1)?))
}

/// Fields: _sign, _bits[]. Small ones are all in the sign.
pub(super) fn big_integer(fields: &Fields) -> Option<String> {
    let sign = fields.integer(0)?;
    if fields.is_null(1) {
        return Some(sign.to_string());
    }
    let words = fields.integers(1)?;
    if words.len() > WORDS {
        return None;
    }
    let digits = decimal(&words);
    Some(if sign < 0 { format!("-{digits}") } else { digits })
}

/// The decimal digits of 32-bit words, lowest first.
fn decimal(words: &[u64]) -> String {
    const GROUP: u64 = 1_000_000_000;
    let mut groups: Vec<u64> = vec![0];
    for word in words.iter().rev() {
        let mut carry = *word;
        for group in &mut groups {
            let sum = (*group << 32) + carry;
            *group = sum % GROUP;
            carry = sum / GROUP;
        }
        while carry > 0 {
            groups.push(carry % GROUP);
            carry /= GROUP;
        }
    }
    let mut digits = groups.last().map(u64::to_string).unwrap_or_default();
    groups.iter().rev().skip(1).for_each(|group| digits.push_str(&format!("{group:09}")));
    digits
}

/// IEEE 754 binary16 by its bits, with the fewest digits that distinguish it from its neighbors.
pub(super) fn half(fields: &Fields) -> Option<String> {
    let bits = u16::try_from(fields.integer(0)?).ok()?;
    let negative = bits >> 15 == 1;
    Some(match value_of(bits & 0x7fff) {
        value if value.is_nan() => "Half.NaN".to_owned(),
        value if value.is_infinite() && negative => "Half.NegativeInfinity".to_owned(),
        value if value.is_infinite() => "Half.PositiveInfinity".to_owned(),
        value => format!("{}{}", if negative { "-" } else { "" }, shortest(value, bits & 0x7fff)),
    })
}

fn value_of(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
    match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

fn shortest(value: f64, bits: u16) -> String {
    // what the next one would be if there were no infinity
    let above = if bits == 0x7bff { 65_536.0 } else { value_of(bits + 1) };
    let neighbors = [bits.checked_sub(1).map(value_of), Some(above)];
    let is_exact = |text: &str| {
        let read: f64 = text.parse().unwrap_or(f64::NAN);
        neighbors.iter().flatten().all(|other| (read - value).abs() < (read - other).abs())
    };
    let text = (0..6).map(|digits| format!("{value:.digits$e}")).find(|text| is_exact(text));
    let text = text.unwrap_or_else(|| value.to_string());
    match text.split_once('e').and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?))) {
        Some((digits, power)) if power < -5 => format!("{digits}E-{:02}", -power),
        _ => text.parse::<f64>().unwrap_or(value).to_string(),
    }
}

/// `^1` counts from the end.
fn index(value: i128) -> String {
    if value < 0 { format!("^{}", !value) } else { value.to_string() }
}

pub(super) fn system_index(fields: &Fields) -> Option<String> {
    fields.integer(0).map(index)
}

pub(super) fn range(fields: &Fields) -> Option<String> {
    Some(format!("{}..{}", index(fields.integer(0)?), index(fields.integer(1)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_the_digits_that_distinguish_them() {
        for (bits, expected) in
            [(0x3e00, 1.5), (0x0000, 0.0), (0x7bff, 65500.0), (0x3555, 0.3333), (0x2e66, 0.1), (0x0001, 6e-8)]
        {
            let text = shortest(value_of(bits), bits);
            assert_eq!(text.parse::<f64>().unwrap(), expected, "{bits:#x}: {text}");
        }
        assert_eq!(shortest(value_of(1), 1), "6E-08");
        assert!(value_of(0x7c00).is_infinite() && value_of(0x7e00).is_nan());
    }

    #[test]
    fn words_become_decimal_digits() {
        assert_eq!(decimal(&[0]), "0");
        assert_eq!(decimal(&[0, 0, 1]), "18446744073709551616");
        assert_eq!(decimal(&[u64::from(u32::MAX); 4]), u128::MAX.to_string());
    }

    #[test]
    fn indices_count_from_either_end() {
        assert_eq!((index(1), index(-1), index(-2)), ("1".into(), "^0".into(), "^1".into()));
    }
}
