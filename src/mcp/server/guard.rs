//! Catches panics: around every tool call, and around every request of a connection. rmcp only spawns a handler: one that
//! panics would never be answered.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use rmcp::model::{ClientNotification, ClientRequest, ErrorData, ServerConfig, ServerResult};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{RoleServer, ServerHandler};

use super::McpServer;
use crate::mcp::tool::internal;
use crate::session::SessionError;

/// What a call returns, or that it failed by a bug of ours.
pub(super) async fn caught<T>(tool: &str, call: impl Future<Output = T>) -> Result<T, SessionError> {
    let caught = AssertUnwindSafe(call).catch_unwind().await;
    caught.map_err(|_| internal(format!("{tool} failed because of a bug in clrbridge")))
}

/// The server, with its panics answered.
pub(in crate::mcp) struct Guarded(pub McpServer);

impl Service<RoleServer> for Guarded {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let caught = AssertUnwindSafe(self.0.handle_request(request, context)).catch_unwind().await;
        caught.unwrap_or_else(|_| {
            let message = "the request failed because of a bug in clrbridge; please report it";
            Err(ErrorData::internal_error(message, None))
        })
    }

    fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send + '_ {
        self.0.handle_notification(notification, context)
    }

    fn get_info(&self) -> ServerConfig {
        ServerHandler::get_info(&self.0)
    }
}
