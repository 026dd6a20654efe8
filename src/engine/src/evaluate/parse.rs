//! C# expressions as far as the engine computes them itself.

mod literals;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Null,
    Bool(bool),
    /// Digits without suffix, and the suffix.
    Int(u128, Suffix),
    Double(f64),
    Single(f32),
    Decimal(String),
    Char(u16),
    Text(Vec<u16>),
    Name(String, Vec<String>),
    This,
    Member {
        of: Box<Expr>,
        name: String,
        types: Vec<String>,
        conditional: bool,
    },
    Index {
        of: Box<Expr>,
        indices: Vec<Expr>,
        conditional: bool,
    },
    Call {
        of: Box<Expr>,
        arguments: Vec<Expr>,
    },
    Unary(&'static str, Box<Expr>),
    Binary(Box<Expr>, &'static str, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(String, Box<Expr>),
    New(String, Vec<Expr>),
    TypeOf(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    None,
    Unsigned,
    Long,
    UnsignedLong,
}

/// # Errors
/// What is not understood, and where.
pub fn parse(text: &str) -> Result<Expr, String> {
    whole(text).map_err(|error| match error.starts_with("error CS1") && text.contains("=>") {
        true => "lambdas are not supported".into(),
        false => error,
    })
}

fn whole(text: &str) -> Result<Expr, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut parser = Parser { chars: &chars, at: 0, depth: 0 };
    let expr = parser.conditional()?;
    parser.blanks();
    match parser.peek() {
        None => Ok(expr),
        Some(_) => Err(match KEYWORDS.iter().find(|&&word| parser.rest().split(' ').next() == Some(word)) {
            Some(word) => unsupported(word),
            None => parser.unexpected(),
        }),
    }
}

/// What may stand behind an operand, and is not computed here.
const KEYWORDS: [&str; 4] = ["is", "as", "switch", "with"];

/// In the words of other adapters: what comes before them is not supported.
pub fn unsupported(what: &str) -> String {
    format!("`{what}` not implemented")
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    depth: u32,
}

/// From weakest to strongest.
const LEVELS: &[&[&str]] = &[
    &["??"],
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
const DEPTH: u32 = 64;

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn ahead(&self, by: usize) -> Option<char> {
        self.chars.get(self.at + by).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn rest(&self) -> String {
        self.chars.get(self.at..).unwrap_or_default().iter().take(12).collect()
    }

    fn unexpected(&self) -> String {
        match self.peek() {
            None => "error CS1733: Expected expression".to_owned(),
            Some(_) => format!("error CS1525: Invalid expression term '{}'", self.rest().trim()),
        }
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.blanks();
        let is_here = sign.chars().enumerate().all(|(by, c)| self.ahead(by) == Some(c));
        if is_here {
            self.at += sign.chars().count();
        }
        is_here
    }

    fn needs(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(format!("error CS1003: Syntax error, '{sign}' expected")) }
    }

    fn conditional(&mut self) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("error CS8078: An expression is too long or complex to compile".into());
        }
        let test = self.binary(0)?;
        self.blanks();
        let result = if self.peek() == Some('?') && !matches!(self.ahead(1), Some('.' | '[' | '?')) {
            self.at += 1;
            let then = self.conditional()?;
            self.needs(":")?;
            let otherwise = self.conditional()?;
            Expr::Conditional(Box::new(test), Box::new(then), Box::new(otherwise))
        } else {
            test
        };
        self.depth -= 1;
        Ok(result)
    }

    fn binary(&mut self, level: usize) -> Result<Expr, String> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = self.operator(signs) {
            let right = self.binary(level + 1)?;
            left = Expr::Binary(Box::new(left), sign, Box::new(right));
        }
        Ok(left)
    }

    fn operator(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        self.blanks();
        let found = signs.iter().find(|sign| {
            let length = sign.chars().count();
            let is_here = sign.chars().enumerate().all(|(by, c)| self.ahead(by) == Some(c));
            // `<` is not `<<`, `|` is not `||`, `&` not `&&`; no assignments
            let next = self.ahead(length);
            let goes_on = match **sign {
                "|" | "&" => next == self.peek() || next == Some('='),
                "<" | ">" => next == self.peek() || next == Some('='),
                "+" | "-" | "*" | "/" | "%" | "^" | "<<" | ">>" => next == Some('='),
                _ => false,
            };
            is_here && !goes_on
        })?;
        self.at += found.chars().count();
        Some(found)
    }

    fn unary(&mut self) -> Result<Expr, String> {
        self.blanks();
        for sign in ["!", "-", "+", "~"] {
            if self.peek() == sign.chars().next() && !(sign == "!" && self.ahead(1) == Some('=')) {
                self.at += 1;
                return Ok(Expr::Unary(sign, Box::new(self.unary()?)));
            }
        }
        if let Some(cast) = self.cast()? {
            return Ok(cast);
        }
        let first = self.primary()?;
        self.postfix(first)
    }

    /// `(int)x`: a type in brackets, with an operand behind it.
    fn cast(&mut self) -> Result<Option<Expr>, String> {
        let start = self.at;
        if !self.takes("(") {
            return Ok(None);
        }
        if let Some(type_) = self.type_text() {
            self.blanks();
            if self.takes(")") {
                self.blanks();
                let is_keyword = clr_metadata::Primitive::from_name(&type_).is_some() || type_ == "decimal";
                let next = self.peek();
                let is_operand =
                    next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '(' | '"' | '\'' | '$' | '@'));
                if is_operand || is_keyword && matches!(next, Some('-' | '+' | '!' | '~')) {
                    return Ok(Some(Expr::Cast(type_, Box::new(self.unary()?))));
                }
            }
        }
        self.at = start;
        Ok(None)
    }

    fn postfix(&mut self, mut expr: Expr) -> Result<Expr, String> {
        loop {
            self.blanks();
            let conditional = self.peek() == Some('?') && matches!(self.ahead(1), Some('.' | '['));
            // `x ?.5 : 1` is no member
            if conditional && self.ahead(1) == Some('.') && self.ahead(2).is_some_and(|c| c.is_ascii_digit()) {
                return Ok(expr);
            }
            let from = self.at + usize::from(conditional);
            match self.chars.get(from) {
                Some('.') => {
                    self.at = from + 1;
                    let (name, types) = self.generic_name()?;
                    expr = Expr::Member { of: Box::new(expr), name, types, conditional };
                }
                Some('[') => {
                    self.at = from + 1;
                    let indices = self.list("]")?;
                    expr = Expr::Index { of: Box::new(expr), indices, conditional };
                }
                Some('(') => {
                    self.at = from + 1;
                    let arguments = self.list(")")?;
                    expr = Expr::Call { of: Box::new(expr), arguments };
                }
                // `x!` changes nothing
                Some('!') if self.chars.get(from + 1) != Some(&'=') => self.at = from + 1,
                _ => return Ok(expr),
            }
        }
    }

    fn list(&mut self, end: &str) -> Result<Vec<Expr>, String> {
        let mut list = Vec::new();
        if self.takes(end) {
            return Ok(list);
        }
        loop {
            let item = self.conditional()?;
            if self.takes(end) {
                list.push(item);
                return Ok(list);
            }
            if matches!(&item, Expr::Name(word, _) if matches!(word.as_str(), "out" | "ref" | "in"))
                && self.peek() != Some(',')
            {
                return Err("`out`, `ref` and `in` arguments are not supported here".into());
            }
            list.push(item);
            self.needs(",")?;
        }
    }

    fn primary(&mut self) -> Result<Expr, String> {
        self.blanks();
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.conditional()?;
                self.needs(")")?;
                Ok(inner)
            }
            Some('"') => self.text(false),
            Some('@') if self.ahead(1) == Some('"') => {
                self.at += 1;
                self.text(true)
            }
            Some('\'') => self.character(),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some('.') if self.ahead(1).is_some_and(|c| c.is_ascii_digit()) => self.number(),
            Some(c) if c.is_alphabetic() || matches!(c, '_' | '@' | '$') => self.named(),
            _ => Err(self.unexpected()),
        }
    }

    fn identifier(&mut self) -> Result<String, String> {
        self.blanks();
        if self.peek() == Some('@') {
            self.at += 1;
        }
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            self.at += 1;
        }
        let name: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        if name.is_empty() { Err(self.unexpected()) } else { Ok(name) }
    }

    fn named(&mut self) -> Result<Expr, String> {
        let start = self.at;
        let (name, types) = self.generic_name()?;
        Ok(match name.as_str() {
            "null" => Expr::Null,
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "this" => Expr::This,
            "global" if self.takes("::") => return self.named(),
            "typeof" if self.takes("(") => {
                let type_ = self.type_text().ok_or_else(|| self.unexpected())?;
                self.needs(")")?;
                Expr::TypeOf(type_)
            }
            "new" => {
                let type_ = self.type_text().ok_or_else(|| self.unexpected())?;
                self.needs("(")?;
                Expr::New(type_, self.list(")")?)
            }
            _ => {
                let _ = start;
                Expr::Name(name, types)
            }
        })
    }

    /// `Name<int, string>`, where what follows shows that it is no comparison.
    fn generic_name(&mut self) -> Result<(String, Vec<String>), String> {
        let name = self.identifier()?;
        let start = self.at;
        if self.takes("<") {
            let mut types = Vec::new();
            while let Some(type_) = self.type_text() {
                types.push(type_);
                if !self.takes(",") {
                    break;
                }
            }
            if !types.is_empty() && self.takes(">") {
                self.blanks();
                if matches!(self.peek(), None | Some('(' | '.' | ')' | '[' | ',')) {
                    return Ok((name, types));
                }
            }
            self.at = start;
        }
        Ok((name, Vec::new()))
    }

    /// `Ns.Type<int>[]?`
    fn type_text(&mut self) -> Option<String> {
        let start = self.at;
        let text = self.type_inner();
        if text.is_none() {
            self.at = start;
        }
        text
    }

    fn type_inner(&mut self) -> Option<String> {
        let mut text = self.identifier().ok()?;
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '$') {
            return None;
        }
        loop {
            if self.takes("<") {
                let mut inner = Vec::new();
                loop {
                    inner.push(self.type_text()?);
                    if !self.takes(",") {
                        break;
                    }
                }
                if !self.takes(">") {
                    return None;
                }
                text = format!("{text}<{}>", inner.join(", "));
            }
            if !self.takes(".") {
                break;
            }
            text = format!("{text}.{}", self.identifier().ok()?);
        }
        loop {
            let start = self.at;
            if self.takes("[") {
                let mut commas = String::new();
                while self.takes(",") {
                    commas.push(',');
                }
                if self.takes("]") {
                    text = format!("{text}[{commas}]");
                    continue;
                }
                self.at = start;
            } else if self.peek() == Some('?') && !matches!(self.ahead(1), Some('.' | '[' | '?')) {
                self.at += 1;
                text.push('?');
                continue;
            }
            return Some(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Expr {
        Expr::Name(name.into(), vec![])
    }

    fn member(of: Expr, name: &str) -> Expr {
        Expr::Member { of: Box::new(of), name: name.into(), types: vec![], conditional: false }
    }

    #[test]
    fn paths_indexers_and_calls() {
        let index = Expr::Index {
            of: Box::new(member(name("order"), "Lines")),
            indices: vec![Expr::Int(0, Suffix::None)],
            conditional: false,
        };
        assert_eq!(parse("order.Lines[0].Price"), Ok(member(index, "Price")));
        let call =
            Expr::Call { of: Box::new(member(name("x"), "Get")), arguments: vec![Expr::Text(vec![97]), name("i")] };
        assert_eq!(parse(" x.Get(\"a\", i) "), Ok(call));
    }

    #[test]
    fn operators_bind_as_in_csharp() {
        let int = |n| Box::new(Expr::Int(n, Suffix::None));
        let product = Box::new(Expr::Binary(int(2), "*", int(3)));
        assert_eq!(parse("1 + 2 * 3 "), Ok(Expr::Binary(int(1), "+", product)));
        assert!(matches!(parse("a < b && c > d"), Ok(Expr::Binary(_, "&&", _))));
        assert!(matches!(parse("a ? b : c"), Ok(Expr::Conditional(..))));
        assert!(matches!(parse("a?.b ?? c"), Ok(Expr::Binary(_, "??", _))));
        assert!(matches!(parse("(int)x + 1"), Ok(Expr::Binary(_, "+", _))));
        assert!(matches!(parse("(x) + 1"), Ok(Expr::Binary(_, "+", _))));
        assert!(matches!(parse("M<int>(x)"), Ok(Expr::Call { .. })));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in ["", "a +", "a b", "\"x", "1x", "f(", "x = 1", "a += 1", "'ab'"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"(".repeat(1000)).is_err());
    }
}
