//! Jobs beside the actor bring their results back as one of these.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::waits::Published;
use crate::dap::{self, DapError};
use crate::process::ExitStatus;
use crate::session::command::RuleSetting;
use crate::session::context::StopContext;
use crate::session::error::SessionError;
use crate::session::ids::StopEpoch;
use crate::session::report::Variable;
use crate::session::startup::{Configured, Failed, Opened, Prepared};
use crate::session::stopped::Stopped;
use crate::session::stopping::StopDecision;
use crate::session::sync::Synced;
use crate::session::teardown::LetGo;

/// A finished job.
pub(super) enum Done {
    Prepared(Box<Result<Prepared, SessionError>>),
    Opened(Box<(Prepared, Result<Opened, SessionError>)>),
    Configured(Box<Result<Configured, Failed>>),
    Decided(StopEpoch, Box<StopDecision>),
    Resumed(Box<ResumedFrom>, Result<(), DapError>),
    Paused(Arc<AtomicBool>, Result<(), SessionError>),
    Inspected,
    /// The client set something, and so these locals are.
    Set(Vec<Variable>),
    Synced(Result<Synced, DapError>),
    ExceptionsSet(Result<(), DapError>, Option<RuleSetting>),
    /// The adapter of a program that has ended said what it counted.
    Counted,
    AdapterExited(ExitStatus),
    ProgramExited(Option<ExitStatus>),
    /// With what the program threw, and what became of it if it was to go on.
    TornDown(Option<Box<dap::ThrownExceptions>>, Option<LetGo>),
    /// A bug of ours: the session cannot be trusted any more.
    Panicked,
    Nothing,
}

/// Where a resume left from, to come back to when it is refused.
pub(super) struct ResumedFrom {
    pub(super) stop: Stopped,
    pub(super) number: u64,
    /// `None`: the client never heard of that stop.
    pub(super) published: Option<Published>,
    pub(super) context: Option<StopContext>,
}
