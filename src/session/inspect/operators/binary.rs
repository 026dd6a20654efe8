//! What the operators do: promotion, wrap-around, lifted nulls, and the compiler's words where there is no such operator.

use std::sync::Arc;

use clr_csharp::Decimal;

use super::enums::{self, EnumType};
use super::integers::{IntType, common};
use super::value::{Fault, Known, Operand};

/// `left op right`. `Ok(None)`: the adapter's to compute (floating point, operators of the program's types).
pub fn binary(left: &Operand, operator: &str, right: &Operand) -> Result<Option<Operand>, Fault> {
    use Known::{Bool, Decimal, Enum, Floating, Int, Null, Other, Text};
    // a test for null calls no operator of the program
    let operator = match operator {
        "is" => "==",
        "is not" => "!=",
        operator => operator,
    };
    let is_constant = left.is_constant && right.is_constant;
    let known = match (&left.known, &right.known) {
        (Decimal(_) | Floating("decimal"), Int(_, 0)) if matches!(operator, "/" | "%") => return Err(zero()),
        (_, Decimal(divisor)) if matches!(operator, "/" | "%") && divisor.is_zero() => return Err(zero()),
        (Int(a, x), Int(b, y)) => {
            return integers(operator, (*a, *x, left.is_constant), (*b, *y, right.is_constant))
                .map(|known| Some(Operand { is_constant, ..Operand::computed(known) }));
        }
        (Decimal(_), Floating("double" | "float")) | (Floating("double" | "float"), Decimal(_)) => {
            return Err(none(left, operator, right));
        }
        (Decimal(a), Decimal(b)) => decimals(operator, *a, *b).ok_or_else(|| none(left, operator, right))??,
        (Decimal(a), Int(_, b)) => decimals(operator, *a, (*b).into()).ok_or_else(|| none(left, operator, right))??,
        (Int(_, a), Decimal(b)) => decimals(operator, (*a).into(), *b).ok_or_else(|| none(left, operator, right))??,
        (Floating(a), Floating(b)) if (*a == "decimal") != (*b == "decimal") => {
            return Err(none(left, operator, right));
        }
        // a boxed number: only text takes an object
        (Other(name), Int(..) | Decimal(_) | Floating(_) | Bool(_))
        | (Int(..) | Decimal(_) | Floating(_) | Bool(_), Other(name))
            if name == "object" =>
        {
            return Err(none(left, operator, right));
        }
        // text and a floating number: formatted as the program would
        (Floating(_), other) | (other, Floating(_)) if *other != Null => return Ok(None),
        (Bool(a), Bool(b)) => match operator {
            "==" => Bool(a == b),
            "!=" | "^" => Bool(a != b),
            "&" => Bool(*a && *b),
            "|" => Bool(*a || *b),
            _ => return Err(none(left, operator, right)),
        },
        (Text(a), Text(b)) => match operator {
            "==" => Bool(a == b),
            "!=" => Bool(a != b),
            "+" => Text(format!("{a}{b}")),
            _ => return Err(none(left, operator, right)),
        },
        (Text(_), _) | (_, Text(_)) if operator == "+" => match (shown(left), shown(right)) {
            (Some(a), Some(b)) => Text(format!("{a}{b}")),
            _ => return Ok(None),
        },
        (Null, Null) => match operator {
            "==" => Bool(true),
            "!=" => Bool(false),
            _ => return Ok(None),
        },
        // a `bool?` without value is either (ECMA-334, 12.13.5)
        (Null, Bool(value)) | (Bool(value), Null) if (operator == "&" && !*value) || (operator == "|" && *value) => {
            Bool(*value)
        }
        // a lifted operator on a `T?` without value; a reference that is not null
        (Null, _) | (_, Null) => match operator {
            "==" => Bool(false),
            "!=" => Bool(true),
            "<" | ">" | "<=" | ">=" => Bool(false),
            _ => Null,
        },
        (Enum(..), Enum(..) | Int(..)) | (Int(..), Enum(..)) => {
            let sides = (enums::Side::of(left), enums::Side::of(right));
            let computed = sides.0.zip(sides.1).and_then(|(a, b)| enums::binary(operator, a, b));
            computed.unwrap_or_else(|| Err(none(left, operator, right)))?
        }
        (Enum(..) | Other(_), _) | (_, Enum(..) | Other(_)) => return Ok(None),
        _ => return Err(none(left, operator, right)),
    };
    Ok(Some(Operand { is_constant, ..Operand::computed(known) }))
}

/// `None`: there is no such operator.
fn decimals(operator: &str, left: Decimal, right: Decimal) -> Option<Result<Known, Fault>> {
    let order = left.compare(right);
    Some(Ok(match operator {
        "==" => Known::Bool(order.is_eq()),
        "!=" => Known::Bool(order.is_ne()),
        "<" => Known::Bool(order.is_lt()),
        ">" => Known::Bool(order.is_gt()),
        "<=" => Known::Bool(order.is_le()),
        ">=" => Known::Bool(order.is_ge()),
        _ => {
            let computed = left.computed(operator, right)?;
            return Some(computed.map(Known::Decimal).map_err(|error| Fault::Throws(error.to_string())));
        }
    }))
}

/// What `string +` appends; `None` where the program's `ToString` decides.
fn shown(operand: &Operand) -> Option<String> {
    Some(match &operand.known {
        Known::Null => String::new(),
        Known::Bool(true) => "True".into(),
        Known::Bool(false) => "False".into(),
        Known::Int(IntType::Char, code) => char::from_u32(u32::try_from(*code).ok()?)?.to_string(),
        Known::Int(_, number) => number.to_string(),
        Known::Text(text) => text.clone(),
        // the sign of the program's culture
        Known::Decimal(_) => return None,
        Known::Enum(type_, number) => type_.printed(*number).replace(" | ", ", "),
        Known::Floating(_) | Known::Other(_) => return None,
    })
}

fn zero() -> Fault {
    Fault::Throws("System.DivideByZeroException: Attempted to divide by zero.".into())
}

type Integer = (IntType, i128, bool);

fn integers(operator: &str, left: Integer, right: Integer) -> Result<Known, Fault> {
    let ((a, x, _), (b, y, _)) = (left, right);
    if matches!(operator, "<<" | ">>" | ">>>") {
        return shift(operator, a, x, right);
    }
    let Some(kind) = common(left, right) else {
        let (a, b) = (a.name(), b.name());
        return Err(Fault::Compile(format!("operator '{operator}' is ambiguous on operands of type '{a}' and '{b}'")));
    };
    let exact = match operator {
        "==" => return Ok(Known::Bool(x == y)),
        "!=" => return Ok(Known::Bool(x != y)),
        "<" => return Ok(Known::Bool(x < y)),
        ">" => return Ok(Known::Bool(x > y)),
        "<=" => return Ok(Known::Bool(x <= y)),
        ">=" => return Ok(Known::Bool(x >= y)),
        "+" => x + y,
        "-" => x - y,
        "*" => x.checked_mul(y).unwrap_or_else(|| x.wrapping_mul(y)),
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        "/" | "%" if y == 0 => {
            return Err(zero());
        }
        // the CPU traps on both (ECMA-335 III 3.31 and 3.55)
        "/" | "%" if kind.is_signed() && y == -1 && !kind.holds(-x) => {
            return Err(Fault::Throws(
                "System.OverflowException: Arithmetic operation resulted in an overflow.".into(),
            ));
        }
        "/" => x / y,
        "%" => x % y,
        _ => return Err(Fault::Compile(format!("operator '{operator}' is not supported for these operands"))),
    };
    if left.2 && right.2 && !kind.holds(exact) {
        return Err(Fault::Compile("the operation overflows at compile time in checked mode".into()));
    }
    Ok(Known::Int(kind, kind.wrap(exact)))
}

/// The count is an `int`, and only its low 5 or 6 bits count.
fn shift(operator: &str, a: IntType, x: i128, (b, y, _): Integer) -> Result<Known, Fault> {
    let kind = a.promoted();
    if !b.converts_to(IntType::Int) {
        let (a, b) = (a.name(), b.name());
        return Err(Fault::Compile(format!(
            "operator '{operator}' cannot be applied to operands of type '{a}' and '{b}'"
        )));
    }
    let count = y & i128::from(kind.bits() - 1);
    let moved = match operator {
        "<<" => x << count,
        ">>" => x >> count,
        _ => (x & ((1i128 << kind.bits()) - 1)) >> count,
    };
    Ok(Known::Int(kind, kind.wrap(moved)))
}

/// `op operand`, `(type)operand`. `Ok(None)`: the adapter's.
pub fn unary(operator: &str, operand: &Operand) -> Result<Option<Operand>, Fault> {
    let known = match (operator, &operand.known) {
        ("!", Known::Bool(value)) => Known::Bool(!value),
        ("+" | "-" | "~", Known::Int(kind, value)) => {
            let kind = match (operator, kind.promoted()) {
                ("-", IntType::UInt) => IntType::Long,
                ("-", IntType::ULong) => return Err(no_unary(operator, operand)),
                (_, kind) => kind,
            };
            let exact = match operator {
                "-" => -value,
                "~" => !value,
                _ => *value,
            };
            Known::Int(kind, kind.wrap(exact))
        }
        ("+", Known::Decimal(value)) => Known::Decimal(*value),
        // of a zero the sign is lost
        ("-", Known::Decimal(value)) if !value.is_zero() => Known::Decimal(value.negated()),
        ("-", Known::Decimal(_)) => return Ok(None),
        (_, Known::Null) => Known::Null,
        ("~", Known::Enum(type_, number)) => Known::Enum(type_.clone(), type_.underlying.wrap(!number)),
        (_, Known::Floating(_) | Known::Other(_)) => return Ok(None),
        _ => return Err(no_unary(operator, operand)),
    };
    Ok(Some(Operand { is_constant: operand.is_constant, ..Operand::computed(known) }))
}

/// `(byte)x`. `Ok(None)`: nobody can.
pub fn cast(to: &str, operand: &Operand) -> Result<Option<Operand>, Fault> {
    if let (Known::Decimal(decimal), Some(kind)) = (&operand.known, IntType::named(to)) {
        let value = decimal.truncated();
        return match kind.holds(value) {
            true => Ok(Some(Operand::computed(Known::Int(kind, value)))),
            false => Err(Fault::Throws(format!(
                "System.OverflowException: Value was either too large or too small for {}.",
                kind.described()
            ))),
        };
    }
    let (Known::Int(_, value) | Known::Enum(_, value)) = operand.known else {
        return Ok((operand.type_name() == to).then(|| operand.clone()));
    };
    if let Some(kind) = IntType::named(to) {
        if operand.is_constant && !kind.holds(value) {
            return Err(Fault::Compile(format!("constant value '{value}' cannot be converted to a '{to}'")));
        }
        return Ok(Some(Operand {
            is_constant: operand.is_constant,
            ..Operand::computed(Known::Int(kind, kind.wrap(value)))
        }));
    }
    let (name, text) = match to {
        "double" => ("double", format!("{value}.0")),
        "float" => ("float", format!("{value}f")),
        "decimal" => return Ok(Some(Operand::computed(Known::Decimal(value.into())))),
        _ => return Ok(None),
    };
    Ok(Some(Operand { text, ..Operand::computed(Known::Floating(name)) }))
}

/// `(Color)2`.
pub fn cast_to_enum(to: &Arc<EnumType>, operand: &Operand) -> Option<Operand> {
    let (Known::Int(_, value) | Known::Enum(_, value)) = operand.known else { return None };
    Some(Operand::computed(Known::Enum(to.clone(), to.underlying.wrap(value))))
}

fn none(left: &Operand, operator: &str, right: &Operand) -> Fault {
    let (left, right) = (left.type_name(), right.type_name());
    Fault::Compile(format!("operator '{operator}' cannot be applied to operands of type '{left}' and '{right}'"))
}

fn no_unary(operator: &str, operand: &Operand) -> Fault {
    Fault::Compile(format!("operator '{operator}' cannot be applied to operand of type '{}'", operand.type_name()))
}
