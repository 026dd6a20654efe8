//! `clrbridge serve`: the same tools over HTTP, for many clients.

use std::io::Write as _;
use std::net::SocketAddr;

use anyhow::{Context as _, bail};
use axum::Router;
use clap::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::environment::process_env;
use crate::http::{Access, Hosts, TOKEN_VARIABLE, Token};
use crate::mcp::http::Clients;
use crate::mcp::{self, Dispatch};
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
    /// Host names by which clients reach this server, besides localhost; separate with ,
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    allow_hosts: Vec<String>,
}

/// Serves until `end`, then ends all sessions of its clients. `fresh` makes the sessions of one client.
pub(super) async fn run(
    args: ServeArgs,
    dispatch: Dispatch,
    fresh: impl Fn() -> Registry + Send + Sync + 'static,
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
    let listener = TcpListener::bind(args.http).await.with_context(|| format!("listening on {}", args.http))?;
    let address = listener.local_addr()?;
    let access = Access::new(token, Hosts::new(address, args.allow_hosts));
    let fresh: Option<Box<dyn Fn() -> Registry + Send + Sync>> =
        if args.share_sessions { None } else { Some(Box::new(fresh)) };
    announce(address, &access, given.is_some())?;
    mcp::http::serve(listener, Clients::new(dispatch, fresh), access, Router::new(), &end).await;
    Ok(0)
}

fn announce(address: SocketAddr, access: &Access, is_given: bool) -> std::io::Result<()> {
    let mut stderr = std::io::stderr();
    writeln!(stderr, "clrbridge serves MCP on http://{address}/mcp")?;
    match is_given {
        true => writeln!(stderr, "token: the value of {TOKEN_VARIABLE}; clients send Authorization: Bearer TOKEN"),
        false => writeln!(stderr, "token: {}; clients send Authorization: Bearer TOKEN", access.token().as_str()),
    }
}
