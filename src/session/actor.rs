//! The one task that owns a session: its state, its breakpoints, its adapter, its waits.
//!
//! Inputs are commands, adapter messages, the program's output and end, finished jobs and deadlines; whatever takes time
//! is a job (a future polled here), so no input ever waits behind an await. The race to remember: a resume sets the
//! state and the baseline before its bytes are written, so a stop that precedes the response is not lost.

mod adapter_breakpoints;
mod asks;
mod closing;
mod current_end;
mod current_start;
mod current_stop;
mod delivered;
mod done;
mod edits;
mod ends;
mod explanations;
mod follows;
mod inputs;
mod lapses;
mod link;
mod looks;
mod pauses;
mod pausing;
mod program_side;
mod input_wait;
mod program_end;
mod program_pipes;
mod program_stdin;
mod read_hits;
mod reports;
mod requests;
mod resumes;
mod retries;
mod starts;
mod stdin;
mod stops;
mod thrown;
mod traces;
mod waits;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::breakpoints::Table;
use super::command::{Command, Waiting};
use super::directory::Directory;
use super::event_log::EventLog;
use super::handle::{SessionHandle, Snapshot};
use super::ids::{SessionId, StateName};
use super::inspect::KnownShapes;
use super::modules::Modules;
use super::output_log::{OutputLog, SPILLED, Stream};
use super::ready::Readiness;
use super::report::StateView;
use super::settings::Settings;
use super::snapshots::Snapshots;
use super::sources::Sources;
use super::spec::Purpose;
use super::state::{Machine, Phase, State};
use super::stopping::{History, StepUnderWay};
use super::view::Event;
use super::workspace::SharedWorkspace;
use crate::dap;
use crate::transport::Incoming;

use adapter_breakpoints::AdapterBreakpoints;
use current_end::CurrentEnd;
use current_start::CurrentStart;
use current_stop::CurrentStop;
use delivered::Delivered;
use done::Done;
use link::Link;
use pauses::Pauses;
use program_side::ProgramSide;
use read_hits::ReadMessages;
use traces::Traces;
use waits::Waiter;

type Job = Pin<Box<dyn Future<Output = (u32, Done)> + Send>>;

/// A piece of the program's output; `None` = that pipe is at its end.
pub(crate) type Piece = (u32, Stream, Option<bytes::Bytes>);

pub(crate) struct Actor {
    id: SessionId,
    directory: Directory,
    settings: Arc<Settings>,
    purpose: Purpose,
    record: Option<PathBuf>,
    snapshot: Snapshot,

    commands: mpsc::UnboundedReceiver<Command>,
    /// Commands that wait for their turn, oldest first.
    queue: VecDeque<Command>,
    jobs: FuturesUnordered<Job>,

    machine: Machine,
    log: EventLog,
    output: OutputLog,
    modules: Modules,
    shapes: KnownShapes,
    sources: Sources,
    workspace: SharedWorkspace,
    /// Resolves when the workspace changes.
    changes: tokio::sync::watch::Receiver<u64>,
    /// The revision that was followed last.
    followed: u64,
    /// What this session has of the workspace's breakpoints, and its own.
    table: Table,
    history: History,
    snapshots: Snapshots,
    /// What heap_stats answered.
    heaps: super::queries::heap::Heaps,
    numbered: super::queries::Numbered,
    thrown: thrown::Thrown,

    link: Option<Link>,
    incoming: Option<mpsc::Receiver<Incoming>>,
    program: ProgramSide,
    pieces: (mpsc::Sender<Piece>, mpsc::Receiver<Piece>),
    /// What follows when the adapter has what is wanted.
    after_sync: VecDeque<inputs::Then>,

    waiters: Vec<Waiter>,
    adapter_breakpoints: AdapterBreakpoints,
    delivered: Delivered,
    stop: CurrentStop,
    pauses: Pauses,
    ready: Readiness,
    traces: Traces,
    read_messages: ReadMessages,
    start: CurrentStart,
    /// When something was last asked of this session.
    last_command: Instant,
    step: Option<StepUnderWay>,
    /// Counts resumes: the answer to an older one says nothing.
    resumes: u64,
    condition_notes: Vec<String>,
    lost: tokio::sync::watch::Sender<Option<super::queries::RunEnd>>,
    /// The exception of the latest stop: what the program dies of, if it does.
    last_exception: Option<super::report::Exception>,
    /// Statements of which was said which accessors a step in passed.
    noted_passed: std::collections::HashSet<(String, u32)>,
    ending: CurrentEnd,
}

/// Starts a session's actor; `opening` gets the outcome of the start.
pub(crate) fn spawn(
    id: SessionId,
    directory: Directory,
    settings: Arc<Settings>,
    purpose: Purpose,
    record: Option<PathBuf>,
    opening: Waiting,
) -> SessionHandle {
    let workspace = directory.workspace().clone();
    let (sender, commands) = mpsc::unbounded_channel();
    let output = OutputLog::new(settings.max_output.unwrap_or(SPILLED));
    let mut first = StateView::of(StateName::Starting);
    first.session_id = Some(id.clone());
    let snapshot = Snapshot::new(first);
    let handle = SessionHandle::new(id.clone(), sender, snapshot.clone(), settings.redaction.clone());
    let sources = Sources::below(settings.roots.clone());
    let mut actor = Actor {
        id,
        directory,
        settings,
        purpose,
        record,
        snapshot,
        commands,
        queue: VecDeque::new(),
        jobs: FuturesUnordered::new(),
        machine: Machine::new(Phase::Launching),
        log: EventLog::default(),
        output,
        modules: Modules::default(),
        shapes: KnownShapes::default(),
        sources,
        changes: workspace.changes(),
        followed: 0,
        workspace,
        table: Table::default(),
        history: History::default(),
        snapshots: Snapshots::default(),
        heaps: Default::default(),
        numbered: Default::default(),
        thrown: Default::default(),
        link: None,
        incoming: None,
        program: ProgramSide::default(),
        // bounded: a program that floods its pipes waits for us, not we for memory
        pieces: mpsc::channel(64),
        after_sync: VecDeque::new(),
        waiters: Vec::new(),
        adapter_breakpoints: AdapterBreakpoints::default(),
        delivered: Delivered::default(),
        stop: CurrentStop::default(),
        pauses: Pauses::default(),
        ready: Readiness::default(),
        traces: Traces::default(),
        read_messages: ReadMessages::default(),
        start: CurrentStart::default(),
        last_command: Instant::now(),
        step: None,
        resumes: 0,
        condition_notes: Vec::new(),
        lost: tokio::sync::watch::channel(None).0,
        last_exception: None,
        noted_passed: std::collections::HashSet::new(),
        ending: CurrentEnd::default(),
    };
    actor.begin(None, opening, false);
    actor.publish_snapshot();
    actor.directory.clone().spawn(actor.run());
    handle
}

impl Actor {
    async fn run(mut self) {
        // should this task panic, nobody may take the session for alive
        let _end = EndOnDrop(self.snapshot.clone());
        let mut handles = true;
        loop {
            self.listen(&mut handles).await;
            self.take_breakpoint_events();
            self.stop.take_choice();
            self.program.stdin.take_back();
            self.on_time();
            self.check_input();
            self.keep_up();
            self.serve_queue();
            self.serve_waiters();
            self.check_lapse();
            self.publish_snapshot();
            if self.is_over(handles) {
                break;
            }
        }
    }

    /// One input.
    async fn listen(&mut self, handles: &mut bool) {
        let deadline = self.next_deadline();
        let client = self.link.as_ref().map(|link| &link.client);
        tokio::select! {
            done = done_or_asked(&mut self.jobs, client) => {
                if let Some((run, done)) = done {
                    self.on_done(run, done);
                }
            }
            message = next_message(&mut self.incoming) => self.on_incoming(message),
            command = self.commands.recv(), if *handles => match command {
                Some(command) => self.on_command(command),
                // nobody can ask any more: the server ends, or has forgotten this session
                None => {
                    *handles = false;
                    self.end_unheard();
                }
            },
            () = self.directory.ending(), if !self.ending.server_ends() => self.shut_down(),
            // such a wait is looked at with all others
            () = called_off(&mut self.waiters) => {}
            Some(piece) = self.pieces.1.recv() => self.on_piece(piece),
            Ok(()) = self.changes.changed() => {}
            () = tokio::time::sleep_until(deadline) => {}
        }
    }

    /// Polls a future here; its end comes to [`Self::on_done`].
    fn job(&mut self, work: impl Future<Output = Done> + Send + 'static) {
        let run = self.start.number();
        let work = std::panic::AssertUnwindSafe(work).catch_unwind();
        self.jobs.push(Box::pin(async move { (run, work.await.unwrap_or(Done::Panicked)) }));
    }

    /// The same for a step of a start, which ends with it.
    fn start_job(&mut self, work: impl Future<Output = Done> + Send + 'static) {
        let over = self.start.over();
        self.job(async move { over.run_until_cancelled(work).await.unwrap_or(Done::Nothing) });
    }

    fn note_event(&mut self, event: Event) -> super::ids::EventSeq {
        self.log.push(event)
    }

    /// The input of the reducer, and what it asks to be done.
    fn apply(&mut self, input: super::state::Input) {
        for effect in self.machine.apply(input, std::time::Instant::now()) {
            match effect {
                super::state::Effect::Complete(epoch) => self.complete(epoch),
                super::state::Effect::Forget => self.forget_run(),
                super::state::Effect::Retract(seq) => self.log.retract(seq),
                super::state::Effect::Note(what) => tracing::debug!(session = %self.id, "{what}"),
            }
        }
    }

    fn is_ended(&self) -> bool {
        matches!(self.machine.state(), State::Ended(_))
    }

    fn is_live(&self) -> bool {
        matches!(self.machine.state(), State::Running { .. } | State::Stopped(_))
    }

    /// The next moment at which something is due without an input.
    fn next_deadline(&self) -> Instant {
        let now = Instant::now();
        // a wait that is over stays only for a stop that is being read, or a start: looked at again in a moment
        let reading = now + std::time::Duration::from_millis(250);
        let due = |deadline: Instant| if deadline > now { deadline } else { reading };
        let waits = self.waiters.iter().filter_map(|waiter| waiter.deadline).map(due);
        let far = now + std::time::Duration::from_secs(3600);
        let looks = self.lapse_deadline().into_iter().chain(self.program.input.deadline());
        waits.chain(self.end_deadlines()).chain(looks).min().unwrap_or(far)
    }
}

/// Whatever ends the actor, the session is over.
struct EndOnDrop(Snapshot);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        let mut view = self.0.get();
        if view.state.is_live() {
            view.state = StateName::NotAttached;
            view.why = Some("a bug in clrbridge ended this session".into());
            self.0.set(view);
        }
    }
}

/// A job's result; `None` when a job asked the adapter something, so that the deadline of that request counts: nobody
/// would see an adapter that never answers it.
async fn done_or_asked(jobs: &mut FuturesUnordered<Job>, client: Option<&dap::Client>) -> Option<(u32, Done)> {
    let owed = || client.and_then(dap::Client::oldest_pending);
    let before = owed();
    std::future::poll_fn(|context| match jobs.poll_next_unpin(context) {
        Poll::Ready(Some(done)) => Poll::Ready(Some(done)),
        _ if owed() != before => Poll::Ready(None),
        _ => Poll::Pending,
    })
    .await
}

/// A caller gave up its wait.
async fn called_off(waiters: &mut [Waiter]) {
    std::future::poll_fn(|context| {
        // each is polled, so that each can wake us
        let over =
            waiters.iter_mut().filter_map(|waiter| waiter.poll_called_off(context).is_ready().then_some(())).count();
        if over > 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Waits for ever where there is no adapter.
async fn next_message(incoming: &mut Option<mpsc::Receiver<Incoming>>) -> Incoming {
    match incoming {
        Some(receiver) => receiver.recv().await.unwrap_or(Incoming::Closed(None)),
        None => std::future::pending().await,
    }
}
