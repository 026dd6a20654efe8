//! Structs of every size that a register holds, and of some more, passed by value.

use serde_json::json;

use super::scenarios;
use crate::bench::Bench;
use crate::client::Client;

scenarios! {
    structs_of_every_size_arrive_or_are_refused;
    this_and_arguments_of_every_size_arrive_or_are_refused;
    structs_of_every_size_arrive_from_everywhere, "builtin";
}

/// With what `Of` and the others give, ten times the first byte and the last.
const STRUCTS: [(&str, &str); 7] =
    [("Two", "12"), ("Three", "13"), ("Five", "15"), ("Six", "16"), ("Seven", "17"), ("Eight", "12"), ("Twelve", "13")];

fn at(bench: &Bench, marker: &str) -> Client {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Sizes", marker)}]);
    let stop = client.ok("debug_launch", bench.launch("Sizes", &[], json!({"breakpoints": breakpoints})));
    assert_eq!(stop["outcome"], "stopped", "{stop}");
    client
}

fn is(client: &mut Client, expression: &str, expected: &str) {
    let arguments = json!({"expression": expression, "allow_side_effects": true});
    let answer = client.call("evaluate", arguments).value;
    assert_eq!(answer["value"], *expected, "{expression}: {answer}");
}

/// The runtime passes these wrongly, except out of a box, which adapters cannot make.
fn is_or_is_refused(client: &mut Client, (expression, expected): (&str, &str), size: Option<u32>) {
    let Some(size) = size.filter(|_| cfg!(target_arch = "x86_64")) else {
        return is(client, expression, expected);
    };
    let answer = client.call("evaluate", json!({"expression": expression, "allow_side_effects": true})).value;
    let message = answer["message"].as_str().unwrap_or_default();
    let words = format!("this adapter passes a struct of {size} bytes wrongly");
    assert!(message.starts_with(&words), "{expression}: {answer}");
}

fn structs_of_every_size_arrive_or_are_refused(bench: &Bench) {
    let mut client = at(bench, "passed");
    let is_builtin = bench.adapter() == "builtin";
    let miscopied = |name: &str| {
        let all = [("Three", 3), ("Five", 5), ("Six", 6), ("Seven", 7), ("Lent", 3)];
        all.into_iter().find(|it| it.0 == name && !is_builtin).map(|it| it.1)
    };
    for (name, sum) in STRUCTS {
        let local = name.to_lowercase();
        for (expression, expected) in [
            (format!("{local}.Of({local})"), sum),
            (format!("{name}.Static({local})"), sum),
            (format!("{local} == of{name}.Field"), "true"),
            (format!("{local}.Equals(of{name}.Field)"), "true"),
            (format!("{local}.Of(of{name}.Array[0])"), sum),
            (format!("{local}.Of(of{name}.List[0])"), sum),
            (format!("{local}.Of(of{name}.Some.Value)"), sum),
            (format!("of{name}.List.Contains({local})"), "true"),
            (format!("EqualityComparer<{name}>.Default.Equals({local}, of{name}.Field)"), "true"),
            (format!("of{name}.Array.Count(x => x == {local})"), "1"),
        ] {
            is_or_is_refused(&mut client, (&expression, expected), miscopied(name));
        }
        for (expression, expected) in [
            (format!("{local}.Of(of{name}.Property)"), sum),
            (format!("{local}.Of(of{name}.Got())"), sum),
            (format!("{local}.Of(({name})of{name}.Box)"), sum),
        ] {
            is(&mut client, &expression, expected);
        }
        if bench.is_netcoredbg() {
            continue;
        }
        // it calls what returns a reference
        let referred = format!("{local}.Of(of{name}.Referred())");
        is_or_is_refused(&mut client, (&referred, sum), miscopied(name));
    }
    is(&mut client, "six.Of(Six.Shared)", "16");
    is_or_is_refused(&mut client, ("six.Of(Six.Common)", "16"), miscopied("Six"));
    is_or_is_refused(&mut client, ("six.Of(referred)", "16"), miscopied("Six"));
    is_or_is_refused(&mut client, ("Lent.Static(lent)", "13"), miscopied("Lent"));
    if !bench.is_netcoredbg() {
        is(&mut client, "six.Of(new Six(1, 2, 3, 4, 5, 6))", "16");
        is_or_is_refused(&mut client, ("new Made(six).Sum", "7"), miscopied("Six"));
    }
}

fn this_and_arguments_of_every_size_arrive_or_are_refused(bench: &Bench) {
    let mut client = at(bench, "meet");
    let miscopied = if bench.adapter() == "builtin" { None } else { Some(6) };
    for (expression, expected) in [
        ("Of(other)", "16"),
        ("other.Of(this)", "16"),
        ("this == other", "true"),
        ("Equals(other)", "true"),
        ("Of(held.Field)", "16"),
        ("held.List.Contains(this)", "true"),
        ("Static(this)", "16"),
    ] {
        is_or_is_refused(&mut client, (expression, expected), miscopied);
    }
}

/// A `T?` of these is of 3, 4, 6, 7, 8, 12 and 16 bytes.
fn structs_of_every_size_arrive_from_everywhere(bench: &Bench) {
    let mut client = at(bench, "passed");
    for (name, sum) in STRUCTS {
        let local = name.to_lowercase();
        for (expression, expected) in [
            (format!("{name}.Held({local})"), sum),
            (format!("{name}.Held(of{name}.Some)"), sum),
            (format!("{name}.Held(of{name}.None)"), "-1"),
            (format!("{name}.Held(null)"), "-1"),
            (format!("new HashSet<{name}> {{ {local}, of{name}.Field }}.Count"), "1"),
            (format!("of{name}.List.Select(x => {local}.Of(x)).Sum()"), sum),
            (format!("new[] {{ {local} }}[0].Of({local})"), sum),
            (format!("new Held<{name}>({local}).Field.Of({local})"), sum),
        ] {
            is(&mut client, &expression, expected);
        }
    }
    // by reference nothing is copied
    is(&mut client, "Six.Here(six)", "16");
    is(&mut client, "new Made(six, 4).Sum", "20");
    is(&mut client, "six.Of(six with { A = 4 })", "46");
    is(&mut client, "Six.Increased(ref six)", "2");
    is(&mut client, "six.A", "2");
}
