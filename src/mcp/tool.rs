//! What a tool is: its row in the table that clients list, and the function behind it.
//!
//! A function hands its command to the session before its first await; `server` relies on that to keep calls in order.

pub(super) mod delivery;
pub(super) mod listing;
mod schema;

use std::borrow::Cow;
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{JsonObject, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use delivery::Delivery;

use crate::answers::make_visible;
use crate::answers::render::Render;
use crate::answers::report::BackendEntry;
use crate::answers::tool_error::ToolError;
use crate::code::Current;
use crate::config::{Set, Tier, Toolsets};
use crate::history::Calls;
use crate::session::{Code, Include, Registry, SessionError, SessionHandle, SessionId, Wait};
use clr_metadata::AssemblyCache;

/// The annotations, but `openWorldHint`, which is false everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
}

/// Read-only; calling it again returns the same.
pub(super) const READ: Hints = Hints { read_only: true, destructive: false, idempotent: true };
/// Read-only, but calling it again may return something else.
pub(super) const READ_ONCE: Hints = Hints { read_only: true, destructive: false, idempotent: false };
pub(super) const ACT: Hints = Hints { read_only: false, destructive: false, idempotent: false };
pub(super) const ACT_AGAIN: Hints = Hints { read_only: false, destructive: false, idempotent: true };
pub(super) const DESTROY: Hints = Hints { read_only: false, destructive: true, idempotent: false };
pub(super) const DESTROY_AGAIN: Hints = Hints { read_only: false, destructive: true, idempotent: true };

/// The arguments that many tools share. The server's instructions describe them once; they are removed from a call before its own are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shared {
    /// `session_id`.
    pub session: bool,
    /// `timeout_ms`.
    pub timeout: bool,
    /// `include`, and `max_chars` listed.
    pub report: bool,
    /// `response_format` listed (taken by every tool).
    pub format: bool,
}

/// The debug adapters that can be found, for debug_health_check. It may look at the disk: it is called each time anew.
pub type Backends = Arc<dyn Fn() -> futures::future::BoxFuture<'static, Vec<BackendEntry>> + Send + Sync>;

/// The largest payload of arguments, in bytes of JSON.
pub const MOST_ARGUMENT_BYTES: usize = 4 * 1024 * 1024;

/// What a tool's function gets in addition to its own arguments.
pub struct Call {
    pub registry: Registry,
    pub backends: Backends,
    /// The workspace of the code tools.
    pub workspace: Current,
    /// Where assemblies are opened that no session has loaded.
    pub kept: Arc<AssemblyCache>,
    pub session_id: Option<String>,
    pub include: Include,
    pub timeout: Option<Duration>,
    /// Maximum characters of the answer. Paging stays below it, because text truncated later would be on no page.
    pub most_chars: usize,
    /// The calls before this one.
    pub(super) calls: Calls,
    /// Where a session reports its progress.
    pub phase: watch::Sender<String>,
}

impl Call {
    /// The session that this call means.
    pub(super) fn session(&self) -> Result<SessionHandle, SessionError> {
        self.registry.session(self.session_id.as_deref())
    }

    /// How long to wait; `default` where the caller does not say (`None`: the session knows).
    pub(super) fn wait(&self, default: Option<Duration>) -> Wait {
        Wait { timeout: self.timeout.or(default), phase: Some(self.phase.clone()) }
    }
}

/// A wire value: JSON with a schema, and a text.
pub trait Wire: Serialize + JsonSchema + Render {}
impl<T: Serialize + JsonSchema + Render> Wire for T {}

/// A call's answer before it is put into one of the formats.
pub struct Answer {
    pub json: Value,
    pub text: String,
    pub failed: bool,
    /// Returns the report to the session unless it is delivered.
    pub delivery: Option<Delivery>,
}

impl Answer {
    pub(super) fn of<T: Wire>(value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(mut json) => {
                make_visible(&mut json);
                Self { json, text: value.to_text(), failed: false, delivery: None }
            }
            Err(error) => Self::error(internal(error)),
        }
    }

    /// Names the session that it is about, unless it does so already.
    pub(super) fn of_session(mut self, session: Option<SessionId>) -> Self {
        let Some(id) = session else { return self };
        let names_it = |json: &Value| json.get("session_id").is_some();
        let named = names_it(&self.json)
            || self.json.get("breakpoints").and_then(Value::as_array).is_some_and(|list| list.iter().any(names_it));
        if let Some(object) = self.json.as_object_mut().filter(|_| !named) {
            object.insert("session_id".into(), id.0.clone().into());
            self.text = format!("{}\nsession {id}", self.text.trim_end());
        }
        self
    }

    /// Says `words` too, unless it does so already.
    pub(super) fn with_note(mut self, words: &str) -> Self {
        if let Some(object) = self.json.as_object_mut().filter(|_| !self.text.contains(words)) {
            let said = object.get("note").and_then(Value::as_str);
            let note = said.map_or_else(|| words.to_owned(), |said| format!("{said}\n{words}"));
            object.insert("note".into(), note.into());
            self.text = format!("{}\nnote: {words}", self.text.trim_end());
        }
        self
    }

    pub(super) fn error(error: SessionError) -> Self {
        let error = ToolError::from(error);
        let mut json = serde_json::to_value(&error).unwrap_or_else(|_| json!({"code": error.code}));
        make_visible(&mut json);
        Self { json, text: error.to_text(), failed: true, delivery: None }
    }
}

/// What a function may return.
pub(super) trait IntoAnswer {
    type Body: Wire + 'static;
    fn into_answer(self) -> Answer;
}

impl<T: Wire + 'static> IntoAnswer for T {
    type Body = T;
    fn into_answer(self) -> Answer {
        Answer::of(&self)
    }
}

/// A bug of ours, as an error for clients.
pub(super) fn internal(error: impl Display) -> SessionError {
    SessionError::new(
        Code::InternalError,
        error.to_string(),
        "please report it; debug_state shows the state of the session",
    )
}

type Work = Pin<Box<dyn Future<Output = Answer> + Send>>;
type Run = Box<dyn Fn(Call, Map<String, Value>) -> Work + Send + Sync>;

/// A tool: a row of the table.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub set: Set,
    pub tier: Tier,
    pub hints: Hints,
    /// It answers from files alone, without a session or a build: what read-only mode leaves.
    pub reads_files: bool,
    pub shared: Shared,
    pub description: &'static str,
    /// What to request when an answer was truncated.
    pub paging: &'static str,
    /// Of the function's own arguments, and of its answer.
    own_arguments: fn() -> JsonObject,
    answer: fn() -> JsonObject,
    arguments: OnceLock<JsonObject>,
    /// The listed schemas: all lists share them.
    listed: [OnceLock<Arc<JsonObject>>; 2],
    run: Run,
}

/// Name, title, selection and annotations.
pub(super) struct Row(pub &'static str, pub &'static str, pub Tier, pub Hints);

impl Tool {
    pub(super) fn new<A, T, F>(
        row: Row,
        description: &'static str,
        function: impl Fn(Call, A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        T: IntoAnswer,
        F: Future<Output = Result<T, SessionError>> + Send + 'static,
    {
        let Row(name, title, tier, hints) = row;
        Self {
            name,
            title,
            set: Set::Session,
            tier,
            hints,
            reads_files: false,
            shared: Shared::default(),
            description,
            paging: "ask for less, or raise max_chars (at most 200000)",
            own_arguments: schema::arguments::<A>,
            answer: schema::result::<T::Body>,
            arguments: OnceLock::new(),
            listed: Default::default(),
            run: Box::new(move |call, arguments| match serde_json::from_value(Value::Object(arguments)) {
                Ok(arguments) => {
                    let work = function(call, arguments);
                    Box::pin(async move { work.await.map_or_else(Answer::error, IntoAnswer::into_answer) })
                }
                // The check came before: what it lets through and the type refuses is a bug of the schema.
                Err(error) => Box::pin(async move { Answer::error(internal(error)) }),
            }),
        }
    }

    pub(super) fn shares(self, shared: Shared) -> Self {
        Self { shared, ..self }
    }

    pub(super) fn in_set(self, set: Set) -> Self {
        Self { set, ..self }
    }

    /// It works without a session and starts nothing, at least in read-only mode.
    pub(super) fn reads_files(self) -> Self {
        Self { reads_files: true, ..self }
    }

    /// How to get the rest of a truncated answer.
    pub(super) fn pages(mut self, paging: &'static str) -> Self {
        self.paging = paging;
        self
    }

    pub(super) fn start(&self, call: Call, arguments: Map<String, Value>) -> Work {
        (self.run)(call, arguments)
    }

    /// Whether a selection of tools, in read-only mode or not, lists this one.
    pub fn is_listed(&self, toolsets: &Toolsets, read_only: bool) -> bool {
        toolsets.bring(self.tier, self.set) && (self.reads_files || !read_only)
    }

    /// What calls are checked against: with the limits of all that is taken, listed or not.
    pub(super) fn arguments(&self) -> &JsonObject {
        self.arguments.get_or_init(|| {
            let mut schema = (self.own_arguments)();
            for argument in self.shared.arguments() {
                insert_property(&mut schema, argument.name, argument.schema);
            }
            schema
        })
    }

    /// The listed schema of the arguments, from their types.
    pub(super) fn make_input(&self) -> Arc<JsonObject> {
        let mut input = schema::listed(&(self.own_arguments)());
        for mut argument in self.shared.arguments().filter(|argument| argument.listed) {
            if let Some(schema) = argument.schema.as_object_mut() {
                // stated once, in the instructions
                schema.retain(|word, _| !["minimum", "maximum"].contains(&word.as_str()));
            }
            insert_property(&mut input, argument.name, argument.schema);
        }
        Arc::new(input)
    }

    /// That of the answer.
    pub(super) fn make_output(&self) -> Arc<JsonObject> {
        let mut output = (self.answer)();
        if self.shared.session {
            // any answer names its session while several live
            schema::add_property(&mut output, "session_id", &json!({"type": "string"}));
            // and says what happened while no call came
            schema::add_property(&mut output, "note", &json!({"type": "string"}));
        }
        Arc::new(output)
    }

    fn input(&self) -> Arc<JsonObject> {
        let [input, _] = &self.listed;
        Arc::clone(input.get_or_init(|| listing::input(self.name).unwrap_or_else(|| self.make_input())))
    }

    fn output(&self) -> Arc<JsonObject> {
        let [_, output] = &self.listed;
        Arc::clone(output.get_or_init(|| listing::output(self.name).unwrap_or_else(|| self.make_output())))
    }

    /// The parameters that are listed, in order, and which of them are required.
    pub fn parameters(&self) -> Vec<(String, bool)> {
        let input = self.input();
        let required = input.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
        let properties = input.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, _)| (name.clone(), is_required(name))).collect()
    }

    /// As clients see it. `with_output`: whether they get structured results, and so a schema of them. `read_only`: what is listed
    /// there only reads.
    pub(super) fn to_mcp(&self, with_output: bool, read_only: bool) -> rmcp::model::Tool {
        let mut tool = rmcp::model::Tool::new(self.name, Cow::Borrowed(self.description), self.input())
            .with_title(self.title)
            .with_annotations(ToolAnnotations::from_raw(
                None,
                Some(self.hints.read_only || read_only),
                Some(self.hints.destructive),
                Some(self.hints.idempotent),
                Some(false),
            ));
        tool.output_schema = with_output.then(|| self.output());
        tool
    }
}

/// One of the arguments that many tools share.
struct SharedArgument {
    name: &'static str,
    listed: bool,
    schema: Value,
}

impl Shared {
    fn arguments(self) -> impl Iterator<Item = SharedArgument> {
        let parts = json!({"type": "string", "enum": ["stack", "locals", "output", "watches"]});
        let all = [
            (self.timeout, "timeout_ms", true, json!({"type": "integer", "maximum": 600_000})),
            (self.session, "session_id", true, json!({"type": "string"})),
            (self.report, "include", true, json!({"type": "array", "items": parts})),
            (true, "max_chars", self.report, json!({"type": "integer", "minimum": 1_000, "maximum": 200_000})),
            (true, "response_format", self.format, json!({"type": "string", "enum": ["markdown", "json"]})),
        ];
        let taken = all.into_iter().filter(|(taken, ..)| *taken);
        taken.map(|(_, name, listed, schema)| SharedArgument { name, listed, schema })
    }
}

fn insert_property(schema: &mut JsonObject, name: &str, property: Value) {
    if let Some(properties) = schema.entry("properties").or_insert_with(|| json!({})).as_object_mut() {
        properties.insert(name.into(), property);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_is_said_once_and_takes_no_other_away() {
        let failed = || Answer::error(SessionError::new(Code::NotStopped, "it stopped and was resumed", "debug_pause"));
        let said = failed().with_note("it stopped and was resumed");
        assert_eq!((said.json.get("note"), said.text), (None, failed().text));
        let noted = failed().with_note("one").with_note("two");
        assert_eq!(noted.json["note"], "one\ntwo");
        assert!(noted.text.ends_with("note: one\nnote: two"), "{}", noted.text);
    }
}
