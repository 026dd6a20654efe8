//! The metadata layer over real compiler output: the fixtures (`tests/fixtures`), built in Debug and committed under
//! `tests/data/assemblies` with their sources mapped to `/src/fixtures`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[path = "../support/renderings.rs"]
mod renderings;
#[path = "../support/replayed.rs"]
mod replayed;
#[path = "../support/il_names.rs"]
mod il_names;
#[path = "../support/served.rs"]
mod served;

mod asking;
mod disassembly;
mod foreign;
mod frames;
mod fuzz;
mod hostile;
mod methods;
mod oddities;
mod purity;
mod shapes;
mod symbols;
mod tools;
mod types;
mod usages;

use std::path::PathBuf;
use std::sync::Arc;

use clr_metadata::Assembly;

const FIXTURES: [&str; 6] = ["Basics", "AsyncFlow", "Collections", "Exceptions", "Generics", "Web"];

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies").join(name)
}

fn fixture(name: &str) -> Arc<Assembly> {
    Assembly::open(data(&format!("{name}.dll"))).unwrap()
}

fn source(fixture: &str) -> Vec<u8> {
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture).join("Program.cs"))
        .unwrap()
}

/// The line of a `BP:` marker.
fn marker(fixture: &str, name: &str) -> u32 {
    let text = String::from_utf8(source(fixture)).unwrap();
    let tag = format!("BP:{name}");
    let ends = |line: &str| {
        line.find(&tag).is_some_and(|at| !line[at + tag.len()..].starts_with(|c: char| c == '-' || c.is_alphanumeric()))
    };
    text.lines().position(ends).unwrap_or_else(|| panic!("no marker {name}")) as u32 + 1
}

#[test]
fn an_assembly_can_be_asked_from_several_threads() {
    let assembly = fixture("Basics");
    let find = || assembly.find_type("Basics.Order").zip(assembly.pdb().map(|pdb| pdb.documents().len()));
    let [a, b] =
        std::thread::scope(|scope| [scope.spawn(find), scope.spawn(find)].map(|thread| thread.join().unwrap()));
    assert!(a.is_some());
    assert_eq!(a, b);
}
