//! Which adapter is wanted, and where adapters are, as flags and the config file say.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The default is `auto`: an adapter that is set, else the built-in engine where it works, else one that is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdapterSettings {
    /// `auto`, a known adapter's name, `external` or `replay:FILE`; empty means `auto`.
    pub backend: String,
    /// By adapter name: its executable, or a folder that holds it.
    pub paths: BTreeMap<String, PathBuf>,
    /// Program and arguments of `external`.
    pub external: Vec<String>,
}

impl AdapterSettings {
    /// These settings with another choice, where one is given.
    pub fn choosing(&self, backend: Option<&str>) -> Self {
        Self { backend: backend.unwrap_or(&self.backend).to_owned(), ..self.clone() }
    }
}
