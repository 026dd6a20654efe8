//! Our layouts against real objects: `tests/fixtures/Layouts` prints where the runtime put the fields of its own types and of
//! all types of some framework assemblies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use clr_metadata::{Assembly, Fit, TypeId, TypeQuery, TypeUniverse};
use clrbridge::dotnet::Dotnet;

use crate::harness::tests;
use crate::needs;

tests! {
    every_rule_is_the_runtimes;
    types_of_the_framework_are_placed_as_the_runtime_does;
}

/// Types that the runtime places by their name, or whose fields it adds to when it starts.
const BY_NAME: &[&str] = &[];

/// Builds a copy of the fixture where it was not built already from the same sources; once for all tests.
fn built(dotnet: &Dotnet) -> &'static Path {
    static DLL: OnceLock<PathBuf> = OnceLock::new();
    DLL.get_or_init(|| build(dotnet))
}

fn build(dotnet: &Dotnet) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Layouts");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layouts");
    std::fs::create_dir_all(&folder).unwrap();
    let mut stale = false;
    for name in ["Layouts.csproj", "Program.cs", "Cases.cs"] {
        let source = std::fs::read(sources.join(name)).unwrap();
        if std::fs::read(folder.join(name)).map_or(true, |old| old != source) {
            std::fs::write(folder.join(name), source).unwrap();
            stale = true;
        }
    }
    let dll = folder.join("bin/Debug/net10.0/Layouts.dll");
    if stale || !dll.exists() {
        let _ = std::fs::remove_file(&dll);
        let output = Command::new(&dotnet.host)
            .current_dir(&folder)
            .args(["build", "-nologo", "-v:quiet", "-p:UseSharedCompilation=false"])
            .envs([("DOTNET_CLI_USE_MSBUILD_SERVER", "0"), ("MSBUILDDISABLENODEREUSE", "1")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    dll
}

/// What the fixture prints of a type.
#[derive(Default)]
struct Real {
    size: Option<u32>,
    offsets: BTreeMap<String, u32>,
}

fn real(dotnet: &Dotnet, dll: &Path, assemblies: &[&str]) -> Vec<(String, Real)> {
    let mut program = Command::new(&dotnet.host);
    // It makes objects without their constructors, which a collection could not walk: with room for all of them none comes.
    program.arg(dll).args(assemblies).env("DOTNET_GCgen0size", "0x20000000");
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    let mut types: Vec<(String, Real)> = Vec::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (name, value) = line.trim().rsplit_once(' ').unwrap();
        if line.starts_with(' ') {
            let name = name.strip_prefix('<').and_then(|rest| rest.strip_suffix(">k__BackingField")).unwrap_or(name);
            types.last_mut().unwrap().1.offsets.insert(name.to_owned(), value.parse().unwrap());
        } else {
            types.push((name.to_owned(), Real { size: value.parse().ok(), ..Real::default() }));
        }
    }
    types
}

fn find(assemblies: &[Arc<Assembly>], query: &TypeQuery) -> Option<(Arc<Assembly>, TypeId)> {
    assemblies.iter().find_map(|assembly| {
        let called = assembly.types_called(query);
        let (_, id) = called.into_iter().find(|(fit, _)| *fit == Fit::Full)?;
        Some((assembly.clone(), id))
    })
}

/// Each difference in a line, and how many types were compared.
fn compare(types: &[(String, Real)], dll: &Path, names: &[&str]) -> (Vec<String>, usize) {
    let universe = TypeUniverse::new();
    universe.add(dll, true);
    needs::frameworks_of(dll).into_iter().for_each(|path| universe.add(path, false));
    let named = names.iter().map(|name| universe.assembly(name).unwrap());
    let assemblies: Vec<Arc<Assembly>> = std::iter::once(universe.open(dll).unwrap())
        .chain(named)
        .chain(universe.assembly("System.Private.CoreLib"))
        .collect();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (name, real) in types.iter().filter(|(name, _)| !BY_NAME.contains(&name.as_str())) {
        let Some(query) = TypeQuery::parse(name) else { continue };
        let Some((assembly, id)) = find(&assemblies, &query) else { continue };
        let layout = match universe.layout(&assembly, id, &query.name) {
            Ok(layout) => layout,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        compared += 1;
        let own = assembly.type_(id).full_name();
        let fields = layout.fields.iter().filter(|field| field.declaring_type == own);
        let offsets: BTreeMap<String, u32> = fields.map(|field| (field.name.clone(), field.offset)).collect();
        if offsets != real.offsets || real.size.is_some_and(|size| size != layout.size) {
            wrong.push(format!(
                "{name}: ours {} {offsets:?} {:?}, real {:?} {:?}",
                layout.size, layout.placement, real.size, real.offsets
            ));
        }
    }
    (wrong, compared)
}

fn every_rule_is_the_runtimes() {
    let dotnet = needs::sdk();
    let dll = built(&dotnet);
    let (wrong, compared) = compare(&real(&dotnet, dll, &[]), dll, &[]);
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 60, "{compared}");
}

fn types_of_the_framework_are_placed_as_the_runtime_does() {
    let dotnet = needs::sdk();
    let dll = built(&dotnet);
    let names = ["System.Private.CoreLib", "System.Collections", "System.Net.Http", "System.Text.Json"];
    let (wrong, compared) = compare(&real(&dotnet, dll, &names), dll, &names);
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 2_000, "{compared}");
}
