//! Resources: what they hold, and that subscribers hear of changes, seldom and to the last.

use std::time::Duration;

use clrbridge::dap::request::Next;
use rmcp::model::{
    CallToolRequestParams, ClientConfig, Implementation, ProtocolVersion, ReadResourceRequestParams, ResourceContents,
    ResourceUpdatedNotificationParam, ServerNotification, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::scripted::{Adapter, Stage, settle};
use crate::served::{all_tools, served};
use crate::talk::{MAIN, path, soon, world};

/// A client that keeps the names of what was updated.
struct Listener(mpsc::UnboundedSender<String>);

impl ClientHandler for Listener {
    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.send(params.uri).unwrap();
    }
}

struct Reader {
    client: RunningService<RoleClient, Listener>,
    updates: mpsc::UnboundedReceiver<String>,
}

impl Reader {
    async fn new() -> (Self, Stage) {
        let (stage, settings) = Stage::new("netcoredbg", world());
        let (sender, updates) = mpsc::unbounded_channel();
        let client = Listener(sender).serve(served(settings, all_tools())).await.unwrap();
        (Self { client, updates }, stage)
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let arguments = arguments.as_object().cloned().unwrap();
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        soon(self.client.call_tool(call)).await.unwrap().structured_content.unwrap()
    }

    async fn launched(&self, stage: &mut Stage) -> Adapter {
        let launch = self.call("debug_launch", json!({"program": "Basics.dll", "timeout_ms": 0}));
        tokio::join!(launch, stage.adapter()).1
    }

    async fn read(&self, uri: &str) -> Result<(String, String), String> {
        let read = soon(self.client.read_resource(ReadResourceRequestParams::new(uri))).await;
        let read = read.map_err(|error| error.to_string())?;
        match read.contents.into_iter().next().unwrap() {
            ResourceContents::TextResourceContents { uri: of, mime_type, text, .. } => {
                assert_eq!(of, uri);
                Ok((mime_type.unwrap(), text))
            }
            other => panic!("{other:?}"),
        }
    }

    async fn json(&self, path: &str) -> Value {
        let (mime_type, text) = self.read(&format!("debug://{path}")).await.unwrap();
        assert_eq!(mime_type, "application/json");
        serde_json::from_str(&text).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn resources_hold_what_tools_answer_and_reading_them_takes_nothing_from_a_client() {
    let (reader, mut stage) = Reader::new().await;
    assert_eq!(reader.json("session/current").await, json!({"state": "not_attached"}));
    assert_eq!(reader.json("sessions").await, json!({"sessions": []}));
    assert_eq!(reader.json("breakpoints").await["breakpoints"], json!([]));
    let error = reader.read("debug://locals").await.unwrap_err();
    assert!(error.contains("no debug session"), "{error}");
    let adapter = reader.launched(&mut stage).await;
    let error = reader.read("debug://threads").await.unwrap_err();
    assert!(error.contains("not stopped"), "a running program is not paused: {error}");
    adapter.emit("output", json!({"category": "stdout", "output": "one\ntwo\n"}));
    adapter.stopped_at("pause", MAIN, 46);
    settle().await;
    assert_eq!(reader.json("session/current").await["state"], "stopped");
    assert_eq!(reader.json("session/s1").await["state"], "stopped");
    let locals = reader.json("locals").await;
    assert_eq!(locals["locals"], json!([{"name": "i", "value": "3"}]), "{locals}");
    let seq = locals["seq"].as_u64().unwrap();
    assert!(reader.json("stack").await.get("locals").is_none());
    assert_eq!(reader.json(&format!("snapshot/{seq}")).await["location"]["line"], 46);
    assert_eq!(reader.json("threads").await["threads"][0]["ids"], json!([MAIN]));
    assert_eq!(reader.json("output").await["stdout"], "one\ntwo\n");
    assert!(reader.json("modules").await.is_object());
    assert_eq!(reader.json("commands").await["events"][0]["type"], "debug_launch");
    let (mime_type, text) = reader.read(&format!("debug://source/{}", path())).await.unwrap();
    assert_eq!(
        (mime_type.as_str(), text),
        ("text/x-csharp", std::fs::read_to_string(path()).unwrap().trim_end().to_owned())
    );
    // the stop and the output are still owed to whoever waits
    let waited = reader.call("breakpoint_wait", json!({})).await;
    assert_eq!(
        (&waited["outcome"], &waited["output"]["stdout"]),
        (&json!("stopped"), &json!("one\ntwo\n")),
        "{waited}"
    );
}

#[tokio::test(start_paused = true)]
async fn resources_and_templates_are_listed_and_nothing_else_is_read() {
    let (reader, mut stage) = Reader::new().await;
    let fixed = reader.client.list_all_resources().await.unwrap();
    assert!(fixed.iter().all(|it| it.uri.starts_with("debug://") && it.description.is_some()));
    let templates = reader.client.list_all_resource_templates().await.unwrap();
    assert_eq!(templates.len(), 5);
    let adapter = reader.launched(&mut stage).await;
    adapter.stopped_at("pause", MAIN, 46);
    settle().await;
    let all = reader.client.list_all_resources().await.unwrap();
    assert_eq!(all.len(), fixed.len() + 1);
    let snapshot = all.last().unwrap();
    assert!(snapshot.description.as_ref().unwrap().contains("Program.cs:46"), "{snapshot:?}");
    assert!(reader.read(&snapshot.uri).await.is_ok());
    for uri in [
        "debug://nothing",
        "debug://snapshot/x",
        "debug://snapshot/99",
        "debug://session/s9",
        "debug://source/",
        "file:///etc/passwd",
        "debug://source//etc/passwd",
        "debug://source/%2fetc%2fpasswd",
        "debug://source/../../../../etc/passwd",
        "debug://variables?path=nothing",
        "debug://variables?nothing=1",
        "debug://output/lines?since=x",
        "debug://output/lines?session_id=s9",
        "debug://evaluate?expression=1",
    ] {
        let error = reader.read(uri).await.unwrap_err();
        assert!(error.contains("-32002"), "{uri}: {error}");
    }
}

#[tokio::test(start_paused = true)]
#[expect(deprecated, reason = "clients of revisions before 2026-07-28 subscribe so")]
async fn subscribers_hear_at_most_four_times_a_second_and_always_of_the_last_state() {
    let (mut reader, mut stage) = Reader::new().await;
    let adapter = reader.launched(&mut stage).await;
    adapter.stopped_at("pause", MAIN, 46);
    reader.call("breakpoint_wait", json!({})).await;
    for uri in ["debug://locals", "debug://sessions"] {
        soon(reader.client.subscribe(SubscribeRequestParams::new(uri))).await.unwrap();
    }
    soon(reader.client.unsubscribe(UnsubscribeRequestParams::new("debug://sessions"))).await.unwrap();
    assert!(reader.client.subscribe(SubscribeRequestParams::new("debug://nothing")).await.is_err());
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(reader.updates.try_recv().is_err(), "nothing changed");
    let began = tokio::time::Instant::now();
    let mut updates = 0;
    for line in 47..67 {
        let step = reader.call("debug_step", json!({"mode": "over"}));
        let play = async {
            let asked = adapter.expect::<Next>().await;
            adapter.world(|world| world.locals[0].2 = line.to_string());
            asked.ok();
            adapter.stopped_at("step", MAIN, line);
        };
        tokio::join!(step, play);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let quarters = began.elapsed().as_millis() / 250 + 1;
    while let Ok(uri) = reader.updates.try_recv() {
        assert_eq!(uri, "debug://locals");
        updates += 1;
    }
    assert!(updates >= 1 && updates <= quarters, "{updates} updates in {quarters} quarters of a second");
    assert_eq!(reader.json("locals").await["locals"][0]["value"], "66");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(reader.updates.try_recv().is_err(), "the last state was announced");
    soon(reader.client.unsubscribe(UnsubscribeRequestParams::new("debug://locals"))).await.unwrap();
    soon(reader.client.subscribe(SubscribeRequestParams::new("debug://commands"))).await.unwrap();
    reader.call("debug_state", json!({})).await;
    assert_eq!(soon(reader.updates.recv()).await.as_deref(), Some("debug://commands"));
}

#[tokio::test(start_paused = true)]
async fn clients_of_the_latest_revision_listen() {
    let (mut stage, settings) = Stage::new("netcoredbg", world());
    let config = ClientConfig::new(Default::default(), Implementation::new("a test", "1"));
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let client = config.serve_with_lifecycle(served(settings, all_tools()), lifecycle).await.unwrap();
    let uris = ["debug://session/current", "debug://nothing"];
    let wanted = SubscriptionFilter::builder().resource_subscriptions(uris).tools_list_changed().build();
    let mut subscription = client.listen(wanted).await.unwrap();
    let accepted = subscription.acknowledged();
    assert_eq!(accepted.resource_subscriptions.as_deref(), Some(&["debug://session/current".to_owned()][..]));
    let launch = json!({"program": "Basics.dll", "timeout_ms": 0}).as_object().cloned().unwrap();
    let launch = client.call_tool(CallToolRequestParams::new("debug_launch").with_arguments(launch));
    let (_, _adapter) = tokio::join!(soon(launch), stage.adapter());
    let notification = soon(subscription.next()).await.unwrap().unwrap();
    let ServerNotification::ResourceUpdatedNotification(update) = notification else { panic!("{notification:?}") };
    assert_eq!(update.params.uri, "debug://session/current");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_cut_links_to_the_whole_and_that_is_whole() {
    let (reader, mut stage) = Reader::new().await;
    let adapter = reader.launched(&mut stage).await;
    adapter.world(|world| {
        world.locals = (0..60).map(|n| (format!("variable{n}"), "int".into(), format!("{n}"))).collect();
    });
    adapter.stopped_at("pause", MAIN, 46);
    let call = async |arguments: Value| {
        let arguments = arguments.as_object().cloned().unwrap();
        let call = CallToolRequestParams::new("breakpoint_wait").with_arguments(arguments);
        soon(reader.client.call_tool(call)).await.unwrap()
    };
    let cut = call(json!({"max_chars": 1000})).await;
    let linked: Vec<_> = cut.content.iter().filter_map(|block| block.as_resource_link()).collect();
    let [link] = linked.as_slice() else { panic!("{:?}", cut.content) };
    let structured = cut.structured_content.unwrap();
    assert_eq!(
        (&structured["truncated"], &link.uri),
        (&json!(true), &format!("debug://snapshot/{}", structured["seq"]))
    );
    let (_, whole) = reader.read(&link.uri).await.unwrap();
    assert!(whole.contains("variable0\"") && whole.len() > structured.to_string().len(), "{whole}");
    let whole = call(json!({})).await;
    assert!(whole.content.iter().all(|block| block.as_resource_link().is_none()), "{:?}", whole.content);
}

#[tokio::test(start_paused = true)]
async fn output_and_variables_that_were_cut_are_read_whole_by_the_arguments_of_the_call() {
    let (reader, mut stage) = Reader::new().await;
    let adapter = reader.launched(&mut stage).await;
    adapter.world(|world| {
        world.locals = (0..60).map(|n| (format!("variable{n}"), "int".into(), format!("{n}"))).collect();
    });
    let lines: String = (0..200).map(|n| format!("line {n} & more\n")).collect();
    adapter.emit("output", json!({"category": "stdout", "output": lines}));
    adapter.stopped_at("pause", MAIN, 46);
    settle().await;
    let before = reader.json("commands").await["latest_seq"].as_u64().unwrap();
    for (tool, arguments, place, first, last) in [
        ("process_read_output", json!({}), "debug://output/lines?", "line 0 &", "line 199 &"),
        ("process_read_output", json!({"search": "& [m]"}), "debug://output/lines?search=", "line 0 &", "line 199 &"),
        ("process_read_output", json!({"tail": 150}), "debug://output/lines?tail=150&", "line 50 &", "line 199 &"),
        ("variables_get", json!({}), "debug://variables?", "\"variable0\"", "\"variable59\""),
        (
            "variables_get",
            json!({"scope": "locals", "start": 10}),
            "debug://variables?",
            "\"variable10\"",
            "\"variable59\"",
        ),
    ] {
        let mut arguments = arguments.as_object().cloned().unwrap();
        let call = |arguments| CallToolRequestParams::new(tool).with_arguments(arguments);
        let uncut = soon(reader.client.call_tool(call(arguments.clone()))).await.unwrap();
        assert!(uncut.content.iter().all(|block| block.as_resource_link().is_none()), "{:?}", uncut.content);
        arguments.insert("max_chars".into(), 1000.into());
        let cut = soon(reader.client.call_tool(call(arguments))).await.unwrap();
        let structured = cut.structured_content.unwrap();
        assert_eq!(structured["truncated"], true, "{structured}");
        let linked: Vec<_> = cut.content.iter().filter_map(|block| block.as_resource_link()).collect();
        let [link] = linked.as_slice() else { panic!("{:?}", cut.content) };
        assert!(link.uri.starts_with(place) && link.uri.contains("session_id=s1"), "{}", link.uri);
        assert!(!structured.to_string().contains(last), "{structured}");
        let (_, whole) = reader.read(&link.uri).await.unwrap();
        assert!(whole.contains(first) && whole.contains(last), "{whole}");
        assert_eq!(serde_json::from_str::<Value>(&whole).unwrap(), uncut.structured_content.unwrap());
    }
    let after = reader.json("commands").await["latest_seq"].as_u64().unwrap();
    assert_eq!(after, before + 10, "reading counts as no call");
}
