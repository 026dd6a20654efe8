//! Values that are shown for what they are: getters that throw, all digits, all characters, names of tuples.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    a_getter_that_throws_is_an_error_wherever_it_is_listed;
    fields_are_read_before_properties_that_take_all_the_time, "builtin";
    a_stop_report_has_all_digits_and_characters;
    elements_of_tuples_have_the_names_of_the_source;
    types_and_values_of_tuples_name_their_elements;
    a_condition_may_name_an_element_of_a_tuple;
    objects_of_one_class_are_each_shown_as_what_they_stand_for;
    an_element_that_is_another_type_has_changed, "builtin";
    a_member_with_the_name_of_its_type_means_both, "builtin";
}

/// The stop at a marker of the fixture.
fn at(bench: &Bench, marker: &str) -> (Client, Value) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Shown", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Shown", &[], json!({"breakpoints": breakpoints})));
    (client, stop)
}

/// The one of a list that has the name.
#[track_caller]
fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let found = list.as_array().and_then(|list| list.iter().find(|it| it["name"] == name));
    found.unwrap_or_else(|| panic!("no {name}: {list}"))
}

fn a_getter_that_throws_is_an_error_wherever_it_is_listed(bench: &Bench) {
    let (mut client, _) = at(bench, "shown");
    let broken = "InvalidOperationException: no name of 3";
    for (tool, depth) in [("variables_get", 1), ("object_inspect", 2)] {
        let members = &client.ok(tool, json!({"path": "mixed"}))["variables"];
        assert_eq!(named(members, "Broken")["error"], broken, "{members}");
        let none = named(members, "None")["error"].as_str().unwrap();
        assert!(none.starts_with("NullReferenceException: "), "{members}");
        // a getter that throws beside it takes nothing from the levels below
        let kept = named(members, "Kept");
        match depth {
            1 => assert_eq!(kept["value"], "{Message=\"kept\"}", "{members}"),
            _ => assert_eq!(named(&kept["members"], "Message")["value"], "\"kept\"", "{members}"),
        }
    }
    let elements = &client.ok("variables_get", json!({"path": "several", "depth": 2}))["variables"];
    assert_eq!(named(&named(elements, "[1]")["members"], "Broken")["error"], broken, "{elements}");
    // our engine lists no static members
    let members = &client.ok("variables_get", json!({"path": "still"}))["variables"];
    let nowhere = members.as_array().unwrap().iter().find(|it| it["name"] == "Nowhere");
    assert!(nowhere.is_none_or(|it| it["error"] == "InvalidOperationException: nowhere"), "{members}");
}

fn fields_are_read_before_properties_that_take_all_the_time(bench: &Bench) {
    let (mut client, _) = at(bench, "shown");
    let listed = client.ok("variables_get", json!({"path": "slow", "depth": 2, "timeout_ms": 1_500}));
    let members = &listed["variables"];
    for (field, left) in [("Kept", "5"), ("Other", "6")] {
        let member = named(members, field);
        assert_eq!(named(&member["members"], "Left")["value"], left, "{listed}");
    }
    assert_eq!(named(members, "First")["value"], "{…}", "{listed}");
    assert!(listed["note"].as_str().unwrap().starts_with("timed out after 1500 ms"), "{listed}");
}

fn a_stop_report_has_all_digits_and_characters(bench: &Bench) {
    let (mut client, stop) = at(bench, "shown");
    let listed = client.ok("variables_get", json!({}));
    for list in [&stop["locals"], &listed["variables"]] {
        assert_eq!(named(list, "sum")["value"], "0.30000000000000004", "{list}");
        assert_eq!(named(list, "sums")["value"], "[0.5, 0.30000000000000004, 0.3333333333333333]", "{list}");
        assert_eq!(named(list, "text")["value"], r#""a\0b\0""#, "{list}");
    }
    let sums = client.ok("variables_get", json!({"path": "sums"}));
    assert_eq!(sums["elements"], json!(["0.5", "0.30000000000000004", "0.3333333333333333"]));
}

fn elements_of_tuples_have_the_names_of_the_source(bench: &Bench) {
    let (mut client, stop) = at(bench, "shown");
    assert_eq!(named(&stop["locals"], "pair")["type"], "(int Left, string Right)", "{stop}");
    assert_eq!(named(&stop["locals"], "nested")["type"], "(int Left, (int Low, int High) Span, int)", "{stop}");
    for (expression, value) in [
        ("pair.Left", "1"),
        ("pair.Item1", "1"),
        ("pair.Right.Length", "3"),
        ("pair.Left + nested.Span.High", "4"),
        ("nested.Item2.Low", "2"),
        ("pairs.Field.Right", "\"three\""),
        ("pairs.Property.High", "5"),
        ("pairs.Ranges[\"a\"].High", "2"),
        ("listed[pair.Left - 1].Name", "\"Ann\""),
        ("\"pair.Left\" + pair.Right", "\"pair.Leftone\""),
        ("long9.Eighth + long9.Ninth.Low", "17"),
        // a member of that name which is none of a tuple
        ("other.Left", "9"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    for path in ["pair", "pairs.Field"] {
        let listed = client.ok("variables_get", json!({"path": path}));
        assert_eq!(listed["type"], "(int Left, string Right)", "{listed}");
        named(&listed["variables"], "Left");
        named(&listed["variables"], "Right");
    }
    let read = client.ok("variables_get", json!({"path": "nested.Span"}));
    assert_eq!(named(&read["variables"], "High")["value"], "3", "{read}");
    let set = client.ok("variable_set", json!({"path": "pair.Left", "value": "7"}));
    assert_eq!(set["value"], "7", "{set}");
    assert_eq!(client.ok("evaluate", json!({"expression": "pair.Item1"}))["value"], "7");
}

fn types_and_values_of_tuples_name_their_elements(bench: &Bench) {
    let (mut client, stop) = at(bench, "shown");
    let nested = "(Left: 1, Span: (Low: 2, High: 3), 4)";
    assert_eq!(named(&stop["locals"], "nested")["value"], nested, "{stop}");
    assert_eq!(named(&stop["locals"], "listed")["type"], "List<(string Name, int Age)>", "{stop}");
    // other adapters cannot pass a tuple that an expression creates
    let made = if bench.adapter() == "builtin" { "Bounds((5, 6))" } else { "((int Low, int High))(5, 6)" };
    let ninth = "(1, 2, 3, 4, 5, 6, 7, Eighth: 8, Ninth: (Low: 9, High: 10))";
    for (expression, type_name, value) in [
        ("pair", "(int Left, string Right)", "(Left: 1, Right: \"one\")"),
        ("nested", "(int Left, (int Low, int High) Span, int)", nested),
        ("nested.Span", "(int Low, int High)", "(Low: 2, High: 3)"),
        ("pairs.Field", "(int Left, string Right)", "(Left: 3, Right: \"three\")"),
        ("pairs.Property", "(int Low, int High)", "(Low: 4, High: 5)"),
        ("pairs.Ranges[\"a\"]", "(int Low, int High)", "(Low: 1, High: 2)"),
        ("listed", "List<(string Name, int Age)>", "[(Name: \"Ann\", Age: 4)]"),
        ("listed[0]", "(string Name, int Age)", "(Name: \"Ann\", Age: 4)"),
        (made, "(int Low, int High)", "(Low: 5, High: 6)"),
        ("long9", "(int, int, int, int, int, int, int, int Eighth, (int Low, int High) Ninth)", ninth),
        ("(a: 1, b: \"x\")", "(int a, string b)", "(a: 1, b: \"x\")"),
        ("(pair.Left, sum: 1 + 2)", "(int Left, int sum)", "(Left: 1, sum: 3)"),
        ("(1, \"x\")", "(int, string)", "(1, \"x\")"),
        ("((int x, int y))(1, 2)", "(int x, int y)", "(x: 1, y: 2)"),
        (
            "listed.Select(it => (it.Name, Twice: it.Age * 2)).ToList()",
            "List<(string Name, int Twice)>",
            "[(Name: \"Ann\", Twice: 8)]",
        ),
        ("(object)pair", "(int, string)", "(1, \"one\")"),
    ] {
        let answer = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!((&answer["type"], &answer["value"]), (&json!(type_name), &json!(value)), "{expression}");
    }
    let table = client.ok("evaluate", json!({"expression": "sums.Select((it, at) => (At: at, Half: it / 2))"}));
    assert_eq!(table["column_names"], json!(["At", "Half"]), "{table}");
    assert_eq!(table["rows"][0], json!(["0", "0.25"]), "{table}");
    let members = client.ok("variables_get", json!({"path": "pairs"}));
    let field = named(&members["variables"], "Field");
    assert_eq!(field["type"], "(int Left, string Right)", "{members}");
    assert_eq!(field["value"], "(Left: 3, Right: \"three\")", "{members}");
    let elements = client.ok("variables_get", json!({"path": "nested"}));
    let span = named(&elements["variables"], "Span");
    assert_eq!((&span["type"], &span["value"]), (&json!("(int Low, int High)"), &json!("(Low: 2, High: 3)")));
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "pair.Missing"}));
    let words = "error CS1061: '(int Left, string Right)' does not contain a definition for 'Missing'";
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
}

fn a_condition_may_name_an_element_of_a_tuple(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([
        {"file": "Program.cs", "line": bench.line("Shown", "shown"), "condition": "pair.Left == 2"},
        {"file": "Program.cs", "line": bench.line("Shown", "before"), "condition": "pair.Left == 1"},
        {"file": "Program.cs", "line": bench.line("Shown", "given"), "condition": "given.Last == result.High"},
    ]);
    let mut stop = client.ok("debug_launch", bench.launch("Shown", &[], json!({"breakpoints": breakpoints})));
    for marker in ["before", "given"] {
        assert_eq!(stop["location"]["line"], bench.line("Shown", marker), "{stop}");
        assert_eq!(stop["note"], Value::Null, "{stop}");
        stop = client.ok("debug_continue", json!({}));
    }
}

fn objects_of_one_class_are_each_shown_as_what_they_stand_for(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Kinds.cs", "line": bench.line_in("Shown", "Kinds.cs", "kinds")}]);
    client.ok("debug_launch", bench.launch("Shown", &[], json!({"breakpoints": breakpoints})));
    for (path, elements) in [
        ("types", vec!["typeof(int)", "typeof(string)", "typeof(double)"]),
        ("list", vec!["typeof(byte)", "typeof(char)"]),
        ("actions", vec!["Kinds.First", "Kinds.Second"]),
        ("mixed", vec!["typeof(int)", "Kinds.First", "typeof(string)", "Kinds.Second"]),
    ] {
        let listed = &client.ok("variables_get", json!({"path": path}))["variables"];
        let values: Vec<_> = listed.as_array().unwrap().iter().filter_map(|it| it["value"].as_str()).collect();
        assert_eq!(values, elements, "{path}: {listed}");
    }
    let shown = client.ok("evaluate", json!({"expression": "list"}));
    assert_eq!(shown["value"], "[typeof(byte), typeof(char)]", "{shown}");
}

fn an_element_that_is_another_type_has_changed(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Kinds.cs", "line": bench.line_in("Shown", "Kinds.cs", "kinds")}]);
    client.ok("debug_launch", bench.launch("Shown", &[], json!({"breakpoints": breakpoints})));
    client.ok("debug_step", json!({"mode": "over"}));
    let stop = client.ok("debug_step", json!({"mode": "over"}));
    assert_has(&stop, json!({"location": {"line": bench.line_in("Shown", "Kinds.cs", "other")}}));
    assert!(stop["changed"].to_string().contains("\"types\""), "{stop}");
}

fn a_member_with_the_name_of_its_type_means_both(bench: &Bench) {
    let mut client = bench.client();
    let place = |marker: &str| json!({"file": "Kinds.cs", "line": bench.line_in("Shown", "Kinds.cs", marker)});
    let breakpoints = json!([place("kinds"), place("both")]);
    client.ok("debug_launch", bench.launch("Shown", &[], json!({"breakpoints": breakpoints})));
    client.gives(&[
        ("Setting.Default.Number", "7"),
        ("given == Setting.Default", "true"),
        ("nameof(Setting.Number)", "\"Number\""),
    ]);
    for expression in ["Setting.Number", "Setting.Number + 1"] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains("CS0120"), "{error}");
    }
    client.ok("debug_continue", json!({}));
    client.gives(&[
        ("Setting.Number", "9"),
        ("Setting.Default.Number", "7"),
        ("Setting.Twice()", "18"),
        ("Type.Name", "\"Int32\""),
    ]);
    for (expression, value) in
        [("Setting.Of(3).Number", "3"), ("Type.GetType(\"System.Byte\") == typeof(byte)", "true")]
    {
        let allowed = json!({"expression": expression, "allow_side_effects": true});
        assert_has(&client.ok("evaluate", allowed), json!({"value": value}));
    }
}
