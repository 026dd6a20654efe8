//! Names that several types have, in assemblies that know of each other or not; what only the text names; and what a use's line is where
//! the compiler's own points stand elsewhere. Over `tests/fixtures/Bindings`, built in Debug with `-p:PathMap=<folder of the
//! fixtures>=/src/fixtures` and committed under `tests/data/assemblies`. Symbols are asked for where they are declared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::marked::{compare, reported};
use clrbridge::code::navigate::{Address, Found, NavigateError, Navigator, Usage};

const SOURCES: [&str; 3] = ["App/Program.cs", "Lib/Stock.cs", "Other/Words.cs"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Bindings")
}

fn navigator() -> Navigator {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    let assemblies = ["App", "Lib", "Other"].map(|name| folder.join(format!("Bindings.{name}.dll")));
    let sources = SOURCES.map(|name| root().join(name));
    Navigator::open(&root(), &assemblies, sources.to_vec(), &Arc::default()).unwrap()
}

fn declared() -> BTreeMap<String, Address> {
    let found = crate::marked::declared(&root(), &SOURCES);
    assert!(found.len() > 20, "{} symbols", found.len());
    found
}

fn ask(navigator: &Navigator, symbol: &str, at: &Address) -> Found {
    navigator.usages(at, None).unwrap_or_else(|error| panic!("{symbol}: {error}"))
}

#[test]
fn a_name_means_the_symbol_that_the_compiler_takes() {
    let (navigator, uses) = (navigator(), crate::marked::uses(&root(), &SOURCES));
    let mut faults = Vec::new();
    for (symbol, at) in declared() {
        let found = ask(&navigator, &symbol, &at);
        assert_eq!(found.symbols.len(), 1, "{symbol}: {:?}", found.symbols);
        let expected = uses.get(&symbol).cloned().unwrap_or_default();
        compare(&mut faults, &symbol, &expected, &reported(&found, |it| it.kind.as_str()));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// `ISlot<string>.Put` runs no member of an `ISlot<Part>`.
#[test]
fn a_call_reaches_only_what_takes_its_type_arguments() {
    let (navigator, reached) = (navigator(), crate::marked::markers(&root(), &SOURCES, "VIA"));
    let mut faults = Vec::new();
    for (symbol, at) in declared() {
        let found = ask(&navigator, &symbol, &at);
        let rows = found.files.iter().flat_map(|file| file.usages.iter().map(move |it| (&file.file, it)));
        let via = rows.filter(|(_, it)| it.via.is_some());
        let got: BTreeSet<String> = via.map(|(file, it)| format!("{file}:{}", it.line)).collect();
        compare(&mut faults, &symbol, &reached.get(&symbol).cloned().unwrap_or_default(), &got);
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Mentions of types, which `reported` leaves out: source lines of each.
#[test]
fn a_type_is_mentioned_only_where_its_assembly_is_known() {
    let navigator = navigator();
    let declared = declared();
    for (symbol, file, count) in
        [("Part", "App/Program.cs", 3), ("Shelf", "App/Program.cs", 1), ("Marks", "Lib/Stock.cs", 0)]
    {
        let found = ask(&navigator, symbol, &declared[symbol]);
        let files: BTreeSet<&str> = found.files.iter().map(|it| it.file.as_str()).collect();
        assert!(!files.contains("Other/Words.cs"), "{symbol}: {files:?}");
        let rows = found.files.iter().filter(|it| it.file == file).flat_map(|it| &it.usages);
        let mentions = rows.filter(|it: &&Usage| it.kind.as_str() == "mention");
        let lines: Vec<&str> = mentions.map(|it| it.source.as_str()).collect();
        assert!(lines.len() >= count, "{symbol}: {lines:#?}");
    }
}

#[test]
fn a_name_of_two_assemblies_is_asked_for_at_its_declaration() {
    let error = navigator().usages(&Address::Name("Depot.Part.Size".to_owned()), None).unwrap_err();
    let NavigateError::InvalidArgument { message, hint, .. } = &error else { panic!("{error:?}") };
    assert!(message.contains("Bindings.Lib") && message.contains("Bindings.Other"), "{message}");
    assert!(hint.contains("line"), "{hint}");
    // Other symbols are named as before.
    navigator().usages(&Address::Name("Depot.Part.Fit(ref int)".to_owned()), None).unwrap();
}

#[test]
fn a_symbol_says_how_its_parameters_are_passed() {
    let declared = declared();
    let found = ask(&navigator(), "Part.Parse", &declared["Part.Parse"]);
    assert_eq!(found.symbols, ["Depot.Part.Parse(string, out Part, in int)"]);
}
