//! What the framework's methods call of a program's objects although no call names it runs only where it may.

use serde_json::json;

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    what_the_framework_calls_unseen_is_judged, "builtin";
    queries_run_only_what_is_known_to_change_nothing, "builtin";
}

/// `tests/fixtures/Queried`: what leaves a mark is refused, and leaves none.
fn queries_run_only_what_is_known_to_change_nothing(bench: &Bench) {
    let mut client = bench.client();
    let places = ["queried", "dated", "compared"]
        .map(|place| json!({"file": "Program.cs", "line": bench.line("Queried", place)}));
    client.ok("debug_launch", bench.launch("Queried", &[], json!({"breakpoints": places})));
    let refused = |client: &mut Client, expressions: &[&str]| {
        for expression in expressions {
            client.error("side_effects", "evaluate", json!({"expression": expression}));
        }
        client.ok("variables_get", json!({"depth": 2}));
        assert_eq!(client.ok("evaluate", json!({"expression": "Marks.Count"}))["value"], "0");
    };
    let answered = |client: &mut Client, expected: &[(&str, &str)]| {
        for (expression, value) in expected {
            assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], *value, "{expression}");
        }
    };
    let queries = ["mapped.First()", "filtered.Count()", "ordered.ToList()", "grouped.Count()", "Marks.Walk(mapped)"];
    refused(&mut client, &queries);
    answered(
        &mut client,
        &[
            ("quiet.Sum()", "6"),
            ("repeated.Count()", "2"),
            ("keys.First()", "\"a\""),
            ("groups[0].Sum()", "4"),
            ("texts.First()", "\"a\""),
            ("times.Year", "2020"),
            ("times.ToString(\"yyyy\")", "\"2020\""),
            ("\"a\".CompareTo(\"b\")", "-1"),
            ("new SortedSet<string> { \"b\", \"a\" }.Min", "\"a\""),
        ],
    );
    refused(&mut client, &["times.ToString(\"yyyy\", calendar)"]);
    client.ok("debug_continue", json!({}));
    refused(&mut client, &["times.ToString(\"yyyy\")", "$\"{times}\""]);
    client.ok("debug_continue", json!({}));
    let compared = [
        "\"a\".CompareTo(\"b\")",
        "\"a\".StartsWith(\"b\")",
        "string.Compare(\"a\", \"b\")",
        "texts.First()",
        "Marks.Least(new SortedSet<string> { \"b\", \"a\" })",
    ];
    refused(&mut client, &compared);
    answered(
        &mut client,
        &[
            ("\"a\" + \"b\"", "\"ab\""),
            ("\"abc\".Contains(\"b\")", "true"),
            ("\"abc\".IndexOf('b')", "1"),
            ("kept[\"a\"]", "1"),
        ],
    );
}

/// `tests/fixtures/Hooked`: each of its spies leaves a mark.
fn what_the_framework_calls_unseen_is_judged(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Hooked", "hooked")}]);
    client.ok("debug_launch", bench.launch("Hooked", &[], json!({"breakpoints": breakpoints})));
    for expression in [
        "texts.Hashed",
        "texts._attribute.GetHashCode()",
        "texts._attribute.Equals(texts._attribute)",
        "texts.Named",
        "texts._sited.ToString()",
        "$\"{texts._sited}\"",
        "texts._settings.ToString()",
        "texts._encoding.GetString(new byte[] { 65 })",
        "texts._table.ContainsKey(\"a\")",
        "texts._element.ToString()",
        "\"\" + texts._element",
        "texts._around.Name",
        "typeof(object).IsAssignableFrom(texts._around)",
        "texts._keys.Contains(\"a\")",
        "string.Format(texts._provider, \"{0}\", 1)",
        "texts._object.ToString()",
        "texts._node.GetValueKind()",
        "texts._constant.ToString()",
        "sequences.Contained",
        "sequences.Sorted",
        "sequences.Greatest",
        "sequences.Distinct",
        "sequences.InObjects",
        "sequences._objects.Contains(\"a\")",
        "views.Counted",
        "views._view.Count",
    ] {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
    for path in ["views", "views._view", "texts", "sequences"] {
        client.ok("object_inspect", json!({"path": path}));
    }
    client.ok("variables_get", json!({"depth": 3}));
    for (expression, value) in [
        ("pure.Compared", "true"),
        ("pure._attribute.GetHashCode() == pure._attribute.GetHashCode()", "true"),
        ("pure.Keyed", "\"a\""),
        ("pure._keys[\"a\"]", "\"a\""),
        ("pure._keys.Count", "1"),
        ("pure.Counting", "2"),
        ("pure.Upper(\"b\")", "\"B-1\""),
        ("pure._numbers.Count", "2"),
        ("texts._sited.GetType().Name", "\"Sited\""),
        ("texts._element.Name.LocalName", "\"a\""),
        ("Spy.Marks", "0"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}
