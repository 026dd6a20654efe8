//! What the compiler says of text that is no expression.

const TOO_DEEP: &str = "CS8078";

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

    /// Whether the text may be an expression, but nests deeper than anybody reads here.
    pub fn is_too_deep(&self) -> bool {
        self.code == TOO_DEEP
    }

    pub(super) fn too_deep(at: usize) -> Self {
        Self::new(TOO_DEEP, "An expression is too long or complex to compile", at)
    }
}
