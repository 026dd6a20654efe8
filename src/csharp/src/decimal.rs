//! `decimal` as .NET computes it: exact, and where that takes more than 96 bits or 28 digits behind the point, rounded half to even.
//!
//! For the runtime its operators are calls, which not every adapter makes, and not at every stop. Tested against a table that .NET
//! printed; no crate gives the same digits behind the point (vendor-notes.md).

mod wide;

use std::cmp::Ordering;
use std::fmt;

use wide::Wide;

/// Digits behind the point at most (ECMA-334, 8.3.8: 28 significant ones).
const SCALE: u32 = 28;
/// What 96 bits hold.
const MOST: u128 = (1 << 96) - 1;

/// `digits` / 10^`scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    scale: u32,
}

/// What a computation throws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    #[error("System.OverflowException: Value was either too large or too small for a Decimal.")]
    Overflow,
    #[error("System.DivideByZeroException: Attempted to divide by zero.")]
    ByZero,
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

    /// Of a floating number with so many significant digits, as .NET converts it: scaled to a whole number of them in floating arithmetic,
    /// which is rounded then. `None`: too great. Source: `DecCalc.VarDecFromR8` of the runtime.
    pub fn rounded(number: f64, significant: i32) -> Option<Self> {
        /// What the exponent of a number below 1 and at least a half is stored as.
        const BIAS: i32 = 1022;
        /// 2^16 of a bit's share of a decimal digit.
        const DIGITS: i32 = 19_728;
        const LEAST: i32 = -94;
        const GREATEST: i32 = 96;
        let most = SCALE.cast_signed();
        let mut scaled = number.abs();
        let exponent = i32::try_from(scaled.to_bits() >> 52).unwrap_or(i32::MAX) - BIAS;
        if exponent < LEAST {
            return Some(Self::from(0));
        }
        if exponent > GREATEST {
            return None;
        }
        let last = significant - 1;
        // the nearest number to it, as the runtime's table has it
        let ten = |power: i32| format!("1e{power}").parse::<f64>().unwrap_or(f64::NAN);
        let mut power = last - ((exponent * DIGITS) >> 16);
        if power >= 0 {
            power = power.min(most);
            scaled *= ten(power);
        } else if power != -1 || scaled >= ten(significant) {
            scaled /= ten(-power);
        } else {
            power = 0;
        }
        if scaled < ten(last) && power < most {
            scaled *= 10.0;
            power += 1;
        }
        let mut digits = format!("{:.0}", scaled.round_ties_even()).parse::<i128>().ok()?;
        if power < 0 {
            digits = digits.checked_mul(10i128.checked_pow(power.unsigned_abs())?)?;
            power = 0;
        }
        for _ in 0..last {
            if power == 0 || digits % 10 != 0 {
                break;
            }
            (digits, power) = (digits / 10, power - 1);
        }
        if digits == 0 {
            power = 0;
        }
        Self::new(if number < 0.0 { -digits } else { digits }, power.unsigned_abs())
    }

    fn new(digits: i128, scale: u32) -> Option<Self> {
        (scale <= SCALE && digits.unsigned_abs() <= MOST).then_some(Self { digits, scale })
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

    /// `None`: there is no such operator.
    pub fn computed(self, operator: &str, other: Self) -> Option<Result<Self, DecimalError>> {
        Some(match operator {
            "+" => self.plus(other),
            "-" => self.plus(other.negated()),
            "*" => {
                let product = Wide::from(self.digits.unsigned_abs()).times(other.digits.unsigned_abs());
                let is_short = self.digits.abs().max(other.digits.abs()) <= u32::MAX.into();
                // where .NET gives up the digits behind the point: a zero times more than 32 bits, and what its table of powers lacks
                let is_plain_zero =
                    if is_short { self.scale + other.scale > SCALE + 19 } else { product == Wide::from(0) };
                if is_plain_zero {
                    return Some(Ok(Self::from(0)));
                }
                rounded((self.digits < 0) != (other.digits < 0), product, self.scale + other.scale)
            }
            "/" => self.divided(other),
            "%" => self.rest(other),
            _ => return None,
        })
    }

    fn plus(self, other: Self) -> Result<Self, DecimalError> {
        let scale = self.scale.max(other.scale);
        let at = |it: Self| (0..scale - it.scale).fold(Wide::from(it.digits.unsigned_abs()), |wide, _| wide.times(10));
        let (left, right) = (at(self), at(other));
        match ((self.digits < 0) == (other.digits < 0), left >= right) {
            (true, _) => rounded(self.digits < 0, left.plus(right), scale),
            (false, true) => rounded(self.digits < 0, left.minus(right), scale),
            (false, false) => rounded(other.digits < 0, right.minus(left), scale),
        }
    }

    /// Digit by digit, until nothing is left or no more fit.
    fn divided(self, other: Self) -> Result<Self, DecimalError> {
        let by = other.digits.unsigned_abs();
        if by == 0 {
            return Err(DecimalError::ByZero);
        }
        let (mut digits, mut rest) = (self.digits.unsigned_abs() / by, self.digits.unsigned_abs() % by);
        let (left, right) = (self.scale.cast_signed(), other.scale.cast_signed());
        let mut scale = left - right;
        while scale < 0 || rest != 0 && scale < SCALE.cast_signed() {
            let next = digits * 10 + rest * 10 / by;
            if next > MOST {
                break;
            }
            (digits, rest, scale) = (next, rest * 10 % by, scale + 1);
        }
        let scale = u32::try_from(scale).map_err(|_| DecimalError::Overflow)?;
        let mut wide = Wide::from(digits);
        let is_inexact = rest != 0;
        if is_inexact && (rest * 2 > by || rest * 2 == by && digits % 2 == 1) {
            wide = wide.plus(Wide::from(1));
        }
        let result = rounded((self.digits < 0) != (other.digits < 0), wide, scale)?;
        Ok(if is_inexact { result.without_zeros() } else { result })
    }

    /// Zeros at the end that a division did not have to compute.
    fn without_zeros(mut self) -> Self {
        while self.scale > 0 && self.digits % 10 == 0 {
            self = Self { digits: self.digits / 10, scale: self.scale - 1 };
        }
        self
    }

    fn rest(self, other: Self) -> Result<Self, DecimalError> {
        if other.digits == 0 {
            return Err(DecimalError::ByZero);
        }
        let scale = self.scale.max(other.scale);
        // more than are counted here is more than the dividend
        let Some(by) = other.at(scale) else { return Ok(self) };
        let by = by.unsigned_abs();
        if self.at(scale).is_some_and(|own| own.unsigned_abs() < by) {
            return Ok(self);
        }
        let rest = (0..scale - self.scale).fold(self.digits.unsigned_abs() % by, |rest, _| rest * 10 % by);
        let rest = rest.cast_signed();
        Ok(Self { digits: if self.digits < 0 { -rest } else { rest }, scale })
    }

    #[must_use]
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

/// With as many digits behind the point as fit.
fn rounded(is_negative: bool, exact: Wide, mut scale: u32) -> Result<Decimal, DecimalError> {
    let mut wide = exact;
    // the last digit that was cut, and whether there were others behind it
    let (mut cut, mut more) = (0, false);
    loop {
        while scale > SCALE || wide.low().is_none_or(|digits| digits > MOST) {
            if scale == 0 {
                return Err(DecimalError::Overflow);
            }
            more |= cut != 0;
            (wide, cut) = wide.tenth();
            scale -= 1;
        }
        if cut > 5 || cut == 5 && (more || wide.is_odd()) {
            wide = wide.plus(Wide::from(1));
            (cut, more) = (0, false);
            continue;
        }
        let digits = wide.low().ok_or(DecimalError::Overflow)?.cast_signed();
        return Ok(Decimal { digits: if is_negative { -digits } else { digits }, scale });
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

    /// As `(decimal)number` is in .NET 10.
    #[test]
    fn floating_numbers_are_cut_to_the_digits_that_they_hold() {
        for (number, significant, expected) in [
            (1e3, 15, Some("1000")),
            (0.1, 15, Some("0.1")),
            (1.0 / 3.0, 15, Some("0.333333333333333")),
            (-2.5, 15, Some("-2.5")),
            (0.1_f32.into(), 7, Some("0.1")),
            (1e-30, 15, Some("0")),
            // not what its digits round to: scaled it is 297537513450776.5, and that is rounded to even
            (29.753751345077653, 15, Some("29.7537513450776")),
            (60.973142617848545, 15, Some("60.9731426178486")),
            (1_234_567.123_456_789, 15, Some("1234567.12345679")),
            (7e28, 15, Some("70000000000000000000000000000")),
            (8e28, 15, None),
            (f64::NAN, 15, None),
            (f64::INFINITY, 15, None),
        ] {
            let decimal = Decimal::rounded(number, significant).map(|decimal| decimal.to_string());
            assert_eq!(decimal.as_deref(), expected, "{number}");
        }
    }

    /// Each row is what .NET 10 printed for it: `a op b = result`, of `?` what `CompareTo` answers.
    #[test]
    fn operators_give_the_digits_that_dotnet_prints() {
        let table = include_str!("decimal/table.txt");
        let mut wrong = Vec::new();
        for row in table.lines() {
            let [left, operator, right, "=", expected] = row.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            let got = match decimal(left).computed(operator, decimal(right)) {
                Some(Ok(result)) => result.to_string(),
                Some(Err(DecimalError::Overflow)) => "overflow".to_owned(),
                Some(Err(DecimalError::ByZero)) => "zero".to_owned(),
                None => (decimal(left).compare(decimal(right)) as i8).to_string(),
            };
            if got != expected {
                wrong.push(format!("{row}, not {got}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}: {:#?}", wrong.len(), table.lines().count(), &wrong[..wrong.len().min(60)]);
    }
}
