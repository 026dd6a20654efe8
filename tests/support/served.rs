//! A server in this process, as its clients reach it: over a connection in memory.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::sync::Arc;

use clrbridge::config::ServerOptions;
use clrbridge::mcp::{self, Dispatch};
use clrbridge::session::{Registry, Settings};
use tokio::io::DuplexStream;
use tokio_util::sync::CancellationToken;

/// The client's end; the server ends with it.
pub fn served(settings: Settings, options: ServerOptions) -> DuplexStream {
    let (client, server) = tokio::io::duplex(256 * 1024);
    let dispatch = Dispatch::new(Registry::new(settings), options, Arc::new(|| Box::pin(async { Vec::new() })));
    let (reader, writer) = tokio::io::split(server);
    tokio::spawn(mcp::serve(dispatch, reader, writer, CancellationToken::new()));
    client
}

pub fn all_tools() -> ServerOptions {
    ServerOptions { toolsets: "all".parse().unwrap(), ..ServerOptions::default() }
}
