//! Framing over byte streams: splits an adapter's output into message bodies and frames outgoing bodies.
//!
//! Owns the framing, the two tasks that read and write, the recording of a session and its replay.
//! Must not know what a body means to a session, or that there is a child process: it gets a reader
//! and a writer. (`replay` plays an adapter, so it alone here reads bodies and names commands.)
//! The race to remember: reader to actor is bounded and actor to writer is not. Were both bounded, an actor
//! blocked on a full writer and an adapter blocked on a full reader would wait for each other forever.

pub mod codec;
mod connection;
mod error;
pub mod record;
pub mod replay;

pub use codec::DapCodec;
pub use connection::{Connection, Incoming, Outgoing};
pub use error::TransportError;
