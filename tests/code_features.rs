//! Navigation where C# writes what no name says: members implemented by what a type inherits, operators and indexers at their signs.
//! Over `tests/fixtures/Features`, built in Debug and committed under `tests/data/assemblies`, sources mapped to `/src/fixtures/Features`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/markers.rs"]
mod marked;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clrbridge::code::navigate::{Address, Navigator, UsageKind};
use clrbridge::dotnet::frameworks::framework_folders;
use marked::{compare, told};

const SOURCES: [&str; 3] = ["App/Program.cs", "Lib/Inherited.cs", "Lib/Signs.cs"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Features")
}

fn assemblies() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    ["Features.App.dll", "Features.Lib.dll"].map(|name| folder.join(name)).to_vec()
}

fn navigator() -> Navigator {
    Navigator::open(&root(), &assemblies(), SOURCES.map(|name| root().join(name)).to_vec()).unwrap()
}

fn named(name: &str) -> Address {
    Address::Name(name.to_owned())
}

fn markers(tag: &str) -> BTreeMap<String, BTreeSet<String>> {
    marked::markers(&root(), &SOURCES, tag)
}

fn check(navigator: &Navigator, expected: &BTreeMap<String, BTreeSet<String>>) {
    let mut faults = Vec::new();
    for (symbol, lines) in expected {
        match navigator.usages(&named(symbol), None) {
            Ok(found) => compare(&mut faults, symbol, lines, &told(&found, |it| it.kind.as_str())),
            Err(error) => faults.push(format!("{symbol}: {error}")),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn what_a_type_inherits_implements_its_interfaces() {
    let mut expected = markers("USE");
    for (symbol, lines) in markers("SET") {
        let writes = lines.iter().map(|line| format!("{} write", line.split_once(' ').unwrap().0));
        expected.entry(symbol).or_default().extend(writes);
    }
    assert!(expected.len() > 12, "{} symbols", expected.len());
    check(&navigator(), &expected);
}

#[test]
fn a_framework_s_interface_is_implemented_by_what_a_type_inherits() {
    let dlls = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "dll")).collect()
    };
    let beneath: Vec<PathBuf> = framework_folders(&assemblies()[0]).iter().flat_map(|folder| dlls(folder)).collect();
    if beneath.is_empty() {
        println!("skipped: no .NET runtime");
        return;
    }
    let expected = markers("BASE");
    assert_eq!(expected.len(), 1);
    check(&navigator().on(beneath), &expected);
}

#[test]
fn a_call_through_an_interface_may_reach_what_a_type_inherits() {
    let navigator = navigator();
    for (name, line, via) in [
        ("Runner.Run(T)", "Console.WriteLine(run.Run(2));", "Works.IRun<T>.Run(T)"),
        ("Stopper.Stop", "stop.Stop();", "Works.IStop.Stop()"),
        ("Turbine.Stop", "stop.Stop();", "Works.IStop.Stop()"),
        ("Stopper.Left", "Console.WriteLine(stop.Left);", "Works.IStop.Left"),
        ("Stopper.Ended", "stop.Ended += OnEnded;", "Works.IStop.Ended"),
        ("Parrot.Greet", "greet.Greet()", "Works.IGreet.Greet()"),
    ] {
        let found = navigator.usages(&named(name), None).unwrap();
        let usages = found.files.iter().flat_map(|file| &file.usages);
        let told: Vec<_> = usages.filter(|it| it.source.contains(line)).map(|it| it.via.as_deref()).collect();
        assert_eq!(told, [Some(via)], "{name}: {found:?}");
    }
    // Of the same name, but no implementation.
    let other = navigator.usages(&named("Runner.Run(T, int)"), Some(UsageKind::Call)).unwrap();
    assert_eq!(other.count(), 0, "{other:?}");
}
