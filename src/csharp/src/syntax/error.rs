//! What the compiler says of text that is not an expression.

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

    /// The text begins as a statement of that name does.
    pub(super) fn statement(name: &str) -> Self {
        let what = "and only expressions can be evaluated";
        let message = match name {
            "declaration" => format!("a declaration is a statement, {what}: write only the part after the `=`"),
            "for" | "foreach" | "while" | "do" => {
                format!("`{name}` is a statement, {what}: use a query instead, such as items.Select(it => it.Name)")
            }
            "if" => format!("`if` is a statement, {what}: write `condition ? one : other`"),
            "return" => format!("`return` is a statement, {what}: write only the part after it"),
            _ => format!("`{name}` is a statement, {what}"),
        };
        Self::new("CS1525", message, 0)
    }

    pub(super) fn too_deep(at: usize) -> Self {
        Self::new(TOO_DEEP, "An expression is too long or complex to compile", at)
    }
}
