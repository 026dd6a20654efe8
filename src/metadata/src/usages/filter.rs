//! Which method bodies need no decoding: those whose bytes hold none of the wanted tokens.

use memchr::memmem::Finder;

use crate::assembly::Assembly;
use crate::schema::Table;
use crate::tokens::{MethodId, Token};

/// With more tokens, decoding all bodies is as fast.
const MOST: usize = 8;

/// `None`: any body may name one.
pub(super) struct Filter(Option<Vec<Finder<'static>>>);

impl Filter {
    pub(super) fn new(tokens: impl ExactSizeIterator<Item = Token>) -> Self {
        let finder = |token: Token| Finder::new(&token.0.to_le_bytes()).into_owned();
        Self((tokens.len() <= MOST).then(|| tokens.map(finder).collect()))
    }

    /// The methods of an assembly whose code may name one, in file order. An operand is four bytes in a row (III.1.7.1); the same
    /// bytes may also be something else.
    pub(super) fn methods(&self, assembly: &Assembly) -> Vec<MethodId> {
        match &self.0 {
            Some(tokens) => assembly.bodies().holding(assembly.metadata.bytes(), tokens),
            None => assembly.metadata.rows(Table::MethodDef).map(MethodId).collect(),
        }
    }
}
