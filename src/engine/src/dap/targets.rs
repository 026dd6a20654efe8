//! `stepInTargets`: the calls of the statement that a step may be for.

use dap_wire::{StepInTarget, StepInTargetsArguments, StepInTargetsResponse};

use super::server::{Answer, Server, body, refused};
use crate::com::HResult;
use crate::stepping::calls_at;

impl Server {
    /// A target's id is the IL offset of its call.
    pub(super) fn step_in_targets(&mut self, arguments: &StepInTargetsArguments) -> Answer {
        let pause = self.paused()?;
        let known = pause.references.frame_of(arguments.frame_id);
        let (thread, frame) =
            known.ok_or_else(|| refused("no such frameId at this stop", HResult::INVALID_ARGUMENT))?;
        if frame != 0 {
            return Err("only the innermost frame of a thread has calls to step into".into());
        }
        let top = pause.stopped.thread(thread).and_then(|thread| thread.top());
        let top = top.map_err(|error| refused("the thread is not in managed code", error))?;
        let calls = calls_at(pause.stopped.target(), top.data());
        let targets = calls.into_iter().map(|call| StepInTarget { id: call.offset.into(), label: call.label });
        body(StepInTargetsResponse { targets: targets.collect() })
    }
}
