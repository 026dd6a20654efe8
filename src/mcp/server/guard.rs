//! Catches panics once, around every request. rmcp only spawns a handler: one that panics would never be answered.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use rmcp::model::{CallToolResponse, ClientNotification, ClientRequest, ErrorData, ServerConfig, ServerResult};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{RoleServer, ServerHandler};

use super::McpServer;
use crate::mcp::tool::internal;

/// The server, with its panics answered.
pub(in crate::mcp) struct Guarded(pub McpServer);

impl Service<RoleServer> for Guarded {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let results = self.0.results(&context);
        let call = match &request {
            ClientRequest::CallToolRequest(call) => Some(call.params.name.to_string()),
            _ => None,
        };
        let caught = AssertUnwindSafe(self.0.handle_request(request, context)).catch_unwind().await;
        caught.unwrap_or_else(|_| match call {
            Some(tool) => {
                let error = internal(format!("{tool} failed because of a bug in clrbridge"));
                Ok(ServerResult::from(CallToolResponse::Complete(self.0.failed(error, results))))
            }
            None => Err(ErrorData::internal_error(
                "the request failed because of a bug in clrbridge; please report it",
                None,
            )),
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
