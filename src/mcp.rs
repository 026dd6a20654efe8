//! The Model Context Protocol side: tools, their arguments and answers, the server over stdio and over HTTP.
//!
//! Knows session and config; the debugger knows nothing of this. Every answer is one typed value (`report`) with two renderings:
//! its JSON and the text that `render` makes from it. The race to remember: rmcp runs a task per request and keeps no
//! order, so commands reach a session in order of arrival only because `order` queues them.

pub mod call;
mod completion;
mod confirm;
pub mod http;
mod nearest;
mod prompts;
mod receipt;
mod resources;
mod server;
mod stdio;
mod subscriptions;
mod tasks;
pub mod tool;
pub mod tools;

pub use call::Dispatch;
pub use stdio::{ServeError, serve, serve_stdio};
pub use tool::Backends;
pub use tool::listing::text as listing_text;
pub use tools::markdown_table;
