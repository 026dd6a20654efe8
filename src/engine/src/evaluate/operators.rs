//! Operators over values that a literal says all of, by C#'s rules of promotion.

use clr_metadata::Primitive;

use super::EvalError;
use crate::values::{Place, Scalar, Shown, quote};
use clr_csharp::Decimal;

/// What an expression comes to.
#[derive(Clone)]
pub enum Operand {
    Scalar(Scalar),
    Text(Vec<u16>),
    /// With its declared type, where that is known.
    Null(Option<String>),
    Place(Place),
    Type(TypeRef),
    Namespace(String),
}

/// A type that an expression names.
#[derive(Clone)]
pub struct TypeRef {
    pub text: String,
    pub type_: crate::com::Type,
}

impl Operand {
    pub fn show(&self) -> Shown {
        let (text, type_name) = match self {
            Self::Scalar(scalar) => (scalar.to_string(), scalar.type_name()),
            Self::Text(units) => (quote(units), "string".to_owned()),
            Self::Null(type_name) => ("null".to_owned(), type_name.clone().unwrap_or_else(|| "object".into())),
            Self::Place(_) => (String::new(), String::new()),
            Self::Type(type_) => (type_.text.clone(), "<type>".to_owned()),
            Self::Namespace(name) => (name.clone(), String::new()),
        };
        Shown { text, type_name, ..Shown::default() }
    }

    pub fn type_name(&self) -> String {
        self.show().type_name
    }
}

fn int(primitive: Primitive, number: i128) -> Operand {
    Operand::Scalar(Scalar::Int(primitive, number))
}

fn range(primitive: Primitive) -> Option<(i128, i128)> {
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

fn fits(primitive: Primitive, number: i128) -> bool {
    range(primitive).is_some_and(|(least, most)| (least..=most).contains(&number))
}

/// Whether numbers of one type convert to the other's without a cast.
pub fn widens(from: &Scalar, to: &Scalar) -> bool {
    use Primitive::{I8, IntPtr, U8, UIntPtr};
    let kind = |scalar: &Scalar| integer(scalar).map(|(primitive, _)| primitive);
    match (kind(from), to) {
        (Some(_), Scalar::Decimal(_) | Scalar::Double(_) | Scalar::Single(_)) => true,
        (Some(from), Scalar::Int(to, _)) if from != *to && !matches!((from, to), (I8, IntPtr) | (U8, UIntPtr)) => {
            let bounds = range(from).zip(range(*to));
            bounds.is_some_and(|((least, most), (low, high))| low <= least && most <= high)
        }
        _ => matches!((from, to), (Scalar::Single(_), Scalar::Double(_))),
    }
}

/// As a cast without a check would.
pub fn wrapped(primitive: Primitive, number: i128) -> i128 {
    let Some((least, most)) = range(primitive) else { return number };
    let size = most - least + 1;
    (number - least).rem_euclid(size) + least
}

/// What arithmetic is done in.
enum Pair {
    Int(Primitive, i128, i128),
    Single(f32, f32),
    Double(f64, f64),
    Decimal(Decimal, Decimal),
}

fn promoted(left: &Scalar, right: &Scalar) -> Option<Pair> {
    use Primitive::{I1, I2, I4, I8, IntPtr, U4, U8, UIntPtr};
    if matches!(left, Scalar::Decimal(_)) || matches!(right, Scalar::Decimal(_)) {
        return Some(Pair::Decimal(decimal(left)?, decimal(right)?));
    }
    if matches!(left, Scalar::Double(_)) || matches!(right, Scalar::Double(_)) {
        return Some(Pair::Double(double(left)?, double(right)?));
    }
    if matches!(left, Scalar::Single(_)) || matches!(right, Scalar::Single(_)) {
        return Some(Pair::Single(double(left)? as f32, double(right)? as f32));
    }
    let ((left_type, left), (right_type, right)) = (integer(left)?, integer(right)?);
    let has = |wanted: Primitive| left_type == wanted || right_type == wanted;
    let is_signed = |type_: Primitive| matches!(type_, I1 | I2 | I4 | I8 | IntPtr);
    let type_ = if has(U8) {
        U8
    } else if has(UIntPtr) {
        UIntPtr
    } else if has(I8) {
        I8
    } else if has(IntPtr) {
        IntPtr
    } else if has(U4) {
        // a constant that fits is one of the other's type
        if is_signed(left_type) && left < 0 || is_signed(right_type) && right < 0 { I8 } else { U4 }
    } else {
        I4
    };
    Some(Pair::Int(type_, left, right))
}

fn integer(scalar: &Scalar) -> Option<(Primitive, i128)> {
    match scalar {
        Scalar::Int(primitive, number) => Some((*primitive, *number)),
        Scalar::Char(unit) => Some((Primitive::Char, i128::from(*unit))),
        _ => None,
    }
}

fn double(scalar: &Scalar) -> Option<f64> {
    match scalar {
        Scalar::Double(number) => Some(*number),
        Scalar::Single(number) => Some(f64::from(*number)),
        Scalar::Decimal(text) => text.parse().ok(),
        _ => integer(scalar).map(|(_, number)| number as f64),
    }
}

pub fn unary(sign: &str, of: &Operand) -> Result<Operand, EvalError> {
    let wrong = || {
        EvalError::failed(format!(
            "error CS0023: Operator '{sign}' cannot be applied to operand of type '{}'",
            of.type_name()
        ))
    };
    let Operand::Scalar(scalar) = of else { return Err(wrong()) };
    Ok(match (sign, scalar) {
        ("!", Scalar::Bool(value)) => Operand::Scalar(Scalar::Bool(!value)),
        ("+", Scalar::Int(..) | Scalar::Double(_) | Scalar::Single(_) | Scalar::Decimal(_)) => of.clone(),
        ("-", Scalar::Double(number)) => Operand::Scalar(Scalar::Double(-number)),
        ("-", Scalar::Single(number)) => Operand::Scalar(Scalar::Single(-number)),
        ("-", Scalar::Decimal(text)) => {
            let negated = Decimal::parse(text).ok_or_else(wrong)?.negated();
            Operand::Scalar(Scalar::Decimal(negated.to_string()))
        }
        ("-" | "~", scalar) => {
            let (primitive, number) = integer(scalar).ok_or_else(wrong)?;
            let result = match (sign, primitive) {
                ("-", Primitive::U4) => {
                    return Ok(int(if number == 1 << 31 { Primitive::I4 } else { Primitive::I8 }, -number));
                }
                ("-", Primitive::I8 | Primitive::IntPtr) => primitive,
                (_, Primitive::U8 | Primitive::UIntPtr | Primitive::U4 | Primitive::I8 | Primitive::IntPtr) => {
                    primitive
                }
                _ => Primitive::I4,
            };
            let number = if sign == "-" { -number } else { !number };
            int(result, wrapped(result, number))
        }
        _ => return Err(wrong()),
    })
}

/// `None`: it takes an operator that the program defines, or there is none.
pub fn binary(left: &Operand, sign: &str, right: &Operand) -> Result<Option<Operand>, EvalError> {
    let truth = |value: bool| Ok(Some(Operand::Scalar(Scalar::Bool(value))));
    match (left, right) {
        (Operand::Null(_), Operand::Null(_)) if matches!(sign, "==" | "!=") => truth(sign == "=="),
        (Operand::Null(_), Operand::Scalar(_) | Operand::Text(_))
        | (Operand::Scalar(_) | Operand::Text(_), Operand::Null(_))
            if matches!(sign, "==" | "!=") =>
        {
            truth(sign == "!=")
        }
        (Operand::Place(_), Operand::Null(_)) | (Operand::Null(_), Operand::Place(_))
            if matches!(sign, "==" | "!=") =>
        {
            truth(sign == "!=")
        }
        (Operand::Text(left), Operand::Text(right)) if matches!(sign, "==" | "!=") => {
            truth((left == right) == (sign == "=="))
        }
        (Operand::Text(_), Operand::Text(_) | Operand::Scalar(_) | Operand::Null(_))
        | (Operand::Scalar(_) | Operand::Null(_), Operand::Text(_))
            if sign == "+" =>
        {
            let mut units = concatenated(left);
            units.extend(concatenated(right));
            Ok(Some(Operand::Text(units)))
        }
        (Operand::Scalar(left), Operand::Scalar(right)) => scalars(left, sign, right),
        _ => Ok(None),
    }
}

/// As string concatenation prints it.
fn concatenated(operand: &Operand) -> Vec<u16> {
    match operand {
        Operand::Text(units) => units.clone(),
        Operand::Scalar(Scalar::Char(unit)) => vec![*unit],
        Operand::Scalar(Scalar::Bool(value)) => if *value { "True" } else { "False" }.encode_utf16().collect(),
        Operand::Scalar(scalar) => scalar.to_string().encode_utf16().collect(),
        _ => Vec::new(),
    }
}

fn scalars(left: &Scalar, sign: &str, right: &Scalar) -> Result<Option<Operand>, EvalError> {
    let truth = |value: bool| Ok(Some(Operand::Scalar(Scalar::Bool(value))));
    match (left, right) {
        (Scalar::Bool(left), Scalar::Bool(right)) => {
            return match sign {
                "==" => truth(left == right),
                "!=" | "^" => truth(left != right),
                "&" => truth(*left && *right),
                "|" => truth(*left || *right),
                _ => Ok(None),
            };
        }
        (Scalar::Enum(type_, left), Scalar::Enum(_, right)) => {
            let set = |number: i128| Ok(Some(Operand::Scalar(Scalar::Enum(type_.clone(), number))));
            return match sign {
                "&" => set(left & right),
                "|" => set(left | right),
                "^" => set(left ^ right),
                _ => match compare(sign, left.partial_cmp(right)) {
                    Some(value) => truth(value),
                    None => Ok(None),
                },
            };
        }
        // the constant 0 converts to any enum
        (Scalar::Enum(_, left), Scalar::Int(_, right)) | (Scalar::Int(_, left), Scalar::Enum(_, right)) => {
            return match compare(sign, left.partial_cmp(right)) {
                Some(value) => truth(value),
                None => Ok(None),
            };
        }
        _ => {}
    }
    if matches!(sign, "<<" | ">>")
        && let (Some((left_type, left)), Some((_, right))) = (integer(left), integer(right))
    {
        use Primitive::{I4, I8, U4, U8};
        let type_ = if matches!(left_type, I8 | U8 | U4) { left_type } else { I4 };
        let width = if matches!(type_, I8 | U8) { 63 } else { 31 };
        let by = (right & width) as u32;
        let result = if sign == "<<" { left << by } else { left >> by };
        return Ok(Some(int(type_, wrapped(type_, result))));
    }
    let Some(pair) = promoted(left, right) else { return Ok(None) };
    let ordering = match &pair {
        Pair::Int(_, left, right) => left.partial_cmp(right),
        Pair::Single(left, right) => left.partial_cmp(right),
        Pair::Double(left, right) => left.partial_cmp(right),
        Pair::Decimal(left, right) => Some(left.compare(*right)),
    };
    if let Some(value) = compare(sign, ordering) {
        return truth(value);
    }
    let by_zero = || EvalError::failed("System.DivideByZeroException: Attempted to divide by zero.");
    Ok(match pair {
        Pair::Int(type_, left, right) => {
            let result = match sign {
                "+" => left + right,
                "-" => left - right,
                "*" => left.checked_mul(right).unwrap_or(0),
                "/" => left.checked_div(right).ok_or_else(by_zero)?,
                "%" => left.checked_rem(right).ok_or_else(by_zero)?,
                "&" => left & right,
                "|" => left | right,
                "^" => left ^ right,
                _ => return Ok(None),
            };
            Some(int(type_, wrapped(type_, result)))
        }
        Pair::Single(left, right) => {
            real(sign, f64::from(left), f64::from(right)).map(|number| Operand::Scalar(Scalar::Single(number as f32)))
        }
        Pair::Double(left, right) => real(sign, left, right).map(|number| Operand::Scalar(Scalar::Double(number))),
        Pair::Decimal(left, right) => match left.computed(sign, right) {
            Some(Ok(result)) => Some(Operand::Scalar(Scalar::Decimal(result.to_string()))),
            Some(Err(error)) => return Err(EvalError::failed(error.to_string())),
            None => None,
        },
    })
}

fn real(sign: &str, left: f64, right: f64) -> Option<f64> {
    Some(match sign {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "%" => left % right,
        _ => return None,
    })
}

fn compare(sign: &str, ordering: Option<std::cmp::Ordering>) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Some(match sign {
        "==" => ordering == Some(Equal),
        "!=" => ordering != Some(Equal),
        "<" => ordering == Some(Less),
        ">" => ordering == Some(Greater),
        "<=" => matches!(ordering, Some(Less | Equal)),
        ">=" => matches!(ordering, Some(Greater | Equal)),
        _ => return None,
    })
}

fn decimal(scalar: &Scalar) -> Option<Decimal> {
    match scalar {
        Scalar::Decimal(text) => Decimal::parse(text),
        _ => integer(scalar).map(|(_, number)| number.into()),
    }
}

/// Casts between numbers.
pub fn cast(type_: &str, of: Operand) -> Result<Operand, EvalError> {
    let wrong = || EvalError::failed(format!("error CS0030: Cannot convert type '{}' to '{type_}'", of.type_name()));
    let overflow = || {
        let of = if type_ == "decimal" { "a Decimal".to_owned() } else { format!("'{type_}'") };
        EvalError::failed(format!("System.OverflowException: Value was either too large or too small for {of}."))
    };
    let Operand::Scalar(scalar) = &of else { return Ok(of) };
    let Some(to) = Primitive::from_name(type_) else {
        return match (type_, scalar) {
            ("decimal", scalar) => {
                let text = match scalar {
                    Scalar::Decimal(text) => text.clone(),
                    Scalar::Int(_, number) => number.to_string(),
                    Scalar::Char(unit) => unit.to_string(),
                    Scalar::Enum(_, number) => number.to_string(),
                    Scalar::Double(number) => Decimal::rounded(*number, 15).ok_or_else(overflow)?.to_string(),
                    Scalar::Single(number) => Decimal::rounded((*number).into(), 7).ok_or_else(overflow)?.to_string(),
                    Scalar::Bool(_) => return Err(wrong()),
                };
                Ok(Operand::Scalar(Scalar::Decimal(text)))
            }
            _ => Err(wrong()),
        };
    };
    let number = match scalar {
        Scalar::Int(_, number) | Scalar::Enum(_, number) => *number,
        Scalar::Char(unit) => i128::from(*unit),
        Scalar::Single(number) => *number as i128,
        Scalar::Double(number) => *number as i128,
        Scalar::Decimal(text) => {
            let whole = Decimal::parse(text).ok_or_else(wrong)?.truncated();
            // unlike other casts
            if range(to).is_some() && !fits(to, whole) {
                return Err(overflow());
            }
            whole
        }
        Scalar::Bool(_) if to == Primitive::Boolean => return Ok(of),
        Scalar::Bool(_) => return Err(wrong()),
    };
    Ok(Operand::Scalar(match to {
        Primitive::Object => return Ok(of),
        Primitive::R8 => Scalar::Double(double(scalar).unwrap_or(number as f64)),
        Primitive::R4 => Scalar::Single(double(scalar).unwrap_or(number as f64) as f32),
        Primitive::Char => Scalar::Char(wrapped(to, number) as u16),
        _ if range(to).is_some() => Scalar::Int(to, wrapped(to, number)),
        _ => return Err(wrong()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(primitive: Primitive, number: i128) -> Operand {
        int(primitive, number)
    }

    fn shown(left: Operand, sign: &str, right: Operand) -> String {
        match binary(&left, sign, &right) {
            Ok(Some(result)) => format!("{} {}", result.type_name(), result.show().text),
            Ok(None) => "none".into(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn arithmetic_promotes_and_wraps_as_in_csharp() {
        use Primitive::*;
        for (left, sign, right, expected) in [
            (number(I4, 7), "/", number(I4, 2), "int 3"),
            (number(I4, -7), "%", number(I4, 3), "int -1"),
            (number(I4, i32::MAX.into()), "+", number(I4, 1), "int -2147483648"),
            (number(U1, 200), "+", number(U1, 100), "int 300"),
            (number(I4, 1), "+", number(I8, 1), "long 2"),
            (number(U4, 1), "-", number(U4, 2), "uint 4294967295"),
            (number(I4, 1), "<<", number(I4, 33), "int 2"),
            (number(I4, 1), "<", number(I8, 2), "bool true"),
            (number(I4, 1), "/", number(I4, 0), "System.DivideByZeroException: Attempted to divide by zero."),
            (number(I4, 1), "+", Operand::Scalar(Scalar::Double(0.5)), "double 1.5"),
            (Operand::Scalar(Scalar::Decimal("1.10".into())), "*", number(I4, 2), "decimal 2.20"),
            (
                Operand::Scalar(Scalar::Decimal("1.10".into())),
                "==",
                Operand::Scalar(Scalar::Decimal("1.1".into())),
                "bool true",
            ),
            (Operand::Text(vec![97]), "+", number(I4, 1), "string \"a1\""),
            (Operand::Null(None), "==", Operand::Text(vec![]), "bool false"),
            (Operand::Scalar(Scalar::Bool(true)), "+", number(I4, 1), "none"),
        ] {
            assert_eq!(shown(left, sign, right), expected);
        }
    }

    #[test]
    fn casts_wrap() {
        let cast =
            |type_: &str, of: Operand| cast(type_, of).map(|it| format!("{} {}", it.type_name(), it.show().text));
        assert_eq!(cast("byte", number(Primitive::I4, 300)).unwrap(), "byte 44");
        assert_eq!(cast("int", Operand::Scalar(Scalar::Double(-1.9))).unwrap(), "int -1");
        assert_eq!(cast("char", number(Primitive::I4, 97)).unwrap(), "char 97 'a'");
        assert!(cast("bool", number(Primitive::I4, 1)).is_err());
    }
}
