//! Queries (ECMA-334, 12.20).

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::tree::{Clause, Join, TypeName};

impl Parser<'_> {
    /// `None`: no query begins here.
    pub(super) fn query(&mut self) -> Result<Option<Vec<Clause>>, SyntaxError> {
        let begins = self.is_word("from")
            && self
                .attempt(|parser| {
                    parser.skip();
                    let at = parser.at;
                    parser.range_variable().ok().filter(|_| parser.is_word("in")).map(|_| parser.at = at - 1)
                })
                .is_some();
        if !begins {
            return Ok(None);
        }
        let was = std::mem::replace(&mut self.in_query, true);
        let clauses = self.clauses();
        self.in_query = was;
        clauses.map(Some)
    }

    /// `x`, or `T x`.
    fn range_variable(&mut self) -> Result<(Option<TypeName>, String), SyntaxError> {
        let type_ = match self.word_ahead(1) {
            Some("in") => None,
            _ => Some(self.type_()?),
        };
        Ok((type_, self.identifier()?))
    }

    fn clauses(&mut self) -> Result<Vec<Clause>, SyntaxError> {
        let mut clauses = Vec::new();
        loop {
            self.deeper()?;
            let Some(word) = self.word_ahead(0) else { return Err(self.ended()) };
            self.skip();
            match word {
                "from" => {
                    let (type_, name) = self.range_variable()?;
                    self.needs_word("in")?;
                    clauses.push(Clause::From { name, type_, source: self.expression()? });
                }
                "let" => {
                    let name = self.identifier()?;
                    self.needs("=")?;
                    clauses.push(Clause::Let { name, value: self.expression()? });
                }
                "where" => clauses.push(Clause::Where(self.expression()?)),
                "join" => clauses.push(Clause::Join(Box::new(self.join()?))),
                "orderby" => {
                    let mut keys = Vec::new();
                    loop {
                        let key = self.expression()?;
                        let is_descending = self.takes_word("descending");
                        if !is_descending {
                            self.takes_word("ascending");
                        }
                        keys.push((key, is_descending));
                        if !self.takes(",") {
                            break;
                        }
                    }
                    clauses.push(Clause::OrderBy(keys));
                }
                "select" | "group" => {
                    let value = self.expression()?;
                    clauses.push(match word {
                        "select" => Clause::Select(value),
                        _ => {
                            self.needs_word("by")?;
                            Clause::GroupBy { value, key: self.expression()? }
                        }
                    });
                    if !self.takes_word("into") {
                        return Ok(clauses);
                    }
                    clauses.push(Clause::Into(self.identifier()?));
                }
                _ => {
                    self.at -= 1;
                    return Err(self.ended());
                }
            }
        }
    }

    fn ended(&self) -> SyntaxError {
        self.error("CS0742", "A query body must end with a select clause or a group clause")
    }

    fn join(&mut self) -> Result<Join, SyntaxError> {
        let (type_, name) = self.range_variable()?;
        self.needs_word("in")?;
        let source = self.expression()?;
        self.needs_word("on")?;
        let left = self.expression()?;
        self.needs_word("equals")?;
        let right = self.expression()?;
        let into = if self.takes_word("into") { Some(self.identifier()?) } else { None };
        Ok(Join { name, type_, source, left, right, into })
    }
}
