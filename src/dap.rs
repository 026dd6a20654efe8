//! The Debug Adapter Protocol as one client needs it: typed requests, events, and the table of pending requests.
//!
//! Owns every command and event name; the message types (schema 1.71, what netcoredbg 3.1.2 and dncdbg implement) are the crate `dap-wire`, which
//! an adapter shares. Nothing else names a DAP command. Must not know sessions, states or deadlines, and starts no task.
//! The race to remember: netcoredbg may send `stopped` before the response of the step that caused it, so a
//! request is entered in the table before its bytes are queued, and events are never matched to requests here.

pub mod client;
mod error;
pub mod event;
pub mod message;
pub mod request;

pub use dap_wire as types;

pub use client::{Client, Gone, Owed, Pending};
pub use error::DapError;
pub use event::Event;
pub use message::{Message, Response, ReverseRequest};
pub use request::Request;
pub use types::*;
