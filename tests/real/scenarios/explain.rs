//! breakpoint_explain: as many of its causes as can be provoked in a real program.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has, leftovers};

scenarios! {
    explain_shows_what_a_run_is_at;
    explain_reports_a_library_that_is_not_loaded_yet;
    explain_reports_files_that_are_not_the_builds;
    explain_reports_hidden_methods_and_lines_without_code;
    a_breakpoint_in_a_hidden_method_says_so_when_it_is_set;
    conditions_counted_in_part_are_not_shown_as_counted;
    explain_reports_conditions_by_counting_them;
    explain_distinguishes_a_false_condition_from_a_line_that_never_ran;
    explain_reports_a_stop_at_an_exception;
    explain_reports_start_up_code_that_ran_before_the_attach;
    explain_reports_the_child_that_is_the_program;
    explain_reports_edited_sources_and_of_foreign_and_missing_symbols;
    explain_reports_optimized_code, "netcoredbg";
    explain_needs_no_words_for_a_build_with_mapped_paths;
    explain_needs_no_words_for_a_file_behind_a_link;
    explain_needs_no_words_for_a_build_behind_a_link;
}

fn explain(client: &mut Client, id: u64) -> Value {
    let reply = client.call("breakpoint_explain", json!({"id": id}));
    let text = reply.text.clone();
    let explanation = reply.ok();
    for key in ["verdict", "message", "hint", "module", "method"] {
        if let Some(word) = explanation[key].as_str() {
            assert!(text.contains(word), "{key} is not in {text}");
        }
    }
    explanation
}

fn set(client: &mut Client, at: Value) -> u64 {
    client.ok("breakpoint_set", at)["id"].as_u64().unwrap()
}

fn line(bench: &Bench, marker: &str) -> u64 {
    bench.line("Missed", marker)
}

fn at(bench: &Bench, marker: &str) -> Value {
    json!({"file": "Program.cs", "line": line(bench, marker)})
}

fn launch(client: &mut Client, project: &Path, more: Value) -> Value {
    let mut launch = json!({"program": project, "build": "never", "timeout_ms": 30_000});
    launch.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    client.ok("debug_launch", launch)
}

fn pdbs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => pdbs(&path, found),
            path if path.extension().is_some_and(|end| end == "pdb") => found.push(path),
            _ => {}
        }
    }
}

fn explain_shows_what_a_run_is_at(bench: &Bench) {
    let mut client = bench.client();
    let never = set(&mut client, json!({"file": bench.fixture("Missed/Program.cs"), "line": line(bench, "never")}));
    assert_has(
        &explain(&mut client, never),
        json!({"verdict": "not_started", "state": "not_attached", "verified": false}),
    );
    client.ok("debug_launch", bench.launch("Missed", &[], json!({"stop_at_entry": true})));
    let stopped = explain(&mut client, never);
    assert_has(&stopped, json!({"verdict": "stopped_elsewhere", "reason": "entry_point", "verified": true}));
    assert_has(&stopped["location"], json!({"file": "Program.cs", "function": "Program.Main"}));
    let looped = set(&mut client, at(bench, "loop"));
    let hit = client.ok("debug_continue", json!({}));
    let explanation = explain(&mut client, looped);
    assert_has(&explanation, json!({"verdict": null, "hits": 1, "last_hit_seq": hit["seq"], "hint": "debug_continue"}));
    client.ok("breakpoint_enable", json!({"id": looped, "enabled": false}));
    assert_has(&explain(&mut client, looped), json!({"verdict": null, "enabled": false}));
    client.ok("debug_continue", json!({}));
    let explanation = explain(&mut client, never);
    assert_has(
        &explanation,
        json!({"verdict": "exited", "also": "not_reached", "exit_code": 0, "method": "Program.Never"}),
    );
    let error = client.error("breakpoint_not_found", "breakpoint_explain", json!({"id": 99}));
    assert_eq!(error["hint"], "known breakpoints: 1, 2");
    for bad in [json!({}), json!({"id": 0}), json!({"id": "x"}), json!({"id": 1, "why": 1})] {
        client.error("invalid_argument", "breakpoint_explain", bad);
    }
}

fn explain_reports_a_library_that_is_not_loaded_yet(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Missed", &["use"], json!({"stop_at_entry": true})));
    let late = set(&mut client, json!({"file": "Lib/Late.cs", "text": "return number * 2"}));
    let explanation = explain(&mut client, late);
    assert_has(
        &explanation,
        json!({"verdict": "module_not_loaded", "module": "Lib.dll", "hint": "debug_continue", "state": "stopped"}),
    );
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "stopped", "breakpoint_ids": [late]}));
    assert_has(&explain(&mut client, late), json!({"verdict": null, "hits": 1}));
}

fn explain_reports_files_that_are_not_the_builds(bench: &Bench) {
    // only a file below a root is read
    let roots = format!("{}:{}", bench.folder().display(), bench.fixture("Missed").display());
    let mut client = bench.client_with(&["--roots", &roots]);
    client.ok("debug_launch", bench.launch("Missed", &[], json!({"stop_at_entry": true})));
    let stranger = bench.folder().join("Progrum.cs");
    fs::write(&stranger, "class A;\n").unwrap();
    let id = set(&mut client, json!({"file": stranger, "line": 1}));
    let explanation = explain(&mut client, id);
    assert_has(&explanation, json!({"verdict": "file_unknown"}));
    assert_eq!(explanation["documents"][0], "Program.cs", "{explanation}");
    let namesake = bench.folder().join("Program.cs");
    fs::write(&namesake, "class B;\n").unwrap();
    let id = set(&mut client, json!({"file": namesake, "line": 1}));
    let explanation = explain(&mut client, id);
    assert_has(&explanation, json!({"verdict": "path_differs", "documents": ["Program.cs"], "verified": false}));
    assert!(explanation["expected"].as_str().unwrap().starts_with("sha256:"), "{explanation}");
    assert_ne!(explanation["expected"], explanation["found"]);
    assert_eq!(explanation["hint"], "breakpoint_set {\"file\":\"Program.cs\",\"line\":1}");
    let end = client.ok("debug_continue", json!({}));
    assert_has(&end, json!({"outcome": "exited"}));
}

fn a_breakpoint_in_a_hidden_method_says_so_when_it_is_set(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Missed", &[], json!({"stop_at_entry": true})));
    let marked = "is marked [DebuggerNonUserCode]: a session with just_my_code false can stop there";
    for (place, verified, words) in [
        (at(bench, "marked"), false, format!("the method {marked}")),
        (json!({"function": "Program.Marked()"}), false, format!("Program.Marked {marked}")),
        (json!({"function": "Program.Marked"}), true, format!("one of the methods, Program.Marked, {marked}")),
        (
            json!({"function": "Program.Concealed"}),
            false,
            "is marked [DebuggerHidden]: break where it is called".into(),
        ),
    ] {
        let set = client.ok("breakpoint_set", place);
        let why = if verified { json!(null) } else { json!("not_user_code") };
        assert_eq!((&set["verified"], &set["why"]), (&json!(verified), &why), "{set}");
        assert!(set["message"].as_str().is_some_and(|message| message.contains(&words)), "{words}: {set}");
    }
    client.ok("debug_disconnect", json!({}));
    let mut all = bench.client();
    let breakpoints = json!([at(bench, "marked")]);
    let stop =
        all.ok("debug_launch", bench.launch("Missed", &[], json!({"just_my_code": false, "breakpoints": breakpoints})));
    assert_eq!((&stop["outcome"], &stop["breakpoints"][0]["why"]), (&json!("stopped"), &json!(null)), "{stop}");
}

fn explain_reports_hidden_methods_and_lines_without_code(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Missed", &[], json!({"stop_at_entry": true})));
    for (marker, method, attribute) in
        [("marked", "Program.Marked", "DebuggerNonUserCode"), ("concealed", "Program.Concealed", "DebuggerHidden")]
    {
        let id = set(&mut client, at(bench, marker));
        let explanation = explain(&mut client, id);
        assert_has(
            &explanation,
            json!({"verdict": "not_user_code", "method": method, "attribute": attribute, "verified": false}),
        );
    }
    let id = set(&mut client, at(bench, "between"));
    let explanation = explain(&mut client, id);
    assert_has(
        &explanation,
        json!({"verdict": "no_code", "requested_line": line(bench, "between"), "method": "Program.Never"}),
    );
    let stands = explanation["line"].as_u64().unwrap();
    let words = format!("the breakpoint is at line {stands}, in Program.Never, and was not hit");
    assert!(explanation["message"].as_str().unwrap().ends_with(&words), "{explanation}");
    assert_eq!(explanation["hint"], "debug_continue", "it is there already");
    assert!(explanation["nearest"].as_array().unwrap().iter().all(|near| near["line"] != stands), "{explanation}");
    let id = set(&mut client, json!({"file": "Program.cs", "line": 500}));
    let explanation = explain(&mut client, id);
    assert_has(&explanation, json!({"verdict": "no_code", "line": 500}));
    let near = explanation["nearest"][0]["line"].as_u64().unwrap();
    assert_eq!(explanation["hint"], format!("breakpoint_set {{\"file\":\"Program.cs\",\"line\":{near}}}"));
    // dncdbg takes the last statement in the order of the code for the method's end
    let id = set(&mut client, at(bench, "endless"));
    let explanation = explain(&mut client, id);
    match bench.adapter() != "dncdbg" {
        true => assert_has(&explanation, json!({"verdict": "stopped_elsewhere", "line": line(bench, "endless")})),
        false => assert_has(
            &explanation,
            json!({"verdict": "no_code", "requested_line": line(bench, "endless"), "method": "Program.Never"}),
        ),
    }
    let id = set(&mut client, json!({"function": "Program.Nowhere"}));
    assert_has(&explain(&mut client, id), json!({"verdict": "no_code", "function": "Program.Nowhere"}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

/// While a tracepoint shares its line, the session judges a condition, then the adapter alone.
fn conditions_counted_in_part_are_not_shown_as_counted(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Missed", &["serve"], json!({"stop_at_entry": true})));
    let mut traced = at(bench, "round");
    traced["message"] = json!("round {round}");
    traced["max_hits"] = json!(2);
    client.ok("tracepoint_set", traced);
    let mut eighth = at(bench, "round");
    eighth["condition"] = json!("round == 8");
    let eighth = set(&mut client, eighth);
    assert_has(&client.ok("debug_continue", json!({"timeout_ms": 60_000})), json!({"breakpoint_ids": [eighth]}));
    let list = client.ok("breakpoint_list", json!({}));
    let shown = list["breakpoints"].as_array().unwrap().iter().find(|it| it["id"] == eighth).unwrap();
    // the engine counts every round; we those alone that stop while the tracepoint wants them
    let counted = if bench.adapter() == "builtin" { json!(8) } else { Value::Null };
    assert_has(shown, json!({"hits": 1, "condition_false": counted}));
}

fn explain_reports_conditions_by_counting_them(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Missed", &["serve"], json!({"stop_at_entry": true})));
    let mut never = at(bench, "round");
    never["condition"] = json!("round == -1");
    let never = set(&mut client, never);
    client.ok("debug_continue", json!({"timeout_ms": 0}));
    // the first explanation begins to count, unless the adapter left the condition to us
    let mut explanation = explain(&mut client, never);
    for _ in 0..20 {
        if explanation["evaluations"].as_u64().unwrap_or(0) >= 3 && explanation["values"].is_array() {
            break;
        }
        // one that counts knows that the line has not run yet
        let is_early = bench.adapter() == "builtin" && explanation["evaluations"].is_null();
        let verdict = if is_early { "not_reached" } else { "condition_false" };
        assert_has(&explanation, json!({"verdict": verdict, "state": "running", "condition": "round == -1"}));
        client.ok("breakpoint_wait", json!({"breakpoint_id": never, "timeout_ms": 300}));
        explanation = explain(&mut client, never);
    }
    assert_has(&explanation, json!({"verdict": "condition_false", "verified": true, "hits": null}));
    assert_has(&explanation["values"][0], json!({"name": "round"}));
    client.ok("breakpoint_remove", json!({"id": never}));
    let mut broken = at(bench, "round");
    broken["condition"] = json!("nowhere.Count == 1");
    let broken = set(&mut client, broken);
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "stopped"}));
    let explanation = explain(&mut client, broken);
    assert_has(&explanation, json!({"verdict": "invalid_condition", "state": "stopped"}));
    assert!(explanation["error"].as_str().unwrap().contains("nowhere"), "{explanation}");
}

/// An adapter that evaluates conditions alone and does not count them leaves both possible.
fn explain_distinguishes_a_false_condition_from_a_line_that_never_ran(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Missed", &[], json!({"stop_at_entry": true})));
    let mut conditional = |marker: &str, condition: &str| {
        let mut wanted = at(bench, marker);
        wanted["condition"] = json!(condition);
        set(&mut client, wanted)
    };
    let [missed, never] = [("loop", "i > 90"), ("never", "s_count == 1")].map(|(at, when)| conditional(at, when));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited"}));
    let [missed, never] = [missed, never].map(|id| explain(&mut client, id));
    assert_has(&missed, json!({"verdict": "exited", "also": "condition_false"}));
    if bench.adapter() == "builtin" {
        assert_has(&missed, json!({"evaluations": 5}));
        assert_has(&never, json!({"also": "not_reached", "evaluations": null}));
    } else {
        assert_has(&never, json!({"also": "condition_false", "evaluations": null}));
    }
    let list = client.ok("breakpoint_list", json!({}));
    let counted = list["breakpoints"].as_array().unwrap().iter().map(|it| it["condition_false"].clone());
    let complete = if bench.adapter() == "builtin" { json!(5) } else { json!(null) };
    assert_eq!(counted.collect::<Vec<_>>(), [complete, json!(null)], "{list}");
}

fn explain_reports_a_stop_at_an_exception(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": line(bench, "end")}]);
    let stop = client.ok("debug_launch", bench.launch("Missed", &["throw"], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "exception"}));
    let explanation = explain(&mut client, 1);
    assert_has(&explanation, json!({"verdict": "stopped_elsewhere", "reason": "exception"}));
    assert_has(&explanation["location"], json!({"file": "Program.cs", "line": line(bench, "throw")}));
}

fn explain_reports_start_up_code_that_ran_before_the_attach(bench: &Bench) {
    let (pid, stdout) = bench.start_program("Missed", &["serve"]);
    let mut said = String::new();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid}));
    let id = set(&mut client, at(bench, "start"));
    let explanation = explain(&mut client, id);
    assert_has(&explanation, json!({"verdict": "attached_late", "method": "Program.Main", "verified": true}));
    let id = set(&mut client, at(bench, "never"));
    assert_has(&explain(&mut client, id), json!({"verdict": "not_reached", "method": "Program.Never"}));
    client.ok("debug_disconnect", json!({}));
}

fn explain_reports_the_child_that_is_the_program(bench: &Bench) {
    let mut command = bench.dotnet();
    command.args(["run", "--no-build", "--project"]).arg(bench.fixture("Missed")).args(["--", "serve"]);
    let (pid, stdout) = bench.start(command);
    let mut said = String::new();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    let child: u32 = said.trim().strip_prefix("serving ").unwrap().parse().unwrap();
    let mut client = bench.client();
    client.ok("debug_attach", json!({"pid": pid}));
    let id = set(&mut client, json!({"file": bench.fixture("Missed/Program.cs"), "line": line(bench, "round")}));
    let explanation = explain(&mut client, id);
    assert_has(
        &explanation,
        json!({
            "verdict": "wrong_process", "children": [{"pid": child, "name": "Missed"}],
            "hint": format!("debug_attach {{\"pid\":{child}}}"),
        }),
    );
    client.ok("debug_disconnect", json!({}));
    leftovers::signal(child, 9);
}

fn explain_reports_edited_sources_and_of_foreign_and_missing_symbols(bench: &Bench) {
    let mut client = bench.client();
    let project = bench.copy("Basics");
    bench.build(&project, &[]);
    let source = project.join("Program.cs");
    let text = fs::read_to_string(&source).unwrap();
    let add = bench.line("Basics", "add");

    fs::write(&source, format!("// one\n// two\n{text}")).unwrap();
    launch(&mut client, &project, json!({"stop_at_entry": true}));
    let set = client.ok("breakpoint_set", json!({"file": source, "line": add}));
    assert_has(&set, json!({"why": "source_changed", "verified": true}));
    let explanation = explain(&mut client, 1);
    let rebuild = "debug_restart {\"build\":\"always\"}";
    assert_has(&explanation, json!({"verdict": "source_changed", "module": "Basics.dll", "hint": rebuild}));
    assert_ne!(explanation["expected"], explanation["found"], "{explanation}");
    client.ok("debug_disconnect", json!({}));

    // the same sources built elsewhere: another build
    client.ok("breakpoint_remove", json!({"all": true}));
    fs::write(&source, text).unwrap();
    let mut found = Vec::new();
    pdbs(&project, &mut found);
    for pdb in &found {
        fs::copy(bench.built("Basics", "Basics.pdb"), pdb).unwrap();
    }
    let here = json!({"breakpoints": [{"file": source, "line": add}]});
    let end = launch(&mut client, &project, here.clone());
    assert_has(&end, json!({"outcome": "exited", "breakpoints": [{"verified": false, "why": "symbols_mismatch"}]}));
    let explanation = explain(&mut client, 2);
    assert_has(
        &explanation,
        json!({"verdict": "exited", "also": "symbols_mismatch", "module": "Basics.dll", "hint": rebuild}),
    );
    assert_ne!(explanation["expected"], explanation["found"], "{explanation}");
    assert_eq!(explanation["expected"].as_str().unwrap().len(), 36, "{explanation}");

    for pdb in &found {
        fs::remove_file(pdb).unwrap();
    }
    launch(&mut client, &project, here);
    let explanation = explain(&mut client, 2);
    assert_has(
        &explanation,
        json!({"verdict": "exited", "also": "no_symbols", "module": "Basics.dll", "verified": false}),
    );
    assert!(explanation["hint"].as_str().unwrap().contains("DebugType"), "{explanation}");
}

fn explain_reports_optimized_code(bench: &Bench) {
    let mut client = bench.client();
    let project = bench.copy("Basics");
    bench.build(&project, &["-c", "Release"]);
    let line = json!({"file": project.join("Program.cs"), "line": bench.line("Basics", "add")});
    let breakpoints = json!([line, {"function": "Order.Add"}]);
    let ended = launch(&mut client, &project, json!({"configuration": "Release", "breakpoints": breakpoints}));
    for explanation in ended["breakpoints"].as_array().unwrap() {
        assert_has(explanation, json!({"verified": false, "pending": null, "why": "optimized"}));
    }
    for id in [1, 2] {
        let explanation = explain(&mut client, id);
        assert_has(
            &explanation,
            json!({"verdict": "exited", "also": "optimized", "module": "Basics.dll", "verified": false}),
        );
        assert!(explanation["hint"].as_str().unwrap().contains("just_my_code"), "{explanation}");
    }
}

fn explain_needs_no_words_for_a_build_with_mapped_paths(bench: &Bench) {
    let project = bench.copy("Basics");
    bench.build(&project, &[&format!("-p:PathMap={}=/_/src", project.display())]);
    let source = project.join("Program.cs");
    let mut client = bench.client();
    for file in [source.to_str().unwrap(), "Program.cs"] {
        let breakpoints = json!([{"file": file, "line": bench.line("Basics", "add")}]);
        let stop = launch(&mut client, &project, json!({"breakpoints": breakpoints}));
        assert_has(
            &stop,
            json!({
                "outcome": "stopped", "root": project,
                "breakpoints": [{"verified": true, "file": "Program.cs", "why": null}],
                "stack": [{"function": "Program.Main", "at": format!("Program.cs:{}", bench.line("Basics", "loop"))}],
            }),
        );
        assert_has(&stop["location"], json!({"file": "Program.cs", "line": bench.line("Basics", "add")}));
        assert!(stop["location"]["source"].as_str().unwrap().contains("BP:add"), "{stop}");
        let id = stop["breakpoint_ids"][0].as_u64().unwrap();
        assert_has(&explain(&mut client, id), json!({"verdict": null, "hits": 1, "file": "Program.cs"}));
        client.ok("debug_disconnect", json!({}));
        client.ok("breakpoint_remove", json!({"all": true}));
    }
    // elsewhere, the same file: its bytes tell
    let elsewhere = bench.folder().join("Program.cs");
    fs::copy(&source, &elsewhere).unwrap();
    fs::write(&source, "// gone\n").unwrap();
    let breakpoints = json!([{"file": elsewhere, "line": bench.line("Basics", "call")}]);
    let stop = launch(&mut client, &project, json!({"breakpoints": breakpoints}));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    assert_eq!(stop["location"]["line"], bench.line("Basics", "call"), "{stop}");
    let explanation = stop["location"]["file"].as_str().unwrap();
    assert!(elsewhere.ends_with(explanation) && !explanation.starts_with("/_/"), "{stop}");
}

fn explain_needs_no_words_for_a_file_behind_a_link(bench: &Bench) {
    let link = bench.folder().join("linked");
    std::os::unix::fs::symlink(bench.fixture("Basics"), &link).unwrap();
    let mut client = bench.client();
    let breakpoints = json!([{"file": link.join("Program.cs"), "line": bench.line("Basics", "add")}]);
    let stop = client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint", "breakpoints": [{"verified": true}]}));
    assert_has(&stop["location"], json!({"file": "Program.cs", "line": bench.line("Basics", "add")}));
}

/// The PDB has the link's path; the file is given by its own.
fn explain_needs_no_words_for_a_build_behind_a_link(bench: &Bench) {
    let project = bench.copy("Basics");
    let link = bench.folder().join("linked");
    std::os::unix::fs::symlink(&project, &link).unwrap();
    bench.build(&project, &[&format!("-p:PathMap={}={}", project.display(), link.display())]);
    let mut client = bench.client();
    for file in [project.join("Program.cs"), link.join("Program.cs")] {
        let breakpoints = json!([{"file": file, "text": "Total += line.Total"}]);
        let stop = launch(&mut client, &project, json!({"breakpoints": breakpoints}));
        assert_has(
            &stop,
            json!({"outcome": "stopped", "reason": "breakpoint", "root": link, "breakpoints": [{"verified": true, "why": null}]}),
        );
        assert_has(&stop["location"], json!({"file": "Program.cs", "line": bench.line("Basics", "add")}));
        let id = stop["breakpoint_ids"][0].as_u64().unwrap();
        assert_has(&explain(&mut client, id), json!({"verdict": null, "hits": 1, "file": "Program.cs"}));
        client.ok("debug_disconnect", json!({}));
    }
}
