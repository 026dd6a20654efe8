//! What the text of an expression reveals before it is evaluated. Knows no value and no adapter.

pub use clr_csharp::specifiers::outside_strings;
use clr_csharp::syntax::{BinaryOp, Expr, ExprKind, LiteralValue};

/// Names, members and indexers only.
pub fn is_path(expression: &str) -> bool {
    segments(expression).is_some()
}

/// Whether a name by itself is called.
pub fn is_called(expression: &str, name: &str) -> bool {
    !name.contains('.') && expression.contains(&format!("{name}("))
}

/// As a member may be read of it: `(a ? b : c)`, of which `.Name` would belong to `c` else.
pub fn as_receiver(expression: &str, parsed: &Expr) -> String {
    use ExprKind::{ElementAccess, Invocation, MemberAccess, Name};
    match parsed.kind {
        Name { .. } | MemberAccess { .. } | ElementAccess { .. } | Invocation { .. } => expression.to_owned(),
        _ => format!("({expression})"),
    }
}

/// A piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    Name(String),
    /// What stands between the brackets.
    Index(String),
}

/// `order.items[3].Name` -> its pieces; `None` when it is no path.
pub fn segments(path: &str) -> Option<Vec<Segment>> {
    let mut list = Vec::new();
    let mut rest = path.trim();
    loop {
        if let Some(inside) = rest.strip_prefix('[') {
            let code = outside_strings(inside);
            let end = code.find(']')?;
            let index = inside.get(..end)?.trim();
            let code = code.get(..end)?.trim();
            if index.is_empty() || code.contains('[') || (code.contains('(') && !is_tuple(code)) {
                return None;
            }
            list.push(Segment::Index(index.to_owned()));
            rest = inside.get(end + 1..)?;
        } else {
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '@' | '$')).collect();
            if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            rest = rest.get(name.len()..)?;
            list.push(Segment::Name(name));
        }
        rest = match rest.chars().next() {
            None => return Some(list),
            Some('.') => rest.get(1..).filter(|behind| !behind.starts_with('['))?,
            Some('[') => rest,
            Some(_) => return None,
        };
        if rest.is_empty() {
            return None;
        }
    }
}

/// Parent path and a member's name as one path.
pub fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() {
        name.to_owned()
    } else if name.starts_with('[') {
        format!("{parent}{name}")
    } else {
        format!("{parent}.{name}")
    }
}

/// A member of what stands at `parent`. An explicit implementation carries its interface in its name, and only a cast to that finds it.
pub fn member(parent: &str, name: &str) -> String {
    match explicit(name) {
        Some((interface, name)) => format!("(({interface}){parent}).{name}"),
        None => join(parent, name),
    }
}

/// Interface and name of an explicit implementation: `Shop.IPriced.Price`, `IEnumerator<Shop.Line>.Current`.
pub fn explicit(name: &str) -> Option<(&str, &str)> {
    let (interface, name) = name.rsplit_once('.')?;
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!interface.starts_with('[') && !name.is_empty() && is_name(name)).then_some((interface, name))
}

/// `(1, (2, 3))`: parentheses, and no call.
fn is_tuple(code: &str) -> bool {
    let mut before = ' ';
    let calls = code.chars().any(|c| {
        let is_call = c == '(' && (before.is_alphanumeric() || matches!(before, '_' | ')' | '>'));
        if !c.is_whitespace() {
            before = c;
        }
        is_call
    });
    !calls && code.starts_with('(') && code.ends_with(')') && code.contains(',')
}

/// Bytes of an expression; a condition may be as long.
pub const MOST_BYTES: usize = 4_096;

/// `/ 0`, `% 0L`, `/ (0)`, not `/ 0.5`.
pub fn divides_by_literal_zero(expr: &Expr) -> bool {
    let is_zero = |value: &Expr| {
        matches!(
            value.kind,
            ExprKind::Literal(
                LiteralValue::Int(0) | LiteralValue::UInt(0) | LiteralValue::Long(0) | LiteralValue::ULong(0)
            )
        )
    };
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOp::Divide | BinaryOp::Remainder, right, .. } if is_zero(right) => true,
        _ => expr.children().into_iter().any(divides_by_literal_zero),
    }
}

/// Whether it divides by anything but a number that is written out, and so may by zero, or the least number by -1.
pub fn may_divide_by_zero(expr: &Expr) -> bool {
    let is_safe = |value: &Expr| {
        matches!(
            value.kind,
            ExprKind::Literal(
                LiteralValue::Int(1..)
                    | LiteralValue::UInt(1..)
                    | LiteralValue::Long(1..)
                    | LiteralValue::ULong(1..)
                    | LiteralValue::Single(_)
                    | LiteralValue::Double(_)
            )
        )
    };
    match &expr.kind {
        ExprKind::Binary { operator: BinaryOp::Divide | BinaryOp::Remainder, right, .. } if !is_safe(right) => true,
        _ => expr.children().into_iter().any(may_divide_by_zero),
    }
}

#[cfg(test)]
mod tests {
    use clr_csharp::syntax::parse;

    use super::*;

    #[test]
    fn what_may_divide_by_zero_is_known_by_what_it_divides_by() {
        let may = |text: &str| may_divide_by_zero(&clr_csharp::syntax::parse(text).unwrap());
        for text in ["1 / i == 0", "a > 1 && n % (m - 1) == 0", "n / -1 == 2", "n / 0 == 1", "f(1 / i)"] {
            assert!(may(text), "{text}");
        }
        for text in ["i % 10 == 0", "i * 2 == 4", "n / 2L > 1", "x / 2.0 > 1", "text == \"a / b\""] {
            assert!(!may(text), "{text}");
        }
    }

    #[test]
    fn paths_are_distinguished_from_expressions() {
        let name = |text: &str| Segment::Name(text.into());
        let index = |text: &str| Segment::Index(text.into());
        for (path, expected) in [
            ("order", Some(vec![name("order")])),
            ("order.items[3].price", Some(vec![name("order"), name("items"), index("3"), name("price")])),
            ("ages[\"a]b\"].x", Some(vec![name("ages"), index("\"a]b\""), name("x")])),
            ("grid[1, 2]", Some(vec![name("grid"), index("1, 2")])),
            ("[0]", Some(vec![index("0")])),
            ("text.[0]", None),
            ("a[(1, (2, 3))].b", Some(vec![name("a"), index("(1, (2, 3))"), name("b")])),
            ("a[f(1, 2)]", None),
            ("a[(f(1), 2)]", None),
            ("a.b()", None),
            ("a + b", None),
            ("a.", None),
            ("a[", None),
            ("a[]", None),
            ("7", None),
            ("", None),
        ] {
            assert_eq!(segments(path), expected, "{path}");
        }
    }

    #[test]
    fn members_are_read_of_a_whole_expression() {
        let receiver = |text: &str| as_receiver(text, &parse(text).unwrap());
        for text in ["order", "order.Lines[0]", "((Order)o).Lines", "lines.ToList()"] {
            assert_eq!(receiver(text), text);
        }
        for (text, expected) in [("(Order)o", "((Order)o)"), ("a ?? b", "(a ?? b)"), ("a ? b : c", "(a ? b : c)")] {
            assert_eq!(receiver(text), expected);
        }
    }

    #[test]
    fn a_literal_zero_divisor_is_seen() {
        for bad in ["i / 0", "i/0", "i % 0", "i / 0L", "i / (0)", "1 + i / 0x0", "i / 00"] {
            assert!(divides_by_literal_zero(&parse(bad).unwrap()), "{bad}");
        }
        for good in ["i / 0.5", "i / 10", "\"a / 0\"", "i / x", "i / 0x10", "a", "x / 05"] {
            assert!(!divides_by_literal_zero(&parse(good).unwrap()), "{good}");
        }
    }
}
