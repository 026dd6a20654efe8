//! What an adapter's evaluator does not know is answered all the same, or refused for the true reason.

use serde_json::{Value, json};

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    a_condition_on_what_gives_nothing_is_refused_when_it_is_set;
    conditions_that_the_adapter_refuses_stop_where_they_hold;
    conditions_and_messages_change_nothing_unless_they_may;
    a_condition_finds_its_variables_wherever_they_have_gone;
    a_finally_is_no_call_of_its_method;
    a_condition_that_nobody_can_evaluate_says_so_once;
    a_name_that_exists_nowhere_is_refused_when_it_is_set;
    a_condition_that_throws_stops_and_says_what;
    operators_that_adapters_lack_are_computed;
    types_are_tested_and_cast_by_what_objects_are;
    variables_of_the_method_around_a_local_function_are_read;
    range_variables_of_queries_are_read_or_refused_as_what_they_are;
    queries_of_collections_are_answered_without_a_lambda;
    members_behind_a_conditional_access_are_called;
    times_say_their_kind;
    a_property_hidden_from_debuggers_is_read_by_its_bare_name;
    what_a_collection_compares_by_decides_whether_it_is_asked;
    what_runs_unseen_is_judged_too;
    constructors_and_static_methods_of_the_framework_are_judged_by_their_own_type;
    a_generic_struct_is_created_or_refused;
    what_nobody_can_call_is_no_question_of_side_effects;
    what_a_call_gives_is_read_further;
    objects_are_compared_as_objects_or_not_at_all;
    code_is_judged_by_what_it_is_called_with, "builtin";
}

/// Stopped where the condition holds, for the values of `i`.
fn stops(bench: &Bench, breakpoint: Value) -> Vec<u64> {
    let mut client = bench.client();
    let mut stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [breakpoint]})));
    let mut found = Vec::new();
    while stop["outcome"] == "stopped" {
        assert_eq!(stop["note"], Value::Null, "{stop}");
        let value = client.ok("evaluate", json!({"expression": "i"}))["value"].as_str().unwrap().to_owned();
        found.push(value.parse().unwrap());
        stop = client.ok("debug_continue", json!({}));
    }
    found
}

fn looped(bench: &Bench, more: Value) -> Value {
    let mut breakpoint = json!({"file": "Program.cs", "line": bench.line("Judged", "looped")});
    breakpoint.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    breakpoint
}

fn conditions_that_the_adapter_refuses_stop_where_they_hold(bench: &Bench) {
    for (condition, expected) in [
        ("other.IsDouble", vec![58]),
        ("product.MinOrder > 50", vec![59, 60]),
        ("product.MinOrder.HasValue && product.MinOrder.Value == 50", vec![58]),
        ("Math.Max(i, 58) == i", vec![58, 59, 60]),
    ] {
        assert_eq!(stops(bench, looped(bench, json!({"condition": condition}))), expected, "{condition}");
    }
    let second = json!({"condition": "product.MinOrder > 48", "hit_condition": "2"});
    assert_eq!(stops(bench, looped(bench, second)), [58]);
    let asks = json!({"condition": "product.Ask() && i == 57", "allow_side_effects": true});
    assert_eq!(stops(bench, looped(bench, asks)), [57]);
}

fn conditions_and_messages_change_nothing_unless_they_may(bench: &Bench) {
    const WHY: &str = "`product.Ask()` may have side effects: Product.set_Asked writes the static field Product.Asked";
    let condition = "i > 55 && product.Ask()";
    let mut client = bench.client();
    // nothing is known of the code yet: the first hit says it
    let breakpoints = json!([looped(bench, json!({"condition": condition}))]);
    let stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": breakpoints})));
    let note = format!(
        "the condition of breakpoint 1 could not be evaluated: {WHY}; breakpoint_set with allow_side_effects: true lets it run"
    );
    assert_eq!(stop["note"], note, "{stop}");
    let asked = |client: &mut Client| {
        let answer = client.ok("evaluate", json!({"expression": "i + \" \" + Product.Asked"}));
        answer["value"].as_str().unwrap().to_owned()
    };
    assert_eq!(asked(&mut client), "\"56 0\"");
    for (tool, more) in [
        ("breakpoint_set", json!({"condition": condition})),
        ("tracepoint_set", json!({"message": "x", "condition": condition})),
        ("tracepoint_set", json!({"message": "{i} {product.Ask()}"})),
    ] {
        let error = client.error("side_effects", tool, looped(bench, more));
        assert_eq!(error["message"], WHY);
        assert_eq!(error["hint"], format!("{tool} with allow_side_effects: true lets it run"));
    }
    client.ok("breakpoint_set", looped(bench, json!({"condition": condition, "allow_side_effects": true})));
    let stop = client.ok("debug_continue", json!({}));
    assert_eq!((&stop["note"], asked(&mut client)), (&Value::Null, "\"57 1\"".to_owned()), "{stop}");
    client.ok("breakpoint_remove", json!({"all": true}));
    // which `ToString` it is, only the object tells
    client.ok("tracepoint_set", looped(bench, json!({"message": "{other.ToString()}", "condition": "i == 58"})));
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Judged", "local")}));
    let stop = client.ok("debug_continue", json!({}));
    assert_eq!(stop["tracepoints"], json!([{"id": 2, "text": "Judged.Item"}]), "{stop}");
    let message = json!({"file": "Program.cs", "line": bench.line("Judged", "tested"), "message": "{product.Ask()}"});
    let mut allowed = message.clone();
    allowed["allow_side_effects"] = json!(true);
    client.error("side_effects", "tracepoint_set", message);
    client.ok("tracepoint_set", allowed);
    client.ok("breakpoint_set", json!({"file": "Ending.cs", "line": bench.line_in("Judged", "Ending.cs", "ending")}));
    let stop = client.ok("debug_continue", json!({}));
    assert_eq!(stop["tracepoints"], json!([{"id": 4, "text": "True"}]), "{stop}");
}

fn a_condition_that_throws_stops_and_says_what(bench: &Bench) {
    let mut client = bench.client();
    let broken = looped(bench, json!({"condition": "int.Parse(product.Name) == i"}));
    let stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [broken]})));
    let words = "the condition of breakpoint 1 could not be evaluated: System.FormatException: ";
    assert!(stop["note"].as_str().unwrap_or_default().starts_with(words), "{stop}");
}

fn a_condition_finds_its_variables_wherever_they_have_gone(bench: &Bench) {
    let line = bench.line_in("Judged", "Remembered.cs", "remembered");
    let mut client = at(bench, "tested");
    for (condition, expected) in [
        ("i == 3", "3"),
        ("cell.Count == 6", "6"),
        ("name == \"n9\"", "9"),
        ("cell.Label == \"n12\" && name.Length == 3", "12"),
        ("seen == 15", "15"),
        ("items.Length == 20", "20"),
        ("cell.Label.Length == 3 && cell.Count > 22", "23"),
        ("sort == Sort.Double", "31"),
        ("none != null", "33"),
        ("some is string", "35"),
        ("some is string { Length: 3 } && i > 36", "37"),
    ] {
        client.ok("breakpoint_remove", json!({"all": true}));
        let set = client.ok("breakpoint_set", json!({"file": "Remembered.cs", "line": line, "condition": condition}));
        assert_eq!(set["verified"], true, "{set}");
        let stop = client.ok("debug_continue", json!({}));
        assert_eq!((&stop["reason"], &stop["note"]), (&json!("breakpoint"), &Value::Null), "{condition}: {stop}");
        assert_eq!(client.ok("evaluate", json!({"expression": "i"}))["value"], expected, "{condition}");
    }
}

fn a_finally_is_no_call_of_its_method(bench: &Bench) {
    let breakpoint = json!({"file": "Ending.cs", "line": bench.line_in("Judged", "Ending.cs", "ending")});
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [breakpoint]})));
    let stop = client.ok("debug_continue", json!({}));
    assert_eq!(client.ok("evaluate", json!({"expression": "depth"}))["value"], "3", "{stop}");
    let stack = client.ok("stacktrace_get", json!({}));
    let functions: Vec<&str> =
        stack["frames"].as_array().unwrap().iter().map(|frame| frame["function"].as_str().unwrap()).collect();
    assert_eq!(functions, ["Ending.Act", "Ending.Act", "Ending.Run", "Program.Test", "Program.Main"], "{stack}");
}

fn a_condition_that_nobody_can_evaluate_says_so_once(bench: &Bench) {
    let mut client = bench.client();
    let broken = looped(bench, json!({"condition": "product.Nothing > 50"}));
    let stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": [broken]})));
    let words = "the condition of breakpoint 1 could not be evaluated: error CS1061: 'Product' does not contain a definition for \
                 'Nothing'";
    assert!(stop["note"].as_str().unwrap_or_default().starts_with(words), "{stop}");
    let again = client.ok("debug_continue", json!({}));
    assert_eq!(again["note"], "the condition of breakpoint 1 still cannot be evaluated");
}

fn a_name_that_exists_nowhere_is_refused_when_it_is_set(bench: &Bench) {
    let mut client = at(bench, "looped");
    let line = bench.line("Judged", "looped");
    let set = |more: Value| {
        let mut arguments = json!({"file": "Program.cs", "line": line});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    for condition in ["zork > 1", "product.Price > zork", "zork", "zork[0] == null"] {
        let refused = client.error("invalid_condition", "breakpoint_set", set(json!({"condition": condition})));
        let words = format!("condition `{condition}`: error CS0103: the name 'zork' does not exist; ");
        assert!(refused["message"].as_str().unwrap().starts_with(&words), "{refused}");
        assert!(refused["message"].as_str().unwrap().contains("product"), "{refused}");
    }
    for condition in ["product.Zork > 1", "product.Zork()", "Product.Zork == 1"] {
        let refused = client.error("invalid_condition", "breakpoint_set", set(json!({"condition": condition})));
        let words = "'Product' does not contain a definition for 'Zork'";
        assert!(refused["message"].as_str().unwrap().contains(words), "{refused}");
    }
    for (condition, type_name) in [("product.Name", "string"), ("product.MinOrder", "int?"), ("i", "int")] {
        let refused = client.error("invalid_condition", "breakpoint_set", set(json!({"condition": condition})));
        let words = format!("error CS0029: Cannot implicitly convert type '{type_name}' to 'bool'");
        assert!(refused["message"].as_str().unwrap().contains(&words), "{refused}");
    }
    let refused = client.error("invalid_argument", "tracepoint_set", set(json!({"message": "at {product.Zork}"})));
    assert!(refused["message"].as_str().unwrap().contains("CS1061"), "{refused}");
    let refused = client.error("invalid_argument", "tracepoint_set", set(json!({"message": "at {zork}"})));
    assert!(refused["message"].as_str().unwrap().contains("`{zork}`: error CS0103"), "{refused}");
    // what may have a meaning when it is met: of a type or a method nobody knows yet, an element that a pattern declares, a variable of
    // another block
    for condition in ["Zork.Level > 1", "zork() > 1", "product is { } zork && zork != null", "$exception != null"] {
        let set = client.ok("breakpoint_set", set(json!({"condition": condition})));
        client.ok("breakpoint_remove", json!({"id": set["id"]}));
    }
}

pub(super) fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Judged", marker)}]);
    client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": breakpoints})));
    client
}

fn operators_that_adapters_lack_are_computed(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("child == element", "true"),
        ("child != element", "false"),
        ("child == item", "false"),
        ("x == node", "false"),
        ("\"a\" + 1.5m", "\"a1.5\""),
        ("1.5m + \"a\" + price", "\"1.5a1.50\""),
        ("maybe * 2.5", "12.5"),
        ("maybe > 2.5", "true"),
        ("half * maybe", "2.5"),
        ("none > 2.5", "false"),
    ]);
    for (expression, type_name) in [("none * 2.5", "double?"), ("maybe + none", "int?"), ("none + 1L", "long?")] {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!((&answer["value"], &answer["type"]), (&json!("null"), &json!(type_name)), "{expression}");
    }
}

fn types_are_tested_and_cast_by_what_objects_are(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("x is Item", "true"),
        ("x is not Document", "false"),
        ("node is Item", "false"),
        ("maybe is int", "true"),
        ("none is int", "false"),
        ("keyed is System.Collections.IDictionary", "true"),
        ("item.Sort is Sort.Whole", "true"),
        ("x is Item ? 1 : 2", "1"),
        ("(node as Node).Left.Name", "\"leaf\""),
        ("((Node)node).Left.Name", "\"leaf\""),
        ("(x as Node)?.Left", "null"),
        ("(x as Node) == null", "true"),
        ("(x as Item).Sort == Sort.Null", "true"),
        ("(object)child == element", "true"),
    ]);
    for (expression, code, words) in [
        ("(x as Node).Left", "evaluation_failed", "` is null, so it has no `Left`"),
        ("((Node)x).Left", "evaluation_threw", "Unable to cast object of type 'Judged.Document' to type 'Judged.Node'"),
        ("x is T", "evaluation_failed", "`T` is a type parameter, and this debugger does not say"),
    ] {
        // the engine knows what it stands for
        if bench.adapter() == "builtin" && expression == "x is T" {
            assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], "true");
            continue;
        }
        let error = client.error(code, "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains(words), "{expression}: {error}");
    }
    client.gives(&[("((object)item.Sort).ToString()", "\"Whole\""), ("((Enum)item.Sort).ToString()", "\"Whole\"")]);
    // of an `Item` it is another property, which only a real cast reads
    let hidden = client.call("evaluate", json!({"expression": "((Item)item).Content"}));
    assert_eq!(hidden.ok()["value"], "3");
    if bench.adapter() != "builtin" {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": "((Item)x).Content"}));
        assert!(error["message"].as_str().unwrap().contains("whose `Content` is hidden by "), "{error}");
    }
}

fn variables_of_the_method_around_a_local_function_are_read(bench: &Bench) {
    let mut client = at(bench, "local");
    let listed = client.ok("variables_get", json!({}));
    let mut names: Vec<&str> =
        listed["variables"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["by", "given", "sum"]);
    client.gives(&[("sum", "1"), ("sum + by", "3"), ("given.ToString()", "\"3\""), ("Math.Max(sum, 3)", "3")]);
    client.error("evaluation_failed", "evaluate", json!({"expression": "label"}));
}

fn range_variables_of_queries_are_read_or_refused_as_what_they_are(bench: &Bench) {
    let mut client = at(bench, "query");
    if bench.adapter() == "dncdbg" {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": "part > 4"}));
        let words = "`part` is a range variable of the query, which this adapter cannot read";
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        return;
    }
    client.gives(&[("part", "2"), ("name", "\"n2\""), ("number + twice", "3"), ("part > 4", "false")]);
    let line = bench.line("Judged", "query");
    client.ok("breakpoint_remove", json!({"all": true}));
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": line, "condition": "part == 5"}));
    let stop = client.ok("debug_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["note"]), (&json!("breakpoint"), &Value::Null), "{stop}");
    client.gives(&[("part", "5"), ("number", "2")]);
}

fn queries_of_collections_are_answered_without_a_lambda(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("keyed.Any()", "true"),
        ("keyed.Count()", "1"),
        ("keyed.Keys.First()", "\"x\""),
        ("known[\"a\"]", "1"),
    ]);
    assert_eq!(client.ok("evaluate", json!({"expression": "keyed.First().Key"}))["value"], "\"x\"");
}

fn members_behind_a_conditional_access_are_called(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("maybe?.ToString()", "\"5\""),
        ("none?.ToString()", "null"),
        ("child?.ToString()", "\"Judged.Document\""),
    ]);
}

fn times_say_their_kind(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("local", "2026-03-04T05:06:07 Local"),
        ("utc", "2026-03-04T05:06:07Z"),
        ("bare", "2026-03-04T05:06:07"),
        ("offset", "2026-03-04T05:06:07+02:00"),
    ]);
}

fn a_property_hidden_from_debuggers_is_read_by_its_bare_name(bench: &Bench) {
    let mut client = at(bench, "document");
    client.gives(&[("IsDouble", "false"), ("this.IsDouble", "false"), ("!IsDouble && Seen == 2", "true")]);
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "IsTriple"}));
    assert!(error["message"].as_str().unwrap().contains("'IsTriple' does not exist"), "{error}");
}

/// The program has a comparer and a culture that count who asks them.
fn what_a_collection_compares_by_decides_whether_it_is_asked(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("keyed[\"x\"]", "1"),
        ("keyed.ContainsKey(\"y\")", "false"),
        ("cased[\"X\"]", "3"),
        ("sorted.ContainsKey(\"x\")", "true"),
        ("known.ContainsKey(\"a\")", "true"),
        ("utc.ToString(\"yyyy\")", "\"2026\""),
        ("\"a\" + half", "\"a0.5\""),
    ]);
    for refused in ["counting[\"x\"]", "counting.ContainsKey(\"x\")", "utc.ToString(almanac)"] {
        let error = client.error("side_effects", "evaluate", json!({"expression": refused}));
        assert!(error["message"].as_str().unwrap().contains("writes the static field Counting.Compared"), "{error}");
    }
}

fn what_runs_unseen_is_judged_too(bench: &Bench) {
    let mut client = at(bench, "tested");
    for expression in [
        "default(Marked).Number",
        "new Marked().Number",
        "Unseen.Kept.GetEnumerator().MoveNext()",
        "Unseen.Kept.Count()",
        "Unseen.Overloading.Take(1)",
        "Unseen.Hiding.Look()",
        "Unseen.Waited()",
        "Counted<string>.Rate",
    ] {
        // adapters call the method of that name that the object's own type has
        if expression.contains("Hiding") && bench.adapter() != "builtin" {
            continue;
        }
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        // adapters refuse some of them as what they cannot evaluate
        let code = answer["code"].as_str().unwrap_or_default();
        let is_refused = code == "side_effects" || bench.adapter() != "builtin" && code == "evaluation_failed";
        assert!(is_refused, "{expression}: {answer}");
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "Unseen.Marks"}))["value"], "0");
    if bench.adapter() == "builtin" {
        assert_eq!(client.ok("evaluate", json!({"expression": "Unseen.Shelf.Sum()"}))["value"], "6");
        // an initializer that has run is not run again, wherever on the way it is
        assert_eq!(client.ok("evaluate", json!({"expression": "Unseen.Rated()"}))["value"], "42");
        assert_eq!(client.ok("evaluate", json!({"expression": "Counted<int>.Rate"}))["value"], "42");
        // not what the compiler's machine writes to itself
        let loud = client.error("side_effects", "evaluate", json!({"expression": "Unseen.Loud().Sum()"}));
        assert!(loud["message"].as_str().unwrap().contains("the static field Unseen.Marks"), "{loud}");
    }
}

/// A class has the constructors that it declares, whatever its base can do.
fn constructors_and_static_methods_of_the_framework_are_judged_by_their_own_type(bench: &Bench) {
    let mut client = at(bench, "tested");
    let file = bench.folder().join("made");
    let written = file.to_string_lossy();
    for expression in [
        format!("new System.IO.StreamWriter(\"{written}\")"),
        format!("new System.IO.FileStream(\"{written}\", System.IO.FileMode.Create)"),
        format!("new System.IO.FileInfo(\"{written}\").Create()"),
        "new System.Threading.Mutex(true)".to_owned(),
        "System.Type.GetType(\"Nowhere.Type, Nowhere\")".to_owned(),
    ] {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        let code = answer["code"].as_str().unwrap_or_default();
        let is_refused = code == "side_effects" || bench.adapter() != "builtin" && code == "evaluation_failed";
        assert!(is_refused, "{expression}: {answer}");
    }
    assert!(!file.exists());
    if bench.adapter() == "builtin" {
        for (expression, value) in [
            ("new System.ArraySegment<int>(new[] { 1, 2, 3 }, 1, 2).Count", "2"),
            ("new System.Version(1, 2).Minor", "2"),
            ("new System.InvalidOperationException(\"why\").Message", "\"why\""),
        ] {
            assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
        }
    }
    // the object for a type that is there is no call of the author's
    let named = client.ok("evaluate", json!({"expression": "typeof(System.DayOfWeek).Name"}));
    assert_eq!(named["value"], "\"DayOfWeek\"");
}

/// dncdbg dies of it.
fn a_generic_struct_is_created_or_refused(bench: &Bench) {
    let mut client = at(bench, "tested");
    let pair = json!({"expression": "new System.Collections.Generic.KeyValuePair<int, int>(1, 2).Key"});
    let made = client.call("evaluate", pair).value;
    match bench.adapter() {
        "builtin" => assert_eq!(made["value"], "1", "{made}"),
        _ => assert_eq!(made["code"], "evaluation_failed", "{made}"),
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "1 + 1"}))["value"], "2");
}

fn what_nobody_can_call_is_no_question_of_side_effects(bench: &Bench) {
    let mut client = at(bench, "tested");
    let queries = [("keyed.Foo()", "'Dictionary<string, int>' does not contain a definition for 'Foo'")];
    let calls = [
        ("item.Foo()", "error CS1061: 'Item' does not contain a definition for 'Foo'; it has "),
        ("item.Equal(null)", "error CS1061: 'Item' does not contain a definition for 'Equal'; it has "),
        ("item.Seen()", "`Seen` is not a method: write it without `()`"),
        ("maybe()", "`maybe` is not a method: write it without `()`"),
        ("item[0]", "Item has no indexer"),
        ("item.Equals", "`item.Equals` is a method: call it, item.Equals(…)"),
    ];
    // the compiler's own words, and what the engine evaluates
    let of_csharp = [
        ("item.Foo()", "error CS1061: 'Item' does not contain a definition for 'Foo'"),
        ("item.Equal(null)", "error CS1061: 'Item' does not contain a definition for 'Equal'"),
        ("item.Seen()", "error CS1955: "),
        ("maybe()", "error CS1955: "),
        ("item[0]", "error CS0021: Cannot apply indexing with [] to an expression of type 'Item'"),
    ];
    let (calls, queries) = match bench.adapter() {
        "builtin" => (of_csharp.to_vec(), Vec::new()),
        _ => (calls.to_vec(), queries.to_vec()),
    };
    for (expression, words) in calls.into_iter().chain(queries) {
        for allow in [false, true] {
            let asked = json!({"expression": expression, "allow_side_effects": allow});
            let error = client.error("evaluation_failed", "evaluate", asked);
            let is_told = error["message"].as_str().unwrap().contains(words);
            // what is allowed to run is the adapter's to refuse
            assert!(is_told || allow, "{expression}: {error}");
        }
    }
    let makes = json!({"expression": "make(3).Name"});
    match bench.adapter() {
        // it sees what the delegate calls, which makes an object and no more
        "builtin" => assert_eq!(client.ok("evaluate", makes)["value"], "\"n3\""),
        _ => drop(client.error("side_effects", "evaluate", makes)),
    }
    let made = client.ok("evaluate", json!({"expression": "make(3).Name", "allow_side_effects": true}));
    assert_eq!(made["value"], "\"n3\"");
}

fn what_a_call_gives_is_read_further(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("guid.ToByteArray().Length", "16"),
        ("guid.ToByteArray().Length + 1", "17"),
        ("utc.ToString(\"yyyy\")[3]", "'6'"),
        ("utc.ToString(\"yyyy\").Length", "4"),
        ("((Node)node).Name[1]", "'o'"),
    ]);
    let enumerator = client.ok("evaluate", json!({"expression": "keyed.GetEnumerator()"}));
    assert_eq!(enumerator["type"], "Dictionary<string, int>.Enumerator");
    let asked = json!({"expression": "guid.ToByteArray().Length", "allow_side_effects": true});
    assert_eq!(client.ok("evaluate", asked)["value"], "16");
    // called again, it would be another one
    let asked = json!({"expression": "product.Tries().Length", "allow_side_effects": true});
    assert_eq!(client.ok("evaluate", asked)["value"], "1");
}

fn objects_are_compared_as_objects_or_not_at_all(bench: &Bench) {
    let mut client = at(bench, "tested");
    client.gives(&[
        ("(object)maybe == (object)maybe", "false"),
        ("(object)price != (object)price", "true"),
        ("(object)child == (object)element", "true"),
        ("(object)none == null", "true"),
        ("box == (object)5", "false"),
        ("box == box", "true"),
        ("box == text", "false"),
        ("(int)box == (int)twin", "true"),
        ("text == text", "true"),
        ("(string)text == (string)copy", "true"),
    ]);
    for (expression, value) in [("box == same", "true"), ("box == twin", "false"), ("box != twin", "true")] {
        let asked = json!({"expression": expression});
        if bench.adapter() == "builtin" {
            assert_eq!(client.ok("evaluate", asked)["value"], value, "{expression}");
            continue;
        }
        let error = client.error("evaluation_failed", "evaluate", asked);
        assert!(error["message"].as_str().unwrap().contains("compares references here"), "{expression}: {error}");
    }
    if bench.adapter() == "builtin" {
        // as C# compares an object with a string
        assert_eq!(client.ok("evaluate", json!({"expression": "text == copy"}))["value"], "false");
        return;
    }
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "text == copy"}));
    assert!(
        error["message"].as_str().unwrap().ends_with("(string)text == (string)copy compares the strings"),
        "{error}"
    );
}

fn a_condition_on_what_gives_nothing_is_refused_when_it_is_set(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Assigned", &[], json!({"stop_at_entry": true})));
    for condition in ["pair.Look(holder) == null", "null != GC.Collect()"] {
        let line = bench.line("Assigned", "assigned");
        let wanted = json!({"file": "Program.cs", "line": line, "condition": condition, "allow_side_effects": true});
        let error = client.error("invalid_condition", "breakpoint_set", wanted);
        assert!(error["message"].as_str().unwrap().contains("error CS0019"), "{error}");
    }
}

fn code_is_judged_by_what_it_is_called_with(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Judged", "looped")}]);
    client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [
        ("Guarded.Index(3)", "3"),
        ("Guarded.Text(\" a \")", "\"a\""),
        ("3.In(1, 2, 3)", "true"),
        ("\"b\".In(\"a\")", "false"),
        ("Guarded.Greets.Greeting", "\"hello nat\""),
        // of all shapes only one calls itself, on another shape
        ("Guarded.Leaf.Level", "2"),
        ("Guarded.Nest.Level", "3"),
        ("EqualityComparer<string>.Default.Equals(\"a\", \"b\")", "false"),
        ("FormattableString.Invariant($\"{1.5:F2} {Guarded.Leaf.Depth}\")", "\"1.50 1\""),
        ("string.Format(\"{0} {1} {2} {3}\", 1, 'c', \"x\", 2m)", "\"1 c x 2\""),
        ("CultureInfo.InvariantCulture.TextInfo.ListSeparator", "\",\""),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    for (expression, why) in [
        ("Guarded.Greets.Loud()", "writes the static field Guarded.Marks"),
        ("Guarded.Tallied.In(Guarded.Tallied)", "writes the static field Guarded.Marks"),
        // the code of the one object that it holds, and not that of any such object
        ("Guarded.Honks.Play()", "Horn.Loudness writes the static field Guarded.Marks"),
        ("Guarded.Rung.Play()", "Bell.Loudness writes the static field Guarded.Rings"),
        ("string.Format(\"{0}{1}{2}{3}\", 1, 2, 3, new Item(Sort.Null, \"x\"))", "may have side effects"),
    ] {
        let error = client.error("side_effects", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains(why), "{expression}: {error}");
    }
}
