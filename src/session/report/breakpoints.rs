//! What the tools for breakpoints and exceptions return.

use super::{SessionHits, SourceLine};
use crate::session::ids::SessionId;

/// A breakpoint or tracepoint as clients see it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breakpoint {
    pub id: u32,
    pub verified: bool,
    pub pending: bool,
    pub why: Option<Why>,
    pub message: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: Option<String>,
    /// Methods that a function breakpoint means, if they are not one.
    pub methods: usize,
    /// `Order.Add Order.cs:12`, the first of them.
    pub places: Vec<String>,
    pub requested_line: Option<u32>,
    pub moved_from: Option<u32>,
    pub source: Option<String>,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log: Option<String>,
    /// A tracepoint that logs no line twice running.
    pub only_changes: bool,
    pub hits: u64,
    /// Times that the condition was false, where that is known.
    pub condition_false: Option<u64>,
    /// No hits are reported too: a session is over, and this is what it had.
    pub counted: bool,
    /// The hits are those since the program was restarted.
    pub since_restart: bool,
    /// The session that the rest is reported for, where that needs to be said.
    pub session: Option<SessionId>,
    /// Hits in other sessions.
    pub also: Vec<SessionHits>,
    /// The only session it applies to.
    pub limited_to: Option<SessionId>,
    pub disabled: bool,
    pub temporary: bool,
    pub nearest: Vec<SourceLine>,
    /// What setting it changed.
    pub note: Option<String>,
}

/// Why a breakpoint is not bound (the words of breakpoint_explain's verdicts).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    NotLaunched,
    ModuleNotLoaded,
    NoCode,
    FileUnknown,
    FileAmbiguous,
    NoSymbols,
    SymbolsMismatch,
    SourceChanged,
    TextGone,
    Optimized,
    /// An attribute keeps debuggers out.
    NotUserCode,
    InvalidCondition,
    /// It wrote as many lines as it may.
    MaxHits,
}

impl Why {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotLaunched => "not_launched",
            Self::ModuleNotLoaded => "module_not_loaded",
            Self::NoCode => "no_code",
            Self::FileUnknown => "file_unknown",
            Self::FileAmbiguous => "file_ambiguous",
            Self::NoSymbols => "no_symbols",
            Self::SymbolsMismatch => "symbols_mismatch",
            Self::SourceChanged => "source_changed",
            Self::TextGone => "text_gone",
            Self::Optimized => "optimized",
            Self::NotUserCode => "not_user_code",
            Self::InvalidCondition => "invalid_condition",
            Self::MaxHits => "max_hits",
        }
    }
}

/// A rule for exceptions that was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSet {
    pub rule: ExceptionRule,
    /// What its names do not mean.
    pub note: Option<String>,
}

/// The rule for exceptions; each call replaces the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionRule {
    /// `*` = all; full or short names.
    pub types: Vec<String>,
    pub mode: ExceptionMode,
    pub include_subtypes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceptionMode {
    Thrown,
    UserUnhandled,
    Unhandled,
    Never,
}

impl ExceptionMode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Thrown => "thrown",
            Self::UserUnhandled => "user_unhandled",
            Self::Unhandled => "unhandled",
            Self::Never => "never",
        }
    }
}
