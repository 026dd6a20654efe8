//! What may be put where, what lies in boxes, and what setters say.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    what_was_set_is_no_change_of_the_program;
    no_object_is_put_where_another_type_is_declared, "builtin";
    what_is_declared_as_a_type_parameter_is_known_by_its_argument, "builtin";
    what_fits_is_put_where_it_is_declared, "builtin";
    an_expression_assigns_as_csharp_does;
    a_method_is_passed_no_object_of_another_type, "builtin";
    a_nullable_without_value_computes_as_one;
    what_an_indexer_gives_is_assigned_by_it;
    what_cannot_be_assigned_harms_nothing;
    a_method_called_on_a_copy_changes_the_copy;
    what_a_type_says_of_null_is_not_answered_by_reference;
    a_record_is_compared_without_side_effects;
    what_an_adapter_cannot_copy_is_no_local_function;
    a_double_has_all_of_its_digits;
    what_a_setter_throws_is_reported, "builtin";
    a_value_runs_only_what_changes_nothing;
    what_is_in_a_box_is_shown;
    a_box_is_opened_by_a_cast_to_its_type_only;
    a_cast_shows_what_an_object_is_not, "builtin";
    types_of_one_name_in_two_modules_are_not_mixed_up, "builtin";
    a_place_that_only_a_call_leads_to_is_asked_for_once, "builtin";
    what_a_call_gave_is_shown_without_another_call, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Assigned", marker)}]);
    client.ok("debug_launch", bench.launch("Assigned", &[], json!({"breakpoints": breakpoints})));
    client
}

fn is_refused(client: &mut Client, path: &str, value: &str, words: &str) {
    let was = client.ok("evaluate", json!({"expression": path}))["value"].clone();
    let error = client.error("not_assignable", "variable_set", json!({"path": path, "value": value}));
    assert!(error["message"].as_str().unwrap().ends_with(words), "{path} = {value}: {error}");
    assert!(error["hint"].is_string(), "{error}");
    assert_eq!(client.ok("evaluate", json!({"expression": path}))["value"], was, "{path}");
}

fn no_object_is_put_where_another_type_is_declared(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let to = |type_: &str| format!("Cannot implicitly convert type 'string' to '{type_}'");
    for (path, type_) in [
        ("holder", "Assigned.Holder"),
        ("none", "Assigned.Holder"),
        ("named", "Assigned.INamed"),
        ("all", "Assigned.Holder[]"),
        ("all[0]", "Assigned.Holder"),
        ("pair.Left", "Assigned.Holder"),
        ("holder.Next", "Assigned.Holder"),
        ("holder.Mate", "Assigned.Holder"),
        ("Holder.Shared", "Assigned.Holder"),
        ("things", "System.Collections.Generic.IEnumerable<object>"),
        ("captured", "System.Func<string>"),
        ("spot", "Assigned.Spot"),
    ] {
        is_refused(&mut client, path, "text", &to(type_));
        is_refused(&mut client, path, "any", &to(type_));
        is_refused(&mut client, path, "\"new\"", &to(type_));
    }
    is_refused(&mut client, "special", "holder", "'Assigned.Holder' to 'Assigned.Special'");
    is_refused(&mut client, "words.Left", "holder", "'Assigned.Holder' to 'string'");
    is_refused(&mut client, "names", "things", "'Assigned.Holder[]' to 'System.Collections.Generic.List<string>'");
    is_refused(&mut client, "holder", "real", "'double' to 'Assigned.Holder'");
    is_refused(&mut client, "holder", "spot", "'Assigned.Spot' to 'Assigned.Holder'");
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn what_is_declared_as_a_type_parameter_is_known_by_its_argument(bench: &Bench) {
    let mut client = at(bench, "generic");
    for path in ["own", "outer", "this.Left"] {
        is_refused(&mut client, path, "\"new\"", "'string' to 'Assigned.Holder'");
        let set = client.ok("variable_set", json!({"path": path, "value": "Right"}));
        assert_has(&set, json!({"path": path, "type": "Special"}));
    }
}

fn what_fits_is_put_where_it_is_declared(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (path, value, type_) in [
        ("none", "special", json!("Special")),
        ("named", "holder", json!("Holder")),
        ("all[0]", "special", json!("Special")),
        ("pair.Left", "special", json!("Special")),
        ("holder.Next", "special", json!("Special")),
        ("holder.Mate", "special", json!("Special")),
        ("Holder.Shared", "special", json!("Special")),
        ("words.Left", "text", json!(null)),
        ("things", "names", json!("List<string>")),
        ("things", "all", json!("Holder[]")),
        ("any", "spot", json!("Spot")),
        ("far", "new Spot(9)", json!("Spot?")),
        ("any", "2.5", json!("object")),
        ("any", "Size.Large", json!("Size")),
        ("any", "holder", json!("Holder")),
        ("any", "2.5m", json!(null)),
        ("any", "\"new\"", json!(null)),
    ] {
        let set = client.ok("variable_set", json!({"path": path, "value": value}));
        assert_eq!(set["type"], type_, "{path} = {value}: {set}");
    }
    if bench.adapter() == "builtin" {
        // what was in it says nothing of what is put in it
        client.ok("variable_set", json!({"path": "any", "value": "2.5m"}));
        client.ok("variable_set", json!({"path": "any", "value": "2"}));
        assert_eq!(client.ok("evaluate", json!({"expression": "any is int"}))["value"], "true");
        client.ok("variable_set", json!({"path": "any", "value": "\"new\""}));
    }
    let exit = client.ok("debug_continue", json!({}));
    assert_has(&exit, json!({"outcome": "exited", "exit_code": 0}));
    assert!(exit["output"]["stdout"].as_str().unwrap().contains("new Assigned.Holder"), "{exit}");
    assert!(exit["output"]["stdout"].as_str().unwrap().contains("far 9"), "{exit}");
}

/// As in `evaluate`, but for the setter of what is assigned: that is what was asked for.
fn a_value_runs_only_what_changes_nothing(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let mut refused = |path: &str, value: &str, named: &str| {
        let error = client.error("side_effects", "variable_set", json!({"path": path, "value": value}));
        assert!(error["message"].as_str().unwrap().contains(named), "{path} = {value}: {error}");
        assert_eq!(error["hint"], "variable_set with allow_side_effects: true runs it");
    };
    refused("text", "Counted.Draw()", "Counted.Draw");
    refused("any", "Counted.Draw() + text", "Counted.Draw");
    if bench.adapter() == "builtin" {
        // what is made here only the target tells
        refused("counted.Twin", "new()", "the constructor of Counted");
    }
    assert_eq!(client.ok("evaluate", json!({"expression": "Counted.Made"}))["value"], "1");
    assert_eq!(client.ok("evaluate", json!({"expression": "text"}))["value"], "\"text\"");
    assert_eq!(client.ok("variable_set", json!({"path": "text", "value": "words.Left"}))["value"], "\"left\"");
    assert_eq!(client.ok("variable_set", json!({"path": "holder.Rank", "value": "5"}))["value"], "5");
    let allowed = json!({"path": "any", "value": "Counted.Draw()", "allow_side_effects": true});
    if bench.adapter() == "builtin" {
        assert_eq!(client.ok("variable_set", allowed)["value"], "\"drawn 2\"");
        // its setter writes to the console
        let set = client.ok("variable_set", json!({"path": "holder.Mate", "value": "special"}));
        assert_has(&set, json!({"path": "holder.Mate", "type": "Special"}));
    }
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn an_expression_assigns_as_csharp_does(bench: &Bench) {
    let mut client = at(bench, "assigned");
    // each with what the expression gives, what was there, and what is there afterwards
    for (expression, value, was, path, now) in [
        ("spot.X = 7", "7", json!("4"), "spot.X", "7"),
        ("spot.X += 'c' - 96", "10", json!("7"), "spot.X", "10"),
        ("++spot.X", "11", json!("10"), "spot.X", "11"),
        ("spot.X--", "11", json!(null), "spot.X", "10"),
        ("maybe = 8", "8", json!("5"), "maybe", "8"),
        ("maybe *= 2", "16", json!("8"), "maybe", "16"),
        ("tenths = 1", "1.0", json!("0.1"), "tenths * 2", "2.0"),
        ("text = text + \"!\"", "\"text!\"", json!("\"text\""), "text.Length", "5"),
        // the value of the expression is what the setter was given, not what it made of that
        ("holder.Rank = 50", "50", json!("2"), "holder.Rank", "10"),
        ("holder.Weight = 2 + 1", "3.0", json!("0.0"), "holder.Weight", "3.0"),
        ("lined[1] = lined[0] + 8", "9", json!("2"), "lined[1]", "9"),
        ("(maybe = 3) + spot.X", "13", json!(null), "maybe", "3"),
        ("(spot.X = 5) == spot.X", "true", json!(null), "spot.X", "5"),
        ("none ??= holder", "Holder", json!("null"), "none == holder", "true"),
        ("none ??= special", "Holder", json!("Holder"), "none.Name", "\"holder\""),
        ("all[0] = holder.Next ?? none", "Holder", json!("Holder"), "all[0].Name", "\"holder\""),
        ("Holder.Shared = all[0]", "Holder", json!("null"), "Holder.Shared.Name", "\"holder\""),
    ] {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
        let given = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        let begins = |found: &serde_json::Value, begin: &str| {
            let begin = begin.split([' ', '{']).next().unwrap();
            found.as_str().is_some_and(|found| found.starts_with(begin))
        };
        let is_whole = |text: &str| !text.starts_with(|c: char| c.is_ascii_uppercase());
        match is_whole(value) {
            true => assert_eq!(given["value"], value, "{expression}: {given}"),
            false => assert!(begins(&given["type"], value), "{expression}: {given}"),
        }
        match was.as_str().filter(|was| !is_whole(was)) {
            Some(_) => assert!(given["was"].as_str().unwrap().starts_with('{'), "{expression}: {given}"),
            None => assert_eq!(given["was"], was, "{expression}: {given}"),
        }
        assert_eq!(client.ok("evaluate", json!({"expression": path}))["value"], now, "{expression}");
    }
    for (expression, words) in [
        ("spot.X = \"x\"", "error CS0029"),
        ("maybe = tenths", "error CS0266"),
        ("holder.Name = text", "error CS0200"),
        ("text.Length = 3", "error CS0200"),
    ] {
        let error = client.error(
            "evaluation_failed",
            "evaluate",
            json!({"expression": expression, "allow_side_effects": true}),
        );
        assert!(error["message"].as_str().unwrap().contains(words), "{expression}: {error}");
    }
    let exit = client.ok("debug_continue", json!({}));
    assert_has(&exit, json!({"outcome": "exited", "exit_code": 0}));
    assert!(exit["output"]["stdout"].as_str().unwrap().contains("lined 9"), "{exit}");
}

fn a_nullable_without_value_computes_as_one(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for path in ["maybe", "price", "day"] {
        assert_eq!(client.ok("variable_set", json!({"path": path, "value": "null"}))["value"], "null");
    }
    let exit = client.ok("debug_continue", json!({}));
    let output = exit["output"]["stdout"].as_str().unwrap();
    assert!(output.contains("maybe 0 0"), "{exit}");
    assert!(output.contains("day 0001"), "{exit}");
}

fn what_an_indexer_gives_is_assigned_by_it(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (path, value) in [("sorted[3]", "\"x\""), ("lined[1]", "9"), ("names[0]", "\"bob\"")] {
        assert_eq!(client.ok("variable_set", json!({"path": path, "value": value}))["value"], value, "{path}");
        assert_eq!(client.ok("evaluate", json!({"expression": path}))["value"], value, "{path}");
    }
    // a key that is not there yet
    let added = client.ok("variable_set", json!({"path": "sorted[2]", "value": "\"two\""}));
    assert_has(&added, json!({"value": "\"two\"", "was": null}));
    let expression = "sorted[4] = \"four\"";
    client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
    is_refused(&mut client, "lined[1]", "-1", "the setter threw System.ArgumentException: a cell is positive");
    let exit = client.ok("debug_continue", json!({}));
    let output = exit["output"]["stdout"].as_str().unwrap();
    assert!(output.contains("sorted [1, a] [2, two] [3, x] [4, four] "), "{exit}");
    assert!(output.contains("lined 9"), "{exit}");
}

fn what_cannot_be_assigned_harms_nothing(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let is_builtin = bench.adapter() == "builtin";
    let in_set = client.error("not_assignable", "variable_set", json!({"path": "set[1]", "value": "9"}));
    assert!(in_set["message"].as_str().unwrap().contains("an element of a set cannot be overwritten"), "{in_set}");
    client.ok("variable_set", json!({"path": "holder.Rank", "value": "50"}));
    let unchanged = "holder.Rank = 60: the adapter reports success, but the property still reads 10";
    is_refused(&mut client, "holder.Rank", "60", unchanged);
    if !is_builtin {
        let copy = "is a copy that a property or an indexer returned";
        is_refused(&mut client, "holder.Place.X", "9", copy);
        is_refused(&mut client, "spots[3].X", "9", copy);
        is_refused(&mut client, "holder.Age", "7", "");
        is_refused(&mut client, "holder.Age", "null", "");
        let kept = "the adapter only clears HasValue: GetValueOrDefault() would still return the old value";
        is_refused(&mut client, "far", "null", kept);
    }
    let exit = client.ok("debug_continue", json!({}));
    let expected = if is_builtin { "holder 1 4 1 set 1 2 3 lined 2" } else { "far 7\nholder 1 4 1 set 1 2 3 lined 2" };
    assert!(exit["output"]["stdout"].as_str().unwrap().contains(expected), "{exit}");
}

fn what_a_type_says_of_null_is_not_answered_by_reference(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let refused = client.error("side_effects", "evaluate", json!({"expression": "alike == null"}));
    assert!(refused["message"].as_str().unwrap().contains("writes the static field"), "{refused}");
    for (expression, said) in [("gone == null", "true"), ("null != gone", "false")] {
        let asked = client.call("evaluate", json!({"expression": expression}));
        match bench.adapter() {
            "builtin" => assert_eq!(asked.ok()["value"], said, "{expression}"),
            _ => {
                let error = asked.error("evaluation_failed");
                assert!(error["message"].as_str().unwrap().contains("cannot call with null"), "{error}");
            }
        }
    }
    for (expression, value) in
        [("gone is null", "false"), ("alike is not null", "true"), ("note == null", "false"), ("none == null", "true")]
    {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn a_record_is_compared_without_side_effects(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (expression, value) in [("note == other", "true"), ("note != note", "false")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn what_an_adapter_cannot_copy_is_no_local_function(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let asked = json!({"expression": "(note with { Text = \"b\" }).Text", "allow_side_effects": true});
    if bench.adapter() == "builtin" {
        assert_eq!(client.ok("evaluate", asked)["value"], "\"b\"");
    } else {
        let error = client.error("evaluation_failed", "evaluate", asked);
        assert_eq!(error["message"], "`with` first copies the record, which this adapter cannot do");
    }
}

fn a_double_has_all_of_its_digits(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (expression, value) in [
        ("sum", "0.30000000000000004"),
        ("tenths + 0.2", "0.30000000000000004"),
        ("tenths", "0.1"),
        ("sum == 0.3", "false"),
        ("sum == 0.30000000000000004", "true"),
        ("sum / 0", "double.PositiveInfinity"),
        ("-5.0 / 0", "double.NegativeInfinity"),
        ("5.0 % 0", "double.NaN"),
        ("largest", "1.7976931348623157E+308"),
        ("least", "-1.7976931348623157E+308"),
        ("largest == double.MaxValue && largest < double.PositiveInfinity", "true"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    for expression in ["maybe / 0", "price / 0m", "price / 0"] {
        client.error("evaluation_threw", "evaluate", json!({"expression": expression}));
    }
    // zeros before the digits are no digits
    client.ok("variable_set", json!({"path": "tenths", "value": "-0.028004885623247978"}));
    for (expression, value) in [("tenths", "-0.028004885623247978"), ("tenths == -0.028004885623247978", "true")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
}

fn a_method_is_passed_no_object_of_another_type(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let mut greet = |argument: &str| {
        let asked = json!({"expression": format!("holder.Greet({argument})"), "allow_side_effects": true});
        client.call("evaluate", asked)
    };
    assert_eq!(greet("special").ok()["value"], "\"special\"");
    for argument in ["text", "any", "\"new\"", "names", "real"] {
        greet(argument).error("evaluation_failed");
    }
}

fn what_a_setter_throws_is_reported(bench: &Bench) {
    let mut client = at(bench, "assigned");
    is_refused(
        &mut client,
        "holder.Weight",
        "-1",
        "holder.Weight = -1: the setter threw System.ArgumentException: a weight is positive",
    );
    // an `int` is no `double` to the setter, were its bytes passed as they are
    assert_has(
        &client.ok("variable_set", json!({"path": "holder.Weight", "value": "names.Count"})),
        json!({"value": "1.0"}),
    );
}

fn what_is_in_a_box_is_shown(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (name, value) in [
        ("real", "1.5"),
        ("letter", "'c'"),
        ("money", "1.25m"),
        ("large", "42L"),
        ("yes", "true"),
        ("size", "Large"),
        ("point", "{X=3}"),
    ] {
        assert_eq!(client.ok("evaluate", json!({"expression": name}))["value"], value, "{name}");
    }
}

fn a_box_is_opened_by_a_cast_to_its_type_only(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (expression, value) in [("(double)real", "1.5"), ("(long)large", "42L"), ("(double)real + 1", "2.5")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    for expression in ["(int)real", "(int)large"] {
        client.error("evaluation_threw", "evaluate", json!({"expression": expression}));
    }
}

fn a_cast_shows_what_an_object_is_not(bench: &Bench) {
    let mut client = at(bench, "assigned");
    for (expression, value) in [
        ("((Holder)named).Name", "\"special\""),
        ("((INamed)special).Name", "\"special\""),
        ("((Spot)point).X", "3"),
        ("(bool)yes", "true"),
        ("(Size)size", "Large"),
        ("(string)any", "\"text\""),
        ("((List<string>)names).Count", "1"),
        ("(object)text", "\"text\""),
    ] {
        assert_eq!(
            client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}))["value"],
            value,
            "{expression}"
        );
    }
    for expression in
        ["(Holder)any", "(Special)holder", "(string)holder", "(Spot)size", "(bool)any", "(List<int>)names"]
    {
        let answer = client.call("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert!(answer.failed, "{expression}: {answer:?}");
    }
}

fn what_was_set_is_no_change_of_the_program(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Steps", "first")}]);
    client.ok("debug_launch", bench.launch("Steps", &[], json!({"breakpoints": breakpoints})));
    client.ok("variable_set", json!({"path": "c", "value": "40"}));
    client.ok("variable_set", json!({"path": "i", "value": "1"}));
    let step = client.ok("debug_step", json!({"mode": "over"}));
    let was = |name: &str| {
        let locals = step["locals"].as_array().into_iter().chain(step["changed"].as_array()).flatten();
        locals.filter(|local| local["name"] == name).map(|local| local["was"].clone()).collect::<Vec<_>>()
    };
    assert!(was("c").is_empty() && was("i").is_empty(), "{step}");
    assert_eq!(client.ok("evaluate", json!({"expression": "c + a"}))["value"], "42");
}

fn types_of_one_name_in_two_modules_are_not_mixed_up(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Twins", "twins")}]);
    client.ok("debug_launch", bench.launch("Twins", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [("near.Weight", "77L"), ("near.Name", "\"near\"")] {
        assert_eq!(client.ok("evaluate", json!({"expression": expression}))["value"], value, "{expression}");
    }
    let read = json!({"expression": "far.Weight", "allow_side_effects": true});
    let error = client.error("evaluation_failed", "evaluate", read);
    assert!(error["message"].as_str().unwrap().starts_with("two modules define a type 'Shared.Config'"), "{error}");
    is_refused(&mut client, "near", "far", "'Shared.Config' to 'Shared.Config'");
    assert_has(&client.ok("debug_continue", json!({})), json!({"outcome": "exited", "exit_code": 0}));
}

fn a_method_called_on_a_copy_changes_the_copy(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let is_builtin = bench.adapter() == "builtin";
    for (expression, value) in [
        ("row[0].Push()", "2"),
        ("row[0].Pushed().X", "2"),
        ("row.Select(it => it.Push()).Sum()", "2"),
        ("row.ToArray()[0].Push()", "2"),
        ("holder.Place.Push()", "2"),
        ("holder.Fixed.Push()", "2"),
        ("Holder.Origin.Push()", "2"),
        ("((Spot)point).Push()", "4"),
        ("point is Spot it ? it.Push() + it.Push() : 0", "9"),
        ("far.Value.Push()", "8"),
        ("far?.Push()", "8"),
        ("(spot with { X = 7 }).Push()", "8"),
        ("(true ? spot : default).Push()", "5"),
        ("new[] { spot }[0].Push()", "5"),
    ] {
        let answer = client.call("evaluate", json!({"expression": expression, "allow_side_effects": true})).value;
        // adapters cannot copy a struct
        let is_refused = answer["code"] == "evaluation_failed" && !is_builtin;
        assert!(answer["value"] == value || is_refused, "{expression}: {answer}");
    }
    for (expression, value) in [("cells[0].Push()", "2"), ("spot.Push()", "5")] {
        let pushed = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(pushed["value"], value, "{expression}: {pushed}");
    }
    let exit = client.ok("debug_continue", json!({}));
    let output = exit["output"]["stdout"].as_str().unwrap();
    assert!(output.contains("copied 1 1 1 1 3 7\nchanged 2 5\n"), "{exit}");
}

fn made(client: &mut Client) -> i64 {
    let made = client.ok("evaluate", json!({"expression": "Counted.Made"}))["value"].clone();
    made.as_str().unwrap().parse().unwrap()
}

fn what_a_call_gave_is_shown_without_another_call(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let before = made(&mut client);
    let asked = json!({"expression": "Counted.Both()", "allow_side_effects": true});
    assert_eq!(client.ok("evaluate", asked)["value"], format!("({}, Holder)", before + 1));
    assert_eq!(made(&mut client), before + 1);
}

fn a_place_that_only_a_call_leads_to_is_asked_for_once(bench: &Bench) {
    let mut client = at(bench, "assigned");
    let before = made(&mut client);
    let path = "names[Counted.Draw().Length - 7]";
    let mut set = json!({"path": path, "value": "\"eve\""});
    client.error("side_effects", "variable_set", set.clone());
    set["allow_side_effects"] = json!(true);
    assert_has(&client.ok("variable_set", set), json!({"value": "\"eve\"", "was": "not read"}));
    assert_eq!(made(&mut client), before + 1);
    assert_eq!(client.ok("evaluate", json!({"expression": "names[0]"}))["value"], "\"eve\"");
}
