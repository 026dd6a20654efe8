//! The program's stdin, stdout and stderr.

use std::time::Duration;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::answers::report::{InputReport, OutputReport};
use crate::config::Tier;
use crate::mcp::tool::{Call, DESTROY, READ_ONCE, Row, Shared, Tool};
use crate::session::{OutputQuery, SessionError};

pub(super) fn tools() -> Vec<Tool> {
    let session = Shared { session: true, ..Shared::default() };
    vec![
        Tool::new(Row("process_read_output", "Read Process Output", Tier::Core, READ_ONCE), READ, read)
            .shares(session)
            .pages("page with since and max_lines, or pass tail"),
        Tool::new(Row("process_write_input", "Write Process Input", Tier::Default, DESTROY), WRITE, write)
            .shares(session),
    ]
}

const READ: &str = "Returns the program's output, from `since` (a cursor; by default the start of the latest run) or only the `tail`: stdout, \
stderr, omitted_bytes, cursor for the next call. After a debug_restart each answer covers one run; `since: 0` starts with \
the first run. Works in every state.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ReadArgs {
    #[serde(default)]
    stream: Stream,
    since: Option<u64>,
    #[schemars(range(min = 1, max = 100_000))]
    max_lines: Option<u32>,
    /// Regex matched against lines.
    search: Option<String>,
    /// Return only the last N lines.
    #[schemars(range(min = 1, max = 100_000))]
    tail: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Stream {
    #[default]
    Both,
    Stdout,
    Stderr,
}

async fn read(call: Call, args: ReadArgs) -> Result<OutputReport, SessionError> {
    let query = OutputQuery {
        stdout: args.stream != Stream::Stderr,
        stderr: args.stream != Stream::Stdout,
        since: args.since,
        max_lines: args.max_lines.map(|most| most as usize),
        search: args.search.filter(|search| !search.is_empty()),
        tail: args.tail.map(|most| most as usize),
    };
    call.session()?.read_output(query).await.map(Into::into)
}

const WRITE: &str =
    "Writes text to the program's stdin (needs launch with stdin=pipe); end a line with \\n. close_after closes stdin.";

/// How long a call waits for a full pipe.
const WRITE_LIMIT: Duration = Duration::from_secs(5);

#[derive(Debug, Deserialize, JsonSchema)]
struct WriteArgs {
    data: String,
    #[serde(default)]
    close_after: bool,
}

async fn write(call: Call, args: WriteArgs) -> Result<InputReport, SessionError> {
    call.session()?.write_input(args.data, args.close_after, WRITE_LIMIT).await.map(Into::into)
}
