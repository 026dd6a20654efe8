//! What an adapter computes as C# does, by the types of the names that are variables or fields.

use clr_csharp::syntax::{BinaryOp, Expr, ExprKind, LiteralValue, UnaryOp};

/// The short types of the names in scope.
type Types<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What decides how an operator computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Numbers of which adapters and C# have the same idea.
    Signed,
    /// A bool, a char or an unsigned number: compared alike, computed unlike.
    Plain,
    /// A string, or what may be one.
    Other,
}

/// Whether every operator gives what it gives in C#, and nothing is in the expression that adapters do not have: `null`, `is`, `?:`,
/// casts, lambdas, the length of a string, `HasFlag`.
pub(super) fn as_in_csharp(expr: &Expr, types: Types<'_>) -> bool {
    let kind = |expr: &Expr| kind(expr, types);
    let is_own = match &expr.kind {
        ExprKind::Literal(LiteralValue::Null | LiteralValue::Utf8(_)) => false,
        // strings are compared up to a NUL
        ExprKind::Literal(LiteralValue::String(text)) => !text.contains(&0),
        ExprKind::MemberAccess { name, is_pointer, .. } => {
            !is_pointer && !matches!(name.text.as_str(), "Length" | "HasFlag")
        }
        ExprKind::Literal(_)
        | ExprKind::Name { alias: None, .. }
        | ExprKind::Predefined(_)
        | ExprKind::This
        | ExprKind::Base
        | ExprKind::SizeOf(_)
        | ExprKind::ElementAccess { .. }
        | ExprKind::Invocation { .. } => true,
        ExprKind::Unary { operator: UnaryOp::Not, .. } => true,
        ExprKind::Unary { operator: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Complement, of } => {
            kind(of) == Kind::Signed
        }
        ExprKind::Binary { operator, left, right } => {
            let kinds = [kind(left), kind(right)];
            match operator {
                operator if compares(*operator) => kinds.iter().any(|kind| *kind != Kind::Other),
                // of enums adapters have no such operators
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => kinds.iter().all(|kind| *kind != Kind::Other),
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => kinds == [Kind::Signed, Kind::Signed],
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight => kinds.first() == Some(&Kind::Signed),
                BinaryOp::UnsignedShiftRight | BinaryOp::Coalesce => false,
                _ => true,
            }
        }
        _ => false,
    };
    is_own && expr.children().into_iter().all(|child| as_in_csharp(child, types))
}

/// Whether an expression makes no call: its names are fields and variables of types whose operators are the machine's. A property, and
/// an operator of `decimal` or of a `T?`, are methods.
pub(super) fn without_calls(expr: &Expr, types: Types<'_>) -> bool {
    match &expr.kind {
        ExprKind::Literal(LiteralValue::Decimal(_)) => false,
        ExprKind::Literal(_) | ExprKind::Name { .. } => kind(expr, types) != Kind::Other && !is_decimal(expr, types),
        ExprKind::Unary { .. } | ExprKind::Binary { .. } => {
            expr.children().into_iter().all(|child| without_calls(child, types))
        }
        _ => false,
    }
}

fn is_decimal(expr: &Expr, types: Types<'_>) -> bool {
    matches!(&expr.kind, ExprKind::Name { name, .. } if types(&name.text).as_deref() == Some("decimal"))
}

fn compares(operator: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | Greater | LessOrEqual | GreaterOrEqual)
}

fn kind(expr: &Expr, types: Types<'_>) -> Kind {
    use LiteralValue::{Bool, Char, Decimal, Double, Int, Long, Single, UInt, ULong};
    match &expr.kind {
        ExprKind::Literal(Int(_) | Long(_) | Single(_) | Double(_) | Decimal(_)) => Kind::Signed,
        ExprKind::Literal(Bool(_) | Char(_) | UInt(_) | ULong(_)) => Kind::Plain,
        ExprKind::Name { name, .. } => types(&name.text).map_or(Kind::Other, |short| of_type(&short)),
        ExprKind::SizeOf(_) => Kind::Signed,
        ExprKind::Unary { operator: UnaryOp::Not, .. } => Kind::Plain,
        ExprKind::Unary { of, .. } => kind(of, types),
        ExprKind::Binary { operator: BinaryOp::AndAlso | BinaryOp::OrElse, .. } => Kind::Plain,
        ExprKind::Binary { operator, .. } if compares(*operator) => Kind::Plain,
        ExprKind::Binary { left, right, .. } => match (kind(left, types), kind(right, types)) {
            (Kind::Signed, Kind::Signed) => Kind::Signed,
            (Kind::Other, _) | (_, Kind::Other) => Kind::Other,
            _ => Kind::Plain,
        },
        _ => Kind::Other,
    }
}

fn of_type(short: &str) -> Kind {
    match short {
        "int" | "long" | "short" | "sbyte" | "byte" | "ushort" | "double" | "float" | "decimal" => Kind::Signed,
        "uint" | "ulong" | "nint" | "nuint" | "char" | "bool" => Kind::Plain,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use clr_csharp::syntax::parse;

    use super::*;

    fn calls_nothing(condition: &str, types: Types<'_>) -> bool {
        without_calls(&parse(condition).unwrap(), types)
    }

    fn is_alike(condition: &str, types: Types<'_>) -> bool {
        as_in_csharp(&parse(condition).unwrap(), types)
    }

    #[test]
    fn a_condition_that_calls_is_known_by_the_types_of_its_names() {
        let types = |name: &str| {
            let short = match name {
                "i" => "int",
                "c" => "char",
                "flag" => "bool",
                "class" => "long",
                "price" => "decimal",
                "maybe" => "int?",
                "moment" => "DateTime",
                _ => return None,
            };
            Some(short.to_owned())
        };
        for without in ["i == 1_000", "flag", "!flag && i * 2 > 3", "c == 'x'", "@class == 1", "i > 2.5"] {
            assert!(calls_nothing(without, &types), "{without}");
        }
        for with in [
            "price == 1_000m",
            "i == 3 && price > 1",
            "i == 1m",
            "maybe == 3",
            "moment == 3",
            "Total == 3",
            "IsOpen",
            "i == Total",
        ] {
            assert!(!calls_nothing(with, &types), "{with}");
        }
    }

    #[test]
    fn what_adapters_compute_by_other_rules_is_ours() {
        let types = |name: &str| {
            let short = match name {
                "i" | "j" => "int",
                "u" => "uint",
                "ul" => "ulong",
                "d" => "double",
                "c" => "char",
                "flag" => "bool",
                "name" | "other" => "string",
                _ => return None,
            };
            Some(short.to_owned())
        };
        for theirs in [
            "i == 3",
            "i % 10 == 0 && j < 4",
            "i + 1 == j",
            "-i > 3",
            "flag",
            "!flag",
            "u > 8",
            "u == 7",
            "ul / 2 > 3",
            "d * 2.5 > 1",
            "c == 'x'",
            "order.Total > 10m",
            "order.Id == 42",
            "order.Id == i",
            "Matches(i)",
            "i << 2 > 8",
            "nullable.HasValue",
            "lengths[2] == 1",
        ] {
            assert!(is_alike(theirs, &types), "{theirs}");
        }
        for ours in [
            "u - 8 > 0",
            "ul + 1 == 0",
            "u * 2 > 3",
            "-u < 0",
            "~u == 4",
            "c - 'a' == 2",
            "u << 31 > 0",
            "name == \"x\"",
            "name != other",
            "i == 3 && order.Name == \"x\"",
            "order.Name == other.Name",
            "order.Count - 8 > 0",
            "(uint)i > 3",
            "!(name == \"x\")",
            "(order.Access & Access.Write) != 0",
            "order.Kind < Kind.B",
            "Matches(u - 8)",
            "new Order(3) == order",
            "lines.Any(line => line.Open)",
            "name == \"a\\0b\"",
            "order == null",
            "name.Length > 3 && i == 1",
            "o is Order",
            "access.HasFlag(Access.Read)",
            "x?.Total > 3",
            "flag ? true : false",
        ] {
            assert!(!is_alike(ours, &types), "{ours}");
        }
    }
}
