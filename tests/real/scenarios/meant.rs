//! What a name, a value or a reference means.

use serde_json::{Value, json};

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;
use crate::real::assert_has;

scenarios! {
    a_null_that_only_the_object_s_own_type_has_shows_its_declared_type, "builtin";
    explicit_implementations_are_read_through_their_interfaces, "builtin";
    handles_of_the_debugger_keep_nothing_alive, "builtin";
    statics_of_generic_types_are_named, "builtin";
    objects_of_the_type_that_the_code_means_are_found, "builtin";
    of_types_with_one_name_the_code_at_the_stop_means_one;
    what_null_and_sequences_run_decides_whether_they_may, "builtin";
    what_a_generic_type_returned_has_its_name, "builtin";
    the_finally_of_an_iterator_has_the_name_of_the_iterator;
    the_own_member_beside_an_explicit_implementation_is_named;
    a_step_from_the_end_of_an_async_method_gets_on_or_says_how;
    an_exception_that_is_made_is_a_value, "builtin";
    what_an_expression_made_has_its_parts, "builtin";
    members_and_elements_are_those_of_the_object, "builtin";
    any_expression_is_a_path, "builtin";
    the_code_tools_know_the_program_that_is_debugged, "builtin";
    getters_that_read_fields_are_followed_over_the_heap, "builtin";
    a_call_through_an_interface_reaches_what_its_arguments_admit, "builtin";
    a_field_is_left_out_only_where_its_own_property_shows_it, "builtin";
    an_iterator_has_the_arguments_that_it_was_given, "builtin";
    nullable_fields_are_read_as_what_they_hold_each_time;
    a_step_into_ends_in_the_getter_that_called, "builtin";
    what_the_framework_caught_has_left_its_frames, "builtin";
    elements_further_down_say_how_many_are_not_listed;
    a_collection_is_asked_for_its_count_and_elements_where_linq_asks_it, "builtin";
    private_extensions_are_called_where_the_code_may, "builtin";
    an_extension_comes_before_what_the_code_may_not_name, "builtin";
    delegates_take_their_arguments_as_methods_do, "builtin";
    file_types_are_named_in_their_file, "builtin";
    fixed_size_buffers_are_read_by_index, "builtin";
    strings_are_made_of_spans, "builtin";
    what_a_lambda_did_not_capture_is_said, "builtin";
    boxes_have_the_type_that_they_are_declared_as, "builtin";
    a_lookup_has_the_name_of_its_public_type, "builtin";
    an_async_explicit_implementation_has_the_name_of_its_method, "builtin";
    what_another_call_was_given_is_no_earlier_value, "builtin";
    a_bare_name_is_no_generic_type_around, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Meant", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn member<'v>(view: &'v Value, name: &str) -> &'v Value {
    let members = view["variables"].as_array().unwrap_or_else(|| panic!("{view}"));
    members.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name}: {view}"))
}

fn a_null_that_only_the_object_s_own_type_has_shows_its_declared_type(bench: &Bench) {
    let mut client = at(bench, "meant");
    // `IPart` has no comment
    let part = client.ok("variables_get", json!({"path": "shown.Part", "depth": 1}));
    assert_has(member(&part, "Comment"), json!({"type": "string", "value": "null"}));
    assert_has(&client.ok("evaluate", json!({"expression": "shown.Part.Comment"})), json!({"type": "string"}));
}

fn an_exception_that_is_made_is_a_value(bench: &Bench) {
    let mut client = at(bench, "meant");
    for expression in [
        "new Exception(\"made\")",
        "(object)new Exception(\"made\")",
        "new List<object> { new Exception(\"made\") }[0]",
        "new AggregateException(new Exception(\"made\")).GetBaseException()",
    ] {
        let made = client.ok("evaluate", json!({"expression": expression}));
        assert_has(&made, json!({"type": "Exception"}));
        assert!(made.to_string().contains("made"), "{made}");
    }
    client.error("evaluation_threw", "evaluate", json!({"expression": "int.Parse(\"made\")"}));
}

fn elements_further_down_say_how_many_are_not_listed(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Held.cs", "line": bench.line_in("Meant", "Held.cs", "held")}]);
    client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    let held = client.ok("variables_get", json!({"path": "this", "depth": 2}));
    let slots = member(&held, "Slots");
    assert_has(slots, json!({"count": 12}));
    let elements = slots["members"].as_array().unwrap();
    assert_eq!(elements.len(), 11, "{slots}");
    assert_has(&elements[9], json!({"name": "[9]"}));
    assert_has(&elements[10], json!({"name": "[10..]", "value": "2 more"}));
}

fn what_the_framework_caught_has_left_its_frames(bench: &Bench) {
    let mut client = bench.client();
    let types = ["System.Reflection.TargetInvocationException", "System.InvalidOperationException"];
    let exceptions = json!({"mode": "thrown", "types": types});
    client.ok("debug_launch", bench.launch("Meant", &[], json!({"stop_at_entry": true, "breakpoints": []})));
    client.ok("breakpoint_set_exception", exceptions);
    for (marker, type_) in [("invokes", types[0]), ("sorts", types[1])] {
        let stop = client.ok("debug_continue", json!({}));
        let line = bench.line_in("Meant", "Wrapped.cs", marker);
        assert_has(
            &stop,
            json!({"location": {"function": "Wrapped.Call", "line": line}, "exception": {"type": type_}}),
        );
        let stack = client.ok("stacktrace_get", json!({}));
        let functions: Vec<_> = stack["frames"].as_array().unwrap().iter().map(|frame| &frame["function"]).collect();
        assert!(!functions.contains(&&json!("Wrapped.Inner")), "{stack}");
    }
}

fn a_step_into_ends_in_the_getter_that_called(bench: &Bench) {
    let mut client = bench.client();
    let held = bench.line_in("Meant", "Held.cs", "held");
    let breakpoints = json!([{"file": "Held.cs", "line": held}]);
    client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    // a getter is not stepped into, but one that is under way goes on
    let lines = std::iter::repeat_with(|| client.ok("debug_step", json!({"mode": "in"}))["location"]["line"].as_u64());
    let adds = bench.line_in("Meant", "Held.cs", "adds");
    let expected = [adds - 1, adds, adds + 1, held, held + 1].map(Some);
    assert_eq!(lines.take(5).collect::<Vec<_>>(), expected);
}

fn a_collection_is_asked_for_its_count_and_elements_where_linq_asks_it(bench: &Bench) {
    let mut client = at(bench, "meant");
    // its enumerator loses the last of three
    for (expression, value) in [
        ("uneven.Count()", "3"),
        ("uneven.LongCount()", "2L"),
        ("uneven.Count(it => true)", "2"),
        ("uneven.Select(it => it).ToArray().Length", "3"),
        ("uneven.Select(it => it).Count()", "3"),
        ("uneven.Where(it => true).Count()", "2"),
        ("uneven.Take(3).Count()", "3"),
        ("uneven.Take(5).Last()", "\"c\""),
        ("uneven.First()", "\"a\""),
        ("uneven.Concat(uneven).Count()", "6"),
        ("uneven.Append(\"z\").Count()", "4"),
        ("uneven.Skip(1).Count()", "2"),
        ("uneven.Skip(3).Any()", "false"),
        ("uneven.Last()", "\"c\""),
        ("uneven.ElementAt(2)", "\"c\""),
        ("uneven.Contains(\"c\")", "true"),
        ("uneven.Max()", "\"b\""),
    ] {
        assert_has(&client.ok("evaluate", json!({"expression": expression})), json!({"value": value}));
    }
    for expression in ["uneven.ToList()", "uneven.Reverse().First()", "uneven.OrderBy(it => it).Last()"] {
        let refused = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(refused["message"].as_str().unwrap().contains("Count is 3"), "{refused}");
    }
}

fn an_iterator_has_the_arguments_that_it_was_given(bench: &Bench) {
    // the first enumeration changes the parameter's own field, and uses the object that was returned
    for (marker, from) in [("meant", "1"), ("begun", "2")] {
        let mut client = at(bench, marker);
        let later = client.ok("variables_get", json!({"path": "later", "depth": 1}));
        assert_has(member(&later, "from"), json!({"value": from}));
        assert_has(member(&later, "text"), json!({"value": "\"later\""}));
    }
}

fn what_an_expression_made_has_its_parts(bench: &Bench) {
    let mut client = at(bench, "meant");
    let mut parts = |number: usize, expression: &str, page: Value| {
        client.ok("evaluate", json!({"expression": expression}));
        let mut query = json!({"path": format!("${number}")});
        query.as_object_mut().unwrap().extend(page.as_object().unwrap().clone());
        let listed = client.ok("variables_get", query);
        let values = listed["variables"].as_array().unwrap_or_else(|| panic!("{listed}")).iter();
        let texts: Vec<String> = values.map(|it| format!("{}: {}", it["name"], it["value"]).replace('"', "")).collect();
        (listed["count"].clone(), listed["next_start"].clone(), texts.join(", "))
    };
    let list = "Enumerable.Range(0, 9).Where(x => x > 2).ToList()";
    assert_eq!(parts(1, list, json!({"count": 2})), (json!(6), json!(2), "[0]: 3, [1]: 4".into()));
    assert_eq!(parts(2, list, json!({"start": 5})), (json!(6), Value::Null, "[5]: 8".into()));
    assert_eq!(parts(3, list, json!({"filter": "^[67]$"})).2, "[3]: 6, [4]: 7");
    let (count, _, entries) = parts(4, "Enumerable.Range(1, 2).ToDictionary(x => x, x => x * 10)", json!({}));
    assert_eq!(count, 2);
    assert!(entries.contains("Key=1, Value=10") && entries.contains("Key=2, Value=20"), "{entries}");
    assert_eq!(parts(5, "new { Kind = 1, Note = 2 }", json!({})).2, "Kind: 1, Note: 2");
}

fn members_and_elements_are_those_of_the_object(bench: &Bench) {
    let mut client = at(bench, "meant");
    // there is an extension of the name for what the object is declared as
    let sequence = "((IEnumerable<(int Number, string Text)>)named)";
    assert_has(&client.ok("evaluate", json!({"expression": format!("{sequence}.Count")})), json!({"value": "1"}));
    client.error("evaluation_failed", "evaluate", json!({"expression": "later.Count"}));
    for expression in ["(object)named,results", "(System.Collections.IEnumerable)named,results", "named,results"] {
        let found = client.ok("evaluate", json!({"expression": expression}));
        assert!(found["value"].as_str().is_some_and(|value| value.contains("\"one\"")), "{found}");
        assert_has(&found, json!({"count": 1}));
    }
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "(object)ring,results"}));
    assert!(error["message"].as_str().unwrap().contains("is not a sequence"), "{error}");
}

fn any_expression_is_a_path(bench: &Bench) {
    let mut client = at(bench, "meant");
    for path in ["((ISource)source).Part", "(Part)shown.Part", "source.Part as IPart", "false ? null : source.Part"] {
        let part = client.ok("variables_get", json!({"path": path}));
        assert_has(member(&part, "Name"), json!({"value": "\"part\""}));
        let part = client.ok("object_inspect", json!({"path": path}));
        assert_has(member(&part, "Name"), json!({"value": "\"part\""}));
        // what the answer calls it is a path as well
        let shown = part["path"].as_str().unwrap_or_else(|| panic!("{part}"));
        client.ok("evaluate", json!({"expression": format!("{shown}.Name")}));
    }
    let listed = client.ok("variables_get", json!({"path": "new[] { 1, 2, 3 }.Where(x => x > 1).ToList()"}));
    assert_has(&listed, json!({"count": 2}));
    client.error("side_effects", "variables_get", json!({"path": "source.Take()"}));
    client.error("side_effects", "object_inspect", json!({"path": "source.Take()"}));
    let error = client.error("invalid_path", "variables_get", json!({"path": "source part"}));
    assert!(error["message"].as_str().unwrap().contains("is not a path or an expression"), "{error}");
}

fn the_code_tools_know_the_program_that_is_debugged(bench: &Bench) {
    let mut client = bench.client();
    client.error("no_workspace", "code_find_usages", json!({"name": "Shelf.GetEnumerator"}));
    let stop = client.ok("debug_launch", bench.launch("Meant", &[], json!({"stop_at_entry": true})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    let found = client.ok("code_find_usages", json!({"name": "Shelf.GetEnumerator"}));
    assert!(found["files"].as_array().is_some_and(|files| !files.is_empty()), "{found}");
}

fn getters_that_read_fields_are_followed_over_the_heap(bench: &Bench) {
    let mut client = at(bench, "meant");
    let grouped = client.ok("heap_find", json!({"type": "Renamed", "group_by": "it.Length"}));
    assert_has(&grouped["heap_groups"][0], json!({"group": {"value": "7"}, "count": 1}));
    // a table counts what was added less what was removed
    let tables = client.ok("heap_find", json!({"type": "Dictionary<string, object>", "where": "it.Count >= 0"}));
    assert!(tables["matched"].as_u64().is_some_and(|count| count > 0 && tables["note"].is_null()), "{tables}");
    // `this` is read, and calls of others are not made
    let error = client.error("invalid_argument", "heap_find", json!({"type": "Source", "where": "it.Part != null"}));
    assert!(error["message"].as_str().unwrap().contains("it runs the getter of Source.Part"), "{error}");
}

fn a_call_through_an_interface_reaches_what_its_arguments_admit(bench: &Bench) {
    let mut client = at(bench, "meant");
    client.ok("code_load", json!({"path": bench.fixture("Meant")}));
    let found = client.ok("code_find_usages", json!({"name": "Shelf.GetEnumerator"}));
    let files = found["files"].as_array().unwrap_or_else(|| panic!("{found}"));
    let usages = files.iter().flat_map(|file| file["usages"].as_array().unwrap());
    let lines: Vec<_> = usages.filter(|it| it["in"] == "Shelf.Count").map(|it| it["line"].clone()).collect();
    // not those of numbers and texts
    assert_eq!(lines, [json!(bench.line("Meant", "of-parts"))], "{found}");
}

fn a_field_is_left_out_only_where_its_own_property_shows_it(bench: &Bench) {
    let mut client = at(bench, "meant");
    for (name, parts) in
        [("renamed", vec!["Given=\"base\"", "name=\"derived\""]), ("numbered", vec!["Number=3", "Id=3", "Front=4"])]
    {
        let shown = client.ok("evaluate", json!({"expression": name}));
        let text = shown["value"].as_str().unwrap();
        assert!(parts.iter().all(|part| text.contains(part)) && !text.contains("behind"), "{shown}");
    }
}

fn explicit_implementations_are_read_through_their_interfaces(bench: &Bench) {
    let mut client = at(bench, "meant");
    let current = "System.Collections.Generic.IEnumerator<Meant.Part>.Current";
    for tool in ["variables_get", "object_inspect"] {
        let machine = client.ok(tool, json!({"path": "parts", "depth": 1}));
        assert_has(member(&machine, current), json!({"type": "Part", "error": null}));
        assert_has(member(&machine, "System.Collections.IEnumerator.Current"), json!({"type": "Part"}));
    }
}

fn handles_of_the_debugger_keep_nothing_alive(bench: &Bench) {
    let mut client = at(bench, "meant");
    let taken = client.ok("evaluate", json!({"expression": "source.Take()", "allow_side_effects": true}));
    assert_eq!(taken["type"], "Part", "{taken}");
    let held = client.ok("references_get", json!({"path": "source.Part"}));
    assert!(!held["roots"].to_string().contains("handle"), "{held}");
    let kept = client.ok("gc_roots", json!({"path": "source.Part", "max_chains": 10}));
    assert!(!kept["chains"].to_string().contains("handle"), "{kept}");
}

fn statics_of_generic_types_are_named(bench: &Bench) {
    let mut client = at(bench, "meant");
    let kept = client.ok("gc_roots", json!({"type": "Cache.Key"}));
    let chains: Vec<&str> = kept["chains"].as_array().unwrap().iter().map(|it| it["chain"].as_str().unwrap()).collect();
    // .NET 8 keeps them in an array behind a handle, with nothing that says whose they are
    let wanted: &[&str] = match bench.framework() {
        "net8.0" => &["handle[*][*]"],
        _ => &["static Meant.Cache<string>.kept[*]", "static Meant.Cache<int[]>.kept[*]"],
    };
    for wanted in wanted {
        assert!(chains.contains(wanted), "{kept}");
    }
}

fn objects_of_the_type_that_the_code_means_are_found(bench: &Bench) {
    let mut client = at(bench, "ring");
    let found = client.ok("heap_find", json!({"type": "Ring"}));
    assert_has(&found, json!({"count": 1, "types": null}));
    assert_has(&client.ok("gc_roots", json!({"type": "Ring"})), json!({"count": 1, "note": null}));
}

fn of_types_with_one_name_the_code_at_the_stop_means_one(bench: &Bench) {
    let mut client = at(bench, "meant");
    for tool in ["layout_get", "members_get"] {
        let error = client.error("type_not_found", tool, json!({"type": "Ring"}));
        assert_eq!(error["message"], "2 types are named Ring: Meant.Arj.Ring, Meant.Io.Ring", "{tool}");
        // as the code at the stop would write it
        client.ok(tool, json!({"type": "Io.Ring"}));
    }
    client.ok("debug_run_to", json!({"file": "Program.cs", "line": bench.line("Meant", "ring")}));
    assert_has(&client.ok("layout_get", json!({"type": "Ring"})), json!({"type": "Meant.Io.Ring"}));
    let members = client.ok("members_get", json!({"type": "Ring"}));
    assert_eq!(members["groups"][0]["type"], "Meant.Io.Ring", "{members}");
}

fn what_null_and_sequences_run_decides_whether_they_may(bench: &Bench) {
    let mut client = at(bench, "meant");
    for (expression, value) in [
        ("context != null", "true"),
        ("null == context", "false"),
        ("new Chain(new[] { \"A\", \"B\" }).Text", "\"A-B\""),
        ("new Chain(new[] { \"A\" }, new[] { \"B\" }).Text", "\"A1\""),
    ] {
        assert_has(&client.ok("evaluate", json!({"expression": expression})), json!({"value": value}));
    }
    // what the second argument is says nothing of the first
    for expression in ["new Chain(Marked.Loud)", "new Chain(Marked.Loud, new[] { \"B\" })"] {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
    assert_has(&client.ok("evaluate", json!({"expression": "Marked.Marks"})), json!({"value": "0"}));
}

fn what_a_generic_type_returned_has_its_name(bench: &Bench) {
    let mut client = at(bench, "meant");
    let first = client.ok("evaluate", json!({"expression": "named.Peek()", "allow_side_effects": true}));
    assert_has(&first, json!({"type": "(int Number, string Text)"}));
    let mut client = at(bench, "checking");
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    let returned = stop["returned"].to_string();
    assert!(returned.contains("Checker.Accept"), "{stop}");
}

fn the_finally_of_an_iterator_has_the_name_of_the_iterator(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Meant", "ending")}]);
    let stop = client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop["location"], json!({"function": "Program.Parts", "kind": "iterator"}));
}

fn the_own_member_beside_an_explicit_implementation_is_named(bench: &Bench) {
    let mut client = at(bench, "meant");
    if bench.adapter() == "builtin" {
        client.ok("evaluate", json!({"expression": "shown.Part"}));
        return;
    }
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "shown.Part"}));
    let own = "((Meant.Source)shown).Part";
    let words = error["message"].as_str().unwrap();
    assert!(words.ends_with(&format!("; `{own}` is the object's own member of that name")), "{error}");
    client.ok("evaluate", json!({"expression": own}));
}

fn a_step_from_the_end_of_an_async_method_gets_on_or_says_how(bench: &Bench) {
    let mut client = at(bench, "ready-end");
    let awaited = bench.line("Meant", "awaited");
    let mut stop = client.call("debug_step", json!({"mode": "over"})).value;
    if stop["code"] == "adapter_error" {
        let words = stop["message"].as_str().unwrap();
        assert!(words.starts_with("this adapter cannot step from here, in an async method: "), "{stop}");
        let hint = stop["hint"].as_str().unwrap();
        assert!(hint.contains(&format!("its caller Program.Main (Program.cs:{awaited})")), "{stop}");
        stop = client.ok("debug_run_to", json!({"file": "Program.cs", "line": awaited + 1}));
    }
    assert_eq!(stop["outcome"], "stopped", "{stop}");
}

fn nullable_fields_are_read_as_what_they_hold_each_time(bench: &Bench) {
    let line = bench.line("Meant", "column");
    let mut client = bench.client();
    let condition = "column.Side == Side.Right && column.Width == 1m && column.Height == 0";
    let breakpoints = json!([{"file": "Program.cs", "line": line, "condition": condition}]);
    client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [
        ("columns.IndexOf(column)", "3"),
        ("columns.Count(c => c.Side == Side.Center)", "1"),
        ("columns.Count(c => c.Side == null)", "1"),
        ("columns.Count(c => c.Side == Side.Right)", "2"),
        ("columns.Count(c => c.Width == 2.5m)", "1"),
        ("columns.Count(c => c.Width.HasValue)", "2"),
        ("columns.Sum(c => c.Height ?? 100)", "207"),
        ("columns.ElementAt(1).Side", "Center"),
        ("columns.Last(c => c.Side == Side.Right).Side", "Right"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let mut client = bench.client();
    let message = "{column.Side} {column.Width}";
    client.ok("tracepoint_set", json!({"file": "Program.cs", "line": line, "message": message}));
    let end = client.ok("debug_launch", bench.launch("Meant", &[], json!({})));
    let lines: Vec<&str> =
        end["tracepoints"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
    assert_eq!(lines, [" ", "Center 2.5", "Right ", "Right 1"], "{end}");
}

fn check(client: &mut Client, rows: &[(&str, &str)]) {
    for (expression, value) in rows {
        let found = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(found["value"], *value, "{expression}");
    }
}

fn private_extensions_are_called_where_the_code_may(bench: &Bench) {
    let mut client = at(bench, "called");
    check(&mut client, &[("text.Short()", "\"sh\""), ("new[] { text }.Select(it => it.Short(1)).First()", "\"s\"")]);
    client.ok("debug_run_to", json!({"file": "Program.cs", "line": bench.line("Meant", "inner")}));
    check(&mut client, &[("cut.Short()", "\"sh\"")]);
    let mut client = at(bench, "meant");
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "\"text\".Short()"}));
    assert!(error["message"].as_str().unwrap().contains("CS1061"), "{error}");
}

fn an_extension_comes_before_what_the_code_may_not_name(bench: &Bench) {
    let mut client = at(bench, "called");
    // `List<T>` has a private `Grow(int)`
    check(&mut client, &[("list.Grow(9)", "\"2 and 9\"")]);
    if bench.framework() != "net8.0" {
        check(&mut client, &[("list.GetNewCapacity(9)", "9")]);
    }
}

fn delegates_take_their_arguments_as_methods_do(bench: &Bench) {
    let mut client = at(bench, "called");
    check(
        &mut client,
        &[
            ("sum(1)", "3"),
            ("sum(1, 5)", "6"),
            ("all(1, 2, 3)", "6"),
            ("all()", "0"),
            ("all(new[] { 4, 5 })", "9"),
            ("weighing(3)", "30"),
            ("weighing(factor: 2, weight: 3)", "6"),
            ("trying(\"12\", out var number) ? number : -1", "12"),
            ("trying(\"x\", out _)", "false"),
            ("raising(ref raised, 4)", "void"),
            ("raised", "9"),
        ],
    );
    for (expression, code) in [
        ("sum()", "CS7036"),
        ("sum(1, 2, 3)", "CS1593"),
        ("sum(\"1\")", "CS1503"),
        ("trying(\"1\", 2)", "CS1620"),
        ("weighing(weights: 1)", "CS1746"),
    ] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains(code), "{expression}: {error}");
    }
}

fn refused(client: &mut Client, expression: &str) -> String {
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
    error["message"].as_str().unwrap().to_owned()
}

fn file_types_are_named_in_their_file(bench: &Bench) {
    let mut client = at(bench, "kept");
    check(
        &mut client,
        &[
            ("new Local(4).Twice()", "8"),
            ("Local.Count", "7"),
            ("Meant.Local.Count", "7"),
            ("local is Local", "true"),
            ("new List<Local> { local }.Count", "1"),
        ],
    );
    for expression in ["local", "new Local(4)"] {
        let found = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(found["type"], "Local", "{expression}: {found}");
    }
    assert!(refused(&mut client, "new Locals()").contains("CS0246"));
}

fn fixed_size_buffers_are_read_by_index(bench: &Bench) {
    let mut client = at(bench, "kept");
    check(
        &mut client,
        &[
            ("buffered.Numbers[0]", "10"),
            ("buffered.Numbers[2]", "12"),
            ("buffered.Numbers[1] + buffered.Numbers[2]", "23"),
            ("buffered.Letters[1]", "'b'"),
        ],
    );
    let outside = "index 3 is out of range; the fixed-size buffer has 3 elements";
    for expression in ["buffered.Numbers[3]", "buffered.Numbers[next]"] {
        assert_eq!(refused(&mut client, expression), outside, "{expression}");
    }
}

fn strings_are_made_of_spans(bench: &Bench) {
    let mut client = at(bench, "kept");
    check(
        &mut client,
        &[
            ("new string(span)", "\"ea\""),
            ("new string(text.AsSpan(2))", "\"ad\""),
            ("string.Concat(span, span)", "\"eaea\""),
        ],
    );
}

fn what_a_lambda_did_not_capture_is_said(bench: &Bench) {
    let mut client = at(bench, "lacking");
    let why = ": this lambda or local function did not capture `this`";
    assert_eq!(refused(&mut client, "this"), format!("`this` is not available here{why}"));
    for expression in ["number", "Number", "Call()"] {
        let name = expression.trim_end_matches("()");
        let words = format!("`{name}` needs an object that is not available here{why}");
        assert_eq!(refused(&mut client, expression), words, "{expression}");
    }
    client.ok("debug_run_to", json!({"file": "Program.cs", "line": bench.line("Meant", "keeping")}));
    check(&mut client, &[("this.number + Number", "8")]);
    client.ok("debug_run_to", json!({"file": "Program.cs", "line": bench.line("Meant", "static-lambda")}));
    assert!(refused(&mut client, "this").contains("CS0026"));
    assert!(refused(&mut client, "number").contains("CS0120"));
}

fn boxes_have_the_type_that_they_are_declared_as(bench: &Bench) {
    let mut client = at(bench, "kept");
    let variables = client.ok("variables_get", json!({}));
    for (name, type_, value) in [
        ("any", "ValueType", "5"),
        ("comparable", "IComparable<int>", "6"),
        ("side", "Side", "Right"),
        ("boxed", "object", "7"),
    ] {
        let expected = json!({"type": type_, "value": value});
        assert_has(member(&variables, name), expected.clone());
        assert_has(&client.ok("evaluate", json!({"expression": name})), expected);
    }
    check(&mut client, &[("comparable.CompareTo(7)", "-1"), ("(int)any + 1", "6"), ("any is int", "true")]);
}

fn a_lookup_has_the_name_of_its_public_type(bench: &Bench) {
    let mut client = at(bench, "kept");
    let lookup = client.ok("evaluate", json!({"expression": "lookup"}));
    assert_has(&lookup, json!({"type": "Lookup<int, string>", "count": 2}));
    check(&mut client, &[("lookup[2].Single()", "\"bc\"")]);
}

fn an_async_explicit_implementation_has_the_name_of_its_method(bench: &Bench) {
    let mut client = bench.client();
    client.ok("code_load", json!({"path": bench.fixture("Meant")}));
    let found = client.ok("code_find_usages", json!({"name": "Meant.Parsed.Caught"}));
    let usage = &found["files"][0]["usages"][0];
    assert_has(usage, json!({"in": "async Rule.CheckAsync", "line": bench.line_in("Meant", "Parsed.cs", "checked")}));
    let breakpoints = json!([{"function": "Rule.CheckAsync"}]);
    let stop = client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped", "location": {"function": "Rule.CheckAsync"}}));
}

fn what_another_call_was_given_is_no_earlier_value(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"function": "Parsed.Show", "condition": "value is \"a\""}]);
    let first = client.ok("debug_launch", bench.launch("Meant", &[], json!({"breakpoints": breakpoints})));
    assert_has(&first, json!({"outcome": "stopped", "locals": [{"name": "value", "value": "\"a\""}]}));
    // through the iterator that gives the next one, which is called from the same place
    let each = bench.line_in("Meant", "Parsed.cs", "mixed-each");
    let mut passed_iterator = false;
    let second = std::iter::repeat_with(|| client.ok("debug_step", json!({"mode": "over"})))
        .take(10)
        .inspect(|stop| passed_iterator |= stop["location"]["line"] == each)
        .find(|stop| stop["location"]["function"] == "Parsed.Show")
        .expect("the next call");
    assert!(passed_iterator, "{second}");
    assert_eq!(second["locals"], json!([{"name": "value", "value": "\"b\""}]), "{second}");
}

fn a_bare_name_is_no_generic_type_around(bench: &Bench) {
    let mut client = at(bench, "checking");
    check(
        &mut client,
        &[("Checker.Two", "2"), ("this is Checker<int>", "true"), ("Accept(1) && Checker.Two == 2", "true")],
    );
}
