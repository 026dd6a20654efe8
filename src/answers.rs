//! What clients are told: wire types, their text, errors. No protocol is known here, so a page or another transport can use
//! the same values.

pub mod render;
pub mod report;
pub mod tool_error;
mod visible;

pub(crate) use visible::make_visible;
