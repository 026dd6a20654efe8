//! The wire types: what every tool answers, as JSON. Fields are in reading order; null, empty and default values are omitted.
//!
//! The only place that derives `Serialize`/`JsonSchema` for tool output: domain types are plain, so a change of the debugger
//! cannot change a schema unseen. Knows nothing of text: `render` renders these values alone.
//! A field name has one type over all tools (a test walks every schema).

mod breakpoints;
mod code;
mod explain;
mod heap;
mod memory;
mod metadata;
mod navigation;
mod process;
mod stacks;
mod stop;
mod targets;
mod telemetry;
mod values;

pub use breakpoints::{
    Breakpoint, BreakpointListReport, ExceptionRuleReport, ExceptionsReport, RemovedReport, SessionHits, SourceLine,
};
pub use code::{DiagnosticEntry, DiagnosticsReport, ProjectEntry, SkippedEntry, WorkspaceReport};
pub use explain::{ChildProcess, ExplainReport};
pub use heap::{
    ChainEntry, GcRootsReport, HeapFindReport, HeapGroupEntry, HeapObjectEntry, HeapStatsReport, HeapTypeEntry,
};
pub use memory::{HeldEntry, MemoryFormat, MemoryReport, ReferencesReport};
pub use metadata::{
    AssemblyMatches, LayoutReport, MemberEntry, MemberGroup, MembersReport, NamespaceTypes, SearchReport, Slot,
    TypeMethods, TypesReport,
};
pub use navigation::{AssemblyUsages, DefinitionEntry, DefinitionsReport, FileUsages, Page, UsageEntry, UsagesReport};
pub use process::{
    BackendEntry, Event, EventsReport, HealthReport, InputReport, LimitEntry, MessageEntry, ModuleEntry, ModulesReport,
    OutputReport, SessionEntry, SessionsReport, StateReport, ThrownEntry,
};
pub use stacks::{
    Exception, ExceptionReport, Frame, FrameReport, Location, SourceReport, StackReport, ThreadGroup, ThreadsReport,
    WaitEntry,
};
pub use stop::{Output, StopReport, TraceLine};
pub use targets::{ProcessEntry, ProcessesReport, ProfileEntry, TargetEntry, TargetsReport};
pub use telemetry::{SnapshotDiffReport, SnapshotReport, StatePathReport, StreamEntry, StreamsReport};
pub use values::{EvaluateReport, SetReport, Variable, VariablesReport, WatchReport};

/// Values that an answer omits: null, an empty list, `false`.
pub(crate) trait Absent {
    fn is_absent(&self) -> bool;
}

impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Absent for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Absent for bool {
    fn is_absent(&self) -> bool {
        !self
    }
}

impl Absent for String {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

/// Lines count from 1.
impl Absent for u32 {
    fn is_absent(&self) -> bool {
        *self == 0
    }
}

/// The name that `skip_serializing_if` wants.
fn absent<T: Absent>(value: &T) -> bool {
    value.is_absent()
}

/// `None` for a number that says nothing when it is zero.
fn some_count<T: PartialEq + Default>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

/// `None` for a text that says nothing.
fn some_text(value: String) -> Option<String> {
    (!value.is_empty()).then_some(value)
}

/// The first `most` of a list, and how many there are beyond.
fn first<T>(mut items: Vec<T>, most: usize) -> (Vec<T>, Option<usize>) {
    let more = items.len().saturating_sub(most);
    items.truncate(most);
    (items, some_count(more))
}

/// Converts every item of a list.
fn each<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
}
