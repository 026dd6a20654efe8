//! Patterns (ECMA-334, 11), and the `switch` expression.

use super::types::is_surely_type;
use super::{Parser, SHIFT};
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Arm, BinaryOp, Pattern, PatternKind, Property, TypeKind, TypeName};

impl Parser<'_> {
    /// `or` binds weakest, then `and`, then `not`.
    pub(super) fn pattern(&mut self) -> Result<Pattern, SyntaxError> {
        self.joined("or", PatternKind::Or, |parser| parser.joined("and", PatternKind::And, Self::negated))
    }

    fn joined(
        &mut self,
        word: &str,
        kind: fn(Box<Pattern>, Box<Pattern>) -> PatternKind,
        part: impl Fn(&mut Self) -> Result<Pattern, SyntaxError>,
    ) -> Result<Pattern, SyntaxError> {
        let (start, depth) = (self.start(), self.depth);
        let mut left = part(self)?;
        while self.takes_word(word) {
            self.deeper()?;
            let right = part(self)?;
            left = Pattern { kind: kind(Box::new(left), Box::new(right)), span: self.since(start) };
        }
        self.depth = depth;
        Ok(left)
    }

    fn negated(&mut self) -> Result<Pattern, SyntaxError> {
        let start = self.start();
        self.nested(|parser| {
            if !parser.takes_word("not") {
                return parser.simple_pattern();
            }
            let inner = Box::new(parser.negated()?);
            Ok(Pattern { kind: PatternKind::Not(inner), span: parser.since(start) })
        })
    }

    fn simple_pattern(&mut self) -> Result<Pattern, SyntaxError> {
        let start = self.start();
        let kind = match self.kind() {
            TokenKind::Sign("<") => self.relational(BinaryOp::Less)?,
            TokenKind::Sign("<=") => self.relational(BinaryOp::LessOrEqual)?,
            TokenKind::Sign(">") => self.relational(BinaryOp::Greater)?,
            TokenKind::Sign(">=") => self.relational(BinaryOp::GreaterOrEqual)?,
            TokenKind::Sign("[") => {
                self.skip();
                let elements = self.bracketed(Self::elements)?;
                PatternKind::List { elements, name: self.designation() }
            }
            TokenKind::Sign("..") => {
                self.skip();
                let ends = self.is_sign(0, ",") || self.is_sign(0, "]");
                PatternKind::Slice(if ends { None } else { Some(Box::new(self.pattern()?)) })
            }
            TokenKind::Sign("{") => self.recursive(None)?,
            TokenKind::Sign("(") if self.is_cast_constant() || self.is_constant_in_parentheses() => {
                PatternKind::Constant(Box::new(self.binary(SHIFT)?))
            }
            TokenKind::Sign("(") => self.parenthesised()?,
            TokenKind::Word { text, is_verbatim: false } if text == "_" && !self.is_sign(1, ".") => {
                self.skip();
                PatternKind::Discard
            }
            TokenKind::Word { text, is_verbatim: false }
                if text == "var" && (self.name_ahead(1).is_some() || self.is_sign(1, "(")) =>
            {
                self.skip();
                self.variables()?
            }
            _ => match self.typed()? {
                Some(kind) => kind,
                None => PatternKind::Constant(Box::new(self.binary(SHIFT)?)),
            },
        };
        Ok(Pattern { kind, span: self.since(start) })
    }

    fn relational(&mut self, operator: BinaryOp) -> Result<PatternKind, SyntaxError> {
        self.skip();
        Ok(PatternKind::Relational { operator, value: Box::new(self.binary(SHIFT)?) })
    }

    fn elements(&mut self) -> Result<Vec<Pattern>, SyntaxError> {
        let mut elements = Vec::new();
        while !self.takes("]") {
            if !elements.is_empty() {
                self.needs(",")?;
                if self.takes("]") {
                    break;
                }
            }
            elements.push(self.pattern()?);
        }
        Ok(elements)
    }

    /// `(byte)1`, `(string)null`, `(Side)(-1)`
    fn is_cast_constant(&mut self) -> bool {
        let at = self.at;
        let is_cast = self.cast().is_some();
        let is_constant = match self.kind() {
            TokenKind::Literal(_) | TokenKind::Sign("-" | "+" | "~" | "(") => true,
            TokenKind::Word { text, is_verbatim: false } => {
                matches!(text.as_ref(), "null" | "true" | "false" | "default")
            }
            _ => false,
        };
        self.at = at;
        is_cast && is_constant
    }

    /// `(Side.Left | Side.Right)` and `(1 + 2) * 3` are no patterns in parentheses.
    fn is_constant_in_parentheses(&self) -> bool {
        let (mut depth, mut is_joined) = (0_usize, false);
        for at in 0.. {
            match self.ahead(at) {
                TokenKind::Sign("(" | "[" | "{") => depth += 1,
                TokenKind::Sign(")" | "]" | "}") if depth > 1 => depth -= 1,
                TokenKind::Sign(")") => {
                    let next = self.ahead(at + 1);
                    return is_joined || matches!(next, TokenKind::Sign("+" | "-" | "*" | "/" | "%" | "<<" | "."));
                }
                TokenKind::Sign("|" | "&" | "^") if depth == 1 => is_joined = true,
                // positions of a tuple
                TokenKind::Sign(",") if depth == 1 => return false,
                TokenKind::Sign("]" | "}") | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// `(pattern)`, or the beginning of `(a, b) { P: c } name`.
    fn parenthesised(&mut self) -> Result<PatternKind, SyntaxError> {
        self.skip();
        let mut positions = self.bracketed(Self::positions)?;
        let is_alone = !self.is_sign(0, "{") && self.designation_ahead().is_none();
        match (positions.pop(), positions.is_empty() && is_alone) {
            (Some((None, inner)), true) => Ok(inner.kind),
            (last, _) => {
                positions.extend(last);
                self.behind_positions(None, Some(positions))
            }
        }
    }

    /// `(a, b) { P: c } name`, behind a type or alone.
    fn recursive(&mut self, type_: Option<TypeName>) -> Result<PatternKind, SyntaxError> {
        let positional = if self.takes("(") { Some(self.bracketed(Self::positions)?) } else { None };
        self.behind_positions(type_, positional)
    }

    fn behind_positions(
        &mut self,
        type_: Option<TypeName>,
        positional: Option<Vec<(Option<String>, Pattern)>>,
    ) -> Result<PatternKind, SyntaxError> {
        let properties = if self.takes("{") { Some(self.bracketed(Self::properties)?) } else { None };
        Ok(PatternKind::Recursive { type_, positional, properties, name: self.designation() })
    }

    fn positions(&mut self) -> Result<Vec<(Option<String>, Pattern)>, SyntaxError> {
        let mut positions = Vec::new();
        while !self.takes(")") {
            if !positions.is_empty() {
                self.needs(",")?;
            }
            let name = match self.name_ahead(0) {
                Some(name) if self.is_sign(1, ":") => {
                    self.at += 2;
                    Some(name.to_owned())
                }
                _ => None,
            };
            positions.push((name, self.pattern()?));
        }
        Ok(positions)
    }

    fn properties(&mut self) -> Result<Vec<Property>, SyntaxError> {
        let mut properties = Vec::new();
        while !self.takes("}") {
            if !properties.is_empty() {
                self.needs(",")?;
                if self.takes("}") {
                    break;
                }
            }
            let mut path = vec![self.identifier()?];
            while self.takes(".") {
                path.push(self.identifier()?);
            }
            self.needs(":")?;
            properties.push(Property { path, pattern: self.pattern()? });
        }
        Ok(properties)
    }

    /// Behind `var`: a name, or names in brackets.
    fn variables(&mut self) -> Result<PatternKind, SyntaxError> {
        let start = self.start();
        if !self.takes("(") {
            let name = self.identifier()?;
            return Ok(if name == "_" { PatternKind::Discard } else { PatternKind::Var(name) });
        }
        let mut positional = Vec::new();
        while !self.takes(")") {
            if !positional.is_empty() {
                self.needs(",")?;
            }
            let kind = self.nested(Self::variables)?;
            positional.push((None, Pattern { kind, span: self.since(start) }));
        }
        Ok(PatternKind::Recursive { type_: None, positional: Some(positional), properties: None, name: None })
    }

    /// A pattern that begins with a type; `None`, and nothing read, where it may be a constant.
    fn typed(&mut self) -> Result<Option<PatternKind>, SyntaxError> {
        let at = self.at;
        let Some(type_) = self.attempt(|parser| parser.type_before_expression().ok()) else { return Ok(None) };
        if self.is_sign(0, "{")
            || self.is_sign(0, "(") && self.at > at && !matches!(self.ahead(1), TokenKind::Sign(")"))
        {
            let recursive = self.attempt(|parser| parser.recursive(Some(type_.clone())).ok());
            if recursive.is_some() {
                return Ok(recursive);
            }
        } else if let Some(name) = self.designation() {
            return Ok(Some(PatternKind::Type { type_, name: Some(name).filter(|name| name != "_") }));
        } else if is_surely_type(&type_) && !may_be_member(&type_) && !self.is_sign(0, ".") {
            return Ok(Some(PatternKind::Type { type_, name: None }));
        }
        self.at = at;
        Ok(None)
    }

    fn designation_ahead(&self) -> Option<&str> {
        self.name_ahead(0).filter(|name| !matches!(*name, "and" | "or" | "when" | "with"))
    }

    fn designation(&mut self) -> Option<String> {
        let name = self.designation_ahead()?.to_owned();
        self.skip();
        Some(name)
    }

    /// Of a `switch` expression, with the braces.
    pub(super) fn arms(&mut self) -> Result<Vec<Arm>, SyntaxError> {
        self.needs("{")?;
        self.bracketed(|parser| {
            let mut arms = Vec::new();
            while !parser.takes("}") {
                if !arms.is_empty() {
                    parser.needs(",")?;
                    if parser.takes("}") {
                        break;
                    }
                }
                let pattern = parser.pattern()?;
                let when = if parser.takes_word("when") {
                    let was = std::mem::replace(&mut parser.in_guard, true);
                    let guard = parser.expression();
                    parser.in_guard = was;
                    Some(guard?)
                } else {
                    None
                };
                parser.needs("=>")?;
                arms.push(Arm { pattern, when, value: parser.expression()? });
            }
            Ok(arms)
        })
    }
}

/// Whether it may name a constant of a generic type: `Box<int>.Side.Left`.
fn may_be_member(type_: &TypeName) -> bool {
    match &type_.kind {
        TypeKind::Named { names, .. } => names.len() > 1 && names.last().is_some_and(|last| last.types.is_empty()),
        _ => false,
    }
}
