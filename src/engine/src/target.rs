//! The program that is debugged, as both sides know it: the thread that the runtime calls back on, and the one that answers requests.
//!
//! Holds what outlives a stop. What may only be read while the program stands still is behind [`Stopped`](crate::stopped::Stopped).

mod interrupt;
mod stop_request;
mod left;
mod loaded_types;
mod not_mine;
mod source_map;
mod step;

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dap_wire::HitCount;

use crate::breakpoints::Breakpoints;
use crate::com::{self, ExceptionStage, HResult};
use crate::exception_filters::Filters;
use crate::exceptions::{Throws, Types};
use crate::identities::Identities;
use crate::modules::{Module, Modules};
use crate::numbered::Numbered;
pub use interrupt::{StopError, interrupting};
pub use left::Left;
pub use loaded_types::LoadedTypes;
pub use not_mine::NotMine;
pub use source_map::SourceFileMap;
pub use step::{Behind, Into, Invocation, Kept, Kind, ReturnSite, Returned, Returns, Step, Wait, WatchedCall};
use stop_request::StopRequest;

/// What `launch` and `attach` choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub just_my_code: bool,
    /// Modules and source files that are not the user's code all the same.
    pub not_mine: NotMine,
    /// Steps pass over properties and operators.
    pub filter_steps: bool,
    pub stop_at_entry: bool,
    pub sources: SourceFileMap,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            just_my_code: true,
            not_mine: NotMine::default(),
            filter_steps: true,
            stop_at_entry: false,
            sources: SourceFileMap::default(),
        }
    }
}

/// A breakpoint that stops the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fired {
    pub id: i64,
    /// Its counter with this hit, if one counted it.
    pub counted: Option<HitCount>,
}

/// Why the program stands still.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Breakpoint(Vec<Fired>),
    /// Whether the `open` ones stop is known only by running code of the program.
    Undecided {
        fired: Vec<Fired>,
        open: Vec<i64>,
        is_entry: bool,
    },
    /// Its end, and the breakpoints there that stop.
    Step(Vec<Fired>),
    /// The program's first statement, and the breakpoints there that stop.
    Entry(Vec<Fired>),
    /// `Debugger.Break()`.
    Break,
    Exception(ExceptionStage),
    Pause,
}

/// What the runtime reported, as far as it matters to a client.
pub enum Notice {
    Stopped {
        thread: u32,
        cause: Cause,
    },
    ModuleLoaded(Arc<Module>),
    ModuleUnloaded(Arc<Module>),
    ThreadStarted(u32),
    ThreadExited(u32),
    /// A breakpoint was bound, moved or failed.
    BreakpointChanged(i64),
    /// Counts that the client was given, of a condition or of hits, have changed.
    Counted,
    /// Hits of tracepoints were read that the client has not been given.
    Traced,
    /// A tracepoint's text, or a breakpoint's fault.
    Said {
        text: String,
        is_error: bool,
    },
    /// `Debugger.Log`, `Debug.WriteLine`.
    Logged(String),
    CallEnded {
        eval: com::Eval,
        threw: bool,
    },
    Exited,
    Failed(HResult),
}

/// Takes notices, from either thread.
pub type Teller = Box<dyn Fn(Notice) + Send + Sync>;

pub struct Target {
    pub pid: u32,
    pub options: Options,
    pub modules: Modules,
    process: OnceLock<com::Process>,
    /// The runtime's debugging library has let go of the program: a call into it would end this process.
    is_finished: AtomicBool,
    is_let_go: AtomicBool,
    breakpoints: Mutex<Breakpoints>,
    filters: Mutex<Filters>,
    throws: Mutex<Throws>,
    exception_types: Mutex<Types>,
    step: Mutex<Option<Step>>,
    /// Where the client let the program go on, until that thread calls `Debugger.Break()`.
    left: Mutex<Option<Left>>,
    /// What the calls of the step that ended last returned, and whether there were more.
    returned: Mutex<(Vec<Returned>, bool)>,
    /// The thread on which a call of ours runs; 0: none. Nothing may stop the program meanwhile.
    calling: AtomicU32,
    stop_request: StopRequest,
    /// Held while a callback is decided: nothing that it uses may end meanwhile.
    deciding: Mutex<()>,
    /// Code of the program that was called and cannot be ended: nothing more can be asked of the program.
    stuck_in: OnceLock<String>,
    /// Types whose static initializer is known to have succeeded, by module.
    initialized: Mutex<HashSet<(u32, String)>>,
    types: Mutex<Option<LoadedTypes>>,
    /// `object`, which most types extend, once it has been asked for.
    pub object_type: OnceLock<com::Type>,
    identities: Mutex<Identities>,
    numbered: Mutex<Numbered>,
    /// Stops that wait to be reported: their threads are held there.
    held: Mutex<VecDeque<(u32, Cause)>>,
    notify: Teller,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Target {
    pub fn new(
        pid: u32,
        options: Options,
        mut breakpoints: Breakpoints,
        filters: Filters,
        notify: Teller,
    ) -> Arc<Self> {
        breakpoints.just_my_code = options.just_my_code;
        breakpoints.sources = options.sources.clone();
        Arc::new(Self {
            pid,
            options,
            modules: Modules::default(),
            process: OnceLock::new(),
            is_finished: AtomicBool::new(false),
            is_let_go: AtomicBool::new(false),
            breakpoints: Mutex::new(breakpoints),
            filters: Mutex::new(filters),
            throws: Mutex::default(),
            exception_types: Mutex::default(),
            step: Mutex::default(),
            left: Mutex::default(),
            returned: Mutex::default(),
            calling: AtomicU32::new(0),
            stop_request: StopRequest::default(),
            deciding: Mutex::default(),
            stuck_in: OnceLock::new(),
            initialized: Mutex::default(),
            types: Mutex::default(),
            object_type: OnceLock::new(),
            identities: Mutex::default(),
            numbered: Mutex::default(),
            held: Mutex::default(),
            notify,
        })
    }

    pub fn set_left(&self, left: Option<Left>) {
        *lock(&self.left) = left;
    }

    /// Whether a call of the statement at which the client let a thread go on is what stops it now.
    pub fn takes_left(&self, now: &Left) -> bool {
        lock(&self.left).take_if(|left| left.thread == now.thread).is_some_and(|left| left == *now)
    }

    pub fn notify(&self, notice: Notice) {
        (self.notify)(notice);
    }

    pub fn set_process(&self, process: com::Process) {
        let _ = self.process.set(process);
    }

    /// # Errors
    /// Before the debugging began, and when it is over.
    pub fn process(&self) -> com::Result<&com::Process> {
        if self.is_finished() {
            return Err(HResult::PROCESS_TERMINATED);
        }
        self.process.get().ok_or(HResult::NOT_SYNCHRONIZED)
    }

    /// No callback is decided until the result is dropped.
    pub fn undisturbed(&self) -> MutexGuard<'_, ()> {
        lock(&self.deciding)
    }

    pub fn is_finished(&self) -> bool {
        self.is_finished.load(Ordering::SeqCst)
    }

    /// Nothing is stopped for any more: what is reported is answered, and the program goes on.
    pub fn let_go(&self) {
        self.is_let_go.store(true, Ordering::SeqCst);
    }

    pub fn is_let_go(&self) -> bool {
        self.is_let_go.load(Ordering::SeqCst)
    }

    /// The debugging is over.
    pub fn set_finished(&self) {
        self.is_finished.store(true, Ordering::SeqCst);
    }

    /// Answers one stop or callback. That the program has ended meanwhile is no fault.
    pub fn go_on(&self) {
        if let Ok(process) = self.process() {
            let _ = process.go_on(false);
        }
    }

    /// Does `act` while the program stands still, whether it did before or not.
    ///
    /// # Errors
    /// It cannot be stopped.
    pub fn while_still<T>(self: &Arc<Self>, act: impl FnOnce() -> T) -> Result<T, StopError> {
        self.stop()?;
        let done = act();
        // stops are counted
        self.go_on();
        Ok(done)
    }

    /// The method that a call of ours never returns from.
    pub fn stuck_in(&self) -> Option<&str> {
        self.stuck_in.get().map(String::as_str)
    }

    pub fn set_stuck_in(&self, method: String) {
        let _ = self.stuck_in.set(method);
    }

    pub fn breakpoints(&self) -> MutexGuard<'_, Breakpoints> {
        lock(&self.breakpoints)
    }

    pub fn filters(&self) -> MutexGuard<'_, Filters> {
        lock(&self.filters)
    }

    /// What was thrown so far.
    pub fn throws(&self) -> MutexGuard<'_, Throws> {
        lock(&self.throws)
    }

    /// The types of exceptions that were thrown before.
    pub fn exception_types(&self) -> MutexGuard<'_, Types> {
        lock(&self.exception_types)
    }

    /// The step that is under way.
    pub fn step(&self) -> MutexGuard<'_, Option<Step>> {
        lock(&self.step)
    }

    pub fn set_returned(&self, found: Vec<Returned>, is_cut: bool) {
        *lock(&self.returned) = (found, is_cut);
    }

    /// In the order of the calls, and whether there were more.
    pub fn take_returned(&self) -> (Vec<Returned>, bool) {
        std::mem::take(&mut *lock(&self.returned))
    }

    pub fn is_calling(&self) -> bool {
        self.calling.load(Ordering::SeqCst) != 0
    }

    /// What a call does on its own thread is not the program's doing.
    pub fn is_calling_on(&self, thread: &com::Thread) -> bool {
        self.is_calling() && thread.id() == Ok(self.calling.load(Ordering::SeqCst))
    }

    /// The thread of a call that begins; `None`: it is over.
    pub fn set_calling(&self, thread: Option<u32>) {
        self.calling.store(thread.unwrap_or(0), Ordering::SeqCst);
    }

    pub fn is_known_initialized(&self, module: u32, type_name: &str) -> bool {
        lock(&self.initialized).contains(&(module, type_name.to_owned()))
    }

    pub fn set_known_initialized(&self, module: u32, type_name: String) {
        lock(&self.initialized).insert((module, type_name));
    }

    /// The objects that have names.
    pub fn identities(&self) -> MutexGuard<'_, Identities> {
        lock(&self.identities)
    }

    /// The objects that variables held at a stop.
    pub fn numbered(&self) -> MutexGuard<'_, Numbered> {
        lock(&self.numbered)
    }

    /// What the metadata says, as it was last read, unless a module came or went since; for one evaluation alone.
    pub fn take_types(&self) -> Option<LoadedTypes> {
        let version = self.modules.version();
        lock(&self.types).take().filter(|types| types.version == version)
    }

    /// For the next evaluation.
    pub fn keep_types(&self, types: LoadedTypes) {
        *lock(&self.types) = Some(types);
    }

    /// The program does not run yet when this callback is answered.
    pub fn has_more_to_report(&self) -> bool {
        self.process().and_then(|process| process.has_queued_callbacks(None)).unwrap_or(false)
    }

    /// A thread stops the program when the call that is under way is over, or the runtime has reported everything.
    pub fn hold(&self, thread: u32, cause: Cause) {
        lock(&self.held).push_back((thread, cause));
    }

    /// The next of those to report.
    pub fn next_held(&self) -> Option<(u32, Cause)> {
        lock(&self.held).pop_front()
    }
}
