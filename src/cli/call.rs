//! `clrbridge call`: the tools of the server, called in this process. Sessions live as long as it does.

use std::io::{Write as _, stdout};

use anyhow::{Context as _, bail};
use clap::Args;
use futures::StreamExt;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio_util::codec::{FramedRead, LinesCodec};

use crate::mcp::Dispatch;
use crate::mcp::call::Answered;
use crate::mcp::tool::MOST_ARGUMENT_BYTES;

#[derive(Debug, Args)]
pub(super) struct CallArgs {
    /// A tool's name, or - to read calls from stdin, one JSON object per line: {"tool": "debug_state", "arguments": {}}
    tool: String,
    /// Arguments: key=value; value is parsed as JSON, or taken as text if that fails
    #[arg(value_name = "KEY=VALUE")]
    arguments: Vec<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// One line of `call -`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// Answers the exit code: 1 when a call failed.
pub(super) async fn run(args: CallArgs, dispatch: Dispatch) -> anyhow::Result<u8> {
    if args.tool == "-" {
        if !args.arguments.is_empty() {
            bail!("call - takes its arguments from stdin");
        }
        return lines(&dispatch).await;
    }
    let arguments = args.arguments.iter().map(|pair| argument(pair)).collect::<Result<_, _>>()?;
    let reply = call(&dispatch, &args.tool, arguments).await.map_err(anyhow::Error::msg)?;
    if args.json {
        writeln!(stdout(), "{}", reply.structured)?;
    } else {
        writeln!(stdout(), "{}", reply.content)?;
    }
    Ok(u8::from(reply.failed))
}

async fn call(dispatch: &Dispatch, tool: &str, arguments: Map<String, Value>) -> Result<Answered, String> {
    let tool = dispatch.find(tool)?;
    let (phase, _) = watch::channel(String::new());
    let mut reply = dispatch.call(tool, arguments, phase).await;
    reply.delivered();
    Ok(reply)
}

fn argument(pair: &str) -> anyhow::Result<(String, Value)> {
    let (key, value) = pair.split_once('=').with_context(|| format!("`{pair}` is not key=value"))?;
    Ok((key.into(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
}

/// Every line is answered by one line: `{"result": …}` or `{"error": …}`.
async fn lines(dispatch: &Dispatch) -> anyhow::Result<u8> {
    let mut input = FramedRead::new(tokio::io::stdin(), LinesCodec::new_with_max_length(4 * MOST_ARGUMENT_BYTES));
    let mut failed = false;
    while let Some(line) = input.next().await {
        let line = line.context("cannot read calls from stdin")?;
        if line.trim().is_empty() {
            continue;
        }
        let answered = match serde_json::from_str::<Line>(&line) {
            Ok(line) => call(dispatch, &line.tool, line.arguments).await,
            Err(error) => Err(format!("expected {{\"tool\": name, \"arguments\": object}}: {error}")),
        };
        let answer = match answered {
            Ok(reply) if !reply.failed => json!({"result": reply.structured}),
            Ok(reply) => json!({"error": reply.structured}),
            Err(message) => json!({"error": {"code": "invalid_argument", "message": message}}),
        };
        failed |= answer.get("error").is_some();
        let mut out = stdout();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(u8::from(failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json_where_they_can_be_and_text_else() {
        for (pair, key, value) in [
            ("line=46", "line", json!(46)),
            ("file=Program.cs", "file", json!("Program.cs")),
            ("text=a=b", "text", json!("a=b")),
            ("all=true", "all", json!(true)),
            ("args=[\"a\"]", "args", json!(["a"])),
            ("value=\"7\"", "value", json!("7")),
            ("cwd=", "cwd", json!("")),
        ] {
            assert_eq!(argument(pair).unwrap(), (key.to_owned(), value), "{pair}");
        }
        assert!(argument("no-value").is_err());
    }
}
