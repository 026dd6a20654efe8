//! `using` directives: which namespaces and types are named without their paths, and by which other names.

use crate::code::navigate::Navigator;
use crate::code::navigate::syntax::{NodeId, Syntax};

/// <https://learn.microsoft.com/dotnet/core/project-sdk/overview#implicit-using-directives>
const IMPLICIT: [&str; 7] = [
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
];

#[derive(Debug, Default)]
pub(super) struct Imports {
    pub(super) namespaces: Vec<String>,
    pub(super) statics: Vec<String>,
    /// Name and path.
    pub(super) aliases: Vec<(String, String)>,
}

impl Imports {
    /// Those that stand directly in a node, a namespace's body or the whole text.
    pub(super) fn of(syntax: &Syntax, node: NodeId) -> Self {
        let mut found = Self::default();
        for id in syntax.children(node).filter(|&id| syntax.kind(id) == "using_directive") {
            found.add(syntax.text(id));
        }
        found
    }

    fn add(&mut self, directive: &str) {
        let directive = directive.trim().trim_end_matches(';').trim_end();
        let path = |text: &str| {
            let mut depth = 0usize;
            let mut path = String::new();
            for character in text.trim().trim_start_matches("global::").chars() {
                match character {
                    '<' => depth += 1,
                    '>' => depth = depth.saturating_sub(1),
                    c if depth == 0 && !c.is_whitespace() => path.push(c),
                    _ => {}
                }
            }
            path
        };
        // Words before the path (`global`, `static`) are not part of it.
        match directive.split_once('=') {
            Some((head, target)) => {
                let alias = head.split_whitespace().last().unwrap_or_default();
                self.aliases.push((alias.to_owned(), path(target)));
            }
            None => match directive.split_once("static ") {
                Some((_, target)) => self.statics.push(path(target)),
                None => self.namespaces.push(path(directive.rsplit("using ").next().unwrap_or_default())),
            },
        }
    }
}

/// The `global using`s of an assembly's sources, those that the SDK writes included.
pub(super) fn global(navigator: &Navigator, assembly: usize) -> Imports {
    let mut found = Imports::default();
    let Some(pdb) = navigator.assembly(assembly).and_then(|it| it.pdb()) else { return found };
    for document in pdb.documents() {
        let bytes = match navigator.files.of_document(&document.path) {
            Some(file) if navigator.files.holds(file, "global using") => navigator.files.bytes(file),
            Some(_) => continue,
            None if !document.path.ends_with(".GlobalUsings.g.cs") => continue,
            None => document.compiled_bytes(),
        };
        match bytes {
            Some(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                text.lines().filter(|line| line.trim_start().starts_with("global using ")).for_each(|it| found.add(it));
            }
            None => found.namespaces.extend(IMPLICIT.map(str::to_owned)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_in_all_their_forms() {
        let code =
            "global using A.B; using static A.C; using D = global::A.E<int>; using P = F.G; namespace N { using X; }";
        let syntax = Syntax::parse(code.to_owned()).unwrap();
        let found = Imports::of(&syntax, 0);
        assert_eq!((found.namespaces, found.statics), (vec!["A.B".to_owned()], vec!["A.C".to_owned()]));
        let aliases: Vec<_> = found.aliases.iter().map(|(alias, target)| (alias.as_str(), target.as_str())).collect();
        assert_eq!(aliases, [("D", "A.E"), ("P", "F.G")]);
    }
}
