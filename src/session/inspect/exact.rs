//! All digits of a `double`. Adapters print 16, which are those of another number where C# needs 17: of `0.1 + 0.2` they say 0.3
//! (netcoredbg 3.1.2, dncdbg 1.1.0; 2026-11-22). They compute with what the program has, and put all digits into a text.

use super::access::Access;
use super::element::Element;
use super::literal::{self, Raw, unquote};
use super::raw_value::RawValue;
use super::reader::Reader;
use super::wide_enums;
use crate::session::expression::is_path;

/// Numbers of one page that are read again: 4 ms each in netcoredbg, 8 in dncdbg (2026-11-23).
const MOST: usize = 100;

/// `value` with all of its digits, read again under `path`, which only loads.
pub async fn loaded(reader: &Reader, value: RawValue, path: &str) -> RawValue {
    let value = wide_enums::whole(reader, value, path).await;
    let Some(shown) = rounded(reader, &value).filter(|_| !reader.ran && is_path(path)) else { return value };
    let text = reader.evaluate(&text_of(path), Access::Load).await;
    corrected(value, shown, text.ok())
}

/// The same of a value that `path` gives again, whoever asks.
pub async fn read_again(reader: &Reader, value: RawValue, path: &str) -> RawValue {
    let Some(shown) = rounded(reader, &value) else { return value };
    let text = reader.evaluate(&text_of(path), Access::Run).await;
    corrected(value, shown, text.ok())
}

/// The same of elements, as far as one by one they fill `width` characters.
pub async fn page(reader: &Reader, mut page: Vec<Element>, width: usize) -> Vec<Element> {
    let mut length = 0;
    for element in page.iter_mut().take(MOST) {
        if length > width {
            break;
        }
        element.value = loaded(reader, std::mem::take(&mut element.value), &element.load_path).await;
        length += element.value.value.len();
    }
    page
}

/// The number that is shown, where it may be another one.
fn rounded(reader: &Reader, value: &RawValue) -> Option<f64> {
    let is_double = value.type_name.trim_end_matches('?') == "double";
    if !is_double || !reader.quirks.doubles_are_rounded || reader.read_only {
        return None;
    }
    let Raw::Literal(_) = value.parsed() else { return None };
    // adapters print no more than 16; what has more was read here
    let has_all = significant(&value.value) > 16;
    literal::printed_double(&value.value).filter(|shown| shown.is_finite() && *shown != 0.0 && !has_all)
}

/// Digits from the first that is not a zero.
fn significant(number: &str) -> usize {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count()
}

fn text_of(path: &str) -> String {
    format!("{path} + \"\"")
}

fn corrected(value: RawValue, shown: f64, text: Option<RawValue>) -> RawValue {
    // the adapter's own culture may have a comma, and a sign for minus
    let digits = text.and_then(|text| unquote(&text.value)).map(|text| text.replace(',', ".").replace('\u{2212}', "-"));
    match digits.map(|digits| (digits.parse::<f64>(), digits)) {
        Some((Ok(exact), digits)) if exact != shown && is_rounded(exact, shown) => RawValue { value: digits, ..value },
        _ => value,
    }
}

/// Whether 16 digits of a number are those of `shown`.
fn is_rounded(exact: f64, shown: f64) -> bool {
    (exact - shown).abs() <= shown.abs() * 1e-14
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_before_a_number_are_none_of_its_digits() {
        for (number, digits) in
            [("-0.02800488562324798", 16), ("0.30000000000000004", 17), ("1.25e-07", 3), ("100", 3), ("0.0", 0)]
        {
            assert_eq!(significant(number), digits, "{number}");
        }
    }
}
