//! What stands in the brackets of calls, indexers and tuples.

use super::Parser;
use super::types::predefined;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Argument, Expr, ExprKind, Pass};

impl Parser<'_> {
    /// Up to the closing bracket, which is read; the opening one is.
    pub(super) fn arguments(&mut self, close: &str) -> Result<Vec<Argument>, SyntaxError> {
        self.bracketed(|parser| {
            let mut arguments = Vec::new();
            while !parser.takes(close) {
                if !arguments.is_empty() {
                    parser.needs(",").map_err(|error| parser.close_error(close, error))?;
                }
                arguments.push(parser.argument()?);
            }
            Ok(arguments)
        })
    }

    /// At the end of the text what is missing is the bracket.
    fn close_error(&self, close: &str, error: SyntaxError) -> SyntaxError {
        match (self.kind(), close) {
            (TokenKind::End, ")") => self.error("CS1026", ") expected"),
            (TokenKind::End, _) => self.error("CS1003", format!("Syntax error, '{close}' expected")),
            _ => error,
        }
    }

    pub(super) fn argument(&mut self) -> Result<Argument, SyntaxError> {
        let name = match self.name_ahead(0) {
            Some(name) if self.is_sign(1, ":") => {
                self.at += 2;
                Some(name.to_owned())
            }
            _ => None,
        };
        let pass = match self.word_ahead(0) {
            Some("ref") => Pass::Ref,
            Some("out") => Pass::Out,
            Some("in") => Pass::In,
            _ => Pass::Value,
        };
        if pass != Pass::Value {
            self.skip();
        }
        let value = match self.declaration(pass == Pass::Out) {
            Some(declaration) => declaration,
            None => self.expression()?,
        };
        Ok(Argument { name, pass, value })
    }

    /// `var x`, `int x`, where nothing but a comma or a bracket follows. Without `out` another type may be a comparison:
    /// `(a < b, c > d)`.
    fn declaration(&mut self, is_out: bool) -> Option<Expr> {
        let start = self.start();
        let begins = is_out || self.word_ahead(0).is_some_and(|word| word == "var" || predefined(word).is_some());
        if !begins {
            return None;
        }
        self.attempt(|parser| {
            let type_ = parser.type_().ok()?;
            let name = parser.identifier().ok()?;
            let ends = parser.is_sign(0, ",") || parser.is_sign(0, ")");
            ends.then(|| Expr {
                kind: ExprKind::Declaration { type_: Box::new(type_), name },
                span: parser.since(start),
            })
        })
    }
}
