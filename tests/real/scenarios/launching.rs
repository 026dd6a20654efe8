//! What reaches a launched program, and how its end is told.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    arguments_arrive_exactly;
    environment_and_working_directory_arrive_exactly;
    exit_codes_and_signals_are_told_exactly;
    stdin_is_a_pipe_when_asked_for;
    grandchild_that_keeps_the_pipes_does_not_keep_the_end;
    launch_takes_a_dll_an_apphost_a_project_and_a_folder;
    programs_that_cannot_start_are_told_in_plain_words;
}

/// What the Probe program says of itself.
fn facts(client: &mut Client, launch: Value) -> Value {
    let mut launch = launch;
    launch["timeout_ms"] = json!(30_000);
    let end = client.ok("debug_launch", launch);
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let output =
        client.ok("process_read_output", json!({"since": 0, "session_id": end["session_id"], "max_chars": 200_000}));
    serde_json::from_str(output["stdout"].as_str().unwrap()).unwrap_or_else(|error| panic!("{error}: {output}"))
}

fn arguments_arrive_exactly(bench: &Bench) {
    let mut client = bench.client();
    let args = [
        "facts",
        "a b",
        "it's",
        "é",
        "$HOME",
        "`x`",
        "a;b",
        "a\tb",
        "a\nb",
        "\"q\"",
        "q\"in",
        "two \"w x\"",
        "",
        "a\\b",
        "back\\",
        "sp back\\",
        "\\\"",
        "*",
        "--",
        "日本 😀",
        "%PATH%",
        "&&",
    ];
    let facts = facts(&mut client, bench.launch("Probe", &args, json!({})));
    assert_eq!(facts["args"], json!(args));
    assert_eq!(facts["input"], "", "stdin is closed");
}

fn environment_and_working_directory_arrive_exactly(bench: &Bench) {
    let mut command = bench.command(&[]);
    command.env("PROBE_INHERITED", "kept").env("PROBE_REMOVED", "x");
    let mut client = Client::start(command);
    let environment = json!({"PROBE_NEW": "é \"quoted\" = ; $x", "PROBE_EMPTY": "", "PROBE_REMOVED": null});
    let more = json!({"env": environment, "cwd": bench.folder()});
    let facts = facts(&mut client, bench.launch("Probe", &["facts"], more));
    assert_has(
        &facts["environment"],
        json!({
            "PROBE_NEW": "é \"quoted\" = ; $x", "PROBE_EMPTY": "", "PROBE_REMOVED": null, "PROBE_INHERITED": "kept",
        }),
    );
    assert_eq!(facts["cwd"], json!(bench.folder().canonicalize().unwrap()));
    client.error("invalid_argument", "debug_launch", bench.launch("Probe", &[], json!({"cwd": "/nowhere/at/all"})));
}

fn exit_codes_and_signals_are_told_exactly(bench: &Bench) {
    let mut client = bench.client();
    for (args, expected) in [
        (["exit", "0"], json!({"exit_code": 0, "signal": null})),
        (["exit", "255"], json!({"exit_code": 255, "signal": null})),
        (["exit", "-1"], json!({"exit_code": 255, "signal": null})),
        (["signal", "9"], json!({"exit_code": null, "signal": "SIGKILL"})),
        (["signal", "15"], json!({"exit_code": null, "signal": "SIGTERM"})),
    ] {
        let end = client.ok("debug_launch", bench.launch("Probe", &args, json!({"timeout_ms": 30_000})));
        assert_eq!(end["outcome"], "exited", "{args:?}");
        assert_has(&end, expected);
    }
}

fn stdin_is_a_pipe_when_asked_for(bench: &Bench) {
    let mut client = bench.client();
    let ready = json!({"stdin": "pipe", "ready_when": "name\\? "});
    client.ok("debug_launch", bench.launch("Stdin", &[], ready));
    client.ok("process_write_input", json!({"data": "Ada é\n"}));
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Stdin", "line")}));
    client.ok("process_write_input", json!({"data": "Grace\n", "close_after": true}));
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    client.error("stdin_closed", "process_write_input", json!({"data": "x"}));
    client.ok("breakpoint_remove", json!({"all": true}));
    let end = client.ok("debug_continue", json!({}));
    assert_has(&end, json!({"outcome": "exited"}));
    let output = client.ok("process_read_output", json!({"since": 0}));
    assert_eq!(output["stdout"], "redirected True True\nname? got 5 [Ada é]\ngot 5 [Grace]\nlines 2\n");
    assert_eq!(end["exit_code"], 2);
    client.error("not_running", "process_write_input", json!({"data": "x"}));
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"stop_at_entry": true})));
    client.error("stdin_unavailable", "process_write_input", json!({"data": "x"}));
}

fn grandchild_that_keeps_the_pipes_does_not_keep_the_end(bench: &Bench) {
    let mut client = bench.client();
    let end = client.ok("debug_launch", bench.launch("Probe", &["child"], json!({"timeout_ms": 30_000})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 3, "output": {"stdout": "child started\n"}}));
}

fn launch_takes_a_dll_an_apphost_a_project_and_a_folder(bench: &Bench) {
    let mut client = bench.client();
    for program in ["bin/Debug/net10.0/Basics.dll", "bin/Debug/net10.0/Basics", "Basics.csproj", ""] {
        let launch = json!({"program": bench.fixture("Basics").join(program), "args": ["4"], "timeout_ms": 60_000});
        assert_has(&client.ok("debug_launch", launch), json!({"outcome": "exited", "exit_code": 4}));
    }
}

fn programs_that_cannot_start_are_told_in_plain_words(bench: &Bench) {
    let mut client = bench.client();
    let folder = bench.folder();
    std::fs::write(folder.join("empty.dll"), "").unwrap();
    std::fs::write(folder.join("text.txt"), "no program").unwrap();
    let dll = bench.fixture("Basics").join("bin/Debug/net10.0/Basics.dll");
    std::fs::copy(&dll, folder.join("alone.dll")).unwrap();
    let mut corrupted = std::fs::read(&dll).unwrap();
    corrupted.truncate(700);
    std::fs::write(folder.join("corrupted.dll"), corrupted).unwrap();
    std::fs::copy(&dll, folder.join("wrong.dll")).unwrap();
    let wrong = r#"{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"99.0.0"}}}"#;
    std::fs::write(folder.join("wrong.runtimeconfig.json"), wrong).unwrap();
    for (program, code) in [
        (folder.join("missing.dll"), "program_not_found"),
        (folder.join("empty.dll"), "not_dotnet_program"),
        (folder.join("corrupted.dll"), "not_dotnet_program"),
        (folder.join("text.txt"), "not_dotnet_program"),
        (folder.join("alone.dll"), "not_dotnet_program"),
        (folder.join("wrong.dll"), "runtime_not_found"),
        ("/bin/true".into(), "not_dotnet_program"),
        ("/usr".into(), "not_dotnet_program"),
    ] {
        let error = client.error(code, "debug_launch", json!({"program": program}));
        assert!(!error["hint"].as_str().unwrap_or_default().is_empty(), "{error}");
    }
    assert_has(&client.ok("debug_state", json!({})), json!({"state": "not_attached"}));
}
