//! What .NET offers on this machine: the root, runtimes, projects, builds, launch profiles, running processes.
//!
//! Resolves what a caller names (a project, a folder, a dll, a pid) to something that can be started or attached to,
//! or to a plain reason why it cannot. Knows nothing of debug adapters, sessions or MCP.
//! The race to remember: a file may change between the check and the start, so checks only make failures
//! clearer; they never replace the handling of a failed start.

pub mod attach;
pub mod diagnostics;
pub mod error;
pub mod frameworks;
pub mod host;
pub mod image;
pub mod jsonc;
pub mod launch_json;
pub mod launch_profile;
mod named_profile;
pub mod launch_settings;
pub mod program;
pub mod roll_forward;
pub mod root;
pub mod runtime_config;

pub(crate) mod build;
pub(crate) mod build_lock;
pub(crate) mod check;
pub(crate) mod command;
pub(crate) mod locate;
pub(crate) mod output;
pub(crate) mod project;
pub(crate) mod solution;
pub(crate) mod stale;
pub(crate) mod walk;

mod output_path_cache;
mod procfs;
mod target_framework;

pub use build::BuildMode;
pub use error::{Diagnostic, DotnetError};
pub use program::{Program, ProgramRequest};
pub use project::ProjectKind;
pub use root::Dotnet;
