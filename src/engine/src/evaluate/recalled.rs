//! Expressions that are asked again where they were asked before: their names are resolved, and what they read lies where it lay.
//!
//! The first stack walk after a stop costs the runtime's library a millisecond (275 reads of the target's memory; .NET 10). So an
//! evaluation notes where it found what it read (`homes`). The next time it reads registers and a few bytes. What it does not find
//! that way is evaluated as at the first time.

use std::fmt;
use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::run::Prepared;
use clr_csharp::types::{FieldRef, MethodRef, Type, TypeSystem};
use clr_csharp::value::Value;
use clr_csharp::world::{Evaluated, Failure, Found, World};
use clr_metadata::{Assembly, MethodId, Primitive};

use crate::breakpoints::{Homes, Memory};
use crate::com::{self, Interface as _};
use crate::stopped::Stopped;
use crate::values::Located;

/// After so many evaluations that were not remembered wholly nothing is tried any more.
const MOST_MISSES: u32 = 8;

impl Memory {
    /// What `read` makes of the expressions where they were evaluated before; `None`: they have to be evaluated.
    pub(super) fn recall<T>(
        &mut self,
        stopped: &Stopped,
        thread: u32,
        read: impl FnOnce(&[Prepared], &mut Recalled<'_>, &TypeSystem) -> Option<T>,
    ) -> Option<T> {
        if self.known.is_empty() {
            return None;
        }
        let target = stopped.target();
        let registers = target.process().ok()?.registers(thread).ok()?;
        let known = self.known.get_mut(&registers.instruction_pointer).filter(|it| it.misses < MOST_MISSES)?;
        let loaded = target.take_types()?;
        let is_current = loaded.version == known.version;
        let mut recalled = Recalled { homes: &known.homes, pid: target.pid, frame_pointer: registers.frame_pointer };
        let answer = is_current.then(|| read(&known.prepared, &mut recalled, &loaded.types)).flatten();
        target.keep_types(loaded);
        known.misses = match answer {
            Some(_) => 0,
            None => known.misses + 1,
        };
        answer
    }
}

/// Whether the variables of a thread's innermost frame stay where they are: its code is not optimized, and no type parameter decides.
pub fn is_steady(stopped: &Stopped, thread: u32) -> bool {
    let Ok(frame) = stopped.thread(thread).and_then(|thread| thread.frame(0)) else { return false };
    let settings = frame.data().module.com.cast::<com::Module2>();
    let flags = settings.and_then(|module| module.jit_flags()).unwrap_or(0);
    flags & com::JIT_DISABLE_OPTIMIZATION == com::JIT_DISABLE_OPTIMIZATION && frame.type_arguments().is_empty()
}

/// The program as far as it is remembered.
pub(super) struct Recalled<'a> {
    homes: &'a Homes,
    pid: u32,
    frame_pointer: u64,
}

impl Recalled<'_> {
    /// A value that says all of itself; of an object that is a text.
    pub(super) fn plain(&self, value: Value<u64>) -> Option<Constant> {
        match value {
            Value::Constant(constant) => Some(constant),
            Value::Object(object) => self.homes.text(self.pid, object).map(Constant::Text),
            Value::Made(_) | Value::Void => None,
        }
    }
}

/// It is not remembered.
pub(super) struct Forgotten;

impl fmt::Display for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not remembered")
    }
}

fn forgotten<T>() -> Result<T, Failure<Forgotten>> {
    Err(Failure::World(Forgotten))
}

impl World for Recalled<'_> {
    /// The address of an object.
    type Handle = u64;
    type Error = Forgotten;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        self.homes.variable(self.pid, self.frame_pointer, position).ok_or(Failure::World(Forgotten))
    }

    fn set_variable(&mut self, _: usize, _: &Value<u64>) -> Result<(), Failure<Forgotten>> {
        forgotten()
    }

    fn field(&mut self, of: Option<&u64>, field: &FieldRef) -> Evaluated<Self> {
        let found = of.and_then(|&object| self.homes.field(self.pid, Located::Object(object), field));
        found.map(|(value, _)| value).ok_or(Failure::World(Forgotten))
    }

    fn set_field(&mut self, _: Option<&u64>, _: &FieldRef, _: &Value<u64>) -> Result<(), Failure<Forgotten>> {
        forgotten()
    }

    fn element(&mut self, _: &u64, _: usize) -> Evaluated<Self> {
        forgotten()
    }

    fn set_element(&mut self, _: &u64, _: usize, _: &Value<u64>) -> Result<(), Failure<Forgotten>> {
        forgotten()
    }

    fn dimensions(&mut self, _: &u64) -> Found<Vec<(i32, usize)>, Self> {
        forgotten()
    }

    fn text(&mut self, of: &u64) -> Result<Option<Arc<[u16]>>, Failure<Forgotten>> {
        match self.type_of(of)? {
            Type::Primitive(Primitive::String) => {
                self.homes.text(self.pid, *of).map(Some).ok_or(Failure::World(Forgotten))
            }
            _ => Ok(None),
        }
    }

    fn type_of(&mut self, of: &u64) -> Result<Type, Failure<Forgotten>> {
        self.homes.type_of(self.pid, *of).cloned().ok_or(Failure::World(Forgotten))
    }

    fn unboxed(&mut self, _: &u64) -> Found<Constant, Self> {
        forgotten()
    }

    fn is_same(&mut self, one: &u64, other: &u64) -> Result<bool, Failure<Forgotten>> {
        Ok(one == other)
    }

    fn has_begun(&mut self, _: &Arc<Assembly>, _: MethodId) -> bool {
        false
    }

    fn elements(&mut self, _: &u64, _: usize) -> Found<Vec<Value<u64>>, Self> {
        forgotten()
    }

    fn call(&mut self, _: &MethodRef, _: Option<&Value<u64>>, _: &mut [Value<u64>]) -> Evaluated<Self> {
        forgotten()
    }

    fn new_object(&mut self, _: &Type, _: Option<&MethodRef>, _: &[Value<u64>]) -> Evaluated<Self> {
        forgotten()
    }

    fn copy(&mut self, _: &Value<u64>) -> Evaluated<Self> {
        forgotten()
    }

    fn new_array(&mut self, _: &Type, _: &[Value<u64>]) -> Evaluated<Self> {
        forgotten()
    }
}
