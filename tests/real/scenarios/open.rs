//! Code with type parameters, which stand for other types each time it runs, and structs that are passed by reference.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    a_static_field_of_another_instance_of_the_type_is_its_own;
    the_value_of_a_type_parameter_is_tested_when_it_runs;
    a_condition_on_a_type_parameter_is_judged_at_each_hit;
    this_and_arguments_show_what_type_parameters_stand_for;
    what_a_type_parameter_stands_for_is_known_or_refused;
    values_of_a_type_parameter_are_compared_as_its_code_compares_them;
    a_struct_that_is_passed_by_reference_is_boxed_as_its_value, "builtin";
    a_type_that_the_program_has_not_used_is_loaded, "builtin";
}

/// At the first hits of a line, as many as are wanted.
fn at(bench: &Bench, marker: &str, hits: usize) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Open", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Open", &[], json!({"breakpoints": breakpoints})));
    assert_has(&stop, json!({"outcome": "stopped"}));
    for _ in 1..hits {
        assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "stopped"}));
    }
    client
}

fn value(client: &mut Client, expression: &str) -> Value {
    client.call("evaluate", json!({"expression": expression})).value["value"].clone()
}

fn are(client: &mut Client, expected: &[(&str, &str)]) {
    for (expression, expected) in expected {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        assert_eq!(answer["value"], *expected, "{expression}: {answer}");
    }
}

/// The frame is one of `Cache<int>`.
fn a_static_field_of_another_instance_of_the_type_is_its_own(bench: &Bench) {
    let mut client = at(bench, "filled", 3);
    are(
        &mut client,
        &[
            ("Used", "1"),
            ("Cache<int>.Used", "1"),
            ("Cache<T>.Used", "1"),
            ("Cache<string>.Used", "3"),
            ("Cache<Open.Address>.Used", "2"),
            ("Table.Count", "1"),
            ("Cache<T>.Table.Count", "1"),
            ("Cache<string>.Table.Count", "3"),
            ("Cache<string>.Table.Count + Table.Count", "4"),
            ("Cache<Address>.Table.Count", "2"),
            ("Cache<string>.Queue.Count", "3"),
            ("Cache<Address>.Queue.Count", "2"),
            ("Cache<string>.Bag.Count", "3"),
            ("Bag.Count", "1"),
            ("Cache<string>.Stack.Count", "3"),
            ("waiting.Count", "1"),
            ("Cache<string>.Table[\"2\"]", "\"three\""),
            ("Cache<string>.Table.ContainsKey(\"2\")", "true"),
            ("Table.ContainsKey(\"2\")", "false"),
        ],
    );
}

/// What the compiler refuses of an `int` it takes of a `T`.
fn the_value_of_a_type_parameter_is_tested_when_it_runs(bench: &Bench) {
    let mut client = at(bench, "text", 1);
    are(&mut client, &[("value?.ToString()", "\"1\""), ("value ?? default", "1")]);
    let tests = |null: &'static str, text: &'static str, is: [&'static str; 3]| {
        [
            ("value == null", null),
            ("value != null ? 1 : 2", if null == "true" { "2" } else { "1" }),
            ("value is string s", is[0]),
            ("value as string == null", if is[0] == "true" { "false" } else { "true" }),
            ("value is string { Length: > 5 }", is[0]),
            ("value is 1", is[1]),
            ("value is > 0L", is[2]),
            ("value switch { string s => \"text\", int n => \"number\", _ => \"other\" }", text),
        ]
    };
    // int, string, Point, Address, null, long
    for expected in [
        tests("false", "\"number\"", ["false", "true", "false"]),
        tests("false", "\"text\"", ["true", "false", "false"]),
        tests("false", "\"other\"", ["false", "false", "false"]),
        tests("false", "\"other\"", ["false", "false", "false"]),
        tests("true", "\"other\"", ["false", "false", "false"]),
        tests("false", "\"other\"", ["false", "false", "true"]),
    ] {
        are(&mut client, &expected);
        client.ok("debug_continue", json!({}));
    }
}

fn a_condition_on_a_type_parameter_is_judged_at_each_hit(bench: &Bench) {
    for (condition, expected) in
        [("value is string { Length: > 5 }", 3), ("value != null", 15), ("value == null", 3), ("value is 2", 1)]
    {
        let mut client = bench.client();
        let line = bench.line("Open", "text");
        let trace = json!({"file": "Program.cs", "line": line, "condition": condition, "message": "{value is string}"});
        client.ok("tracepoint_set", trace);
        let end = client.ok("debug_launch", bench.launch("Open", &[], json!({"timeout_ms": 60_000})));
        assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
        let list = client.ok("breakpoint_list", json!({}));
        assert_eq!(list["breakpoints"][0]["hits"], expected, "{condition}: {list}");
    }
}

fn this_and_arguments_show_what_type_parameters_stand_for(bench: &Bench) {
    let mut client = at(bench, "filled", 1);
    are(&mut client, &[("typeof(T).Name", "\"String\""), ("nameof(T)", "\"T\""), ("default(T) == null", "true")]);
    let mut client = at(bench, "checked", 1);
    are(
        &mut client,
        &[
            ("typeof(T).Name", "\"Decimal\""),
            ("default(T)", "0m"),
            ("_limit == null", "false"),
            ("value > _limit", "true"),
            ("given.HasValue", "true"),
            ("given.Value", "3.5m"),
        ],
    );
    client.ok("debug_continue", json!({}));
    // by an extension that only the code's own assembly has
    are(&mut client, &[("typeof(T).Name", "\"Address\""), ("value.Letters()", "4"), ("_limit.Letters()", "3")]);
}

/// Nothing but the frame itself shows what `T` is.
fn what_a_type_parameter_stands_for_is_known_or_refused(bench: &Bench) {
    let mut client = at(bench, "text", 1);
    assert_eq!(value(&mut client, "nameof(T)"), "\"T\"");
    if bench.adapter() == "builtin" {
        are(&mut client, &[("typeof(T).Name", "\"Int32\""), ("default(T)", "0"), ("value is T", "true")]);
        return;
    }
    for expression in ["typeof(T).Name", "default(T)", "value is T"] {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("`T` is a type parameter, and this debugger does not say"), "{answer}");
    }
}

/// The code was compiled without knowing of the operator that `string` has.
fn values_of_a_type_parameter_are_compared_as_its_code_compares_them(bench: &Bench) {
    let mut client = at(bench, "pair", 1);
    if bench.adapter() != "builtin" {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": "First == Second"}));
        assert!(error["message"].as_str().unwrap().contains("`==` compares references here"), "{error}");
        are(&mut client, &[("(string)First == (string)Second", "true"), ("First == \"four\"", "true")]);
        return;
    }
    let rows = [
        ("First == Second", "false"),
        ("First != Second", "true"),
        ("one == other", "false"),
        ("one == First", "true"),
        ("First.Equals(Second)", "true"),
        ("(string)(object)First == (string)(object)Second", "true"),
        ("(string)First == (string)Second", "true"),
        ("(T)First == (T)Second", "false"),
        ("First == \"four\"", "true"),
    ];
    are(&mut client, &rows);
    let mut client = at(bench, "bounded", 1);
    // the operator of the class that the parameter is bound to
    let answer = client.ok("evaluate", json!({"expression": "one == other", "allow_side_effects": true}));
    assert_eq!(answer["value"], "true", "{answer}");
}

fn a_struct_that_is_passed_by_reference_is_boxed_as_its_value(bench: &Bench) {
    let mut client = at(bench, "struct", 1);
    let all = "this, other, third, local";
    let names = "\"Open.PointOpen.PointOpen.PointOpen.Point\"";
    are(
        &mut client,
        &[
            ("this.Equals(this)", "true"),
            ("local.Equals(this)", "true"),
            ("other.Equals(other)", "true"),
            ("third.Equals(local)", "true"),
            ("this.Equals(new Point { X = 5 })", "false"),
            ("new Point { X = 1, Y = 2 }.Equals(third)", "true"),
            ("((object)this).Equals(this)", "true"),
            ("ReferenceEquals(this, this)", "false"),
            ("(object)other == (object)other", "false"),
            ("string.Concat(this, other)", "\"Open.PointOpen.Point\""),
            (&format!("new object[] {{ {all} }}.Distinct().Count()"), "1"),
            (&format!("string.Format(\"{{0}}{{1}}{{2}}{{3}}\", {all})"), names),
        ],
    );
}

fn a_type_that_the_program_has_not_used_is_loaded(bench: &Bench) {
    let mut client = at(bench, "struct", 1);
    are(
        &mut client,
        &[
            ("System.Numerics.BigInteger.One == 1", "true"),
            ("System.Net.IPAddress.Loopback == null", "false"),
            ("new System.Uri(\"http://a/b\").Host", "\"a\""),
            ("default(System.Xml.XmlDocument) == null", "true"),
        ],
    );
}
