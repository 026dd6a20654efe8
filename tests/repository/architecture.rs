//! The invariants of the design, read off the sources: who may know whom, and what each layer must never do.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Layer, and the layers it may name. What is missing here may name all.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("transport", &[]),
    ("process", &[]),
    ("metadata", &[]),
    ("dap-wire", &[]),
    ("csharp", &["metadata"]),
    // a crate of its own: the compiler holds it to these
    ("engine", &["csharp", "metadata", "dap-wire"]),
    ("config", &["backend", "redaction"]),
    ("environment", &[]),
    ("redaction", &[]),
    ("roots", &["environment"]),
    ("http", &[]),
    ("history", &[]),
    // what it shows is the session's; without rmcp, as answers are
    ("page", &["answers", "history", "http", "session"]),
    ("dap", &["dap-wire", "transport"]),
    ("dotnet", &["environment", "process", "metadata"]),
    ("code", &["metadata", "dotnet", "roots"]),
    // what to start is a process::CommandSpec
    ("backend", &["dap", "environment", "process"]),
    // connections, recordings and replays are made where sessions start
    ("session", &["csharp", "dap", "transport", "backend", "process", "metadata", "dotnet", "redaction", "roots"]),
    // without rmcp: whatever shows answers uses it
    ("answers", &["session", "code", "metadata", "dotnet"]),
    ("mcp", &["answers", "session", "code", "metadata", "dotnet", "config", "roots", "http", "history"]),
];

const LINES_OF_A_FILE: usize = 600;
/// Tables that would be read worse in parts.
const LONG_TABLES: &[&str] = &[];

struct Source {
    /// Below `src`, with `/`.
    path: String,
    /// Without comments and without `#[cfg(test)] mod`.
    code: String,
    lines: usize,
}

impl Source {
    fn layer(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap()
    }

    /// `line: text` of the lines of code that `wanted` picks.
    fn lines_with(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let numbered = self.code.lines().enumerate();
        numbered
            .filter(|(_, line)| wanted(line))
            .map(|(at, line)| format!("{}:{}: {}", self.path, at + 1, line.trim()))
            .collect()
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The sources, less files that hold only tests.
fn sources() -> Vec<Source> {
    let folder = root().join("src");
    let mut found = Vec::new();
    files(&folder, &mut found);
    assert!(found.len() > 100, "only {} sources found", found.len());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        Source { path, lines: text.lines().count(), code: code(&text) }
    };
    found.into_iter().map(read).filter(|source| !source.path.ends_with("tests.rs")).collect()
}

/// Lines keep their numbers. Tests stand last in our files.
fn code(text: &str) -> String {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let without_comment = |line: &str| match line.find("//") {
        Some(at) if !line[..at].contains('"') => line[..at].to_owned(),
        _ => line.to_owned(),
    };
    product.lines().map(without_comment).collect::<Vec<_>>().join("\n")
}

fn none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

/// Layers that a file names as `crate::layer`, `crate::{layer, …}` or, where a layer is a crate, by its name.
fn named_layers(code: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    let crates = [
        ("clr_metadata::", "metadata"),
        ("clr_csharp::", "csharp"),
        ("clr_engine::", "engine"),
        ("dap_wire::", "dap-wire"),
    ];
    named.extend(crates.iter().filter(|(path, _)| code.contains(path)).map(|(_, layer)| (*layer).to_owned()));
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split("};").next().unwrap());
        let parts: Vec<&str> = if rest.starts_with('{') { list.split(',').collect() } else { vec![rest] };
        for part in parts {
            let name: String = part.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            named.insert(name);
        }
    }
    named
}

#[test]
fn every_layer_knows_only_the_layers_below_it() {
    let layers: BTreeSet<&str> = MAY_KNOW.iter().map(|(layer, _)| *layer).chain(["cli"]).collect();
    let mut wrong = Vec::new();
    for source in sources() {
        let Some((layer, may)) = MAY_KNOW.iter().find(|(layer, _)| *layer == source.layer()) else { continue };
        for named in named_layers(&source.code) {
            if named != *layer && layers.contains(named.as_str()) && !may.contains(&named.as_str()) {
                wrong.push(format!("{} names {named}", source.path));
            }
        }
    }
    none("layers that know too much", wrong);
}

#[test]
fn the_layer_check_sees_every_way_to_name_a_layer() {
    let named = named_layers(
        "use crate::dap::Client;\nuse crate::{session::State, mcp};\nfn f() { crate::process::x(clr_metadata::y, clr_engine::z) }",
    );
    let expected = ["dap", "engine", "mcp", "metadata", "process", "session"].map(str::to_owned);
    assert_eq!(named, expected.into());
    assert_eq!(code("a(); // crate::dap\nb(\"//\");\n#[cfg(test)]\nmod tests {}"), "a(); \nb(\"//\");");
}

/// No line of these sources is `wrong`.
fn check(what: &str, among: impl Fn(&Source) -> bool, wrong: impl Fn(&str) -> bool) {
    let sources: Vec<Source> = sources().into_iter().filter(|source| among(source)).collect();
    assert!(!sources.is_empty(), "{what}: nothing is looked at");
    none(what, sources.iter().flat_map(|source| source.lines_with(&wrong)).collect());
}

fn has(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.contains(word))
}

/// I1. `dap-wire`, `dap` and `transport` write their own wire, `cli` its own report.
#[test]
fn only_answers_and_mcp_describe_the_tools() {
    let theirs = |source: &Source| matches!(source.layer(), "answers" | "mcp");
    check("schemas outside mcp", |source| !theirs(source), |line| line.contains("JsonSchema"));
    check("a protocol in answers", |source| source.layer() == "answers", |line| line.contains("rmcp"));
    let own_wire = |source: &Source| {
        theirs(source) || matches!(source.layer(), "dap" | "dap-wire" | "engine" | "transport" | "cli")
    };
    check("serialized outside mcp", |source| !own_wire(source), |line| line.contains("Serialize"));
}

/// I2, for the commands that are no plain words. The engine answers them; `transport/replay` plays the adapter's part: it names what it is asked.
#[test]
fn only_dap_names_a_dap_command() {
    let commands = [
        "\"setBreakpoints\"",
        "\"setFunctionBreakpoints\"",
        "\"setExceptionBreakpoints\"",
        "\"configurationDone\"",
        "\"stackTrace\"",
        "\"stepIn\"",
        "\"stepOut\"",
        "\"setVariable\"",
        "\"setExpression\"",
        "\"exceptionInfo\"",
        "\"readMemory\"",
    ];
    let outside =
        |source: &Source| !matches!(source.layer(), "dap" | "engine") && !source.path.starts_with("transport/replay");
    check("DAP commands outside dap", outside, |line| has(line, &commands));
}

/// I4.
#[test]
fn transport_never_sees_a_child() {
    let words = ["Child", "Command::new", "process::"];
    check("processes in transport", |source| source.layer() == "transport", |line| has(line, &words));
}

/// I5. `cli` prints what it was asked for, and never beside a server.
#[test]
fn only_the_transport_of_mcp_writes_to_stdout() {
    let alone = ["mcp/stdio.rs", "main.rs", "engine/examples/adapter.rs", "csharp/examples/bind.rs"];
    let others = |source: &Source| !alone.contains(&source.path.as_str()) && source.layer() != "cli";
    check("stdout", others, |line| line.contains("stdout()") && !line.contains(".stdout()"));
    check("printing", |_| true, |line| has(line, &["println!", "print!(", "dbg!("]));
}

/// I6. A running adapter is found among the processes of the machine by its name: nothing else tells it apart.
#[test]
fn nothing_outside_backend_asks_which_adapter_it_is() {
    let outside = |source: &Source| source.layer() != "backend" && source.path != "dotnet/attach/running.rs";
    check("questions for the adapter's name", outside, |line| {
        let adapter = has(line, &["\"netcoredbg\"", "\"dncdbg\"", "\"vsdbg\""]);
        adapter && has(line, &["==", "!=", "contains(", "starts_with("])
    });
}

/// I7, as far as sources tell: what a tool's future holds is a receiver, so nothing is lost with it.
#[test]
fn a_tool_holds_no_state() {
    let words = ["Mutex", "RwLock", "RefCell", "mpsc", "tokio::spawn"];
    check("state in a tool", |source| source.path.starts_with("mcp/tools"), |line| has(line, &words));
}

/// I8.
#[test]
fn only_mcp_and_main_name_rmcp() {
    let outside = |source: &Source| source.layer() != "mcp" && source.path != "main.rs";
    check("rmcp", outside, |line| has(line, &["rmcp::", "use rmcp"]));
}

/// I9. A parent-death signal follows the thread that started the child.
#[test]
fn every_child_comes_from_the_spawner_thread() {
    let words = ["Command::new", "std::process::Command", "tokio::process", "fork("];
    // the engine starts one program for an editor, on a thread of its own that lives as long as it does
    let engine = ["engine/src/start/program.rs", "engine/src/com/system/"];
    let elsewhere =
        |source: &Source| source.layer() != "process" && !engine.iter().any(|path| source.path.starts_with(path));
    check("children started elsewhere", elsewhere, |line| has(line, &words));
    let others = |source: &Source| source.layer() == "process" && source.path != "process/command.rs";
    check("children started past the spawner", others, |line| line.contains("Command::new"));
}

#[test]
fn unsafe_stands_only_in_process_at_the_memory_map_and_where_the_engine_meets_com() {
    let outside = |source: &Source| {
        source.layer() != "process"
            && source.path != "metadata/src/image.rs"
            && !source.path.starts_with("engine/src/com")
    };
    // what the compiler says of `sizeof` names it, too
    check("unsafe", outside, |line| has(line, &["unsafe ", "unsafe{"]) && !line.contains("an unsafe context"));
}

/// What another system needs stands in one place.
#[test]
fn only_the_engines_own_room_for_it_names_an_operating_system() {
    let outside = |source: &Source| {
        let path = source.path.strip_prefix("engine/src/");
        path.is_some_and(|path| path != "com/system.rs" && !path.starts_with("com/system/"))
    };
    let words = ["libc::", "std::os::", "/proc/", "target_os", "cfg(unix)", "cfg(windows)"];
    check("an operating system", outside, |line| has(line, &words));
}

#[test]
fn anyhow_stands_only_where_the_user_is_reported() {
    let outside = |source: &Source| source.layer() != "cli" && source.path != "main.rs";
    check("anyhow", outside, |line| line.contains("anyhow"));
}

#[test]
fn files_are_short_and_named_for_what_they_own() {
    let mut all = Vec::new();
    files(&root().join("src"), &mut all);
    files(&root().join("tests"), &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let shown = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        let name = path.file_name().unwrap().to_str().unwrap();
        if ["mod.rs", "helpers.rs", "utils.rs", "util.rs", "common.rs", "misc.rs"].contains(&name) {
            wrong.push(format!("{shown}: a name that says nothing"));
        }
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        if lines > LINES_OF_A_FILE && !LONG_TABLES.contains(&shown.as_str()) {
            wrong.push(format!("{shown}: {lines} lines"));
        }
    }
    none("files", wrong);
}

#[test]
fn every_module_says_what_it_owns() {
    let silent = sources().into_iter().filter(|source| {
        let text = std::fs::read_to_string(root().join("src").join(&source.path)).unwrap();
        assert!(source.lines > 0, "{} is empty", source.path);
        !text.starts_with("//!")
    });
    none("modules without //!", silent.map(|source| source.path).collect());
}
