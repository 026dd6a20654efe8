//! Prompts, and the completion of their arguments and of resource templates.

use clrbridge::config::ServerOptions;
use rmcp::model::{ArgumentInfo, CompleteRequestParams, ContentBlock, GetPromptRequestParams, Reference};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};

use crate::scripted::{Stage, settle};
use crate::served::{all_tools, served};
use crate::talk::{MAIN, soon, world};

type Client = RunningService<RoleClient, ()>;

async fn client(options: ServerOptions) -> (Client, Stage) {
    let (stage, settings) = Stage::new("netcoredbg", world());
    (().serve(served(settings, options)).await.unwrap(), stage)
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> Value {
    let call = rmcp::model::CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().unwrap());
    soon(client.call_tool(call)).await.unwrap().structured_content.unwrap()
}

async fn completed(client: &Client, of: Reference, argument: &str, begun: &str) -> Result<Vec<String>, String> {
    let asked = CompleteRequestParams::new(of, ArgumentInfo::new(argument, begun));
    let reply = soon(client.complete(asked)).await.map_err(|error| error.to_string())?;
    Ok(reply.completion.values)
}

#[tokio::test(start_paused = true)]
async fn prompts_are_listed_filled_in_and_refused_by_name() {
    let (client, _stage) = client(all_tools()).await;
    let prompts = client.list_all_prompts().await.unwrap();
    let leak = prompts.iter().find(|prompt| prompt.name == "find_leak").unwrap();
    assert!(leak.title.is_some() && leak.description.is_some());
    let bug = prompts.iter().find(|prompt| prompt.name == "find_bug_source").unwrap();
    let required: Vec<_> = bug.arguments.iter().flatten().map(|it| (it.name.as_str(), it.required)).collect();
    assert_eq!(required, [("symptom", Some(true)), ("program", Some(false)), ("file", Some(false))]);
    let given = json!({"symptom": "the total is negative"}).as_object().cloned().unwrap();
    let asked = GetPromptRequestParams::new("find_bug_source").with_arguments(given);
    let reply = soon(client.get_prompt(asked)).await.unwrap();
    let ContentBlock::Text(text) = &reply.messages[0].content else { panic!("{reply:?}") };
    assert!(text.text.contains("the total is negative") && text.text.contains("debug_launch"), "{}", text.text);
    for (name, words) in [("find_bug_source", "`symptom` is missing"), ("find_bug", "no prompt `find_bug`")] {
        let error = soon(client.get_prompt(GetPromptRequestParams::new(name))).await.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_are_completed_by_what_the_session_has() {
    let (client, mut stage) = client(all_tools()).await;
    let prompt = Reference::for_prompt;
    assert_eq!(completed(&client, prompt("find_leak"), "type", "").await, Ok(vec![]));
    let launch = call(&client, "debug_launch", json!({"program": "Basics.dll", "timeout_ms": 0}));
    let (_, adapter) = tokio::join!(launch, stage.adapter());
    call(&client, "breakpoint_set", json!({"function": "Basics.Order.Add"})).await;
    adapter.stopped_at("pause", MAIN, 46);
    settle().await;
    let stop = call(&client, "debug_get_snapshot", json!({})).await;
    let calls = call(&client, "debug_query_events", json!({"stream": "commands"})).await["latest_seq"].clone();
    for (of, argument, begun, expected) in [
        (prompt("find_hang"), "session_id", "", vec!["s1".to_owned()]),
        (prompt("find_hang"), "session_id", "x", vec![]),
        (prompt("explain_breakpoint"), "breakpoint_id", "1", vec!["1".into()]),
        (prompt("trace_data_flow"), "expression", "I", vec!["i".into()]),
        (Reference::for_resource("debug://session/{id}"), "id", "s", vec!["s1".into()]),
        (Reference::for_resource("debug://snapshot/{seq}"), "seq", "", vec![stop["seq"].to_string()]),
    ] {
        assert_eq!(completed(&client, of, argument, begun).await, Ok(expected), "{argument} {begun}");
    }
    for (of, argument) in [
        (prompt("find_hang"), "pid"),
        (prompt("nothing"), "type"),
        (Reference::for_resource("debug://session/{id}"), "seq"),
        (Reference::for_resource("file://{path}"), "path"),
    ] {
        assert!(completed(&client, of, argument, "").await.unwrap_err().contains("-32602"), "{argument}");
    }
    let after = call(&client, "debug_query_events", json!({"stream": "commands"})).await["latest_seq"].clone();
    assert_eq!(after.as_u64().unwrap(), calls.as_u64().unwrap() + 1, "looking counts as no call");
}
