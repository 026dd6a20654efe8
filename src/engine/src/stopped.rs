//! The program while it stands still: the only way to its threads, frames and values.
//!
//! All that is read borrows from a [`Stopped`], and going on takes it, so nothing that was read can be used afterwards. A call in
//! the program borrows it for change: the runtime's objects for frames and values do not outlive a call either.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::com::{self, Interface as _};
use crate::frames::{Frame, FrameData};
use crate::target::Target;
use crate::values::Value;

pub struct Stopped {
    target: Arc<Target>,
    stacks: RefCell<HashMap<u32, Rc<Vec<FrameData>>>>,
}

/// A managed thread.
pub struct Thread<'s> {
    stopped: &'s Stopped,
    pub com: com::Thread,
    /// The system's.
    pub id: u32,
}

impl Stopped {
    /// The caller knows that it stands still, and keeps it so as long as this lives.
    pub fn new(target: Arc<Target>) -> Self {
        Self { target, stacks: RefCell::default() }
    }

    pub fn target(&self) -> &Arc<Target> {
        &self.target
    }

    /// Lets the program run.
    pub fn go_on(self) {
        self.target.go_on();
    }

    /// After a call in the program: what was read of stacks holds no more.
    pub fn forget(&mut self) {
        self.stacks.borrow_mut().clear();
    }

    pub fn threads(&self) -> com::Result<Vec<Thread<'_>>> {
        let all = self.target.process()?.threads()?.rest::<com::Thread>();
        Ok(all.into_iter().filter_map(|com| Some(Thread { stopped: self, id: com.id().ok()?, com })).collect())
    }

    /// # Errors
    /// No managed thread has that id.
    pub fn thread(&self, id: u32) -> com::Result<Thread<'_>> {
        Ok(Thread { stopped: self, com: self.target.process()?.thread(id)?, id })
    }

    pub fn value(&self, com: com::Value) -> Value<'_> {
        Value::new(self, com)
    }
}

impl<'s> Thread<'s> {
    /// The name that the program gave it.
    pub fn name(&self) -> Option<String> {
        let object = self.stopped.value(self.com.object().ok()?);
        let name = object.object()?.field("_name")?;
        name.text()
    }

    /// All frames of managed code, innermost first.
    pub fn stack(&self) -> com::Result<Vec<Frame<'s>>> {
        let known = self.stopped.stacks.borrow().get(&self.id).cloned();
        let stack = match known {
            Some(stack) => stack,
            None => {
                let stack = Rc::new(self.walk()?);
                self.stopped.stacks.borrow_mut().insert(self.id, stack.clone());
                stack
            }
        };
        Ok((0..stack.len()).map(|index| Frame::new(self.stopped, self.id, stack.clone(), index)).collect())
    }

    pub fn frame(&self, index: usize) -> com::Result<Frame<'s>> {
        // a walk over all frames takes a millisecond and more, which a condition cannot afford at each hit
        if index == 0
            && !self.stopped.stacks.borrow().contains_key(&self.id)
            && let Ok(top) = self.top()
        {
            return Ok(top);
        }
        self.stack()?.into_iter().nth(index).ok_or(com::HResult::INVALID_ARGUMENT)
    }

    /// The innermost frame of managed code, without a walk over the whole stack.
    pub fn top(&self) -> com::Result<Frame<'s>> {
        let data =
            FrameData::read(&self.stopped.target, &self.com.active_frame()?).ok_or(com::HResult::INVALID_ARGUMENT)?;
        Ok(Frame::new(self.stopped, self.id, Rc::new(vec![data]), 0))
    }

    fn walk(&self) -> com::Result<Vec<FrameData>> {
        let walk = self.com.cast::<com::Thread3>()?.stack_walk()?;
        let mut frames = Vec::new();
        loop {
            // transitions and native frames have none
            if let Ok(frame) = walk.frame() {
                frames.extend(FrameData::read(&self.stopped.target, &frame));
            }
            if !matches!(walk.next(), Ok(0)) {
                return Ok(frames);
            }
        }
    }

    /// What is thrown, or was caught by the handler that runs.
    pub fn exception(&self) -> Option<Value<'s>> {
        let value = self.stopped.value(self.com.current_exception().ok()?);
        (!value.is_null()).then_some(value)
    }
}
