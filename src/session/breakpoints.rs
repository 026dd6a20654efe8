//! Breakpoints as a session has them: made from the workspace's, with what its adapter says of each and its hits.
//!
//! The workspace's outlive sessions and adapters: a table is made anew for every start. The race to remember: lines resolve late, so
//! which of ours share an adapter's line (and so its condition) is worked out anew whenever an answer or event arrives.

mod adapter_name;
mod attributes;
pub mod condition;
pub mod condition_counts;
pub mod entry;
pub mod explain;
pub(crate) mod foreseen;
pub mod function;
pub mod function_name;
mod hit_condition;
pub mod hits;
pub mod listing;
mod last_log;
mod log_faults;
pub mod log_message;
pub mod native_condition;
pub mod place;
pub mod plan;
mod progress;
pub mod set_again;
mod similar_names;
mod step_end;
pub mod table;
mod target;
mod tracing;
mod wanted;

pub use entry::{Entry, Role};
pub use function::Binding;
pub use hits::Hits;
pub use last_log::LastLog;
pub use log_faults::LogFaults;
pub use step_end::Stepping;
pub use table::Table;
pub use target::Target;
pub use tracing::Tracing;
pub use wanted::WantedBreakpoint;
