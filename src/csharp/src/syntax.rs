//! The syntax of C# expressions: text to tree, with the errors that the compiler gives.
//!
//! All of what C# 14 calls an expression is read, also what no debugger evaluates (`await`): whoever evaluates says what it does not
//! do. Statements are read as the bodies of lambdas, a few of them by their first word only. `$name` and `@1f3` are names too: debuggers have them.

mod error;
mod keywords;
mod lexer;
mod literals;
mod parser;
mod strings;
mod tree;

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests;

pub use error::SyntaxError;
pub use keywords::{is_keyword, is_operand_keyword};
pub use tree::{
    Argument, Arm, BinaryOp, Clause, Element, Expr, ExprKind, Field, Initializer, Join, Lambda, LiteralValue, Name,
    Parameter, Pass, Pattern, PatternKind, Piece, Property, Span, Statement, StatementKind, TypeKind, TypeName,
    UnaryOp,
};

/// One expression, and nothing behind it.
///
/// # Errors
/// What the compiler would say of it, and where; or that it nests too deeply (no stack is outgrown by any text).
///
/// ```
/// use clr_csharp::syntax::{ExprKind, parse};
/// let sum = parse("order.Total + 1")?;
/// assert!(matches!(sum.kind, ExprKind::Binary { .. }));
/// assert_eq!(parse("1 +").unwrap_err().to_string(), "error CS1733: Expected expression");
/// # Ok::<(), clr_csharp::syntax::SyntaxError>(())
/// ```
pub fn parse(text: &str) -> Result<Expr, SyntaxError> {
    parser::parse(text)
}
