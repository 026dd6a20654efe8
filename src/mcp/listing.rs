//! The schemas that clients are listed, kept as text beside this file.
//!
//! Making those of all tools from their types takes two thirds of the processor time of a start; reading them takes a tenth.
//! `tests/tool_inventory.rs` compares text and types, and writes the text with `UPDATE=1`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use rmcp::model::JsonObject;

use super::tool::Tool;

/// Of the arguments and of the answer, as they are listed.
#[derive(Clone)]
pub(super) struct Schemas {
    pub input: Arc<JsonObject>,
    pub output: Arc<JsonObject>,
}

/// `None` for a tool that came since the text was written.
pub(super) fn of(tool: &str) -> Option<&'static Schemas> {
    static KEPT: LazyLock<BTreeMap<String, Schemas>> = LazyLock::new(|| {
        let read: BTreeMap<String, [JsonObject; 2]> =
            serde_json::from_str(include_str!("listing.json")).unwrap_or_default();
        let shared = |[input, output]: [JsonObject; 2]| Schemas { input: Arc::new(input), output: Arc::new(output) };
        read.into_iter().map(|(name, schemas)| (name, shared(schemas))).collect()
    });
    KEPT.get(tool)
}

/// What the text must be: a line a tool, in the order of the table.
pub fn text(tools: &[Tool]) -> String {
    let line = |tool: &Tool| {
        let made = tool.make_schemas();
        let schemas = serde_json::json!([*made.input, *made.output]);
        format!("\"{}\":{schemas}", tool.name)
    };
    let lines: Vec<String> = tools.iter().map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
