//! Why a symbol or place cannot be looked up. Each variant is one error code of the tool surface.

use crate::dotnet::error::did_you_mean;

/// `Display` says what is; [`NavigateError::hint`] what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NavigateError {
    /// Code `symbol_not_found`.
    #[error("no symbol `{name}` in the {} of the workspace{}", counted(*assemblies), did_you_mean(nearest))]
    SymbolNotFound { name: String, assemblies: usize, nearest: Vec<String> },
    /// Code `symbol_not_found`: the type is of a framework or library, and nothing of it tells what it declares.
    #[error("no compiled code of the workspace refers to `{member}` of {type_name}")]
    NotReferred { member: String, type_name: String },
    /// Code `symbol_not_found`: an operator's or indexer's sign that stands for no member.
    #[error("the `{sign}` at {place} does not refer to a member: {why}")]
    NoMember { sign: String, place: String, why: String },
    /// Code `file_not_found`.
    #[error("{file} is not a source file of the workspace{}", did_you_mean(nearest.as_slice()))]
    FileNotFound { file: String, nearest: Option<String> },
    /// Code `invalid_argument`.
    #[error("{message}")]
    InvalidArgument { argument: &'static str, message: String, hint: String },
    /// Code `no_symbols`: nothing of the workspace was built with symbols, or nothing was built.
    #[error("{message}")]
    NoSymbols { message: String },
}

impl NavigateError {
    /// What to do next, in words that can be typed.
    pub fn hint(&self) -> String {
        match self {
            Self::SymbolNotFound { nearest, .. } => match nearest.first() {
                Some(name) => format!("use one of these names, e.g. {name}"),
                None => "pass Type.Member as in C#, or file, line and column of an occurrence".into(),
            },
            Self::NotReferred { member, .. } => format!(
                "if `{member}` is a constant or a member of an enum, the compiler wrote its value instead: search the source files for it"
            ),
            Self::NoMember { .. } => "use the position of an operand, or a name: Money.operator +, Basket.this".into(),
            Self::FileNotFound { nearest, .. } => match nearest {
                Some(name) => format!("use {name}"),
                None => "pass a .cs file of the loaded projects, relative to their root; see code_load".into(),
            },
            Self::InvalidArgument { hint, .. } => hint.clone(),
            Self::NoSymbols { .. } => "run `dotnet build` and call this again".into(),
        }
    }
}

/// `2 assemblies`; of one only what it is.
fn counted(assemblies: usize) -> String {
    if assemblies == 1 { "assembly".into() } else { format!("{assemblies} assemblies") }
}
