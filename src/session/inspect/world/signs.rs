//! The signs of numbers in the program's culture. An adapter puts numbers into texts by the culture of its own process, so the program is
//! asked.

use super::program::Program;
use super::reading::failed;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::Raw;

/// What has the signs of the culture that the thread has now.
const CURRENT: &str = "System.Globalization.NumberFormatInfo.CurrentInfo";

impl Program<'_> {
    /// A number as the program writes it, from what the invariant culture makes of it.
    pub(super) fn in_culture(&self, invariant: &str) -> Result<String, EvalError> {
        let mut text = String::with_capacity(invariant.len());
        for sign in invariant.chars() {
            match property(sign) {
                Some(property) => text.push_str(&self.sign(sign, property)?),
                None => text.push(sign),
            }
        }
        Ok(text)
    }

    fn sign(&self, sign: char, property: &str) -> Result<String, EvalError> {
        if let Some((_, known)) = self.signs.borrow().iter().find(|(of, _)| *of == sign) {
            return Ok(known.clone());
        }
        if self.reader.read_only {
            return failed("the text of this number depends on the program's culture, and this server is read-only");
        }
        let found = match self.ask(&format!("{CURRENT}.{property}")).map(|shown| shown.parsed()) {
            Ok(Raw::Text(text)) => text,
            _ => return failed("the text of this number depends on the program's culture, which cannot be read here"),
        };
        self.signs.borrow_mut().push((sign, found.clone()));
        Ok(found)
    }
}

/// Where `NumberFormatInfo` has what the invariant culture writes so.
fn property(sign: char) -> Option<&'static str> {
    match sign {
        '-' => Some("NegativeSign"),
        '+' => Some("PositiveSign"),
        '.' => Some("NumberDecimalSeparator"),
        _ => None,
    }
}
