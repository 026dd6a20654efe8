//! Where code is: threads, frames, sources, modules.

use serde::{Deserialize, Serialize};

use super::{number_or_text, number_or_text_or_none};

/// A source, by path where it is a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Above 0: the text must be asked for with `source`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

impl Source {
    /// A file.
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::default() }
    }
}

/// All threads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadsResponse {
    pub threads: Vec<Thread>,
}

/// A thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    pub id: i64,
    #[serde(default)]
    pub name: String,
}

/// `thread` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadEvent {
    pub reason: ThreadReason,
    pub thread_id: i64,
}

/// What happened to a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ThreadReason {
    Started,
    Exited,
    #[serde(untagged)]
    Other(String),
}

/// `stackTrace`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StackTraceArguments {
    pub thread_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_frame: Option<i64>,
    /// 0 or none: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<i64>,
    /// Read by adapters with `supportsValueFormattingOptions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<StackFrameFormat>,
}

/// What the names of frames say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StackFrameFormat {
    /// Integers in hexadecimal.
    pub hex: bool,
    pub parameters: bool,
    pub parameter_types: bool,
    pub parameter_names: bool,
    pub parameter_values: bool,
    pub line: bool,
    pub module: bool,
    /// Also frames that are not the user's code.
    pub include_all: bool,
}

/// Frames, innermost first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTraceResponse {
    pub stack_frames: Vec<StackFrame>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_frames: Option<i64>,
    /// Beyond the protocol: the stack has more frames than that, which were not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clr_has_more_frames: bool,
    /// Beyond the protocol: so many frames are the thread's own. Those behind them, below a label, are the async methods that wait for
    /// these, each for the one before it. None: it is not known whether any does, or all are on the stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clr_frames_on_stack: Option<i64>,
}

/// How the name begins of the last frame of those that wait, where what goes on is of a type that says nothing of who waits.
pub const UNKNOWN_CONTINUATION: &str = "unknown continuation: ";

/// A frame. Lines and columns count from 1; 0 where there is no source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackFrame {
    pub id: i64,
    #[serde(default)]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(default)]
    pub line: i64,
    #[serde(default)]
    pub column: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<i64>,
    /// A number in some adapters; netcoredbg: the module's version id.
    #[serde(default, deserialize_with = "number_or_text_or_none")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_pointer_reference: Option<String>,
    /// An exception left it, and a handler further up runs; an extension (`builtin`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clr_left: bool,
    /// So many more async methods wait for what this one waits for; an extension (`builtin`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub clr_others_wait: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// `scopes`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScopesArguments {
    pub frame_id: i64,
}

/// The scopes of a frame; none where there are no symbols.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScopesResponse {
    pub scopes: Vec<Scope>,
}

/// A group of variables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    pub name: String,
    pub variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    #[serde(default)]
    pub expensive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
}

/// `modules`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModulesArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_module: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_count: Option<i64>,
}

/// A module.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Module {
    #[serde(deserialize_with = "number_or_text")]
    pub id: String,
    #[serde(default)]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_optimized: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_user_code: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// netcoredbg: `Symbols loaded.`, `Symbols not found.` or `Skipped loading symbols.`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_file_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_range: Option<String>,
}

/// `module` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleEvent {
    pub reason: ModuleReason,
    pub module: Module,
}

/// What happened to a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ModuleReason {
    New,
    Changed,
    Removed,
    #[serde(untagged)]
    Other(String),
}

/// `source`: the text of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    pub source_reference: i64,
}

/// `loadedSources`: the files that the symbols of loaded modules name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedSourcesResponse {
    pub sources: Vec<Source>,
}
