//! The schemas that are listed to clients, kept as text beside this file: a line a tool, its name, the schema of the arguments and
//! that of the answer, with tabs between.
//!
//! Making them from the types costs every start a millisecond more than reading them (7.0 against 5.6 ms from spawn to the answer
//! of tools/list, measured with a first form of this text, one JSON object). `tests/repository/tools.rs` compares text and types, and
//! writes the text with `UPDATE=1`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use rmcp::model::JsonObject;

use super::Tool;

const TEXT: &str = include_str!("listing.tsv");

/// Of a tool's arguments; `None` for one that came since the text was written.
pub(in crate::mcp) fn input(tool: &str) -> Option<Arc<JsonObject>> {
    read(line_of(tool)?.0)
}

/// Of its answer.
pub(in crate::mcp) fn output(tool: &str) -> Option<Arc<JsonObject>> {
    read(line_of(tool)?.1)
}

fn line_of(tool: &str) -> Option<(&'static str, &'static str)> {
    static LINES: LazyLock<HashMap<&str, (&str, &str)>> = LazyLock::new(|| {
        let line = |line: &'static str| {
            let (name, schemas) = line.split_once('\t')?;
            Some((name, schemas.split_once('\t')?))
        };
        TEXT.lines().filter_map(line).collect()
    });
    LINES.get(tool).copied()
}

fn read(schema: &str) -> Option<Arc<JsonObject>> {
    serde_json::from_str(schema).ok().map(Arc::new)
}

/// What the text must be, in the order of the table.
pub fn text(tools: &[Tool]) -> String {
    let schema = |schema: &Arc<JsonObject>| serde_json::to_string(&**schema).unwrap_or_default();
    let line =
        |tool: &Tool| format!("{}\t{}\t{}\n", tool.name, schema(&tool.make_input()), schema(&tool.make_output()));
    tools.iter().map(line).collect()
}
