//! Debug adapters as data: how each is found and started, what is sent to it, and what it does differently.
//!
//! The session checks a capability (from `initialize`), then a quirk of the [`Profile`], then uses a default; it never
//! checks a name. Adding an adapter is one file here and its line in [`adapters`]. Nothing here talks to an adapter,
//! except for its `--version`.

pub mod adapters;
pub mod arguments;
pub mod builtin;
pub mod discovery;
pub mod dncdbg;
pub mod error;
pub mod external;
pub mod known;
pub mod netcoredbg;
pub mod problem;
pub mod profile;
pub mod quirks;
pub mod replay;
pub mod settings;
mod version;

pub use adapters::{archives, installed, names, quirks_of};
pub use arguments::LaunchPlan;
pub use discovery::{Found, all, chosen, find};
pub use error::BackendError;
pub use known::Archives;
pub use problem::Problem;
pub use profile::{Command, Profile, Reason};
pub use quirks::Quirks;
pub use settings::AdapterSettings;
