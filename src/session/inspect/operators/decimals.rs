//! `decimal`, which both adapters print with all its digits: compared and, where the result is exact, added and multiplied here. For
//! the runtime its operators are calls, which not every adapter makes. What would be rounded is the adapter's.

use std::cmp::Ordering;
use std::fmt;

/// Digits behind the point at most (ECMA-334, 8.3.8: 28 significant ones).
const SCALE: u32 = 28;
/// What 96 bits hold.
const MOST: i128 = (1 << 96) - 1;

/// `digits` / 10^`scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    scale: u32,
}

impl From<i128> for Decimal {
    fn from(digits: i128) -> Self {
        Self { digits, scale: 0 }
    }
}

impl Decimal {
    /// Digits as adapters print them or as C# has them, without a suffix: `-2.50`, `1e3`. `None` for what no `decimal` holds exactly.
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        match u32::try_from(scale) {
            Ok(scale) => Self::new(digits, scale),
            Err(_) => Self::new(digits.checked_mul(10i128.checked_pow(scale.unsigned_abs())?)?, 0),
        }
    }

    fn new(digits: i128, scale: u32) -> Option<Self> {
        (scale <= SCALE && digits.unsigned_abs() <= MOST.unsigned_abs()).then_some(Self { digits, scale })
    }

    /// The digits at another, greater scale; `None` where they are more than are counted here, and so more than any decimal has there.
    fn at(self, scale: u32) -> Option<i128> {
        10i128.checked_pow(scale - self.scale).and_then(|factor| self.digits.checked_mul(factor))
    }

    pub fn compare(self, other: Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.at(scale), other.at(scale)) {
            (Some(left), Some(right)) => left.cmp(&right),
            (None, _) => self.digits.cmp(&0),
            (_, None) => 0.cmp(&other.digits),
        }
    }

    /// `None` where the result is rounded, or too great.
    pub fn computed(self, operator: &str, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        match operator {
            "+" => Self::new(self.at(scale)?.checked_add(other.at(scale)?)?, scale),
            "-" => Self::new(self.at(scale)?.checked_sub(other.at(scale)?)?, scale),
            "*" => Self::new(self.digits.checked_mul(other.digits)?, self.scale + other.scale),
            _ => None,
        }
    }

    pub fn negated(self) -> Self {
        Self { digits: -self.digits, ..self }
    }

    pub fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// Without what stands behind the point, as a cast to an integer cuts it.
    pub fn truncated(self) -> i128 {
        10i128.checked_pow(self.scale).map_or(0, |unit| self.digits / unit)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let scale = usize::try_from(self.scale).unwrap_or_default();
        let digits = format!("{:0>width$}", self.digits.unsigned_abs(), width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let point = if scale == 0 { "" } else { "." };
        write!(out, "{sign}{whole}{point}{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn digits_are_kept_as_they_are_printed() {
        for text in ["0", "2.50", "-0.05", "79228162514264337593543950335", "0.0000000000000000000000000001"] {
            assert_eq!(decimal(text).to_string(), text);
        }
        assert_eq!(decimal("1e3").to_string(), "1000");
        assert_eq!(decimal("1.25E-1").to_string(), "0.125");
        assert_eq!(decimal(".5").to_string(), "0.5");
        for text in ["79228162514264337593543950336", "1e29", "0.00000000000000000000000000001", "x", "", "1e99999"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_compare_by_value_whatever_their_digits() {
        for (left, right, expected) in [
            ("1000", "1000.00", Ordering::Equal),
            ("0", "-0.00", Ordering::Equal),
            ("0.1", "0.10000000000000000001", Ordering::Less),
            ("-79228162514264337593543950335", "0.0000000000000000000000000001", Ordering::Less),
            ("79228162514264337593543950335", "0.0000000000000000000000000001", Ordering::Greater),
        ] {
            assert_eq!(decimal(left).compare(decimal(right)), expected, "{left} {right}");
        }
    }

    #[test]
    fn what_would_be_rounded_is_not_computed() {
        let computed = |left: &str, operator: &str, right: &str| {
            decimal(left).computed(operator, decimal(right)).map(|decimal| decimal.to_string())
        };
        assert_eq!(computed("0.1", "+", "1.50").as_deref(), Some("1.60"));
        assert_eq!(computed("0.1", "*", "1.50").as_deref(), Some("0.150"));
        assert_eq!(computed("1", "-", "2.5").as_deref(), Some("-1.5"));
        assert_eq!(computed("79228162514264337593543950335", "+", "1"), None);
        assert_eq!(computed("0.000000000000001", "*", "0.000000000000001"), None);
        assert_eq!(computed("1", "/", "3"), None);
    }
}
