//! The statements of a lambda's body.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Expr, ExprKind, Statement, StatementKind, TypeName};

/// Statements that are read by their first word only.
const OTHERS: [(&str, &str); 11] = [
    ("switch", "switch"),
    ("try", "try"),
    ("lock", "lock"),
    ("using", "using"),
    ("goto", "goto"),
    ("yield", "yield"),
    ("fixed", "fixed"),
    ("unsafe", "unsafe"),
    ("checked", "checked"),
    ("unchecked", "unchecked"),
    ("await", "await foreach"),
];

impl Parser<'_> {
    /// What the text begins as, if that is a statement and no expression.
    pub(super) fn statement_ahead(&mut self) -> Option<&'static str> {
        const READ: [&str; 8] = ["if", "while", "do", "for", "foreach", "return", "break", "continue"];
        if let Some(word) = self.word_ahead(0) {
            if let Some(known) = READ.iter().find(|known| **known == word) {
                return Some(known);
            }
            let begins = matches!(self.ahead(1), TokenKind::Sign("(" | "{") | TokenKind::Word { .. });
            let other = OTHERS.iter().find(|(known, _)| *known == word && begins && !self.is_operator(word));
            if let Some((_, name)) = other {
                return Some(name);
            }
        }
        let declares = self.is_word("const") || self.declared_type().is_some() && self.is_sign(1, "=");
        declares.then_some("declaration")
    }

    /// Whether `var (a, b) =` is ahead, which would be a call of `var` else.
    pub(super) fn deconstructs(&mut self) -> bool {
        let at = self.at;
        let found = matches!(self.parts(), Ok(Some(_))) && self.is_sign(0, "=");
        self.at = at;
        found
    }

    /// `{ … }`
    pub(super) fn block(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.start();
        if self.closing(0).is_none() {
            return Err(self.error("CS1513", "} expected"));
        }
        let in_query = std::mem::replace(&mut self.in_query, false);
        let statements = self.bracketed(Self::statements);
        self.in_query = in_query;
        Ok(Expr { kind: ExprKind::Block(statements?), span: self.since(start) })
    }

    fn statements(&mut self) -> Result<Vec<Statement>, SyntaxError> {
        self.needs("{")?;
        let mut statements = Vec::new();
        while !self.takes("}") {
            if matches!(self.kind(), TokenKind::End) {
                return Err(self.error("CS1513", "} expected"));
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement, SyntaxError> {
        self.nested(|parser| {
            let start = parser.start();
            let kind = parser.statement_kind()?;
            Ok(Statement { kind, span: parser.since(start) })
        })
    }

    fn statement_kind(&mut self) -> Result<StatementKind, SyntaxError> {
        if self.is_sign(0, "{") {
            return self.statements().map(StatementKind::Block);
        }
        if self.takes(";") {
            return Ok(StatementKind::Block(Vec::new()));
        }
        match self.word_ahead(0) {
            Some("if") => {
                self.skip();
                let condition = self.in_parentheses()?;
                let then = Box::new(self.statement()?);
                let otherwise = if self.takes_word("else") { Some(Box::new(self.statement()?)) } else { None };
                return Ok(StatementKind::If { condition, then, otherwise });
            }
            Some("while") => {
                self.skip();
                let condition = Some(self.in_parentheses()?);
                return self.looped(Vec::new(), condition, Vec::new());
            }
            Some("do") => {
                self.skip();
                let body = Box::new(self.statement()?);
                self.needs_word("while")?;
                let condition = Some(self.in_parentheses()?);
                self.semicolon()?;
                let (first, next) = (Vec::new(), Vec::new());
                return Ok(StatementKind::Loop { first, condition, next, body, is_after: true });
            }
            Some("for") => return self.counted(),
            Some("foreach") => return self.each(),
            Some("return") => {
                self.skip();
                let value = if self.is_sign(0, ";") { None } else { Some(self.expression()?) };
                self.semicolon()?;
                return Ok(StatementKind::Return(value));
            }
            Some("break") => {
                self.skip();
                self.semicolon()?;
                return Ok(StatementKind::Break);
            }
            Some("continue") => {
                self.skip();
                self.semicolon()?;
                return Ok(StatementKind::Continue);
            }
            Some("const") => self.skip(),
            Some(word) => {
                let begins = matches!(self.ahead(1), TokenKind::Sign("(" | "{") | TokenKind::Word { .. });
                let other = OTHERS.iter().find(|(known, _)| *known == word && begins);
                if let Some((_, name)) = other.filter(|_| !self.is_operator(word)) {
                    return Ok(self.other(name));
                }
            }
            None => {}
        }
        // `await Later();` declares no function of that type
        let is_awaited = self.is_word("await") && self.awaits();
        if !is_awaited && let Some(type_) = self.declared_type() {
            if self.is_sign(1, "(") || self.is_sign(1, "<") {
                return Ok(self.other("local function"));
            }
            let declaration = self.variables_of(type_)?;
            self.semicolon()?;
            return Ok(declaration);
        }
        if let Some(names) = self.parts()? {
            self.needs("=")?;
            let value = self.expression()?;
            self.semicolon()?;
            return Ok(StatementKind::Deconstruction { names, value });
        }
        let expr = self.expression()?;
        self.semicolon()?;
        Ok(StatementKind::Expression(expr))
    }

    /// `checked(…)`, and `await x`, which are expressions.
    fn is_operator(&self, word: &str) -> bool {
        match word {
            "checked" | "unchecked" => self.is_sign(1, "("),
            "await" => !matches!(self.word_ahead(1), Some("foreach" | "using")),
            // variables may be called so
            "yield" => !matches!(self.word_ahead(1), Some("return" | "break")),
            _ => false,
        }
    }

    fn semicolon(&mut self) -> Result<(), SyntaxError> {
        if self.takes(";") { Ok(()) } else { Err(self.error("CS1002", "; expected")) }
    }

    fn in_parentheses(&mut self) -> Result<Expr, SyntaxError> {
        self.needs("(")?;
        let expr = self.expression()?;
        self.needs(")")?;
        Ok(expr)
    }

    /// The type of a declaration, which a name follows.
    fn declared_type(&mut self) -> Option<TypeName> {
        self.attempt(|parser| {
            let type_ = parser.type_().ok()?;
            let is_name = parser.name_ahead(0).is_some();
            let goes_on = ["=", ";", ",", "(", "<"].iter().any(|sign| parser.is_sign(1, sign));
            (is_name && (goes_on || parser.word_ahead(1) == Some("in"))).then_some(type_)
        })
    }

    fn variables_of(&mut self, type_: TypeName) -> Result<StatementKind, SyntaxError> {
        let mut variables = Vec::new();
        loop {
            let name = self.identifier()?;
            let value = if self.takes("=") { Some(self.expression()?) } else { None };
            variables.push((name, value));
            if !self.takes(",") {
                return Ok(StatementKind::Declaration { type_, variables });
            }
        }
    }

    fn looped(
        &mut self,
        first: Vec<Statement>,
        condition: Option<Expr>,
        next: Vec<Expr>,
    ) -> Result<StatementKind, SyntaxError> {
        let body = Box::new(self.statement()?);
        Ok(StatementKind::Loop { first, condition, next, body, is_after: false })
    }

    fn counted(&mut self) -> Result<StatementKind, SyntaxError> {
        self.skip();
        self.needs("(")?;
        let start = self.start();
        let mut first = Vec::new();
        if let Some(type_) = self.declared_type() {
            let kind = self.variables_of(type_)?;
            first.push(Statement { kind, span: self.since(start) });
        } else if !self.is_sign(0, ";") {
            for expr in self.several()? {
                let span = expr.span.clone();
                first.push(Statement { kind: StatementKind::Expression(expr), span });
            }
        }
        self.semicolon()?;
        let condition = if self.is_sign(0, ";") { None } else { Some(self.expression()?) };
        self.semicolon()?;
        let next = if self.is_sign(0, ")") { Vec::new() } else { self.several()? };
        self.needs(")")?;
        self.looped(first, condition, next)
    }

    fn several(&mut self) -> Result<Vec<Expr>, SyntaxError> {
        let mut several = vec![self.expression()?];
        while self.takes(",") {
            several.push(self.expression()?);
        }
        Ok(several)
    }

    fn each(&mut self) -> Result<StatementKind, SyntaxError> {
        self.skip();
        self.needs("(")?;
        let (type_, names) = match self.parts()? {
            Some(names) => (None, names),
            None => {
                let Some(type_) = self.declared_type() else { return Ok(self.other("foreach with a deconstruction")) };
                (Some(type_), vec![self.identifier()?])
            }
        };
        self.needs_word("in")?;
        let source = self.expression()?;
        self.needs(")")?;
        Ok(StatementKind::ForEach { type_, names, source, body: Box::new(self.statement()?) })
    }

    /// `var (a, b)`
    fn parts(&mut self) -> Result<Option<Vec<String>>, SyntaxError> {
        if !self.is_word("var") || !self.is_sign(1, "(") {
            return Ok(None);
        }
        self.at += 2;
        let mut names = vec![self.identifier()?];
        while self.takes(",") {
            names.push(self.identifier()?);
        }
        self.needs(")")?;
        Ok(Some(names))
    }

    /// One that is not run: all to the end of the block goes with it.
    fn other(&mut self, name: &'static str) -> StatementKind {
        let mut open = 0usize;
        loop {
            match self.kind() {
                TokenKind::Sign("(" | "[" | "{") => open += 1,
                TokenKind::Sign("}") if open == 0 => break,
                TokenKind::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                TokenKind::End => break,
                _ => {}
            }
            self.skip();
        }
        StatementKind::Other(name)
    }
}
