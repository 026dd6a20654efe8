//! Extension methods, called as the compiler would call them.

use serde_json::json;

use super::scenarios;
use crate::adapter::Adapter;
use crate::real::{Bench, Client};

scenarios! {
    extension_methods_are_called, "builtin";
    extension_methods_that_cannot_be_called_say_why, "builtin";
    members_of_extension_blocks_are_read_called_and_assigned, "builtin";
    what_a_member_cannot_be_called_on_is_refused_as_the_compiler_does, "builtin";
}

fn at_extended(bench: &Bench) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Extended", "extended")}]);
    client.ok("debug_launch", bench.launch("Extended", &[], json!({"breakpoints": breakpoints})));
    client
}

fn extension_methods_are_called(bench: &Bench) {
    let mut client = at_extended(bench);
    for (expression, value) in [
        // of the framework, which loads the assembly
        ("tags.Any()", "true"),
        ("tags.First()", "\"a\""),
        ("numbers.Sum()", "6"),
        ("numbers.Max()", "3"),
        ("array.Count()", "2"),
        ("array.Skip(1).ToArray()[0]", "5"),
        ("keyed.First().Key", "\"k\""),
        ("numbers.Average()", "2.0"),
        ("tags.Last().Shout()", "\"b!\""),
        ("text.Shout(2)", "\"abc!!\""),
        // the nearest namespace wins, and the type's own method before any
        ("text.Origin()", "\"near abc\""),
        ("crate.Label()", "\"its own\""),
        ("text.Quoted()", "\"'abc'\""),
        ("numbers.Third()", "3"),
        ("5.Twice()", "10"),
        // on null, too
        ("nothing.OrElse()", "\"none\""),
        ("missing.IsNothing()", "true"),
        ("tags.IsNothing()", "false"),
        ("none.OrZero()", "0"),
        ("five.OrZero()", "5"),
    ] {
        let reply = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(reply["value"], value, "{expression}");
    }
}

fn extension_methods_that_cannot_be_called_say_why(bench: &Bench) {
    let mut client = at_extended(bench);
    for (expression, words) in [
        ("text.Hush()", "'Extended.Hidden.Unseen.Hush' is in a namespace that the file does not import"),
        ("text.Shout(tags)", "error CS1503: Argument 2: cannot convert from "),
        ("tags.Nope()", "error CS1061: 'List<string>' does not contain a definition for 'Nope'"),
        // C# converts no number for it, and opens no `int?`
        ("big.Twice()", "error CS1929: 'long' does not contain a definition for 'Twice'"),
        ("five.Twice()", "error CS1929: 'int?' does not contain a definition for 'Twice'"),
    ] {
        let call = json!({"expression": expression, "allow_side_effects": true});
        let error = client.error("evaluation_failed", "evaluate", call);
        assert!(error["message"].as_str().unwrap().contains(words), "{expression}: {error}");
    }
}

fn members_of_extension_blocks_are_read_called_and_assigned(bench: &Bench) {
    let mut client = at_extended(bench);
    for (expression, value) in [
        ("box.Double", "6"),
        ("box?.Double", "6"),
        ("box is { Double: > 5 }", "true"),
        ("Box.Empty.Weight", "0"),
        ("Box.Of(1)", "\"number 1\""),
        ("string.Hello.Length", "5"),
        ("string.Of(text)", "\"text abc\""),
        ("numbers.Middle", "2"),
        ("tags.Middle", "\"b\""),
        ("List<int>.None.Count", "0"),
        ("((IEnumerable<int>)numbers + array).Count()", "5"),
        ("(array + (IEnumerable<int>)numbers).First()", "4"),
        // LINQ has methods of these names, for sequences
        ("box.First", "\"first\""),
        ("box.First.Length", "5"),
        ("box.Where + 1", "4"),
        ("tags.First()", "\"a\""),
        // by their setters
        ("box.Load = 4", "4"),
        ("box.Load += 2", "6"),
        ("box.Load++", "6"),
        ("--box.Load", "6"),
        ("box.Weight", "6"),
        ("new Box { Load = 5 }.Weight", "5"),
        ("Box.Total = 8", "8"),
        ("Box.Total--", "8"),
        ("Box.Made", "7"),
        ("numbers.Middle = 20", "20"),
        ("numbers[1]", "20"),
    ] {
        let reply = client.ok("evaluate", json!({"expression": expression, "allow_side_effects": true}));
        assert_eq!(reply["value"], value, "{expression}");
    }
    // a setter is code of the program
    let error = client.error("side_effects", "evaluate", json!({"expression": "box.Load = 1"}));
    assert!(error["message"].as_str().unwrap().contains("set_Load"), "{error}");
}

fn what_a_member_cannot_be_called_on_is_refused_as_the_compiler_does(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let file = bench.fixture("Extended").join("Program.cs");
    let lines = json!([{"line": bench.line("Extended", "extended")}]);
    adapter.launch(&bench.built("Extended", "Extended.dll"), &[], &[(&file, lines)], json!({}));
    let stop = adapter.event("stopped");
    let frame = adapter.top(&stop)["id"].clone();
    let of_type = |member: &str| {
        format!(
            "error CS0176: Member '{member}' cannot be accessed with an instance reference; qualify it with a type name instead"
        )
    };
    let read_only =
        "error CS0200: Property or indexer 'Blocks.extension(Box).Double' cannot be assigned to -- it is read only";
    let needs_object = "error CS0120: An object reference is required for the non-static field, method, or property";
    for (expression, words) in [
        ("box.Made", of_type("Box.Made")),
        ("box?.Made", of_type("Box.Made")),
        ("box.Twice(1)", of_type("Box.Twice(int)")),
        ("box.Total", of_type("Blocks.extension(Box).Total")),
        ("box.Of(1)", of_type("Blocks.extension(Box).Of(int)")),
        ("text.Hello", of_type("Blocks.extension(string).Hello")),
        ("numbers.None", of_type("Blocks.extension<T>(List<T>).None")),
        ("loose.Made", of_type("Extended.Inner.Box.Made").replace("error CS0176: ", "")),
        ("box.Double = 1", read_only.into()),
        ("box.Double++", read_only.into()),
        ("Box.Double", format!("{needs_object} 'Blocks.extension(Box).Double'")),
        ("nameof(box.Double)", "error CS9316: Extension members are not allowed as an argument to 'nameof'.".into()),
    ] {
        let asked = json!({"expression": expression, "frameId": frame, "context": "watch"});
        let refusal = adapter.refusal("evaluate", asked);
        assert!(refusal.contains(&words), "{expression}: {refusal}");
    }
    let name = json!({"expression": "nameof(box.Made)", "frameId": frame, "context": "watch"});
    assert_eq!(adapter.ok("evaluate", name)["result"], "\"Made\"");
    assert_eq!(adapter.finish(&stop), 0);
}
