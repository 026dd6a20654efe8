//! The server as clients see it: an rmcp client over an in-memory connection.

use clrbridge::config::{Format, Results, ServerOptions};
use clrbridge::mcp::tools;
use clrbridge::session::Settings;
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, Implementation, ProtocolVersion, Tool};
use rmcp::service::RunningService;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError, ServiceExt};
use serde_json::{Map, Value, json};

use crate::renderings::closed;
use crate::served::{all_tools, served};

type Client = RunningService<RoleClient, ClientConfig>;

fn serve(options: ServerOptions) -> tokio::io::DuplexStream {
    served(Settings { read_only: options.read_only, ..Settings::default() }, options)
}

async fn connect_as(name: &str, options: ServerOptions) -> Client {
    let config = ClientConfig::new(Default::default(), Implementation::new(name, "1"));
    config.serve(serve(options)).await.unwrap()
}

async fn connect(options: ServerOptions) -> Client {
    connect_as("a test", options).await
}

async fn connect_modern(name: &str, options: ServerOptions) -> Client {
    let config = ClientConfig::new(Default::default(), Implementation::new(name, "1"));
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    config.serve_with_lifecycle(serve(options), lifecycle).await.unwrap()
}

fn call(tool: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)
}

fn text(result: &CallToolResult) -> &str {
    result.content.first().and_then(|content| content.as_text()).map_or("", |text| text.text.as_str())
}

fn structured(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().expect("structured content")
}

async fn names(client: &Client) -> Vec<String> {
    client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.into_owned()).collect()
}

#[tokio::test]
async fn both_lifecycles_initialize_list_and_call() {
    for modern in [false, true] {
        let client = if modern { connect_modern("a test", all_tools()).await } else { connect(all_tools()).await };
        let info = client.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().unwrap().name, "clrbridge");
        let instructions = info.instructions.clone().unwrap_or_default();
        for shared in ["session_id", "timeout_ms", "thread_id", "frame", "include", "max_chars", "root", "C# literals"]
        {
            assert!(instructions.contains(shared), "{shared} is not in the instructions");
        }
        let tools = names(&client).await;
        assert_eq!(tools, names(&client).await, "the order is stable");
        assert_eq!(tools.len(), tools::all().len());
        let result = client.call_tool(call("debug_sessions", json!({}))).await.unwrap();
        assert_eq!((text(&result), structured(&result)), ("no sessions", &json!({"sessions": []})));
    }
}

#[tokio::test]
async fn without_a_session_the_state_is_not_attached() {
    let client = connect(all_tools()).await;
    let result = client.call_tool(call("debug_state", json!({}))).await.unwrap();
    assert_eq!(text(&result), include_str!("../data/answers/e03-debug_state.txt"));
    assert_eq!(structured(&result).to_string(), include_str!("../data/answers/e03-debug_state.json"));
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error_with_the_nearest_name() {
    let client = connect(ServerOptions::default()).await;
    for (wrong, suggestion) in [
        ("breakpoint_sett", "`breakpoint_set`"),
        ("step_over", "`debug_step`"),
        ("list_threads", "`threads_list`"),
        ("xyzzy", "tools/list"),
        ("source_get", "--toolsets default,inspection"),
    ] {
        match client.call_tool(call(wrong, json!({}))).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!(error.code.0, -32_602);
                assert!(error.message.contains(wrong) && error.message.contains(suggestion), "{}", error.message);
            }
            other => panic!("{wrong}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_misspelled_argument_is_the_golden_error() {
    let client = connect(ServerOptions::default()).await;
    let result = client.call_tool(call("breakpoint_set", json!({"file": "Program.cs", "lines": 46}))).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    assert_eq!(text(&result), include_str!("../data/answers/f04-breakpoint_set.txt"));
    assert_eq!(structured(&result).to_string(), include_str!("../data/answers/f04-breakpoint_set.json"));
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused() {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    let (reader, mut writer) = tokio::io::split(serve(ServerOptions::default()));
    let mut answers = BufReader::new(reader).lines();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
    writer.write_all(format!("{hello}\n").as_bytes()).await.unwrap();
    answers.next_line().await.unwrap().unwrap();
    writer.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await.unwrap();
    let wrong = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"debug_state","arguments":[1]}}"#;
    writer.write_all(format!("{wrong}\n").as_bytes()).await.unwrap();
    let answer: Value = serde_json::from_str(&answers.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(2), &json!(-32_602)), "{answer}");
}

/// Raw answers to raw lines, after the hello.
async fn raw(lines: &str) -> Vec<Value> {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    let (reader, mut writer) = tokio::io::split(serve(ServerOptions::default()));
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
    writer.write_all(format!("{hello}\n{lines}\n").as_bytes()).await.unwrap();
    let mut answers = BufReader::new(reader).lines();
    answers.next_line().await.unwrap().unwrap();
    let mut read = Vec::new();
    for _ in lines.lines() {
        read.push(serde_json::from_str(&answers.next_line().await.unwrap().unwrap()).unwrap());
    }
    read
}

#[tokio::test]
async fn what_is_not_announced_is_an_unknown_method_and_a_cursor_that_was_never_given_is_refused() {
    for (method, params, code) in [
        ("resources/read", json!({"uri": "debug://nothing"}), -32_002),
        ("resources/subscribe", json!({"uri": "debug://nothing"}), -32_002),
        ("prompts/get", json!({"name": "x"}), -32_602),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}),
            -32_602,
        ),
        ("logging/setLevel", json!({"level": "info"}), -32_601),
        ("nothing/like/it", json!({}), -32_601),
        ("tools/list", json!({"cursor": "bogus"}), -32_602),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = raw(&request.to_string()).await.remove(0);
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(code)), "{method}: {answer}");
    }
}

/// A value that fits a listed property.
fn fitting(name: &str, property: &Value) -> Value {
    if let Some(word) = property["enum"].get(0) {
        return word.clone();
    }
    match property["type"].as_str().unwrap() {
        "integer" if name == "max_chars" => json!(1_000),
        "integer" if name == "pid" => json!(4_000_000_000_u32),
        "integer" => json!(1),
        "boolean" => json!(false),
        "array" => json!([fitting("", &property["items"])]),
        "object" if property.get("properties").is_some() => {
            let given = property["properties"].as_object().unwrap();
            given.iter().map(|(name, property)| (name.clone(), fitting(name, property))).collect()
        }
        "object" => json!({"A": "b", "C": null}),
        _ => json!("nowhere"),
    }
}

/// Values that no property of that type takes.
fn unfitting(property: &Value) -> Vec<Value> {
    let all = [json!("abc"), json!(-1), json!(1.5), json!(true), json!([[]]), json!({"x": 1}), json!(1e300)];
    let kind = property["type"].as_str().unwrap();
    let fits = |value: &Value| match kind {
        "boolean" => value.is_boolean(),
        "string" => value.is_string() && property.get("enum").is_none(),
        _ => false,
    };
    all.into_iter().filter(|value| !fits(value)).collect()
}

fn required(tool: &Tool) -> Map<String, Value> {
    let properties = tool.input_schema["properties"].as_object().unwrap();
    let names = tool.input_schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let names = names.map(|name| name.as_str().unwrap());
    names.map(|name| (name.to_owned(), fitting(name, &properties[name]))).collect()
}

async fn answer(client: &Client, tool: &Tool, arguments: Map<String, Value>) -> CallToolResult {
    let request = CallToolRequestParams::new(tool.name.clone()).with_arguments(arguments);
    client.call_tool(request).await.unwrap()
}

#[tokio::test]
async fn a_wrong_value_of_any_argument_of_any_tool_is_an_error_that_names_it() {
    let client = connect(all_tools()).await;
    let mut tried = 0;
    for tool in client.list_all_tools().await.unwrap() {
        for (name, property) in tool.input_schema["properties"].as_object().unwrap() {
            for wrong in unfitting(property) {
                let mut arguments = required(&tool);
                arguments.insert(name.clone(), wrong.clone());
                let result = answer(&client, &tool, arguments).await;
                let error = structured(&result);
                let case = format!("{} {name}={wrong}: {error}", tool.name);
                assert_eq!((result.is_error, &error["code"]), (Some(true), &json!("invalid_argument")), "{case}");
                assert!(error["message"].as_str().unwrap().contains(name.as_str()), "{case}");
                assert!(!error["hint"].as_str().unwrap().is_empty(), "{case}");
                tried += 1;
            }
        }
    }
    assert!(tried > 700, "{tried} calls");
}

#[tokio::test]
async fn a_right_value_of_any_argument_of_any_tool_passes_the_check() {
    let client = connect(all_tools()).await;
    // These take one of two arguments, so a single one of theirs may be too few or too many.
    let either = [
        "breakpoint_set",
        "tracepoint_set",
        "debug_run_to",
        "debug_attach",
        "evaluate",
        "breakpoint_remove",
        "debug_launch",
        "members_get",
        "gc_roots",
        "memory_read",
        "code_goto_definition",
        "code_find_usages",
        "code_find_assignments",
    ];
    for tool in client.list_all_tools().await.unwrap() {
        for (name, property) in tool.input_schema["properties"].as_object().unwrap() {
            let mut arguments = required(&tool);
            arguments.insert(name.clone(), fitting(name, property));
            let result = answer(&client, &tool, arguments).await;
            if result.is_error == Some(true) {
                let error = structured(&result);
                let case = format!("{} {name}: {error}", tool.name);
                let misfit = error["code"] == "invalid_argument" && !either.contains(&&*tool.name);
                assert!(!misfit, "{case}");
                // Words of serde would mean that the schema lets through what the type refuses.
                for words in ["missing field", "invalid type", "invalid value", "unknown variant"] {
                    assert!(!error["message"].as_str().unwrap().contains(words), "{case}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_missing_argument_is_named_with_what_it_takes() {
    let client = connect(all_tools()).await;
    for tool in client.list_all_tools().await.unwrap() {
        for name in required(&tool).keys() {
            let mut arguments = required(&tool);
            arguments.remove(name);
            let result = answer(&client, &tool, arguments).await;
            let error = structured(&result);
            assert_eq!(error["code"], "invalid_argument", "{} without {name}", tool.name);
            assert_eq!(error["details"]["argument"], json!(name), "{error}");
        }
    }
    for (tool, arguments, argument) in [
        ("debug_attach", json!({}), "pid"),
        ("debug_attach", json!({"pid": 1, "process_name": "x"}), "process_name"),
        ("breakpoint_remove", json!({}), "id"),
        ("breakpoint_remove", json!({"id": 1, "all": true}), "all"),
        ("breakpoint_set", json!({}), "file"),
        ("breakpoint_set", json!({"file": "a.cs"}), "line"),
        ("breakpoint_set", json!({"file": "a.cs", "line": 1, "function": "A.B"}), "function"),
        ("debug_run_to", json!({"file": "a.cs"}), "line"),
        ("debug_launch", json!({"program": "x", "breakpoints": [{"line": 3}]}), "breakpoints[0].file"),
        ("evaluate", json!({}), "expression"),
        ("evaluate", json!({"expression": "a", "expressions": ["b"]}), "expressions"),
    ] {
        let result = client.call_tool(call(tool, arguments)).await.unwrap();
        assert_eq!(structured(&result)["details"]["argument"], argument, "{}", text(&result));
    }
}

#[tokio::test]
async fn keys_of_breakpoints_that_are_not_listed_are_taken() {
    let client = connect(ServerOptions::default()).await;
    let breakpoint = json!({"function": "A.B", "hit_condition": "3", "temporary": true, "enabled": false});
    let arguments = json!({"program": "/nowhere/x.dll", "breakpoints": [breakpoint], "timeout_ms": 0});
    let result = client.call_tool(call("debug_launch", arguments)).await.unwrap();
    assert_ne!(structured(&result)["code"], "invalid_argument", "{}", text(&result));
}

#[tokio::test]
async fn read_only_lists_and_calls_only_tools_that_read_files() {
    let client = connect(ServerOptions { read_only: true, ..all_tools() }).await;
    for tool in client.list_all_tools().await.unwrap() {
        assert_eq!(tool.annotations.unwrap().read_only_hint, Some(true), "{}", tool.name);
    }
    for (tool, arguments) in [
        ("debug_step", json!({"mode": "over"})),
        ("debug_launch", json!({"program": "/x"})),
        ("debug_attach", json!({"pid": 1})),
        ("code_get_diagnostics", json!({})),
        ("breakpoint_set", json!({"file": "a.cs", "line": 1})),
        ("evaluate", json!({"expression": "1"})),
        ("threads_list", json!({})),
        ("watch_set", json!({"expressions": []})),
    ] {
        let result = client.call_tool(call(tool, arguments)).await.unwrap();
        assert_eq!(structured(&result)["code"], "read_only_mode", "{tool}");
        assert_eq!(result.is_error, Some(true));
    }
}

#[tokio::test]
async fn read_only_shows_the_code_of_a_method_in_a_file_and_no_other_source() {
    let client = connect(ServerOptions { read_only: true, ..all_tools() }).await;
    let dll = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/purity/Effects.dll");
    let shown = client.call_tool(call("source_get", json!({"function": "Main", "assembly": dll}))).await.unwrap();
    assert!(text(&shown).contains("ret"), "{}", text(&shown));
    let refused = client.call_tool(call("source_get", json!({"file": "/etc/passwd"}))).await.unwrap();
    assert_eq!(structured(&refused)["code"], "no_session");
}

/// What is listed works, and nothing that it says sends anybody to a tool that is refused.
#[tokio::test]
async fn in_read_only_mode_no_words_name_a_tool_that_is_refused() {
    let client = connect(ServerOptions { read_only: true, ..all_tools() }).await;
    let listed = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|tool| &*tool.name).collect();
    assert!(names.contains(&"types_get") && names.contains(&"code_load"), "{names:?}");
    let refused = |words: &str| {
        let mut all = tools::all().iter().map(|tool| tool.name).filter(|name| !names.contains(name));
        all.find(|name| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == *name))
    };
    let instructions = client.peer_info().unwrap().instructions.clone().unwrap();
    assert_eq!(refused(&instructions), None);
    for tool in &listed {
        assert_eq!(refused(tool.description.as_deref().unwrap_or_default()), None, "{}", tool.name);
        assert_eq!(refused(&serde_json::to_string(&tool.input_schema).unwrap()), None, "{}", tool.name);
    }
    for tool in &listed {
        for arguments in [
            json!({}),
            json!({"session_id": "s1", "pattern": "x", "type": "x"}),
            json!({"pattern": "x"}),
            json!({"type": "X.Y"}),
            json!({"type": "X.Y", "assembly": "/no/such.dll"}),
            json!({"pattern": "x", "assembly": "/no/such.dll"}),
            json!({"assembly": env!("CARGO_MANIFEST_DIR")}),
            json!({"name": "X.Y"}),
            json!({"file": "x.cs", "line": 1, "column": 1}),
            json!({"path": "/no/such/folder"}),
            json!({"path": "no-such.sln"}),
            json!({"path": "src"}),
        ] {
            let result = client.call_tool(call(&tool.name, arguments.clone())).await.unwrap();
            assert_ne!(structured(&result)["code"], "read_only_mode", "{}", tool.name);
            assert_eq!(refused(text(&result)), None, "{} {arguments}: {}", tool.name, text(&result));
        }
    }
}

#[tokio::test]
async fn a_file_outside_of_the_roots_is_neither_shown_nor_betrayed() {
    let client = connect(all_tools()).await;
    let ask = async |tool: &str, arguments: serde_json::Value| {
        let result = client.call_tool(call(tool, arguments)).await.unwrap();
        (structured(&result).clone(), text(&result).to_owned())
    };
    for (tool, message) in [("breakpoint_set", None), ("tracepoint_set", Some("x"))] {
        let mut answers = Vec::new();
        for file in ["/etc/passwd", "/etc/nothing"] {
            let mut arguments = json!({"file": file, "line": 1});
            if let Some(message) = message {
                arguments["message"] = message.into();
            }
            let (pending, words) = ask(tool, arguments.clone()).await;
            assert_eq!((&pending["pending"], &pending["source"]), (&json!(true), &json!(null)), "{words}");
            arguments.as_object_mut().unwrap().remove("line");
            arguments["text"] = "root".into();
            let (refused, words) = ask(tool, arguments).await;
            assert_eq!(refused["code"], "path_not_allowed", "{words}");
            let id = &pending["id"];
            let pending = pending.to_string().replace(&format!("\"id\":{id}"), "");
            // a breakpoint of the round before
            let pending = pending.replace(&format!("breakpoint {} also", answers.len() + 1), "breakpoint also");
            answers.push([pending, words].map(|it| it.replace(file, "")));
        }
        assert_eq!(answers[0], answers[1], "{tool}: the answer shows whether the file exists");
    }
    let (listed, words) = ask("breakpoint_list", json!({})).await;
    assert!(!listed.to_string().contains("root:"), "{words}");
    for path in ["/etc", "/etc/nothing", "/"] {
        assert_eq!(ask("code_load", json!({"path": path})).await.0["code"], "path_not_allowed", "{path}");
    }
}

#[tokio::test]
async fn arguments_over_four_mebibytes_are_refused() {
    let client = connect(ServerOptions::default()).await;
    let data = "x".repeat(4 * 1024 * 1024);
    let result = client.call_tool(call("process_write_input", json!({"data": data}))).await.unwrap();
    assert_eq!(structured(&result)["code"], "payload_too_large");
}

#[tokio::test]
async fn clients_get_the_renderings_that_the_mode_says() {
    let wrong = || call("breakpoint_set", json!({}));
    let right = || call("debug_sessions", json!({}));
    for (client, results, schema, has_text, has_structure) in [
        ("a test", Results::Auto, true, true, true),
        ("cursor-vscode", Results::Auto, false, true, false),
        ("claude-code", Results::Auto, true, true, true),
        ("cursor-vscode", Results::Both, true, true, true),
        ("a test", Results::Text, false, true, false),
        ("a test", Results::Structured, true, false, true),
    ] {
        let connected = connect_as(client, ServerOptions { results, ..all_tools() }).await;
        let case = format!("{client} {results:?}");
        for tool in connected.list_all_tools().await.unwrap() {
            assert_eq!(tool.output_schema.is_some(), schema, "{case}");
        }
        let result = connected.call_tool(right()).await.unwrap();
        assert_eq!(
            (!result.content.is_empty(), result.structured_content.is_some()),
            (has_text, has_structure),
            "{case}"
        );
        let failed = connected.call_tool(wrong()).await.unwrap();
        // A failed call always has its text: that is what clients show.
        assert_eq!((!failed.content.is_empty(), failed.structured_content.is_some()), (true, has_structure), "{case}");
    }
    let modern = connect_modern("cursor-vscode", all_tools()).await;
    assert!(modern.list_all_tools().await.unwrap().iter().all(|tool| tool.output_schema.is_some()));
}

#[tokio::test]
async fn the_text_may_be_json_for_a_call_or_for_all() {
    let client = connect(ServerOptions::default()).await;
    let result = client.call_tool(call("breakpoint_remove", json!({"response_format": "json"}))).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(text(&result)).unwrap(), *structured(&result));
    let client = connect(ServerOptions { format: Format::Json, ..ServerOptions::default() }).await;
    let result = client.call_tool(call("breakpoint_remove", json!({}))).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(text(&result)).unwrap(), *structured(&result));
    let result = client.call_tool(call("breakpoint_remove", json!({"response_format": "markdown"}))).await.unwrap();
    assert!(text(&result).starts_with("error invalid_argument: "), "{}", text(&result));
}

#[tokio::test]
async fn a_long_answer_is_cut_and_says_so() {
    let client = connect(ServerOptions { max_response_chars: 1_000, ..ServerOptions::default() }).await;
    let result = client.call_tool(call("breakpoint_set", json!({"x".repeat(5_000): 1}))).await.unwrap();
    assert!(text(&result).contains("… truncated: "), "{}", text(&result));
    assert_eq!(structured(&result)["truncated"], true);
    assert!(structured(&result).to_string().len() <= 1_000);
}

#[tokio::test]
async fn golden_answers_and_errors_match_the_listed_output_schemas() {
    let client = connect(all_tools()).await;
    let tools = client.list_all_tools().await.unwrap();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/answers");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "json") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().split_once('-').unwrap().1.to_owned();
        let name = if name == "breakpoint" { "breakpoint_set" } else { &name };
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        let mut schema = Value::Object((**tool.output_schema.as_ref().unwrap()).clone());
        assert_eq!(schema["type"], "object");
        closed(&mut schema);
        let validator = jsonschema::validator_for(&schema).unwrap();
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let faults: Vec<_> = validator.iter_errors(&golden).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        checked += 1;
    }
    for tool in &tools {
        let result = answer(&client, tool, [("no_such".to_owned(), json!(1))].into_iter().collect()).await;
        let mut schema = Value::Object((**tool.output_schema.as_ref().unwrap()).clone());
        closed(&mut schema);
        // Details are typed by code, so the listed schema leaves them open.
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(structured(&result)), "{}: {}", tool.name, structured(&result));
        assert!(!validator.is_valid(&json!({"nonsense": 1})), "{} takes anything", tool.name);
        checked += 1;
    }
    assert!(checked > 90, "{checked}");
}

#[tokio::test]
async fn the_list_of_tools_is_small() {
    for (toolsets, most) in [("core", 14 * 1024), ("default", 30 * 1024)] {
        let options =
            ServerOptions { toolsets: toolsets.parse().unwrap(), results: Results::Text, ..ServerOptions::default() };
        let tools = connect(options).await.list_all_tools().await.unwrap();
        let bytes = serde_json::to_string(&tools).unwrap().len();
        println!("{toolsets}: {} tools, {bytes} bytes", tools.len());
        assert!(bytes <= most, "{toolsets}: {bytes} bytes of at most {most}");
        let listed = serde_json::to_string(&tools).unwrap();
        for noise in ["$schema", "$ref", "\"format\"", "null\"]", "additionalProperties\":false", "x-unlisted"] {
            // Only the values of `env` may be null.
            let allowed = usize::from(noise == "null\"]");
            assert!(listed.matches(noise).count() <= allowed, "{noise} is listed");
        }
    }
}
