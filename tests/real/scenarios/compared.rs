//! What decides a refusal is read off the objects of the program: none of its code runs for that.

use serde_json::json;

use super::scenarios;
use crate::real::Bench;

scenarios! {
    what_is_refused_runs_nothing, "builtin";
    a_collection_is_asked_by_what_it_compares_by_itself, "builtin";
    an_object_is_asked_whether_it_equals_itself, "builtin";
    equal_objects_with_different_hash_codes_are_different_to_a_set, "builtin";
}

/// To know whether a call could ask a culture of the program's own, none of the program's code runs.
fn what_is_refused_runs_nothing(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Basics", "main")}]);
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    client.error("side_effects", "evaluate", json!({"expression": "new System.IO.MemoryStream(new byte[1])"}));
    let culture = json!({"expression": "System.Globalization.CultureInfo.s_userDefaultCulture"});
    assert_eq!(client.ok("evaluate", culture)["value"], "null");
}

/// In a program that makes comparers of delegates, which may run anything.
fn a_collection_is_asked_by_what_it_compares_by_itself(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Compared", "compared")}]);
    client.ok("debug_launch", bench.launch("Compared", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [
        ("plain.Find(\"a\")", "1"),
        ("plain.FindOrDefault(\"a\")", "1"),
        ("plain.Has(\"b\")", "false"),
        ("plain.Look(\"a\")", "1"),
        ("numbers.Find(1)", "\"one\""),
        ("numbers.Look(1)", "\"one\""),
        ("counted.Find(2)", "\"two\""),
        ("counted.Most", "2"),
        ("counted.Least", "1"),
        ("counted.LeastBy", "1"),
    ] {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], value, "{expression}: {answer}");
    }
    for expression in ["counted.Look(2)", "counted.LeastAsCompared", "counted.HasOrdered(1)"] {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
    assert_eq!(client.ok("debug_continue", json!({}))["exit_code"], 0);
}

/// An `Equals` that somebody wrote may be wrong, which is what one wants to find.
fn an_object_is_asked_whether_it_equals_itself(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Compared", "compared")}]);
    client.ok("debug_launch", bench.launch("Compared", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [
        ("unequal.Contains(unequal[0])", "false"),
        ("unequal.SequenceEqual(unequal)", "false"),
        ("unequal.Concat(unequal).Distinct().Count()", "2"),
        ("unequal.Concat(unequal).GroupBy(it => it).Count()", "2"),
        ("unequal.Concat(unequal).ToHashSet().Count", "2"),
        ("records.Contains(records[0])", "true"),
        ("records.Concat(records).Distinct().Count()", "1"),
    ] {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], value, "{expression}: {answer}");
    }
}

fn equal_objects_with_different_hash_codes_are_different_to_a_set(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Compared", "compared")}]);
    client.ok("debug_launch", bench.launch("Compared", &[], json!({"breakpoints": breakpoints})));
    for (expression, value) in [
        ("misplaced.Distinct().Count()", "3"),
        ("misplaced.GroupBy(it => it).Count()", "3"),
        ("misplaced.ToDictionary(it => it).Count", "3"),
        ("misplaced.Select(it => (it, 1)).Distinct().Count()", "3"),
        ("misplaced.Except(new[] { new Misplaced(1, 3) }).Count()", "3"),
        ("misplaced.Intersect(new[] { new Misplaced(1, 2) }).Count()", "1"),
        ("misplaced.ToHashSet().Contains(new Misplaced(1, 3))", "false"),
        ("misplaced.ToHashSet().Contains(new Misplaced(1, 2))", "true"),
        ("words.Distinct(new Loose()).Count()", "3"),
        ("words.GroupBy(it => it, new Loose()).Count()", "3"),
        ("words.Distinct(StringComparer.OrdinalIgnoreCase).Count()", "2"),
        // those that ask no hash code
        ("words.Contains(\"A\", new Loose())", "true"),
        ("misplaced.Contains(new Misplaced(1, 3))", "true"),
        ("misplaced.DistinctBy(it => it.Key).Count()", "2"),
    ] {
        let answer = client.ok("evaluate", json!({"expression": expression}));
        assert_eq!(answer["value"], value, "{expression}: {answer}");
    }
}
