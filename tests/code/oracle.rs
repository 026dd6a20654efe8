//! `code_find_usages` against truth: for each symbol that a set of assemblies declares in source, the uses that we find and those that
//! the C# compiler's own semantic model has (`tests/oracle-usages/*.cs`) must be the same, by file, line, kind and form.
//!
//! Compared are the fixtures, and with `CLRBRIDGE_ORACLE_USAGES=FOLDER` the projects below a folder as they are built now
//! (`scripts/oracle usages FOLDER`). Without a .NET SDK everything is skipped, with a line that says so.

mod compared;
mod truth;

use std::path::{Path, PathBuf};

use crate::sdk::Program;
use clrbridge::code::navigate::Navigator;
use clrbridge::code::{MsBuild, Workspace};
use clrbridge::dotnet::frameworks::framework_folders;
use compared::Differences;
use truth::Truth;

fn oracle() -> Option<Program> {
    Program::build("oracle-usages", "OracleUsages")
}

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The committed builds of a fixture and its sources, whose paths the compiler wrote as `/src/fixtures/…`.
fn compare_fixture(name: &str, assemblies: &[&str], sources: &[&str]) {
    let Some(oracle) = oracle() else { return };
    let root = manifest().join("tests/fixtures").join(name);
    let dlls: Vec<PathBuf> =
        assemblies.iter().map(|it| manifest().join("tests/data/assemblies").join(format!("{it}.dll"))).collect();
    let map = format!("/src/fixtures={}", manifest().join("tests/fixtures").display());
    let truth = Truth::of(&oracle, &dlls, &[map]);
    let sources = sources.iter().map(|it| root.join(it)).collect();
    let beneath: Vec<PathBuf> = framework_folders(&dlls[0]).iter().flat_map(|it| dlls_in(it)).collect();
    let navigator = Navigator::open(&root, &dlls, sources, &Default::default()).unwrap().on(beneath);
    check(&navigator, &truth, &root, 1);
}

fn dlls_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "dll")).collect()
}

/// Every `step`th symbol.
fn check(navigator: &Navigator, truth: &Truth, root: &Path, step: usize) {
    let mut differences = Differences::default();
    for symbol in truth.symbols.iter().step_by(step) {
        differences.add(navigator, symbol, root);
    }
    println!("{}", differences.summary());
    assert!(differences.is_none(), "{differences}");
}

#[test]
fn usages_of_the_fixture_are_those_of_the_compiler() {
    let sources = ["App/Program.cs", "Core/Items.cs", "App/Checkout.cs", "Core/Basket.Events.cs", "Core/Basket.cs"];
    compare_fixture("Usages", &["Usages.App", "Usages.Core"], &sources);
}

#[test]
fn names_of_several_types_are_bound_as_the_compiler_binds_them() {
    let sources = ["App/Program.cs", "Lib/Stock.cs", "Other/Words.cs"];
    compare_fixture("Bindings", &["Bindings.App", "Bindings.Lib", "Bindings.Other"], &sources);
}

#[test]
fn usages_of_newer_language_features_are_those_of_the_compiler() {
    let sources = ["App/Program.cs", "Lib/Flags.cs", "Lib/Inherited.cs", "Lib/Newer.cs", "Lib/Signs.cs"];
    compare_fixture("Features", &["Features.App", "Features.Lib"], &sources);
}

#[test]
fn equal_names_in_a_statement_are_told_apart_as_the_compiler_does() {
    compare_fixture("Turns", &["Turns"], &["Chosen.cs", "Kinds.cs", "Turns.cs"]);
}

#[tokio::test]
async fn usages_below_a_folder_are_those_of_the_compiler() {
    let Some(folder) = std::env::var_os("CLRBRIDGE_ORACLE_USAGES").map(PathBuf::from) else {
        println!("skipped: no CLRBRIDGE_ORACLE_USAGES");
        return;
    };
    let Some(oracle) = oracle() else { return };
    let workspace = Workspace::load(&folder.to_string_lossy(), Path::new("/"), MsBuild::Asked, |_| {}).await.unwrap();
    let (dlls, not_built) = workspace.built();
    assert!(!dlls.is_empty() && not_built.is_empty(), "build these first: {not_built:?}");
    let truth = Truth::of(&oracle, &dlls, &[]);
    let beneath = workspace.beneath();
    let sources = workspace.sources().0;
    let navigator = Navigator::open(workspace.root(), &dlls, sources, &Default::default()).unwrap().on(beneath);
    let navigator = navigator.keeping(2_000);
    let step = std::env::var("CLRBRIDGE_ORACLE_STEP").map_or(1, |step| step.parse().unwrap());
    check(&navigator, &truth, workspace.root(), step);
}
