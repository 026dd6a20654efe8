//! What everybody but the actor holds of a session. Every method hands its command over before it returns,
//! so commands reach the actor in the order of the calls.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::breakpoints::explain::Explanation;
use super::breakpoints::listing::SessionBreakpoints;
use super::command::{Answer, Command, Inspect, RuleSetting, Setting, Waiting};
use super::error::{Code, SessionError};
use super::ids::{BreakpointId, EventSeq, SessionId, StateName, ThreadId};
use super::redacted::Redact;
use super::reply::{Reply, Wait};
use super::report::{Breakpoint, ExceptionRule, Receipt, Report, RuleSet, StateView};
use super::spec::*;
use super::suspended;
use super::view::*;
use crate::redaction::Redaction;

/// One session. Cheap to clone.
#[derive(Debug, Clone)]
pub struct SessionHandle {
    id: SessionId,
    commands: mpsc::UnboundedSender<Command>,
    snapshot: Snapshot,
    /// By somebody who is no client, until an answer says so.
    acts: Arc<Mutex<Vec<String>>>,
    redaction: Redaction,
}

/// The state as the actor last published it.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot(Arc<Mutex<StateView>>);

impl Snapshot {
    pub(crate) fn new(view: StateView) -> Self {
        Self(Arc::new(Mutex::new(view)))
    }
    pub(crate) fn get(&self) -> StateView {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
    pub(crate) fn set(&self, view: StateView) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = view;
    }
}

impl SessionHandle {
    pub(crate) fn new(
        id: SessionId,
        commands: mpsc::UnboundedSender<Command>,
        snapshot: Snapshot,
        redaction: Redaction,
    ) -> Self {
        Self { id, commands, snapshot, acts: Arc::default(), redaction }
    }

    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The state as last published; the current stop counts as reported.
    pub fn state(&self) -> StateView {
        let mut view = self.snapshot.get();
        if view.state.is_live() && view.note.is_none() {
            view.note = view.pid.and_then(suspended::words);
        }
        if let (StateName::Stopped | StateName::NotAttached | StateName::Exited, Some(seq)) = (view.state, view.seq) {
            self.send(Command::MarkSeen(seq));
        }
        view
    }

    /// The same without counting as reported.
    pub fn peek(&self) -> StateView {
        self.snapshot.get()
    }

    pub(crate) fn is_live(&self) -> bool {
        self.peek().state.is_live()
    }

    fn send(&self, command: Command) {
        if self.commands.send(command).is_err() {
            tracing::debug!(session = %self.id, "a command for an actor that is gone");
        }
    }

    fn ask<T: Redact>(&self, command: impl FnOnce(Answer<T>) -> Command) -> Reply<T> {
        let (answer, receiver) = oneshot::channel();
        match self.commands.send(command(answer)) {
            Ok(()) => Reply::pending(receiver, self.redaction.clone()),
            Err(_) => Reply::ready(Err(SessionError::new(
                Code::SessionNotFound,
                format!("session {} has ended", self.id),
                "debug_launch or debug_attach",
            ))),
        }
    }

    fn wait_for(&self, include: Include, wait: Wait, command: impl FnOnce(Waiting) -> Command) -> Reply<Report> {
        self.ask(|answer| command(Waiting { include, wait, answer, is_unheard: false }))
    }

    pub fn resume(&self, what: Resume, include: Include, wait: Wait) -> Reply<Report> {
        self.wait_for(include, wait, |waiting| Command::Resume(what, waiting))
    }

    /// At a stop it answers that stop.
    pub fn pause(&self, thread: Option<ThreadId>, include: Include, wait: Wait) -> Reply<Report> {
        self.wait_for(include, wait, |waiting| Command::Pause(thread, waiting))
    }

    /// For somebody who is no client. Answers when it is begun.
    pub fn steer(&self, what: Steer) -> Reply<Report> {
        let include = Include { stack: false, locals: false, output: false, watches: false, explicit: true };
        let wait = Wait { timeout: Some(Duration::ZERO), phase: None };
        self.ask(|answer| {
            let waiting = Waiting { include, wait, answer, is_unheard: true };
            match what {
                Steer::Resume(what) => Command::Resume(what, waiting),
                Steer::Pause => Command::Pause(None, waiting),
            }
        })
    }

    /// Something was done that no client asked for: the next answer says so.
    pub fn note_act(&self, words: String) {
        self.acts.lock().unwrap_or_else(PoisonError::into_inner).push(words);
    }

    /// What was done since the last time.
    pub fn take_acts(&self) -> Option<String> {
        let acts = std::mem::take(&mut *self.acts.lock().unwrap_or_else(PoisonError::into_inner));
        (!acts.is_empty()).then(|| acts.join("; "))
    }

    /// breakpoint_wait.
    pub fn wait(&self, what: WaitFor, include: Include, wait: Wait) -> Reply<Report> {
        self.wait_for(include, wait, |waiting| Command::Wait(what, waiting))
    }

    pub(crate) fn restart(&self, build: Option<BuildMode>, include: Include, wait: Wait) -> Reply<Report> {
        self.wait_for(include, wait, |waiting| Command::Restart(build, waiting))
    }

    /// `terminate`: `None` = true for a launched program, false for an attached one.
    pub fn disconnect(&self, terminate: Option<bool>) -> Reply<Report> {
        self.ask(|answer| Command::Disconnect { terminate, answer })
    }

    /// The client never got the report with this receipt (it cancelled): the next wait reports it again.
    pub fn not_delivered(&self, receipt: Receipt) {
        self.send(Command::NotDelivered(receipt));
    }

    /// Stops that went on because no call came, if no answer said so yet.
    pub fn unreported_lapse(&self) -> Option<String> {
        self.peek().lapse
    }

    /// The client has an answer that says so.
    pub fn lapse_reported(&self) {
        self.send(Command::LapseReported);
    }

    pub(crate) fn set_breakpoint(&self, setting: Setting) -> Reply<Breakpoint> {
        self.ask(|answer| Command::SetBreakpoint(Box::new(setting), answer))
    }

    /// Hands on what another session could not place.
    pub(crate) fn pass_breakpoint(&self, setting: Box<Setting>, answer: Answer<Breakpoint>) {
        self.send(Command::SetBreakpoint(setting, answer));
    }

    pub(crate) fn enable_breakpoint(&self, id: BreakpointId, enabled: bool) -> Reply<Breakpoint> {
        self.ask(|answer| Command::EnableBreakpoint { id, enabled, answer })
    }

    pub(crate) fn remove_breakpoints(&self, id: Option<BreakpointId>, limited: bool) -> Reply<Vec<BreakpointId>> {
        self.ask(|answer| Command::RemoveBreakpoints { id, limited, answer })
    }

    pub(crate) fn list_breakpoints(&self) -> Reply<SessionBreakpoints> {
        self.ask(Command::ListBreakpoints)
    }

    pub(crate) fn explain_breakpoint(&self, id: BreakpointId) -> Reply<Explanation> {
        self.ask(|answer| Command::Explain(id, answer))
    }

    pub(crate) fn set_exceptions(&self, rule: ExceptionRule, limited: bool) -> Reply<RuleSet> {
        self.ask(|answer| Command::SetExceptions(RuleSetting { rule, limited, answer }))
    }

    pub fn threads(&self, expressions: Vec<String>) -> Reply<ThreadsView> {
        self.ask(|answer| Command::Inspect(Inspect::Threads(expressions, answer)))
    }

    pub fn stack(&self, query: StackQuery) -> Reply<StackView> {
        self.ask(|answer| Command::Inspect(Inspect::Stack(query, answer)))
    }

    pub fn variables(&self, query: VariablesQuery) -> Reply<VariablesView> {
        self.ask(|answer| Command::Inspect(Inspect::Variables(query, answer)))
    }

    pub fn set_variable(&self, query: SetQuery) -> Reply<SetView> {
        let about = Some(query.path.clone());
        self.ask(|answer| Command::Inspect(Inspect::SetVariable(query, answer))).about(about)
    }

    pub fn evaluate(&self, query: EvaluateQuery) -> Reply<EvaluateView> {
        let about = Some(query.expressions.join(" "));
        self.ask(|answer| Command::Inspect(Inspect::Evaluate(query, answer))).about(about)
    }

    pub fn inspect(&self, query: ObjectQuery) -> Reply<VariablesView> {
        self.ask(|answer| Command::Inspect(Inspect::Object(query, answer)))
    }

    pub fn exception(&self, query: ExceptionQuery) -> Reply<ExceptionView> {
        self.ask(|answer| Command::Inspect(Inspect::Exception(query, answer)))
    }

    pub fn heap_stats(&self, query: HeapStatsQuery) -> Reply<HeapStatsView> {
        self.ask(|answer| Command::Inspect(Inspect::HeapStats(query, answer)))
    }

    pub fn heap_find(&self, query: HeapFindQuery) -> Reply<HeapFindView> {
        self.ask(|answer| Command::Inspect(Inspect::HeapFind(query, answer)))
    }

    pub fn gc_roots(&self, query: GcRootsQuery) -> Reply<GcRootsView> {
        self.ask(|answer| Command::Inspect(Inspect::GcRoots(query, answer)))
    }

    pub fn references(&self, query: ReferencesQuery) -> Reply<ReferencesView> {
        self.ask(|answer| Command::Inspect(Inspect::References(query, answer)))
    }

    pub fn memory(&self, query: MemoryQuery) -> Reply<MemoryView> {
        self.ask(|answer| Command::Inspect(Inspect::Memory(query, answer)))
    }

    pub fn source(&self, query: SourceQuery) -> Reply<SourceView> {
        self.ask(|answer| Command::Source(query, answer))
    }

    pub(crate) fn set_watches(&self, expressions: Vec<String>, limited: bool) -> Reply<WatchView> {
        self.ask(|answer| Command::SetWatches { expressions, limited, answer })
    }

    pub fn select_frame(&self, at: FrameRef) -> Reply<FrameView> {
        self.ask(|answer| Command::SelectFrame(at, answer))
    }

    pub fn read_output(&self, query: OutputQuery) -> Reply<OutputView> {
        self.ask(|answer| Command::ReadOutput(query, answer))
    }

    /// Waits at most `limit` for the pipe to take it.
    pub fn write_input(&self, data: String, close_after: bool, limit: Duration) -> Reply<InputView> {
        self.ask(|answer| Command::WriteInput { data, close_after, limit, answer })
    }

    pub fn modules(&self, include_system: bool, name_filter: Option<String>) -> Reply<ModulesView> {
        self.ask(|answer| Command::Modules { include_system, name: name_filter, answer })
    }

    /// What metadata tools read: the loaded modules, of an ended program those it had.
    pub fn loaded(&self) -> Reply<LoadedModules> {
        self.ask(Command::Loaded)
    }

    /// What somebody sees who is no client. Nothing is asked of the adapter, and nothing counts as reported.
    pub fn look(&self, query: LookQuery) -> Reply<Box<LookView>> {
        self.ask(|answer| Command::Look(query, answer))
    }

    pub fn events(&self, query: EventsQuery) -> Reply<EventsView> {
        self.ask(|answer| Command::Events(query, answer))
    }

    /// What was thrown so far, as the adapter counts it.
    pub fn thrown(&self) -> Reply<ThrownView> {
        self.ask(Command::Thrown)
    }

    /// The stops that are kept, oldest first.
    pub fn stops(&self) -> Reply<Vec<StopEntry>> {
        self.ask(Command::Stops)
    }

    pub fn streams(&self) -> Reply<StreamsView> {
        self.ask(Command::Streams)
    }

    /// Stops as they were when they were reported; `None` is the latest. The adapter is not asked, and nothing counts as reported.
    pub fn snapshots(&self, wanted: Vec<Option<EventSeq>>) -> Reply<SnapshotsView> {
        self.ask(|answer| Command::Snapshots(wanted, answer))
    }
}
