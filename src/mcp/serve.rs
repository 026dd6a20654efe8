//! Runs a server over a pair of byte streams until either end is closed or it is told to end.

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::dispatch::Dispatch;
use super::guard::Guarded;
use super::order::Ordered;
use super::server::McpServer;
use super::stdin::Lines;

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
    let lines = Lines::new(reader, writer, end.clone());
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
