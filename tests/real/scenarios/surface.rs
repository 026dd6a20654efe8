//! Our own adapter as an editor sees it: requests of the protocol that the server itself does not make.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::{Bench, assert_has};

scenarios! {
    a_step_goes_into_the_call_that_was_asked_for, "builtin";
    lambdas_of_one_line_have_breakpoints_of_their_own, "builtin";
    a_name_of_several_sources_binds_none_of_them, "builtin";
    sources_that_only_the_symbols_have_are_handed_out, "builtin";
    begun_expressions_are_completed, "builtin";
    pages_of_frames_and_elements_are_cut_where_asked, "builtin";
    variables_are_set_and_the_next_statement_is_moved, "builtin";
    the_whole_chain_of_an_exception_is_reported, "builtin";
    exceptions_are_chosen_by_type_base_namespace_and_message, "builtin";
    an_exception_that_no_awaiting_code_catches_is_unhandled_by_the_user, "builtin";
    code_that_is_not_mine_is_passed_over, "builtin";
    a_request_is_cancelled_before_and_while_it_runs, "builtin";
    what_the_runtime_cannot_do_is_refused_with_the_reason, "builtin";
}

fn file(bench: &Bench) -> PathBuf {
    bench.fixture("Surface").join("Program.cs")
}

fn program(bench: &Bench) -> PathBuf {
    bench.built("Surface", "Surface.dll")
}

/// At the breakpoint of a marker; with the stop.
fn at(bench: &Bench, mode: &str, marker: &str, more: Value) -> (Adapter, Value) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let lines = json!([{"line": bench.line("Surface", marker)}]);
    adapter.launch(&program(bench), &[mode], &[(&file(bench), lines)], more);
    let stop = adapter.event("stopped");
    assert_eq!(stop["reason"], "breakpoint", "{stop}");
    (adapter, stop)
}

fn a_step_goes_into_the_call_that_was_asked_for(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "calls", "calls", json!({}));
    assert_eq!(adapter.capabilities["supportsStepInTargetsRequest"], true);
    let frame = adapter.top(&stop)["id"].clone();
    let targets = adapter.ok("stepInTargets", json!({"frameId": frame}))["targets"].clone();
    let labels: Vec<&str> = targets.as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    let expected = ["Line.Doubled", "Program.Twice", "Program.Twice", "Func.Invoke", "Program.Add", "Program.Later"];
    assert_eq!(labels, expected);
    let refused = adapter.refusal("stepIn", json!({"threadId": stop["threadId"], "targetId": 999_999}));
    assert!(refused.contains("cannot be stepped"), "{refused}");
    for (number, entered) in [
        (0, "Surface.Line.get_Doubled()"),
        (1, "Surface.Program.Twice(int value)"),
        (2, "Surface.Program.Twice(int value)"),
        (3, "Surface.Program.Calls.AnonymousMethod__"),
        (4, "Surface.Program.Add(int "),
        (5, "Surface.Program.Later("),
    ] {
        let (mut adapter, stop) = at(bench, "calls", "calls", json!({}));
        let target = targets[number]["id"].clone();
        adapter.ok("stepIn", json!({"threadId": stop["threadId"], "targetId": target}));
        let stop = adapter.event("stopped");
        assert_eq!(stop["reason"], "step");
        let top = adapter.top(&stop);
        assert!(top["name"].as_str().unwrap().starts_with(entered), "{number}: {top}");
        if number == 2 {
            // not the call of that name before it
            let value = adapter.ok("evaluate", json!({"expression": "value", "frameId": top["id"]}));
            assert_eq!(value["result"], "3");
        }
    }
}

fn lambdas_of_one_line_have_breakpoints_of_their_own(bench: &Bench) {
    let (file, line) = (file(bench), bench.line("Surface", "lambdas"));
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.lines().nth(line as usize - 1).unwrap();
    let column = |of: &str| text.find(of).unwrap() + 1;
    let (where_, sum) = (column("b > 2"), column("c * 10"));
    let mut adapter = Adapter::start(bench.adapter_command());
    let lines =
        json!([{"line": line}, {"line": line, "column": where_}, {"line": line, "column": sum, "condition": "c == 3"}]);
    let set = adapter.launch(&program(bench), &["lambdas"], &[(&file, lines)], json!({}));
    let ids: Vec<i64> = set[0]["breakpoints"].as_array().unwrap().iter().map(|it| it["id"].as_i64().unwrap()).collect();
    let mut hits = Vec::new();
    let mut stop = adapter.event("stopped");
    let places =
        adapter.ok("breakpointLocations", json!({"source": {"path": file}, "line": line}))["breakpoints"].clone();
    assert_eq!(places.as_array().unwrap().len(), 4, "the statement and three bodies: {places}");
    while stop["reason"] == "breakpoint" {
        let top = adapter.top(&stop);
        hits.push((stop["hitBreakpointIds"][0].as_i64().unwrap(), top["column"].as_u64().unwrap() as usize));
        adapter.ok("continue", json!({"threadId": stop["threadId"]}));
        stop = adapter.stop_or_end();
    }
    let statement = column("return");
    // b is 2, 3 and 4; c is 3 and 4
    let expected = [(ids[0], statement), (ids[1], where_), (ids[1], where_), (ids[2], sum), (ids[1], where_)];
    assert_eq!(hits, expected);
}

fn sources_that_only_the_symbols_have_are_handed_out(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "hidden", "hidden", json!({}));
    adapter.ok("stepIn", json!({"threadId": stop["threadId"]}));
    let stop = adapter.event("stopped");
    let top = adapter.top(&stop);
    assert_has(&top["source"], json!({"path": "/_/surface/Hidden.cs", "name": "Hidden.cs"}));
    let reference = top["source"]["sourceReference"].as_i64().unwrap();
    assert!(reference > 0, "{top}");
    let text = adapter.ok("source", json!({"sourceReference": reference}))["content"].clone();
    let real = bench.fixture("Surface").join("Lib/Hidden.cs");
    assert_eq!(text, std::fs::read_to_string(real).unwrap());
    // by its path too, and what lies there on this machine
    assert_eq!(adapter.ok("source", json!({"source": {"path": "/_/surface/Hidden.cs"}}))["content"], text);
    let own = adapter.ok("source", json!({"source": {"path": file(bench)}}))["content"].clone();
    assert_eq!(own, std::fs::read_to_string(file(bench)).unwrap());
    assert!(adapter.refusal("source", json!({"source": {"path": "/etc/passwd"}})).contains("no loaded module"));
    assert!(adapter.refusal("source", json!({"sourceReference": 99})).contains("no source has sourceReference 99"));
    let sources = adapter.ok("loadedSources", json!({}))["sources"].clone();
    let reference_of = |path: &str| {
        let found = sources.as_array().unwrap().iter().find(|it| it["path"] == path);
        found.unwrap_or_else(|| panic!("no {path} in {sources}"))["sourceReference"].clone()
    };
    assert_eq!(reference_of("/_/surface/Hidden.cs"), reference);
    assert!(reference_of(&file(bench).display().to_string()).is_null());
}

fn begun_expressions_are_completed(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", "values", json!({}));
    let frame = adapter.top(&stop)["id"].clone();
    let mut completed = |text: &str| {
        let arguments = json!({"frameId": frame, "text": text, "column": text.encode_utf16().count() + 1});
        let targets = adapter.ok("completions", arguments)["targets"].as_array().unwrap().clone();
        for target in &targets {
            // all that is begun is replaced
            let begun = text.chars().rev().take_while(|c| c.is_alphanumeric()).count();
            assert_eq!(target["length"], begun, "{target}");
        }
        targets
            .iter()
            .map(|it| format!("{} {}", it["type"].as_str().unwrap(), it["label"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(completed("ord"), ["variable order"]);
    assert_eq!(completed("1 + cust"), ["variable customer"]);
    assert_eq!(completed("order.To"), ["method Total", "method ToString"]);
    assert_eq!(completed("order.C"), ["field Customer"]);
    assert_eq!(completed("order.Lines[0].D"), ["property Doubled", "method Deconstruct"]);
    // only what it is declared as tells that, as its getter has to run
    assert_eq!(completed("order.Lines[0].Doubled.CompareT"), ["method CompareTo"]);
    assert_eq!(completed("Order.Ma"), ["field Made"]);
    assert_eq!(completed("Mad"), ["method Made"]);
    assert_eq!(completed("numbers.Len"), ["property Length"]);
    assert!(completed("nothing.At.All").is_empty());
}

fn pages_of_frames_and_elements_are_cut_where_asked(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", "deep", json!({}));
    let thread = stop["threadId"].clone();
    let page = adapter.ok("stackTrace", json!({"threadId": thread, "startFrame": 298, "levels": 5}));
    // 301 of Deep, Values and Main
    assert_eq!(page["totalFrames"], 303);
    let names: Vec<&str> =
        page["stackFrames"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        &names[2..],
        ["Surface.Program.Deep(int depth)", "Surface.Program.Values()", "Surface.Program.Main(string[] args)"]
    );
    let values = page["stackFrames"][3]["id"].clone();
    let array = adapter.ok("evaluate", json!({"expression": "numbers", "frameId": values}));
    assert_eq!(array["indexedVariables"], 1000);
    let page = adapter.ok(
        "variables",
        json!({"variablesReference": array["variablesReference"], "filter": "indexed", "start": 997, "count": 10}),
    );
    let shown: Vec<(&str, &str)> = page["variables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["name"].as_str().unwrap(), it["value"].as_str().unwrap()))
        .collect();
    assert_eq!(shown, [("[997]", "997"), ("[998]", "998"), ("[999]", "999")]);
}

fn variables_are_set_and_the_next_statement_is_moved(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", "values", json!({}));
    let thread = stop["threadId"].clone();
    let frame = adapter.top(&stop)["id"].clone();
    let set = json!({"expression": "numbers[3]", "value": "numbers[4] * 10", "frameId": frame});
    assert_eq!(adapter.ok("setExpression", set)["value"], "40");
    let text = json!({"expression": "order.Customer", "value": "\"Eve\"", "frameId": frame});
    assert_eq!(adapter.ok("setExpression", text)["value"], "\"Eve\"");
    let refused = adapter.refusal("setExpression", json!({"expression": "order", "value": "1", "frameId": frame}));
    assert!(refused.contains("CS0029"), "{refused}");
    // the statement before is to run again
    let line = bench.line("Surface", "values") - 1;
    let targets = adapter.ok("gotoTargets", json!({"source": {"path": file(bench)}, "line": line}))["targets"].clone();
    assert_has(&targets[0], json!({"line": line, "label": format!("Program.cs:{line}")}));
    adapter.ok("goto", json!({"threadId": thread, "targetId": targets[0]["id"]}));
    let moved = adapter.event("stopped");
    assert_eq!(moved["reason"], "goto");
    assert_eq!(adapter.top(&moved)["line"], line);
    adapter.ok("next", json!({"threadId": thread}));
    let stop = adapter.event("stopped");
    let frame = adapter.top(&stop)["id"].clone();
    assert_eq!(adapter.ok("evaluate", json!({"expression": "customer", "frameId": frame}))["result"], "\"Eve\"");
    // not into another method
    let elsewhere = json!({"source": {"path": file(bench)}, "line": bench.line("Surface", "deep")});
    assert_eq!(adapter.ok("gotoTargets", elsewhere)["targets"], json!([]));
    assert_eq!(adapter.finish(&stop), 3, "the length of what was assigned");
}

/// Runs to the end; the messages of the exceptions that stop it.
fn messages(bench: &Bench, mode: &str, filter: &str, condition: &str) -> Vec<String> {
    let mut adapter = Adapter::start(bench.adapter_command());
    let options = json!([{"filterId": filter, "condition": condition}]);
    adapter.ok("setExceptionBreakpoints", json!({"filters": [], "filterOptions": options}));
    adapter.launch(&program(bench), &[mode], &[], json!({}));
    let mut messages = Vec::new();
    loop {
        let stop = adapter.stop_or_end();
        if stop["reason"] != "exception" {
            return messages;
        }
        let info = adapter.ok("exceptionInfo", json!({"threadId": stop["threadId"]}));
        messages.push(info["details"]["message"].as_str().unwrap().to_owned());
        adapter.ok("continue", json!({"threadId": stop["threadId"]}));
    }
}

fn the_whole_chain_of_an_exception_is_reported(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let options = json!([{"filterId": "all", "condition": "System.AggregateException"}]);
    adapter.ok("setExceptionBreakpoints", json!({"filters": [], "filterOptions": options}));
    adapter.launch(&program(bench), &["throws"], &[], json!({}));
    let stop = adapter.event("stopped");
    assert_eq!(stop["reason"], "exception");
    let info = adapter.ok("exceptionInfo", json!({"threadId": stop["threadId"]}));
    assert_has(&info, json!({"exceptionId": "CLR/System.AggregateException", "breakMode": "always"}));
    let details = &info["details"];
    let both = json!([
        {"fullTypeName": "Surface.Failure", "message": "outer",
         "innerException": [{"fullTypeName": "Surface.Refusal", "message": "within"}]},
        {"fullTypeName": "System.TimeoutException", "message": "late"},
    ]);
    assert_has(details, json!({"innerException": both}));
    // what a client shows of each can be evaluated
    let within = details["innerException"][0]["innerException"][0]["evaluateName"].clone();
    let frame = adapter.top(&stop)["id"].clone();
    let shown = adapter
        .ok("evaluate", json!({"expression": format!("{}.Message", within.as_str().unwrap()), "frameId": frame}));
    assert_eq!(shown["result"], "\"within\"");
}

fn exceptions_are_chosen_by_type_base_namespace_and_message(bench: &Bench) {
    for (condition, expected) in [
        ("Surface.Failure", vec!["order 1 failed"]),
        ("is Surface.Failure", vec!["order 1 failed", "order 2 refused"]),
        ("System.IO.*", vec!["no file"]),
        ("Surface.* message /\\d r/", vec!["order 2 refused"]),
        ("!is System.SystemException, is Surface.Failure", vec!["both (outer) (late)"]),
    ] {
        assert_eq!(messages(bench, "throws", "all", condition), expected, "{condition}");
    }
    let mut adapter = Adapter::start(bench.adapter_command());
    let wrong = json!({"filters": [], "filterOptions": [{"filterId": "all", "condition": "message /(/"}]});
    assert!(adapter.refusal("setExceptionBreakpoints", wrong).contains("is not a valid regular expression"));
}

fn an_exception_that_no_awaiting_code_catches_is_unhandled_by_the_user(bench: &Bench) {
    // each method that awaits throws it again: it is reported once
    assert_eq!(messages(bench, "awaits", "user-unhandled", ""), ["caught by nobody"]);
    assert_eq!(messages(bench, "awaits", "user-unhandled", "is Surface.Refusal"), [""; 0]);
}

fn a_name_of_several_sources_binds_none_of_them(bench: &Bench) {
    let line = bench.line_in("Surface", "Lib/Program.cs", "namesake");
    // as its build has it
    let (namesake, own) = ("/_/surface/Program.cs", file(bench));
    let marker = bench.line("Surface", "to-namesake");
    let several = format!("'Program.cs' is ambiguous: {namesake}, {}; use one of these paths", own.display());
    let mut adapter = Adapter::start(bench.adapter_command());
    // set by its name before any is loaded, and bound to the first
    adapter.launch(&program(bench), &["namesake"], &[("Program.cs".as_ref(), json!([{"line": marker}]))], json!({}));
    let stop = adapter.event("stopped");
    assert_eq!(adapter.top(&stop)["line"], marker);
    // the call has the other one loaded
    let at = |adapter: &mut Adapter, path: &str, line: u64| {
        let set = adapter.ok("setBreakpoints", json!({"source": {"path": path}, "breakpoints": [{"line": line}]}));
        set["breakpoints"][0].clone()
    };
    let kept = format!("bound in {}; {several}", own.display());
    assert_has(&at(&mut adapter, "Program.cs", marker), json!({"verified": true, "line": marker, "message": kept}));
    assert_has(&at(&mut adapter, "Program.cs", marker + 1), json!({"verified": false, "message": several}));
    assert_has(&at(&mut adapter, "/elsewhere/Program.cs", line), json!({"verified": false, "source": null}));
    let locations = json!({"source": {"path": "Program.cs"}, "line": line});
    assert_eq!(adapter.refusal("breakpointLocations", locations), several);
    let bound = json!({"verified": true, "line": line, "message": null, "source": {"path": namesake}});
    assert_has(&at(&mut adapter, "surface/Program.cs", line), bound);
    adapter.ok("continue", json!({"threadId": stop["threadId"]}));
    let stop = adapter.event("stopped");
    assert_eq!(adapter.top(&stop)["source"]["path"], namesake);
    assert_eq!(adapter.finish(&stop), 0);
}

fn code_that_is_not_mine_is_passed_over(bench: &Bench) {
    let entered = |more: Value| {
        let (mut adapter, mut stop) = at(bench, "passed", "passed", more);
        let mut methods = Vec::new();
        let behind = bench.line("Surface", "behind");
        for _ in 0..40 {
            adapter.ok("stepIn", json!({"threadId": stop["threadId"]}));
            stop = adapter.event("stopped");
            let top = adapter.top(&stop);
            if top["line"] == behind {
                break;
            }
            let name = top["name"].as_str().unwrap().split('(').next().unwrap().replace("Surface.", "");
            if !methods.contains(&name) && !name.starts_with("Program.") {
                methods.push(name);
            }
        }
        methods
    };
    let all = ["Made2.Through", "Made.Through", "Hidden.Apply"];
    assert_eq!(entered(json!({"justMyCode": false})), all);
    assert_eq!(entered(json!({})), all[1..], "[DebuggerNonUserCode]");
    assert_eq!(entered(json!({"notMyCode": ["Surface.Lib"]})), all[1..2]);
    assert_eq!(entered(json!({"notMyCode": ["*/Surface/Made/*"]})), all[2..]);
    assert_eq!(entered(json!({"notMyCode": ["*.lib.dll", "*/made.cs"]})), [""; 0]);
}

fn a_request_is_cancelled_before_and_while_it_runs(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", "values", json!({}));
    let frame = adapter.top(&stop)["id"].clone();
    let endless = json!({"expression": "Endless", "frameId": frame, "timeLimit": 50_000});
    let running = adapter.send("evaluate", endless.clone());
    let waiting = adapter.send("evaluate", endless);
    let short = adapter.send("evaluate", json!({"expression": "1 + 1", "frameId": frame}));
    // the one that waits, which must not begin; the one that runs goes on
    adapter.send("cancel", json!({"requestId": waiting}));
    adapter.send("cancel", json!({"requestId": running}));
    for request in [running, waiting] {
        let response = adapter.response(request);
        assert_has(&response, json!({"success": false, "message": "cancelled"}));
    }
    assert_eq!(adapter.response(short)["body"]["result"], "2");
    assert_eq!(adapter.finish(&stop), 3);
}

fn what_the_runtime_cannot_do_is_refused_with_the_reason(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", "values", json!({}));
    let frame = adapter.top(&stop)["id"].clone();
    let words = adapter.refusal("restartFrame", json!({"frameId": frame}));
    assert!(words.contains("cannot restart a method") && words.contains("goto"), "{words}");
    let words = adapter.refusal("terminateThreads", json!({"threadIds": [stop["threadId"]]}));
    assert!(words.contains("cannot end one thread") && words.contains("terminate"), "{words}");
    assert_eq!(adapter.refusal("stepBack", json!({"threadId": stop["threadId"]})), "'stepBack' is not supported");
    for absent in ["supportsRestartFrame", "supportsTerminateThreadsRequest", "supportsStepBack"] {
        assert!(adapter.capabilities[absent] != true, "{absent}");
    }
}
