//! Why an adapter that was found cannot be used.

use std::fmt;

/// `Display` says what is, of the adapter: `libdbgshim.so is missing from the adapter's folder`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Files of its archive that it needs beside it.
    Incomplete(Vec<&'static str>),
    /// It is built for this processor, which is not ours.
    ForeignProcessor(&'static str),
    /// In the words of the loader, of the system or of a setting.
    Other(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incomplete(files) => {
                let are = if files.len() == 1 { "is" } else { "are" };
                write!(f, "{} {are} missing from the adapter's folder", files.join(" and "))
            }
            Self::ForeignProcessor(machine) => {
                write!(f, "is built for {machine}, but this machine is {}", std::env::consts::ARCH)
            }
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl From<String> for Problem {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}
