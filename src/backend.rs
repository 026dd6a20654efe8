//! Debug adapters as data: how each is found and started, what is sent to it, and what it does differently.
//!
//! The session asks a capability (from `initialize`), then a quirk of the [`Profile`], then takes a default; it never
//! asks for a name. Adding an adapter is one file here and one line in [`discovery`]. Nothing here talks to an adapter,
//! except for its `--version`.

pub mod arguments;
pub mod discovery;
pub mod dncdbg;
pub mod error;
pub mod external;
pub mod netcoredbg;
pub mod profile;
pub mod quirks;
pub mod replay;
mod version;

pub use arguments::LaunchPlan;
pub use discovery::{Archives, Discovery, Found, all, archives, find};
pub use error::BackendError;
pub use profile::{Command, Profile};
pub use quirks::Quirks;
