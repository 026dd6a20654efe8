//! Expressions of operators, literals and operands. An operand is a piece of text for the adapter: a name, a path, a call.

use clr_csharp::Decimal;

use super::integers::IntType;
use super::value::{Known, Operand};
use crate::session::inspect::{constants, escapes};

/// An expression with at least one operator of ours.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Constant(Operand),
    /// The adapter's to read.
    Operand(String),
    Unary(&'static str, Box<Expr>),
    Cast(String, Box<Expr>),
    Binary(Box<Expr>, &'static str, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Operators from the outermost to the innermost.
    pub fn depth(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Operand(_) => 0,
            Self::Unary(_, inner) | Self::Cast(_, inner) => 1 + inner.depth(),
            Self::Binary(left, _, right) => 1 + left.depth().max(right.depth()),
            Self::Conditional(test, then, other) => 1 + test.depth().max(then.depth()).max(other.depth()),
        }
    }

    /// What the adapter reads.
    pub fn operands(&self) -> Vec<&str> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Operand(text) => vec![text],
            Self::Unary(_, inner) | Self::Cast(_, inner) => inner.operands(),
            Self::Binary(left, _, right) => [left.operands(), right.operands()].concat(),
            Self::Conditional(test, then, other) => [test.operands(), then.operands(), other.operands()].concat(),
        }
    }
}

/// `None` where it holds what is not known here (`new`, lambdas, patterns), or no operator at all.
pub fn parse(text: &str) -> Option<Expr> {
    let mut parser = Parser { rest: text.trim(), depth: 0 };
    let expr = parser.conditional()?;
    // a constant with a sign is ours: an adapter reads the number first, and -2147483648 without its sign is no int
    let has_operator = match expr {
        Expr::Operand(_) => false,
        // and adapters cannot read these by their names
        Expr::Constant(_) => text.trim_start().starts_with('-') || constants::literal(text.trim()).is_some(),
        _ => true,
    };
    (parser.rest.is_empty() && has_operator).then_some(expr)
}

/// Weakest first; longer signs before those that they begin with.
const LEVELS: [&[&str]; 11] = [
    &["??"],
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &[">>>", "<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Signs that begin like an operator and are none of ours.
const OTHERS: [&str; 12] = ["=>", "+=", "-=", "*=", "/=", "%=", "++", "--", "??=", "<<=", "&=", "|="];

/// Words that begin or join what is not known here.
const FOREIGN: [&str; 13] = [
    "new",
    "is",
    "as",
    "switch",
    "await",
    "typeof",
    "nameof",
    "default",
    "checked",
    "unchecked",
    "stackalloc",
    "throw",
    "with",
];

struct Parser<'a> {
    rest: &'a str,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.rest = self.rest.get(bytes..)?.trim_start();
        Some(())
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.rest.starts_with(sign) && self.skip(sign.len()).is_some()
    }

    fn conditional(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        let test = self.level(0)?;
        let expr = if self.rest.starts_with('?') && !self.rest.starts_with("?.") && self.takes("?") {
            let then = self.conditional()?;
            if !self.takes(":") {
                return None;
            }
            Expr::Conditional(Box::new(test), Box::new(then), Box::new(self.conditional()?))
        } else {
            test
        };
        self.depth -= 1;
        Some(expr)
    }

    fn level(&mut self, level: usize) -> Option<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some(sign) = self.sign(level, signs) {
            self.skip(sign.len())?;
            // `a ?? b ?? c` is `a ?? (b ?? c)`
            let right = self.level(if level == 0 { 0 } else { level + 1 })?;
            left = Expr::Binary(Box::new(left), sign, Box::new(right));
        }
        if LEVELS.get(level).is_some_and(|signs| signs.contains(&"<"))
            && let Some(null_test) = self.null_pattern()
        {
            left = Expr::Binary(Box::new(left), null_test, Box::new(Expr::Constant(Operand::constant(Known::Null))));
        }
        Some(left)
    }

    /// `is null`, `is not null`.
    fn null_pattern(&mut self) -> Option<&'static str> {
        [("is not null", "is not"), ("is null", "is")].into_iter().find_map(|(words, sign)| {
            let after = self.rest.strip_prefix(words)?;
            (!after.starts_with(|c: char| c.is_alphanumeric() || c == '_')).then(|| self.skip(words.len()))?;
            Some(sign)
        })
    }

    fn sign(&self, level: usize, signs: &[&'static str]) -> Option<&'static str> {
        if OTHERS.iter().any(|other| self.rest.starts_with(other)) {
            return None;
        }
        let sign = signs.iter().copied().find(|sign| self.rest.starts_with(sign))?;
        // `|` of `||`, `<` of `<<`: a sign of another level that begins the same and is longer
        let mut longer = LEVELS.iter().enumerate().filter(|(at, _)| *at != level).flat_map(|(_, signs)| signs.iter());
        let is_other = longer.any(|other| other.len() > sign.len() && self.rest.starts_with(*other));
        (!is_other).then_some(sign)
    }

    fn unary(&mut self) -> Option<Expr> {
        if OTHERS.iter().any(|other| self.rest.starts_with(other)) {
            return None;
        }
        for sign in ["!", "-", "+", "~"] {
            if self.takes(sign) {
                self.depth += 1;
                let operand = if self.depth > 64 { None } else { self.unary() }?;
                self.depth -= 1;
                // -2147483648 and -9223372036854775808 are literals of their own
                return Some(match (sign, operand) {
                    ("-", Expr::Constant(Operand { known: Known::Int(IntType::UInt, 0x8000_0000), .. })) => {
                        Expr::Constant(Operand::constant(Known::Int(IntType::Int, -0x8000_0000)))
                    }
                    ("-", Expr::Constant(Operand { known: Known::Int(IntType::ULong, 0x8000_0000_0000_0000), .. })) => {
                        Expr::Constant(Operand::constant(Known::Int(IntType::Long, -0x8000_0000_0000_0000)))
                    }
                    (_, operand) => Expr::Unary(sign, Box::new(operand)),
                });
            }
        }
        self.primary()
    }

    fn primary(&mut self) -> Option<Expr> {
        let first = self.rest.chars().next()?;
        match first {
            '"' => self.text(),
            '\'' => self.character(),
            '0'..='9' => self.number(),
            '(' => self.parenthesised(),
            _ => self.operand(""),
        }
    }

    fn text(&mut self) -> Option<Expr> {
        let end = closing_quote(self.rest, '"')?;
        let literal = self.rest.get(..=end)?;
        // "x".Length is the adapter's
        if self.rest.get(end + 1..)?.trim_start().starts_with(['.', '[']) {
            return None;
        }
        let text = String::from_utf16(&escapes::of_literal(literal)?).ok()?;
        self.skip(end + 1)?;
        Some(Expr::Constant(Operand::constant(Known::Text(text))))
    }

    fn character(&mut self) -> Option<Expr> {
        let end = closing_quote(self.rest, '\'')?;
        let units = escapes::units(self.rest.get(1..end)?)?;
        let [code] = units.as_slice() else { return None };
        let constant = Operand::constant(Known::Int(IntType::Char, i128::from(*code)));
        self.skip(end + 1)?;
        Some(Expr::Constant(constant))
    }

    fn number(&mut self) -> Option<Expr> {
        let is_hex = self.rest.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
        let mut end = 0;
        let mut previous = ' ';
        for c in self.rest.chars() {
            let exponent_sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E') && !is_hex;
            let digit_follows =
                self.rest.get(end + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            if !(c.is_ascii_alphanumeric() || c == '_' || exponent_sign || (c == '.' && digit_follows)) {
                break;
            }
            (end, previous) = (end + c.len_utf8(), c);
        }
        let token = self.rest.get(..end)?;
        let constant = number(token)?;
        self.skip(end)?;
        Some(Expr::Constant(constant))
    }

    /// `(a + b)`, `(byte)x`, or an operand that begins like that: `(a ?? b).Name`.
    fn parenthesised(&mut self) -> Option<Expr> {
        let end = closing(self.rest)?;
        let (inside, after) = (self.rest.get(1..end)?.trim(), self.rest.get(end + 1..)?.trim_start());
        if IntType::named(inside).is_some() || matches!(inside, "double" | "float" | "decimal") {
            self.skip(end + 1)?;
            return Some(Expr::Cast(inside.to_owned(), Box::new(self.unary()?)));
        }
        if after.starts_with(['.', '[']) || after.starts_with("?.") {
            let whole = self.rest.get(..=end)?.to_owned();
            self.rest = after;
            return self.operand(&whole);
        }
        // `(Kind)x`: a cast to what whoever reads the operands may know
        if after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '(' | '"' | '\'')) {
            let is_type = inside.split('.').all(|name| word(name) == Some(name.len()));
            self.skip(end + 1)?;
            let operand = if is_type { self.unary() } else { None }?;
            return Some(Expr::Cast(inside.to_owned(), Box::new(operand)));
        }
        let mut inner = Parser { rest: inside, depth: self.depth + 1 };
        let expr = inner.conditional().filter(|_| inner.rest.is_empty())?;
        self.skip(end + 1)?;
        Some(expr)
    }

    /// A name with all members, calls and indexers behind it.
    fn operand(&mut self, before: &str) -> Option<Expr> {
        let start = self.rest;
        let mut at = 0;
        if before.is_empty() {
            at += word(start)?;
            if FOREIGN.contains(&start.get(..at)?) {
                return None;
            }
        }
        loop {
            let rest = start.get(at..)?;
            let blank = rest.len() - rest.trim_start().len();
            let next = rest.trim_start();
            at += match next.chars().next() {
                Some('.') => blank + 1 + word(next.get(1..)?.trim_start())?,
                Some('?') if next.starts_with("?.") && !next.get(2..)?.starts_with(|c: char| c.is_ascii_digit()) => {
                    blank + 2 + word(next.get(2..)?)?
                }
                Some('(' | '[') => blank + closing(next)? + 1,
                Some('<') => match type_arguments(next) {
                    Some(length) => blank + length,
                    None => break,
                },
                _ => break,
            };
        }
        let name = start.get(..at)?;
        self.skip(at)?;
        let text = format!("{before}{name}");
        let starts_word = |word: &str| {
            self.rest
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let null_test = self.rest.starts_with("is null") || self.rest.starts_with("is not null");
        if (FOREIGN.iter().any(|word| starts_word(word)) && !null_test) || self.rest.starts_with(['"', '$', '@', '{']) {
            return None;
        }
        Some(match text.as_str() {
            "true" => Expr::Constant(Operand::constant(Known::Bool(true))),
            "false" => Expr::Constant(Operand::constant(Known::Bool(false))),
            "null" => Expr::Constant(Operand::constant(Known::Null)),
            _ => match constants::literal(&text).and_then(constant) {
                Some(constant) => Expr::Constant(constant),
                None => Expr::Operand(text),
            },
        })
    }
}

/// Bytes of an identifier.
fn word(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '@'))).unwrap_or(text.len());
    (end > 0 && !text.starts_with(|c: char| c.is_ascii_digit())).then_some(end)
}

/// Where the quote that begins a text ends.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().skip(1).find_map(|(at, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then_some(at)
    })
}

/// Where the bracket that begins a text is closed.
fn closing(text: &str) -> Option<usize> {
    let code = crate::session::inspect::expression::outside_strings(text);
    // blanked letters may be shorter than they were
    if code.len() != text.len() {
        return None;
    }
    let mut depth = 0usize;
    code.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Bytes of `<int, string>` where a call or a member follows it.
fn type_arguments(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let end = text.char_indices().find_map(|(at, c)| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if c.is_alphanumeric() || "_.,[]? ".contains(c) => {}
            _ => return Some(None),
        }
        (depth == 0).then_some(Some(at))
    })??;
    text.get(end + 1..)?.trim_start().starts_with(['(', '.']).then_some(end + 1)
}

/// The constant that a text is, with its sign.
pub fn constant(text: &str) -> Option<Operand> {
    let mut parser = Parser { rest: text.trim(), depth: 0 };
    let is_negative = parser.takes("-");
    let Expr::Constant(constant) = parser.primary().filter(|_| parser.rest.is_empty())? else { return None };
    match (is_negative, &constant.known) {
        (false, _) => Some(constant),
        // 2147483648 is a uint, with its sign it is an int
        (true, Known::Int(_, value)) => {
            Some(Operand::constant(Known::Int(IntType::of_literal(-value, false, false)?, -value)))
        }
        (true, Known::Decimal(value)) => Some(Operand::constant(Known::Decimal(value.negated()))),
        (true, Known::Floating(_)) => Some(Operand { text: format!("-{}", constant.text), ..constant }),
        _ => None,
    }
}

/// An integer with its type by suffix and size; a floating number by its text.
pub fn number(token: &str) -> Option<Operand> {
    let plain = token.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match plain.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None => plain.strip_prefix("0b").map_or((plain.as_str(), 10), |binary| (binary, 2)),
    };
    let bare = digits.trim_end_matches(['u', 'l']);
    if let Ok(value) = i128::from_str_radix(bare, radix) {
        let suffix = digits.get(bare.len()..)?;
        let kind = IntType::of_literal(value, suffix.contains('u'), suffix.contains('l'))?;
        return (suffix.len() <= 2).then(|| Operand::constant(Known::Int(kind, value)));
    }
    let (number, name) = match digits.strip_suffix(['f', 'd', 'm']) {
        Some(number) if digits.ends_with('f') => (number, "float"),
        Some(number) if digits.ends_with('m') => (number, "decimal"),
        Some(number) => (number, "double"),
        None => (digits, "double"),
    };
    number.parse::<f64>().ok()?;
    if name == "decimal"
        && let Some(value) = Decimal::parse(number)
    {
        return Some(Operand::constant(Known::Decimal(value)));
    }
    // dncdbg stops reading at an underscore
    Some(Operand { text: token.replace('_', ""), ..Operand::constant(Known::Floating(name)) })
}
