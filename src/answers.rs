//! What clients receive: wire types, their text, errors. Independent of any protocol, so a web page or another transport can use
//! the same values.

pub mod render;
pub mod report;
mod snapshot;
pub mod tool_error;
mod visible;

pub(crate) use visible::{make_visible, visible};
