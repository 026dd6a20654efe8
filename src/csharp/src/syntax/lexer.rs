//! Text to tokens. `literals` and `strings` are parts of it, one kind of token each: they advance the lexer that calls them.

use super::error::SyntaxError;
use super::tree::{LiteralValue, Span};
use super::{literals, strings};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// An identifier or a keyword.
    Word {
        text: String,
        is_verbatim: bool,
    },
    Literal(LiteralValue),
    Interpolated(Vec<Part>),
    Sign(&'static str),
    End,
}

/// Of an interpolated string: tokens, where an expression stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Text(Vec<u16>),
    Hole { tokens: Vec<Token>, format: Option<String> },
}

/// Longer ones before those that they begin with. `>>` is two: it may end two lists of types.
const SIGNS: [&str; 49] = [
    "<<=", "??=", "&&", "||", "==", "!=", "<=", ">=", "=>", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "??", "::", "..", "<<", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "=", "<", ">", "?", ":", ".", ",",
    ";", "(", ")", "[", "]", "{", "}", "#",
];

/// How deep interpolated strings may stand in one another.
const MOST_DEPTH: usize = 16;

pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
}

/// All tokens, the last one [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut lexer = Lexer { text, at: 0, depth: 0 };
    let mut tokens = lexer.until(|_, _| false)?;
    tokens.push(Token { kind: TokenKind::End, span: text.len()..text.len() });
    Ok(tokens)
}

impl<'a> Lexer<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes past the character, and gives it.
    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn takes(&mut self, what: &str) -> bool {
        let is_here = self.rest().starts_with(what);
        if is_here {
            self.at += what.len();
        }
        is_here
    }

    pub(super) fn error(&self, code: &'static str, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(code, message, self.at)
    }

    /// Tokens up to the one before which `ends` is true, called with its text and the number of open brackets; or up to the end.
    fn until(&mut self, ends: impl Fn(&str, usize) -> bool) -> Result<Vec<Token>, SyntaxError> {
        let mut tokens = Vec::new();
        let mut open = 0usize;
        loop {
            self.blanks()?;
            let rest = self.rest();
            if rest.is_empty() || ends(rest, open) {
                return Ok(tokens);
            }
            let start = self.at;
            let kind = self.token()?;
            match kind {
                TokenKind::Sign("(" | "[" | "{") => open += 1,
                TokenKind::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                _ => {}
            }
            tokens.push(Token { kind, span: start..self.at });
        }
    }

    /// The tokens of an interpolation, up to its `}` or the `:` before its format.
    pub(super) fn hole(&mut self) -> Result<Vec<Token>, SyntaxError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(SyntaxError::too_deep(self.at));
        }
        // `::` is no format, and within brackets neither a `:` of `a ? b : c`
        let mut tokens = self.until(|rest, open| {
            open == 0 && (rest.starts_with('}') || rest.starts_with(':') && !rest.starts_with("::"))
        })?;
        tokens.push(Token { kind: TokenKind::End, span: self.at..self.at });
        self.depth -= 1;
        Ok(tokens)
    }

    /// White space and comments.
    fn blanks(&mut self) -> Result<(), SyntaxError> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let end = comment.find("*/").ok_or_else(|| self.error("CS1035", "End-of-file found, '*/' expected"))?;
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, SyntaxError> {
        if let Some(kind) = strings::token(self)? {
            return Ok(kind);
        }
        let rest = self.rest();
        let digit = |c: char| c.is_ascii_digit();
        if rest.starts_with(digit) || rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(digit)) {
            return literals::number(self).map(TokenKind::Literal);
        }
        if let Some(word) = self.word()? {
            return Ok(word);
        }
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(TokenKind::Sign(sign))
            }
            None => Err(self.error("CS1056", format!("Unexpected character '{}'", self.peek().unwrap_or_default()))),
        }
    }

    /// An identifier, a keyword, or a name that debuggers have: `$exception`, `@1f3`.
    fn word(&mut self) -> Result<Option<TokenKind>, SyntaxError> {
        let start = self.at;
        let is_verbatim = self.takes("@");
        let mut text = String::new();
        if !is_verbatim && self.takes("$") {
            text.push('$');
        }
        let is_marked = self.at > start;
        loop {
            let from = self.at;
            let Some(c) = self.next() else { break };
            let c = if c == '\\' && self.peek().is_some_and(|next| matches!(next, 'u' | 'U')) {
                strings::escaped_letter(self)?
            } else {
                c
            };
            let is_part = c == '_' || c.is_alphabetic() || ((is_marked || !text.is_empty()) && is_inner(c));
            if !is_part {
                self.at = from;
                break;
            }
            // format characters do not count (ECMA-334, 6.4.3)
            if !is_format(c) {
                text.push(c);
            }
        }
        if text.is_empty() || text == "$" {
            self.at = start;
            return Ok(None);
        }
        // `@1f3` is an identity; what the `@` stands before else is a plain name
        if is_verbatim && text.starts_with(|c: char| c.is_ascii_digit()) {
            text.insert(0, '@');
        }
        Ok(Some(TokenKind::Word { text, is_verbatim }))
    }
}

/// What an identifier may go on with.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || is_format(c) || matches!(c, '\u{203f}' | '\u{2040}' | '\u{300}'..='\u{36f}')
}

fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
