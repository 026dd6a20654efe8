//! Lambdas and anonymous methods.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Lambda, Parameter, Pass};

impl Parser<'_> {
    /// `None`: no lambda begins here.
    pub(super) fn lambda(&mut self) -> Result<Option<Lambda>, SyntaxError> {
        let mut by = self.attributes();
        let mut is_async = false;
        while let Some(word @ ("async" | "static")) = self.word_ahead(by) {
            // a variable may be called `async`
            if self.is_sign(by + 1, "=>") {
                break;
            }
            is_async |= word == "async";
            by += 1;
        }
        if self.word_ahead(by) == Some("delegate") {
            self.at += by + 1;
            let parameters = if self.takes("(") { self.parameters()? } else { Vec::new() };
            let body = Box::new(self.block()?);
            return Ok(Some(Lambda { parameters, body, is_async }));
        }
        let parameters = if self.name_ahead(by).is_some() && self.is_sign(by + 1, "=>") && !self.in_guard {
            self.at += by;
            let name = self.identifier()?;
            vec![Parameter { name, type_: None, pass: Pass::Value }]
        } else if self.is_sign(by, "(") && self.begins_lambda(by) || self.skips_return_type(by) {
            self.at += by + 1;
            self.parameters()?
        } else {
            return Ok(None);
        };
        self.needs("=>")?;
        let body = if self.is_sign(0, "{") { self.block()? } else { self.expression()? };
        Ok(Some(Lambda { parameters, body: Box::new(body), is_async }))
    }

    /// How many tokens the attributes before a lambda have.
    fn attributes(&self) -> usize {
        let mut by = 0;
        while self.is_sign(by, "[") {
            match self.closing(by).map(|end| end + 1) {
                Some(end) if matches!(self.word_ahead(end), Some("static" | "async")) || self.is_sign(end, "[") => {
                    by = end
                }
                Some(end) if self.is_sign(end, "(") && self.begins_lambda(end) => return end,
                _ => return 0,
            }
        }
        by
    }

    /// `int (x) => x`: goes to before the brackets, less `by`.
    fn skips_return_type(&mut self, by: usize) -> bool {
        let begins = matches!(self.ahead(by), TokenKind::Word { .. });
        let skipped = self.attempt(|parser| {
            parser.at += by;
            let is_typed = begins && parser.type_().is_ok() && parser.is_sign(0, "(") && parser.begins_lambda(0);
            is_typed.then(|| parser.at -= by)
        });
        skipped.is_some()
    }

    /// Whether `=>` follows the brackets there.
    fn begins_lambda(&self, by: usize) -> bool {
        !self.in_guard && self.closing(by).is_some_and(|end| self.is_sign(end + 1, "=>"))
    }

    /// The bracket that closes the one there, counted in tokens from here.
    pub(super) fn closing(&self, by: usize) -> Option<usize> {
        let mut open = 0usize;
        for at in by.. {
            match self.ahead(at) {
                TokenKind::Sign("(" | "[" | "{") => open += 1,
                TokenKind::Sign(")" | "]" | "}") => {
                    open = open.checked_sub(1)?;
                    if open == 0 {
                        return Some(at);
                    }
                }
                TokenKind::End => return None,
                _ => {}
            }
        }
        None
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, SyntaxError> {
        let mut parameters = Vec::new();
        while !self.takes(")") {
            if !parameters.is_empty() {
                self.needs(",")?;
            }
            let mut pass = Pass::Value;
            while let Some(word @ ("ref" | "out" | "in" | "scoped" | "params" | "readonly")) = self.word_ahead(0) {
                // a parameter may be called `scoped`
                if self.is_sign(1, ",") || self.is_sign(1, ")") {
                    break;
                }
                match word {
                    "ref" => pass = Pass::Ref,
                    "out" => pass = Pass::Out,
                    "in" => pass = Pass::In,
                    _ => {}
                }
                self.skip();
            }
            let is_alone = self.is_sign(1, ",") || self.is_sign(1, ")") || self.is_sign(1, "=");
            let type_ = if is_alone { None } else { Some(self.type_()?) };
            let name = self.identifier()?;
            if self.takes("=") {
                self.expression()?;
            }
            parameters.push(Parameter { name, type_, pass });
        }
        Ok(parameters)
    }
}
