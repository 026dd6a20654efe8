//! Stops at exceptions: which stop, and what they tell.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    a_catch_block_that_awaits_has_its_exception, "builtin";
    a_catch_clause_has_its_exception, "builtin";
    every_thrown_exception_stops_and_shows_its_inner_ones;
    exception_context_shows_members_and_frames;
    what_threw_is_no_caller_of_a_catch_block;
    types_match_by_short_name_and_subtypes;
    only_the_unhandled_one_stops_by_default;
    user_unhandled_stops_at_what_no_user_code_catches;
    what_is_thrown_within_a_handler_is_caught_by_an_outer_one, "builtin";
    what_leaves_a_static_constructor_is_caught_by_no_user_code, "builtin";
    what_an_async_method_of_any_builder_throws_may_be_caught_by_who_awaits_it, "builtin";
    exception_on_another_thread_ends_the_program_with_its_words;
    fail_fast_stops_and_dies_by_signal;
    what_an_await_throws_again_is_reported_where_that_is, "netcoredbg";
    never_stops_at_nothing;
    what_completes_a_task_is_no_caller_of_who_awaits_it, "builtin";
}

/// The types of the exceptions that stop, until the program ends.
fn stops(client: &mut Client, launch: Value) -> (Vec<String>, Value) {
    let mut types = Vec::new();
    let mut report = client.ok("debug_launch", launch);
    while report["outcome"] == "stopped" {
        assert_eq!(report["reason"], "exception", "{report}");
        types.push(report["exception"]["type"].as_str().unwrap().rsplit('.').next().unwrap().to_owned());
        assert!(types.len() < 10, "{types:?}");
        report = client.ok("debug_continue", json!({}));
    }
    (types, report)
}

fn every_thrown_exception_stops_and_shows_its_inner_ones(bench: &Bench) {
    let mut client = bench.client();
    let first =
        client.ok("debug_launch", bench.launch("Exceptions", &["inner"], json!({"exceptions": {"types": ["*"]}})));
    let line = |marker| bench.line("Exceptions", marker);
    assert_has(
        &first,
        json!({"reason": "exception", "exception": {"type": "System.ArgumentException", "unhandled": null},
        "location": {"line": line("throw-inner"), "function": "Program.Inner"}}),
    );
    let second = client.ok("debug_continue", json!({}));
    let inner_at = format!("Program.cs:{}", line("throw-inner"));
    assert_has(
        &second,
        json!({
            "outcome": "stopped", "reason": "exception",
            "exception": {"type": "Exceptions.ShopException", "message": "the outer one", "unhandled": null,
                "inner": [{"type": "System.ArgumentException", "message": "the inner one (Parameter 'value')", "at": inner_at}]},
            "location": {"file": "Program.cs", "line": line("throw-outer"), "function": "Program.Inner"},
            "locals": [{"name": "e", "type": "ArgumentException", "value": "{Message=\"the inner one (Parameter 'value')\", ParamName=\"value\"}"}],
            "stack": [{"frame": 2, "function": "Program.Main", "kind": "async", "at": "Program.cs:18"}],
        }),
    );
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn exception_context_shows_members_and_frames(bench: &Bench) {
    let mut client = bench.client();
    client.ok(
        "debug_launch",
        bench.launch("Exceptions", &["inner"], json!({"exceptions": {"types": ["ShopException"]}})),
    );
    let context = client.ok("exception_get_context", json!({"include_variables_for_frames": 2}));
    let line = |marker| format!("Program.cs:{}", bench.line("Exceptions", marker));
    assert_has(
        &context,
        json!({
            "exception": {
                "type": "Exceptions.ShopException", "message": "the outer one", "at": line("throw-outer"),
                "members": [{"name": "Code", "value": "99"}],
                "inner": [{"type": "System.ArgumentException", "message": "the inner one (Parameter 'value')", "at": line("throw-inner"),
                    "members": [{"name": "ParamName", "value": "\"value\""}]}],
            },
            "frames": [
                {"frame": 0, "function": "Program.Inner", "at": line("throw-outer"), "locals": [{"name": "e"}]},
                {"frame": 2, "function": "Program.Main", "locals": [
                    {"name": "args", "value": "[\"inner\"]"}, {"name": "mode", "value": "\"inner\""}]},
            ],
        }),
    );
    let context = client.ok("exception_get_context", json!({"max_frames": 1}));
    assert_eq!((context["frames"].as_array().unwrap().len(), &context["more_frames"]), (1, &json!(1)), "{context}");
    client.ok("debug_continue", json!({}));
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"stop_at_entry": true})));
    client.error("no_exception", "exception_get_context", json!({}));
}

fn what_threw_is_no_caller_of_a_catch_block(bench: &Bench) {
    let mut client = bench.client();
    for (argument, marker, method) in
        [("caught", "catch", "Program.Caught"), ("aggregate", "catch-aggregate", "Program.Aggregate")]
    {
        let breakpoint = json!({"file": "Program.cs", "line": bench.line("Exceptions", marker)});
        let stop =
            client.ok("debug_launch", bench.launch("Exceptions", &[argument], json!({"breakpoints": [breakpoint]})));
        assert_has(&stop, json!({"location": {"line": bench.line("Exceptions", marker), "function": method}}));
        let callers = stop["stack"].as_array().unwrap();
        assert_eq!(callers[0]["function"], "Program.Main", "{stop}");
        assert!(callers.iter().all(|frame| frame["function"] != method), "{stop}");
        client.ok("debug_disconnect", json!({}));
        client.ok("breakpoint_remove", json!({"all": true}));
    }
}

fn types_match_by_short_name_and_subtypes(bench: &Bench) {
    let mut client = bench.client();
    for (exceptions, expected) in [
        (json!({"types": ["ShopException"]}), vec!["ShopException"]),
        (json!({"types": ["Exceptions.ShopException"]}), vec!["ShopException"]),
        (json!({"types": ["System.SystemException"]}), vec!["ArgumentException"]),
        (json!({"types": ["SystemException"], "include_subtypes": false}), vec![]),
        (json!({"types": ["Exception"]}), vec!["ArgumentException", "ShopException"]),
        (json!({"types": ["FormatException"]}), vec![]),
    ] {
        let (types, end) =
            stops(&mut client, bench.launch("Exceptions", &["inner"], json!({"exceptions": exceptions})));
        assert_eq!(types, expected, "{exceptions}");
        assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    }
    let exceptions = json!({"types": ["ShopExeption"]});
    let end = client.ok("debug_launch", bench.launch("Exceptions", &["inner"], json!({"exceptions": exceptions})));
    let words = "exceptions: no loaded module has a type ShopExeption (did you mean Exceptions.ShopException?), but one loaded later may";
    assert_has(&end, json!({"outcome": "exited", "note": words}));
}

fn only_the_unhandled_one_stops_by_default(bench: &Bench) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Exceptions", &["unhandled"], json!({})));
    let line = bench.line("Exceptions", "throw-unhandled");
    assert_has(
        &stop,
        json!({"reason": "exception", "location": {"line": line},
        "exception": {"type": "Exceptions.ShopException", "message": "nobody catches this at depth 3", "unhandled": true}}),
    );
    // the thread's own frames belong to the framework
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "this"}));
    assert!(error["message"].as_str().unwrap().contains("this frame no longer exists"), "{error}");
    let end = client.ok("debug_continue", json!({}));
    assert_has(
        &end,
        json!({"outcome": "exited", "signal": "SIGABRT", "exit_code": null,
        "exception": {"type": "Exceptions.ShopException", "unhandled": true, "at": format!("Program.cs:{line}")}}),
    );
    assert!(end["output"]["stderr"].as_str().unwrap().contains("nobody catches this at depth 3"), "{end}");
    let (types, end) = stops(&mut client, bench.launch("Exceptions", &["caught"], json!({})));
    assert_eq!(types, [""; 0]);
    assert_has(&end, json!({"exit_code": 0}));
}

fn user_unhandled_stops_at_what_no_user_code_catches(bench: &Bench) {
    let mut client = bench.client();
    for (mode, expected) in [("caught", vec![]), ("aggregate", vec!["ArgumentException", "InvalidOperationException"])]
    {
        let exceptions = json!({"types": ["*"], "mode": "user_unhandled"});
        let (mut types, end) =
            stops(&mut client, bench.launch("Exceptions", &[mode], json!({"exceptions": exceptions})));
        types.sort();
        assert_eq!(types, expected, "{mode}");
        assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    }
}

/// From .NET 9 on the runtime does not say whose the handler is.
fn what_is_thrown_within_a_handler_is_caught_by_an_outer_one(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["*"], "mode": "user_unhandled"});
    let end = client.ok("debug_launch", bench.launch("Within", &["handlers"], json!({"exceptions": exceptions})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let overview = client.ok("debug_query_events", json!({"stream": "exceptions", "limit": 50}));
    let caught = |message: &str, place: &str| {
        let is_it = |it: &&Value| it["messages"][0]["text"] == message && it["caught_at"] == place;
        overview["thrown"].as_array().into_iter().flatten().any(|it| is_it(&it))
    };
    for (message, marker) in [
        ("second", "catch-second"),
        ("again", "catch-again"),
        ("within a catch", "catch-within-catch"),
        ("within a finally", "catch-within-finally"),
        ("around", "catch-around"),
        ("leaves two handlers", "catch-nested"),
        ("of a parameter", "catch-of-parameter"),
        ("of an argument", "catch-of-argument"),
        ("async second", "catch-async-second"),
    ] {
        let place = format!("Program.cs:{}", bench.line("Within", marker));
        assert!(caught(message, &place), "{message} {place}: {overview}");
    }
}

fn what_leaves_a_static_constructor_is_caught_by_no_user_code(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["*"], "mode": "user_unhandled"});
    let stop = client.ok("debug_launch", bench.launch("Within", &["initializer"], json!({"exceptions": exceptions})));
    let place = json!({"file": "Program.cs", "line": bench.line("Within", "of-initializer")});
    assert_has(
        &stop,
        json!({"reason": "exception", "location": place, "exception": {"message": "of an initializer", "unhandled": null}}),
    );
    let end = client.ok("debug_continue", json!({}));
    let stdout = "of an initializer\nwithin an initializer\n";
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0, "output": {"stdout": stdout}}));
}

fn what_an_async_method_of_any_builder_throws_may_be_caught_by_who_awaits_it(bench: &Bench) {
    let exceptions = json!({"types": ["*"], "mode": "user_unhandled"});
    let end = bench.client().ok("debug_launch", bench.launch("Joined", &["throws"], json!({"exceptions": exceptions})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
}

fn exception_on_another_thread_ends_the_program_with_its_words(bench: &Bench) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Exceptions", &["thread"], json!({})));
    assert_has(
        &stop,
        json!({"reason": "exception", "exception": {"message": "on a thread", "unhandled": true}, "thread_name": "doomed"}),
    );
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "signal": "SIGABRT"}));
}

fn fail_fast_stops_and_dies_by_signal(bench: &Bench) {
    let mut client = bench.client();
    let stop = client.ok("debug_launch", bench.launch("Exceptions", &["failfast"], json!({})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "exception"}));
    let end = client.ok("debug_continue", json!({}));
    assert_has(&end, json!({"outcome": "exited", "signal": "SIGABRT"}));
    let words = client.ok("process_read_output", json!({"since": 0}));
    assert!(words["stderr"].as_str().unwrap().contains("stopped on purpose"), "{words}");
}

fn never_stops_at_nothing(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["*"], "mode": "never"});
    let end = client.ok(
        "debug_launch",
        bench.launch("Exceptions", &["rethrow"], json!({"exceptions": exceptions, "timeout_ms": 30_000})),
    );
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0, "output": {"stdout": "again\ndone rethrow\n"}}));
}

/// It answers the first throw's trace for the frames of the second.
fn what_an_await_throws_again_is_reported_where_that_is(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["Exceptions.ShopException"], "mode": "thrown"});
    let first = client.ok("debug_launch", bench.launch("Exceptions", &["async"], json!({"exceptions": exceptions})));
    // the `try` of the handler
    let (thrown, awaited) = (bench.line("Exceptions", "throw-async"), bench.line("Exceptions", "catch-async") - 4);
    assert_has(&first, json!({"location": {"line": thrown}, "exception": {"at": null}}));
    let again = client.ok("debug_continue", json!({}));
    let at = format!("Program.cs:{thrown}");
    assert_has(
        &again,
        json!({"reason": "exception", "location": {"line": awaited, "function": "Program.CaughtAsync", "kind": "async"},
            "exception": {"message": "from a task", "at": at}}),
    );
    let context = client.ok("exception_get_context", json!({}));
    assert_has(&context, json!({"exception": {"at": at}}));
    assert_eq!(context["frames"][0]["at"], format!("Program.cs:{awaited}"), "{context}");
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn what_completes_a_task_is_no_caller_of_who_awaits_it(bench: &Bench) {
    let mut client = bench.client();
    let line = |marker| json!({"file": "Program.cs", "line": bench.line("Within", marker)});
    let breakpoints = [line("inline-resumed"), line("inline-caught")];
    let stop = client.ok("debug_launch", bench.launch("Within", &["inline"], json!({"breakpoints": breakpoints})));
    let shown = |stack: &serde_json::Value| {
        let frames = stack.as_array().unwrap_or_else(|| panic!("{stack}")).iter();
        frames.map(|it| (it["function"].clone(), it["resumes"] == true)).collect::<Vec<_>>()
    };
    let completing = || vec![(json!("Program.Inline"), true), (json!("Program.Main"), false)];
    assert_eq!(shown(&stop["stack"]), completing(), "{stop}");
    let stack = client.ok("stacktrace_get", json!({}));
    assert_eq!(shown(&stack["frames"])[1..], completing(), "{stack}");
    let awaited_by = |report: &Value| {
        let all = report["awaited_by"].as_array().into_iter().flatten();
        all.map(|it| format!("{} {}", it["function"].as_str().unwrap(), it["at"].as_str().unwrap())).collect::<Vec<_>>()
    };
    let waits_at = format!("Program.Outer Program.cs:{}", bench.line("Within", "inline-awaits"));
    assert_eq!(awaited_by(&stop), [waits_at.as_str()], "{stop}");
    assert_eq!(awaited_by(&stack), [waits_at.as_str()], "{stack}");
    // the method that passed the exception on is over, with what threw in it
    let caught = client.ok("debug_continue", json!({}));
    assert_eq!(shown(&caught["stack"]), completing(), "{caught}");
}

fn a_catch_block_that_awaits_has_its_exception(bench: &Bench) {
    let mut client = bench.client();
    let markers = [
        ("at-once", Some("first")),
        ("bare", Some("first")),
        ("behind", None),
        ("inner", Some("third")),
        ("outer", Some("second")),
        ("spilled", None),
        ("generic", Some("fourth")),
    ];
    let line = |marker: &str| json!({"file": "Awaited.cs", "line": bench.line_in("Thrown", "Awaited.cs", marker)});
    let breakpoints: Vec<Value> = markers.iter().map(|(marker, _)| line(marker)).collect();
    let mut stop = client.ok("debug_launch", bench.launch("Thrown", &["awaited"], json!({"breakpoints": breakpoints})));
    for (marker, message) in markers {
        assert_has(&stop, json!({"location": {"line": line(marker)["line"]}}));
        let listed = stop["locals"].as_array().into_iter().flatten().any(|it| it["name"] == "$exception");
        // a variable that has it is listed instead
        assert_eq!(listed, message.is_some() && !["outer", "generic"].contains(&marker), "{marker}: {stop}");
        match message {
            Some(message) => {
                let found = client.ok("evaluate", json!({"expression": "$exception.Message"}));
                assert_eq!(found["value"], format!("\"{message}\""), "{marker}");
            }
            None => {
                client.error("evaluation_failed", "evaluate", json!({"expression": "$exception.Message"}));
            }
        }
        stop = client.ok("debug_continue", json!({}));
    }
    assert_has(&stop, json!({"outcome": "exited"}));
}

/// Where a step over what threw ends, before the variable is assigned.
fn a_catch_clause_has_its_exception(bench: &Bench) {
    for (mode, marker, words) in [("caught", "catch", "caught one"), ("async", "catch-async", "from a task")] {
        let mut client = bench.client();
        let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Exceptions", marker) - 2}]);
        let stop = client.ok("debug_launch", bench.launch("Exceptions", &[mode], json!({"breakpoints": breakpoints})));
        assert!(stop["locals"].as_array().into_iter().flatten().any(|it| it["name"] == "e"), "{mode}: {stop}");
        assert_eq!(
            client.ok("evaluate", json!({"expression": "e.Message"}))["value"],
            format!("\"{words}\""),
            "{mode}"
        );
        assert_eq!(client.ok("evaluate", json!({"expression": "e == null"}))["value"], "false", "{mode}");
        let listed = client.ok("variables_get", json!({"path": "e"}));
        assert!(listed.to_string().contains(words), "{listed}");
    }
}
