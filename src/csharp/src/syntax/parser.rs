//! Tokens to a tree: operators by their precedence (ECMA-334, 12.4.2), the rest by descent.

mod arguments;
mod creation;
mod lambdas;
mod postfix;
mod patterns;
mod primary;
mod queries;
mod statements;
mod types;

use super::error::SyntaxError;
use super::keywords::{QUERY, is_keyword};
use super::lexer::{self, Token, TokenKind};
use super::tree::{BinaryOp, Expr, ExprKind, LiteralValue, Span, UnaryOp};

/// How high a tree may be: whoever walks it takes a piece of the stack for each level.
const MOST_DEPTH: usize = 64;

pub(super) fn parse(text: &str) -> Result<Expr, SyntaxError> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser { text, tokens: &tokens, at: 0, depth: 0, in_query: false, in_guard: false };
    if parser.deconstructs() {
        return Err(SyntaxError::statement("declaration"));
    }
    let found = parser.expression().and_then(|expr| {
        // as it was copied from a line of code
        parser.takes(";");
        match parser.kind() {
            TokenKind::End => Ok(expr),
            _ => Err(parser.error("CS1073", format!("Unexpected token '{}'", parser.shown()))),
        }
    });
    found.map_err(|error| match (Parser { at: 0, ..parser }).statement_ahead() {
        Some(name) => SyntaxError::statement(name),
        None => error,
    })
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// Words such as `select` are keywords.
    in_query: bool,
    /// Behind `when`: a `=>` ends the expression.
    in_guard: bool,
}

/// From the weakest; `is`, `as`, `switch`, `with` and ranges stand between them.
const COALESCE: u8 = 1;
const RELATIONAL: u8 = 8;
const SHIFT: u8 = 9;
const SWITCH: u8 = 12;

impl<'a> Parser<'a> {
    fn token(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).or(self.tokens.last())
    }

    fn kind(&self) -> &'a TokenKind {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &'a TokenKind {
        self.tokens.get(self.at + by).map_or(&TokenKind::End, |token| &token.kind)
    }

    /// Where the next token begins.
    fn start(&self) -> usize {
        self.token().map_or(self.text.len(), |token| token.span.start)
    }

    /// From there to the end of the last token that was read.
    fn since(&self, start: usize) -> Span {
        let end = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(start, |token| token.span.end);
        start..end.max(start)
    }

    fn skip(&mut self) {
        self.at += 1;
    }

    fn is_sign(&self, by: usize, sign: &str) -> bool {
        matches!(self.ahead(by), TokenKind::Sign(found) if *found == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_here = self.is_sign(0, sign);
        self.at += usize::from(is_here);
        is_here
    }

    fn needs(&mut self, sign: &str) -> Result<(), SyntaxError> {
        if self.takes(sign) {
            return Ok(());
        }
        Err(match sign {
            ")" => self.error("CS1026", ") expected"),
            "]" => self.error("CS1003", "Syntax error, ']' expected"),
            "}" => self.error("CS1513", "} expected"),
            _ => self.error("CS1003", format!("Syntax error, '{sign}' expected")),
        })
    }

    /// The word, unless it is quoted by an `@`.
    fn word_ahead(&self, by: usize) -> Option<&'a str> {
        match self.ahead(by) {
            TokenKind::Word { text, is_verbatim: false } => Some(text),
            _ => None,
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.word_ahead(0) == Some(word)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_here = self.is_word(word);
        self.at += usize::from(is_here);
        is_here
    }

    fn needs_word(&mut self, word: &str) -> Result<(), SyntaxError> {
        if self.takes_word(word) {
            Ok(())
        } else {
            Err(self.error("CS1003", format!("Syntax error, '{word}' expected")))
        }
    }

    /// The name that stands there; keywords are none.
    fn name_ahead(&self, by: usize) -> Option<&'a str> {
        match self.ahead(by) {
            TokenKind::Word { text, is_verbatim } => {
                let is_name = *is_verbatim || !(is_keyword(text) || self.in_query && QUERY.contains(&text.as_str()));
                is_name.then_some(text.as_str())
            }
            _ => None,
        }
    }

    fn identifier(&mut self) -> Result<String, SyntaxError> {
        match self.name_ahead(0) {
            Some(name) => {
                self.skip();
                Ok(name.to_owned())
            }
            None => Err(match self.word_ahead(0) {
                Some(word) => self.error("CS1041", format!("Identifier expected; '{word}' is a keyword")),
                None => self.error("CS1001", "Identifier expected"),
            }),
        }
    }

    fn error(&self, code: &'static str, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(code, message, self.start())
    }

    fn shown(&self) -> &'a str {
        self.token().and_then(|token| self.text.get(token.span.clone())).unwrap_or_default()
    }

    fn unexpected(&self) -> SyntaxError {
        match self.kind() {
            TokenKind::End => self.error("CS1733", "Expected expression"),
            _ => self.error("CS1525", format!("Invalid expression term '{}'", self.shown())),
        }
    }

    /// What `read` makes of the text from here on; nothing is read where it makes nothing of it.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (at, depth) = (self.at, self.depth);
        let result = read(self);
        if result.is_none() {
            (self.at, self.depth) = (at, depth);
        }
        result
    }

    /// One level further down.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        let depth = self.depth;
        self.deeper()?;
        let result = read(self);
        self.depth = depth;
        result
    }

    fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH { Err(SyntaxError::too_deep(self.start())) } else { Ok(()) }
    }

    /// Within brackets the words around them do not count.
    fn bracketed<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        let in_guard = std::mem::replace(&mut self.in_guard, false);
        let result = read(self);
        self.in_guard = in_guard;
        result
    }

    fn expression(&mut self) -> Result<Expr, SyntaxError> {
        self.nested(|parser| {
            let start = parser.start();
            if let Some(lambda) = parser.lambda()? {
                return Ok(Expr { kind: ExprKind::Lambda(lambda), span: parser.since(start) });
            }
            if let Some(clauses) = parser.query()? {
                return Ok(Expr { kind: ExprKind::Query(clauses), span: parser.since(start) });
            }
            let prefix: Option<fn(Box<Expr>) -> ExprKind> = match parser.word_ahead(0) {
                Some("throw") => Some(ExprKind::Throw),
                Some("ref") => Some(ExprKind::Ref),
                _ => None,
            };
            if let Some(kind) = prefix {
                parser.skip();
                let of = Box::new(parser.expression()?);
                return Ok(Expr { kind: kind(of), span: parser.since(start) });
            }
            let target = parser.conditional()?;
            let Some(operator) = parser.assignment() else { return Ok(target) };
            let value = Box::new(parser.expression()?);
            let kind = ExprKind::Assignment { target: Box::new(target), operator, value };
            Ok(Expr { kind, span: parser.since(start) })
        })
    }

    /// `=` gives `Some(None)`, `+=` its operator.
    fn assignment(&mut self) -> Option<Option<BinaryOp>> {
        let TokenKind::Sign(sign) = self.kind() else { return None };
        let operator = match *sign {
            "=" => None,
            "+=" => Some(BinaryOp::Add),
            "-=" => Some(BinaryOp::Subtract),
            "*=" => Some(BinaryOp::Multiply),
            "/=" => Some(BinaryOp::Divide),
            "%=" => Some(BinaryOp::Remainder),
            "&=" => Some(BinaryOp::And),
            "|=" => Some(BinaryOp::Or),
            "^=" => Some(BinaryOp::Xor),
            "<<=" => Some(BinaryOp::ShiftLeft),
            "??=" => Some(BinaryOp::Coalesce),
            // `>>=` and `>>>=` are signs of their own only here
            ">" if self.is_adjacent(1, ">=") => {
                self.at += 1;
                Some(BinaryOp::ShiftRight)
            }
            ">" if self.is_adjacent(1, ">") && self.is_adjacent(2, ">=") => {
                self.at += 2;
                Some(BinaryOp::UnsignedShiftRight)
            }
            _ => return None,
        };
        self.skip();
        Some(operator)
    }

    /// Whether that sign stands there, without a blank before it.
    fn is_adjacent(&self, by: usize, sign: &str) -> bool {
        let end = self.tokens.get((self.at + by).saturating_sub(1)).map(|token| token.span.end);
        let start = self.tokens.get(self.at + by).map(|token| token.span.start);
        self.is_sign(by, sign) && end == start
    }

    fn conditional(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.start();
        let condition = self.binary(COALESCE)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let then = Box::new(self.bracketed(Self::expression)?);
        self.needs(":")?;
        let otherwise = Box::new(self.expression()?);
        let kind = ExprKind::Conditional { condition: Box::new(condition), then, otherwise };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The operator that stands here, its precedence, and how many tokens it has.
    fn operator(&self) -> Option<(BinaryOp, u8, usize)> {
        let TokenKind::Sign(sign) = self.kind() else { return None };
        Some(match *sign {
            "??" => (BinaryOp::Coalesce, COALESCE, 1),
            "||" => (BinaryOp::OrElse, 2, 1),
            "&&" => (BinaryOp::AndAlso, 3, 1),
            "|" => (BinaryOp::Or, 4, 1),
            "^" => (BinaryOp::Xor, 5, 1),
            "&" => (BinaryOp::And, 6, 1),
            "==" => (BinaryOp::Equal, 7, 1),
            "!=" => (BinaryOp::NotEqual, 7, 1),
            "<" => (BinaryOp::Less, RELATIONAL, 1),
            "<=" => (BinaryOp::LessOrEqual, RELATIONAL, 1),
            ">=" => (BinaryOp::GreaterOrEqual, RELATIONAL, 1),
            ">" if self.is_adjacent(1, ">=") => return None,
            ">" if self.is_adjacent(1, ">") && self.is_adjacent(2, ">=") => return None,
            ">" if self.is_adjacent(1, ">") && self.is_adjacent(2, ">") => (BinaryOp::UnsignedShiftRight, SHIFT, 3),
            ">" if self.is_adjacent(1, ">") => (BinaryOp::ShiftRight, SHIFT, 2),
            ">" => (BinaryOp::Greater, RELATIONAL, 1),
            "<<" => (BinaryOp::ShiftLeft, SHIFT, 1),
            "+" => (BinaryOp::Add, 10, 1),
            "-" => (BinaryOp::Subtract, 10, 1),
            "*" => (BinaryOp::Multiply, 11, 1),
            "/" => (BinaryOp::Divide, 11, 1),
            "%" => (BinaryOp::Remainder, 11, 1),
            _ => return None,
        })
    }

    /// Operators that bind as strongly as that, or stronger.
    fn binary(&mut self, least: u8) -> Result<Expr, SyntaxError> {
        let depth = self.depth;
        let start = self.start();
        let mut left = self.range()?;
        loop {
            // each makes the tree higher by one
            self.deeper()?;
            let kind = match (self.operator(), self.word_ahead(0)) {
                (Some((operator, precedence, tokens)), _) if precedence >= least => {
                    self.at += tokens;
                    // `a ?? b ?? c` is `a ?? (b ?? c)`, and `a ?? throw e` one too
                    let right = match operator {
                        BinaryOp::Coalesce if self.is_word("throw") => self.expression()?,
                        BinaryOp::Coalesce => self.nested(|parser| parser.binary(COALESCE))?,
                        _ => self.nested(|parser| parser.binary(precedence + 1))?,
                    };
                    ExprKind::Binary { operator, left: Box::new(left), right: Box::new(right) }
                }
                (_, Some("is")) if RELATIONAL >= least => {
                    self.skip();
                    ExprKind::Is { of: Box::new(left), pattern: Box::new(self.pattern()?) }
                }
                (_, Some("as")) if RELATIONAL >= least => {
                    self.skip();
                    ExprKind::As { of: Box::new(left), type_: Box::new(self.type_before_expression()?) }
                }
                (_, Some("switch")) if SWITCH >= least && self.is_sign(1, "{") => {
                    self.skip();
                    ExprKind::Switch { of: Box::new(left), arms: self.arms()? }
                }
                (_, Some("with")) if SWITCH >= least && self.is_sign(1, "{") => {
                    self.at += 2;
                    ExprKind::With { of: Box::new(left), fields: self.bracketed(Self::fields)? }
                }
                _ => break,
            };
            left = Expr { kind, span: self.since(start) };
        }
        self.depth = depth;
        Ok(left)
    }

    fn range(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.start();
        let from = if self.is_sign(0, "..") { None } else { Some(self.unary()?) };
        if !self.takes("..") {
            return from.ok_or_else(|| self.unexpected());
        }
        let end = if self.begins_operand() { Some(Box::new(self.unary()?)) } else { None };
        Ok(Expr { kind: ExprKind::Range { start: from.map(Box::new), end }, span: self.since(start) })
    }

    fn unary(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.start();
        if let Some(least) = self.least_integer() {
            return Ok(Expr { kind: ExprKind::Literal(least), span: self.since(start) });
        }
        let operator = match self.kind() {
            TokenKind::Sign("+") => Some(UnaryOp::Plus),
            TokenKind::Sign("-") => Some(UnaryOp::Minus),
            TokenKind::Sign("!") => Some(UnaryOp::Not),
            TokenKind::Sign("~") => Some(UnaryOp::Complement),
            TokenKind::Sign("++") => Some(UnaryOp::PreIncrement),
            TokenKind::Sign("--") => Some(UnaryOp::PreDecrement),
            TokenKind::Sign("^") => Some(UnaryOp::FromEnd),
            TokenKind::Sign("&") => Some(UnaryOp::AddressOf),
            TokenKind::Sign("*") => Some(UnaryOp::Indirection),
            _ => None,
        };
        if let Some(operator) = operator {
            self.skip();
            let of = Box::new(self.nested(Self::unary)?);
            return Ok(Expr { kind: ExprKind::Unary { operator, of }, span: self.since(start) });
        }
        if let Some(type_) = self.cast() {
            let of = Box::new(self.nested(Self::unary)?);
            return Ok(Expr { kind: ExprKind::Cast { type_: Box::new(type_), of }, span: self.since(start) });
        }
        // an anonymous method is an operand, a lambda is not
        if self.is_word("delegate")
            && let Some(method) = self.lambda()?
        {
            return Ok(Expr { kind: ExprKind::Lambda(method), span: self.since(start) });
        }
        if self.is_word("await") && self.awaits() {
            self.skip();
            let of = Box::new(self.nested(Self::unary)?);
            return Ok(Expr { kind: ExprKind::Await(of), span: self.since(start) });
        }
        self.primary()
    }

    /// `-2147483648` and `-9223372036854775808`: literals of their own (ECMA-334, 6.4.5.3).
    fn least_integer(&mut self) -> Option<LiteralValue> {
        let is_minus = self.is_sign(0, "-");
        let token = self.tokens.get(self.at + 1).filter(|_| is_minus)?;
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        let has_no_suffix =
            self.text.get(token.span.clone()).is_some_and(|text| is_plain(text.trim_end_matches(['l', 'L'])));
        let least = match &token.kind {
            TokenKind::Literal(LiteralValue::UInt(0x8000_0000)) => LiteralValue::Int(i32::MIN),
            TokenKind::Literal(LiteralValue::ULong(0x8000_0000_0000_0000)) => LiteralValue::Long(i64::MIN),
            _ => return None,
        };
        has_no_suffix.then(|| self.at += 2)?;
        Some(least)
    }

    /// Whether `await` stands before an operand, and is no name.
    fn awaits(&self) -> bool {
        match self.ahead(1) {
            TokenKind::Word { text, is_verbatim } => {
                *is_verbatim || !matches!(text.as_str(), "is" | "as" | "switch" | "with")
            }
            TokenKind::Literal(_) | TokenKind::Interpolated(_) | TokenKind::Sign("(") => true,
            _ => false,
        }
    }

    /// Whether an operand begins here, as far as the next token shows.
    fn begins_operand(&self) -> bool {
        match self.kind() {
            TokenKind::Word { text, is_verbatim } => {
                *is_verbatim || self.name_ahead(0).is_some() || primary::begins_operand(text)
            }
            TokenKind::Literal(_) | TokenKind::Interpolated(_) => true,
            TokenKind::Sign(sign) => matches!(*sign, "(" | "[" | "+" | "-" | "!" | "~" | "^" | "++" | "--" | "&" | "*"),
            TokenKind::End => false,
        }
    }
}
