//! Navigation over real compiler output: `tests/fixtures/Usages`, two projects whose lines say themselves what is on them, built in Debug and
//! committed under `tests/data/assemblies` with the sources mapped to `/src/fixtures/Usages`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clrbridge::code::navigate::{Address, Found, NavigateError, Navigator, UsageKind};

const SOURCES: [&str; 2] = ["App/Program.cs", "Core/Items.cs"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Usages")
}

fn assemblies() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    ["Usages.App.dll", "Usages.Core.dll"].map(|name| folder.join(name)).to_vec()
}

fn navigator() -> Navigator {
    Navigator::open(&root(), &assemblies(), SOURCES.map(|name| root().join(name)).to_vec()).unwrap()
}

fn named(name: &str) -> Address {
    Address::Name(name.to_owned())
}

/// `file:line word` by symbol, of the markers of one tag.
fn markers(tag: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in SOURCES {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        for (at, line) in text.lines().enumerate() {
            let words = line.split(' ').filter_map(|word| word.strip_prefix(tag)?.strip_prefix(':'));
            for marker in words.filter(|marker| !marker.is_empty()) {
                let (symbol, word) = marker.split_once(':').unwrap_or((marker, ""));
                let symbol = symbol.replace('/', ".");
                let entry = format!("{file}:{} {word}", at + 1);
                found.entry(symbol).or_default().insert(entry.trim_end().to_owned());
            }
        }
    }
    found
}

/// Without those through another member, and without types that are only named.
fn told(found: &Found, word: impl Fn(&clrbridge::code::navigate::Usage) -> &'static str) -> BTreeSet<String> {
    let is_type = !found.symbols[0].contains('(') && found.symbols[0].matches('.').count() == 1;
    let mut all = BTreeSet::new();
    for file in &found.files {
        let own = file.usages.iter().filter(|it| it.via.is_none() && !(is_type && it.kind == UsageKind::Mention));
        all.extend(own.map(|it| format!("{}:{} {}", file.file, it.line, word(it))));
    }
    all
}

fn compare(faults: &mut Vec<String>, symbol: &str, expected: &BTreeSet<String>, got: &BTreeSet<String>) {
    faults.extend(expected.difference(got).map(|it| format!("{symbol}: missed {it}")));
    faults.extend(got.difference(expected).map(|it| format!("{symbol}: invented {it}")));
}

#[test]
fn every_marked_use_is_found_and_no_other() {
    let navigator = navigator();
    let mut expected = markers("USE");
    for (symbol, lines) in markers("SET") {
        let writes = lines.iter().map(|line| format!("{} write", line.split_once(' ').unwrap().0));
        expected.entry(symbol).or_default().extend(writes);
    }
    assert!(expected.len() > 30, "{} symbols", expected.len());
    let mut faults = Vec::new();
    for (symbol, lines) in &expected {
        match navigator.usages(&named(symbol), None) {
            Ok(found) => compare(&mut faults, symbol, lines, &told(&found, |it| it.kind.as_str())),
            Err(error) => faults.push(format!("{symbol}: {error}")),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_marked_assignment_is_found_in_its_form() {
    let navigator = navigator();
    let mut faults = Vec::new();
    for (symbol, lines) in markers("SET") {
        match navigator.assignments(&named(&symbol)) {
            Ok(found) => compare(&mut faults, &symbol, &lines, &told(&found, |it| it.form.unwrap().as_str())),
            Err(error) => faults.push(format!("{symbol}: {error}")),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_marked_declaration_is_where_its_name_leads() {
    let navigator = navigator();
    let mut faults = Vec::new();
    for (symbol, lines) in markers("DEF") {
        let found = match navigator.definition(&named(&symbol), 20) {
            Ok(found) => found.definitions,
            Err(error) => {
                faults.push(format!("{symbol}: {error}"));
                continue;
            }
        };
        let places = found.iter().filter_map(|it| it.place.as_ref());
        let got: BTreeSet<String> = places.map(|(file, line, _)| format!("{file}:{line}")).collect();
        compare(&mut faults, &symbol, &lines, &got);
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn a_file_newer_than_its_build_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for file in SOURCES {
        let to = folder.path().join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(root().join(file), &to).unwrap();
    }
    let sources = || SOURCES.map(|name| folder.path().join(name)).to_vec();
    let open = || Navigator::open(folder.path(), &assemblies(), sources()).unwrap();
    let stale = || open().usages(&named("Item.Take"), None).unwrap().stale;
    assert_eq!(stale(), [""; 0]);
    let path = folder.path().join(SOURCES[0]);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "// more\n").unwrap();
    assert_eq!(stale(), [SOURCES[0]]);
}

#[test]
fn wrong_questions_are_told_what_to_do() {
    let navigator = navigator();
    let error = |name: &str| navigator.usages(&named(name), None).unwrap_err();
    match error("Item.Prise") {
        NavigateError::SymbolNotFound { nearest, .. } => {
            assert!(nearest.contains(&"Item.Price".to_owned()), "{nearest:?}")
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(error("Price"), NavigateError::InvalidArgument { argument: "name", .. }));
    assert!(matches!(error("a b"), NavigateError::InvalidArgument { argument: "name", .. }));
    assert!(matches!(navigator.assignments(&named("Item.Take")), Err(NavigateError::InvalidArgument { .. })));
    let nowhere = Navigator::open(Path::new("/"), &[PathBuf::from("/nowhere.dll")], Vec::new());
    assert!(matches!(nowhere, Err(NavigateError::NoSymbols { .. })));
}
