//! Values of the framework's types: what a stop report shows is what the program itself says of them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    values_of_the_framework_are_shown_by_their_fields;
    own_types_are_shown_as_their_author_wants_and_missing_names_are_explained;
    delegates_name_their_handlers_and_targets;
    types_are_shown_as_typeof_takes_them;
    trees_of_expressions_are_read_by_their_parts, "builtin";
    nullables_are_read_as_what_they_hold;
    captured_parameters_are_members;
    a_lazy_value_that_is_listed_stays_unmade;
    what_takes_the_locks_of_a_concurrent_collection_is_not_run;
    immutable_collections_are_gone_through_without_leave;
    what_an_object_already_has_is_read_without_leave;
    values_of_the_framework_open_as_what_people_know_of_them;
}

/// Methods of the fixture, by the marker of the line where each stops.
const STOPS: [&str; 20] = [
    "times",
    "nullables",
    "numbers",
    "texts",
    "network",
    "tuples",
    "tasks",
    "waiting",
    "exceptions",
    "buffers",
    "lists",
    "sorted",
    "hashed",
    "concurrent",
    "immutableLists",
    "immutableMaps",
    "frozen",
    "delegates",
    "own",
    "documents",
];

fn dll(bench: &Bench, framework: &str) -> String {
    bench.fixture("Summaries").join(format!("bin/Debug/{framework}/Summaries.dll")).display().to_string()
}

/// What the program says when nobody looks: `Method.name` and how its value is shown.
fn truth(bench: &Bench, framework: &str) -> HashMap<String, String> {
    let output = bench.dotnet().arg(dll(bench, framework)).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_once('\t')).map(|(name, value)| (name.into(), value.into())).collect()
}

fn at_stops(bench: &Bench, framework: &str, stops: &[&str]) -> (Client, Value) {
    let mut client = bench.client();
    let breakpoints: Vec<Value> =
        stops.iter().map(|stop| json!({"file": "Program.cs", "line": bench.line("Summaries", stop)})).collect();
    let program = dll(bench, framework);
    let stop = client
        .ok("debug_launch", bench.launch("Summaries", &[], json!({"program": program, "breakpoints": breakpoints})));
    (client, stop)
}

/// What a report has for all its values: on a busy machine some are left unread.
const REPORT: Duration = Duration::from_secs(5);

/// A value that is cut says so, and begins as the whole does; of a native integer the lower half is what is left.
fn is_shown(shown: &str, truth: &str) -> bool {
    match shown.split_once('…') {
        Some(("0x", low)) => truth.parse() == Ok(i64::from_str_radix(low, 16).unwrap()),
        Some((beginning, _)) => truth.starts_with(beginning.trim_end_matches(", ")),
        None => shown == truth,
    }
}

fn values_of_the_framework_are_shown_by_their_fields(bench: &Bench) {
    for (framework, major) in [("net8.0", "8."), ("net10.0", "10.")] {
        if !bench.has_runtime(major) {
            continue;
        }
        let truth = truth(bench, framework);
        let mut began = Instant::now();
        let (mut client, mut stop) = at_stops(bench, framework, &STOPS);
        let (mut compared, mut wrong) = (0, Vec::new());
        for marker in STOPS {
            assert_eq!(stop["outcome"], "stopped", "{framework} {marker}: {stop}");
            let has_had_time = began.elapsed() < REPORT;
            let method = stop["location"]["function"].as_str().unwrap().replace("Program.", "");
            for local in stop["locals"].as_array().unwrap() {
                let name = format!("{method}.{}", local["name"].as_str().unwrap());
                let Some(expected) = truth.get(&name) else { continue };
                compared += 1;
                // a nullable struct is read by a call, which a stop report does not make
                let is_nullable = local["type"].as_str().is_some_and(|it| it.ends_with('?'));
                let is_closed = local["value"] == "{…}" && (is_nullable || !has_had_time);
                let asked = is_closed.then(|| client.ok("evaluate", json!({"expression": local["name"]})));
                let shown = asked.as_ref().unwrap_or(local)["value"].as_str().unwrap_or_default();
                if !is_shown(shown, expected) {
                    wrong.push(format!("{name}: {shown}, not {expected}"));
                }
            }
            began = Instant::now();
            stop = client.ok("debug_continue", json!({"timeout_ms": 60_000}));
        }
        assert_eq!(stop["outcome"], "exited", "{stop}");
        assert!(wrong.is_empty(), "{framework}:\n{}", wrong.join("\n"));
        assert_eq!(compared, truth.len(), "{framework}: every value that the program names is a local of a report");
    }
}

fn local<'a>(stop: &'a Value, name: &str) -> &'a Value {
    let locals = stop["locals"].as_array().unwrap();
    locals.iter().find(|local| local["name"] == name).unwrap_or_else(|| panic!("no {name} in {stop}"))
}

/// The message with which an evaluation fails.
fn refusal(client: &mut Client, expression: &str) -> String {
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
    error["message"].as_str().unwrap().to_owned()
}

fn own_types_are_shown_as_their_author_wants_and_missing_names_are_explained(bench: &Bench) {
    let (mut client, stop) = at_stops(bench, bench.framework(), &["own"]);
    for (name, shown) in [
        // its DebuggerDisplay calls a method
        ("account", "{Owner=\"Ada\", Balance=12.5m}"),
        ("machine", "{mill at 30 (1, 2)}"),
        ("crate", "{\"nails\" x 3 \"nails\"}"),
        ("node", "{Name=\"a\", Next=Node}"),
        ("derived", "{Capacity=2, _inherited=11, _shadowed=12, Nothing=null, +3 more}"),
    ] {
        assert_eq!(local(&stop, name)["value"], shown, "{name}");
    }
    for (expression, value) in [("derived._inherited", "11"), ("derived.Sum", "23"), ("node.Next.Name", "\"b\"")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    assert_eq!(refusal(&mut client, "derived.Nothing.Name"), "`derived.Nothing` is null, so it has no `Name`");
    assert_eq!(
        refusal(&mut client, "derived.Nothing.Name.Length + 1"),
        "`derived.Nothing` is null, so it has no `Name`"
    );
    for (expression, words) in [
        ("node.Next.Nxt", "error CS1061: 'Node' does not contain a definition for 'Nxt'; did you mean Next?"),
        (
            "account.Zebra",
            "error CS1061: 'Account' does not contain a definition for 'Zebra'; it has Owner, Balance, Missing",
        ),
    ] {
        assert_eq!(refusal(&mut client, expression), words);
    }
    assert!(refusal(&mut client, "machin").contains("did you mean machine? In scope: "));
    // how the framework is made inside is no suggestion
    if bench.adapter() == "builtin" {
        assert_eq!(
            refusal(&mut client, "1.Nope"),
            "error CS1061: 'int' does not contain a definition for 'Nope'; it has CompareTo, Equals, GetHashCode, ToString, TryFormat, GetTypeCode"
        );
        assert_eq!(
            refusal(&mut client, "derived.Nothing ?? throw new InvalidOperationException(\"no \" + account.Owner)"),
            "the expression throws System.InvalidOperationException: no Ada"
        );
    }
}

fn delegates_name_their_handlers_and_targets(bench: &Bench) {
    let (mut client, stop) = at_stops(bench, bench.framework(), &["delegates"]);
    let (one, lambda) = match bench.adapter() {
        "builtin" => ("Launcher.Fire", "Program.Delegates lambda"),
        // the name of a method is computed by the runtime, which a stop report does not ask
        _ => ("{Target=Launcher}", "{Target=Program lambda}"),
    };
    assert_eq!(local(&stop, "one")["value"], one);
    assert_eq!(local(&stop, "lambda")["value"], lambda);
    assert_eq!(local(&stop, "several")["count"], 3);
    assert_eq!(client.ok("evaluate", json!({"expression": "one"}))["value"], "Launcher.Fire");
    let several = client.ok("variables_get", json!({"path": "several"}));
    assert_has(
        &several,
        json!({"type": "Action", "count": 3, "variables": [
            {"name": "[0]", "type": "Launcher", "path": "several._invocationList[0]"},
            {"name": "[1]", "type": null, "value": "Program.Stop"},
            {"name": "[2]", "type": "Program lambda", "value": "Program.Delegates lambda"},
        ]}),
    );
    // which launcher
    let value = several["variables"][0]["value"].as_str().unwrap();
    assert!(value.starts_with("Launcher.Fire {"), "{several}");
    // the compiler hides the field of an event, whose handlers are on pages as elements are
    let launcher = client.ok("variables_get", json!({"path": "launcher"}));
    let names: Vec<_> = launcher["variables"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert!(names.contains(&json!("Fired")), "{launcher}");
    let page = client.ok("variables_get", json!({"path": "launcher.Fired", "start": 1, "count": 2}));
    assert_has(&page, json!({"count": 4, "next_start": 3, "variables": [{"name": "[1]"}, {"name": "[2]"}]}));
    assert_eq!(page["variables"].as_array().unwrap().len(), 2, "{page}");
    let captured = client.ok("evaluate", json!({"expression": "several._invocationList[2]._target.captured"}));
    assert_eq!(captured["value"], "5");
}

fn types_are_shown_as_typeof_takes_them(bench: &Bench) {
    let (mut client, stop) = at_stops(bench, bench.framework(), &["texts"]);
    let dictionary = "typeof(System.Collections.Generic.Dictionary<string, Summaries.Point>)";
    if bench.adapter() == "builtin" {
        assert_eq!(local(&stop, "type")["value"], dictionary, "{stop}");
    }
    for (expression, value) in
        [("type", dictionary), ("simple", "typeof(int)"), ("open", "typeof(System.Collections.Generic.Dictionary<,>)")]
    {
        let asked = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(asked["value"], value, "{expression}");
    }
}

fn trees_of_expressions_are_read_by_their_parts(bench: &Bench) {
    let (mut client, _) = at_stops(bench, bench.framework(), &["delegates"]);
    for (expression, value) in [
        ("rich", "{NodeType=Lambda, Type=typeof(System.Func<Summaries.Account, bool>)}"),
        ("rich.Body.NodeType", "GreaterThan"),
        ("rich.Parameters[0].Name", "\"account\""),
        ("((BinaryExpression)rich.Body).Left is MemberExpression { Member.Name: \"Balance\" }", "true"),
        ("((MemberExpression)((BinaryExpression)rich.Body).Left).Member", "Account.Balance"),
        ("balance", "Account.Balance"),
        ("balance == typeof(Account).GetProperty(\"Owner\")", "false"),
    ] {
        let asked = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(asked["value"], value, "{expression}");
    }
    client.error("side_effects", "evaluate", json!({"expression": "rich.ToString()"}));
}

fn nullables_are_read_as_what_they_hold(bench: &Bench) {
    let (mut client, stop) = at_stops(bench, bench.framework(), &["nullables"]);
    if bench.adapter() == "builtin" {
        assert_eq!(local(&stop, "some")["value"], "2024-02-29T12:30:00Z");
    }
    for (expression, value) in [
        ("some.Value", "2024-02-29T12:30:00Z"),
        ("some.HasValue", "true"),
        ("none.HasValue", "false"),
        ("point.Value.Y", "2"),
        ("money.Value", "2.5m"),
        ("pair.Value.Key", "\"a\""),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let threw = client.error("evaluation_threw", "evaluate", json!({"expression": "none.Value"}));
    assert_eq!(threw["message"], "System.InvalidOperationException: Nullable object must have a value.");
    // what C# lifts is not compared by address
    assert_eq!(client.ok("evaluate", json!({"expression": "some == some"}))["value"], "true");
    assert_eq!(client.ok("evaluate", json!({"expression": "some == none"}))["value"], "false");
}

fn captured_parameters_are_members(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Types.cs", "text": "Console.WriteLine($"}]);
    let program = dll(bench, bench.framework());
    let stop = client
        .ok("debug_launch", bench.launch("Summaries", &[], json!({"program": program, "breakpoints": breakpoints})));
    if bench.is_netcoredbg() {
        // it hides their fields, and no expression can name them
        assert!(refusal(&mut client, "name").contains("captured parameter of the primary constructor"));
        assert!(refusal(&mut client, "this.count").contains("captured parameter of the primary constructor"));
    } else {
        assert_eq!(local(&stop, "this")["value"], "{count=3, Title=\"rocket\", Fired=Action}");
        for expression in ["name", "this.name"] {
            assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], "\"rocket\"", "{expression}");
        }
    }
    // a getter may load one that the adapter does not show
    for expression in ["Title", "this.Title", "Title.Length + this.Title[..6].Length"] {
        let value = if expression.contains('+') { "12" } else { "\"rocket\"" };
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let listed = client.ok("variables_get", json!({"path": "this"}));
    let named = |name| listed["variables"].as_array().unwrap().iter().filter(|it| it["name"] == name).count();
    assert_eq!((named("name"), named("count")), (1, 1), "{listed}");
}

fn a_lazy_value_that_is_listed_stays_unmade(bench: &Bench) {
    let (mut client, _) = at_stops(bench, bench.framework(), &["tasks"]);
    let listed = client.ok("variables_get", json!({"path": "lazy"}));
    assert_eq!(listed["variables"], json!([{"name": "IsValueCreated", "value": "false"}]), "{listed}");
    assert_eq!(client.ok("evaluate", json!({"expression": "lazy.IsValueCreated"}))["value"], "false");
}

fn what_takes_the_locks_of_a_concurrent_collection_is_not_run(bench: &Bench) {
    let (mut client, _) = at_stops(bench, bench.framework(), &["concurrent"]);
    for (expression, value) in [
        ("dictionary.Count", "3"),
        ("empty.Count > 0", "false"),
        ("queue.Count + stack.Count", "5"),
        ("bag.Count", "2"),
        ("blocking.Count", "2"),
        ("dictionary[2]", "\"two\""),
        ("dictionary.ContainsKey(3)", "true"),
        ("queue.IsEmpty", "false"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    // read from the dictionary's fields
    if bench.adapter() == "builtin" {
        for (expression, value) in [("dictionary.Keys.Sum()", "6"), ("dictionary.Values.First()", "\"one\"")] {
            assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
        }
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "empty.IsEmpty"}))["value"], "true");
    client.error("side_effects", "evaluate", json!({"expression": "bag.IsEmpty"}));
}

/// Not by private fields; these are counted.
fn values_of_the_framework_open_as_what_people_know_of_them(bench: &Bench) {
    let members = |stop: &str, path: &str| -> Vec<(String, Value)> {
        let (mut client, _) = at_stops(bench, bench.framework(), &[stop]);
        let read = client.ok("variables_get", json!({"path": path}));
        assert!(read["hidden"].as_u64().unwrap() > 0, "{read}");
        let all = read["variables"].as_array().unwrap().iter();
        all.map(|it| (it["name"].as_str().unwrap().to_owned(), it["value"].clone())).collect()
    };
    let known = |name: &str, value: &str| (name.to_owned(), json!(value));
    let done = [known("Status", "RanToCompletion"), known("Result", "42")];
    assert_eq!(members("tasks", "done"), done);
    // an adapter that asks for the data makes it
    let own: Vec<_> = members("exceptions", "own").into_iter().filter(|(name, _)| name != "Data").collect();
    let expected = [
        known("Message", "\"lost\""),
        known("InnerException", "null"),
        known("StackTrace", "null"),
        known("HResult", "-2146233088"),
        known("Code", "7"),
    ];
    assert_eq!(own, expected);
    let day = members("times", "utc");
    let named = |name: &str| day.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    assert!(named("Year").is_some() && named("Kind").is_some() && named("_dateData").is_none(), "{day:?}");
}

/// A `Lazy` that has its value, and the text of exceptions that only the framework puts together.
fn what_an_object_already_has_is_read_without_leave(bench: &Bench) {
    let (mut client, _) = at_stops(bench, bench.framework(), &["tasks"]);
    for (expression, value) in [("forced.Value", "\"made\""), ("known.Value", "\"known\"")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    client.error("side_effects", "evaluate", json!({"expression": "lazy.Value"}));
    assert_eq!(client.ok("evaluate", json!({"expression": "lazy.IsValueCreated"}))["value"], "false");
    let (mut client, _) = at_stops(bench, bench.framework(), &["exceptions"]);
    for (expression, value) in [
        ("simple.ToString()", "\"System.InvalidOperationException: no order\""),
        ("own.ToString()", "\"Summaries.OrderException: lost\""),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let text = client.ok("evaluate", json!({"expression": "inner.ToString()"}))["value"].clone();
    assert!(text.as_str().unwrap().contains("System.ArgumentNullException"), "{text}");
    // that has the texts of all its parts, which may be the program's
    client.error("side_effects", "evaluate", json!({"expression": "many.ToString()"}));
    // other adapters hold no result of a call that is not known to be pure by its code alone
    if bench.adapter() == "builtin" {
        assert_eq!(client.ok("evaluate", json!({"expression": "many.InnerExceptions.Count"}))["value"], "2");
    }
}

fn immutable_collections_are_gone_through_without_leave(bench: &Bench) {
    let (mut client, _) = at_stops(bench, bench.framework(), &["immutableLists"]);
    for (expression, value) in [("list.Max()", "\"e\""), ("list.Count(it => it != \"a\")", "4"), ("hashed.Sum()", "24")]
    {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}
