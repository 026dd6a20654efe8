//! The metadata tools as clients see them: over files with no session, and over the modules of a recorded one.

mod files;
mod refusals;
mod sessions;

use std::path::PathBuf;

use clrbridge::session::Settings;
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, Implementation};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;

use crate::replayed::data;
use crate::served::{all_tools, served};

type Client = RunningService<RoleClient, ClientConfig>;

/// An MCP client of a server whose client folder is `folder`.
async fn connect(folder: PathBuf) -> Client {
    let client = served(Settings { client_root: Some(folder), ..Settings::default() }, all_tools());
    ClientConfig::new(Default::default(), Implementation::new("a test", "1")).serve(client).await.unwrap()
}

/// One of a server in the folder of the committed assemblies.
async fn client() -> Client {
    connect(data("data/assemblies")).await
}

async fn call(client: &Client, tool: &str, arguments: Value) -> CallToolResult {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    client.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await.unwrap()
}

async fn ok(client: &Client, tool: &str, arguments: Value) -> Value {
    let result = call(client, tool, arguments.clone()).await;
    assert_ne!(result.is_error, Some(true), "{tool} {arguments}: {}", text(&result));
    result.structured_content.unwrap()
}

async fn error(client: &Client, tool: &str, arguments: Value) -> Value {
    let result = call(client, tool, arguments.clone()).await;
    assert_eq!(result.is_error, Some(true), "{tool} {arguments}: {}", text(&result));
    result.structured_content.unwrap()
}

fn text(result: &CallToolResult) -> &str {
    result.content.first().and_then(|content| content.as_text()).map_or("", |text| text.text.as_str())
}
