//! What stands behind an operand: members, calls, indexers (ECMA-334, 12.8).

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Expr, ExprKind, UnaryOp};

impl Parser<'_> {
    /// `of` with all that stands behind it.
    pub(super) fn behind(&mut self, mut of: Expr) -> Result<Expr, SyntaxError> {
        let (start, depth) = (of.span.start, self.depth);
        loop {
            // each makes the tree higher by one
            self.deeper()?;
            let TokenKind::Sign(sign) = self.kind() else { break };
            let kind = match *sign {
                "." | "->" => {
                    self.skip();
                    ExprKind::MemberAccess { of: Box::new(of), name: self.simple_name()?, is_pointer: *sign == "->" }
                }
                "(" => {
                    self.skip();
                    ExprKind::Invocation { of: Box::new(of), arguments: self.arguments(")")? }
                }
                "[" => {
                    self.skip();
                    ExprKind::ElementAccess { of: Box::new(of), arguments: self.indices()? }
                }
                "?" if self.is_conditional_access() => {
                    self.skip();
                    let receiver = Expr { kind: ExprKind::Receiver, span: self.start()..self.start() };
                    ExprKind::ConditionalAccess {
                        of: Box::new(of),
                        then: Box::new(self.nested(|parser| parser.behind(receiver))?),
                    }
                }
                "++" => self.postfix(of, UnaryOp::PostIncrement),
                "--" => self.postfix(of, UnaryOp::PostDecrement),
                "!" => self.postfix(of, UnaryOp::NullForgiving),
                _ => break,
            };
            of = Expr { kind, span: self.since(start) };
        }
        self.depth = depth;
        Ok(of)
    }

    /// At least one, without `]`.
    pub(super) fn indices(&mut self) -> Result<Vec<crate::syntax::Argument>, SyntaxError> {
        if self.is_sign(0, "]") {
            return Err(self.error("CS0443", "Syntax error; value expected"));
        }
        self.arguments("]")
    }

    fn postfix(&mut self, of: Expr, operator: UnaryOp) -> ExprKind {
        self.skip();
        ExprKind::Unary { operator, of: Box::new(of) }
    }

    /// `?.` or `?[`; a `?` before a list in brackets that a blank keeps apart begins the rest of a conditional expression.
    fn is_conditional_access(&self) -> bool {
        match self.ahead(1) {
            TokenKind::Sign(".") => true,
            TokenKind::Sign("[") => self.is_adjacent(1, "["),
            _ => false,
        }
    }
}
