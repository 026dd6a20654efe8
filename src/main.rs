//! Starts clrbridge: settings, logs, one thread, and an exit that does not wait for stdin.

use std::io::Write as _;

use clap::Parser as _;
use clrbridge::cli::logs::Logs;
use clrbridge::cli::{self, Cli};
use clrbridge::config::Config;
use clrbridge::process::keeper;

fn main() {
    if keeper::run_if_asked() {
        return;
    }
    // Without clap: what that reads of this executable would stay in memory as long as the program is debugged.
    if std::env::args_os().skip(1).eq(["adapter"]) {
        return clr_engine::serve(std::io::stdin(), std::io::stdout());
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
    let mut logs = Logs::begin(&config.log, config.debug.redaction.clone())?;
    // One thread: calls keep their order, and the debugger waits far more than it works.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(cli::run(cli, config)).or_else(|error| {
        writeln!(logs, "clrbridge: {error:#}")?;
        Ok(1)
    });
    // tokio may read stdin on a thread of its own that nothing can stop (a socket, as Node gives): do not wait for it.
    runtime.shutdown_background();
    logs.finish();
    code
}

fn complain(message: &str) {
    // Nobody is left to report a closed stderr to.
    let _ = writeln!(std::io::stderr(), "clrbridge: {message}");
}
