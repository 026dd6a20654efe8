//! Commands in their order: who may go at once, who waits for the program to stop being busy, what is answered here.

use super::Actor;
use super::done::Done;
use super::waits::WaitKind;
use crate::session::breakpoints::place;
use crate::session::command::{Answer, Command, Inspect};
use crate::session::counted::counted;
use crate::session::error::{Code, SessionError};
use crate::session::event_log::STREAMS;
use crate::session::ids::EventSeq;
use crate::session::output_log::Selection;
use crate::session::queries;
use crate::session::report::Variable;
use crate::session::spec::{EventsQuery, FrameRef, OutputQuery, SourceQuery};
use crate::session::startup::Method;
use crate::session::state::{Input, State};
use crate::session::stopping::locals_again;
use crate::session::view::*;

/// Bytes of output that one answer holds.
const OUTPUT: usize = 48 * 1024;
/// Lines of process_read_output unless the caller says otherwise.
const LINES: usize = 500;

impl Actor {
    pub(super) fn on_command(&mut self, command: Command) {
        if !matches!(command, Command::Look(..)) {
            self.last_command = tokio::time::Instant::now();
        }
        // a pause that came after a resume is for the program as it runs then, not for the stop before it
        let resume_first = matches!(command, Command::Pause(..))
            && self.queue.iter().any(|earlier| matches!(earlier, Command::Resume(..)));
        if !self.queue.is_empty() && !command.may_overtake() || resume_first || !self.can_run(&command) {
            self.queue.push_back(command);
        } else {
            self.perform(command);
        }
    }

    /// Commands whose turn has come.
    pub(super) fn serve_queue(&mut self) {
        while let Some(command) = self.queue.pop_front() {
            if !self.can_run(&command) {
                self.queue.push_front(command);
                break;
            }
            self.perform(command);
        }
        self.end_quiet();
    }

    /// Whether it can be done now; starts the quiet pause that some edits need.
    fn can_run(&mut self, command: &Command) -> bool {
        if command.may_overtake() || self.is_ended() {
            return !matches!(command, Command::Restart(..)) || !self.ending.is_under_way();
        }
        let starting = matches!(self.machine.state(), State::Starting { .. });
        let busy = starting || self.adapter_breakpoints.is_changing();
        // a stop that may be nobody's is judged first; one of ours for an edit is none
        let judging = matches!(self.machine.state(), State::Stopped(_)) && self.stop.published().is_none();
        let quiet = self.pauses.is_here();
        match command {
            // waits stand beside everything, and a restart ends everything
            Command::Wait(..) | Command::Restart(..) => !starting,
            Command::Explain(..) => !self.adapter_breakpoints.is_changing(),
            Command::ListBreakpoints(_) | Command::Modules { .. } | Command::Loaded(_) | Command::Source(..) => !busy,
            Command::Resume(..) => !busy && !judging && !self.stop.is_read(),
            edit if edit.edits_breakpoints() => !busy && (quiet || !judging && !self.must_be_quiet()),
            Command::SetExceptions(..) => !busy && !judging,
            snapshot if snapshot.takes_snapshot() && self.takes_snapshots() => {
                !busy && !self.stop.is_changed() && (quiet || !judging && !self.must_pause_unseen())
            }
            Command::Inspect(what) => {
                !busy && !judging && !self.stop.is_changed() && (!what.changes() || !self.stop.is_read())
            }
            Command::SelectFrame(..) => !busy && !judging && !self.stop.is_changed() && !self.stop.is_read(),
            Command::SetWatches { .. } => !busy && !judging && !self.stop.is_changed(),
            _ => true,
        }
    }

    fn perform(&mut self, command: Command) {
        match command {
            Command::Resume(what, waiting) => self.resume(what, waiting),
            Command::Pause(thread, waiting) => self.pause(thread, waiting),
            Command::Wait(what, waiting) => {
                if let Some(id) = what.breakpoint
                    && let Err(error) = self.table.user(id)
                {
                    return drop(waiting.answer.send(Err(error)));
                }
                self.wait(what, waiting, WaitKind::Wait);
            }
            Command::Restart(build, waiting) => self.restart(build, waiting),
            Command::Disconnect { terminate, answer } => self.disconnect(terminate, answer),
            Command::MarkSeen(seq) => self.delivered.mark_stop(seq),
            Command::NotDelivered(receipt) => self.not_delivered(receipt),
            Command::LapseReported => self.apply(Input::LapseReported(true)),
            Command::SetBreakpoint(setting, answer) => self.set_breakpoint(setting, answer),
            Command::EnableBreakpoint { id, enabled, answer } => self.enable_breakpoint(id, enabled, answer),
            Command::RemoveBreakpoints { id, limited, answer } => self.remove_breakpoints(id, limited, answer),
            Command::Follow => self.follow(),
            Command::ListBreakpoints(answer) => drop(answer.send(Ok(self.breakpoints()))),
            Command::Explain(id, answer) => self.explain_breakpoint(id, answer),
            Command::CountCondition(id) => self.count_condition(id),
            Command::SetExceptions(setting) => self.set_exceptions(setting),
            Command::Inspect(what) => self.inspect(what),
            Command::SelectFrame(at, answer) => self.select_frame(at, answer),
            Command::SetWatches { expressions, limited, answer } => {
                self.workspace.set_watches(expressions.clone(), limited.then(|| self.id.clone()));
                self.show_watches(expressions, answer);
            }
            Command::Source(query, answer) => drop(answer.send(self.source(&query))),
            Command::ReadOutput(query, answer) => self.read_output(&query, answer),
            Command::WriteInput { data, close_after, limit, answer } => {
                self.write_input(data, close_after, limit, answer)
            }
            Command::Modules { include_system, name, answer } => {
                let view = self.modules.view(include_system, name.as_deref(), |path| self.sources.relative(path));
                drop(answer.send(if self.is_ended() { Err(self.not_running()) } else { Ok(view) }));
            }
            Command::Loaded(answer) => {
                let root = self.sources.root();
                let stopped_at = self.stopped_at(root.as_deref());
                let loaded = LoadedModules { root, stopped_at, ..self.modules.loaded() };
                let is_gone = self.is_ended() && loaded.modules.is_empty();
                drop(answer.send(if is_gone { Err(self.not_running()) } else { Ok(loaded) }));
            }
            Command::Events(query, answer) => drop(answer.send(self.events(&query))),
            Command::Thrown(answer) => self.answer_thrown(answer),
            Command::Stops(answer) => drop(answer.send(Ok(self.snapshots.list()))),
            Command::Streams(answer) => drop(answer.send(Ok(self.streams()))),
            Command::Snapshots(wanted, answer) => drop(answer.send(self.snapshots(&wanted))),
            Command::Look(query, answer) => drop(answer.send(Ok(Box::new(self.look(&query))))),
        }
    }

    fn inspect(&mut self, what: Inspect) {
        let unseen = self.pauses.since().filter(|_| self.stop.published().is_none());
        let context = if unseen.is_some() { self.stop.unseen() } else { self.stop.readable() };
        let Some(context) = context else {
            let error = match self.machine.state() {
                State::Ended(ended) => match &ended.lost {
                    Some(lost) => (**lost).clone(),
                    None => self.not_stopped(what.tool()),
                },
                _ => self.not_stopped(what.tool()),
            };
            if let Some(what) = self.answer_from_lapsed(what) {
                what.fail(error);
            }
            return;
        };
        if let Some(published) = self.stop.published() {
            self.delivered.mark_stop(published.seq);
        }
        self.stop.begin_reading(what.changes());
        let lost = self.lost.subscribe();
        let read_only = self.settings.read_only;
        let kept = (self.heaps.clone(), self.numbered.clone());
        self.job(async move {
            let sets = matches!(what, Inspect::SetVariable(..)).then(|| context.clone());
            queries::perform(context, what, lost, read_only, unseen, kept).await;
            match sets {
                Some(context) => Done::Set(locals_again(&context).await),
                None => Done::Inspected,
            }
        });
    }

    /// What the client set is no news at the next stop.
    pub(super) fn was_set(&mut self, locals: &[Variable]) {
        self.stop.end_reading();
        let Some(published) = self.stop.published() else { return };
        self.snapshots.revise(published.seq, locals);
        if let Some(moment) = published.completed.moment.as_ref() {
            self.history.revise(&moment.key, locals);
        }
    }

    fn select_frame(&mut self, at: FrameRef, answer: Answer<FrameView>) {
        let Some(mut context) = self.stop.readable() else {
            return drop(answer.send(Err(self.not_stopped("frame_select"))));
        };
        context.selected = None;
        self.stop.begin_reading(true);
        let (chosen, choice) = tokio::sync::oneshot::channel();
        let sources = self.sources.clone();
        let reading = async move {
            let found = context.frame(at).await.map(|(thread, stack, frame)| {
                let mut location = crate::session::inspect::frames::location_of(&frame, &sources);
                location.inside = stack.inside(&frame);
                if chosen.send((thread, frame.index)).is_err() {
                    tracing::debug!("a frame was selected for an earlier stop");
                }
                FrameView { thread, location }
            });
            drop(answer.send(found));
        };
        self.stop.choose(choice);
        self.job(async move {
            reading.await;
            Done::Inspected
        });
    }

    fn show_watches(&mut self, expressions: Vec<String>, answer: Answer<WatchView>) {
        let Some(context) = self.stop.readable() else {
            return drop(answer.send(Ok(WatchView { expressions, values: Vec::new() })));
        };
        self.stop.begin_reading(false);
        self.job(async move {
            let values = match context.reader_at(FrameRef::default()).await {
                Ok(reader) => crate::session::stopping::watch_values(&reader, &expressions).await,
                Err(_) => Vec::new(),
            };
            drop(answer.send(Ok(WatchView { expressions, values })));
            Done::Inspected
        });
    }

    pub(super) fn source(&self, query: &SourceQuery) -> Result<SourceView, SessionError> {
        let here = self.stop.published().and_then(|published| published.completed.location.clone());
        let file = match (&query.file, &here) {
            (Some(file), _) => file.clone(),
            (None, Some(location)) => location.file.clone(),
            (None, None) => {
                let (message, hint) = match self.stop.published() {
                    Some(_) => ("this frame has no source file", "pass file, or stop the program in user code"),
                    None => ("the program is not stopped, so there is no current line", "pass file"),
                };
                return Err(SessionError::new(Code::NoSymbols, message, hint).in_state(self.machine.state().name()));
            }
        };
        let base = self.settings.base();
        let path = self.sources.absolute(&file, &base);
        let shown = path.display().to_string();
        let documents = self.modules.match_documents(&shown, &file);
        if documents.len() > 1 {
            return Err(place::ambiguous(&file, &documents, &self.sources));
        }
        let named = documents.into_iter().next().unwrap_or(shown);
        let path = std::path::PathBuf::from(&named);
        if !self.sources.allow(&path) {
            return Err(self.sources.not_allowed(&file, &path));
        }
        let lines = self.sources.lines(&path).ok_or_else(|| {
            SessionError::new(
                Code::FileNotFound,
                format!("`{file}` is not a readable source file"),
                "check the path; one that comes from the build may not exist on this machine",
            )
        })?;
        let current =
            here.filter(|location| self.sources.relative(&named) == location.file).map(|location| location.line);
        let line = query.line.or(current).unwrap_or(1);
        if line as usize > lines.len() {
            return Err(SessionError::argument(
                "line",
                format!("line {line} is past the end: {file} has {}", counted(lines.len(), "line")),
                format!("line must be at most {}", lines.len()),
            ));
        }
        let start = line.saturating_sub(query.context).max(1);
        let end = line.saturating_add(query.context).min(u32::try_from(lines.len()).unwrap_or(u32::MAX));
        Ok(SourceView {
            file: self.sources.relative(&named),
            start_line: start,
            lines: lines.get(start as usize - 1..end as usize).unwrap_or(&[]).to_vec(),
            current_line: current.filter(|current| (start..=end).contains(current)),
            is_edited: self.sources.is_edited(&named),
        })
    }

    fn read_output(&mut self, query: &OutputQuery, answer: Answer<OutputView>) {
        let wanted = match self.output_wanted(query) {
            Ok(wanted) => wanted,
            Err(error) => return drop(answer.send(Err(error))),
        };
        let (excerpt, since) = (self.output.excerpt(&wanted), wanted.since);
        let read = move || {
            excerpt.read(&wanted).map(OutputView).map_err(|error| {
                SessionError::new(
                    Code::InternalError,
                    format!("cannot read the temporary file with earlier output: {error}"),
                    "the last 4 MiB are in memory: use tail",
                )
            })
        };
        if self.output.is_in_memory(since) {
            return drop(answer.send(read()));
        }
        self.job(async move {
            if let Ok(result) = tokio::task::spawn_blocking(read).await {
                drop(answer.send(result));
            }
            Done::Nothing
        });
    }

    fn output_wanted(&self, query: &OutputQuery) -> Result<Selection, SessionError> {
        if self.link.as_ref().is_some_and(|link| link.method == Method::Attached) {
            return Err(SessionError::new(
                Code::StreamUnavailable,
                "clrbridge attached to this program: its output goes to whatever started it",
                "debug_launch captures output",
            ));
        }
        let search = query.search.as_deref().map(regex::Regex::new).transpose();
        let search = search.map_err(|error| SessionError::pattern("search", &error))?;
        Ok(Selection {
            stdout: query.stdout,
            stderr: query.stderr,
            since: query.since.unwrap_or(self.output.latest_run()).min(self.output.end()),
            max_lines: Some(query.max_lines.unwrap_or(LINES)),
            tail: query.tail,
            search,
            max_size: OUTPUT,
        })
    }

    fn events(&self, query: &EventsQuery) -> Result<EventsView, SessionError> {
        if let Some(stream) = query.stream.as_deref().filter(|stream| !STREAMS.contains(stream)) {
            return Err(SessionError::new(
                Code::StreamUnavailable,
                format!("no stream {stream}"),
                format!("one of {}", STREAMS.join(", ")),
            ));
        }
        Ok(self.log.query(query))
    }

    fn streams(&self) -> StreamsView {
        StreamsView { streams: self.log.streams(), snapshots: self.snapshots.extent() }
    }

    /// Nothing of it counts as reported: who asks for a stop may still wait for it.
    fn snapshots(&self, wanted: &[Option<EventSeq>]) -> Result<SnapshotsView, SessionError> {
        let stops = wanted.iter().map(|seq| match seq {
            Some(seq) => self.snapshots.get(*seq),
            None => self.snapshots.latest(),
        });
        Ok(SnapshotsView {
            stops: stops.collect::<Result<_, _>>()?,
            oldest: self.snapshots.oldest_after_drops(),
            state: self.snapshot.get().state,
        })
    }
}
