//! Operators of an expression as far as whoever judges a condition needs them: constants, operands and signs, nothing computed.

pub mod enums;
pub mod integers;
pub mod parse;
pub mod value;

pub use parse::{Expr, constant, parse};
pub use value::{Known, Operand};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_operator_or_is_not_known_is_left_alone() {
        for text in [
            "i",
            "7",
            "order.Total",
            "F(a + b)",
            "list[i - 1]",
            "(a ?? b).Name",
            "p.Gen<int>(3)",
            "x?.Name",
            "\"a\".Length",
            "new Pt() + 1",
            "x is Pt p",
            "x is { X: 3 }",
            "x => x + 1",
            "i = 6",
            "i += 1",
            "i++",
            "$\"{i}\"",
            "typeof(int) == t",
            "i is > 3",
            "a +",
            "",
            "(",
            "Outer<int>.Count",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        let operands = |text: &str| match parse(text) {
            Some(Expr::Binary(left, _, right)) => (*left, *right),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(operands("a.F(\")\", b < c)[0] <= p.Gen<int>(3)").0, Expr::Operand("a.F(\")\", b < c)[0]".into()));
        assert_eq!(operands("x?.Name == o").0, Expr::Operand("x?.Name".into()));
        assert_eq!(operands("a < b").1, Expr::Operand("b".into()));
    }
}
