//! Where a breakpoint lies.

/// As it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Source {
        /// The PDB's own path where one is known, else the absolute path of what was given.
        path: String,
        /// As the caller wrote it; shown while no root is known.
        given: String,
        /// The line asked for (or found by text).
        line: u32,
        /// The line of the statement that `line` means, where symbols show it.
        code_line: Option<u32>,
    },
    Function(String),
    /// A file and text, or a path, that cannot be placed before the program is known.
    Unplaced {
        given: String,
        line: Option<u32>,
    },
}
