//! The command line: `clrbridge` alone is the MCP server on stdio, `serve` the one over HTTP; the other subcommands use the same tools
//! in this process.
//!
//! Knows config and mcp. The race to remember: a signal may arrive at any await, and every exit must end the sessions,
//! so all exits go through [`run`].

mod call;
mod demo;
mod doctor;
pub mod logs;
mod serve;
mod signals;

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use tokio_util::sync::CancellationToken;

use crate::answers::report::BackendEntry;
use crate::backend;
use crate::config::{self, Config, ConfigError, Raw};
use crate::mcp::{self, Dispatch};
use crate::process::closed;
use crate::roots::Roots;
use crate::session::{Registry, Settings};

/// A .NET debugger for AI agents, people and CI jobs.
///
/// Without a command, serves the Model Context Protocol on stdin and stdout; MCP clients start it that way.
/// Every setting below can also be set by an environment variable (CLRBRIDGE_READ_ONLY for --read-only) or in the
/// config file (read-only = true).
#[derive(Debug, Parser)]
#[command(name = "clrbridge", version, max_term_width = 100)]
pub struct Cli {
    /// Config file, TOML [default: clrbridge/config.toml in $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Raw,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP over HTTP, for many clients
    Serve(serve::ServeArgs),
    /// Call tools, as an MCP client would
    Call(call::CallArgs),
    /// Run as a debug adapter for one program (DAP on stdin and stdout)
    #[command(
        help_template = "{about}\n\nUsage: clrbridge adapter\n\nIt takes no options: all settings come with the launch or attach request. Flags, environment \
                         variables and the config file do not apply.\n"
    )]
    Adapter {
        /// Ignored: other adapters require it
        #[arg(long, hide = true)]
        interpreter: Option<String>,
    },
    /// Debug a sample program step by step, live or from a recording
    Demo(demo::DemoArgs),
    /// Debug a small program with each adapter found; show what is missing and the commands to fix it
    Doctor {
        /// Print one line of JSON
        #[arg(long)]
        json: bool,
    },
}

/// Exit code for invalid flags or settings.
pub const USAGE: u8 = 2;

impl Cli {
    /// Whether this process is to be a debug adapter, which needs no settings.
    pub fn is_adapter(&self) -> bool {
        matches!(self.command, Some(Command::Adapter { .. }))
    }

    /// The validated settings of all layers.
    pub fn load(&self) -> Result<Config, ConfigError> {
        // Not vars(): it panics if a variable is not Unicode.
        let environment: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        config::load(self.settings.clone(), self.config.as_deref(), &environment)
    }
}

/// Runs the command until it ends or a signal arrives, then ends every session. Returns the exit code.
pub async fn run(cli: Cli, config: Config) -> anyhow::Result<u8> {
    let registry = Registry::new(settings(&config));
    let dispatch = Dispatch::new(registry.clone(), config.server.clone(), backends(&config));
    let end = CancellationToken::new();
    let ends_by_signal = signals::cancel_on_signal(end.clone());
    let outcome = match cli.command {
        None if config.dashboard => {
            let dashboard = serve::Dashboard::begin(dispatch, registry.clone(), config.dashboard_control).await?;
            let served = serve_stdio(dashboard.dispatch.clone(), end).await;
            dashboard.finish().await;
            served
        }
        None => serve_stdio(dispatch, end).await,
        Some(Command::Serve(args)) => {
            let (first, control) = (registry.clone(), config.dashboard_control);
            serve::run(args, dispatch, move || first.beside(settings(&config)), control, end).await
        }
        // `main` serves it without a runtime of ours
        Some(Command::Adapter { .. }) => Ok(USAGE),
        Some(Command::Call(args)) => tokio::select! {
            code = call::run(args, dispatch) => code,
            () = end.cancelled() => Ok(signals::EXIT_CODE),
        },
        // It has its own sessions and ends them itself.
        Some(Command::Demo(args)) => demo::run(args, settings(&config), &end).await,
        Some(Command::Doctor { json }) => {
            let (report, ok) = doctor::run(&settings(&config), json).await;
            writeln!(std::io::stdout(), "{}", report.trim_end())?;
            Ok(u8::from(!ok))
        }
    };
    registry.shutdown().await;
    ends_by_signal.abort();
    outcome
}

async fn serve_stdio(dispatch: Dispatch, end: CancellationToken) -> anyhow::Result<u8> {
    if std::io::stdin().is_terminal() {
        let hint = "clrbridge serves MCP on stdin and stdout: an MCP client starts it. See `clrbridge --help`.";
        writeln!(std::io::stderr(), "{hint}")?;
    }
    let output = std::io::stdout().as_fd().try_clone_to_owned()?;
    let unread = end.clone();
    let watch = tokio::spawn(async move {
        closed(output).await;
        unread.cancel();
    });
    let served = mcp::serve_stdio(dispatch, end).await;
    watch.abort();
    Ok(served.map(|()| 0)?)
}

/// The adapters that debug_health_check lists.
fn backends(config: &Config) -> mcp::Backends {
    let adapter = config.debug.adapter.clone();
    Arc::new(move || {
        let adapter = adapter.clone();
        Box::pin(async move {
            let found = backend::all(&adapter).await;
            let entry = |found: backend::Found| BackendEntry {
                name: found.name,
                path: found.path.display().to_string(),
                version: found.version,
                problem: found.problem.map(|problem| problem.to_string()),
            };
            found.into_iter().map(entry).collect()
        })
    })
}

fn settings(config: &Config) -> Settings {
    let debug = config.debug.clone();
    Settings {
        adapter: debug.adapter,
        record: debug.record,
        max_output: debug.max_output,
        client_root: None,
        read_only: config.server.read_only,
        roots: match config.server.roots.as_slice() {
            [] => Roots::default(),
            named => Roots::only(named),
        },
        redaction: debug.redaction,
        player: None,
    }
}
