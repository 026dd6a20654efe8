//! Numbers as C# computes them: with the type's own width, checked or not.

use std::cmp::Ordering;

use clr_metadata::Primitive;

use crate::Decimal;
use crate::constant::Scalar;
use crate::decimal::DecimalError;
use crate::syntax::{BinaryOp, UnaryOp};
use crate::types::Type;

/// The least and the greatest number of an integer type.
pub fn bounds(primitive: Primitive) -> Option<(i128, i128)> {
    use Primitive::*;
    Some(match primitive {
        I1 => (i8::MIN.into(), i8::MAX.into()),
        U1 => (0, u8::MAX.into()),
        I2 => (i16::MIN.into(), i16::MAX.into()),
        U2 | Char => (0, u16::MAX.into()),
        I4 => (i32::MIN.into(), i32::MAX.into()),
        U4 => (0, u32::MAX.into()),
        I8 | IntPtr => (i64::MIN.into(), i64::MAX.into()),
        U8 | UIntPtr => (0, u64::MAX.into()),
        _ => return None,
    })
}

/// An exception of the runtime: its type and message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thrown {
    pub type_name: &'static str,
    pub message: &'static str,
}

pub const OVERFLOW: Thrown =
    Thrown { type_name: "System.OverflowException", message: "Arithmetic operation resulted in an overflow." };
pub const BY_ZERO: Thrown =
    Thrown { type_name: "System.DivideByZeroException", message: "Attempted to divide by zero." };
const DECIMAL: Thrown =
    Thrown { type_name: "System.OverflowException", message: "Value was either too large or too small for a Decimal." };

impl From<DecimalError> for Thrown {
    fn from(error: DecimalError) -> Self {
        match error {
            DecimalError::Overflow => DECIMAL,
            DecimalError::ByZero => BY_ZERO,
        }
    }
}

/// Into the range of an integer type, as the bits are cut.
fn wrapped(primitive: Primitive, number: i128) -> i128 {
    use Primitive::*;
    match primitive {
        I1 => (number as i8).into(),
        U1 => (number as u8).into(),
        I2 => (number as i16).into(),
        U2 | Char => (number as u16).into(),
        I4 => (number as i32).into(),
        U4 => (number as u32).into(),
        I8 | IntPtr => (number as i64).into(),
        _ => (number as u64).into(),
    }
}

fn whole(primitive: Primitive, number: Option<i128>, is_checked: bool) -> Result<Scalar, Thrown> {
    let number = number.ok_or(OVERFLOW)?;
    let fits = bounds(primitive).is_some_and(|(least, most)| (least..=most).contains(&number));
    if is_checked && !fits {
        return Err(OVERFLOW);
    }
    let number = wrapped(primitive, number);
    Ok(if primitive == Primitive::Char { Scalar::Char(number as u16) } else { Scalar::Int(primitive, number) })
}

/// Both operands are of one type, but for shifts. `None`: there is no such operator.
pub fn binary(operator: BinaryOp, left: &Scalar, right: &Scalar, is_checked: bool) -> Option<Result<Scalar, Thrown>> {
    use BinaryOp::*;
    if let Some(ordering) = comparison(operator, left, right) {
        return Some(Ok(Scalar::Bool(ordering)));
    }
    Some(match (left, right) {
        (Scalar::Bool(left), Scalar::Bool(right)) => Ok(Scalar::Bool(match operator {
            And | AndAlso => left & right,
            Or | OrElse => left | right,
            Xor => left ^ right,
            _ => return None,
        })),
        (Scalar::Int(primitive, left), Scalar::Int(_, right)) => {
            integers(operator, *primitive, *left, *right, is_checked)?
        }
        (Scalar::Double(left), Scalar::Double(right)) => Ok(Scalar::Double(floating(operator, *left, *right)?)),
        (Scalar::Single(left), Scalar::Single(right)) => Ok(Scalar::Single(match operator {
            Add => left + right,
            Subtract => left - right,
            Multiply => left * right,
            Divide => left / right,
            Remainder => left % right,
            _ => return None,
        })),
        (Scalar::Decimal(left), Scalar::Decimal(right)) => {
            left.computed(operator.sign(), *right)?.map(Scalar::Decimal).map_err(Thrown::from)
        }
        _ => return None,
    })
}

/// As [`binary`] for constants, which the compiler computes: there the least number divided by -1 overflows only where that is checked, and
/// its remainder never does.
pub fn folded(operator: BinaryOp, left: &Scalar, right: &Scalar, is_checked: bool) -> Option<Result<Scalar, Thrown>> {
    match (operator, left, right) {
        (BinaryOp::Divide, Scalar::Int(primitive, _), Scalar::Int(_, -1)) if !is_checked => {
            binary(BinaryOp::Subtract, &Scalar::Int(*primitive, 0), left, false)
        }
        (BinaryOp::Remainder, Scalar::Int(primitive, _), Scalar::Int(_, -1)) => Some(Ok(Scalar::Int(*primitive, 0))),
        _ => binary(operator, left, right, is_checked),
    }
}

fn floating(operator: BinaryOp, left: f64, right: f64) -> Option<f64> {
    Some(match operator {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        BinaryOp::Divide => left / right,
        BinaryOp::Remainder => left % right,
        _ => return None,
    })
}

fn integers(
    operator: BinaryOp,
    primitive: Primitive,
    left: i128,
    right: i128,
    is_checked: bool,
) -> Option<Result<Scalar, Thrown>> {
    use BinaryOp::*;
    let width = if matches!(primitive, Primitive::I8 | Primitive::U8 | Primitive::IntPtr | Primitive::UIntPtr) {
        64
    } else {
        32
    };
    let by = (right & (width - 1)) as u32;
    let number = match operator {
        Add => left.checked_add(right),
        Subtract => left.checked_sub(right),
        // the product of two of 64 bits may take more than 127
        Multiply if !is_checked => Some(left.wrapping_mul(right)),
        Multiply => left.checked_mul(right),
        Divide | Remainder if right == 0 => return Some(Err(BY_ZERO)),
        Divide | Remainder if right == -1 && bounds(primitive).is_some_and(|(least, _)| least < 0 && left == least) => {
            return Some(Err(OVERFLOW));
        }
        Divide => left.checked_div(right),
        Remainder => left.checked_rem(right),
        And => Some(left & right),
        Or => Some(left | right),
        Xor => Some(left ^ right),
        ShiftLeft => return Some(whole(primitive, left.checked_shl(by), false)),
        ShiftRight => Some(left >> by),
        UnsignedShiftRight => {
            let mask = (1_i128 << width) - 1;
            return Some(whole(primitive, Some((left & mask) >> by), false));
        }
        _ => return None,
    };
    Some(whole(primitive, number, is_checked))
}

fn comparison(operator: BinaryOp, left: &Scalar, right: &Scalar) -> Option<bool> {
    let ordering = match (left, right) {
        (Scalar::Int(_, left), Scalar::Int(_, right)) => Some(left.cmp(right)),
        (Scalar::Char(left), Scalar::Char(right)) => Some(left.cmp(right)),
        (Scalar::Double(left), Scalar::Double(right)) => left.partial_cmp(right),
        (Scalar::Single(left), Scalar::Single(right)) => left.partial_cmp(right),
        (Scalar::Decimal(left), Scalar::Decimal(right)) => Some(left.compare(*right)),
        (Scalar::Bool(left), Scalar::Bool(right)) if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual) => {
            Some(left.cmp(right))
        }
        _ => return None,
    };
    compared(operator, ordering)
}

/// `ordering`: `None` where one is no number (NaN). `None`: it is no comparison.
pub fn compared(operator: BinaryOp, ordering: Option<Ordering>) -> Option<bool> {
    Some(match operator {
        BinaryOp::Equal => ordering == Some(Ordering::Equal),
        BinaryOp::NotEqual => ordering != Some(Ordering::Equal),
        BinaryOp::Less => ordering == Some(Ordering::Less),
        BinaryOp::Greater => ordering == Some(Ordering::Greater),
        BinaryOp::LessOrEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::GreaterOrEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    })
}

pub fn unary(operator: UnaryOp, of: &Scalar, is_checked: bool) -> Option<Result<Scalar, Thrown>> {
    Some(match (operator, of) {
        (UnaryOp::Plus, Scalar::Bool(_)) | (UnaryOp::Plus, Scalar::Char(_)) => return None,
        (UnaryOp::Plus, other) => Ok(other.clone()),
        (UnaryOp::Not, Scalar::Bool(value)) => Ok(Scalar::Bool(!value)),
        (UnaryOp::Minus, Scalar::Int(primitive, number)) => whole(*primitive, number.checked_neg(), is_checked),
        (UnaryOp::Minus, Scalar::Double(number)) => Ok(Scalar::Double(-number)),
        (UnaryOp::Minus, Scalar::Single(number)) => Ok(Scalar::Single(-number)),
        (UnaryOp::Minus, Scalar::Decimal(number)) => Ok(Scalar::Decimal(number.negated())),
        (UnaryOp::Complement, Scalar::Int(primitive, number)) => whole(*primitive, Some(!number), false),
        _ => return None,
    })
}

/// What a floating-point number becomes in an integer type that does not hold it, where that is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooLarge {
    /// The nearest number of the type, and 0 for what is no number: since .NET 9.
    Nearest,
    /// What an x64 processor says of all of them, its "integer indefinite": up to .NET 8.
    Indefinite,
}

/// A number as another type has it. `None`: the type is not numeric.
pub fn converted(of: &Scalar, to: &Type, is_checked: bool, too_large: TooLarge) -> Option<Result<Scalar, Thrown>> {
    if to.is_decimal() {
        return to_decimal(of);
    }
    let Type::Primitive(to) = to else { return None };
    Some(match to {
        Primitive::R8 => Ok(Scalar::Double(as_double(of)?)),
        Primitive::R4 => Ok(Scalar::Single(match of {
            Scalar::Single(number) => *number,
            Scalar::Int(_, number) => *number as f32,
            other => as_double(other)? as f32,
        })),
        Primitive::Boolean => match of {
            Scalar::Bool(_) => Ok(of.clone()),
            _ => return None,
        },
        primitive => {
            let (least, most) = bounds(*primitive)?;
            match of {
                Scalar::Int(_, number) => whole(*primitive, Some(*number), is_checked),
                Scalar::Char(unit) => whole(*primitive, Some((*unit).into()), is_checked),
                Scalar::Decimal(number) => {
                    let number = number.truncated();
                    // the runtime checks these always
                    if (least..=most).contains(&number) {
                        whole(*primitive, Some(number), false)
                    } else {
                        Err(decimal_too_large(*primitive))
                    }
                }
                Scalar::Double(_) | Scalar::Single(_) => {
                    let number = as_double(of)?;
                    match whole_within(number, (least, most)) {
                        Some(fitting) => whole(*primitive, Some(fitting), false),
                        None if is_checked => Err(OVERFLOW),
                        None => whole(*primitive, Some(without_fit(number, *primitive, too_large)), false),
                    }
                }
                Scalar::Bool(_) => return None,
            }
        }
    })
}

/// A floating-point number without its fraction, where that is within the bounds.
fn whole_within(number: f64, (least, most): (i128, i128)) -> Option<i128> {
    let whole_part = number.trunc();
    let fits = whole_part >= least as f64 && whole_part <= most as f64 && (whole_part as i128) <= most;
    fits.then_some(whole_part as i128)
}

/// Of a number that the type does not hold; the type cuts its bits. The smaller types have it as an `int` first.
fn without_fit(number: f64, to: Primitive, too_large: TooLarge) -> i128 {
    use Primitive::*;
    let is_small = matches!(to, I1 | U1 | I2 | U2 | Char);
    match too_large {
        // `as` takes the nearest, and 0 for what is no number
        TooLarge::Nearest if is_small => (number as i32).into(),
        TooLarge::Nearest => bounds(to).map_or(0, |(least, most)| (number as i128).clamp(least, most)),
        TooLarge::Indefinite => {
            const HALF: f64 = 9_223_372_036_854_775_808.0;
            let within = |primitive, otherwise: i128, number: f64| {
                bounds(primitive).and_then(|bounds| whole_within(number, bounds)).unwrap_or(otherwise)
            };
            let long = |number| within(I8, i64::MIN.into(), number);
            match to {
                // the upper half is converted as the lower one is
                U8 | UIntPtr if number >= HALF => long(number - HALF) + i128::from(i64::MIN),
                // what is no number is not below the half either
                U8 | UIntPtr if number.is_nan() => 0,
                U4 | U8 | UIntPtr | I8 | IntPtr => long(number),
                _ => within(I4, i32::MIN.into(), number),
            }
        }
    }
}

fn decimal_too_large(to: Primitive) -> Thrown {
    let message = match to {
        Primitive::I1 => "Value was either too large or too small for a signed byte.",
        Primitive::U1 => "Value was either too large or too small for an unsigned byte.",
        Primitive::I2 => "Value was either too large or too small for an Int16.",
        Primitive::U2 => "Value was either too large or too small for a UInt16.",
        Primitive::Char => "Value was either too large or too small for a character.",
        Primitive::U4 => "Value was either too large or too small for a UInt32.",
        Primitive::I8 => "Value was either too large or too small for an Int64.",
        Primitive::U8 => "Value was either too large or too small for a UInt64.",
        _ => "Value was either too large or too small for an Int32.",
    };
    Thrown { type_name: "System.OverflowException", message }
}

fn as_double(of: &Scalar) -> Option<f64> {
    Some(match of {
        Scalar::Int(_, number) => *number as f64,
        Scalar::Char(unit) => f64::from(*unit),
        Scalar::Single(number) => f64::from(*number),
        Scalar::Double(number) => *number,
        Scalar::Decimal(number) => number.to_string().parse().ok()?,
        Scalar::Bool(_) => return None,
    })
}

fn to_decimal(of: &Scalar) -> Option<Result<Scalar, Thrown>> {
    /// Significant digits that the runtime keeps of each.
    const OF_SINGLE: i32 = 7;
    const OF_DOUBLE: i32 = 15;
    let rounded = |number: f64, digits| Decimal::rounded(number, digits).map(Scalar::Decimal).ok_or(DECIMAL);
    Some(match of {
        Scalar::Decimal(_) => Ok(of.clone()),
        Scalar::Int(_, number) => Ok(Scalar::Decimal(Decimal::from(*number))),
        Scalar::Char(unit) => Ok(Scalar::Decimal(Decimal::from(i128::from(*unit)))),
        Scalar::Single(number) => rounded(f64::from(*number), OF_SINGLE),
        Scalar::Double(number) => rounded(*number, OF_DOUBLE),
        Scalar::Bool(_) => return None,
    })
}
