//! Expressions: what is computed, what is bounded, what is survived.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    what_adapters_cannot_evaluate_is_computed;
    failures_of_one_expression_are_its_own;
    endless_call_ends_at_its_deadline;
    call_that_overflows_the_stack_costs_the_session_and_no_more;
    what_may_change_something_needs_leave;
    results_of_one_shape_are_a_table;
    what_changes_nothing_runs_unasked;
    what_the_framework_calls_back_runs_no_code_of_the_program_unasked;
    old_runtime_works_as_far_as_the_adapter_does;
    arrays_that_an_expression_makes_need_no_leave, "builtin";
    flags_of_an_enum_are_asked_for, "builtin";
    a_boxed_number_is_replaced_by_another, "builtin";
    operators_and_branches_have_the_types_of_csharp, "builtin";
}

fn at_traps(bench: &Bench, client: &mut Client) {
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Traps", "traps")}]);
    let stop = client.ok("debug_launch", bench.launch("Traps", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped");
}

fn what_adapters_cannot_evaluate_is_computed(bench: &Bench) {
    let mut client = bench.client();
    at_traps(bench, &mut client);
    for (expression, value) in [
        ("text.Length", "5"),
        ("text == \"hello\"", "true"),
        ("nothing == null", "true"),
        ("trap != null", "true"),
        ("text == null", "false"),
        (" zero + 1 ", "1"),
        ("trap.Self.Self.Safe", "1"),
        ("args.Length", "0"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn failures_of_one_expression_are_its_own(bench: &Bench) {
    let mut client = bench.client();
    at_traps(bench, &mut client);
    client.error("evaluation_threw", "evaluate", json!({"expression": "trap.Throws"}));
    client.error("evaluation_failed", "evaluate", json!({"expression": "nowhere"}));
    client.error("evaluation_failed", "evaluate", json!({"expression": "trap."}));
    for expression in ["1 / 0", "trap.Safe % 0"] {
        let refused = client.call("evaluate", json!({"expression": expression}));
        assert!(refused.failed && refused.value["code"].as_str().unwrap().starts_with("evaluation_"), "{refused:?}");
    }
    client.error("evaluation_threw", "evaluate", json!({"expression": "trap.Divides(0)"}));
    let several = client.ok("evaluate", json!({"expressions": ["zero", "nowhere", "text"]}));
    assert_has(&several, json!({"results": [{"value": "0"}, {"value": null}, {"value": "\"hello\""}]}));
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn endless_call_ends_at_its_deadline(bench: &Bench) {
    let mut client = bench.client();
    at_traps(bench, &mut client);
    let began = std::time::Instant::now();
    client.error(
        "evaluation_timeout",
        "evaluate",
        json!({"expression": "trap.Loops()", "allow_side_effects": true, "timeout_ms": 300}),
    );
    assert!(began.elapsed().as_secs() < 3, "the answer came after {:?}", began.elapsed());
    // Both adapters give up after 5.6 s, and work then.
    assert_eq!(client.ok("evaluate", json!({"expression": "trap.Safe", "timeout_ms": 30_000}))["value"], "1");
}

fn call_that_overflows_the_stack_costs_the_session_and_no_more(bench: &Bench) {
    let mut client = bench.client();
    at_traps(bench, &mut client);
    let reply = client
        .call("evaluate", json!({"expression": "trap.Overflows(0)", "allow_side_effects": true, "timeout_ms": 60_000}));
    // The runtime ends the program by SIGABRT and takes the adapter along: either may be noticed first.
    let code = reply.value["code"].as_str().unwrap_or_default().to_owned();
    assert!(["adapter_lost", "not_running"].contains(&code.as_str()), "{}", reply.value);
    assert!(reply.value["hint"].as_str().unwrap().contains("debug_"), "{}", reply.value);
    let then = client.call("variables_get", json!({}));
    assert!(then.failed, "{then:?}");
    at_traps(bench, &mut client);
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn arrays_that_an_expression_makes_need_no_leave(bench: &Bench) {
    let mut client = bench.client();
    at_traps(bench, &mut client);
    for (expression, value) in
        [("new[] { 1, 2 }[1]", "2"), ("new int[,] { { 1, 2 }, { 3, 4 } }[1, 0]", "3"), ("new string[2, 3].Length", "6")]
    {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn results_of_one_shape_are_a_table(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Expressions", "STOP")}]);
    client.ok("debug_launch", bench.launch("Expressions", &[], json!({"breakpoints": breakpoints})));
    let rows = json!([["\"Ann\"", "30"], ["\"Bob\"", "25"], ["\"Cid\"", "30"], ["\"Dora\"", "41"]]);
    let expression = "people.Select(q => new { q.Name, Years = q.Age })";
    let table = client.ok("evaluate", json!({"expression": expression}));
    assert_eq!((&table["column_names"], &table["rows"]), (&json!(["Name", "Years"]), &rows), "{table}");
    assert_eq!((&table["count"], &table["value"]), (&json!(4), &json!(null)), "{table}");
    // a line shows all of these
    let few = client.ok("evaluate", json!({"expression": "people.Take(2).Select(q => new { q.Age })"}));
    assert_eq!(few["value"], "[{Age=30}, {Age=25}]", "{few}");
    // and of many the next are named
    let many =
        client.ok("evaluate", json!({"expression": "Enumerable.Range(0, 100).Select(q => new { q, Twice = 2 * q })"}));
    let shown = many["rows"].as_array().unwrap().len();
    match many["next_start"].as_u64() {
        Some(next) => {
            assert_eq!(next as usize, shown, "{many}");
            let page = client.ok("variables_get", json!({"path": many["path"], "start": next, "count": 1}));
            assert!(page["variables"][0].to_string().contains(&format!("Twice={}", 2 * next)), "{page}");
        }
        None => assert_eq!(shown, 100, "{many}"),
    }
}

fn what_may_change_something_needs_leave(bench: &Bench) {
    let mut client = bench.client();
    at_traps(bench, &mut client);
    for (expression, named) in [
        ("trap.Looks", "Trap.Looks writes the field Trap._looks"),
        ("trap.Self.Looks + 1", "Trap._looks"),
        ("trap.Loops()", "never returns"),
        ("trap.Endless", "never returns"),
        ("trap.Overflows(0)", "may call itself"),
        ("trap.Dies()", "Environment.Exit"),
        ("trap.IsBig(trap.Dies())", "Environment.Exit"),
        ("System.Environment.Exit(3)", "Exit is not known to be pure"),
        ("System.IO.File.WriteAllText(\"/tmp/x\", text)", "WriteAllText is not known to be pure"),
    ] {
        let refused = client.error("side_effects", "evaluate", json!({"expression": expression}));
        assert!(refused["message"].as_str().unwrap().contains(named), "{expression}: {refused}");
        assert!(refused["hint"].as_str().unwrap().contains("allow_side_effects"), "{refused}");
    }
    for (expression, what) in
        [("zero = 5", "it assigns"), ("zero++", "it assigns"), ("trap.Safe = 5", "writes the field Trap.Safe")]
    {
        let refused = client.error("side_effects", "evaluate", json!({"expression": expression}));
        assert!(refused["message"].as_str().unwrap().contains(what), "{expression}: {refused}");
    }
    let made = client.call("evaluate", json!({"expression": "new Trap()"}));
    match bench.adapter() {
        // what no leave makes possible
        "netcoredbg" => {
            let refused = made.error("evaluation_failed");
            assert!(refused["message"].as_str().unwrap().contains("`new` is not supported here"), "{refused}");
        }
        // the constructor is judged, and does nothing
        _ => drop(made.ok()),
    }
    client.error("side_effects", "variables_get", json!({"path": "trap.Looks"}));
    client.error("side_effects", "object_inspect", json!({"path": "trap.Looks"}));
    let listed = client.ok("variables_get", json!({"path": "trap"}));
    let names: Vec<&str> =
        listed["variables"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(names.contains(&"Safe") && !names.contains(&"Looks") && !names.contains(&"Endless"), "{listed}");
    assert!(listed["hidden"].as_u64().unwrap() >= 2, "{listed}");
    // what was asked for by name and is not read says why
    let filtered = client.ok("variables_get", json!({"path": "trap", "filter": "^Looks$"}));
    assert!(filtered["hidden"].is_null(), "{filtered}");
    let [only] = filtered["variables"].as_array().unwrap().as_slice() else { panic!("{filtered}") };
    assert_eq!(only["name"], "Looks");
    assert!(only["error"].as_str().unwrap().contains("side_effects"), "{filtered}");
    client.ok("object_inspect", json!({"path": "trap", "depth": 3}));
    let threads = client.ok("threads_list", json!({"expressions": ["trap.Looks"]}));
    assert!(threads.to_string().contains("side_effects"), "{threads}");
    let watches = client.ok("watch_set", json!({"expressions": ["trap.Looks", "trap.Safe"]}));
    assert!(watches.to_string().contains("side_effects"), "{watches}");
    assert_eq!(client.ok("evaluate", json!({"expression": "trap._looks"}))["value"], "0", "nobody looked");
    assert_eq!(client.ok("evaluate", json!({"expression": "zero"}))["value"], "0");
    let looked = client.ok("evaluate", json!({"expression": "trap.Looks", "allow_side_effects": true}));
    assert_eq!(looked["value"], "1");
}

fn what_changes_nothing_runs_unasked(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Effects", "effects")}]);
    let stop = client.ok("debug_launch", bench.launch("Effects", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped");
    for (expression, value) in [
        ("shop.Count", "2"),
        ("shop.Total", "10.0m"),
        ("shop.Lines.Count", "2"),
        ("shop.Lines[0].Name", "\"pen\""),
        ("shop.Lines[0].Name.Length", "3"),
        ("shop.Lines[0].Name.ToUpperInvariant()", "\"PEN\""),
        ("shop.Lines[0].Total", "3.0m"),
        ("shop.IsFull", "false"),
        ("shop.Loop(3)", "11"),
        ("shop.Stocked(\"pen\")", "3"),
        ("shop.Built()", "\"pen 2ink 1\""),
        ("shop.Count > 1 && shop.First == \"pen\"", "true"),
        ("System.Math.Max(shop.Count, 7)", "7"),
        ("shared != null", "true"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    for expression in ["shared.Count", "shared.Touched", "shared.Deep()", "shared.Static()", "shared.Exit()"] {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
    client.ok("variables_get", json!({"path": "shared", "depth": 3}));
    assert_eq!(client.ok("evaluate", json!({"expression": "shared._count"}))["value"], "0");
}

fn what_the_framework_calls_back_runs_no_code_of_the_program_unasked(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Callbacks", "callbacks")}]);
    client.ok("debug_launch", bench.launch("Callbacks", &[], json!({"breakpoints": breakpoints})));
    client.ok("variables_get", json!({}));
    client.ok("variables_get", json!({"depth": 3}));
    for path in
        ["texts", "wrappers", "givers", "wrappers._list", "wrappers._table", "wrappers._wrapped", "texts._sequence"]
    {
        client.ok("variables_get", json!({"path": path, "depth": 2}));
        client.ok("object_inspect", json!({"path": path}));
    }
    for expression in [
        "texts.Joined",
        "texts.JoinedSequence",
        "wrappers._list.Count",
        "wrappers._list[0]",
        "wrappers._table.Count",
        "givers.Greatest",
    ] {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
    // adapters cannot copy the struct that it is called on
    let code = if bench.adapter() == "builtin" { "side_effects" } else { "evaluation_failed" };
    client.error(code, "evaluate", json!({"expression": "texts._holder.Equals(texts._holder)"}));
    // this culture leaves its name to the framework
    assert_eq!(client.ok("evaluate", json!({"expression": "texts._culture.Name"}))["value"], "\"\"");
    for (expression, value) in [("pure.Named", "\"a, b\""), ("pure.Summed()", "4"), ("pure.Same", "true")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "Spy.Marks"}))["value"], "0");
}

fn old_runtime_works_as_far_as_the_adapter_does(bench: &Bench) {
    if !bench.has_runtime("8.") {
        crate::harness::skip("no .NET 8 runtime");
    }
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Net8", "print")}]);
    let launch = bench.launch("Net8", &[], json!({"breakpoints": breakpoints}));
    let stop = client.ok("debug_launch", launch.clone());
    assert_has(
        &stop,
        json!({"outcome": "stopped", "locals": [{"name": "args"}, {"name": "number", "value": "20"}, {"name": "text", "value": "\"eight\""}]}),
    );
    // A netcoredbg whose managed part is for a newer runtime dies or is deaf at the first evaluation.
    let reply = client.call("evaluate", json!({"expression": "number + 1", "timeout_ms": 3_000}));
    if reply.failed {
        assert!(
            ["adapter_lost", "evaluation_timeout"].contains(&reply.value["code"].as_str().unwrap()),
            "{}",
            reply.value
        );
        assert_eq!(client.ok("debug_launch", launch)["outcome"], "stopped");
    } else {
        assert_eq!(reply.value["value"], "21");
        assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
    }
}

fn flags_of_an_enum_are_asked_for(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Collections", "values"), "condition": "access.HasFlag(Access.Write)"}]);
    let stop = client.ok("debug_launch", bench.launch("Collections", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "reason": "breakpoint"}));
    for (expression, value) in [("access.HasFlag(Access.Execute)", "false"), ("access.HasFlag(access)", "true")] {
        let asked = json!({"expression": expression, "allow_side_effects": true});
        assert_eq!(client.ok("evaluate", asked)["value"], value, "{expression}");
    }
    // another enum's value is no flag of it, and must not be passed for an object
    let asked = json!({"expression": "access.HasFlag(colour)", "allow_side_effects": true});
    // adapters refuse such an argument, the method itself throws
    let code = if bench.adapter() == "builtin" { "evaluation_threw" } else { "evaluation_failed" };
    client.error(code, "evaluate", asked);
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn a_boxed_number_is_replaced_by_another(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Collections", "values")}]);
    client.ok("debug_launch", bench.launch("Collections", &[], json!({"breakpoints": breakpoints})));
    let set = client.ok("variable_set", json!({"path": "boxed", "value": "8"}));
    assert_has(&set, json!({"value": "8", "was": "7"}));
    let asked = json!({"expression": "boxed.ToString()", "allow_side_effects": true});
    assert_eq!(client.ok("evaluate", asked)["value"], "\"8\"");
}

fn operators_and_branches_have_the_types_of_csharp(bench: &Bench) {
    let mut client = bench.client();
    let at = bench.line("Collections", "values");
    let breakpoints = json!([
        {"file": "Program.cs", "line": at, "condition": "none > 4"},
        {"file": "Program.cs", "line": at + 1, "condition": "some > 4"},
    ]);
    let stop = client.ok("debug_launch", bench.launch("Collections", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "breakpoint_ids": [2]}));
    for expression in [
        // lifted
        "!(none > 4)",
        "!(none <= none)",
        "none != some",
        "none + 1.5 == null",
        "-none * some / 2 == null",
        "!((bool?)null & false)",
        "!(nothing?.Length < 3)",
        "!((Colour?)null >= colour)",
        // objects are not compared by what is in them
        "boxed == boxed",
        "boxed == (object)boxed",
        "boxed != (object)7",
        "(object)1 != (object)1",
        "(int)boxed == 7",
        // the type of both branches
        "(true ? 1 : 2.5) / 2 == 0.5",
        "(some > 9 ? ratio : 1) / 2 == 0.5",
        "(some == 5 ? names.Count : money) / 2 == 1.5m",
        "(nothing != null ? 1.5 : 7 / 2) / 2 == 1.5",
        "(nothing == null ? 1.5 : nothing.Length) == 1.5",
        "(true ? none : ratio) == null",
    ] {
        // the call leaves all of it to the engine
        let asked = json!({"expression": format!("({expression}).Equals(true)"), "allow_side_effects": true});
        assert_eq!(client.ok("evaluate", asked)["value"], "true", "{expression}");
    }
    let beyond = client.error("evaluation_threw", "evaluate", json!({"expression": "names[9]"}));
    assert!(beyond["message"].as_str().unwrap().ends_with("collection. (Parameter 'index')"), "{beyond}");
}
