//! Code without a debugger: the projects of a solution or folder, what their builds made, and what the compiler says of them.
//!
//! Owns the workspace that the code tools share. Knows assemblies and the `dotnet` tool; nothing of sessions or MCP. The race to
//! remember: sources, projects and outputs change under a loaded workspace, so it holds paths and checks the disk each time.

mod checks;
mod current;
mod diagnosis;
mod diagnostics;
mod error;
pub mod navigate;
mod workspace;

pub use crate::dotnet::ProjectKind;
pub use current::Current;
pub use diagnosis::{CodeDiagnostic, Diagnosis, Severity};
pub use error::CodeError;
pub use workspace::{
    BuildState, MsBuild, Omitted, ProjectStatus, Workspace, WorkspaceProject, compiled_sources, retain_allowed,
    unchanged_sources,
};
