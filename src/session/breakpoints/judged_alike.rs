//! Whether an adapter computes a condition as C# does. Both use the rules of `dynamic`, so that `u - 8 > 0` is false with `uint u = 7`,
//! and compare strings up to their first NUL (2026-11-22). What may differ is evaluated here, by [`operators`](crate::session::inspect::operators).

use crate::session::inspect::operators::{Expr, Known, parse};

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

/// `type_of` knows the short types of variables.
pub fn is_judged_alike(condition: &str, type_of: &dyn Fn(&str) -> Option<String>) -> bool {
    parse(condition).is_none_or(|expr| is_alike(&expr, type_of))
}

/// Whether a condition makes no call: its names are fields and variables of types whose operators are the machine's. A property, and
/// an operator of `decimal` or of a `T?`, are methods.
pub fn calls_nothing(condition: &str, type_of: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_machine = |name: &str| type_of(name).is_some_and(|short| is_machine_type(&short));
    parse(condition).map_or_else(
        || matches!(condition.trim(), "true" | "false") || is_machine(condition.trim()),
        |expr| is_built_in(&expr, &is_machine),
    )
}

fn is_built_in(expr: &Expr, is_machine: &dyn Fn(&str) -> bool) -> bool {
    let all = |parts: &[&Expr]| parts.iter().all(|part| is_built_in(part, is_machine));
    match expr {
        Expr::Constant(constant) => is_machine_type(&constant.type_name()),
        Expr::Operand(name) => is_machine(name.strip_prefix('@').unwrap_or(name)),
        Expr::Unary(_, inner) | Expr::Cast(_, inner) => all(&[inner]),
        Expr::Binary(left, _, right) => all(&[left, right]),
        Expr::Conditional(test, then, otherwise) => all(&[test, then, otherwise]),
        Expr::Is { inner, .. } | Expr::As(inner, _) => all(&[inner]),
    }
}

fn is_machine_type(short: &str) -> bool {
    short != "decimal" && matches!(of_type(short), Kind::Signed | Kind::Plain)
}

fn is_alike(expr: &Expr, type_of: &dyn Fn(&str) -> Option<String>) -> bool {
    let kind = |expr: &Expr| kind(expr, type_of);
    match expr {
        Expr::Constant(_) | Expr::Operand(_) => true,
        Expr::Unary("!", inner) => is_alike(inner, type_of),
        Expr::Unary(_, inner) => kind(inner) == Kind::Signed && is_alike(inner, type_of),
        Expr::Cast(..) | Expr::Conditional(..) | Expr::Is { .. } | Expr::As(..) => false,
        Expr::Binary(left, sign, right) => {
            let kinds = [kind(left), kind(right)];
            let own = match *sign {
                "==" | "!=" | "<" | ">" | "<=" | ">=" => kinds.iter().any(|kind| *kind != Kind::Other),
                // of enums adapters have no such operators
                "&" | "|" | "^" => kinds.iter().all(|kind| *kind != Kind::Other),
                "+" | "-" | "*" => kinds == [Kind::Signed, Kind::Signed],
                "<<" | ">>" => kinds.first() == Some(&Kind::Signed),
                ">>>" | "??" => false,
                _ => true,
            };
            own && is_alike(left, type_of) && is_alike(right, type_of)
        }
    }
}

fn kind(expr: &Expr, type_of: &dyn Fn(&str) -> Option<String>) -> Kind {
    match expr {
        Expr::Constant(constant) => match &constant.known {
            Known::Text(_) | Known::Null => Kind::Other,
            Known::Bool(_) => Kind::Plain,
            Known::Int(..) | Known::Decimal(_) | Known::Floating(_) => of_type(&constant.type_name()),
        },
        Expr::Operand(text) if text.starts_with(|c: char| c.is_ascii_digit()) => Kind::Signed,
        Expr::Operand(text) => type_of(text).map_or(Kind::Other, |type_| of_type(&type_)),
        Expr::Unary("!", _) | Expr::Cast(..) | Expr::Is { .. } => Kind::Plain,
        Expr::As(..) => Kind::Other,
        Expr::Unary(_, inner) => kind(inner, type_of),
        Expr::Binary(_, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||", _) => Kind::Plain,
        Expr::Binary(left, _, right) => match (kind(left, type_of), kind(right, type_of)) {
            (Kind::Signed, Kind::Signed) => Kind::Signed,
            (Kind::Other, _) | (_, Kind::Other) => Kind::Other,
            _ => Kind::Plain,
        },
        Expr::Conditional(_, then, _) => kind(then, type_of),
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
    use super::*;

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
        ] {
            assert!(is_judged_alike(theirs, &types), "{theirs}");
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
        ] {
            assert!(!is_judged_alike(ours, &types), "{ours}");
        }
    }
}
