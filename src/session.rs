//! The debugger domain: sessions, their states, breakpoints, stops, values.
//!
//! Knows dap, backend, process, metadata and dotnet; nothing of MCP. All state of a session is owned by its actor;
//! everyone else holds a [`SessionHandle`] or a snapshot; what outlives a session is the [`workspace`]'s. The race to remember: an adapter may send `stopped`
//! before the response of the request that caused it, so nothing here waits by subscribing after the fact.

mod actor;
pub mod breakpoints;
mod command;
mod context;
mod counted;
mod directory;
mod disarm;
pub mod error;
pub mod event_log;
mod exception_rule;
pub mod expression;
pub mod ids;
pub mod inspect;
mod lapse;
mod meant;
pub mod modules;
pub mod output_log;
pub mod reply;
pub mod report;
pub mod sources;
pub mod spec;
mod startup;
pub mod state;
pub mod stopped;
mod stopping;
mod suspended;
mod sync;
mod teardown;
pub mod type_names;
pub mod view;
pub mod workspace;

pub use breakpoints::explain::{Evidence, Explanation, Verdict};
pub use breakpoints::listing::BreakpointList;
pub use error::{Code, Details, SessionError};
pub use ids::{BreakpointId, EventSeq, SessionId, StateName, ThreadId};
pub use lapse::CallInProgress;
pub use meant::StoppedAt;
pub use reply::{Reply, Wait};
pub use report::*;
pub use spec::*;
pub(crate) use startup::dotnet_error;
pub use view::*;

pub mod handle;
mod queries;
mod recorded;
mod redacted;
mod ready;
pub mod registry;
pub mod settings;
mod snapshots;
pub use handle::SessionHandle;
pub use registry::Registry;
pub use settings::{Player, Settings};
pub use snapshots::SNAPSHOT_BYTES;
