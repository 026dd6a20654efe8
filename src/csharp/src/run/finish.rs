//! What an expression gives in the end: with the elements of what is not computed yet.

use crate::value::{Content, Value};
use crate::world::{Evaluated, World};

use super::Run;

impl<W: World> Run<'_, W> {
    /// With the elements of what is not computed yet.
    pub(super) fn finished(&mut self, value: Value<W::Handle>, depth: u32) -> Evaluated<W> {
        let Value::Made(made) = &value else { return Ok(value) };
        if depth == 0 {
            return Ok(value);
        }
        let (type_, next) = (made.type_.clone(), depth - 1);
        let mut all = |items: Vec<Value<W::Handle>>| {
            items.into_iter().map(|item| self.finished(item, next)).collect::<Result<Vec<_>, _>>()
        };
        let content = match &made.content {
            Content::Query { .. } => {
                let items = self.all(&value)?;
                let items = items.into_iter().map(|item| self.finished(item, next)).collect::<Result<Vec<_>, _>>()?;
                Content::Items(items)
            }
            Content::Items(items) => Content::Items(all(items.clone())?),
            Content::Tuple(items) => Content::Tuple(all(items.clone())?),
            Content::Group { key, items } => Content::Group { key: key.clone(), items: all(items.clone())? },
            _ => return Ok(value),
        };
        Ok(Value::made(type_, content))
    }
}
