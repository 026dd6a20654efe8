//! Values of many shapes, shown and set.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    values_are_csharp_in_one_list;
    a_page_of_a_string_is_asked_for_otherwise;
    members_elements_and_pages_by_path;
    variables_are_set_and_read_back;
    a_stop_report_runs_no_code_of_the_program;
    threads_are_grouped_by_where_they_are;
    deep_stacks_come_page_by_page;
}

fn at_values(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Collections", "values")}]);
    client.ok("debug_launch", bench.launch("Collections", &[], json!({"breakpoints": breakpoints})));
    client
}

fn values_are_csharp_in_one_list(bench: &Bench) {
    let mut client = at_values(bench);
    let all = client.ok("variables_get", json!({}));
    let list = all["variables"].as_array().unwrap();
    for (name, expected) in [
        ("numbers", json!({"type": "int[]", "count": 3, "value": "[1, 2, 3]"})),
        ("grid", json!({"type": "int[2, 3]", "count": 6, "value": "[1, 2, 3, 4, 5, 6]"})),
        ("jagged", json!({"type": "int[][]", "count": 3, "value": "[int[](1), int[](2), int[](0)]"})),
        ("bytes", json!({"type": "byte[]", "count": 4, "value": "[0, 1, 127, 255]"})),
        ("names", json!({"type": "List<string>", "count": 3, "value": "[\"ada\", \"grace\", \"linus\"]"})),
        ("ages", json!({"type": "Dictionary<string, int>", "count": 2, "value": "[[\"ada\"]=36, [\"grace\"]=85]"})),
        ("set", json!({"type": "HashSet<int>", "count": 3, "value": "[3, 1, 2]"})),
        ("pair", json!({"type": "(int Id, string Text)", "value": "(Id: 1, Text: \"one\")"})),
        ("point", json!({"type": "Point", "value": "{X=3, Y=4, +1 more}"})),
        ("person", json!({"type": "Person", "value": "{Name=\"Ada\", Age=36}"})),
        ("colour", json!({"type": "Colour", "value": "Blue"})),
        ("access", json!({"type": "Access", "value": "Read | Write"})),
        ("some", json!({"type": "int?", "value": "5"})),
        ("none", json!({"type": "int?", "value": "null"})),
        ("nothing", json!({"type": "string", "value": "null"})),
        ("plain", json!({"type": null, "value": "\"plain\""})),
        ("quoted", json!({"value": "\"a \\\"quoted\\\" text with \\\\ and \\t and \\n\""})),
        ("unicode", json!({"value": "\"naïve – 日本語 – 😀\""})),
        ("large", json!({"length": 100_000})),
        ("letter", json!({"value": "'é'"})),
        ("money", json!({"value": "12345.6789m"})),
        ("ratio", json!({"value": "0.1"})),
        ("day", json!({"type": "DateTime", "value": "2024-02-29T12:30:00Z"})),
        ("span", json!({"type": "TimeSpan", "value": "01:30:00"})),
        ("guid", json!({"type": "Guid", "value": "00112233-4455-6677-8899-aabbccddeeff"})),
        ("boxed", json!({"type": "object", "value": "7"})),
    ] {
        let found = list.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name} in {all}"));
        assert_has(found, expected);
    }
}

fn a_page_of_a_string_is_asked_for_otherwise(bench: &Bench) {
    let mut client = at_values(bench);
    let paged = client.ok("variables_get", json!({"path": "large", "start": 50_000, "count": 10}));
    assert!(paged["note"].as_str().unwrap().contains("Substring(start, length)"), "{paged}");
    assert_eq!(client.ok("variables_get", json!({"path": "large"}))["note"], json!(null));
}

fn members_elements_and_pages_by_path(bench: &Bench) {
    let mut client = at_values(bench);
    let first = client.ok("variables_get", json!({"path": "first", "depth": 2}));
    let member = |list: &Value, name: &str| -> Value {
        list.as_array()
            .unwrap()
            .iter()
            .find(|it| it["name"] == name)
            .unwrap_or_else(|| panic!("no {name} in {list}"))
            .clone()
    };
    let broken = member(&first["variables"], "Broken");
    assert_has(&broken, json!({"value": null, "error": "NotSupportedException: this property always throws"}));
    assert_has(
        &member(&first["variables"], "Created"),
        json!({"static": true, "path": "Collections.Node.Created", "value": "0"}),
    );
    let page = client.ok("variables_get", json!({"path": "many", "start": 5000, "count": 3}));
    assert_has(
        &page,
        json!({"type": "int[]", "count": 10_000, "start": 5000, "elements": ["5000", "5001", "5002"], "next_start": 5003}),
    );
    let ages = client.ok("variables_get", json!({"path": "ages"}));
    assert_has(
        &ages,
        json!({"count": 2, "variables": [{"name": "[\"ada\"]", "value": "36"}, {"name": "[\"grace\"]", "value": "85"}]}),
    );
    for (path, value) in
        [("ages[\"ada\"]", "36"), ("names[1]", "\"grace\""), ("first.Next.Name", "\"second\""), ("grid[1, 2]", "6")]
    {
        let found = client.ok("evaluate", json!({"expression": path}));
        assert_eq!(found["value"], value, "{path}");
    }
    let many = client.ok("object_inspect", json!({"path": "many"}));
    assert_has(&many, json!({"count": 10_000, "elements": ["0", "1", "2", "3", "4"]}));
    if bench.is_netcoredbg() {
        // dncdbg gives elements one by one: too slow to sum up ten thousand.
        assert_has(&many, json!({"min": "0", "max": "9999", "mean": "4999.5"}));
    }
    client.error("variable_not_found", "variables_get", json!({"path": "nowhere"}));
}

fn variables_are_set_and_read_back(bench: &Bench) {
    let mut client = at_values(bench);
    for (path, value, expected) in [
        ("numbers[0]", "41", "41"),
        ("plain", "\"é x\"", "\"é x\""),
        ("money", "9.75m", "9.75m"),
        ("ratio", "2", "2.0"),
        ("letter", "'x'", "'x'"),
        ("point.X", "12", "12"),
        ("some", "9", "9"),
    ] {
        let set = client.ok("variable_set", json!({"path": path, "value": value}));
        assert_has(&set, json!({"path": path, "value": expected}));
        assert_eq!(client.ok("evaluate", json!({"expression": path}))["value"], expected, "{path}");
    }
    client.error("not_assignable", "variable_set", json!({"path": "first.Hidden", "value": "1"}));
}

fn a_stop_report_runs_no_code_of_the_program(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Traps", "traps")}]);
    let stop = client.ok("debug_launch", bench.launch("Traps", &[], json!({"breakpoints": breakpoints})));
    let trap = stop["locals"].as_array().unwrap().iter().find(|it| it["name"] == "trap").unwrap();
    assert_eq!(trap["value"], "{Safe=1, _looks=0, +4 more}");
    assert_eq!(
        client.ok("evaluate", json!({"expression": "trap.Looks", "allow_side_effects": true}))["value"],
        "1",
        "nobody looked before"
    );
}

fn threads_are_grouped_by_where_they_are(bench: &Bench) {
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Threads", &["wait", "12"], json!({"ready_when": "^ready "})));
    client.ok("debug_pause", json!({}));
    let list = client.ok("threads_list", json!({}));
    let waiting = list["threads"].as_array().unwrap().iter().find(|group| group["ids"].as_array().unwrap().len() >= 12);
    let waiting = waiting.unwrap_or_else(|| panic!("no group of 12 in {list}"));
    assert_has(waiting, json!({"function": "Program.Wait", "kind": "lambda"}));
    assert!(waiting["names"].to_string().contains("waiter 11"), "{waiting}");
}

fn deep_stacks_come_page_by_page(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Recursion", "bottom")}]);
    client.ok("debug_launch", bench.launch("Recursion", &["5000"], json!({"breakpoints": breakpoints})));
    let top = client.ok("stacktrace_get", json!({"max_frames": 10}));
    assert_eq!(top["frames"].as_array().unwrap().len(), 10, "{top}");
    let later = client.ok("stacktrace_get", json!({"start_frame": 100, "max_frames": 5}));
    assert_eq!(later["frames"][0]["frame"], 100, "{later}");
    assert_eq!(client.ok("evaluate", json!({"expression": "left", "frame": 7}))["value"], "7");
    client.error("invalid_frame", "evaluate", json!({"expression": "left", "frame": 900_000}));
}
