//! A start, from the first look at the program to its release; and starts again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use super::adapter_breakpoints::AdapterBreakpoints;
use super::current_stop::CurrentStop;
use super::done::Done;
use super::link::Link;
use super::program_side::ProgramSide;
use super::waits::{WaitKind, Waiter};
use crate::dap::{Capabilities, Client};
use crate::session::breakpoints::place::Surroundings;
use crate::session::breakpoints::plan::Plan;
use crate::session::breakpoints::{Entry, Role, Table};
use crate::session::command::Waiting;
use crate::session::error::{Code, SessionError};
use crate::session::ready::{Readiness, ReadySign};
use crate::session::report::{AttachedProcess, ExceptionMode};
use crate::session::spec::Purpose;
use crate::session::spec::{AttachTarget, BuildMode, Place};
use crate::session::startup::{self, Configuration, Configured, Failed, Method, Opened, Prepared, Request};
use crate::session::state::{Input, Phase};
use crate::session::sync::Wanted;
use crate::session::view::Event;

/// What a launch waits when something is set that could stop the program, and when nothing is.
const WAIT_FOR_STOP: Duration = Duration::from_secs(30);
const WAIT_FOR_NOTHING: Duration = Duration::from_secs(2);

impl Actor {
    /// Begins a start. The breakpoints of `purpose` become the workspace's the first time.
    pub(super) fn begin(&mut self, build: Option<BuildMode>, opening: Waiting, again: bool) {
        // edits and waits of the run before are answered before it is forgotten
        self.end_edits();
        self.serve_waiters();
        self.start.begin_next();
        self.delivered.begin_run(self.output.end(), self.traces.count());
        self.history = Default::default();
        self.thrown = Default::default();
        self.last_exception = None;
        self.condition_notes.clear();
        let phase =
            if again || matches!(self.purpose, Purpose::Launch(_)) { Phase::Building } else { Phase::Attaching };
        self.apply(Input::Begun(phase));
        self.program = ProgramSide { failed_starts: self.program.failed_starts, ..ProgramSide::default() };
        self.program.name = match &self.purpose {
            Purpose::Launch(spec) => Some(spec.program.clone()),
            Purpose::Attach(_) => None,
        };
        self.link = None;
        self.incoming = None;
        self.adapter_breakpoints = AdapterBreakpoints::default();
        self.stop = CurrentStop::default();
        self.step = None;
        self.pauses.end();
        self.modules = Default::default();
        let modules = self.modules.clone();
        let compiled_from = Arc::new(move |path: &str, bytes: &[u8]| modules.compiled_from(path, bytes));
        self.sources.look_below(self.settings.base(), compiled_from);
        let modules = self.modules.clone();
        self.sources.set_documents(Arc::new(move |path: &str| modules.has_document(path)));
        self.lost = tokio::sync::watch::channel(None).0;
        self.table = Table::default();
        self.ready = Readiness::default();
        if let Some(spec) = self.launch_spec() {
            match ReadySign::new(spec.ready_when.as_deref()) {
                Ok(sign) => self.ready = Readiness::of(sign),
                Err(error) => return self.refuse_start(opening, error),
            }
        }
        let phase = opening.wait.phase.clone();
        let kind = if again { WaitKind::Restart } else { WaitKind::Open };
        self.waiters.push(Waiter::new(opening, kind, self.log.last(), None));
        let request = Request { purpose: self.purpose.clone(), settings: self.settings.clone(), phase, build };
        self.start_job(async move { Done::Prepared(Box::new(startup::prepare(request).await)) });
    }

    /// A start that cannot begin.
    fn refuse_start(&mut self, opening: Waiting, error: SessionError) {
        self.waiters.push(Waiter::new(opening, WaitKind::Open, self.log.last(), None));
        self.start_failed(error);
    }

    /// Why a program of another session of this server cannot be attached to.
    fn taken(&self, pid: u32) -> Option<SessionError> {
        let other = self.directory.session_of(pid)?;
        Some(SessionError::new(
            Code::AlreadyAttached,
            format!("process {pid} is being debugged by session {other}"),
            format!("use session_id {other}, or debug_disconnect it first"),
        ))
    }

    /// The same, where the debugger that was found there is our own.
    fn own_session_of_target(&self) -> Option<SessionError> {
        let Purpose::Attach(spec) = &self.purpose else { return None };
        match spec.target {
            AttachTarget::Pid(pid) => self.taken(pid),
            AttachTarget::Name(_) => None,
        }
    }

    pub(super) fn on_prepared(&mut self, result: Result<Prepared, SessionError>) {
        let prepared = match result {
            Ok(prepared) => prepared,
            Err(error) => {
                let ours = self.own_session_of_target().filter(|_| error.code == Code::AlreadyAttached);
                return self.start_failed(ours.unwrap_or(error));
            }
        };
        if let Some(target) = &prepared.target {
            if let Some(error) = self.taken(target.pid) {
                return self.start_failed(error);
            }
            self.program.pid = Some(target.pid);
            self.program.attached_to =
                Some(AttachedProcess { name: target.name.clone(), runtime_version: target.runtime_version.clone() });
            self.program.name =
                Some(target.assembly.as_ref().map_or(target.name.clone(), |dll| dll.display().to_string()));
        }
        if let Some(program) = &prepared.program {
            self.program.name = Some(program.dll.display().to_string());
        }
        if let Some(assembly) = &prepared.assembly {
            self.modules.preload(assembly);
        }
        if let Err(error) = self.place_wanted(&prepared) {
            return self.start_failed(error);
        }
        let phase = if prepared.method == Method::Attached { Phase::Attaching } else { Phase::Launching };
        self.apply(Input::Phase(phase));
        let spec = self.launch_spec().cloned();
        let workspace = self.settings.base();
        let record = self.record.clone().map(|path| (path, self.settings.redaction.clone()));
        let player = self.settings.player.clone();
        self.start_job(async move {
            let opened = startup::open(&prepared, spec.as_ref(), &workspace, record, player.as_ref()).await;
            Done::Opened(Box::new((prepared, opened)))
        });
    }

    pub(super) fn launch_spec(&self) -> Option<&crate::session::spec::LaunchSpec> {
        match &self.purpose {
            Purpose::Launch(spec) => Some(spec),
            Purpose::Attach(_) => None,
        }
    }

    /// Breakpoints that came with the call, and those from before, placed among the program's documents.
    fn place_wanted(&mut self, prepared: &Prepared) -> Result<(), SessionError> {
        if let Some(program) = &prepared.program {
            self.sources.look_also_below(&program.cwd);
        }
        let folder = match (&prepared.program, &prepared.assembly) {
            (Some(program), _) => program.folder.clone(),
            (None, assembly) => assembly.as_deref().and_then(crate::dotnet::program::project_folder),
        };
        if let Some(folder) = folder {
            self.sources.add_folder(&folder);
            self.sources.look_in_copy(&folder, &self.modules.document_paths());
        }
        if let Some(root) = self.sources.root_of(&self.modules.document_paths()) {
            self.sources.set_root(Some(root));
        }
        let (given, rule, entry) = match &mut self.purpose {
            Purpose::Launch(spec) => {
                (std::mem::take(&mut spec.breakpoints), spec.exceptions.take(), spec.stop_at_entry)
            }
            Purpose::Attach(spec) => (std::mem::take(&mut spec.breakpoints), spec.exceptions.take(), false),
        };
        let base = prepared.program.as_ref().map_or_else(|| self.settings.base(), |program| program.cwd.clone());
        let around = Surroundings { sources: &self.sources, modules: Some(&self.modules), base: &base };
        let around = if prepared.assembly.is_some() { around } else { Surroundings { modules: None, ..around } };
        // all or none: an error says that nothing was set
        let placed: Result<Vec<_>, _> =
            given.into_iter().map(|spec| Table::prepare(spec, Role::User, &around)).collect();
        for entry in placed? {
            let set = self.workspace.set(&self.kept(&entry), None);
            self.start.gave(set);
        }
        self.start.set_gave_rule(rule.is_some());
        if let Some(rule) = rule {
            self.workspace.set_exceptions(rule, None);
        }
        self.table.exceptions = self.workspace.exceptions(Some(&self.id));
        self.table.follow(&self.workspace.of(&self.id), &around);
        if entry && prepared.method == Method::Held {
            let Some((file, line)) = self.modules.entry_point() else {
                return Err(SessionError::new(
                    Code::NoSymbols,
                    "stop_at_entry needs the program's PDB, which is missing",
                    "build it as Debug, or omit stop_at_entry",
                ));
            };
            let spec = crate::session::spec::BreakpointSpec {
                temporary: true,
                ..crate::session::spec::BreakpointSpec::at(Place::Source { file, line: Some(line), text: None })
            };
            self.table.add(spec, Role::Entry, &around)?;
        }
        self.publish_places();
        Ok(())
    }

    pub(super) fn on_opened(&mut self, prepared: Prepared, result: Result<Opened, SessionError>) {
        if self.is_ended() {
            // ended in the very moment: dropping what was opened ends it too
            return;
        }
        let mut opened = match result {
            Ok(opened) => opened,
            Err(error) => return self.start_failed(error),
        };
        let client = Client::new(opened.connection.outgoing);
        self.incoming = Some(opened.connection.incoming);
        if let Some(adapter) = &opened.adapter {
            let exited = adapter.exited();
            self.job(async move { Done::AdapterExited(exited.await) });
        }
        if let Some(replay) = opened.replay.take() {
            self.job(async move {
                let code = replay.await.ok().and_then(|end| end.exit_code);
                Done::AdapterExited(match code {
                    Some(code) if code < 0 => crate::process::ExitStatus::Signal(-code),
                    code => crate::process::ExitStatus::Code(code.unwrap_or(0)),
                })
            });
        }
        if let Some(held) = opened.held.take() {
            self.own_program(held);
        } else if let Some(pid) = prepared.target.as_ref().map(|target| target.pid)
            && let Ok(end) = crate::process::pidfd::wait_exit(pid)
        {
            self.job(async move {
                end.await;
                Done::ProgramExited(None)
            });
        }
        let quirks = Arc::new(prepared.profile.quirks.clone());
        let (initialized, heard) = tokio::sync::watch::channel(false);
        let attaching = matches!(self.purpose, Purpose::Attach(_));
        let (table, modules, behaves) = (self.table.clone(), self.modules.clone(), quirks.clone());
        let planned: startup::Planned = Box::new(move |can| Plan::of(&table, (&*behaves, can), &modules, attaching));
        let plan = planned(&Capabilities::default());
        let filters = Wanted::of(self.table.exceptions.as_ref());
        let configuration = Configuration {
            client: client.clone(),
            attaching,
            held: self.program.held.clone(),
            launch: self.launch_arguments(&prepared),
            attach: self.attach_arguments(&prepared),
            plan: planned,
            wanted: filters.clone(),
            initialized: heard,
            adapter: prepared.profile.name.clone(),
            stderr: opened.stderr.clone(),
        };
        self.read_messages.remember(&self.table.entries);
        self.adapter_breakpoints.open(plan, filters);
        self.link = Some(Link {
            client,
            quirks,
            method: prepared.method,
            claim: opened.claim.or(prepared.claim),
            profile: prepared.profile,
            adapter: opened.adapter,
            stderr: opened.stderr,
            tap: opened.tap,
            initialized,
            capabilities: Arc::default(),
            exited: None,
            heard: Instant::now(),
            gave_up_on: None,
            closed: None,
            last_asked: Vec::new(),
        });
        self.apply(Input::Phase(Phase::Binding));
        self.start_job(async move { Done::Configured(Box::new(startup::configure(configuration).await)) });
    }

    pub(super) fn on_configured(&mut self, result: Result<Configured, Failed>) {
        let method = self.link.as_ref().map(|link| link.method);
        let Configured { capabilities, plan, synced } = match result {
            Ok(done) => done,
            // a held program has not run yet, so nothing is done twice
            Err(failed) if failed.late && matches!(method, Some(Method::Held | Method::Replay)) => {
                return self.start_again_or(failed.error);
            }
            Err(failed) => return self.start_failed(failed.error),
        };
        if let Some(link) = &mut self.link {
            link.capabilities = Arc::new(capabilities);
        }
        self.adapter_breakpoints.were_sent(plan, synced);
        self.adopt_answers();
        if self.sources.root().is_none() {
            self.sources.set_root(self.sources.root_of(&self.modules.document_paths()));
        }
        self.start.went_through();
        self.note_event(Event { type_name: "started", stream: "execution", ..Event::default() });
        self.watch_start();
        let default = self.default_wait();
        for waiter in self.waiters.iter_mut().filter(|waiter| waiter.kind.opens()) {
            waiter.begin_waiting(default);
        }
        self.apply(Input::Started);
        // modules that came during the handshake may have moved lines
        self.after_edit(|_| {});
    }

    /// 30 s, or 2 s when nothing is set that could stop the program; an attach does not wait.
    fn default_wait(&self) -> Duration {
        let Purpose::Launch(spec) = &self.purpose else { return Duration::ZERO };
        let stops = |entry: &Entry| entry.spec.enabled && entry.log.is_none() && !entry.is_foreign();
        let stopping = self.table.entries.iter().any(stops);
        let exceptions = self
            .table
            .exceptions
            .as_ref()
            .is_some_and(|rule| !matches!(rule.mode, ExceptionMode::Unhandled | ExceptionMode::Never));
        if spec.stop_at_entry || stopping || exceptions { WAIT_FOR_STOP } else { WAIT_FOR_NOTHING }
    }

    /// Nothing runs: the caller gets an error, and what was started is ended.
    pub(super) fn start_failed(&mut self, error: SessionError) {
        let error = self.with_last_words(error);
        // a session that never came to be leaves nothing but its error; a restart's has a past
        if !self.start.came_to_be() {
            self.directory.forget(&self.id);
        }
        for waiter in std::mem::take(&mut self.waiters) {
            waiter.answer(Err(error.clone()));
        }
        let ended = crate::session::state::Ended { lost: Some(Box::new(error)), ..Default::default() };
        self.end(ended);
    }
}
