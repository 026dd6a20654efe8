//! The MCP server of one connection: lists tools, and is the one point that every tool call goes through.
//!
//! A call ends when its work ends or when the client cancels it; then its work is dropped, which loses nothing.
//! Progress is reported from within the call's own loop, never by a task of its own that could outlive it.

mod asking;
mod calls;
pub(super) mod guard;
pub(super) mod order;
mod results;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, ConstString, CustomRequest, CustomResult, ErrorCode, ErrorData, Extensions, GetPromptRequestMethod,
    GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation, ListPromptsRequestMethod,
    ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestMethod,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    ServerCapabilities, ServerConfig, SubscribeRequestMethod, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestMethod, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use tokio::time::timeout;

use super::call::Dispatch;
use super::resources;
use super::subscriptions::{self, Subscriptions};
use crate::answers::tool_error::ToolError;
use crate::config::Results;

/// What all tools share, stated once.
const INSTRUCTIONS: &str = "Debugs .NET programs. Start with debug_launch (pass breakpoints) or debug_attach; continue, \
step, pause and wait return a stop report (location, locals, stack, output), so read it before calling again. \
Breakpoints, tracepoints, exception breakpoints and watches apply to every session until removed; session_id limits one to that \
session. Shared by all tools: session_id defaults to the newest live session. timeout_ms of calls that wait for a stop (default \
30000, debug_pause 5000, 0 = do not wait, max 600000) ends only the wait: still_running has `since` for a later breakpoint_wait, and no stop is lost; for evaluate, \
variables_get, object_inspect and the heap tools it limits the work itself. thread_id and frame \
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
        if is_modern(context) {
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

/// Of a client of the revision in which each request stands alone.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Why a resource cannot be read.
fn unread(error: &ToolError) -> ErrorData {
    let data = serde_json::json!({"code": error.code, "hint": error.hint});
    ErrorData::resource_not_found(format!("{}; {}", error.message, error.hint), Some(data))
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools();
        let capabilities = match self.dispatch.options().read_only {
            true => tools.build(),
            false => {
                let reads = tools.enable_resources().enable_resources_subscribe();
                reads.enable_prompts().enable_completions().enable_tasks().build()
            }
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
        self.answer(request, context).await
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
        let read = resources::read(dispatch, &request.uri).await;
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

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let offered = asking::prompts(self.resources::<ListPromptsRequestMethod>(&context)?);
        Ok(ListPromptsResult::with_all_items(offered))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let dispatch = self.resources::<GetPromptRequestMethod>(&context)?;
        asking::prompt(dispatch, &request.name, &request.arguments.unwrap_or_default()).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        asking::complete(self.resources::<CompleteRequestMethod>(&context)?, &request).await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.task(&request.task_id, &context)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // no task of ours asks anything
        self.dispatch(&context.extensions).tasks().update(&request.task_id)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.dispatch(&context.extensions).tasks().cancel(&request.task_id)
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
