//! The folder of the demo's program. It is removed when the demo ends, also by a signal.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

const PROGRAM: &str = include_str!("Program.cs");
const PROJECT: &str = include_str!("Shop.csproj");

/// `Shop/Program.cs` and its project in a folder of their own.
#[derive(Debug)]
pub(super) struct Stage(TempDir);

impl Stage {
    /// # Errors
    /// There is no room for it.
    pub(super) fn build() -> io::Result<Self> {
        let stage = Self(tempfile::Builder::new().prefix("clrbridge-demo-").tempdir()?);
        stage.put("Shop/Program.cs", PROGRAM)?;
        stage.put("Shop/Shop.csproj", PROJECT)?;
        Ok(stage)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, its folders too. `relative` has `/`.
    pub(super) fn put(&self, relative: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        let path = self.path().join(relative);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, content)
    }
}
