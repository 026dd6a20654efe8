//! What inspection and the other tools return.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::ids::{EventSeq, SessionId, StateName, ThreadId};
use super::report::{Breakpoint, Exception, Frame, Location, OutputTail, StateView, Stop, StopReason, Variable};
use clr_metadata::TypeUniverse;

/// variables_get and object_inspect.
#[derive(Debug, Clone, Default)]
pub struct VariablesView {
    pub path: Option<String>,
    pub type_name: Option<String>,
    pub variables: Vec<Variable>,
    pub count: Option<u64>,
    pub start: u64,
    pub next_start: Option<u64>,
    /// Of each variable or element shown, where a page that begins with it starts; empty where that is its number.
    pub positions: Vec<u64>,
    /// Elements that are plain literals.
    pub elements: Vec<String>,
    /// Elements that a filter was held against; of members and of variables where none matches.
    pub searched: Option<u64>,
    /// What could not be read, and why.
    pub note: Option<String>,
    /// Members not listed.
    pub hidden: u64,
    pub null_count: u64,
    /// min, max, mean of numbers (object_inspect).
    pub summary: Option<(String, String, String)>,
    /// Where the object lies (object_inspect), of adapters that report it.
    pub object: Option<ObjectPlace>,
}

#[derive(Debug, Clone)]
pub enum EvaluateView {
    /// `name` is the expression here too, but nobody is shown what he asked. Members: the rows of a table, each of members of the same names.
    One(Variable),
    /// `name` is the expression.
    Several(Vec<Variable>),
}

#[derive(Debug, Clone)]
pub struct SetView {
    pub path: String,
    pub value: String,
    pub type_name: Option<String>,
    /// `None`: a key that was added.
    pub was: Option<String>,
}

#[derive(Debug, Clone)]
pub struct StackView {
    pub thread: (ThreadId, Option<String>),
    pub frames: Vec<Frame>,
    pub external_frames: usize,
    pub more_frames: usize,
    /// Async methods that wait for what was resumed, each for the one before it.
    pub awaited_by: Vec<Frame>,
    /// Of them beyond those.
    pub more_awaiting: usize,
    pub note: Option<String>,
}

/// threads_list.
#[derive(Debug, Clone, Default)]
pub struct ThreadsView {
    pub groups: Vec<ThreadGroup>,
    /// Where the adapter reports what threads wait for.
    pub waits: Vec<WaitGroup>,
    /// Threads that wait for each other, in words.
    pub deadlocks: Vec<String>,
    /// The program ran before and runs again: how long it was paused for this.
    pub paused: Option<Duration>,
}

/// Threads that wait for one object.
#[derive(Debug, Clone, Default)]
pub struct WaitGroup {
    /// `monitor Gate @1`: what it is, its type, and its name in expressions.
    pub object: String,
    pub held_by: Option<ThreadId>,
    /// Of a task.
    pub run_by: Option<ThreadId>,
    /// That one runs what the task awaits, not the task itself.
    pub is_indirect: bool,
    pub threads: Vec<ThreadId>,
}

#[derive(Debug, Clone, Default)]
pub struct ThreadGroup {
    pub threads: Vec<(ThreadId, Option<String>)>,
    pub current: bool,
    pub function: Option<String>,
    pub kind: Option<String>,
    pub at: Option<String>,
    pub source: Option<String>,
    pub inside: Option<String>,
    pub values: Vec<Variable>,
}

#[derive(Debug, Clone)]
pub struct ExceptionView {
    pub exception: Exception,
    pub thread: (ThreadId, Option<String>),
    pub frames: Vec<Frame>,
    /// Beyond the limit.
    pub more_frames: usize,
    pub external_frames: usize,
    pub note: Option<String>,
}

#[derive(Debug, Clone)]
pub struct SourceView {
    pub file: String,
    pub start_line: u32,
    pub lines: Vec<String>,
    pub current_line: Option<u32>,
    /// Since the build: its lines are not those of the code.
    pub is_edited: bool,
}

#[derive(Debug, Clone)]
pub struct WatchView {
    pub expressions: Vec<String>,
    /// When stopped.
    pub values: Vec<Variable>,
}

#[derive(Debug, Clone)]
pub struct FrameView {
    pub thread: ThreadId,
    pub location: Location,
}

/// process_read_output: `cursor` is always there.
#[derive(Debug, Clone)]
pub struct OutputView(pub OutputTail);

#[derive(Debug, Clone)]
pub struct InputView {
    pub written: usize,
    pub closed: bool,
}

#[derive(Debug, Clone)]
pub struct Module {
    pub name: String,
    pub symbols: bool,
    pub path: String,
}

#[derive(Debug, Clone, Default)]
pub struct ModulesView {
    pub modules: Vec<Module>,
    pub system_omitted: usize,
}

/// Where the loaded modules lie; reading them is the caller's work.
#[derive(Debug, Clone, Default)]
pub struct LoadedModules {
    /// The user's first, else in the order of loading; those without a file are left out.
    pub modules: Vec<LoadedModule>,
    /// The same files and more of the program's, as one set of types.
    pub universe: Arc<TypeUniverse>,
    /// What relative paths start from.
    pub root: Option<PathBuf>,
    /// File and line of the code at the stop.
    pub stopped_at: Option<super::meant::StoppedAt>,
}

#[derive(Debug, Clone)]
pub struct LoadedModule {
    /// `Web.dll`.
    pub name: String,
    pub path: PathBuf,
    pub is_user: bool,
}

/// One line of the event log.
#[derive(Debug, Clone, Default)]
pub struct Event {
    pub seq: EventSeq,
    /// Milliseconds since the session began.
    pub ms: u64,
    pub type_name: &'static str,
    /// execution, output, exceptions, threads, modules, breakpoints, tracepoints, commands.
    pub stream: &'static str,
    pub reason: Option<String>,
    pub thread: Option<ThreadId>,
    pub breakpoint: Option<u32>,
    pub at: Option<String>,
    pub text: Option<String>,
    pub exit_code: Option<i32>,
}

#[derive(Debug, Clone, Default)]
pub struct EventsView {
    pub events: Vec<Event>,
    pub latest: EventSeq,
    /// Above 1 only when the log was cut.
    pub oldest: EventSeq,
    pub has_more: bool,
}

/// What the program has thrown so far, whether or not it stopped there.
#[derive(Debug, Clone, Default)]
pub struct ThrownView {
    /// The adapter counts them.
    pub is_counted: bool,
    /// `None`: the session ended before anybody asked.
    pub total: Option<u64>,
    /// The most frequent first.
    pub groups: Vec<ThrownGroup>,
    /// Groups that are no longer known, and the throws in them.
    pub dropped: (u64, u64),
}

/// Throws of one type at one place that one handler caught.
#[derive(Debug, Clone, Default)]
pub struct ThrownGroup {
    pub type_name: String,
    pub count: u64,
    /// The first different ones, and how often each.
    pub messages: Vec<(String, u64)>,
    pub other_messages: u64,
    /// In code of the user, if it came there.
    pub thrown: Option<CodePlace>,
    /// The function outside of that code that threw it.
    pub within: Option<String>,
    pub caught: Option<CodePlace>,
    pub unhandled: bool,
}

/// A function, and the line in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodePlace {
    pub function: String,
    pub at: Option<String>,
}

/// What is kept of a stream: how many events, and the numbers of the first and the last.
#[derive(Debug, Clone, Default)]
pub struct StreamView {
    pub name: &'static str,
    pub count: usize,
    pub oldest: EventSeq,
    pub latest: EventSeq,
}

#[derive(Debug, Clone, Default)]
pub struct StreamsView {
    pub streams: Vec<StreamView>,
    pub snapshots: StreamView,
}

/// A stop that is kept, in a list.
#[derive(Debug, Clone)]
pub struct StopEntry {
    pub seq: EventSeq,
    pub reason: StopReason,
    /// `file:line`.
    pub at: Option<String>,
    pub function: Option<String>,
}

/// A stop that is kept.
#[derive(Debug, Clone)]
pub struct KeptStop {
    /// As it was reported.
    pub reported: Arc<Stop>,
    /// With the locals that a client set afterwards; `None` where it set none.
    pub revised: Option<Arc<Stop>>,
}

impl KeptStop {
    /// As the program went on from it, or will.
    pub fn latest(&self) -> &Arc<Stop> {
        self.revised.as_ref().unwrap_or(&self.reported)
    }
}

/// Stops that were asked for.
#[derive(Debug, Clone)]
pub struct SnapshotsView {
    pub stops: Vec<KeptStop>,
    /// There where older ones were dropped.
    pub oldest: Option<EventSeq>,
    pub state: StateName,
}

/// All that is known of a session without asking its adapter. Seeing it does not count as reported, nor as a call.
#[derive(Debug, Clone)]
pub struct LookView {
    pub state: StateView,
    /// When the session began: event times count from there.
    pub began: Instant,
    /// The stop that was asked for; in the present: while stopped.
    pub stop: Option<Stop>,
    /// That stop is not the present.
    pub is_past: bool,
    /// The stops that are kept, oldest first.
    pub stops: Vec<StopEntry>,
    /// Around the stop, or around where a frame below goes on.
    pub source: Option<SourceView>,
    /// That frame, where it is not the one that stopped.
    pub frame: Option<usize>,
    pub breakpoints: Vec<Breakpoint>,
    pub output: OutputTail,
    /// The last ones, oldest first.
    pub events: Vec<Event>,
    /// Threads that began and did not end, as far as the adapter reports them.
    pub threads: Vec<ThreadId>,
}

#[derive(Debug, Clone)]
pub struct SessionView {
    pub id: SessionId,
    pub state: StateName,
    pub program: Option<String>,
    pub pid: Option<u32>,
}

/// heap_stats.
#[derive(Debug, Clone, Default)]
pub struct HeapStatsView {
    /// For `since` of a later call.
    pub id: String,
    /// Of all types, filtered or not.
    pub total: HeapTotal,
    /// Bytes between objects that nothing uses.
    pub free: u64,
    /// The largest first; of a difference the largest change.
    pub types: Vec<HeapTypeTotal>,
    pub more_types: usize,
    /// Why these are not all objects.
    pub cut: Option<HeapCut>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeapTotal {
    pub count: u64,
    pub bytes: u64,
    /// How many more than before, and how many bytes more; of a difference alone.
    pub change: Option<(i64, i64)>,
}

#[derive(Debug, Clone)]
pub struct HeapTypeTotal {
    pub name: String,
    pub total: HeapTotal,
}

/// heap_find.
#[derive(Debug, Clone, Default)]
pub struct HeapFindView {
    pub objects: Vec<HeapObject>,
    /// The one with the most objects first.
    pub groups: Vec<HeapGroup>,
    pub more_groups: u64,
    /// Of how many matching objects the expression to group by has no value, and why not.
    pub ungrouped: Option<(u64, String)>,
    pub matched: u64,
    /// Objects of the type, and how many of them which argument was evaluated for.
    pub total: u64,
    pub evaluated: Option<(&'static str, u64)>,
    /// Of how many of these it could not be evaluated, and why not.
    pub failed: Option<(u64, String)>,
    /// The types that the name stands for, if it is not the name of one.
    pub types: Vec<String>,
    pub cut: Option<HeapCut>,
}

/// Objects for which an expression has the same value; the variable's name is the expression.
#[derive(Debug, Clone)]
pub struct HeapGroup {
    pub value: Variable,
    pub count: u64,
    pub bytes: u64,
    /// The name of one of them.
    pub example: String,
}

/// An object of the heap; the variable's name is one that paths and expressions take.
#[derive(Debug, Clone)]
pub struct HeapObject {
    pub variable: Variable,
    pub bytes: u64,
    pub generation: Option<String>,
}

/// gc_roots.
#[derive(Debug, Clone, Default)]
pub struct GcRootsView {
    pub chains: Vec<GcChain>,
    pub more_chains: u64,
    pub total: u64,
    pub unreachable: u64,
    /// Some of those have a finalizer.
    pub has_finalizer: bool,
    /// The types that the name stands for, where it stands for several.
    pub types: Vec<String>,
    pub cut: Option<HeapCut>,
}

#[derive(Debug, Clone)]
pub struct GcChain {
    pub count: u64,
    /// The root, then fields.
    pub steps: Vec<String>,
    /// The name of one object at its end.
    pub example: String,
}

/// Where an object of the heap lies at this stop.
#[derive(Debug, Clone)]
pub struct ObjectPlace {
    /// The name that paths and expressions take, the same at every stop: `@1`.
    pub identity: String,
    /// `0x7f3a5c0128d0`
    pub address: String,
    /// Its own size, without what it refers to.
    pub bytes: u64,
    /// `0`, `1`, `2`, `large`, `pinned`, `frozen`.
    pub generation: Option<String>,
}

/// references_get.
#[derive(Debug, Clone)]
pub struct ReferencesView {
    pub object: HeapObject,
    /// What it refers to, not what refers to it.
    pub outbound: bool,
    /// Those with the most objects first.
    pub references: Vec<Held>,
    /// Roots that refer to it without an object between.
    pub roots: Vec<String>,
    /// Nothing keeps it alive. Not known of what it refers to.
    pub unreachable: bool,
    pub cut: Option<HeapCut>,
}

/// Objects that refer, or are referred to, by the same field.
#[derive(Debug, Clone)]
pub struct Held {
    /// `Link.Owner`, `Order[*]`
    pub through: String,
    pub count: u64,
    /// The first of them; their names are ones that paths and expressions take.
    pub objects: Vec<Variable>,
}

/// memory_read.
#[derive(Debug, Clone)]
pub struct MemoryView {
    pub address: u64,
    pub bytes: Vec<u8>,
    /// Bytes behind them that were asked for and cannot be read.
    pub unreadable: u64,
    /// The path that was asked about.
    pub path: Option<String>,
    /// Bytes that are part of a secret, and 0 in `bytes` for that.
    pub redacted: usize,
}

pub use crate::dap::HeapCut;
