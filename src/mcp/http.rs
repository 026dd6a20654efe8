//! MCP over HTTP: rmcp's service, and around it what it does not know: whose sessions a request is about, which answers
//! arrived, and an end that answers waits.
//!
//! Up to revision 2025-11-25 a client has a connection (`Mcp-Session-Id`), served as one over stdio is; since 2026-07-28
//! each request stands alone. The race to remember: a response is made before it is written, and a client may be gone by then:
//! its report counts as delivered only at the end of the response's body.

mod clients;
mod manager;
mod metrics;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::http::{Access, Connections, accept, on_end, read};
use crate::mcp::receipt::Receipt;
use crate::mcp::server::McpServer;
use crate::mcp::tool::MOST_ARGUMENT_BYTES;

pub use clients::Clients;
use manager::Manager;

/// The largest request: arguments, and what is around them.
const MOST_BODY: usize = MOST_ARGUMENT_BYTES + 1024 * 1024;

/// How long connections may take to finish when everything that they wait for has ended.
const GRACE: Duration = Duration::from_secs(2);

/// Serves until `end`; then ends all sessions, which answers the calls that wait, and returns when those answers are written.
/// `pages`: what else is served to whoever names this server rightly.
pub async fn serve(listener: TcpListener, clients: Clients, access: Access, pages: Router, end: &CancellationToken) {
    let connections = Connections::default();
    let app = router(&clients, &connections, &access)
        .merge(pages)
        .layer(from_fn_with_state(access, Access::from_here))
        // for whoever looks whether it runs: it says nothing else
        .route("/healthz", get(|| async { "ok\n" }));
    accept(listener, app, &connections, end).await;
    clients.shutdown().await;
    connections.finish(GRACE).await;
}

/// `/mcp` and `/metrics`, both only with the token.
fn router(clients: &Clients, connections: &Connections, access: &Access) -> Router {
    // Our own check of Host and Origin is before all routes.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MOST_BODY)
        .with_cancellation_token(clients.end().clone());
    let dispatch = clients.dispatch().clone();
    let manager = Arc::new(Manager::new(clients.clone()));
    let service = StreamableHttpService::new(move || Ok(McpServer::new(dispatch.clone())), manager, config);
    let mcp = Router::new().route_service("/mcp", service).layer(from_fn_with_state(clients.clone(), attend));
    let (clients, connections) = (clients.clone(), connections.clone());
    let metrics = move || std::future::ready(metrics::text(&clients, &connections));
    mcp.route("/metrics", get(metrics)).layer(from_fn_with_state(access.clone(), Access::with_token))
}

/// Reads a request whole, so that clients that send slowly hold nothing up, and follows its answer to the end.
async fn attend(State(clients): State<Clients>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let Some(answering) = clients.begin_answer() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "clrbridge is shutting down\n").into_response();
    };
    let (mut parts, body) = request.into_parts();
    let body = match read(body, MOST_BODY).await {
        Ok(body) => body,
        Err(error) => return (error.status(), format!("{error}\n")).into_response(),
    };
    let receipt = Receipt::default();
    parts.extensions.insert(receipt.clone());
    // If this future is dropped, so is the receipt with what it holds.
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    response.map(|body| {
        on_end(body, move |whole| {
            receipt.end(whole);
            drop(answering);
        })
    })
}
