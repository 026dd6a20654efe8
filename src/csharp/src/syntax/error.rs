//! What the compiler says of text that is no expression.

/// `code` and `message` are those of `csc`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("error {code}: {message}")]
pub struct SyntaxError {
    pub code: &'static str,
    pub message: String,
    /// In bytes from the start of the text.
    pub at: usize,
}

impl SyntaxError {
    pub(super) fn new(code: &'static str, message: impl Into<String>, at: usize) -> Self {
        Self { code, message: message.into(), at }
    }

    pub(super) fn too_deep(at: usize) -> Self {
        Self::new("CS8078", "An expression is too long or complex to compile", at)
    }
}
