//! What everybody but the actor holds of a session. Every method hands its command over before it returns,
//! so commands reach the actor in the order of the calls.

use std::time::Duration;

use super::error::{Code, SessionError};
use super::ids::{SessionId, ThreadId};
use super::reply::{Reply, Wait};
use super::report::{Receipt, Report};
use super::spec::*;
use super::view::*;

/// One session. Cheap to clone.
#[derive(Debug, Clone)]
pub struct SessionHandle {
    id: SessionId,
}

fn later<T>() -> Reply<T> {
    Reply::ready(Err(SessionError::new(Code::InternalError, "not there yet", "")))
}

impl SessionHandle {
    pub fn id(&self) -> &SessionId {
        &self.id
    }
    pub fn resume(&self, _what: Resume, _include: Include, _wait: Wait) -> Reply<Report> {
        later()
    }
    /// At a stop it answers that stop.
    pub fn pause(&self, _thread: Option<ThreadId>, _include: Include, _wait: Wait) -> Reply<Report> {
        later()
    }
    /// breakpoint_wait.
    pub fn wait(&self, _what: WaitFor, _include: Include, _wait: Wait) -> Reply<Report> {
        later()
    }
    /// `terminate`: `None` = true for a launched program, false for an attached one.
    pub fn disconnect(&self, _terminate: Option<bool>) -> Reply<Report> {
        later()
    }
    /// The client never got the report with this receipt (it cancelled): the next wait tells it again.
    pub fn not_delivered(&self, _receipt: Receipt) {}
    pub fn threads(&self, _expressions: Vec<String>) -> Reply<Vec<ThreadGroup>> {
        later()
    }
    pub fn stack(&self, _query: StackQuery) -> Reply<StackView> {
        later()
    }
    pub fn variables(&self, _query: VariablesQuery) -> Reply<VariablesView> {
        later()
    }
    pub fn set_variable(&self, _at: FrameRef, _path: String, _value: String) -> Reply<SetView> {
        later()
    }
    pub fn evaluate(&self, _query: EvaluateQuery) -> Reply<EvaluateView> {
        later()
    }
    pub fn inspect(&self, _query: ObjectQuery) -> Reply<VariablesView> {
        later()
    }
    pub fn exception(&self, _query: ExceptionQuery) -> Reply<ExceptionView> {
        later()
    }
    pub fn source(&self, _query: SourceQuery) -> Reply<SourceView> {
        later()
    }
    pub fn set_watches(&self, _expressions: Vec<String>) -> Reply<WatchView> {
        later()
    }
    pub fn select_frame(&self, _at: FrameRef) -> Reply<FrameView> {
        later()
    }
    pub fn read_output(&self, _query: OutputQuery) -> Reply<OutputView> {
        later()
    }
    /// Waits at most `limit` for the pipe to take it.
    pub fn write_input(&self, _data: String, _close_after: bool, _limit: Duration) -> Reply<InputView> {
        later()
    }
    pub fn modules(&self, _include_system: bool, _name_filter: Option<String>) -> Reply<ModulesView> {
        later()
    }
    pub fn events(&self, _query: EventsQuery) -> Reply<EventsView> {
        later()
    }
}
