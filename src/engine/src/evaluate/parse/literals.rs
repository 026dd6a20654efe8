//! Numbers, characters and strings.

use super::{Expr, Parser, Suffix};

impl Parser<'_> {
    pub(super) fn number(&mut self) -> Result<Expr, String> {
        let start = self.at;
        let radix = match (self.peek(), self.ahead(1)) {
            (Some('0'), Some('x' | 'X')) => 16,
            (Some('0'), Some('b' | 'B')) => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
        }
        let mut digits = String::new();
        let mut is_real = false;
        while let Some(c) = self.peek() {
            let next = self.ahead(1);
            match c {
                '_' => {}
                c if c.is_digit(radix) => digits.push(c),
                '.' if radix == 10 && !is_real && next.is_some_and(|next| next.is_ascii_digit()) => {
                    is_real = true;
                    digits.push('.');
                }
                'e' | 'E' if radix == 10 && next.is_some_and(|n| n.is_ascii_digit() || matches!(n, '+' | '-')) => {
                    is_real = true;
                    digits.push('e');
                    if matches!(next, Some('+' | '-')) {
                        digits.extend(next);
                        self.at += 1;
                    }
                }
                _ => break,
            }
            self.at += 1;
        }
        let suffix_start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            self.at += 1;
        }
        let suffix: String = self.chars.get(suffix_start..self.at).unwrap_or_default().iter().collect();
        let shown: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        let wrong = || format!("error CS1013: Invalid number '{shown}'");
        let real = || digits.parse::<f64>().map_err(|_| wrong());
        match suffix.to_ascii_lowercase().as_str() {
            "f" if radix == 10 => digits.parse().map(Expr::Single).map_err(|_| wrong()),
            "d" if radix == 10 => real().map(Expr::Double),
            "m" => Ok(Expr::Decimal(digits)),
            "" if is_real => real().map(Expr::Double),
            _ if is_real => Err(wrong()),
            suffix => {
                let number = u128::from_str_radix(&digits, radix).map_err(|_| wrong())?;
                let suffix = match suffix {
                    "" => Suffix::None,
                    "u" => Suffix::Unsigned,
                    "l" => Suffix::Long,
                    "ul" | "lu" => Suffix::UnsignedLong,
                    _ => return Err(wrong()),
                };
                Ok(Expr::Int(number, suffix))
            }
        }
    }

    pub(super) fn character(&mut self) -> Result<Expr, String> {
        self.at += 1;
        let mut units = Vec::new();
        while self.peek().is_some_and(|c| c != '\'') {
            self.unit(&mut units)?;
        }
        self.needs("'")?;
        match units.as_slice() {
            [unit] => Ok(Expr::Char(*unit)),
            _ => Err("error CS1012: Too many characters in character literal".into()),
        }
    }

    pub(super) fn text(&mut self, verbatim: bool) -> Result<Expr, String> {
        self.at += 1;
        let mut units = Vec::new();
        loop {
            match self.peek() {
                None => return Err("error CS1010: Newline in constant".into()),
                Some('"') if verbatim && self.ahead(1) == Some('"') => {
                    units.push(u16::from(b'"'));
                    self.at += 2;
                }
                Some('"') => {
                    self.at += 1;
                    return Ok(Expr::Text(units));
                }
                Some(c) if verbatim => {
                    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                    self.at += 1;
                }
                Some(_) => self.unit(&mut units)?,
            }
        }
    }

    /// One character, escaped or not.
    fn unit(&mut self, units: &mut Vec<u16>) -> Result<(), String> {
        let Some(c) = self.peek() else { return Err(self.unexpected()) };
        self.at += 1;
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            return Ok(());
        }
        let escape = self.peek().ok_or("error CS1009: Unrecognized escape sequence")?;
        self.at += 1;
        let plain = match escape {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '\\' | '\'' | '"' => escape,
            'u' | 'x' => {
                let mut hex = String::new();
                while hex.len() < 4 && self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                    hex.extend(self.peek());
                    self.at += 1;
                }
                units.push(u16::from_str_radix(&hex, 16).map_err(|_| "error CS1009: Unrecognized escape sequence")?);
                return Ok(());
            }
            _ => return Err("error CS1009: Unrecognized escape sequence".into()),
        };
        units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
        Ok(())
    }
}
