//! What is asked of a session's actor: one closed enum. Each command carries the sender of its answer; that which sets a
//! breakpoint also carries the handles of other sessions, since one of those may know its file; so this and `handle` name each other.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::breakpoints::explain::Explanation;
use super::breakpoints::listing::SessionBreakpoints;
use super::error::SessionError;
use super::expression::is_path;
use super::handle::SessionHandle;
use super::ids::{BreakpointId, EventSeq, ThreadId};
use super::reply::Wait;
use super::report::{Breakpoint, ExceptionRule, Receipt, Report, RuleSet};
use super::spec::*;
use super::view::*;

pub(crate) type Answer<T> = oneshot::Sender<Result<T, SessionError>>;

/// A wait for an outcome: what of it is wanted, how long, and who gets the answer.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub include: Include,
    pub wait: Wait,
    pub answer: Answer<Report>,
    /// No client hears the answer.
    pub is_unheard: bool,
}

#[derive(Debug)]
pub(crate) enum Command {
    Resume(Resume, Waiting),
    Pause(Option<ThreadId>, Waiting),
    Wait(WaitFor, Waiting),
    Restart(Option<BuildMode>, Waiting),
    Disconnect {
        terminate: Option<bool>,
        answer: Answer<Report>,
    },
    /// The client has heard of this stop, or end, by another way.
    MarkSeen(EventSeq),
    NotDelivered(Receipt),
    /// The client has heard how stops lapsed.
    LapseReported,
    SetBreakpoint(Box<Setting>, Answer<Breakpoint>),
    EnableBreakpoint {
        id: BreakpointId,
        enabled: bool,
        answer: Answer<Breakpoint>,
    },
    RemoveBreakpoints {
        id: Option<BreakpointId>,
        /// Of all: only those that are limited to this session.
        limited: bool,
        answer: Answer<Vec<BreakpointId>>,
    },
    ListBreakpoints(Answer<SessionBreakpoints>),
    /// The workspace changed by another way: the adapter is brought up to it.
    Follow,
    Explain(BreakpointId, Answer<Explanation>),
    /// Our own, after an explanation: the condition is evaluated here for a while.
    CountCondition(BreakpointId),
    SetExceptions(RuleSetting),
    Inspect(Inspect),
    SelectFrame(FrameRef, Answer<FrameView>),
    SetWatches {
        expressions: Vec<String>,
        /// For this session only.
        limited: bool,
        answer: Answer<WatchView>,
    },
    Source(SourceQuery, Answer<SourceView>),
    ReadOutput(OutputQuery, Answer<OutputView>),
    WriteInput {
        data: String,
        close_after: bool,
        limit: std::time::Duration,
        answer: Answer<InputView>,
    },
    Modules {
        include_system: bool,
        name: Option<String>,
        answer: Answer<ModulesView>,
    },
    Loaded(Answer<LoadedModules>),
    Events(EventsQuery, Answer<EventsView>),
    Thrown(Answer<ThrownView>),
    Streams(Answer<StreamsView>),
    Stops(Answer<Vec<StopEntry>>),
    /// `None`: the latest stop.
    Snapshots(Vec<Option<EventSeq>>, Answer<SnapshotsView>),
    /// Of somebody who is no client: it changes nothing that clients see.
    Look(LookQuery, Answer<Box<LookView>>),
}

/// A breakpoint on its way into the workspace.
#[derive(Debug)]
pub(crate) struct Setting {
    pub spec: BreakpointSpec,
    /// For this session only.
    pub limited: bool,
    /// Live sessions that may know its file where this one does not; the last one places it in any case.
    pub others: VecDeque<SessionHandle>,
}

/// A rule for exceptions on its way into the workspace, once the adapter has taken it.
#[derive(Debug)]
pub(crate) struct RuleSetting {
    pub rule: ExceptionRule,
    /// For this session only.
    pub limited: bool,
    pub answer: Answer<RuleSet>,
}

/// What needs a stopped program.
#[derive(Debug)]
pub(crate) enum Inspect {
    Threads(Vec<String>, Answer<ThreadsView>),
    Stack(StackQuery, Answer<StackView>),
    Variables(VariablesQuery, Answer<VariablesView>),
    SetVariable(SetQuery, Answer<SetView>),
    Evaluate(EvaluateQuery, Answer<EvaluateView>),
    Object(ObjectQuery, Answer<VariablesView>),
    Exception(ExceptionQuery, Answer<ExceptionView>),
    HeapStats(HeapStatsQuery, Answer<HeapStatsView>),
    HeapFind(HeapFindQuery, Answer<HeapFindView>),
    GcRoots(GcRootsQuery, Answer<GcRootsView>),
    References(ReferencesQuery, Answer<ReferencesView>),
    Memory(MemoryQuery, Answer<MemoryView>),
}

impl Inspect {
    /// The tool that asks, for messages.
    pub(crate) fn tool(&self) -> &'static str {
        match self {
            Self::Threads(..) => "threads_list",
            Self::Stack(..) => "stacktrace_get",
            Self::Variables(..) => "variables_get",
            Self::SetVariable(..) => "variable_set",
            Self::Evaluate(..) => "evaluate",
            Self::Object(..) => "object_inspect",
            Self::Exception(..) => "exception_get_context",
            Self::HeapStats(..) => "heap_stats",
            Self::HeapFind(..) => "heap_find",
            Self::GcRoots(..) => "gc_roots",
            Self::References(..) => "references_get",
            Self::Memory(..) => "memory_read",
        }
    }

    /// The expressions that it evaluates, for messages.
    pub(crate) fn evaluated(&self) -> Option<String> {
        match self {
            Self::Evaluate(query, _) => Some(query.expressions.join("; ")),
            Self::SetVariable(query, _) => Some(format!("{} = {}", query.path, query.value)),
            Self::Variables(query, _) => query.path.clone(),
            Self::Object(query, _) => Some(query.path.clone()),
            Self::Threads(expressions, _) if !expressions.is_empty() => Some(expressions.join("; ")),
            _ => None,
        }
    }

    /// What it sets, or may set, others would read.
    pub(crate) fn changes(&self) -> bool {
        match self {
            Self::SetVariable(..) => true,
            Self::Evaluate(query, _) => {
                query.allow_side_effects && !query.expressions.iter().all(|expression| is_path(expression))
            }
            _ => false,
        }
    }

    pub(crate) fn fail(self, error: SessionError) {
        match self {
            Self::Threads(_, answer) => drop(answer.send(Err(error))),
            Self::Stack(_, answer) => drop(answer.send(Err(error))),
            Self::Variables(_, answer) => drop(answer.send(Err(error))),
            Self::SetVariable(_, answer) => drop(answer.send(Err(error))),
            Self::Evaluate(_, answer) => drop(answer.send(Err(error))),
            Self::Object(_, answer) => drop(answer.send(Err(error))),
            Self::Exception(_, answer) => drop(answer.send(Err(error))),
            Self::HeapStats(_, answer) => drop(answer.send(Err(error))),
            Self::HeapFind(_, answer) => drop(answer.send(Err(error))),
            Self::GcRoots(_, answer) => drop(answer.send(Err(error))),
            Self::References(_, answer) => drop(answer.send(Err(error))),
            Self::Memory(_, answer) => drop(answer.send(Err(error))),
        }
    }
}

impl Command {
    /// Of a running program it is done under a pause that nobody hears of.
    pub(crate) fn takes_snapshot(&self) -> bool {
        matches!(self, Self::Inspect(Inspect::Threads(..)))
    }

    /// Changes what the adapter has of our breakpoints.
    pub(crate) fn edits_breakpoints(&self) -> bool {
        matches!(
            self,
            Self::SetBreakpoint(..)
                | Self::EnableBreakpoint { .. }
                | Self::RemoveBreakpoints { .. }
                | Self::Follow
                | Self::CountCondition(_)
        )
    }

    /// Answers an edit or a look that cannot be made.
    pub(crate) fn fail(self, error: SessionError) {
        match self {
            Self::SetBreakpoint(_, answer) | Self::EnableBreakpoint { answer, .. } => drop(answer.send(Err(error))),
            Self::RemoveBreakpoints { answer, .. } => drop(answer.send(Err(error))),
            // the next stop brings it
            Self::Follow => tracing::debug!(%error, "a change of the workspace waits"),
            Self::CountCondition(id) => tracing::debug!(%id, %error, "a condition stays uncounted"),
            Self::Inspect(look) => look.fail(error),
            other => tracing::warn!(?other, %error, "neither edit nor look, and dropped"),
        }
    }

    /// Whether it may overtake commands that wait for their turn: only pause, disconnect and state may overtake a start,
    /// and what neither changes nor inspects the program does not stand in line at all.
    pub(crate) fn may_overtake(&self) -> bool {
        matches!(
            self,
            Self::Pause(..)
                | Self::Disconnect { .. }
                | Self::MarkSeen(_)
                | Self::NotDelivered(_)
                | Self::LapseReported
                | Self::ReadOutput(..)
                | Self::WriteInput { .. }
                | Self::Events(..)
                | Self::Thrown(_)
                | Self::Streams(_)
                | Self::Stops(_)
                | Self::Snapshots(..)
                | Self::Look(..)
        )
    }
}
