//! One call, whoever asks: its arguments are checked, its tool is run, its answer is put into the format that was asked for.

mod arguments;
mod dispatch;
mod format;

pub use dispatch::Dispatch;
pub use format::Answered;
pub(super) use format::fit;
