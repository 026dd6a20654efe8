//! Every exception that a program throws: a request outside the protocol, of adapters that announce `supportsClrExceptions`. The program
//! may run, and may have ended.

use serde::{Deserialize, Serialize};

/// `clrExceptions` answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ThrownExceptions {
    /// All throws so far; one that is thrown again counts again.
    pub total: u64,
    /// The most frequent first.
    pub groups: Vec<ThrownGroup>,
    /// Groups that are no longer known, and the throws in them.
    pub dropped_groups: u64,
    pub dropped: u64,
}

/// Throws of one type at one place that one handler caught.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ThrownGroup {
    #[serde(rename = "type")]
    pub type_name: String,
    pub count: u64,
    /// The first different ones, each cut to 200 characters.
    pub messages: Vec<ThrownMessage>,
    /// Throws with other messages.
    pub other_messages: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thrown_at: Option<CodePlace>,
    /// Where it came to code of the user, if it was not thrown there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_code_at: Option<CodePlace>,
    /// Absent where no handler of a method is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caught_at: Option<CodePlace>,
    /// The handler there is the compiler's own of an async method: no `catch` stands in its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed_on: Option<PassedOn>,
    /// It ended the program.
    pub unhandled: bool,
}

/// What becomes of an exception that leaves an async method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PassedOn {
    /// The task has it, for whoever awaits it.
    Task,
    /// Nobody can await an `async void` method: it is thrown again.
    ThrownAgain,
}

/// A message of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ThrownMessage {
    pub text: String,
    pub count: u64,
}

/// A place in code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CodePlace {
    /// As a frame of it is named.
    pub function: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}
