//! Why a breakpoint does not stop the program: one verdict of 17, decided from facts alone.
//!
//! Adapters give the same message for nearly all of them (measured), so the facts come from elsewhere: module events, PDBs,
//! attributes, the run's state, hits and evaluations counted by us. They are gathered in `gather`, worded in `words`.
//! The race to remember: facts change while they are read; a verdict is about the moment of the call.

mod code;
mod evidence;
mod gather;
mod words;

pub use super::attributes::Hidden;
pub use evidence::{Evidence, Explanation};
pub(crate) use gather::Asked;

use gather::Scene;

use super::Entry;
use crate::dotnet::attach;
use crate::session::ids::StateName;
use crate::session::modules::{Modules, is_sdk_tool};
use crate::session::report::Exit;
use crate::session::sources::Sources;

/// The causes, in the order in which they are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No program runs yet.
    NotStarted,
    /// The program has ended.
    Exited,
    /// The process is a tool of the SDK, which starts the program as a child.
    WrongProcess,
    /// The assembly with that document is not loaded yet.
    ModuleNotLoaded,
    /// No assembly was built from such a file.
    FileUnknown,
    /// Documents of that name are there, but none that is surely the file.
    PathDiffers,
    NoSymbols,
    /// The PDB is of another build.
    SymbolsMismatch,
    /// The file was edited after the build.
    SourceChanged,
    /// Optimized code, which Just My Code leaves out.
    Optimized,
    /// An attribute hides the method from debuggers.
    NotUserCode,
    NoCode,
    InvalidCondition,
    ConditionFalse,
    NotReached,
    /// Start-up code that had run before the attach.
    AttachedLate,
    /// The program stands somewhere else.
    StoppedElsewhere,
}

impl Verdict {
    pub const ALL: [Self; 17] = [
        Self::NotStarted,
        Self::Exited,
        Self::WrongProcess,
        Self::ModuleNotLoaded,
        Self::FileUnknown,
        Self::PathDiffers,
        Self::NoSymbols,
        Self::SymbolsMismatch,
        Self::SourceChanged,
        Self::Optimized,
        Self::NotUserCode,
        Self::NoCode,
        Self::InvalidCondition,
        Self::ConditionFalse,
        Self::NotReached,
        Self::AttachedLate,
        Self::StoppedElsewhere,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotStarted => "not_started",
            Self::Exited => "exited",
            Self::WrongProcess => "wrong_process",
            Self::ModuleNotLoaded => "module_not_loaded",
            Self::FileUnknown => "file_unknown",
            Self::PathDiffers => "path_differs",
            Self::NoSymbols => "no_symbols",
            Self::SymbolsMismatch => "symbols_mismatch",
            Self::SourceChanged => "source_changed",
            Self::Optimized => "optimized",
            Self::NotUserCode => "not_user_code",
            Self::NoCode => "no_code",
            Self::InvalidCondition => "invalid_condition",
            Self::ConditionFalse => "condition_false",
            Self::NotReached => "not_reached",
            Self::AttachedLate => "attached_late",
            Self::StoppedElsewhere => "stopped_elsewhere",
        }
    }
}

/// What the program is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Run {
    NotStarted,
    #[default]
    Running,
    Stopped,
    Ended,
}

/// What is wrong with the symbols of the assembly that should have the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    #[default]
    Good,
    Missing,
    Mismatch,
}

/// What the PDBs have of the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Document {
    /// Nothing was looked at: no program is known.
    #[default]
    Unread,
    Known,
    /// Some have the file's name only.
    SameName,
    None,
}

/// What is known of the condition, or of the count of hits that is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Condition {
    #[default]
    None,
    /// It has no value.
    Failed,
    /// The adapter alone evaluates it, and reports only when it is true.
    Uncounted,
    /// Evaluated so often, and never held; or the hits do not suffice yet.
    NeverHeld,
}

/// Everything that the verdict depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    pub run: Run,
    pub enabled: bool,
    /// The adapter says that it is bound.
    pub verified: bool,
    /// Times that the condition held there.
    pub hits: u64,
    pub attached: bool,
    pub just_my_code: bool,
    /// The process is `dotnet run`, MSBuild, vstest.console.
    pub sdk_tool: bool,
    pub document: Document,
    /// The document's assembly is loaded.
    pub loaded: bool,
    pub symbols: Symbols,
    pub changed: bool,
    pub optimized: bool,
    /// The compiled code has no place for the line.
    pub placeless: bool,
    pub hidden: Hidden,
    /// No code there, or only that of another method further down.
    pub no_code: bool,
    /// Nor any further down: no adapter can bind it, whatever loads.
    pub none_behind: bool,
    pub condition: Condition,
    /// Code that runs once, at the start.
    pub startup: bool,
}

/// All causes that hold, the one to report first.
pub fn causes(facts: &Facts) -> impl Iterator<Item = Verdict> {
    let facts = *facts;
    Verdict::ALL.into_iter().filter(move |verdict| holds(*verdict, &facts))
}

fn holds(verdict: Verdict, of: &Facts) -> bool {
    let unbound = !of.verified;
    let silent = of.verified && of.hits == 0;
    match verdict {
        Verdict::NotStarted => of.run == Run::NotStarted,
        Verdict::Exited => of.run == Run::Ended,
        // one that is switched off is at no fault
        _ if !of.enabled => false,
        Verdict::WrongProcess => of.sdk_tool && unbound && !of.loaded,
        Verdict::ModuleNotLoaded => {
            let may_bind = of.document == Document::Known && !of.none_behind;
            may_bind && !of.loaded && unbound && of.run != Run::NotStarted
        }
        Verdict::FileUnknown => of.document == Document::None && of.symbols == Symbols::Good && unbound,
        // an adapter may bind it to the namesake (dncdbg)
        Verdict::PathDiffers => of.document == Document::SameName && of.symbols == Symbols::Good,
        Verdict::NoSymbols => of.symbols == Symbols::Missing && unbound,
        Verdict::SymbolsMismatch => of.symbols == Symbols::Mismatch && unbound,
        Verdict::SourceChanged => of.changed,
        Verdict::Optimized => unbound && (of.optimized && of.just_my_code || of.placeless),
        Verdict::NotUserCode => {
            unbound && (of.hidden == Hidden::Always || of.hidden == Hidden::NonUser && of.just_my_code)
        }
        Verdict::NoCode => of.no_code && of.hits == 0,
        Verdict::InvalidCondition => of.condition == Condition::Failed,
        Verdict::ConditionFalse => match of.condition {
            Condition::NeverHeld => true,
            // where it stands elsewhere, that says more than what nobody counted
            Condition::Uncounted => silent && of.run != Run::Stopped,
            Condition::None | Condition::Failed => false,
        },
        Verdict::NotReached => silent && matches!(of.run, Run::Running | Run::Ended) && !(of.attached && of.startup),
        Verdict::AttachedLate => silent && of.attached && of.startup,
        Verdict::StoppedElsewhere => silent && of.run == Run::Stopped,
    }
}

/// Reads on a thread that may block.
pub(crate) async fn explain(asked: Asked) -> Option<Explanation> {
    let sdk_tool = asked.modules.survey().sdk_tool || asked.program.as_deref().is_some_and(is_sdk_tool);
    let children = match asked.pid.filter(|_| sdk_tool) {
        Some(pid) => attach::descendants(pid).await.unwrap_or_default(),
        None => Vec::new(),
    };
    let processes = children.into_iter().map(|child| (child.pid, child.name)).collect();
    tokio::task::spawn_blocking(move || words::explained(Scene::read(asked, sdk_tool, processes))).await.ok()
}

/// With no session there is nothing to read.
pub(crate) fn before(entry: Entry, sources: &Sources) -> Explanation {
    let asked = Asked {
        entry,
        run: Run::NotStarted,
        bound: false,
        state: StateName::NotAttached,
        last_hit: None,
        exit: Exit::default(),
        stop: None,
        attached: false,
        just_my_code: true,
        pid: None,
        program: None,
        uncounted: false,
        modules: Modules::default(),
        sources: sources.clone(),
    };
    words::explained(Scene::read(asked, false, Vec::new()))
}

#[cfg(test)]
mod tests;
