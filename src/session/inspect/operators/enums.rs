//! Enums: their members by name, and what operators do with their numbers (ECMA-334, 19.6 and 12.4).

use std::sync::Arc;

use super::integers::{IntType, common};
use super::value::{Fault, Known, Operand};

/// An enum's declaration.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumType {
    /// With namespace.
    pub name: String,
    pub underlying: IntType,
    /// In the order of their declaration.
    pub members: Vec<(String, i128)>,
    pub is_flags: bool,
}

impl EnumType {
    /// The number of what an adapter prints: `Read | Write`, `Blue`, `7`.
    pub fn number(&self, printed: &str) -> Option<i128> {
        let one = |name: &str| {
            let named = self.members.iter().find(|(member, _)| member == name).map(|(_, number)| *number);
            named.or_else(|| name.parse().ok().filter(|number| self.underlying.holds(*number)))
        };
        printed.split(" | ").try_fold(0, |all, name| Some(all | one(name)?))
    }

    /// As adapters print a number: the member's name, those that it is made of, or the number.
    pub fn printed(&self, number: i128) -> String {
        if let Some((name, _)) = self.members.iter().find(|(_, value)| *value == number) {
            return name.clone();
        }
        let parts = || {
            let mut left = number;
            let mut names = Vec::new();
            for (name, value) in self.members.iter().rev().filter(|(_, value)| *value != 0) {
                if left & value == *value {
                    left &= !value;
                    names.push(name.as_str());
                }
            }
            names.reverse();
            (left == 0 && self.is_flags).then(|| names.join(" | "))
        };
        parts().filter(|names| !names.is_empty()).unwrap_or_else(|| number.to_string())
    }
}

/// An enum with a value, or an integer, and whether that is a constant.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    Enum(&'a Arc<EnumType>, i128),
    Int(IntType, i128, bool),
}

impl<'a> Side<'a> {
    pub fn of(operand: &'a Operand) -> Option<Self> {
        match &operand.known {
            Known::Enum(type_, number) => Some(Self::Enum(type_, *number)),
            Known::Int(kind, number) => Some(Self::Int(*kind, *number, operand.is_constant)),
            _ => None,
        }
    }
}

/// `left op right`, one of which is an enum. `None`: C# has no such operator.
pub fn binary(operator: &str, left: Side<'_>, right: Side<'_>) -> Option<Result<Known, Fault>> {
    let compared = |a: i128, b: i128| {
        Some(Known::Bool(match operator {
            "==" => a == b,
            "!=" => a != b,
            "<" => a < b,
            ">" => a > b,
            "<=" => a <= b,
            ">=" => a >= b,
            _ => return None,
        }))
    };
    match (left, right) {
        (Side::Enum(a, x), Side::Enum(b, y)) if a == b => {
            let kind = a.underlying;
            let known = match operator {
                "&" => Known::Enum(a.clone(), x & y),
                "|" => Known::Enum(a.clone(), x | y),
                "^" => Known::Enum(a.clone(), x ^ y),
                "-" => Known::Int(kind, kind.wrap(x - y)),
                _ => compared(x, y)?,
            };
            Some(Ok(known))
        }
        // the literal 0 is a value of every enum (10.2.4)
        (Side::Enum(a, _), Side::Int(IntType::Int, 0, true)) if !matches!(operator, "+" | "-") => {
            binary(operator, left, Side::Enum(a, 0))
        }
        (Side::Int(IntType::Int, 0, true), Side::Enum(b, _)) if !matches!(operator, "+" | "-") => {
            binary(operator, Side::Enum(b, 0), right)
        }
        (Side::Enum(a, x), Side::Int(kind, y, constant)) => moved(operator, a, x, (kind, y, constant)),
        (Side::Int(kind, x, constant), Side::Enum(b, y)) if operator == "+" => moved("+", b, y, (kind, x, constant)),
        _ => None,
    }
}

/// An enum and a number that converts to its underlying type.
fn moved(
    operator: &str,
    type_: &Arc<EnumType>,
    value: i128,
    (kind, by, is_constant): (IntType, i128, bool),
) -> Option<Result<Known, Fault>> {
    let underlying = type_.underlying;
    let converts = kind.converts_to(underlying) || (is_constant && underlying.holds(by));
    let exact = match operator {
        "+" => value + by,
        "-" => value - by,
        _ => return None,
    };
    (converts && common((underlying, value, false), (kind, by, is_constant)).is_some())
        .then(|| Ok(Known::Enum(type_.clone(), underlying.wrap(exact))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color() -> Arc<EnumType> {
        let members = ["Red", "Green", "Blue"].iter().zip(0..).map(|(name, at)| ((*name).to_owned(), at)).collect();
        Arc::new(EnumType { name: "Shop.Color".into(), underlying: IntType::Int, members, is_flags: false })
    }

    fn access() -> EnumType {
        let members = [("None", 0), ("Read", 1), ("Write", 2), ("All", 7)];
        let members = members.map(|(name, number)| (name.to_owned(), number)).to_vec();
        EnumType { name: "Shop.Access".into(), underlying: IntType::Byte, members, is_flags: true }
    }

    #[test]
    fn numbers_and_names_are_told_from_each_other() {
        let (color, access) = (color(), access());
        for (type_, number, printed) in [
            (&*color, 2, "Blue"),
            (&*color, 7, "7"),
            (&access, 3, "Read | Write"),
            (&access, 0, "None"),
            (&access, 8, "8"),
        ] {
            assert_eq!(type_.printed(number), printed);
            assert_eq!(type_.number(printed), Some(number), "{printed}");
        }
        assert_eq!(access.printed(7), "All");
        assert_eq!((color.number("Pink"), access.number("300")), (None, None));
    }

    #[test]
    fn enums_compare_and_combine_as_the_compiler_says() {
        let color = color();
        let of = |number| Side::Enum(&color, number);
        let int = |number, is_constant| Side::Int(IntType::Int, number, is_constant);
        let same = |number| Some(Ok(Known::Enum(color.clone(), number)));
        assert_eq!(binary("==", of(1), of(1)), Some(Ok(Known::Bool(true))));
        assert_eq!(binary("<", of(1), of(2)), Some(Ok(Known::Bool(true))));
        assert_eq!(binary("|", of(1), of(2)), same(3));
        assert_eq!(binary("-", of(2), of(1)), Some(Ok(Known::Int(IntType::Int, 1))));
        assert_eq!(binary("+", of(1), int(1, true)), same(2));
        assert_eq!(binary("+", int(1, false), of(1)), same(2));
        assert_eq!(binary("==", of(0), int(0, true)), Some(Ok(Known::Bool(true))));
        assert_eq!(binary("==", of(1), int(1, true)), None);
        assert_eq!(binary("==", of(0), int(0, false)), None);
        assert_eq!(binary("*", of(1), of(2)), None);
        let other = Arc::new(access());
        assert_eq!(binary("==", of(1), Side::Enum(&other, 1)), None);
    }
}
