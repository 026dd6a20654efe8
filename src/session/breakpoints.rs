//! Breakpoints as the client wants them, apart from what an adapter makes of them.
//!
//! Wanted breakpoints outlive adapters: they are re-sent to every new one. The race to remember: lines resolve late, so
//! which of ours share an adapter's line (and so its condition) is worked out anew whenever an answer or event arrives.

pub mod condition;
pub mod entry;
pub mod explain;
pub mod function;
pub mod function_name;
pub mod hit_condition;
pub mod log_message;
pub mod place;
pub mod plan;
pub mod table;
pub mod tally;

pub use entry::{Entry, Role, Target};
pub use function::Binding;
pub use hit_condition::HitCondition;
pub use table::Table;
