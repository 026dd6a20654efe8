//! The Model Context Protocol side: tools, their arguments and answers, the server over stdio.
//!
//! Knows session and config; the debugger knows nothing of this. Every answer is one typed value (`report`) with two renderings:
//! its JSON and the text that `render` makes from it. The one race to remember: rmcp runs a task per request and keeps no
//! order, so commands enter a session in the order of arrival only because `order` makes them queue.

pub mod render;
pub mod report;
pub mod tool_error;
