//! Where a value is: what a client gets instead of the value, so that it can be read again after code of the program ran.

use clr_metadata::{FieldId, VariableRoot};

use super::thread_statics::is_misread;
use super::{Content, Value, lost};
use crate::com::{self, HResult, Interface as _};
use crate::stopped::Stopped;

/// A way to a value, as long as the program stands still; calls in between do no harm.
#[derive(Clone)]
pub struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
    found: Option<Found>,
}

/// Where something lies, until code of the program runs.
#[derive(Clone, Copy)]
struct Found {
    there: Located,
    era: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Located {
    /// The object that a reference leads to.
    Object(u64),
    /// A struct, which lies in the place itself.
    Struct(u64),
}

#[derive(Clone)]
pub enum Root {
    Variable {
        thread: u32,
        frame: usize,
        root: VariableRoot,
    },
    /// The state machine of an async method that waits for what a thread runs, by its position among those.
    Waiting {
        thread: u32,
        waiting: usize,
    },
    /// The exception of a thread.
    Exception(u32),
    /// Of `[ThreadStatic]` ones, that of the thread.
    Static {
        thread: u32,
        type_: com::Type,
        field: FieldId,
    },
    /// What a call gave: a handle, which the garbage collector knows.
    Kept(com::Value),
    Referred(Referred),
}

/// A struct that a call returned by reference.
#[derive(Clone)]
pub struct Referred {
    /// Itself, until code of the program runs.
    pub there: com::Value,
    /// As it was then, in a box; none where making one would run code.
    pub copy: Option<com::Value>,
    pub era: u64,
}

impl Referred {
    pub fn is_there(&self, stopped: &Stopped) -> bool {
        self.era == stopped.era()
    }
}

#[derive(Clone)]
pub enum Step {
    Field {
        class: com::Class,
        field: FieldId,
    },
    /// By position through all dimensions.
    Element(u32),
    /// The struct in a `T?`.
    Inside,
}

impl Place {
    pub fn of(root: Root) -> Self {
        Self { root, steps: Vec::new(), found: None }
    }

    /// That what is there was found at an address, in a time between two calls of the program's code.
    pub fn found_at(self, there: Located, era: u64) -> Self {
        Self { found: Some(Found { there, era }), ..self }
    }

    /// Where that is, if it was found in that time.
    pub fn found_in(&self, era: u64) -> Option<Located> {
        self.found.filter(|found| found.era == era).map(|found| found.there)
    }

    /// The address of the object that it refers to, if it was found in that time.
    pub fn object_in(&self, era: u64) -> Option<u64> {
        match self.found_in(era) {
            Some(Located::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// Further on from here.
    pub fn then(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { root: self.root.clone(), steps, found: None }
    }

    /// # Errors
    /// The way is broken: something on it is null now, or the frame has no home for it.
    pub fn read<'s>(&self, stopped: &'s Stopped) -> com::Result<Value<'s>> {
        let mut value = self.root.read(stopped)?;
        for step in &self.steps {
            value = step.follow(&value)?;
        }
        Ok(value)
    }
}

impl Root {
    fn read<'s>(&self, stopped: &'s Stopped) -> com::Result<Value<'s>> {
        let com = match self {
            Self::Variable { thread, frame, root } => {
                // each value would take the runtime's library minutes
                if stopped.is_overflowed(*thread) {
                    return Err(HResult::TOO_MANY_FRAMES);
                }
                let frame = stopped.thread(*thread)?.frame(*frame)?;
                match *root {
                    VariableRoot::Argument(number) => frame.data().il.argument(u32::from(number))?,
                    VariableRoot::Slot(slot) => {
                        let value = frame.data().il.local(u32::from(slot))?;
                        if lost::is_lost(stopped, *thread, frame.data(), (slot, &value)) {
                            return Err(HResult::LOST);
                        }
                        value
                    }
                }
            }
            Self::Waiting { thread, waiting } => return stopped.waiting_machine(*thread, *waiting),
            Self::Exception(thread) => return stopped.thread(*thread)?.exception().ok_or(HResult::INVALID_ARGUMENT),
            Self::Static { type_, field, .. } if is_misread(stopped, type_, *field) => {
                return Err(HResult::NOT_IMPLEMENTED);
            }
            Self::Static { thread, type_, field } => {
                let own = || -> com::Result<com::Value> {
                    let frame: com::Frame = stopped.thread(*thread)?.frame(0)?.data().il.cast()?;
                    type_.static_field(field.token().0, Some(&frame))
                };
                match type_.static_field(field.token().0, None) {
                    Err(HResult::INVALID_ARGUMENT) => own()?,
                    found => found?,
                }
            }
            Self::Kept(value) => value.clone(),
            Self::Referred(referred) if referred.is_there(stopped) => referred.there.clone(),
            Self::Referred(referred) => referred.copy.clone().ok_or(HResult::POINTER)?,
        };
        Ok(stopped.value(com))
    }
}

impl Step {
    pub fn follow<'s>(&self, value: &Value<'s>) -> com::Result<Value<'s>> {
        match self {
            Self::Field { class, field } => {
                let target = value.target()?.ok_or(HResult::POINTER)?;
                let com: com::ObjectValue = target.com().cast()?;
                Ok(value.stopped().value(com.field(class, field.token().0)?))
            }
            Self::Element(position) => match value.content()? {
                Content::Array(array) => array.at(*position),
                _ => Err(HResult::INVALID_ARGUMENT),
            },
            Self::Inside => {
                let target = value.target()?.ok_or(HResult::POINTER)?;
                let com: com::ObjectValue = target.com().cast()?;
                let type_ = target.type_()?;
                let object = super::Object { stopped: value.stopped(), com, type_ };
                object.nullable()?.ok_or(HResult::POINTER)
            }
        }
    }
}
