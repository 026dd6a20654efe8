//! The dashboard in a browser: what a person sees of a real session, and does there.

use serde_json::{Value, json};

use super::scenarios;
use crate::browser::{Browser, Setup};
use crate::client::Client;
use crate::real::Bench;

scenarios! {
    a_person_watches_a_session_and_goes_back_through_its_stops, "builtin";
    a_person_acts_with_the_keyboard_alone_in_the_dark, "builtin";
    the_keys_of_debuggers_step_and_other_frames_show_their_source, "builtin";
    without_scripts_the_page_is_read_and_its_links_work, "builtin";
}

/// A program at its first stop, and the page's address.
fn launched(bench: &Bench, flag: &str) -> (Client, String) {
    let mut client = bench.client_with(&[flag]);
    let breakpoint = json!({"breakpoints": [{"file": "Program.cs", "text": "order.Add(new OrderLine"}]});
    let stop = client.ok("debug_launch", bench.launch("Basics", &[], breakpoint));
    let note = stop["note"].as_str().unwrap();
    let address = note.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
    (client, address)
}

fn slider(browser: &Browser) -> Value {
    browser.run("const it = document.getElementById('nth'); return [it.value, it.max]")
}

fn a_person_watches_a_session_and_goes_back_through_its_stops(bench: &Bench) {
    let browser = Browser::open(Setup::default());
    let (mut client, address) = launched(bench, "--dashboard");
    browser.go(&address);
    browser.until("connection", "Live");
    assert!(!browser.address().contains("token"), "the token does not stay in the address");
    browser.until("state", "stopped Basics.dll");
    browser.until("source", "for (int i = 0; i < 5; i++)");
    browser.until_row("locals", "exitCode", &["7"]);
    assert_eq!(browser.run("return document.querySelector('form[action=\"/act\"]')"), Value::Null, "only looking on");
    // live: nobody touches the page
    client.ok("debug_continue", json!({}));
    browser.until("stops", "Stop 2 of 2");
    client.ok("debug_continue", json!({}));
    browser.until("stops", "Stop 3 of 3");
    browser.until("timeline", "debug_continue");
    browser.assert_accessible();

    // scrub
    browser.run("const it = document.getElementById('nth'); it.focus(); return null");
    browser.type_keys("\u{e012}");
    browser.until("stops", "Stop 2 of 3 (past)");
    browser.until_row("locals", "i", &["1 was 0"]);
    assert!(browser.address().contains("at="), "{}", browser.address());
    browser.type_keys("\u{e012}");
    browser.until("stops", "Stop 1 of 3 (past)");
    assert_eq!(slider(&browser), json!(["1", "3"]));
    // what is open stays open when something else changes
    browser.click("#locals summary");
    client.error("evaluation_failed", "evaluate", json!({"expression": "1 + nothing"}));
    browser.until("calls", "evaluate");
    assert_eq!(browser.run("return document.querySelector('#locals details').open"), json!(true));
    // compare
    browser.click("#timeline a[aria-label='Compare with stop 3']");
    browser.until("changes", "Changes from stop 3 to stop 1");
    browser.until_row("changes", "locals.i changed", &["2", "0"]);
    browser.assert_accessible();
    browser.click("#stops a.live");
    browser.until("stops", "Stop 3 of 3");

    // the history: filter, and the exports as the filter leaves them
    browser.write("#history-tool", "debug_continue\u{e007}");
    browser.until("history", "The newest 2 of 2 calls");
    let exported = |kind: &str| {
        let links = format!("document.querySelector(\"#calls a[href^='/history/{kind}']\").href");
        browser.awaited(&format!("fetch({links}).then((it) => it.text())")).as_str().unwrap().to_owned()
    };
    let calls: Value = serde_json::from_str(&exported("json")).unwrap();
    assert_eq!(calls.as_array().unwrap().len(), 2);
    assert_eq!(exported("csv").lines().count(), 3);
    assert!(exported("md").contains("`debug_continue`") && exported("sh").starts_with("#!/bin/sh\n"));

    // to the end, and what was printed
    client.ok("breakpoint_remove", json!({"all": true}));
    client.ok("debug_continue", json!({}));
    browser.until("state", "exited");
    browser.until("output", "reduced");
    browser.write("#output-search", "nowhere\u{e007}");
    browser.until("output", "No output line contains that.");
    browser.resize(500, 900);
    let fits = "return document.documentElement.scrollWidth <= window.innerWidth";
    assert_eq!(browser.run(fits), json!(true), "a narrow screen needs no sideways scrolling");
}

fn a_person_acts_with_the_keyboard_alone_in_the_dark(bench: &Bench) {
    let browser = Browser::open(Setup { dark: true, ..Setup::default() });
    let (mut client, address) = launched(bench, "--dashboard-control");
    browser.go(&address);
    browser.until("connection", "Live");
    let luminance =
        "const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g); return +r + +g + +b";
    assert!(browser.run(luminance).as_u64().unwrap() < 200, "dark");
    browser.assert_accessible();
    // the first stop of the Tab key leads past what comes before
    browser.tab_to("a.skip");
    browser.tab_to("button[value=over]");
    browser.type_keys("\u{e007}");
    browser.until("stops", "Stop 2 of 2");
    let there = client.ok("debug_state", json!({}));
    let acts = there["note"].as_str().unwrap();
    assert!(acts.contains("a person stepped over from Program.cs:"), "{there}");
    let line = bench.line("Basics", "print");
    browser.tab_to(&format!("button[value='set {line}']"));
    browser.type_keys(" ");
    browser.until("breakpoints", &format!("Program.cs:{line}"));
    browser.tab_to("button[value='remove 1']");
    browser.type_keys("\u{e007}");
    // the keys of debuggers: F5, F11, Shift+F11, F10
    browser.type_keys("\u{e035}");
    browser.until("now", &format!("Program.cs:{line}"));
    let there = client.ok("debug_state", json!({}));
    assert!(there["note"].as_str().unwrap().contains("a person continued from"), "{there}");
    browser.until("calls", "dashboard");
    browser.assert_accessible();
}

fn the_keys_of_debuggers_step_and_other_frames_show_their_source(bench: &Bench) {
    let browser = Browser::open(Setup::default());
    let (_client, address) = launched(bench, "--dashboard-control");
    browser.go(&address);
    browser.until("connection", "Live");
    browser.until("state", "F10");
    let colors = "const of = (kind) => getComputedStyle(document.querySelector('#source .' + kind)).color;\
                   return of('keyword') !== of('text') && of('keyword') !== getComputedStyle(document.body).color";
    assert_eq!(browser.run(colors), json!(true), "source has colors");
    // into the call, and on to where the first local of that frame is
    browser.type_keys("\u{e03b}");
    browser.until("stops", "Stop 2 of 2");
    browser.until("source", "▶");
    browser.click("#stack tbody tr:nth-of-type(2) a");
    browser.until("source", ", frame 1");
    browser.until("source", "order.Add(new OrderLine");
    browser.assert_accessible();
    browser.click("#stack tbody tr:nth-of-type(1) a");
    browser.until("source", "▶");
    browser.type_keys("\u{e008}\u{e03b}\u{e000}");
    browser.until("stops", "Stop 3 of 3");
    browser.type_keys("\u{e03a}");
    browser.until("stops", "Stop 4 of 4");
}

fn without_scripts_the_page_is_read_and_its_links_work(bench: &Bench) {
    let browser = Browser::open(Setup { without_scripts: true, ..Setup::default() });
    let (mut client, address) = launched(bench, "--dashboard");
    client.ok("debug_continue", json!({}));
    browser.go(&address);
    browser.until("stops", "Stop 2 of 2");
    browser.until("connection", "reload it");
    browser.click("#timeline a[aria-label='Show stop 1']");
    browser.until("stops", "Stop 1 of 2 (past)");
    browser.until_row("locals", "i", &["0"]);
    browser.write("#output-search", "x\u{e007}");
    browser.until("output", "No output line contains that.");
    browser.until("stops", "Stop 1 of 2 (past)");
    browser.click("#stops a.live");
    browser.until("stops", "Stop 2 of 2");
}
