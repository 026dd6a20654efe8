//! One call from name and arguments to an answer, whoever asks: the MCP server and `clrbridge call` both come through here.
//! Checks everything that can be checked without a session; knows nothing of transports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::JsonObject;
use serde_json::{Map, Value};
use tokio::sync::watch;

use super::arguments;
use super::format::{Answered, fit};
use super::last_named::LastNamed;
use crate::code::Current;
use crate::config::{Format, ServerOptions};
use crate::history::{self, Calls};
use crate::mcp::tasks::Tasks;
use crate::mcp::tool::{Answer, Backends, Call, MOST_ARGUMENT_BYTES, Tool};
use crate::mcp::tools;
use crate::session::{Code, Include, Registry, SessionError, SessionHandle, SessionId};
use clr_metadata::AssemblyCache;

/// Tools that open a session.
const OPENS: &[&str] = &["debug_launch", "debug_attach", "debug_test"];

/// All tools over one registry of sessions, one workspace, and the assemblies that were asked about.
#[derive(Clone)]
pub struct Dispatch {
    registry: Registry,
    workspace: Current,
    kept: Arc<AssemblyCache>,
    backends: Backends,
    options: Arc<ServerOptions>,
    calls: Calls,
    /// Who calls, where it said so.
    client: Option<Arc<str>>,
    last_named: LastNamed,
    page: Option<Page>,
    tasks: Tasks,
}

/// The dashboard, which the first session's opening reports.
#[derive(Clone)]
struct Page {
    address: Arc<str>,
    is_announced: Arc<AtomicBool>,
}

impl Dispatch {
    pub fn new(registry: Registry, options: ServerOptions, backends: Backends) -> Self {
        let (workspace, kept) = (Current::default(), Arc::default());
        let (calls, client, last_named) = (Calls::default(), None, LastNamed::default());
        let options = Arc::new(options);
        Self {
            registry,
            workspace,
            kept,
            backends,
            options,
            calls,
            client,
            last_named,
            page: None,
            tasks: Tasks::default(),
        }
    }

    /// The same for a client of this name.
    pub(in crate::mcp) fn of_client(&self, name: Option<&str>) -> Self {
        Self { client: name.map(Arc::from), ..self.clone() }
    }

    /// The same for a client with other sessions, and a workspace of its own.
    pub(in crate::mcp) fn over(&self, registry: Registry) -> Self {
        let page = self.page.as_ref().map(|page| Page { is_announced: Arc::default(), ..page.clone() });
        let (workspace, last_named, tasks) = (Current::default(), LastNamed::default(), Tasks::default());
        Self { registry, workspace, last_named, page, tasks, ..self.clone() }
    }

    /// A dashboard is served at this address.
    pub fn with_page(self, address: &str) -> Self {
        Self { page: Some(Page { address: address.into(), is_announced: Arc::default() }), ..self }
    }

    /// What an answer that opened a session says of the dashboard, once.
    fn unannounced_page(&self, tool: &Tool, answer: &Answer) -> Option<String> {
        let page = self.page.as_ref().filter(|_| OPENS.contains(&tool.name) && !answer.failed)?;
        (!page.is_announced.swap(true, Ordering::Relaxed))
            .then(|| format!("tell the user that they can watch this session at {}", page.address))
    }

    /// The calls so far, of all clients.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    pub fn options(&self) -> &ServerOptions {
        &self.options
    }

    /// The tools that are listed, in the order of the table.
    pub fn listed(&self) -> impl Iterator<Item = &'static Tool> {
        let options = Arc::clone(&self.options);
        tools::all().iter().filter(move |tool| tool.is_listed(&options.toolsets, options.read_only))
    }

    /// The sessions behind the tools.
    pub(in crate::mcp) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Its waits that go on.
    pub(in crate::mcp) fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// The answer to a call that is not made, which the history keeps.
    pub(in crate::mcp) fn refused(&self, tool: &Tool, arguments: &JsonObject, error: SessionError) -> Answered {
        let shown = self.registry.redaction().arguments(arguments);
        self.calls.begin(self.client.as_deref(), tool.name, &shown).ended(error.code.as_str());
        fit(Answer::error(error), self.options.format, self.options.max_response_chars, tool.paging)
    }

    /// The tool of that name, else what to say instead. A tool that read-only mode hides is found: calling it is reported separately.
    pub fn find(&self, name: &str) -> Result<&'static Tool, String> {
        let enabled = |tool: &&Tool| tool.is_listed(&self.options.toolsets, false);
        match tools::all().iter().find(|tool| tool.name == name) {
            Some(tool) if enabled(&tool) => Ok(tool),
            Some(tool) => {
                Err(format!("`{name}` is not enabled: start clrbridge with --toolsets default,{}", tool.set.as_str()))
            }
            None => {
                let known = tools::nearest(name, tools::all().iter().filter(enabled).map(|tool| tool.name));
                Err(match known {
                    Some(right) => format!("no tool `{name}`; did you mean `{right}`?"),
                    None => format!("no tool `{name}`; tools/list lists all"),
                })
            }
        }
    }

    /// Answers one call. Dropping the future loses nothing: not a stop, not a breakpoint.
    pub async fn call(&self, tool: &'static Tool, mut arguments: JsonObject, phase: watch::Sender<String>) -> Answered {
        let _in_progress = self.registry.begin_call();
        let shown = self.registry.redaction().arguments(&arguments);
        let under_way = self.calls.begin(self.client.as_deref(), tool.name, &shown);
        let mut format = self.options.format;
        let mut most_chars = self.options.max_response_chars;
        let answer = match self.prepare(tool, &mut arguments, phase, &mut format, &mut most_chars) {
            Ok(call) => {
                let session = call.session().ok().filter(|_| tool.shared.session);
                let is_in_doubt = |id: &SessionId| self.registry.live_count() > 1 || self.last_named.is_other(id);
                let meant = session.as_ref().map(|session| session.id().clone());
                let named = meant.clone().filter(is_in_doubt);
                let answer = tool.start(call, arguments).await.of_session(named);
                // what opens a session names it
                let opened = answer.json.get("session_id").and_then(Value::as_str).map(|id| SessionId(id.into()));
                if let Some(id) = opened.or(meant) {
                    self.last_named.set(id);
                }
                let acts = session.as_ref().and_then(SessionHandle::take_acts);
                let answer = match acts {
                    Some(words) => answer.with_note(&words),
                    None => answer,
                };
                match session.and_then(|session| session.unreported_lapse().map(|words| (session, words))) {
                    Some((session, words)) => {
                        session.lapse_reported();
                        answer.with_note(&words)
                    }
                    None => answer,
                }
            }
            Err(error) => Answer::error(error),
        };
        let answer = match self.unannounced_page(tool, &answer) {
            Some(words) => answer.with_note(&words),
            None => answer,
        };
        let code = answer.json.get("code").and_then(Value::as_str).filter(|_| answer.failed);
        under_way.ended(code.unwrap_or(history::OK));
        fit(answer, format, most_chars, tool.paging)
    }

    /// The whole of what a tool that only reads would answer: no call that the history or a session hears of.
    pub(in crate::mcp) async fn look(&self, tool: &'static Tool, mut arguments: JsonObject) -> Answer {
        let _in_progress = self.registry.begin_call();
        let (phase, _) = watch::channel(String::new());
        let (mut format, mut most_chars) = (self.options.format, self.options.max_response_chars);
        match self.prepare(tool, &mut arguments, phase, &mut format, &mut most_chars) {
            Ok(call) => tool.start(call, arguments).await,
            Err(error) => Answer::error(error),
        }
    }

    fn prepare(
        &self,
        tool: &Tool,
        arguments: &mut Map<String, Value>,
        phase: watch::Sender<String>,
        format: &mut Format,
        most_chars: &mut usize,
    ) -> Result<Call, SessionError> {
        if self.options.read_only && !tool.reads_files {
            let message = if tool.hints.read_only {
                format!("{} needs a debug session, and this read-only server has none", tool.name)
            } else {
                format!("{} is not available: this server is read-only", tool.name)
            };
            return Err(SessionError::new(Code::ReadOnlyMode, message, "use a tool listed by tools/list"));
        }
        if is_larger(arguments, MOST_ARGUMENT_BYTES) {
            let message = format!("the arguments are larger than {MOST_ARGUMENT_BYTES} bytes");
            return Err(SessionError::new(Code::PayloadTooLarge, message, "split the call into several"));
        }
        arguments::check(tool.name, tool.arguments(), arguments)?;
        let mut take_number = |name: &str| arguments.shift_remove(name).and_then(|value| value.as_u64());
        let timeout = if tool.shared.timeout { take_number("timeout_ms").map(Duration::from_millis) } else { None };
        if let Some(most) = take_number("max_chars").and_then(|most| usize::try_from(most).ok()) {
            *most_chars = most;
        }
        let mut take_text = |name: &str| match arguments.shift_remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        if let Some(wanted) = take_text("response_format").and_then(|word| Format::parse(&word)) {
            *format = wanted;
        }
        let session_id = if tool.shared.session { take_text("session_id") } else { None };
        let include = if tool.shared.report { include(arguments.shift_remove("include")) } else { Include::default() };
        Ok(Call {
            registry: self.registry.clone(),
            backends: Arc::clone(&self.backends),
            workspace: self.workspace.clone(),
            kept: Arc::clone(&self.kept),
            session_id,
            include,
            timeout,
            most_chars: *most_chars,
            calls: self.calls.clone(),
            phase,
        })
    }
}

fn include(given: Option<Value>) -> Include {
    let Some(Value::Array(parts)) = given else { return Include::default() };
    let has = |part: &str| parts.iter().any(|it| it == part);
    Include {
        stack: has("stack"),
        locals: has("locals"),
        output: has("output"),
        watches: has("watches"),
        explicit: true,
    }
}

/// Measures without building the text.
fn is_larger(arguments: &Map<String, Value>, most: usize) -> bool {
    struct Budget(usize);
    impl std::io::Write for Budget {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::FileTooLarge)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Budget(most), arguments).is_err()
}
