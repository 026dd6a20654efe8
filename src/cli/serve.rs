//! `clrbridge serve`: the same tools over HTTP, for many clients, and the dashboard; the dashboard alone beside stdio.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use axum::middleware::from_fn_with_state;
use clap::Args;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::environment::process_env;
use crate::http::{Access, Connections, Hosts, TOKEN_VARIABLE, Token, accept};
use crate::mcp::http::Clients;
use crate::mcp::{self, Dispatch};
use crate::page::{self, Shown};
use crate::session::Registry;

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Address and port to listen on; port 0 picks a free one, which is printed to stderr
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: SocketAddr,
    /// Share the debug sessions among all clients [default: each client has its own]
    #[arg(long)]
    share_sessions: bool,
    /// Allow an address that other machines can reach; CLRBRIDGE_TOKEN must be set
    #[arg(long)]
    allow_remote: bool,
    /// Host names by which clients reach this server, besides localhost, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    allow_hosts: Vec<String>,
}

/// Serves until `end`, then ends all sessions of its clients. `fresh` makes the sessions of one client.
pub(super) async fn run(
    args: ServeArgs,
    dispatch: Dispatch,
    fresh: impl Fn() -> Registry + Send + Sync + 'static,
    control: bool,
    end: CancellationToken,
) -> anyhow::Result<u8> {
    let given = process_env(TOKEN_VARIABLE).map(|text| Token::given(&text.to_string_lossy())).transpose()?;
    if !args.http.ip().is_loopback() {
        if !args.allow_remote {
            bail!("other machines can reach {}: add --allow-remote, or use 127.0.0.1", args.http.ip());
        }
        if given.is_none() {
            bail!("--allow-remote needs a token: set {TOKEN_VARIABLE}");
        }
    }
    let token = given.clone().map_or_else(Token::random, Ok)?;
    let listener = TcpListener::bind(args.http).await.with_context(|| format!("cannot listen on {}", args.http))?;
    let address = listener.local_addr()?;
    let access = Access::new(token, Hosts::new(address, args.allow_hosts), address.port())?;
    let fresh: Option<Box<dyn Fn() -> Registry + Send + Sync>> =
        if args.share_sessions { None } else { Some(Box::new(fresh)) };
    announce(address, &access, given.is_some())?;
    let calls = dispatch.calls().clone();
    let clients = Clients::new(dispatch.with_page(&page_address(address, &access)), fresh);
    let seen = clients.clone();
    let shown = Shown { registries: Arc::new(move || seen.registries()), calls, control };
    let pages = page::router(shown, access.clone(), end.clone());
    mcp::http::serve(listener, clients, access, pages, &end).await;
    Ok(0)
}

/// Where a browser is let in.
fn page_address(address: SocketAddr, access: &Access) -> String {
    let host = if address.ip().is_unspecified() { SocketAddr::from(([127, 0, 0, 1], address.port())) } else { address };
    format!("http://{host}/?token={}", access.token().as_str())
}

fn announce(address: SocketAddr, access: &Access, is_given: bool) -> std::io::Result<()> {
    let mut stderr = std::io::stderr();
    writeln!(stderr, "clrbridge serves MCP on http://{address}/mcp")?;
    if is_given {
        writeln!(stderr, "token: the value of {TOKEN_VARIABLE}; clients send Authorization: Bearer TOKEN")?;
        return writeln!(stderr, "dashboard: http://{address}/");
    }
    writeln!(stderr, "token: {}; clients send Authorization: Bearer TOKEN", access.token().as_str())?;
    writeln!(stderr, "dashboard: {}", page_address(address, access))
}

/// The dashboard of a server on stdio: at an address of this machine that nobody else knows.
pub(super) struct Dashboard {
    pub dispatch: Dispatch,
    serving: JoinHandle<()>,
    end: CancellationToken,
}

impl Dashboard {
    /// Serves it from now on, beside `dispatch`, whose first session reports where.
    pub(super) async fn begin(dispatch: Dispatch, registry: Registry, control: bool) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("cannot listen for the dashboard")?;
        let address = listener.local_addr()?;
        let access = Access::new(Token::random()?, Hosts::new(address, []), address.port())?;
        let end = CancellationToken::new();
        let calls = dispatch.calls().clone();
        let shown = Shown { registries: Arc::new(move || vec![(0, registry.clone())]), calls, control };
        let pages = page::router(shown, access.clone(), end.clone());
        let dispatch = dispatch.with_page(&page_address(address, &access));
        let app = pages.layer(from_fn_with_state(access, Access::from_here));
        let ending = end.clone();
        let serving = tokio::spawn(async move {
            let connections = Connections::default();
            accept(listener, app, &connections, &ending).await;
            connections.finish(Duration::from_millis(200)).await;
        });
        Ok(Self { dispatch, serving, end })
    }

    pub(super) async fn finish(self) {
        self.end.cancel();
        // It ends by itself in a moment; how it did makes no difference any more.
        let _ = self.serving.await;
    }
}
