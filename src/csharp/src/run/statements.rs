//! Runs the statements of a lambda's body.

use crate::bound::{Act, Bound};
use crate::value::Value;
use crate::world::{Evaluated, Failure, World};

use super::Run;

/// How a statement ends.
enum Flow<H> {
    Next,
    Break,
    Continue,
    Return(Value<H>),
}

type Ran<W> = Result<Flow<<W as World>::Handle>, Failure<<W as World>::Error>>;

impl<W: World> Run<'_, W> {
    pub(super) fn block(&mut self, act: &Act) -> Evaluated<W> {
        Ok(match self.act(act)? {
            Flow::Return(value) => value,
            Flow::Next | Flow::Break | Flow::Continue => Value::Void,
        })
    }

    fn act(&mut self, act: &Act) -> Ran<W> {
        self.step()?;
        match act {
            Act::Value(bound) => {
                self.value(bound)?;
            }
            Act::Declare(slot, Some(value)) => {
                let value = self.value(value)?;
                self.set(*slot, value);
            }
            Act::Declare(slot, None) => {
                if let Some(own) = self.slots.get_mut(*slot) {
                    *own = None;
                }
            }
            Act::Several(acts) => return self.acts(acts),
            Act::If { condition, then, otherwise } => {
                return match (self.truth(condition)?, otherwise) {
                    (true, _) => self.act(then),
                    (false, Some(otherwise)) => self.act(otherwise),
                    (false, None) => Ok(Flow::Next),
                };
            }
            Act::Loop { first, condition, next, body, is_after } => {
                self.acts(first)?;
                return self.repeated((condition.as_ref(), *is_after), next, body);
            }
            Act::ForEach { source, slot, body } => {
                let source = self.value(source)?;
                if source.is_null() {
                    return super::null_reference();
                }
                let mut cursor = self.open(&source)?;
                while let Some(item) = cursor(self)? {
                    self.set(*slot, item);
                    match self.act(body)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        found @ Flow::Return(_) => return Ok(found),
                    }
                }
            }
            Act::Return(Some(value)) => return self.value(value).map(Flow::Return),
            Act::Return(None) => return Ok(Flow::Return(Value::Void)),
            Act::Break => return Ok(Flow::Break),
            Act::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn acts(&mut self, acts: &[Act]) -> Ran<W> {
        for act in acts {
            match self.act(act)? {
                Flow::Next => {}
                found => return Ok(found),
            }
        }
        Ok(Flow::Next)
    }

    fn repeated(&mut self, (condition, is_after): (Option<&Bound>, bool), next: &[Bound], body: &Act) -> Ran<W> {
        let mut is_first = is_after;
        loop {
            if let Some(condition) = condition.filter(|_| !is_first)
                && !self.truth(condition)?
            {
                return Ok(Flow::Next);
            }
            is_first = false;
            match self.act(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                found @ Flow::Return(_) => return Ok(found),
            }
            for step in next {
                self.value(step)?;
            }
        }
    }
}
