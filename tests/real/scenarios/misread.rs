//! What adapters read or compute by rules of their own, and what is answered instead.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::{Bench, Client, assert_has};

scenarios! {
    numbers_in_texts_are_those_of_the_programs_culture;
    an_enum_of_64_bits_is_shown_by_all_of_them;
    a_native_integer_is_shown_whole_or_as_a_part;
    an_overload_that_is_one_with_a_type_argument_is_not_mistaken_for_another;
    an_array_that_begins_elsewhere_has_all_of_its_elements;
    a_message_of_the_programs_own_is_not_what_the_exception_keeps;
    a_frame_that_an_exception_left_is_not_read;
    this_of_a_local_function_is_that_of_the_source;
    a_static_that_each_thread_has_is_the_threads;
    a_missing_argument_is_that_of_the_override, "builtin";
}

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Misread", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Misread", &["values"], json!({"breakpoints": breakpoints})));
    client.ok("breakpoint_remove", json!({"all": true}));
    assert_has(&stop, json!({"outcome": "stopped"}));
    client
}

/// Each is what it is in the program.
fn are(client: &mut Client, expected: &[(&str, &str)]) {
    for (expression, value) in expected {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        assert_eq!(answer["value"], *value, "{expression}: {answer}");
    }
}

/// Each is what it is in the program, or refused.
fn are_or_refused(client: &mut Client, expected: &[(&str, &str)]) {
    for (expression, value) in expected {
        let answer = client.call("evaluate", json!({"expression": expression})).value;
        assert!(answer["value"] == *value || answer["code"].is_string(), "{expression}: {answer}");
    }
}

/// The program's own culture has a comma for the point, and `~` for the minus.
fn numbers_in_texts_are_those_of_the_programs_culture(bench: &Bench) {
    let mut client = at(bench, "values");
    are(
        &mut client,
        &[
            ("\"\" + half", "\"1,5\""),
            ("$\"{half}\"", "\"1,5\""),
            ("half.ToString()", "\"1,5\""),
            ("half.ToString(\"F2\")", "\"1,50\""),
            ("\"\" + price", "\"~2,50\""),
            ("\"\" + below", "\"~3\""),
            ("$\"{below}|{half,5}\"", "\"~3|  1,5\""),
            ("below.ToString()", "\"~3\""),
            ("\"\" + tiny", "\"~1E~07\""),
            ("\"\" + 1.5 + -2", "\"1,5~2\""),
        ],
    );
    are_or_refused(
        &mut client,
        &[
            ("string.Format(\"{0}\", half)", "\"1,5\""),
            ("string.Concat(\"a\", half)", "\"a1,5\""),
            ("string.Join(\";\", half, below)", "\"1,5;~3\""),
            ("System.FormattableString.Invariant($\"{half}\")", "\"1.5\""),
            ("half.ToString(System.Globalization.CultureInfo.InvariantCulture)", "\"1.5\""),
        ],
    );
}

fn an_enum_of_64_bits_is_shown_by_all_of_them(bench: &Bench) {
    let mut client = at(bench, "values");
    are(
        &mut client,
        &[
            ("one", "One"),
            ("far", "Far"),
            ("top", "Top"),
            ("unnamed", "21474836481"),
            ("bits", "Low | High"),
            ("sign", "Sign"),
            ("wides[1]", "Far"),
            ("wides", "[One, Far, Top]"),
            ("holder.Field", "Far"),
            ("holder.Property", "Top"),
            ("perhaps", "Far"),
            ("none", "null"),
            ("far == Wide.One", "false"),
            ("far == Wide.Far", "true"),
            ("far > one", "true"),
            ("(ulong)far", "4294967297UL"),
            ("(long)high", "1099511627776L"),
            ("bits.HasFlag(Bits.High)", "true"),
            ("\"\" + far", "\"Far\""),
            ("table[Wide.Far]", "High"),
        ],
    );
    let locals = client.ok("variables_get", json!({}))["variables"].clone();
    let value = |name: &str| {
        let all = locals.as_array().unwrap().iter();
        all.clone().find(|local| local["name"] == name).unwrap_or(&Value::Null)["value"].clone()
    };
    for (name, expected) in [
        ("far", "Far"),
        ("unnamed", "21474836481"),
        ("sign", "Sign"),
        ("perhaps", "Far"),
        ("wides", "[One, Far, Top]"),
        ("table", "[[One]=Low, [Far]=High]"),
    ] {
        assert_eq!(value(name), expected, "{name}: {locals}");
    }
    let found = client.ok("variables_get", json!({"path": "wides", "filter": "^Far$"}));
    assert_has(&found, json!({"variables": [{"name": "[1]", "value": "Far"}]}));
}

fn a_native_integer_is_shown_whole_or_as_a_part(bench: &Bench) {
    let mut client = at(bench, "values");
    let all =
        [("native", "1311768467463790320"), ("small", "-5"), ("unsigned", "18364758544493064720"), ("pointer", "42")];
    if !bench.is_netcoredbg() {
        return are(&mut client, &all);
    }
    for (name, _) in all {
        let error = client.error("evaluation_failed", "evaluate", json!({"expression": name}));
        assert_eq!(error["message"], "this adapter shows only the low 32 bits of a native integer");
    }
    let holder = client.ok("variables_get", json!({"path": "holder", "filter": "^Handle$"}));
    assert_has(&holder, json!({"variables": [{"name": "Handle", "value": "0x…9ABCDEF0"}]}));
}

fn an_overload_that_is_one_with_a_type_argument_is_not_mistaken_for_another(bench: &Bench) {
    let mut client = at(bench, "values");
    are(
        &mut client,
        &[
            ("box.Take(1)", "\"int\""),
            ("box.Only(1)", "\"only\""),
            ("texts.Put(\"a\")", "\"open\""),
            ("texts.Put(1)", "\"int\""),
        ],
    );
    if bench.adapter() == "builtin" {
        return are(&mut client, &[("box.Put(1)", "\"int\"")]);
    }
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "box.Put(1)"}));
    let words = "this adapter may call the wrong overload of `Box<int>.Put`";
    assert!(error["message"].as_str().unwrap().starts_with(words), "{error}");
}

fn an_array_that_begins_elsewhere_has_all_of_its_elements(bench: &Bench) {
    let mut client = at(bench, "values");
    are(
        &mut client,
        &[
            ("shifted", "[50, 60, 70]"),
            ("shifted.Length", "3"),
            ("shifted.GetLowerBound(0)", "5"),
            ("grid", "[110, 111, 210, 211]"),
            ("grid[1, 10]", "110"),
            ("grid[2, 11]", "211"),
        ],
    );
    for (path, value) in [("shifted[5]", "50"), ("shifted[7]", "70"), ("grid[2, 10]", "210")] {
        let found = client.ok("variables_get", json!({"path": path}));
        assert_has(&found, json!({"variables": [{"value": value}]}));
    }
    client.error("evaluation_threw", "variables_get", json!({"path": "shifted[0]"}));
    client.error("evaluation_threw", "evaluate", json!({"expression": "grid[0, 0]"}));
    let locals = client.ok("variables_get", json!({"filter": "^(shifted|grid)$"}));
    assert_has(
        &locals,
        json!({"variables": [{"name": "shifted", "type": "int[5..7]"}, {"name": "grid", "type": "int[1..2, 10..11]"}]}),
    );
}

fn a_message_of_the_programs_own_is_not_what_the_exception_keeps(bench: &Bench) {
    let mut client = bench.client();
    let unread = |path: &str| {
        let words = format!("not read, as its getter runs code of the program: evaluate {path}.Message");
        json!([{"name": "Message", "error": words}])
    };
    for (argument, at_stop, asked, value) in [
        ("stored", Some("stored"), Some("stored"), "{Message=\"stored\"}"),
        ("loud", None, Some("loud 7"), "{Code=7, +1 more}"),
        ("counting", None, None, "{…}"),
    ] {
        let exceptions = json!({"exceptions": {"types": ["*"]}});
        let stop = client.ok("debug_launch", bench.launch("Misread", &[argument], exceptions));
        assert_eq!(stop["exception"]["message"], json!(at_stop), "{stop}");
        if at_stop.is_none() {
            assert_has(&stop["exception"], json!({"members": unread("$exception")}));
        }
        let context = client.ok("exception_get_context", json!({}));
        assert_eq!(context["exception"]["message"], json!(asked), "{context}");
        assert_eq!(client.ok("evaluate", json!({"expression": "$exception"}))["value"], value);
        // nobody ran what counts
        assert_eq!(client.ok("evaluate", json!({"expression": "Counting.Asked"}))["value"], "0", "{argument}");
        client.ok("debug_disconnect", json!({}));
    }
    let exceptions = json!({"exceptions": {"types": ["Loud"]}});
    client.ok("debug_launch", bench.launch("Misread", &["inner"], exceptions));
    let context = client.ok("exception_get_context", json!({}));
    assert_has(
        &context["exception"],
        json!({"message": "loud 7", "inner": [{"message": null, "members": unread("$exception._innerException")}]}),
    );
}

fn a_frame_that_an_exception_left_is_not_read(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Misread", "caught")}]);
    client.ok("debug_launch", bench.launch("Misread", &["loud"], json!({"breakpoints": breakpoints})));
    let frames = client.ok("stacktrace_get", json!({}))["frames"].clone();
    let listed: Vec<u64> = frames.as_array().unwrap().iter().filter_map(|frame| frame["frame"].as_u64()).collect();
    let last = listed.last().copied().unwrap();
    assert!(listed.len() == 2 && last > 1, "{frames}");
    for frame in 0..=last {
        let arguments = json!({"frame": frame});
        match listed.contains(&frame) {
            true => drop(client.ok("variables_get", arguments)),
            false => {
                let error = client.error("invalid_frame", "variables_get", arguments);
                let words = error["message"].as_str().unwrap();
                assert!(words.ends_with("is not in the call stack: an exception left it"), "{error}");
            }
        }
    }
}

/// Where a delegate was made of it, it is a method of the object that holds what it captures.
fn this_of_a_local_function_is_that_of_the_source(bench: &Bench) {
    for marker in ["local", "nested", "later"] {
        let mut client = at(bench, marker);
        are(&mut client, &[("sum", "5")]);
        let all = [("_stock", "5"), ("this._stock", "5"), ("this.GetType().Name", "\"Shop\""), ("name", "\"Ada\"")];
        let can_read = bench.adapter() != "netcoredbg" || marker == "local";
        if !can_read {
            for expression in ["this", "_stock", "name"] {
                let error = client.error("evaluation_failed", "evaluate", json!({"expression": expression}));
                let words = "is captured by this local function, which this adapter cannot read";
                assert!(error["message"].as_str().unwrap().ends_with(words), "{error}");
            }
        } else if bench.adapter() == "builtin" {
            are(&mut client, &all);
        } else {
            are(&mut client, &all[..2]);
            are_or_refused(&mut client, &all[2..]);
        }
        let locals = client.ok("variables_get", json!({}))["variables"].clone();
        let of = |name: &str| locals.as_array().unwrap().iter().find(|local| local["name"] == name).cloned();
        assert_eq!(of("this").map(|this| this["type"].clone()), can_read.then(|| json!("Shop")), "{marker}: {locals}");
        assert!(of("name").is_none_or(|name| name["value"] == "\"Ada\""), "{marker}: {locals}");
    }
}

fn a_static_that_each_thread_has_is_the_threads(bench: &Bench) {
    let mut client = at(bench, "values");
    are(&mut client, &[("Holder.Used", "9"), ("Holder.Shared", "3")]);
    let mut client = at(bench, "thread");
    let members = client.ok("variables_get", json!({"path": "holder"}))["variables"].clone();
    let of = |name: &str| members.as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone();
    assert_eq!(of("Shared")["value"], "3");
    for name in ["Used", "Unused"] {
        let words = "cannot be read: each thread has its own, and this one may not have used it yet";
        let expected = match bench.adapter() {
            "builtin" => json!({"value": "0", "static": true}),
            _ => json!({"error": words, "static": true}),
        };
        assert_has(&of(name), expected);
    }
}

fn a_missing_argument_is_that_of_the_override(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Expressions", "STOP")}]);
    client.ok("debug_launch", bench.launch("Expressions", &[], json!({"breakpoints": breakpoints})));
    let error = client.error("evaluation_failed", "evaluate", json!({"expression": "Overrides.Asks.Twice()"}));
    let words = "error CS7036: There is no argument given that corresponds to the required parameter 'number' of 'Asking.Twice(int)'";
    assert_eq!(error["message"], words);
}
