//! One call from any caller: checks its arguments, runs its tool, formats its answer as requested.

mod arguments;
mod dispatch;
mod format;
mod last_named;

pub use dispatch::Dispatch;
pub use format::Answered;
pub(super) use format::fit;
