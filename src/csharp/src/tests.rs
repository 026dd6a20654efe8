//! What expressions mean, over next to no program: what needs none is evaluated, all else asks for it.

mod assignment;
mod bound;
mod equality;
mod framework;
mod generics;
mod language;
mod numbers;
mod pure;
mod random;
mod spans;
mod text;
mod world;

use clr_metadata::{Assembly, Purity, TypeUniverse};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::pure::{Foreseen, Pure, foresee};
use crate::run::{Limits, Outcome, evaluate};
use crate::syntax;
use crate::types::{Type, TypeSystem};
use crate::world::{Failure, Imports, Scope};
use world::Program;

/// What the framework's folder must have for the tests that need it.
const NEEDED: [&str; 5] =
    ["System.Private.CoreLib", "System.Runtime", "System.Linq", "System.Collections", "System.Collections.Immutable"];

/// The folder of the newest framework that is installed.
fn framework() -> Option<PathBuf> {
    framework_of("")
}

/// The newest of those whose version begins so.
fn framework_of(version: &str) -> Option<PathBuf> {
    let root = std::env::var_os("DOTNET_ROOT").map(PathBuf::from).or_else(|| {
        let path = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&path).find(|folder| folder.join("dotnet").is_file())?;
        found.join("dotnet").canonicalize().ok()?.parent().map(PathBuf::from)
    })?;
    let versions = std::fs::read_dir(root.join("shared/Microsoft.NETCore.App")).ok()?;
    let number = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0)).collect::<Vec<_>>()
    };
    let folders = versions.flatten().map(|entry| entry.path());
    let is_of_version = |it: &PathBuf| it.file_name().is_some_and(|name| name.to_string_lossy().starts_with(version));
    let is_whole = |it: &PathBuf| it.join("System.Private.CoreLib.dll").is_file();
    folders.filter(|it| is_of_version(it) && is_whole(it)).max_by_key(number)
}

/// The types of the framework. `None`: there is none here, so the test is skipped, and says so: `scripts/check` counts these lines, which
/// libtest counts as passed.
fn types() -> Option<TypeSystem> {
    let found = framework().map(opened);
    if found.is_none() {
        let thread = std::thread::current();
        // not by a macro: libtest keeps what those print of tests that pass
        let line = format!("skipped: no .NET is found by DOTNET_ROOT or PATH ({})\n", thread.name().unwrap_or("test"));
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    found
}

fn opened(folder: PathBuf) -> TypeSystem {
    let assemblies = NEEDED.iter().map(|name| Assembly::open(folder.join(format!("{name}.dll"))).unwrap()).collect();
    TypeSystem::new(assemblies, Some(folder))
}

fn program() -> (Program, Scope) {
    let namespaces = ["System", "System.Linq", "System.Collections.Generic"].map(str::to_owned).to_vec();
    let (program, variables) = Program::new();
    (program, Scope { imports: vec![Imports { namespaces, ..Imports::default() }], variables, ..Scope::default() })
}

/// What an expression gives, as C# writes it; what is wrong with it else.
fn evaluated(types: &TypeSystem, text: &str) -> String {
    let expr = match syntax::parse(text) {
        Ok(expr) => expr,
        Err(error) => return error.to_string(),
    };
    let limits = Limits { steps: 100_000, elements: 10_000, ..Limits::default() };
    let (mut program, scope) = program();
    described(evaluate(&mut program, (types, &scope), &expr, limits))
}

fn purity(types: &TypeSystem) -> Purity {
    let universe = TypeUniverse::new();
    for assembly in types.assemblies() {
        universe.add(assembly.path(), false);
    }
    Purity::new(Arc::new(universe))
}

/// What is known of its side effects before.
fn foreseen(types: &TypeSystem, text: &str) -> Option<Foreseen> {
    foresee(&syntax::parse(text).ok()?, (types, &program().1), &purity(types))
}

/// The same where nothing may change.
fn evaluated_purely(types: &TypeSystem, text: &str) -> String {
    let Ok(expr) = syntax::parse(text) else { return "not parsed".into() };
    let (mut program, scope) = program();
    let purity = purity(types);
    let mut world = Pure::new(&mut program, types, &purity);
    described(evaluate(&mut world, (types, &scope), &expr, Limits::default()))
}

/// An assignment of which only the store may change something.
fn assigned_purely(types: &TypeSystem, text: &str) -> String {
    let Ok(expr) = syntax::parse(text) else { return "not parsed".into() };
    let (mut program, scope) = program();
    let purity = purity(types);
    let mut world = Pure::new(&mut program, types, &purity);
    described(crate::run::assign(&mut world, (types, &scope), &expr, Limits::default()))
}

fn described(result: Result<Outcome<Type>, Failure<String>>) -> String {
    match result {
        Ok(outcome) => text::shown(&outcome.value),
        Err(Failure::Compiler { code, message }) => format!("error {code}: {message}"),
        Err(Failure::Threw { type_name, message }) => format!("{type_name}: {message}"),
        Err(failure @ (Failure::Null { .. } | Failure::Outside { .. })) => failure.to_string(),
        Err(Failure::SideEffects { why, .. }) => format!("side effects: {why}"),
        Err(Failure::Unsupported(words)) => format!("refused: {words}"),
        Err(Failure::World(words)) => format!("asked the program: {words}"),
    }
}

/// Rows of an expression and what it gives; a code stands for any words behind it.
fn check(types: &TypeSystem, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let found = evaluated(types, text);
            let is_code = ["CS", "System.", "Microsoft."].iter().any(|start| expected.starts_with(start));
            let is_right =
                if is_code { found.trim_start_matches("error ").starts_with(expected) } else { found == *expected };
            (!is_right).then(|| format!("{text}\n  expected {expected}\n  found    {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
