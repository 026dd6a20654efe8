//! The errors of the debugger domain: a stable code, what happened, and what to do next.

use super::ids::StateName;
use super::report::{OutputTail, SourceLine};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The stable error codes of the tool surface; each names its producer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }
        impl Code {
            /// Every code, in the order of the surface's table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
            /// The code as clients see it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// Any session tool without a session.
    NoSession = "no_session",
    /// `session_id` names none.
    SessionNotFound = "session_not_found",
    /// debug_attach to a pid that one of ours debugs.
    AlreadyAttached = "already_attached",
    /// A step or run_to of a running program.
    AlreadyRunning = "already_running",
    /// Inspection of a running or ended program.
    NotStopped = "not_stopped",
    /// debug_pause, process_write_input after the end.
    NotRunning = "not_running",
    /// debug_attach: no such pid or name.
    ProcessNotFound = "process_not_found",
    /// debug_attach: the process has no CoreCLR, or one that cannot be debugged.
    NotManaged = "not_managed",
    /// debug_attach: another user's process.
    PermissionDenied = "permission_denied",
    /// debug_launch: the path does not exist.
    ProgramNotFound = "program_not_found",
    /// debug_launch: exists, but is no managed program.
    NotDotnetProgram = "not_dotnet_program",
    /// debug_launch: no dotnet, or the framework asked for is not installed.
    RuntimeNotFound = "runtime_not_found",
    /// debug_launch, debug_restart: `dotnet build` failed.
    BuildFailed = "build_failed",
    /// debug_launch: the program ended or the adapter refused before it ran.
    LaunchFailed = "launch_failed",
    /// debug_attach: the adapter refused.
    AttachFailed = "attach_failed",
    /// No debug adapter anywhere.
    BackendNotFound = "backend_not_found",
    /// The adapter does not start or does not speak DAP.
    BackendUnusable = "backend_unusable",
    /// The adapter died or went deaf.
    AdapterLost = "adapter_lost",
    /// The adapter refused a request; its words are kept.
    AdapterError = "adapter_error",
    /// The adapter cannot do it and neither can we.
    UnsupportedByAdapter = "unsupported_by_adapter",
    /// The start did not come to an end in time.
    StartTimeout = "start_timeout",
    /// A wrong, missing or unknown argument.
    InvalidArgument = "invalid_argument",
    /// A value's path that cannot be parsed.
    InvalidPath = "invalid_path",
    /// A person declined it.
    NotConfirmed = "not_confirmed",
    /// A file that may not be read.
    PathNotAllowed = "path_not_allowed",
    /// A source file, or an assembly, that does not exist.
    FileNotFound = "file_not_found",
    /// breakpoint_set, debug_run_to by text.
    TextNotFound = "text_not_found",
    /// breakpoint_set, debug_run_to by text.
    TextAmbiguous = "text_ambiguous",
    /// breakpoint_enable, breakpoint_remove, breakpoint_wait: unknown id.
    BreakpointNotFound = "breakpoint_not_found",
    /// breakpoint_set: a condition that cannot be one.
    InvalidCondition = "invalid_condition",
    /// `thread_id` names none.
    InvalidThread = "invalid_thread",
    /// `frame` is beyond the stack, or has no user code where that is needed.
    InvalidFrame = "invalid_frame",
    /// A path or name that does not exist in the frame.
    VariableNotFound = "variable_not_found",
    /// variable_set of what cannot be set.
    NotAssignable = "not_assignable",
    /// evaluate: the adapter's words are in the message.
    EvaluationFailed = "evaluation_failed",
    /// An expression or path that is not known to change nothing, without `allow_side_effects`.
    SideEffects = "side_effects",
    /// evaluate: the program's code threw.
    EvaluationThrew = "evaluation_threw",
    /// evaluate: did not return in time.
    EvaluationTimeout = "evaluation_timeout",
    /// exception_get_context at a stop without an exception.
    NoException = "no_exception",
    /// source_get: no source file is known.
    NoSymbols = "no_symbols",
    /// members_get, layout_get: no or several types of that name; types_get: no such namespace.
    TypeNotFound = "type_not_found",
    /// Metadata tools: `module` names none that is loaded.
    ModuleNotFound = "module_not_found",
    /// A regular expression or name pattern that cannot be parsed.
    InvalidPattern = "invalid_pattern",
    /// code tools.
    NoWorkspace = "no_workspace",
    /// code tools.
    SymbolNotFound = "symbol_not_found",
    /// process_write_input: the program was started without a pipe, or not by us.
    StdinUnavailable = "stdin_unavailable",
    /// process_write_input after close_after or the program's own close.
    StdinClosed = "stdin_closed",
    /// process_read_output of an attached program; debug_query_events of an unknown stream.
    StreamUnavailable = "stream_unavailable",
    /// debug_get_snapshot, debug_diff_snapshots: no stop has this number, or its snapshot was dropped.
    SnapshotNotFound = "snapshot_not_found",
    /// debug_get_snapshot: `scope` names no part of a snapshot.
    ScopeNotFound = "scope_not_found",
    /// debug_get_state_path.
    PathNotFound = "path_not_found",
    /// An argument or answer over the size limit.
    PayloadTooLarge = "payload_too_large",
    /// A tool that is not read-only, under --read-only.
    ReadOnlyMode = "read_only_mode",
    /// A bug of ours.
    InternalError = "internal_error",
}

/// An error as the tools report it: `code` is stable, `message` says what is (with the numbers), `hint` the next call.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct SessionError {
    pub code: Code,
    pub message: String,
    pub hint: String,
    /// Where it matters only.
    pub state: Option<StateName>,
    pub details: Option<Box<Details>>,
}

/// What some codes carry beside their words.
#[derive(Debug, Clone, PartialEq)]
pub enum Details {
    /// `build_failed`.
    Build { root: String, errors: Vec<BuildDiagnostic>, more_errors: usize },
    /// `text_ambiguous`.
    Matches { matches: Vec<SourceLine>, more_matches: usize },
    /// `text_not_found`.
    Nearest(Vec<SourceLine>),
    /// `invalid_argument`.
    Argument { argument: String, did_you_mean: Option<String> },
    /// `adapter_lost`: what was asked, how the adapter ended, its and the program's last words.
    AdapterLost {
        request: Option<String>,
        exit_code: Option<i32>,
        signal: Option<String>,
        stderr: Option<String>,
        output: OutputTail,
    },
}

/// One message of the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildDiagnostic {
    /// `file:line:column`, the file relative to the root where it lies under it.
    pub at: String,
    pub code: String,
    pub message: String,
}

impl SessionError {
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), state: None, details: None }
    }

    pub fn in_state(mut self, state: StateName) -> Self {
        self.state = Some(state);
        self
    }

    pub fn with(mut self, details: Details) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// `invalid_pattern` for `argument`, which is no regular expression.
    pub fn pattern(argument: &str, error: &regex::Error) -> Self {
        let words = error.to_string();
        let last = words.lines().last().unwrap_or(&words);
        let message = format!("{argument} is not a valid regular expression: {last}");
        Self::new(Code::InvalidPattern, message, "escape its special characters with a backslash")
    }

    /// `invalid_argument` for `argument`; the hint says what it takes.
    pub fn argument(argument: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message, hint)
            .with(Details::Argument { argument: argument.into(), did_you_mean: None })
    }
}
