//! What a task that has completed holds: the getter of `Result` would wait for one that has not, that of `Exception` marks the
//! exception as observed.

use crate::bound::{Bound, Kind};
use crate::types::{PropertyRef, Type};
use crate::value::{Content, Made, Value};
use crate::world::{Evaluated, Failure, World};

use super::{Run, unsupported};

const TASK: &str = "System.Threading.Tasks.Task`1";
const VALUE_TASK: &str = "System.Threading.Tasks.ValueTask`1";

const PLAIN_TASK: &str = "System.Threading.Tasks.Task";
const AGGREGATE: &str = "System.AggregateException";
const EXCEPTION: &str = "System.Exception";

/// Of `m_stateFlags` (Task.cs): it ran to its end, it was cancelled, it threw.
const RAN_TO_COMPLETION: i128 = 0x100_0000;
const FAULTED: i128 = 0x20_0000;
const HAS_ENDED: i128 = RAN_TO_COMPLETION | 0x40_0000 | FAULTED;
/// Of what a task has beside, down to the list of what was thrown (Task.cs, TaskExceptionHolder.cs).
const THROWN: [&str; 3] = ["m_contingentProperties", "m_exceptionsHolder", "m_faultExceptions"];

impl<W: World> Run<'_, W> {
    /// `Result` of a task that ran to its end. `None`: the getter returns it, or throws.
    pub(super) fn result_of_task(
        &mut self,
        task: &W::Handle,
        owner: &Type,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        if owner.is(VALUE_TASK) {
            return match self.own_field(task, owner, "_obj")? {
                Some(Value::Object(inner)) => {
                    let inner_type = self.world.type_of(&inner)?;
                    let task = self.types.chain(&inner_type).into_iter().find(|type_| type_.is(TASK));
                    task.map_or(Ok(None), |task| self.result_of_task(&inner, &task))
                }
                Some(value) if value.is_null() => self.own_field(task, owner, "_result"),
                _ => Ok(None),
            };
        }
        if !owner.is(TASK) {
            return Ok(None);
        }
        match self.own_field(task, owner, "m_stateFlags")?.and_then(|flags| flags.as_integer()) {
            Some(flags) if flags & RAN_TO_COMPLETION != 0 => self.own_field(task, owner, "m_result"),
            Some(flags) if flags & HAS_ENDED == 0 => {
                unsupported("the task has not completed; reading its result would block until it does")
            }
            _ => Ok(None),
        }
    }

    /// `Exception` of a task: where it is only passed through, on the way to a member.
    pub(super) fn exception_on_the_way(
        &mut self,
        bound: &Bound,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let Kind::Property { of: Some(of), property, .. } = &bound.kind else { return Ok(None) };
        if !is_exception_of_task(property) {
            return Ok(None);
        }
        match self.value(of)? {
            Value::Object(task) => self.thrown_by_task(&task).map(Some),
            // who reads it says what is null
            _ => Ok(None),
        }
    }

    /// `Exception` of a task, as the getter makes it: an exception of its own, around those that were thrown.
    pub(super) fn exception_of_task(&mut self, task: &W::Handle) -> Evaluated<W> {
        let aggregate = self.thrown_by_task(task)?;
        match self.in_program(aggregate.clone(), &Type::named(AGGREGATE, Vec::new())) {
            Err(Failure::World(error)) if self.world.cannot_run(&error) => Ok(aggregate),
            made => made,
        }
    }

    /// Read from the task's fields; null for one that did not throw.
    fn thrown_by_task(&mut self, task: &W::Handle) -> Evaluated<W> {
        let owner = Type::named(PLAIN_TASK, Vec::new());
        match self.own_field(task, &owner, "m_stateFlags")?.and_then(|flags| flags.as_integer()) {
            Some(flags) if flags & FAULTED == 0 => return Ok(Value::NULL),
            Some(_) => {}
            None => return unsupported("the state of the task cannot be read"),
        }
        let mut at = task.clone();
        let mut type_ = owner;
        for name in THROWN {
            match self.own_field(&at, &type_, name)? {
                Some(Value::Object(inner)) => at = inner,
                Some(value) if value.is_null() => return Ok(Value::NULL),
                _ => return unsupported("the exceptions of the task cannot be read"),
            }
            type_ = self.world.type_of(&at)?;
        }
        let mut inner = Vec::new();
        for info in self.all(&Value::Object(at))? {
            let Value::Object(info) = info else { continue };
            let type_ = self.world.type_of(&info)?;
            inner.extend(self.own_field(&info, &type_, "_exception")?);
        }
        Ok(Value::made(Type::named(AGGREGATE, Vec::new()), Content::Items(inner)))
    }

    /// A member of an exception that was read from a task: what it holds is known here, the rest its own code knows.
    pub(super) fn property_of_aggregate(
        &mut self,
        made: &Made<W::Handle>,
        (value, property): (&Value<W::Handle>, &PropertyRef),
    ) -> Evaluated<W> {
        let Content::Items(inner) = &made.content else { return unsupported("it is not an exception") };
        match property.property.name.as_str() {
            "InnerException" => Ok(inner.first().cloned().unwrap_or(Value::NULL)),
            "InnerExceptions" => Ok(Value::made(property.type_(), Content::Items(inner.clone()))),
            _ => {
                let there = self.in_program(value.clone(), &made.type_)?;
                self.property_of(&there, property, &[])
            }
        }
    }
}

/// Whether it is what a task threw.
pub(crate) fn is_exception_of_task(property: &PropertyRef) -> bool {
    property.owner.is(PLAIN_TASK) && property.property.name == "Exception"
}

/// An exception that stands for those of a task.
pub(super) fn is_aggregate<H>(made: &Made<H>) -> bool {
    made.type_.is(AGGREGATE)
}

/// What the constructor takes that it is made by.
pub(super) fn inner_exceptions() -> Type {
    Type::array(Type::named(EXCEPTION, Vec::new()))
}
