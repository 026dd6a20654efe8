//! Calls that change nothing, and look as if they might: for each the reason that they were refused for.

use serde_json::json;

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    a_record_that_derives_from_another_is_compared, "builtin";
    a_static_initializer_that_only_makes_objects_is_run, "builtin";
    a_static_initializer_does_not_run_before_its_time, "builtin";
    a_lambda_of_a_generic_method_is_judged_by_what_it_is_for, "builtin";
    members_of_the_framework_that_only_look_are_called, "builtin";
    what_takes_locks_is_read_or_refused, "builtin";
    a_class_has_the_static_members_of_its_interface, "builtin";
    operators_of_numbers_are_known_whatever_the_number_is, "builtin";
    a_node_of_json_is_cast_to_what_it_holds, "builtin";
    what_only_looks_like_the_member_that_runs_is_not_taken_for_it, "builtin";
    messages_that_tell_of_objects_are_judged_by_those, "builtin";
}

fn at(bench: &Bench, mark: &str, file: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": file, "line": bench.line_in("Harmless", file, mark)}]);
    client.ok("debug_launch", bench.launch("Harmless", &[], json!({"breakpoints": breakpoints})));
    client
}

fn refused(client: &mut Client, expressions: &[&str]) {
    for expression in expressions {
        client.error("side_effects", "evaluate", json!({"expression": expression}));
    }
}

fn a_record_that_derives_from_another_is_compared(bench: &Bench) {
    let mut client = at(bench, "records", "Records.cs");
    client.gives(&[
        ("e.Equals(e)", "true"),
        ("e == (Person)e", "true"),
        ("e == same", "true"),
        ("e.Equals(p)", "false"),
        ("other == same", "true"),
        ("m == boss", "true"),
        ("boss.Equals(other)", "false"),
        ("new List<Person>{p,e}.Contains(e)", "true"),
        ("Array.IndexOf(arr, same)", "1"),
        ("new HashSet<Person>{p}.Count", "1"),
        ("new Dictionary<Person,int>{[e]=1}[same]", "1"),
        ("box == crate", "true"),
        ("box.Equals(crate)", "true"),
        ("plain.Equals(plain)", "true"),
        ("kept.Equals(other)", "false"),
    ]);
    refused(
        &mut client,
        &["leaf.Equals(leaf)", "leaf == red", "tallied.Equals(counted)", "counted == tallied", "counts.Equals(other)"],
    );
    client.gives(&[("Counted.Times", "0")]);
}

fn a_static_initializer_that_only_makes_objects_is_run(bench: &Bench) {
    let mut client = at(bench, "statics", "Statics.cs");
    client.gives(&[
        ("Ambient.Twice(4)", "8"),
        ("Ambient.Limit", "5"),
        ("Ambient.Now", "null"),
        ("Heard.Limit", "6"),
        ("Heard.Now", "null"),
        ("new AsyncLocal<int>().Value", "0"),
        ("Lazily.Twice(3)", "6"),
        ("Told.Times", "0"),
    ]);
    // it takes a number under a lock that all of its type have
    refused(&mut client, &["Lazily.Asked", "Numbered.Limit", "new ThreadLocal<int>().IsValueCreated"]);
}

fn a_static_initializer_does_not_run_before_its_time(bench: &Bench) {
    let mut client = at(bench, "statics", "Statics.cs");
    client.gives(&[("Fixed.Sum", "9")]);
    let early = [
        "Early.Max",
        "Early.Half",
        "Parsed.Port",
        "Readings.Count",
        "Readings.Twice(1)",
        "Clocked.Twice(1)",
        "dialed.Top",
        "dialed.ToString()",
        "$\"{dialed}\"",
    ];
    refused(&mut client, &early);
    for path in ["dialed", "this"] {
        client.call("variables_get", json!({"path": path, "depth": 2}));
        client.call("object_inspect", json!({"path": path}));
    }
    client.ok("variables_get", json!({"depth": 2}));
    for (expression, value) in [("Dial.Level = 4", "4"), ("Early.Half", "20")] {
        let allowed = json!({"expression": expression, "allow_side_effects": true});
        assert_eq!(client.ok("evaluate", allowed)["value"], value, "{expression}");
    }
    client.gives(&[("dialed.Top", "40"), ("dialed.ToString()", "\"dialed 20\"")]);
}

fn a_lambda_of_a_generic_method_is_judged_by_what_it_is_for(bench: &Bench) {
    let mut client = at(bench, "generic", "Generic.cs");
    client.gives(&[("f(t)", "\"t|t\""), ("l.Select(f).ToList()[0]", "\"a|t\""), ("plain(t)", "5")]);
    refused(&mut client, &["counting(t)", "l.Select(counting).First()", "said(it)"]);
    client.gives(&[("Times + Said.Times", "0")]);
}

fn members_of_the_framework_that_only_look_are_called(bench: &Bench) {
    let mut client = at(bench, "framework", "Framework.cs");
    client.gives(&[
        ("int.CreateSaturating(d)", "300"),
        ("byte.CreateTruncating(x)", "1"),
        ("byte.CreateSaturating(large)", "255"),
        ("sorted.Reverse().First()", "3"),
        ("sorted.Reverse().ToList()[1]", "2"),
        ("reader.Peek()", "97"),
        ("ISOWeek.GetWeekOfYear(date)", "1"),
        ("ISOWeek.GetYear(date)", "2025"),
        ("WebUtility.HtmlEncode(html)", "\"&lt;a &amp; b&gt;\""),
        ("WebUtility.HtmlDecode(\"&lt;\")", "\"<\""),
        ("WebUtility.UrlEncode(html)", "\"%3Ca+%26+b%3E\""),
        ("IPAddress.Parse(address).ToString()", "\"10.0.0.1\""),
        ("new StringInfo(text).LengthInTextElements", "2"),
        ("format.ToString()", "\"513 is 300.7\""),
        ("format.ArgumentCount", "2"),
        ("format.GetArgument(0)", "513"),
        ("key.GetType().Name", "\"RuntimeType\""),
        ("key.GetType() == typeof(string)", "false"),
        ("Matrix3x2.CreateScale(2).M11", "2f"),
        ("Matrix4x4.Identity.IsIdentity", "true"),
        ("BinaryPrimitives.ReverseEndianness(0x11223344u)", "1144201745U"),
        ("BinaryPrimitives.ReadUInt16BigEndian(bytes)", "258"),
        ("caught.TargetSite.Name", "\"Read\""),
    ]);
    refused(
        &mut client,
        &["Type.GetType(\"System.String\")", "reader.Read()", "told.ToString()", "WebUtility.HtmlEncode(html, writer)"],
    );
    client.gives(&[("reader.Peek()", "97"), ("told.ArgumentCount", "1"), ("Loud.Times", "0")]);
}

fn what_takes_locks_is_read_or_refused(bench: &Bench) {
    let mut client = at(bench, "framework", "Framework.cs");
    client.gives(&[("dictionary.IsEmpty", "false"), ("nothing.IsEmpty", "true")]);
    refused(&mut client, &["queue.ToArray()", "queue.TryPeek(out _)", "channel.Reader.Count"]);
}

fn a_class_has_the_static_members_of_its_interface(bench: &Bench) {
    let mut client = at(bench, "abstract", "Abstract.cs");
    client.gives(&[
        ("T.Zero.Raw", "273"),
        ("T.Next(t).Raw", "274"),
        ("U.Zero.Raw", "7"),
        ("U.After(u).Raw", "8"),
        ("U.Zero.Size", "70"),
        ("V.Name", "\"base\""),
        ("Abstract.Raw<Text>()", "7"),
    ]);
    refused(&mut client, &["U.Next(u)", "Abstract.Following(u)"]);
    client.gives(&[("Text.Times", "0")]);
}

fn operators_of_numbers_are_known_whatever_the_number_is(bench: &Bench) {
    let mut client = at(bench, "extended", "Extended.cs");
    client.gives(&[
        ("i.Sq", "49"),
        ("d.Sq", "2.25"),
        ("m.Sq", "6.25m"),
        ("i.Cube()", "343"),
        ("m.Plus(2)", "4.5m"),
        ("Numbers.Sum(two).Count", "3"),
    ]);
    refused(&mut client, &["Numbers.Sum(heard)"]);
    client.gives(&[("Heavy.Times", "0")]);
}

fn a_node_of_json_is_cast_to_what_it_holds(bench: &Bench) {
    let mut client = at(bench, "nodes", "Nodes.cs");
    client.gives(&[
        ("(int)node[\"a\"][\"b\"][0]", "5"),
        ("(int?)node[\"a\"][\"b\"][1]", "6"),
        ("(string)node[\"n\"]", "\"x\""),
        ("(string)node[\"z\"]", "null"),
        ("(int)made", "9"),
    ]);
}

fn what_only_looks_like_the_member_that_runs_is_not_taken_for_it(bench: &Bench) {
    let mut client = at(bench, "lookalikes", "Lookalikes.cs");
    client.gives(&[("plainly[\"a\"]", "true"), ("numbered[0]", "6"), ("holder.At(0).Number", "0")]);
    refused(
        &mut client,
        &[
            "numbered.Tell()",
            "Call(both)",
            "Direct(both, both)",
            "Times(multiplied, multiplied)",
            "wider.Ask()",
            "wider.Tell()",
            "fourth.Ask()",
            "counted()",
        ],
    );
    client.gives(&[("Hits.Times", "0")]);
}

fn messages_that_tell_of_objects_are_judged_by_those(bench: &Bench) {
    let mut client = at(bench, "telling", "Telling.cs");
    client.gives(&[
        ("range.Message", "\"too far (Parameter 'at')\\nActual value was 7.\""),
        ("ratio.Message", "\"too far (Parameter 'at')\\nActual value was 2.5.\""),
        ("empty.Message.Length", "73"),
        ("outside.Message", "\"outside (Parameter 'at')\\nActual value was text.\""),
        ("carrier.Text", "\"too far (Parameter 'at')\\nActual value was 7.!\""),
        ("plainCarrier.Text", "\"plain!\""),
        ("Carrier.Of(range).Length", "44"),
        ("plain.ToString()", "\"System.InvalidOperationException: plain\""),
        ("range.ToString().Length", "80"),
    ]);
    let loud = [
        "loud.Message",
        "loudly.Message",
        "many.Message",
        "two.Message",
        "loading.Message",
        "unmatched.Message",
        "loudCarrier.Text",
        "loudCarrier.Whole",
        "Carrier.Of(loud)",
    ];
    refused(&mut client, &loud);
    for exception in ["loud", "loudly", "many", "two", "loading", "unmatched"] {
        let texts = [format!("{exception}.ToString()"), format!("$\"{{{exception}}}\""), format!("\"\" + {exception}")];
        refused(&mut client, &texts.each_ref().map(String::as_str));
        client.ok("object_inspect", json!({"path": exception}));
    }
    client.ok("variables_get", json!({"depth": 3}));
    client.gives(&[("Loud.Times + Louder.Times == times", "true")]);
}
