//! Over the modules of a session that a recording plays; the framework's files are not there.

use serde_json::{Value, json};

use crate::replayed::{Server, data, laid_out, story};

async fn launched() -> (Server, tempfile::TempDir) {
    let (fixture, calls) = story("basics");
    let workspace = laid_out(&fixture);
    let server = Server::playing(&data("data/recordings/clrbridge/netcoredbg-basics.jsonl"), workspace.path());
    let (tool, arguments) = calls.into_iter().next().unwrap();
    let stop = server.call(&tool, arguments).await;
    assert_eq!(stop.json["outcome"], "stopped", "{}", stop.text);
    (server, workspace)
}

async fn ok(server: &Server, tool: &str, arguments: Value) -> Value {
    let answer = server.call(tool, arguments).await;
    assert!(!answer.failed, "{}", answer.text);
    answer.json
}

#[tokio::test(start_paused = true)]
async fn a_session_knows_its_loaded_modules() {
    let (server, _workspace) = launched().await;
    let found = ok(&server, "modules_search", json!({"pattern": "Order.Add"})).await;
    assert_eq!(found["count"], 1, "{found}");
    assert_eq!(found["assemblies"][0]["module"], "Basics.dll");
    let method = json!({"signature": "public void Add(OrderLine line)", "at": "Program.cs:21"});
    assert_eq!(found["assemblies"][0]["methods_of"], json!([{"type": "Basics.Order", "methods": [method]}]));
    assert!(found["root"].is_null(), "the launch has reported it");
    assert!(found["unreadable"].as_u64().unwrap() > 2, "the framework of the recording is not here: {found}");
    for module in ["Basics", "Basics.dll", "basics.DLL"] {
        let types = ok(&server, "types_get", json!({"module": module})).await;
        assert_eq!((&types["module"], &types["count"]), (&json!("Basics.dll"), &json!(3)), "{types}");
    }
    let members = ok(&server, "members_get", json!({"type": "Order", "include_inherited": true})).await;
    assert_eq!(members["groups"][0]["type"], "Basics.Order");
    assert_eq!(members["unknown_bases"], json!(["System.Object"]), "{members}");
    server.end().await;
}

#[tokio::test(start_paused = true)]
async fn files_are_found_as_the_session_shows_their_paths() {
    let (server, _workspace) = launched().await;
    let modules = ok(&server, "modules_list", json!({})).await;
    let path = modules["modules"][0]["path"].as_str().unwrap().to_owned();
    let types = ok(&server, "types_get", json!({"assembly": path})).await;
    assert_eq!(types["module"], "Basics.dll");
    server.end().await;
}

#[tokio::test(start_paused = true)]
async fn unknown_modules_and_unreadable_ones_are_reported() {
    let (server, _workspace) = launched().await;
    let unknown = server.call("types_get", json!({"module": "Basic"})).await;
    assert_eq!(unknown.json["code"], "module_not_found", "{}", unknown.text);
    assert!(unknown.json["hint"].as_str().unwrap().contains("Basics.dll"), "{}", unknown.text);
    let gone = server.call("types_get", json!({"module": "System.Runtime"})).await;
    assert_eq!(gone.json["code"], "invalid_argument", "{}", gone.text);
    let session = server.call("types_get", json!({"module": "Basics", "session_id": "s9"})).await;
    assert_eq!(session.json["code"], "session_not_found", "{}", session.text);
    server.end().await;
}

#[tokio::test(start_paused = true)]
async fn what_an_ended_program_had_loaded_is_still_known() {
    let (server, _workspace) = launched().await;
    ok(&server, "debug_disconnect", json!({})).await;
    let types = ok(&server, "types_get", json!({"module": "Basics"})).await;
    assert_eq!(types["count"], 3, "{types}");
    server.end().await;
}
