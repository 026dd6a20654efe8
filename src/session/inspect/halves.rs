//! Native integers of which an adapter prints the lower 32 bits only, as what they are: `0x…9F3B1266`.

use super::raw_value::RawValue;

const HALF: &str = "0x…";

/// What to show for a native integer; `None` for anything else.
pub fn of(value: &RawValue) -> Option<String> {
    let is_native = matches!(value.short_type().trim_end_matches('?'), "nint" | "nuint");
    let shown: i64 = value.value.parse().ok().filter(|_| is_native)?;
    Some(format!("{HALF}{:08X}", shown & i64::from(u32::MAX)))
}

/// Whether only the lower half of a number is known.
pub fn is_half(value: &RawValue) -> bool {
    value.value.starts_with(HALF)
}

/// The lower half, which is the whole of a small number.
pub fn low(value: &RawValue) -> Option<u64> {
    match value.value.strip_prefix(HALF) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => value.value.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_native_integers_are_halves() {
        let shown = |type_name: &str, value: &str| {
            of(&RawValue { type_name: type_name.into(), value: value.into(), ..RawValue::default() })
        };
        assert_eq!(shown("System.IntPtr", "-1623518618").as_deref(), Some("0x…9F3B1266"));
        assert_eq!(shown("nuint", "5").as_deref(), Some("0x…00000005"));
        assert_eq!(shown("int", "5"), None);
        assert_eq!(shown("nint", "{IntPtr}"), None);
    }

    #[test]
    fn a_small_number_is_its_lower_half() {
        let read = |value: &str| low(&RawValue { value: value.into(), ..RawValue::default() });
        assert_eq!(read("0x…00000003"), Some(3));
        assert_eq!(read("3"), Some(3));
        assert_eq!(read("-3"), None);
    }
}
