//! What the program handed to the framework, as tests/fixtures/Judged/Handed.cs has it: delegates, queries, tasks, spans, pointers.

use serde_json::json;

use super::judged::at;
use super::scenarios;
use crate::bench::Bench;

scenarios! {
    what_the_program_handed_to_the_framework_is_judged_by_what_it_calls;
    pointers_and_native_integers_are_read_whole_or_not_at_all;
    what_needs_an_object_says_so_in_a_static_method;
    what_only_looks_at_its_objects_needs_no_leave;
    an_extension_is_suggested_where_it_can_be_called;
}

fn what_the_program_handed_to_the_framework_is_judged_by_what_it_calls(bench: &Bench) {
    let mut client = at(bench, "tested");
    let is_builtin = bench.adapter() == "builtin";
    for (expression, value) in [
        ("Handed.Quiet.ToList()[1]", "4"),
        ("Handed.Quiet.Count()", "2"),
        ("Handed.Groups.First().Key", "1"),
        ("Handed.Looked[2].Count()", "2"),
        ("Handed.Looked.Contains(3)", "false"),
        ("Handed.Sorted.Keys.Max()", "\"b\""),
        ("Handed.Sorted.Values.Sum()", "3"),
        ("Handed.Square(4)", "16"),
        ("Handed.Done.Result", "42"),
        ("Handed.Ready.Result", "7"),
        ("Handed.Store[1]", "\"one\""),
        ("Handed.Store.All().Count()", "1"),
        ("Handed.Day.Number", "5"),
        ("Handed.Sum(new[] { 1, 2, 3 })", "4"),
        ("Handed.Sum([1, 2])", "3"),
        ("Handed.Words.Length;", "3"),
        ("((ICollection<string>)Handed.Words).IsReadOnly", "true"),
        ("((IEnumerable<string>)Handed.Words).GetEnumerator() != null", "true"),
        ("new Dictionary<string, object> { [\"a\"] = 1 }.TryGetValue(\"a\", out var held) ? held : null", "1"),
    ] {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        // adapters refuse some of them as what they cannot evaluate; .NET 8 groups by enumerating what may be the program's
        let may_refuse = !is_builtin || bench.framework() == "net8.0" && expression.starts_with("Handed.Groups");
        let is_refused = ["side_effects", "evaluation_failed"].iter().any(|code| answer["code"] == *code);
        assert!(answer["value"] == value || is_refused && may_refuse, "{expression}: {answer}");
    }
    for expression in [
        "Handed.Loud.First()",
        "Handed.LoudBelow.Count()",
        "Handed.LoudKeys.Count()",
        "Handed.Marking(1)",
        "Handed.Both(1)",
    ] {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        let is_refused = answer["code"] == "side_effects" || !is_builtin && answer["code"] == "evaluation_failed";
        assert!(is_refused, "{expression}: {answer}");
    }
    if is_builtin {
        let answer = client.error("side_effects", "evaluate", json!({"expression": "Handed.Marking(1)"}));
        assert!(
            answer["message"].as_str().unwrap().contains("Handed.Mark writes the static field Handed.Marks"),
            "{answer}"
        );
    }
    // adapters cannot tell that the initializer of that class has run
    let marks = json!({"expression": "Handed.Marks", "allow_side_effects": !is_builtin});
    assert_eq!(client.ok("evaluate", marks)["value"], "0");
    // their type has brackets of its own
    let pairs = json!({"expression": "Handed.Pairs", "allow_side_effects": !is_builtin});
    assert_eq!(client.ok("evaluate", pairs)["count"], 2);
    if is_builtin {
        // read of the whole expression, not of its last part
        let chosen = client.ok("evaluate", json!({"expression": "Handed.Pairs is var found ? found : null"}));
        assert!(chosen["value"].as_str().unwrap().starts_with("[(Name: \"one\", "), "{chosen}");
        // the garbage collector sees no span that is kept between two calls
        for (numbers, value) in
            [("[1, 2, 3]", "4"), ("new[] { 5, 6 }.AsSpan()", "11"), ("new ReadOnlySpan<int>([7])", "14")]
        {
            let summed = format!("Handed.SumAfter({numbers}, Handed.Collect())");
            let summed = client.ok("evaluate", json!({"expression": summed, "allow_side_effects": true}));
            assert_eq!(summed["value"], value, "{numbers}");
        }
        let pending = client.error("evaluation_failed", "evaluate", json!({"expression": "Handed.Pending.Result"}));
        assert!(pending["message"].as_str().unwrap().contains("has not completed"), "{pending}");
    }
    for (statement, words) in [
        ("var z = 5", "a declaration is a statement"),
        ("var (a, b) = (1, 2)", "a declaration is a statement"),
        ("foreach (var word in Handed.Words) word", "`foreach` is a statement"),
        ("return 5", "`return` is a statement"),
    ] {
        let refused = client.error("evaluation_failed", "evaluate", json!({"expression": statement}));
        assert!(refused["message"].as_str().unwrap().contains(words), "{statement}: {refused}");
    }
}

fn pointers_and_native_integers_are_read_whole_or_not_at_all(bench: &Bench) {
    let mut client = at(bench, "tested");
    let asked = |expression: &str| json!({"expression": expression, "allow_side_effects": true});
    match bench.adapter() {
        "netcoredbg" => {
            let cut = client.error("evaluation_failed", "evaluate", asked("Handed.Native"));
            assert!(cut["message"].as_str().unwrap().contains("only the low 32 bits"), "{cut}");
        }
        _ => assert_eq!(client.ok("evaluate", asked("Handed.Native"))["value"], "140735864836710"),
    }
    // it has a field of pointer type, which ends adapters that follow it
    client.ok("evaluate", json!({"expressions": ["Handed.Member,raw", "Handed.Member"], "allow_side_effects": true}));
    client.call("variables_get", json!({"path": "Handed.Member", "depth": 2}));
    client.call("evaluate", asked("Handed.Member.m_utf8name"));
    assert_eq!(client.ok("evaluate", asked("1 + 1"))["value"], "2");
}

fn what_needs_an_object_says_so_in_a_static_method(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Handed.cs", "text": "// BP:static"}]);
    let stop = client.ok("debug_launch", bench.launch("Judged", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    let (sum, field) = match bench.adapter() {
        "builtin" => {
            client.gives(&[("Add(1) == number + 1", "true")]);
            ("error CS0120", "error CS0120")
        }
        _ => {
            let error = client.error("evaluation_failed", "evaluate", json!({"expression": "Add(1)"}));
            assert!(error["message"].as_str().unwrap().contains("local function"), "{error}");
            ("Sum", "sum")
        }
    };
    for (expression, words) in [("Sum", sum), ("sum", field)] {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        assert!(error["message"].as_str().unwrap().contains(words), "{expression}: {error}");
    }
}

/// What decides is in the objects: which class a dictionary is of and what it compares by, which culture a call is given.
fn what_only_looks_at_its_objects_needs_no_leave(bench: &Bench) {
    let mut client = at(bench, "tested");
    // adapters cannot tell that the initializer of that class has run
    let is_builtin = bench.adapter() == "builtin";
    let wrong: Vec<String> = [
        ("Asked.Fixed.Keys.Count()", "2"),
        ("Asked.Fixed.Values.Sum()", "3"),
        ("Asked.General.Keys.First()", "\"a\""),
        ("Asked.Known.GetValueOrDefault(\"a\")", "1"),
        ("Asked.Fixed.GetValueOrDefault(\"none\", 7)", "7"),
        ("Asked.Boxes[\"k\"]", "5"),
        ("Asked.Odd().Sum()", "4"),
        ("Asked.Named(Asked.Numbers).Last()", "\"n3\""),
        ("(Asked.One + Asked.One).Y", "4"),
        ("(Asked.Heavy * 2).Grams", "10"),
        ("Asked.Heavy * 2 > Asked.Heavy", "true"),
        ("(Asked.Round with { Name = \"s\" }).Name", "\"s\""),
        ("char.ToLowerInvariant('A')", "'a'"),
        ("\"Ab\".ToUpperInvariant()", "\"AB\""),
        ("Asked.Slug(\"A b\")", "\"a-b\""),
        ("Asked.Price(1.5m)", "\"1.50\""),
        ("price.ToString(\"C\", CultureInfo.InvariantCulture)", "\"¤1.50\""),
        ("1.5m.ToString(\"0.00\", CultureInfo.InvariantCulture)", "\"1.50\""),
        ("decimal.GetBits(price)[0]", "150"),
        ("(1, \"b\").ToTuple().Item2", "\"b\""),
        ("Asked.Halves(5).Sum()", "8"),
        ("Wrapped.Pinned.Count", "2"),
        ("Wrapped.Pinned[1].Size", "4"),
        ("Wrapped.Shown[0].Size + Wrapped.Shown.Count", "5"),
        ("((Board)Wrapped.Pinned).Largest().Size", "4"),
    ]
    .into_iter()
    .filter_map(|(expression, value)| {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        let may_refuse =
            !is_builtin && ["side_effects", "evaluation_failed"].iter().any(|code| answer["code"] == *code);
        (answer["value"] != value && !may_refuse).then(|| format!("{expression}, which is {value}: {answer}"))
    })
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let refused =
        client.error("side_effects", "evaluate", json!({"expression": "Asked.Counted.GetValueOrDefault(\"a\")"}));
    assert!(refused["message"].as_str().unwrap().contains("Counting"), "{refused}");
    if is_builtin {
        let refused = client.error("side_effects", "evaluate", json!({"expression": "Wrapped.Over.Count"}));
        assert!(refused["message"].as_str().unwrap().contains("Pegs.Count"), "{refused}");
    }
}

fn an_extension_is_suggested_where_it_can_be_called(bench: &Bench) {
    let mut client = at(bench, "tested");
    for (expression, suggested) in [
        ("new Ring(\"r\", 1).Renamed()", true),
        ("\"text\".Renamed()", false),
        ("new KeyValuePair<int, int>[0].Paired()", true),
        ("new int[0].Paired()", false),
    ] {
        let answer = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains("does not contain a definition for"), "{expression}: {answer}");
        assert_eq!(message.contains("'Judged.Elsewhere.Extensions."), suggested, "{expression}: {answer}");
    }
    let unknown = client.error("evaluation_failed", "evaluate", json!({"expression": "new StringBuilder()"}));
    assert!(
        unknown["message"].as_str().unwrap().contains("write the full name, System.Text.StringBuilder"),
        "{unknown}"
    );
}
