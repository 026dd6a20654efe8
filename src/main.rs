//! Starts clrbridge: settings, logs, one thread, and an exit that does not wait for stdin.

use std::io::{IsTerminal as _, Write as _};

use clap::Parser as _;
use clrbridge::cli::{self, Cli};
use clrbridge::config::{Config, LogOptions};
use clrbridge::process::keeper;
use clrbridge::redaction::Redaction;
use tracing_subscriber::EnvFilter;

fn main() {
    if keeper::run_if_asked() {
        return;
    }
    let cli = Cli::parse();
    if cli.is_adapter() {
        return clr_engine::serve(std::io::stdin(), std::io::stdout());
    }
    let code = match cli.load() {
        Ok(config) => start(cli, config).unwrap_or_else(|error| {
            complain(&format!("{error:#}"));
            1
        }),
        Err(faults) => {
            complain(&faults.to_string());
            cli::USAGE
        }
    };
    std::process::exit(code.into())
}

fn start(cli: Cli, config: Config) -> anyhow::Result<u8> {
    log_to_stderr(&config.log, config.debug.redaction.clone());
    // One thread: calls keep their order, and the debugger waits far more than it works.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(cli::run(cli, config));
    // tokio may read stdin on a thread of its own that nothing can stop (a socket, as Node gives): do not wait for it.
    runtime.shutdown_background();
    code
}

fn log_to_stderr(options: &LogOptions, redaction: Redaction) {
    // rmcp warns of every error that it answers with.
    let quiet = if options.level.contains("rmcp") { "" } else { ",rmcp=error" };
    let logs = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(format!("{}{quiet}", options.level)))
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(move || Log(redaction.clone()));
    if options.json { logs.json().init() } else { logs.init() }
}

/// Stderr without secrets. Each event is written at once.
struct Log(Redaction);

impl std::io::Write for Log {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        // A closed stderr must not fail whoever logs: the subscriber would report it there again, by a panic.
        let _ = std::io::stderr().write_all(self.0.text(&String::from_utf8_lossy(event)).as_bytes());
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

fn complain(message: &str) {
    // Nobody is left to report a closed stderr to.
    let _ = writeln!(std::io::stderr(), "clrbridge: {message}");
}
