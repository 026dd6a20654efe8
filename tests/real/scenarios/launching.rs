//! What reaches a launched program, and how its end is reported.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    arguments_arrive_exactly;
    environment_and_working_directory_arrive_exactly;
    exit_codes_and_signals_are_reported_exactly;
    stdin_is_a_pipe_when_asked_for;
    an_answer_of_another_session_than_the_last_one_names_it;
    grandchild_that_keeps_the_pipes_does_not_keep_the_end;
    launch_takes_a_dll_an_apphost_a_project_and_a_folder;
    only_programs_below_the_roots_that_the_user_named_are_started;
    programs_that_cannot_start_are_reported_in_plain_words;
    the_example_of_the_readme_answers_what_the_readme_says;
    doctor_says_that_programs_can_be_debugged_after_it_debugged_one;
    doctor_names_the_missing_file_of_an_adapter_and_the_command;
}

fn only_programs_below_the_roots_that_the_user_named_are_started(bench: &Bench) {
    let roots = bench.fixture("Basics");
    let mut client = bench.client_with(&["--roots", roots.to_str().unwrap()]);
    let refused = client.error("path_not_allowed", "debug_launch", bench.launch("Odd", &[], json!({})));
    assert!(refused["hint"].as_str().unwrap().contains(roots.to_str().unwrap()), "{refused}");
    for path in ["../Odd", "Basics/../../Odd/bin/Debug/net10.0/Odd.dll", "~/Odd.dll", "/nowhere/Odd.dll"] {
        client.error("path_not_allowed", "debug_launch", json!({"program": path, "cwd": roots}));
    }
    let end = client.ok("debug_launch", bench.launch("Basics", &[], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 7}));
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

fn an_answer_of_another_session_than_the_last_one_names_it(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Basics", "main")}]);
    let first = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    assert_has(&first, json!({"outcome": "stopped"}));
    client.ok("breakpoint_remove", json!({"all": true}));
    let mut second = client.ok("debug_launch", bench.launch("Basics", &[], json!({"timeout_ms": 30_000})));
    while second["outcome"] == "stopped" {
        second = client.ok("debug_continue", json!({"session_id": second["session_id"]}));
    }
    assert_has(&second, json!({"outcome": "exited"}));
    let evaluated = client.ok("evaluate", json!({"expression": "1 + 1"}));
    assert_eq!(evaluated["session_id"], first["session_id"], "{evaluated}");
    let again = client.ok("evaluate", json!({"expression": "1 + 1"}));
    assert_eq!(again["session_id"], Value::Null, "{again}");
}

fn exit_codes_and_signals_are_reported_exactly(bench: &Bench) {
    let mut client = bench.client();
    // older runtimes end the program by themselves
    let terminated = match bench.framework() {
        "net8.0" => json!({"exit_code": 143, "signal": null}),
        _ => json!({"exit_code": null, "signal": "SIGTERM"}),
    };
    for (args, expected) in [
        (["exit", "0"], json!({"exit_code": 0, "signal": null})),
        (["exit", "255"], json!({"exit_code": 255, "signal": null})),
        (["exit", "-1"], json!({"exit_code": 255, "signal": null})),
        (["signal", "9"], json!({"exit_code": null, "signal": "SIGKILL"})),
        (["signal", "15"], terminated),
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
    // said at once, and after each input; who waits on after that waits as long as was asked
    let asks = json!({"outcome": "still_running", "note": "the program waits for input on stdin: process_write_input"});
    let began = Instant::now();
    assert_has(&client.ok("debug_continue", json!({"timeout_ms": 60_000})), asks.clone());
    client.ok("process_write_input", json!({"data": "Ada é\n"}));
    let answered = client.ok("debug_continue", json!({"timeout_ms": 60_000}));
    assert_has(&answered, asks.clone());
    assert_has(&answered, json!({"output": {"stdout": "got 5 [Ada é]\n"}}));
    assert!(began.elapsed() < Duration::from_secs(50), "{:?}", began.elapsed());
    let began = Instant::now();
    assert_has(&client.ok("debug_continue", json!({"timeout_ms": 1_500})), asks);
    assert!(began.elapsed() >= Duration::from_millis(1_500), "{:?}", began.elapsed());
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
    let project = bench.fixture("Basics");
    let built = ["Basics.dll", "Basics"].map(|file| bench.built("Basics", file));
    for program in built.into_iter().chain([project.join("Basics.csproj"), project]) {
        let launch = json!({"program": program, "args": ["4"], "timeout_ms": 60_000});
        assert_has(&client.ok("debug_launch", launch), json!({"outcome": "exited", "exit_code": 4}));
    }
}

fn programs_that_cannot_start_are_reported_in_plain_words(bench: &Bench) {
    let mut client = bench.client();
    let folder = bench.folder();
    std::fs::write(folder.join("empty.dll"), "").unwrap();
    std::fs::write(folder.join("text.txt"), "no program").unwrap();
    let dll = bench.built("Basics", "Basics.dll");
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

/// Its calls as they stand there, on a copy of the folder that they name.
fn the_example_of_the_readme_answers_what_the_readme_says(bench: &Bench) {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("<!-- example -->\n").unwrap();
    let (example, after) = rest.split_once("<!-- /example -->").unwrap();
    let said = after.split("\n\n").nth(1).unwrap();
    let calls = example.lines().filter(|line| line.starts_with('{'));
    let mut client = bench.client();
    let mut answers = calls.map(|call| {
        let call: Value = serde_json::from_str(call).unwrap();
        let mut arguments = if call["arguments"].is_object() { call["arguments"].clone() } else { json!({}) };
        if let Some(program) = arguments["program"].as_str() {
            assert_eq!(program, "tests/fixtures/Basics");
            arguments["program"] = bench.launch("Basics", &[], json!({}))["program"].clone();
        }
        client.ok(call["tool"].as_str().unwrap(), arguments)
    });
    let stop = answers.next().unwrap();
    assert_has(&stop["location"], json!({"file": "Program.cs", "line": 24}));
    assert!(said.contains("`Program.cs:24`"));
    for value in answers.next().unwrap()["results"].as_array().unwrap() {
        let value = value["value"].as_str().unwrap();
        assert!(said.contains(&format!("`{value}`")), "{value} is not in the README");
    }
    let step = answers.next().unwrap();
    assert!(said.contains(&format!("`{}`", step["location"]["function"].as_str().unwrap())), "{step}");
    let end = answers.next().unwrap();
    assert!(said.contains(&format!("exit code {}", end["exit_code"])), "{end}");
    assert!(said.contains(end["output"]["stdout"].as_str().unwrap().trim()), "{end}");
    assert!(answers.next().is_none());
}

fn doctor(bench: &Bench, arguments: &[&str]) -> (Value, i32) {
    let output = bench.command(&[arguments, &["doctor", "--json"]].concat()).output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

fn doctor_says_that_programs_can_be_debugged_after_it_debugged_one(bench: &Bench) {
    let (report, code) = doctor(bench, &[]);
    assert_has(&report, json!({"ok": true, "backend": {"name": bench.adapter()}}));
    assert_eq!(code, 0);
    let adapters = report["adapters"].as_array().unwrap();
    let mine = adapters.iter().find(|it| it["name"] == bench.adapter()).unwrap();
    assert_has(mine, json!({"debugged_a_program": true}));
}

/// Without libdbgshim an adapter still prints its version.
fn doctor_names_the_missing_file_of_an_adapter_and_the_command(bench: &Bench) {
    if bench.adapter() == "builtin" {
        crate::harness::skip("builtin has no files of its own");
    }
    let (report, _) = doctor(bench, &[]);
    let adapters = report["adapters"].as_array().unwrap();
    let mine = adapters.iter().find(|it| it["name"] == bench.adapter()).unwrap();
    let original = std::path::Path::new(mine["path"].as_str().unwrap()).canonicalize().unwrap();
    let folder = bench.folder().join("without-shim");
    std::fs::create_dir(&folder).unwrap();
    for entry in std::fs::read_dir(original.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && path.file_name().unwrap() != "libdbgshim.so" {
            std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    let flag = format!("--{}", bench.adapter());
    let (report, code) = doctor(bench, &[&flag, folder.to_str().unwrap()]);
    assert_has(&report, json!({"ok": false}));
    assert_eq!(code, 1);
    let adapters = report["adapters"].as_array().unwrap();
    let mine = adapters.iter().find(|it| it["name"] == bench.adapter()).unwrap();
    assert_has(mine, json!({"problem": "libdbgshim.so is missing from the adapter's folder"}));
    assert!(mine["remedy"]["command"].as_str().is_some_and(|it| !it.contains("doctor")), "{mine}");
}
