//! What a launch profile changes about a start, wherever it is written.

/// What a profile changes about a start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchProfile {
    pub name: String,
    /// Come before the caller's own arguments.
    pub args: Vec<String>,
    /// The caller's own variables win over these.
    pub env: Vec<(String, String)>,
    /// Relative to the project's folder.
    pub working_directory: Option<String>,
}
