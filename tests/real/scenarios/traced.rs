//! Tracepoints write the same lines whoever reads their values: the adapter at the hit, or clrbridge at a stop.

use serde_json::{Value, json};

use super::scenarios;
use crate::real::adapter::Adapter;
use crate::real::client::Client;
use crate::real::{Bench, assert_has};

scenarios! {
    values_of_every_kind_are_logged_as_at_a_stop;
    hits_that_are_logged_cost_no_stop_and_none_is_lost, "builtin";
    a_condition_and_a_hit_condition_decide_what_is_logged;
    no_more_is_logged_than_max_hits;
    what_was_logged_is_known_however_the_program_ends;
    a_program_that_waits_has_shown_its_lines;
    a_message_can_be_changed_and_removed_while_it_is_logged;
    what_was_logged_until_a_disconnect_is_kept, "builtin";
    each_thread_logs_its_own_hits;
    what_is_read_comes_before_what_came_after_it, "builtin";
    an_editor_gets_its_log_messages, "builtin";
}

/// Lines with their messages; the values are read without a stop, as far as that is possible.
const MESSAGES: [(&str, &str); 14] = [
    ("integers", "{i} {l} {u} {ul} {b} {sb} {s}"),
    ("formats", "{i:D3} {i,4}|{i,-4}|{i,h} {i:X2} {m:F3} {d:0.00}"),
    ("reals", "{d} {f} {m} {c} {flag} {n}"),
    ("texts", "{text} {nothing}| {text.Length} {text,nq} {{}}"),
    ("enums", "{sort} {access} {perhaps} {maybe}"),
    ("members", "{cell.Count} {cell.Label} {cell.Next?.Count} {Program.s_name}"),
    ("computed", "{i * 2 + 1} {(i % 2 == 0 ? \"even\" : \"odd\")} {items[1]} {items.Length} {cell.Label == \"n3\"}"),
    ("divided", "{100 / (i - 5)}"),
    ("absent", "{none.Label}"),
    ("changing", "{some}"),
    ("objects", "{boxed} {cell} {items} {when} {pair}"),
    ("calls", "{text.ToUpper()} {list.Count} {list[0]} {ages[\"a\"]}"),
    ("secret", "{password}"),
    ("plain", "passed"),
];

fn tracepoint(bench: &Bench, marker: &str, message: &str) -> Value {
    json!({"file": "Program.cs", "line": bench.line("Traced", marker), "message": message})
}

/// All lines that are kept, in their order, each with the number of its tracepoint.
fn lines(client: &mut Client) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    let mut since = 0;
    loop {
        let page = json!({"stream": "tracepoints", "limit": 200, "since_seq": since});
        let page = client.ok("debug_query_events", page);
        let events = page["events"].as_array().unwrap_or_else(|| panic!("no lines: {page}"));
        found.extend(
            events
                .iter()
                .map(|event| (event["breakpoint_id"].as_u64().unwrap(), event["text"].as_str().unwrap().to_owned())),
        );
        match events.last() {
            Some(last) if page["has_more"] == true => since = last["seq"].as_u64().unwrap(),
            _ => return found,
        }
    }
}

fn texts(client: &mut Client) -> Vec<String> {
    lines(client).into_iter().map(|(_, text)| text).collect()
}

fn listed(client: &mut Client, id: u64) -> Value {
    let list = client.ok("breakpoint_list", json!({}));
    let one = list["breakpoints"].as_array().unwrap().iter().find(|one| one["id"] == id).cloned();
    one.unwrap_or_else(|| panic!("no breakpoint {id} in {list}"))
}

/// Until one that begins so has come.
fn await_line(client: &mut Client, begin: &str) {
    let is_it = |line: &Value| line["text"].as_str().unwrap().starts_with(begin);
    for _ in 0..100 {
        let wait = client.ok("breakpoint_wait", json!({"timeout_ms": 50}));
        if wait["tracepoints"].as_array().is_some_and(|lines| lines.iter().any(is_it)) {
            return;
        }
    }
    panic!("no line begins with {begin:?}");
}

fn values_of_every_kind_are_logged_as_at_a_stop(bench: &Bench) {
    let mut client = bench.client();
    for (marker, message) in MESSAGES {
        client.ok("tracepoint_set", tracepoint(bench, marker, message));
    }
    let end = client.ok("debug_launch", bench.launch("Traced", &["kinds"], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let alone = lines(&mut client);
    // what several breakpoints of one line ask for is decided at a stop
    for (marker, _) in MESSAGES {
        let line = bench.line("Traced", marker);
        client.ok("breakpoint_set", json!({"file": "Program.cs", "line": line, "condition": "i < 0"}));
    }
    let end = client.ok("debug_restart", json!({}));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let beside = lines(&mut client).split_off(alone.len());
    for ((id, at_once), (other, at_a_stop)) in alone.iter().zip(&beside) {
        assert_eq!((id, at_once), (other, at_a_stop));
    }
    assert_eq!(alone.len(), beside.len());
    assert_eq!(alone.len(), MESSAGES.len() * 8);
    let of = |marker: &str| {
        let id = 1 + MESSAGES.iter().position(|(other, _)| *other == marker).unwrap() as u64;
        alone.iter().filter(move |(other, _)| *other == id).map(|(_, text)| text.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("integers")[3], "3 -3 3 18446744073709551612 3 -3 3000");
    assert_eq!(of("texts")[5], "a \"quoted\"\n\\ line, ü 😀 now| 23 a \"quoted\"\n\\ line, ü 😀 {}");
    assert_eq!(of("enums")[..2], ["None None Double 0", "Single Read  "]);
    assert_eq!(of("computed")[3], "7 odd 9 2 True");
    assert!(of("divided")[5].starts_with("!System.DivideByZeroException"), "{:?}", of("divided"));
    assert_eq!(of("divided")[6], "100");
    assert_eq!(of("changing")[1..6], ["some 1", of("changing")[2], of("changing")[3], "again", "again"]);
    assert!(of("changing")[2].starts_with("Cell {"), "{:?}", of("changing"));
    assert!(of("secret").iter().all(|line| !line.contains("hunter")), "{:?}", of("secret"));
}

fn many(bench: &Bench, client: &mut Client, count: u64) -> Value {
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Traced", "counted")}]);
    let count = count.to_string();
    let more = json!({"breakpoints": breakpoints, "timeout_ms": 120_000});
    client.ok("debug_launch", bench.launch("Traced", &["many", &count], more))
}

fn hits_that_are_logged_cost_no_stop_and_none_is_lost(bench: &Bench) {
    const COUNT: u64 = 10_000;
    let mut client = bench.client();
    client.ok("tracepoint_set", tracepoint(bench, "many", "i={i}"));
    let stop = many(bench, &mut client, COUNT);
    let last: Vec<Value> = (COUNT - 20..COUNT).map(|i| json!({"id": 1, "text": format!("i={i}")})).collect();
    assert_has(&stop, json!({"reason": "breakpoint", "tracepoints": last, "more_tracepoints": COUNT - 20}));
    assert_eq!(listed(&mut client, 1)["hits"], COUNT);
    // every stop takes a number, whether or not anybody hears of it
    let latest = client.ok("debug_query_events", json!({}))["latest_seq"].as_u64().unwrap();
    assert!((COUNT..COUNT + 300).contains(&latest), "{latest} events");
    let kept = texts(&mut client);
    let expected: Vec<String> = (COUNT - kept.len() as u64..COUNT).map(|i| format!("i={i}")).collect();
    assert_eq!(kept, expected);
}

fn a_condition_and_a_hit_condition_decide_what_is_logged(bench: &Bench) {
    let mut client = bench.client();
    let mut decided = tracepoint(bench, "many", "i={i}");
    decided["condition"] = json!("i % 3 == 0");
    decided["hit_condition"] = json!("%5");
    client.ok("tracepoint_set", decided);
    let stop = many(bench, &mut client, 100);
    let expected = [12, 27, 42, 57, 72, 87].map(|i| json!({"id": 1, "text": format!("i={i}")}));
    assert_has(&stop, json!({"reason": "breakpoint", "tracepoints": expected, "more_tracepoints": null}));
    assert_eq!(listed(&mut client, 1)["hits"], 34);
}

fn no_more_is_logged_than_max_hits(bench: &Bench) {
    let mut client = bench.client();
    // the second is an object at some of the hits, each of which takes a stop
    for (message, first) in [("{i}", "0"), ("{(i % 4 == 3 ? (object)s_cells : i)}", "0")] {
        client.ok("breakpoint_remove", json!({"all": true}));
        let mut few = tracepoint(bench, "many", message);
        few["max_hits"] = json!(7);
        let id = client.ok("tracepoint_set", few)["id"].as_u64().unwrap();
        let stop = many(bench, &mut client, 60);
        let found = stop["tracepoints"].as_array().unwrap();
        assert_eq!((found.len(), found[0]["text"].as_str()), (7, Some(first)), "{stop}");
        assert!(stop["note"].as_str().unwrap_or_default().contains("it reached max_hits (7)"), "{stop}");
        assert_has(&listed(&mut client, id), json!({"enabled": false, "why": "max_hits", "hits": 7}));
        client.ok("debug_disconnect", json!({}));
    }
}

fn what_was_logged_is_known_however_the_program_ends(bench: &Bench) {
    let mut client = bench.client();
    client.ok("tracepoint_set", tracepoint(bench, "ends", "{i}"));
    let expected: Vec<String> = (0..50).map(|i| i.to_string()).collect();
    for (how, end) in [
        ("kill", json!({"outcome": "exited", "signal": "SIGKILL"})),
        ("exit", json!({"outcome": "exited", "exit_code": 3})),
        ("return", json!({"outcome": "exited", "exit_code": 0})),
    ] {
        let report = client.ok("debug_launch", bench.launch("Traced", &["ends", how], json!({})));
        assert_has(&report, end);
        assert_eq!((&report["more_tracepoints"], report["tracepoints"][19]["text"].as_str()), (&json!(30), Some("49")));
        assert_eq!(texts(&mut client), expected, "{how}");
        assert_eq!(listed(&mut client, 1)["hits"], 50, "{how}");
    }
}

fn a_program_that_waits_has_shown_its_lines(bench: &Bench) {
    let mut client = bench.client();
    client.ok("tracepoint_set", tracepoint(bench, "waits", "{i}"));
    let report = client.ok("debug_launch", bench.launch("Traced", &["waits"], json!({"timeout_ms": 0})));
    assert_eq!(report["outcome"], "still_running", "{report}");
    let mut found: Vec<Value> = report["tracepoints"].as_array().cloned().unwrap_or_default();
    for _ in 0..100 {
        if found.len() >= 10 {
            break;
        }
        let wait = client.ok("breakpoint_wait", json!({"timeout_ms": 200}));
        found.extend(wait["tracepoints"].as_array().cloned().unwrap_or_default());
    }
    let expected: Vec<Value> = (0..10).map(|i| json!(i.to_string())).collect();
    assert_eq!(found.iter().map(|line| line["text"].clone()).collect::<Vec<_>>(), expected);
    client.ok("debug_disconnect", json!({}));
}

fn a_message_can_be_changed_and_removed_while_it_is_logged(bench: &Bench) {
    let mut client = bench.client();
    let report = client.ok("debug_launch", bench.launch("Traced", &["numbered"], json!({"timeout_ms": 0})));
    assert_eq!(report["outcome"], "still_running", "{report}");
    for message in ["a {i}", "b {i}"] {
        client.ok("tracepoint_set", tracepoint(bench, "numbered", message));
        await_line(&mut client, &message[..2]);
    }
    client.ok("breakpoint_remove", json!({"all": true}));
    // the next stop is one of another line, when all has come
    client.ok("debug_pause", json!({}));
    let found = lines(&mut client);
    let number = |text: &str| text[2..].parse::<u64>().unwrap();
    let first = number(&found[0].1);
    for (at, (id, text)) in found.iter().enumerate() {
        assert_eq!((*id, number(text)), (1, first + at as u64), "a hit is lost or doubled: {found:?}");
    }
    let changed = found.iter().position(|(_, text)| text.starts_with('b')).unwrap();
    assert!(changed > 0 && found[changed..].iter().all(|(_, text)| text.starts_with('b')), "{found:?}");
}

fn what_was_logged_until_a_disconnect_is_kept(bench: &Bench) {
    let mut client = bench.client();
    client.ok("tracepoint_set", tracepoint(bench, "numbered", "{i}"));
    for terminate in [true, false] {
        client.ok("debug_launch", bench.launch("Traced", &["numbered"], json!({"timeout_ms": 0})));
        await_line(&mut client, "");
        client.ok("debug_disconnect", json!({"terminate": terminate}));
        let found = texts(&mut client);
        let expected: Vec<String> = (0..found.len()).map(|i| i.to_string()).collect();
        assert!(found.len() > 1 && found == expected, "{found:?}");
        assert_eq!(listed(&mut client, 1)["hits"], found.len(), "a hit without its line");
    }
}

fn each_thread_logs_its_own_hits(bench: &Bench) {
    let mut client = bench.client();
    client.ok("tracepoint_set", tracepoint(bench, "threads", "{own} {i}"));
    let end = client.ok("debug_launch", bench.launch("Traced", &["threads"], json!({})));
    assert_has(&end, json!({"outcome": "exited", "exit_code": 0}));
    let found = texts(&mut client);
    for own in 0..4 {
        let begin = format!("{own} ");
        let numbers: Vec<&str> = found.iter().filter_map(|text| text.strip_prefix(&begin)).collect();
        assert_eq!(numbers, (0..200).map(|i| i.to_string()).collect::<Vec<_>>(), "thread {own}");
    }
    assert_eq!(listed(&mut client, 1)["hits"], 800);
}

fn what_is_read_comes_before_what_came_after_it(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    assert_eq!(adapter.capabilities["supportsClrTraces"], true);
    let (program, source) = (bench.built("Traced", "Traced.dll"), bench.fixture("Traced").join("Program.cs"));
    let line = |marker| bench.line("Traced", marker);
    let trace = json!({"trace": 1, "expressions": ["i", "nothing"], "most": 1_000});
    let read = json!({"trace": 2, "expressions": ["i"], "most": 12});
    let wrong = json!([{"line": line("done"), "clrTrace": trace}]);
    let lines = json!([{"line": line("prints"), "clrTrace": read, "clrHits": {"counter": 1, "before": 0}}, wrong[0]]);
    adapter.launch(&program, &["prints"], &[(&source, lines)], json!({}));
    // after so many it stops
    let stop = adapter.event("stopped");
    assert_eq!(stop["clrHits"], json!([{"counter": 1, "hits": 13}]));
    let so_far = adapter.arrived();
    let traced: Vec<&Value> = so_far.iter().filter(|it| it["event"] == "clrTraces").collect();
    let hits: Vec<Value> = traced.iter().flat_map(|it| it["body"]["hits"].as_array().unwrap().clone()).collect();
    let values: Vec<Value> = hits.iter().map(|hit| hit["values"].clone()).collect();
    assert_eq!(
        values,
        (0..12).map(|i: u64| json!([{"expression": "i", "value": i.to_string(), "type": "int"}])).collect::<Vec<_>>()
    );
    assert!(hits.iter().all(|hit| hit["trace"] == 1 || hit["threadId"] == stop["threadId"]), "{hits:?}");
    // what was printed behind a hit comes behind it
    let mut read = 0;
    for message in &so_far {
        match message["event"].as_str() {
            Some("clrTraces") => read += message["body"]["hits"].as_array().unwrap().len(),
            Some("output") if message["body"]["category"] == "stdout" => {
                let printed = message["body"]["output"].as_str().unwrap().lines().last().unwrap();
                let i: usize = printed.trim_start_matches("printed ").parse().unwrap();
                assert!(read > i, "{printed} before its hit: {so_far:?}");
            }
            _ => {}
        }
    }
    // an expression without a value, as of a name that is not there, stops
    let source = json!({"path": source});
    adapter.ok("setBreakpoints", json!({"source": source, "breakpoints": wrong}));
    adapter.ok("continue", json!({"threadId": stop["threadId"]}));
    let last = adapter.event("stopped");
    assert_eq!(adapter.top(&last)["line"], line("done"));
    assert_eq!(adapter.finish(&last), 0);
}

/// `logMessage` of the protocol: text of the adapter's, as C# interpolation prints it.
fn an_editor_gets_its_log_messages(bench: &Bench) {
    let mut adapter = Adapter::start(bench.adapter_command());
    let (program, source) = (bench.built("Traced", "Traced.dll"), bench.fixture("Traced").join("Program.cs"));
    let logged = |marker, message: &str| json!({"line": bench.line("Traced", marker), "logMessage": message});
    let lines = json!([
        logged("texts", "{i} {flag} {c} {text} {nothing}! {{x}} {m}"),
        logged("computed", "{i / 2} {cell.Label} {sort} {(i > 3 ? \"more\" : \"less\")}"),
        // an object from the third on, whose text the program makes
        logged("changing", "some={some}"),
        logged("divided", "{100 / (i - 5)}"),
    ]);
    adapter.launch(&program, &["kinds"], &[(&source, lines)], json!({}));
    assert_eq!(adapter.event("exited")["exitCode"], 0);
    let arrived = adapter.arrived();
    let said = arrived.iter().filter(|it| it["event"] == "output" && it["body"]["category"] == "console");
    let said: Vec<&str> = said.map(|it| it["body"]["output"].as_str().unwrap()).collect();
    let all = said.concat();
    for line in [
        "0 True a text 0 ! {x} 0.00\n",
        "5 False f a \"quoted\"\n\\ line, ü 😀 now! {x} 6.25\n",
        "6 True \n text 6 now! {x} 7.50\n",
        "1 n2 Double less\n",
        "3 n7 3 more\n",
        "some=some 1\n",
        "some=again\n",
        "-20\n",
        "50\n",
    ] {
        assert!(all.contains(line), "{line:?} is not in {said:?}");
    }
    assert!(all.contains("{100 / (i - 5): System.DivideByZeroException"), "{said:?}");
    assert_eq!(said.len(), 4 * 8, "{said:?}");
}
