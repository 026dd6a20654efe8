//! The MCP server of one connection: lists tools, and is the one point that every tool call goes through.
//!
//! A call ends when its work ends or when the client cancels it; then its work is dropped, which loses nothing.
//! Progress is reported from within the call's own loop, never by a task of its own that could outlive it.

pub(super) mod guard;
pub(super) mod order;
mod results;

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, ConstString, ContentBlock, CustomRequest, CustomResult, ErrorCode, ErrorData, Extensions,
    Implementation, ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ReadResourceRequestMethod,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    ServerCapabilities, ServerConfig, SubscribeRequestMethod, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestMethod, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use order::{Ticket, in_turn};

use super::call::{Answered, Dispatch, fit};
use super::receipt::Receipt;
use super::resources;
use super::subscriptions::{self, Subscriptions};
use super::tool::Answer;
use crate::config::Results;
use crate::session::SessionError;

/// What all tools share, stated once.
const INSTRUCTIONS: &str = "Debugs .NET programs. Start with debug_launch (pass breakpoints) or debug_attach; continue, \
step, pause and wait return a stop report (location, locals, stack, output), so read it before calling again. \
Breakpoints, tracepoints, exception breakpoints and watches apply to every session until removed; session_id limits one to that \
session. Shared by all tools: session_id defaults to the newest live session. timeout_ms (default 30000, 0 = do not wait, max \
600000) ends only the wait: still_running has `since` for a later breakpoint_wait, and no stop is lost. thread_id and frame \
default to those of the last stop report. include (stack, locals, output, watches) limits a stop report to these parts; \
max_chars (1000-200000) truncates an answer. Paths are relative to `root`, which debug_launch returns; absolute paths also work. Lines \
are 1-based; instead of counting them, pass `text`. Values are C# literals that can be pasted back; values that start with { \
or [ can be expanded with variables_get path=a.b[0].c. Values that look like secrets are redacted, with length and fingerprint (equal for equal \
values); only the user can turn that off (--no-redact). Failed calls have code, message and hint, the next call to make.";

/// For a read-only server, which has no sessions.
const READ_ONLY: &str = "Reads .NET assemblies and C# workspaces; read-only: nothing is built, run or debugged. The metadata tools \
take `assembly`, the path of a dll. The code tools use the only solution or project in the client's folder; code_load selects another. \
Shared by all tools: max_chars (1000-200000) truncates an answer. Lines are 1-based. Failed calls have code, message and hint, the next \
call to make.";

/// How often a waiting call reports that it is still waiting.
const PROGRESS: Duration = Duration::from_secs(2);
/// How long a client may take to accept that.
const PROGRESS_LIMIT: Duration = Duration::from_secs(1);

/// How long a client may take to report its roots.
const ROOTS_LIMIT: Duration = Duration::from_secs(2);

/// The server's side of one connection.
pub(super) struct McpServer {
    dispatch: Dispatch,
    /// Fixed by the first list or call: a client that was listed a schema must get structured results.
    results: OnceLock<Results>,
    subscriptions: Subscriptions,
}

impl McpServer {
    pub(super) fn new(dispatch: Dispatch) -> Self {
        Self { dispatch, results: OnceLock::new(), subscriptions: Subscriptions::default() }
    }

    /// The tools of the client that sent a message with these extensions: a connection over HTTP has its own.
    fn dispatch<'a>(&'a self, extensions: &'a Extensions) -> &'a Dispatch {
        extensions.get().unwrap_or(&self.dispatch)
    }

    /// Which renderings this client gets.
    fn results(&self, context: &RequestContext<RoleServer>) -> Results {
        let configured = self.dispatch.options().results;
        if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            // There, lists may not differ from one connection to another.
            return results::resolve(configured, None, false);
        }
        *self.results.get_or_init(|| {
            let client = context.client_info();
            results::resolve(configured, client.as_ref().map(|client| client.name.as_str()), true)
        })
    }

    /// The tools of a client that may read resources: a read-only server has no session and so none.
    fn resources<'a, M: ConstString>(
        &'a self,
        context: &'a RequestContext<RoleServer>,
    ) -> Result<&'a Dispatch, ErrorData> {
        match self.dispatch.options().read_only {
            true => Err(ErrorData::method_not_found::<M>()),
            false => Ok(self.dispatch(&context.extensions)),
        }
    }

    /// A failed call.
    fn failed(&self, error: SessionError, results: Results) -> CallToolResult {
        let options = self.dispatch.options();
        to_result(fit(Answer::error(error), options.format, options.max_response_chars, ""), results)
    }
}

#[expect(deprecated, reason = "2025 clients have no other way to report their folder")]
async fn roots(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    match timeout(ROOTS_LIMIT, peer.list_roots()).await {
        Ok(Ok(listed)) => listed.roots.iter().filter_map(|root| folder_of(&root.uri)).collect(),
        _ => Vec::new(),
    }
}

/// `file:///home/a%20b` as a path, where it is a folder here.
fn folder_of(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix("file://")?.as_bytes();
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.iter();
    while let Some(byte) = rest.next() {
        if *byte == b'%' {
            let hex = [*rest.next()?, *rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(*byte);
        }
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?)).filter(|path| path.is_dir())
}

/// Why a resource cannot be read.
fn unread(error: &SessionError) -> ErrorData {
    let data = serde_json::json!({"code": error.code.as_str(), "hint": error.hint});
    ErrorData::resource_not_found(format!("{}; {}", error.message, error.hint), Some(data))
}

fn to_result(reply: Answered, results: Results) -> CallToolResult {
    let mut content = vec![ContentBlock::text(reply.content)];
    // Clients show the text of a failed call even where they read only the structure of others.
    if results == Results::Structured && !reply.failed {
        content.clear();
    }
    let mut result = if reply.failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = (results != Results::Text).then_some(reply.structured);
    result
}

/// Reports to the client every two seconds that the call is still running; never ends by itself.
async fn tell_progress(context: &RequestContext<RoleServer>, phase: watch::Receiver<String>) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
    let peer: &Peer<RoleServer> = &context.peer;
    let began = Instant::now();
    let mut beat = interval_at(began + PROGRESS, PROGRESS);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let seconds = began.elapsed().as_secs();
        let message = match phase.borrow().as_str() {
            "" => format!("running, {seconds} s"),
            phase => format!("{phase}, {seconds} s"),
        };
        let progress =
            ProgressNotificationParam::new(token.clone(), began.elapsed().as_secs_f64()).with_message(message);
        // A client that does not read must not hold this up; the next beat says more anyway.
        let _ = timeout(PROGRESS_LIMIT, peer.notify_progress(progress)).await;
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools();
        let capabilities = match self.dispatch.options().read_only {
            true => tools.build(),
            false => tools.enable_resources().enable_resources_subscribe().build(),
        };
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
                    .with_title("clrbridge .NET debugger"),
            )
            .with_instructions(if self.dispatch.options().read_only { READ_ONLY } else { INSTRUCTIONS })
    }

    /// Relative paths are taken against the client's folder, if it reports one (roots: protocols before 2026-07-28).
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if context.peer.peer_info().is_none_or(|client| client.capabilities.roots.is_none()) {
            return;
        }
        let folders = roots(&context.peer).await;
        if !folders.is_empty() {
            self.dispatch(&context.extensions).registry().set_client_roots(folders);
        }
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(cursor) = page.and_then(|page| page.cursor) {
            let message = format!("unknown cursor {cursor:?}; tools/list has one page; omit the cursor");
            return Err(ErrorData::invalid_params(message, None));
        }
        let with_output = self.results(&context) != Results::Text;
        let read_only = self.dispatch.options().read_only;
        let tools = self.dispatch.listed().map(|tool| tool.to_mcp(with_output, read_only)).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let results = self.results(&context);
        let tool = self.dispatch.find(&request.name).map_err(|told| ErrorData::invalid_params(told, None))?;
        let (tell_phase, phase) = watch::channel(String::new());
        let client = context.client_info();
        let dispatch = self.dispatch(&context.extensions).of_client(client.as_ref().map(|client| client.name.as_str()));
        let work = dispatch.call(tool, request.arguments.unwrap_or_default(), tell_phase);
        let work = guard::caught(tool.name, in_turn(context.extensions.get::<Ticket>().cloned(), work));
        tokio::select! {
            biased;
            reply = work => {
                let mut reply = match reply {
                    Ok(reply) => reply,
                    Err(bug) => return Ok(self.failed(bug, results).into()),
                };
                // A cancelled call's answer is discarded by rmcp; the session must report it again.
                if !context.ct.is_cancelled() {
                    match Receipt::of(&context.extensions) {
                        Some(receipt) => receipt.hold(&mut reply),
                        None => reply.delivered(),
                    }
                }
                Ok(to_result(reply, results).into())
            }
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            never = tell_progress(&context, phase) => match never {},
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let registry = self.resources::<ListResourcesRequestMethod>(&context)?.registry();
        let described = resources::listed(registry).await.into_iter().map(|it| {
            let resource = Resource::new(format!("{}{}", resources::SCHEME, it.path), it.name);
            resource.with_description(it.description).with_mime_type(it.mime_type)
        });
        Ok(ListResourcesResult::with_all_items(described.collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.resources::<ListResourceTemplatesRequestMethod>(&context)?;
        let templates = resources::TEMPLATES.iter().map(|(path, name, description, mime_type)| {
            let template = ResourceTemplate::new(format!("{}{path}", resources::SCHEME), *name);
            template.with_description(*description).with_mime_type(*mime_type)
        });
        Ok(ListResourceTemplatesResult::with_all_items(templates.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let dispatch = self.resources::<ReadResourceRequestMethod>(&context)?;
        let read = resources::read(dispatch.registry(), dispatch.calls(), &request.uri).await;
        let contents = read.map_err(|error| unread(&error))?;
        let contents = ResourceContents::text(contents.text, request.uri).with_mime_type(contents.mime_type);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let dispatch = self.resources::<SubscribeRequestMethod>(&context)?;
        if resources::fingerprint(dispatch.registry(), dispatch.calls(), &request.uri).is_none() {
            return Err(ErrorData::resource_not_found(format!("no resource {}", request.uri), None));
        }
        match self.subscriptions.add(dispatch, &context.peer, &request.uri) {
            true => Ok(()),
            false => Err(ErrorData::invalid_params("too many subscriptions; unsubscribe from some", None)),
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.resources::<UnsubscribeRequestMethod>(&context)?;
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        (!self.dispatch.options().read_only).then(|| {
            let known =
                requested.resource_subscriptions.iter().flatten().filter(|uri| {
                    resources::fingerprint(self.dispatch.registry(), self.dispatch.calls(), uri).is_some()
                });
            SubscriptionFilter::builder().resource_subscriptions(known.cloned()).build()
        })
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let dispatch = self.dispatch(&context.request_context().extensions);
        subscriptions::listen(dispatch, &context).await;
        Ok(())
    }

    // What is not announced is not there; rmcp would answer these with empty lists.

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    /// What rmcp cannot parse as a request it knows, such as a tool call whose arguments are a list.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => {
                ErrorData::invalid_params("tools/call takes {\"name\": string, \"arguments\": object}", None)
            }
            method => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("no method {method}"), None),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_folder_that_is_here() {
        let folder = tempfile::tempdir().unwrap();
        let spaced = folder.path().join("a b");
        std::fs::create_dir(&spaced).unwrap();
        let uri = format!("file://{}/a%20b", folder.path().display());
        assert_eq!(folder_of(&uri), Some(spaced));
        for no in ["file:///nowhere/at/all", "https://x/", "file:///%zz", "file:///%2"] {
            assert_eq!(folder_of(no), None, "{no}");
        }
    }
}
