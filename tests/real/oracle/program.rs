//! The C# side of the reader's oracle: what System.Reflection.Metadata reads.

use std::path::PathBuf;

use crate::sdk::Program;

pub struct Oracle(Program);

impl Oracle {
    pub fn build() -> Self {
        Self(Program::build("oracle", "Oracle"))
    }

    /// The assemblies of the newest version of a framework.
    pub fn framework(&self, name: &str) -> Vec<PathBuf> {
        super::dlls_in(&self.0.framework(name))
    }

    /// What the program prints of each file. `enums` are only read for their enums.
    pub fn print(&self, files: &[PathBuf], enums: &[PathBuf]) -> Vec<String> {
        let mut list = String::new();
        for path in enums {
            list.push_str(&format!("+{}\n", path.display()));
        }
        for path in files {
            list.push_str(&format!("{}\n", path.display()));
        }
        let names = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(names.path(), list).unwrap();
        let text = self.0.output(&[format!("@{}", names.path().display())]);
        let mut starts = vec![];
        let mut at = 0;
        for file in files {
            let heading = format!("== {}\n", file.display());
            at += text[at..].find(&heading).unwrap();
            starts.push((at, at + heading.len()));
        }
        starts.push((text.len(), 0));
        starts.windows(2).map(|pair| text[pair[0].1..pair[1].0].to_owned()).collect()
    }
}
