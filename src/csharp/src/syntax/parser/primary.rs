//! What an operand begins with (ECMA-334, 12.8).

use super::types::{PREDEFINED, predefined};
use super::{Parser, lexer};
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::{Part, TokenKind};
use crate::syntax::tree::{Argument, Expr, ExprKind, LiteralValue, Pass, Piece};

/// Keywords that an operand begins with, besides those of types.
const BEGIN_OPERANDS: [&str; 13] = [
    "this",
    "base",
    "true",
    "false",
    "null",
    "typeof",
    "sizeof",
    "default",
    "checked",
    "unchecked",
    "new",
    "stackalloc",
    "delegate",
];

pub(super) fn begins_operand(keyword: &str) -> bool {
    PREDEFINED.contains(&keyword) || BEGIN_OPERANDS.contains(&keyword)
}

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.start();
        let kind = match self.kind() {
            TokenKind::Literal(value) => {
                self.skip();
                ExprKind::Literal(value.clone())
            }
            TokenKind::Interpolated(parts) => {
                self.skip();
                ExprKind::Interpolated(self.pieces(parts)?)
            }
            TokenKind::Sign("(") => return self.parenthesised_or_tuple(),
            TokenKind::Sign("[") => {
                self.skip();
                ExprKind::Collection(self.spread_elements()?)
            }
            TokenKind::Word { .. } => match self.keyword()? {
                Some(kind) => kind,
                None => self.name()?,
            },
            _ => return Err(self.unexpected()),
        };
        let operand = Expr { kind, span: self.since(start) };
        self.behind(operand)
    }

    /// `None`, and nothing read: the word is none of an operand.
    fn keyword(&mut self) -> Result<Option<ExprKind>, SyntaxError> {
        let Some(word) = self.word_ahead(0) else { return Ok(None) };
        let literal = match word {
            "null" => Some(LiteralValue::Null),
            "true" => Some(LiteralValue::Bool(true)),
            "false" => Some(LiteralValue::Bool(false)),
            _ => None,
        };
        let simple = literal.map(ExprKind::Literal).or_else(|| match word {
            "this" => Some(ExprKind::This),
            "base" => Some(ExprKind::Base),
            _ => predefined(word).map(ExprKind::Predefined),
        });
        if let Some(simple) = simple {
            self.skip();
            return Ok(Some(simple));
        }
        let opens = self.is_sign(1, "(");
        Ok(Some(match word {
            "new" => {
                self.skip();
                self.creation()?
            }
            "stackalloc" => {
                self.at = self.tokens.len() - 1;
                ExprKind::StackAlloc
            }
            "default" if !opens => {
                self.skip();
                ExprKind::Default(None)
            }
            "typeof" | "sizeof" | "default" => {
                self.skip();
                self.needs("(")?;
                let type_ = Box::new(self.type_()?);
                self.needs(")")?;
                match word {
                    "typeof" => ExprKind::TypeOf(type_),
                    "sizeof" => ExprKind::SizeOf(type_),
                    _ => ExprKind::Default(Some(type_)),
                }
            }
            "checked" | "unchecked" => {
                self.skip();
                self.needs("(")?;
                let of = Box::new(self.bracketed(Self::expression)?);
                self.needs(")")?;
                ExprKind::Checked { of, is_checked: word == "checked" }
            }
            "nameof" if opens => self.name_of()?,
            _ => return Ok(None),
        }))
    }

    /// `nameof(x)`; a method with other arguments may be called `nameof` too.
    fn name_of(&mut self) -> Result<ExprKind, SyntaxError> {
        let start = self.start();
        let name = ExprKind::Name { alias: None, name: self.simple_name()? };
        let of = Box::new(Expr { kind: name, span: self.since(start) });
        self.needs("(")?;
        let mut arguments = self.arguments(")")?;
        Ok(match (arguments.pop(), arguments.is_empty()) {
            (Some(Argument { name: None, pass: Pass::Value, value }), true) => ExprKind::NameOf(Box::new(value)),
            (last, _) => {
                arguments.extend(last);
                ExprKind::Invocation { of, arguments }
            }
        })
    }

    fn name(&mut self) -> Result<ExprKind, SyntaxError> {
        if self.name_ahead(0).is_none() {
            return Err(self.unexpected());
        }
        let alias = self.alias();
        Ok(ExprKind::Name { alias, name: self.simple_name()? })
    }

    fn parenthesised_or_tuple(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.start();
        self.skip();
        let mut elements = vec![self.bracketed(Self::argument)?];
        while self.takes(",") {
            elements.push(self.bracketed(Self::argument)?);
        }
        self.needs(")")?;
        let span = self.since(start);
        let kind = match (elements.pop(), elements.is_empty()) {
            (Some(Argument { name: None, pass: Pass::Value, value }), true) => value.kind,
            (last, _) => {
                elements.extend(last);
                ExprKind::Tuple(elements)
            }
        };
        self.behind(Expr { kind, span })
    }

    fn spread_elements(&mut self) -> Result<Vec<(Expr, bool)>, SyntaxError> {
        self.bracketed(|parser| {
            let mut elements = Vec::new();
            while !parser.takes("]") {
                if !elements.is_empty() {
                    parser.needs(",")?;
                    if parser.takes("]") {
                        break;
                    }
                }
                let is_spread = parser.takes("..");
                elements.push((parser.expression()?, is_spread));
            }
            Ok(elements)
        })
    }

    fn pieces(&mut self, parts: &[Part]) -> Result<Vec<Piece>, SyntaxError> {
        let mut pieces = Vec::new();
        for part in parts {
            pieces.push(match part {
                Part::Text(text) if text.is_empty() => continue,
                Part::Text(text) => Piece::Text(text.clone()),
                Part::Hole { tokens, format } => self.hole(tokens, format.clone())?,
            });
        }
        Ok(pieces)
    }

    fn hole(&mut self, tokens: &[lexer::Token], format: Option<String>) -> Result<Piece, SyntaxError> {
        let mut inner =
            Parser { text: self.text, tokens, at: 0, depth: self.depth, in_query: self.in_query, in_guard: false };
        let value = inner.expression()?;
        let alignment = if inner.takes(",") { Some(Box::new(inner.expression()?)) } else { None };
        match inner.kind() {
            TokenKind::End => Ok(Piece::Hole { value: Box::new(value), alignment, format }),
            _ => Err(inner.unexpected()),
        }
    }
}
