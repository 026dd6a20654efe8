//! What a task that has completed holds: its getter would wait for one that has not.

use crate::types::Type;
use crate::value::Value;
use crate::world::{Failure, World};

use super::{Run, unsupported};

const TASK: &str = "System.Threading.Tasks.Task`1";
const VALUE_TASK: &str = "System.Threading.Tasks.ValueTask`1";

/// Of `m_stateFlags` (Task.cs): it ran to its end, it was cancelled, it threw.
const RAN_TO_COMPLETION: i128 = 0x100_0000;
const HAS_ENDED: i128 = RAN_TO_COMPLETION | 0x40_0000 | 0x20_0000;

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
}
