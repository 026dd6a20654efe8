//! Expressions that an adapter reads otherwise than C#, and structs behind getters.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    structs_behind_getters_are_what_the_program_holds;
    names_and_literals_are_those_of_csharp;
    constants_are_set_as_their_variables_want_them;
    what_is_not_set_is_an_error;
    texts_with_a_nul_are_whole_in_lists;
    keys_and_results_with_a_nul_are_whole;
    an_exception_says_what_the_program_said;
    conditions_are_those_of_csharp;
    constants_of_csharp_have_their_values;
    names_that_an_adapter_cannot_parse_are_read_or_refused_with_the_reason;
    what_has_no_setter_says_so;
    a_value_that_does_not_fit_says_why;
    formats_are_those_of_the_value_s_own_type;
    what_only_the_runtime_gives_arrays_is_computed;
}

fn at_values(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Spelled", "spelled")}]);
    client.ok("debug_launch", bench.launch("Spelled", &[], json!({"breakpoints": breakpoints})));
    client
}

fn structs_behind_getters_are_what_the_program_holds(bench: &Bench) {
    let mut client = at_values(bench);
    let order = client.ok("variables_get", json!({"path": "order", "depth": 2}));
    let members = order["variables"].as_array().unwrap();
    let price = |amount: &str| json!([{"name": "Amount", "value": amount}]);
    for (name, expected) in [
        ("Fee", json!({"type": "Price", "members": price("4.5m")})),
        ("Maybe", json!({"type": "Price?", "members": price("5.5m")})),
        ("Pair", json!({"type": "(decimal Sum, string Unit)", "value": "(Sum: 6.5m, Unit: \"b\")"})),
        ("Prices", json!({"count": 1, "members": [{"name": "[0]", "type": "Price", "value": "{Amount=7.5m}"}]})),
        ("At", json!({"type": "DateTime", "value": "2026-03-04T00:00:00"})),
        ("Twice", json!({"type": "Price", "members": price("9.0m")})),
    ] {
        let member = members.iter().find(|member| member["name"] == name);
        assert_has(member.unwrap_or_else(|| panic!("no {name} in {order}")), expected);
    }
    let asked = client.ok("evaluate", json!({"expressions": ["order.Pair", "order.Prices", "order.At"]}));
    let values: Vec<&Value> = asked["results"].as_array().unwrap().iter().map(|result| &result["value"]).collect();
    assert_eq!(values, ["(Sum: 6.5m, Unit: \"b\")", "[{Amount=7.5m}]", "2026-03-04T00:00:00"]);
}

fn names_and_literals_are_those_of_csharp(bench: &Bench) {
    let mut client = at_values(bench);
    for (expression, value) in [
        ("when", "1"),
        ("when + from", "3"),
        ("record", "3"),
        ("value", "4"),
        ("@class", "5"),
        ("class", "5"),
        ("@class + 1", "6"),
        ("1_000", "1000"),
        ("0xFFu", "255U"),
        ("System.Math.Max(1_000, number)", "1000"),
        ("\"a\\nb\"", "\"a\\nb\""),
        ("\"a\\nb\".IndexOf('\\n')", "1"),
        ("text.Replace(\"b\", \"\\t\\\\\")", "\"a\\t\\\\c\""),
        ("int.MaxValue", "2147483647"),
        ("char.MaxValue == '\\uffff'", "true"),
        ("string.IsNullOrEmpty(text)", "false"),
    ] {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], value, "{expression}");
    }
    // it does not say of what type a boxed number is
    if bench.adapter() == "builtin" {
        return;
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "(int)boxed + 1"}))["value"], "42");
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "boxed + 1"}));
    assert!(error["message"].as_str().unwrap().contains("'object' and 'int'"), "{error}");
    let error = client.error("evaluation_threw", "evaluate", json!({"expression": "(long)boxed + 1"}));
    assert!(error["message"].as_str().unwrap().contains("System.InvalidCastException"), "{error}");
}

fn constants_are_set_as_their_variables_want_them(bench: &Bench) {
    let mut client = at_values(bench);
    for (path, value, expected) in [
        ("number", "1_000", "1000"),
        ("number", "0x1F", "31"),
        ("when", "-7", "-7"),
        ("small", "200", "200"),
        ("big", "0x1_0", "16L"),
        ("money", "3", "3m"),
        ("money", "1_0.50", "10.50m"),
        ("single", "1.5", "1.5f"),
        ("number", "int.MaxValue", "2147483647"),
        ("text", "\"\\u0041\"", "\"A\""),
        ("text", "@\"verbatim\"", "\"verbatim\""),
        ("letter", "'\\u0041'", "'A'"),
        ("names[1]", "\"hopper\"", "\"hopper\""),
    ] {
        let set = client.ok("variable_set", json!({"path": path, "value": value}));
        assert_eq!(set["value"], expected, "{path} = {value}");
        assert_eq!(client.ok("evaluate", json!({"expression": path}))["value"], expected, "{path} = {value}");
    }
    let set = client.call("variable_set", json!({"path": "text", "value": "\"a\\nb\""}));
    match bench.adapter() {
        // it knows no escapes and makes no call for an assignment
        "dncdbg" => {
            let error = set.error("not_assignable");
            assert!(error["message"].as_str().unwrap().contains("newlines"), "{error}");
            assert_eq!(client.ok("evaluate", json!({"expression": "text"}))["value"], "\"verbatim\"");
        }
        _ => assert_eq!(set.ok()["value"], "\"a\\nb\""),
    }
}

fn what_is_not_set_is_an_error(bench: &Bench) {
    let mut client = at_values(bench);
    let error = client.error("not_assignable", "variable_set", json!({"path": "small", "value": "300"}));
    assert!(error["message"].as_str().unwrap().contains("300 does not fit in byte"), "{error}");
    // adapters set a copy that the property returns; the engine writes the field behind it
    let set = client.call("variable_set", json!({"path": "order.Fee.Amount", "value": "8.5m"}));
    let expected = match bench.adapter() {
        "builtin" => set.ok()["value"].take(),
        _ => set.error("not_assignable")["message"].take(),
    };
    let now = client.ok("evaluate", json!({"expression": "order.Fee.Amount"}))["value"].take();
    assert_eq!(now, if bench.adapter() == "builtin" { "8.5m" } else { "4.5m" }, "{expected}");
}

fn texts_with_a_nul_are_whole_in_lists(bench: &Bench) {
    let mut client = at_values(bench);
    let page = client.ok("variables_get", json!({"path": "cut"}));
    assert_eq!(page["elements"], json!(["\"a\\0b\"", "\"plain\"", "\"\\0\"", "\"\""]), "{page}");
    let all = client.ok("evaluate", json!({"expression": "cut"}));
    assert_eq!(all["value"], "[\"a\\0b\", \"plain\", \"\\0\", \"\"]");
}

fn keys_and_results_with_a_nul_are_whole(bench: &Bench) {
    let mut client = at_values(bench);
    let all = client.ok("evaluate", json!({"expression": "keyed"}));
    assert_eq!(all["value"], "[[\"k\\0ey\"]=\"v\\0al\"]", "{all}");
    let page = client.ok("variables_get", json!({"path": "keyed"}));
    assert_eq!(page["variables"], json!([{"name": "[\"k\\0ey\"]", "value": "\"v\\0al\""}]), "{page}");
    let found = client.ok("variables_get", json!({"path": "cut", "filter": "b"}));
    assert_eq!(found["variables"], json!([{"name": "[0]", "value": "\"a\\0b\""}]), "{found}");
    for (expression, value) in [
        ("keyed[\"k\\0ey\"]", "\"v\\0al\""),
        ("string.Concat(cut[0], text)", "\"a\\0babc\""),
        ("cut[0].IndexOf(\"\\0b\")", "1"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    client.error("evaluation_threw", "evaluate", json!({"expression": "keyed[\"k\"]"}));
}

fn conditions_are_those_of_csharp(bench: &Bench) {
    let mut client = at_values(bench);
    let line = bench.line("Spelled", "loop");
    for (round, condition) in [
        "when == 1_000",
        "when == 0b11_1110_1000 && record",
        "record",
        "record && when % 1_000 == 0",
        "when - 1_000 == 0",
        "@when == 1_000.0",
        "when < int.MaxValue && record == true",
        r"sign == '\n'",
        r"when == 1_000L && sign != 'x'",
        r#"@class == "a\nb""#,
        r#"@class != "plain" && sign == '\x0a'"#,
    ]
    .into_iter()
    .enumerate()
    {
        let set = client.ok("breakpoint_set", json!({"file": "Program.cs", "line": line, "condition": condition}));
        let stop = client.ok("debug_continue", json!({}));
        assert_has(&stop, json!({"reason": "breakpoint", "breakpoint_ids": [set["id"]]}));
        assert_eq!(stop["note"], Value::Null, "{condition}");
        let at = client.ok("evaluate", json!({"expressions": ["round", "when"]}));
        let at: Vec<&Value> = at["results"].as_array().unwrap().iter().map(|result| &result["value"]).collect();
        assert_eq!(at, [&json!(round.to_string()), &json!("1000")], "{condition}");
        client.ok("breakpoint_remove", json!({"id": set["id"]}));
    }
}

fn constants_of_csharp_have_their_values(bench: &Bench) {
    let mut client = at_values(bench);
    for (expression, value) in [
        ("string.Empty", "\"\""),
        ("String.Empty", "\"\""),
        ("text == string.Empty", "false"),
        ("text.Replace(\"b\", string.Empty)", "\"ac\""),
        ("decimal.MaxValue", "79228162514264337593543950335m"),
        ("money < decimal.MaxValue", "true"),
        ("money + decimal.One", "3.5m"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    assert_eq!(client.ok("variable_set", json!({"path": "text", "value": "string.Empty"}))["value"], "\"\"");
    assert_eq!(client.ok("variable_set", json!({"path": "money", "value": "decimal.One"}))["value"], "1m");
}

fn names_that_an_adapter_cannot_parse_are_read_or_refused_with_the_reason(bench: &Bench) {
    let mut client = at_values(bench);
    for (expression, value) in [("async", "7"), ("await", "8"), ("nint + 1", "10"), ("async == 7", "true")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "Math.Abs(async)"}))["value"], "7");
}

fn what_has_no_setter_says_so(bench: &Bench) {
    let mut client = at_values(bench);
    let mut set = |path: &str, value: &str| client.call("variable_set", json!({"path": path, "value": value}));
    let fixed = "`Fixed` cannot be assigned to: it is an auto-property without a setter";
    for (path, why) in [("settings.Once", "`Once` is init-only"), ("settings.Fixed", fixed)] {
        // netcoredbg calls the setter, the engine writes the field
        let is_set = bench.adapter() != "dncdbg" && path == "settings.Once";
        match is_set {
            true => assert_eq!(set(path, "9").ok()["value"], "9"),
            false => {
                let error = set(path, "9").error("not_assignable");
                assert!(error["message"].as_str().unwrap().contains(why), "{error}");
                assert_eq!(error["hint"], "assign another object to the variable that holds this one", "{error}");
            }
        }
    }
    let colour = set("colour", "Colour.Red");
    match bench.adapter() {
        "dncdbg" => {
            let error = colour.error("not_assignable");
            assert!(error["message"].as_str().unwrap().contains("does not know enum members"), "{error}");
        }
        _ => assert_eq!(colour.ok()["value"], "Red"),
    }
}

fn a_value_that_does_not_fit_says_why(bench: &Bench) {
    let mut client = at_values(bench);
    let mut set = |path: &str, value: &str| client.call("variable_set", json!({"path": path, "value": value}));
    for (path, value, why) in [
        ("settings.Any", "\"a\"", "error CS0029: Cannot implicitly convert type 'string' to 'int'"),
        ("settings.Any", "2.5", "error CS0266: Cannot implicitly convert type 'double' to 'int'"),
        ("settings.Any", "null", "error CS0037: Cannot convert null to 'int'"),
        ("text", "7", "error CS0029: Cannot implicitly convert type 'int' to 'string'"),
    ] {
        let error = set(path, value).error("not_assignable");
        assert!(error["message"].as_str().unwrap().contains(why), "{error}");
        assert!(error["hint"].as_str().unwrap().starts_with("pass a constant or a variable of type"), "{error}");
    }
    let at = set("settings.At", "new DateTime(2026, 1, 2)");
    match bench.is_netcoredbg() {
        true => {
            let error = at.error("evaluation_failed");
            assert!(error["message"].as_str().unwrap().contains("`new` is not supported here"), "{error}");
        }
        false => assert_eq!(at.ok()["value"], "2026-01-02T00:00:00"),
    }
    assert_eq!(set("settings.At", "order.At").ok()["value"], "2026-03-04T00:00:00");
}

fn formats_are_those_of_the_value_s_own_type(bench: &Bench) {
    let mut client = at_values(bench);
    for (expression, value) in [
        (r#"$"{order.At:yyyy-MM}""#, r#""2026-03""#),
        (r#"$"{order.At.TimeOfDay:c}""#, r#""00:00:00""#),
        (r#"$"{order.At.AddMinutes(5).TimeOfDay:hh\\:mm}""#, r#""00:05""#),
        (r#"order.At.ToString("yyyy", null)"#, r#""2026""#),
        (r#"$"{colour:D}{colour,6}""#, r#""1 Green""#),
        (r#"$"{Colour.Red:X}""#, r#""00000000""#),
        (r#"Colour.Green.ToString("d")"#, r#""1""#),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn what_only_the_runtime_gives_arrays_is_computed(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Spelled", "arrays")}]);
    client.ok("debug_launch", bench.launch("Spelled", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [
        ("row.Count", "2"),
        ("row[1].Any", "9"),
        ("((ICollection<Settings>)row).IsReadOnly", "true"),
        ("untyped.Count", "2"),
        ("untyped.IsFixedSize", "true"),
        ("list.IsReadOnly", "false"),
        ("grid.GetLength(1)", "3"),
        ("grid.GetUpperBound(0)", "1"),
        ("span[1] + span.Length", "6"),
        ("lines.Split('\\n').Length", "3"),
        ("lines.Split('\\n', StringSplitOptions.RemoveEmptyEntries)[1]", "\"b\""),
        ("lines.Split('a', '\\n')[2]", "\"b\""),
        ("type == typeof(Settings)", "true"),
        ("type != row[0].GetType()", "false"),
        ("typeof(Order).Equals(type)", "false"),
        ("row.GetType() == typeof(Settings[])", "true"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let mut threw = |expression| client.error("evaluation_threw", "evaluate", json!({"expression": expression}));
    for (expression, type_name) in [
        ("row[2]", "System.ArgumentOutOfRangeException"),
        ("span[2]", "System.IndexOutOfRangeException"),
        ("grid.GetLength(2)", "System.IndexOutOfRangeException"),
    ] {
        assert!(threw(expression)["message"].as_str().unwrap().starts_with(type_name), "{expression}");
    }
}

fn an_exception_says_what_the_program_said(bench: &Bench) {
    let mut client = bench.client();
    let exceptions = json!({"types": ["System.InvalidOperationException"], "mode": "thrown"});
    let stop = client.ok("debug_launch", bench.launch("Spelled", &[], json!({"exceptions": exceptions})));
    let said = "say \"hi\" to C:\\dir\nnext";
    assert_has(&stop, json!({"reason": "exception", "exception": {"message": said}}));
    assert_has(&client.ok("exception_get_context", json!({})), json!({"exception": {"message": said}}));
    let exceptions = json!({"types": ["System.ArgumentException"], "mode": "thrown"});
    let mut client = bench.client();
    client.ok("debug_launch", bench.launch("Spelled", &[], json!({"exceptions": exceptions})));
    assert_has(&client.ok("exception_get_context", json!({})), json!({"exception": {"message": "cut\0here"}}));
}
