//! Calls that only C#'s rules find: methods of what is no object, overloads, delegates, statics of a thread.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client};

scenarios! {
    calls_answer_as_csharp_does;
    conditions_call_methods_of_numbers;
    enums_arrive_as_their_numbers_or_are_refused;
    boxed_values_arrive_or_are_refused;
    constants_of_the_framework_are_pure;
    types_are_types_whatever_members_elsewhere_are_called;
    a_conditional_has_the_type_of_both_branches;
    statics_of_types_that_nobody_used_have_values, "builtin";
    a_nullable_enum_is_set_and_read_back;
    calls_that_csharp_refuses_say_why, "builtin";
    a_reference_that_a_call_returns_is_followed_or_refused, "builtin";
    what_only_an_assembly_has_that_is_not_loaded_is_hinted_at, "builtin";
    an_index_that_an_array_of_structs_does_not_have_is_named_by_its_member_too, "builtin";
    what_a_type_hides_is_read_by_the_declared_type, "builtin";
    what_a_type_hides_is_read_as_the_source_means_it_or_refused;
    conditions_on_what_a_type_hides_are_judged_as_the_source_means_it;
    overloads_are_chosen_by_what_the_source_declares, "builtin";
    numbers_are_converted_for_a_call_as_csharp_does;
    parameters_and_operators_of_nullable_structs_take_what_csharp_lets_them, "builtin";
    members_that_the_debugger_is_to_hide_are_counted;
    values_are_shown_as_their_specifier_says;
    answers_are_called_by_their_numbers;
    members_of_an_expando_object_are_read_from_it;
}

fn at_calls(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Called", "called")}]);
    client.ok("debug_launch", bench.launch("Called", &[], json!({"breakpoints": breakpoints})));
    client
}

fn boxed_values_arrive_or_are_refused(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in
        [("n.Equals(boxed)", "true"), ("Convert.ToInt64(boxed)", "5L"), ("boxed.Equals(boxed)", "true")]
    {
        let call = json!({"expression": expression, "allow_side_effects": true});
        if bench.adapter() == "builtin" {
            assert_eq!(client.ok("evaluate", call)["value"], value, "{expression}");
        } else {
            let error = client.error("evaluation_failed", "evaluate", call);
            assert!(error["message"].as_str().unwrap().contains("cannot convert arguments"), "{expression}: {error}");
        }
    }
}

fn members_of_an_expando_object_are_read_from_it(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in
        [("bag.Size", "5"), ("bag.Size + 1", "6"), ("bag.Tags.Count", "2"), ("bag.Tags[1]", "\"b\"")]
    {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let threw = client.error("evaluation_threw", "evaluate", json!({"expression": "bag.Nope"}));
    assert!(threw["message"].as_str().unwrap().contains("does not contain a definition for 'Nope'"), "{threw}");
}

fn numbers_are_converted_for_a_call_as_csharp_does(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [("shelf.Later(3L)", "4L"), ("shelf.Later(3)", "4L"), ("shelf.Later(n)", "6L")] {
        let call = json!({"expression": expression, "allow_side_effects": true});
        assert_eq!(client.ok("evaluate", call)["value"], value, "{expression}");
    }
}

fn types_are_types_whatever_members_elsewhere_are_called(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in
        [("Math.Abs(-3)", "3"), ("System.Math.Sign(-2)", "-1"), ("Math.PI > 3", "true"), ("Tags.Math", "\"math\"")]
    {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn a_conditional_has_the_type_of_both_branches(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [
        ("true ? 1 : 2.5", "1.0"),
        ("(n > 0 ? 1 : 2.5) / 2", "0.5"),
        ("n > 0 ? n : d", "5.0"),
        ("n > 0 ? n : money", "5m"),
        ("n > 0 ? n : big", "5L"),
        ("n > 0 ? n : b", "5"),
        // what the other branch would throw is never seen
        ("n > 0 ? n : numbers[7]", "5"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn calls_answer_as_csharp_does(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [
        ("o.Id.ToString()", "\"7\""),
        ("5.ToString()", "\"5\""),
        ("n.CompareTo(3)", "1"),
        ("n.Equals(5)", "true"),
        ("n.GetHashCode()", "5"),
        ("big.Equals(6L)", "true"),
        ("b.CompareTo(3)", "197"),
        ("yes.ToString()", "\"True\""),
        ("c.ToString()", "\"x\""),
        ("d.CompareTo(1.0)", "1"),
        ("f.ToString()", "\"2.5\""),
        ("native.ToString()", "\"12\""),
        ("numbers[0].ToString()", "\"3\""),
        ("money.CompareTo(2m)", "1"),
        ("money.ToString()", "\"2.50\""),
        ("k.Equals(Kind.Sell)", "true"),
        ("k.CompareTo(Kind.Buy)", "1"),
        ("small.ToString()", "\"One\""),
        ("guid.ToString(\"N\")", "\"00000001000200030405060708090a0b\""),
        ("guid.Equals(guid)", "true"),
        ("day.CompareTo(day)", "0"),
        ("day.AddDays(1.5).Day", "5"),
        ("span.ToString()", "\"01:30:00\""),
        ("point.Times(2)", "14"),
        ("points[1].Sum()", "4"),
        ("point.ToString()", "\"(3, 4)\""),
        ("bare.Equals(bare)", "true"),
        ("pair.Other()", "9"),
        ("words.Other()", "\"v\""),
        ("boxed.Equals(5)", "true"),
        ("boxedPoint.ToString()", "\"(5, 6)\""),
        ("five.Equals(5)", "true"),
        ("five.Value.CompareTo(3)", "1"),
        ("five.GetValueOrDefault()", "5"),
        ("five.GetValueOrDefault(3)", "5"),
        ("none.GetValueOrDefault()", "0"),
        ("none.GetValueOrDefault(3)", "3"),
        ("none.ToString()", "\"\""),
        ("none.Equals(5)", "false"),
        ("none.GetHashCode()", "0"),
        ("nowhere.GetValueOrDefault().X", "0"),
        ("where.Value.Sum()", "3"),
        ("where.GetValueOrDefault().X", "1"),
        ("where.GetValueOrDefault().Sum()", "3"),
        ("maybe.Equals(Kind.Sell)", "true"),
        ("grid.GetLength(1)", "3"),
        ("numbers.ToString()", "\"System.Int32[]\""),
        ("string.Join(\",\", list)", "\"p,q\""),
        ("string.Join(\",\", ints)", "\"1,2,3\""),
        ("string.Join(\",\", \"a\", \"b\")", "\"a,b\""),
        ("string.Join(\",\", 1, \"b\", k)", "\"1,b,Sell\""),
        ("string.Format(\"{0}-{1}\", 1, 2)", "\"1-2\""),
        ("string.Format(\"{0}{1}{2}{3}\", 1, 2, 3, 4)", "\"1234\""),
        ("text.Split(',').Length", "1"),
        ("fn(1)", "6"),
        ("fn.Invoke(1)", "6"),
        ("both(\"a\", \"b\")", "\"ab\""),
        ("perThread", "41"),
        ("named", "\"main\""),
        ("shelf[2]", "\"c\""),
        ("shelf[\"b\"]", "1"),
        ("Shelf.Same(5)", "5"),
        ("Shelf.Same(\"x\")", "\"x\""),
        ("Shelf.NameOf(money)", "\"Decimal\""),
        ("Shelf.NameOf(five)", "\"Nullable`1\""),
        ("Shelf.Count(ints)", "3"),
        ("Shelf.Sum(1, 2, 3)", "6"),
        ("Shelf.Sum()", "0"),
        ("Shelf.Twice(4)", "8"),
        ("Shelf.Twice(4, 3)", "12"),
    ] {
        let answer = client.call("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        if bench.adapter() == "builtin" || !answer.failed {
            assert_eq!(answer.ok()["value"], value, "{expression}");
        } else {
            // other adapters have no such calls, and say so
            answer.error("evaluation_failed");
        }
    }
}

fn conditions_call_methods_of_numbers(bench: &Bench) {
    for condition in ["order.Id.ToString() == \"4\"", "n.CompareTo(3) > 0", "order.Kind == Kind.Sell"] {
        let mut client = bench.client();
        let line = bench.line("Called", "looped");
        let breakpoints = json!([{"file": "Program.cs", "line": line, "condition": condition}]);
        let report = client.ok("debug_launch", bench.launch("Called", &[], json!({"breakpoints": breakpoints})));
        assert_eq!(report["reason"], "breakpoint", "{report}");
        assert_eq!(client.ok("evaluate", json!({"expression": "n"}))["value"], "4", "{condition}: {report}");
    }
}

/// Adapters pass the box of an enum that a call or a member's name gave for the number.
fn enums_arrive_as_their_numbers_or_are_refused(bench: &Bench) {
    let mut client = at_calls(bench);
    let call = |expression: &str| json!({"expression": expression, "allow_side_effects": true});
    for expression in ["shelf.Number(k)", "shelf.Number(shelf.Kept)"] {
        assert_eq!(client.ok("evaluate", call(expression))["value"], "1", "{expression}");
    }
    for argument in ["Kind.Sell", "shelf.Computed", "shelf.Chosen()", "o.Kind"] {
        let expression = format!("shelf.Number({argument})");
        if bench.adapter() == "builtin" {
            assert_eq!(client.ok("evaluate", call(&expression))["value"], "1", "{expression}");
        } else {
            let error = client.error("evaluation_failed", "evaluate", call(&expression));
            let words = "it would pass the wrong number for `Kind.Sell`";
            assert!(error["message"].as_str().unwrap().contains(words), "{expression}: {error}");
        }
    }
    if bench.adapter() == "builtin" {
        assert_eq!(client.ok("evaluate", call("shelf.Number(Shelf.Usual)"))["value"], "1");
        assert_eq!(client.ok("evaluate", call("Shelf.Usual"))["value"], "Sell");
    }
}

fn constants_of_the_framework_are_pure(bench: &Bench) {
    let mut client = at_calls(bench);
    assert_eq!(client.ok("evaluate", json!({"expression": "System.Threading.Timeout.Infinite"}))["value"], "-1");
    let ordinal = json!({"expression": "text.IndexOf(\"B\", StringComparison.OrdinalIgnoreCase)"});
    assert_eq!(client.ok("evaluate", ordinal)["value"], "1", "computed here");
    let call = json!({"expression": "text.LastIndexOf(\"B\", StringComparison.OrdinalIgnoreCase)"});
    if bench.adapter() == "builtin" {
        assert_eq!(client.ok("evaluate", call)["value"], "1");
    } else {
        let error = client.error("evaluation_failed", "evaluate", call);
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("it would pass the wrong number for `StringComparison.OrdinalIgnoreCase`"),
            "{error}"
        );
    }
}

/// Their static fields come to be when the program first looks.
fn statics_of_types_that_nobody_used_have_values(bench: &Bench) {
    let mut client = at_calls(bench);
    // to list them runs nothing
    let late = client.ok("variables_get", json!({"path": "late"})).to_string();
    assert_eq!(late.matches("not initialized yet").count(), 2, "{late}");
    let call = json!({"expression": "DateTime.MaxValue.Year", "allow_side_effects": true});
    assert_eq!(client.ok("evaluate", call)["value"], "9999");
    for _ in 0..2 {
        for (expression, value) in [("Late.Number", "5"), ("Late.Name", "\"late5\"")] {
            let call = json!({"expression": expression, "allow_side_effects": true});
            assert_eq!(client.ok("evaluate", call)["value"], value, "{expression}");
        }
        // it has none, however often one looks
        let failing = json!({"expression": "Failing.Number", "allow_side_effects": true});
        let error = client.error("evaluation_threw", "evaluate", failing);
        assert!(error["message"].as_str().unwrap().contains("System.TypeInitializationException"), "{error}");
    }
}

fn overloads_are_chosen_by_what_the_source_declares(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [
        ("chooser.Over(hidden)", "\"object\""),
        ("chooser.Over(boxed)", "\"object\""),
        ("chooser.Over(null)", "\"string\""),
        ("chooser.Over(text)", "\"string\""),
        ("chooser.Over(n)", "\"int\""),
        ("chooser.Over(shelf)", "\"object\""),
        ("chooser.Over(b)", "\"int\""),
        ("Math.Min(unsigned, negative)", "-7L"),
        ("Math.Max(shorter, least)", "65000"),
        ("Math.Max(n, 2.5)", "5.0"),
        ("object.ReferenceEquals(boxed, boxed)", "true"),
        ("sequence.Reverse().First()", "3"),
        ("ints[0]", "1"),
    ] {
        let call = json!({"expression": expression, "allow_side_effects": true});
        assert_eq!(client.ok("evaluate", call)["value"], value, "{expression}");
    }
}

fn what_a_type_hides_is_read_by_the_declared_type(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [
        ("cube.Side", "99"),
        ("asSquare.Side", "3"),
        ("asSquare.Side == 3", "true"),
        ("((Square)cube).Side", "3"),
        ("asSquare.Corners", "8"),
        ("asSquare.Next", "null"),
        ("cube.Next?.Side", "null"),
        ("cube.Next?.Corners.CompareTo(1)", "null"),
        ("asSquare.Seen", "3"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

/// Of an object that is declared as its base; most adapters go by what it is.
fn what_a_type_hides_is_read_as_the_source_means_it_or_refused(bench: &Bench) {
    let mut client = at_calls(bench);
    let is_builtin = bench.adapter() == "builtin";
    for (expression, value) in [
        ("cube.Side", "99"),
        ("((Cube)asSquare).Side", "99"),
        ("(asSquare as Cube).Side + 1", "100"),
        ("((Cube)asSquare).Named()", "\"cube\""),
        ("asSquare.Corners", "8"),
        ("asSquare.Seen", "3"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let refused = |client: &mut Client, expression: &str| {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        let words = error["message"].as_str().unwrap();
        assert!(words.contains("is declared as Square, whose `"), "{expression}: {error}");
    };
    let read = |client: &mut Client, expression: &str, value: &str| match is_builtin {
        true => assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}"),
        false => refused(client, expression),
    };
    read(&mut client, "asSquare.Side", "3");
    read(&mut client, "1 + asSquare.Side", "4");
    read(&mut client, "asSquare.Named()", "\"square\"");
    client.ok("breakpoint_set", json!({"file": "Program.cs", "line": bench.line("Called", "look")}));
    client.ok("debug_continue", json!({}));
    read(&mut client, "Side", "3");
    read(&mut client, "this.Side", "3");
    read(&mut client, "Named()", "\"square\"");
    assert_eq!(client.ok("evaluate", json!({"expression": "((Cube)this).Side"}))["value"], "99");
}

fn conditions_on_what_a_type_hides_are_judged_as_the_source_means_it(bench: &Bench) {
    for condition in ["Side == 3", "this.Side == 3"] {
        let mut client = bench.client();
        let look = json!({"file": "Program.cs", "line": bench.line("Called", "look"), "condition": condition});
        let stop = client.ok("debug_launch", bench.launch("Called", &[], json!({"breakpoints": [look]})));
        assert_eq!(stop["outcome"], "stopped", "{condition}: {stop}");
        assert_eq!(stop["note"].is_null(), bench.adapter() == "builtin", "{condition}: {stop}");
    }
}

fn a_nullable_enum_is_set_and_read_back(bench: &Bench) {
    let mut client = at_calls(bench);
    let set = client.call("variable_set", json!({"path": "maybe", "value": "Kind.Buy"}));
    // it converts no enum to its nullable, and says so
    if bench.adapter() == "dncdbg" {
        set.error("not_assignable");
        return;
    }
    let set = set.ok();
    assert_eq!((&set["value"], &set["was"]), (&json!("Buy"), &json!("Sell")), "{set}");
    assert_eq!(client.ok("evaluate", json!({"expression": "maybe"}))["value"], "Buy");
}

fn calls_that_csharp_refuses_say_why(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, words) in [
        ("await Task.CompletedTask", "`await` cannot be evaluated at a stop"),
        ("five.CompareTo(3)", "'int?' does not contain a definition for 'CompareTo'"),
        ("list.Nope(1)", "error CS1061: 'List<string>' does not contain a definition for 'Nope'"),
        ("list.Contains(1)", "error CS1503: Argument 1: cannot convert from 'int' to 'string'"),
    ] {
        let error = client.error(
            "evaluation_failed",
            "evaluate",
            json!({"expression": expression, "allow_side_effects": true}),
        );
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(words), "{expression}: {message}");
    }
}

/// What a number is passed as by reference is a copy on the stack of the call.
fn a_reference_that_a_call_returns_is_followed_or_refused(bench: &Bench) {
    let mut client = at_calls(bench);
    let mut call =
        |expression: &str| client.call("evaluate", json!({"expression": expression, "allow_side_effects": true})).value;
    assert_eq!(call("Shelf.At(new[] { 1, 2, 3 }, 1)")["value"], "2");
    for expression in ["Shelf.Larger(ref n, ref negative)", "Shelf.Same(ref n)", "Shelf.Same(ref text)"] {
        let error = call(expression);
        let words = error["message"].as_str().unwrap_or_default();
        assert!(words.contains("returns a reference, and what it is given by reference is a copy"), "{error}");
    }
}

fn what_only_an_assembly_has_that_is_not_loaded_is_hinted_at(bench: &Bench) {
    let mut client = at_calls(bench);
    for expression in ["rooms.AsParallel()", "new System.Text.Nope()"] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        let hint = error["hint"].as_str().unwrap();
        assert!(hint.contains("with the assemblies that the program has loaded"), "{error}");
    }
}

fn an_index_that_an_array_of_structs_does_not_have_is_named_by_its_member_too(bench: &Bench) {
    let mut client = at_calls(bench);
    let error = client.error("evaluation_threw", "evaluate", json!({"expression": "rooms[5].Number"}));
    // nothing that it was allowed to run has any side effects
    assert_eq!(error["hint"], "fix the expression or its arguments", "{error}");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("IndexOutOfRangeException: index 5 is out of range; `rooms` has 2 elements"),
        "{error}"
    );
}

fn parameters_and_operators_of_nullable_structs_take_what_csharp_lets_them(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [
        ("Shelf.OrNone(null)", "-1"),
        ("Shelf.OrNone(7)", "7"),
        ("Shelf.OrNone(b)", "200"),
        ("Shelf.OrNone(none)", "-1"),
        ("Shelf.Describe(3)", "\"3 nobody\""),
        ("Shelf.Describe(null, \"x\")", "\"none x\""),
        ("Shelf.Halved(heavy).Value.Grams", "4"),
        ("Shelf.Halved(heavy.Value).Value.Grams", "4"),
        ("Shelf.Halved(null) == null", "true"),
        ("heavy > light", "true"),
        ("heavy < light", "false"),
        ("heavy < weightless", "false"),
        ("weightless > light", "false"),
        ("(heavy + light).Value.Grams", "11"),
    ] {
        let reply = client.call("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(reply.value["value"], value, "{expression}: {}", reply.value);
    }
}

fn members_that_the_debugger_is_to_hide_are_counted(bench: &Bench) {
    let mut client = at_calls(bench);
    let listed = client.ok("variables_get", json!({"path": "veiled"}));
    assert_eq!(listed["hidden"], 2, "{listed}");
    let [only] = listed["variables"].as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!(only["name"], "Open", "{listed}");
    for (expression, value) in [("veiled.Secret", "42"), ("veiled.Kept", "43")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn values_are_shown_as_their_specifier_says(bench: &Bench) {
    let mut client = at_calls(bench);
    for (expression, value) in [
        ("n,h", "0x00000005"),
        ("negative, X", "0xFFFFFFF9"),
        ("b,b", "0b11001000"),
        ("big + 1,x", "0x0000000000000007"),
        ("five,h", "0x00000005"),
        ("boxed,h", "0x00000005"),
        ("c,d", "120"),
        ("ints,h", "[0x00000001, 0x00000002, 0x00000003]"),
        ("numbers.Where(x => x > 1),h", "[0x00000003, 0x00000002]"),
        ("text,nq", "abc"),
        ("text,h", "\"abc\""),
        ("text + \",h\",nq", "abc,h"),
        ("Math.Max(n, b)", "200"),
        ("Math.Max(n, b),h", "0x000000c8"),
        ("sequence,results", "[1, 2, 3]"),
        ("sequence,results,h", "[0x00000001, 0x00000002, 0x00000003]"),
        ("(System.Collections.IEnumerable)numbers,results", "[3, 1, 2]"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let raw = client.ok("evaluate", json!({"expression": "ints,raw"}));
    assert_eq!(raw["value"], "{Count=3, _version=1, _items=int[](3)}");
    for (expression, words) in [
        ("n,q", "`q` is not a format specifier; known specifiers: h and x (hexadecimal)"),
        ("n,results", "`n` is not a sequence, so it has no results"),
        ("missing,h", "the name 'missing' does not exist"),
    ] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().to_lowercase().contains(words), "{expression}: {error}");
    }
    let watched = client.ok("watch_set", json!({"expressions": ["n,h"]}));
    assert_eq!(watched["watches"], json!([{"name": "n,h", "value": "0x00000005"}]));
    let mut client = bench.client();
    let line = bench.line("Called", "called");
    let message = json!({"file": "Program.cs", "line": line, "message": "{n,h} {text,nq} {ints,h} {n,3}"});
    client.ok("tracepoint_set", message);
    client.ok("debug_launch", bench.launch("Called", &[], json!({})));
    let lines = client.ok("debug_query_events", json!({}));
    let text = lines.to_string();
    assert!(text.contains("0x00000005 abc List<int> [0x00000001, 0x00000002, 0x00000003]   5"), "{text}");
}

fn answers_are_called_by_their_numbers(bench: &Bench) {
    let mut client = at_calls(bench);
    let mut evaluate = |expression: &str| client.ok("evaluate", json!({"expression": expression}));
    assert_eq!(evaluate("n + 1"), json!({"value": "6"}));
    let found = evaluate("numbers.Where(x => x > 1).ToList()");
    assert_eq!((&found["value"], &found["path"]), (&json!("[3, 2]"), &json!("$2")));
    assert_eq!(evaluate("$1 * $2[0]")["value"], "18");
    assert_eq!(evaluate("$3 + $2.Sum(x => x * $1),h")["value"], "0x00000030");
    assert_eq!(evaluate("points")["path"], json!(null), "its name is as short");
    let several =
        client.ok("evaluate", json!({"expressions": ["$1", "missing", "points.Where(p => p.X > 1).ToArray()"]}));
    let results = &several["results"];
    assert_eq!((&results[0]["value"], &results[2]["path"]), (&json!("6"), &json!("$8")), "{several}");
    assert_eq!(client.ok("evaluate", json!({"expression": "$8[0].X"}))["value"], "2");
    let listed = client.ok("variables_get", json!({"path": "$8"}));
    assert_eq!(listed["variables"][0]["name"], "[0]", "{listed}");
    assert_eq!(client.ok("variables_get", json!({"path": "$2"}))["path"], "$2");
    assert_eq!(client.ok("object_inspect", json!({"path": "$8[0]"}))["path"], "$8[0]");
    for (arguments, words) in [
        (json!({"expression": "$99"}), "no answer $99: the last answer is $9"),
        (json!({"expression": "$1", "frame": 1}), "$1 was evaluated in another frame"),
    ] {
        let error = client.error("variable_not_found", "evaluate", arguments);
        assert_eq!(error["message"], words);
    }
    client.ok("debug_step", json!({"mode": "over"}));
    let error = client.error("variable_not_found", "evaluate", json!({"expression": "$2.Count"}));
    assert_eq!(error["message"], "$2 was evaluated at an earlier stop");
    assert_eq!(error["hint"], "evaluate `numbers.Where(x => x > 1).ToList()` again");
}
