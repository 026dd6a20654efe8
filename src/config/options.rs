//! What is configured, once it is valid.

use std::path::PathBuf;

use super::toolsets::Toolsets;
use crate::backend::AdapterSettings;
use crate::redaction::Redaction;

/// Everything that a run of clrbridge needs to know.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub server: ServerOptions,
    pub debug: DebugOptions,
    pub log: LogOptions,
    /// A page that shows what happens is served beside stdio.
    pub dashboard: bool,
    /// A person may act there.
    pub dashboard_control: bool,
}

/// How tools are listed and answered.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    pub toolsets: Toolsets,
    /// Lists only tools that read files: nothing is built, run or debugged.
    pub read_only: bool,
    /// A person is asked before a program is started, attached to, written to or changed.
    pub confirm: bool,
    /// The folders whose files may be shown and whose programs may be started; none: those of clients and of programs, and any program.
    pub roots: Vec<PathBuf>,
    pub results: Results,
    pub format: Format,
    /// Characters of one answer, at most.
    pub max_response_chars: usize,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            toolsets: Toolsets::default(),
            read_only: false,
            confirm: false,
            roots: Vec::new(),
            results: Results::Auto,
            format: Format::Markdown,
            max_response_chars: 50_000,
        }
    }
}

/// Which of the two renderings clients get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Results {
    /// By the client's name.
    #[default]
    Auto,
    Both,
    Text,
    Structured,
}

/// What the text content of an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Terse text for a context window.
    #[default]
    Markdown,
    /// Compact JSON of the same value.
    Json,
}

impl Format {
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// What debugs, and what is kept of it.
#[derive(Debug, Clone, Default)]
pub struct DebugOptions {
    pub adapter: AdapterSettings,
    /// Bytes of a program's output beyond memory, in a temporary file; `None`: the default.
    pub max_output: Option<u64>,
    /// What no answer shows.
    pub redaction: Redaction,
    /// The adapter's talk is written there.
    pub record: Option<PathBuf>,
}

/// Logs go to stderr, always.
#[derive(Debug, Clone)]
pub struct LogOptions {
    pub level: String,
    pub json: bool,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self { level: "warn".into(), json: false }
    }
}
