//! The adapter: requests in, events out, on two byte streams.
//!
//! One thread answers requests and sends events, in order of arrival; another reads. The runtime's notices go through the same queue,
//! so no event overtakes another.
//!
//! `server` and the files of its requests (`starting`, `evaluation`, `presented`, `output`, `recorded`, `sources`, `cancelling`) name each other: each holds one topic's
//! part of [`Server`] and the state that only that topic has.

mod breakpoints;
mod cancelling;
mod capabilities;
mod completions;
mod dispatch;
mod evaluation;
mod exceptions;
mod frame_names;
mod framing;
mod heap;
mod heap_find;
mod input;
mod inspection;
mod jumps;
mod memory;
mod options;
mod output;
mod presented;
mod recorded;
mod references;
mod reports;
mod running;
mod server;
mod sources;
mod stack;
mod starting;
mod targets;
mod throws;
mod waits;

use std::io::{Read, Write};

pub use server::Server;

use crate::com;

/// Serves one client until it goes.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) {
    com::system::share_allocations();
    Server::new(Box::new(output)).run(Box::new(input));
}
