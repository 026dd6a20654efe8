//! What an editor asks of our own adapter beside values: options of `launch`, names of frames, where sources lie, how stops are reported.

use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::{Value, json};

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::Bench;

scenarios! {
    sources_lie_where_the_source_file_map_says, "builtin";
    getters_run_only_when_asked_for_where_implicit_evaluation_is_off, "builtin";
    raw_values_are_shown_where_they_are_asked_for, "builtin";
    format_specifiers_hold_for_what_a_value_opens_to, "builtin";
    static_members_are_properties_too_and_are_initialized_when_they_are_asked_for, "builtin";
    an_expression_that_throws_or_gives_nothing_says_so, "builtin";
    frames_are_named_as_they_are_written, "builtin";
    code_of_others_is_one_line_of_the_stack, "builtin";
    async_callers_stand_behind_the_stack, "builtin";
    a_stop_at_a_breakpoint_has_the_reason_of_other_debuggers, "builtin";
    nothing_stops_in_a_hidden_method, "builtin";
    a_stop_among_the_programs_own_types_copies_no_metadata, "builtin";
    the_exit_code_of_an_attached_program_is_reported, "builtin";
    a_property_that_another_one_hides_has_a_row, "builtin";
}

/// At the breakpoints of these markers.
fn launched(bench: &Bench, markers: &[&str], more: Value) -> Adapter {
    let mut adapter = Adapter::start(bench.adapter_command());
    let file = bench.fixture("Presented").join("Program.cs");
    let lines: Vec<Value> = markers.iter().map(|marker| json!({"line": bench.line("Presented", marker)})).collect();
    adapter.launch(&bench.built("Presented", "Presented.dll"), &[], &[(&file, json!(lines))], more);
    adapter
}

fn at(bench: &Bench, marker: &str, more: Value) -> (Adapter, Value) {
    let mut adapter = launched(bench, &[marker], more);
    let stop = adapter.event("stopped");
    (adapter, stop)
}

#[track_caller]
fn evaluated(adapter: &mut Adapter, stop: &Value, expression: &str) -> Value {
    let frame = adapter.top(stop)["id"].clone();
    adapter.ok("evaluate", json!({"expression": expression, "frameId": frame, "context": "watch"}))
}

#[track_caller]
fn refused(adapter: &mut Adapter, stop: &Value, expression: &str) -> String {
    let frame = adapter.top(stop)["id"].clone();
    adapter.refusal("evaluate", json!({"expression": expression, "frameId": frame, "context": "watch"}))
}

#[track_caller]
fn opened(adapter: &mut Adapter, variable: &Value) -> Vec<Value> {
    let body = adapter.ok("variables", json!({"variablesReference": variable["variablesReference"]}));
    body["variables"].as_array().unwrap().clone()
}

/// The one of that name of what an expression opens to.
#[track_caller]
fn part(adapter: &mut Adapter, stop: &Value, expression: &str, name: &str) -> Value {
    let whole = evaluated(adapter, stop, expression);
    let parts = opened(adapter, &whole);
    let found = parts.iter().find(|it| it["name"] == name).cloned();
    found.unwrap_or_else(|| panic!("{expression} has no {name}: {parts:?}"))
}

fn names(variables: &[Value]) -> Vec<&str> {
    variables.iter().map(|it| it["name"].as_str().unwrap()).collect()
}

fn sources_lie_where_the_source_file_map_says(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let (folder, line) = (bench.fixture("Presented"), bench.line("Presented", "called"));
    let elsewhere = Path::new("C:\\work\\Program.cs");
    let more = json!({"sourceFileMap": {folder.to_str().unwrap(): "C:\\work"}});
    let program = bench.built("Presented", "Presented.dll");
    adapter.launch(&program, &[], &[(elsewhere, json!([{"line": line}]))], more);
    let stop = adapter.event("stopped");
    let top = adapter.top(&stop);
    assert_eq!((&top["line"], &top["source"]["path"]), (&json!(line), &json!(elsewhere)), "{top}");
    let sources = adapter.ok("loadedSources", json!({}))["sources"].clone();
    assert!(sources.as_array().unwrap().iter().any(|it| it["path"] == json!(elsewhere)), "{sources}");
    let source = adapter.ok("source", json!({"source": {"path": elsewhere}, "sourceReference": 0}));
    assert!(source["content"].as_str().unwrap().contains("BP:called"));
    let set = json!({"source": {"path": elsewhere}, "breakpoints": [{"line": line}, {"line": bench.line("Presented", "make")}]});
    let set = adapter.ok("setBreakpoints", set)["breakpoints"].clone();
    assert_eq!((&set[1]["verified"], &set[1]["source"]["path"]), (&json!(true), &json!(elsewhere)), "{set}");
}

fn getters_run_only_when_asked_for_where_implicit_evaluation_is_off(bench: &Bench) {
    let more = json!({"expressionEvaluationOptions": {"allowImplicitFuncEval": false}});
    let (mut adapter, stop) = at(bench, "values", more);
    let two = part(&mut adapter, &stop, "counting", "Two");
    assert_eq!((&two["value"], &two["presentationHint"]["lazy"]), (&json!("(...)"), &json!(true)));
    assert_eq!(opened(&mut adapter, &two)[0]["value"], "2");
    assert_eq!(part(&mut adapter, &stop, "item", "_count")["value"], "10");
    let words = refused(&mut adapter, &stop, "counting.Next()");
    assert!(words.contains("`,ac`"), "{words}");
    assert_eq!(evaluated(&mut adapter, &stop, "counting.Next(),ac")["result"], "1");
    assert_eq!(part(&mut adapter, &stop, "counting,ac", "Two")["value"], "2");
    assert_eq!(evaluated(&mut adapter, &stop, "named")["result"], "{Presented.Named}");
    assert_eq!(adapter.finish(&stop), 0);

    let more = json!({"expressionEvaluationOptions": {"allowToString": false}});
    let (mut adapter, stop) = at(bench, "values", more);
    assert_eq!(evaluated(&mut adapter, &stop, "named")["result"], "{Presented.Named}");
    assert_eq!(part(&mut adapter, &stop, "counting", "Two")["value"], "2");
    assert_eq!(adapter.finish(&stop), 0);
}

fn raw_values_are_shown_where_they_are_asked_for(bench: &Bench) {
    let more = json!({"expressionEvaluationOptions": {"showRawValues": true}});
    let (mut adapter, stop) = at(bench, "values", more);
    assert_eq!(evaluated(&mut adapter, &stop, "item")["result"], "{Presented.Item}");
    assert_eq!(part(&mut adapter, &stop, "item", "Twice")["value"], "20");
    assert_eq!(part(&mut adapter, &stop, "item", "Where")["value"], "{Presented.Point}");
    assert_eq!(part(&mut adapter, &stop, "hiding", "Unseen")["value"], "2");
    assert_eq!(part(&mut adapter, &stop, "hiding", "Inside")["value"], "{int[2]}");
    let bag = evaluated(&mut adapter, &stop, "bag");
    assert_eq!(names(&opened(&mut adapter, &bag)), ["First", "Second"]);
    assert_eq!(part(&mut adapter, &stop, "list", "_size")["value"], "2");
    assert_eq!(adapter.finish(&stop), 0);
}

fn format_specifiers_hold_for_what_a_value_opens_to(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", json!({}));
    assert_eq!(part(&mut adapter, &stop, "numbers,h", "[1]")["value"], "0x000000ff");
    let place = part(&mut adapter, &stop, "item,h", "at 0x00000001");
    assert_eq!(opened(&mut adapter, &place)[1]["value"], "0x00000002", "{place}");
    assert_eq!(part(&mut adapter, &stop, "hiding,raw", "Secret")["value"], "1");
    assert_eq!(part(&mut adapter, &stop, "hiding,raw,h", "Own")["value"], "0x00000004");
    // its text has asked once
    assert_eq!(part(&mut adapter, &stop, "counting,ac", "Sum")["value"], "2");
    // who may see that field differs between versions of .NET
    part(&mut adapter, &stop, "date,hidden", "_dateData");
    let date = evaluated(&mut adapter, &stop, "date");
    assert!(!names(&opened(&mut adapter, &date)).contains(&"_dateData"));
    let frame = adapter.top(&stop)["id"].clone();
    let locals = adapter.ok("scopes", json!({"frameId": frame}))["scopes"][0].clone();
    let colour = opened(&mut adapter, &locals).into_iter().find(|it| it["name"] == "colour");
    assert_eq!(colour.unwrap()["value"], "a colour");
    // by the attribute of the member
    assert_eq!(part(&mut adapter, &stop, "registry", "Id")["value"], "the first");
    assert_eq!(part(&mut adapter, &stop, "registry,raw", "Id")["value"], "1");
    assert_eq!(adapter.finish(&stop), 0);
}

fn static_members_are_properties_too_and_are_initialized_when_they_are_asked_for(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", json!({}));
    let statics = part(&mut adapter, &stop, "registry", "Static members");
    let members = opened(&mut adapter, &statics);
    assert_eq!(names(&members), ["Limit", "Count", "Twice"]);
    for (member, expected) in members.iter().zip(["5", "3", "10"]) {
        // one that takes the initializer runs it when it is opened
        let lazy = member["presentationHint"]["lazy"] == true;
        let shown = if lazy { opened(&mut adapter, member)[0].clone() } else { member.clone() };
        assert_eq!(shown["value"], expected, "{member}");
        let again = evaluated(&mut adapter, &stop, member["evaluateName"].as_str().unwrap());
        assert_eq!(again["result"], expected, "{member}");
    }
    assert_eq!(adapter.finish(&stop), 0);
}

fn an_expression_that_throws_or_gives_nothing_says_so(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "values", json!({}));
    for (expression, expected) in [
        ("ages[\"Eve\"]", "System.Collections.Generic.KeyNotFoundException: "),
        ("list[10]", "System.ArgumentOutOfRangeException: "),
        ("numbers[10]", "System.IndexOutOfRangeException: "),
        ("counting.Broken", "System.InvalidOperationException: no name of 2"),
    ] {
        let words = refused(&mut adapter, &stop, expression);
        assert!(words.starts_with(expected), "{expression}: {words}");
    }
    let nothing = evaluated(&mut adapter, &stop, "item.Check()");
    assert_eq!(nothing["result"], "Expression has been evaluated and has no value");
    assert_eq!((&nothing["type"], &nothing["variablesReference"]), (&json!("void"), &json!(0)));
    assert_eq!(evaluated(&mut adapter, &stop, "sizeof(Point)")["result"], "8");
    assert_eq!(adapter.finish(&stop), 0);
}

fn frames_are_named_as_they_are_written(bench: &Bench) {
    let mut adapter = launched(bench, &["lambda", "make", "later"], json!({}));
    let mut name = |format: Value| {
        let stop = adapter.event("stopped");
        let asked = json!({"threadId": stop["threadId"], "levels": 1, "format": format});
        let name = adapter.ok("stackTrace", asked)["stackFrames"][0]["name"].clone();
        adapter.ok("continue", json!({"threadId": stop["threadId"]}));
        name
    };
    assert_eq!(name(json!({})), "Presented.Program.Main.AnonymousMethod__0_0(int x)");
    let line = bench.line("Presented", "make");
    let more =
        json!({"module": true, "line": true, "parameters": true, "parameterNames": true, "parameterValues": true});
    let expected =
        "Presented.dll!Presented.Maker<int>.Make<char>(first = 2, second = 99 'c', third = 1, fourth = null)";
    assert_eq!(name(more), format!("{expected} Line {line}"));
    assert_eq!(name(json!({"parameterTypes": true})), "Presented.Maker<string>.MakeLater(string)");
    assert_eq!(adapter.event("exited")["exitCode"], 0);

    let (mut adapter, stop) = at(bench, "make", json!({}));
    let expected = "Presented.Maker<int>.Make<char>(int first, in char second, ref int third, out string fourth)";
    assert_eq!(adapter.top(&stop)["name"], expected);
    assert_eq!(adapter.finish(&stop), 0);
}

fn code_of_others_is_one_line_of_the_stack(bench: &Bench) {
    let main = "Presented.Program.Main()";
    let own = "Presented.Program.Main.AnonymousMethod__0_1(Presented.Item one)";
    let (mut adapter, stop) = at(bench, "called", json!({}));
    let mut frames = |more: Value| {
        let mut asked = json!({"threadId": stop["threadId"]});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        adapter.ok("stackTrace", asked)
    };
    let all = frames(json!({}));
    let named: Vec<_> = all["stackFrames"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(named, [own, "[External Code]", main], "{all}");
    assert_eq!((&all["totalFrames"], &all["stackFrames"][1]["presentationHint"]), (&json!(3), &json!("label")));
    assert_eq!(frames(json!({"startFrame": 2, "levels": 5}))["stackFrames"][0]["name"], main);
    let whole = frames(json!({"format": {"includeAll": true}}));
    let second = &whole["stackFrames"][1];
    assert!(
        second["name"].as_str().unwrap().starts_with("System.Collections.Generic.List<Presented.Item>.ForEach("),
        "{second}"
    );
    assert_eq!(second["presentationHint"], "subtle");
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));

    let (mut adapter, stop) = at(bench, "called", json!({"justMyCode": false}));
    let whole = adapter.ok("stackTrace", json!({"threadId": stop["threadId"]}))["stackFrames"].clone();
    assert!(whole.as_array().unwrap().iter().all(|it| it["name"] != "[External Code]"), "{whole}");
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));
}

fn async_callers_stand_behind_the_stack(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let file = bench.fixture("AsyncFlow").join("Program.cs");
    let lines = json!([{"line": bench.line("AsyncFlow", "fetch-after")}]);
    adapter.launch(&bench.built("AsyncFlow", "AsyncFlow.dll"), &[], &[(&file, lines)], json!({}));
    let stop = adapter.event("stopped");
    let all = adapter.ok("stackTrace", json!({"threadId": stop["threadId"]}));
    let frames = all["stackFrames"].as_array().unwrap();
    let named: Vec<_> = frames.iter().map(|it| it["name"].as_str().unwrap()).collect();
    let fetch = "AsyncFlow.Downloader.FetchAsync(int size)";
    assert_eq!(named, [fetch, "[External Code]", "[Async Call Stack]", "AsyncFlow.Program.Main"], "{all}");
    assert_eq!((&all["totalFrames"], &frames[2]["presentationHint"]), (&json!(4), &json!("label")));
    assert_eq!(frames[3]["line"], bench.line("AsyncFlow", "await-first"));
    let second = adapter.ok("stackTrace", json!({"threadId": stop["threadId"], "startFrame": 3, "levels": 1}));
    assert_eq!(second["stackFrames"][0]["id"], frames[3]["id"], "{second}");
    // what it has kept is read, assigned and evaluated as that of a frame
    let frame = &frames[3]["id"];
    let scopes = adapter.ok("scopes", json!({"frameId": frame}));
    let kept = &scopes["scopes"][0];
    let listed = opened(&mut adapter, kept);
    let pairs: Vec<_> = listed.iter().map(|it| (it["name"].as_str().unwrap(), it["value"].as_str().unwrap())).collect();
    assert_eq!(pairs[..2], [("loader", "{AsyncFlow.Downloader}"), ("first", "0")], "{listed:?}");
    assert_eq!(kept["namedVariables"], pairs.len());
    let set = json!({"variablesReference": kept["variablesReference"], "name": "first", "value": "loader._count + 5"});
    assert_eq!(adapter.ok("setVariable", set)["value"], "5");
    let sum = json!({"expression": "first + loader._count", "frameId": frame, "context": "watch"});
    assert_eq!(adapter.ok("evaluate", sum)["result"], "5");
    // the line between has none
    let scopes = adapter.ok("scopes", json!({"frameId": frames[2]["id"]}));
    assert_eq!(scopes["scopes"][0]["variablesReference"], 0, "{scopes}");
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));
}

fn a_stop_at_a_breakpoint_has_the_reason_of_other_debuggers(bench: &Bench) {
    // the first statement is the program's entry, whatever stops there
    let mut adapter = launched(bench, &["entry", "after"], json!({"stopAtEntry": true}));
    let stop = adapter.event("stopped");
    assert_eq!((&stop["reason"], &stop["hitBreakpointIds"]), (&json!("entry"), &json!([1])));
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));
    // a condition that does not hold keeps no one from stopping there
    let mut adapter = Adapter::start(bench.adapter_command());
    let file = bench.fixture("Presented").join("Program.cs");
    let lines = json!([{"line": bench.line("Presented", "entry"), "condition": "System.Math.Abs(1) > 1"}]);
    let program = bench.built("Presented", "Presented.dll");
    adapter.launch(&program, &[], &[(&file, lines)], json!({"stopAtEntry": true}));
    assert_eq!(adapter.event("stopped")["reason"], "entry");
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));
    // where a step ends at one, both are said
    let (mut adapter, stop) = at(bench, "values", json!({}));
    let after = json!([{"line": bench.line("Presented", "after")}]);
    adapter.ok("setBreakpoints", json!({"source": {"path": file}, "breakpoints": after}));
    adapter.ok("next", json!({"threadId": stop["threadId"]}));
    let stop = adapter.event("stopped");
    assert_eq!((&stop["reason"], stop["hitBreakpointIds"].as_array().map(Vec::len)), (&json!("step"), Some(1)));
    adapter.ok("disconnect", json!({"terminateDebuggee": true}));
}

fn nothing_stops_in_a_hidden_method(bench: &Bench) {
    for just_my_code in [true, false] {
        let mut adapter = launched(bench, &["hidden"], json!({"justMyCode": just_my_code}));
        assert_eq!(adapter.stop_or_end(), Value::Null, "justMyCode {just_my_code}");
        assert_eq!(adapter.event("exited")["exitCode"], 0);
    }
}

fn the_exit_code_of_an_attached_program_is_reported(bench: &Bench) {
    let (pid, stdout) = bench.start_program("Traps", &["hot"]);
    BufReader::new(stdout).read_line(&mut String::new()).unwrap();
    let mut adapter = Adapter::start(bench.adapter_command());
    adapter.ok("attach", json!({"processId": pid}));
    adapter.ok("configurationDone", json!({}));
    adapter.ok("terminate", json!({}));
    assert_eq!(adapter.event("exited")["exitCode"], 128 + libc::SIGKILL);
    adapter.event("terminated");
}

fn a_stop_among_the_programs_own_types_copies_no_metadata(bench: &Bench) {
    let (mut adapter, stop) = at(bench, "make", json!({}));
    let frame = adapter.top(&stop)["id"].clone();
    let scopes = adapter.ok("scopes", json!({"frameId": frame}));
    let listed = opened(&mut adapter, &scopes["scopes"][0]);
    assert_eq!(listed[0]["value"], "{Presented.Maker<int>}", "{listed:?}");
    // the runtime's library keeps that of the core library in one block of more than 3 MB
    let largest = largest_block(adapter.pid());
    assert!(largest < 2_000, "{largest} kB");
    assert_eq!(adapter.finish(&stop), 0);
}

/// Of what a process has allocated: in kB, as far as it is in memory.
fn largest_block(pid: u32) -> u64 {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/smaps")).unwrap();
    let (mut is_allocated, mut largest) = (false, 0);
    for line in maps.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            // a range; of a file its name stands at the end
            [range, _, _, _, _, name @ ..] if range.contains('-') => is_allocated = name.is_empty(),
            ["Rss:", size, "kB"] if is_allocated => largest = largest.max(size.parse().unwrap()),
            _ => {}
        }
    }
    largest
}

fn a_property_that_another_one_hides_has_a_row(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let (file, line) = (bench.fixture("Concealed").join("Program.cs"), bench.line("Concealed", "main"));
    let program = bench.built("Concealed", "Concealed.dll");
    adapter.launch(&program, &[], &[(&file, json!([{"line": line}]))], json!({}));
    let stop = adapter.event("stopped");
    let mut rows = |expression: &str| {
        let whole = evaluated(&mut adapter, &stop, expression);
        let rows = opened(&mut adapter, &whole).into_iter();
        rows.map(|it| (it["name"].as_str().unwrap().to_owned(), it["value"].clone())).collect::<Vec<_>>()
    };
    let derived = rows("derived");
    let named = |name: &str| derived.iter().filter(|(it, _)| it.starts_with(name)).cloned().collect::<Vec<_>>();
    let expected = [("Doubled".to_owned(), json!("21")), ("Doubled (Concealed.Base)".to_owned(), json!("2"))];
    assert_eq!(named("Doubled"), expected, "{derived:?}");
    // one that overrides it gives its value
    assert_eq!(named("Virtual").len(), 1, "{derived:?}");
    // and one that changes something waits to be asked for
    let asking = rows("asking");
    assert!(asking.contains(&("Number (Concealed.Asked)".to_owned(), json!("(...)"))), "{asking:?}");
}
