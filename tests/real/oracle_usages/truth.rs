//! What the C# side prints, read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::sdk::Program;

/// A use as the compiler has it.
#[derive(Debug, Clone)]
pub struct Use {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Where the name does not stand there: the use may be reported on any line up to this one.
    pub last_line: u32,
    pub kind: String,
    pub form: String,
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Named,
    Implied,
    /// Right with and without.
    May,
}

#[derive(Debug)]
pub struct Declared {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub display: String,
    pub uses: Vec<Use>,
}

pub struct Truth {
    pub symbols: Vec<Declared>,
}

impl Truth {
    /// `maps`: `FROM=TO`, for sources whose PDBs have other paths.
    pub fn of(oracle: &Program, dlls: &[PathBuf], maps: &[String]) -> Self {
        let mut arguments: Vec<String> = Vec::new();
        let mut folders = oracle.reference_folders();
        folders.extend(dlls.iter().filter_map(|dll| dll.parent()).map(Path::to_owned));
        folders.dedup();
        for folder in folders {
            arguments.extend(["--references".to_owned(), folder.to_string_lossy().into_owned()]);
        }
        for map in maps {
            arguments.extend(["--map".to_owned(), map.clone()]);
        }
        arguments.extend(dlls.iter().map(|dll| dll.to_string_lossy().into_owned()));
        Self::parse(&oracle.output(&arguments))
    }

    fn parse(text: &str) -> Self {
        let mut uses: HashMap<&str, Vec<Use>> = HashMap::new();
        let mut symbols = Vec::new();
        for line in text.lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                ["U", id, file, line, last_line, column, kind, form, how] => uses.entry(id).or_default().push(Use {
                    file: (*file).to_owned(),
                    line: line.parse().unwrap(),
                    column: column.parse().unwrap(),
                    last_line: last_line.parse().unwrap(),
                    kind: (*kind).to_owned(),
                    form: (*form).to_owned(),
                    how: match *how {
                        "named" => How::Named,
                        "implied" => How::Implied,
                        _ => How::May,
                    },
                }),
                ["S", id, kind, file, line, column, display] => symbols.push(Declared {
                    kind: (*kind).to_owned(),
                    file: (*file).to_owned(),
                    line: line.parse().unwrap(),
                    column: column.parse().unwrap(),
                    display: (*display).to_owned(),
                    // They are printed before the symbols.
                    uses: uses.remove(id).unwrap_or_default(),
                }),
                other => panic!("{other:?}"),
            }
        }
        assert!(!symbols.is_empty());
        Self { symbols }
    }
}
