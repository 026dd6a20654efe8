//! The dashboard through the network stack: who is let in, what is shown, and that nothing which a program says does anything there.

use clrbridge::dap::request::{Continue, Next};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::http::{Server, TOKEN, ask, until};
use crate::scripted::Frame;
use crate::talk::MAIN;

const EVIL: &str = "</code></pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'";

/// What comes back, head and body.
async fn get(server: &Server, path: &str, head: &str) -> (u16, String) {
    let address = server.address;
    server.raw(&format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{head}\r\n")).await
}

async fn post(server: &Server, path: &str, head: &str, form: &str) -> (u16, String) {
    let (address, length) = (server.address, form.len());
    let types = "Content-Type: application/x-www-form-urlencoded";
    let head = format!("Host: {address}\r\nConnection: close\r\n{types}\r\nContent-Length: {length}\r\n{head}");
    server.raw(&format!("POST {path} HTTP/1.1\r\n{head}\r\n{form}")).await
}

/// The line by which a browser sends what it was given.
fn cookie(answer: &str) -> String {
    let given = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap_or_else(|| panic!("{answer}"));
    assert!(given.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{given}");
    format!("Cookie: other=1; {}\r\n", given.split(';').next().unwrap())
}

async fn let_in(server: &Server) -> String {
    let (status, answer) = get(server, &format!("/?token={TOKEN}"), "").await;
    assert_eq!(status, 200, "{answer}");
    cookie(&answer)
}

#[tokio::test]
async fn a_browser_shows_the_token_once_and_keeps_a_cookie() {
    let server = Server::new(false).await;
    let (status, answer) = get(&server, "/", "").await;
    assert!(status == 401 && answer.contains("<form") && !answer.contains("set-cookie"), "{answer}");
    assert_eq!(get(&server, "/?token=wrong", "").await.0, 401);
    assert_eq!(get(&server, "/", "Cookie: clrbridge_1=x; token=the-token-of-a-test\r\n").await.0, 401);
    let known = let_in(&server).await;
    assert!(!known.contains(TOKEN));
    let (status, answer) = get(&server, "/", &known).await;
    assert!(status == 200 && answer.contains("No debug session"), "{answer}");
    for line in [
        "default-src 'none'",
        "script-src 'self'",
        "cache-control: no-store",
        "nosniff",
        "referrer-policy: same-origin",
    ] {
        assert!(answer.contains(line), "{line} is not in {answer}");
    }
    let (status, answer) = post(&server, "/login", "", &format!("token={TOKEN}")).await;
    assert_eq!(status, 200);
    assert_eq!(cookie(&answer), known);
    assert_eq!(post(&server, "/login", "", "token=wrong").await.0, 401);
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(post(&server, "/login", foreign, &format!("token={TOKEN}")).await.0, 403);
    assert_eq!(get(&server, "/events", &format!("{known}{foreign}")).await.0, 403);
    // a form that never ends holds no connection, and neither does one that is none of ours
    let head = format!("POST /login HTTP/1.1\r\nHost: {}\r\n", server.address);
    let form = "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n";
    assert_eq!(server.raw(&format!("{head}{form}Content-Length: 100\r\n\r\ntoken=")).await.0, 408);
    let long = "x".repeat(100_000);
    assert_eq!(server.raw(&format!("{head}{form}Content-Length: 100000\r\n\r\n{long}")).await.0, 413);
    // what lets into pages does not let into tools
    assert_eq!(post(&server, "/mcp", &known, "{}").await.0, 401);
    for (path, status) in [("/dashboard.css", 200), ("/dashboard.js", 200), ("/history/json", 401), ("/events", 401)] {
        assert_eq!(get(&server, path, "").await.0, status, "{path}");
    }
}

#[tokio::test]
async fn a_stop_is_shown_with_all_that_is_known_and_nothing_of_it_is_markup() {
    let mut server = Server::new(false).await;
    let client = server.connect(EVIL).await;
    let known = let_in(&server).await;
    let (adapter, launched) = server.launched(&client).await;
    assert!(launched["note"].as_str().unwrap().contains("http://the.page/"), "{launched}");
    let file = crate::talk::path();
    ask(&client, "breakpoint_set", json!({"file": file, "line": 53, "condition": "\"<script>\" != null"})).await;
    adapter.world(|world| {
        world.locals = vec![("i".into(), "int".into(), "3".into()), (EVIL.into(), EVIL.into(), EVIL.into())];
    });
    adapter.emit("output", json!({"category": "stdout", "output": format!("{EVIL}\nplain\n")}));
    adapter.stopped_at("pause", MAIN, 48);
    let mut shown = String::new();
    while !shown.contains("<h2><span class=\"state stopped\"") {
        shown = get(&server, "/", &known).await.1;
    }
    for part in [
        "Program.cs",
        "debugger break",
        "current line",
        "breakpoint 1",
        "id=\"locals\"",
        "Program.Main",
        "plain",
        "breakpoint_set",
    ] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    assert!(!shown.contains("<script>") && !shown.contains("<img"), "{shown}");
    let (_, found) = get(&server, "/?output=PLAIN&text=breakpoint_set&tool=%22%3E%3Cscript%3E", &known).await;
    assert!(found.contains("plain") && !found.contains("alert(1)") && !found.contains("<script>"), "{found}");
    // the onlooker took nothing from the client
    let waited = ask(&client, "breakpoint_wait", json!({})).await;
    assert_eq!((&waited["outcome"], &waited["note"]), (&json!("stopped"), &json!(null)), "{waited}");
    assert!(waited["output"]["stdout"].as_str().unwrap().ends_with("plain\n"), "{waited}");
    let again = ask(&client, "debug_launch", json!({"program": "Basics.dll", "timeout_ms": 0})).await;
    assert!(!again.to_string().contains("the.page"), "{again}");
}

#[tokio::test]
async fn threads_frames_exceptions_watches_and_traces_are_text_and_other_frames_have_their_source() {
    let mut server = Server::new(false).await;
    let client = server.connect("one").await;
    let known = let_in(&server).await;
    let (adapter, _) = server.launched(&client).await;
    let file = crate::talk::path();
    let below = format!("Shop.{EVIL}.Run()");
    adapter.world(|world| {
        world.threads = vec![(MAIN, EVIL.into())];
        let frames = [Frame::at("Shop.Order.Add()", &file, 48), Frame::at(&below, &file, 12), Frame::external(EVIL)];
        world.stacks.insert(MAIN, frames.to_vec());
        world.locals = vec![("i".into(), "int".into(), "3".into())];
        world.values.insert("text".into(), Ok((format!("\"{EVIL}\""), "string".into())));
        world.exception = Some(json!({
            "exceptionId": format!("Shop.{EVIL}"), "breakMode": "always", "description": EVIL,
            "details": {"message": EVIL, "typeName": EVIL, "fullTypeName": format!("Shop.{EVIL}"), "innerException": []},
        }));
    });
    ask(&client, "watch_set", json!({"expressions": ["text"]})).await;
    ask(&client, "tracepoint_set", json!({"file": file, "line": 53, "message": EVIL})).await;
    ask(&client, "breakpoint_set_exception", json!({"mode": "thrown"})).await;
    adapter.stopped("exception", MAIN);
    let waited = ask(&client, "breakpoint_wait", json!({})).await;
    assert_eq!((&waited["outcome"], &waited["reason"]), (&json!("stopped"), &json!("exception")), "{waited}");
    let shown = get(&server, "/", &known).await.1;
    for part in ["class=\"exception\"", "id=\"locals\"", "Watches", "id=\"stack\"", "&lt;script&gt;alert(1)"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    let frame = format!("frame={}%2D1", waited["seq"]);
    assert!(shown.contains(&format!("href=\"/?{frame}\"")), "{frame} is not in {shown}");
    let other = get(&server, &format!("/?{frame}"), &known).await.1;
    assert!(other.contains(", frame 1") && other.contains("line of this frame"), "{other}");
    assert!(shown.contains("class=\"keyword\"") && !shown.contains(", frame 1"), "{shown}");
    for page in [&shown, &other] {
        assert!(!page.contains("<script>") && !page.contains("<img"), "{page}");
    }
    // of another stop, of no frame, of nothing
    for query in ["frame=1-1".to_owned(), format!("frame={}-99", waited["seq"]), "frame=%3Cscript%3E".into()] {
        let (status, answer) = get(&server, &format!("/?{query}"), &known).await;
        assert!(status == 200 && answer.contains("current line") && !answer.contains("<script>"), "{query}: {answer}");
    }
}

#[tokio::test]
async fn a_person_goes_back_through_the_stops_and_compares_two_and_the_program_and_its_client_notice_nothing() {
    let mut server = Server::new(false).await;
    let client = server.connect("one").await;
    let known = let_in(&server).await;
    let (adapter, _) = server.launched(&client).await;
    let mut seqs = Vec::new();
    for (line, value) in [(46, "3"), (48, EVIL), (49, "5")] {
        if !seqs.is_empty() {
            ask(&client, "debug_continue", json!({"timeout_ms": 0})).await;
        }
        adapter.world(|world| world.locals = vec![("i".into(), "int".into(), value.into())]);
        adapter.stopped_at("pause", MAIN, line);
        seqs.push(ask(&client, "breakpoint_wait", json!({})).await["seq"].as_u64().unwrap());
    }
    let asked = adapter.commands().len();
    let present = get(&server, "/", &known).await.1;
    assert!(present.contains("Stop 3 of 3") && !present.contains("(past)"), "{present}");
    for seq in &seqs {
        assert!(
            present.contains(&format!("&amp;at={seq}\"")) || present.contains(&format!("/?at={seq}\"")),
            "{present}"
        );
    }
    let (past, latest) = (seqs[0], seqs[2]);
    let shown = get(&server, &format!("/?at={past}"), &known).await.1;
    for part in ["Stop 1 of 3 (past)", "Back to the latest", "Program.cs:46", "Shown below: "] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    let differ = get(&server, &format!("/?at={}&with={past}", seqs[1]), &known).await.1;
    assert!(differ.contains("Changes from stop 1 to stop 2") && differ.contains("locals.i"), "{differ}");
    assert!(!differ.contains("<script>") && !differ.contains("<img"), "{differ}");
    // the slider's place becomes the number of a stop, which stays when older ones are dropped
    let (status, moved) = get(&server, "/?nth=2&text=x", &known).await;
    assert!(status == 303 && moved.contains(&format!("location: /?at={}&text=x", seqs[1])), "{moved}");
    for query in
        ["at=x", "at=999999", "with=999999", &format!("at={latest}&with=999999"), "nth=0", "nth=x", "at=%3Cscript%3E"]
    {
        let (status, answer) = get(&server, &format!("/?{query}"), &known).await;
        assert!(matches!(status, 200 | 303) && !answer.contains("<script>"), "{query}: {answer}");
    }
    assert_eq!(adapter.commands().len(), asked, "{:?}", adapter.commands());
}

#[tokio::test]
async fn an_open_page_hears_of_changes_until_the_end() {
    let mut server = Server::new(false).await;
    let client = server.connect("one").await;
    let known = let_in(&server).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!("GET /events HTTP/1.1\r\nHost: {}\r\n{known}\r\n", server.address);
    stream.write_all(head.as_bytes()).await.unwrap();
    until(&mut stream, "event: change\ndata: now\n").await;
    let (adapter, _) = server.launched(&client).await;
    until(&mut stream, "event: change\ndata: now\n").await;
    adapter.stopped_at("pause", MAIN, 48);
    until(&mut stream, "event: change\ndata: now\n").await;
    server.end.cancel();
    until(&mut stream, "0\r\n\r\n").await;
}

#[tokio::test]
async fn an_open_page_hears_of_hundreds_of_stops_a_few_times_and_shows_the_last() {
    const STOPS: usize = 200;
    let mut server = Server::new(false).await;
    let client = server.connect("one").await;
    let known = let_in(&server).await;
    let (adapter, _) = server.launched(&client).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!("GET /events HTTP/1.1\r\nHost: {}\r\n{known}\r\n", server.address);
    stream.write_all(head.as_bytes()).await.unwrap();
    until(&mut stream, "200 OK").await;
    for stop in 1..=STOPS {
        if stop > 1 {
            ask(&client, "debug_continue", json!({"timeout_ms": 0})).await;
        }
        adapter.world(|world| world.locals = vec![("i".into(), "int".into(), stop.to_string())]);
        adapter.stopped_at("pause", MAIN, if stop % 2 == 0 { 46 } else { 48 });
        ask(&client, "breakpoint_wait", json!({})).await;
    }
    // what was announced meanwhile, up to the announcement that follows the last stop
    let page = get(&server, "/", &known).await.1;
    assert!(page.contains(&format!(">{STOPS}<")), "{page}");
    server.end.cancel();
    let heard = until(&mut stream, "0\r\n\r\n").await;
    let changes = heard.matches("event: change").count();
    assert!((1..STOPS / 2).contains(&changes), "{changes} of {STOPS}");
}

#[tokio::test]
async fn the_history_is_exported_as_the_filter_leaves_it() {
    let server = Server::new(false).await;
    let client = server.connect("=one").await;
    let known = let_in(&server).await;
    ask(&client, "debug_state", json!({})).await;
    ask(&client, "breakpoint_set", json!({"function": "=Evil()"})).await;
    ask(&client, "variable_set", json!({"path": "password", "value": "\"hunter2\""})).await;
    for kind in ["json", "csv", "md", "sh"] {
        let exported = get(&server, &format!("/history/{kind}"), &known).await.1;
        assert!(exported.contains("•••") && !exported.contains("hunter2"), "{exported}");
    }
    let (status, json) = get(&server, "/history/json?tool=state", &known).await;
    assert!(status == 200 && json.contains("debug_state") && !json.contains("breakpoint_set"), "{json}");
    assert!(json.contains("attachment; filename=\"clrbridge-history.json\""), "{json}");
    assert!(get(&server, "/history/csv", &known).await.1.contains("\"'=one\",\"debug_state\""));
    assert!(get(&server, "/history/md", &known).await.1.contains("## 1 `debug_state`"));
    assert!(get(&server, "/history/sh", &known).await.1.contains("{\"tool\":\"debug_state\",\"arguments\":{}}"));
    for path in ["/history/exe", "/history/..%2fjson", "/history/", "/history", "/../etc/passwd", "/page/dashboard.js"]
    {
        assert_eq!(get(&server, path, &known).await.0, 404, "{path}");
    }
    for query in ["?tool=%ff", "?session=../../x", "?output=(", "?tool=a&tool=b", "?%00"] {
        let (status, _) = get(&server, &format!("/{query}"), &known).await;
        assert!(status == 200 || status == 400, "{query}: {status}");
    }
}

#[tokio::test]
async fn what_a_person_does_there_is_done_and_the_agents_next_answer_says_so() {
    let mut server = Server::with(false, true).await;
    let client = server.connect("one").await;
    let known = let_in(&server).await;
    let (adapter, _) = server.launched(&client).await;
    adapter.stopped_at("pause", MAIN, 48);
    let mut shown = String::new();
    while !shown.contains("Step over") {
        shown = get(&server, "/", &known).await.1;
    }
    let secret = shown.split("name=\"form\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let key = shown.split("name=\"session\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let act = |act: &str| format!("form={secret}&session={key}&file=Program.cs&act={act}");
    // only with the cookie, from our own page, with what our forms carry
    assert_eq!(post(&server, "/act", "", &act("over")).await.0, 401);
    assert_eq!(post(&server, "/act", &known, &format!("form=x&session={key}&act=over")).await.0, 403);
    assert_eq!(post(&server, "/act", &format!("{known}Origin: http://evil.example\r\n"), &act("over")).await.0, 403);
    assert_eq!(post(&server, "/act", &known, &act("delete")).await.0, 400);
    assert_eq!(get(&server, &format!("/act?{}", act("over")), &known).await.0, 405);
    assert!(adapter.waiting().is_empty(), "{:?}", adapter.waiting());

    assert_eq!(post(&server, "/act", &known, &act("set+53")).await.0, 303);
    let (status, answer) = post(&server, "/act", &known, &act("over")).await;
    assert!(status == 303 && !answer.contains("fault="), "{answer}");
    adapter.expect::<Next>().await.ok();
    adapter.emit("output", json!({"category": "stdout", "output": "stepped\n"}));
    adapter.stopped_at("step", MAIN, 49);
    let waited = ask(&client, "breakpoint_wait", json!({})).await;
    let note = waited["note"].as_str().unwrap();
    assert!(note.contains("a person set a breakpoint at Program.cs:53 in the dashboard"), "{waited}");
    assert!(note.contains("a person stepped over from"), "{waited}");
    assert_eq!((&waited["outcome"], &waited["location"]["line"]), (&json!("stopped"), &json!(49)), "{waited}");
    assert_eq!(waited["output"]["stdout"], "stepped\n", "{waited}");
    let again = ask(&client, "breakpoint_wait", json!({})).await;
    assert!(!again.to_string().contains("a person"), "{again}");
    let calls = ask(&client, "debug_query_events", json!({"stream": "commands", "event_type": "debug_step"})).await;
    assert_eq!((&calls["events"][0]["client"], &calls["events"][0]["reason"]), (&json!("dashboard"), &json!("ok")));

    assert_eq!(post(&server, "/act", &known, &act("continue")).await.0, 303);
    adapter.expect::<Continue>().await.ok();
    let (_, answer) = post(&server, "/act", &known, &act("over")).await;
    assert!(answer.contains("fault=already%5Frunning"), "{answer}");
    let plain = Server::new(false).await;
    let known = let_in(&plain).await;
    assert_eq!(post(&plain, "/act", &known, "form=x&session=0-s1&act=over").await.0, 404);
}
