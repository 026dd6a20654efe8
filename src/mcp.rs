//! The Model Context Protocol side: tools, their arguments and answers, the server over stdio.
//!
//! Knows session and config; the debugger knows nothing of this. Every answer is one typed value (`report`) with two renderings:
//! its JSON and the text that `render` makes from it. The one race to remember: rmcp runs a task per request and keeps no
//! order, so commands enter a session in the order of arrival only because `order` makes them queue.

mod arguments;
mod call_log;
mod delivery;
pub mod dispatch;
mod format;
mod guard;
mod in_flight;
mod listing;
mod order;
mod outbox;
pub mod render;
pub mod report;
mod refusal;
mod results;
mod schema;
mod serve;
mod server;
mod stdin;
pub mod tool;
pub mod tool_error;
pub mod tools;
mod visible;

pub use dispatch::{Backends, Dispatch};
pub use listing::text as listing_text;
pub use serve::{ServeError, serve, serve_stdio};
pub use tools::markdown_table;
