//! What is known of an expression's side effects before the program comes to a place.

use clr_csharp::pure::{self, Foreseen};
use clr_csharp::syntax;

use super::Modules;

/// Expressions at places whose side effects are kept.
const KEPT: usize = 256;

impl Modules {
    /// Of an expression at a line's first code; `None`: it has no meaning there, or nothing is known of the code. `text`: without blanks
    /// around it.
    pub(crate) fn foresee(&self, path: &str, line: u32, text: &str) -> Option<Foreseen> {
        let key = (path.to_owned(), line, text.to_owned());
        if let Some(known) = self.lock().types.foreseen.get(&key) {
            return known.clone();
        }
        let foreseen = self.foreseen(path, line, text);
        let mut inner = self.lock();
        if inner.types.foreseen.len() >= KEPT {
            inner.types.foreseen.clear();
        }
        inner.types.foreseen.insert(key, foreseen.clone());
        foreseen
    }

    fn foreseen(&self, path: &str, line: u32, text: &str) -> Option<Foreseen> {
        let (scope, _) = self.scope_at(path, (line, 0))?;
        let expr = syntax::parse(text).ok()?;
        let (version, types) = self.take_types();
        let foreseen = pure::foresee(&expr, (&types, &scope), &self.purity());
        self.keep_types((version, types));
        foreseen
    }
}
