//! Runs a server over a pair of byte streams until either end is closed or it is asked to stop.

mod in_flight;
mod outbox;
mod refusal;
mod stdin;

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use stdin::JsonLinesTransport;

use super::call::Dispatch;
use super::server::McpServer;
use super::server::guard::Guarded;
use super::server::order::Ordered;

/// Why a connection did not end well.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The other side spoke something else than MCP.
    #[error("the client did not initialize: {0}")]
    Initialize(#[source] Box<ServerInitializeError>),
    /// A bug of ours or of rmcp.
    #[error("the server's task failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// Serves one client. Returns when the input ends, the output is closed, or `end` is cancelled; calls that still run are dropped.
pub async fn serve<R, W>(dispatch: Dispatch, reader: R, writer: W, end: CancellationToken) -> Result<(), ServeError>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let lines = JsonLinesTransport::new(reader, writer, end.clone());
    let running = match Guarded(McpServer::new(dispatch)).serve_with_ct(Ordered::new(lines), end.clone()).await {
        Ok(running) => running,
        // The client left before it said who it is.
        Err(_) if end.is_cancelled() => return Ok(()),
        Err(error) => return Err(ServeError::Initialize(Box::new(error))),
    };
    match running.waiting().await? {
        QuitReason::JoinError(error) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Serves the client that started us.
pub async fn serve_stdio(dispatch: Dispatch, end: CancellationToken) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve(dispatch, reader, writer, end).await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rmcp::model::{
        CallToolRequest, CallToolRequestParams, ClientConfig, ClientRequest, Implementation, ProgressNotificationParam,
    };
    use rmcp::service::{NotificationContext, PeerRequestOptions, RunningService};
    use rmcp::{ClientHandler, RoleClient};
    use std::time::Duration;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::task::JoinHandle;
    use tokio::time::Instant;

    use super::super::tools::trial::DROPPED;
    use super::*;
    use crate::config::ServerOptions;
    use crate::session::{Registry, Settings};

    struct Client(UnboundedSender<ProgressNotificationParam>);

    impl ClientHandler for Client {
        fn get_info(&self) -> ClientConfig {
            ClientConfig::new(Default::default(), Implementation::new("a test", "1"))
        }
        async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
            let _ = self.0.send(progress);
        }
    }

    type Connected = RunningService<RoleClient, Client>;

    async fn connect() -> (Connected, UnboundedReceiver<ProgressNotificationParam>, JoinHandle<Result<(), ServeError>>)
    {
        let (client, server) = tokio::io::duplex(64 * 1024);
        let options = ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() };
        let dispatch =
            Dispatch::new(Registry::new(Settings::default()), options, Arc::new(|| Box::pin(async { Vec::new() })));
        let (reader, writer) = tokio::io::split(server);
        let served = tokio::spawn(serve(dispatch, reader, writer, CancellationToken::new()));
        let (sender, notices) = unbounded_channel();
        (Client(sender).serve(client).await.unwrap(), notices, served)
    }

    fn call(tool: &'static str) -> ClientRequest {
        ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new(tool)))
    }

    #[tokio::test]
    async fn a_tool_that_panics_is_answered_with_internal_error_and_the_server_goes_on() {
        let (client, ..) = connect().await;
        let result = client.call_tool(CallToolRequestParams::new("trial_panic")).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content.unwrap()["code"], "internal_error");
        let next = client.call_tool(CallToolRequestParams::new("debug_sessions")).await.unwrap();
        assert_ne!(next.is_error, Some(true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_waiting_call_shows_progress_and_its_work_is_dropped_when_it_is_cancelled() {
        let (client, mut notices, _) = connect().await;
        let waiting =
            client.send_cancellable_request(call("trial_wait"), PeerRequestOptions::no_options()).await.unwrap();
        let first = notices.recv().await.unwrap();
        let second = notices.recv().await.unwrap();
        assert_eq!(first.message.as_deref(), Some("building x, 2 s"));
        assert_eq!(second.message.as_deref(), Some("building x, 4 s"));
        assert!(first.progress < second.progress);
        assert_eq!(DROPPED.get(), 0);
        waiting.cancel(Some("enough".into())).await.unwrap();
        // The next call is answered after the cancellation was handled: both go through one loop.
        for _ in 0..3 {
            client.call_tool(CallToolRequestParams::new("debug_sessions")).await.unwrap();
        }
        assert_eq!(DROPPED.get(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_leaves_ends_the_server_with_a_call_still_running() {
        let (client, mut notices, served) = connect().await;
        let waiting =
            client.send_cancellable_request(call("trial_wait"), PeerRequestOptions::no_options()).await.unwrap();
        notices.recv().await.unwrap();
        let left = Instant::now();
        client.cancel().await.unwrap();
        served.await.unwrap().unwrap();
        assert!(left.elapsed() < Duration::from_millis(100), "took {:?}", left.elapsed());
        assert_eq!(DROPPED.get(), 1);
        drop(waiting);
    }
}
