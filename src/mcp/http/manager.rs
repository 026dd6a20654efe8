//! rmcp's connections, each with its client: what comes in over one carries the tools of that client, and tool calls their
//! place in its order.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::Stream;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId};
use rmcp::transport::{Transport, WorkerTransport};

use super::clients::{Client, Clients};
use crate::mcp::server::order::Ordered;
use crate::session::Registry;

/// How long a client may be silent before its connection ends. A person may be asked something meanwhile, or sleep; and until a
/// wait ends, nothing comes.
const IDLE: Duration = Duration::from_secs(12 * 3600);

#[derive(Debug, thiserror::Error)]
pub(super) enum ManagerError {
    #[error(transparent)]
    Connection(#[from] LocalSessionManagerError),
    #[error("too many clients are connected, or the server is shutting down")]
    Full,
}

pub(super) struct Manager {
    connections: LocalSessionManager,
    clients: Clients,
    /// When each connection was last used, and what it debugs.
    used: Mutex<HashMap<SessionId, (Instant, Registry)>>,
}

impl Manager {
    pub(super) fn new(clients: Clients) -> Self {
        let mut connections = LocalSessionManager::default();
        connections.session_config.keep_alive = Some(IDLE);
        Self { connections, clients, used: Mutex::default() }
    }

    fn used(&self) -> MutexGuard<'_, HashMap<SessionId, (Instant, Registry)>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn use_now(&self, id: &SessionId) {
        if let Some((at, _)) = self.used().get_mut(id) {
            *at = Instant::now();
        }
    }

    /// The connection that was silent for the longest time, of those that debug nothing.
    fn most_silent(&self) -> Option<SessionId> {
        let used = self.used();
        let idle = used.iter().filter(|(_, (_, registry))| !self.clients.is_debugging(registry));
        idle.min_by_key(|(_, (at, _))| *at).map(|(id, _)| id.clone())
    }
}

/// A connection that stamps what comes in with its client's tools.
pub(super) struct OfClient<T> {
    inner: T,
    client: Client,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for OfClient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut message = self.inner.receive().await?;
        message.insert_extension(self.client.dispatch.clone());
        Some(message)
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}

impl SessionManager for Manager {
    type Error = ManagerError;
    type Transport = Ordered<OfClient<WorkerTransport<LocalSessionWorker>>>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), ManagerError> {
        if self.clients.are_many()
            && let Some(silent) = self.most_silent()
        {
            self.close_session(&silent).await?;
        }
        let client = self.clients.connect().ok_or(ManagerError::Full)?;
        let (id, inner) = self.connections.create_session().await?;
        self.used().insert(id.clone(), (Instant::now(), client.dispatch.registry().clone()));
        Ok((id, Ordered::new(OfClient { inner, client })))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, ManagerError> {
        Ok(self.connections.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, ManagerError> {
        Ok(self.connections.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), ManagerError> {
        self.used().remove(id);
        Ok(self.connections.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, ManagerError> {
        self.use_now(id);
        Ok(self.connections.create_stream(id, message).await?)
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), ManagerError> {
        self.use_now(id);
        Ok(self.connections.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, ManagerError> {
        Ok(self.connections.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, ManagerError> {
        Ok(self.connections.resume(id, last_event_id).await?)
    }
}
