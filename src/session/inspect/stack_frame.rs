//! A frame of a thread's stack.

/// One frame of the physical stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// Position from the top; what callers hand in as `frame`.
    pub index: usize,
    /// The adapter's id, valid until the next resume.
    pub id: i64,
    /// As the adapter prints it.
    pub raw_name: String,
    /// `Type.Method`, compiler names undone.
    pub function: String,
    pub kind: Option<String>,
    /// The path that the PDB has.
    pub path: Option<String>,
    pub line: u32,
    pub column: u32,
    /// Where the statement ends on its last line; 0 where the adapter does not say.
    pub end_column: u32,
    /// Source is known, so it is the user's.
    pub user: bool,
    /// It has a line, whether that source is here or not.
    pub leads: bool,
    /// A line of an exception's trace: the call is over, and its variables are gone.
    pub is_gone: bool,
    /// An exception left it for a handler above, which runs on top of what is left of it.
    pub is_left: bool,
    /// So many more async methods await what this one awaits.
    pub others_await: usize,
    /// The user's, but not a caller of what is above it: over, or left by an exception.
    pub is_done: bool,
}
