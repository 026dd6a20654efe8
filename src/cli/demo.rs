//! `clrbridge demo`: one small debugging session, run through the real server.
//!
//! Owns the script. It debugs a real program if the .NET SDK is installed, else it replays a recorded session of
//! netcoredbg: same actor, same tools, same answers. Knows nothing of DAP. The race to remember: a signal during a call must
//! end the sessions before the program's folder is removed.

mod page;
mod recorded;
mod stage;

use std::io::{IsTerminal as _, stdout};
use std::pin::pin;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::backend;
use crate::config::ServerOptions;
use crate::dotnet::Dotnet;
use crate::mcp::{self, Dispatch};
use crate::session::{Registry, Settings};

use super::signals;
use page::Page;
use stage::Stage;

#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Debug a real program; fail if .NET or a debug adapter is missing
    #[arg(long, conflicts_with = "replay")]
    live: bool,
    /// Replay the recorded session even if a real program could be debugged
    #[arg(long)]
    replay: bool,
}

/// A thought, and the call that follows from it.
struct Scene {
    thought: &'static str,
    tool: &'static str,
    arguments: Value,
}

fn story() -> [Scene; 6] {
    let scene = |thought, tool, arguments| Scene { thought, tool, arguments };
    [
        scene(
            "A shop bills its customers; Grace's bill is negative. Stop where the reduction is computed, if it is above 100 %.",
            "debug_launch",
            json!({"program": "Shop", "breakpoints": [
                {"file": "Shop/Program.cs", "text": "decimal reduction", "condition": "percent > 100"}
            ]}),
        ),
        scene(
            "One answer shows the place, values, callers and output: 150 % off. Where does that come from?",
            "evaluate",
            json!({"expressions": ["order.Customer", "order.Coupon", "s_percentOff[order.Coupon]"]}),
        ),
        scene("A typo in the coupon table. What did she buy?", "variables_get", json!({"path": "order.Lines"})),
        scene(
            "Would 15 % fix it? Try it in the running program.",
            "variable_set",
            json!({"path": "percent", "value": "15"}),
        ),
        scene("A step shows only what is new.", "debug_step", json!({"mode": "over"})),
        scene("Let it run to completion.", "debug_continue", json!({})),
    ]
}

/// Tells the story until it is over or `end` is cancelled. Answers the exit code: 1 when a call failed.
///
/// # Errors
/// `--live` without .NET or adapter; no folder for temporary files; a closed stdout.
pub(super) async fn run(args: DemoArgs, settings: Settings, end: &CancellationToken) -> anyhow::Result<u8> {
    let page = Page::new(stdout().is_terminal());
    let obstacle = if args.replay { None } else { obstacle(&settings.adapter).await };
    if let (true, Some(obstacle)) = (args.live, &obstacle) {
        bail!("demo --live: {obstacle}\n`clrbridge doctor` shows more; `clrbridge demo --replay` works without .NET");
    }
    let stage = Stage::build().context("cannot create a folder for the demo's program")?;
    if args.replay || obstacle.is_some() {
        page.title(&format!("A recorded session with {}, replayed through the real server.", recorded::ADAPTER))?;
        page.note(&match obstacle {
            Some(obstacle) => format!("No real program can be debugged here: {obstacle}. Run `clrbridge doctor`."),
            None => "`clrbridge demo --live` does the same on a real program.".to_owned(),
        })?;
        let player = recorded::player(&stage)?;
        return run_to_end(&page, Settings { player: Some(player), ..at(&stage, settings) }, end).await;
    }
    page.title("On a real program, built and debugged live.")?;
    page.note("`clrbridge demo --replay` replays a recorded session instead.")?;
    run_to_end(&page, at(&stage, settings), end).await
}

/// What keeps a real program from being built and debugged here.
async fn obstacle(adapter: &backend::AdapterSettings) -> Option<String> {
    if let Err(error) = backend::find(adapter).await {
        return Some(error.to_string());
    }
    match Dotnet::find() {
        Err(error) => Some(error.to_string()),
        Ok(dotnet) if dotnet.sdks().is_empty() => Some("no .NET SDK".into()),
        Ok(_) => None,
    }
}

fn at(stage: &Stage, settings: Settings) -> Settings {
    Settings { client_root: Some(stage.path().to_owned()), read_only: false, ..settings }
}

async fn run_to_end(page: &Page, settings: Settings, end: &CancellationToken) -> anyhow::Result<u8> {
    let registry = Registry::new(settings);
    let no_backends: mcp::Backends = Arc::new(|| Box::pin(async { Vec::new() }));
    let dispatch = Dispatch::new(registry.clone(), ServerOptions::default(), no_backends);
    let outcome = tokio::select! {
        outcome = play(page, &dispatch) => outcome,
        () = end.cancelled() => Ok(signals::EXIT_CODE),
    };
    registry.shutdown().await;
    outcome
}

async fn play(page: &Page, dispatch: &Dispatch) -> anyhow::Result<u8> {
    for scene in story() {
        page.call(scene.thought, scene.tool, &scene.arguments)?;
        let tool = dispatch.find(scene.tool).map_err(anyhow::Error::msg)?;
        let arguments = scene.arguments.as_object().cloned().unwrap_or_default();
        // A build takes seconds: somebody who looks on wants to know.
        let (phase, mut phases) = watch::channel(String::new());
        let mut call = pin!(dispatch.call(tool, arguments, phase));
        let mut reply = loop {
            tokio::select! {
                reply = &mut call => break reply,
                Ok(()) = phases.changed() => page.phase(&phases.borrow_and_update())?,
            }
        };
        reply.delivered();
        page.answer(&reply.content, reply.failed)?;
        if reply.failed {
            // What follows would only fail too.
            return Ok(1);
        }
    }
    page.note("\nAn agent gets these answers through an MCP client; `clrbridge call` prints them in a shell.")?;
    Ok(0)
}
