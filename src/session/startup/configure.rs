//! The DAP handshake: `initialize`, `launch` or `attach`, breakpoints, `configurationDone`, and the release of a held
//! program (vendor-notes.md, Start). The order suits every known adapter: `launch` goes out right after the `initialize` response.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::dap::{self, Client, DapError};
use crate::process::{Held, StderrTail};
use crate::session::breakpoints::plan::Plan;
use crate::session::error::{Code, Details, SessionError};
use crate::session::report::OutputTail;
use crate::session::sync::{self, Synced, Wanted};

/// The runtime of a held program asks for its debugger 1-15 ms after exec; on a machine under siege it takes seconds.
const POSTED: Duration = Duration::from_secs(15);
/// Both adapters answer `initialize` within 3 ms.
const INITIALIZE: Duration = Duration::from_secs(10);
/// An attach that fails does so after 10 s (vendor-notes.md). Shorter than the time after which an adapter counts as hung, or
/// chance would choose which of the two is reported.
const CONFIGURE: Duration = Duration::from_secs(19);
/// For what an adapter that has just exited wrote to stderr, which a grandchild may keep open.
const LAST_WORDS: Duration = Duration::from_millis(100);
const E_FAIL: u32 = 0x8000_4005;

/// The breakpoints that an adapter is sent, once it has said what it can do.
pub(crate) type Planned = Box<dyn Fn(&dap::Capabilities) -> Plan + Send + Sync>;

/// What the adapter answered to its start.
pub(crate) struct Configured {
    pub capabilities: dap::Capabilities,
    pub plan: Plan,
    pub synced: Synced,
}

pub(crate) struct Configuration {
    pub client: Client,
    /// What the caller asked for; a held launch attaches too.
    pub attaching: bool,
    pub held: Option<Arc<Held>>,
    /// Sent before `attach` where options can be given that way, or alone.
    pub launch: Option<Value>,
    pub attach: Option<Value>,
    pub plan: Planned,
    pub wanted: Wanted,
    /// Becomes true with the `initialized` event.
    pub initialized: watch::Receiver<bool>,
    pub adapter: String,
    pub stderr: Option<StderrTail>,
}

/// A handshake that came to nothing.
pub(crate) struct Failed {
    pub error: SessionError,
    /// The adapter gave up waiting for the runtime: both do 5 s after `configurationDone` (their `startupWaitTimeout`),
    /// which a busy machine exceeds (8 starts at once on 2 cores).
    pub late: bool,
}

impl From<SessionError> for Failed {
    fn from(error: SessionError) -> Self {
        Self { error, late: false }
    }
}

/// # Errors
/// `launch_failed`, `attach_failed`, `start_timeout`, `backend_unusable`, `adapter_lost`.
pub(crate) async fn configure(mut of: Configuration) -> Result<Configured, Failed> {
    let initialize = of.client.request::<dap::request::Initialize>(dap::InitializeArguments {
        client_id: Some("clrbridge".into()),
        client_name: Some("clrbridge".into()),
        adapter_id: "coreclr".into(),
        lines_start_at1: true,
        columns_start_at1: true,
        path_format: Some("path".into()),
        supports_variable_type: Some(true),
        supports_variable_paging: Some(true),
        clr_raw_values: true,
        ..dap::InitializeArguments::default()
    });
    let posted = async {
        match &of.held {
            Some(held) => held.posted(POSTED).await,
            None => Ok(()),
        }
    };
    let (capabilities, posted) = futures::join!(timeout(INITIALIZE, initialize), posted);
    posted.map_err(|error| super::open::held_error(&error))?;
    let capabilities = match capabilities {
        Err(_) => return Err(of.unusable("did not answer `initialize` within 10 s").into()),
        Ok(Err(error)) => return Err(of.failed(&error).await.into()),
        Ok(Ok(capabilities)) => capabilities,
    };
    let launch = of.launch.take().map(|arguments| of.client.request::<dap::request::Launch>(arguments));
    let attach = of.attach.take().map(|arguments| of.client.request::<dap::request::Attach>(arguments));
    let initialized = of.initialized.wait_for(|initialized| *initialized);
    if timeout(INITIALIZE, initialized).await.is_err() {
        // an adapter that cannot take the launch says so there and never initializes (vsdbg)
        if let Some(Ok(Err(error))) = match launch {
            Some(launch) => Some(timeout(Duration::ZERO, launch).await),
            None => None,
        } {
            return Err(of.failed(&error).await.into());
        }
        return Err(of.unusable("did not send `initialized` within 10 s").into());
    }
    let plan = (of.plan)(&capabilities);
    let synced = match sync::all(&of.client, &plan, &of.wanted).await {
        Ok(synced) => synced,
        Err(error) => return Err(of.failed(&error).await.into()),
    };
    let done = capabilities
        .supports_configuration_done_request
        .then(|| of.client.request::<dap::request::ConfigurationDone>(()));
    let all = async {
        if let Some(launch) = launch {
            launch.await?;
        }
        if let Some(attach) = attach {
            attach.await?;
        }
        match done {
            Some(done) => done.await.map(drop),
            None => Ok(()),
        }
    };
    match timeout(CONFIGURE, all).await {
        Err(_) => {
            return Err(SessionError::new(
                Code::StartTimeout,
                format!("{} did not finish starting within {} s", of.adapter, CONFIGURE.as_secs()),
                "try again; or run `clrbridge doctor`",
            )
            .into());
        }
        Ok(Err(error)) => {
            return Err(Failed { late: error.hresult() == Some(E_FAIL), error: of.failed(&error).await });
        }
        Ok(Ok(_)) => {}
    }
    if let Some(held) = &of.held {
        held.release().map_err(|error| {
            SessionError::new(
                Code::LaunchFailed,
                format!("the suspended program could not be resumed: {error}"),
                "try again",
            )
        })?;
    }
    Ok(Configured { capabilities, plan, synced })
}

impl Configuration {
    fn unusable(&self, what: &str) -> SessionError {
        SessionError::new(
            Code::BackendUnusable,
            format!("{} {what}", self.adapter),
            "check that it is a .NET debug adapter: run `clrbridge doctor`",
        )
    }

    async fn failed(&self, error: &DapError) -> SessionError {
        let attaching = self.attaching;
        let code = match (error, attaching) {
            (DapError::Gone { .. }, _) => Code::AdapterLost,
            (_, true) => Code::AttachFailed,
            (_, false) => Code::LaunchFailed,
        };
        if let (DapError::Gone { .. }, Some(stderr)) = (error, &self.stderr) {
            stderr.drained(LAST_WORDS).await;
        }
        let stderr = self.stderr.as_ref().map(StderrTail::tail).filter(|tail| !tail.trim().is_empty());
        let failure = SessionError::new(code, format!("{}: {}", self.adapter, words(error)), hint(error, attaching));
        if stderr.is_none() {
            return failure;
        }
        failure.with(Details::AdapterLost {
            request: None,
            exit_code: None,
            signal: None,
            stderr,
            output: OutputTail::default(),
        })
    }
}

fn words(error: &DapError) -> String {
    let plain = match error.hresult() {
        Some(0x8007_0057) => "found no .NET runtime in the process",
        Some(0x8013_1c08) => "the process did not respond to the debugger within 10 s",
        Some(0x8013_1c3c) => "a debugging component of the runtime is missing (single-file or trimmed program?)",
        Some(0x8007_0005) => "access denied",
        Some(0x8007_0002) => "the program does not exist",
        Some(E_FAIL) => "the runtime did not start",
        _ => return error.to_string(),
    };
    format!("{plain} ({error})")
}

fn hint(error: &DapError, attaching: bool) -> &'static str {
    match (error.hresult(), attaching) {
        (Some(0x8013_1c08), false) => "call debug_launch again; the machine may be busy",
        (Some(0x8013_1c08), true) => {
            "debug_attach again: another debugger may have just detached; if that fails too, one is still attached or was killed while it was (then only a restart of the program helps), or the program has another TMPDIR than clrbridge"
        }
        (Some(E_FAIL), true) => {
            "the machine may be busy, or the process may be suspended by a signal (`kill -CONT` resumes it): debug_attach again"
        }
        (Some(0x8013_1c3c), _) => "publish without PublishSingleFile and PublishTrimmed",
        (_, true) => "check that the process is a running .NET program of the same user",
        (_, false) => "check whether the same command starts in a shell",
    }
}
