//! A tool call from request to answer: a person may be asked first, the client hears that it goes on, and a wait may become a task.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, GetTaskResult,
    InputRequiredResult, JsonObject, ProgressNotificationParam, Resource,
};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};

use super::order::{Ticket, in_turn};
use super::{McpServer, guard, is_modern};
use crate::config::{Results, ServerOptions};
use crate::mcp::call::{Answered, Dispatch, fit};
use crate::mcp::confirm::{self, Asked};
use crate::mcp::receipt::Receipt;
use crate::mcp::resources::Whole;
use crate::mcp::tasks::{AT_ONCE, Finished};
use crate::mcp::tool::{Answer, Tool};
use crate::session::SessionError;

/// How often a waiting call reports that it is still waiting.
const PROGRESS: Duration = Duration::from_secs(2);
/// How long a client may take to accept that.
const PROGRESS_LIMIT: Duration = Duration::from_secs(1);

/// What a call came to.
enum Outcome {
    Answered(Box<Answered>),
    /// Only when the client has asked a person.
    AskBack(InputRequiredResult),
}

impl McpServer {
    pub(super) async fn answer(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let results = self.results(&context);
        let tool = self.dispatch.find(&request.name).map_err(|message| ErrorData::invalid_params(message, None))?;
        let (phase_sender, phase) = watch::channel(String::new());
        let client = context.client_info();
        let dispatch = self.dispatch(&context.extensions).of_client(client.as_ref().map(|client| client.name.as_str()));
        let tasks = dispatch.tasks().clone();
        let may_be_task = tool.shared.timeout
            && context.client_capabilities().is_some_and(|client| client.supports_tasks())
            && tasks.have_room();
        let whole = Whole::of(&dispatch, tool.name, request.arguments.as_ref().unwrap_or(&JsonObject::new()));
        let ticket = context.extensions.get::<Ticket>().cloned();
        let work = in_turn(ticket, confirmed(dispatch, tool, request, &context, phase_sender));
        let mut work = Box::pin(async move { guard::caught(tool.name, work).await });
        tokio::select! {
            biased;
            outcome = &mut work => Ok(match outcome {
                Ok(Outcome::Answered(mut reply)) => {
                    // A cancelled call's answer is discarded by rmcp; the session must report it again.
                    if !context.ct.is_cancelled() {
                        match Receipt::of(&context.extensions) {
                            Some(receipt) => receipt.hold(reply.take_delivery()),
                            None => reply.delivered(),
                        }
                    }
                    to_result(*reply, results, &whole).into()
                }
                Ok(Outcome::AskBack(question)) => question.into(),
                Err(bug) => failed(whole.options(), bug, results).into(),
            }),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            never = report_progress(&context, phase.clone()) => match never {},
            () = at_once(may_be_task) => Ok(tasks.keep(finish(work, results, whole), phase).into()),
        }
    }

    /// The state of a task; the answer that brings its result delivers it.
    pub(super) fn task(&self, id: &str, context: &RequestContext<RoleServer>) -> Result<GetTaskResult, ErrorData> {
        let (task, delivery) = self.dispatch(&context.extensions).tasks().get(id)?;
        match Receipt::of(&context.extensions) {
            Some(receipt) => receipt.hold(delivery),
            None => drop(delivery.map(|delivery| delivery.done())),
        }
        Ok(task)
    }
}

/// The call, once a person has confirmed it where one must.
fn confirmed(
    dispatch: Dispatch,
    tool: &'static Tool,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    phase_sender: watch::Sender<String>,
) -> impl Future<Output = Outcome> + Send + use<> {
    let arguments = request.arguments.unwrap_or_default();
    let question = dispatch.options().confirm.then(|| confirm::question(tool.name, &arguments)).flatten();
    let question = question.zip(confirm::asking(context, is_modern(context), request.input_responses));
    async move {
        if let Some((act, asking)) = question {
            match confirm::ask(asking, &act).await {
                Asked::Confirmed => {}
                Asked::Declined(error) => return answered(dispatch.refused(tool, &arguments, error)),
                Asked::AskBack(question) => return Outcome::AskBack(question),
            }
        }
        answered(dispatch.call(tool, arguments, phase_sender).await)
    }
}

fn answered(reply: Answered) -> Outcome {
    Outcome::Answered(Box::new(reply))
}

/// Ends when a call that may be a task becomes one.
async fn at_once(may_be_task: bool) {
    if may_be_task { sleep(AT_ONCE).await } else { pending().await }
}

/// What a call that became a task leaves.
async fn finish(work: impl Future<Output = Result<Outcome, SessionError>>, results: Results, whole: Whole) -> Finished {
    match work.await {
        Ok(Outcome::Answered(mut reply)) => {
            let delivery = reply.take_delivery();
            Ok((to_result(*reply, results, &whole), delivery))
        }
        Ok(Outcome::AskBack(_)) => {
            Err(ErrorData::internal_error("the tool asked the user a question after its answer was due", None))
        }
        Err(bug) => Ok((failed(whole.options(), bug, results), None)),
    }
}

/// A failed call.
fn failed(options: &ServerOptions, error: SessionError, results: Results) -> CallToolResult {
    let reply = fit(Answer::error(error), options.format, options.max_response_chars, "");
    with_content(reply, results, None)
}

fn to_result(reply: Answered, results: Results, whole: &Whole) -> CallToolResult {
    let link = whole.link(&reply.structured);
    with_content(reply, results, link)
}

/// `whole`: where the client reads what was cut off.
fn with_content(reply: Answered, results: Results, whole: Option<Resource>) -> CallToolResult {
    let mut content = vec![ContentBlock::text(reply.content)];
    // Clients show the text of a failed call even where they read only the structure of others.
    if results == Results::Structured && !reply.failed {
        content.clear();
    }
    content.extend(whole.map(ContentBlock::resource_link));
    let mut result = if reply.failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = (results != Results::Text).then_some(reply.structured);
    result
}

/// Reports to the client every two seconds that the call is still running; never ends by itself.
async fn report_progress(context: &RequestContext<RoleServer>, phase: watch::Receiver<String>) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else { return pending().await };
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
