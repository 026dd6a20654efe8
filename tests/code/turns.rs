//! Equal names of several members in one statement, elements of collection initializers, and branches of `#if`: each use on its own line.
//! Over `tests/fixtures/Turns`, built in Debug with `-p:PathMap=<folder of the fixtures>=/src/fixtures` and committed under
//! `tests/data/assemblies`. Symbols are asked for where they are declared.

use std::path::PathBuf;
use std::sync::Arc;

use crate::marked::{self, compare, reported};
use clrbridge::code::navigate::{Address, Found, Navigator};

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
        compare(&mut faults, &symbol, &expected, &reported(&found, |it| it.kind.as_str()));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn equal_names_and_elements_are_reported_where_they_stand() {
    check(&["Turns.cs"]);
}

#[test]
fn kinds_of_declarations_are_distinguished() {
    check(&["Kinds.cs", "Turns.cs"]);
}

#[test]
fn equal_names_of_types_and_members_are_distinguished() {
    check(&["Meant.cs"]);
}

#[test]
fn a_name_without_an_instruction_of_its_own_means_what_the_compiler_takes() {
    for (line, name, expected) in [
        ("Place(Order.First, First)", "First", &["Turns.Order.First 6"][..]),
        ("Place(Order.First, First)", "First)", &["Turns.Meant.First 38"]),
        ("same(all.Length)", "Length", &["System.Array.Length -"]),
        ("+ text.Length", "Length", &["System.String.Length -"]),
        ("+ Limit", "Limit", &["Turns.Meant.Limit 34"]),
        ("isLong: true", "isLong", &["isLong 64"]),
        ("[Seen]", "Seen", &["Turns.SeenAttribute 21"]),
        ("Func<int, int> same", "Func", &["System.Func<T1, T2> -"]),
        ("class Meant<T>", "Meant", &["Turns.Meant<T> 83"]),
        // the declaration itself
        ("public void Set()", "Set", &["Turns.Meant<T>.Set() 85"]),
    ] {
        let (navigator, at) = of_source("Meant.cs", line, name);
        let found = navigator.definition(&at, 9).unwrap_or_else(|error| panic!("{line}: {error}"));
        let shown = found.definitions.iter().map(|it| match &it.place {
            Some((_, line, _)) => format!("{} {line}", it.symbol),
            None => format!("{} -", it.symbol),
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{line}");
    }
}

#[test]
fn uses_of_an_arrays_length_are_not_said_to_be_none() {
    let (navigator, at) = of_source("Meant.cs", "same(all.Length)", "Length");
    let error = navigator.usages(&at, None).unwrap_err();
    assert!(error.to_string().contains("an array's Length"), "{error}");
}

#[test]
fn what_nothing_is_written_through_is_read_and_elements_of_inline_arrays_are_written() {
    check(&["Referred.cs"]);
}

#[test]
fn branches_that_were_left_out_are_no_code() {
    check(&["Chosen.cs"]);
}

#[test]
fn what_a_case_asks_and_what_an_expression_tree_names_is_where_it_stands() {
    check(&["Cases.cs"]);
    for (line, name, expected) in [
        ("case string { Length", "Length", "System.String.Length"),
        ("case Leaf { Name", "Name", "Turns.Leaf.Name"),
        ("case Node { Name", "Name", "Turns.Node.Name"),
        ("node.Twice()", "Twice", "Turns.Node.Twice()"),
    ] {
        let (navigator, at) = of_source("Cases.cs", line, name);
        let found = navigator.definition(&at, 9).unwrap_or_else(|error| panic!("{line}: {error}"));
        let shown: Vec<&str> = found.definitions.iter().map(|it| it.symbol.as_str()).collect();
        assert_eq!(shown, [expected], "{line}");
    }
}

#[test]
fn types_are_the_same_by_keyword_and_by_name() {
    for (asked, lines) in [
        ("Spelled.Put(int)", &["void Put(Int32"][..]),
        ("Spelled.Put(Int64)", &["void Put(Int64"]),
        ("Spelled.Put(List<string>)", &["void Put(List<System.String>"]),
        ("Spelled.Put", &["void Put(Int32", "void Put(Int64", "void Put(List<System.String>", "void Put(List<Int32>"]),
        ("Spelled.implicit operator long", &["implicit operator Int64"]),
    ] {
        let (navigator, _) = of_source("Cases.cs", "class Spelled", "Spelled");
        let found = navigator.definition(&Address::Name(asked.to_owned()), 20).unwrap();
        let sources: Vec<&str> = found.definitions.iter().map(|it| it.source.as_str()).collect();
        assert_eq!(sources.len(), lines.len(), "{asked}: {sources:?}");
        for line in lines {
            assert!(sources.iter().any(|source| source.contains(line)), "{asked}: {sources:?}");
        }
    }
}

/// The navigator over the fixture, and the place of a text in `Declared.cs`.
fn of_declared(line: &str, needle: &str) -> (Navigator, Address) {
    of_source("Declared.cs", line, needle)
}

fn of_source(file: &str, line: &str, needle: &str) -> (Navigator, Address) {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.join("tests/fixtures/Turns");
    let text = std::fs::read_to_string(root.join(file)).unwrap();
    let (at, code) = text.lines().enumerate().find(|(_, code)| code.contains(line)).unwrap();
    let column = (code.find(line).unwrap() + line.find(needle).unwrap() + 1) as u32;
    let address = Address::Position { file: file.to_owned(), line: at as u32 + 1, column };
    let assembly = manifest.join("tests/data/assemblies/Turns.dll");
    let sources = vec![root.join(file)];
    (Navigator::open(&root, &[assembly], sources, &Arc::default()).unwrap(), address)
}

fn rows(found: &Found) -> Vec<String> {
    let all = found.files.iter().flat_map(|file| &file.usages);
    all.map(|it| {
        let columns = std::iter::once(it.column).chain(it.more_columns.iter().copied()).map(|it| it.to_string());
        let form = it.form.map(|form| format!(" {}", form.as_str())).unwrap_or_default();
        format!("{}:{} {}{form}", it.line, columns.collect::<Vec<_>>().join(","), it.kind.as_str())
    })
    .collect()
}

#[test]
fn a_local_gets_its_value_where_it_is_declared_without_a_sign() {
    for (line, name, expected) in [
        ("TryMark(out var found)", "found", &["23:35 write out", "23:44 read"][..]),
        ("var (name, count)", "count", &["24:29 write initializer", "26:34 read"]),
        ("var (low, high)", "high", &["28:19 write initializer", "29:9 write increment", "36:28 read"]),
        ("any is Mark asked", "asked", &["30:25 write initializer", "32:20 read"]),
        ("each => each", "each", &["34:40,47 read"]),
        ("into all", "all", &["35:94 write initializer", "35:105 read"]),
        ("join other", "other", &["35:45 write initializer", "35:79 read"]),
    ] {
        let (navigator, at) = of_declared(line, name);
        assert_eq!(rows(&navigator.usages(&at, None).unwrap()), expected, "{name}");
    }
}

#[test]
fn a_type_is_made_where_it_is_made_and_named_where_a_variable_is_declared() {
    for (line, name, expected) in [
        ("class Mark", "Mark", &["15:37 mention", "17:20 new", "30:20 read", "41:9 mention", "41:28 read"][..]),
        (
            "struct Spot",
            "Spot",
            &["42:9 mention", "42:25 new", "43:9 mention", "43:21 new", "44:9 mention", "44:21 new", "45:9 read"],
        ),
    ] {
        let (navigator, at) = of_declared(line, name);
        let found = navigator.usages(&at, None).unwrap();
        assert_eq!(rows(&found), expected, "{name}");
        assert_eq!(found.count(), expected.len());
    }
}
