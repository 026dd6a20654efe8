//! Programs that are built first: stale, broken, moved, optimized, a web server.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::scenarios;
use crate::harness::skip;
use crate::real::{Bench, assert_has};

scenarios! {
    broken_source_is_reported_with_place_and_code;
    breakpoints_move_with_their_text_after_a_rebuild;
    file_based_program_is_built_and_debugged;
    release_code_shows_its_locals_without_just_my_code;
    web_server_is_ready_and_its_handler_stops;
}

fn broken_source_is_reported_with_place_and_code(bench: &Bench) {
    let project = bench.copy("Basics");
    let source = project.join("Program.cs");
    let text = fs::read_to_string(&source).unwrap().replace("Total += line.Total;", "Total += line.Totl;");
    fs::write(&source, text).unwrap();
    let mut client = bench.client();
    let error = client.error("build_failed", "debug_launch", json!({"program": project, "timeout_ms": 120_000}));
    assert_has(&error["details"]["errors"][0], json!({"code": "CS1061"}));
    let at = error["details"]["errors"][0]["at"].as_str().unwrap();
    assert!(at.starts_with(&format!("Program.cs:{}", bench.line("Basics", "add"))), "{error}");
}

fn breakpoints_move_with_their_text_after_a_rebuild(bench: &Bench) {
    let project = bench.copy("Basics");
    let source = project.join("Program.cs");
    let line = bench.line("Basics", "add");
    let mut client = bench.client();
    let breakpoints = json!([{"file": source, "text": "Total += line.Total"}]);
    let stop =
        client.ok("debug_launch", json!({"program": project, "breakpoints": breakpoints, "timeout_ms": 120_000}));
    assert_has(&stop, json!({"outcome": "stopped", "location": {"line": line}}));
    let text = fs::read_to_string(&source).unwrap();
    // the line itself is edited too, behind the piece that was asked for
    let edited = text.replace("Total += line.Total;", "Total += line.Total * 1;");
    assert_ne!(edited, text);
    fs::write(&source, format!("// one\n// two\n// three\n{edited}")).unwrap();
    let step = client.ok("debug_step", json!({"mode": "over"}));
    let built = text.lines().nth(step["location"]["line"].as_u64().unwrap() as usize - 1).unwrap().trim();
    assert_eq!(step["location"]["source"], built, "the program runs what was built: {step}");
    let stop = client.ok("debug_restart", json!({"timeout_ms": 120_000}));
    assert_has(
        &stop,
        json!({
            "outcome": "stopped", "location": {"line": line + 3},
            "breakpoints": [{"verified": true, "line": line + 3, "moved_from": line}],
        }),
    );
    // after the program's end a line is one of the file as it is now
    client.ok("breakpoint_remove", json!({"all": true}));
    client.ok("debug_continue", json!({}));
    fs::write(&source, format!("// a\n// b\n// c\n// d\n{edited}")).unwrap();
    let statement = "Total += line.Total * 1; // BP:add";
    let set = client.ok("breakpoint_set", json!({"file": source, "line": line + 4}));
    assert_has(&set, json!({"pending": true, "line": line + 4, "source": statement, "moved_from": null}));
    let stop = client.ok("debug_restart", json!({"timeout_ms": 120_000}));
    assert_has(&stop, json!({"outcome": "stopped", "location": {"line": line + 4, "source": statement}}));
}

fn file_based_program_is_built_and_debugged(bench: &Bench) {
    let source = bench.folder().join("app.cs");
    fs::write(
        &source,
        "#:property PublishAot=false\nint answer = 41;\nanswer++;\nConsole.WriteLine(answer);\nreturn 5;\n",
    )
    .unwrap();
    let mut client = bench.client();
    let breakpoints = json!([{"file": source, "text": "answer++"}]);
    let stop = client.ok("debug_launch", json!({"program": source, "breakpoints": breakpoints, "timeout_ms": 120_000}));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint", "location": {"line": 3}}));
    assert_eq!(client.ok("evaluate", json!({"expression": "answer"}))["value"], "41");
    let end = client.ok("debug_continue", json!({}));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 5, "output": {"stdout": "42\n"}}));
}

fn release_code_shows_its_locals_without_just_my_code(bench: &Bench) {
    let project = bench.copy("Basics");
    let mut client = bench.client();
    let line = bench.line("Basics", "discount-return");
    let stop = client.ok(
        "debug_launch",
        json!({
            "program": project, "configuration": "Release", "just_my_code": false, "timeout_ms": 120_000,
            "breakpoints": [{"file": project.join("Program.cs"), "line": line}],
        }),
    );
    assert_has(
        &stop,
        json!({
            "outcome": "stopped", "reason": "breakpoint", "location": {"line": line, "function": "Program.Discount"},
            "locals": [{"name": "total", "value": "37.50m"}, {"name": "percent", "value": "10"}, {"name": "cut", "value": "3.75m"}],
        }),
    );
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 7}));
}

fn web_server_is_ready_and_its_handler_stops(bench: &Bench) {
    if !bench.has_framework("Microsoft.AspNetCore.App") {
        skip("no ASP.NET Core");
    }
    let mut client = bench.client();
    let handler = bench.line("Web", "handler-return");
    let breakpoints = json!([{"file": "Program.cs", "line": handler}]);
    let launch = bench.launch("Web", &[], json!({"breakpoints": breakpoints, "timeout_ms": 60_000}));
    let ready = client.ok("debug_launch", launch);
    assert_eq!(ready["outcome"], "still_running", "{ready}");
    let url = ready["ready"].as_str().unwrap_or_else(|| panic!("not ready: {ready}")).to_owned();
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let get = move |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let asking = std::thread::spawn(move || get("/orders/7"));
    let stop = client.ok("debug_continue", json!({}));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint", "location": {"line": handler}}));
    assert_eq!(client.ok("evaluate", json!({"expression": "order.Customer"}))["value"], "\"customer 7\"");
    client.ok("debug_continue", json!({"timeout_ms": 0}));
    assert!(asking.join().unwrap().contains("\"customer 7\""));
}
