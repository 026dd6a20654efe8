//! Equal names of several members in one statement, elements of collection initialisers, and branches of `#if`: each use on its own line.
//! Over `tests/fixtures/Turns`, built in Debug with `-p:PathMap=<folder of the fixtures>=/src/fixtures` and committed under
//! `tests/data/assemblies`. Symbols are asked for where they are declared.

use std::path::PathBuf;
use std::sync::Arc;

use crate::marked::{self, compare, told};
use clrbridge::code::navigate::Navigator;

fn check(sources: &[&str]) {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.join("tests/fixtures/Turns");
    let paths = sources.iter().map(|name| root.join(name)).collect();
    let assembly = manifest.join("tests/data/assemblies/Turns.dll");
    let navigator = Navigator::open(&root, &[assembly], paths, &Arc::default()).unwrap();
    let (declared, uses) = (marked::declared(&root, sources), marked::uses(&root, sources));
    assert!(declared.len() > 1);
    let mut faults = Vec::new();
    for (symbol, at) in declared {
        let found = navigator.usages(&at, None).unwrap_or_else(|error| panic!("{symbol}: {error}"));
        assert_eq!(found.symbols.len(), 1, "{symbol}: {:?}", found.symbols);
        let expected = uses.get(&symbol).cloned().unwrap_or_default();
        compare(&mut faults, &symbol, &expected, &told(&found, |it| it.kind.as_str()));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn equal_names_and_elements_are_told_where_they_stand() {
    check(&["Turns.cs"]);
}

#[test]
fn kinds_of_declarations_are_told_apart() {
    check(&["Kinds.cs", "Turns.cs"]);
}

#[test]
fn branches_that_were_left_out_are_no_code() {
    check(&["Chosen.cs"]);
}
