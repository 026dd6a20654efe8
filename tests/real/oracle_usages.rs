//! `code_find_usages` against truth: for each symbol that a set of assemblies declares in source, the uses that we find and those that
//! the C# compiler's own semantic model has (`tests/oracle-usages/*.cs`) must be the same, by file, line, kind and form.
//!
//! Compared are the fixtures, and with `CLRBRIDGE_ORACLE_USAGES=FOLDER` the projects below a folder as they are built now
//! (`scripts/oracle usages FOLDER`).

mod compared;
mod truth;

use std::path::{Path, PathBuf};

use crate::sdk::Program;
use clrbridge::code::navigate::Navigator;
use clrbridge::code::{MsBuild, Workspace, compiled_sources};
use compared::Differences;
use truth::Truth;

use crate::harness::{skip, tests};
use crate::needs;

tests! {
    usages_of_the_fixture_are_those_of_the_compiler;
    names_of_several_types_are_bound_as_the_compiler_binds_them;
    usages_of_newer_language_features_are_those_of_the_compiler;
    equal_names_in_a_statement_are_distinguished_as_the_compiler_does;
    sources_that_only_a_build_names_are_found;
    async usages_below_a_folder_are_those_of_the_compiler;
}

fn oracle() -> Program {
    Program::build("oracle-usages", "OracleUsages")
}

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The committed builds of a fixture and its sources, whose paths the compiler wrote as `/src/fixtures/…`.
fn compare_fixture(name: &str, assemblies: &[&str], sources: &[&str]) {
    let oracle = oracle();
    let root = manifest().join("tests/fixtures").join(name);
    let dlls: Vec<PathBuf> = assemblies.iter().map(|it| needs::committed(&format!("{it}.dll"))).collect();
    let map = format!("/src/fixtures={}", manifest().join("tests/fixtures").display());
    let truth = Truth::of(&oracle, &dlls, &[map]);
    let sources = sources.iter().map(|it| root.join(it)).collect();
    let beneath = needs::frameworks_of(&dlls[0]);
    let navigator = Navigator::open(&root, &dlls, sources, &Default::default()).unwrap().on(beneath);
    check(&navigator, &truth, &root, 1);
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

fn usages_of_the_fixture_are_those_of_the_compiler() {
    let sources = [
        "App/Program.cs",
        "Core/Items.cs",
        "App/Checkout.cs",
        "Core/Basket.Events.cs",
        "Core/Basket.cs",
        "Core/Near.cs",
    ];
    compare_fixture("Usages", &["Usages.App", "Usages.Core"], &sources);
}

fn names_of_several_types_are_bound_as_the_compiler_binds_them() {
    let sources = ["App/Program.cs", "Lib/Stock.cs", "Other/Words.cs"];
    compare_fixture("Bindings", &["Bindings.App", "Bindings.Lib", "Bindings.Other"], &sources);
}

fn usages_of_newer_language_features_are_those_of_the_compiler() {
    let sources = ["App/Program.cs", "Lib/Flags.cs", "Lib/Inherited.cs", "Lib/Newer.cs", "Lib/Signs.cs"];
    compare_fixture("Features", &["Features.App", "Features.Lib"], &sources);
}

fn equal_names_in_a_statement_are_distinguished_as_the_compiler_does() {
    compare_fixture(
        "Turns",
        &["Turns"],
        &["Cases.cs", "Chosen.cs", "Declared.cs", "Kinds.cs", "Meant.cs", "Referred.cs", "Turns.cs"],
    );
}

/// A project's items may need MSBuild; then its PDB tells.
fn sources_that_only_a_build_names_are_found() {
    let dll = oracle().dll().to_owned();
    let root = dll.parent().unwrap().parent().unwrap().canonicalize().unwrap();
    let known = [root.join("Facts.cs")];
    let mut found = compiled_sources(&[dll], &Default::default(), &known);
    found.sort();
    assert_eq!(found, ["Places.cs", "Program.cs", "Recompiler.cs", "Uses.cs"].map(|name| root.join(name)));
}

async fn usages_below_a_folder_are_those_of_the_compiler() {
    let folder = std::env::var_os("CLRBRIDGE_ORACLE_USAGES").unwrap_or_else(|| skip("no CLRBRIDGE_ORACLE_USAGES"));
    let oracle = oracle();
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
