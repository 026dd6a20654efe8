//! A session that was started, with its adapter at hand; and short words for what tests ask of it.

use std::time::Duration;

use clrbridge::session::{
    Breakpoint, BreakpointSpec, Code, FrameRef, Include, LaunchSpec, Outcome, Place, Registry, Reply, Report, Resume,
    SessionError, SessionHandle, SetQuery, StepMode, Stop, Wait, WaitFor,
};

use crate::scripted::{Adapter, Frame, PATIENCE, Stage, World, settle};

/// The main thread.
pub const MAIN: i64 = 100;
pub const OTHER: i64 = 101;

pub fn path() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/Basics/Program.cs").to_owned()
}

/// Two threads, both in `Program.cs`.
pub fn world() -> World {
    let stack = |line| {
        vec![Frame::at("Basics.Program.Main", &path(), line), Frame::external("System.Threading.Thread.StartCallback")]
    };
    World {
        threads: vec![(MAIN, "Main Thread".into()), (OTHER, "worker".into())],
        stacks: [(MAIN, stack(46)), (OTHER, stack(60))].into(),
        locals: vec![("i".into(), "int".into(), "3".into())],
        binds: true,
        capabilities: serde_json::json!({"supportsConfigurationDoneRequest": true, "supportsExceptionInfoRequest": true, "supportsSetExpression": true}),
        ..World::default()
    }
}

pub struct Talk {
    pub registry: Registry,
    pub session: SessionHandle,
    pub adapter: Adapter,
    pub stage: Stage,
}

impl Talk {
    /// Runs, with nothing set.
    pub async fn running() -> Self {
        Self::with("netcoredbg", world(), |_| {}).await
    }

    /// Runs; `spec` may be changed before.
    pub async fn with(adapter: &str, world: World, change: impl FnOnce(&mut LaunchSpec)) -> Self {
        let (mut stage, settings) = Stage::new(adapter, world);
        let registry = Registry::new(settings);
        let mut spec = LaunchSpec { program: "Basics.dll".into(), ..LaunchSpec::default() };
        change(&mut spec);
        let launch = registry.launch(spec, Include::default(), now());
        let adapter = stage.adapter().await;
        let report = soon(launch).await.unwrap();
        assert!(matches!(report.outcome, Outcome::StillRunning { .. }), "{report:?}");
        let session = registry.session(None).unwrap();
        Self { registry, session, adapter, stage }
    }

    /// Stopped at `line`, which is reported.
    pub async fn stopped(line: i64) -> Self {
        let talk = Self::running().await;
        talk.stop_here(line).await;
        talk
    }

    /// The running program stops at `line` without a breakpoint of ours (`Debugger.Break()`), which a wait reports.
    pub async fn stop_here(&self, line: i64) -> Stop {
        self.adapter.stopped_at("pause", MAIN, line);
        stop(soon(self.wait()).await)
    }

    pub fn go(&self, what: Resume, wait: Wait) -> Reply<Report> {
        self.session.resume(what, Include::default(), wait)
    }

    pub fn go_on(&self) -> Reply<Report> {
        self.go(Resume::Continue, long())
    }

    pub fn step(&self) -> Reply<Report> {
        self.go(Resume::Step { mode: StepMode::Over, count: 1, thread: None }, long())
    }

    pub fn wait(&self) -> Reply<Report> {
        self.session.wait(WaitFor::default(), Include::default(), long())
    }

    pub fn wait_for(&self, ms: u64) -> Reply<Report> {
        self.session.wait(WaitFor::default(), Include::default(), within(ms))
    }

    pub fn pause(&self) -> Reply<Report> {
        self.session.pause(None, Include::default(), Wait::default())
    }

    pub async fn set(&self, spec: BreakpointSpec) -> Breakpoint {
        soon(self.registry.set_breakpoint(None, spec)).await.unwrap()
    }
}

/// A breakpoint of `Program.cs`.
pub fn at(line: u32) -> BreakpointSpec {
    BreakpointSpec::at(Place::Source { file: path(), line: Some(line), text: None })
}

pub fn setting(at: FrameRef, path: &str, value: &str) -> SetQuery {
    SetQuery { at, path: path.into(), value: value.into(), allow_side_effects: false }
}

pub fn long() -> Wait {
    within(30_000)
}

pub fn now() -> Wait {
    within(0)
}

pub fn within(ms: u64) -> Wait {
    Wait { timeout: Some(Duration::from_millis(ms)), phase: None }
}

/// The answer; that none comes is a failure.
pub async fn soon<T>(reply: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, reply).await.expect("a call was never answered")
}

pub fn stop(result: Result<Report, SessionError>) -> Stop {
    match result.unwrap().outcome {
        Outcome::Stopped(stop) => *stop,
        other => panic!("it did not stop: {other:?}"),
    }
}

pub fn line(result: Result<Report, SessionError>) -> u32 {
    stop(result).location.unwrap().line
}

pub fn is_running(result: Result<Report, SessionError>) {
    let report = result.unwrap();
    assert!(matches!(report.outcome, Outcome::StillRunning { .. }), "{:?}", report.outcome);
}

pub fn code<T: std::fmt::Debug>(result: Result<T, SessionError>) -> Code {
    let error = result.unwrap_err();
    assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}");
    error.code
}

/// Not answered while nothing happens.
pub async fn is_open<T: Unpin>(reply: &mut Reply<T>) -> bool {
    settle().await;
    futures::poll!(reply).is_pending()
}
