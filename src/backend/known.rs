//! What one file about an adapter says of it.

use super::quirks::Quirks;

/// An adapter that we know by name.
pub(super) struct Known {
    pub name: &'static str,
    pub quirks: fn() -> Quirks,
    pub program: Program,
}

/// What is started.
pub(super) enum Program {
    /// The file of this process, with these arguments.
    Ourselves { args: &'static [&'static str], works: bool },
    /// An executable of the adapter's name.
    Installed(Installed),
}

/// How an executable is found and started.
pub(super) struct Installed {
    /// The environment variable for its path.
    pub variable: &'static str,
    pub args: &'static [&'static str],
    /// What other versions than the measured one do differently.
    pub adjust: fn(&mut Quirks, version: &str),
    /// `None`: it is built from its source.
    pub archives: Option<Archives>,
}

impl Known {
    /// `None` for what is part of this executable.
    pub(super) fn installed(&self) -> Option<&Installed> {
        match &self.program {
            Program::Installed(installed) => Some(installed),
            Program::Ourselves { .. } => None,
        }
    }
}

/// Where an adapter's makers publish it: `.tar.gz` files with one folder of the adapter's name; `{arch}` stands for [`Archives::arch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Archives {
    pub latest: &'static str,
    /// The last one for systems whose C library is older than the latest one needs.
    pub for_older_glibc: &'static str,
}

impl Archives {
    /// This machine's processor as such archives name it.
    pub fn arch() -> &'static str {
        match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        }
    }
}
